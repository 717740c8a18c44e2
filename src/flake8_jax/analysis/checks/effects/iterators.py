"""Iterators that live outside of the code that takes their items: each trace takes the next ones.

batches = iter(data)            x + next(batches) in traced code: one batch for all calls
for i in itertools.count():     made where it is used: it starts anew in each trace
"""

from __future__ import annotations

from flake8_jax.analysis.callables import Arguments
from flake8_jax.analysis.checks.effects.host_calls import note_advanced
from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.instances import property_of
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.domain.kinds import MAY_BE_ITERATOR
from flake8_jax.domain.payload import reason
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op

MAKING = frozenset(("enumerate", "filter", "iter", "map", "reversed", "zip"))
CONSUMING = frozenset((
    "all", "any", "dict", "enumerate", "filter", "frozenset", "list", "map", "max", "min", "set", "sorted", "sum",
    "tuple", "zip",
))  # fmt: skip
"""The builtins that take the items of their arguments, or hand them on."""

READS = frozenset((ops.Attr, ops.Item, ops.Name))
"""What reads an iterator that was made before, and not on the spot."""

GENERATOR_CALLED = "generator or coroutine"


def is_iterator(value: Value) -> bool:
    """Is it known that a value can be run through only once?"""
    if value.form == "generator" or value.payload is reason(GENERATOR_CALLED):
        return True
    made_by = value.made_by
    if type(made_by) is not ops.Call:
        return False
    name = imported_name(made_by.func)
    return name in MAKING or name.startswith("itertools.")


def note_iterated(frame: Frame, value: Value, source: Op, callee: str) -> None:
    """Add the effect of running through an iterator that was made elsewhere."""
    is_made_before = type(source) in READS and frame.parent is not None
    if value.kind in MAY_BE_ITERATOR and is_made_before and is_iterator(value) and not _is_property(frame, source):
        note_advanced(frame, source, value, source, callee)


def _is_property(frame: Frame, source: Op) -> bool:
    """Does a function run that makes the iterator, each time that it is read?"""
    holder = peek(frame, source.base) if type(source) is ops.Attr else None
    return holder is not None and type(source) is ops.Attr and property_of(holder, (".", source.name)) is not None


def note_next(frame: Frame, op: Op, value: Value, source: Op) -> None:
    """Add the effect of `next(...)`, which only takes iterators."""
    if type(source) in READS:
        note_advanced(frame, op, value, source, "next")


def note_arguments(frame: Frame, arguments: Arguments, callee: str) -> None:
    """Add the effects of a function that takes the items of its arguments."""
    for value, source in zip(arguments.positional, arguments.ops):
        if source is not None:
            note_iterated(frame, value, source, callee)
