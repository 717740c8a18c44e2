"""What hooks rely on: exclusions hold for files that are named, and what is new is found against the right commit."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from flake8_jax.driver.cli.main import main
from tests.support.commands import REUSE, STORE, Check, checking, command, fixable, flake8, write
from tests.support.reruns import spied, stored

ANOTHER = STORE.replace("x[0]", "x[1]")
HELPER = "def relu(x):\n    if x > 0:\n        return x\n    return 0 * x\n"
TRAIN = "import jax\nfrom ops import relu\n\nstep = jax.jit(relu)\n"


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    tree = tmp_path / "build" / "tree"
    tree.mkdir(parents=True)
    monkeypatch.chdir(tree)
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "PRE_COMMIT_FROM_REF", "PRE_COMMIT_TO_REF"):
        monkeypatch.delenv(name, raising=False)
    return tree


@pytest.fixture
def check(tree: Path, capsys: pytest.CaptureFixture[str]) -> Check:
    return checking(capsys)


# Exclusions.


PATTERNS = ["vendor", "vendor/", "./vendor", "vendor/*", "vendor/lib", "a.py", "vend*", "*/lib"]


@pytest.mark.parametrize("patterns", PATTERNS)
@pytest.mark.parametrize("named", ["vendor/lib/a.py", "./vendor/lib/a.py", "vendor/lib", "vendor/lib/../lib/a.py"])
def test_exclusions_hold_for_what_is_named(tree: Path, check: Check, patterns: str, named: str) -> None:
    write(tree, {"vendor/lib/a.py": STORE, "vendor/lib/setup.py": STORE, "own.py": STORE})
    write(tree, {"pyproject.toml": f'[tool.flake8-jax]\nextend-exclude = ["{patterns}", "setup.py"]\n'})
    assert check(named, "own.py").places == ["own.py:4:1: JAX201"]
    assert check("--show-files", str(tree / named), "own.py").output == "own.py\n"
    assert main(["fix", named]) == 0
    assert (tree / "vendor/lib/a.py").read_text() == STORE


def test_a_project_may_stand_in_a_folder_with_an_excluded_name(
    tree: Path, check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tree, {"pyproject.toml": "", "pkg/a.py": STORE, "pkg/build/b.py": STORE})
    assert check("--exclude=build", "pkg/a.py", "pkg/build/b.py").places == ["pkg/a.py:4:1: JAX201"]
    assert check("--exclude=build", str(tree / "pkg/a.py")).rows != []
    monkeypatch.chdir(tree / "pkg")
    assert check("--exclude=build", "a.py", "build/b.py").places == ["a.py:4:1: JAX201"]
    assert check("--exclude=build", "../pkg/a.py", "../pkg/build/b.py").places == ["../pkg/a.py:4:1: JAX201"]
    write(tree, {"pyproject.toml": '[tool.flake8-jax]\nexclude = ["pkg/"]\n'})
    assert check("a.py").output == check().output == check("../pkg/a.py").output == ""


def test_flake8_itself_reports_what_is_named(tree: Path) -> None:
    """Its patterns are compared with the file alone; the page says so."""
    write(tree, {"vendor/a.py": STORE})
    assert flake8(tree, "--select=JAX", "--exclude=vendor", "vendor/a.py").places == ["vendor/a.py:4:1: JAX201"]
    assert flake8(tree, "--select=JAX", "--exclude=vendor/*", "vendor/a.py").places == []


def test_standard_input_stands_for_its_file(tree: Path) -> None:
    write(tree, {"a.py": REUSE, "b.py": REUSE})
    words = ["-", "a.py", "b.py", "--stdin-filename=a.py"]
    places = command(tree, "check", *words, stdin=STORE.encode()).places
    assert places == ["a.py:4:1: JAX201", "b.py:5:23: JAX101"]
    shown = command(tree, "check", "--diff", *words, stdin=STORE.encode()).output
    assert shown.count("+x = x.at[0].set(1.0)") == 1


# Fixes.


def test_a_fixer_that_stops_a_commit(tree: Path) -> None:
    write(tree, {"a.py": STORE})
    assert main(["fix", "--exit-non-zero-on-fix", "a.py"]) == 1
    assert main(["fix", "--exit-non-zero-on-fix", "a.py"]) == 0
    write(tree, {"a.py": STORE})
    assert main(["fix", "--exit-non-zero-on-fix", "--exit-zero", "a.py"]) == 0


def test_a_fix_counts_what_was_analysed(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tree, {"a.py": STORE})
    assert main(["fix", "--analysis-statistics", "--no-store"]) == 0
    errors = capsys.readouterr().err
    assert "1 files, 1 analysed\n" in errors
    assert "cost: 1 judged again" in errors


# What is new at a commit, at a merge, at a push.


def git(tree: Path, *words: str) -> str:
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", *identity, *words], cwd=tree, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def commit(tree: Path, files: dict[str, str | bytes]) -> str:
    write(tree, files)
    git(tree, "add", "-A")
    git(tree, "commit", "-qm", "more")
    return git(tree, "rev-parse", "HEAD")


@pytest.fixture
def repository(tree: Path) -> Path:
    git(tree, "init", "-q", "-b", "main")
    commit(tree, {"pyproject.toml": "", "store.py": STORE, "ops.py": HELPER})
    return tree


BASE = "--diff-base=:PRE-COMMIT:"


def test_at_a_commit_it_is_new_against_head(repository: Path, check: Check) -> None:
    assert check(BASE).status == 0
    write(repository, {"train.py": TRAIN, "store.py": f"{STORE}x[1] = 2.0\n", "untracked.py": STORE})
    git(repository, "add", "train.py")
    done = check(BASE)
    assert done.places == ["ops.py:2:8: JAX401", "store.py:5:1: JAX201"]
    assert done.errors == f"checked 3 files: 2 findings; 1 known{fixable(1)}"
    assert check(BASE, "store.py", "untracked.py").places == ["store.py:5:1: JAX201"]


def test_before_the_first_commit_everything_is_new(tree: Path, check: Check) -> None:
    git(tree, "init", "-q", "-b", "main")
    write(tree, {"store.py": STORE, "untracked.py": STORE})
    git(tree, "add", "store.py")
    assert check(BASE).places == ["store.py:4:1: JAX201"]


def test_a_merge_brings_nothing_new(repository: Path, check: Check) -> None:
    first = git(repository, "rev-parse", "HEAD")
    commit(repository, {"ours.py": ANOTHER})
    git(repository, "checkout", "-qb", "feature", first)
    commit(repository, {"theirs.py": REUSE, "copy.py": ANOTHER})
    git(repository, "checkout", "-q", "main")
    git(repository, "merge", "--no-commit", "--no-ff", "feature")
    assert check("--diff-base=HEAD").places == ["copy.py:4:1: JAX201", "theirs.py:5:23: JAX101"]
    assert check(BASE).rows == []
    write(repository, {"ours.py": f"{ANOTHER}x[2] = 1.0\n", "store.py": f"{STORE}x[0] = 1.0\n"})
    assert check(BASE).places == ["ours.py:5:1: JAX201", "store.py:5:1: JAX201"]


def test_a_push_or_a_pull_request_is_compared_with_its_base(
    repository: Path, check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(repository, "checkout", "-qb", "feature")
    commit(repository, {"new.py": ANOTHER})
    git(repository, "checkout", "-q", "main")
    repaired = commit(repository, {"store.py": "x = 1\n"})
    git(repository, "checkout", "-q", "feature")
    assert check(BASE).status == 0
    monkeypatch.setenv("PRE_COMMIT_FROM_REF", "main")
    monkeypatch.setenv("PRE_COMMIT_TO_REF", "HEAD")
    assert check(BASE).places == ["new.py:4:1: JAX201"]
    assert check(f"--diff-base={repaired}").places == ["new.py:4:1: JAX201", "store.py:4:1: JAX201"]
    git(repository, "checkout", "-q", "--orphan", "other")
    git(repository, "commit", "-qm", "nothing in common")
    assert check(BASE).places == ["new.py:4:1: JAX201", "store.py:4:1: JAX201"]
    monkeypatch.setenv("PRE_COMMIT_FROM_REF", "nowhere")
    assert check(BASE).status == 2


def test_a_commit_of_some_files_has_an_index_of_its_own(
    repository: Path, check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(repository, {"new.py": ANOTHER})
    assert check(BASE).rows == []
    git(repository, "add", "new.py")
    (repository / ".git" / "index").rename(repository / ".git" / "next-index.lock")
    git(repository, "read-tree", "HEAD")
    assert check(BASE).rows == []
    monkeypatch.setenv("GIT_INDEX_FILE", str(repository / ".git" / "next-index.lock"))
    assert check(BASE).places == ["new.py:4:1: JAX201"]


def test_what_was_excluded_was_not_known(repository: Path, check: Check) -> None:
    commit(repository, {"vendor/lib/setup.py": "", "vendor/lib/a.py": ANOTHER})
    write(repository, {"copy.py": ANOTHER})
    words = ("--diff-base=HEAD", "copy.py", "vendor/lib/a.py")
    assert check(*words).places == ["copy.py:4:1: JAX201"]
    assert check(*words, "--exclude=vendor").places == ["copy.py:4:1: JAX201"]
    git(repository, "rm", "-q", "vendor/lib/a.py")
    assert check(*words[:2]).places == []
    assert check(*words[:2], "--exclude=vendor").places == ["copy.py:4:1: JAX201"]


def test_a_file_that_could_not_be_judged_before_is_known(repository: Path, check: Check) -> None:
    commit(repository, {"template.py": "import jax\n{{ name }} = (\n"})
    assert check(BASE).errors == "checked 3 files: 0 findings; 1 known; 1 file could not be judged\n"
    write(repository, {"template.py": "import jax\n{{ name }} = (\n", "ops.py": "import jax\nx = (\n"})
    done = check(BASE)
    assert (done.places, done.status) == (["ops.py:2:1: JAX000"], 1)
    git(repository, "mv", "template.py", "other.py")
    assert check(BASE, "other.py").places == ["other.py:2:1: JAX000"]


def test_what_a_commit_holds_is_remembered(
    repository: Path, check: Check, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(repository, {"use.py": "import jax\nimport ops\n\nz = ops.relu(jax.numpy.ones(3)[0])\n"})
    with stored(tmp_path / "store", monkeypatch):
        interpreted = spied(monkeypatch)
        write(repository, {"train.py": TRAIN})
        git(repository, "add", "-A")
        done = check(BASE)
        assert done.places == ["ops.py:2:8: JAX401"]
        assert sorted(interpreted) == ["ops.py", "ops.py", "store.py", "train.py", "use.py"]  # at HEAD, only ops.py
        interpreted.clear()
        assert check(BASE) == done
        assert interpreted == []
        assert check(BASE, "--root=.") == done
        assert interpreted == []
        assert check(BASE, "--no-store") == check(BASE, "--no-store", "--jobs=2") == done


def test_no_repository_is_a_wrong_use(tree: Path, check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tree, {"store.py": STORE})
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tree.parent))
    assert check(BASE).errors.startswith("flake8-jax: error: --diff-base: git: fatal: not a git repository")
