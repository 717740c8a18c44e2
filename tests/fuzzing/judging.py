"""Compares what the linter says of a program with what the shadow says: false alarms, and hazards that are missed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from flake8_jax.driver.linter import lint
from flake8_jax.driver.projects import Projects
from flake8_jax.model.config import Config
from flake8_jax.syntax.source import SourceFile
from tests.fuzzing.shadow import Hazard, Verdict, judge, second_look
from tests.fuzzing.terms import Place
from tests.fuzzing.writing import MAIN
from tests.support.texts import Texts

EVERY = Config(no_store=True, strict=True, tests=True, disable_noqa=True)
FAMILY = "JAX1"
Outcome: TypeAlias = Literal["false alarm", "missed"]


@dataclass(frozen=True, slots=True)
class Said:
    """A finding: its place, code and message."""

    place: Place
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A false alarm, with the finding; or a hazard that was missed."""

    outcome: Outcome
    sort: str
    lines: frozenset[Place]
    message: str = ""


@dataclass(slots=True)
class Comparison:
    """A program's hazards, each with the codes that found it, and all disagreements."""

    verdict: Verdict
    found: list[tuple[Hazard, set[str]]] = field(default_factory=list)
    disagreements: list[Disagreement] = field(default_factory=list)


def findings(texts: Mapping[str, str]) -> list[Said]:
    """What the linter says of a program, with all rules on."""
    if len(texts) == 1:
        return _said(MAIN, SourceFile("-", texts[MAIN]), Projects(EVERY))
    projects = Texts(EVERY, texts)
    return [one for name, source in projects.sources.items() for one in _said(name, source, projects)]


def _said(name: str, source: SourceFile, projects: Projects) -> list[Said]:
    report = lint(source, EVERY, projects)
    assert report.given_up is None, report.given_up
    assert not report.faults, report.faults
    return [Said((name, one.span.line), one.code, one.message) for one in report.diagnostics]


def compare(texts: Mapping[str, str]) -> Comparison:
    """Lint a program and ask the shadow; raises `Invalid` where it has no verdict."""
    verdict = judge(texts)
    said = [one for one in findings(texts) if one.code.startswith(FAMILY)]
    result = Comparison(verdict)
    for hazard in verdict.hazards.values():
        codes = {one.code for one in said if _explains(hazard, one)}
        if hazard.is_certain:
            result.found.append((hazard, codes))
            if not codes:
                result.disagreements.append(Disagreement("missed", hazard.kind, frozenset(hazard.lines)))
    stray = [one for one in said if not _is_explained(verdict, one)]
    if stray:
        look = second_look(texts)
        result.disagreements += [
            Disagreement(
                "false alarm", one.code + " in dead code" * look.has_dead_code, frozenset((one.place,)), one.message
            )
            for one in stray
            if one.place not in look.allowed
        ]
    return result


def _is_explained(verdict: Verdict, one: Said) -> bool:
    return one.place in verdict.allowed or any(_explains(hazard, one) for hazard in verdict.hazards.values())


def _explains(hazard: Hazard, one: Said) -> bool:
    """Is a finding the report of a hazard?  Under 101 it must stand at a second use."""
    return one.place in (hazard.again if one.code == "JAX101" and hazard.again else hazard.lines)
