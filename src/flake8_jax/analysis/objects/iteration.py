"""Elements of iterables: a fresh value in each iteration, of the elements' kind."""

from __future__ import annotations

from collections.abc import Collection
from functools import reduce

from flake8_jax.analysis.callables import InstanceOf
from flake8_jax.analysis.frame import Frame, note_unknown
from flake8_jax.analysis.objects import array_axes
from flake8_jax.analysis.objects.growing import grown_element
from flake8_jax.analysis.objects.host_views import part_of_view
from flake8_jax.analysis.objects.registries import entry_in_turn
from flake8_jax.analysis.objects.static_attributes import WHOLE
from flake8_jax.domain.conditions import ALWAYS
from flake8_jax.domain.constants import NOTHING, OPEN, texts
from flake8_jax.domain.folding import bounded
from flake8_jax.domain.key_parts import MAXIMUM_HELD, KeyMix, KeyPart, Turn, at_any_turn, part_of
from flake8_jax.domain.kinds import (
    ALIKE_IN_SEQUENCES,
    ARRAY,
    COMPUTED,
    CONTAINERS,
    DICT,
    INPUT,
    KEY,
    KEYS,
    KEYS_OR_INPUT,
    LIST,
    MAY_BE_ARRAY,
    NUMBER,
    NUMPY,
    RANDOM_KEYS,
    REF,
    SEQUENCES,
    STATIC,
    TUPLE,
)
from flake8_jax.domain.payload import (
    EVERY,
    OR_REFERENCE,
    ArrayDoubt,
    Derived,
    Each,
    Elements,
    Entries,
    ItemIndex,
    Key,
    Same,
    Series,
    elements,
)
from flake8_jax.domain.shape import Shape, join_shape
from flake8_jax.domain.staging import NONE, unite
from flake8_jax.domain.state import STANDS_FOR
from flake8_jax.domain.value import Value, join, one_of
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.lazy_dataclasses import replace

MAXIMUM_PATH = 3
FOLLOWED_FROM_DICTS = frozenset((ARRAY, COMPUTED, NUMBER, DICT))


def may_be_a_name(value: Value) -> bool:
    """May a value be a key of a dict, because it was obtained by iterating over an input?"""
    return value.kind is INPUT and type(value.made_by) in (ops.Loop, ops.Gather)


def element(frame: Frame, base: Value, op: Op) -> Value:
    """The element of `base` in one iteration: a fresh value, of the elements' kind."""
    kind = base.kind
    if kind is ARRAY or kind is COMPUTED:
        kept = base.payload if base.payload is OR_REFERENCE else None
        return Value(kind, base.dependences, kept, op, base.shape[1:] if base.shape else None, base.dtype)
    if kind is REF:
        return Value(ARRAY, unite(base.dependences, frame.ambient), OR_REFERENCE, op)
    if kind is KEYS:
        return Value(KEY, base.dependences, part_of(base).at(_turn(frame, op)), op)
    if kind is LIST and (grown := grown_element(frame, base)) is not None:
        return one_like(frame, grown)
    if kind is LIST and (entered := entry_in_turn(frame, base)) is not None:
        return entered
    if kind in CONTAINERS and kind is not DICT:
        return _element_of_sequence(frame, frame.live().contents(base), op)
    if kind is DICT:
        return Value(STATIC, payload=texts(frame.live().contents(base).entries or ()), made_by=op)
    if kind is INPUT:
        return _part_of_input(base, EVERY, op)
    if kind is NUMPY:
        return part_of_view(base, op, OPEN)
    if kind is STATIC:
        return Value(STATIC, payload=OPEN, made_by=op)
    return note_unknown(frame, "element of an unknown value", op)


def shape_of_item(base: Value, index: ItemIndex) -> Shape:
    """The shape of an item of an array: at one place of the first axis, or as an index says."""
    if isinstance(index, Value) and index.kind is TUPLE:
        return array_axes.shape_of_item(base, index)
    if isinstance(index, Value) and index.payload == NOTHING:
        return (1, *base.shape) if base.shape is not None else None
    is_number = type(index) is int or (isinstance(index, Value) and index.kind is NUMBER)
    return base.shape[1:] if base.shape and is_number else None


def any_element(frame: Frame, base: Value, op: Op) -> Value:
    """The element of `base` at a place that is not known."""
    if base.kind is INPUT:
        return _part_of_input(base, OPEN, op)
    if base.kind is DICT and (grown := grown_element(frame, base)) is not None:
        return renewed(grown)
    if base.kind is DICT:
        return _common_element(frame, Value(TUPLE, payload=Elements(tuple(base.parts))), op)
    found = element(frame, base, op)
    if isinstance(found.payload, (KeyPart, KeyMix)):
        return Value(found.kind, found.dependences, at_any_turn(found.payload), op)
    return found


def _part_of_input(base: Value, index: ItemIndex, op: Op) -> Value:
    source = base.input
    part = source.part(("[]", index)) if source is not None and source.depth < MAXIMUM_PATH else None
    dependences = part.alone if part is not None and base.dependences else base.dependences
    return Value(INPUT, dependences, part, op, dtype=base.dtype if source is None else None)


def _turn(frame: Frame, op: Op) -> Turn:
    return Turn(op, tuple(iteration for iteration in frame.iterations if iteration[0] is not op))


