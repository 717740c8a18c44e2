"""Files that nobody imports are judged last, and what is known of them is let go when they are judged."""

from __future__ import annotations

import gc
import os
from collections import Counter
from itertools import permutations
from pathlib import Path

import pytest

from flake8_jax.analysis.callables import FunctionValue
from flake8_jax.analysis.modules.files import File
from flake8_jax.analysis.record import Record
from flake8_jax.driver import checking, processes
from flake8_jax.driver import projects as kept
from flake8_jax.driver.live import Live
from flake8_jax.driver.processes import check_files
from flake8_jax.driver.projects import Projects
from flake8_jax.model.config import Config
from flake8_jax.model.report import Report
from tests.support.bindings import ROOT
from tests.support.layouts import tree

pytestmark = pytest.mark.usefixtures("only_new_is_collected")

CONFIG = Config(no_store=True)
HUB = """\
import jax


def applied(f, x):
    return f(x)


class Layer:
    def __call__(self, x):
        if x > 0:
            return x
        return -x
"""
USER = """\
import jax
import jax.numpy as jnp
from hub import Layer, applied


class Own{0}(Layer):
    def scale(self, x):
        return x * {0}


def positive{0}(x):
    if x.sum() > {0}:
        return x
    return -x


@jax.jit
def step{0}(x):
    return applied(positive{0}, x) + applied(Own{0}().scale, x)


new = step{0}(jnp.ones(3)) + jax.jit(Layer())(jnp.ones(()))
"""
FILES = {**ROOT, "hub.py": HUB} | {f"a{number}.py": USER.format(number) for number in range(4)}


def rows(reports: list[Report]) -> list[tuple[str, int, str, str]]:
    """What is found in each file."""
    return sorted((d.path, d.span.line, d.code, d.message) for report in reports for d in report.diagnostics)


def test_what_others_import_is_judged_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree(tmp_path, FILES)
    paths, judged = sorted(map(os.fspath, tmp_path.glob("*.py"))), list[str]()
    check = checking.check_file

    def noted(path: str, config: Config, projects: Projects | None = None) -> Report:
        judged.append(os.path.basename(path))
        return check(path, config, projects)

    monkeypatch.setattr(checking, "check_file", noted)
    reports = list(check_files(paths, CONFIG, 1))
    assert judged == ["hub.py", "a0.py", "a1.py", "a2.py", "a3.py"]
    assert [one.diagnostics[0].path for one in reports if one.diagnostics] == paths, "each in its place"


@pytest.mark.parametrize("most", [0, 60])
def test_nothing_is_left_of_them_and_the_findings_are_the_same(
    most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree(tmp_path, FILES)
    paths = sorted(map(os.fspath, tmp_path.glob("*.py")))
    whole = rows(list(check_files(paths, CONFIG, 1)))
    assert {code for _, _, code, _ in whole} == {"JAX401"}
    assert len(whole) == 5
    monkeypatch.setattr(kept, "MOST_ENDED", most)
    made: list[Projects] = []

    class Kept(Projects):
        def __init__(self, config: Config, paths: list[str]) -> None:
            super().__init__(config, paths)
            made.append(self)

    monkeypatch.setattr(processes, "Projects", Kept)
    gc.unfreeze()
    assert rows(list(check_files(paths, CONFIG, 1))) == whole
    [linked] = made[0]._linked.values()
    gc.unfreeze()
    gc.collect()
    left = [one for one in gc.get_objects() if type(one) is File and one.linked is linked]
    names = {os.path.basename(one.path) for one in left}
    assert names == ({"hub.py"} if most == 0 else {"a3.py", "hub.py"})
    known = [one for one in gc.get_objects() if type(one) is FunctionValue and one.frame.program is linked.program]
    assert {os.path.basename(one.frame.namespace.file.path) for one in known} == names


@pytest.mark.slow
def test_in_every_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree(tmp_path, FILES)
    paths = sorted(map(os.fspath, tmp_path.glob("*.py")))
    whole = rows(list(check_files(paths, CONFIG, 1)))
    monkeypatch.setattr(kept, "MOST_ENDED", 0)
    for order in list(permutations(paths))[::7]:
        projects, reports = Projects(CONFIG, order), []
        for path in order:
            reports.append(checking.check_file(path, CONFIG, projects))
            projects.end(path)
        assert rows(reports) == whole


def held() -> Counter[type]:
    """How many objects of the analysis there are, of the kinds that hold others."""
    gc.collect()
    return Counter(type(one) for one in gc.get_objects() if type(one) in (File, FunctionValue, Record))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hub.py", "a1.py"])
def test_an_editor_holds_as_much_after_many_edits_as_after_few(name: str, tmp_path: Path) -> None:
    tree(tmp_path, FILES)
    live, path, counts = Live(CONFIG), os.fspath(tmp_path / name), []
    for each in sorted(tmp_path.glob("*.py")):
        live.report(os.fspath(each))
    for number in range(12):
        assert live.tried(path, FILES[name] + f"\n\ndef added(x):\n    return x + {number}\n").given_up is None
        for each in sorted(tmp_path.glob("a*.py")):
            live.report(os.fspath(each))
        counts.append(held())
    assert counts[-1] == counts[3]
    for number in range(8):
        changed = FILES[name].replace("return -x", f"return -x * {number}")
        assert live.tried(path, changed).diagnostics
        for each in sorted(tmp_path.glob("a*.py")):
            live.report(os.fspath(each))
        counts.append(held())
    assert counts[-1] == counts[-4]
