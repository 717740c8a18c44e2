"""The linter agrees with JAX on programs with effects in traced code.

The floors only rise: each is a little below what was measured when it was set.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

from tests.effects.campaign import counted, is_due
from tests.effects.forms import FORMS
from tests.effects.grammar import BLOCKS, ENTRIES, LEFT_OUT, PLACES
from tests.effects.writing import HEAD, EffectProgram, EffectWriter, program, write
from tests.support import slices
from tests.support.slices import Slice
from tests.support.tallies import Tally

pytestmark = pytest.mark.skipif(importlib.util.find_spec("jax") is None, reason="JAX is the referee")

FEW, MANY, COMPILED = 60, 2_000, 12

FLOORS = {
    "all": 0.9, "entry": 0.78, "block": 0.84, "place": 0.86, "form": 0.5, "code": 0.98,
    "code JAX301": 0.97, "code JAX302": 0.72, "code JAX303": 0.9, "code JAX306": 0.85, "code JAX307": 0.88,
    **dict.fromkeys(("form stale: attribute of a class", "form stale: function"), 0.0),
}  # fmt: skip
"""The share of the hazards which must be found, of all and of each construct of a kind."""

ENOUGH = 40
"""From so many hazards on, the share of a construct tells something."""

ANYWHERE = {
    "argument without a field", "percent for a field", "field without an argument", "name for a place",
    "value for the format", "cached argument",
}  # fmt: skip
"""Forms that raise in eager code, too."""

HARMLESS = {
    "print of a shape", "print of a dtype", "log of a shape", "text about the trace", "guarded print",
    "print by a callback", "log by a callback", "own print", "debug print", "debug print of a shape",
    "debug print of attributes", "file by a callback", "environment of the module", "drawn before", "drawn of a key",
    "cached number", "local iterator", "loop over a list", "write: local list", "write: local dict",
    "write: local object", "write: local array", "write: local closure", "write: pure update",
    "write: copy of a dict", "write: set and restored", "write: append by a callback", "stale: never written",
    "stale: written before", "stale: entry never written", "stale: read on the host", "stale: another is written",
}  # fmt: skip
"""Forms that are fine wherever they stand."""


def _single(form: str, entry: str) -> EffectProgram:
    """A program with one site."""
    writer = EffectWriter()
    site = write(writer, 0, form, entry, "body", "of a maker" if FORMS[form].around else "entry")
    return EffectProgram(writer.text(), (site,))


def told_of_forms() -> dict[str, tuple[bool, bool]]:
    """Whether each form is a hazard in a jitted function, and in an eager one."""
    from tests.effects.referee import differences

    found = {}
    for form in FORMS:
        made = _single(form, "jit"), _single(form, "eager")
        jitted, eager = (is_due(one.sites[0], differences(one)[0]) for one in made)
        found[form] = jitted, eager
    return found


def compiled_otherwise(count: int) -> list[int]:
    """The seeds of programs of which the compiled run differs from the interpreted one."""
    from tests.effects.referee import differences

    return [seed for seed in range(count) if differences(program(seed)) != differences(program(seed), True)]


@pytest.fixture(scope="module")
def apart() -> Iterator[ProcessPoolExecutor]:
    """A process for JAX: other tests fork this one, which JAX does not allow."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        yield pool


@pytest.fixture(scope="module")
def told(apart: ProcessPoolExecutor) -> dict[str, tuple[bool, bool]]:
    """What the referee says of each form."""
    return apart.submit(told_of_forms).result()


@pytest.mark.parametrize("form", FORMS)
def test_the_referee_tells_traced_code_from_eager_code(form: str, told: dict[str, tuple[bool, bool]]) -> None:
    assert told[form] == (form not in HARMLESS, form in ANYWHERE)


def test_what_is_compiled_shows_the_same(apart: ProcessPoolExecutor) -> None:
    assert apart.submit(compiled_otherwise, COMPILED).result() == []


def _check(tally: Tally) -> None:
    assert tally.alarms == {}, tally.alarmed
    assert tally.below(FLOORS, ENOUGH) == {}, tally.missed


def aspects(seed: int) -> Iterator[str]:
    """What the program of a seed has: of each use its form, on the host or not, its place, its entry and its block."""
    for site in program(seed).sites:
        yield from (
            f"form {site.form} {ENTRIES[site.entry].is_host}",
            f"place {site.place}",
            f"entry {site.entry}",
            f"block {site.block}",
        )


@pytest.mark.slow
@slices.sliced
def test_programs_agree(apart: ProcessPoolExecutor) -> None:
    tally = apart.submit(counted, slices.taken(range(MANY), aspects, least=160, daily=30)).result()
    _check(tally)
    if slices.asked() is not Slice.ROTATING:
        derived = {name.partition(" ")[2] for name in tally.due}
        assert set(FORMS) - HARMLESS <= derived


def test_marks_stand_on_lines_of_the_site() -> None:
    for seed in range(FEW):
        made = program(seed)
        lines = made.text.splitlines()
        compile(made.text, "program.py", "exec")
        assert made.text.startswith(HEAD)
        for site in made.sites:
            assert all(lines[line - 1].strip() for line in site.lines)
            assert site.lines or site.form in HARMLESS
            assert site.entry in ENTRIES
            assert site.block in BLOCKS
            assert site.place in PLACES
        assert made == program(seed)


def test_what_is_left_out_has_a_reason() -> None:
    assert all(LEFT_OUT.values())
