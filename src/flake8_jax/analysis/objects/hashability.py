"""Which values Python cannot hash, and why: what JAX looks static arguments up by.

[2, 2]                                  a list
(1, jnp.ones(2))                        a tuple that holds an array
Config(width=3)                         an object of a dataclass that is compared by its fields and not frozen
Frozen(table=jnp.ones(2))               a frozen one, with an array in a field
"""

from __future__ import annotations

from flake8_jax.analysis.callables import ClassValue, InstanceOf
from flake8_jax.analysis.objects.classes import ancestry
from flake8_jax.api.class_decorators import HASHED_BY_FIELDS, PLAIN_BASES, Hashing
from flake8_jax.domain.constants import NOTHING
from flake8_jax.domain.host_views import Buffer, ReadOnly
from flake8_jax.domain.kinds import ARRAY, DICT, INSTANCE, KEY, KEYS, LIST, NUMPY, SET, TUPLE
from flake8_jax.domain.payload import AT, ArrayDoubt
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op

NOUNS = {LIST: "a list", DICT: "a dict", SET: "a set", ARRAY: "an array", NUMPY: "a NumPy array"}
DISPLAYS = (ops.Build, ops.BuildDict, ops.Gather)
MAKING = frozenset(("list", "sorted", "dict", "set"))
MAKING_METHODS = frozenset(("tolist", "split"))
WRITTEN = frozenset(("", "arrays", "numpy arrays", "shape"))
"""The forms of sequences that are lists, not ranges or generators."""

MAXIMUM_DEPTH = 3


def unhashable(value: Value, depth: int = 0) -> str:
    """Why a value certainly has no hash, in words; "" where it may have one."""
    kind, made_by = value.kind, value.made_by
    if kind is LIST or kind is DICT or kind is SET:
        return NOUNS[kind] if value.form in WRITTEN and _is_made_as(value) else ""
    if kind is KEY or kind is KEYS:
        return "a random key" if made_by is not None else ""
    if kind is ARRAY:
        is_promised = type(value.payload) is ArrayDoubt or value.payload is AT or made_by is None
        return "" if is_promised else NOUNS[kind]
    if kind is NUMPY:
        view = value.payload
        is_array = type(view) is Buffer or (type(view) is ReadOnly and not view.is_item)
        return NOUNS[kind] if value.shape or is_array else ""
    if kind is TUPLE and depth < MAXIMUM_DEPTH:
        held = _first(value.elements or (), depth)
        return f"a tuple that holds {held}" if held else ""
    if kind is INSTANCE and isinstance(value.payload, InstanceOf):
        return _object(value.payload, depth)
    return ""


def _is_made_as(value: Value) -> bool:
    """Is it made by a display, or by a call that gives nothing else?  A view or a frozen copy is told as such, too."""
    made_by = value.made_by
    if type(made_by) is ops.Operate and value.kind is DICT:  # mappings that are frozen have no `|`
        return True
    return made_by is not None and _makes_one(made_by)


def _makes_one(made_by: Op) -> bool:
    """Does an op make what it is said to be: alone, as what another such is added to, united with or repeated, or as a
    slice of one?
    """
    if type(made_by) is ops.Operate:
        return any(_makes_one(operand) for operand in made_by.operands)
    if type(made_by) is ops.Item:
        return _makes_one(made_by.base)
    if type(made_by) is not ops.Call:
        return isinstance(made_by, DISPLAYS)
    func = made_by.func
    is_builtin = type(func) is ops.Name and func.name in MAKING
    return is_builtin or (type(func) is ops.Attr and func.name in MAKING_METHODS)


def _first(parts: tuple[Value, ...], depth: int) -> str:
    return next((found for part in parts if (found := unhashable(part, depth + 1))), "")


def _object(instance: InstanceOf, depth: int) -> str:
    owner, why = instance.owner, hashing_of(instance.owner)
    if why == "fields" and depth < MAXIMUM_DEPTH:
        for name, part in (instance.parts or {}).items():
            found = unhashable(part, depth + 1) if _is_hashed(owner, name) else ""
            if found:
                return f"an object of `{owner.name}`, in whose field `{name}` is {found}"
    if why == "mutable":
        return f"an object of `{owner.name}`, a dataclass that is not frozen"
    return f"an object of `{owner.name}`, which has `__eq__` and no `__hash__`" if why == "compared" else ""


def hashing_of(owner: ClassValue) -> Hashing:
    """How objects of a class are hashed, by what it and its bases declare; "unknown" behind other libraries."""
    for current in ancestry(owner):
        own = current.attributes.get("__hash__")
        if own is not None:
            return "compared" if own.payload == NOTHING else "identity"
        if current.hashing is not None:
            return current.hashing
        if "__eq__" in current.attributes:
            return "compared"
        for base in current.bases:
            if base.name in HASHED_BY_FIELDS:
                return "fields"
            if not isinstance(base.payload, ClassValue) and base.name not in PLAIN_BASES:
                return "unknown"
    return "identity"


def _is_hashed(owner: ClassValue, name: str) -> bool:
    """Is a field a part of the hash: is it not declared with `compare=False` or `hash=False`?"""
    for current in ancestry(owner):
        for op in current.function.body:
            if type(op) is ops.Store and type(op.targets[0]) is ops.Name and op.targets[0].name == name:
                given = dict(op.value.keywords) if type(op.value) is ops.Call else {}
                told = [given.get("hash"), given.get("compare")]
                return all(one is None or (type(one) is ops.Const and one.value is not False) for one in told)
    return name in {each for current in ancestry(owner) for each in current.annotations}
