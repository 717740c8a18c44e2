"""Every fixture says of itself what the linter must say of it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from flake8_jax.driver.checking import check_data
from flake8_jax.model.config import Config
from flake8_jax.runtime.repairs import is_twin
from tests.support.expectations import (
    FALSE_ALARM,
    FIXTURES,
    MISSED_ALARM,
    NOWHERE,
    PAIRS,
    definitions,
    differences,
    expectations,
    is_large,
    lint_fixture,
)

MIXED_FOLDERS = ("invalidation", "conditions", "liveness", "key_signatures")
MIXED = sorted(path for folder in MIXED_FOLDERS for path in (FIXTURES / folder).glob("*.py"))
BAD = [pair / "bad.py" for pair in PAIRS]
GOOD = [pair / "good.py" for pair in PAIRS]
SUPPRESSIONS = sorted((FIXTURES / "suppressions").glob("*.py"))


def name_of(path: Path) -> str:
    return path.relative_to(FIXTURES).as_posix()


def cases(paths: list[Path]) -> list[object]:
    """Files of fixtures as cases; a large one is slow."""
    return [pytest.param(path, id=name_of(path), marks=[pytest.mark.slow] * is_large(path)) for path in paths]


def test_folders_hold_fixtures() -> None:
    """A folder that was renamed would leave its tests without a case."""
    folders = (*MIXED_FOLDERS, "suppressions", "programs", "values", "ir", "windows")
    offenders = [folder for folder in folders if not any((FIXTURES / folder).rglob("*.py"))]
    assert not offenders, "\n".join(offenders)


@pytest.mark.parametrize("path", cases([*BAD, *MIXED]))
def test_every_expectation_is_met_and_nothing_else_is_said(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert expectations(text), "a fixture of hazards states none"
    wrong = list(differences(text, lint_fixture(path)))
    assert not wrong, "\n" + "\n".join(wrong)


@pytest.mark.parametrize("path", cases(GOOD))
def test_good_is_silent_under_all_rules(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert expectations(text) == []
    wrong = list(differences(text, lint_fixture(path)))
    assert not wrong, "\n" + "\n".join(wrong)


def without_twin(pair: Path) -> list[str]:
    """The functions of a pair that differ from their twins elsewhere than on the marked lines and beside them."""
    text = (pair / "bad.py").read_text(encoding="utf-8")
    marked = {expectation.line for expectation in expectations(text)}
    twins = {found.name: found for found in definitions((pair / "good.py").read_text(encoding="utf-8"))}
    return [
        found.name
        for found in definitions(text)
        if found.name not in twins or not is_twin(found, twins[found.name], marked)
    ]


@pytest.mark.slow
def test_twins_differ_on_the_marked_lines_and_beside_them_only() -> None:
    offenders = [f"{pair.name}: {name}" for pair in PAIRS for name in without_twin(pair)]
    assert not offenders, "\n".join(offenders)


@pytest.mark.slow
def test_no_definition_hides_another() -> None:
    offenders: list[str] = []
    for path in (*BAD, *GOOD, *MIXED):
        counts = Counter(found.name for found in definitions(path.read_text(encoding="utf-8")))
        offenders += [f"{name_of(path)}: {name}" for name, count in counts.items() if count > 1]
    assert not offenders, "\n".join(offenders)


def test_names_say_what_is_expected() -> None:
    offenders: list[str] = []
    for path in MIXED:
        text = path.read_text(encoding="utf-8")
        innocents = [found for found in definitions(text) if found.name.endswith("_ok")]
        lines = {expectation.line for expectation in expectations(text)}
        offenders += [f"{name_of(path)}: {one.name}" for one in innocents if any(line in one for line in lines)]
    assert not offenders, "\n".join(offenders)


@pytest.mark.parametrize("path", SUPPRESSIONS, ids=name_of)
def test_findings_remain_where_nothing_suppresses_them(path: Path) -> None:
    reported = [found for found in definitions(path.read_text(encoding="utf-8")) if found.name.endswith("_reported")]
    report = check_data(f"{NOWHERE}/{path.name}", path.read_bytes(), Config(no_store=True))
    lines = [found.span.line for found in report.diagnostics]
    assert [line for line in lines if not any(line in found for found in reported)] == []
    assert [found.name for found in reported if not any(line in found for line in lines)] == []
    assert lint_fixture(path), "there is nothing to suppress"


def test_known_wrong_results_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    names = [found.name for path in [*BAD, *GOOD, *MIXED] for found in definitions(path.read_text(encoding="utf-8"))]
    false = sorted({name for name in names if name.startswith(FALSE_ALARM)})
    missed = sorted({name for name in names if name.startswith(MISSED_ALARM)})
    assert false == [], "a false alarm is repaired, not kept"
    with capsys.disabled():
        print(f"\nknown wrong results in the fixtures: {len(false)} false alarms, {len(missed)} missed alarms")
        print("".join(f"  {name}\n" for name in [*false, *missed]), end="")
