"""`flake8-jax verify`, from its command line: what it proves, what it refutes, and what it says where it cannot."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from flake8_jax.driver.cli.main import main
from flake8_jax.rules import discover
from flake8_jax.runtime import records
from flake8_jax.runtime.claims import Pair, read_pairs
from flake8_jax.runtime.outcome import table
from flake8_jax.runtime.plan import Job, plan
from flake8_jax.runtime.records import Device, ObservationRecord
from flake8_jax.runtime.rewritten import with_remedies
from flake8_jax.runtime.verify import Settings, observe
from tests.runtime.verifying import BAD, GOOD, JOBS, pairs_of_fixtures, taken, verify, write_pair
from tests.support import slices
from tests.support.expectations import FIXTURES

NO_GPU = "nothing is known from a gpu: none was reached, and no evidence of one is kept"


def test_a_claim_is_confirmed_its_twin_is_clean_and_both_are_recorded(tmp_path: Path) -> None:
    write_pair(tmp_path / "own" / "stores")
    said, (bad, good) = verify(tmp_path / "own", "--platform", "cpu")
    assert "JAX201 item-assignment  1 confirmed, 1 good clean" in said
    assert [line for line in said.splitlines() if "a gpu" in line] == [NO_GPU]
    assert said.splitlines()[-1].startswith("1 pair, 2 cases, 2 observations in ")
    assert (bad["fixture"], bad["case"], bad["line"], bad["code"]) == ("stores/bad.py", "stored", 6, "JAX201")
    assert (bad["phenomenon"], bad["expected"], bad["observed"]) == ("raises:TypeError", True, True)
    assert (good["fixture"], good["line"], good["expected"], good["observed"]) == ("stores/good.py", None, False, False)
    assert [row["status"] for row in (bad, good)] == ["confirmed", "clean"]
    assert bad["evidence"]["class"] == "TypeError"
    assert (bad["platform"], bad["device_count"], bad["schema"]) == ("cpu", 1, records.SCHEMA)
    assert {"digest", "device_kind", "jax", "jaxlib", "python", "ms"} <= bad.keys()


def test_the_example_of_the_documentation_is_proved_as_shown(tmp_path: Path) -> None:
    page = (FIXTURES.parent / "docs" / "verify.md").read_text(encoding="utf-8")
    bad, good = (re.search(rf"```python pair {role}\n(.*?)```", page, re.DOTALL) for role in ("bad", "good"))
    shown = re.search(r"```text\n(.*?)```", page, re.DOTALL)
    assert bad
    assert good
    assert shown
    write_pair(tmp_path / "own" / "branches", bad[1], good[1])
    said, _ = verify(tmp_path / "own", "--platform", "cpu", in_new_process=True)
    version = re.compile(r"jax [\d.]+")
    assert version.sub("jax", shown[1]) in version.sub("jax", said)


def aspects(job: Job) -> list[str]:
    """What a job shows: its groups of rules, and each phenomenon in a good or a bad case."""
    return [*{question.code[:4] for question in job.questions}, *shown_by(job)]


def shown_by(job: Job) -> list[str]:
    """Each phenomenon of a job, in a good or a bad case."""
    return [f"{job.role} {question.phenomenon}" for question in job.questions]


def sorts_of(job: Job) -> list[str]:
    """Each sort of phenomenon that a bad case of a job shows."""
    return [question.phenomenon.partition(":")[0] for question in job.questions if job.role == "bad"]


@slices.sliced
def test_claims_of_the_fixtures_are_proved() -> None:
    """What all of them showed is kept for each JAX, and must be of the files as they are (`test_evidence.py`)."""
    pytest.importorskip("jax")
    pairs = pairs_of_fixtures()
    whole = plan(pairs, {found.rule.code: found.rule.phenomena for found in discover()})
    assert [flaw.reason for flaw in whole.flaws if not flaw.inspected] == []
    jobs = taken(whole.jobs, aspects, daily=100, most=40)
    if slices.asked() is not slices.Slice.GATING:
        jobs = with_remedies(jobs, pairs)
    seen = observe(jobs, Settings(("cpu",), jobs=JOBS), lambda *_: None)
    assert [record for record in seen if record.status not in records.PROVED] == []
    assert {record.fixture for record in seen} == {job.fixture for job in jobs}
    assert len(seen) >= sum(len(job.questions) for job in jobs)
    proved = {(record.fixture, record.line) for record in seen if record.status in ("confirmed", "differs")}
    claimed = {(job.fixture, question.line) for job in jobs if job.role == "bad" for question in job.questions}
    assert claimed - proved == set()


@slices.sliced
def test_claims_are_proved_on_eight_devices() -> None:
    pytest.importorskip("jax")
    hazards = {found.rule.code: found.rule.phenomena for found in discover()}
    jobs = taken(plan(pairs_of_fixtures(), hazards).jobs, sorts_of, daily=30)
    seen = observe(jobs, Settings(("cpu",), devices=8, jobs=JOBS), lambda *_: None)
    assert {record.device.device_count for record in seen} == {8}
    assert {record.fixture for record in seen} == {job.fixture for job in jobs}
    assert len(seen) >= sum(len(job.questions) for job in jobs)
    assert [record for record in seen if record.status not in records.PROVED] == []
    assert len([record for record in seen if record.status == "confirmed"]) > len(jobs) / 4


def test_the_cpu_is_split_into_devices(tmp_path: Path) -> None:
    case = "import jax\nimport jax.numpy as jnp\ndef stored():\n    x = jnp.zeros(jax.device_count())\n"
    bad = case + "    assert len(x) == 8\n    x[0] = 1  # JAX201: is assigned\n"
    write_pair(tmp_path / "own" / "stores", bad, case + "    assert len(x) == 8\n")
    said, rows = verify(tmp_path / "own", "--devices", "8", "--platform", "cpu")
    assert "cpu x 8" in said
    assert {row["device_count"] for row in rows} == {8}


MARK = "  # JAX201: `x[0]` is assigned"
REFUTED = {
    "another line": (BAD.replace(MARK, "").replace("return x", f"return x{MARK}"), GOOD, "seen on lines 6"),
    "nothing happens": (GOOD.replace("set(1.0)", "set(1.0)  # JAX201: `x[0]` is assigned"), GOOD, "seen nowhere"),
    "the good one does it too": (BAD, BAD.partition("  # JAX201")[0] + "\n    return x\n", "raised TypeError"),
    "no rule": (BAD.replace("JAX201", "JAX299"), GOOD, "there is no rule JAX299"),
    "not what the linter says": (BAD.replace("is assigned", "is deleted"), GOOD, "the linter does not say"),
    "found, and not claimed": (BAD.replace("    return", "    del x[0]\n    return"), GOOD, "and nobody claims"),
}  # fmt: skip


@pytest.fixture(scope="module")
def refuted(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, list[dict[str, Any]]]]:
    """What one run says of each wrong claim, and its records."""
    folder = tmp_path_factory.mktemp("refuted") / "own"
    homes = {name: name.replace(" ", "_") for name in REFUTED}
    for name, home in homes.items():
        write_pair(folder / home, *REFUTED[name][:2])
    said, rows = verify(folder, "--platform", "cpu", code=1)
    return {
        name: (
            "\n".join(line for line in said.splitlines() if line.startswith(f"{home}/")),
            [row for row in rows if row["fixture"].startswith(f"{home}/")],
        )
        for name, home in homes.items()
    }


@pytest.mark.parametrize("name", REFUTED)
def test_a_wrong_claim_fails_and_says_what_was_seen(
    name: str, refuted: dict[str, tuple[str, list[dict[str, Any]]]]
) -> None:
    said, rows = refuted[name]
    assert REFUTED[name][2] in said
    assert {row["status"] for row in rows} & records.FAILED


UNREADABLE = {
    "a mark without a colon": (BAD.replace(MARK, "  # JAX201"), "own/stores/bad.py:6: `# JAX201` is not written as"),
    "no mark at all": (BAD.replace(MARK, ""), "own/stores/bad.py:1: no line is marked with what is expected there"),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_fixture_that_claims_nothing_is_not_proved(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("jax")
    bad, reason = UNREADABLE[name]
    write_pair(tmp_path / "own" / "whole")
    write_pair(tmp_path / "own" / "stores", bad)
    assert main(["verify", str(tmp_path / "own"), "--platform", "cpu"]) == 2
    assert reason in capsys.readouterr().err


ISOLATED = (
    "import jax\nimport jax.numpy as jnp\n"
    'def module_wide():\n    jax.config.update("jax_enable_x64", True)\n    x = jnp.zeros(3)\n'
    "    assert x.dtype == jnp.float64\n    x[0] = 1  # JAX201: is assigned\n"
    'def wide():  # verify: isolate\n    jax.config.update("jax_enable_x64", True)\n    x = jnp.zeros(3)\n'
    "    x[0] = 1  # JAX201: is assigned\n"
    "def narrow():\n    x = jnp.zeros(3)\n    assert x.dtype == jnp.float32\n    x[0] = 1  # JAX201: is assigned\n"
)
NOISE = (
    "import jax\nimport jax.numpy as jnp\n"
    "KEY = jax.random.key(0)\nNOISE = jax.random.normal(KEY)\n"
    "MORE = jax.random.uniform(KEY)  # JAX101: `KEY` is used again\n"
    "def noise():\n    return NOISE, MORE\n"
    "def stored():\n    x = jnp.zeros(3)\n    x[0] = MORE  # JAX201: is assigned\n    return x\n"
)
SEPARATE = NOISE.replace("uniform(KEY)  # JAX101: `KEY` is used again", "uniform(jax.random.key(1))").replace(
    "x[0] = MORE  # JAX201: is assigned", "x = x.at[0].set(MORE)"
)


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, list[dict[str, Any]]]:
    """One run that asks for some pairs of a folder: the folder, what is said, and the records."""
    folder = tmp_path_factory.mktemp("asked") / "own"
    write_pair(folder / "isolated", ISOLATED, "\n".join(s for s in ISOLATED.splitlines() if "JAX201" not in s) + "\n")
    write_pair(folder / "noise", NOISE, SEPARATE)
    write_broken(folder / "broken", "import nolib\n", "    nolib.f()\n")
    write_pair(folder / "stores", BAD.replace(MARK, ""))
    (folder / "half").mkdir()
    (folder / "half" / "bad.py").write_text("x = = 1\n", encoding="utf-8")
    only = [word for name in ("isolated", "noise", "broken") for word in ("--only", name)]
    return folder, *verify(folder, "--platform", "cpu", "--drafts", *only)


def rows_of(name: str, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The records of one pair."""
    return [row for row in rows if row["fixture"].startswith(f"{name}/")]


