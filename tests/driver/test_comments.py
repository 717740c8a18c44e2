"""JAX001 and JAX002: faults of comments that suppress, in both front ends, and what is known of none."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from flake8_jax.analysis import interpretation
from flake8_jax.analysis.interpretation import Findings
from flake8_jax.analysis.modules.files import File
from flake8_jax.driver.linter import lint
from flake8_jax.model.config import Config
from flake8_jax.syntax.source import SourceFile
from tests.support.commands import REUSE, STORE, command, flake8, write

HEAD = "import jax.numpy as jnp\nx = jnp.zeros(3)\n"
ALONE = (
    "suppresses nothing: it stands on a line of its own; put it at the end of the line or statement that is reported"
)
ASKED = Config(enable=("JAX002",), no_store=True)


def said(text: str, config: Config = ASKED, path: str = "/nowhere/a.py") -> list[str]:
    """What is said of a text: line, column from 1, code, and the first words up to the verb."""
    return [
        f"{d.span.line}:{d.span.column + 1} {d.code} {d.message.partition(' is assigned')[0]}"
        for d in lint(SourceFile(path, text), config).diagnostics
    ]


UNUSED = {
    "y = 1  # jax: ignore[JAX201]": ["3:22 JAX002 `JAX201` suppresses nothing on this line"],
    "x[0] = 1  # jax: ignore[JAX201]": [],
    "x[0] = 1  # jax: ignore[JAX201, JAX401]": ["3:33 JAX002 `JAX401` suppresses nothing on this line"],
    "x[0] = 1  # jax: ignore[JAX101] # jax: ignore[JAX201]": ["3:25 JAX002 `JAX101` suppresses nothing on this line"],
    "x[0] = 1\n# jax: ignore-file[item-assignment, key-reused]": [
        "4:37 JAX002 `key-reused` suppresses nothing in this file",
    ],
    "x[0] = 1  # jax: ignore[JAX201]\n# jax: ignore-file[JAX201]": [],  # either would do
    "y = 1  # jax: ignore[JAX209]": [],  # strict: it did not run
    "y = 1  # jax: ignore[JAX2]": [],  # a part of the family did not run
    "y = 1  # jax: ignore[JAX3]": ["3:22 JAX002 `JAX3` suppresses nothing on this line"],
    "y = 1  # jax: ignore[JAX301]": ["3:22 JAX002 `JAX301` suppresses nothing on this line"],
    "y = 1  # jax: ignore[JAX002]": [],  # it would suppress what is said of it
    "y = 1  # jax: ignore[JAX401, JAX002]": [],
    "y = 1  # jax: ignore[JAX401]\n# jax: ignore-file[unused-suppression]": [],
    "y = 1  # jax: ignore[JAX99999]": ["3:22 JAX001 `JAX99999` suppresses nothing: no rule has this code or name"],
    "y = 1  # jax: ignore  # jax: ignore[JAX001]": [],
    "x[0] = 1  # jax: ignore": [
        "3:1 JAX201 `x[0]`",
        "3:11 JAX001 `# jax: ignore` suppresses nothing: it names no code; write `# jax: ignore[CODE]`",
    ],
    "# jax: ignore[JAX201]\nx[0] = 1": [f"3:1 JAX001 `# jax: ignore[JAX201]` {ALONE}", "4:1 JAX201 `x[0]`"],
    "x[0] = 1\n    # why # jax: ignore[JAX201] why": [
        "3:1 JAX201 `x[0]`",
        f"4:11 JAX001 `# jax: ignore[JAX201]` {ALONE}",
    ],
    "x[0] = (\n    # jax: ignore[JAX201, JAX401]\n    1\n)  # jax: ignore[JAX201]": [
        f"4:5 JAX001 `# jax: ignore[JAX201, JAX401]` {ALONE}",
    ],
    "# jax: ignore[JAX99999]": ["3:15 JAX001 `JAX99999` suppresses nothing: no rule has this code or name"],
    "# jax: ignore-file[JAX201]\nx[0] = 1": [],
    "# not `# jax: ignore[JAX201]`\n# jax ignores it": [],
    "y = '# jax: ignore[JAX201]'": [],
    "y = '''\n# jax: ignore-file[JAX201]\n# jax: ignore\n'''": [],
    "y = 1  # noqa: JAX201": [],
    "y = 1  # noqa": [],
}  # fmt: skip


@pytest.mark.parametrize("text", UNUSED)
def test_each_code_that_suppresses_nothing_is_said(text: str) -> None:
    assert said(f"{HEAD}{text}\n") == UNUSED[text]


def test_it_is_on_request_and_the_other_is_on() -> None:
    text = f"{HEAD}y = 1  # jax: ignore[JAX201, JAX999]\n"
    assert [row.split()[1] for row in said(text, Config())] == ["JAX001"]
    assert [row.split()[1] for row in said(text, Config(strict=True))] == ["JAX001"]
    assert [row.split()[1] for row in said(text)] == ["JAX002", "JAX001"]


def test_what_a_strict_rule_finds_is_known_once_it_runs() -> None:
    text = f"{HEAD}y = 1  # jax: ignore[JAX209]\n"
    assert said(text) == []
    assert said(text, replace(ASKED, strict=True)) == ["3:22 JAX002 `JAX209` suppresses nothing on this line"]
    used = f"{HEAD}def f():\n    x.at[0].set(1)  # jax: ignore[JAX202]\n"
    assert said(used) == []


def test_rules_that_rest_in_test_files_did_not_run_there() -> None:
    text = f"{HEAD}y = 1  # jax: ignore[JAX202]\n"
    config = replace(ASKED, strict=True)
    assert said(text, config, "/nowhere/test_a.py") == []
    assert len(said(text, replace(config, tests=True), "/nowhere/test_a.py")) == 1


def test_nothing_is_known_of_the_comments_of_a_file_that_was_not_judged() -> None:
    text = f"{HEAD}y = (  # jax: ignore[JAX201]  # jax: ignore\n"
    assert [row.split()[1] for row in said(text)] == ["JAX000"]


def test_nothing_is_known_to_be_unused_where_a_part_was_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    real = interpretation.interpret

    def interpret(file: File) -> Findings:
        return replace(real(file), given_up=Counter(["a bound"]))

    text = f"{HEAD}y = 1  # jax: ignore[JAX201, JAX999]\n"
    assert len(said(text)) == 2
    monkeypatch.setattr(interpretation, "interpret", interpret)
    assert [row.split()[1] for row in said(text)] == ["JAX001"]


def test_disabled_comments_are_judged_all_the_same() -> None:
    text = f"{HEAD}x[0] = 1  # jax: ignore[JAX201, JAX401]\n"
    assert [row.split()[1] for row in said(text, replace(ASKED, disable_noqa=True))] == ["JAX201", "JAX002"]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    broken = "import jax\nx = (  # jax: ignore  # jax: ignore[JAX101]\n"
    noted = STORE.replace("= 1.0", "= 1.0  # jax: ignore[JAX201, JAX301, JAX3O1] why")
    write(tmp_path, {"bare.py": REUSE[:-1] + "  # jax: ignore\n", "noted.py": noted, "broken.py": broken})
    return write(tmp_path, {"hushed.py": "import jax\ny = 1  # jax: ignore  # noqa: JAX001\n"})


@pytest.mark.slow
@pytest.mark.parametrize("words", [[], ["JAX002"]])
def test_flake8_and_the_command_say_the_same(tree: Path, words: list[str]) -> None:
    theirs = flake8(tree, "--select=JAX", *(f"--jax-enable={word}" for word in words))
    expected = ["bare.py:5:23: JAX101", "bare.py:5:35: JAX001", "noted.py:4:43: JAX001"]
    if words:
        expected.insert(2, "noted.py:4:35: JAX002")
    assert theirs.places == expected
    for _ in range(2):  # found out, and remembered
        ours = command(tree, "check", *(f"--enable={word}" for word in words))
        assert [row for row in ours.rows if "JAX000" not in row] == theirs.rows
    assert flake8(tree, "--select=JAX", "--ignore=JAX001").places == ["bare.py:5:23: JAX101"]


def test_a_selection_leaves_them_out_and_what_is_selected_makes_no_difference(tree: Path) -> None:
    assert command(tree, "check", "--select=JAX101", "noted.py").rows == []
    only = command(tree, "check", "--select=JAX002", "--enable=JAX002", "noted.py")
    assert only.places == ["noted.py:4:35: JAX002"]


@pytest.mark.slow
def test_explain_knows_them(tree: Path) -> None:
    output = command(tree, "explain", "noted.py:4").output
    assert "reported:\n  JAX001 `JAX3O1` suppresses nothing" in output
    assert "  JAX002 `JAX301` suppresses nothing on this line - its status is off: `--enable JAX002` runs it" in output
