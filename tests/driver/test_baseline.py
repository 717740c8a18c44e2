"""Known findings: of a baseline and of a revision.  Lines move, files get other names, and what is new is reported."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from flake8_jax.driver.fingerprints import fingerprints
from flake8_jax.driver.sources import Sources
from tests.support.commands import REUSE, STORE, Check, checking, fixable, write
from tests.support.expectations import PAIRS, lint_fixture

ANOTHER = STORE.replace("x[0]", "x[1]")


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"):
        monkeypatch.delenv(name, raising=False)
    return write(tmp_path, {"pyproject.toml": "", "store.py": STORE, "pkg/reuse.py": REUSE})


@pytest.fixture
def check(tree: Path, capsys: pytest.CaptureFixture[str]) -> Check:
    return checking(capsys)


def test_a_baseline_knows_what_was_found(tree: Path, check: Check) -> None:
    done = check("--write-baseline=known.json")
    assert (done.output, done.status) == ("", 0)
    assert done.errors == "flake8-jax: note: wrote 2 findings to known.json\nchecked 2 files: 0 findings; 2 known\n"
    done = check("--baseline=known.json")
    assert (done.output, done.status) == ("", 0)
    assert done.errors == "checked 2 files: 0 findings; 2 known\n"


def test_the_file_is_stable_and_has_no_lines(tree: Path, check: Check) -> None:
    check("--write-baseline=known.json")
    first = (tree / "known.json").read_text()
    assert [row["path"] for row in json.loads(first)["findings"]] == ["pkg/reuse.py", "store.py"]
    write(tree, {"store.py": f"\n\n{STORE}"})
    check("--write-baseline=known.json", "store.py", "pkg")
    assert (tree / "known.json").read_text() == first


def test_moved_lines_and_renamed_files_stay_known(tree: Path, check: Check) -> None:
    check("--write-baseline=known.json")
    (tree / "store.py").rename(tree / "pkg" / "other.py")
    write(tree, {"pkg/other.py": f"# moved\n\n{STORE}"})
    done = check("--baseline=known.json")
    assert (done.output, done.notes, done.status) == ("", "", 0)


def test_what_is_new_is_reported(tree: Path, check: Check) -> None:
    check("--write-baseline=known.json")
    write(tree, {"store.py": f"{STORE}x[0] = 1.0\n", "copy.py": STORE})
    done = check("--baseline=known.json")
    assert done.places == ["copy.py:4:1: JAX201", "store.py:5:1: JAX201"]
    assert done.status == 1
    assert done.errors == f"checked 3 files: 2 findings; 2 known{fixable(2)}"


def test_what_is_gone_is_said(tree: Path, check: Check) -> None:
    check("--write-baseline=known.json")
    write(tree, {"store.py": "import jax\n"})
    done = check("--baseline=known.json")
    assert done.errors.splitlines() == [
        "flake8-jax: note: no longer found: JAX201 in store.py: x[0] = 1.0",
        "flake8-jax: note: known.json can be shortened: `--write-baseline known.json` writes it anew",
        "checked 2 files: 0 findings; 1 known",
    ]
    assert done.status == 0
    assert check("--baseline=known.json", "-q").errors == ""
    (tree / "pkg" / "reuse.py").unlink()
    assert check("--baseline=known.json").errors.count("no longer found") == 2


def test_many_that_are_gone_are_counted(tree: Path, check: Check) -> None:
    lines = "".join(f"x[{number}] = 1.0\n" for number in range(12))
    write(tree, {"store.py": STORE + lines})
    check("--write-baseline=known.json")
    write(tree, {"store.py": "import jax\n"})
    errors = check("--baseline=known.json").errors
    assert errors.count("note: no longer found: ") == 10
    assert "13 of known.json are no longer found: `--write-baseline" in errors


@pytest.mark.parametrize("words", [["pkg"], ["--select=JAX1"], ["--extend-exclude=store.py"], ["--ignore=JAX2"]])
def test_what_was_not_looked_for_is_not_gone(tree: Path, check: Check, words: list[str]) -> None:
    check("--write-baseline=known.json")
    done = check("--baseline=known.json", *words)
    assert (done.output, done.notes) == ("", "")


def test_rules_that_did_not_run_have_lost_nothing(tree: Path, check: Check) -> None:
    write(tree, {"store.py": "import jax.numpy as jnp\n\ndef f(x):\n    jnp.zeros(3).at[0].set(1)\n"})
    check("--strict", "--write-baseline=known.json")
    assert "JAX202" in (tree / "known.json").read_text()
    assert "no longer" not in check("--baseline=known.json").errors


def test_a_baseline_may_be_configured_and_be_elsewhere(
    tree: Path, check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tree, {"pyproject.toml": '[tool.flake8-jax]\nbaseline = "ci/known.json"\n', "ci/.keep": ""})
    check("--write-baseline=ci/known.json")
    assert json.loads((tree / "ci" / "known.json").read_text())["findings"][1]["path"] == "../store.py"
    assert check().status == 0
    monkeypatch.chdir(tree / "pkg")
    assert check().errors == "checked 1 file: 0 findings; 1 known\n"
    monkeypatch.chdir(tree)
    write(tree, {"store.py": ANOTHER})
    assert check().places == ["store.py:4:1: JAX201"]


def test_a_file_that_could_not_be_judged_is_not_known(tree: Path, check: Check) -> None:
    write(tree, {"broken.py": "import jax\nx = (\n"})
    done = check("--write-baseline=known.json")
    assert (done.places, done.status) == (["broken.py:2:1: JAX000"], 1)
    assert check("--baseline=known.json").places == ["broken.py:2:1: JAX000"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "there is no baseline known.json; `--write-baseline known.json` writes one"),
        ("{", "known.json is not a baseline: "),
        ("[]", "known.json is not a baseline: it has no findings"),
        ('{"schema": 1, "findings": [{}]}', "known.json is not a baseline: {} is not a finding"),
        ('{"schema": 9, "findings": []}', "known.json is of another version of flake8-jax; "),
    ],
)
def test_a_baseline_that_is_none_is_a_wrong_use(tree: Path, check: Check, content: str | None, message: str) -> None:
    if content is not None:
        write(tree, {"known.json": content})
    done = check("--baseline=known.json")
    assert (done.output, done.status, done.errors.count("\n")) == ("", 2, 1)
    assert done.errors.startswith(f"flake8-jax: error: {message}")


def test_a_baseline_that_is_none_is_told_before_a_file_is_judged(
    tree: Path, check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    def judged(*_: object) -> None:
        pytest.fail("a file was judged")

    monkeypatch.setattr("flake8_jax.driver.cli.check.checked", judged)
    assert check("--baseline=no.json").errors.startswith("flake8-jax: error: there is no baseline no.json; ")


def test_a_baseline_is_written_where_there_is_a_folder(tree: Path, check: Check) -> None:
    done = check("--write-baseline=no/known.json")
    assert (done.errors, done.status) == ("flake8-jax: error: --write-baseline: there is no folder no\n", 2)


# A revision.


def git(tree: Path, *words: str) -> None:
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *identity, *words], cwd=tree, check=True, capture_output=True)


@pytest.fixture
def repository(tree: Path) -> Path:
    git(tree, "init", "-q", "-b", "main")
    git(tree, "add", "-A")
    git(tree, "commit", "-qm", "first")
    return tree


def test_what_was_there_at_a_revision_is_known(repository: Path, check: Check) -> None:
    assert check("--diff-base=HEAD").status == 0
    write(repository, {"store.py": f"# moved\n{STORE}x[1] = 2.0\n", "new.py": ANOTHER})
    done = check("--diff-base=HEAD")
    assert done.places == ["new.py:4:1: JAX201", "store.py:6:1: JAX201"]
    assert done.errors == f"checked 3 files: 2 findings; 2 known{fixable(2)}"
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "second")
    assert check("--diff-base=HEAD").status == 0
    assert check("--diff-base=HEAD~1").places == done.places
    assert (repository / "store.py").read_text().startswith("# moved")


def test_a_renamed_file_is_known_even_if_it_alone_is_given(repository: Path, check: Check) -> None:
    git(repository, "mv", "store.py", "pkg/stored.py")
    assert check("--diff-base=HEAD", "pkg/stored.py").status == 0


def test_a_copy_is_new(repository: Path, check: Check) -> None:
    write(repository, {"copy.py": STORE})
    assert check("--diff-base=HEAD").places == ["copy.py:4:1: JAX201"]
    assert check("--diff-base=HEAD", "copy.py").places == ["copy.py:4:1: JAX201"]


def test_a_finding_in_a_file_that_did_not_change_is_new(repository: Path, check: Check) -> None:
    """What makes it a hazard stands in another file."""
    write(repository, {"ops.py": "def relu(x):\n    if x > 0:\n        return x\n    return 0 * x\n"})
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "ops")
    write(repository, {"train.py": "import jax\nfrom ops import relu\n\nstep = jax.jit(relu)\n"})
    assert check("--diff-base=HEAD").places == ["ops.py:2:8: JAX401"]


def test_the_same_options_hold_at_a_revision(repository: Path, check: Check) -> None:
    write(repository, {"old/a.py": STORE, "new/a.py": ANOTHER})
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "old")
    assert check("--diff-base=HEAD", "--exclude=old/*").status == 0
    assert check("--diff-base=HEAD", "--per-file-ignores=new/*:JAX201").status == 0
    assert check("--diff-base=HEAD", "--root=.").status == 0
    git(repository, "rm", "-rq", "old")
    write(repository, {"a.py": STORE})
    assert check("--diff-base=HEAD", "--exclude=old/*").places == ["a.py:4:1: JAX201"]  # old/a.py was never reported
    assert check("--diff-base=HEAD").status == 0


def test_from_a_folder_below(repository: Path, check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repository / "pkg")
    write(repository, {"pkg/b.py": ANOTHER})
    assert check("--diff-base=HEAD", ".", "../store.py").places == ["b.py:4:1: JAX201"]


def test_three_dots_mean_the_common_ancestor(repository: Path, check: Check) -> None:
    git(repository, "checkout", "-qb", "feature")
    write(repository, {"new.py": ANOTHER})
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "feature")
    git(repository, "checkout", "-q", "main")
    write(repository, {"store.py": "import jax\n"})
    git(repository, "commit", "-qam", "repaired")
    git(repository, "checkout", "-q", "feature")
    assert check("--diff-base=main").places == ["new.py:4:1: JAX201", "store.py:4:1: JAX201"]
    assert check("--diff-base=main...").places == ["new.py:4:1: JAX201"]
    assert check("--diff-base=main...HEAD").places == ["new.py:4:1: JAX201"]


def test_what_git_does_not_export_was_there_all_the_same(repository: Path, check: Check) -> None:
    write(repository, {".gitattributes": "*.py export-ignore\n"})
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "attributes")
    assert check("--diff-base=HEAD").status == 0


def test_a_project_whose_only_marker_is_git(repository: Path, check: Check) -> None:
    git(repository, "rm", "-q", "pyproject.toml")
    write(repository, {"lib/ops.py": "def relu(x):\n    if x > 0:\n        return x\n    return 0 * x\n"})
    write(repository, {"train.py": "import jax\nfrom lib.ops import relu\n\nstep = jax.jit(relu)\n"})
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "git only")
    assert "lib/ops.py:2:8: JAX401" in check().places
    assert check("--diff-base=HEAD").status == 0


def test_a_revision_and_a_baseline(repository: Path, check: Check) -> None:
    write(repository, {"new.py": ANOTHER})
    check("--write-baseline=known.json", "new.py")
    assert check("--diff-base=HEAD", "--baseline=known.json").errors == "checked 3 files: 0 findings; 3 known\n"


def test_the_index_and_the_work_tree_are_left_alone(repository: Path, check: Check) -> None:
    write(repository, {"store.py": ANOTHER, "new.py": STORE})
    git(repository, "add", "new.py")
    before = subprocess.run(["git", "status", "--short"], cwd=repository, capture_output=True, check=True).stdout
    check("--diff-base=HEAD")
    after = subprocess.run(["git", "status", "--short"], cwd=repository, capture_output=True, check=True).stdout
    assert before == after


@pytest.mark.parametrize("name", ["nowhere", "--all", "nowhere...", "HEAD~7"])
def test_a_revision_that_is_none_is_a_wrong_use(repository: Path, check: Check, name: str) -> None:
    done = check(f"--diff-base={name}")
    shown = name.removesuffix("...")
    message = f"--diff-base: there is no revision {shown} in this repository; a shallow clone lacks most"
    assert (done.output, done.errors, done.status) == ("", f"flake8-jax: error: {message}\n", 2)
    assert check(f"--diff-base={name}", "--select=JAX305") == done  # also where nothing is found


def test_before_the_first_commit_there_is_no_revision(tree: Path, check: Check) -> None:
    git(tree, "init", "-q")
    for name in ("HEAD", "HEAD..."):
        done = check(f"--diff-base={name}")
        assert (done.errors, done.status) == ("flake8-jax: error: --diff-base: this repository has no commit yet\n", 2)


def test_no_repository_is_a_wrong_use(tree: Path, check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tree.parent))
    done = check("--diff-base=HEAD")
    assert done.status == 2
    assert done.errors.startswith("flake8-jax: error: --diff-base: git: fatal: not a git repository")
    monkeypatch.setenv("PATH", "")
    assert "--diff-base: git cannot be run: " in check("--diff-base=HEAD").errors


@pytest.mark.slow
def test_every_finding_of_the_fixtures_has_a_fingerprint_of_its_own() -> None:
    for path in (pair / "bad.py" for pair in PAIRS if pair.name.startswith("jax20")):
        said = [replace(one, path=str(path)) for one in lint_fixture(path)]
        made = fingerprints(said, Sources())
        assert said
        assert len({one.digest for one in made}) == len(said)
        assert all(one.function for one in made if one.code not in ("JAX207", "JAX901"))  # those stand at the top
