"""The measured tables: a folder for each version of JAX, in it a file for each root package. `flake8-jax measure`
writes them.

A file is read when a name of its package is first looked up. Nothing here imports JAX: which version is installed is
read from its metadata.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from flake8_jax.lazy_dataclasses import dataclass
from flake8_jax.lazy_patterns import compiled

FOLDER = Path(__file__).parent
# Roots of names that stand in another's file.
HOMES = {"Array": "jax"}
RECORD = compiled(r"jax-([0-9][^-]*)\.dist-info")
# Where the standard library stands.
PYTHON = "python"
# Where the names of JAX's modules and arrays stand.
NAMES = "names"


@dataclass(frozen=True, slots=True)
class Measured:
    """The measured facts for one version of JAX. For packages that were not measured with it, those of the nearest
    version."""

    version: str
    folder: Path = FOLDER

    def of(self, name: str) -> Mapping[str, Any]:
        """The facts of the package that a qualified name belongs to, by section."""
        root = name.partition(".")[0]
        return _read(self.folder, self.version, HOMES.get(root, root))

    def names(self, module: str) -> list[str]:
        """The public names of a module of JAX, or of its arrays."""
        found: list[str] = _read(self.folder, self.version, NAMES).get("names", {}).get(module, [])
        return found

    def packages(self) -> list[str]:
        """The packages with facts in this version of JAX or in another."""
        return sorted(_listed(self.folder))


def versions(folder: Path = FOLDER) -> list[str]:
    """The versions of JAX that were measured, oldest first."""
    return sorted((path.name for path in folder.iterdir() if path.name[0].isdigit()), key=_numbers)


def choose(wanted: str | None, available: Iterable[str]) -> str:
    """The measured version that stands for the wanted one. It is the newest that is not newer, else the oldest; if none
    is wanted, the newest.

    `0.10` stands for all of 0.10, so that 0.10.2 is not newer.
    """
    ordered = sorted(available, key=_numbers)
    if wanted is None:
        return ordered[-1]
    numbers = _numbers(wanted)
    fitting = [version for version in ordered if _numbers(version)[: len(numbers)] <= numbers]
    return fitting[-1] if fitting else ordered[0]


def is_before(version: str, other: str) -> bool:
    """Is a version of JAX older than another one?"""
    return _numbers(version) < _numbers(other)


def installed() -> str | None:
    """The installed version of JAX, read from package metadata."""
    for folder in sys.path:  # `importlib.metadata` takes a sixth of a run that has nothing to do
        with suppress(OSError), os.scandir(folder or ".") as entries:
            for entry in entries:
                found = RECORD.fullmatch(entry.name)
                if found is not None:
                    return found[1]
    if find_spec("jax") is None:
        return None
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("jax")
    except PackageNotFoundError:
        return None


@cache
def _listed(folder: Path) -> Mapping[str, list[str]]:
    """The packages of which there are files, and for which versions of JAX."""
    found: dict[str, list[str]] = {}
    for path in folder.glob("*/*.json"):
        found.setdefault(path.stem, []).append(path.parent.name)
    return found


@cache
def _read(folder: Path, version: str, package: str) -> Mapping[str, Any]:
    having = _listed(folder).get(package)
    if having is None:
        return _read(folder, version, PYTHON) if package != PYTHON else {}
    path = folder / choose(version, having) / f"{package}.json"
    import json

    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version.partition("+")[0]))
