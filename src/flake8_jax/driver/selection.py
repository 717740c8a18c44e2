"""Selection of files and codes by flake8's rules, so that both front ends agree."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from fnmatch import translate
from functools import cache

from flake8_jax.model.codes import UNJUDGED
from flake8_jax.model.config import Config
from flake8_jax.syntax.folders import root_of

STDIN = "stdin"
NOTHING = r"(?!)"
SUFFIXES = (".py", ".pyi")
NOTEBOOK = ".ipynb"


def files(paths: Iterable[str], config: Config) -> list[str]:
    """All Python files named by `paths`, sorted, without duplicates.

    A folder stands for the Python files below it, a file for itself; excluded ones, and what is in excluded folders,
    are left out even if named.  A folder that cannot be listed stands for itself, too: it cannot be judged.
    """
    found = {file for path in paths for file in _below(path, (*config.exclude, *config.extend_exclude))}
    return sorted(found)


def notebooks(paths: Iterable[str], config: Config) -> list[str]:
    """All notebooks below the folders among some paths, sorted; excluded ones are left out."""
    excluded = (*config.exclude, *config.extend_exclude)
    found = {file for path in paths if os.path.isdir(path) for file in _below(path, excluded, (NOTEBOOK,))}
    return sorted(file for file in found if file.endswith(NOTEBOOK))


def empty(paths: Iterable[str], config: Config) -> Iterator[tuple[str, bool]]:
    """The folders among some paths that stand for no file, and whether all that they hold is excluded."""
    excluded = (*config.exclude, *config.extend_exclude)
    for path in paths:
        if os.path.isdir(path) and next(_below(path, excluded), None) is None:
            yield path, next(_below(path, ()), None) is not None


def is_excluded(path: str, config: Config) -> bool:
    """Does a pattern of the configuration exclude this file, or a folder that it is in?"""
    return _is_left_out(path, (*config.exclude, *config.extend_exclude))


def is_chosen(code: str, path: str, config: Config) -> bool:
    """Is a finding of this code in this file to be reported?

    As in flake8, a code that is both selected and ignored follows the longer of the two prefixes, and of the
    per-file patterns that match only the longest counts.  That a file could not be judged is not for a selection to
    leave out: it is no finding of a rule that was not wanted.
    """
    ignore = (*config.ignore, *config.extend_ignore, *_ignored_in(path, config))
    selected = _longest(code, (*(config.select or ()), *config.extend_select))
    ignored = _longest(code, ignore)
    if selected:
        return selected > ignored
    return (config.select is None or code == UNJUDGED) and not ignored


def _longest(code: str, prefixes: Iterable[str]) -> int:
    return max((len(prefix) for prefix in prefixes if code.startswith(prefix)), default=0)


def _ignored_in(path: str, config: Config) -> tuple[str, ...]:
    matching = [(pattern, codes) for pattern, codes in config.per_file_ignores if _matches(path, (pattern,))]
    return max(matching, key=lambda pair: len(pair[0]), default=("", ()))[1]


def _below(path: str, excluded: tuple[str, ...], suffixes: tuple[str, ...] = SUFFIXES) -> Iterator[str]:
    if _is_left_out(path, excluded):
        return
    if not os.path.isdir(path):
        yield path
        return
    unlisted: list[OSError] = []
    for root, folders, names in os.walk(path, onerror=unlisted.append):
        folders[:] = [folder for folder in folders if not _matches(os.path.join(root, folder), excluded)]
        for name in names:
            file = os.path.join(root, name)
            if name.endswith(suffixes) and not _matches(file, excluded):
                yield file
    yield from (error.filename for error in unlisted)


def _is_left_out(path: str, patterns: tuple[str, ...]) -> bool:
    """Is a path excluded, or a folder around it?

    Names count below the working directory, and outside of that below the root of the path's project: a project may
    stand in a folder `build`.
    """
    if _matches(path, patterns):
        return True
    location, top = os.path.abspath(path), os.getcwd()
    if not location.startswith(os.path.join(top, "")):
        top = root_of(location)
    matches, folder, is_below = _pattern(patterns).match, os.path.dirname(location), True
    while folder != os.path.dirname(folder):
        is_below = is_below and folder != top
        if matches(os.path.normcase(folder)) or (is_below and matches(os.path.normcase(os.path.basename(folder)))):
            return True
        folder = os.path.dirname(folder)
    return False


def _matches(path: str, patterns: tuple[str, ...]) -> bool:
    name, absolute = os.path.basename(path), os.path.abspath(path)
    matches = _pattern(patterns).match
    return (name not in (".", "..") and matches(os.path.normcase(name)) is not None) or (
        matches(os.path.normcase(absolute)) is not None
    )


@cache
def _pattern(patterns: tuple[str, ...]) -> re.Pattern[str]:
    """What matches as `fnmatch` does with any of some patterns."""
    return re.compile("|".join(translate(os.path.normcase(pattern)) for pattern in patterns) or NOTHING)
