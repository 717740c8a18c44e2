"""Objects with a state of their own, such as generators and iterators, that live outside of the running function."""

from __future__ import annotations

from flake8_jax.analysis.evidence import CallSite
from flake8_jax.analysis.frame import Frame
from flake8_jax.domain.kinds import INPUT, INSTANCE
from flake8_jax.domain.payload import Named
from flake8_jax.domain.staging import Input, certain, in_order, staged
from flake8_jax.domain.value import Value
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.ops import Op
from flake8_jax.ir.walking import path_root
from flake8_jax.lazy_dataclasses import dataclass, replace

BRANCH = "a branch of"
"""The role of a function that one trace of the code around runs once."""


@dataclass(frozen=True, slots=True)
class OuterObject:
    """An object that a call moves on.

    `value` is the object, or what it is reached through; `text` its spelling; `classes`: one of these its class must be
    for the call to do so, none where that is known.
    """

    value: Value
    text: str
    classes: frozenset[str] = frozenset()


def handed_in(value: Value) -> Input | None:
    """The input that a value is, or that an object stands for."""
    if value.kind is INSTANCE:
        return next(iter(in_order(value.dependences)), None)
    return value.input if value.kind is INPUT else None


def outer_object(frame: Frame, value: Value, op: Op, text: str) -> OuterObject | None:
    """The object, if it lives outside of the running function: captured, global, handed in, or a part of such."""
    outside = frame.summary.outside
    if handed_in(value) is not None or value in outside.found or any(one is value for one in outside.captured.values()):
        return OuterObject(value, text)
    root = path_root(op)
    owner = root.scope.lookup(root.name).owner if root is not None else None
    if root is None or owner is None:
        return None
    if owner is not frame.function.scope.frame and owner.frame is not frame.function.scope:
        return OuterObject(value, text)
    held = frame.live().names.get(root.name)
    return OuterObject(held, text) if held is not None and handed_in(held) is not None else None


def is_made_by(frame: Frame, value: Value, source: Op | None) -> bool:
    """Did the running function make an object, or was given it by a call, which it reads at `source`?"""
    if frame.parent is None:
        return False
    if source is not None:
        return outer_object(frame, value, source, "") is None
    made_by = value.made_by
    return made_by is not None and chains_of(frame.function).holds(made_by)


def object_at_site(site: CallSite, holder: OuterObject, is_staged: bool) -> OuterObject | None:
    """The object in terms of a caller; None if it is not at issue, the caller made it itself, or nobody knows who did.

    What the caller makes is outside of a loop that it traces; branches it traces once, whenever it runs.
    """
    source, around = handed_in(holder.value), staged(site.ambient)
    is_staged = is_staged and (around is None or around.trace.role != BRANCH)
    if source is None:
        return None if not is_staged and is_made_by(site.frame, holder.value, None) else holder
    actual = site.resolve(source)
    if actual is None:
        return None if site.is_owned(source) else holder
    if certain(actual.dependences) is not None and actual.kind is not INSTANCE:
        return None
    if handed_in(actual) is not None:
        return replace(holder, value=actual)
    if actual.kind is INPUT:
        return None
    if holder.classes and not (type(actual.payload) is Named and actual.payload.name in holder.classes):
        return None
    if not is_staged and is_made_by(site.frame, actual, site.source_of(source)):
        return None
    return OuterObject(actual, holder.text)
