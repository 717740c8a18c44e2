"""Objects that JAX cannot trace: of a class of the project that is no pytree, passed to a parameter that is traced.

class Model:
    @jax.jit                        `self` is traced, and is no array and no pytree: each call is refused
    def step(self, x): ...

    @partial(jax.jit, static_argnums=1)     the same: numbers count `self`
    def zeros(self, n): ...

Whether a class is a pytree depends on what registers it: a decorator, a call somewhere, a base class of a library.  So
the evidence is a class that is bound to its name as it was written, whose bases are plain, and that is registered by
nothing in its file; a registration anywhere else refutes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from flake8_jax.analysis.callables import (
    EVERYTHING,
    Arguments,
    CallMode,
    ClassValue,
    FunctionValue,
    InstanceOf,
    Wrapped,
    underlying,
    visible_names,
)
from flake8_jax.analysis.checks.instead import library_name
from flake8_jax.analysis.checks.naming import scope_of
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.isolation import ADVICE, advising
from flake8_jax.analysis.objects.classes import CONSTRUCTORS, ancestry, stored_elsewhere
from flake8_jax.analysis.objects.hashability import hashing_of
from flake8_jax.analysis.summaries.deferral import emit
from flake8_jax.api.class_decorators import PLAIN_BASES, PLAIN_DECORATORS
from flake8_jax.api.static_options import TRACING
from flake8_jax.domain.effects import ClassField
from flake8_jax.domain.kinds import CLASS, INSTANCE
from flake8_jax.domain.provenance import Context
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.ops import Function, Op
from flake8_jax.ir.rewrite import ChangedOp, Piece, Quoted, Rewrite, spelt, unsafe
from flake8_jax.lazy_dataclasses import dataclass

REGISTRATION = "<pytree>"
"""Stands for the registration of a class among the fields that other code refutes."""

MAKING_TREES = frozenset(("tree_flatten", "__jax_array__", "__array__", "__init_subclass__", "__class_getitem__"))
"""What a class may define by which its objects, or those of its subclasses, are traced after all."""


@dataclass(frozen=True, slots=True)
class ObjectTraced:
    """An object that is no pytree is traced: the `self` of a method, in each call.

    `subject` is its text, `owner` the name of its
    class, `function` and `transform` what gets it; `words` say what to do;
    `instead` is how it becomes static, if that is certain; `method` is the one that no call is seen of.
    """

    op: Op
    subject: str
    owner: str
    function: str
    transform: str
    words: str
    instead: str
    context: Context
    rewrite: Rewrite | None = None
    method: Function | None = None


def need_trees(frame: Frame, wrapped: Wrapped, arguments: Arguments, mode: CallMode) -> None:
    """Report a method whose own object is traced, and of a plain class."""
    applied = wrapped.applied
    if applied.transform.name not in TRACING or applied.static_numbers >= EVERYTHING or frame.context.is_prepared:
        return
    found = underlying(wrapped.callee)
    if found is None or found.owner is None or arguments.written(0) is not None:
        return
    for place, _, value in traced_arguments(wrapped, arguments):
        instance = value.payload
        if place != 0 or value.kind is not INSTANCE or not isinstance(instance, InstanceOf) or value.dependences:
            continue
        if is_plain_class(instance.owner):
            _report_self(frame, wrapped, found, instance.owner, mode)


def note_decorated(frame: Frame, owner: ClassValue, name: str) -> None:
    """Record that something is called with a class: what is not known to leave it alone may register it."""
    if name not in PLAIN_DECORATORS:
        owner.is_handed = True
        frame.program.record.refuted.add(registration_of(owner))


def note_handed(frame: Frame, arguments: Arguments) -> None:
    """Record that classes are passed to a function, which may register them."""
    for value in arguments.values():
        if value.kind is CLASS and isinstance(value.payload, ClassValue):
            value.payload.is_handed = True
            frame.program.record.refuted.add(registration_of(value.payload))


def registration_of(owner: ClassValue) -> ClassField:
    """The ground that a class is no pytree, which its registration refutes."""
    return (owner.function, REGISTRATION)


def traced_arguments(wrapped: Wrapped, arguments: Arguments) -> Iterator[tuple[int, str, Value]]:
    """The arguments that a transform traces: each with its place (-1 for a keyword), and the parameter.

    Of a function whose parameters are not known, a number may be any keyword, and a name any place.
    """
    applied, names = wrapped.applied, visible_names(wrapped.callee)
    if not names and (applied.static_numbers or applied.static_names):
        return
    is_gradient = applied.transform.stage == "differentiated"
    for place, value in enumerate(arguments.positional):
        name = names[place] if place < len(names) else ""
        is_static = applied.may_be_static(name, place)
        is_left_alone = place in applied.unmapped or (is_gradient and place not in applied.differentiated)
        if not is_static and not is_left_alone:
            yield place, name, value
    for name, value in arguments.keywords.items():
        if not applied.may_be_static(name) and not is_gradient:
            yield -1, name, value


def _report_self(frame: Frame, wrapped: Wrapped, found: FunctionValue, owner: ClassValue, mode: CallMode) -> None:
    """Report a method that traces its own object, where the transform is applied to it."""
    first, at = found.function.parameters[0].name, wrapped.applied.op
    if at is None or (mode == "root" and not (first == "self" and is_as_written(found) and _is_made(owner))):
        return
    make = partial(_event, at, first, owner, found, wrapped, found.function if mode == "root" else None)
    emit(frame, (ObjectTraced, at, ()), make, ground=registration_of(owner))


def is_as_written(found: FunctionValue) -> bool:
    """Is the class of a method bound to its name as it was written, whose objects it makes itself?"""
    around = found.frame.parent if found.frame.function.kind == "class" else None
    owner = found.owner
    if around is None or owner is None or around.state is None:
        return False
    bound = around.state.names.get(owner.name)
    return bound is not None and bound.payload is owner


def is_plain_class(owner: ClassValue) -> bool:
    """Is a class certainly no pytree, as far as its own file tells?"""
    for current in ancestry(owner):
        if current.is_handed or current.is_tree or current.is_tuple or MAKING_TREES & current.attributes.keys():
            return False
        if not all(isinstance(base.payload, ClassValue) or base.name in PLAIN_BASES for base in current.bases):
            return False
        if re.search(rf"\bregist\w*\([^()]*\b{current.name}\b", current.function.anchor.origin.code.text):
            return False
    return True


def _is_made(owner: ClassValue) -> bool:
    """Are objects of exactly this class made, and not of classes below it: has it a constructor, and no such class?"""
    has_constructor = any(
        CONSTRUCTORS & ancestor.attributes.keys() or ancestor.hashing is not None for ancestor in ancestry(owner)
    )
    derived = re.search(rf"class \w+\([^)]*\b{owner.name}\b", owner.function.anchor.origin.code.text)
    return has_constructor and derived is None


def _event(
    at: Op, subject: str, owner: ClassValue, found: FunctionValue, wrapped: Wrapped, method: Function | None
) -> ObjectTraced:
    has_hash = hashing_of(owner) in ("identity", "fields") and not _changes(found, subject, owner)
    transform = wrapped.applied.transform
    instead, rewrite = _with_static_self(at) if has_hash and transform.name == "jax.jit" else ("", None)
    text, function, words = wrapped.applied.text, found.function.name, as_tree(owner)
    if transform.axes and transform.name != "jax.pmap":
        words = f"give `{subject}` the axis `None` in `{transform.axes}`, or {words}"
    elif transform.stage == "differentiated":
        words = f"differentiate by another argument, which `argnums` names, or {words}"
    elif has_hash:
        words += f", or `{subject}` static if its fields stay what they are"
    return ObjectTraced(at, subject, owner.name, function, text, words, instead, Context(None, ()), rewrite, method)


def as_tree(owner: ClassValue) -> str:
    """What makes a class a pytree, in words: of a dataclass the fields are known."""
    family = ancestry(owner)
    has_fields = any(one.hashing is not None for one in family)
    has_fields = has_fields and all("__init__" not in one.attributes for one in family)
    registering = "register_dataclass" if has_fields else "register_pytree_node_class"
    return f"declare `{owner.name}` as a pytree, by `jax.tree_util.{registering}`"


def _changes(found: FunctionValue, subject: str, owner: ClassValue) -> bool:
    """Is a field that a method reads stored later on?  If the object is static, the first trace keeps its value."""
    chains = chains_of(found.function)
    around = (chains.parents.get(read) for read in chains.names.get(subject, ()))
    fields = {one.name for one in around if type(one) is ops.Attr}
    elsewhere = (name for one in ancestry(owner) for name in stored_elsewhere(one))
    return not fields.isdisjoint(elsewhere) or not fields.isdisjoint(found.frame.namespace.file.changing)


@advising(ADVICE, ("", None))
def _with_static_self(at: Op) -> tuple[str, Rewrite | None]:
    """What makes the object of a decorated method a static argument, and the changes that write it."""
    if type(at) is not ops.Call or len(at.args) != 1 or at.keywords or type(at.args[0]) is not ops.Closure:
        return "", None
    decorator = at.func
    if type(decorator) is not ops.Call:
        partially = library_name(scope_of(decorator), "functools.partial")
        pieces: tuple[Piece, ...] = (partially, "(", Quoted(decorator), ", static_argnums=0)")
        return f"use `@{spelt(*pieces)}`", unsafe(Rewrite((ChangedOp(decorator, pieces),)))
    for option, first in (("static_argnums", "0"), ("static_argnames", '"self"')):
        told = next((value for name, value in decorator.keywords if name == option), None)
        parts = told.parts if type(told) is ops.Build else (told,) if type(told) is ops.Const else ()
        if told is not None and parts:
            pieces = (f"({first}", *(piece for part in parts for piece in (", ", Quoted(part))), ")")
            return f"use `{option}={spelt(*pieces)}`", unsafe(Rewrite((ChangedOp(told, pieces),)))
    return "", None
