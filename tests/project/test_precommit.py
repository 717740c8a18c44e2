"""The hooks of pre-commit, run for real: `git commit` in scratch repositories; needs nothing but a package index.

pre-commit builds two environments, one for this project's hooks and one for flake8's, each once for all tests.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.commands import REUSE, STORE, Run, run, write

ROOT = Path(__file__).parents[2]
SHIPPED = ("pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml", "src")
REVISION = "v0.0.1"
REUSED = "reuse.py:5:23: JAX101"
STORED = "store.py:4:1: JAX201"
REPAIRED = REUSE.replace("key, (3,))\nb", "jax.random.key(1), (3,))\nb")
FIXED = STORE.replace("x[0] = 1.0", "x = x.at[0].set(1.0)")
OPS = "def relu(x):\n    if x > 0:\n        return x\n    return 0 * x\n"
SAFE_OPS = "import jax\n\ndef relu(x):\n    return jax.numpy.maximum(x, 0)\n"
TRAIN = "import jax\nfrom ops import relu\n\nstep = jax.jit(relu)\n"
BRANCH = "ops.py:2:8: JAX401"
OURS = """\
repos:
  - repo: {repository}
    rev: {revision}
    hooks:
      - id: {hook}
"""
FLAKE8S = """\
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


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where pre-commit keeps its environments."""
    return tmp_path_factory.mktemp("environments")


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory, home: Path) -> Path:
    """This project as it stands, committed or not, as a repository of its own with a tag."""
    folder = tmp_path_factory.mktemp("hook")
    for name in SHIPPED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
        else:
            shutil.copy(ROOT / name, folder / name)
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "all"], ["tag", REVISION]):
        assert git(folder, home, *words).status == 0
    return folder


def git(folder: Path, home: Path, *words: str) -> Run:
    identity = ["-c", "user.name=test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false"]
    return run(["git", *identity, *words], folder, PRE_COMMIT_HOME=str(home), PYTHONPATH="")


class Scratch:
    """A repository with a hook installed."""

    def __init__(self, folder: Path, home: Path) -> None:
        self.folder, self.home = folder, home

    def git(self, *words: str) -> Run:
        return git(self.folder, self.home, *words)

    def stage(self, files: dict[str, str | bytes]) -> None:
        write(self.folder, files)
        assert self.git("add", *files).status == 0

    def commit(self, files: dict[str, str | bytes] | None = None) -> Run:
        """Stage files and commit, with hooks; what these print is on one stream or the other."""
        self.stage(files or {})
        done = self.git("commit", "-qm", "more")
        return Run(done.status, done.output + done.errors, "")

    def commit_unseen(self, files: dict[str, str | bytes]) -> None:
        """Commit files without the hook."""
        self.stage(files)
        assert self.git("commit", "-qnm", "unseen").status == 0

    def precommit(self, *words: str) -> Run:
        command = [sys.executable, "-m", "pre_commit", *words]
        return run(command, self.folder, PRE_COMMIT_HOME=str(self.home), PYTHONPATH="")

    @property
    def status(self) -> list[str]:
        return self.git("status", "--short").output.splitlines()


@pytest.fixture
def scratch(tmp_path: Path, repository: Path, home: Path) -> Callable[..., Scratch]:
    def made(hook: str = "", more: str = "", config: str = OURS) -> Scratch:
        found = Scratch(write(tmp_path / "project", {"pyproject.toml": ""}), home)
        text = config.format(repository=str(repository), revision=REVISION, hook=hook)
        found.git("init", "-q", "-b", "main")
        found.commit_unseen({".pre-commit-config.yaml": text + more, "notes.txt": "import jax\n", "pyproject.toml": ""})
        assert found.precommit("install").status == 0
        return found

    return made


Made = Callable[..., Scratch]


def test_a_commit_is_stopped_until_it_is_repaired(scratch: Made) -> None:
    project = scratch("flake8-jax")
    done = project.commit({"reuse.py": REUSE, "store.py": STORE})
    assert (done.places, done.status) == ([REUSED, STORED], 1), done.output
    assert project.status == ["A  reuse.py", "A  store.py"]
    done = project.commit({"reuse.py": REPAIRED, "store.py": FIXED})
    assert done.status == 0, done.output
    assert project.status == []


def test_only_what_is_staged_counts(scratch: Made) -> None:
    project = scratch("flake8-jax")
    project.commit_unseen({"old.py": STORE})
    project.stage({"store.py": FIXED})
    write(project.folder, {"store.py": f"{FIXED}x[1] = 2.0\n", "untracked.py": STORE})
    done = project.commit()
    assert done.status == 0, done.output
    assert project.status == [" M store.py", "?? untracked.py"]


def test_facts_of_files_that_are_not_staged_count(scratch: Made) -> None:
    project = scratch("flake8-jax")
    project.commit_unseen({"train.py": TRAIN, "ops.py": SAFE_OPS})
    done = project.commit({"ops.py": OPS})
    assert (done.places, done.status) == ([BRANCH], 1), done.output
    assert "`relu` is jitted on line 4 of `train.py`" in done.output


def test_exclusions_hold_for_staged_files(scratch: Made) -> None:
    """pre-commit hands over paths."""
    both = "      - id: flake8-jax-fix\n      - id: flake8-jax-changed\n"
    project = scratch("flake8-jax", both)
    project.commit_unseen({"pyproject.toml": '[tool.flake8-jax]\nextend-exclude = ["vendor", "docs/conf.py"]\n'})
    excluded: dict[str, str | bytes] = {"vendor/lib/store.py": STORE, "docs/conf.py": STORE}
    done = project.commit(excluded)
    assert done.status == 0, done.output
    assert {(project.folder / name).read_text() for name in excluded} == {STORE}
    done = project.commit({"vendor/lib/store.py": REUSE, "own/store.py": REUSE})
    assert (done.places, done.status) == ([f"own/{REUSED}".replace("reuse", "store")] * 3, 1), done.output


def test_the_fixer_stops_once(scratch: Made) -> None:
    project = scratch("flake8-jax-fix")
    done = project.commit({"store.py": STORE})
    assert done.status == 1
    assert "store.py:4:1: JAX201 fixed: " in done.output
    assert "exit code: 1" in done.output
    assert "files were modified by this hook" in done.output
    assert (project.folder / "store.py").read_text() == FIXED
    assert project.git("show", ":store.py").output == STORE
    done = project.commit({"store.py": FIXED})
    assert done.status == 0, done.output
    done = project.commit({"reuse.py": REUSE})
    assert (done.places, done.status) == ([REUSED], 1), done.output
    assert (project.folder / "reuse.py").read_text() == REUSE


def test_what_was_there_before_is_silent(scratch: Made) -> None:
    project = scratch("flake8-jax-changed")
    project.commit_unseen({"old.py": STORE, "ops.py": OPS})
    write(project.folder, {"untracked.py": STORE})
    done = project.commit({"old.py": f"# moved\n{STORE}", "new.py": FIXED})
    assert done.status == 0, done.output
    done = project.commit({"old.py": f"# moved\n{STORE}x[1] = 2.0\n"})
    assert (done.places, done.status) == (["old.py:6:1: JAX201"], 1), done.output
    done = project.commit({"old.py": f"# moved\n{STORE}x = x.at[1].set(2.0)\n"})
    assert done.status == 0, done.output
    done = project.commit({"train.py": TRAIN})
    assert (done.places, done.status) == ([BRANCH], 1), done.output
    project.stage({"ops.py": SAFE_OPS})
    (project.folder / "sub").mkdir()
    inside = git(project.folder / "sub", project.home, "commit", "-qm", "from a folder below")
    assert inside.status == 0, inside.errors


def test_from_one_revision_to_another(scratch: Made) -> None:
    project = scratch("flake8-jax-changed")
    project.commit_unseen({"old.py": STORE, "ops.py": OPS})
    project.git("checkout", "-qb", "feature")
    project.commit_unseen({"train.py": TRAIN})
    done = project.precommit("run", "--from-ref", "main", "--to-ref", "HEAD")
    assert (done.places, done.status) == ([BRANCH], 1), done.output
    done = project.precommit("run", "--from-ref", "HEAD", "--to-ref", "HEAD")
    assert done.status == 0, done.output


def test_arguments_choose_another_revision(scratch: Made) -> None:
    project = scratch("flake8-jax-changed", "        args: [--diff-base, main, --select, JAX2]\n")
    project.commit_unseen({"old.py": STORE})
    project.git("checkout", "-qb", "feature")
    project.commit_unseen({"first.py": STORE.replace("x[0]", "x[1]")})
    done = project.commit({"second.py": REUSE})
    assert (done.places, done.status) == (["first.py:4:1: JAX201"], 1), done.output


def test_flake8s_hook(scratch: Made) -> None:
    project = scratch(config=FLAKE8S)
    done = project.commit({"reuse.py": REUSE, "store.py": STORE})
    assert (done.places, done.status) == ([REUSED, STORED], 1), done.output
    done = project.commit({"reuse.py": REPAIRED, "store.py": FIXED})
    assert done.status == 0, done.output


def test_a_revision_that_is_still_to_be_named(scratch: Made, repository: Path) -> None:
    """pre-commit writes the newest, as the page says, with and without a tag."""
    project = scratch("flake8-jax")
    config = project.folder / ".pre-commit-config.yaml"
    text = config.read_text().replace(f"rev: {REVISION}", "rev: A-TAG-OR-COMMIT")
    config.write_text(text)
    assert project.precommit("autoupdate").status == 0
    assert f"rev: {REVISION}" in config.read_text()
    untagged = project.folder.parent / "untagged"
    project.git("clone", "-q", "--no-tags", str(repository), str(untagged))
    head = git(untagged, project.home, "rev-parse", "HEAD").output.strip()
    config.write_text(text.replace(str(repository), str(untagged)))
    assert project.precommit("autoupdate").status == 0
    assert f"rev: {head}" in config.read_text()
