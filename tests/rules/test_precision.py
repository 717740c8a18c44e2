"""The number of a rule: counted from what was judged at first sight, shipped, printed, and what its status needs."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest

from flake8_jax.driver.cli.main import main
from flake8_jax.rules import discover
from flake8_jax.rules.precision import (
    MISSION,
    NUMBERS,
    TOOL,
    FirstSight,
    first_sights,
    number_of,
    read_numbers,
    section_of,
    write_numbers,
)
from flake8_jax.rules.rule import Rule
from tests.corpus import first_sight
from tests.corpus.apps import read_apps
from tests.corpus.first_sight import COLUMNS, VERDICTS, Sight, faults_of_sights, numbers, read_sights
from tests.corpus.ledger import read_ledger
from tests.rules.catalogue import variants_found

RULES = [found.rule for found in discover()]
SIGHT = Sight("part-1", "abc1234", "a/b", "c0ffee", "a.py", 3, "JAX201", "true", "store", "3: x[0] = 1", "raises")
EARNED = FirstSight("part-1", "abc1234")


# What is committed.


def test_the_rows_are_sound() -> None:
    assert faults_of_sights(read_sights()) == []
    assert {sight.code for sight in read_sights()} <= {rule.code for rule in RULES}


@pytest.mark.slow
def test_the_shipped_numbers_are_those_of_the_rows() -> None:
    assert NUMBERS.read_text(encoding="utf-8") == write_numbers(numbers(read_sights()))


def test_the_shipped_counts_are_those_of_the_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_sight, "variants_found", lambda _: (0, 0))
    shipped = {code: replace(sight, variants=0, found=0) for code, sight in first_sights().items()}
    assert shipped == numbers(read_sights())


def test_first_sight_of_the_applications_is_in_the_ledger() -> None:
    commits = {app.name: app.version for app in read_apps()}
    sights = [sight for sight in read_sights() if sight.envelope == "apps"]
    judged = {(row.project, row.version, row.path, row.code, row.pattern, row.proof) for row in read_ledger()}
    assert len(sights) == 122
    assert {sight.project for sight in sights} <= set(commits)
    for sight in sights:
        assert sight.commit == commits[sight.project]
        assert (sight.project, sight.commit, sight.path, sight.code, sight.pattern, sight.proof) in judged


def has_earned_its_status(rule: Rule) -> bool:
    """Has a rule that is on been right often enough, and do those of the tool alone have no number?"""
    sight = first_sights().get(rule.code)
    if sight is None:
        return rule.group == TOOL and rule.hazard.startswith("by inspection: ")
    return rule.group != TOOL and (rule.status != "on" or sight.is_earned or rule.code in MISSION)


def test_a_rule_is_on_only_if_it_earned_it() -> None:
    offenders = [rule.code for rule in RULES if not has_earned_its_status(rule)]
    assert not offenders, "\n".join(offenders)


def test_the_five_of_the_mission_stay_on() -> None:
    assert {rule.code: rule.status for rule in RULES if rule.code in MISSION} == dict.fromkeys(MISSION, "on")


# The criterion and the interval.


@pytest.mark.parametrize(
    ("judged", "true", "variants", "found", "earned"),
    [
        (20, 19, 0, 0, True),
        (20, 18, 9, 9, False),
        (100, 94, 9, 9, False),
        (100, 95, 0, 0, True),
        (19, 19, 10, 9, True),
        (19, 19, 10, 8, False),
        (19, 18, 10, 10, False),
        (1, 1, 10, 10, True),
        (1, 1, 0, 0, False),
        (0, 0, 10, 10, False),
    ],
)
def test_what_a_rule_needs_to_be_on(judged: int, true: int, variants: int, found: int, earned: bool) -> None:
    assert FirstSight("e", "v", judged, true, variants, found).is_earned == earned


# Wilson (1927), as Newcombe (1998), table I, method 3, gives it.
@pytest.mark.parametrize(
    ("true", "judged", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611), (1, 29, 0.0061, 0.1718), (0, 0, 0, 1)],
)
def test_the_interval_is_wilsons(true: int, judged: int, low: float, high: float) -> None:
    sight = replace(EARNED, judged=judged, true=true)
    assert sight.interval == pytest.approx((low, high), abs=5e-5)
    mirrored = replace(EARNED, judged=judged, true=judged - true).interval
    assert mirrored == pytest.approx((1 - high, 1 - low), abs=5e-5)


# How findings are counted.


def counts(*sights: Sight) -> tuple[int, int]:
    number = numbers(sights)["JAX201"]
    return number.judged, number.true


@pytest.fixture
def no_variants(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_sight, "variants_found", lambda _: (9, 10))


@pytest.mark.usefixtures("no_variants")
def test_three_findings_a_pattern_and_project_count() -> None:
    other = replace(SIGHT, verdict="harmless", pattern="dead")
    assert counts(*[SIGHT] * 5) == (3, 3)
    assert counts(*[SIGHT] * 5, *[other] * 2) == (5, 3)
    assert counts(*[SIGHT] * 5, *[replace(SIGHT, project="a/c")] * 4) == (6, 6)
    assert counts(SIGHT, replace(SIGHT, verdict="false", pattern="host")) == (2, 1)
    assert counts(replace(SIGHT, code="JAX101")) == (0, 0)
    assert numbers([SIGHT])["JAX201"] == FirstSight("part-1", "abc1234", 1, 1, 10, 9)


@pytest.mark.usefixtures("no_variants")
def test_only_the_newest_envelope_counts() -> None:
    newer = replace(SIGHT, envelope="part-2", linter="def5678", verdict="false")
    assert counts(*[SIGHT] * 3, newer) == (1, 0)
    number = numbers([SIGHT, newer])["JAX201"]
    assert (number.envelope, number.version) == ("part-2", "def5678")


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        ([replace(SIGHT, verdict="gone")], "the verdict is 'gone'"),
        ([replace(SIGHT, pattern="")], "no pattern"),
        ([replace(SIGHT, proof=" ")], "no proof"),
        ([replace(SIGHT, note="")], "no note"),
        ([SIGHT, replace(SIGHT, linter="def5678")], "part-1: more than one run"),
        ([SIGHT, replace(SIGHT, envelope="part-2"), SIGHT], "part-1: its rows do not stand together"),
        ([SIGHT, replace(SIGHT, verdict="false")], "a/b JAX201 store: one pattern, but the verdicts false, true"),
    ],
)
def test_faulty_rows(rows: list[Sight], fault: str) -> None:
    assert faults_of_sights([SIGHT, SIGHT]) == []
    (said,) = faults_of_sights(rows)
    assert fault in said


# The command that adds an envelope.


@pytest.mark.usefixtures("no_variants")
def test_an_envelope_is_added_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    verdicts, projects = tmp_path / "verdicts.csv", tmp_path / "projects.csv"
    with verdicts.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([VERDICTS, [getattr(SIGHT, column) for column in VERDICTS]])
    projects.write_text("repo,commit,lines\na/b,c0ffee,3\n", encoding="utf-8")
    files = [f"--sights={tmp_path / 'sights.csv'}", f"--numbers={tmp_path / 'numbers.json'}"]
    add = [f"--add={verdicts}", "--envelope=part-1", "--linter=abc1234", f"--projects={projects}", *files]
    assert first_sight.main([*add, "--write"]) == 0
    assert (tmp_path / "sights.csv").read_text(encoding="utf-8").startswith(",".join(COLUMNS))
    assert read_sights(tmp_path / "sights.csv") == [SIGHT]
    written = read_numbers((tmp_path / "numbers.json").read_text(encoding="utf-8"))
    assert written == numbers([SIGHT])
    with pytest.raises(SystemExit):
        first_sight.main(add)
    assert "part-1 had its first run" in capsys.readouterr().err


# What is printed.


def test_the_list_of_rules_has_the_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules"]) == 0
    rows = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    for rule in RULES:
        assert number_of(rule.code) in rows[rule.code]
    assert "no share applies" in rows["JAX000"]
    assert str(replace(EARNED, judged=4, true=3)) == "75% [30%, 95%] of 4, part-1 at abc1234"
    assert str(EARNED) == "none of 0, part-1 at abc1234"


def tells_its_precision(rule: Rule, said: str) -> bool:
    """Does what a page says of the precision of its rule agree with the number and the status?"""
    sight = first_sights().get(rule.code)
    if said != " ".join(section_of(rule.code, rule.status).split()):
        return False
    if sight is None:
        return said.startswith("No share of true findings applies")
    return (
        f"version {sight.version} said of the projects of `{sight.envelope}`" in said
        and ("That is what a rule needs to be on" in said) == sight.is_earned
        and ("it is on all the same" in said) == (rule.status == "on" and not sight.is_earned)
    )


def test_a_page_says_whether_the_rule_earned_its_status(capsys: pytest.CaptureFixture[str]) -> None:
    offenders: list[str] = []
    for rule in RULES:
        assert main(["explain", rule.code]) == 0
        said = " ".join(capsys.readouterr().out.partition("## Precision at first sight")[2].split())
        said = said.partition(" Under flake8, ")[0]  # how the options of the page are called there
        offenders += [] if tells_its_precision(rule, said) else [f"{rule.code}: {said}"]
    assert not offenders, "\n".join(offenders)


def test_variants_are_those_of_the_catalogue() -> None:
    found, variants = variants_found("JAX201")
    assert 0 < found <= variants
    assert variants_found("JAX001") == (0, 0)
