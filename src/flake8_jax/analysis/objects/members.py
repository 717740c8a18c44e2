"""The methods of a class as code sees them that goes through all of them, as decorators of classes do.

for name in dir(cls):                                   any public name
    setattr(cls, name, jax.jit(getattr(cls, name)))     each method becomes the one under `jax.jit`
"""

from __future__ import annotations

from flake8_jax.analysis.callables import ClassValue, FunctionValue, underlying
from flake8_jax.domain.conditions import ALWAYS
from flake8_jax.domain.kinds import DICT, FUNCTION, UNKNOWN
from flake8_jax.domain.payload import Alternatives, Entries, Key
from flake8_jax.domain.value import Value
from flake8_jax.ir.ops import Op


def methods_of(owner: ClassValue, op: Op) -> Value:
    """The methods that the body of a class defines, by name."""
    entries: dict[Key, Value] = {}
    entries.update(_methods(owner))
    return Value(DICT, payload=Entries(entries), made_by=op)


def any_method(owner: ClassValue, op: Op) -> Value | None:
    """One of the methods that the body of a class defines; None if it defines none."""
    methods = tuple(_methods(owner).values())
    return Value(UNKNOWN, payload=Alternatives(methods, (ALWAYS,) * len(methods)), made_by=op) if methods else None


def set_methods(owner: ClassValue, made: Value, names: tuple[str, ...] = ()) -> None:
    """Replace each method of a class by what was made of it.

    Of one name it is known what it holds now.
    """
    if len(names) == 1:
        owner.attributes[names[0]] = made
        return
    ways = made.payload.values if type(made.payload) is Alternatives else (made,)
    functions = {underlying(way): way for way in ways if way.kind is FUNCTION}
    for name, method in _methods(owner).items():
        found = functions.get(underlying(method))
        if found is not None and (not names or name in names):
            owner.attributes[name] = found


def _methods(owner: ClassValue) -> dict[str, Value]:
    return {
        name: value
        for name, value in owner.attributes.items()
        if (not name.startswith("_") or name == "__call__") and isinstance(value.payload, FunctionValue)
    }
