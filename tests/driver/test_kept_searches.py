"""A search for the callers of a file that showed nothing is not repeated while what it asked is answered alike."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from flake8_jax.analysis import budget
from flake8_jax.analysis.modules import callers
from flake8_jax.driver.live import Live
from flake8_jax.driver.processes import check_files
from flake8_jax.model.config import Config
from flake8_jax.model.report import Report
from tests.support.layouts import tree
from tests.support.reruns import JAX, stored

CONFIG = Config(strict=True, enable=("JAX",))
FILES = {
    "pyproject.toml": "",
    "ops.py": f"""{JAX}

def relu(x):
    if x > 0:
        return x
    return -x


def scaled(x):
    if x.sum() > 1:
        return x / 2
    return x


def apart(x):
    return x + 1
""",
    "use.py": f"""{JAX}from ops import relu, scaled
SIZE = relu(3.0)


def show(x):
    return scaled(jnp.zeros(3))
""",
    "far.py": f"{JAX}import use\n\n\ndef shown():\n    return use.show(1)\n",
}
EDITS = {
    "a body that callers do not run": ("ops.py", "x + 1", "x + 2", False),
    "a comment": ("ops.py", "def apart", "# a note\ndef apart", False),
    "a body that callers do not run, with a hazard": (
        "ops.py", "    return x + 1", "    y = jnp.zeros(3)\n    y[0] = 1\n    return y", False,
    ),
    "a body that callers run": ("ops.py", "return x / 2", "return x / 4", True),
    "what carries": ("ops.py", "    return x + 1", "    return x if x > 1 else -x", True),
    "a signature that callers do not read": ("ops.py", "def apart(x)", "def apart(x, y=1)", False),
    "a signature": ("ops.py", "def scaled(x)", "def scaled(x, y=1)", True),
    "a caller": ("use.py", "relu(3.0)", "jax.jit(relu)(3.0)", True),
    "a caller of a caller": ("far.py", "use.show(1)", "use.show(2)", True),
    "a caller that shows it": ("use.py", "return scaled(jnp.zeros(3))", "return jax.jit(scaled)(x)", True),
    "a new caller": ("new.py", "", f"{JAX}import ops\nstep = jax.jit(ops.relu)\n", True),
}  # fmt: skip
"""What is edited, and whether the callers of `ops.py` are to be searched for again."""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    tree(tmp_path / "project", FILES)
    with stored(tmp_path / "store", monkeypatch):
        yield tmp_path / "project"


@pytest.fixture
def searched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files of which callers were run."""
    found, real = list[str](), callers._follow

    def follow(search: callers.Search, waiting: list[str]) -> None:
        found.append(Path(search.home.path).name)
        real(search, waiting)

    monkeypatch.setattr(callers, "_follow", follow)
    return found


def reports(folder: Path, config: Config = CONFIG) -> list[Report]:
    return list(check_files(sorted(str(path) for path in folder.glob("*.py")), config, 1))


def edited(path: Path, now: str, then: str) -> str:
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    assert text.count(now) == 1 or not text
    text = text.replace(now, then, 1) if text else then
    path.write_text(text, encoding="utf-8")
    return text


READ = f"""{JAX}
{{above}}

def scaled(x):
    return x * SIZE

def captured(x, n):
    {{inside}}
    def inner(y):
        return y * size
    {{below}}
    return jax.tree.map(inner, x)

def apart(x):
    return x + 1
{{end}}
"""
# What a function reads that is traced elsewhere: what stands above, in the other function above and below, and at the
# end; whether it may change, so that the callers that trace it count whenever the file is edited.
READS: dict[str, tuple[str, str, str, str, bool]] = {
    "one constant": ("SIZE = 1", "size = 1", "", "", False),
    "one of two arms": ("if jax.devices():\n    SIZE = 1\nelse:\n    SIZE = 2", "size = 1", "", "", False),
    "an import, or what stands for it": (
        "try:\n    from jax import SIZE\nexcept ImportError:\n    SIZE = 2", "size = 1", "", "", False,
    ),
    "one arm of two, and then another": (
        "if jax.devices():\n    SIZE = 1\n    SIZE = 3\nelse:\n    SIZE = 2", "size = 1", "", "", True,
    ),
    "a turn of a loop": (
        "for n in (1, 2):\n    if n:\n        SIZE = 1\n    else:\n        SIZE = 2", "size = 1", "", "", True,
    ),
    "bound again": ("SIZE = 1", "size = 1", "", "SIZE = 2", True),
    "captured, bound above": ("SIZE = 1", "size = 1\n    if n is None: size = 2", "", "", False),
    "captured, bound below": ("SIZE = 1", "size = 1", "size = 2", "", True),
    "captured, bound in a loop": ("SIZE = 1", "size = 1\n    for n in x: size = n", "", "", True),
}  # fmt: skip


