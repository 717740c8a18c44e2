"""Where findings are printed, in which format, with colours or without."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from flake8_jax.driver import statistics
from flake8_jax.driver.cli.output import WrongUse, encoded, say, write, write_file
from flake8_jax.model.config import FORMATS_FOR_PEOPLE, Config
from flake8_jax.model.diagnostic import Diagnostic

if TYPE_CHECKING:
    from flake8_jax.driver.reporters.outcome import Outcome
    from flake8_jax.driver.sources import Sources

COLOURS = ("auto", "always", "never")
WORKSPACES = {"github": "GITHUB_WORKSPACE", "gitlab": "CI_PROJECT_DIR"}
"""Where services say which folder the paths of their formats start from."""


def check_destination(options: argparse.Namespace) -> None:
    """Raise `WrongUse` for an output file that nothing can be written to."""
    path = options.output_file
    if path is not None and not os.path.isdir(os.path.dirname(path) or "."):
        raise WrongUse(f"--output-file: there is no folder {os.path.dirname(path)}")
    if path is not None and (not path or os.path.isdir(path)):
        raise WrongUse(f"--output-file: {path or repr(path)} is not a file")


def print_findings(
    diagnostics: Sequence[Diagnostic], sources: Sources, options: argparse.Namespace, config: Config,
    *, is_aside: bool = False,
) -> None:  # fmt: skip
    """Print findings, and behind them how many each code has if that is asked for.

    `is_aside`: on standard error, because standard output holds a file.
    """
    from flake8_jax.driver.reporters.outcome import Outcome
    from flake8_jax.driver.reporters.places import Places
    from flake8_jax.driver.reporters.style import Style

    kind = config.output_format
    style = Style(is_coloured(options, is_aside), config.docs_url)
    outcome = Outcome(diagnostics, sources, Places(_start(kind)), style)
    render: Callable[[Outcome], str] = import_module(f"flake8_jax.driver.reporters.{kind}").render
    counts = "".join(f"{line}\n" for line in statistics.of_findings(diagnostics)) if config.statistics else ""
    text = render(outcome)
    if options.output_file is not None:
        write_file(options.output_file, encoded(text))
        text = counts
    elif kind in FORMATS_FOR_PEOPLE:
        text += counts
    if not is_aside:
        write(text)
    elif text:
        say(text.removesuffix("\n"))


def print_diffs(
    diffs: Iterable[str], diagnostics: Sequence[Diagnostic], options: argparse.Namespace, config: Config
) -> None:
    """Print changes of files; how many findings each code has is said beside them, as a diff holds nothing else."""
    from flake8_jax.driver.reporters.changes import coloured
    from flake8_jax.driver.reporters.style import Style

    style = Style(is_coloured(options))
    text = "".join(line for diff in diffs for line in coloured(diff, style))
    if options.output_file is not None:
        write_file(options.output_file, encoded(text))
    else:
        write(text)
    for line in statistics.of_findings(diagnostics) if config.statistics else ():
        say(line)


def add_options(verb: argparse._ArgumentGroup) -> None:
    """Add the options of output to a group of a parser."""
    verb.add_argument("--output-file", "-o", metavar="FILE", help="print to this file")
    add_colour_option(verb)
    verb.add_argument("--quiet", "-q", action="store_true", help="print findings, warnings and errors only")


def add_colour_option(verb: argparse._ActionsContainer) -> None:
    """Add the option of colours to a parser or a group of one."""
    verb.add_argument(
        "--color", default="auto", choices=COLOURS, metavar=f"{{{','.join(COLOURS)}}}",
        help="colours; default: auto, on a terminal unless NO_COLOR is set, or if FORCE_COLOR is",
    )  # fmt: skip


def _start(kind: str) -> Path:
    """The folder that paths start from where a format names them for a service."""
    from flake8_jax.driver.reporters.places import repository_of

    here = Path.cwd()
    named = os.environ.get(WORKSPACES.get(kind, ""))
    if named and here.is_relative_to(named):
        return Path(named)
    return repository_of(here)


def is_coloured(options: argparse.Namespace, is_aside: bool = False) -> bool:
    """Has what is printed colours?  `is_aside`: it goes to standard error."""
    if options.color != "auto":
        return bool(options.color == "always")
    if getattr(options, "output_file", None) is not None or os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    stream: TextIO | None = sys.stderr if is_aside else sys.stdout
    is_terminal = stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"
    if is_terminal and sys.platform == "win32":
        os.system("")  # older consoles read colours once a shell has run in them
    return is_terminal
