"""Functions that have no hash: transforms that keep what they have compiled look it up by the function itself.

class Cell(eqx.Module):
    weight: jax.Array
    def step(self, carry, x): ...
    def __call__(self, xs):
        return jax.lax.scan(self.step, ...)     Equinox hashes a bound method by the leaves of its object: an array
jax.jit(Cell(weight))                           so is the object itself
jax.vmap(Cell(weight))                          mapped and differentiated functions are not looked up
"""

from __future__ import annotations

from functools import partial

from flake8_jax.analysis.callables import (
    Arguments,
    ClassValue,
    FunctionValue,
    InstanceOf,
    Partial,
)
from flake8_jax.analysis.checks.compilation.hashed_arguments import StaticUnhashable
from flake8_jax.analysis.checks.contracts.places import written
from flake8_jax.analysis.checks.naming import imported_as, scope_of
from flake8_jax.analysis.checks.wording import callee_text
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.isolation import ADVICE, advising
from flake8_jax.analysis.objects.classes import (
    ancestry,
    annotated_field,
    declared_fields,
    fields_of,
    is_metadata,
    library_bases,
    lookup,
)
from flake8_jax.analysis.objects.hashability import MAXIMUM_DEPTH, hashing_of, unhashable
from flake8_jax.analysis.summaries.deferral import emit
from flake8_jax.api.class_decorators import LAYERS_WITH_ARRAYS, METHODS_HASHED_BY_FIELDS
from flake8_jax.api.static_options import FILTERING, HASHING_FUNCTIONS
from flake8_jax.api.transforms import Transform
from flake8_jax.domain.kinds import ARRAY, CONTAINERS, INSTANCE, OBJECT
from flake8_jax.domain.payload import Each, Named
from flake8_jax.domain.provenance import Context
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.rewrite import ChangedOp, Quoted, Rewrite


def check_hash(
    frame: Frame, op: Op, transform: Transform, arguments: Arguments, name: str, function: Value
) -> bool:
    """Report a function without a hash where a transform looks functions up; is it one?"""
    if transform.name not in HASHING_FUNCTIONS or frame.context.is_prepared:
        return False
    given = _without_hash(frame, function)
    place = written(transform, arguments, name) or op
    if not given or type(place) is ops.Closure:
        return False
    made = partial(_event, place, function, given, callee_text(op, transform.name), transform)
    emit(frame, (StaticUnhashable, place, ()), made)
    return True


def _without_hash(frame: Frame, function: Value) -> str:
    """Why a callable certainly has no hash, in words; "" where it may have one."""
    payload = function.payload
    if isinstance(payload, InstanceOf):
        return _of_object(frame, payload) if lookup(payload.owner, "__call__") is not None else ""
    if function.kind is OBJECT:
        return _of_layer(function)
    if not isinstance(payload, Partial) or type(function.made_by) is not ops.Attr or not payload.arguments.positional:
        return ""
    method, receiver = payload.callee.payload, payload.arguments.positional[0].payload
    is_method = isinstance(method, FunctionValue) and method.owner is not None and _hashes_methods(method.owner)
    if not is_method or not isinstance(receiver, InstanceOf) or not _hashes_methods(receiver.owner):
        return ""
    found = _of_object(frame, receiver)
    return f"a method of {found}" if found else ""


def _receiver(function: Value) -> ClassValue | None:
    """The class of an object that is called, or of that to which a method is bound."""
    payload = function.payload
    if isinstance(payload, Partial) and payload.arguments.positional:
        payload = payload.arguments.positional[0].payload
    return payload.owner if isinstance(payload, InstanceOf) else None


def _hashes_methods(owner: ClassValue) -> bool:
    return not METHODS_HASHED_BY_FIELDS.isdisjoint(library_bases(owner))


def _of_object(frame: Frame, instance: InstanceOf, depth: int = 0) -> str:
    """Why an object certainly has no hash: what its class says, or an array that it holds."""
    owner, is_module = instance.owner, _hashes_methods(instance.owner)
    found = "" if is_module else unhashable(Value(INSTANCE, payload=instance))
    if found or hashing_of(owner) != "fields":
        return found
    for name in dict.fromkeys((*declared_fields(owner), *fields_of(frame, owner).stored)):
        if not is_metadata(owner, name):
            held = _in_field(frame, instance, name, depth)
            if held:
                return f"an object of `{owner.name}`, in whose field `{name}` is {held}"
    return ""


def _in_field(frame: Frame, instance: InstanceOf, name: str, depth: int) -> str:
    """What has no hash in a field: in what the object got, in what all constructors store, or as it is declared."""
    owner, fields = instance.owner, fields_of(frame, instance.owner)
    stored = fields.stored.get(name) if name not in fields.unsettled else None
    value = (instance.parts or {}).get(name) or stored
    is_declared = value is None and lookup(owner, name) is None
    value = annotated_field(frame, owner, name) if is_declared else value
    if value is None:
        return ""
    if is_declared and value.kind is ARRAY:
        return "an array" if any(one.is_tree for one in ancestry(owner)) else ""
    return _held(frame, value, depth + 1) if _hashes_methods(owner) else unhashable(value)


def _held(frame: Frame, value: Value, depth: int) -> str:
    """What has no hash among the leaves of a part of a module: the parts of lists and dicts count, not they."""
    payload = value.payload
    if depth > MAXIMUM_DEPTH:
        return ""
    if isinstance(payload, InstanceOf):
        return _of_object(frame, payload, depth) if _hashes_methods(payload.owner) else ""
    if value.kind in CONTAINERS:
        parts = (payload.like,) if type(payload) is Each else value.parts
        return next((found for part in parts if (found := _held(frame, part, depth + 1))), "")
    return _of_layer(value) or unhashable(value)


def _of_layer(value: Value) -> str:
    name = value.payload.name if type(value.payload) is Named and value.kind is OBJECT else ""
    return f"a `{name.rpartition('.')[2]}`, which holds arrays" if name in LAYERS_WITH_ARRAYS else ""


def _event(place: Op, function: Value, given: str, transform: str, row: Transform) -> StaticUnhashable:
    words, rewrite = _instead(place, function, row)
    return StaticUnhashable(
        place, "callable", phrase(place), given, None, "", "", transform, words, Context(), rewrite
    )  # fmt: skip


@advising(ADVICE, ("wrap it in a function", None))
def _instead(place: Op, function: Value, row: Transform) -> tuple[str, Rewrite | None]:
    """A lambda where its parameters are known; for modules of Equinox that are compiled, the transform that it has."""
    owner = _receiver(function)
    is_module = function.kind is OBJECT or (owner is not None and _hashes_methods(owner))
    if is_module and row.name in FILTERING:
        return f"use `{imported_as(scope_of(place), FILTERING[row.name])}`", None
    method = function.payload.callee.payload if isinstance(function.payload, Partial) else None
    if row.name in FILTERING or not isinstance(method, FunctionValue):
        return "wrap it in a function that calls it", None
    taken = method.function.parameters[1:]
    if any(one.kind not in ("positional", "normal") for one in taken):
        return "wrap it in a function that calls it", None
    names = [one.name for one in taken if one.name not in method.defaults]
    listed = ", ".join(names)
    rewrite = Rewrite((ChangedOp(place, (f"lambda {listed}: ", Quoted(place, 60), f"({listed})")),))
    return "pass a lambda that calls it", rewrite