def _element_of_sequence(frame: Frame, base: Value, op: Op) -> Value:
    payload = base.payload
    if type(payload) is Elements:
        if payload.form == "shape":
            return Value(NUMBER, payload=OPEN, made_by=op, dtype=WHOLE)
        if payload.form == "arrays" or payload.form == "numpy arrays":
            return Value(ARRAY if payload.form == "arrays" else NUMPY, base.dependences, made_by=op)
    elif type(payload) is Each:
        return one_like(frame, payload.like)
    elif type(payload) is Same:
        return payload.like
    elif type(payload) is Series:
        kept, parts = payload.kept, enumerate(payload.like)
        return Value(
            TUPLE, NONE, elements(bounded(tuple(part if at in kept else renewed(part) for at, part in parts))), op
        )
    return _common_element(frame, base, op)


def one_like(frame: Frame, like: Value) -> Value:
    """An element of a comprehension; what is stored into a dict there is stored into what stands for all of them."""
    held = frame.live().contents(like)
    found = renewed(held)
    if like.kind is DICT and held.entries:
        frame.live().set_part(found, STANDS_FOR, Value(TUPLE, payload=Elements((like,))))
    return found


def _of_each(fields: dict[str, Value]) -> dict[str, Value]:
    """The fields that objects have in common of which each was made in the same way: a key is another one in each."""
    return {
        name: renewed(value) if type(value.payload) is InstanceOf else value
        for name, value in fields.items() if value.kind not in RANDOM_KEYS
    }  # fmt: skip


def renewed(part: Value) -> Value:
    """A value of the same kind with a new identity, for the next iteration of a loop."""
    payload = part.payload if type(part.payload) is not Derived else None  # of each iteration another key
    if type(payload) is Elements and payload.parts:
        payload = elements(tuple(renewed(one) for one in payload.parts), payload.form)
    elif type(payload) is Entries:
        payload = Entries({name: renewed(one) for name, one in payload.parts.items()})
    elif type(payload) is InstanceOf and payload.parts:
        payload = replace(payload, parts=_of_each(payload.parts))
    return Value(part.kind, part.dependences, payload, part.made_by, part.shape, part.dtype)


def _common_element(frame: Frame, base: Value, op: Op) -> Value:
    parts = base.elements
    if not parts:
        return note_unknown(frame, "element of a container", op)
    first = parts[0]
    if first.kind in KEYS_OR_INPUT and len(parts) > 1 and all(part is first for part in parts):
        return first  # one key, many times
    if all(part.kind is first.kind for part in parts):
        if first.kind is KEY and len(parts) <= MAXIMUM_HELD:
            return Value(KEY, NONE, KeyMix(tuple(parts), "all", _turn(frame, op)), op)
        if first.kind in ALIKE_IN_SEQUENCES or (first.kind is INPUT and base.form != "varargs"):
            dependences = first.dependences
            for part in parts[1:]:
                dependences = unite(dependences, part.dependences)
            doubts = (part.payload for part in parts if type(part.payload) is ArrayDoubt)
            dtype = first.dtype if all(part.dtype == first.dtype for part in parts) else None
            shape = reduce(join_shape, (part.shape for part in parts))
            return Value(first.kind, dependences, next(doubts, None), op, shape, dtype)
        if first.kind is NUMBER:
            return Value(NUMBER, payload=OPEN, made_by=op)
        if first.kind is STATIC:
            return Value(STATIC, payload=texts(part.constant for part in parts), made_by=op)
    if MAY_BE_ARRAY.issuperset(part.kind for part in parts) and base.form != "varargs":
        kind = INPUT if any(part.kind is INPUT for part in parts) else COMPUTED
        return Value(kind, frozenset().union(*(part.dependences for part in parts)), None, op)
    rows = [part.elements or () for part in parts]
    if first.kind is TUPLE and first.elements and {*map(len, rows)} == {len(first.elements)}:
        columns = (Value(TUPLE, payload=Elements(column)) for column in zip(*rows, strict=True))
        return Value(
            TUPLE, payload=Elements(tuple(_common_element(frame, column, op) for column in columns)), made_by=op
        )
    if first.kind is TUPLE and all(part.kind is TUPLE and type(part.payload) is Each for part in parts):
        return reduce(join, parts)
    if first.kind is DICT and (common := _common_entries(frame, parts, op)) is not None:
        found = Value(DICT, payload=Entries(common), made_by=op)
        frame.live().set_part(found, STANDS_FOR, Value(TUPLE, payload=Elements(tuple(parts))))
        return found
    if first.kind in SEQUENCES and all(part.kind is first.kind for part in parts):
        return Value(first.kind, NONE, None, op)
    return one_of(parts, [ALWAYS] * len(parts)) or note_unknown(frame, "elements of several kinds", op)


def _common_entries(frame: Frame, parts: Collection[Value], op: Op) -> dict[Key, Value] | None:
    """What dicts of the same names hold under each, as `{"w": ..., "b": ...}` for each layer; None for other dicts.

    Only arrays and numbers are followed: a loop may put another key, say, into each of the dicts.
    """
    rows = [frame.live().contents(part).entries or {} for part in parts]
    if len({frozenset(row) for row in rows}) > 1 or not rows[0]:
        return None
    columns = {name: tuple(row[name] for row in rows) for name in rows[0]}
    return {
        name: _common_element(frame, Value(TUPLE, payload=Elements(column)), op)
        if all(part.kind in FOLLOWED_FROM_DICTS for part in column)
        else note_unknown(frame, "entry of several dicts", op)
        for name, column in columns.items()
    }
