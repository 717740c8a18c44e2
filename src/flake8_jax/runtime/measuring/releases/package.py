"""A release of a library as its files: a wheel or source archive is opened, and nothing in it is run."""

from __future__ import annotations

import re
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ARCHIVE = re.compile(
    r"(?P<project>[A-Za-z0-9][\w.]*?(?:-[A-Za-z]\w*)*)-(?P<version>\d[\w.+!]*?)(?:-[^/]*\.whl|\.tar\.gz|\.zip)"
)
LEFT_OUT = frozenset(
    ("tests", "test", "testing", "examples", "benchmarks", "conftest", "tools", "setup", "docs", "mosaic")
)
"""Folders and files of which users of a library import nothing; `mosaic` is a compiler's."""


class Package(NamedTuple):
    """An archive of one release."""

    project: str
    version: str
    path: Path

    def files(self, root: str) -> dict[str, bytes]:
        """The texts of the modules below a package, by their dotted names; a package's ends in `.__init__`."""
        return {
            name.removesuffix(".py").replace("/", "."): text
            for name, text in _members(self.path)
            if name.endswith(".py") and (name.startswith(f"{root}/") or name == f"{root}.py")
        }


    def requirements(self) -> list[str]:
        """What the release requires, as its metadata says; [] for what has none, as sources."""
        if self.path.suffix != ".whl":
            return []
        with zipfile.ZipFile(self.path) as archive:
            names = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
            texts = [archive.read(name).decode() for name in names]
        return [found for text in texts for found in re.findall(r"^Requires-Dist: (.+)$", text, re.MULTILINE)]


def packages(folder: Path) -> list[Package]:
    """The releases in a folder, oldest first; of one release a wheel counts before its sources."""
    found: dict[tuple[str, str], Package] = {}
    for path in sorted(folder.rglob("*"), key=lambda path: (path.suffix == ".whl", path.name)):
        match = ARCHIVE.fullmatch(path.name)
        if match is not None:
            project = re.sub(r"[-_.]+", "-", match["project"]).lower()
            found[project, match["version"]] = Package(project, match["version"], path)
    return sorted(found.values(), key=lambda one: (one.project, numbers(one.version)))


def numbers(version: str) -> tuple[int, ...]:
    """A version as numbers, by which versions are ordered."""
    return tuple(int(part) for part in re.findall(r"\d+", version))


def _members(path: Path) -> Iterator[tuple[str, bytes]]:
    if path.suffix in (".whl", ".zip"):
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                if name.endswith(".py"):
                    yield name, archive.read(name)
        return
    with tarfile.open(path) as archive:
        for member in archive:
            data = archive.extractfile(member) if member.isfile() and member.name.endswith(".py") else None
            if data is not None:
                yield member.name.partition("/")[2], data.read()
