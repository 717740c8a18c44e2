"""Both pre-commit hooks, run for real on a scratch repository; needs nothing but a package index."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from tests.support.commands import REUSE, STORE, Run, run, write

ROOT = Path(__file__).parents[2]
SHIPPED = ("pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml", "src")
ROWS = ["reuse.py:5:23: JAX101", "store.py:4:1: JAX201"]
LOCAL = """\
repos:
  - repo: local
    hooks:
      - id: flake8
        name: flake8
        entry: flake8 --select=JAX
        language: python
        types: [python]
        require_serial: true
        additional_dependencies: [flake8, {repository!r}]
"""


def commit(folder: Path) -> None:
    """Make a folder a git repository with everything in it committed."""
    identity = ["-c", "user.name=test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false"]
    for words in (["init", "-q"], ["add", "-A"], [*identity, "commit", "-q", "--no-verify", "-m", "all"]):
        done = run(["git", *words], folder)
        assert done.status == 0, done.errors


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """This project as it stands, committed or not, as a repository of its own."""
    folder = tmp_path_factory.mktemp("hook")
    for name in SHIPPED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
        else:
            shutil.copy(ROOT / name, folder / name)
    commit(folder)
    return folder


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    write(tmp_path, {"project/store.py": STORE, "project/reuse.py": REUSE, "project/notes.txt": "import jax\n"})
    commit(tmp_path / "project")
    return tmp_path / "project"


def precommit(folder: Path, *arguments: str) -> Run:
    return run([sys.executable, "-m", "pre_commit", *arguments], folder, PRE_COMMIT_HOME=str(folder.parent / "cache"))


def test_own_hook(repository: Path, scratch: Path) -> None:
    done = precommit(scratch, "try-repo", str(repository), "flake8-jax", "--all-files")
    assert done.places == ROWS, done.output + done.errors
    assert done.status == 1
    write(scratch, {"store.py": "x = 1\n", "reuse.py": "x = 1\n"})
    run(["git", "add", "-A"], scratch)
    done = precommit(scratch, "try-repo", str(repository), "flake8-jax", "--all-files")
    assert done.status == 0, done.output + done.errors


def test_flake8s_hook(repository: Path, scratch: Path) -> None:
    write(scratch, {".pre-commit-config.yaml": LOCAL.format(repository=str(repository))})
    run(["git", "add", "-A"], scratch)
    done = precommit(scratch, "run", "--all-files")
    assert done.places == ROWS, done.output + done.errors
    assert done.status == 1
