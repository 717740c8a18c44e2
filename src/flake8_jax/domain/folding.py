"""Constant folding, within limits: what raises or becomes too large is not known.

A program may compute anything from its constants, and the analysis follows it without failing and without taking long:

    range(1, 2, 3, 4)       raises: OPEN
    x = (x, x)              forty times over: a tuple of which the parts are not known
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import ParamSpec, TypeVar

from flake8_jax.domain.constants import OPEN, Constant, NotConstant
from flake8_jax.domain.kinds import DICT
from flake8_jax.domain.payload import Each, Elements, Entries, Extended, Key, Payload, Same, elements, entries
from flake8_jax.domain.value import Value
from flake8_jax.ir.parts import Host

LARGE = 1 << 64
MOST_PARTS = 1 << 16
DEEPEST = 32
MOST_PLACES = 64

FoldedArguments = ParamSpec("FoldedArguments")
FoldedResult = TypeVar("FoldedResult")
Parts = TypeVar("Parts", "tuple[Value, ...]", "dict[Key, Value]")


def within(count: int) -> int:
    """A number of places or factors that keeps the result small; raises for others."""
    if not 0 <= count < MOST_PLACES:
        raise ValueError(count)
    return count


def fold(
    compute: Callable[FoldedArguments, FoldedResult],
    *constants: FoldedArguments.args,
    **options: FoldedArguments.kwargs,
) -> FoldedResult | NotConstant:
    """The result of a computation with constants; `OPEN` if one is open or large, or if Python raises."""
    for constant in constants:
        if constant is OPEN or (type(constant) is int and not -LARGE < constant < LARGE):
            return OPEN
    try:
        return compute(*constants, **options)
    except Exception:  # whatever the program does wrong is its own business
        return OPEN


def folded(
    compute: Callable[FoldedArguments, Host], *constants: FoldedArguments.args, **options: FoldedArguments.kwargs
) -> Payload:
    """The payload of what Python computes from constants."""
    found = fold(compute, *constants, **options)
    return found if isinstance(found, NotConstant) else Constant(found)


def bounded(parts: Parts) -> Parts | None:
    """The parts of a container; None if they are too many, or nested too deep."""
    inside = parts.values() if isinstance(parts, dict) else parts
    return parts if _left(inside, MOST_PARTS, DEEPEST) >= 0 else None


def with_parts(payload: Payload | None, of: Callable[[Value], Value]) -> Payload | None:
    """The payload of a container of which each part is replaced."""
    if type(payload) is Elements:
        if payload.among:
            return Elements(None, payload.form, tuple(map(of, payload.among)))
        return elements(bounded(tuple(map(of, payload.parts))), payload.form) if payload.parts else payload
    if type(payload) is Entries:
        return entries(bounded({name: of(part) for name, part in payload.parts.items()}))
    if type(payload) is Extended:
        return extended(of(payload.below), {name: of(part) for name, part in payload.above.items()})
    if type(payload) is Same:
        return Same(of(payload.like))
    return Each(of(payload.like), payload.form) if type(payload) is Each else None


def extended(below: Value, above: dict[Key, Value]) -> Payload | None:
    """The payload of a dict that has what another one has, and entries above."""
    if type(below.payload) is Extended:
        return Extended(below.payload.below, {**below.payload.above, **above})
    if below.kind is DICT:
        return None if below.entries is None else entries(bounded({**below.entries, **above}))
    return Extended(below, above) if below.input is not None else None


def _left(parts: Collection[Value], room: int, depth: int) -> int:
    """How many parts there is room for behind these; negative if these are too many."""
    room -= len(parts)
    if room < 0 or not depth:
        return -1
    for part in parts:
        inner = part.payload
        if type(inner) is Elements or type(inner) is Entries:
            held = inner.held()
            if held:
                room = _left(held, room, depth - 1)
                if room < 0:
                    break
    return room
