"""The file of what changed: a row for each name, sorted, so that equal releases make equal texts."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from flake8_jax.api.versions import JAX
from flake8_jax.api.versions.requirements import requirement
from flake8_jax.runtime.measuring.releases.histories import Histories, HistoryRow
from flake8_jax.runtime.measuring.releases.libraries import LIBRARIES, Library
from flake8_jax.runtime.measuring.releases.package import Package, numbers, packages

PROJECTS = frozenset(library.project for library in LIBRARIES) - {JAX}


def text_of(folder: Path, jobs: int = 1, show: Callable[[str], object] = str) -> str:
    """The text of the file for the releases in a folder; libraries with none there are left out."""
    found = packages(folder)
    waiting = [(library, [package for package in found if _is_of(package, library)]) for library in LIBRARIES]
    chosen = [(library, releases) for library, releases in waiting if releases]
    if jobs == 1:
        return "".join("".join(lines_of(library, releases, show)) for library, releases in chosen)
    with ProcessPoolExecutor(jobs) as pool:  # the largest first
        order = sorted(chosen, key=lambda pair: -len(pair[1]))
        texts = dict(zip((library for library, _ in order), pool.map(_text, order), strict=True))
    return "".join(texts[library] for library, _ in chosen)


def required_text_of(folder: Path) -> str:
    """The text of the file of what releases require of JAX: a row where that is something else than before."""
    lines, before = [], ("", "")
    for package in packages(folder):
        said = (package.project, bounds_on_jax(package.requirements()))
        if package.project in PROJECTS and said != before:
            lines.append(f"{package.project}\t{package.version}\t{said[1]}\n")
            before = said
    return "".join(lines)


def bounds_on_jax(requirements: Iterable[str]) -> str:
    """The bounds on JAX among the requirements of a release, those of extras left out."""
    found = (requirement(text) for text in requirements if "extra ==" not in text.replace("'", '"'))
    bounds = next((bounds for name, bounds in filter(None, found) if name.lower() == JAX), ())
    return ",".join(f"{sign}{version}" for sign, version in bounds)


def _text(pair: tuple[Library, Sequence[Package]]) -> str:
    return "".join(lines_of(*pair))


def lines_of(library: Library, releases: Sequence[Package], show: Callable[[str], object] = str) -> Iterator[str]:
    """The lines of one library."""
    rows = Histories(library.root, releases, library.since, show).rows()
    yield from (line_of(name, row) for name, row in rows.items())


def line_of(name: str, row: HistoryRow) -> str:
    """The line of one name."""
    return f"{name}\t{json.dumps(row, ensure_ascii=False, separators=(',', ':'))}\n"


def _is_of(package: Package, library: Library) -> bool:
    return package.project == library.project and numbers(package.version) >= numbers(library.first)
