"""How a function derives keys, in terms of a caller.

def child(key, i): return fold_in(key, i)       by fold_in of the input `key`, with the input `i`
child(k, 3); child(k, 3)                        at both calls by fold_in of `k` with 3: the same key
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from flake8_jax.analysis.checks.keys.counters import affine_of, numbers_of
from flake8_jax.analysis.checks.keys.origins import input_behind
from flake8_jax.analysis.checks.keys.shared_children import check_collision
from flake8_jax.analysis.objects import access
from flake8_jax.analysis.summaries.captured import captured_now
from flake8_jax.domain.affine import Affine
from flake8_jax.domain.key_parts import KeyPart, Position, SeededBy, part_of, renamed_keys, value_of_all_keys
from flake8_jax.domain.kinds import MAY_BE_KEY
from flake8_jax.domain.payload import Copies, Derived, Payload
from flake8_jax.domain.value import Value, steps_to

if TYPE_CHECKING:
    from flake8_jax.analysis.summaries.substitution import Substitution

MAXIMUM_DEPTH = 4


def is_derived(key: Value) -> bool:
    """Is it a key that was derived from another one?"""
    return type(key.payload) is Derived and key.payload.parent is not None


def key_taken(site: Substitution, key: Value) -> Value | None:
    """The key that this call takes out of an array of keys around the function; an argument may be the index."""
    part = key.payload
    if type(part) is not KeyPart or part.is_moved:
        return None
    source = input_behind(part.whole)
    whole = site.outside(source) if source is not None else key_held(site, part.whole) or part.whole
    if whole is None or whole.kind not in MAY_BE_KEY:
        return None
    taken = part_of(whole)
    for position in part.positions:
        taken = taken.at(_position_outside(site, position) if isinstance(position, Value) else position)
    return Value(key.kind, key.dependences, taken, site.op)


def key_held(site: Substitution, key: Value) -> Value | None:
    """The present content of the variable or object in which the function found a key."""
    outside = site.summary.outside
    names = {value: name for name, value in outside.captured.items()}
    for value in (*names, *outside.fields):
        steps = steps_to(value, key)
        if steps is None:
            continue
        if value in names:
            found = captured_now(site, names[value], value)
        else:
            owner, step = outside.fields[value]
            owner = captured_now(site, names[owner], owner) if owner in names else owner
            found = access.read(site.frame, owner, step, site.op)
        for index in steps:
            found = access.read(site.frame, found, ("[]", index), site.op)
        return found
    return None


def _position_outside(site: Substitution, position: Value) -> Position:
    """The position of a key for this call: that of another call, unless both are the same value."""
    actual = site.input_value(position) or site.value(position)
    return actual.constant if type(actual.constant) is int else actual.original


def key_payload_outside(site: Substitution, payload: Payload | None, depth: int) -> Payload | None:
    """The payload of a key of a callee, in terms of the caller; None if that is not known."""
    if type(payload) is Derived:
        return _derived_outside(site, payload, depth)
    if type(payload) is SeededBy:
        return None
    return Copies(site.value(payload.of)) if type(payload) is Copies else renamed_keys(payload, site.value)


def _derived_outside(site: Substitution, payload: Derived, depth: int) -> Derived | None:
    parent, data = payload.parent, payload.data
    if parent is None:
        return payload
    if depth >= MAXIMUM_DEPTH:
        return None
    source = input_behind(parent)
    is_item = any(steps_to(value, parent) for value in site.summary.outside.captured.values())
    is_own = type(parent.payload) is Derived and parent not in site.frame.program.linked.globals
    if source is None and is_own and not is_item:
        found: Value | None = site.value(parent, depth + 1)
    else:  # an item of a captured container may be another by now
        found = site.key_outside(parent if source is None or is_item else source)
    if isinstance(data, (Value, Affine)):
        data = _number_outside(site, data)
        if data is None:
            return None
    if found is None or found.kind not in MAY_BE_KEY:
        return None
    made = Derived(payload.how, value_of_all_keys(found.original), data)
    check_collision(site.frame, site.op, made)
    return made


def _number_outside(site: Substitution, data: Value | Affine) -> Hashable:
    """Data for keys in terms of the caller; None if that is not known."""
    affine = data if isinstance(data, Affine) else Affine(data)
    actual = site.input_value(affine.number)
    if actual is None:
        return data if numbers_of(data) else None  # a counter of its own has the same numbers in each call
    if isinstance(actual.constant, int):
        return affine.at(actual.constant)
    found = affine_of(site.frame, actual).times(affine.factor).plus(affine.offset)
    return found if found != Affine(found.number) else found.number