def test_a_pair_that_was_not_asked_for_is_not_read(
    asked: tuple[Path, str, list[dict[str, Any]]], capsys: pytest.CaptureFixture[str]
) -> None:
    folder, _, rows = asked
    assert {row["fixture"].partition("/")[0] for row in rows} == {"isolated", "noise", "broken", "broken-whole"}
    assert main(["verify", str(folder), "--platform", "cpu", "--only", "noise", "--only", "half"]) == 2
    assert "half has no good.py" in capsys.readouterr().err
    assert main(["verify", str(folder), "--only", "nothing"]) == 2
    assert "is named like nothing" in capsys.readouterr().err


CANNOT = {
    "the process dies": ("import os\n", "    os.kill(os.getpid(), 9)\n", "the worker died with status -9"),
    "the case never ends": (
        "import signal, time\n",
        "    assert 0 < signal.setitimer(signal.ITIMER_REAL, 0.1)[0] <= 60  # its time is up\n    time.sleep(600)\n",
        "the case ran for more than 60 s",
    ),
    "the case fails before the line": ("", "    missing_name\n", "raised NameError"),
    "the case exits": ("import sys\n", "    sys.exit(3)\n", "raised SystemExit: 3"),
}  # fmt: skip


def write_broken(home: Path, head: str, line: str) -> None:
    """A pair whose cases cannot be judged, beside one whose can."""
    first = "def stored():\n"
    write_pair(home, head + BAD.replace(first, first + line), head + GOOD.replace(first, first + line))
    write_pair(home.parent / f"{home.name}-whole")


