"""`flake8-jax verify` and `flake8-jax measure`, which run JAX."""

from __future__ import annotations

import argparse


def verify(options: argparse.Namespace) -> int:
    """Run the claims of fixtures with JAX, under its transforms, and say which are proved."""
    from flake8_jax.runtime.command import run

    return run(options)


def measure(options: argparse.Namespace) -> int:
    """Measure what JAX and the libraries around it do, and write the tables of this package."""
    if options.versions:
        from flake8_jax.runtime.measuring.releases.command import run as run_releases

        return run_releases(options)
    from flake8_jax.runtime.measuring.command import run

    return run(options)
