"""The hazards of tutorials are found by default, on their lines and on no other."""

from __future__ import annotations

import pytest

from flake8_jax.driver.checking import check_data
from flake8_jax.model.config import Config
from tests.rules.tutorials import HAZARDS, MARK, OF_CONTROL_FLOW, OPTIONAL
from tests.support.expectations import lint_text

COUNT = 46


def _found(text: str) -> list[tuple[int, str]]:
    report = check_data("/nowhere/tutorial.py", text.encode(), Config())
    return [(one.span.line, one.code) for one in report.diagnostics]


def test_there_are_as_many_as_in_the_comparison() -> None:
    assert len(HAZARDS) == COUNT
    assert all(hazard.text.count(MARK) == 1 for hazard in HAZARDS.values())


@pytest.mark.parametrize("name", [one for one, hazard in HAZARDS.items() if hazard.code not in OPTIONAL])
def test_a_hazard_is_found_by_default(name: str) -> None:
    hazard = HAZARDS[name]
    found = _found(hazard.text)
    assert (hazard.line, hazard.code) in found
    assert {line for line, code in found} <= {hazard.line, hazard.line + 1}


@pytest.mark.parametrize("name", [one for one, hazard in HAZARDS.items() if hazard.code in OPTIONAL])
def test_what_is_optional_is_found_where_it_is_wanted(name: str) -> None:
    hazard = HAZARDS[name]
    assert _found(hazard.text) == []
    assert (hazard.line, hazard.code) in [(one.span.line, one.code) for one in lint_text(hazard.text)]


def test_the_five_of_control_flow_are_found_by_default() -> None:
    for name, code in OF_CONTROL_FLOW.items():
        assert (HAZARDS[name].line, code) in _found(HAZARDS[name].text)
