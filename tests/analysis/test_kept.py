"""What is kept of a run for as long as its project is: one object for what is the same, nothing for what is empty."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from flake8_jax.analysis.summaries.fixpoint import summary_of_top_level
from flake8_jax.domain.staging import Ambient, Input, unite
from flake8_jax.domain.summary import Summary
from flake8_jax.driver.linter import lint
from flake8_jax.driver.projects import Projects
from tests.support.bindings import APART, ROOT
from tests.support.layouts import tree

TEXT = """\
import jax
import jax.numpy as jnp


def leaf(x, n):
    if x.sum() > n:
        print(x)
    if x.max() > n:
        print(n)
    return int(n)


def middle(x, n):
    return leaf(x, n) + leaf(x * 2, n)


@jax.jit
def top(x):
    return middle(jnp.sin(x), x)
"""


@pytest.fixture
def summaries(tmp_path: Path) -> dict[str, Summary]:
    tree(tmp_path, {**ROOT, "a.py": TEXT})
    projects = Projects(APART)
    assert lint(projects.read(os.fspath(tmp_path / "a.py")), APART, projects).diagnostics
    [linked] = projects._linked.values()
    return {one.function.name: summary_of_top_level(one) for one in linked.program.summaries}


def test_a_finished_summary_shares_what_is_empty(summaries: dict[str, Summary]) -> None:
    leaf, middle = summaries["leaf"], summaries["middle"]
    assert leaf.writes.parts is middle.writes.parts
    assert middle.run.callees != []
    assert Counter(leaf.run.reached) == {}
    source = Input("x")
    with pytest.raises(TypeError, match="is over"):
        leaf.writes.entered.append(None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="is over"):
        leaf.writes.invalidated[source] = None
    with pytest.raises(TypeError, match="is over"):
        leaf.writes.invalidated |= {source: None}
    assert list(leaf.writes.invalidated) == []


def test_effects_by_the_same_calls_share_them(summaries: dict[str, Summary]) -> None:
    chains = [effect.chain for effect in summaries["middle"].requires.effects if effect.chain]
    assert len(chains) > 2
    assert len(set(map(id, chains))) <= 2, "one for each call"


def test_sets_that_are_the_same_are_one() -> None:
    one, other, ambient = Input("x"), Input("y"), Ambient()
    assert one.alone is one.alone == frozenset((one,))
    both = unite(one.alone, other.alone)
    assert unite(both, one.alone) is both is unite(other.alone, both)
    assert unite(one.alone, frozenset((one,))) is one.alone
    assert unite(both, frozenset((ambient,))) == {one, other, ambient}
