"""Calls that pass on keys that they are given: a copy, another arrangement, a choice or a collection.

What passes keys on is stated, in `[forwards]` of stated.toml: a word, and the parameters that have the keys.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

from flake8_jax.domain.constants import OPEN
from flake8_jax.domain.key_parts import MAXIMUM_HELD, KeyMix, KeyPart, Several, moved, part_of
from flake8_jax.domain.kinds import (
    ARRAYS_OR_COMPUTED,
    CONTAINERS,
    INPUT,
    KEY,
    KEYS,
    KEYS_OR_INPUT,
    MAY_BE_ANYTHING,
    MAY_BE_KEY,
    NUMBER,
    RANDOM_KEYS,
    UNKNOWN,
)
from flake8_jax.domain.payload import ORDINARY, Payload
from flake8_jax.domain.value import Value
from flake8_jax.ir.ops import Op


@cache
def parameters_of(forward: str) -> tuple[str, tuple[str, ...]]:
    """How a function passes keys on (same, moved, chosen ...), and the parameters from which it does."""
    word, *names = forward.split()
    return word, tuple(names)


def forwarded(forward: str, given: dict[str, Value], result: Value, op: Op) -> Value:
    """The result of a call that passes on keys, if it was given keys; else the result as it is."""
    word, names = parameters_of(forward)
    operands = [given[name] for name in names if name in given]
    if len(operands) < len(names) or result.kind not in MAY_BE_KEY or result.payload in operands:
        return result
    if len(operands) == 1 and operands[0].kind in CONTAINERS:
        parts = operands[0].elements
        return _mixed(parts, "one" if word == "one" else "all", result, op) if parts else result
    if word == "one" or len(operands) > 1:
        return _mixed(operands, "one" if word == "one" else "all", result, op)
    operand = operands[0]
    if word == "into":
        return _mixed((operand, Value(KEYS, made_by=op)), "all", result, op) if operand.kind in RANDOM_KEYS else result
    if word == "same" and operand.kind in RANDOM_KEYS:
        return operand
    if operand.kind is INPUT and result.kind in MAY_BE_ANYTHING and operand.payload is not None:
        return Value(UNKNOWN, payload=_payload(word, operand), made_by=op, dtype=result.dtype)
    if operand.kind in RANDOM_KEYS or (operand.kind is INPUT and operand.payload is not None):
        if word == "data" or operand.kind is INPUT:
            return _with(result, _payload(word, operand), op) if _is_plain(result) else result
        return Value(KEY if word == "part" else KEYS, operand.dependences, _payload(word, operand), op)
    if word == "same" and isinstance(operand.payload, (KeyPart, KeyMix)):  # the data of a key
        return _behind(operand) or _with(result, operand.payload, op)
    return result


def _with(result: Value, payload: Payload, op: Op) -> Value:
    return Value(result.kind, result.dependences, payload, op, result.shape, result.dtype, like=result.like)


def _is_plain(result: Value) -> bool:
    return result.kind in ARRAYS_OR_COMPUTED and result.payload in ORDINARY


def _payload(word: str, operand: Value) -> Payload:
    if word == "moved":
        return moved(operand)
    return part_of(operand).at(OPEN) if word in ("part", "span") else part_of(operand)


def _behind(data: Value) -> Value | None:
    """The key of which a value is the raw data."""
    part = data.payload
    if not isinstance(part, KeyPart) or part.positions or part.whole.kind not in RANDOM_KEYS:
        return None
    return part.whole


def _mixed(sources: Collection[Value], mix: str, result: Value, op: Op) -> Value:
    if not sources or len(sources) > MAXIMUM_HELD or not any(source.kind in RANDOM_KEYS for source in sources):
        return result
    if not all(source.kind in KEYS_OR_INPUT for source in sources):
        return result
    is_choice = mix == "one"
    kind = next(iter(sources)).kind if is_choice else KEYS
    return Value(
        kind if kind in RANDOM_KEYS else KEY, payload=KeyMix(tuple(sources), "one" if is_choice else "all"), made_by=op
    )


def updated(keys: Value, index: int | None, new: Value, op: Op) -> Value:
    """An array of keys in which new ones are at an index, and the old ones at others."""
    rest = Value(KEYS, payload=None if index is None else KeyPart(keys, (OPEN,)), made_by=op)
    return Value(KEYS, payload=KeyMix((new, rest), "all", place=index), made_by=op)


def handed_through(value: Value, op: Op) -> Value | None:
    """The key that a transformed function was given, or captures, and gives back as it is."""
    original = value.original
    if original.kind in RANDOM_KEYS:
        return original if original.made_by is not op and original.made_by is not None else None
    if value.kind is INPUT and value.payload is None and original.kind is INPUT and original.payload is not None:
        return Value(UNKNOWN, payload=part_of(original), made_by=op, dtype=value.dtype)
    return None


def several(count: Value | None) -> Several | None:
    """How many keys a split makes, if that is known."""
    if count is None:
        return Several((2,))
    sizes = [element.constant for element in (count.elements or (() if count.kind is not NUMBER else (count,)))]
    known = tuple(size for size in sizes if type(size) is int and size > 0)
    return Several(known) if known and len(known) == len(sizes) else None
