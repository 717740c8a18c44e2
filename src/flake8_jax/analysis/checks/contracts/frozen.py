"""Stores into fields of objects that a library freezes.

class Maze(eqx.Module):
    state: dict                     a field is stored by the constructor, and by what that calls
maze.state = moved                  else never: a changed copy is made

class Net(nn.Module):               of Flax: where `init` or `apply` runs it; its own fields in `setup`, neither
    def __call__(self, x):
        self.hidden = x
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from difflib import get_close_matches
from functools import partial
from typing import ClassVar

from flake8_jax.analysis.callables import ClassValue, InstanceOf, Wrapped, layers
from flake8_jax.analysis.checks.contracts.broken import breaking, report
from flake8_jax.analysis.checks.instead import BASE, Advice, library_name, of_local_name
from flake8_jax.analysis.checks.naming import imported_name, is_local, scope_of
from flake8_jax.analysis.evidence import CallSite, Need, OutcomeAtCall, arguments_at
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.isolation import ADVICE, advising
from flake8_jax.analysis.objects.classes import ancestry, is_metadata, library_bases, lookup
from flake8_jax.analysis.record import Record
from flake8_jax.analysis.summaries.deferral import leave
from flake8_jax.api.class_decorators import PLAIN_BASES
from flake8_jax.api.contracts import Freezing
from flake8_jax.api.table import Table
from flake8_jax.domain.effects import Finding
from flake8_jax.domain.kinds import HARMLESS_AS_ARGUMENT, INPUT, OBJECT, OBJECTS, Kind
from flake8_jax.domain.provenance import Hop
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.ops import Function, Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.rewrite import ChangedOp, Piece, Quoted, Rewrite, spelt, unsafe
from flake8_jax.ir.walking import functions_in
from flake8_jax.lazy_dataclasses import dataclass, replace
from flake8_jax.syntax.positions import unpacked

UNBOUND = "keep it in a local name; what is computed anew is returned, and state is a `variable` of the module"
ARRAY_TYPE = "jax.Array"
ALMOST = 0.8
"""How alike a field is spelled that is meant."""


@dataclass(frozen=True, slots=True)
class NeedsStorable(Need):
    """The fields of an object must not be frozen where one is stored by a statement."""

    asks: ClassVar = "the fields of `{0.op.base}` must not be frozen", "a frozen object"
    op: ops.Attr
    statement: Op
    harmless: ClassVar[frozenset[Kind]] = HARMLESS_AS_ARGUMENT - OBJECTS

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Violated by an object that is made, and frozen."""
        for _, actual in arguments_at(site, self.dependences):
            freezing = frozen_now(site.frame, actual)
            if freezing is not None:
                yield _stored(self.op, self.statement, actual, freezing, site.chain)
                return
            if actual.input is not None:
                yield replace(self, dependences=frozenset((actual.input,)))


def check_stored(frame: Frame, base: Value, op: ops.Attr, statement: Op) -> None:
    """Report a field of a frozen object that is stored; of inputs the callers decide."""
    if base.kind is INPUT and base.input is not None and not frame.context.is_prepared:
        leave(frame, NeedsStorable(op, base.dependences, statement))
    freezing = frozen_by(frame.program.table, base)
    if freezing is None:
        return
    owner = base.payload.owner if isinstance(base.payload, InstanceOf) else None
    method = method_around(frame, base) if owner is not None else None
    if owner is None or method is None:
        if freezing.how != "bound":
            report(frame, _stored(op, statement, base, freezing))
        return
    is_storing = method.name in reached(frame, owner, freezing.storing)
    if freezing.how == "bound":
        if method.name == "setup" and _is_argument(owner, op.name):
            said = f"`{phrase(op)}` is assigned in `setup`, but it is a field of `{owner.name}`, which is frozen there"
            report(frame, breaking(op, said, "give it another name"))
        elif not is_storing and method.name in reached(frame, owner, _run_bound(owner, freezing)):
            report(frame, _stored(op, statement, base, freezing, where=f" in `{method.name}`"))
        return
    if not is_storing and not _may_construct(owner, method.name) and not _may_thaw(owner, method.name):
        report(frame, _stored(op, statement, base, freezing))
    elif is_storing and freezing.declares and not _is_declared(owner, op.name, freezing.by):
        why = f"`{owner.name}` declares no field `{op.name}`: `{freezing.by}` refuses it"
        words = _as_misspelt(owner, op) or f"declare it in the body of the class, {_as_declared(op.name, statement)}"
        report(frame, breaking(op, f"`{phrase(op)}` is assigned, but {why}", words))


