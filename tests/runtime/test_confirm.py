"""A project's own tests confirm findings, and end as they do without the plugin."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from flake8_jax.runtime.confirming.lines import TAKEN, LineWatch
from flake8_jax.runtime.confirming.manners import MANNERS, manner_of, reasons, watched
from flake8_jax.runtime.confirming.observations import Observations, contained
from flake8_jax.runtime.confirming.targets import SoughtFinding, targets
from flake8_jax.runtime.confirming.verdicts import MEANINGS, confirmations
from flake8_jax.runtime.phenomena import discover as phenomena
from tests.support.commands import write

PAGE = Path(__file__).parents[2] / "docs" / "confirm.md"

# Behind `#`: what the tests below show of the finding on the line.
CODE = """\
import jax
import jax.numpy as jnp


def twice(key):
    a = jax.random.normal(key)
    return a + jax.random.uniform(key)  # confirmed: key_reuse


@jax.jit
def twice_in_a_trace(key):
    a = jax.random.normal(key)
    return a + jax.random.uniform(key)  # confirmed: key_reuse


@jax.jit
def drawn(key):
    return jax.random.normal(key)


@jax.jit
def drawn_again(key):
    return jax.random.uniform(key)


def in_two_programs(key):
    a = drawn(key)
    return a + drawn_again(key)  # not seen


def draws(key):
    return [
        jax.random.normal(key)  # confirmed: equal_draws
        for _ in range(3)
    ]


@jax.jit
def clipped(x):
    if x > 0:  # confirmed: raises:TracerBoolConversionError
        return x
    return -x


def absolute(x):
    if x > 0:  # not seen
        return x
    return -x


jitted = jax.jit(absolute)


def wide():
    return jnp.zeros(3, dtype=jnp.float64)  # confirmed: truncated


def dropped(x):
    x.at[0].set(1.0)  # not confirmable
    return x


def never(key):
    a = jax.random.normal(key)
    return a + jax.random.uniform(key)  # not reached
"""

TESTS = """\
import jax
import pytest

import noise

KEY = jax.random.PRNGKey(0)


@pytest.mark.parametrize("make", [jax.random.key, jax.random.PRNGKey])
def test_twice(make):
    assert noise.twice(make(0)).shape == ()


def test_twice_in_a_trace():
    assert noise.twice_in_a_trace(KEY).shape == ()


def test_in_two_programs():
    assert noise.in_two_programs(KEY).shape == ()


def test_draws():
    first, *others = noise.draws(KEY)
    assert all(first == other for other in others)


def test_clipped():
    with pytest.raises(jax.errors.TracerBoolConversionError):
        noise.clipped(1.0)


def test_absolute():
    assert noise.absolute(-2.0) == 2.0


def test_wide():
    assert noise.wide().dtype == "float32"


def test_dropped():
    assert noise.dropped(jax.numpy.zeros(2))[0] == 0


def test_failing():
    assert noise.absolute(-2.0) == 3.0


def test_raising():
    noise.clipped(jax.numpy.ones(3))


@pytest.fixture
def broken():
    raise RuntimeError("no such thing")


def test_error(broken):
    pass


@pytest.mark.skip(reason="not today")
def test_skipped():
    pass


@pytest.mark.xfail
def test_expected():
    assert False
