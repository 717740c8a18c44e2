"""Which values JAX cannot trace: text, functions, sets, generators, objects of plain classes, and what holds one.

{"loss": 0.0, "name": "mean"}           a dict that holds a string
{"loss": 0.0, 1: 2.0}                   a dict whose keys cannot be sorted
Config(width=3)                         an object of a class that is no pytree, as far as its file tells
Net(jax.nn.relu)                        one of a class that is, with a function in a field that is a part of the tree
eqx.nn.MLP(2, 1, 4, 1, key=key)         the same, of a library: its row says so
jax.tree_util.Partial(f, x)             nothing: it is a pytree
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain

from flake8_jax.analysis.callables import ClassValue, FunctionValue, InstanceOf, Partial, Wrapped
from flake8_jax.analysis.checks.compilation.objects_traced import MAKING_TREES, is_plain_class
from flake8_jax.analysis.checks.contracts.nouns import CONTAINERS, noun_of_text
from flake8_jax.analysis.checks.effects.iterators import GENERATOR_CALLED
from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.analysis.objects.classes import ancestry, library_bases
from flake8_jax.analysis.objects.hashability import hashing_of
from flake8_jax.api.class_decorators import DECLARING
from flake8_jax.api.table import Table
from flake8_jax.domain.kinds import (
    API,
    CLASS,
    DICT,
    FUNCTION,
    INSTANCE,
    LEAVES,
    NUMBER,
    OBJECT,
    PARTIAL,
    SET,
    TRACEABLE,
    TREE_NODES,
    TUPLE,
    UNKNOWN,
)
from flake8_jax.domain.payload import Key, reason
from flake8_jax.domain.state import State
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.lazy_dataclasses import dataclass

MAXIMUM_DEPTH = 3
MAXIMUM_PARTS = 24
FORMS = {"range": "a range", "generator": "a generator"}


@dataclass(frozen=True, slots=True)
class ForeignValue:
    """What JAX cannot trace: its `noun`, its class, if that is one of the project, and what holds it.

    `has_hash`: it could be static.  `library`: it is a module of this one, which has transforms that leave it alone.
    `instead` is what to do about it, if that is certain. `made_of`: what it is made anew of, and what refuses that.
    """

    noun: str
    owner: ClassValue | None = None
    container: str = ""
    has_hash: bool = True
    library: str = ""
    instead: str = ""
    made_of: str = ""

    @property
    def text(self) -> str:
        """What the argument is, in words."""
        return f"{self.container} that holds {self.noun}" if self.container else self.noun


UNSORTED = ForeignValue("a dict whose keys cannot be sorted", has_hash=False, instead="use keys of one type")
"""A pytree has its leaves in the order of keys."""


def foreign_value(table: Table, value: Value, state: State | None = None, depth: int = 0) -> ForeignValue | None:
    """What JAX cannot trace of a value; None where it may be able to."""
    kind = value.kind
    if kind in TRACEABLE:
        return None
    if kind in CONTAINERS:
        return _in_container(table, value, state, depth)
    if kind is INSTANCE:
        return _object(value) or _in_fields(table, value, state, depth)
    if kind is OBJECT and (held := table.opaque_part(value.name)):
        return ForeignValue(f"a {held}", None, f"an `{value.name}`", False, value.name.partition(".")[0])
    noun = noun_of_text(value)
    if not noun and _is_function(table, value):
        noun = "a class" if kind is CLASS else "a function"
    if not noun and kind is UNKNOWN and value.payload is reason(GENERATOR_CALLED):
        return ForeignValue("a generator or coroutine", has_hash=False)
    return ForeignValue(noun) if noun else None


def _in_container(table: Table, value: Value, state: State | None, depth: int) -> ForeignValue | None:
    if value.kind is SET:
        return ForeignValue("a set", has_hash=False)
    if value.form in FORMS:
        return ForeignValue(FORMS[value.form], has_hash=value.form == "range")
    held = state.contents(value) if state is not None else value
    if value.kind is DICT and held.entries and not _can_be_sorted(held.entries):
        return UNSORTED
    parts = (*(held.entries or {}).values(),) if value.kind is DICT else held.elements or ()
    if depth >= MAXIMUM_DEPTH or len(parts) > MAXIMUM_PARTS or value.kind not in TREE_NODES:
        return None
    for part in parts:
        found = foreign_value(table, part, state, depth + 1) if part.kind not in LEAVES else None
        if found is not None:
            break
    else:
        return None
    has_array = any(part.kind in LEAVES and part.kind is not NUMBER for part in parts)
    has_hash = value.kind is TUPLE and found.has_hash and not has_array
    return ForeignValue(found.noun, found.owner, CONTAINERS[value.kind], has_hash, found.library, found.instead)


def unsorted_in(value: Value, contents: Callable[[Value], Value], depth: int = 0) -> bool:
    """Is a tree a dict whose keys cannot be sorted, or does it hold one?"""
    held = contents(value)
    if held.kind is DICT and held.entries and not _can_be_sorted(held.entries):
        return True
    if depth >= MAXIMUM_DEPTH or len(held.parts) > MAXIMUM_PARTS:
        return False
    return any(unsorted_in(part, contents, depth + 1) for part in held.parts if part.kind in TREE_NODES)


def _can_be_sorted(keys: Iterable[Key]) -> bool:
    """May the keys of a dict be put in order?"""
    try:
        sorted(keys)  # type: ignore[type-var]
    except TypeError:
        return False
    return True


def _object(value: Value) -> ForeignValue | None:
    instance = value.payload
    if not isinstance(instance, InstanceOf) or value.dependences or not is_plain_class(instance.owner):
        return None
    has_hash = hashing_of(instance.owner) in ("identity", "fields")
    return ForeignValue(f"an object of `{instance.owner.name}`", instance.owner, has_hash=has_hash)


def _in_fields(table: Table, value: Value, state: State | None, depth: int) -> ForeignValue | None:
    """What JAX cannot trace among the fields of a tree: those that are declared, and not as metadata."""
    instance = value.payload
    if not isinstance(instance, InstanceOf) or not (parts := instance.parts) or depth >= MAXIMUM_DEPTH:
        return None
    family = ancestry(instance.owner)
    if not instance.owner.is_tree or not MAKING_TREES.isdisjoint(chain(*[one.attributes for one in family])):
        return None
    children = {name for ancestor in family for name in ancestor.annotations}
    children = children.difference(*[ancestor.metadata for ancestor in family])
    for name, part in parts.items():
        found = foreign_value(table, part, state, depth + 1) if name in children else None
        if found is not None and not any(_is_declared_by_helper(ancestor, name) for ancestor in family):
            bases = (base.partition(".")[0] for base in library_bases(instance.owner))
            library = next((base for base in bases if table.filtering("jax.jit", base)), "")
            return ForeignValue(found.noun, found.owner, f"an object of `{instance.owner.name}`", False, library)
    return None


def _is_declared_by_helper(owner: ClassValue, name: str) -> bool:
    """Does a function that is none of a library make a field, which may say there that it is no part of the tree?"""
    for op in owner.function.body:
        if type(op) is ops.Store and type(op.value) is ops.Call and op.annotation is not None:
            target = op.targets[0]
            if type(target) is ops.Name and target.name == name:
                return imported_name(op.value.func).partition(".")[0] not in DECLARING
    return False


def _is_function(table: Table, value: Value) -> bool:
    """Is it a function or class that is certainly no pytree?"""
    payload = value.payload
    if value.kind is CLASS:
        return isinstance(payload, ClassValue)
    if value.kind is FUNCTION:
        is_jax = isinstance(payload, Wrapped) and payload.applied.transform.name.startswith("jax.")
        return isinstance(payload, FunctionValue) or is_jax
    if value.kind is PARTIAL and isinstance(payload, Partial):
        made_by = value.made_by
        return type(made_by) is ops.Call and imported_name(made_by.func) == "functools.partial"
    library, dot, _ = value.name.partition(".")
    is_known = value.kind is API and (library in ("jax", "math", "numpy") or not dot)
    return is_known and (table.function(value.name) is not None or table.transform(value.name) is not None)
