"""Formats show fixes, also of reports that are remembered."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.commands import STORE, command, write

pytestmark = pytest.mark.slow  # it starts many processes
FIX = {
    "title": "`x[0] = 1.0` becomes `x = x.at[0].set(1.0)`",
    "applicability": "safe",
    "edits": [{"line": 4, "column": 1, "end_line": 4, "end_column": 11, "text": "x = x.at[0].set(1.0)"}],
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return write(tmp_path, {"pyproject.toml": "", "a.py": STORE})


@pytest.mark.parametrize("kind", ["full", "json", "jsonl", "sarif"])
def test_a_fix_is_the_same_from_the_store(tree: Path, kind: str) -> None:
    outputs = [command(tree, "check", f"--output-format={kind}", *more).output for more in (["--no-store"], [], [])]
    assert len(set(outputs)) == 1
    assert "x.at[0].set(1.0)" in outputs[0].replace("use `x = x.at[0].set(1.0)`", "")


def test_records(tree: Path) -> None:
    (found,) = json.loads(command(tree, "check", "--output-format=json").output)["diagnostics"]
    assert found["fix"] == FIX
    (line,) = command(tree, "check", "--output-format=jsonl").output.splitlines()
    assert json.loads(line)["fix"] == FIX


def test_a_frame_ends_with_the_diff(tree: Path) -> None:
    assert command(tree, "check", "--output-format=full").output.endswith(
        "    fix: `x[0] = 1.0` becomes `x = x.at[0].set(1.0)`\n      @@ -3,2 +3,2 @@\n       x = jnp.zeros(3)\n"
        "      -x[0] = 1.0\n      +x = x.at[0].set(1.0)\n"
    )


def test_sarif(tree: Path) -> None:
    (run,) = json.loads(command(tree, "check", "--output-format=sarif").output)["runs"]
    (fix,) = run["results"][0]["fixes"]
    (replacement,) = fix["artifactChanges"][0]["replacements"]
    assert replacement["insertedContent"] == {"text": "x = x.at[0].set(1.0)"}
    assert replacement["deletedRegion"] == {"startLine": 4, "startColumn": 1, "endLine": 4, "endColumn": 11}
