"""The linter agrees with JAX on programs that store into arrays, read them, and drop what operations on them give.

The floors only rise: each is a little below what was measured when it was set.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context

import pytest

from tests.stores.campaign import counted
from tests.stores.grammar import BLOCKS, ENTRIES, FORMS, LEFT_OUT, ORIGINS
from tests.stores.writing import HEAD, Program, Site, Writer, program
from tests.support import slices
from tests.support.slices import Slice
from tests.support.tallies import Tally

pytestmark = pytest.mark.skipif(importlib.util.find_spec("jax") is None, reason="JAX is the referee")

FEW, MANY = 60, 2_000
OF_SIZES = ("read of a stack", "read by the size", "read of a part")
"""Forms that are found where a size is known as it stands, and not of what callers pass."""

FLOORS = {
    "all": 0.94, "entry": 0.9, "block": 0.9, "depth": 0.9, "form": 0.85, "origin": 0.7, "code": 0.98,
    "code JAX204": 0.6, "code JAX209": 0.97, **{f"form {form}": 0.0 for form in OF_SIZES}, "form read": 0.8,
    "form read from the end": 0.8, "form update": 0.6, "form array as an index": 0.0,
}  # fmt: skip
"""The share of the hazards which must be found, of all and of each construct of a kind."""

ENOUGH = 40
"""From so many hazards on, the share of a construct tells something."""

OF_JAX, OF_HOST = {"array": "X", "sequence": "[0.5, 1.0, 2.0]"}, {"array": "np.array(H)", "sequence": "jnp.ones(3)"}
HARMLESS = {
    "wait", "taken", "array of", "length of", "stack", "array as an index", "read of the last", "read of the first",
    "read of a slice", "update with a mode", "item", "narrow dtype", "if of a size", "sum in place, read",
    "store into a copy", "if any", "got by at",
}  # fmt: skip
"""Forms that are right for all values."""

WHATEVER = {
    "function", "function of two", "function of a tree", "pair", "list", "comprehension", "read of a stack", "update",
    "grown list", "put of jnp", "no function of jnp", "dtype by name", "dtype of a constructor",
}  # fmt: skip
"""Forms that are hazards of NumPy's arrays too, since a function of JAX gets them or makes others of them."""


def _single(form: str, value: str) -> Program:
    """A function with one use of a value."""
    writer = Writer()
    writer.add("def used(value):\n    acc = 0.0\n    spare = 0.0")
    line = writer.use(FORMS[form], "value", 1)
    writer.add(f"    return acc\n\n\ndef run():\n    return used({value})")
    return Program(*writer.both(), (), ("run",), (Site(line, form, value, "eager", "body", 1),))


def told_of_forms(forms: Iterable[str]) -> dict[str, tuple[bool, bool]]:
    """Whether each form is a hazard of a value of JAX (or a sequence), and of one of the host (or an array)."""
    from tests.stores.referee import hazards

    found = {}
    for form in forms:
        values = OF_JAX[FORMS[form].kind], OF_HOST[FORMS[form].kind]
        first, second = (bool(hazards(_single(form, value))[0]) for value in values)
        found[form] = first, second
    return found


@pytest.fixture(scope="module")
def apart() -> Iterator[ProcessPoolExecutor]:
    """A process for JAX: other tests fork this one, which JAX does not allow."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        yield pool


@pytest.fixture(scope="module")
def told(apart: ProcessPoolExecutor) -> dict[str, tuple[bool, bool]]:
    """What the referee says of each form."""
    return apart.submit(told_of_forms, list(FORMS)).result()


@pytest.mark.parametrize("form", FORMS)
def test_the_referee_tells_arrays_of_jax_from_others(form: str, told: dict[str, tuple[bool, bool]]) -> None:
    assert told[form] == (form not in HARMLESS, form in WHATEVER)


def _check(tally: Tally) -> None:
    assert tally.alarms == {}, tally.alarmed
    assert tally.below(FLOORS, ENOUGH) == {}, tally.missed


def aspects(seed: int) -> Iterator[str]:
    """What the program of a seed has: of each use its form in its entry, its origin, block and depth."""
    for site in program(seed).sites:
        yield from (
            f"form {site.form}",
            f"{site.form} {site.entry}",
            f"origin {site.origin}",
            f"block {site.block}",
            f"depth {site.depth}",
        )


@pytest.mark.slow
@slices.sliced
def test_programs_agree(apart: ProcessPoolExecutor) -> None:
    tally = apart.submit(counted, slices.taken(range(MANY), aspects, daily=30, most=80)).result()
    _check(tally)
    if slices.asked() is not Slice.ROTATING:
        derived = {name.partition(" ")[2] for name in tally.due}
        assert set(FORMS) - HARMLESS <= derived


def test_both_texts_have_the_same_lines() -> None:
    for seed in range(FEW):
        made = program(seed)
        plain, probed = made.text.splitlines(), made.probed.splitlines()
        assert len(plain) == len(probed)
        differing = {number for number, pair in enumerate(zip(plain, probed, strict=True), 1) if pair[0] != pair[1]}
        assert differing == {site.line for site in made.sites}
        assert made.text.startswith(HEAD)
        names = {(site.entry, site.origin, site.block) for site in made.sites}
        assert all(entry in ENTRIES and origin in ORIGINS and block in BLOCKS for entry, origin, block in names)
        assert replace(made) == program(seed)


def test_what_is_left_out_has_a_reason() -> None:
    assert all(LEFT_OUT.values())