def _as_misspelt(owner: ClassValue, op: ops.Attr) -> str:
    """What to do where a field is declared almost so, and none of the methods stores it; "" if none is."""
    declared = [name for one in ancestry(owner) for name in one.annotations if name not in one.attributes]
    name = next(iter(get_close_matches(op.name, declared, 1, ALMOST)), "")
    if not name:
        return ""
    methods = [method for one in ancestry(owner) for method in one.function.functions]
    receivers = [(method, method.parameters[0].name) for method in methods if method.parameters]
    if any(chains_of(method).stored_to(f"{receiver}.{name}") for method, receiver in receivers):
        return ""
    if any(name in read_of(*one) for one in receivers):
        return f"write `{phrase(op.base)}.{name}`, as it is declared and read"
    return f"declare `{op.name}` in place of `{name}`, which is declared and never assigned"


def _as_declared(name: str, statement: Op) -> str:
    """How a field is declared that a statement stores; by words, if that may be anything that a call makes."""
    value, kind = statement.value if type(statement) is ops.Store else None, _type_of(statement)
    if type(value) is ops.Call and kind == ARRAY_TYPE and not imported_name(value.func).startswith("jax."):
        return f"with the type of what `{phrase(value.func)}` gives"
    return f"as `{name}: {kind}`"


def _type_of(statement: Op) -> str:
    """The type of what a statement stores, as an annotation says it."""
    value = statement.value if type(statement) is ops.Store else None
    match value:
        case ops.Const(value=constant):
            return type(constant).__name__ if constant is not None else "object = None"
        case ops.Build(kind="list" | "tuple" | "set" as kind):
            return kind
        case ops.BuildDict():
            return "dict"
        case ops.Closure():
            return "Callable"
        case ops.Call(func=func) if phrase(func).rpartition(".")[2][:1].isupper():
            return phrase(func)
    return ARRAY_TYPE


def frozen_now(frame: Frame, value: Value) -> Freezing | None:
    """What freezes the fields of an object, whoever stores them: it is none that a method here is making."""
    freezing = frozen_by(frame.program.table, value)
    if freezing is None or freezing.how == "bound":
        return None
    method = method_around(frame, value) if isinstance(value.payload, InstanceOf) else None
    owner = value.payload.owner if isinstance(value.payload, InstanceOf) else None
    is_making = method is not None and owner is not None and method.name in reached(frame, owner, freezing.storing)
    return None if is_making else freezing


def frozen_by(table: Table, value: Value) -> Freezing | None:
    """What freezes the fields of an object, if that is known."""
    payload = value.payload
    if value.kind is OBJECT:
        return table.freezing_of_member(value.name)
    if value.kind is INPUT and value.input is not None:
        return table.freezing(value.input.annotation) if value.input.annotation else None
    if not isinstance(payload, InstanceOf) or lookup(payload.owner, "__setattr__") is not None:
        return None
    names = [
        *library_bases(payload.owner),
        *(ancestor.frozen_by for ancestor in ancestry(payload.owner) if ancestor.frozen_by),
    ]
    found = next((one for name in names if (one := table.freezing(name)) is not None), None)
    return found if found is None or payload.owner.is_tree or found.how == "bound" else None


def method_around(frame: Frame, base: Value) -> Function | None:
    """The method that code is in, if an object is its receiver."""
    around = frame.method
    if around is None or around.function.kind == "class" or not around.function.parameters:
        return None
    receiver = around.summary.inputs.get(around.function.parameters[0].name)
    is_receiver = receiver is not None and bool(base.dependences) and base.dependences == receiver.dependences
    return around.function if is_receiver else None


