"""Paths as services expect them: from the root of the repository, with forward slashes, on every system."""

from __future__ import annotations

import ntpath
import posixpath
from pathlib import Path, PurePath, PureWindowsPath
from urllib.parse import quote

from flake8_jax.lazy_dataclasses import dataclass, field

REPOSITORY = ".git"


@dataclass(frozen=True, slots=True)
class Places:
    """Turns paths, which start from `folder`, into paths and URIs that start from `base`."""

    base: PurePath = field(default_factory=lambda: repository_of(Path.cwd()))
    folder: PurePath = field(default_factory=Path.cwd)

    def relative(self, path: str) -> str:
        """A path from the base, with forward slashes; a path outside of it is absolute."""
        absolute = self._absolute(path)
        inside = self._inside(absolute)
        return (inside if inside is not None else absolute).as_posix()

    def uri(self, path: str) -> str:
        """A URI relative to the base; of a path outside of it, one that is absolute."""
        absolute = self._absolute(path)
        inside = self._inside(absolute)
        return _quoted(inside.as_posix()) if inside is not None else _absolute_uri(absolute)

    def is_inside(self, path: str) -> bool:
        """Does a path lie below the base?"""
        return self._inside(self._absolute(path)) is not None

    def _absolute(self, path: str) -> PurePath:
        normal = ntpath.normpath if isinstance(self.folder, PureWindowsPath) else posixpath.normpath
        return type(self.folder)(normal(self.folder / path))

    def _inside(self, absolute: PurePath) -> PurePath | None:
        try:
            return absolute.relative_to(self.base)
        except ValueError:
            return None


def _quoted(path: str) -> str:
    return quote(path, errors="surrogateescape")


def _absolute_uri(path: PurePath) -> str:
    """The URI of an absolute path, of another system, too: `PurePath.as_uri` is deprecated since Python 3.14."""
    text = path.as_posix()
    if path.drive.endswith(":"):
        return f"file:///{path.drive}{_quoted(text[len(path.drive) :])}"
    return f"file:{'' if path.drive else '//'}{_quoted(text)}"


def repository_of(folder: Path) -> Path:
    """The root of the repository around a folder; the folder itself if there is none."""
    return next((each for each in (folder, *folder.parents) if (each / REPOSITORY).exists()), folder)
