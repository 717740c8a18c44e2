"""Reads of what stands outside of a function and may change: a trace keeps the value that it finds.

def scale(x): return x * FACTOR     FACTOR is bound in several places: whoever traces `scale` freezes it
jax.jit(scale)                      from here on the compiled code has the value of the first call

What is never bound again or changed is not recorded.  Whether it changes after the trace, `modules/staleness.py` finds
out once a file has been run.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias

from flake8_jax.analysis.callables import ClassValue, InstanceOf
from flake8_jax.analysis.checks.advice.values import SIZES
from flake8_jax.analysis.checks.concrete import SIZED, TRUTHS, NeedsConcrete
from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.analysis.evidence import CallSite, LatentEvidence, OutcomeAtCall
from flake8_jax.analysis.labels.tables import FOLD
from flake8_jax.analysis.objects.classes import ancestry, library_bases, stored_elsewhere
from flake8_jax.analysis.summaries.deferral import leave
from flake8_jax.api.class_decorators import PLAIN_BASES
from flake8_jax.api.library_states import OPTIMIZERS
from flake8_jax.domain.effects import Event, FindingByCalls, Room
from flake8_jax.domain.kinds import (
    API,
    ARRAYS_OR_COMPUTED,
    CLASS,
    CONTAINERS,
    DEFINITIONS_OR_REFERENCES,
    HOST_CONSTANTS,
    IMPORTED,
    NUMBER,
    OBJECT,
    STATIC,
    TUPLE,
    Kind,
)
from flake8_jax.domain.payload import ModuleAt
from flake8_jax.domain.provenance import ASSUMED, USUALLY, Context, Hop, Trace
from flake8_jax.domain.staging import Dependence, Input, Token, certain, in_order, staged
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.ops import Function, Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.scope import Binding
from flake8_jax.lazy_dataclasses import dataclass

if TYPE_CHECKING:
    from flake8_jax.analysis.frame import Frame

CACHED_LOOPS = frozenset(("scan", "while_loop", "fori_loop"))
"""The transforms that keep the trace of a body, by the identity of its function, also where nothing is jitted."""


ASKED = TRUTHS | SIZED | {"text", "bound", "index"}
"""What needs a value of the host that a static argument is."""

AsArgument: TypeAlias = Literal["whole", "static", "in parts", "perhaps", "by its state"]


@dataclass(frozen=True, slots=True)
class StaleRead:
    """Traced code goes on with an old value of what it read from outside.

    `subject` is the text of what is read, `holder` who writes it later ("`train`", "the module"), on `line` of `path`;
    `is_rebound`: it is bound to something else, and not changed in place; `instead` what to write.  It is likely
    where nobody is seen to call the methods between which it changes.  Where it `is_late`, the holder is a loop that
    makes what is traced, and keeps it until it has bound the variable for the last time.
    """

    op: Op
    subject: str
    holder: str
    path: str
    line: int
    is_rebound: bool
    instead: str
    context: Context
    is_late: bool = False


@dataclass(frozen=True, slots=True)
class FrozenRead(LatentEvidence):
    """A read of a variable from outside (`binding`), or of a field of an object (`owner`, `field`).

    `function` is the one in which it stands, `kind` that of the variable's value.  `target` is the input that the
    object is, while its caller is not known, `holder` its text there.  Whether what is read is an object that JAX
    takes for no argument, or a value that must be known while it is traced, `taken` says.
    """

    room: ClassVar[Room] = "read"
    paths: ClassVar[int] = 1
    function: Function
    binding: Binding | None
    kind: Kind
    owner: ClassValue | None = None
    field: str = ""
    target: Input | None = None
    holder: str = ""
    taken: AsArgument = "whole"

    @property
    def is_of_one(self) -> bool:
        """Is there one place where it is read, a variable or a field of a class, and not one for each object?"""
        return self.binding is not None or self.kind is CLASS

    @property
    def identity(self) -> Hashable:
        """Of what a function reads, one place is enough."""
        return self.binding or (self.owner, self.field), self.function

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Kept for a trace that JAX remembers, else inherited."""
        token = staged(site.ambient)
        target, holder, owner = self.target, self.holder, self.owner
        if target is not None:
            actual = site.resolve(target)
            if actual is not None:
                if certain(actual.dependences) is not None:  # it is an argument of what is traced
                    return
                sources = in_order(actual.dependences)
                target = sources[0] if sources else None
                holder = target.path if target is not None else _receiver(site.op)
                owner = actual.payload.owner if type(actual.payload) is InstanceOf else owner
        here = self.op, self.function, self.binding, self.kind, owner, self.field, target, holder
        if token is not None and _is_kept(token) and not (_is_bound_anew(site) and not token.trace.is_compiled):
            taken: AsArgument = "static" if self._is_asked_for(site) else self.taken
            kept = KeptRead(*here, taken, trace=token.trace, site=site.op, chain=site.chain)
            yield FindingByCalls((KeptRead, self.op, holder), kept)
        if token is None or not token.trace.is_compiled:
            yield FrozenRead(*here, self.taken)

    def _is_asked_for(self, site: CallSite) -> bool:
        """Does the function need the value of the field while it is traced: in a test, or for a shape?"""
        if self.target is None or self.taken == "in parts":
            return self.taken == "static"
        field, summary = self.target.part((".", self.field)), site.summary
        return field not in summary.uses.arrays and any(
            needed.form in ASKED
            and any(_is_of(one, field) for one in needed.dependences)
            and all(_is_of(one, self.target) for one in needed.dependences)
            for needed, _ in summary.requires.effects.of(NeedsConcrete)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptRead(FrozenRead):
    """A read of which a trace keeps the value; the call `site` traces the function."""

    trace: Trace
    site: Op
    chain: tuple[Hop, ...]

    @property
    def place(self) -> tuple[str, str, int]:
        """The traced function."""
        return self.trace.place

    @property
    def is_loop(self) -> bool:
        """Is the trace that of the body of a loop, which JAX finds by its function?"""
        return self.trace.transform.rpartition(".")[2] in CACHED_LOOPS

    def event(self, calls: int) -> Event | None:
        """Nothing: what is written later decides, and not the number of calls."""


def _is_of(source: Dependence, whole: Input) -> bool:
    """Is it an input, or a part of it?"""
    part = source if type(source) is Input else None
    while part is not None and part is not whole:
        part = part.parent
    return part is not None


def _is_kept(token: Token) -> bool:
    """Does JAX cache the trace by the function, so that a later call does not run the Python code again?"""
    trace = token.trace
    if token.certainty is ASSUMED or trace.role == USUALLY:
        return False
    return trace.is_compiled or trace.transform.rpartition(".")[2] in CACHED_LOOPS


def _is_bound_anew(site: CallSite) -> bool:
    """Does a loop of JAX get a method, which each evaluation of `self.body` binds anew, so that it is traced again?"""
    return site.function.owner is not None and site.function.receiver == "instance"


def _receiver(op: Op) -> str:
    """The text of the object whose method is called or wrapped, if it is written there."""
    func = op.func if type(op) is ops.Call else None
    if type(op) is ops.Call and op.args and type(func) is ops.Attr and func.name in ("jit", "filter_jit", "pmap"):
        given = op.args[0]
        if type(given) is ops.Attr or type(given) is ops.Name:  # a method of an object, or an object that is called
            return phrase(given.base if type(given) is ops.Attr else given)
    if type(func) is ops.Attr:
        return phrase(func.base)
    return phrase(func) if type(func) is ops.Name and func.name not in ("jit", "partial") else ""


def note_read(frame: Frame, op: ops.Name, found: Value) -> None:
    """Record that a function reads a variable around it that may change."""
    if found.kind not in DEFINITIONS_OR_REFERENCES and not _is_folded_into(frame, op):
        bound, file = op.scope.lookup(op.name), frame.namespace.file
        if bound.owner is not None and bound.owner.kind == "module":
            bound = frame.program.linked.imported_variable(file.value(op.name)) or bound
        leave(frame, FrozenRead(op, frame.function, bound, found.kind, taken=_taken(frame, op, found)))


def note_member(frame: Frame, op: ops.Attr, module: Value) -> None:
    """Record that a function reads a variable of another module that may change."""
    place = module.payload
    if type(place) is not ModuleAt or _is_folded_into(frame, op):
        return
    found = frame.program.linked.variable(place.path, op.name, frame.namespace.file.changing)
    if found is not None and found[1].kind not in DEFINITIONS_OR_REFERENCES:
        bound, value = found
        leave(frame, FrozenRead(op, frame.function, bound, value.kind, taken=_taken(frame, op, value)))


def note_field(frame: Frame, op: ops.Attr, base: Value, found: Value) -> None:
    """Record that a function reads a field of an object, or of a class, that is stored by more than its constructor."""
    held = base.payload
    owner = held.owner if type(held) is InstanceOf else held if type(held) is ClassValue else None
    if owner is None or not _may_change(frame, owner, op):
        return
    sources = in_order(base.dependences)
    if certain(base.dependences) is not None or len(sources) > 1 or _is_folded_into(frame, op):
        return
    target = sources[0] if sources else None
    holder = target.path if target is not None else phrase(op.base)
    taken = _taken(frame, op, found)
    leave(frame, FrozenRead(op, frame.function, None, base.kind, owner, op.name, target, holder, taken))


def _taken(frame: Frame, op: Op, value: Value) -> AsArgument:
    """How JAX takes a value as an argument: an object of a plain class in parts, a flag or a text as a static one, what
    an optimizer is made with by its state, perhaps one that has own methods, or holds a pair.
    """
    if value.name in OPTIMIZERS:
        return "by its state"
    if type(value.payload) is InstanceOf:
        return "in parts" if is_plain(value.payload.owner) else "whole"
    parents = chains_of(frame.function).parents
    part, around = op, parents.get(op)
    if value.kind is STATIC or (value.kind is TUPLE and value.parts and _are_constants(value.parts)):
        return "static"
    if value.kind in ARRAYS_OR_COMPUTED:
        return "whole"
    if value.kind not in CONTAINERS and asks_for(frame.function, op):
        return "static"
    if value.kind is NUMBER or value.kind in HOST_CONSTANTS:
        return "whole"
    while type(around) is ops.Item and around.base is part:
        part, around = around, parents.get(around)
    if type(around) is ops.Store and part is not op and any(type(target) is ops.Unpack for target in around.targets):
        return "perhaps"
    if type(around) is not ops.Attr or frame.program.table.is_member(around.name):
        return "whole"
    call = parents.get(around)
    return "perhaps" if type(call) is ops.Call and call.func is around else "whole"


def _are_constants(parts: Iterable[Value]) -> bool:
    return all(part.kind in HOST_CONSTANTS for part in parts)


def asks_for(function: Function, op: Op) -> bool:
    """Does what stands around a number need to know it: a test, or what gives as many elements or turns?"""
    match chains_of(function).parents.get(op):
        case ops.Branch(test=test) | ops.Choose(test=test):
            return test is op
        case ops.Call(func=func):
            return phrase(func).rpartition(".")[2] in SIZES
    return False


def _is_folded_into(frame: Frame, op: Op) -> bool:
    """Is it a key into which a number is folded?  Its draws are other ones for each number."""
    call = chains_of(frame.function).parents.get(op)
    is_fold = type(call) is ops.Call and imported_name(call.func) == FOLD and len(call.args) == 2
    return is_fold and type(call) is ops.Call and call.args[0] is op and type(call.args[1]) is not ops.Const


def _may_change(frame: Frame, owner: ClassValue, op: ops.Attr) -> bool:
    """May a field change: in this file, by methods of the class, or in another file that imports the object, too?"""
    name, file = op.name, frame.namespace.file
    if not (
        name in file.changing
        or any(name in stored_elsewhere(ancestor) for ancestor in ancestry(owner))
        or _is_imported(frame, op.base)
    ):
        return False
    bound = [ancestor.attributes[name] for ancestor in ancestry(owner) if name in ancestor.attributes]
    return is_plain(owner) and all(value.kind in HOST_CONSTANTS for value in bound)


def _is_imported(frame: Frame, base: Op) -> bool:
    """Is it a name that an import of the file binds, to something of another file of the project, or a part of that?"""
    while type(base) is ops.Attr:
        base = base.base
    owner = base.scope.lookup(base.name).owner if type(base) is ops.Name else None
    if type(base) is not ops.Name or owner is None or owner.kind != "module":
        return False
    value = frame.namespace.file.value(base.name)
    return value is not None and value.kind is IMPORTED


def is_plain(owner: ClassValue) -> bool:
    """May fields of its objects be stored, and are these neither pytrees nor modules of a library?"""
    family = ancestry(owner)
    if any(ancestor.is_tree or ancestor.is_frozen or ancestor.is_tuple for ancestor in family):
        return False
    return all(base in PLAIN_BASES for base in library_bases(owner)) and all(
        base.kind in (CLASS, API, OBJECT) for ancestor in family for base in ancestor.bases
    )
