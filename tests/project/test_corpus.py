"""The corpus command: a slice of the pinned packages against ledger and rows, and the comparison on made-up data.

The slice downloads its four packages and needs nothing but a package index.  Of these, those are compared that the
ledger has rows for; a finding of theirs without a row, or a row without its finding, fails.
"""

from __future__ import annotations

import csv
import os
from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import pytest

from flake8_jax.rules import discover
from tests.corpus import packages
from tests.corpus.__main__ import faults_of, main
from tests.corpus.apps import read_apps
from tests.corpus.judging import CONFIG, Finding, Job, Outcome, jobs_of, judge
from tests.corpus.ledger import (
    COLUMNS,
    LEDGER,
    LedgerError,
    Precision,
    Row,
    agreement,
    compare,
    faults,
    gone,
    misquotes,
    precision,
    read_ledger,
    write_findings,
    write_ledger,
)
from tests.corpus.marking import marked
from tests.corpus.packages import CorpusError, Package, choose, default_cache, fetch, read_packages, unpack
from tests.corpus.printing import comparison_lines, outcome_lines, row_lines, timing_lines
from tests.corpus.rows import ROWS_OF_PACKAGES, differences, read_rows, rows_of
from tests.corpus.timing import time_files
from tests.support.commands import STORE, write

SLICE = ("augmax", "navix", "pgx", "treex")
VERSIONS = {package.name: package.version for package in read_packages()}
HEADER = ",".join(COLUMNS)

FOUND = Finding("jmp", "0.0.4", "jmp/a.py", 4, "JAX201", 0, "a store")
ROW = Row("jmp", "0.0.4", "jmp/a.py", 4, "JAX201", "true", "store", "3: x = jnp.zeros(3); 4: x[0] = 1.0")


@pytest.fixture(scope="module")
def folders() -> dict[str, Path]:
    return fetch(choose(SLICE), default_cache())


@pytest.fixture(scope="module")
def outcome(folders: dict[str, Path]) -> Outcome:
    return judge(jobs_of(choose(SLICE), folders), min(2, os.cpu_count() or 1))


def of(name: str, outcome: Outcome) -> tuple[list[Finding], list[Row]]:
    rows = [row for row in read_ledger() if row.project == name]
    if not rows:
        pytest.skip(f"the ledger has no rows for {name}")
    return [found for found in outcome.findings if found.package == name], rows


def test_the_slice_is_analysed(outcome: Outcome) -> None:
    assert outcome.crashes == []
    assert outcome.concerned > 100
    assert outcome.others.total() == 0
    assert outcome.reached.total() > 500
    assert len({found.package for found in outcome.findings}) == len(SLICE)


@pytest.mark.parametrize("name", SLICE)
def test_findings_are_those_of_the_ledger(name: str, outcome: Outcome) -> None:
    findings, rows = of(name, outcome)
    comparison = compare(findings, rows)
    assert comparison.agrees, "\n".join(comparison_lines(comparison, [], rows, set()))


def test_all_that_is_said_is_what_is_committed(outcome: Outcome) -> None:
    rows = [row for row in read_rows(ROWS_OF_PACKAGES) if row.project in SLICE]
    assert row_lines(differences(rows_of(outcome.findings), rows), len(rows))[1:] == []
    assert {row.project for row in rows} == set(SLICE)


@pytest.mark.parametrize("name", SLICE)
def test_no_row_of_the_ledger_can_be_spared(name: str, outcome: Outcome) -> None:
    findings, rows = of(name, outcome)
    for row in rows:
        if row.verdict != "gone":
            assert not compare(findings, [other for other in rows if other is not row]).agrees


@pytest.mark.parametrize("name", SLICE)
def test_proofs_quote_what_stands_there(name: str, folders: dict[str, Path], outcome: Outcome) -> None:
    _, rows = of(name, outcome)
    assert faults_of(rows, folders) == []


