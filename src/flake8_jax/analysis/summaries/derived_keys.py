"""How a function derives keys, in terms of a caller.

def child(key, i): return fold_in(key, i)       by fold_in of the input `key`, with the input `i`
child(k, 3); child(k, 3)                        at both calls by fold_in of `k` with 3: the same key
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flake8_jax.analysis.checks.derivations import check_collision
from flake8_jax.domain.key_parts import SeededBy, renamed_keys
from flake8_jax.domain.payload import Copies, Derived, Payload
from flake8_jax.domain.provenance import Use
from flake8_jax.domain.staging import Input
from flake8_jax.domain.summary import Sink
from flake8_jax.domain.value import ARRAY, COMPUTED, INPUT, KEY, Value

if TYPE_CHECKING:
    from flake8_jax.analysis.summaries.substitution import Substitution

MAXIMUM_DEPTH = 4
KEYLIKE = frozenset((ARRAY, COMPUTED, INPUT, KEY))
NOWHERE = Use("", 0, "")


def is_derived(key: Value) -> bool:
    """Is it a key that was derived from another one?"""
    return type(key.payload) is Derived and key.payload.parent is not None


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
    source = _input_behind(parent)
    if source is not None:
        found = site.outside(source)
    elif type(parent.payload) is Derived:
        found = site.value(parent, depth + 1)
    else:
        found = site.target(Sink(parent, NOWHERE))
    if isinstance(data, Value):
        actual = site.input_value(data)
        if actual is None:
            return None
        data = actual.constant if isinstance(actual.constant, int) else actual.original
    if found is None or found.kind not in KEYLIKE:
        return None
    made = Derived(payload.how, found.original, data)
    check_collision(site.frame, site.op, made)
    return made


def _input_behind(value: Value) -> Input | None:
    if value.input is not None or len(value.dependences) != 1:
        return value.input
    (only,) = value.dependences
    return only if isinstance(only, Input) and value.kind is not COMPUTED else None
