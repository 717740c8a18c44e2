"""What is found in a revision of a git repository: its files are written to a folder apart and checked."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from flake8_jax.driver.processes import check_files
from flake8_jax.driver.selection import files
from flake8_jax.model.config import Config
from flake8_jax.model.diagnostic import Diagnostic
from flake8_jax.syntax.folders import path_from

MERGE_BASE = "..."
"""Stands between two revisions of which the common ancestor is meant, as for `git diff`."""


class RevisionError(Exception):
    """A revision that cannot be read; the message says why."""


@dataclass(frozen=True, slots=True)
class Revision:
    """The files of a revision: `top` is the root of the repository, `copy` the folder that they were written to."""

    top: Path
    copy: Path

    def findings(
        self, paths: Sequence[str], config: Config, jobs: int | None, told: Callable[[int, int], None]
    ) -> list[Diagnostic]:
        """What is found in the files of some paths, and in those that are gone since.

        `told` is told how many files are done, and how many there are.
        """
        there = self._moved(config)
        inside = [self.copy / path for path in map(self._relative, paths) if path is not None]
        named = files([str(path) for path in inside if path.exists()], there)
        lost = [
            path
            for path in files([str(self.copy)], there)
            if not os.path.lexists(self.top / os.path.relpath(path, self.copy))
        ]
        chosen = sorted({*named, *lost})
        reports = check_files(chosen, there, jobs, told=lambda done: told(done, len(chosen)))
        return sorted((found for report in reports for found in report.diagnostics), key=Diagnostic.sort_key)

    def _relative(self, path: str) -> str | None:
        """The path of a file of the repository from its root; None if it lies outside."""
        found = path_from(os.path.abspath(path), self.top)
        return None if found.split(os.sep)[0] == os.pardir or os.path.isabs(found) else found

    def _moved(self, config: Config) -> Config:
        """The same configuration for the copy; nothing is remembered of it."""
        return replace(
            config,
            no_store=True,
            root=self._placed(config.root) if config.root is not None else None,
            exclude=tuple(map(self._placed, config.exclude)),
            extend_exclude=tuple(map(self._placed, config.extend_exclude)),
            per_file_ignores=tuple((self._placed(pattern), codes) for pattern, codes in config.per_file_ignores),
        )

    def _placed(self, pattern: str) -> str:
        is_inside = pattern == str(self.top) or pattern.startswith(f"{self.top}{os.sep}")
        return str(self.copy / os.path.relpath(pattern, self.top)) if is_inside else pattern


@contextmanager
def revision(name: str) -> Iterator[Revision]:
    """The files of a revision of the repository around the working directory; raises `RevisionError`."""
    here = Path.cwd()
    inside = Path(_git(here, "rev-parse", "--show-prefix"))
    top = here.parents[len(inside.parts) - 1] if inside.parts else here
    commit = _commit(top, name)
    with TemporaryDirectory(prefix="flake8-jax-") as scratch:
        copy, index = Path(scratch, "tree"), {"GIT_INDEX_FILE": str(Path(scratch, "index")), "GIT_LFS_SKIP_SMUDGE": "1"}
        (copy / ".git").mkdir(parents=True)  # a root of projects
        _git(top, "read-tree", commit, environment=index)
        _git(top, "checkout-index", "--all", "--quiet", f"--prefix={copy.as_posix()}/", environment=index)
        yield Revision(top, copy)


def _commit(top: Path, name: str) -> str:
    """The commit that a revision names."""
    if MERGE_BASE in name:
        first, _, second = name.partition(MERGE_BASE)
        return _git(top, "merge-base", _commit(top, first or "HEAD"), _commit(top, second or "HEAD"))
    try:
        return _git(top, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
    except RevisionError:
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
    return done.stdout.decode("utf-8", "surrogateescape").strip()