def reached(frame: Frame, owner: ClassValue, names: Collection[str]) -> frozenset[str]:
    """The given methods and all methods that these read of their receiver, transitively."""
    start = frozenset(names)
    known = owner.reached.get(start)
    if known is None:
        asked = Record()
        with frame.program.tracking(asked):
            known = owner.reached[start] = _reached(owner, start), asked
    found, asked = known
    frame.program.record.uses.add(asked)
    return found


def _reached(owner: ClassValue, start: frozenset[str]) -> frozenset[str]:
    waiting, found = [*start], set[str]()
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        for method in methods_called(owner, name):
            receiver = method.parameters[0].name if method.parameters else ""
            waiting += [one for one in read_of(method, receiver) if one not in found]
    return frozenset(found)


def _may_thaw(owner: ClassValue, method: str) -> bool:
    """May a decorator run the class's own constructor on a proxy that stores fields, before it freezes them?"""
    return method == "__init__" and any(ancestor.frozen_by for ancestor in ancestry(owner))


def _may_construct(owner: ClassValue, method: str) -> bool:
    """May the constructor of a class below this one call a method: in the file, or elsewhere where nobody here does?"""
    text = owner.function.anchor.origin.code.text
    is_called = re.search(rf"\.{method}\(", text) is not None
    is_base = re.search(rf"class \w+\([^)]*\b{owner.name}\b", text) is not None
    is_private = method.startswith("_") and not method.endswith("__")
    return is_called if is_base else is_private and not is_called


def methods_called(owner: ClassValue, name: str) -> Iterator[Function]:
    """The methods of a name in a class and its bases: `super` leads from one to the other."""
    for current in ancestry(owner):
        yield from (function for function in current.function.functions if function.name == name)


def read_of(function: Function, receiver: str) -> Iterator[str]:
    """The attributes that a function, and functions inside it, read of its receiver or of `super()`."""
    for chains in map(chains_of, (function, *functions_in(function))):
        for one in (*chains.names.get(receiver, ()), *chains.names.get("super", ())):
            around = chains.parents.get(one)
            if one.name == "super" and type(around) is ops.Call:
                around = chains.parents.get(around)
            if type(around) is ops.Attr:
                yield around.name


def _run_bound(owner: ClassValue, freezing: Freezing) -> set[str]:
    """The methods of a module that certainly run within `init` or `apply`."""
    methods = [method for ancestor in ancestry(owner) for method in ancestor.attributes.items()]
    return {name for name, bound in methods if name == "__call__" or is_under(bound, freezing.copying)}


def is_under(bound: Value, decorator: str) -> bool:
    """Is it a method under a decorator of a library?"""
    return any(isinstance(layer, Wrapped) and layer.applied.transform.name == decorator for layer in layers(bound))


def _is_argument(owner: ClassValue, name: str) -> bool:
    """Is a field one that the constructor takes, as far as its declaration shows?

    What a base declares that neither a library nor a decorator makes a dataclass is an annotation, and no field.
    """
    for current in filter(_declares_fields, ancestry(owner)):
        for op in current.function.body if name in current.annotations else ():
            if type(op) is ops.Store and type(op.targets[0]) is ops.Name and op.targets[0].name == name:
                return type(op.value) is not ops.Call
    return False


def _declares_fields(owner: ClassValue) -> bool:
    return owner.hashing is not None or any(name not in PLAIN_BASES for name in library_bases(owner))


def _is_declared(owner: ClassValue, name: str, library: str) -> bool:
    """May a class have a field of this name: it or a base declares it, or a base is not known?"""
    family = ancestry(owner)
    if any(name in ancestor.annotations or name in ancestor.attributes for ancestor in family):
        return True
    return any(
        not isinstance(base.payload, ClassValue) and base.name not in PLAIN_BASES | {library}
        for ancestor in family for base in ancestor.bases
    )  # fmt: skip


