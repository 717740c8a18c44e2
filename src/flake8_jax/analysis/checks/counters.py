"""Counters of loops, by the number that they begin with: of `range`, `arange`, `enumerate` and `fori_loop`."""

from __future__ import annotations

from collections.abc import Hashable

from flake8_jax.domain.staging import Token
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op

COUNTING = frozenset(("arange", "range"))


def is_counted(number: int, data: Hashable) -> bool:
    """Is this one of the first two numbers of a counter?"""
    first = _counted_from(data)
    return first is not None and first <= number <= first + 1


def counts(value: Value) -> bool:
    """Is a value the counter of a loop that begins with a known number?"""
    return _counted_from(value) is not None


def _counted_from(data: Hashable) -> int | None:
    """The first number that a counter has; None if a value is no counter, or counts from an unknown number."""
    if not isinstance(data, Value):
        return None
    made_by = data.made_by
    if type(made_by) is ops.Loop:
        return _first(made_by.source)
    if type(made_by) is ops.Gather and len(made_by.clauses) == 1:
        return _first(made_by.clauses[0].source)
    if type(made_by) is ops.Call:
        return 0 if _is_enumerated(made_by) else next(filter(_is_known, map(_first, made_by.args)), None)
    return 0 if any(isinstance(one, Token) and one.is_index for one in data.dependences) else None


def _is_enumerated(call: ops.Call) -> bool:
    """Is it a call of `enumerate` that counts from 0?"""
    return type(call.func) is ops.Name and call.func.name == "enumerate" and len(call.args) == 1 and not call.keywords


def _is_known(first: int | None) -> bool:
    return first is not None


def _first(source: Op) -> int | None:
    """The first number that `range` or `arange` gives, if that is known."""
    if type(source) is not ops.Call or type(source.func) not in (ops.Name, ops.Attr):
        return None
    if getattr(source.func, "name", "") not in COUNTING or len(source.args) > 2 or source.keywords:
        return None
    if len(source.args) == 1:
        return 0
    start = source.args[0]
    return start.value if type(start) is ops.Const and type(start.value) is int else None
