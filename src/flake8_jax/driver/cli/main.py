"""The command line: `flake8-jax check`, `explain`, `rules`, `show`, `verify`, `measure`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from typing import TypeAlias

from flake8_jax import __version__
from flake8_jax.driver.cli import check, explain, rules, show
from flake8_jax.driver.cli.output import FOUND, failed
from flake8_jax.driver.cli.runtime_verbs import measure, verify
from flake8_jax.model.config import ConfigError
from flake8_jax.runtime import options as verifying
from flake8_jax.runtime.measuring import options as measuring

INTERRUPTED = 130

Verb: TypeAlias = Callable[[argparse.Namespace], int]
AddOptions: TypeAlias = Callable[[argparse.ArgumentParser], None]

VERBS: tuple[tuple[Verb, AddOptions | None], ...] = (
    (check.check, check.add_options),
    (explain.explain, explain.add_options),
    (rules.rules, None),
    (show.show, show.add_options),
    (verify, verifying.add_options),
    (measure, measuring.add_options),
)
"""What runs each subcommand, which has its name, and what adds its options."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one verb; the exit status is 0 for clean, 1 for findings, 2 for a wrong use."""
    options = _parser().parse_args(arguments)
    try:
        status: int = options.verb(options)
    except ConfigError as error:
        status = failed(str(error))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = FOUND
    except KeyboardInterrupt:
        status = INTERRUPTED
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("flake8-jax", description="Find JAX hazards before they run.", allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    verbs = parser.add_subparsers(metavar="VERB", required=True)
    for run, add_options in VERBS:
        verb = verbs.add_parser(run.__name__, help=run.__doc__, description=run.__doc__, allow_abbrev=False)
        verb.set_defaults(verb=run)
        if add_options is not None:
            add_options(verb)
    return parser
