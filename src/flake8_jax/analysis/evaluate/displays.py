"""Displays: lists, tuples, sets, dicts, slices and f-strings, with their known parts."""

from __future__ import annotations

from collections.abc import Iterable

from flake8_jax.analysis.checks.compilation.donated_reads import check_read
from flake8_jax.analysis.checks.concrete import need_concrete
from flake8_jax.analysis.checks.host.waits import wait_for
from flake8_jax.analysis.checks.indexing import need_hash
from flake8_jax.analysis.checks.keys.displays import check_display
from flake8_jax.analysis.evaluator import OpEvaluator, evaluate
from flake8_jax.analysis.frame import Frame, names_copy
from flake8_jax.analysis.objects.access import spread_parts
from flake8_jax.domain.constants import OPEN
from flake8_jax.domain.folding import bounded, extended
from flake8_jax.domain.kinds import (
    DICT,
    KEYS_OR_INPUT,
    LIST,
    MAY_BE_ARRAY,
    SEQUENCES,
    SET,
    SHOWN_IN_TEXTS,
    STATIC,
    TUPLE,
)
from flake8_jax.domain.payload import Extended, Key, Same, SequenceForm, SliceOf, elements, entries, word
from flake8_jax.domain.staging import NONE, Dependences, unite
from flake8_jax.domain.value import Value, dependences_of
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.lazy_dataclasses import replace

MOST_TIMES = 64
MAXIMUM_TOLD = 8
"""Of how many parts a sequence tells of which not all are known."""
"""So often a list is repeated at most whose parts are known then."""


def _build(frame: Frame, op: ops.Build) -> Value:
    kind = op.kind
    is_text = kind == "text" or kind == "format"
    parts = tuple([(_written_out if is_text else evaluate)(frame, part) for part in op.parts])
    if kind == "format" and not frame.context.is_output:
        need_concrete(frame, parts[0], op.parts[0], "format", op)
    if is_text:
        found: Dependences = NONE
        for part, source in zip(parts, op.parts):
            check_read(frame, source, part)
            found = unite(found, shown_by(frame, part, source))
        return Value(STATIC, found, OPEN, op)
    if kind == "slice":
        return Value(STATIC, NONE, SliceOf(parts), op)
    if kind == "set":
        for part, place in zip(parts, op.parts, strict=True):
            need_hash(frame, part, place, op)
        return Value(SET, NONE, None, op)
    if any(type(part) is ops.Star for part in op.parts):
        written = [part for part, source in zip(parts, op.parts, strict=True) if type(source) is not ops.Star]
        payload = elements(_spread(frame, op, parts), among=_told(written))
        return Value(LIST if kind == "list" else TUPLE, NONE, payload, op)
    return Value(LIST if kind == "list" else TUPLE, NONE, elements(bounded(parts)), op)


def _written_out(frame: Frame, part: Op) -> Value:
    """The value of a part of an f-string, which is a text before the next part is looked at."""
    value = evaluate(frame, part)
    wait_for(frame, value)
    return value


def _spread(frame: Frame, op: ops.Build, parts: tuple[Value, ...]) -> tuple[Value, ...] | None:
    spread: list[Value] = []
    for source, part in zip(op.parts, parts, strict=True):
        if type(source) is not ops.Star:
            spread.append(part)
        elif (held := spread_parts(frame, part, source)) is not None:
            spread.extend(held)
        else:
            return None
    return bounded(tuple(spread))


def shown(value: Value) -> Dependences:
    """The dependences of the text of a value."""
    return dependences_of(value) if value.kind in SHOWN_IN_TEXTS else NONE


def shown_by(frame: Frame, value: Value, source: Op | None) -> Dependences:
    """The dependences of the text of a value, with those of what a comprehension gathers."""
    gathered = frame.gathered.get(source) if type(source) is ops.Gather else None
    return shown(value) if gathered is None else unite(shown(value), shown(gathered))


