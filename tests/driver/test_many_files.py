"""Many files in one run: the same findings in whatever order and way they are asked for, and what that costs."""

from __future__ import annotations

import io
import os
import random
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import libcst
import pytest

from flake8_jax.analysis.summaries import fixpoint
from flake8_jax.analysis.summaries.making import run_body
from flake8_jax.driver import checking, scheduling
from flake8_jax.driver.checking import check_data
from flake8_jax.driver.cli import main, progress
from flake8_jax.driver.linter import lint
from flake8_jax.driver.processes import check_files
from flake8_jax.driver.projects import Projects
from flake8_jax.driver.scheduling import HAS_FORK
from flake8_jax.model.config import Config
from flake8_jax.model.diagnostic import Diagnostic, Span
from flake8_jax.model.report import Report, Statistics
from flake8_jax.syntax.source import SourceFile, Unreadable
from tests.corpus.changes import try_edits
from tests.corpus.packages import choose, default_cache, fetch
from tests.support import slices
from tests.support.bindings import APART, ROOT, judged, row
from tests.support.commands import CLOSING, command, flake8
from tests.support.layouts import tree
from tests.support.reruns import stored

JAX = "import jax\nimport jax.numpy as jnp\n"
FILES = {
    "pkg/__init__.py": "from .ops import f\n",
    "pkg/ops.py": JAX + "def f(x):\n    if x > 0:\n        return x\n    return -x\nx = jnp.ones(3)\n",
    "pkg/mid.py": JAX + "from pkg import f\ndef h(x):\n    print(x)\n    return f(x)\n",
    "use.py": JAX + "from pkg.mid import h\nfrom pkg.ops import x\nk = jax.jit(h)\nx[0] = 1\n",
    "alone.py": JAX + "key = jax.random.key(0)\na = jax.random.normal(key)\nb = jax.random.normal(key)\n",
    "broken.py": JAX + "def f(:\n",
}
PLACES = [
    "alone.py:5:22: JAX101", "broken.py:3:0: JAX000", "pkg/mid.py:5:4: JAX301", "pkg/ops.py:4:7: JAX401",
    "use.py:6:0: JAX201",
]  # fmt: skip
SHOWN = ["alone.py:5:23: JAX101", "broken.py:3:1: JAX000", "./pkg/mid.py", "./pkg/ops.py", "use.py:6:1: JAX201"]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    tree(tmp_path / "project", {**ROOT, **FILES})
    with stored(tmp_path / "store", monkeypatch):
        yield tmp_path / "project"


def checked(folder: Path, names: tuple[str, ...], jobs: int | None, config: Config = APART) -> list[str]:
    """What is said of files, in the order in which it is said."""
    reports = check_files([str(folder / name) for name in names], config, jobs)
    return [row(folder, diagnostic) for report in reports for diagnostic in report.diagnostics]


def places(rows: list[str]) -> list[str]:
    return [" ".join(row.split(" ")[:2]) for row in rows]


