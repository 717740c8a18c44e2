"""Reads fixtures: the expectations in their comments, and the top-level definitions that these stand in.

An expectation stands on the offending line: `# JAX303 leak: substring of the message`; the phenomenon may be left out.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from flake8_jax.config import Config
from flake8_jax.diagnostic import Diagnostic
from flake8_jax.linter import lint
from flake8_jax.syntax.source import SourceFile

FIXTURES = Path(__file__).parent.parent / "fixtures"
PAIRS = sorted(path for path in FIXTURES.glob("jax*") if path.is_dir())
EXPECTATION = re.compile(r"# (?P<code>JAX\d{3})(?: (?P<phenomenon>\S+?))?: (?P<text>.+?)(?= # JAX|$)")
FALSE_ALARM, MISSED_ALARM = "FA_", "MA_"


@dataclass(frozen=True)
class Expectation:
    """A finding that is expected: on which line, of which rule, with which words; what running the line shows."""

    line: int
    code: str
    text: str
    phenomenon: str | None = None

    def is_met_by(self, diagnostic: Diagnostic) -> bool:
        return (diagnostic.span.line, diagnostic.code) == (self.line, self.code) and self.text in diagnostic.message


@dataclass(frozen=True)
class Definition:
    """A top-level function or class with its decorators: its name, lines and text."""

    name: str
    first: int
    last: int
    lines: tuple[str, ...]

    def __contains__(self, line: int) -> bool:
        return self.first <= line <= self.last


def expectations(text: str) -> list[Expectation]:
    """Every expectation of a file, in order."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return [
        Expectation(token.start[0], found["code"], found["text"].strip(), found["phenomenon"])
        for token in tokens
        if token.type == tokenize.COMMENT
        for found in EXPECTATION.finditer(token.string)
    ]


def definitions(text: str) -> list[Definition]:
    """The top-level definitions of a file, in order."""
    lines = text.splitlines()
    return [_definition(node, lines) for node in ast.parse(text).body if isinstance(node, DEFINES)]


DEFINES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def _definition(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, lines: Sequence[str]) -> Definition:
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    last = node.end_lineno or first
    return Definition(node.name, first, last, tuple(lines[first - 1 : last]))


def lint_text(text: str, path: str = "fixture.py") -> list[Diagnostic]:
    """What the linter says of a text; an analysis that gives up fails the test."""
    report = lint(SourceFile(path, text), Config(disable_noqa=True))
    assert report.given_up is None, f"{path}: given up: {report.given_up}"
    return list(report.diagnostics)


def lint_fixture(path: Path) -> list[Diagnostic]:
    """What the linter says of a file."""
    return lint_text(path.read_text(encoding="utf-8"), path.relative_to(FIXTURES).as_posix())


def differences(text: str, diagnostics: Sequence[Diagnostic]) -> Iterator[str]:
    """How the findings differ from the expectations; in `FA_` and `MA_` functions a difference is expected."""
    expected = expectations(text)
    known = [found for found in definitions(text) if found.name.startswith((FALSE_ALARM, MISSED_ALARM))]
    missed = [e for e in expected if not any(e.is_met_by(d) for d in diagnostics)]
    unexpected = [d for d in diagnostics if not any(e.is_met_by(d) for e in expected)]
    for definition in known:
        is_missed = definition.name.startswith(MISSED_ALARM)
        is_twin = is_missed and not any(e.line in definition for e in expected)
        lines = [e.line for e in missed] if is_missed else [d.span.line for d in unexpected]
        if not is_twin and not any(line in definition for line in lines):
            yield f"line {definition.first}: {definition.name} is wrong no longer: rename it"
    for e in missed:
        if not any(e.line in definition for definition in known):
            said = [f"{d.code} {d.message}" for d in diagnostics if d.span.line == e.line]
            yield f"line {e.line}: missed {e.code}: {e.text}" + (f" (said: {said})" if said else "")
    for d in unexpected:
        if not any(d.span.line in definition for definition in known):
            yield f"line {d.span.line}: unexpected {d.code}: {d.message}"
