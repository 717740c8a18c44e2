"""The command line: `flake8-jax check`, `fix`, `upgrade`, `init`, `explain`, `rules`, `show`, `reduce`, `server`,
`daemon`, `verify`, `measure`, `completion`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import TypeAlias

from flake8_jax import __version__
from flake8_jax.driver.cli import check, completion, daemon, explain, fix, init, reduce, rules, serving, show, upgrade
from flake8_jax.driver.cli.arguments import VERSION, ArgumentParser, parsed
from flake8_jax.driver.cli.output import FOUND, FileNotWritten, NotWritten, WrongUse, drop, failed, flush
from flake8_jax.driver.cli.runtime_verbs import measure, verify
from flake8_jax.driver.interrupts import status_of
from flake8_jax.model.config import ConfigError
from flake8_jax.runtime import options as verifying
from flake8_jax.runtime.measuring import options as measuring

Verb: TypeAlias = Callable[[argparse.Namespace], int]
AddOptions: TypeAlias = Callable[[argparse.ArgumentParser], None]

VERBS: tuple[tuple[Verb, AddOptions | None], ...] = (
    (check.check, check.add_options),
    (fix.fix, fix.add_options),
    (upgrade.upgrade, upgrade.add_options),
    (init.init, init.add_options),
    (explain.explain, explain.add_options),
    (rules.rules, rules.add_options),
    (show.show, show.add_options),
    (reduce.reduce, reduce.add_options),
    (serving.server, serving.add_options),
    (daemon.daemon, daemon.add_options),
    (verify, verifying.add_options),
    (measure, measuring.add_options),
    (completion.completer(lambda: parsers()[0]), completion.add_options),
)
"""What runs each subcommand, which has its name, and what adds its options."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one verb.  The exit status is 0 for clean, 1 for findings and what could not be judged, 2 for a wrong use.

    It is 130 for a run that Ctrl-C ended, and 143 for one that SIGTERM did.
    """
    try:
        status = _run(sys.argv[1:] if arguments is None else arguments)
    except (ConfigError, WrongUse) as error:
        status = failed(str(error))
    except (NotWritten, BrokenPipeError) as error:
        if not isinstance(error, BrokenPipeError) and not isinstance(error.__cause__, BrokenPipeError):
            failed(f"standard output cannot be written: {error}")
        drop()  # who reads no more, as `head`, has what it wanted
        status = FOUND
    except FileNotWritten as error:
        failed(str(error))
        status = FOUND
    except KeyboardInterrupt as interrupt:
        status = status_of(interrupt)
    return status


def _run(arguments: Sequence[str]) -> int:
    """Run one verb, and write what is left to be written, unless the run is interrupted."""
    try:
        parser, verbs = parsers()
        options = parsed(parser, verbs, arguments)
        status: int = options.verb(options)
    except KeyboardInterrupt:
        raise
    except BaseException:
        flush()
        raise
    flush()
    return status


def parsers() -> tuple[ArgumentParser, dict[str, argparse.ArgumentParser]]:
    """The parser of a command line, and that of each verb."""
    parser = ArgumentParser("flake8-jax", description="Find JAX hazards before they run.", allow_abbrev=False)
    parser.add_argument(*VERSION, action="version", version=f"%(prog)s {__version__}")
    verbs = parser.add_subparsers(metavar="VERB", required=True)
    found: dict[str, argparse.ArgumentParser] = {}
    for run, add_options in VERBS:
        summary = (run.__doc__ or "").partition("\n")[0]
        verb = verbs.add_parser(run.__name__, help=summary, description=run.__doc__, allow_abbrev=False)
        verb.set_defaults(verb=run)
        if add_options is not None:
            add_options(verb)
        found[run.__name__] = verb
    return parser, found
