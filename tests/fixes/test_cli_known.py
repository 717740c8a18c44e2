"""Fixes beside what adopts the tool: known findings are left alone, and what makes no sense is one line."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.support.commands import REUSE, STORE, command, fixable, write

pytestmark = pytest.mark.slow  # it starts many processes
MORE = f"{STORE}x[1] = 2.0\n"
FIXED_MORE = MORE.replace("x[1] = 2.0", "x = x.at[1].set(2.0)")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    write(tmp_path, {"pyproject.toml": "", "a.py": STORE, "b.py": STORE})
    assert command(tmp_path, "check", "--write-baseline=known.json").status == 0
    return write(tmp_path, {"a.py": MORE})


def git(folder: Path, *words: str) -> None:
    names = ("-c", "user.name=a", "-c", "user.email=a@b.invalid")
    subprocess.run(["git", *names, *words], cwd=folder, check=True, capture_output=True)


def test_what_a_baseline_knows_is_not_fixed(tree: Path) -> None:
    done = command(tree, "fix", "--baseline=known.json")
    assert done.rows == ["a.py:5:1: JAX201 fixed: `x[1] = 2.0` becomes `x = x.at[1].set(2.0)`"]
    assert done.errors == "fixed 1 finding in 1 file: 0 findings left; 2 known\n"
    assert done.status == 0
    assert (tree / "a.py").read_text() == FIXED_MORE
    assert (tree / "b.py").read_text() == STORE
    again = command(tree, "fix", "--baseline=known.json")
    assert (again.output, again.errors) == ("", "fixed 0 findings in 0 files: 0 findings left; 2 known\n")
    assert command(tree, "check", "--baseline=known.json").errors == "checked 2 files: 0 findings; 2 known\n"


def test_what_a_baseline_knows_is_not_in_a_diff(tree: Path) -> None:
    done = command(tree, "check", "--diff", "--baseline=known.json")
    assert [line for line in done.output.splitlines() if line[0] in "-+"] == [
        "--- a/a.py", "+++ b/a.py", "-x[1] = 2.0", "+x = x.at[1].set(2.0)",
    ]  # fmt: skip
    assert done.errors == f"checked 2 files: 1 finding; 2 known{fixable(1)}"
    assert done.status == 1
    assert (tree / "a.py").read_text() == MORE


def test_each_known_finding_is_known_once(tree: Path) -> None:
    write(tree, {"a.py": STORE, "c.py": STORE})
    done = command(tree, "fix", "--baseline=known.json")
    assert [row.partition(" fixed")[0] for row in done.rows] == ["c.py:4:1: JAX201"]
    assert [(tree / name).read_text() for name in ("a.py", "b.py")] == [STORE, STORE]


def test_what_is_gone_is_said_once(tree: Path) -> None:
    write(tree, {"b.py": "import jax\n"})
    assert command(tree, "fix", "--baseline=known.json").errors.count("no longer found: JAX201 in b.py") == 1


def test_standard_input_may_be_known(tree: Path) -> None:
    done = command(tree, "fix", "--baseline=known.json", "-", "--stdin-filename=a.py", stdin=MORE.encode())
    assert (done.output, done.status) == (FIXED_MORE, 0)
    assert done.errors.endswith("fixed 1 finding in 1 file: 0 findings left; 1 known\n")
    done = command(tree, "fix", "--baseline=known.json", "-", "--stdin-filename=a.py", stdin=STORE.encode())
    assert (done.output, done.status) == (STORE, 0)


def test_what_a_revision_has_is_not_fixed(tree: Path) -> None:
    write(tree, {"a.py": STORE})
    git(tree, "init", "-q")
    git(tree, "add", "-A")
    git(tree, "commit", "-qm", "first")
    write(tree, {"a.py": MORE})
    assert "+x = x.at[1].set(2.0)" in command(tree, "check", "--diff", "--diff-base=HEAD").output
    done = command(tree, "fix", "--diff-base=HEAD")
    assert done.errors == "fixed 1 finding in 1 file: 0 findings left; 2 known\n"
    assert (tree / "a.py").read_text() == FIXED_MORE
    assert (tree / "b.py").read_text() == STORE


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("check --diff --add-noqa", "--diff only shows, and does not go with --add-noqa"),
        ("check --diff --add-ignores=why", "--diff only shows, and does not go with --add-ignores"),
        ("check --diff --write-baseline=k.json", "--diff only shows, and does not go with --write-baseline"),
        ("check --diff --format=json", "--diff prints changes in place of findings: it has no --output-format"),
        (
            "check --unsafe-fixes",
            "--unsafe-fixes goes with --diff; `flake8-jax fix --unsafe-fixes` makes the changes",
        ),
        ("fix --diff", "--diff is an option of `flake8-jax check`, which shows what `fix` would change"),
        ("fix --add-noqa", "--add-noqa is an option of `flake8-jax check`"),
        ("fix --add-ignores why", "--add-ignores is an option of `flake8-jax check`"),
        ("fix --write-baseline=k.json", "--write-baseline is an option of `flake8-jax check`"),
        ("fix - a.py", "`-` stands alone: of standard input the fixed text is printed"),
        ("fix --baseline=no.json", "there is no baseline no.json; `--write-baseline no.json` writes one"),
        ("fix --diff-base=main", "--diff-base: git: "),
        ("fix --output-file=no/f.txt", "--output-file: there is no folder no"),
    ],
)
def test_what_makes_no_sense_is_one_line_and_changes_nothing(tree: Path, words: str, message: str) -> None:
    done = command(tree, *words.split(), stdin=STORE.encode())
    assert (done.output, done.status) == ("", 2)
    assert done.errors.startswith(f"flake8-jax: error: {message}")
    assert done.errors.count("\n") == 1
    assert (tree / "a.py").read_text() == MORE


def test_files_and_settings_are_shown_and_nothing_is_fixed(tree: Path) -> None:
    assert command(tree, "fix", "--show-files").output == "./a.py\n./b.py\n"
    assert "[tool.flake8-jax]" in command(tree, "fix", "--show-settings").output
    assert (tree / "a.py").read_text() == MORE


def test_what_is_selected_in_vain_is_said(tree: Path) -> None:
    for words in (["fix"], ["check", "--diff"]):
        done = command(tree, *words, "--select=JAX209,JAX101")
        assert done.errors.startswith("flake8-jax: warning: JAX209 is selected, but its status is strict")


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["concise", "full", "json", "jsonl", "sarif"])
def test_what_remains_is_printed_in_each_format(tmp_path: Path, kind: str) -> None:
    write(tmp_path, {"pyproject.toml": "", "a.py": STORE, "reuse.py": REUSE})
    expected = command(tmp_path, "check", f"--output-format={kind}", "reuse.py").output
    given = command(tmp_path, "fix", f"--output-format={kind}", "-", "--stdin-filename=reuse.py", stdin=REUSE.encode())
    assert given.output == REUSE
    assert given.errors == f"{expected}fixed 0 findings in 0 files: 1 finding left\n"
    done = command(tmp_path, "fix", f"--output-format={kind}", "a.py", "reuse.py", "--output-file=found.txt")
    assert (tmp_path / "found.txt").read_text() == expected
    assert len(done.rows) == (kind in ("concise", "full"))
    assert done.status == 1


def test_quiet(tree: Path) -> None:
    done = command(tree, "fix", "-q")
    assert (done.output, done.errors, done.status) == ("", "", 0)
    assert (tree / "b.py").read_text() != STORE


def test_a_diff_goes_to_a_file_and_has_colours(tree: Path) -> None:
    plain = command(tree, "check", "--diff", "--statistics")
    assert "3     JAX201 item-assignment\n" in plain.errors
    done = command(tree, "check", "--diff", "--output-file=changes.diff")
    assert (done.output, (tree / "changes.diff").read_text()) == ("", plain.output)
    assert subprocess.run(["git", "apply", "changes.diff"], cwd=tree, check=False).returncode == 0
    assert command(tree, "check").status == 0
    write(tree, {"a.py": STORE})
    coloured = command(tree, "check", "--diff", "--color=always").output
    assert "\033[31m-x[0] = 1.0\033[0m\n\033[32m+x = x.at[0].set(1.0)\033[0m\n" in coloured
