"""Findings of a file of which only comments changed are moved to their lines, and not found anew."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from flake8_jax.analysis import interpretation
from flake8_jax.analysis.interpretation import Findings
from flake8_jax.analysis.modules.files import File
from flake8_jax.driver.processes import check_files
from flake8_jax.model.config import Config
from flake8_jax.model.report import Report
from flake8_jax.syntax.moving import with_lines_moved
from tests.support.layouts import tree
from tests.support.reruns import JAX, stored

CONFIG = Config(strict=True, enable=("JAX",))
TEXT = f"""{JAX}from other import noisy

# what is scaled
SCALE = 3  # of all


def scaled(x):
    # by its size
    if x > 0:
        return x
    return -x


@jax.jit
def step(x):
    y = scaled(x)
    return y


def drawn(key):
    x = jnp.zeros(3)
    x[0] = 1  # stored
    x.at[1].set(2)
    a = jax.random.normal(key)
    b = jax.random.normal(key)
    return a, b, noisy(key)


def last(x):
    return x + 1
"""
FILES = {"pyproject.toml": "", "a.py": TEXT, "other.py": f"{JAX}\ndef noisy(key):\n    return jax.random.normal(key)\n"}
BOTH = {"a.py", "other.py"}  # its callers quote the statement
MOVED: dict[str, tuple[str, str, set[str]]] = {
    "a line of its own at the top": ("import jax\n", "# a note\n\nimport jax\n", set()),
    "among the imports": ("import jax.numpy as jnp\n", "import jax.numpy as jnp  # a note\n", set()),
    "above a statement": ("# what is scaled", "# what is scaled\n# by three\n", set()),
    "an empty line less": ("SCALE = 3  # of all\n\n", "SCALE = 3\n", set()),
    "the words of one": ("# of all", "# of all the rest", set()),
    "above a function with a finding": ("@jax.jit", "# a note\n@jax.jit", set()),
    "below all findings": ("def last(x):\n", "def last(x):\n    # plus one\n", set()),
    "at the end": ("    return x + 1\n", "    return x + 1\n# the end\n", set()),
    "in a function with a finding": ("    # by its size\n", "    # by its\n    # size\n", {"a.py"}),
    "behind a finding": ("# stored", "# stored there", BOTH),
    "one that suppresses a finding": ("# stored", "# jax: ignore[JAX201]", BOTH),
    "one that suppresses nothing": ("# of all", "# jax: ignore[JAX201]", {"a.py"}),
}
"""What is edited, and which files are judged again."""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    tree(tmp_path / "project", FILES)
    with stored(tmp_path / "store", monkeypatch):
        yield tmp_path / "project"


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    found, real = list[str](), interpretation.interpret

    def interpret(file: File) -> Findings:
        found.append(Path(file.path).name)
        return real(file)

    monkeypatch.setattr(interpretation, "interpret", interpret)
    return found


def reports(folder: Path, config: Config = CONFIG) -> list[Report]:
    return list(check_files(sorted(map(str, folder.glob("*.py"))), config, 1))


def rows(found: list[Report]) -> list[str]:
    """All that is said, with notes and fixes, which diagnostics are compared without."""
    return [repr((each, each.fix)) for report in found for each in report.diagnostics]


@pytest.mark.slow
@pytest.mark.parametrize("name", MOVED)
def test_the_comment(name: str, project: Path, judged: list[str]) -> None:
    before, now, again = MOVED[name]
    first = rows(reports(project))
    assert len(first) >= 4
    assert any("Fix(" in row for row in first)
    assert TEXT.count(before) == 1
    (project / "a.py").write_text(TEXT.replace(before, now), encoding="utf-8")
    judged.clear()
    found = reports(project)
    assert {*judged} == again
    anew = reports(project, replace(CONFIG, no_store=True))
    assert rows(found) == rows(anew)
    assert found == anew
    judged.clear()
    assert rows(reports(project)) == rows(anew)
    assert not judged
    (project / "a.py").write_text(f"# again\n\n\n{TEXT.replace(before, now)}", encoding="utf-8")
    assert rows(reports(project)) == rows(reports(project, replace(CONFIG, no_store=True)))


SAID = {
    "`x` is made on line 3": "`x` is made on line 13",
    "lines 3, 4 and 9; use `line 3`": "lines 13, 14 and 19; use `line 3`",
    "jitted on line 3 of `b.py`, called by `f` on line 4": "jitted on line 103 of `b.py`, called by `f` on line 14",
    "jitted on line 3, called on line 4, both in `b.py`, used on line 9": (
        "jitted on line 103, called on line 104, both in `b.py`, used on line 19"
    ),
    "jitted on line 3 of `c.py`": "jitted on line 3 of `c.py`",
    "3 lines, online 3": "3 lines, online 3",
}


@pytest.mark.parametrize("message", SAID)
def test_words(message: str) -> None:
    assert with_lines_moved(message, {"": lambda line: line + 10, "b.py": lambda line: line + 100}) == SAID[message]


STEPS = f"""{JAX}import ops

# how it is compiled
k = jax.jit(ops.f)
"""
ELSEWHERE = {
    "above what is named": ("# how it", "# a note\n\n# how it", set[str]()),
    "behind what is named": ("jax.jit(ops.f)", "jax.jit(ops.f)  # once", {"ops.py"}),
    "a line of code above": ("# how it", "size = 3\n# how it", {"ops.py", "use.py"}),
    "a body above": ("import ops\n", "import ops\n\ndef apart(x):\n    y = x\n    return y\n", {"ops.py", "use.py"}),
}
"""What is edited in a file of which another one's finding names a line, and which files are judged again."""


@pytest.mark.parametrize("name", ELSEWHERE)
def test_a_line_of_another_file(name: str, project: Path, judged: list[str]) -> None:
    before, now, again = ELSEWHERE[name]
    (project / "a.py").unlink()
    ops = f"{JAX}\n\ndef f(x):\n    if x > 0:\n        return x\n    return -x\n"
    tree(project, {"ops.py": ops, "use.py": STEPS})
    first = rows(reports(project))
    assert "is jitted on line 6 of `use.py`" in first[0]
    assert STEPS.count(before) == 1
    (project / "use.py").write_text(STEPS.replace(before, now), encoding="utf-8")
    judged.clear()
    found = rows(reports(project))
    assert {*judged} == again
    assert found == rows(reports(project, replace(CONFIG, no_store=True)))
    assert found != first or name == "behind what is named"
