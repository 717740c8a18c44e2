"""Bugs that people found and fixed in their own code: the shape of each, small, before and after the repair.

A file of `tests/rules/realbugs` is a difference between two projects: lines with `-` were wrong, those with `+` came
instead.  A mark `# JAX101` stands where something must be found; what was repaired is silent.  Before the first file
stand what is wrong (`bug`), what the configuration says is traced (`traced`), and why it is not found, if so
(`missed`).
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from flake8_jax.driver.projects import Projects
from flake8_jax.model.config import Config
from tests.support.bindings import ROOT, found
from tests.support.layouts import tree

SHAPES = {path.stem: path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("realbugs/*.diff")}
MARK = re.compile(r"  # (JAX\d+(?: JAX\d+)*)$")
NEWS = re.compile(r"^(bug|traced|missed): (.+)$", re.MULTILINE)


def files(shape: str, sign: str) -> dict[str, str]:
    """The texts of the files before (`-`) or after (`+`) the repair."""
    return {name: "\n".join(MARK.sub("", line) for line in lines) + "\n" for name, lines in parts(shape, sign).items()}


def rows(shape: str) -> list[str]:
    """What must be found before the repair."""
    return sorted(
        f"{name}:{number} {code}"
        for name, lines in parts(shape, "-").items()
        for number, line in enumerate(lines, 1)
        for marks in MARK.findall(line)
        for code in marks.split()
    )


def parts(shape: str, sign: str) -> dict[str, list[str]]:
    """The lines of each file, with their marks."""
    found_parts = {}
    for part in shape.split("\n== ")[1:]:
        name, *lines = part.rstrip("\n").split("\n")
        assert all(line[0] in " -+" for line in lines), name
        found_parts[name] = [line[1:] for line in lines if line[0] in (" ", sign)]
    return found_parts


def said(folder: Path, shape: str, sign: str) -> list[str]:
    """What is found in all files: the same for each alone and for all, in either order."""
    names = list(files(shape, sign))
    tree(folder, {**ROOT, **files(shape, sign)})
    news = dict(NEWS.findall(shape))
    traced = tuple(news.get("traced", "").split())
    config = Config(no_store=True, tests=True, strict=True, assume_traced=traced)
    alone = sorted(row for name in names for row in found(folder, name, config=config))
    for order in (names, names[::-1]):
        assert sorted(found(folder, *order, projects=Projects(config), config=config)) == alone, order
    told = [row.split(":", 2) for row in alone]
    return sorted(f"{name}:{line} {rest.split()[1]}" for name, line, rest in told)


def expected(name: str) -> object:
    why = dict(NEWS.findall(SHAPES[name])).get("missed")
    return pytest.param(name, marks=[pytest.mark.xfail(strict=True, reason=why)] if why else [])


@pytest.mark.parametrize("name", [expected(name) for name in sorted(SHAPES)])
def test_what_was_wrong_is_found(name: str, tmp_path: Path) -> None:
    assert said(tmp_path, SHAPES[name], "-") == rows(SHAPES[name])


@pytest.mark.parametrize("name", sorted(SHAPES))
def test_what_was_repaired_is_silent(name: str, tmp_path: Path) -> None:
    assert said(tmp_path, SHAPES[name], "+") == []


def test_shapes_are_whole() -> None:
    offenders = [name for name, text in SHAPES.items() if not dict(NEWS.findall(text)).get("bug") or not rows(text)]
    assert not offenders, "\n".join(offenders)
    for name, text in SHAPES.items():
        for sign in "-+":
            for path, program in files(text, sign).items():
                compile(program, f"{name}: {path}", "exec")
