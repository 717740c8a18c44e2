"""What is said of a file that the running Python cannot parse: which Python can, as far as that is known.

The grammar that the file uses tells for certain (`grammar.py`).  Where it does not, the project's `requires-python` may
tell that the running Python is too old for all its files.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

from flake8_jax.lazy_dataclasses import dataclass
from flake8_jax.lazy_patterns import compiled
from flake8_jax.syntax.grammar import RUNNING, PythonVersion, version_needed
from flake8_jax.syntax.magics import MARK, with_python
from flake8_jax.syntax.source import NotPython, SourceFile, TooDeep

HERE = f"{RUNNING[0]}.{RUNNING[1]}"
NEEDED = compiled(r"(?:needs Python |requires Python >=)(?P<major>\d+)\.(?P<minor>\d+)")
AT_LEAST = compiled(r"\s*(?:>=|>|~=|===?)\s*(?P<major>\d+)(?:\.(?P<minor>\d+))?")
PROJECT = "pyproject.toml"


@dataclass(frozen=True, slots=True)
class Unread:
    """Why a file cannot be parsed, and whether its project's configuration told that."""

    reason: str
    is_of_project: bool = False


def why_unread(source: SourceFile, error: NotPython | TooDeep) -> Unread:
    """Why a file cannot be parsed, with the version of Python that can, where that is known."""
    if isinstance(error, TooDeep) or error.refused is None:
        return Unread(error.reason)
    version = version_needed(source.text)
    if version is not None:
        return Unread(f"needs Python {version[0]}.{version[1]} or newer to be read (this is {HERE})")
    required = required_python(source.path)
    if required is None or required <= RUNNING:
        return Unread(error.reason)
    project = f"the project requires Python >={required[0]}.{required[1]}"
    return Unread(f"{error.refused}, as Python {HERE} reads it; {project}", is_of_project=True)


@dataclass(frozen=True, slots=True)
class UnreadCell:
    """A cell of a notebook that is not Python: its number, the line of the notebook's text with the error, and why."""

    number: int
    line: int
    reason: str


def unread_cells(source: SourceFile) -> Iterator[UnreadCell]:
    """The cells of a notebook that were left out of its text."""
    for number, first, text in source.cells.broken() if source.cells is not None else ():
        cell = SourceFile(source.path, with_python(text, MARK))
        try:
            _ = cell.tree
        except (NotPython, TooDeep) as error:
            unread, line = why_unread(cell, error), min(getattr(error, "line", 1), len(cell.lines))
            yield UnreadCell(number, first + line - 1, error.reason if unread.is_of_project else unread.reason)


def version_named(reason: str) -> PythonVersion | None:
    """The version of Python that a reason names as one that can read the file."""
    found = NEEDED.search(reason)
    return (int(found["major"]), int(found["minor"])) if found is not None else None


def required_python(path: str) -> PythonVersion | None:
    """The least version of Python that the nearest `pyproject.toml` above a file requires, if it says so."""
    folder = os.path.dirname(os.path.abspath(path))
    while not os.path.isfile(os.path.join(folder, PROJECT)):
        if folder == os.path.dirname(folder):
            return None
        folder = os.path.dirname(folder)
    return least_version(_requires_python(os.path.join(folder, PROJECT)))


def _requires_python(file: str) -> str:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        with open(file, "rb") as stream:
            project = tomllib.load(stream).get("project")
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        return ""
    found = project.get("requires-python") if isinstance(project, dict) else None
    return found if isinstance(found, str) else ""


def least_version(specifier: str) -> PythonVersion | None:
    """The least version that a specifier such as `>=3.12,<4` allows; None if it has no lower bound."""
    found = [match for clause in specifier.split(",") if (match := AT_LEAST.match(clause)) is not None]
    return max(((int(one["major"]), int(one["minor"] or 0)) for one in found), default=None)
