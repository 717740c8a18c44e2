"""Files dealt out to processes: whole components of imports, where that pays; the same reports in the same order."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from flake8_jax.driver import processes, scheduling
from flake8_jax.driver.processes import check_files
from flake8_jax.driver.projects import Projects
from flake8_jax.driver.scheduling import dealt
from tests.support.bindings import APART, ROOT
from tests.support.commands import checking
from tests.support.layouts import tree

JAX = "import jax\nimport jax.numpy as jnp\n"
BRANCHES = "def f(x):\n    if x > 0:\n        return x\n    return -x\n"
CORE = {
    **ROOT,
    "ops.py": BRANCHES,
    "low.py": JAX + "ZERO = jnp.zeros(3)\n",
    "mid.py": JAX + "import ops\nk = jax.jit(ops.f)\nfrom low import ZERO\nZERO[0] = 1\n",
    **{f"use{number}.py": JAX + "import ops\n" + "import low\n" * (number % 2) for number in range(6)},
}
APARTS = {
    "pair/draws.py": JAX + "def noise(key):\n    return jax.random.normal(key)\n",
    "pair/twice.py": JAX + "from draws import noise\nkey = jax.random.key(0)\na = noise(key)\nb = noise(key)\n",
    "single.py": JAX + "def g(x):\n    print(x)\n    return x\nh = jax.jit(g)\n",
    "broken.py": JAX + "def f(:\n",
    "plain.py": "x = 1\n",
}
FILES = {**CORE, **APARTS}
FOUND = 5
USE = JAX + "import ops\nk = jax.jit(ops.f)\n"
DIFFERENT = {
    **{f"{project}/use.py": USE for project in ("one", "two", "three")},
    **{f"{project}/twice.py": APARTS["pair/twice.py"] for project in ("one/inner", "two", "three")},
    "one/pyproject.toml": "", "one/ops.py": BRANCHES,
    "one/inner/pyproject.toml": "", "one/inner/draws.py": APARTS["pair/draws.py"], "one/inner/ops.py": BRANCHES,
    "two/pyproject.toml": "", "two/ops.py": "def f(x):\n    return 2 * x\n",
    "two/draws.py": JAX + "def noise(key):\n    return key\n",
    "three/pyproject.toml": '[tool.flake8-jax]\nignore = ["JAX101"]\n', "three/ops.py": "\n" + BRANCHES,
    "three/draws.py": APARTS["pair/draws.py"],
}  # fmt: skip
DIFFERENT_FOUND = {"one/ops.py:2:8: JAX401", "one/inner/twice.py:6:11: JAX101", "three/ops.py:3:8: JAX401"}


@pytest.fixture
def paths(tmp_path: Path) -> list[str]:
    tree(tmp_path / "one", FILES)
    return [str(tmp_path / "one" / name) for name in sorted(FILES) if name.endswith(".py")]


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever text is worth a process."""
    monkeypatch.setattr(scheduling, "WORTH_A_PROCESS", 1)


def said(paths: list[str], jobs: int | None) -> list[tuple[str, list[str]]]:
    reports = list(check_files(paths, APART, jobs))
    return [(path, [str(found) for found in report.diagnostics]) for path, report in zip(paths, reports, strict=True)]


