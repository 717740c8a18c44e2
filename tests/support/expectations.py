"""What the linter says of fixtures, beside the expectations in their comments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from flake8_jax.api import measured
from flake8_jax.driver.linter import lint
from flake8_jax.model.diagnostic import Diagnostic
from flake8_jax.runtime.claims import (
    DIRECTIVE,
    FALSE_ALARM,
    MISSED_ALARM,
    Definition,
    definitions,
    expectations,
    since_of,
)
from flake8_jax.runtime.linted import EVERY, OLDEST, is_claimed_here, is_met, is_older
from flake8_jax.syntax.source import SourceFile

FIXTURES = Path(__file__).parents[2] / "fixtures"
__all__ = [
    "FALSE_ALARM",
    "FIXTURES",
    "MISSED_ALARM",
    "PAIRS",
    "Definition",
    "definitions",
    "differences",
    "expectations",
]
NOWHERE = "/nowhere"
"""A folder that is not there: what is said to lie in it belongs to no project."""

ALL = replace(EVERY, no_store=True, jax_version=OLDEST if is_older() else None)
"""Without a store: opening one takes longer than judging a short text."""

PAIRS = sorted(path for path in FIXTURES.glob("jax*") if path.is_dir())

LARGE = 40_000
"""A file with more bytes is left out while working: `-k jax401` judges it."""


def is_large(path: Path) -> bool:
    """Does judging a fixture take seconds?"""
    return path.stat().st_size > LARGE


def lint_text(text: str, path: str = "fixture.py") -> list[Diagnostic]:
    """What all rules, of whatever status, say of a text; an analysis that gives up fails the test."""
    report = lint(SourceFile(f"{NOWHERE}/{path}", text), ALL)
    assert report.given_up is None, f"{path}: given up: {report.given_up}"
    assert not report.faults, f"{path}: a part was dropped: {report.faults}"
    return list(report.diagnostics)


@cache
def said_of(path: Path) -> Sequence[Diagnostic]:
    """What the linter says of a fixture; several tests look at it."""
    return lint_text(path.read_text(encoding="utf-8"), path.relative_to(FIXTURES).as_posix())


@cache
def lint_fixture(path: Path) -> Sequence[Diagnostic]:
    """What it says of a fixture, but for what a module does when it is imported, if its pair is not about that."""
    return [one for one in said_of(path) if is_claimed_here(one.code, path.parent.name)]


def differences(text: str, diagnostics: Sequence[Diagnostic]) -> Iterator[str]:
    """How the findings differ from the expectations; in `FA_` and `MA_` functions a difference is expected."""
    expected = expectations(text)
    known = [found for found in definitions(text) if found.name.startswith((FALSE_ALARM, MISSED_ALARM))]
    missed = [e for e in expected if not any(is_met(e, d) for d in diagnostics)]
    unexpected = [d for d in diagnostics if not any(is_met(e, d) for e in expected)]
    for definition in known:
        is_missed = definition.name.startswith(MISSED_ALARM)
        is_twin = is_missed and not any(e.line in definition for e in expected)
        lines = [e.line for e in missed] if is_missed else [d.span.line for d in unexpected]
        if not is_twin and not any(line in definition for line in lines):
            yield f"line {definition.first}: {definition.name} is wrong no longer: rename it"
    known_or_later = [*known, *(found for found in definitions(text) if _needs_later_version(text, found))]
    for e in missed:
        if not any(e.line in definition for definition in known_or_later):
            said = [f"{d.code} {d.message}" for d in diagnostics if d.span.line == e.line]
            yield f"line {e.line}: missed {e.code}: {e.text}" + (f" (said: {said})" if said else "")
    for d in unexpected:
        if not any(d.span.line in definition for definition in known):
            yield f"line {d.span.line}: unexpected {d.code}: {d.message}"


def _needs_later_version(text: str, definition: Definition) -> bool:
    """Does a fixture speak of what the installed JAX, or the JAX of its table, does not have?"""
    said = DIRECTIVE.search(text.splitlines()[definition.first - 1])
    if said is None or said["verb"] != "since":
        return False
    return since_of(said).excludes(measured.installed() or measured.versions()[-1])