def _stored(
    op: ops.Attr, statement: Op, base: Value, freezing: Freezing, chain: tuple[Hop, ...] = (), where: str = ""
) -> Finding:
    payload = base.payload
    owner = payload.owner.name if isinstance(payload, InstanceOf) else base.name or freezing.by
    said = f"`{phrase(op)}` is assigned{where}, but objects of `{owner}` are frozen"
    if freezing.how == "bound":
        said = f"`{phrase(op)}` is assigned{where}, but `{freezing.by}` freezes `{owner}` outside of `setup`"
    elif isinstance(payload, InstanceOf):
        kind = f"{'an' if freezing.by[0] in 'aeiou' else 'a'} `{freezing.by}`"
        said = f"`{phrase(op)}` is assigned{where}, but `{owner}` is {kind}, whose objects are frozen"
    by = f"its `{freezing.copying}`" if freezing.how == "method" else f"`{freezing.copying}`"
    words = f"make a changed copy, by {by}, and hand it on" if freezing.how != "bound" else UNBOUND
    if freezing.how == "at" and isinstance(payload, InstanceOf) and is_metadata(payload.owner, op.name):
        return breaking(op, said, _of_static(payload.owner, op, freezing), None, chain)
    return breaking(op, said, words, partial(_changed_copy, op, statement, freezing, words), chain)


def _of_static(owner: ClassValue, op: ops.Attr, freezing: Freezing) -> str:
    """What to do about a static field, which is no leaf that could be exchanged in a copy."""
    why = f"`{freezing.copying}` does not change a static field"
    if lookup(owner, "__init__") is not None:
        return f"keep the new `{op.name}` in a local name, and hand that on: {why}"
    return f"make a changed copy, by `dataclasses.replace`, and hand it on: {why}"


def _is_returned(op: Op, name: str) -> bool:
    """Does the function around return what a name holds, and not fields of it alone?"""
    layout = op.anchor.origin.source.layout
    node = layout.at.get(unpacked(op.place)) if op.place and op.anchor.field is None else None
    inside = ast.walk(layout.frame(node)) if node is not None else ()
    returned = (one.value for one in inside if isinstance(one, ast.Return) and one.value is not None)
    reads = (part for value in returned for part in ast.walk(value) if isinstance(part, ast.Name) and part.id == name)
    return any(not isinstance(layout.parents.get(read), ast.Attribute) for read in reads)


@advising(ADVICE, Advice(""))
def _changed_copy(op: ops.Attr, statement: Op, freezing: Freezing, words: str) -> Advice:
    """The statement that binds a changed copy to the name of an object."""
    base, scope = op.base, scope_of(op)
    is_name = type(base) is ops.Name and scope is not None and is_local(scope, base.name) and base.name != "self"
    if type(statement) is not ops.Store or statement.targets != (op,) or statement.annotation is not None:
        return Advice(words)
    if not is_name or freezing.how == "bound" or type(base) is not ops.Name or scope is None or statement.value is None:
        return Advice(words)
    if scope.lookup(base.name).is_parameter and not _is_returned(op, base.name):
        return Advice(words)  # the caller would keep what it has handed in
    value: tuple[Piece, ...] = (Quoted(statement.value, BASE),)
    if statement.kind == "augment" and type(statement.value) is ops.Operate:
        given = statement.value.operands[1]
        if type(given) not in (ops.Name, ops.Const, ops.Call, ops.Attr, ops.Item):
            return Advice(words)
        value = (Quoted(op, BASE), f" {statement.value.operator} ", Quoted(given, BASE))
    name, head = base.name, library_name(scope, freezing.copying)
    if freezing.how == "at":
        letter = "m" if name != "m" else "tree"
        pieces: tuple[Piece, ...] = (head, f"(lambda {letter}: {letter}.{op.name}, {name}, ", *value, ")")
    elif freezing.how == "call":
        pieces = (head, f"({name}, {op.name}=", *value, ")")
    else:
        pieces = (f"{name}.{freezing.copying}({op.name}=", *value, ")")
    pieces = (f"{name} = ", *pieces)
    rewrite = of_local_name(base, scope, Rewrite((ChangedOp(statement, pieces, is_statement=True),)))
    return Advice(words) if rewrite is None else Advice(f"use `{spelt(*pieces)}`", unsafe(rewrite))
