"""What the README and the page on pre-commit show is accepted by pre-commit, and names hooks that exist."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path
from textwrap import dedent, indent

import pytest

from flake8_jax.driver.cli.main import main
from flake8_jax.driver.revisions import PRE_COMMIT
from tests.support.commands import run, write

ROOT = Path(__file__).parents[2]
MANIFEST = ROOT / ".pre-commit-hooks.yaml"
PAGE = (ROOT / "docs" / "precommit.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
HOOKS = dict(re.findall(r"^- id: (\S+)\n(?:  .*\n)*?  entry: \"?(.*?)\"?$", MANIFEST.read_text("utf-8"), re.MULTILINE))
BLOCKS = [dedent(block) for block in re.findall(r"^ *```yaml\n(.*?)^ *```$", PAGE + README, re.DOTALL | re.MULTILINE)]


def whole(block: str) -> str:
    """A block of the README as a file."""
    return block if block.startswith("repos:") else "repos:\n" + indent(block, "  ")


def validated(folder: Path, what: str, text: str) -> tuple[int, str]:
    write(folder, {"file.yaml": text})
    done = run([sys.executable, "-m", "pre_commit", what, "file.yaml"], folder, PRE_COMMIT_HOME=str(folder / "home"))
    return done.status, done.output + done.errors


def test_the_hooks_are_those_described(tmp_path: Path) -> None:
    assert list(HOOKS) == ["flake8-jax", "flake8-jax-fix", "flake8-jax-changed"]
    assert re.findall(r"^\| `(flake8-jax\S*)` \|", PAGE, re.MULTILINE) == list(HOOKS)
    assert validated(tmp_path, "validate-manifest", MANIFEST.read_text("utf-8")) == (0, "")
    assert {name for name in HOOKS if f"`{name}`" not in README} <= {"flake8-jax"}
    assert HOOKS["flake8-jax-changed"].endswith(f"--diff-base={PRE_COMMIT}")


@pytest.mark.parametrize("name", HOOKS)
def test_the_command_of_a_hook_exists(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, {"pyproject.toml": "", "a.py": "x = 1\n"})
    run(["git", "init", "-q"], tmp_path)
    monkeypatch.chdir(tmp_path)
    command, *words = shlex.split(HOOKS[name])
    assert command == "flake8-jax"
    assert main(words) == 0
    assert "error" not in capsys.readouterr().err
    assert f"`{command} {words[0]}" in PAGE


@pytest.mark.slow
def test_blocks_are_accepted_and_name_hooks_that_exist(tmp_path: Path) -> None:
    assert len(BLOCKS) == 5
    for block in BLOCKS:
        status, said = validated(tmp_path, "validate-config", whole(block))
        assert (status, "appears to be a mutable reference" in said) == (0, "A-TAG-OR-COMMIT" in block), said
        used = re.findall(r"- id: (\S+)", block)
        assert used
        assert set(used) <= ({"flake8"} if "PyCQA/flake8" in block else set(HOOKS)), block
    assert validated(tmp_path, "validate-config", "repos:\n  - repo: x\n")[0] == 1


def test_no_revision_is_invented() -> None:
    """The project has no tag: a user replaces the word, by hand or by `pre-commit autoupdate`."""
    revisions = {re.findall(r"rev: (\S+)", block)[0] for block in BLOCKS if "THE-URL-OF-THIS-REPOSITORY" in block}
    assert revisions == {"A-TAG-OR-COMMIT"}
    assert "v0.1.0" not in PAGE + README