def whole(rows: list[dict[str, Any]], name: str) -> list[str]:
    """What came of the pair beside a broken one."""
    return [row["status"] for row in rows if row["fixture"].startswith(f"{name}-whole/")]


def test_cases_that_cannot_be_judged_say_so_and_the_others_go_on(tmp_path: Path) -> None:
    for name, (head, line, _) in CANNOT.items():
        write_broken(tmp_path / "own" / name.replace(" ", "_"), head, line)
    said, rows = verify(tmp_path / "own", "--platform", "cpu", "--seconds", "60", "--drafts", code=1)
    for name, (_, _, reason) in CANNOT.items():
        home = name.replace(" ", "_")
        assert [line for line in said.splitlines() if line.startswith(f"{home}/") and reason in line], name
        assert {row["status"] for row in rows if row["fixture"].startswith(f"{home}/")} & records.FAILED, name
        assert whole(rows, home) == ["confirmed", "clean"]


def test_a_case_whose_library_is_missing_is_skipped_and_the_others_go_on(
    asked: tuple[Path, str, list[dict[str, Any]]],
) -> None:
    _, said, rows = asked
    assert "skipped on cpu: 2: nolib is not installed" in said
    assert whole(rows, "broken") == ["confirmed", "clean"]


def test_a_platform_that_is_not_there_is_skipped_by_name_or_fails_if_required(tmp_path: Path) -> None:
    """Nor is a fallback to the CPU taken for a GPU: JAX itself falls back in silence."""
    write_pair(tmp_path / "own" / "stores")
    said, rows = verify(tmp_path / "own", "--platform", "tpu", "--platform", "gpu", "--platform", "cpu")
    assert "skipped on tpu: 2: requested tpu, got nothing: stores/bad stored, stores/good stored" in said
    of = {name: sorted(row["status"] for row in rows if row["platform"] == name) for name in ("cpu", "tpu", "gpu")}
    assert (of["cpu"], of["tpu"]) == (["clean", "confirmed"], ["skipped", "skipped"])
    assert of["gpu"] in (["skipped", "skipped"], ["clean", "confirmed"])
    if of["gpu"] == ["skipped", "skipped"]:
        assert "skipped on gpu: 2: requested gpu, got" in said
    said, _ = verify(tmp_path / "own", "--require", "tpu", "--platform", "cpu", code=1)
    assert "required, and not reached: tpu" in said