def evaluate_for(frame: Frame, name: str, op: Op) -> Value:
    """The value of an expression that is bound to a name or keyword."""
    context = frame.context
    if name and names_copy(name) is not context.makes_copy:
        frame.context = replace(context, makes_copy=names_copy(name))
    value = evaluate(frame, op)
    frame.context = context
    return value


def _build_dict(frame: Frame, op: ops.BuildDict) -> Value:
    parts: dict[Key, Value] | None = {}
    places: dict[Key, Op] = {}
    below: Value | None = None
    for key_op, value_op in op.items:
        key = evaluate(frame, key_op) if key_op is not None else None
        if key is not None and key_op is not None:
            need_hash(frame, key, key_op, op)
        name = word(key.payload) if key is not None else None
        value = evaluate_for(frame, name or "", value_op)
        if parts is None:
            continue
        if key is None:
            current = frame.live().contents(value)
            held = current.entries
            if held is None and not parts and below is None:
                below, held = _laid_below(frame, current)
            parts = {**parts, **held} if held is not None else None
            places.update(dict.fromkeys(held or (), value_op))
        elif isinstance(known := key.constant, (str, int, float, bytes)) or known is None:
            parts[known], places[known] = value, value_op
        else:
            parts = None
    payload = entries(bounded(parts) if parts else parts) if below is None or parts is None else extended(below, parts)
    found = Value(DICT, NONE, payload, op)
    if parts:
        check_display(frame, found, parts, places)
    return found


def _laid_below(frame: Frame, value: Value) -> tuple[Value | None, dict[Key, Value] | None]:
    """The input whose entries a display begins with, and what lies above them there already."""
    if is_plain_input(frame, value):
        return value, {}
    return (value.payload.below, value.payload.above) if type(value.payload) is Extended else (None, None)


def is_plain_input(frame: Frame, value: Value) -> bool:
    """Is a value an input, into which nothing has been stored?"""
    return value.input is not None and not frame.live().steps_of(value)


EVALUATES: dict[type[Op], OpEvaluator] = {ops.Build: _build, ops.BuildDict: _build_dict}


def joined_sequences(sign: str, left: Value, right: Value, op: Op) -> Value:
    """The sum of two lists or tuples, or a multiple of one."""
    kind = left.kind if left.kind in SEQUENCES else right.kind
    parts = None
    if sign == "+" and left.kind is right.kind and left.elements is not None and right.elements is not None:
        parts = bounded(left.elements + right.elements)
    elif sign == "*":
        sequence, times = (left, right.constant) if left.kind in SEQUENCES else (right, left.constant)
        held = sequence.elements
        if type(times) is not int and (one := one_for_all(sequence)) is not None:
            return Value(kind, NONE, one, op)
        parts = bounded(held * times) if held is not None and type(times) is int and 0 < times <= MOST_TIMES else None
    form: SequenceForm = "shape" if left.form == "shape" or right.form == "shape" else ""
    among = _told((*left.parts, *right.parts)) if sign == "+" and {left.kind, right.kind} <= SEQUENCES else ()
    return Value(kind, NONE, elements(parts, form, among), op)


def _told(parts: Iterable[Value]) -> tuple[Value, ...]:
    """The parts that are worth telling where not all of a sequence is known: what may be traced."""
    return tuple(part for part in parts if part.kind in MAY_BE_ARRAY)[:MAXIMUM_TOLD]


def one_for_all(sequence: Value) -> Same | None:
    """What `[key] * n` gives at each place, for a number that is not known: the one key, or what a caller passes."""
    parts = sequence.elements if sequence.kind in SEQUENCES else None
    return Same(parts[0]) if parts is not None and len(parts) == 1 and parts[0].kind in KEYS_OR_INPUT else None


def joined_dicts(left: Value, right: Value, op: Op) -> Value:
    """The union of two dicts."""
    first, second = left.entries, right.entries
    known = {**first, **second} if first is not None and second is not None else None
    return Value(DICT, NONE, entries(bounded(known)) if known is not None else None, op)
