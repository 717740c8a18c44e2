"""What is found in a revision of a git repository: its files are written to a folder apart and checked.

Under pre-commit, which says in its environment what is compared, the revision depends on the occasion:

    a commit                        HEAD; nothing in a repository without a commit
    the commit of a merge           HEAD, and each commit that is merged
    --from-ref A --to-ref B, push   the common ancestor of A and B, as for the files that pre-commit hands over
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from flake8_jax.driver.processes import check_files
from flake8_jax.driver.selection import SUFFIXES, Selection
from flake8_jax.lazy_dataclasses import dataclass, replace
from flake8_jax.model.config import Config
from flake8_jax.model.configurations import Configurations
from flake8_jax.model.diagnostic import Diagnostic
from flake8_jax.syntax.folders import COPY_OF

MERGE_BASE = "..."
"""Stands between two revisions of which the common ancestor is meant, as for `git diff`."""

PRE_COMMIT = ":PRE-COMMIT:"
"""Names what a hook of pre-commit compares with."""

FROM, TO = "PRE_COMMIT_FROM_REF", "PRE_COMMIT_TO_REF"
"""The variables in which pre-commit says what a push or a pull request compares."""


class RevisionError(Exception):
    """A revision that cannot be read; the message says why."""


@dataclass(frozen=True, slots=True)
class Revision:
    """The files of a revision: `top` is the root of the repository, `copy` the folder that they were written to.

    `names` are their paths from either.
    """

    top: Path
    copy: Path
    names: tuple[str, ...]

    def findings(
        self,
        paths: Sequence[str],
        selection: Selection,
        configurations: Configurations,
        jobs: int | None,
        told: Callable[[int, int], None],
    ) -> list[Diagnostic]:
        """What is found in the files of some paths, and in those that are gone since, with the options of today.

        `told` is told how many files are done, and how many there are.
        """  # fmt: skip
        chosen = dict(self._chosen(paths, selection))
        found: list[Diagnostic] = []
        done = 0
        for config, places in configurations.groups(sorted(chosen)).items():

            def shown(count: int, before: int = done) -> None:
                told(before + count, len(chosen))

            for report in check_files([chosen[place] for place in places], self._moved(config), jobs, told=shown):
                found += report.diagnostics
            done += len(places)
        return sorted(found, key=Diagnostic.sort_key)

    def _chosen(self, paths: Sequence[str], selection: Selection) -> Iterator[tuple[str, str]]:
        """The places of files that are selected as they would be today, and their copies."""
        named = frozenset(map(os.path.abspath, paths))
        folders = tuple(os.path.join(path, "") for path in named)
        for name in self.names:
            place, copy = str(self.top / name), str(self.copy / name)
            is_meant = place in named or place.startswith(folders) or not os.path.lexists(place)
            is_python = place in named or name.endswith(SUFFIXES)
            if is_meant and is_python and os.path.lexists(copy) and not selection.is_left_out(place, named):
                yield place, copy

    def _moved(self, config: Config) -> Config:
        """The same configuration for the copy."""
        return replace(
            config,
            root=self._placed(config.root) if config.root is not None else None,
            per_file_ignores=tuple((self._placed(pattern), codes) for pattern, codes in config.per_file_ignores),
        )

    def _placed(self, pattern: str) -> str:
        is_inside = pattern == str(self.top) or pattern.startswith(f"{self.top}{os.sep}")
        return str(self.copy / os.path.relpath(pattern, self.top)) if is_inside else pattern


def top_folder() -> Path:
    """The root of the repository around the working directory; raises `RevisionError`."""
    here = Path.cwd()
    inside = Path(_git(here, "rev-parse", "--show-prefix"))
    return here.parents[len(inside.parts) - 1] if inside.parts else here


def tracked(paths: Iterable[str]) -> list[str]:
    """Those of some files that stand in the index; raises `RevisionError`."""
    top = top_folder()
    known = {str(top / name) for name in _listed(top)}
    return [path for path in paths if os.path.abspath(path) in known]


def commits(name: str) -> list[str]:
    """The commits that a revision names: one, or under pre-commit none or several.  Raises `RevisionError`."""
    top = top_folder()
    if name != PRE_COMMIT:
        return [_commit(top, name)]
    first, last = os.environ.get(FROM), os.environ.get(TO)
    if first and last:
        start, end = _commit(top, first), _commit(top, last)
        try:
            return [_git(top, "merge-base", start, end)]
        except RevisionError:  # nothing is common to them
            return [start]
    try:
        head = _commit(top, "HEAD")
    except RevisionError:
        return []
    merging = top / _git(top, "rev-parse", "--git-path", "MERGE_HEAD")
    return [head, *(merging.read_text(encoding="ascii").split() if merging.exists() else ())]


@contextmanager
def revision(commit: str) -> Iterator[Revision]:
    """The files of a commit of the repository around the working directory; raises `RevisionError`."""
    top = top_folder()
    with TemporaryDirectory(prefix="flake8-jax-") as scratch:
        index = {"GIT_INDEX_FILE": str(Path(scratch, "index")), "GIT_LFS_SKIP_SMUDGE": "1"}
        copy = Path(scratch, "tree", top.name)  # the name of a root may be that of a package
        (copy / ".git").mkdir(parents=True)  # a root of projects
        (copy / COPY_OF).write_bytes(os.fsencode(top))
        _git(top, "read-tree", commit, environment=index)
        _git(top, "checkout-index", "--all", "--quiet", f"--prefix={copy.as_posix()}/", environment=index)
        yield Revision(top, copy, tuple(_listed(top, index)))


def _listed(top: Path, environment: Mapping[str, str] | None = None) -> Iterator[str]:
    """The paths in an index, from the root of its repository."""
    names = _git(top, "ls-files", "-z", environment=environment).split("\0")
    return (name.replace("/", os.sep) for name in names if name)


def _commit(top: Path, name: str) -> str:
    """The commit that a revision names."""
    if MERGE_BASE in name:
        first, _, second = name.partition(MERGE_BASE)
        return _git(top, "merge-base", _commit(top, first or "HEAD"), _commit(top, second or "HEAD"))
    try:
        return _git(top, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
    except RevisionError:
        if name == "HEAD":
            raise RevisionError("this repository has no commit yet") from None
        raise RevisionError(f"there is no revision {name} in this repository; a shallow clone lacks most") from None


def _git(folder: Path, *words: str, environment: Mapping[str, str] | None = None) -> str:
    """What git says; raises `RevisionError` with its complaint."""
    variables = {**os.environ, **(environment or {}), "LC_ALL": "C"}
    try:
        done = subprocess.run(["git", *words], cwd=folder, capture_output=True, env=variables, check=False)
    except OSError as error:
        raise RevisionError(f"git cannot be run: {error.strerror or error}") from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise RevisionError(f"git: {said[-1] if said else f'status {done.returncode}'}")
    return done.stdout.decode("utf-8", "surrogateescape").rstrip("\r\n")
