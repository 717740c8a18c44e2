"""Compares the linter's findings with the claims of fixtures: each claim on its line, no finding elsewhere.

Only differences become records.  In functions named `MA_...` and `FA_...`, known to be judged wrong, none is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

from flake8_jax.api import measured
from flake8_jax.driver.linter import lint
from flake8_jax.model.config import Config
from flake8_jax.model.diagnostic import Diagnostic
from flake8_jax.model.report import Report
from flake8_jax.runtime.claims import FALSE_ALARM, MISSED_ALARM, Expectation, Fixture, Pair
from flake8_jax.runtime.records import Device, ObservationRecord
from flake8_jax.syntax.source import SourceFile

PHENOMENON = "lint"
EVERY = Config(tests=True, enable=("JAX",))  # of whatever status

OF_MODULES = frozenset(("JAX901",))
"""Rules about how modules are written: they are claimed in their own pairs, and other fixtures compute at their top."""

OLDEST = "0.10"
"""The JAX of which fixtures may speak: tables of older ones lack some of what they claim."""


def differences(pairs: Iterable[Pair], device: Device) -> Iterator[ObservationRecord]:
    """A record for each claim without a finding, and for each finding without a claim."""
    for pair in pairs:
        for role, fixture in (("bad", pair.bad), ("good", pair.good)):
            name = f"{pair.name}/{role}.py"
            for line, code, expected, reason in _of(fixture):
                yield ObservationRecord(
                    fixture=name,
                    digest=fixture.digest,
                    case="",
                    line=line,
                    code=code,
                    phenomenon=PHENOMENON,
                    expected=expected,
                    observed=not expected,
                    status="refuted",
                    evidence={"reason": reason},
                    device=device,
                )


@cache
def report_of(path: Path, text: str) -> Report:
    """What the linter says of a fixture, found out once."""
    return lint(SourceFile(str(path), text), replace(EVERY, root=str(path.parent)))


def is_claimed_here(code: str, folder: str) -> bool:
    """May a rule be claimed in the fixtures of a folder?"""
    return code not in OF_MODULES or folder.startswith(code.lower())


def _of(fixture: Fixture) -> Iterator[tuple[int | None, str, bool, str]]:
    config = replace(EVERY, root=str(fixture.path.parent))
    source = SourceFile(str(fixture.path), fixture.text)
    report = report_of(fixture.path, fixture.text)
    if report.given_up is not None:
        yield None, "JAX000", False, f"the analysis gave up: {report.given_up}"
    known = [d for d in fixture.definitions if d.name.startswith((FALSE_ALARM, MISSED_ALARM))]
    missed = [claim for claim in fixture.expectations if not any(is_met(claim, found) for found in report.diagnostics)]
    later = lint(source, replace(config, jax_version=OLDEST)).diagnostics if missed and is_older() else ()
    for claim in missed:
        if not any(claim.line in d for d in known) and not any(is_met(claim, found) for found in later):
            said = "; ".join(f"{d.code} {d.message}" for d in report.diagnostics if d.span.line == claim.line)
            yield claim.line, claim.code, True, f"the linter does not say {claim.text!r} here, but {said or 'nothing'}"
    for found in report.diagnostics:
        line = found.span.line
        if not is_claimed_here(found.code, fixture.path.parent.name):
            continue
        if not any(is_met(claim, found) for claim in fixture.expectations) and not any(line in d for d in known):
            yield line, found.code, False, f"the linter says, and nobody claims: {found.message}"


def is_older() -> bool:
    """Is the installed JAX older than what fixtures may speak of?"""
    installed = measured.installed()
    return installed is not None and measured.is_before(installed, OLDEST)


def is_met(claim: Expectation, found: Diagnostic) -> bool:
    """Does the finding meet the expectation: same line, same rule, expected words?"""
    return (found.span.line, found.code) == (claim.line, claim.code) and claim.text in found.message
