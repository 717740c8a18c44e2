"""Six ways to the same rows: cold, warm, edited, in two processes, in another order, under another hash seed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from flake8_jax.driver import scheduling
from flake8_jax.driver.processes import check_files
from flake8_jax.model.config import Config
from tests.analysis.test_budget import FILES as BUDGETED
from tests.cache.test_told import RUN_AGAIN, RUNNING
from tests.support.layouts import tree
from tests.support.reruns import FILES, JAX, stored

KEYS = {
    "noise.py": f"""{JAX}
SCALE = 0.1  # of what is added


def noisy(key, x):
    # a comment in a body
    return x + SCALE * jax.random.normal(key, x.shape)


class Net:
    def __init__(self, width):
        self.width = width

    def __call__(self, x):
        if x.sum() > self.width:
            return x / x.sum()
        return x
""",
    "train.py": f"""{JAX}from noise import Net, noisy


def batch(key, x):
    inputs = noisy(key, x)
    targets = jax.random.uniform(key, x.shape)
    return inputs, targets


net = Net(3)
step = jax.jit(lambda x: net(x) + noisy(jax.random.key(0), x))


@jax.jit
def grow(x):
    if x > 0:
        return x
    return -x
""",
    "twice.py": f"{JAX}from noise import noisy\nkey = jax.random.key(0)\nprint(noisy(key, 1), noisy(key, 2))\n",
    "apart.py": f"{JAX}x = jnp.zeros(3)\nx[0] = 1\n",
    "running.py": JAX + RUN_AGAIN,
    "user.py": JAX + RUNNING,
}
EDITED = {**FILES, **KEYS}
PROJECT = {**EDITED, **BUDGETED}
CONFIG = Config(strict=True, enable=("JAX",), tests=True)
Rows = list[str]

BEFORE: dict[str, tuple[str, str, str]] = {
    "a comment": ("noise.py", "  # of what is added", "  # of what is added to each batch, by jit"),
    "a comment above": ("noise.py", f"{JAX}\n", f"{JAX}\n# a note\n\n"),
    "a comment in a body": ("noise.py", "    # a comment in a body\n", ""),
    "a body": ("noise.py", "        self.width = width", "        added = 1\n        self.width = width + added"),
    "a body, by what it tells": ("noise.py", "SCALE * jax.random.normal(key, x.shape)", "SCALE"),
    "a body that is run for a class": ("running.py", "        return self.act(y)", "        return self.act(y + 1)"),
    "what a run for a class tells": ("running.py", "        return self.act(y)", "        return y"),
    "a signature": ("noise.py", "def noisy(key, x):", "def noisy(key, x, *, extra=None):"),
    "a constant": ("noise.py", "SCALE = 0.1", "SCALE = 0.2"),
    "lines above a call": ("train.py", "net = Net(3)", "size = 3\nnet = Net(size)"),
    "who calls": ("train.py", "step = jax.jit(", "step = ("),
    "a branch elsewhere": ("ops.py", "if x > 0", "if x is None"),
    "a file is new": ("noise.py", "", ""),
}  # fmt: skip
"""What is another one in an earlier run: a file, what stands in it now, and what stood there before."""

AMONG_ALL = "a body"
"""The edit beside which files stand that budgets bound: they take most of the time, and no edit is of what they use."""


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> Rows:
    return cold(tmp_path_factory.mktemp("cold"), PROJECT)


@pytest.fixture(scope="module")
def expected_of_few(tmp_path_factory: pytest.TempPathFactory) -> Rows:
    return cold(tmp_path_factory.mktemp("cold"), EDITED)


def cold(folder: Path, files: dict[str, str]) -> Rows:
    """What is said without a store."""
    tree(folder, files)
    found = rows(folder, replace(CONFIG, no_store=True))
    assert len({row.split()[1] for row in found}) >= 5
    assert any("noise.py" in row and "train.py" in row for row in found)
    return found


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    tree(tmp_path / "project", PROJECT)
    with stored(tmp_path / "store", monkeypatch):
        yield tmp_path / "project"


def rows(
    folder: Path, config: Config = CONFIG, jobs: int = 1, order: Callable[[Sequence[str]], Sequence[str]] = list
) -> Rows:
    """All that is said of the files of a folder, with notes and fixes."""
    paths = order(sorted(str(path) for path in folder.rglob("*.py")))
    reports = check_files(paths, config, jobs)
    found = [repr(each).replace(str(folder), "") for report in reports for each in report.diagnostics]
    return sorted(f"{row.partition('path=')[2].split(',')[0]} {row}" for row in found)


def test_cold_and_warm(project: Path, expected: Rows) -> None:
    assert rows(project) == expected
    assert rows(project) == expected


@pytest.mark.parametrize("name", BEFORE)
def test_edited(name: str, project: Path, expected: Rows, expected_of_few: Rows) -> None:
    file, now, before = BEFORE[name]
    if name != AMONG_ALL:
        for other in PROJECT.keys() - EDITED.keys():
            (project / other).unlink()
    path = project / file
    text = path.read_text(encoding="utf-8")
    assert now in text
    if now:
        path.write_text(text.replace(now, before, 1), encoding="utf-8")
    else:
        path.unlink()
    rows(project)
    path.write_text(text, encoding="utf-8")
    assert rows(project) == (expected if name == AMONG_ALL else expected_of_few)


@pytest.mark.slow
def test_two_processes(project: Path, expected: Rows, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduling, "WORTH_A_PROCESS", 1)
    assert rows(project, jobs=2) == expected
    assert rows(project, jobs=2) == expected


def test_another_order(project: Path, expected: Rows) -> None:
    assert rows(project, order=lambda paths: paths[::-1]) == expected
    assert rows(project) == expected


@pytest.mark.slow
@pytest.mark.parametrize("seed", ["0", "7"])
def test_another_hash_seed(seed: str, project: Path, expected: Rows) -> None:
    code = f"from tests.cache.test_six_ways import *; print(*rows(Path({str(project)!r})), sep='\\n')"
    variables = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    said = subprocess.run([sys.executable, "-c", code], env=variables, capture_output=True, text=True, check=True)
    assert said.stdout.splitlines() == expected
    assert rows(project) == expected
