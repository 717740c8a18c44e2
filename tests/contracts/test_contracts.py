"""The linter agrees with JAX on random calls of transforms, right and wrong.

The floors only rise: each is a little below what was measured when it was set.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

from tests.contracts.campaign import constructs, counted
from tests.contracts.grammar import HEAD
from tests.contracts.transforms import TRANSFORMS
from tests.contracts.writing import program
from tests.support import slices
from tests.support.tallies import Tally

pytestmark = pytest.mark.skipif(importlib.util.find_spec("jax") is None, reason="JAX is the referee")

FEW, MANY = 60, 2_000

FLOORS = {"all": 0.96, "transform": 0.92, "fault": 0.7, "form": 0.94, "place": 0.95, "both": 0.7}
"""The share of the sites that raise which must be found, of all and of each construct of a kind."""

ENOUGH = 40
"""From so many on, the share of a construct tells something."""


@pytest.fixture(scope="module")
def apart() -> Iterator[ProcessPoolExecutor]:
    """A process for JAX: other tests fork this one, which JAX does not allow."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        yield pool


def _check(tally: Tally) -> None:
    assert tally.alarms == {}, tally.alarmed
    assert tally.below(FLOORS, ENOUGH) == {}, tally.missed


def aspects(seed: int) -> Iterator[str]:
    """What the program of a seed has."""
    for site in program(seed).sites:
        yield from constructs(site)


@pytest.mark.slow
@slices.sliced
def test_programs_agree(apart: ProcessPoolExecutor) -> None:
    _check(apart.submit(counted, slices.taken(range(MANY), aspects, least=40, daily=30)).result())


def test_programs_are_those_of_their_seeds() -> None:
    for seed in range(FEW):
        made = program(seed)
        assert made == program(seed)
        assert made.text.startswith(HEAD)
        for site in made.sites:
            assert site.transform in TRANSFORMS
            assert site.fault in ("", *TRANSFORMS[site.transform].faults)
