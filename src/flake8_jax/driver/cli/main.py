"""The command line: `flake8-jax check`, `fix`, `upgrade`, `init`, `explain`, `rules`, `show`, `reduce`, `server`,
`daemon`, `verify`, `measure`, `completion`.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser as StandardParser
from argparse import Namespace
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TypeAlias

from flake8_jax import __version__
from flake8_jax.driver.cli.arguments import VERSION, ArgumentParser, parsed
from flake8_jax.driver.cli.output import FOUND, FileNotWritten, NotWritten, WrongUse, drop, failed, flush
from flake8_jax.driver.interrupts import status_of
from flake8_jax.model.config import ConfigError

Verb: TypeAlias = Callable[[Namespace], int]
AddOptions: TypeAlias = Callable[[StandardParser], None]

VERBS = {
    "check": "check", "fix": "fix", "upgrade": "upgrade", "init": "init", "explain": "explain", "rules": "rules",
    "show": "show", "reduce": "reduce", "server": "serving", "daemon": "daemon", "verify": "verifying",
    "measure": "measuring", "completion": "completion",
}  # fmt: skip
"""The module of each verb, in which a function of its name runs it, and `add_options` adds its options."""


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
        parser, made = parsers(arguments[0] if arguments else "")
        options = parsed(parser, made, VERBS, arguments)
        status: int = options.verb(options)
    except KeyboardInterrupt:
        raise
    except BaseException:
        flush()
        raise
    flush()
    return status


def parsers(asked: str = "") -> tuple[ArgumentParser, dict[str, StandardParser]]:
    """The parser of a command line, and that of each verb; only that of the verb that is asked for, if it is one."""
    parser = ArgumentParser("flake8-jax", description="Find JAX hazards before they run.", allow_abbrev=False)
    parser.add_argument(*VERSION, action="version", version=f"%(prog)s {__version__}")
    verbs = parser.add_subparsers(metavar="VERB", required=True)
    found: dict[str, StandardParser] = {}
    for name in (asked,) if asked in VERBS else VERBS:
        module = import_module(f"flake8_jax.driver.cli.{VERBS[name]}")
        run: Verb = getattr(module, name)
        add_options: AddOptions = module.add_options
        summary = (run.__doc__ or "").partition("\n")[0]
        verb = found[name] = verbs.add_parser(name, help=summary, description=run.__doc__, allow_abbrev=False)
        verb.set_defaults(verb=run)
        add_options(verb)
    return parser, found
