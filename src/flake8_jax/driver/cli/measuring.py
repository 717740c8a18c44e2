"""`flake8-jax measure`, which runs JAX and the libraries around it."""

from __future__ import annotations

import argparse

from flake8_jax.runtime.measuring.options import add_options

__all__ = ["add_options", "measure"]


def measure(options: argparse.Namespace) -> int:
    """Measure what JAX and the libraries around it do, and write the tables of this package."""
    if options.versions:
        from flake8_jax.runtime.measuring.releases.command import run as run_releases

        return run_releases(options)
    from flake8_jax.runtime.measuring.command import run

    return run(options)
