"""The files of this repository and the modules of its package, each read and parsed once for all rules about them.

A rule about the repository is one test: a loop over all that it holds for, which gathers what offends and prints it.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

from flake8_jax.syntax.source import collector_paused

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "flake8_jax"
FOLDERS = ("src", "tests", "fixtures", "examples", "docs", ".ci")
MODULES = sorted(path.relative_to(PACKAGE).with_suffix("").as_posix() for path in PACKAGE.rglob("*.py"))
"""The modules of the package by their paths in it, such as `syntax/source`."""


def named(path: Path) -> str:
    """A file as offenders are printed: its path in the repository."""
    return path.relative_to(ROOT).as_posix()


@cache
def files() -> dict[str, str]:
    """The text of each file that is written by hand, by its path; a byte that is no text is replaced."""
    found = [*ROOT.glob("*.*"), *(path for folder in FOLDERS for path in (ROOT / folder).rglob("*"))]
    return {
        named(path): path.read_text(encoding="utf-8", errors="replace")
        for path in sorted(found)
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".pyc" and path.name != ".git"
    }


@cache
def parsed(module: str) -> ast.Module:
    """The tree of a module of the package; whoever asks leaves it as it is."""
    text = (PACKAGE / f"{module}.py").read_text(encoding="utf-8")
    with collector_paused():
        return ast.parse(text)
