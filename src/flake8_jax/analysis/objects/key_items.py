"""Items and slices of arrays of keys, and keys in objects around a function: which keys they are.

def run():
    model = Model(0)                                    its constructor stores a key into `model.key`
    def noise(): return normal(model.key)               the key that is there when `noise` is called
    return noise() + noise()
"""

from __future__ import annotations

from collections.abc import Callable

from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.dtypes import dtype_of_operand
from flake8_jax.domain.constants import OPEN
from flake8_jax.domain.key_parts import (
    KeyMix,
    KeyPart,
    Position,
    SeededBy,
    Stretch,
    dimensions,
    moved,
    part_of,
    renamed_keys,
)
from flake8_jax.domain.kinds import ARRAY, KEY, KEYS, LIST, RANDOM_KEYS, UNKNOWN
from flake8_jax.domain.payload import Derived, ItemIndex, Payload, Step
from flake8_jax.domain.staging import NONE, Dependences, unite
from flake8_jax.domain.value import Value
from flake8_jax.ir.ops import Op

MAXIMUM_ORIGINS = 24
"""Of how many keys and seeds behind a key is looked whether they are traced."""


def dependences_of_key(key: Value) -> Dependences:
    """The dependences of a key: those of the keys, seeds and numbers that it was made of, the nearest of them."""
    waiting, found = [key], NONE
    for one in waiting:
        found = unite(found, one.dependences)
        if len(waiting) < MAXIMUM_ORIGINS:
            waiting += [origin for origin in _origins(one.payload) if origin not in waiting]
    return found


def _origins(payload: Payload | None) -> list[Value]:
    """What a key was made of."""
    if type(payload) is KeyPart:
        return [payload.whole]
    if type(payload) is KeyMix:
        return [*payload.sources]
    if type(payload) is SeededBy:
        return [payload.seed]
    made_of = (payload.parent, payload.data) if type(payload) is Derived else ()
    return [one for one in made_of if isinstance(one, Value)]


def key_item(base: Value, index: ItemIndex, op: Op) -> Value:
    """The key at an index of an array of keys, or the keys along its next axis."""
    mix = base.payload
    if index is None or (isinstance(index, Value) and index.constant is None):
        return Value(KEYS, base.dependences, moved(base), op)
    if isinstance(mix, KeyMix) and isinstance(index, int) and _is_in_order(mix, index):
        return mix.sources[index]
    if isinstance(mix, KeyMix) and mix.place is not None and type(index) is int and (index < 0) == (mix.place < 0):
        new, rest = mix.sources
        if index != mix.place and isinstance(rest.payload, KeyPart):
            return key_item(rest.payload.whole, index, op)
        return new if new.kind is KEY else key_item(new, 0, op)
    if base.kind is KEY:
        return Value(ARRAY, base.dependences, None, op)  # a word of a raw key
    part = part_of(base)
    if part.is_moved and part.whole.kind is KEY and not part.positions:
        return part.whole
    for one in index if isinstance(index, tuple) else (index,):
        part = part.at(_position(one))
    return Value(KEY if dimensions(part) < 2 else KEYS, base.dependences, part, op)


def _is_in_order(mix: KeyMix, index: int) -> bool:
    if mix.mix != "all" or not -len(mix.sources) <= index < len(mix.sources):
        return False
    return mix.turn is None and all(source.kind is KEY for source in mix.sources)


def _position(index: object) -> Position:
    if type(index) is int or isinstance(index, Value):
        return index
    return OPEN


def key_slice(base: Value, span: Stretch | None, op: Op) -> Value:
    """A slice of an array of keys; one whose bounds are not known is somewhere in it."""
    part: KeyPart = part_of(base).at(OPEN if span is None else span)
    return Value(KEYS, base.dependences, part, op)


def rest_of(value: Value, starred: int, count: int, op: Op) -> Value:
    """What the starred one of `count` unpacking targets gets."""
    if value.kind is not KEYS:
        return Value(LIST, value.dependences, made_by=op)
    return key_slice(value, Stretch(starred, starred + 1 - count if starred + 1 < count else None), op)


def span_of(bounds: tuple[Value, ...]) -> Stretch | None:
    """The positions of a slice, if it is known where it starts and it takes each."""
    known = [bound.constant for bound in bounds]
    start, stop, step = (*known, None, None, None)[:3]
    if not (start is None or type(start) is int) or step not in (None, 1):
        return None
    is_counted = stop is None or type(stop) is int
    return Stretch(start if type(start) is int else 0, stop if is_counted else OPEN)  # type: ignore[arg-type]


def key_around(frame: Frame, base: Value, step: Step) -> Value | None:
    """A key that a function around this one has stored into an object of its own."""
    around = frame.parent
    while around is not None and around.function.kind != "module":
        kept = around.state.heap.get((base, step)) if around.state is not None else None
        if kept is not None:
            if kept.kind is not KEY and kept.kind is not KEYS:
                return None
            frame.summary.outside.fields[kept] = base, step
            return kept
        around = around.parent
    return None


def renamed_unknown(value: Value, rename: Callable[[Value], Value], op: Op) -> Value:
    """An unknown value of a callee for the caller, or the key that it was only handed; an array, if it has a dtype."""
    held = renamed_keys(value.payload, rename)
    if isinstance(held, KeyPart) and held == KeyPart(held.whole):
        whole = held.whole
        if whole.kind in RANDOM_KEYS:
            return whole
        if whole.kind is ARRAY and value.dtype is not None:
            return Value(ARRAY, whole.dependences, None, op, whole.shape, whole.dtype, like=whole.like)
        dtype = dtype_of_operand(whole) if value.dtype is not None else None
        return Value(UNKNOWN, NONE, held, op, dtype=dtype)
    return Value(UNKNOWN, NONE, held, op)
