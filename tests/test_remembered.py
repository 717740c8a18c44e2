"""Reports that are kept between runs: the same words, at no cost, for as long as nothing changed that they rest on."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from commands import command
from held import ROOT, row
from layouts import tree

from flake8_jax import remembered
from flake8_jax.analysis import interpreter
from flake8_jax.checking import check_files
from flake8_jax.config import Config
from flake8_jax.linter import lint
from flake8_jax.projects import Projects
from flake8_jax.store import FILE, Store
from flake8_jax.syntax.project import Project
from flake8_jax.syntax.source import SourceFile

JAX = "import jax\nimport jax.numpy as jnp\n"
FILES = {
    "ops.py": JAX + "def f(x):\n    if x > 0:\n        return x\n    return -x\ndef g(x):\n    return x\n",
    "mid.py": JAX + "import ops\ndef h(x):\n    return ops.f(x)\n",
    "use.py": JAX + "import mid\nk = jax.jit(mid.h)\n",
    "alone.py": JAX + "x = jnp.zeros(3)\nx[0] = 1\n",
    "plain.py": "x = 1\n",
    "near.py": "import mid\nx = mid.h\n",
    "broken.py": JAX + "def f(:\n",
}
NAMES = tuple(FILES)
ALL = frozenset(("ops.py", "mid.py", "use.py", "alone.py", "near.py", "broken.py"))
SAID = ["alone.py:4:0: JAX201", "broken.py:3:0: JAX000", "ops.py:4:7: JAX401"]
OLD = time.time_ns() - 10**12


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project whose files were written long ago, beside an empty store."""
    monkeypatch.setenv("FLAKE8_JAX_STORE", str(tmp_path / "store"))
    folder = tmp_path / "project"
    tree(folder, {**ROOT, **FILES})
    for name in FILES:
        os.utime(folder / name, ns=(OLD, OLD))
    return folder