def test_rows_of_the_ledger_are_sound() -> None:
    assert faults(read_ledger(), VERSIONS | {app.name: app.version for app in read_apps()}) == []
    assert {row.code for row in read_ledger()} <= {found.rule.code for found in discover()}


def test_comments_hide_no_finding_from_the_ledger(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": STORE.replace("= 1.0", "= 1.0  # noqa")})
    assert CONFIG.disable_noqa
    assert len(judge([job(tmp_path)]).findings) == 1


# The comparison.


def test_findings_with_rows_agree() -> None:
    for verdict in ("true", "harmless", "false"):
        comparison = compare([FOUND], [replace(ROW, verdict=verdict)])
        assert comparison.agrees
        assert (comparison.unlisted, comparison.returned, comparison.vanished) == ([], [], [])


def test_column_and_message_may_change() -> None:
    assert compare([replace(FOUND, column=7, message="said otherwise")], [ROW]).agrees


def test_a_finding_without_a_row() -> None:
    extra = replace(FOUND, line=5)
    comparison = compare([FOUND, extra], [ROW])
    assert not comparison.agrees
    assert (comparison.unlisted, comparison.vanished) == ([extra], [])


@pytest.mark.parametrize(
    "change", [{"line": 5}, {"code": "JAX101"}, {"path": "jmp/b.py"}, {"version": "0.0.5"}, {"project": "jumanji"}]
)
def test_a_row_without_its_finding(change: dict[str, object]) -> None:
    moved = replace(ROW, **change)  # type: ignore[arg-type]
    comparison = compare([FOUND], [moved])
    assert not comparison.agrees
    assert (comparison.unlisted, comparison.vanished) == ([FOUND], [moved])
    assert compare([], [moved]).vanished == [moved]


def test_a_gone_row_waits_for_nothing() -> None:
    gone = replace(ROW, verdict="gone", note="the key is folded in")
    assert compare([], [gone]).agrees
    comparison = compare([FOUND], [gone])
    assert not comparison.agrees
    assert comparison.returned == comparison.unlisted == [FOUND]
    assert compare([FOUND], [gone, ROW]).agrees


def test_one_line_may_have_several_findings() -> None:
    second = replace(FOUND, column=9)
    assert compare([FOUND, second], [ROW, ROW]).agrees
    assert compare([FOUND, second], [ROW]).unlisted == [second]
    assert compare([FOUND], [ROW, ROW]).vanished == [ROW]


def test_differences_are_named() -> None:
    extra, gone = replace(FOUND, line=5), replace(ROW, line=5, verdict="gone", note="why")
    lines = "\n".join(comparison_lines(compare([extra], [ROW, gone]), ["a fault"], [ROW, gone], {"JAX101"}))
    assert "jmp 0.0.4 jmp/a.py:5:0 JAX201 is back, though a row says it is gone: a store" in lines
    assert "jmp 0.0.4 jmp/a.py:4 JAX201 (true) is no longer found" in lines
    assert "  a fault" in lines
    assert "JAX101 none judged (0 true, 0 harmless, 0 false)" in lines


# What the ledger says of the rules.


def test_precision_counts_true_against_all_others() -> None:
    rows = [ROW] * 18 + [replace(ROW, verdict=verdict) for verdict in ("false", "harmless", "gone")]
    measured = precision(rows, ["JAX101", "JAX201"])
    assert measured == {"JAX101": Precision(), "JAX201": Precision(18, 1, 1)}
    assert [measure.share for measure in measured.values()] == [None, 0.9]
    assert str(measured["JAX201"]) == "90.0% (18 true, 1 harmless, 1 false)"


def test_agreement_is_of_rows_judged_twice() -> None:
    rows = [ROW, replace(ROW, second="true"), replace(ROW, second="false"), replace(ROW, verdict="gone", second="true")]
    assert agreement(rows) == (1, 2)
    assert "2 of 3 rows were judged twice, 1 of them alike (50%)" in comparison_lines(compare([], []), [], rows, set())


# The ledger as a file.


def test_findings_are_written_for_judging(tmp_path: Path) -> None:
    write_findings([FOUND], tmp_path / "findings.csv")
    with (tmp_path / "findings.csv").open(encoding="utf-8", newline="") as file:
        (row,) = csv.DictReader(file)
    assert tuple(row) == (*COLUMNS, "column", "message")
    assert row["path"] == "jmp/a.py"
    assert row["verdict"] == row["proof"] == row["note"] == row["second"] == ""
    with pytest.raises(LedgerError, match="the columns must be"):
        read_ledger(tmp_path / "findings.csv")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the columns must be"),
        ("project,version\n", "the columns must be"),
        (f"{HEADER}\njmp,0.0.4,a.py,4,JAX201,true,4: x\n", "2: a row has 10 cells"),
        (f"{HEADER}\njmp,0.0.4,a.py,4,JAX201,true,store,4: x,,,true\n", "2: a row has 10 cells"),
        (f"{HEADER}\njmp,0.0.4,a.py,four,JAX201,true,store,4: x,,\n", "2: 'four' is not the number"),
        (f'{HEADER}\njmp,0.0.4,a.py,4,JAX201,true,store,"4: x,,\n', "unexpected end"),
    ],
)
def test_a_ledger_that_cannot_be_read(text: str, message: str, tmp_path: Path) -> None:
    write(tmp_path, {"ledger.csv": text})
    with pytest.raises(LedgerError, match=message):
        read_ledger(tmp_path / "ledger.csv")


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"verdict": ""}, "the verdict is ''"),
        ({"verdict": "True"}, "the verdict is 'True'"),
        ({"verdict": "debatable"}, "the verdict is 'debatable'"),
        ({"pattern": ""}, "the pattern ''"),
        ({"pattern": "a store"}, "the pattern 'a store'"),
        ({"proof": " "}, "no proof"),
        ({"verdict": "gone"}, "gone without a reason"),
        ({"second": "gone"}, "the second verdict is 'gone'"),
        ({"version": "0.0.3"}, "another version"),
        ({"project": "nothing"}, "not a pinned project"),
    ],
)
def test_faulty_rows(change: dict[str, str], fault: str) -> None:
    assert faults([ROW, replace(ROW, verdict="gone", proof="", note="why")], VERSIONS) == []
    (said,) = faults([replace(ROW, **change)], VERSIONS)  # type: ignore[arg-type]
    assert fault in said


