"""What a value certainly is, in words: for messages that say what came instead of what was due.

lax.scan(jnp.zeros(3), step, xs)        "an array", where a function is due
jax.jit(f)("mean")                      "a string", where an array is due
def g(x: jax.Array): ...                nothing: that `x` is an array, its annotation alone promises
"""

from __future__ import annotations

from flake8_jax.analysis.callables import InstanceOf
from flake8_jax.analysis.checks.compilation.objects_traced import is_plain_class
from flake8_jax.analysis.objects.classes import lookup
from flake8_jax.domain.constants import OPEN
from flake8_jax.domain.kinds import (
    API,
    ARRAY,
    CLASS,
    COMPUTED,
    DICT,
    FUNCTIONS_OR_METHODS,
    INSTANCE,
    KEY,
    KEYS,
    LIST,
    NUMBER,
    NUMPY,
    SET,
    STATIC,
    TUPLE,
)
from flake8_jax.domain.payload import AT, ArrayDoubt
from flake8_jax.domain.staging import certain
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops

CONTAINERS = {LIST: "a list", TUPLE: "a tuple", DICT: "a dict", SET: "a set"}
ARRAYS = {ARRAY: "an array", NUMPY: "a NumPy array", KEY: "a random key", KEYS: "an array of random keys"}
TEXTS = frozenset(("str", "repr", "format"))
COMPUTING = (ops.Operate, ops.Compare)


def is_function(value: Value) -> bool:
    """Is a value certainly something that can be called: a function or a class?"""
    return value.kind in FUNCTIONS_OR_METHODS or value.kind is CLASS


def noun_of_data(value: Value) -> str:
    """What a value is that certainly cannot be called; "" where it may be something else."""
    kind = value.kind
    if kind in ARRAYS:
        is_promised = type(value.payload) is ArrayDoubt or value.payload is AT or value.made_by is None
        return "" if is_promised else ARRAYS[kind]
    if kind is NUMBER:
        return "a number"
    if kind in CONTAINERS:
        return CONTAINERS[kind]
    if kind is STATIC:
        return noun_of_text(value) or ("None" if value.constant is None else "a bool" if is_bool(value) else "")
    if kind is COMPUTED:
        is_array = certain(value.dependences) is not None and isinstance(value.made_by, COMPUTING)
        return "an array" if is_array else ""
    if kind is INSTANCE and isinstance(value.payload, InstanceOf):
        owner = value.payload.owner
        is_data = lookup(owner, "__call__") is None and is_plain_class(owner)
        return f"an object of `{owner.name}`" if is_data else ""
    return ""


def noun_of_text(value: Value) -> str:
    """What a text is; "" for anything else."""
    known = value.constant if value.kind is STATIC else None
    made_by = value.made_by if known is OPEN else None
    is_call = type(made_by) is ops.Call and type(made_by.func) is ops.Name and made_by.func.name in TEXTS
    if is_call or (type(made_by) is ops.Build and made_by.kind in ("text", "format")):
        return "a string"
    return "a string" if isinstance(known, str) else "a byte string" if isinstance(known, bytes) else ""


def noun_of_function(value: Value) -> str:
    """What a value is that can be called; "" where it may be something else."""
    if value.kind is CLASS:
        return "a class"
    return "a function" if value.kind in FUNCTIONS_OR_METHODS or value.kind is API else ""


def is_bool(value: Value) -> bool:
    """Is it a known bool of the host?"""
    return type(value.constant) is bool