@pytest.fixture
def interpreted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that are interpreted, as they are."""
    names: list[str] = []
    real = interpreter.interpret

    def spy(file: object) -> object:
        names.append(os.path.basename(file.path))  # type: ignore[attr-defined]
        return real(file)  # type: ignore[arg-type]

    monkeypatch.setattr(interpreter, "interpret", spy)
    return names


def said(folder: Path, config: Config = Config(), names: Sequence[str] = NAMES) -> tuple[list[str], list[str]]:
    """What a run says, and what it says of the store."""
    notices: list[str] = []
    reports = check_files([str(folder / name) for name in names], config, 1, notices.append)
    rows = [row(folder, diagnostic) for report in reports for diagnostic in report.diagnostics]
    return sorted(rows), notices


def places(rows: Sequence[str]) -> list[str]:
    return [" ".join(found.split(" ")[:2]) for found in rows]


def test_a_second_run_says_the_same_without_work(project: Path, interpreted: list[str]) -> None:
    first = said(project)
    assert places(first[0]) == SAID
    assert set(interpreted) == ALL - {"broken.py"}
    interpreted.clear()
    assert said(project) == first
    assert interpreted == []
    for name in NAMES:
        said(project, names=(name,))
    assert interpreted == []


def test_statistics_are_remembered(project: Path) -> None:
    def counted() -> list[object]:
        return [report.statistics for report in check_files([str(project / name) for name in NAMES], Config(), 1)]

    assert counted() == counted()


# A change, and the files that are judged again because of it.


def append(name: str, text: str = "y = 1\n") -> Callable[[Path], None]:
    """Write more to a file, or a new one."""

    def change(folder: Path) -> None:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text((path.read_text() if path.exists() else "") + text)

    return change


def remove(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


def touch(name: str) -> Callable[[Path], None]:
    return lambda folder: os.utime(folder / name)


def rewrite(folder: Path) -> None:
    """Write the same once more, as editors do."""
    for name, text in FILES.items():
        (folder / "new").write_text(text)
        (folder / "new").replace(folder / name)


CHANGES: dict[str, tuple[Callable[[Path], None], set[str]]] = {
    "nothing": (lambda folder: None, set()),
    "a file is touched": (touch("ops.py"), set()),
    "all are written again": (rewrite, set()),
    "the helper": (append("ops.py"), {"ops.py", "mid.py", "use.py"}),
    "what is between": (append("mid.py"), {"ops.py", "mid.py", "use.py", "near.py"}),
    "the user, which may be what traces": (append("use.py"), {"use.py", "ops.py"}),
    "a file alone": (append("alone.py"), {"alone.py"}),
    "a file without JAX": (append("plain.py"), set()),
    "a comment": (append("ops.py", "# a note\n"), {"ops.py", "mid.py", "use.py"}),
    "a new user": (append("new.py", JAX + "import ops\nz = jax.jit(ops.f)\n"), {"ops.py"}),
    "a new user of what is between": (append("new.py", JAX + "import mid\nz = jax.jit(mid.h)\n"), {"ops.py"}),
    "a new file for itself": (append("new.py", JAX + "z = 1\n"), set()),
    "a new file without Python": (append("notes.txt", "ops"), set()),
    "a user removed": (remove("use.py"), {"ops.py"}),
    "a file alone removed": (remove("alone.py"), set()),
    "a new file in a folder": (append("sub/new.py", JAX + "import ops\nz = jax.jit(ops.f)\n"), {"ops.py"}),
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_what_a_change_judges_again(name: str, project: Path, interpreted: list[str]) -> None:
    said(project)
    interpreted.clear()
    change, judged = CHANGES[name]
    change(project)
    names = [name for name in NAMES if (project / name).exists()]
    seen = said(project, names=names)
    assert sorted(interpreted) == sorted(judged & set(names))
    assert seen[0] == said(project, Config(no_store=True), names)[0]
    interpreted.clear()
    assert said(project, names=names) == seen
    assert interpreted == []


# Where an import leads changes, though no file does that a report rests on.  New files, what is found then in use.py.
LEADS: dict[str, tuple[dict[str, str], str, str, list[str]]] = {
    "to a file that was not there": ({}, "later.py", "from later import x\nx[0] = 1\n", ["use.py:4:0: JAX201"]),
    "to a nearer one": (
        {"later.py": "x = [1]\n"}, "exp/later.py", "from later import x\nx[0] = 1\n", ["exp/use.py:4:0: JAX201"],
    ),
    "to one of two": (
        {"later.py": JAX + "x = jnp.ones(3)\n"}, "later/__init__.py", "from later import x\nx[0] = 1\n", [],
    ),
    "to a submodule": (
        {"pkg/__init__.py": ""}, "pkg/later.py", "import pkg\nfrom pkg import later\nlater.x[0] = 1\n", ["use.py:5:0: JAX201"],
    ),
}  # fmt: skip


@pytest.mark.xfail(strict=True, reason="where imports lead is not among what a report rests on")
@pytest.mark.parametrize("name", LEADS)
def test_imports_that_lead_elsewhere(name: str, project: Path) -> None:
    before, later, text, expected = LEADS[name]
    user = "exp/use.py" if later.startswith("exp/") else "use.py"
    tree(project, {**before, user: JAX + text})
    said(project, names=(user,))
    tree(project, {later: JAX + "x = jnp.ones(3)\n"})
    assert places(said(project, Config(no_store=True), (user,))[0]) == expected
    assert places(said(project, names=(user,))[0]) == expected


# What must not be said by one run to another.

CONFIGS = {
    "preview": Config(preview=True), "enable": Config(enable=("JAX2",)), "tests": Config(tests=True),
    "assume-traced": Config(assume_traced=("ops.*",)), "jax-version": Config(jax_version="0.4.30"),
    "disable-noqa": Config(disable_noqa=True),
}  # fmt: skip


@pytest.mark.parametrize("name", CONFIGS)
def test_other_options_see_nothing(name: str, project: Path, interpreted: list[str]) -> None:
    said(project)
    interpreted.clear()
    said(project, CONFIGS[name])
    assert set(interpreted) == ALL - {"broken.py"}
    interpreted.clear()
    said(project)
    said(project, CONFIGS[name])
    assert interpreted == []


def test_options_that_choose_among_findings_see_all(project: Path, interpreted: list[str]) -> None:
    said(project)
    interpreted.clear()
    assert places(said(project, Config(select=("JAX2",)))[0]) == SAID[:1]
    assert places(said(project, replace(Config(), ignore=("JAX2",)))[0]) == SAID[1:]
    assert interpreted == []


def test_another_tool_sees_nothing(project: Path, interpreted: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    said(project)
    interpreted.clear()
    monkeypatch.setattr(remembered, "_stamp", lambda config: b"other")
    said(project)
    assert len(interpreted) == 5


def test_the_stamp_is_that_of_tables_and_code(monkeypatch: pytest.MonkeyPatch) -> None:
    stamp = remembered._stamp(Config())
    assert stamp == remembered._stamp(Config()) == remembered._stamp(Config(select=("JAX1",)))
    real = Path.stat
    for ending in (".json", ".toml", ".py"):

        def changed(path: Path, *, follow_symlinks: bool = True, ending: str = ending) -> os.stat_result:
            found = real(path, follow_symlinks=follow_symlinks)
            if path.suffix != ending:
                return found
            return os.stat_result((*found[:6], found.st_size + 1, *found[7:]))

        monkeypatch.setattr(Path, "stat", changed)
        assert remembered._stamp(Config()) != stamp
    monkeypatch.setattr(Path, "stat", real)
    monkeypatch.setattr(sys, "version", "another one")
    assert remembered._stamp(Config()) != stamp


def test_a_copy_of_a_project_sees_nothing_of_it(project: Path, interpreted: list[str]) -> None:
    said(project)
    interpreted.clear()
    tree(project.parent / "copy", {**ROOT, **FILES})
    assert places(said(project.parent / "copy")[0]) == SAID
    assert len(interpreted) == 5


def test_the_path_is_that_of_the_run(project: Path, interpreted: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    said(project)
    interpreted.clear()
    for folder, name in ((project, "ops.py"), (project.parent, "project/ops.py"), (project, "./ops.py")):
        monkeypatch.chdir(folder)
        reports = list(check_files([name], Config(), 1))
        assert [found.path for report in reports for found in report.diagnostics] == [name]
    assert interpreted == []


def test_comments_of_the_moment_count(project: Path, interpreted: list[str]) -> None:
    said(project)
    path = project / "alone.py"
    path.write_text(path.read_text().replace("x[0] = 1", "x[0] = 1  # noqa"))
    assert places(said(project)[0]) == SAID[1:]
    assert places(said(project)[0]) == SAID[1:]


# Without a store, or with one that cannot be used.


def test_no_store_neither_reads_nor_writes(project: Path, interpreted: list[str]) -> None:
    for _ in range(2):
        interpreted.clear()
        assert places(said(project, Config(no_store=True))[0]) == SAID
        assert len(interpreted) == 5
    assert not (project.parent / "store").exists()
    said(project)
    interpreted.clear()
    before = (project.parent / "store" / FILE).read_bytes()
    said(project, Config(no_store=True))
    assert len(interpreted) == 5
    assert (project.parent / "store" / FILE).read_bytes() == before


def damaged(folder: Path) -> None:
    (folder / FILE).write_bytes(b"no database " * 1000)


def cut(folder: Path) -> None:
    data = (folder / FILE).read_bytes()
    (folder / FILE).write_bytes(data[: len(data) // 2])


def a_folder(folder: Path) -> None:
    (folder / FILE).unlink()
    (folder / FILE).mkdir()


def a_file(folder: Path) -> None:
    (folder / FILE).unlink()
    folder.rmdir()
    folder.write_text("")


DAMAGE: dict[str, tuple[Callable[[Path], None], str]] = {
    "damaged": (damaged, "was damaged and is made anew"),
    "cut": (cut, ""),
    "a folder in its place": (a_folder, "cannot be used ("),
    "a file in place of its folder": (a_file, "cannot be used ("),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_a_store_that_cannot_be_used(name: str, project: Path) -> None:
    damage, notice = DAMAGE[name]
    first, _ = said(project)
    damage(project.parent / "store")
    seen, notices = said(project)
    assert seen == first
    assert len(notices) <= 1
    assert notice in "".join(notices)
    assert said(project)[0] == first


@pytest.mark.parametrize("error", ["attempt to write a readonly database", "database or disk is full"])
def test_a_store_that_cannot_be_written(error: str, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def write(*_: object) -> bool:
        raise sqlite3.OperationalError(error)

    said(project, names=NAMES[:2])
    with monkeypatch.context() as patch:
        patch.setattr(Store, "_write", write)
        for _ in range(2):
            rows, notices = said(project)
            assert places(rows) == SAID
            assert len(notices) == 1
            assert f"cannot be written ({error})" in notices[0]
    assert places(said(project)[0]) == SAID


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="permissions do not bind this user")
def test_a_folder_that_cannot_be_written(project: Path) -> None:
    (project.parent / "store").mkdir(mode=0o500)
    rows, notices = said(project)
    assert (places(rows), len(notices)) == (SAID, 1)


@pytest.mark.parametrize("words", [("check", "."), ("check", "--jobs=2", ".")])
def test_one_note_on_standard_error(words: tuple[str, ...], project: Path) -> None:
    said(project)
    a_folder(project.parent / "store")
    done = command(project, *words)
    assert places(done.rows) == [place.replace(":0:", ":1:").replace(":7:", ":8:") for place in SAID]
    assert len(done.errors.splitlines()) == 1
    assert done.errors.startswith("flake8-jax: note: the store ")


# Several runs at once, and files that change meanwhile.


def test_two_runs_at_once(project: Path, interpreted: list[str]) -> None:
    words = [sys.executable, "-m", "flake8_jax", "check", "."]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    for _ in range(2):
        runs = [subprocess.Popen(words, cwd=project, **pipes) for _ in range(3)]  # type: ignore[call-overload]
        outputs = [run.communicate(timeout=120) for run in runs]
        assert len(set(outputs)) == 1, outputs
        assert outputs[0][1] == ""
        assert len(outputs[0][0].splitlines()) == len(SAID)
    assert places(said(project)[0]) == SAID
    assert interpreted == []


MENDED = FILES["ops.py"].replace("x > 0", "True ")
assert len(MENDED) == len(FILES["ops.py"])


def at_the_store(monkeypatch: pytest.MonkeyPatch, change: Callable[[], None]) -> None:
    real = Store.open

    def opened(*arguments: object) -> Store:
        change()
        return real(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(Store, "open", opened)


def at_interpreting(monkeypatch: pytest.MonkeyPatch, change: Callable[[], None]) -> None:
    real = interpreter.interpret

    def interpreted(file: object) -> object:
        change()
        return real(file)  # type: ignore[arg-type]

    monkeypatch.setattr(interpreter, "interpret", interpreted)


def at_keeping(monkeypatch: pytest.MonkeyPatch, change: Callable[[], None]) -> None:
    real = remembered.Remembered.keep

    def keep(*arguments: object) -> None:
        change()
        real(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(remembered.Remembered, "keep", keep)


def at_recalling(monkeypatch: pytest.MonkeyPatch, change: Callable[[], None]) -> None:
    real = Project.files

    def files(project: Project) -> tuple[str, ...]:
        change()
        return real(project)

    monkeypatch.setattr(Project, "files", files)


MOMENTS = {
    "before files are listed": at_recalling, "as the store is opened": at_the_store,
    "before a file is interpreted": at_interpreting, "before a report is kept": at_keeping,
}  # fmt: skip


@pytest.mark.parametrize("names", [NAMES, NAMES[::-1], ("ops.py",), ("plain.py", "ops.py")], ids=",".join)
@pytest.mark.parametrize("moment", MOMENTS)
def test_what_changes_meanwhile_is_not_remembered(
    moment: str, names: tuple[str, ...], project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the run says during which a file changes, the next one sees the file as it is."""
    changes: list[None] = []

    def change() -> None:
        if not changes:
            changes.append(None)
            (project / "ops.py").write_text(MENDED)

    with monkeypatch.context() as patch:
        MOMENTS[moment](patch, change)
        said(project, names=names)
    assert changes
    assert "ops.py:4:7: JAX401" not in places(said(project, names=names)[0])