def test_findings_of_one_pattern_have_one_verdict() -> None:
    harmless = replace(ROW, line=5, verdict="harmless")
    (said,) = faults([ROW, harmless], VERSIONS)
    assert said == "jmp JAX201 store: one pattern, but the verdicts harmless, true"
    assert faults([ROW, replace(harmless, pattern="another"), gone(replace(harmless, note="dead"))], VERSIONS) == []


@pytest.mark.parametrize(
    ("proof", "count"),
    [
        ("3: x = jnp.zeros(3); 4: x[0] = 1.0", 0),
        ("3: x=jnp.zeros(3);4: `x[0] = ...`", 0),
        ("3: x = ... zeros(3)", 0),
        ("5: y = 2; z = 'a: b'", 0),
        ("5: z = 'a: b'; jmp/b.py:1: y", 0),
        ("4: x[1] = 1.0", 1),
        ("3: x[0] = 1.0; 4: x[0] = 1.0; 9: x", 2),
        ("jmp/none.py:1: y", 1),
        ("line 4", 1),
        ("0: x", 1),
    ],
)
def test_quotes(proof: str, count: int) -> None:
    texts = {"jmp/a.py": [*STORE.splitlines(), "y = 2; z = 'a: b'"], "jmp/b.py": ["y = 1"]}
    assert len(misquotes(replace(ROW, proof=proof), lambda path: texts.get(path, []))) == count
    assert misquotes(replace(ROW, verdict="gone", proof=proof), lambda _: []) == []


