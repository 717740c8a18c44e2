"""The rows of the corpus as files, how two lists of them differ, the list of applications, the command for both."""

from __future__ import annotations

import re
import shutil
import tarfile
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from pathlib import Path

import pytest

from flake8_jax.driver.gave_up import CODE
from flake8_jax.rules import discover
from tests.corpus import __main__ as command
from tests.corpus import judging
from tests.corpus.apps import App, find, read_apps
from tests.corpus.judging import Finding
from tests.corpus.ledger import COLUMNS, LedgerError
from tests.corpus.packages import CorpusError, Package, choose, read_packages
from tests.corpus.printing import row_lines
from tests.corpus.rows import (
    ROWS_OF_APPS,
    ROWS_OF_PACKAGES,
    Row,
    differences,
    read_rows,
    replace_rows,
    rows_of,
    write_rows,
)
from tests.support.commands import REUSE, STORE, write

HEADER = "project,path,line,column,code,message,notes\n"
ROW = Row("jmp", "jmp/a.py", 4, 0, "JAX201", "a store", "3: made")
OTHER = ROW._replace(project="owner/name", message='says "a, b"', notes="b.py:1: x; 2: y")
APP = App("owner/name", "0a1b", 1, 4)

# The rows as a file.


def test_rows_are_written_in_order_and_read_again(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    write_rows([OTHER, ROW._replace(line=10), ROW, ROW], path)
    lines = ["jmp,jmp/a.py,4,0,JAX201,a store,3: made"] * 2 + ["jmp,jmp/a.py,10,0,JAX201,a store,3: made"]
    last = 'owner/name,jmp/a.py,4,0,JAX201,"says ""a, b""",b.py:1: x; 2: y'
    assert path.read_bytes().decode() == HEADER + "\n".join([*lines, last, ""])
    assert read_rows(path) == [ROW, ROW, ROW._replace(line=10), OTHER]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the columns must be project,path,line,column,code,message,notes"),
        ("project,path\n", "the columns must be"),
        (HEADER + "jmp,a.py,4\n", "2: a row has 7 cells"),
        (HEADER + "jmp,a.py,4,0,JAX201,m,n,more\n", "2: a row has 7 cells"),
        (HEADER + "jmp,a.py,four,0,JAX201,m,\n", "2: 'four' is not the number"),
        (HEADER + "jmp,a.py,4,-1,JAX201,m,\n", "2: '-1' is not the number"),
        (HEADER + 'jmp,a.py,4,0,JAX201,"m,\n', "unexpected end of data"),
    ],
)
def test_files_that_hold_no_rows(text: str, message: str, tmp_path: Path) -> None:
    write(tmp_path, {"rows.csv": text})
    with pytest.raises(LedgerError, match=message):
        read_rows(tmp_path / "rows.csv")


