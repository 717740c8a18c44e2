"""Functions that devices or lanes run, and that ask which of them they are.

def step(state, x):
    rng, sub = split(state.rng)             the same keys on each device
    sub = fold_in(sub, axis_index("d"))     and here they part: so may a function do that is handed `sub`

The key that each device splits is then no draw of its own, as long as nothing draws from it directly.
"""

from __future__ import annotations

from collections.abc import Iterator

from flake8_jax.analysis.callables import underlying
from flake8_jax.analysis.checks.keys.independence import SPLIT, leaves
from flake8_jax.analysis.labels.callees import Code, value_of
from flake8_jax.domain.resources import DrawSite
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.ops import Function

ASKING = "axis_index"
MOST = 24
"""So many functions are looked into."""


def parts_by_lane(draw: DrawSite) -> bool:
    """Is a key split only, in a function that asks which lane it is, or hands it to one that does?"""
    splits = [leaf for leaf in leaves(draw) if leaf.by == SPLIT]
    if len(splits) != sum(1 for _ in leaves(draw)):
        return False
    return all(isinstance(leaf.code, Code) and any(map(_asks, _reached(leaf.code))) for leaf in splits)


def _asks(function: Function) -> bool:
    chains = chains_of(function)
    by_module = any(type(call.func) is ops.Attr and call.func.name == ASKING for call in chains.methods)
    return by_module or ASKING in chains.names


def _reached(code: Code) -> Iterator[Function]:
    """A function, and those of the project that it names, nearest first."""
    waiting, seen = [code], {code.function}
    for one in waiting:  # grows while it is gone through
        yield one.function
        for reads in chains_of(one.function).names.values():
            value = value_of(one, reads[0])
            found = underlying(value) if value is not None else None
            if found is not None and found.function not in seen and len(seen) < MOST:
                seen.add(found.function)
                waiting.append(Code(found.function, found.frame, found.owner))
