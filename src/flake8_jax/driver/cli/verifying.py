"""`flake8-jax verify`, which runs JAX."""

from __future__ import annotations

import argparse

from flake8_jax.runtime.options import add_options

__all__ = ["add_options", "verify"]


def verify(options: argparse.Namespace) -> int:
    """Run the claims of fixtures with JAX, under its transforms, and say which are proved."""
    from flake8_jax.runtime.command import run

    return run(options)