def test_findings_are_rows() -> None:
    found = Finding("jmp", "0.0.4", "jmp/a.py", 4, "JAX201", 0, "a store", "3: made")
    assert rows_of([replace(found, line=5), found]) == [ROW, ROW._replace(line=5)]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, [ROW]),
        ([], [ROW]),
        ([ROW._replace(line=9)], [ROW]),
        ([OTHER], [ROW, OTHER]),
        ([ROW._replace(project="unpinned")], [ROW]),
    ],
)
def test_rows_of_other_pinned_projects_stay(before: list[Row] | None, after: list[Row], tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    if before is not None:
        write_rows(before, path)
    replace_rows([ROW], {"jmp"}, {"jmp", "owner/name"}, path)
    assert read_rows(path) == after


# How two lists differ.

DIFFERENT: dict[str, tuple[list[Row], list[Row], list[str]]] = {
    "nothing": ([], [], []),
    "alike": ([ROW, OTHER], [OTHER, ROW], []),
    "new": ([ROW], [], ["new: jmp jmp/a.py:4:0 JAX201: a store"]),
    "gone": ([], [ROW], ["gone: jmp jmp/a.py:4:0 JAX201: a store"]),
    "twice": ([ROW, ROW], [ROW], ["new: jmp jmp/a.py:4:0 JAX201: a store"]),
    "once": ([ROW], [ROW, ROW], ["gone: jmp jmp/a.py:4:0 JAX201: a store"]),
    "message": ([ROW._replace(message="m")], [ROW], ["changed: jmp jmp/a.py:4:0 JAX201 message: 'a store', now 'm'"]),
    "notes": ([ROW._replace(notes="")], [ROW], ["changed: jmp jmp/a.py:4:0 JAX201 notes: '3: made', now ''"]),
    "column": ([ROW._replace(column=7)], [ROW], ["changed: jmp jmp/a.py:4:0 JAX201 column: 0, now 7"]),
    "line": ([ROW._replace(line=5)], [ROW], ["changed: jmp jmp/a.py:4:0 JAX201 line: 4, now 5"]),
    "two fields": (
        [ROW._replace(message="m", notes="")],
        [ROW],
        [
            "changed: jmp jmp/a.py:4:0 JAX201 message: 'a store', now 'm'",
            "changed: jmp jmp/a.py:4:0 JAX201 notes: '3: made', now ''",
        ],
    ),
    "code": (
        [ROW._replace(code="JAX101")],
        [ROW],
        ["new: jmp jmp/a.py:4:0 JAX101: a store", "gone: jmp jmp/a.py:4:0 JAX201: a store"],
    ),
    "path": (
        [ROW._replace(path="b.py")],
        [ROW],
        ["new: jmp b.py:4:0 JAX201: a store", "gone: jmp jmp/a.py:4:0 JAX201: a store"],
    ),
    "project": (
        [ROW._replace(project="pgx")],
        [ROW],
        ["gone: jmp jmp/a.py:4:0 JAX201: a store", "new: pgx jmp/a.py:4:0 JAX201: a store"],
    ),
    "line and message": (
        [ROW._replace(line=5, message="m")],
        [ROW],
        ["gone: jmp jmp/a.py:4:0 JAX201: a store", "new: jmp jmp/a.py:5:0 JAX201: m"],
    ),
    "one of two changed": (
        [ROW, ROW._replace(column=9, notes="")],
        [ROW, ROW._replace(column=9)],
        ["changed: jmp jmp/a.py:4:9 JAX201 notes: '3: made', now ''"],
    ),
    "one changed, one new": (
        [ROW._replace(column=7), ROW._replace(column=8)],
        [ROW],
        ["changed: jmp jmp/a.py:4:0 JAX201 column: 0, now 7", "new: jmp jmp/a.py:4:8 JAX201: a store"],
    ),
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_differences_are_told(name: str) -> None:
    found, listed, lines = DIFFERENT[name]
    different = differences(found, listed)
    said = row_lines(different, len(listed))
    assert [line.strip() for line in said[1:]] == lines
    assert said[0] == f"rows: {len(listed)} are listed, {len(different) or 'none'} differ"


@pytest.mark.parametrize(("path", "pinned"), [(ROWS_OF_PACKAGES, read_packages()), (ROWS_OF_APPS, read_apps())])
def test_the_committed_rows_are_sound(path: Path, pinned: list[Package]) -> None:
    rows = read_rows(path)
    assert rows == sorted(rows)
    assert {row.project for row in rows} <= {project.name for project in pinned}
    assert {row.code for row in rows} <= {CODE, *(found.rule.code for found in discover())}
    assert [row for row in rows if row.path.startswith(("/", "..")) or "\\" in row.path] == []


# The applications.


def test_the_list_of_applications() -> None:
    apps = read_apps()
    assert len({app.folder for app in apps}) == len(apps) == 52
    assert sum(app.lines for app in apps) == 1_283_174
    (enn,) = choose(["google-deepmind/enn"], apps)
    assert enn == App("google-deepmind/enn", "da8ec7612d0d6b291e08d9af19c3273059a122ba", 114, 13462)
    assert enn.folder == "google-deepmind+enn"
    with pytest.raises(CorpusError, match="not pinned: pgx"):
        choose(["pgx"], apps)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    write(tmp_path, {"apps/owner+name/lib/a.py": STORE, "apps/owner+name/setup.cfg": "", "cache/x": ""})
    return tmp_path


def test_applications_lie_in_a_folder(home: Path) -> None:
    assert find([APP], [home / "apps"], home / "cache") == {"owner/name": home / "apps" / "owner+name"}


def test_applications_lie_in_several_folders(home: Path) -> None:
    write(home, {"more/owner+other/a.py": STORE})
    folders = find([APP, App("owner/other", "0a1b", 1, 4)], [home / "apps", home / "more"], home / "cache")
    assert folders["owner/other"] == home / "more" / "owner+other"


def test_applications_lie_in_an_archive(home: Path) -> None:
    with tarfile.open(home / "apps.tar.xz", "w:xz") as archive:
        archive.add(home / "apps", "./apps")
    for _ in range(2):
        folders = find([APP], [home / "apps.tar.xz"], home / "cache")
        assert folders == {"owner/name": home / "cache" / "apps" / "owner+name"}
        assert (folders["owner/name"] / "setup.cfg").is_file()
    assert sorted(path.name for path in (home / "cache").iterdir()) == ["apps", "x"]


@pytest.mark.parametrize("names", [[], ["apps", "cache"]])
def test_an_archive_holds_one_folder(names: list[str], home: Path) -> None:
    with tarfile.open(home / "apps.tar.xz", "w:xz") as archive:
        for name in names:
            archive.add(home / name, name)
    with pytest.raises(CorpusError, match=f"must hold one folder, not {len(names)}"):
        find([APP], [home / "apps.tar.xz"], home / "cache")


@pytest.mark.parametrize(
    ("app", "message"),
    [
        (App("owner/other", "0a1b", 1, 4), "not in .*apps: owner/other"),
        (App("owner/name", "0a1b", 2, 4), "owner/name 0a1b holds 1 of 4 lines, 2 Python files of 4 lines are pinned"),
        (App("owner/name", "0a1b", 1, 5), "owner/name 0a1b holds 1 of 4 lines, 1 Python files of 5 lines are pinned"),
    ],
)
def test_applications_are_what_was_pinned(app: App, message: str, home: Path) -> None:
    with pytest.raises(CorpusError, match=message):
        find([app], [home / "apps"], home / "cache")


# The command, on made-up projects.

NOT_PYTHON = "import jax (\n"


@pytest.fixture
def two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files = {"one/a.py": STORE, "one/b.py": REUSE, "two/a.py": STORE, "two/c.py": NOT_PYTHON}
    write(tmp_path, {f"apps/owner+{name}": text for name, text in files.items()})
    apps = [App("owner/one", "0a1b", 2, 9), App("owner/two", "0a1b", 2, 5)]
    monkeypatch.setattr(command, "read_apps", lambda: apps)
    return tmp_path


def run(two: Path, *options: str) -> int:
    return command.main(
        ["--apps", str(two / "apps"), "--jobs", "1", "--timed", "0", "--rows", str(two / "rows.csv"), *options]
    )


def test_what_is_written_is_what_is_compared(two: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(two, "--write-rows") == 1  # a file could not be analysed
    rows = read_rows(two / "rows.csv")
    assert [(row.project, row.path, row.line, row.code) for row in rows] == [
        ("owner/one", "a.py", 4, "JAX201"),
        ("owner/one", "b.py", 5, "JAX101"),
        ("owner/two", "a.py", 4, "JAX201"),
        ("owner/two", "c.py", 1, "JAX000"),
    ]
    assert rows[1].column == 22
    assert rows[1].notes.startswith("4: ")
    assert str(two) not in (two / "rows.csv").read_text(encoding="utf-8")
    assert run(two, "--compare-rows") == 0  # that it could not is listed
    assert "rows: 4 are listed, none differ" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "lost", "status", "said"),
    [
        ("owner/one", "", 0, "rows: 2 are listed, none differ\n"),
        ("owner/one", "JAX101", 1, "rows: 1 are listed, 1 differ\n  new: owner/one b.py:5:22 JAX101: `key` is used"),
        ("owner/two", "JAX000", 1, "rows: 1 are listed, 1 differ\n  new: owner/two c.py:1:0 JAX000: could not be"),
    ],
)
def test_a_run_is_compared_with_its_rows(
    name: str, lost: str, status: int, said: str, two: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(two, "--write-rows", name)
    kept = [row for row in read_rows(two / "rows.csv") if row.code != lost]
    write_rows([*kept, OTHER], two / "rows.csv")
    assert run(two, "--compare-rows", name) == status
    assert said in capsys.readouterr().out


def test_a_project_whose_process_dies_is_judged_again(two: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def dies(*_: object) -> None:
        raise BrokenProcessPool

    assert run(two, "--write-rows") == 1
    monkeypatch.setattr(judging, "ProcessPoolExecutor", dies)
    assert run(two, "--compare-rows") == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--compare-rows"], "rows.csv"),
        (["owner/three"], "not pinned: owner/three"),
        (["--apps", "{}/apps/owner+two/c.py"], "not a|could not"),
    ],
)
def test_wrong_use(options: list[str], said: str, two: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(two, *(option.format(two) for option in options)) == 2
    assert re.search(f"^corpus: error: .*{said}", capsys.readouterr().err)


def test_applications_that_are_missing_are_named(two: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.rmtree(two / "apps" / "owner+one")
    assert run(two) == 2
    assert re.search("^corpus: error: not in .*: owner/one$", capsys.readouterr().err, re.MULTILINE)


@pytest.mark.parametrize(
    ("quote", "status", "said"),
    [
        ("x[0] = 1.0", 0, "ledger: 3 rows, 0 more are gone\n\nprecision"),
        ("x[1] = 1.0", 1, "owner/two 0a1b a.py:4 JAX201: '4: x[1] = 1.0' does not stand there"),
    ],
)
def test_applications_are_compared_with_the_ledger(
    quote: str, status: int, said: str, two: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [
        "owner/one,0a1b,a.py,4,JAX201,true,store,4: x[0] = 1.0,,",
        "owner/one,0a1b,b.py,5,JAX101,harmless,twice,5: key,,",
        f"owner/two,0a1b,a.py,4,JAX201,true,store,4: {quote},,",
    ]
    write(two, {"ledger.csv": "\n".join([",".join(COLUMNS), *rows, ""])})
    run(two, "--write-rows")
    assert run(two, "--compare-rows", "--compare", "--ledger", str(two / "ledger.csv")) == status
    assert said in capsys.readouterr().out


def test_options_that_exclude_each_other(two: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run(two, "--write-rows", "--compare-rows")
    assert "not allowed with" in capsys.readouterr().err
