"""Which files git ignores, as git itself says: a file that is tracked is not ignored, whatever the patterns say."""

from __future__ import annotations

import os
from collections.abc import Iterable

from flake8_jax.syntax.folders import path_from

LISTED = ("ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z")


class GitFailed(Exception):
    """Git cannot say what it ignores; the message says why."""


class Ignored:
    """What is ignored in the repositories around some files, each asked once."""

    __slots__ = ("_ignored", "_roots")

    def __init__(self) -> None:
        self._ignored: dict[str, frozenset[str]] = {}
        self._roots: dict[str, str | None] = {}

    def kept(self, files: Iterable[str]) -> list[str]:
        """The files that are not ignored; raises `GitFailed`."""
        return [file for file in files if not self.holds(file)]

    def holds(self, file: str) -> bool:
        """Is a file ignored, or a folder around it, in its own repository or that of the working directory?"""
        path = os.path.abspath(file)
        roots = {self._root(os.path.dirname(path)), self._root(os.getcwd())}
        return any(self._is_ignored(path, root) for root in roots if root is not None)

    def _is_ignored(self, path: str, root: str) -> bool:
        inside = path_from(path, root)
        parts = inside.split(os.sep)
        if parts[0] == os.pardir or os.path.isabs(inside):
            return False
        if root not in self._ignored:
            self._ignored[root] = _listed(root)
        ignored = self._ignored[root]
        folders = ("/".join(parts[:count]) + "/" for count in range(1, len(parts)))
        return "/".join(parts) in ignored or any(folder in ignored for folder in folders)

    def _root(self, folder: str) -> str | None:
        """The root of the repository around a folder."""
        if folder not in self._roots:
            above = os.path.dirname(folder)
            if os.path.exists(os.path.join(folder, ".git")):
                self._roots[folder] = folder
            else:
                self._roots[folder] = self._root(above) if above != folder else None
        return self._roots[folder]


def _listed(root: str) -> frozenset[str]:
    """The paths that are ignored below a root; folders end with a slash."""
    import subprocess

    try:
        done = subprocess.run(["git", *LISTED], cwd=root, capture_output=True, check=False)
    except OSError as error:
        raise GitFailed(f"git cannot be run: {error.strerror or error}") from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise GitFailed(f"git: {said[-1] if said else f'status {done.returncode}'}")
    return frozenset(os.fsdecode(name) for name in done.stdout.split(b"\0") if name)
