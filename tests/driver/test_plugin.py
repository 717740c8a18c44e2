"""The plugin under the real flake8."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from flake8_jax.driver.scheduling import HAS_FORK
from tests.support.commands import REUSE, STORE, flake8, run, write

pytestmark = pytest.mark.slow  # it starts many processes
STORED = "store.py:4:1: JAX201"
REUSED = "reuse.py:5:23: JAX101"
NOTICED = ("jax-version", "not-a-version", "'not-a-version' is not a version")
CONFIGURED = {
    "setup.cfg": "[flake8]\n{}\n",
    "tox.ini": "[flake8]\n{}\n",
    ".flake8": "[flake8]\n{}\n",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return write(tmp_path, {"store.py": STORE, "reuse.py": REUSE})


def test_is_on_by_default(tree: Path) -> None:
    run = flake8(tree)
    assert run.places == [REUSED, STORED]
    assert run.status == 1


def test_version_names_the_distribution(tmp_path: Path) -> None:
    assert "flake8-jax: " in flake8(tmp_path, "--version").output.replace("\n", " ")


@pytest.mark.parametrize(
    ("arguments", "places"),
    [
        (["--select=JAX"], [REUSED, STORED]),
        (["--select=JAX1"], [REUSED]),
        (["--select=E"], []),
        (["--extend-select=JAX2"], [REUSED, STORED]),
        (["--ignore=JAX1"], [STORED]),
        (["--extend-ignore=JAX201"], [REUSED]),
        (["--select=JAX,JAX2", "--ignore=JAX20"], [REUSED]),
        (["--per-file-ignores=store.py:JAX2"], [REUSED]),
        (["--per-file-ignores=*.py:JAX101,JAX3"], [STORED]),
        (["--exclude=reuse.py"], [STORED]),
        (["--jobs=2"], [REUSED, STORED]),
        (["--jax-strict", "--jax-enable=JAX2", "--jax-tests", "--jax-analysis-statistics"], [REUSED, STORED]),
    ],
)
def test_arguments(tree: Path, arguments: list[str], places: list[str]) -> None:
    assert flake8(tree, *arguments).places == places


def test_one_file_or_all_say_the_same(tree: Path) -> None:
    alone = [row for name in ("reuse.py", "store.py") for row in flake8(tree, name).rows]
    assert alone == flake8(tree).rows == flake8(tree, "store.py", "reuse.py", "--jobs=2").rows


def test_noqa(tree: Path) -> None:
    write(tree, {"store.py": STORE.replace("= 1.0", "= 1.0  # noqa: JAX2")})
    write(tree, {"reuse.py": REUSE[:-1] + "  # noqa: JAX201\n"})
    assert flake8(tree).places == [REUSED]
    assert flake8(tree, "--disable-noqa").places == [REUSED, STORED]


def test_own_comments(tree: Path) -> None:
    write(tree, {"store.py": STORE.replace("= 1.0", "= 1.0  # jax: ignore[JAX201] a test")})
    write(tree, {"reuse.py": "# jax: ignore-file[key-reused]\n" + REUSE})
    assert flake8(tree).places == []
    assert flake8(tree, "--disable-noqa").places == ["reuse.py:6:23: JAX101", STORED]


def test_stdin(tmp_path: Path) -> None:
    run = flake8(tmp_path, "--stdin-display-name=pkg/model.py", "-", stdin=STORE.encode())
    assert run.places == ["pkg/model.py:4:1: JAX201"]
    assert flake8(tmp_path, "-", stdin=STORE.encode()).places == ["stdin:4:1: JAX201"]
    quiet = ["--per-file-ignores=pkg/*:JAX201", "--stdin-display-name=pkg/model.py", "-"]
    assert flake8(tmp_path, *quiet, stdin=STORE.encode()).places == []


@pytest.mark.parametrize("name", list(CONFIGURED))
def test_configuration_files(tree: Path, name: str) -> None:
    key, wrong, complaint = NOTICED
    write(tree, {name: CONFIGURED[name].format("extend-ignore = JAX1\njax-strict = true\njax-enable = JAX2,JAX301")})
    assert flake8(tree).places == [STORED]
    write(tree, {name: CONFIGURED[name].format(f"{key} = {wrong}")})
    run = flake8(tree)
    assert run.status == 2
    assert complaint in run.errors
    assert "Traceback" not in run.errors


def test_pyproject_through_flake8_pyproject(tree: Path) -> None:
    text = '[tool.flake8]\nextend-ignore = ["JAX1"]\njax-strict = true\njax-enable = ["JAX2", "JAX301"]\n'
    write(tree, {"pyproject.toml": text})
    assert flake8(tree).places == [STORED]
    write(tree, {"pyproject.toml": '[tool.flake8]\njax-version = "not-a-version"\n'})
    assert NOTICED[2] in flake8(tree).errors


def test_own_section_of_pyproject(tree: Path) -> None:
    write(tree, {"pyproject.toml": '[tool.flake8-jax]\njax-version = "not-a-version"\n'})
    run = flake8(tree)
    assert run.status == 2
    assert NOTICED[2] in run.errors


@pytest.mark.parametrize(
    ("content", "places"),
    [
        (b"", []),
        (b"import jax\nx = (\n", []),
        (b"\xef\xbb\xbf" + STORE.encode(), ["file.py:4:1: JAX201"]),
        (STORE.replace("\n", "\r\n").encode(), ["file.py:4:1: JAX201"]),
        (STORE.replace("x[0]", 'é = "üñ"; x[0]').encode(), ["file.py:4:11: JAX201"]),
        (("# coding: latin-1\n" + STORE.replace("x[0]", 'é = "ü"; x[0]')).encode("latin-1"), ["file.py:5:10: JAX201"]),
        (STORE.replace("\nx[0]", "\n\x0cx[0]").encode(), ["file.py:4:2: JAX201"]),
        (STORE[:-1].encode(), ["file.py:4:1: JAX201"]),
    ],
    ids=["empty", "syntax error", "bom", "crlf", "not ascii", "latin-1", "form feed", "no newline"],
)
def test_odd_files(tmp_path: Path, content: bytes, places: list[str]) -> None:
    write(tmp_path, {"file.py": content})
    run = flake8(tmp_path)
    assert run.places == places
    assert "Traceback" not in run.output + run.errors
    if "syntax" in str(content) or content.endswith(b"(\n"):
        assert "E999" in run.output or "E902" in run.output


WATCHED = """
import os, sys
from flake8.main.cli import main
from flake8_jax.analysis import interpretation
real, parent = interpretation.interpret, os.getpid()
def interpret(file):
    print("by", os.getpid() == parent, os.path.basename(file.path), flush=True)
    return real(file)
interpretation.interpret = interpret
main(["--isolated", "--select", "JAX", *sys.argv[1:], "."])
"""


@pytest.mark.skipif(not HAS_FORK or sys.version_info >= (3, 14), reason="flake8 forks its workers")
@pytest.mark.parametrize("jobs", ["-j1", "-j3", "--jobs=auto"])
def test_files_are_judged_once_before_flake8_forks(jobs: str, tmp_path: Path) -> None:
    """What its workers have in common would else be found out by each."""
    write(tmp_path, {"pyproject.toml": "", "none.py": "x = 1\n", **dict.fromkeys(("a.py", "b.py", "c.py"), REUSE)})
    done = run([sys.executable, "-c", WATCHED, jobs], tmp_path)
    rows = done.output.splitlines()
    assert sorted(row for row in rows if row.startswith("by")) == [f"by True {name}.py" for name in "abc"]
    assert sum("JAX101" in row for row in rows) == 3
