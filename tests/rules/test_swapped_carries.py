"""The parts of a scan's result whose names say that they are the other part, whatever the carry began as."""

from __future__ import annotations

import pytest

from flake8_jax.driver.linter import lint
from flake8_jax.model.config import Config
from flake8_jax.syntax.source import SourceFile

PROGRAM = """
import jax, jax.numpy as jnp
def returns(rewards):
    def body(total, reward):
        total = reward + 0.9 * total
        return total, total
    {targets} = jax.lax.scan(body, jnp.zeros(()), rewards)
    return {targets}
"""

TARGETS = {
    "out, last": True,
    "ys, carry": True,
    "outputs, final_carry": True,
    "returns, _": False,
    "history, final_state": True,
    "last, out": False,
    "carry, ys": False,
    "out, final_rewards": False,  # what each turn gives may be called so
    "total, last": False,  # the one name alone is no evidence
    "out, _": False,
}


@pytest.mark.parametrize(("targets", "is_swapped"), TARGETS.items(), ids=TARGETS)
def test_swapped(targets: str, is_swapped: bool) -> None:
    text = PROGRAM.format(targets=targets)
    report = lint(SourceFile("/nowhere/fixture.py", text), Config(no_store=True))
    assert [finding.code for finding in report.diagnostics] == ["JAX609"] * is_swapped
