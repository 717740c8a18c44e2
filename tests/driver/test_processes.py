"""Files dealt out to processes: a parent and its forks, projects apart, the same reports in the order of the paths."""

from __future__ import annotations

from pathlib import Path

import pytest

from flake8_jax.driver import processes, scheduling
from flake8_jax.driver.processes import check_files
from flake8_jax.driver.projects import Projects
from flake8_jax.driver.scheduling import first_and_rest
from tests.support.bindings import APART, ROOT
from tests.support.layouts import tree

USES = "import jax\nimport ops\nk = jax.jit(ops.f)\n"
FILES = {
    **ROOT,
    "ops.py": "def f(x):\n    if x > 0:\n        return x\n    return -x\n",
    "low.py": "import jax\nZERO = jax.numpy.zeros(3)\n",
    "mid.py": USES + "from low import ZERO\nZERO[0] = 1\n",
    **{f"use{number}.py": USES + "import low\n" * (number % 2) for number in range(6)},
}


@pytest.fixture
def paths(tmp_path: Path) -> list[str]:
    tree(tmp_path / "one", FILES)
    return [str(tmp_path / "one" / name) for name in sorted(FILES) if name.endswith(".py")]


def said(paths: list[str], jobs: int) -> list[tuple[str, list[str]]]:
    reports = list(check_files(paths, APART, jobs))
    return [(path, [str(found) for found in report.diagnostics]) for path, report in zip(paths, reports, strict=True)]


def test_what_most_files_import_comes_first(paths: list[str]) -> None:
    first, rest = first_and_rest(paths, Projects(APART))
    names = [Path(path).name for path in first]
    assert names[:2] == ["ops.py", "low.py"]
    assert sorted(first + rest) == paths
    assert rest == sorted(rest)
    assert 0.5 <= scheduling.size_of(first) / scheduling.size_of(paths) < 0.75


@pytest.mark.parametrize("jobs", [2, 3, 40])
def test_a_project_in_processes(paths: list[str], jobs: int) -> None:
    alone = said(paths, 1)
    assert sum(len(found) for _, found in alone) == 2
    assert said(paths, jobs) == alone
    assert said(paths[::-1], jobs) == alone[::-1]


@pytest.mark.parametrize("jobs", [2, 5])
def test_several_projects_in_processes(paths: list[str], jobs: int, tmp_path: Path) -> None:
    for name in ("two", "three"):
        tree(tmp_path / name, FILES)
        paths = [*paths, *(str(tmp_path / name / Path(path).name) for path in paths[:10])]
    alone = said(paths, 1)
    assert sum(len(found) for _, found in alone) == 6
    assert said(paths, jobs) == alone


@pytest.mark.parametrize("where", ["no fork", "too large"])
def test_a_project_that_no_process_holds(where: str, paths: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    alone = said(paths, 1)
    if where == "too large":
        monkeypatch.setattr(processes, "MOST_BYTES", 10)
    else:
        monkeypatch.setattr(processes, "HAS_FORK", False)
    assert said(paths, 2) == alone


def test_a_path_that_is_given_twice(paths: list[str]) -> None:
    twice = [paths[0], *paths, paths[0]]
    assert said(twice, 2) == [said(paths, 1)[0], *said(paths, 1), said(paths, 1)[0]]


@pytest.mark.parametrize("jobs", [1, 3])
def test_one_is_told_how_many_files_are_done(paths: list[str], jobs: int) -> None:
    told: list[int] = []
    list(check_files([*paths, paths[0]], APART, jobs, told=told.append))
    assert told == sorted(told)
    assert told[-1] == len(paths)
