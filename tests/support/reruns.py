"""A small project that is checked again and again, beside a store of its own, and what is interpreted meanwhile."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from flake8_jax.analysis import interpretation
from flake8_jax.driver.processes import check_files
from flake8_jax.model.config import Config
from tests.support.bindings import ROOT, row
from tests.support.layouts import tree

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
DEFAULT = Config()
OLD = time.time_ns() - 10**12


def lay(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Write the project, as if long ago, beside an empty store."""
    project = folder / "project"
    tree(project, {**ROOT, **FILES})
    for name in FILES:
        os.utime(project / name, ns=(OLD, OLD))
    with stored(folder / "store", monkeypatch):
        yield project


@contextmanager
def stored(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Keep the store in a folder, and close it in the end: a process that ends does so by itself."""
    opened: list[sqlite3.Connection] = []
    real = sqlite3.connect

    def connect(*arguments: Any, **options: Any) -> sqlite3.Connection:
        opened.append(real(*arguments, **options))
        return opened[-1]

    monkeypatch.setattr(sqlite3, "connect", connect)
    monkeypatch.setenv("FLAKE8_JAX_STORE", str(folder))
    try:
        yield
    finally:
        for connection in opened:
            connection.close()


def spied(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that are interpreted from now on."""
    names: list[str] = []
    real = interpretation.interpret

    def spy(file: object) -> object:
        names.append(os.path.basename(file.path))  # type: ignore[attr-defined]
        return real(file)  # type: ignore[arg-type]

    monkeypatch.setattr(interpretation, "interpret", spy)
    return names


def said(folder: Path, config: Config = DEFAULT, names: Sequence[str] = NAMES) -> tuple[list[str], list[str]]:
    """What a run says, and what it says of the store."""
    notices: list[str] = []
    reports = check_files([str(folder / name) for name in names], config, 1, notices.append)
    rows = [row(folder, diagnostic) for report in reports for diagnostic in report.diagnostics]
    return sorted(rows), notices


def places(rows: Sequence[str]) -> list[str]:
    """Rows without their messages."""
    return [" ".join(found.split(" ")[:2]) for found in rows]


def append(name: str, text: str = "y = 1\n") -> Callable[[Path], None]:
    """Write more to a file, or a new one."""

    def change(folder: Path) -> None:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text((path.read_text() if path.exists() else "") + text)

    return change
