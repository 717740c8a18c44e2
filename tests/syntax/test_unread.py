"""What is said of files that the running Python cannot parse: which Python can, once for all of them, and how."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from flake8_jax.driver.cli.main import main
from flake8_jax.syntax.grammar import RUNNING
from flake8_jax.syntax.unread import least_version, required_python, version_named
from tests.support.commands import write

HERE = f"{RUNNING[0]}.{RUNNING[1]}"
NEXT = (3, RUNNING[1] + 1)
AFTER = f"{NEXT[0]}.{NEXT[1]}"
PLAIN = "import jax\nx = = 1\n"
NEWER = "import jax\n\nx = t'{jax}'\n"
"""What Python 3.14 reads, and none before."""


@pytest.mark.parametrize(
    ("specifier", "version"),
    [
        (">=3.12", (3, 12)), (">= 3.12, <4", (3, 12)), ("<4,>=3.11.4", (3, 11)), ("~=3.13", (3, 13)),
        ("==3.12.*", (3, 12)), (">=3", (3, 0)), (">3.11", (3, 11)), (">=3.10,>=3.12", (3, 12)), ("<3.13", None),
        ("!=3.12", None), ("", None), ("any", None),
    ],
)  # fmt: skip
def test_the_least_version_of_a_specifier(specifier: str, version: tuple[int, int] | None) -> None:
    assert least_version(specifier) == version


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ('[project]\nrequires-python = ">=3.12"\n', (3, 12)), ("[project]\nname = 'x'\n", None), ("", None),
        ("= no TOML", None), ("[project]\nrequires-python = 3\n", None), ("project = 1\n", None),
    ],
)  # fmt: skip
def test_the_nearest_pyproject_tells_what_is_required(
    text: str, version: tuple[int, int] | None, tmp_path: Path
) -> None:
    write(tmp_path, {"pyproject.toml": '[project]\nrequires-python = ">=3.99"\n', "own/pyproject.toml": text})
    assert required_python(str(tmp_path / "own" / "sub" / "a.py")) == version
    assert required_python(str(tmp_path / "a.py")) == (3, 99)


def test_only_reasons_that_name_a_version_do() -> None:
    assert version_named("needs Python 3.12 or newer to be read (this is 3.11)") == (3, 12)
    assert version_named("x, as Python 3.11 reads it; the project requires Python >=3.13") == (3, 13)
    assert version_named("invalid syntax (read as Python 3.11, which runs flake8-jax)") is None


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, list[str], list[str]]:
    status = main(["check", "--no-store", "-j1", *words])
    found = capsys.readouterr()
    return status, found.out.splitlines(), found.err.splitlines()


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="the running Python can parse it")
def test_newer_grammar_is_said_once_for_all_files_with_how_to_read_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(write(tmp_path, {"pyproject.toml": "", "a.py": NEWER, "b.py": NEWER, "c.py": PLAIN}))
    status, lines, notes = said(capsys, "a.py", "b.py", "c.py")
    needs = f"could not be analysed: needs Python 3.14 or newer to be read (this is {HERE})"
    assert status == 1
    assert lines == [
        f"a.py:3:1: JAX000 {needs}",
        f"b.py:3:1: JAX000 {needs}",
        f"c.py:2:1: JAX000 could not be analysed: invalid syntax (read as Python {HERE}, which runs flake8-jax)",
    ]
    run = "`uvx --python 3.14 flake8-jax` or `pipx run --python 3.14 flake8-jax` reads"
    hook = "and so does a hook with `language_version: python3.14`"
    assert notes == [
        f"flake8-jax: note: 2 files are for Python 3.14: {run} them, {hook}",
        "checked 3 files: 0 findings; 3 files could not be judged",
    ]
    _, _, notes = said(capsys, "a.py")
    assert notes[0] == f"flake8-jax: note: 1 file is for Python 3.14: {run} it, {hook}"
    assert said(capsys, "c.py")[2] == ["checked 1 file: 0 findings; 1 file could not be judged"]
    assert said(capsys, "a.py", "-q")[2] == []


def test_what_the_project_requires_is_said_beside_a_plain_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project = f'[project]\nrequires-python = ">={AFTER},<4"\n'
    monkeypatch.chdir(write(tmp_path, {"pyproject.toml": project, "pkg/a.py": PLAIN}))
    error = "pkg/a.py:2:1: JAX000 could not be analysed: invalid syntax"
    _, lines, notes = said(capsys, "pkg")
    assert lines == [f"{error}, as Python {HERE} reads it; the project requires Python >={AFTER}"]
    assert notes[0].startswith(f"flake8-jax: note: 1 file is for Python {AFTER}: ")
    write(tmp_path, {"pyproject.toml": project.replace(AFTER, HERE)})
    _, lines, notes = said(capsys, "pkg")
    assert lines == [f"{error} (read as Python {HERE}, which runs flake8-jax)"]
    assert len(notes) == 1


def test_what_the_project_requires_is_not_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project = '[project]\nrequires-python = ">=3.{}"\n'
    monkeypatch.chdir(write(tmp_path, {"pyproject.toml": project.format(98), "a.py": PLAIN}))
    for minor in (98, 99):
        write(tmp_path, {"pyproject.toml": project.format(minor)})
        main(["check", "-j1", "--cache-dir", "store", "a.py"])
        assert f"requires Python >=3.{minor}" in capsys.readouterr().out
