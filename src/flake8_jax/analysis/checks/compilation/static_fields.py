"""Arrays in fields of a pytree that are declared static: the objects are told apart by comparing them.

class Observation(eqx.Module):
    values: jax.Array = eqx.field(static=True)      the second object that compiled code gets is compared with the first

Lists and functions there are compared without harm, and so are arrays of one element.
"""

from __future__ import annotations

from functools import partial

from flake8_jax.analysis.callables import ClassValue, InstanceOf
from flake8_jax.analysis.checks.compilation.hashed_arguments import StaticUnhashable
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.annotations import ARRAY_OF_EITHER_LIBRARY
from flake8_jax.analysis.objects.classes import (
    ancestry,
    flattened_fields,
    is_metadata,
    library_bases,
    states_host_default,
)
from flake8_jax.analysis.summaries.deferral import emit
from flake8_jax.api.class_decorators import WARNING_OF_ARRAYS
from flake8_jax.domain.kinds import API, ARRAY, CERTAIN_ARRAYS
from flake8_jax.domain.provenance import Context
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op

NOUNS = {"array": "an array", "numpy": "a NumPy array"}


def check_declarations(frame: Frame, owner: ClassValue) -> None:
    """Report the static fields that are declared as arrays, where the library warns of any array there."""
    is_warned = bool(owner.metadata) and not WARNING_OF_ARRAYS.isdisjoint(library_bases(owner))
    for name in sorted(owner.metadata & owner.annotations.keys()) if is_warned else ():
        annotation, field, default = owner.annotations[name], _declaration(owner, name), owner.attributes.get(name)
        if default is not None and states_host_default(default.made_by):
            continue
        table = frame.program.table
        kind = table.annotation(annotation.name) if annotation.kind is API else None
        given = "an array" if annotation.name == ARRAY_OF_EITHER_LIBRARY else NOUNS.get(kind or "")
        if given and field is not None and not frame.context.is_prepared:
            _report(frame, field, owner, name, given)


def check_fields(frame: Frame, owner: ClassValue, made: Value, op: Op) -> None:
    """Report the arrays that an object was made with in static fields of its class."""
    parts = made.payload.parts if isinstance(made.payload, InstanceOf) and not frame.context.is_prepared else None
    for name, value in (parts or {}).items():
        if value.kind in CERTAIN_ARRAYS and value.shape and is_metadata(owner, name) and _is_compared(owner, name):
            given = "an array" if value.kind is ARRAY else "a NumPy array"
            _report(frame, _declaration(owner, name) or op, owner, name, given)


def _is_compared(owner: ClassValue, name: str) -> bool:
    """Is a static field compared as it is?  A class that flattens its objects itself chooses what stands for it."""
    flattening = next((one for one in ancestry(owner) if "tree_flatten" in one.attributes), None)
    return flattening is None or name in flattened_fields(flattening, 1)


def _declaration(owner: ClassValue, name: str) -> Op | None:
    """The statement that declares a field."""
    for current in ancestry(owner):
        for op in current.function.body:
            if type(op) is ops.Store and type(op.targets[0]) is ops.Name and op.targets[0].name == name:
                return op.targets[0]
    return None


def _report(frame: Frame, op: Op, owner: ClassValue, name: str, given: str) -> None:
    emit(frame, (StaticUnhashable, op, ()), partial(_event, op, owner.name, name, given))


def _event(op: Op, owner: str, name: str, given: str) -> StaticUnhashable:
    words = "make it a field that is traced, read through `jax.lax.stop_gradient` if it is not to be trained"
    return StaticUnhashable(op, "field", name, given, None, name, owner, "", words, Context(None, ()))
