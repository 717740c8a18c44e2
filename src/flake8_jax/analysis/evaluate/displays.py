"""Displays: lists, tuples, sets, dicts, slices and f-strings, with their known parts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flake8_jax.analysis.checks.keys import check_display
from flake8_jax.analysis.evaluator import Evaluator, evaluate
from flake8_jax.analysis.frame import Frame, names_copy
from flake8_jax.domain.folding import bounded
from flake8_jax.domain.staging import NONE, Dependences, unite
from flake8_jax.domain.value import (
    ARRAY,
    COMPUTED,
    DICT,
    INPUT,
    LIST,
    NUMBER,
    OPEN,
    SEQUENCES,
    SET,
    SLICE,
    STATIC,
    TUPLE,
    Value,
    dependences_of,
)
from flake8_jax.ir import ops


def _build(frame: Frame, op: ops.Build) -> Value:
    parts = tuple([evaluate(frame, part) for part in op.parts])
    kind = op.kind
    if kind == "text":
        found: Dependences = NONE
        for part in parts:
            found = unite(found, shown(part))
        return Value(STATIC, found, OPEN, None, op)
    if kind == "slice":
        return Value(STATIC, NONE, SLICE, parts, op)
    if kind == "set":
        return Value(SET, NONE, None, None, op)
    if any(type(part) is ops.Star for part in op.parts):
        return Value(LIST if kind == "list" else TUPLE, NONE, None, _spread(op, parts), op)
    return Value(LIST if kind == "list" else TUPLE, NONE, None, bounded(parts), op)


def _spread(op: ops.Build, parts: tuple[Value, ...]) -> tuple[Value, ...] | None:
    spread: list[Value] = []
    for source, part in zip(op.parts, parts, strict=True):
        if type(source) is not ops.Star:
            spread.append(part)
        elif part.kind in SEQUENCES and part.parts is not None:
            spread.extend(part.parts)
        else:
            return None
    return bounded(tuple(spread))


def shown(value: Value) -> Dependences:
    """The dependences of the text of a value."""
    return dependences_of(value) if value.kind in (ARRAY, COMPUTED, INPUT, STATIC, LIST, TUPLE, DICT) else NONE


def evaluate_for(frame: Frame, name: str, op: Any) -> Value:
    """The value of an expression that is bound to a name or keyword."""
    context = frame.context
    if name and names_copy(name) is not context.makes_copy:
        frame.context = replace(context, makes_copy=names_copy(name))
    value = evaluate(frame, op)
    frame.context = context
    return value


def _build_dict(frame: Frame, op: ops.BuildDict) -> Value:
    parts: dict[Any, Value] | None = {}
    places: dict[Any, Any] = {}
    for key_op, value_op in op.items:
        key = evaluate(frame, key_op) if key_op is not None else None
        value = evaluate_for(frame, key.data if key is not None and isinstance(key.data, str) else "", value_op)
        if parts is None:
            continue
        if key is None:
            parts = {**parts, **value.parts} if value.kind is DICT and value.parts is not None else None
            places.update(dict.fromkeys(value.parts or (), value_op))
        elif key.kind in (STATIC, NUMBER) and key.data is not OPEN and isinstance(key.data, (str, int, float, bytes)):
            parts[key.data], places[key.data] = value, value_op
        else:
            parts = None
    found = Value(DICT, NONE, None, bounded(parts) if parts else parts, op)
    if parts:
        check_display(frame, found, parts, places)
    return found


EVALUATES: dict[type, Evaluator] = {ops.Build: _build, ops.BuildDict: _build_dict}
