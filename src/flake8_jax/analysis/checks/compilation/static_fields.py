"""Arrays in fields of a pytree that are declared static: the objects are told apart by comparing them.

class Observation(eqx.Module):
    values: jax.Array = eqx.field(static=True)      the second object that compiled code gets is compared with the first

Lists and functions there are compared without harm, and so are arrays of one element.  An object that is made once is
the same for every call, and nobody compares one of which nothing but its methods is read.
"""

from __future__ import annotations

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
from flake8_jax.analysis.summaries.deferral import send
from flake8_jax.api.class_decorators import WARNING_OF_ARRAYS
from flake8_jax.domain.effects import FindingByCalls
from flake8_jax.domain.kinds import API, ARRAY, CERTAIN_ARRAYS
from flake8_jax.domain.provenance import Context
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import Chains, chains_of, searched_once
from flake8_jax.ir.ops import Op
from flake8_jax.ir.walking import only_target
from flake8_jax.lazy_dataclasses import dataclass

SEVERAL = 2
UNFLATTENING = "tree_unflatten"
INSTEAD = (
    "make it a field that is traced; if it is not to be trained, read it through `jax.lax.stop_gradient`, and leave it "
    "out of what the optimizer gets"
)
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
            owner.is_counted = True
            _report(frame, field, owner, name, given)


def check_fields(frame: Frame, owner: ClassValue, made: Value, op: Op) -> None:
    """Report the arrays that an object was made with in static fields of its class, and count the objects."""
    with_static = [each for each in ancestry(owner) if each.metadata]
    if not with_static or frame.context.is_prepared or frame.function.name == UNFLATTENING:
        return
    if _is_only_asked(frame, op) or _is_part(frame, op):
        return
    record = frame.program.record
    for each in with_static:
        if (each, op) not in record.sites:
            record.sites.add((each, op))
            record.calls[_place_of(each)] += SEVERAL if frame.iterations else 1
    parts = made.payload.parts if isinstance(made.payload, InstanceOf) else None
    for name, value in (parts or {}).items():
        if value.kind in CERTAIN_ARRAYS and value.shape and is_metadata(owner, name) and _is_compared(owner, name):
            given = "an array" if value.kind is ARRAY else "a NumPy array"
            _report(frame, _declaration(owner, name) or op, owner, name, given)


def _is_part(frame: Frame, made: Op) -> bool:
    """Is an object made for a field of another one?  With how many it is compared, these decide."""
    around = chains_of(frame.function).way_to(made)
    store = next((one for one in reversed(around) if type(one) is ops.Store), None)
    return store is not None and any(type(target) is ops.Attr for target in store.targets)


def _is_only_asked(frame: Frame, made: Op) -> bool:
    """Is an object bound to a name of which nothing but attributes and methods is read, so that nobody flattens it?"""
    chains = chains_of(frame.function)
    store = chains.parents.get(made)
    target = only_target(store)
    is_local = type(target) is ops.Name and frame.function.kind == "def"
    return is_local and type(target) is ops.Name and target.name not in _handed_on(frame.function)


@searched_once
def _handed_on(function: ops.Function) -> frozenset[str]:
    """The names that a function or one inside reads for more than an attribute."""
    found, waiting = set[str](), [function]
    while waiting:
        one = waiting.pop()
        chains = chains_of(one)
        waiting += one.functions
        found.update(
            name for name, reads in chains.names.items() if any(not _is_base(chains, read) for read in reads)
        )
    return frozenset(found)


def _is_base(chains: Chains, name: Op) -> bool:
    """Is a name that of which an attribute is taken, or one that a statement binds?"""
    around = chains.parents.get(name)
    if type(around) is ops.Store:
        return name in around.targets
    return type(around) is ops.Attr


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


def _place_of(owner: ClassValue) -> tuple[str, str, int]:
    """What tells a class from others."""
    anchor = owner.function.anchor
    return anchor.origin.path, owner.name, anchor.line


def _report(frame: Frame, op: Op, owner: ClassValue, name: str, given: str) -> None:
    send(frame, FindingByCalls((StaticUnhashable, op, ()), StaticArray(op, owner.name, name, given, _place_of(owner))))


@dataclass(frozen=True, slots=True)
class StaticArray:
    """An array in a static field of a class: a hazard where a second object is compared with the first."""

    op: Op
    owner: str
    name: str
    given: str
    place: tuple[str, str, int]

    def event(self, calls: int) -> StaticUnhashable | None:
        """The event, if more than one object is made."""
        if calls < SEVERAL:
            return None
        return StaticUnhashable(
            self.op, "field", self.name, self.given, None, self.name, self.owner, "", INSTEAD, Context(None, ())
        )
