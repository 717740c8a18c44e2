"""Selection of files and codes, the same for both front ends: codes by flake8's rules, files by these.

A folder stands for the Python files and notebooks below it, a file for itself.  A walk through a folder passes over

    .git, __pycache__, .tox ...     where `exclude` does not stand in their place
    build, dist                     at the root of a project, where there is no `exclude`
    .venv, venv, node_modules ...   and any folder with a `pyvenv.cfg`: other people's code
    what git ignores                unless `respect-gitignore = false`

but what is named is judged nevertheless.  Exclusions that somebody stated (`exclude`, `extend-exclude`) hold for what
is named, too: a hook names every file.  Each file and folder is ruled by its own configuration.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Container, Iterable, Iterator
from fnmatch import translate
from functools import cache
from typing import TypeAlias

from flake8_jax.model.codes import UNJUDGED
from flake8_jax.model.config import EXCLUDED, Config
from flake8_jax.syntax.folders import BUILT, is_environment, is_root, root_of

STDIN = "stdin"
NOTHING = r"(?!)"
SUFFIXES = (".py", ".pyi", ".ipynb")

ConfigOf: TypeAlias = Callable[[str], Config]
"""The configuration that rules a file or a folder."""


class Selection:
    """Which files a run judges.  `ignores` tells what git ignores, of a file or folder that a walk comes upon."""

    __slots__ = ("_config_of", "_ignores", "_passed")

    def __init__(self, config_of: ConfigOf, ignores: Callable[[str], bool]) -> None:
        self._config_of = config_of
        self._ignores = ignores
        self._passed: dict[str, bool] = {}

    def files(self, paths: Iterable[str]) -> list[str]:
        """All Python files that some paths stand for, sorted, without duplicates.

        A folder that cannot be listed stands for itself, too: it cannot be judged.
        """
        return sorted({file for path in paths for file in self._files_of(path)})

    def empty(self, paths: Iterable[str]) -> Iterator[tuple[str, bool]]:
        """The folders among some paths that stand for no file, and whether all that they hold is left out."""
        for path in paths:
            if os.path.isdir(path) and next(self._files_of(path), None) is None:
                yield path, next(_below(path, lambda _: False), None) is not None

    def _files_of(self, path: str) -> Iterator[str]:
        if not self.is_excluded(path):
            yield from _below(path, self._is_passed_over)

    def is_excluded(self, path: str) -> bool:
        """Does a stated exclusion hold for a path, or for a folder around it?

        Names count below the working directory, and outside of that below the root of the path's project: a project may
        stand in a folder `build`.
        """
        if _matches(path, _stated(self._config_of(path))):
            return True
        location, top = os.path.abspath(path), os.getcwd()
        if not location.startswith(os.path.join(top, "")):
            top = root_of(location)
        folder, is_below = os.path.dirname(location), True
        while folder != os.path.dirname(folder):
            is_below = is_below and folder != top
            matches = _pattern(_stated(self._config_of(folder))).match
            if matches(os.path.normcase(folder)) or (is_below and matches(os.path.normcase(os.path.basename(folder)))):
                return True
            folder = os.path.dirname(folder)
        return False

    def is_left_out(self, path: str, named: Iterable[str]) -> bool:
        """Would a run over some paths leave out a file that one of them is, or that is in a folder among them?"""
        location = os.path.abspath(path)
        starts = {os.path.abspath(place) for place in named}
        if location in starts:
            return self.is_excluded(path)
        if self.is_excluded(path) or self._is_passed_over(location):
            return True
        return self._is_below_passed(os.path.dirname(location), starts)

    def _is_below_passed(self, folder: str, starts: Container[str]) -> bool:
        """Does a walk pass over a folder, or over one around it?  It starts at the innermost of `starts`."""
        if folder in starts or folder == os.path.dirname(folder):
            return False
        found = self._passed.get(folder)
        if found is None:
            above = os.path.dirname(folder)
            found = self._passed[folder] = self._is_passed_over(folder) or self._is_below_passed(above, starts)
        return found

    def _is_passed_over(self, path: str) -> bool:
        """Does a walk pass over a file or folder that it comes upon?"""
        config = self._config_of(path)
        return (
            _matches(path, (*config.exclude, *config.extend_exclude))
            or (not path.endswith(SUFFIXES) and is_environment(path))
            or (config.exclude == EXCLUDED and _is_built(path, config))
            or (config.respect_gitignore and self._ignores(path))
        )


def _is_built(path: str, config: Config) -> bool:
    """Is a path what tools build at the root of a project?"""
    above, name = os.path.split(os.path.abspath(path))
    return name in BUILT and (is_root(above) or above == config.root)


def _stated(config: Config) -> tuple[str, ...]:
    """The exclusions that somebody stated."""
    return config.extend_exclude if config.exclude == EXCLUDED else (*config.exclude, *config.extend_exclude)


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


def _below(path: str, is_passed_over: Callable[[str], bool]) -> Iterator[str]:
    """The files that a path stands for."""
    if not os.path.isdir(path):
        yield path
        return
    unlisted: list[OSError] = []
    for root, folders, names in os.walk(path, onerror=unlisted.append):
        folders[:] = [folder for folder in folders if not is_passed_over(os.path.join(root, folder))]
        for name in names:
            file = os.path.join(root, name)
            if name.endswith(SUFFIXES) and not is_passed_over(file) and not _is_dangling(file):
                yield file
    yield from (error.filename for error in unlisted)


def _is_dangling(path: str) -> bool:
    """Is it a link to what is not there?"""
    return os.path.islink(path) and not os.path.exists(path)


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
