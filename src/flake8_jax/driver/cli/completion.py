"""`flake8-jax completion`: what makes a shell complete verbs, options, codes and names of rules."""

from __future__ import annotations

import argparse
from typing import Any

from flake8_jax.driver.cli.output import CLEAN, WrongUse, write
from flake8_jax.model.codes import names

SHELLS = ("bash", "zsh", "tcsh")
NEEDED = 'it needs shtab: `pip install "flake8-jax[completion]"`, once, to write the file'
CODES = ("CODES", "RULE", "CODE", "RULE|FILE:LINE")
"""What stands in the help for arguments that are codes or names of rules."""


def completion(options: argparse.Namespace) -> int:
    """Print what makes a shell complete this command: `eval "$(flake8-jax completion bash)"`."""
    from flake8_jax.driver.cli.main import parsers

    try:
        import shtab
    except ImportError:
        raise WrongUse(NEEDED) from None
    parser, _ = parsers()
    _told(parser, shtab)
    write(shtab.complete(parser, options.shell) + "\n")
    return CLEAN


def add_options(verb: argparse.ArgumentParser) -> None:
    """Add the options of `flake8-jax completion` to a parser."""
    verb.add_argument("shell", choices=SHELLS, metavar="SHELL", help=", ".join(SHELLS))


def _told(parser: argparse.ArgumentParser, shtab: Any) -> None:
    """Tell the completion of a parser, and of those of its verbs, what its arguments are."""
    words = [*names(), *names().values()]
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for verb in action.choices.values():
                _told(verb, shtab)
        elif action.metavar in ("PATH", "FILE", "FILE:LINE"):
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        elif action.metavar in ("FOLDER", "NEW-FOLDER"):
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
        elif action.metavar in CODES:
            action.choices = words
