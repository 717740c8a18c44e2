"""The pipeline: which stages run, in which order findings come, and that nothing ever escapes."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from types import SimpleNamespace

import pytest

from flake8_jax import rules
from flake8_jax.analysis import interpretation
from flake8_jax.driver.linter import lint
from flake8_jax.model.config import Config
from flake8_jax.model.report import Statistics
from flake8_jax.rules.rule import Status
from flake8_jax.syntax.source import NotPython, SourceFile, TooDeep
from flake8_jax.syntax.tests import is_test_file
from tests.support.commands import REUSE, STORE

A = "/nowhere/a.py"


def codes(text: str, config: Config | None = None) -> list[str]:
    return [found.code for found in lint(SourceFile(A, text), config or Config()).diagnostics]


def test_finds() -> None:
    (found,) = lint(SourceFile(A, STORE), Config()).diagnostics
    assert (found.code, found.name, found.path) == ("JAX201", "item-assignment", A)
    assert (found.span.line, found.span.column) == (4, 0)


def test_findings_come_in_order() -> None:
    text = f"{STORE}{REUSE}x[1] = 2.0\n"
    assert codes(text) == ["JAX201", "JAX101", "JAX201"]


def test_statistics() -> None:
    assert lint(SourceFile(A, "x = 1\n"), Config()).statistics == Statistics(files=1)
    total = Statistics()
    for _ in range(2):
        total.add(lint(SourceFile(A, STORE), Config()).statistics)
    assert (total.files, total.analysed) == (2, 2)


@pytest.mark.parametrize(
    ("raised", "reason", "line"),
    [
        (RecursionError("deep"), "nested too deeply", 1),
        (MemoryError(), "out of memory", 1),
        (TooDeep("nested 400 deep"), "nested 400 deep", 1),
        (NotPython(7, "invalid syntax"), "invalid syntax", 7),
        (KeyError("x"), "a defect of flake8-jax (KeyError: 'x')", 1),
        (ValueError("two\nlines"), "a defect of flake8-jax (ValueError: two lines)", 1),
    ],
)
def test_never_raises(monkeypatch: pytest.MonkeyPatch, raised: Exception, reason: str, line: int) -> None:
    def interpret(*_: object) -> None:
        raise raised

    monkeypatch.setattr(interpretation, "interpret", interpret)
    report = lint(SourceFile(A, STORE), Config())
    (found,) = report.diagnostics
    assert (found.code, found.message) == ("JAX000", f"could not be analysed: {reason}")
    assert found.span.line == line
    assert report.given_up
    assert report.statistics.given_up == Counter(["the whole file"])


@pytest.mark.parametrize(
    ("status", "config", "shown"),
    [
        ("on", Config(), True),
        ("strict", Config(), False),
        ("strict", Config(strict=True), True),
        ("strict", Config(enable=("JAX201",)), True),
        ("off", Config(strict=True), False),
        ("off", Config(enable=("JAX1",)), False),
        ("off", Config(enable=("JAX1", "JAX2")), True),
    ],
)
def test_status(monkeypatch: pytest.MonkeyPatch, status: Status, config: Config, shown: bool) -> None:
    changed = tuple(replace(found, rule=replace(found.rule, status=status)) for found in rules.discover())
    monkeypatch.setattr(rules, "discover", lambda: changed)
    assert codes(STORE, config) == (["JAX201"] if shown else [])


def test_own_comments_are_applied_here_and_noqa_is_not() -> None:
    text = STORE.replace("= 1.0", "= 1.0  # jax: ignore[JAX201]")
    assert codes(text) == []
    assert codes(text, Config(disable_noqa=True)) == ["JAX201"]
    assert codes(STORE.replace("= 1.0", "= 1.0  # noqa")) == ["JAX201"]


def test_each_rule_gets_the_events_of_its_kind_once(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[object] = []
    real = rules.discover()
    spies = tuple(replace(found, check=lambda event, report: seen.append(event)) for found in real)
    monkeypatch.setattr(rules, "discover", lambda: spies)
    lint(SourceFile(A, STORE), Config())
    judges = [found for found in real if found.event.__name__ == "ItemStored"]
    assert len(seen) == len(judges)


def test_a_file_that_cannot_concern_jax_is_not_looked_at() -> None:
    source = SimpleNamespace(path=A, text="", concerns_jax=lambda: False)
    assert lint(source, Config()).diagnostics == ()  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["", "(b): int = 2\n"])
def test_where_a_finding_stands_that_libcst_cannot_see(name: str) -> None:
    text = f"import jax\ndef f(key):\n    a = jax.random.normal(key)\n    {name}    return jax.random.normal(key)\n"
    text = text.replace(" " * 8, " " * 4)
    (found,) = lint(SourceFile(A, text), Config()).diagnostics
    last = text.count("\n")
    assert (found.code, found.span.line, found.span.column) == ("JAX101", last, 29)


@pytest.mark.parametrize(
    ("path", "is_test"),
    [
        ("pkg/model.py", False), ("pkg/latest.py", False), ("pkg/contest/run.py", False), ("tests/model.py", True),
        ("test_model.py", True), ("pkg/model_test.py", True), ("conftest.py", True), ("benchmarks/run.py", True),
        ("pkg/attention_benchmarks.py", True), ("bench_model.py", True), ("pkg/workbench.py", False),
    ],
)  # fmt: skip
def test_files_that_count_as_tests(path: str, is_test: bool) -> None:
    assert is_test_file(path) is is_test


REUSED = "import jax\n{head}    key = jax.random.key(0)\n    return jax.random.normal(key), jax.random.uniform(key)\n"


@pytest.mark.parametrize(
    ("head", "codes"),
    [
        ("def test_it():\n", []), ("@jax.jit\ndef test_it():\n", []), ("def testing():\n", ["JAX101"]),
        ("def it():\n", ["JAX101"]), ("class Speed(absltest.TestCase):\n  def f(self):\n", []),
    ],
)  # fmt: skip
def test_functions_that_are_tests_are_so_in_any_file(head: str, codes: list[str]) -> None:
    assert [found.code for found in lint(SourceFile(A, REUSED.format(head=head)), Config()).diagnostics] == codes
    everything = lint(SourceFile(A, REUSED.format(head=head)), Config(tests=True)).diagnostics
    assert [found.code for found in everything] == ["JAX101"]


def test_one_thing_is_said_once_on_a_line() -> None:
    text = "import jax, jax.numpy as jnp\n@jax.jit\ndef f(x, y, a):\n    return [x[a > 0], y[a > 0]], x[y > 0]\n"
    said = lint(SourceFile("masks.py", text), Config(no_store=True)).diagnostics
    assert [(one.code, one.span.line) for one in said] == [("JAX411", 4)] * 2
    assert len({one.message for one in said}) == 2