@pytest.mark.parametrize(
    ("jobs", "config"),
    [(1, Config()), (4, Config()), (2, APART), (None, APART)],
    ids=["1", "4", "2, no store", "no store"],
)
def test_order_and_jobs_do_not_matter(
    jobs: int | None, config: Config, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scheduling, "WORTH_A_PROCESS", 1)
    names = tuple(sorted(FILES))
    first = checked(project, names, jobs, config)
    assert places(first) == PLACES
    orders = list(permutations(names)) if jobs in (1, None) else [names, names[::-1], names[3:] + names[:3]]
    for order in orders[:: len(orders) // 6 or 1]:
        assert sorted(checked(project, order, jobs, config)) == first, order
    for name in names:
        assert checked(project, (name,), jobs, config) == [said for said in first if said.startswith(name)]


@pytest.mark.parametrize("words", ["--jobs=4 .", "--no-store .", "--jobs=3 use.py pkg broken.py alone.py"])
def test_the_command_prints_in_order_of_files(words: str, project: Path) -> None:
    first = command(project, "check", "alone.py", "broken.py", "pkg", "use.py")
    assert len(first.rows) == len(PLACES)
    for _ in range(2):
        done = command(project, "check", *words.split())
        assert (done.rows, done.notes, done.status) == (first.rows, "", 1)


@pytest.mark.parametrize("words", ["-j1", "-j4", "-j2 --jax-no-store"])
def test_flake8_says_the_same_of_many_files(words: str, project: Path) -> None:
    expected = command(project, "check", ".").rows
    done = flake8(project, "--select=JAX", *words.split(), ".")
    assert sorted(done.rows) == sorted(said for said in expected if not said.startswith("broken.py")), done.errors


@pytest.mark.parametrize("name", [name for name in sorted(FILES) if name != "broken.py"])
def test_all_ways_to_ask_for_one_file(name: str, project: Path) -> None:
    """flake8 and the command, for the file and for its text, with and without the store."""
    text = (project / name).read_bytes()
    display = f"--stdin-display-name={name}"
    runs = {
        "flake8": flake8(project, "--extend-select=JAX", "--select=JAX", name),
        "flake8 without store": flake8(project, "--select=JAX", "--jax-no-store", name),
        "flake8 of text": flake8(project, "--select=JAX", display, "-", stdin=text),
        "check": command(project, "check", name),
        "check without store": command(project, "check", "--no-store", name),
        "check of text": command(project, "check", display, "-", stdin=text),
    }
    seen = {way: (tuple(run.rows), run.notes) for way, run in runs.items()}
    assert len(set(seen.values())) == 1, seen


@pytest.mark.parametrize("failing", [1, 2])
def test_a_defect_in_one_file_leaves_what_others_say(
    failing: int, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = 0

    def failing_run(*given: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == failing:
            raise KeyError("a defect")
        return run_body(*given)

    def of_others(rows: list[str]) -> list[str]:
        return [row for row in rows if row.split(":")[0] != hit]

    expected = checked(project, tuple(FILES), jobs=1)
    monkeypatch.setattr(fixpoint, "run_body", failing_run)
    seen = checked(project, tuple(FILES), jobs=1)
    (hit,) = {row.split(":")[0] for row in seen if "a defect" in row}
    assert of_others(seen) == of_others(expected)


def test_a_text_that_is_not_saved_stands_for_its_file(project: Path) -> None:
    text = FILES["use.py"].replace("jax.jit(h)", "h").encode()
    done = command(project, "check", "--stdin-display-name=use.py", "-", stdin=text)
    assert [place.partition(" ")[0] for place in done.places] == ["use.py:6:1:"]
    text = FILES["pkg/ops.py"].replace("jnp.ones(3)", "[1]").encode()
    done = command(project, "check", "--stdin-display-name=pkg/ops.py", "-", stdin=text)
    assert [place.partition(" ")[0] for place in done.places] == ["pkg/ops.py:4:8:"]
    assert len(command(project, "check", ".").rows) == len(PLACES), "nothing of that was remembered"


# What a terminal shows.


class Terminal(io.StringIO):
    """Standard error, on a terminal or not."""

    def __init__(self, is_terminal: bool) -> None:
        super().__init__()
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        """Is it a terminal?"""
        return self._is_terminal


@pytest.mark.parametrize(
    ("is_terminal", "patience", "shown"), [(True, -1.0, True), (False, -1.0, False), (True, 1000.0, False)]
)
def test_progress(
    is_terminal: bool, patience: float, shown: bool, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "PATIENCE", patience)
    monkeypatch.setattr(progress, "REFRESH", 0.0)
    monkeypatch.setattr(sys, "stderr", terminal := Terminal(is_terminal))
    monkeypatch.chdir(project)
    assert main.main(["check", "."]) == 1
    said = CLOSING.sub("", terminal.getvalue())
    total = len(FILES)
    assert said == ("".join(f"\r{done} of {total} files" for done in range(1, total + 1)) + "\r\033[K") * shown


# A process that dies.


def dies(path: str, config: Config, projects: Projects) -> Report:
    """Stands for `check_file`, and dies of one file."""
    if os.path.basename(path) == "deadly.py":
        os.kill(os.getpid(), signal.SIGKILL)
    return Report((Diagnostic("JAX999", "x", path, Span(1, 0, 1, 1), "seen"),), None, Statistics(files=1))


def dies_of_memory(path: str, config: Config, projects: Projects) -> Report:
    """Stands for `check_file`, and dies of a file unless it is the first that the process checks."""
    judged = vars(dies_of_memory).setdefault("judged", [])
    judged.append(path)
    return dies(path, config, projects) if judged[1:] else Report((), None, Statistics(files=1))


def checked_by(
    check_file: Callable[..., Report], names: list[str], jobs: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> list[Report]:
    """The reports on files that are judged in some processes by a function in place of `check_file`."""
    monkeypatch.setattr(scheduling, "WORTH_A_PROCESS", 1)
    monkeypatch.setattr(checking, "check_file", check_file)
    tree(folder, {**ROOT, **dict.fromkeys(names, "import jax\n")})
    return list(check_files([str(folder / name) for name in names], Config(no_store=True), jobs))


@pytest.mark.skipif(not HAS_FORK, reason="what is patched here is seen by forks only")
@pytest.mark.parametrize("jobs", [2, 4])
@pytest.mark.parametrize("places", [[0], [13], [19], [0, 1, 2, 3], [5, 6, 19]])
def test_a_process_that_dies_costs_one_file(
    jobs: int, places: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"{number}/deadly.py" if number in places else f"{number}/f.py" for number in range(20)]
    reports = checked_by(dies, names, jobs, tmp_path, monkeypatch)
    codes = [[found.code for found in report.diagnostics] for report in reports]
    assert codes == [["JAX000" if number in places else "JAX999"] for number in range(20)]
    for place in places:
        assert reports[place].diagnostics[0].message.endswith("the process that checked it died")


@pytest.mark.skipif(not HAS_FORK, reason="what is patched here is seen by forks only")
def test_a_process_that_dies_of_what_it_kept_costs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"{number}/{'deadly' if number % 3 else 'f'}.py" for number in range(12)]
    reports = checked_by(dies_of_memory, names, 2, tmp_path, monkeypatch)
    assert not [found for report in reports for found in report.diagnostics if found.code == "JAX000"]


def test_workers_read_the_project_as_one(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of one group is used by files of all others."""
    monkeypatch.setattr(scheduling, "WORTH_A_PROCESS", 1)
    users = {f"user{number}.py": JAX + "from pkg.ops import x\nx[0] = 1\n" for number in range(12)}
    tree(project, users)
    names = (*sorted(FILES), *users)
    assert sorted(checked(project, names, 4)) == sorted(checked(project, names, 1))
    assert len(checked(project, names, 4)) == len(PLACES) + len(users)


# What is counted.

MAKER = JAX + "def make(n):\n    def inner(x):\n        return nowhere(x)\n    return inner, n\n"


def test_statistics_do_not_depend_on_the_order(tmp_path: Path) -> None:
    tree(tmp_path, {**ROOT, "ops.py": MAKER, "use.py": JAX + "import ops\nf, n = ops.make(1)\nf(2)\n"})
    alone = judged(tmp_path, "use.py").statistics
    projects = Projects(APART)
    judged(tmp_path, "ops.py", projects)
    assert judged(tmp_path, "use.py", projects).statistics == alone


# Real packages.

PACKAGES = ("augmax", "jraph", "navix")
"""Of the same shape and larger from one to the next: the first gates."""
LOUD = Config(no_store=True, strict=True, tests=True, disable_noqa=True)


def folder_of(name: str) -> Path:
    return fetch(choose([name]), default_cache())[name]


def sources(folder: Path) -> Iterator[SourceFile]:
    for path in sorted(folder.rglob("*.py")):
        try:
            yield SourceFile.read(str(path))
        except Unreadable:
            continue


@pytest.mark.slow
@slices.each("name", PACKAGES, lambda _: (), least=1, daily=1)
def test_packages_file_by_file_and_as_a_whole(name: str) -> None:
    def linted(source: SourceFile, projects: Projects) -> Report:
        report = lint(SourceFile(source.path, source.text), LOUD, projects)
        report.statistics.unknowns.clear()
        return report

    files = list(sources(folder_of(name)))
    alone = {source.path: linted(source, Projects(LOUD)) for source in files}
    assert all(report.given_up is None for report in alone.values())
    for order in (files, files[::-1]):
        projects = Projects(LOUD)
        assert {source.path: linted(source, projects) for source in order} == alone


@pytest.mark.slow
def test_edits_of_a_package_with_a_store_and_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A slice of `python -m tests.corpus.changes`."""
    shutil.copytree(folder_of("augmax"), tmp_path / "project")
    (tmp_path / "project" / "pyproject.toml").touch()
    with stored(tmp_path / "store", monkeypatch):
        tried = try_edits(tmp_path / "project", replace(LOUD, no_store=False), 3, random.Random(7))
    assert sum(tried.edits.values()) == 3
    assert tried.findings
    assert tried.differences == []


@pytest.mark.slow
@slices.each("name", PACKAGES, lambda _: (), least=1, daily=1)
def test_all_ways_to_ask_for_packages(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = list(sources(folder_of(name)))
    paths = [source.path for source in files]

    def rows(reports: Iterable[Report]) -> list[Diagnostic]:
        return [diagnostic for report in reports for diagnostic in report.diagnostics]

    kept = replace(LOUD, no_store=False)
    expected = rows(check_files(paths, LOUD, 1))
    assert expected or name != PACKAGES[0]
    assert rows(check_files(paths, LOUD, 4)) == expected
    with stored(tmp_path, monkeypatch):
        assert rows(check_files(paths, kept, 4)) == expected
        assert rows(check_files(paths, kept, 1)) == expected
        assert sorted(rows(check_files(paths[::-1], kept, 1)), key=str) == sorted(expected, key=str)
    assert rows(check_data(source.path, source.text.encode(), LOUD) for source in files) == expected


# What it costs, beside libcst's parse of all files that are asked, in the same run: 4 and 0.5 times as much when
# nothing else runs.

PATIENCE = 6
HELPER = "def f(x):\n    if x.shape[0] > 1 and x.sum() > 0:\n        return x * 2\n    return -x\n"
TRAINER = f"""{JAX}
from ops import f0, f1
import ops

def loss(params, x):
    y = f0(x) @ params["w"] + params["b"]
    return jnp.mean((ops.f1(y) - x) ** 2)

@jax.jit
def step(params, x):
    grads = jax.grad(loss)(params, x)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)

def train(key, steps):
    params = dict(w=jax.random.normal(key, (3, 3)), b=jnp.zeros(3))
    for _ in range(steps):
        key, sub = jax.random.split(key)
        params = step(params, jax.random.normal(sub, (3, 3)))
    return params
"""


def spent(path: Path) -> float:
    """The time that linting a file takes, in seconds of this process; the better of two runs."""
    lint(SourceFile("stdin", TRAINER), APART)
    text = SourceFile.read(str(path)).text
    return min(timed(lambda: lint(SourceFile(str(path), text), APART)) for _ in range(2))


def timed(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def with_importers(folder: Path, count: int) -> Path:
    """A file that `count` others import and jit."""
    helpers = "".join(HELPER.replace("f(", f"f{number}(") for number in range(20))
    tree(folder, {**ROOT, "ops.py": JAX + helpers, **{f"use{number}.py": TRAINER for number in range(count)}})
    return folder / "ops.py"


def with_imports(folder: Path, count: int) -> Path:
    """The first file of a chain, in which each calls the next."""
    link = JAX + "import n{next}\ndef f0(x):\n    return n{next}.f0(x) + 1\n" + HELPER.replace("f(", "f1(") * 5
    files = {f"n{number}.py": link.format(next=number + 1) for number in range(count)}
    tree(
        folder,
        {
            **ROOT,
            **files,
            f"n{count}.py": JAX + HELPER.replace("f(", "f0("),
            "use.py": JAX + "import n0\ng = jax.jit(n0.f0)\n",
        },
    )
    return folder / "n0.py"


@pytest.mark.parametrize(("make", "count"), [(with_importers, 100), (with_imports, 50)])
def test_cost_of_other_files(make: Callable[[Path, int], Path], count: int, tmp_path: Path) -> None:
    cost = spent(make(tmp_path, count))
    texts = [path.read_text() for path in tmp_path.rglob("*.py")]
    parse = min(timed(lambda: [libcst.parse_module(text) for text in texts]) for _ in range(2))
    assert cost < PATIENCE * parse, f"{cost:.2f} s, and {parse:.2f} s to parse them"
