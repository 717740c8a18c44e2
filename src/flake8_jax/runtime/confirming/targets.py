"""The findings of a project that its tests may confirm, as `flake8-jax check` says them in a process of its own."""

from __future__ import annotations

import ast
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, TypedDict

import flake8_jax
from flake8_jax.runtime.foreign import Foreign

CheckDocument: TypeAlias = "dict[str, Foreign]"
"""What `check` wrote as JSON; it is handed on as it came."""


class NotJudged(Exception):
    """The project could not be judged; the message says why."""


class SoughtRow(TypedDict):
    """A target as a row of JSON, for other processes."""

    number: int
    path: str
    lines: list[int]
    code: str
    phenomena: list[str]


@dataclass(frozen=True, slots=True)
class SoughtFinding:
    """A finding that is looked for: its number in the report, its file, the lines of its statement, and the phenomena
    that its rule claims.

    Of a statement with a body the lines are those of its header.
    """

    number: int
    path: str
    lines: frozenset[int]
    code: str
    phenomena: tuple[str, ...]

    def row(self) -> SoughtRow:
        """The target as a row of JSON."""
        return {
            "number": self.number,
            "path": self.path,
            "lines": sorted(self.lines),
            "code": self.code,
            "phenomena": list(self.phenomena),
        }

    @property
    def spellings(self) -> set[str]:
        """How code may call its file, if links lead there."""
        return {self.path, os.path.realpath(self.path)}

    @staticmethod
    def from_row(row: SoughtRow) -> SoughtFinding:
        """The target in a row of JSON."""
        return SoughtFinding(row["number"], row["path"], frozenset(row["lines"]), row["code"], tuple(row["phenomena"]))


def judged(root: Path, paths: Sequence[str], options: str, output_format: str) -> CheckDocument:
    """What `flake8-jax check` finds in some paths, by the configuration of the project at `root`, as a document in JSON
    or SARIF; raises `NotJudged`.

    It runs in a process of its own, so that nothing of it is left in that of the tests.
    """
    home = str(Path(flake8_jax.__file__).parents[1])
    known = os.environ.get("PYTHONPATH")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (home, known)))}
    chosen = ["--exit-zero", "--quiet", "--output-format", output_format, *shlex.split(options)]
    command = [sys.executable, "-m", "flake8_jax", "check", *chosen, *(paths or ["."])]
    try:
        ran = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    except OSError as error:
        raise NotJudged(str(error)) from error
    if ran.returncode != 0:
        last = (ran.stderr.strip().splitlines() or [f"it ended with {ran.returncode}"])[-1]
        raise NotJudged(last)
    try:
        document: CheckDocument = json.loads(ran.stdout)
    except ValueError as error:
        raise NotJudged(f"what it printed is no JSON: {ran.stdout[:100]!r}") from error
    return document


def targets(document: CheckDocument, root: Path) -> list[SoughtFinding]:
    """The targets of a document in JSON, in its order."""
    from flake8_jax.rules import discover

    cards = {each.rule.code: each.rule.phenomena for each in discover()}
    headers: dict[str, list[range]] = {}
    found: list[SoughtFinding] = []
    for number, row in enumerate(document["diagnostics"]):
        path = os.path.abspath(root / row["path"])
        if path not in headers:
            headers[path] = _headers(path)
        lines = _lines(headers[path], row["line"])
        found.append(SoughtFinding(number, path, lines, row["code"], tuple(cards.get(row["code"], ()))))
    return found


def _headers(path: str) -> list[range]:
    """The lines of each statement of a file; of one with a body, its header's."""
    try:
        tree = ast.parse(Path(path).read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError):
        return []
    return [_header(node) for node in ast.walk(tree) if isinstance(node, (ast.stmt, ast.match_case, ast.excepthandler))]


def _header(node: ast.stmt | ast.match_case | ast.excepthandler) -> range:
    inner: Iterable[ast.AST] = getattr(node, "body", None) or getattr(node, "cases", None) or ()
    within = [each for each in ast.walk(node) if isinstance(each, ast.expr)] if isinstance(node, ast.match_case) else []
    start = min([getattr(node, "lineno", sys.maxsize), *(each.lineno for each in within)])
    start = min([start, *(each.lineno for each in getattr(node, "decorator_list", ()))])
    below = min((_first(each) for each in inner), default=None)
    if below is None:
        return range(start, (getattr(node, "end_lineno", None) or start) + 1)
    return range(start, max(below, start + 1))


def _first(node: ast.AST) -> int:
    """The first line of a statement or a case."""
    lines = [each.lineno for each in ast.walk(node) if isinstance(each, (ast.expr, ast.stmt))]
    return min(lines, default=sys.maxsize)


def _lines(headers: Iterable[range], line: int) -> frozenset[int]:
    """The lines of the smallest statement that a line is in."""
    around = sorted((header for header in headers if line in header), key=len)
    return frozenset(around[0] if around else (line,))
