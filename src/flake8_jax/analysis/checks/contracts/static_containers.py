"""Lists, tuples and dicts with modules, variables or arrays in an attribute of a module of nnx.

self.layers = [nnx.Linear(n, n, rngs=rngs) for _ in range(3)]           refused since 0.12: the attribute is static
self.layers = nnx.List([...])                                           its parts are parts of the module
self.layers = nnx.data([[...], [...]])                                  in a list, or a dict with keys that are no texts
self.sizes = [8, 8]                                                     numbers, texts and functions are no data

A list that is empty at first is refused where the constructor ends; what is put into it is reported.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from flake8_jax.analysis.callables import ClassValue, InstanceOf
from flake8_jax.analysis.checks.contracts.broken import breaking, report
from flake8_jax.analysis.checks.contracts.frozen import method_around
from flake8_jax.analysis.checks.contracts.required import allows, is_for_one_release
from flake8_jax.analysis.checks.instead import BASE, Advice, library_name
from flake8_jax.analysis.checks.naming import scope_of
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.isolation import ADVICE, advising
from flake8_jax.analysis.objects.classes import ancestry, library_bases, lookup
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.api.static_containers import (
    DATA,
    DESCRIPTION,
    DICTS,
    LIBRARY,
    LISTS,
    MODULES,
    PREFIX,
    SINCE,
    as_written,
)
from flake8_jax.domain.kinds import ARRAY, DICT, INSTANCE, KEY, KEYS, LIST, NUMPY, OBJECT, REF, TUPLE
from flake8_jax.domain.payload import Each, Entries
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.rewrite import ChangedOp, Piece, Quoted, Rewrite, spelt, unsafe

MADE_FOR = {LIST: ("list", LISTS), TUPLE: ("tuple", LISTS), DICT: ("dict", DICTS)}
ARRAYS = frozenset((ARRAY, NUMPY, KEY, KEYS))
UNCHECKED = "pytree=False"
DECLARED = "Data"
MAXIMUM_DEPTH = 3
ADDING = frozenset(("append", "insert"))


def check_attribute(frame: Frame, base: Value, target: ops.Attr, statement: Op, value: Value) -> None:
    """Check what is stored into an attribute of a module."""
    if value.kind in MADE_FOR and _is_checked(frame, base, target.name):
        held = _data_in(frame, frame.live().contents(value))
        if held:
            noun, made = MADE_FOR[value.kind]
            made = DATA if held.is_nested or _has_other_keys(value) else made
            written = statement.value if type(statement) is ops.Store and statement.targets == (target,) else None
            advice = partial(_wrapped, target, written, made)
            said = f"`{phrase(target)}` is a {noun} that holds {held.noun}"
            _report(frame, target, said, _made(made), advice)


def _made(made: str) -> str:
    """What to do with a container, in words."""
    return f"pass it through `{as_written(DATA)}`" if made == DATA else f"make it a `{as_written(made)}`"


def _has_other_keys(value: Value) -> bool:
    """May a dict have keys that are no texts?  They would be names of attributes."""
    keys = value.payload.parts if type(value.payload) is Entries else (None,)
    return value.kind is DICT and any(not isinstance(key, str) for key in keys)


def check_added(frame: Frame, op: ops.Call, base: Value, added: Value) -> None:
    """Check what is put into a list that stands in an attribute of a module, while that is made."""
    place = op.func.base if type(op.func) is ops.Attr and op.func.name in ADDING and base.kind is LIST else None
    owner = peek(frame, place.base) if type(place) is ops.Attr else None
    method = method_around(frame, owner) if owner is not None else None
    if owner is None or type(place) is not ops.Attr or method is None or method.name != "__init__":
        return
    held = _data_in(frame, Value(TUPLE, payload=Each(added)))
    if held and _is_checked(frame, owner, place.name):
        made = DATA if held.is_nested else LISTS
        _report(frame, op, f"`{phrase(place)}` is a list that gets {held.noun}", f"begin with `{as_written(made)}([])`")


def _report(frame: Frame, op: Op, said: str, words: str, advice: partial[Advice] | None = None) -> None:
    if allows(frame, op, LIBRARY, SINCE) and not is_for_one_release(op, LISTS):
        why = f"which `{LIBRARY}` refuses since {SINCE}: such an attribute is static"
        report(frame, breaking(op, f"{said}, {why}", words, advice))


def _is_checked(frame: Frame, base: Value, name: str) -> bool:
    """Is it an object of a class of modules, in a method of its own, that says nothing of the attribute?"""
    owner = base.payload.owner if base.kind is INSTANCE and isinstance(base.payload, InstanceOf) else None
    if owner is None or MODULES.isdisjoint(library_bases(owner)) or method_around(frame, base) is None:
        return False
    if lookup(owner, "__setattr__") is not None or UNCHECKED in owner.function.anchor.origin.code.text:
        return False
    return not any(_declares(one, name) for one in ancestry(owner))


def _declares(owner: ClassValue, name: str) -> bool:
    """Does the body of a class say what an attribute is: `layers: nnx.Data[list]`, `layers: list = nnx.data()`?"""
    stated = owner.annotations.get(name)
    return name in owner.attributes or (stated is not None and stated.name.rpartition(".")[2] in ("", DECLARED))


class _Contents(NamedTuple):
    """What a container holds, in words; `is_nested`: some of it in containers that are in it."""

    noun: str
    is_nested: bool


def _data_in(frame: Frame, value: Value, depth: int = 0) -> _Contents | None:
    """What a container holds that is part of a module; None if nothing is known to be."""
    parts = (value.payload.like,) if type(value.payload) is Each else tuple(value.parts)
    made_by = value.made_by
    if value.payload is None and type(made_by) is ops.Gather and made_by in frame.gathered:
        parts = (frame.gathered[made_by],)
    found: _Contents | None = None
    for part in parts:
        if part.kind in MADE_FOR and depth < MAXIMUM_DEPTH:
            inner = _data_in(frame, frame.live().contents(part), depth + 1)
            if inner is not None:
                return _Contents(found.noun if found is not None else inner.noun, True)
        elif found is None and (noun := _noun(part)):
            found = _Contents(noun, False)
    return found


def _noun(part: Value) -> str:
    """What a part of a container is, if it is part of a module; else ""."""
    if part.kind in ARRAYS:
        return "arrays"
    if part.kind is REF:
        return "variables"
    if part.kind is OBJECT and part.name.startswith(PREFIX) and part.name != DESCRIPTION:
        return "modules"
    is_module = isinstance(part.payload, InstanceOf) and not MODULES.isdisjoint(library_bases(part.payload.owner))
    return "modules" if is_module else ""


@advising(ADVICE, Advice(""))
def _wrapped(target: ops.Attr, written: Op | None, made: str) -> Advice:
    """The container, handed to the one of the library, which older releases have not."""
    if written is None:
        return Advice(_made(made))
    pieces: tuple[Piece, ...] = (library_name(scope_of(target), made), "(", Quoted(written, BASE), ")")
    return Advice(f"use `{spelt(*pieces)}`", unsafe(Rewrite((ChangedOp(written, pieces),))))
