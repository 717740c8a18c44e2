"""Evidence that is kept: what a run writes, what a later one does again, and what stands under `fixtures/evidence`."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from flake8_jax.api import measured
from flake8_jax.driver.cli.main import main
from flake8_jax.runtime import records
from flake8_jax.runtime.claims import read_pairs
from flake8_jax.runtime.outcome import evidence
from flake8_jax.runtime.records import Device, ObservationRecord
from tests.runtime.verifying import GOOD, pairs_of_fixtures, verify, write_pair
from tests.support.expectations import FIXTURES

CPU = Device("cpu", "cpu", 1, "0.10.2", "0.10.2", "3.11.7")
EIGHT = replace(CPU, device_count=8)
LIBRARIES = {"numpy": "2.3.0"}
RENEW = "renew it with .ci/evidence, which runs what has changed only"


def observed(name: str, digest: str = "d1", device: Device = CPU) -> list[ObservationRecord]:
    """A record of each status, as far as one pair can have them."""
    home = f"{name}/bad.py"
    blank = ObservationRecord(home, digest, "a", 6, "JAX201", "raises:TypeError", True, True, "confirmed", {}, device)
    good = replace(blank, fixture=f"{name}/good.py", line=None)
    because = replace(blank, observed=None, evidence={"reason": "before JAX 0.8: so"})
    return [
        blank,
        replace(blank, case="b", line=9),
        replace(because, case="c", line=12, code="JAX207", phenomenon="by inspection", status="inspected"),
        replace(because, case="d", line=15, status="differs"),
        replace(because, case="", line=None, phenomenon="lint", status="refuted", evidence={"reason": "nobody claims"}),
        replace(good, expected=False, observed=False, status="clean"),
        replace(good, case="e", status="harmless", evidence={"reason": "it is meant so"}),
    ]


def keep(
    folder: Path, *found: ObservationRecord, named: tuple[str, ...] = ("p", "q"), date: str = "2026-01-02"
) -> None:
    evidence.keep(folder, found, named, LIBRARIES, date)


def test_what_is_kept_is_read_again(tmp_path: Path) -> None:
    found = [*observed("p"), *observed("q/r")]
    keep(tmp_path, *found, *observed("p", device=EIGHT), named=("p", "q/r"))
    files = sorted(path.name for path in (tmp_path / "evidence").iterdir())
    assert files == ["jax-0.10.2-cpu-1.json", "jax-0.10.2-cpu-8.json"]
    one, eight = evidence.read(tmp_path)
    assert (one.date, one.device, one.libraries) == ("2026-01-02", CPU, LIBRARIES)
    assert sorted(map(repr, one.records)) == sorted(map(repr, found))
    assert {record.device for record in eight.records} == {EIGHT}


def test_equal_evidence_is_equal_text(tmp_path: Path) -> None:
    keep(tmp_path / "a", *observed("p"), *observed("q"))
    keep(tmp_path / "b", *reversed(observed("q")), *reversed(observed("p")))
    keep(tmp_path / "c", *observed("q"))
    keep(tmp_path / "c", *observed("p"))
    texts = {(tmp_path / name / "evidence" / "jax-0.10.2-cpu-1.json").read_text() for name in "abc"}
    assert len(texts) == 1


def test_a_renewed_pair_stands_in_the_run_that_renewed_it_and_the_others_where_they_were(tmp_path: Path) -> None:
    keep(tmp_path, *observed("p"), *observed("q"))
    keep(tmp_path, *observed("q", "d2"), date="2026-02-03")
    first, second = evidence.read(tmp_path)
    assert [(run.date, {evidence.pair_of(record) for record in run.records}) for run in (first, second)] == [
        ("2026-01-02", {"p"}),
        ("2026-02-03", {"q"}),
    ]
    assert {record.digest for record in second.records} == {"d2"}
    keep(tmp_path, *observed("q", "d3"), named=("q",), date="2026-03-04")
    (only,) = evidence.read(tmp_path)
    assert {evidence.pair_of(record) for record in only.records} == {"q"}


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"schema": 99}', '{"schema": 1, "jax": "1", "platform": "cpu", "runs": 3}']
)
def test_what_is_no_evidence_is_named(text: str, tmp_path: Path) -> None:
    write_pair(tmp_path / "stores")
    (tmp_path / "evidence").mkdir()
    (tmp_path / "evidence" / "jax-1-cpu-1.json").write_text(text)
    with pytest.raises(ValueError, match=r"jax-1-cpu-1\.json: holds no evidence that can be read"):
        evidence.read(tmp_path)


def test_a_run_observes_what_is_not_kept_and_keeps_it(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write_pair(tmp_path / "own" / name)
    said, rows = verify(tmp_path / "own", "--platform", "cpu", "--evidence")
    (path,) = (tmp_path / "own" / "evidence").iterdir()
    assert f"kept in {path}" in said
    assert len(rows) == 4
    text = path.read_text()
    (run,) = json.loads(text)["runs"]
    assert run["pairs"]["one"]["bad"]["confirmed"] == {"JAX201 raises:TypeError": "stored:6"}
    assert run["pairs"]["one"]["good"]["clean"] == {"JAX201 raises:TypeError": "stored"}
    assert main(["verify", str(tmp_path / "own"), "--platform", "cpu", "--evidence"]) == 0  # at once: nothing runs
    assert path.read_text() == text
    (tmp_path / "own" / "two" / "good.py").write_text(GOOD + "\n")
    said, rows = verify(tmp_path / "own", "--platform", "cpu", "--evidence")
    assert {row["fixture"] for row in rows} == {"two/bad.py", "two/good.py"}
    assert "stale" not in said
    assert path.read_text() != text


def test_a_device_whose_evidence_is_stale_is_named(tmp_path: Path) -> None:
    write_pair(tmp_path / "own" / "one")
    (pair,) = read_pairs(tmp_path / "own")
    found = [replace(record, digest="old") for record in observed("one", pair.bad.digest, EIGHT)]
    keep(tmp_path / "own", *found, named=("one",))
    said, _ = verify(tmp_path / "own", "--platform", "cpu")
    assert "evidence from cpu x 8 (jax 0.10.2) is stale, the fixture has changed: one" in said


@pytest.mark.parametrize("words", [["--drafts"], ["--part", "1/2"]])
def test_half_a_run_is_not_kept(words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("jax")
    write_pair(tmp_path / "one")
    assert main(["verify", str(tmp_path), "--evidence", *words]) == 2
    assert "leave out --drafts and --part" in capsys.readouterr().err


# What is committed.


@pytest.mark.parametrize("count", [1, 8])
@pytest.mark.parametrize("version", measured.versions())
def test_each_measured_jax_has_evidence_of_every_claim(version: str, count: int) -> None:
    pairs = pairs_of_fixtures()
    runs = evidence.read_file(FIXTURES / "evidence" / f"jax-{version}-cpu-{count}.json")
    assert {(run.device.jax, run.device.platform, run.device.device_count) for run in runs} == {(version, "cpu", count)}
    found = [record for run in runs for record in run.records]
    failed = [(record.fixture, record.case, record.line) for record in found if record.status not in records.PROVED]
    assert failed == []
    state = records.kept(pairs, found, "cpu")
    assert state.stale == (), f"these fixtures have changed since: {RENEW}"
    assert state.missing == (), f"these fixtures are not observed: {RENEW}"
    assert {evidence.pair_of(record) for record in found} == {pair.name for pair in pairs}


def test_the_evidence_is_small() -> None:
    assert sum(path.stat().st_size for path in (FIXTURES / "evidence").iterdir()) < 1_000_000
