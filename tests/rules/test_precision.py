"""The number of a rule: counted from what was judged at first sight, shipped, printed, and what its status needs."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest

from flake8_jax.driver.cli.main import main
from flake8_jax.rules import discover
from flake8_jax.rules.precision import (
    DECIDED,
    TOOL,
    Precision,
    Sights,
    Verdicts,
    grade,
    read_numbers,
    section_of,
    sights,
    write_numbers,
)
from flake8_jax.rules.rule import Rule
from tests.corpus import first_sight
from tests.corpus.apps import read_apps
from tests.corpus.first_sight import (
    COLUMNS,
    PAGE,
    VERDICTS,
    Envelope,
    Sight,
    faults_of_sights,
    numbers,
    page,
    place_of,
    read_envelopes,
    read_settled,
    read_sights,
    read_silent,
    said_still,
)
from tests.corpus.ledger import JUDGED, read_cells, read_ledger
from tests.corpus.scale import CHECK, CHECK_COLUMNS, SCALE, SCALE_COLUMNS, agreement, by_look, read_looks, shares
from tests.rules.catalogue import variants_found
from tests.support import slices

RULES = [found.rule for found in discover()]
SIGHT = Sight("part-1", "abc1234", "a/b", "c0ffee", "a.py", 3, "JAX201", "true", "store", "3: x[0] = 1", "raises")
ENVELOPE = Envelope("part-1", "2026-01", 2, 1000)
MOST_OFTEN = 25_000
"""All that is on wastes at most one finding in so many lines."""


# What is committed.


def test_the_rows_are_sound() -> None:
    assert faults_of_sights(read_sights()) == []
    assert {sight.code for sight in read_sights()} <= {rule.code for rule in RULES}


@pytest.mark.slow
@slices.each("code", [rule.code for rule in RULES if rule.group != TOOL], lambda code: [code[:4]], least=12)
def test_the_shipped_numbers_of_variants_are_those_that_are_found(code: str) -> None:
    shipped = sights().rules[code]
    assert variants_found(code) == (shipped.found, shipped.variants)


def test_the_shipped_counts_are_those_of_the_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_sight, "variants_found", lambda _: (0, 0))
    shipped = {code: replace(one, variants=0, found=0) for code, one in sights().rules.items()}
    assert replace(sights(), rules=shipped) == numbers(read_sights(), read_envelopes(), read_silent(), read_settled())


def test_the_page_shows_the_looks_that_were_judged_on_the_scale() -> None:
    text, looks = PAGE.read_text(encoding="utf-8"), read_looks()
    rows = {line.split(" | ")[0].strip("| "): line for line in text.splitlines() if line.startswith("| ")}
    for name, one in {**by_look(looks), "all": shares(looks)}.items():
        counts = [one.verdicts.true, one.verdicts.harmless, one.verdicts.false, one.verdicts.judged, one.remedies]
        cells = [cell.strip(" *").partition(" ")[0] for cell in rows[name].split("|")[4:9]]
        assert cells == [str(count) for count in counts], name
    many, alike, worse = agreement()
    assert (many, alike, worse) == (48, 45, 2)
    assert f"of {many} findings" in text
    assert f"{alike} got the same verdict from readers, two a worse" in text


def test_no_finding_of_the_scale_checks_it() -> None:
    scale = [cells for _, cells in read_cells(SCALE, SCALE_COLUMNS)]
    checks = [cells for _, cells in read_cells(CHECK, CHECK_COLUMNS)]
    assert {one["verdict"] for one in scale} == {one["scale"] for one in checks} == set(JUDGED)
    assert {(one["code"], one["why"]) for one in scale}.isdisjoint((one["code"], one["why"]) for one in checks)
    assert len({(one.look, one.project, one.path, one.line, one.code) for one in read_looks()}) > 500


def test_the_page_shows_them() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert text == page(text)
    assert all(f"| {rule.code} {rule.name} | {rule.status} |" in text for rule in RULES if rule.group != TOOL)


def test_what_is_silent_was_said() -> None:
    names = {each.envelope for each in read_envelopes()}
    said = {(one.project, one.path, one.line, one.code) for one in read_sights() if one.envelope in names}
    assert read_silent() <= said


def test_what_is_settled_was_judged_otherwise() -> None:
    names = {each.envelope for each in read_envelopes()}
    first = {place_of(one): one.verdict for one in read_sights() if one.envelope in names}
    settled = read_settled()
    assert settled.keys() <= first.keys()
    assert not [place for place, verdict in settled.items() if first[place] == verdict]


def test_a_verdict_that_was_settled_counts_for_what_is_said_still(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_sight, "variants_found", lambda _: (0, 0))
    found = numbers([SIGHT], [ENVELOPE], (), {place_of(SIGHT): "harmless"}).rules["JAX201"]
    assert (found.first, found.still) == (Verdicts(1), Verdicts(0, 1))
    assert said_still([SIGHT], {place_of(SIGHT)}, {}) == []


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
    if rule.code not in sights().rules:
        return rule.group == TOOL and rule.hazard.startswith("by inspection: ")
    return rule.group != TOOL and (rule.status != "on" or sights().is_earned(rule.code) or rule.code in DECIDED)


def test_a_rule_is_on_only_if_it_earned_it() -> None:
    offenders = [f"{rule.code}: {sights().rules[rule.code]}" for rule in RULES if not has_earned_its_status(rule)]
    assert not offenders, "\n".join(offenders)


def test_what_was_decided_is_on() -> None:
    assert {rule.code: rule.status for rule in RULES if rule.code in DECIDED} == dict.fromkeys(DECIDED, "on")


def test_all_that_is_on_together_wastes_little() -> None:
    on = {rule.code for rule in RULES if rule.status == "on"}
    names = {each.envelope for each in read_envelopes()}
    said = [one for one in read_sights() if one.envelope in names and one.code in on]
    wasted = sum(one.verdict != "true" for one in said_still(said, read_silent(), read_settled()))
    assert wasted * MOST_OFTEN <= sights().lines, f"one in {sights().lines // wasted} lines"


# The criterion and the interval.


@pytest.mark.parametrize(
    ("verdicts", "suffice"),
    [
        (Verdicts(6, 4, 0), True),
        (Verdicts(6, 3, 1), True),
        (Verdicts(6, 5, 0), False),
        (Verdicts(8, 0, 2), False),
        (Verdicts(18, 0, 2), True),
        (Verdicts(0, 1, 0), True),
        (Verdicts(0, 2, 0), False),
        (Verdicts(0, 0, 1), False),
        (Verdicts(), True),
    ],
)
def test_what_a_rule_needs_to_be_on(verdicts: Verdicts, suffice: bool) -> None:
    assert verdicts.suffice(1_000_000) == suffice


# Wilson (1927), as Newcombe (1998), table I, method 3, gives it.
@pytest.mark.parametrize(
    ("true", "judged", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611), (1, 29, 0.0061, 0.1718), (0, 0, 0, 1)],
)
def test_the_interval_is_wilsons(true: int, judged: int, low: float, high: float) -> None:
    assert Verdicts(true, judged - true).interval == pytest.approx((low, high), abs=5e-5)
    assert Verdicts(judged - true, 0, true).interval == pytest.approx((1 - high, 1 - low), abs=5e-5)


# How findings are counted.


def counts(*sights: Sight, silent: tuple[int, ...] = ()) -> tuple[Verdicts, Verdicts]:
    places = [(SIGHT.project, SIGHT.path, line, SIGHT.code) for line in silent]
    found = numbers(sights, [ENVELOPE], places, {}).rules["JAX201"]
    return found.first, found.still


@pytest.fixture
def no_variants(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_sight, "variants_found", lambda _: (9, 10))


@pytest.mark.usefixtures("no_variants")
def test_three_findings_a_pattern_and_project_count() -> None:
    other = replace(SIGHT, verdict="harmless", pattern="dead")
    assert counts(*[SIGHT] * 5)[0] == Verdicts(3)
    assert counts(*[SIGHT] * 5, *[other] * 2)[0] == Verdicts(3, 2)
    assert counts(*[SIGHT] * 5, *[replace(SIGHT, project="a/c")] * 4)[0] == Verdicts(6)
    assert counts(SIGHT, replace(SIGHT, verdict="false", pattern="host"))[0] == Verdicts(1, 0, 1)
    assert counts(replace(SIGHT, code="JAX101"))[0] == Verdicts()
    assert numbers([SIGHT], [ENVELOPE], (), {}).rules["JAX201"] == Precision(Verdicts(1), Verdicts(1), 10, 9)


@pytest.mark.usefixtures("no_variants")
def test_envelopes_that_are_listed_count_together() -> None:
    newer, unlisted = replace(SIGHT, envelope="part-2", verdict="false"), replace(SIGHT, envelope="part-0")
    found = numbers([unlisted, SIGHT, newer], [ENVELOPE, Envelope("part-2", "2026-02", 3, 500)], (), {})
    assert (found.when, found.projects, found.lines) == ("2026-01 and 2026-02", 5, 1500)
    assert found.rules["JAX201"].first == Verdicts(1, 0, 1)


@pytest.mark.usefixtures("no_variants")
def test_what_is_said_no_longer_counts_at_first_sight_only() -> None:
    assert counts(SIGHT, replace(SIGHT, line=7, verdict="false", pattern="host"), silent=(7,)) == (
        Verdicts(1, 0, 1),
        Verdicts(1),
    )


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


def test_an_envelope_is_added_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    verdicts, projects = tmp_path / "verdicts.csv", tmp_path / "projects.csv"
    with verdicts.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([VERDICTS, [getattr(SIGHT, column) for column in VERDICTS]])
    projects.write_text("repo,commit,lines\na/b,c0ffee,3\n", encoding="utf-8")
    add = [f"--add={verdicts}", "--envelope=part-1", "--linter=abc1234", f"--projects={projects}"]
    add += [f"--sights={tmp_path / 'sights.csv'}"]
    assert first_sight.main(add) == 0
    assert (tmp_path / "sights.csv").read_text(encoding="utf-8").startswith(",".join(COLUMNS))
    assert read_sights(tmp_path / "sights.csv") == [SIGHT]
    with pytest.raises(SystemExit):
        first_sight.main(add)
    assert "part-1 had its first run" in capsys.readouterr().err


def test_projects_are_judged_again(tmp_path: Path) -> None:
    home = tmp_path / "a+b"
    home.mkdir()
    (home / "a.py").write_text("import jax.numpy as jnp\nx = jnp.zeros(3)\nx[0] = 1.0\n", encoding="utf-8")
    gone = replace(SIGHT, line=2)
    assert first_sight.silent_now([SIGHT, gone], tmp_path, 1) == [("a/b", "a.py", 2, "JAX201")]


# What is printed.


@pytest.mark.usefixtures("no_variants")
def test_numbers_are_written_and_read() -> None:
    found = numbers([SIGHT], [ENVELOPE], (), {})
    assert read_numbers(write_numbers(found)) == found


def test_the_list_of_rules_has_no_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules"]) == 0
    rows = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    for rule in RULES:
        name, status, fixable, _ = rows[rule.code].split(maxsplit=3)
        assert (name, status) == (rule.name, rule.status)
        assert fixable == ("fixable" if rule.code in FIXED else "-")


FIXED = {found.rule.code for found in discover() if found.fix is not None}


def test_a_page_says_why_a_rule_has_its_status(capsys: pytest.CaptureFixture[str]) -> None:
    for rule in RULES:
        assert main(["explain", rule.code]) == 0
        said = " ".join(capsys.readouterr().out.partition("## Precision\n")[2].split())
        said = said.partition(" Under flake8, ")[0]  # how the options of the page are called there
        assert said == " ".join(section_of(rule.code, rule.status).split())


def test_what_the_section_says(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = {
        "JAX201": Precision(Verdicts(6, 1, 3), Verdicts(6, 1, 0), 10, 9),
        "JAX301": Precision(Verdicts(0, 6), Verdicts(0, 6)),
    }
    seen = Sights("2026-11", 96, 2_000_000, rules)
    monkeypatch.setattr("flake8_jax.rules.precision.sights", lambda: seen)
    assert " ".join(section_of("JAX201", "on").split()) == (
        "First seen in 2026-11 in 96 repositories (2.0 million lines): 6 true, 1 harmless, 3 false of 10 findings that "
        "count (31% to 83% true, 95 % interval). After the repairs since then it says of the same code: 6 true, "
        "1 harmless, 0 false. Of 10 generated variants of known hazards it finds 9."
    )
    assert "it is on because it is one of the hazards" in " ".join(section_of("JAX301", "on").split())
    assert section_of("JAX001", "on").startswith("It speaks of comments in the file itself")


def test_variants_are_those_of_the_catalogue() -> None:
    found, variants = variants_found("JAX201")
    assert 0 < found <= variants
    assert variants_found("JAX001") == (0, 0)


@pytest.mark.parametrize(
    ("still", "word"),
    [
        (Verdicts(9, 2, 1), "high"),
        (Verdicts(2, 8, 0), "medium"),
        (Verdicts(5, 1, 2), "medium"),
        (Verdicts(1, 1, 1), "low"),
        (Verdicts(), "medium"),
    ],
)
def test_the_grade_of_a_rule(still: Verdicts, word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = Sights("", 1, 1000, {"JAX101": Precision(Verdicts(), still)})
    monkeypatch.setattr("flake8_jax.rules.precision.sights", lambda: seen)
    assert grade("JAX101") == word
    assert grade("JAX001") == "very-high"