@pytest.mark.parametrize("name", READS)
def test_is_repeated_where_a_trace_may_keep_what_changes(name: str, project: Path, searched: list[str]) -> None:
    above, inside, below, end, is_again = READS[name]
    text = READ.format(above=above, inside=inside, below=below, end=end)
    uses = f"{JAX}import read\nstep, other = jax.jit(read.scaled), jax.jit(read.captured)\nstep(1.0)\nother(1.0, 2)\n"
    tree(project, {"read.py": text, "reading.py": uses})
    reports(project)
    edited(project / "read.py", "x + 1", "x + 2")
    searched.clear()
    found = reports(project)
    assert ("read.py" in searched) == is_again
    assert found == reports(project, replace(CONFIG, no_store=True))


@pytest.mark.parametrize("name", EDITS)
def test_is_repeated_where_an_answer_is_another(name: str, project: Path, searched: list[str]) -> None:
    file, now, then, is_again = EDITS[name]
    reports(project)
    assert "ops.py" in searched
    edited(project / file, now, then)
    searched.clear()
    found = reports(project)
    assert ("ops.py" in searched) == is_again
    assert found == reports(project, replace(CONFIG, no_store=True))
    searched.clear()
    assert reports(project) == found
    assert not searched


@pytest.mark.parametrize("name", EDITS)
def test_is_repeated_in_an_editor(name: str, project: Path, searched: list[str]) -> None:
    file, now, then, is_again = EDITS[name]
    live = Live(CONFIG)
    paths = sorted(map(str, project.glob("*.py")))
    for path in paths:
        live.report(path)
    text = edited(project / file, now, then)
    searched.clear()
    live.saved(str(project / file), text)
    found = [live.report(path).diagnostics for path in paths]
    assert not is_again or "ops.py" in searched
    assert is_again or file != "ops.py" or "ops.py" not in searched
    fresh = Live(CONFIG)
    assert found == [fresh.report(path).diagnostics for path in paths]


def test_one_that_shows_something_is_repeated(project: Path, searched: list[str]) -> None:
    edited(project / "use.py", "relu(3.0)", "jax.jit(relu)(3.0)")
    reports(project)
    edited(project / "ops.py", "x + 1", "x + 2")
    searched.clear()
    assert reports(project) == reports(project, replace(CONFIG, no_store=True))
    assert "ops.py" in searched


def test_a_file_that_waits_for_its_callers_asks_them(project: Path, searched: list[str]) -> None:
    reports(project)
    body = "    x[0] = 1\n    return x"
    edited(project / "ops.py", "def apart(x):\n    return x + 1", f"def apart(x: jax.Array):\n{body}")
    searched.clear()
    found = reports(project)
    assert "ops.py" in searched
    assert [each.code for report in found for each in report.diagnostics] == ["JAX201"]
    assert found == reports(project, replace(CONFIG, no_store=True))


@pytest.mark.parametrize(("free", "is_again"), [(0, False), (3, True), (100, True)])
def test_one_that_ended_at_a_bound(
    free: int, is_again: bool, project: Path, searched: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes the same course under a bound between the same numbers of lines."""
    monkeypatch.setattr(budget, "FOR_CALLERS", budget.Allowance(0, 0))
    first = reports(project)
    assert any("too many importers" in report.statistics.given_up for report in first)
    monkeypatch.setattr(budget, "FOR_CALLERS", budget.Allowance(free, 0))
    edited(project / "ops.py", "x + 1", "x + 2")
    searched.clear()
    found = reports(project)
    assert ("ops.py" in searched) == is_again
    assert found == reports(project, replace(CONFIG, no_store=True))
