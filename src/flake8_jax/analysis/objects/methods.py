"""Methods of values of known kind: arrays, containers, strings, loggers, key streams, transformed functions."""

from __future__ import annotations

from typing import Any

from flake8_jax.analysis.callables import Arguments, Super, Wrapped
from flake8_jax.analysis.calls.library import all_dependences, check_arguments, note_output, result_of
from flake8_jax.analysis.evaluate.iteration import element
from flake8_jax.analysis.evaluator import call
from flake8_jax.analysis.frame import Frame, lost
from flake8_jax.analysis.objects import access
from flake8_jax.analysis.objects.classes import library_bases, lookup
from flake8_jax.analysis.objects.instances import bind, replaced, row_of
from flake8_jax.analysis.objects.invalidation import call_unknown, invalidate
from flake8_jax.api.rows import ApiFunction
from flake8_jax.domain.folding import bounded
from flake8_jax.domain.staging import NONE
from flake8_jax.domain.value import (
    ARRAY,
    CLASS,
    COMPUTED,
    CONTAINERS,
    DICT,
    FUNCTION,
    INPUT,
    INSTANCE,
    KEY,
    KEYS,
    LIST,
    NUMBER,
    NUMPY,
    OBJECT,
    OPEN,
    REF,
    STATIC,
    TUPLE,
    Value,
    dependences_of,
)

ARRAYS = frozenset((ARRAY, COMPUTED, INPUT, KEY, KEYS))
GROWING = frozenset(("append", "extend", "insert"))


def call_method(frame: Frame, op: Any, base: Value, name: str, arguments: Arguments) -> Value:
    """The result of `base.name(...)`."""
    kind = base.kind
    if kind in ARRAYS:
        return _array_method(frame, op, base, name, arguments)
    if kind in CONTAINERS:
        return _container_method(frame, op, base, name, arguments)
    if kind is STATIC:
        if name == "format":
            found = NONE
            for value in arguments.values():
                found = found | dependences_of(value)
            return Value(STATIC, found, OPEN, None, op)
        return Value(STATIC, data=OPEN, made_by=op)
    if kind is NUMBER:
        return Value(NUMBER, data=OPEN, made_by=op)
    if kind is NUMPY:
        return Value(NUMPY, made_by=op)
    if kind is REF:
        return Value(ARRAY, base.dependences | frame.ambient, made_by=op)
    if kind is OBJECT:
        return _object_method(frame, op, base, name, arguments)
    if kind is INSTANCE:
        row = row_of(frame, library_bases(base.data), name)
        if row is not None:
            return _by_row(frame, op, row, arguments)
        return replaced(frame, base, arguments.keywords, op)
    if kind is FUNCTION:
        return _function_method(frame, op, base, name, arguments)
    return call_unknown(frame, op, base, arguments)


def _array_method(frame: Frame, op: Any, base: Value, name: str, arguments: Arguments) -> Value:
    row = frame.program.table.method(name)
    if base.kind is INPUT and name in access.VIEWS:
        return _view(frame, op, base, name, arguments)
    if row is None:
        if frame.program.table.function(f"Array.at.{name}") is not None:
            return Value(COMPUTED if base.kind is INPUT else base.kind, base.dependences, made_by=op, dtype=base.dtype)
        return lost(frame, "method of an array without a row", op)
    check_arguments(frame, op, row, arguments)
    result = result_of(frame, op, row, arguments, frame.ambient if base.kind is ARRAY else NONE)
    if result.kind is ARRAY:
        kind = ARRAY if base.kind in (KEY, KEYS) else COMPUTED if base.kind is INPUT else base.kind
        return Value(kind, base.dependences | result.dependences, None, None, op)
    return result


def _view(frame: Frame, op: Any, base: Value, name: str, arguments: Arguments) -> Value:
    """The keys, values or items of a dict that is an input: keys are of the host, values are inputs."""
    if name == "get":
        if not arguments.positional:
            return lost(frame, "get without a name", op)
        return access.read(frame, base, access.index_step(arguments.positional[0]), op)
    value = access.read(frame, base, ("[]", OPEN), op)
    if name == "keys":
        return Value(LIST, data=("each", Value(STATIC, data=OPEN)), made_by=op)
    if name == "values":
        return Value(LIST, data=("each", value), made_by=op)
    return Value(LIST, data=("series", (Value(STATIC, data=OPEN), value)), made_by=op)


