"""What is remembered where a store cannot be used, several runs share it, or files change meanwhile."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from flake8_jax.analysis import interpretation
from flake8_jax.cache import reports as remembered
from flake8_jax.cache.store import FILE, EntryStore
from flake8_jax.driver.linter import lint
from flake8_jax.driver.projects import Projects
from flake8_jax.model.config import Config
from flake8_jax.syntax.project import Project
from flake8_jax.syntax.source import SourceFile
from tests.support.bindings import row
from tests.support.commands import CLOSING, command
from tests.support.layouts import tree
from tests.support.reruns import FILES, JAX, NAMES, SAID, places, said


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
    shutil.rmtree(folder)
    folder.write_text("")


DAMAGE: dict[str, tuple[Callable[[Path], None], str]] = {
    "damaged": (damaged, "was damaged and is made anew by the next run"),
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
    def size(*_: object) -> int:
        raise sqlite3.OperationalError(error)

    with monkeypatch.context() as patch:
        patch.setattr(EntryStore, "_size", size)  # it is asked for after each batch
        for number in range(2):
            (project / "alone.py").write_text(f"{FILES['alone.py']}y = {number}\n")
            rows, notices = said(project)
            assert places(rows) == SAID
            assert len(notices) == 1
            assert f"cannot be used ({error})" in notices[0]
    assert places(said(project)[0]) == SAID


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="permissions do not bind this user")
def test_a_folder_that_cannot_be_written(project: Path) -> None:
    (project.parent / "store").mkdir(mode=0o500)
    rows, notices = said(project)
    assert (places(rows), len(notices)) == (SAID, 1)


@pytest.mark.slow
@pytest.mark.parametrize("words", [("check", "."), ("check", "--jobs=2", ".")])
def test_one_note_on_standard_error(words: tuple[str, ...], project: Path) -> None:
    said(project)
    a_folder(project.parent / "store")
    done = command(project, *words)
    assert places(done.rows) == [place.replace(":0:", ":1:").replace(":7:", ":8:") for place in SAID]
    assert len(done.notes.splitlines()) == 1
    assert done.notes.startswith("flake8-jax: note: the store ")


# Several runs at once, and files that change meanwhile.


PATIENT = "from flake8_jax.cache import store; store.PATIENCE = 600.0; from flake8_jax.__main__ import run; run()"


@pytest.mark.slow
def test_two_runs_at_once(project: Path, interpreted: list[str]) -> None:
    words = [sys.executable, "-c", PATIENT, "check", "."]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    for _ in range(2):
        runs = [subprocess.Popen(words, cwd=project, **pipes) for _ in range(3)]  # type: ignore[call-overload]
        outputs = [run.communicate(timeout=600) for run in runs]
        assert len(set(outputs)) == 1, outputs
        assert CLOSING.sub("", outputs[0][1]) == ""
        assert len(outputs[0][0].splitlines()) == len(SAID)
    assert places(said(project)[0]) == SAID
    assert interpreted == []


MENDED = FILES["ops.py"].replace("x > 0", "True ")
assert len(MENDED) == len(FILES["ops.py"])


def at_the_store(monkeypatch: pytest.MonkeyPatch, change: Callable[[], None]) -> None:
    real = remembered._open

    def opened(config: Config) -> EntryStore:
        change()
        return real(config)

    monkeypatch.setattr(remembered, "_open", opened)


def at_interpreting(monkeypatch: pytest.MonkeyPatch, change: Callable[[], None]) -> None:
    real = interpretation.interpret

    def interpreted(file: object) -> object:
        change()
        return real(file)  # type: ignore[arg-type]

    monkeypatch.setattr(interpretation, "interpret", interpreted)


def at_keeping(monkeypatch: pytest.MonkeyPatch, change: Callable[[], None]) -> None:
    real = remembered.Reports.add

    def keep(*arguments: object) -> None:
        change()
        real(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(remembered.Reports, "add", keep)


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


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("names", "moment"),
    [
        (names, moment)
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
