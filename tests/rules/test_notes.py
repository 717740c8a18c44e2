"""What is shown with a finding: the steps from it to its cause."""

from __future__ import annotations

from flake8_jax.analysis.checks.context import MOST_NOTES
from flake8_jax.driver.linter import lint
from flake8_jax.model.config import Config
from flake8_jax.syntax.source import SourceFile


def test_of_a_long_chain_the_first_steps_are_shown_and_the_last() -> None:
    calls = 12
    text = "import jax\ndef f0(key):\n    return jax.random.normal(key)\n"
    text += "".join(f"def f{i}(key):\n    return f{i - 1}(key)\n" for i in range(1, calls + 1))
    text += f"def main(key):\n    return f{calls}(key) + jax.random.normal(key)\n"
    (found,) = lint(SourceFile("/nowhere/chain.py", text), Config(no_store=True)).diagnostics
    first, *steps, again = found.notes
    assert (first.text, again.text) == (f"used by `f{calls}`", "used again by `jax.random.normal`")
    assert [step.text for step in steps[:2]] == [f"`f{calls - 1}` uses it there", f"`f{calls - 2}` uses it there"]
    assert (len(steps), steps[-1].text) == (MOST_NOTES, "`jax.random.normal` uses it there")