def test_isolated_and_import_time_cases_leave_the_others_alone(asked: tuple[Path, str, list[dict[str, Any]]]) -> None:
    statuses = sorted(row["status"] for row in rows_of("isolated", asked[2]))
    assert statuses == ["clean"] * 3 + ["confirmed"] * 3


def test_a_claim_at_module_level_is_proved_by_a_case_that_reads_what_is_assigned(
    asked: tuple[Path, str, list[dict[str, Any]]],
) -> None:
    rows = rows_of("noise", asked[2])
    found = {(row["line"], row["status"]) for row in rows if row["fixture"] == "noise/bad.py"}
    assert found == {(5, "confirmed"), (10, "confirmed")}
    clean = {(row["case"], row["code"]) for row in rows if row["status"] == "clean"}
    assert clean == {("noise", "JAX101"), ("stored", "JAX101"), ("stored", "JAX201")}


HEAD = "import jax\nimport jax.numpy as jnp\ndef summed():\n"
LOOP = "    return jax.lax.fori_loop(0, n, body, s)"
RETURNS = "        x + i  # JAX910 raises:TypeError: no return\n", "        return x + i\n"
CAUSES: dict[str, tuple[str, str, dict[int, str]]] = {
    "an innocent line that the twin changes too": (
        f"    n = 3  # JAX910 raises:TypeError: x\n    s = 0\n    def body(i, x):\n{RETURNS[0]}{LOOP}\n",
        f"    n = 4\n    s = 0\n    def body(i, x):\n{RETURNS[1]}{LOOP}\n",
        {4: "refuted", 7: "confirmed"},
    ),
    "the line that raises is marked, it owns the exception": (
        f"    n, s = 3, 0\n    def body(i, x):\n{RETURNS[0]}    n = abs(n)\n{LOOP}  # JAX910 raises:TypeError: x\n",
        f"    n, s = 3, 0\n    def body(i, x):\n{RETURNS[1]}    n = abs(n)\n{LOOP}\n",
        {6: "refuted", 8: "confirmed"},
    ),
    "another exception in place of this one": (
        f"    n = 3  # JAX910 raises:TypeError: x\n    s = 0\n    def body(i, x):\n        x + i\n{LOOP}\n",
        f"    s = 0\n    def body(i, x):\n        x + i\n{LOOP}\n",
        {4: "refuted"},
    ),
    "an exception of another class": (
        f"    n, s = 3, 0\n    def body(i, x):\n{RETURNS[0].replace('TypeError', 'ValueError')}{LOOP}\n",
        f"    n, s = 3, 0\n    def body(i, x):\n{RETURNS[1]}{LOOP}\n",
        {6: "refuted"},
    ),
    "the twin differs on other lines": (
        f"    n, s = 3, 0  # JAX910 raises:TypeError: x\n    def body(i, x):\n        x + i\n{LOOP}\n",
        f"    n, s = 3, 0\n    def body(i, x):\n        return x + i\n{LOOP}\n",
        {3: "error", 4: "refuted"},
    ),
}


