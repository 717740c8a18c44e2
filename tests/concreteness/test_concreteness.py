"""The linter agrees with JAX on programs that use values where they must be concrete.

The floors only rise: each is a little below what was measured when it was set.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context

import pytest

from tests.concreteness.campaign import counted
from tests.concreteness.grammar import ENTRIES, FORMS, LEFT_OUT, ORIGINS
from tests.concreteness.writing import HEAD, Program, Site, Writer, program
from tests.support import slices
from tests.support.slices import Slice
from tests.support.tallies import Tally

pytestmark = pytest.mark.skipif(importlib.util.find_spec("jax") is None, reason="JAX is the referee")

FEW, MANY = 60, 2_000
FLOORS = dict.fromkeys(("all", "entry", "depth", "form", "origin"), 0.98)
"""The share of the uses that raise which must be found, of all and of each construct of a kind."""

ENOUGH = 40
"""From so many uses on, the share of a construct tells something."""

HOST = {"real": "RATE", "integer": "COUNT", "vector": "TABLE[:3]", "flags": "TABLE[:3] > 0.7"}
TRACED = {"real": "x[0]", "integer": "n", "vector": "x", "flags": "x > 0.5"}


def _single(form: str, value: str) -> Program:
    """A jitted function with one use of a value."""
    writer = Writer()
    writer.add("@jax.jit\ndef traced(x, n):\n    acc = 0.0")
    line = writer.use(FORMS[form], value, 1)
    writer.add("    return acc * 1.0\n\n\ndef run():\n    return traced(X, N)")
    plain, probed = "\n".join(writer.plain) + "\n", "\n".join(writer.probed) + "\n"
    return Program(plain, probed, ("run",), (), (Site(line, form, value, "jit", 0),))


def raised_by_forms(forms: Iterable[str]) -> dict[str, tuple[bool, bool]]:
    """Whether each form raises for a tracer, and for a value of the host."""
    from tests.concreteness.referee import raising

    found = {}
    for form in forms:
        kind = FORMS[form].kind
        traced, host = (bool(raising(_single(form, values[kind]))) for values in (TRACED, HOST))
        found[form] = traced, host
    return found


@pytest.fixture(scope="module")
def apart() -> Iterator[ProcessPoolExecutor]:
    """A process for JAX: other tests fork this one, which JAX does not allow."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        yield pool


@pytest.fixture(scope="module")
def told(apart: ProcessPoolExecutor) -> dict[str, tuple[bool, bool]]:
    """What the referee says of each form."""
    return apart.submit(raised_by_forms, list(FORMS)).result()


@pytest.mark.parametrize("form", FORMS)
def test_the_referee_tells_tracers_from_values_of_the_host(form: str, told: dict[str, tuple[bool, bool]]) -> None:
    is_made_here = form in ("nonzero", "unique", "where")  # of a constant, too: what JAX computes under `jit` is traced
    assert told[form] == (True, is_made_here)


def _check(tally: Tally) -> None:
    assert tally.alarms == {}, tally.alarmed
    assert tally.below(FLOORS, ENOUGH) == {}, tally.missed


def aspects(seed: int) -> Iterator[str]:
    """What the program of a seed has: of each use its form in its entry, its origin and depth."""
    for site in program(seed).sites:
        yield from (f"form {site.form}", f"{site.form} {site.entry}", f"origin {site.origin}", f"depth {site.depth}")


@pytest.mark.slow
@slices.sliced
def test_programs_agree(apart: ProcessPoolExecutor) -> None:
    tally = apart.submit(counted, slices.taken(range(MANY), aspects, daily=30, most=160)).result()
    _check(tally)
    if slices.asked() is not Slice.ROTATING:
        derived = {name.partition(" ")[2] for name in tally.due}
        assert set(FORMS) <= derived


def test_a_missed_use_and_a_false_alarm_are_told() -> None:
    tally = Tally()
    tally.due.update(["all"] * ENOUGH)
    with pytest.raises(AssertionError):
        _check(tally)
    tally.found.update(["all"] * ENOUGH)
    _check(tally)
    tally.alarms["JAX401 if"] += 1
    with pytest.raises(AssertionError):
        _check(tally)


def test_both_texts_have_the_same_lines() -> None:
    for seed in range(FEW):
        made = program(seed)
        plain, probed = made.text.splitlines(), made.probed.splitlines()
        assert len(plain) == len(probed)
        differing = {number for number, pair in enumerate(zip(plain, probed, strict=True), 1) if pair[0] != pair[1]}
        assert differing == {site.line for site in made.sites}
        assert made.text.startswith(HEAD)
        assert {site.entry for site in made.sites} <= set(ENTRIES)
        assert {site.origin for site in made.sites} <= set(ORIGINS)
        assert replace(made) == program(seed)


def test_what_is_left_out_has_a_reason() -> None:
    assert all(LEFT_OUT.values())