# The packages.


def wheel(folder: Path, *names: str) -> Path:
    path = folder / "jmp-0.0.4-py3-none-any.whl"
    with ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, STORE)
    return path


def test_python_files_are_unpacked(tmp_path: Path) -> None:
    unpack(wheel(tmp_path, "jmp/a.py", "jmp/data.txt", "setup.py"), tmp_path / "out")
    assert packages.python_files(tmp_path / "out") == ["jmp/a.py", "setup.py"]
    assert not (tmp_path / "out" / "jmp" / "data.txt").exists()


@pytest.mark.parametrize("name", ["../a.py", "jmp/../../a.py", "/a.py", "C:/a.py"])
def test_nothing_is_unpacked_outside(name: str, tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="would stand outside"):
        unpack(wheel(tmp_path, name), tmp_path / "out")


def test_packages_are_what_was_pinned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = wheel(tmp_path, "jmp/a.py")
    monkeypatch.setattr(packages, "_download", lambda *_: {"jmp": path})
    cache = tmp_path / "cache"
    with pytest.raises(CorpusError, match=r"jmp 0\.0\.4 holds 1 of 4 lines, 6 Python files of 759 lines are pinned"):
        fetch(choose(["jmp"]), cache)
    assert list(cache.iterdir()) == []
    assert fetch([Package("jmp", "0.0.4", 1, 4)], cache) == {"jmp": cache / "jmp-0.0.4"}
    assert [path.name for path in cache.iterdir()] == ["jmp-0.0.4"]


def test_packages_are_chosen_by_name() -> None:
    assert [package.name for package in choose(["pgx", "augmax", "pgx"])] == ["pgx", "augmax"]
    assert choose([]) == read_packages()
    with pytest.raises(CorpusError, match="not pinned: nothing"):
        choose(["nothing", "pgx"])


# The command, on a made-up package in a cache.


def job(folder: Path, name: str = "a.py") -> Job:
    return Job(Package("jmp", "0.0.4", 1, 4), str(folder), name)


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    write(tmp_path, {"jmp-0.0.4/jmp/a.py": STORE, "jmp-0.0.4/jmp/b.py": "x = 1\n"})
    return tmp_path


def run(cache: Path, *rows: str, mark_gone: bool = False) -> int:
    write(cache, {"ledger.csv": "\n".join([HEADER, *rows, ""])})
    return main(
        [
            "jmp",
            "--cache",
            str(cache),
            "--jobs",
            "1",
            "--timed",
            "1",
            "--compare",
            "--ledger",
            str(cache / "ledger.csv"),
            *["--mark-gone"] * mark_gone,
        ]
    )


