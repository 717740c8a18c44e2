"""Draws from keys of seeds at the calls of the functions that make them.

def drawn(n): return normal(key(n))     of the input `n`
def twice(x): return x + drawn(3)       of 3, from here on; the callers of `twice` are told
"""

from __future__ import annotations

from flake8_jax.analysis.callables import FunctionValue
from flake8_jax.analysis.checks.keys.constant_keys import draw_constant
from flake8_jax.analysis.labels.callees import code_of
from flake8_jax.analysis.summaries.seeded_draws import check_repeated_seed, leave_to_callers, seed_of_value
from flake8_jax.analysis.summaries.substitution import MAXIMUM_CHAIN, Substitution
from flake8_jax.analysis.summaries.translation import translated
from flake8_jax.domain.provenance import Hop
from flake8_jax.domain.resources import MAXIMUM_DEPTH, ByArgument, DrawSite, SeedDraw
from flake8_jax.domain.seeded import CountedSeed, SeededDraw
from flake8_jax.domain.value import Value
from flake8_jax.lazy_dataclasses import replace


def call_seeded(site: Substitution, function: FunctionValue, hop: Hop | None) -> None:
    """Let a call draw what its callee draws from keys that it makes of seeds."""
    frame, op = site.frame, site.op
    for one in site.summary.requires.seeded:
        when = translated(site, one.when)
        chain = one.chain if hop is None else (hop, *one.chain)
        seed = _seed_outside(site, function, one)
        if when is None or seed is None or len(chain) > MAXIMUM_CHAIN:
            continue
        draws = tuple(_at_call(site, function, draw) for draw in one.draws)
        here = replace(one, seed=seed, draws=draws, when=site.assume(when), chain=chain)
        is_chosen = isinstance(one.seed, Value)
        if not is_chosen or not isinstance(seed, CountedSeed):
            check_repeated_seed(frame, here, op, ByArgument("") if is_chosen else None)
        if leave_to_callers(frame, here) and is_chosen and not isinstance(seed, Value):
            for draw in one.draws:
                draw_constant(frame, one.op, draw.by, draw.source, here.when, chain)


def _at_call(site: Substitution, function: FunctionValue, one: SeedDraw) -> SeedDraw:
    """A draw in a callee as one of its caller."""
    depth, arguments = one.draw.depth + 1, tuple(site.bound.items())
    inner = (one.draw,) if depth <= MAXIMUM_DEPTH else ()
    draw = DrawSite(site.op, code_of(site.frame), "", inner, arguments, function.owner is not None, depth)
    return replace(one, draw=draw)


def _seed_outside(site: Substitution, function: FunctionValue, draw: SeededDraw) -> int | CountedSeed | Value | None:
    """The seed in terms of the caller; None if unknown, or a default value, which is meant to be repeated."""
    seed = draw.seed
    if not isinstance(seed, Value):
        return seed
    actual = site.input_value(seed)
    if actual is None:
        return seed if seed.input is not None and not site.is_owned(seed.input) else None
    if any(actual is default for default in function.defaults.values()):
        return None
    return seed_of_value(site.frame, actual.original)
