"""The parser of command lines.  What is wrong with one is said in one line, with the nearest right spelling."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import NoReturn

from flake8_jax.driver.cli.output import WrongUse, write
from flake8_jax.model.former import FORMER
from flake8_jax.model.spelling import nearest, suggestion

SEVERAL = ("paths", "what", "rules")
"""Arguments of which there may be any number, as the parsers of verbs call them."""

VERSION = ("-V", "--version")


class HelpFormatter(argparse.HelpFormatter):
    """A formatter that does not import what packs files to ask how wide the terminal is.

    A parser makes one for each of its options, to look at its `metavar`.
    """

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_columns() - 2)


def _columns() -> int:
    """How wide the terminal is, as `shutil.get_terminal_size` has it."""
    with suppress(ValueError):
        if (stated := int(os.environ.get("COLUMNS", ""))) > 0:
            return stated
    with suppress(AttributeError, ValueError, OSError):  # it is closed, or no terminal
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or 80  # type: ignore[union-attr]
    return 80


class ArgumentParser(argparse.ArgumentParser):
    """A parser that raises `WrongUse` where it would print its usage and exit."""

    def _get_formatter(self) -> argparse.HelpFormatter:
        return HelpFormatter(self.prog)

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, and where to read what is right."""
        raise WrongUse(message if message.endswith("?") else f"{message}; see `{self.prog} --help`")

    def _print_message(self, message: str, file: object = None) -> None:
        write(message)  # in place of one that takes no notice of an error


def parsed(
    parser: argparse.ArgumentParser, made: dict[str, argparse.ArgumentParser], verbs: Collection[str],
    arguments: Sequence[str],
) -> argparse.Namespace:  # fmt: skip
    """The options of a command line; raises `WrongUse`.  `made` are the parsers of verbs, of at least the one asked."""
    if wrong := _verb_missing(verbs, arguments):
        raise WrongUse(wrong)
    options, extra = parser.parse_known_args(arguments)
    unknown = [word for word in extra if word.startswith("-") and word != "-"]
    several = next((name for name in SEVERAL if name in options), None)
    if extra and not unknown and several is not None:
        setattr(options, several, [*getattr(options, several), *extra])  # behind options that stand behind others
    elif extra:
        raise WrongUse(_unknown(arguments, made[arguments[0]], verbs, [*unknown, *extra][0]))
    return options


def _verb_missing(verbs: Collection[str], arguments: Sequence[str]) -> str:
    """What is wrong with the first word of a command line; empty if nothing is."""
    first = arguments[0] if arguments else ""
    if first in verbs or first in ("-h", "--help", *VERSION):
        return ""
    if not first:
        return f"a verb is missing; there are {', '.join(verbs)}"
    if _verb_of(first, verbs):
        return f"there is no option {first}; {_meant(first, arguments[1:], verbs)}"
    if first.startswith("-") or os.path.lexists(first) or first.endswith((".py", ".pyi", os.sep)):
        return f"the verb is missing; did you mean `flake8-jax check {shlex.join(arguments)}`?"
    return f"there is no verb {first}; {suggestion(first, verbs)}"


def _unknown(arguments: Sequence[str], parser: argparse.ArgumentParser, verbs: Collection[str], word: str) -> str:
    verb = arguments[0]
    if not word.startswith("-"):
        return f"{verb} does not take {word!r}; see `{parser.prog} --help`"
    option = word.partition("=")[0]
    if _verb_of(option, verbs):
        rest = [each for each in arguments[1:] if each != word]
        return f"{verb} has no option {option}; {_meant(word, rest, verbs)}"
    near = nearest(option, set(parser._option_string_actions) - {f"--{key}" for key in FORMER})
    near = "`flake8-jax --version`" if option in VERSION else near
    return f"{verb} has no option {option}; " + (f"did you mean {near}?" if near else f"see `{parser.prog} --help`")


def _verb_of(option: str, verbs: Collection[str]) -> str:
    """The verb that is asked for as if it were an option, as in `check --fix`; empty if none is."""
    name = option.partition("=")[0].removeprefix("--")
    return name if option.startswith("--") and name in verbs else ""


def _meant(option: str, rest: Sequence[str], verbs: Collection[str]) -> str:
    """Which verb does what an option was thought to do; what only shows what `fix` changes is named, too."""
    shows = ", or `flake8-jax check --diff`, which only shows the changes" if _verb_of(option, verbs) == "fix" else ""
    value = option.partition("=")[2]
    words = [_verb_of(option, verbs), *([value] if value else []), *rest]
    return f"did you mean `flake8-jax {shlex.join(words)}`{shows}?"