LIBRARY = JAX + "x = jnp.zeros(3)\n"
USER = JAX + "from library import x\nx[0] = 1\n"


EARLY = pytest.mark.xfail(strict=True, reason="a text may be older than the digest that is kept of it")


@pytest.mark.parametrize(
    ("names", "moment"),
    [
        pytest.param(names, moment, marks=[EARLY] * (names[0] == "library.py" and moment in tuple(MOMENTS)[:2]))
        for names in (("user.py",), ("plain.py", "user.py"), ("library.py", "user.py"))
        for moment in MOMENTS
    ],
)
def test_what_changes_while_flake8_runs_is_not_remembered(
    moment: str, names: tuple[str, ...], project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """flake8 reads each file once, and before anything else is known of it."""
    tree(project, {"library.py": LIBRARY, "user.py": USER})
    changes: list[None] = []

    def change() -> None:
        if not changes:
            changes.append(None)
            (project / "library.py").write_text(LIBRARY.replace("jnp.zeros(3)", "[1, 2, 3]"))

    def seen() -> list[str]:
        projects = Projects(Config())
        reports = [lint(SourceFile.read(str(project / name)), Config(), projects) for name in names]
        projects.flush()
        return places([row(project, found) for report in reports for found in report.diagnostics])

    with monkeypatch.context() as patch:
        MOMENTS[moment](patch, change)
        seen()
    assert changes
    assert seen() == []


@pytest.mark.parametrize("age", [0, 10**9])
def test_a_change_that_neither_size_nor_time_tells(age: int, project: Path) -> None:
    """Times of files are coarse: what was changed of late may have changed again."""
    when = time.time_ns() - age
    os.utime(project / "ops.py", ns=(when, when))
    assert "ops.py:4:7: JAX401" in places(said(project)[0])
    (project / "ops.py").write_text(MENDED)
    os.utime(project / "ops.py", ns=(when, when))
    assert "ops.py:4:7: JAX401" not in places(said(project)[0])
