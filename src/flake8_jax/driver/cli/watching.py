"""`flake8-jax check --watch`: checks again whenever a file or a configuration changes, until it is interrupted."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import TypeAlias

from flake8_jax.driver.cli.files import chosen
from flake8_jax.driver.cli.output import WrongUse, failed, say, write
from flake8_jax.driver.cli.settings import configured
from flake8_jax.driver.statistics import counted
from flake8_jax.model.config import PYPROJECT, ConfigError

PAUSE = 0.5
"""How many seconds lie between two looks at the files."""

LOOKS = 6
"""At every so many looks, folders are looked through for new files."""

ONCE = ("write_baseline", "add_noqa", "add_ignores", "output_file", "diff_base", "show_settings", "show_files")
"""The options, as the parser calls them, that make no sense again and again, or change what is watched."""

FileStates: TypeAlias = dict[str, tuple[int, int] | None]
"""When each file was written last, and its size; None for one that is gone."""


def check_options(options: argparse.Namespace) -> None:
    """Raise `WrongUse` for what cannot be done again and again."""
    if "-" in options.paths:
        raise WrongUse("--watch looks at files, not at standard input")
    given = next((name for name in ONCE if getattr(options, name) not in (None, False)), None)
    if given is not None:
        raise WrongUse(f"--watch does not go with --{given.replace('_', '-')}")


def watch(options: argparse.Namespace, check: Callable[[argparse.Namespace], int]) -> int:
    """Check, and check again after each change; it ends with Ctrl-C, as every run does."""
    check_options(options)
    while True:
        if sys.stdout is not None and sys.stdout.isatty():
            write("\033[2J\033[H")  # a clear screen: what is printed is what is so
        before = _states(options)
        try:
            check(options)
        except (ConfigError, WrongUse) as error:
            failed(str(error))
        say(f"watching {counted(sum(not path.endswith(PYPROJECT) for path in before), 'file')}; Ctrl-C ends it")
        _wait(options, before)


def _wait(options: argparse.Namespace, before: FileStates) -> None:
    """Wait until a file is changed, or, which takes a look through all folders, until there is another."""
    for number in count(1):
        time.sleep(PAUSE)
        if any(_state(path) != state for path, state in before.items()):
            return
        if number % LOOKS == 0 and _states(options) != before:
            return


def _states(options: argparse.Namespace) -> FileStates:
    """The files of a run, and the configurations that rule them, as they are now."""
    try:
        configurations = configured(options)
        paths = chosen(options, configurations)
        rulers = {str(file) for file in map(configurations.source_of, paths) if file is not None}
    except (ConfigError, WrongUse):
        paths, rulers = [], set()  # what is wrong was said; it is put right in a file of options
    files = {*paths, *rulers, *(str(folder / PYPROJECT) for folder in (Path.cwd(), *Path.cwd().parents))}
    return {path: _state(path) for path in sorted(files)}


def _state(path: str) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