"""


@dataclass(frozen=True)
class Session:
    outcomes: dict[str, str]
    status: int
    output: str
    report: Any


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("confirmed")
    write(folder, {"noise.py": CODE, "test_noise.py": TESTS, "pyproject.toml": "[tool.flake8-jax]\nstrict = true\n"})
    return folder


def session(project: Path, *options: str, report: str = "") -> Session:
    chosen = ["-p", "flake8_jax.confirm", "--jax-confirm-report", report] if report else []
    words = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "--junitxml=outcomes.xml", *chosen, *options]
    ran = subprocess.run([sys.executable, *words], cwd=project, capture_output=True, text=True, check=False)
    cases = ElementTree.parse(project / "outcomes.xml").iter("testcase")
    outcomes = {f"{case.get('classname')}.{case.get('name')}": outcome(case) for case in cases}
    written = project / report
    found = json.loads(written.read_text(encoding="utf-8")) if report and written.exists() else None
    return Session(outcomes, ran.returncode, ran.stdout + ran.stderr, found)


def outcome(case: ElementTree.Element) -> str:
    return ", ".join(f"{child.tag}: {child.get('message', '').splitlines()[:1]}" for child in case) or "passed"


@pytest.fixture(scope="module")
def plain(project: Path) -> Session:
    return session(project)


@pytest.fixture(scope="module")
def watched_session(project: Path) -> Session:
    return session(project, report="seen.json")


def expected() -> dict[int, str]:
    numbered = enumerate(CODE.splitlines(), 1)
    return {number: text.partition("  # ")[2] for number, text in numbered if "  # " in text}


def test_each_finding_is_judged_as_its_line_says(watched_session: Session) -> None:
    rows = watched_session.report["diagnostics"]
    said = {
        row["line"]: ": ".join(filter(None, (row["confirmation"]["state"], row["confirmation"]["phenomenon"])))
        for row in rows
        if row["path"].endswith("noise.py") and "test_" not in row["path"]
    }
    assert said == expected()
    counts = watched_session.report["confirmation"]["counts"]
    assert counts == {"confirmed": 5, "not seen": 2, "not reached": 1, "not confirmable": 1}
    assert watched_session.report["confirmation"]["errors"] == {}
    first = next(row["confirmation"] for row in rows if row["line"] == 7)
    assert (first["test"], first["reached_by"]) == ("test_noise.py::test_twice[key]",) * 2
    dropped = next(row["confirmation"] for row in rows if row["confirmation"]["state"] == "not confirmable")
    assert dropped["not_watched"] == {"dead": MANNERS["dead"].reason}
    assert dropped["reached_by"] == "test_noise.py::test_dropped"


def test_tests_end_as_they_do_without(plain: Session, watched_session: Session) -> None:
    assert plain.outcomes == watched_session.outcomes
    assert plain.status == watched_session.status == 1
    assert {each.partition(":")[0] for each in plain.outcomes.values()} == {"passed", "failure", "error", "skipped"}


def test_the_end_of_the_session_says_it_in_short(watched_session: Session) -> None:
    assert "9 findings: 5 confirmed, 2 not seen, 1 not reached, 1 not confirmable" in watched_session.output
    assert re.search(
        r"noise\.py:7:\d+: JAX101 confirmed: key_reuse, in test_noise\.py::test_twice\[key\]", watched_session.output
    )


def test_workers_of_xdist_tell_what_they_saw_and_sarif_has_columns(project: Path, plain: Session) -> None:
    ran = session(project, "-n", "2", report="seen.sarif")
    assert ran.outcomes == plain.outcomes
    (run,) = ran.report["runs"]
    said = {
        result["locations"][0]["physicalLocation"]["region"]["startLine"]: result["properties"]
        for result in run["results"]
    }
    states = {line: one["confirmation"] for line, one in said.items()}
    assert states == {line: text.partition(":")[0] for line, text in expected().items()}
    assert said[7]["confirmationPhenomenon"] == "key_reuse"
    assert said[7]["confirmationTest"].startswith("test_noise.py::test_twice")
    assert run["properties"]["confirmation"]["tests"] == len(plain.outcomes)


def test_keys_of_compiled_code_are_seen_by_callbacks(project: Path, plain: Session) -> None:
    ran = session(project, "--jax-confirm-staged", report="staged.json")
    assert ran.outcomes == plain.outcomes
    states = {row["line"]: row["confirmation"] for row in ran.report["diagnostics"]}
    (line,) = (number for number, text in enumerate(CODE.splitlines(), 1) if "a + drawn_again" in text)
    assert (states[line]["state"], states[line]["test"]) == ("confirmed", "test_noise.py::test_in_two_programs")
    others = {number: one["state"] for number, one in states.items() if number != line}
    assert others == {number: text.partition(":")[0] for number, text in expected().items() if number != line}


def test_what_cannot_be_judged_is_said(project: Path) -> None:
    ran = session(project, "--jax-confirm-check=--no-such-option", "-k", "twice", report="seen.json")
    assert (ran.status, set(ran.outcomes.values())) == (0, {"passed"})
    assert "the project could not be judged: " in ran.output


def test_every_phenomenon_has_its_manner() -> None:
    assert MANNERS.keys() == phenomena().keys()
    assert all(bool(manner.how) != bool(manner.reason) for manner in MANNERS.values())


def test_the_page_has_the_table() -> None:
    shown = dict(re.findall(r"^\| `(\w+)` \| ([^|]+) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE))
    assert shown == {name: (manner.how or f"no: {manner.reason}") for name, manner in MANNERS.items()}
    assert all(meaning in PAGE.read_text(encoding="utf-8") for meaning in MEANINGS.values())


def test_some_of_a_rules_phenomena_may_be_not_watched() -> None:
    claimed = ("raises:ValueError", "buffer_shared", "by inspection: nothing runs")
    assert watched(claimed) == ("raises:ValueError",)
    assert reasons(claimed) == {
        "buffer_shared": MANNERS["buffer_shared"].reason,
        "by inspection: nothing runs": "nothing runs",
    }
    assert manner_of("no_such_thing").how is None


def test_what_a_watcher_raises_is_counted() -> None:
    observations = Observations()
    contained(observations, "keys", lambda: [][0])()
    assert observations.errors == {"keys: IndexError: list index out of range": 1}


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="lines come from sys.monitoring")
def test_another_trace_function_is_left_alone() -> None:
    before, other = sys.gettrace(), lambda frame, event, argument: None
    watch = LineWatch({"a.py": frozenset({1})}, lambda path: False, lambda path, line: None, lambda *given: None)
    sys.settrace(other)
    try:
        reason = watch.start()
        watch.stop()
        kept = sys.gettrace()
    finally:
        sys.settrace(before)
    assert (reason, kept) == (TAKEN, other)


def test_what_does_not_work_here_is_not_confirmable() -> None:
    target = SoughtFinding(0, "a.py", frozenset({1}), "JAX101", ("key_reuse",))
    (found,) = confirmations([target], Observations(blind={"keys": "this JAX has other keys"}))
    assert (found.state, found.not_watched) == ("not confirmable", {"key_reuse": "this JAX has other keys"})


def test_lines_are_those_of_the_statement(tmp_path: Path) -> None:
    text = "@d(\n    1)\ndef f(\n    x,\n):\n    y = [\n        x,\n    ]\n    if (x and\n     y):\n        return\n"
    write(tmp_path, {"a.py": text})
    rows = [{"path": "a.py", "line": line, "code": "JAX101"} for line in (1, 4, 7, 9, 10, 11)]
    found = [sorted(each.lines) for each in targets({"diagnostics": rows}, tmp_path)]
    assert found == [[1, 2, 3, 4, 5], [1, 2, 3, 4, 5], [6, 7, 8], [9, 10], [9, 10], [11]]


def test_observations_of_processes_are_joined() -> None:
    target = SoughtFinding(3, "a.py", frozenset({1}), "JAX101", ("key_reuse",))
    one, two = Observations(tests=1, test="t::a"), Observations(tests=2, test="t::b")
    one.reach([target])
    two.see(target, "key_reuse", {"operations": ["normal"]})
    two.caught("keys", ValueError("x"))
    one.add(json.loads(json.dumps(two.row())))
    assert (one.tests, one.reached, one.errors) == (3, {3: "t::a"}, {"keys: ValueError: x": 1})
    assert one.seen == {3: {"phenomenon": "key_reuse", "test": "t::b", "evidence": {"operations": ["normal"]}}}
