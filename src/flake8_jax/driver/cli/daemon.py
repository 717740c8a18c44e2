"""`flake8-jax daemon`: the background processes that `--daemon` starts."""

from __future__ import annotations

import argparse

from flake8_jax.driver.cli.output import CLEAN, write


def daemon(options: argparse.Namespace) -> int:
    """Say which background processes keep a project in memory, or end them with `--stop`."""
    from flake8_jax.driver.asking import running, stop_all

    if options.stop:
        count = stop_all()
        write(f"{count} background {'process' if count == 1 else 'processes'} ended\n")
    else:
        found = running()
        write("".join(f"{one}\n" for one in found) or "no background process is running\n")
    return CLEAN


def add_options(verb: argparse.ArgumentParser) -> None:
    """Add the options of `flake8-jax daemon` to a parser."""
    verb.add_argument("--stop", action="store_true", help="end them")
