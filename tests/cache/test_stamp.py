"""What all reports depend on: content, whatever the times of files and the folder that they are in."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

import flake8_jax
from flake8_jax import __version__
from flake8_jax.cache.stamp import UNNAMED, code_of, stamp
from flake8_jax.cache.store import FILE
from flake8_jax.model.config import Config
from tests.support.commands import STORE, command, flake8, write

PACKAGE = Path(flake8_jax.__file__).parent


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    folder = tmp_path / "lib" / "flake8_jax"
    shutil.copytree(PACKAGE, folder, ignore=shutil.ignore_patterns("__pycache__", "measured"))
    return folder


def code(folder: Path) -> str:
    code_of.cache_clear()
    return code_of(folder)


def test_options_and_python_count(monkeypatch: pytest.MonkeyPatch) -> None:
    first = stamp(Config())
    assert first == stamp(Config(select=("JAX1",), root="/elsewhere", cache_dir="cache"))
    assert len({first, stamp(Config(strict=True)), stamp(Config(jax_version="0.6")), stamp(Config(x64=True))}) == 4
    monkeypatch.setattr(sys, "version", "another one")
    assert stamp(Config()) != first


def test_every_option_that_is_left_out_exists() -> None:
    assert set(UNNAMED) < set(Config.__slots__)


def test_content_counts_and_neither_place_nor_time(copy: Path, tmp_path: Path) -> None:
    first = code(copy)
    for path in copy.rglob("*"):
        os.utime(path, (1, 1))
    assert code(copy) == first
    copy = copy.rename(tmp_path / "moved")
    assert code(copy) == first
    for name in ("cache/stamp.py", "api/stated.toml", "rules/precision.json"):
        text = (copy / name).read_text(encoding="utf-8")
        (copy / name).write_text(text.swapcase(), encoding="utf-8")
        os.utime(copy / name, (1, 1))
        assert code(copy) != first
        (copy / name).write_text(text, encoding="utf-8")
    (copy / "new.py").write_text("")
    assert code(copy) != first


def test_an_installed_package_is_known_by_its_record(copy: Path) -> None:
    rows = ["flake8_jax/a.py,sha256=abc,3", "flake8_jax/b.json,sha256=def,3"]
    volatile = ["../bin/flake8-jax,sha256=xyz,200", "flake8_jax/__pycache__/a.pyc,,", "flake8_jax-0.dist-info/RECORD,,"]
    record = copy.parent / f"flake8_jax-{__version__}.dist-info" / "RECORD"
    record.parent.mkdir()
    read = code(copy)
    record.write_text("\n".join([*rows, *volatile]))
    first = code(copy)
    assert first != read
    record.write_text("\n".join([*rows[::-1], "../bin/flake8-jax,sha256=other,201"]))
    assert code(copy) == first
    record.write_text("\n".join([rows[0], rows[1].replace("def", "deg")]))
    assert code(copy) not in (first, read)
    record.write_text("\n".join(volatile))
    assert code(copy) == read


# Where the store lies


@pytest.mark.slow
def test_both_front_ends_say_where_it_lies(tmp_path: Path) -> None:
    section = '[tool.flake8-jax]\ncache-dir = "from/file"\n'
    theirs = "[flake8]\njax-cache-dir = ./from/flake8\n"
    write(tmp_path, {"pyproject.toml": section, "sub/store.py": STORE, ".flake8": theirs})
    runs = {
        "sub/from/option": command(tmp_path / "sub", "check", "--cache-dir=from/option", "."),
        "from/file": command(tmp_path / "sub", "check", "."),
        "from/flake8": flake8(tmp_path, "--select=JAX", "sub"),
        "own": flake8(tmp_path, "--select=JAX", "--jax-cache-dir=own", "sub"),
    }
    for folder, done in runs.items():
        assert len(done.rows) == 1
        assert (tmp_path / folder / FILE).is_file(), folder
        assert (tmp_path / folder / ".gitignore").read_text() == "*\n"
    done = command(tmp_path, "check", "--cache-dir=", "sub")
    assert (done.status, done.errors) == (2, "flake8-jax: error: --cache-dir: names no folder\n")
    done = command(tmp_path, "check", "--cache-dir=none", "--no-cache", "sub")
    assert (done.status, (tmp_path / "none").exists()) == (1, False)
