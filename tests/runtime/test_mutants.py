"""Broken claims are caught by `flake8-jax verify`, in whatever way they are broken."""

from __future__ import annotations

import os
import random
from typing import Any

import pytest

from flake8_jax.rules import discover
from flake8_jax.runtime import records
from flake8_jax.runtime.claims import Expectation, read_pairs
from flake8_jax.runtime.plan import INSPECTION
from tests.runtime.mutations import Mutant, write_mutants
from tests.runtime.verifying import verify
from tests.support.expectations import FIXTURES

HAZARDS = {found.rule.code: found.rule.hazard for found in discover()}
CLAIMS = int(os.environ.get("FLAKE8_JAX_MUTANTS", "12"))


def is_run(claim: Expectation) -> bool:
    """Is a claim proved by running it?"""
    return not (claim.phenomenon or HAZARDS[claim.code]).startswith(INSPECTION)


@pytest.fixture(scope="module")
def mutants(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Mutant], list[dict[str, Any]], str]:
    """Random claims of the fixtures, each as it is and broken in four ways, and what `verify` says of them."""
    seed = int(os.environ.get("FLAKE8_JAX_SEED", random.randrange(2**32)))
    dice = random.Random(seed)
    folder = tmp_path_factory.mktemp("mutants") / "fixtures"
    claims = [(pair, claim) for pair in read_pairs(FIXTURES) for claim in pair.bad.expectations if is_run(claim)]
    chosen = dice.sample(claims, min(CLAIMS, len(claims)))
    found = [mutant for pair, claim in chosen for mutant in write_mutants(pair, claim, HAZARDS, folder, dice)]
    _, rows = verify(folder, "--platform", "cpu", code=1)
    return found, rows, f"FLAKE8_JAX_SEED={seed}"


@pytest.mark.parametrize("way", ["good", "shifted", "phenomenon", "code"])
def test_every_broken_claim_is_caught(way: str, mutants: tuple[list[Mutant], list[dict[str, Any]], str]) -> None:
    found, rows, seed = mutants
    broken = [mutant for mutant in found if mutant.way == way]
    assert len(broken) >= CLAIMS / 2
    assert [mutant for mutant in broken if not wrong(mutant, rows, by_running=way in ("good", "shifted"))] == [], seed


def test_the_same_claims_unbroken_are_proved(mutants: tuple[list[Mutant], list[dict[str, Any]], str]) -> None:
    found, rows, seed = mutants
    controls = [mutant for mutant in found if mutant.way == "control"]
    assert len(controls) == CLAIMS
    assert [row for mutant in controls for row in wrong(mutant, rows)] == [], seed


def wrong(mutant: Mutant, rows: list[dict[str, Any]], *, by_running: bool = False) -> list[dict[str, Any]]:
    """What `verify` holds against a mutant; by running it, if asked, and not by linting it.

    A part of a fixture may show the hazards of other rules, which the rest of the fixture hides: that is nothing wrong.
    """
    own = [row for row in rows if row["fixture"].startswith(mutant.name + "/") and row["status"] in records.FAILED]
    own = [row for row in own if row["expected"] or row["phenomenon"] != "lint" or row["code"] == mutant.claim.code]
    return (
        [row for row in own if row["phenomenon"] != "lint" and row["fixture"].endswith("bad.py")] if by_running else own
    )
