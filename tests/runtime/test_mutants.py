"""Broken claims are caught by `flake8-jax verify`, in whatever way they are broken."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, NamedTuple

import pytest

from flake8_jax.rules import discover
from flake8_jax.runtime import records
from flake8_jax.runtime.claims import Expectation, Pair
from flake8_jax.runtime.plan import INSPECTION
from tests.runtime.mutations import WAYS, Mutant, ways_of, write_mutants
from tests.runtime.verifying import pairs_of_fixtures, verify
from tests.support import slices
from tests.support.slices import Slice

HAZARDS = {found.rule.code: found.rule.hazard for found in discover()}


def phenomenon_of(claim: Expectation) -> str:
    """What running shows where a claim holds."""
    return claim.phenomenon or HAZARDS[claim.code]


def sort_of(claim: Expectation) -> str:
    """The sort of its phenomenon: of one that raises, that it does."""
    return phenomenon_of(claim).partition(":")[0]


def is_run(claim: Expectation) -> bool:
    """Is a claim proved by running it?"""
    return not phenomenon_of(claim).startswith(INSPECTION)


class Broken(NamedTuple):
    """A claim and a way to break it."""

    pair: Pair
    claim: Expectation
    way: str

    def aspects(self) -> list[str]:
        """What it shows: the sort of its phenomenon, its group of rules, and its way."""
        return [sort_of(self.claim), self.claim.code[:4], self.way]


def broken_claims() -> list[Broken]:
    """All claims that are proved by running, broken in all ways."""
    return [
        Broken(pair, claim, way)
        for pair in pairs_of_fixtures()
        for claim in pair.bad.expectations
        if is_run(claim)
        for way in ways_of(pair, claim)
    ]


@pytest.fixture(scope="module")
def mutants(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Mutant], list[dict[str, Any]]]:
    """Broken claims of the fixtures, beside each the claim as it is, and what `verify` says of them."""
    pytest.importorskip("jax")
    folder = tmp_path_factory.mktemp("mutants") / "fixtures"
    ways: defaultdict[tuple[str, int], list[str]] = defaultdict(list)
    claims: dict[tuple[str, int], tuple[Pair, Expectation]] = {}
    for pair, claim, way in slices.taken(broken_claims(), Broken.aspects, daily=10):
        claims[pair.name, claim.line] = pair, claim
        ways[pair.name, claim.line].append(way)
    found = [mutant for key, one in claims.items() for mutant in write_mutants(*one, ways[key], HAZARDS, folder)]
    _, rows = verify(folder, "--platform", "cpu", code=1)
    return found, rows


@slices.sliced
@pytest.mark.parametrize("way", WAYS)
def test_every_broken_claim_is_caught(way: str, mutants: tuple[list[Mutant], list[dict[str, Any]]]) -> None:
    found, rows = mutants
    broken = [mutant for mutant in found if mutant.way == way]
    assert broken or slices.asked() is Slice.ROTATING
    assert [mutant for mutant in broken if not wrong(mutant, rows, by_running=way in ("good", "shifted"))] == []


@slices.sliced
def test_the_same_claims_unbroken_are_proved(mutants: tuple[list[Mutant], list[dict[str, Any]]]) -> None:
    found, rows = mutants
    controls = [mutant for mutant in found if mutant.way == "control"]
    assert {control.name.rpartition("-")[0] for control in controls} == {one.name.rpartition("-")[0] for one in found}
    assert [row for mutant in controls for row in wrong(mutant, rows)] == []


def test_each_phenomenon_and_each_way_gates() -> None:
    every = broken_claims()
    gating = [every[number] for number in slices.telling([{*one.aspects()} for one in every], 0)]
    assert {sort_of(one.claim) for one in gating} == {sort_of(one.claim) for one in every}
    assert {one.way for one in gating} == set(WAYS)
    assert {one.claim.code[:4] for one in gating} == {one.claim.code[:4] for one in every}


def wrong(mutant: Mutant, rows: list[dict[str, Any]], *, by_running: bool = False) -> list[dict[str, Any]]:
    """What `verify` holds against a mutant; by running it, if asked, and not by linting it.

    A part of a fixture may show the hazards of other rules, which the rest of the fixture hides: that is nothing wrong.
    """
    own = [row for row in rows if row["fixture"].startswith(mutant.name + "/") and row["status"] in records.FAILED]
    own = [row for row in own if row["expected"] or row["phenomenon"] != "lint" or row["code"] == mutant.claim.code]
    return (
        [row for row in own if row["phenomenon"] != "lint" and row["fixture"].endswith("bad.py")] if by_running else own
    )
