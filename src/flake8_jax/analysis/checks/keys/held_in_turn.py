"""Callables of a collection, of which each holds a key of its own.

draws = [partial(normal, k) for k in split(key, n)]     each was given another key
[draw() for draw in draws]                              so each turn uses up another one
draws[i](), draws[j]()                                  and so does each of two items
[draw() for draw in [partial(normal, key)] * n]         one key, n times
"""

from __future__ import annotations

from flake8_jax.analysis.checks.keys.derivations import ancestors
from flake8_jax.analysis.frame import Frame
from flake8_jax.domain.affine import Affine
from flake8_jax.domain.constants import NotConstant
from flake8_jax.domain.key_parts import KeyPart, Turn
from flake8_jax.domain.payload import Derived
from flake8_jax.domain.resources import Used, loops_between
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import LONG, chains_of
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.walking import within


def is_held_by_element(frame: Frame, op: Op, value: Value) -> bool:
    """Does a call run an element of a collection, of which each may hold another key like `value`?"""
    return _may_differ(value) and _element(frame, op) is not None


def holds_another(frame: Frame, value: Value, earlier: Used, used: Used) -> bool:
    """Was the element of a collection that ran earlier another one, which holds another key?"""
    here, there = _element(frame, used.op), _element(frame, earlier.op)
    if here is None or there is None or not _may_differ(value):
        return False
    if _text(here) != _text(there):
        return True
    turned = loops_between(earlier, frame.iterations)
    return any(_bound_by(frame, name) in turned for name in within(here) if type(name) is ops.Name)


def _element(frame: Frame, op: Op) -> Op | None:
    """The element of a collection that a call runs, or whose method: `draws[i]`, or the `draw` that a loop takes."""
    held = op.func if type(op) is ops.Call else None
    while type(held) is ops.Attr:
        held = held.base
    if type(held) is ops.Item:
        return held
    statement = _bound_by(frame, held) if type(held) is ops.Name else None
    is_unpacked = (
        type(statement) is ops.Store and type(statement.value) is ops.Name and type(statement.targets[0]) is ops.Unpack
    )
    return held if is_unpacked or type(statement) in (ops.Loop, ops.Gather) else None


def _bound_by(frame: Frame, name: ops.Name) -> Op | None:
    """The loop or statement that binds what a read finds."""
    chains = chains_of(frame.function)
    bound = chains.found_by(name)
    return chains.statement_of(bound) if type(bound) is ops.Name else None


def _text(op: Op) -> str:
    return phrase(op, LONG)


def _may_differ(key: Value) -> bool:
    """May a key be another one each time, since a loop took it in turn, or data that differ were folded into it?"""
    return any(_is_of_turn(ancestor) for ancestor in ancestors(key))


def _is_of_turn(key: Value) -> bool:
    made = key.payload
    if type(made) is KeyPart:
        return any(isinstance(at, (Turn, Value, NotConstant)) for at in made.positions)
    return type(made) is Derived and isinstance(made.data, (Affine, Value))