def _container_method(frame: Frame, op: Any, base: Value, name: str, arguments: Arguments) -> Value:
    if base.kind is DICT:
        return _dict_method(frame, op, base, name, arguments)
    if name in GROWING or name in ("clear", "remove", "sort", "reverse", "add", "update", "discard"):
        invalidate(frame, base)
        return Value(STATIC, made_by=op)
    if name == "copy":
        return Value(base.kind, base.dependences, base.data, base.parts, op)
    if name == "pop":
        invalidate(frame, base)
        return element(frame, base, op) if base.parts else lost(frame, "popped", op)
    if name in ("index", "count"):
        return Value(NUMBER, data=OPEN, made_by=op)
    return lost(frame, "method of a container", op)


def _dict_method(frame: Frame, op: Any, base: Value, name: str, arguments: Arguments) -> Value:
    first = arguments.positional[0] if arguments.positional else None
    if name in ("get", "pop", "setdefault") and first is not None:
        found = access.read(frame, base, access.index_step(first), op)
        if name != "get":
            invalidate(frame, base)
        return found
    if name in ("keys", "items", "values"):
        if base.parts is not None:
            values = tuple(base.parts.values())
            if name == "values":
                return Value(LIST, parts=values, made_by=op)
            if name == "keys":
                return Value(LIST, parts=tuple(Value(STATIC, data=key) for key in base.parts), made_by=op)
            items = tuple(Value(TUPLE, parts=(Value(STATIC, data=k), v)) for k, v in base.parts.items())
            return Value(LIST, parts=bounded(items), made_by=op)
        return lost(frame, "view of a dict", op)
    if name == "copy":
        return Value(DICT, base.dependences, None, base.parts, op)
    invalidate(frame, base)
    return lost(frame, "method of a dict", op)


def _object_method(frame: Frame, op: Any, base: Value, name: str, arguments: Arguments) -> Value:
    table = frame.program.table
    if isinstance(base.data, Super):
        return _inherited_method(frame, op, base.data, name, arguments)
    if name == "__call__" and isinstance(base.data, str) and table.is_layer(base.data):
        return Value(ARRAY, all_dependences(arguments) | frame.ambient, made_by=op)
    stream = table.stream(base.data) if isinstance(base.data, str) else None
    if stream == "attribute" or (stream == "call" and name == "__call__") or (stream == "next" and name == "next"):
        return Value(KEY, made_by=op)
    if isinstance(base.data, str):
        row = row_of(frame, (base.data,), name)
        if row is not None:
            return _by_row(frame, op, row, arguments)
        effect = table.effect(f"{base.data}.{name}")
        if effect is not None:
            note_output(frame, op, effect, arguments)
            return Value(STATIC, made_by=op)
    return call_unknown(frame, op, base, arguments)


def _by_row(frame: Frame, op: Any, row: ApiFunction, arguments: Arguments) -> Value:
    check_arguments(frame, op, row, arguments)
    return result_of(frame, op, row, arguments, frame.ambient)


def _inherited_method(frame: Frame, op: Any, above: Super, name: str, arguments: Arguments) -> Value:
    """The result of `super().name(...)`.

    The constructor of a library's class does not change what the class itself stores.
    """
    for base in above.owner.bases:
        found = lookup(base.data, name) if base.kind is CLASS else None
        if found is not None:
            return call(frame, op, bind(frame, above.receiver, found, op), arguments)
    if name == "__init__":
        return Value(STATIC, made_by=op)
    return call_unknown(frame, op, above.receiver, arguments)


def _function_method(frame: Frame, op: Any, base: Value, name: str, arguments: Arguments) -> Value:
    """The result of a method of a function: `f.lower(x)` traces as a call does."""
    if isinstance(base.data, Wrapped) and name in ("lower", "eval_shape", "trace"):
        call(frame, op, base, arguments)
        return lost(frame, "lowered function", op)
    if name == "__wrapped__" and isinstance(base.data, Wrapped):
        return base.data.callee
    return lost(frame, "method of a function", op)
