"""The options of `flake8-jax verify`, apart from its implementation, so that the command line starts fast."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias, TypedDict

from flake8_jax.model.arguments import count

OptionType: TypeAlias = "Callable[[str], int | str | tuple[int, int] | Path]"
PLATFORMS = ("cpu", "gpu", "tpu")
SECONDS = 120


class OptionSettings(TypedDict, total=False):
    """The arguments of `add_argument` for one option."""

    type: OptionType
    action: str
    nargs: str
    choices: tuple[str, ...]
    default: int | str | list[str] | tuple[int, int]
    metavar: str
    help: str


def add_options(verb: argparse.ArgumentParser) -> None:
    """Add the options of `flake8-jax verify` to a parser."""
    for flags, settings in _options():
        verb.add_argument(*flags, **settings)


def _options() -> tuple[tuple[tuple[str, ...], OptionSettings], ...]:
    processes = min(os.cpu_count() or 1, 4)
    platform = "where to run, may be repeated; default: cpu, and gpu or tpu where a plugin for it is installed"
    drafts = "do not lint, and take claims of rules that are not built yet if they name their phenomenon"
    evidence = "run only what FIXTURES/evidence does not hold of this JAX and these devices, and keep it there"
    folder = "a folder with pairs of bad.py and good.py, in it or below; default: fixtures"
    number: OptionSettings = {"type": count, "metavar": "N"}
    return (
        (("fixtures",), {"nargs": "?", "default": "fixtures", "metavar": "FIXTURES", "help": folder}),
        (("--platform",), {"action": "append", "choices": PLATFORMS, "help": platform}),
        (
            ("--require",),
            {"action": "append", "choices": PLATFORMS, "default": [], "help": "fail if this platform is not reached"},
        ),
        (("--devices",), {**number, "default": 0, "help": "split the CPU into N virtual devices"}),
        (
            ("--json",),
            {"type": Path, "metavar": "FILE", "help": "write every observation as a line of JSON"},
        ),
        (("--evidence",), {"action": "store_true", "help": evidence}),
        (("--jobs", "-j"), {**number, "default": processes, "help": "processes on the CPU; default: %(default)s"}),
        (
            ("--only",),
            {"action": "append", "metavar": "TEXT", "help": "only the pairs whose name holds this text"},
        ),
        (
            ("--part",),
            {
                "type": _part,
                "default": (1, 1),
                "metavar": "K/N",
                "help": "only every N-th case, beginning with the K-th",
            },
        ),
        (("--drafts",), {"action": "store_true", "help": drafts}),
        (
            ("--seconds",),
            {**number, "default": SECONDS, "help": "the longest that a case may take; default: %(default)s"},
        ),
    )


def _part(text: str) -> tuple[int, int]:
    first, _, step = text.partition("/")
    if not (first.isdecimal() and step.isdecimal() and 1 <= int(first) <= int(step)):
        raise argparse.ArgumentTypeError(f"{text!r} is not K/N, such as 1/6")
    return int(first), int(step)