def workers_of(paths: list[str], jobs: int, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The files that each worker is started for, in a run over all."""
    started: list[list[str]] = []
    real = processes._start

    def start(share: list[str], *arguments: object) -> None:
        started.append(list(share))
        real(share, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(processes, "_start", start)
    list(check_files(paths, APART, jobs))
    return started


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("jobs", [2, 4, 40, None])
def test_findings_do_not_depend_on_processes(jobs: int | None, paths: list[str]) -> None:
    alone = said(paths, 1)
    assert sum(len(found) for _, found in alone) == FOUND
    assert said(paths, jobs) == alone
    assert said(paths[::-1], jobs) == alone[::-1]


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("jobs", [2, 5])
def test_several_projects_in_processes(jobs: int, paths: list[str], tmp_path: Path) -> None:
    names = [os.path.relpath(path, tmp_path / "one") for path in paths]
    for project in ("two", "three"):
        tree(tmp_path / project, FILES)
        paths = [*paths, *(str(tmp_path / project / name) for name in names)]
    alone = said(paths, 1)
    assert sum(len(found) for _, found in alone) == 3 * FOUND
    assert said(paths, jobs) == alone


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    "folders", [(".",), ("two", "one", "three"), ("one/inner", "three", "one/use.py", "one/ops.py")]
)
def test_projects_that_differ_say_the_same_in_any_number_of_processes(
    folders: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Modules of one name in projects with other contents, other options, and one project in another."""
    tree(tmp_path, DIFFERENT)
    monkeypatch.chdir(tmp_path)
    check = checking(capsys)
    alone = check(*folders, "-j1", "--no-store")
    assert {place.removeprefix("./") for place in alone.places} == DIFFERENT_FOUND
    assert check(*folders, "-j2", "--no-store") == alone
    assert check(*folders, "-j3", "--no-store") == alone
    assert [check(*folders, jobs) for jobs in ("-j2", "-j1", "-j2")] == [alone] * 3, "with what is remembered, too"


@pytest.mark.usefixtures("small")
def test_processes_that_are_not_forked(paths: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    alone = said(paths, 1)
    monkeypatch.setattr(processes, "HAS_FORK", False)
    assert said(paths, 2) == alone


@pytest.mark.usefixtures("small")
def test_a_path_that_is_given_twice(paths: list[str]) -> None:
    twice = [paths[0], *paths, paths[0]]
    assert said(twice, 2) == [said(paths, 1)[0], *said(paths, 1), said(paths, 1)[0]]


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("jobs", [1, 3])
def test_one_is_told_how_many_files_are_done(jobs: int, paths: list[str]) -> None:
    told: list[int] = []
    list(check_files([*paths, paths[0]], APART, jobs, told=told.append))
    assert told == list(range(1, len(paths) + 1))


# Who checks which files.


def shares(folder: Path, files: dict[str, str], jobs: int, worth: int = 100) -> list[list[str]]:
    """The names of the files that each process gets."""
    root = Path(tree(folder, files))
    chosen = [str(root / name) for name in files if name.endswith(".py")]
    before, scheduling.WORTH_A_PROCESS = scheduling.WORTH_A_PROCESS, worth
    try:
        found = dealt(chosen, Projects(APART), jobs)
    finally:
        scheduling.WORTH_A_PROCESS = before
    return [[os.path.relpath(path, root) for path in share] for share in found]


def text(size: int, *imported: str, jax: bool = True) -> str:
    """A file of so many bytes."""
    lines = "".join(f"import {name}\n" for name in (*imported, *["jax"] * jax))
    return lines + "#" * (size - len(lines))


def test_files_that_imports_connect_stay_together(tmp_path: Path) -> None:
    """`a` and `b` use `low`, `c` uses `b`; two others have nothing to do with them."""
    files = {
        **ROOT, "a.py": text(200, "low"), "x.py": text(300, "y"), "low.py": text(200), "b.py": text(200, "low"),
        "c.py": text(200, "b"), "y.py": text(300),
    }  # fmt: skip
    assert shares(tmp_path, files, 2) == [["a.py", "low.py", "b.py", "c.py"], ["x.py", "y.py"]]
    assert shares(tmp_path, files, 8) == shares(tmp_path, files, 2)
    assert shares(tmp_path, files, 1) == []


def test_files_that_are_not_checked_connect_too(tmp_path: Path) -> None:
    tree(tmp_path, {"low.py": text(10)})
    files = {**ROOT, "a.py": text(300, "low"), "b.py": text(300, "low"), "c.py": text(300)}
    assert shares(tmp_path, files, 3) == [["a.py", "b.py"], ["c.py"]]


def test_a_file_that_its_project_does_not_list(tmp_path: Path) -> None:
    files = {**ROOT, "low.py": text(300), "c.py": text(300), ".hidden/a.py": text(300, "low")}
    assert shares(tmp_path, files, 3) == [["low.py", ".hidden/a.py"], ["c.py"]]


def test_the_largest_first_to_who_has_least(tmp_path: Path) -> None:
    files = {**ROOT, **{f"s{size}.py": text(size) for size in (100, 200, 300, 400, 500)}}
    assert shares(tmp_path, files, 2) == [["s100.py", "s200.py", "s500.py"], ["s300.py", "s400.py"]]
    assert shares(tmp_path, files, 3) == [["s500.py"], ["s100.py", "s400.py"], ["s200.py", "s300.py"]]


def test_a_process_is_not_started_for_little(tmp_path: Path) -> None:
    files = {**ROOT, "large.py": text(900), "a.py": text(60), "b.py": text(60), "c.py": text(30)}
    assert shares(tmp_path, files, 3) == [["large.py"], ["a.py", "b.py", "c.py"]]
    assert shares(tmp_path, files, 3, worth=200) == [["large.py", "a.py", "b.py", "c.py"]]
    assert shares(tmp_path, files, 3, worth=2000) == []


def test_files_far_from_jax_cost_nothing(tmp_path: Path) -> None:
    files = {**ROOT, "a.py": text(200), "far.py": text(900, jax=False), "b.py": text(200)}
    assert shares(tmp_path, files, 2) == [["a.py", "far.py"], ["b.py"]]
    del files["b.py"]
    assert shares(tmp_path / "other", files, 2) == [["a.py", "far.py"]]


def test_projects_have_nothing_in_common(tmp_path: Path) -> None:
    one = {"pyproject.toml": "", "use.py": text(300, "ops"), "ops.py": text(300)}
    files = {f"{project}/{name}": content for project in ("p", "q") for name, content in one.items()}
    assert shares(tmp_path, files, 2) == [["p/use.py", "p/ops.py"], ["q/use.py", "q/ops.py"]]


@pytest.mark.usefixtures("small")
def test_the_workers_of_a_run(paths: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    started = workers_of(paths, 2, monkeypatch)
    assert [[Path(path).stem for path in share] for share in started] == [
        ["low", "ops", "mid", *(f"use{number}" for number in range(6))],
        ["draws", "broken", "twice", "plain", "single"],
    ]
    assert workers_of(paths, 1, monkeypatch) == []
