"""Which files git ignores: as git itself says, asked once for each repository, else by the patterns in its files.

A file that is tracked is not ignored, whatever the patterns say, and only git knows what is tracked.  Where it cannot
be asked (a container without it, a folder of another owner), patterns are all there is, and whoever runs this is told.

    .gitignore          lib/                lib/ops.py is ignored, unless it was added by `git add -f`
    lib/.gitignore      !keep.py            of the patterns that match, the last one of the deepest file counts
    .git/info/exclude   scratch_*.py        counts, too, behind all others
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from flake8_jax.lazy_dataclasses import dataclass, field
from flake8_jax.syntax.folders import path_from

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

LISTED = ("--literal-pathspecs", "ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z", "--")
OF_ANOTHER = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE")
"""Variables by which git, in its own hooks, is told of one repository, and would be of every other."""


class GitFailed(Exception):
    """Git cannot say what it ignores; the message says why."""


class Repository(Protocol):
    """What one repository ignores."""

    def ignores(self, inside: str) -> bool:
        """Is a path from its root ignored?  No folder around it is."""


class Ignored:
    """What is ignored in the repositories around and below some paths, each asked once, when it is first met.

    `warn` is told once if patterns had to decide.
    """

    __slots__ = ("_is_told", "_repositories", "_roots", "_starts", "_warn")

    def __init__(self, starts: Iterable[str], warn: Callable[[str], None]) -> None:
        self._starts = [os.path.abspath(start) for start in starts]
        self._warn, self._is_told = warn, False
        self._repositories: dict[str, Repository] = {}
        self._roots: dict[str, str | None] = {}

    def holds(self, path: str) -> bool:
        """Is a file or folder ignored by the repository that it stands in?  No folder around it may be."""
        location = os.path.abspath(path)
        root = self._root(os.path.dirname(location))
        if root is None:
            return False
        if root not in self._repositories:
            self._repositories[root] = self._asked(root)
        return self._repositories[root].ignores(path_from(location, root).replace(os.sep, "/"))

    def _asked(self, root: str) -> Repository:
        inside = [path_from(start, root) for start in self._starts if start.startswith(os.path.join(root, ""))]
        try:
            return Listed(_listed(root, inside if len(inside) == len(self._starts) else [os.curdir]))
        except GitFailed as error:
            return Patterns(Path(root), partial(self._tell, str(error)))

    def _tell(self, why: str) -> None:
        if not self._is_told:
            self._is_told = True
            self._warn(f"{why}: what .gitignore names is passed over, although it may be tracked")

    def _root(self, folder: str) -> str | None:
        """The root of the repository around a folder."""
        if folder not in self._roots:
            above = os.path.dirname(folder)
            if os.path.exists(os.path.join(folder, ".git")):
                self._roots[folder] = folder
            else:
                self._roots[folder] = self._root(above) if above != folder else None
        return self._roots[folder]


@dataclass(frozen=True, slots=True)
class Listed:
    """A repository of which git listed what it ignores; folders end with a slash."""

    paths: frozenset[str]

    def ignores(self, inside: str) -> bool:
        """Is a path from its root ignored?"""
        return inside in self.paths or f"{inside}/" in self.paths


def _listed(root: str, below: Iterable[str]) -> frozenset[str]:
    """What git ignores in a repository, in some folders of it."""
    import subprocess

    variables = {name: value for name, value in os.environ.items() if name not in OF_ANOTHER}
    try:
        done = subprocess.run(["git", *LISTED, *below], cwd=root, capture_output=True, env=variables, check=False)
    except OSError as error:
        raise GitFailed(f"git cannot be run: {error.strerror or error}") from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise GitFailed(f"git: {said[-1] if said else f'status {done.returncode}'}")
    return frozenset(os.fsdecode(name) for name in done.stdout.split(b"\0") if name)


@dataclass(slots=True)
class Patterns:
    """A repository of which the patterns decide; `told` is called when one does."""

    root: Path
    told: Callable[[], None]
    _read: dict[str, GitIgnoreSpec | None] = field(default_factory=dict)

    def ignores(self, inside: str) -> bool:
        """Is a path from its root ignored?"""
        is_ignored = next((found for found in self._decisions(inside) if found is not None), False)
        if is_ignored:
            self.told()
        return is_ignored

    def _decisions(self, inside: str) -> Iterator[bool | None]:
        """What each file of patterns says, the nearest first; None if no pattern in it matches."""
        path = f"{inside}/" if os.path.isdir(self.root / inside) else inside
        folder, _, _ = inside.rpartition("/")
        while folder:
            yield self._said(f"{folder}/.gitignore", path.removeprefix(f"{folder}/"))
            folder, _, _ = folder.rpartition("/")
        yield self._said(".gitignore", path)
        yield self._said(".git/info/exclude", path)

    def _said(self, file: str, path: str) -> bool | None:
        if file not in self._read:
            self._read[file] = _patterns(self.root / file)
        patterns = self._read[file]
        return patterns.check_file(path).include if patterns is not None else None


def _patterns(file: Path) -> GitIgnoreSpec | None:
    from pathspec import GitIgnoreSpec

    try:
        lines = file.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return None
    return GitIgnoreSpec.from_lines(filter(_is_pattern, lines))


def _is_pattern(line: str) -> bool:
    """Is a line one that can be read?  Git passes over others."""
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([line])
    except (ValueError, re.error):
        return False
    return True