def test_the_command_agrees_with_the_ledger(cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(cache, "jmp,0.0.4,jmp/a.py,4,JAX201,true,store,3: x = jnp.zeros(3); 4: x[0] = 1.0,,true") == 0
    said = capsys.readouterr().out
    assert "2 files, 1 of them concern JAX" in said
    assert "crashes: none" in said
    assert "JAX201 100.0% (1 true, 0 harmless, 0 false)" in said
    assert "1 of 1 rows were judged twice, 1 of them alike (100%)" in said
    assert "time: 1 files of 4 lines" in said


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([], "is not in the ledger"),
        (["jmp,0.0.4,jmp/a.py,4,JAX201,gone,store,,why,"], "is back, though a row says it is gone"),
        (
            ["jmp,0.0.4,jmp/a.py,3,JAX201,true,store,3: x = jnp.zeros(3),,"],
            "jmp/a.py:3 JAX201 (true) is no longer found",
        ),
        (["jmp,0.0.4,jmp/a.py,4,JAX201,true,store,4: y,,"], "'4: y' does not stand there"),
        (["jmp,0.0.4,jmp/a.py,4,JAX201,,store,4: x[0],,"], "the verdict is ''"),
    ],
)
def test_the_command_fails(rows: list[str], said: str, cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(cache, *rows) == 1
    assert said in capsys.readouterr().out


def test_rows_without_their_finding_are_marked(cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    here, there = "jmp,0.0.4,jmp/a.py,4,JAX201,true,store,4: x[0] = 1.0,,", "jmp,0.0.4,jmp/a.py,3,JAX201,"
    assert run(cache, here, f"{there}harmless,dead,3: x = jnp.zeros(3),never read,", mark_gone=True) == 1
    assert "1 rows of the ledger are marked as gone, or moved" in capsys.readouterr().out
    marked = [HEADER, here, f"{there}gone,dead,3: x = jnp.zeros(3),was harmless: never read,", ""]
    assert (cache / "ledger.csv").read_text(encoding="utf-8") == "\n".join(marked)
    assert run(cache, *marked[1:3]) == 0
    with pytest.raises(SystemExit):
        main(["jmp", "--mark-gone"])


MOVED = """import jax.numpy as jnp

def f(x):
    g(
        x,
        y,
    )
    if x:
        g(x)
"""


@pytest.mark.parametrize(("line", "moved"), [(4, True), (6, True), (7, True), (8, False), (9, False), (3, False)])
def test_a_finding_moves_within_its_statement(line: int, moved: bool) -> None:
    row, found = replace(ROW, line=5), replace(FOUND, line=line)
    (after,) = marked([row], compare([found], [row]), lambda *_: MOVED)
    assert after == (replace(row, line=line) if moved else gone(row))
    assert marked([row], compare([replace(found, code="JAX101")], [row]), lambda *_: MOVED) == [gone(row)]


def test_rows_of_other_packages_do_not_count(cache: Path) -> None:
    row = "jmp,0.0.4,jmp/a.py,4,JAX201,true,store,4: x[0] = 1.0,,"
    assert run(cache, row, f"pgx,{VERSIONS['pgx']},pgx/a.py,4,JAX201,true,store,4: x[0] = 1.0,,") == 0


def test_the_command_fails_on_what_cannot_be_analysed(cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(cache, {"jmp-0.0.4/jmp/b.py": "import jax (\n"})
    assert main(["jmp", "--cache", str(cache), "--jobs", "2", "--timed", "5"]) == 1
    assert "crashes: 1\n  jmp jmp/b.py: " in capsys.readouterr().out


def test_wrong_use(cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nothing", "--cache", str(cache)]) == 2
    assert main(["jmp", "--cache", str(cache), "--compare", "--ledger", str(cache / "none.csv")]) == 2
    assert capsys.readouterr().err.count("corpus: error: ") == 2


def test_stages_are_timed(cache: Path) -> None:
    jobs = [job(cache / "jmp-0.0.4", f"jmp/{name}.py") for name in "ab"]
    timing = time_files(jobs, 10)
    assert (timing.files, timing.lines) == (1, 4)
    assert timing.sums.parse > 0
    assert timing.go.linter > timing.go.tree > 0
    said = "\n".join(timing_lines(timing))
    assert "added under flake8" in said
    assert "interpretation" in said
    parts = timing.sums.lower + timing.sums.interpret + timing.sums.rest
    assert timing.sums.whole == pytest.approx(parts)
    assert timing_lines(time_files(jobs[1:], 10)) == ["time: 0 files of 0 lines, one process, medians"]


def test_counts_are_printed() -> None:
    lines = outcome_lines(Outcome(files=2, crashes=["jmp a.py: why"], findings=[FOUND]))
    assert "1 findings in 1 projects" in lines
    assert "  jmp         1" in lines
    assert "  jmp a.py: why" in lines


def test_the_committed_ledger_is_there(tmp_path: Path) -> None:
    write_ledger(read_ledger(), tmp_path / "ledger.csv")
    assert (tmp_path / "ledger.csv").read_bytes() == LEDGER.read_bytes()
    assert LEDGER.read_text(encoding="utf-8").partition("\n")[0] == HEADER