@pytest.fixture(scope="module")
def caused(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """The records of one run of all."""
    folder = tmp_path_factory.mktemp("causes") / "own"
    for name, (bad, good, _) in CAUSES.items():
        write_pair(folder / name.replace(" ", "_"), HEAD + bad, HEAD + good)
    return verify(folder, "--platform", "cpu", "--drafts", code=1)[1]


@pytest.mark.parametrize("name", CAUSES)
def test_the_cause_of_an_exception_is_the_line_without_which_it_goes(name: str, caused: list[dict[str, Any]]) -> None:
    bad, _, statuses = CAUSES[name]
    rows = [row for row in caused if row["fixture"] == f"{name.replace(' ', '_')}/bad.py"]
    assert {row["line"]: row["status"] for row in rows} == statuses
    causes = {row["line"]: row["evidence"].get("cause") for row in rows if row["status"] == "confirmed"}
    raising = (HEAD + bad).splitlines().index(next(line for line in bad.splitlines() if LOOP in line)) + 1
    said = f"raised on line {raising}, and not when this line alone is repaired"
    assert causes == {line: None if line == raising else said for line in causes}


@pytest.mark.parametrize(
    ("arguments", "reason"),
    {
        ("nowhere",): "nowhere is no folder",
        (".",): ". holds no pair of bad.py and good.py",
        (".", "--part", "3/2"): "argument --part: '3/2' is not K/N, such as 1/6",
        (".", "--devices", "0"): "argument --devices: '0' is not a number from 1",
    }.items(),
)
def test_a_wrong_use_is_one_clear_line(arguments: tuple[str, ...], reason: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "flake8_jax", "verify", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 2
    assert reason in done.stderr.splitlines()[-1]


def test_without_jax_one_line_says_what_to_install(tmp_path: Path) -> None:
    program = (
        "import sys, importlib.abc\n"
        "class Hidden(importlib.abc.MetaPathFinder):\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.split('.')[0] in ('jax', 'jaxlib'): raise ModuleNotFoundError(name)\n"
        "import importlib.util\n"
        "real = importlib.util.find_spec\n"
        "importlib.util.find_spec = lambda name, *rest: None if name == 'jax' else real(name, *rest)\n"
        "sys.meta_path.insert(0, Hidden())\n"
        "from flake8_jax.driver.cli.main import main\n"
        "sys.exit(main(['verify', sys.argv[1]]))\n"
    )
    done = subprocess.run([sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith("flake8-jax: error: verify runs the fixtures with JAX, which is not installed here")
    assert line.endswith('pip install "flake8-jax[runtime]"')


# The records.

DEVICE = Device("gpu", "NVIDIA H200", 1, "0.10.2", "0.10.2", "3.11.7")


def kept_records(pair: Pair) -> list[ObservationRecord]:
    """What a whole run on a GPU would have left for a pair."""
    blank = ObservationRecord("", "", "", None, "JAX201", "raises:TypeError", True, True, "confirmed", {}, DEVICE)
    bad = [
        replace(blank, fixture=f"{pair.name}/bad.py", digest=pair.bad.digest, line=claim.line, case="stored")
        for claim in pair.bad.expectations
    ]
    good = [
        replace(blank, fixture=f"{pair.name}/good.py", digest=pair.good.digest, case=case.name, status="clean")
        for case in pair.good.cases
    ]
    return bad + good


def test_records_survive_the_file(tmp_path: Path) -> None:
    write_pair(tmp_path / "own" / "stores")
    (pair,) = read_pairs(tmp_path / "own")
    found = kept_records(pair)
    records.write(found, tmp_path / "a" / "b.jsonl")
    assert records.read(tmp_path / "a" / "b.jsonl") == found
    (tmp_path / "a" / "b.jsonl").write_text('{"schema": 99}\n')
    with pytest.raises(ValueError, match=r"b.jsonl:1: no record of schema"):
        records.read(tmp_path / "a" / "b.jsonl")


def test_evidence_speaks_for_the_file_it_was_made_of_and_only_if_whole(tmp_path: Path) -> None:
    home = write_pair(tmp_path / "own" / "stores")
    (pair,) = read_pairs(tmp_path / "own")
    found = kept_records(pair)
    assert records.kept([pair], found, "gpu").proved == ("stores",)
    assert records.kept([pair], found, "tpu").missing == ("stores",)
    for without in range(len(found)):
        assert records.kept([pair], found[:without] + found[without + 1 :], "gpu").missing == ("stores",)
    assert records.kept([pair], [replace(found[0], status="refuted"), *found[1:]], "gpu").missing == ("stores",)
    (home / "good.py").write_text(GOOD + "\n\ndef more(): ...\n")
    assert records.kept(read_pairs(tmp_path / "own"), found, "gpu").stale == ("stores",)


def test_kept_evidence_is_read_beside_the_pairs_and_stale_evidence_is_named(tmp_path: Path) -> None:
    home = write_pair(tmp_path / "own" / "stores")
    write_pair(tmp_path / "own" / "as_it_was")
    kept = [record for pair in read_pairs(tmp_path / "own") for record in kept_records(pair)]
    records.write(kept, tmp_path / "own" / "evidence" / "gpu.jsonl")
    (home / "good.py").write_text(GOOD + "\n")
    said, _ = verify(tmp_path / "own", "--platform", "cpu")
    assert [line for line in said.splitlines() if "evidence from a gpu" in line] == [
        "evidence from a gpu is stale, the fixture has changed: stores"
    ]
    (tmp_path / "own" / "evidence" / "gpu.jsonl").write_text("{}\n")
    command = [sys.executable, "-m", "flake8_jax", "verify", str(tmp_path / "own")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "gpu.jsonl:1: no record of schema" in done.stderr


def test_the_table_names_every_status() -> None:
    assert set(table.ORDER) == set(table.WORDS) == {*records.PROVED, *records.FAILED, "skipped"}
