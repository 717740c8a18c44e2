"""Callables of which each holds a key of its own, and a loop calls each in turn.

draws = [partial(normal, k) for k in split(key, n)]     each was given another key
[draw() for draw in draws]                              so each turn uses up another one
[draw() for draw in [partial(normal, key)] * n]         one key, n times
"""

from __future__ import annotations

from flake8_jax.analysis.checks.keys.derivations import ancestors
from flake8_jax.analysis.frame import Frame
from flake8_jax.domain.affine import Affine
from flake8_jax.domain.constants import NotConstant
from flake8_jax.domain.key_parts import KeyPart, Turn
from flake8_jax.domain.payload import Derived
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.ops import Op


def loop_of_holders(frame: Frame, op: Op, value: Value) -> Op | None:
    """The loop that takes what `op` calls in turn, where each of these may hold another key like `value`."""
    holder = op.func if type(op) is ops.Call else None
    while type(holder) is ops.Attr:
        holder = holder.base
    if type(holder) is not ops.Name:
        return None
    chains = chains_of(frame.function)
    bound = chains.found_by(holder)
    loop = chains.statement_of(bound) if type(bound) is ops.Name else None
    return loop if type(loop) in (ops.Loop, ops.Gather) and _may_differ(value) else None


def _may_differ(key: Value) -> bool:
    """May a key be another one each time, since a loop took it in turn, or data that differ were folded into it?"""
    return any(_is_of_turn(ancestor) for ancestor in ancestors(key))


def _is_of_turn(key: Value) -> bool:
    made = key.payload
    if type(made) is KeyPart:
        return any(isinstance(at, (Turn, Value, NotConstant)) for at in made.positions)
    return type(made) is Derived and isinstance(made.data, (Affine, Value))
