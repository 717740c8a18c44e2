"""Writes into what outlives a call: noted where they stand, judged where the trace is known (`escapes.py`).

LOG = []                        a variable of the module, or of a function around
def f(self, x, seen=[]):
    LOG.append(x)               noted: by a method of a container
    self.last = x               noted: into an input
    seen.append(x)              noted: it may be a container
    kept = []; kept.append(x)   what is made here is nobody else's
"""

from __future__ import annotations

import builtins

from flake8_jax.analysis.callables import Arguments, ClassValue, FunctionValue, InstanceOf
from flake8_jax.analysis.checks.effects.written import ChangeForm, Manner, OuterWrite, WriteTarget
from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.analysis.evidence import CallSite
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.classes import CONSTRUCTORS, fields_of, library_bases, settled_fields
from flake8_jax.analysis.objects.instances import passed_input
from flake8_jax.analysis.summaries.deferral import leave
from flake8_jax.domain.constants import OPEN
from flake8_jax.domain.kinds import (
    API,
    CLASS,
    CONTAINERS,
    INSTANCE,
    MODULE,
    NUMPY,
    PARTLY_KNOWN,
    RANDOM_KEYS,
    SHARED_NAMESPACES,
    STORED_FROM_INSIDE,
)
from flake8_jax.domain.payload import reason
from flake8_jax.domain.staging import NONE, Dependences, Input, certain, unite
from flake8_jax.domain.value import Value, dependences_of
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.scope import Scope
from flake8_jax.ir.walking import dotted_root, within
from flake8_jax.syntax.changing import OF_CONTAINERS

GROWING = frozenset(("append", "appendleft", "extend", "extendleft", "insert"))
"""The methods that only containers have, where their result is thrown away."""

CHANGING = frozenset(OF_CONTAINERS)

NOTING = frozenset(("add", "append", "extend"))

CONTAINER_TYPES = frozenset((
    "dict", "list", "set", "collections.Counter", "collections.OrderedDict", "collections.defaultdict",
    "collections.deque",
))  # fmt: skip
OWN = CONSTRUCTORS | {"__enter__", "__exit__", "__new__", "__setattr__", "__setstate__", "setup"}
"""The methods that store into their own new object, or that put back what they change."""

OF_TRANSFORM = reason("result of a transform")


def note_name(frame: Frame, target: ops.Name, value: Value, statement: Op) -> None:
    """Note the binding of a name by `global` or `nonlocal`."""
    scope = frame.function.scope
    owner = scope.lookup(target.name).owner
    if owner is None or owner is scope or not (target.name in scope.globals or target.name in scope.nonlocals):
        return
    change = _change(target, value, statement) or ("rebound" if owner.kind == "module" else "")
    _note(frame, target, statement, owner, "name", (value,), change)


def note_part(frame: Frame, target: ops.Attr | ops.Item, base: Value, value: Value, statement: Op) -> None:
    """Note a store into an attribute or item."""
    if frame.parent is None or (base.kind not in STORED_FROM_INSIDE and base.input is None):
        return
    home = home_of(frame, target.base, base)
    if home is None or _is_own(frame, home) or is_kept_by_framework(frame, base):
        return
    change = _change(target, value, statement) or ("rebound" if base.kind in SHARED_NAMESPACES else "")
    if change == "constant" and type(target) is ops.Attr and _holds_already(base, target.name, value):
        return
    if type(target) is ops.Item:
        _note(frame, target, statement, home, "item", (value,), change, _has_items(frame, target, base))
    else:
        _note(frame, target, statement, home, "attribute", (value,), change)


def _holds_already(base: Value, name: str, value: Value) -> bool:
    """Does a field of an object hold this constant from the start, and never another?"""
    held = base.payload
    return type(held) is InstanceOf and settled_fields(held.owner).get(name) == repr(value.constant)


def _has_items(frame: Frame, target: ops.Item, base: Value) -> bool:
    """Is what an item is stored into a container, and no reference to an array?"""
    is_known = base.kind in CONTAINERS or base.kind is API or base.kind is NUMPY
    is_named = type(target.index) is ops.Const and isinstance(target.index.value, str)
    return is_known or is_named or _is_container(frame, target.base, base)


def note_method(frame: Frame, op: ops.Call, func: ops.Attr, base: Value, arguments: Arguments) -> None:
    """Note the call of a method that changes its container."""
    if frame.parent is None or (base.kind not in STORED_FROM_INSIDE and base.input is None):
        return
    is_shown = base.kind in CONTAINERS or _is_container(frame, func.base, base)
    is_evident = is_shown or (func.name in GROWING and frame.discarded is op)
    if not is_evident and (base.input is None or base.input.parent is not None):
        return
    home = home_of(frame, func.base, base)
    if home is not None and not _is_own(frame, home):
        is_noted = func.name in NOTING and all(value.constant is OPEN for value in arguments.values())
        _note(frame, op, op, home, "method", arguments.values(), "noted" if is_noted else "changed", is_evident)


def note_setattr(frame: Frame, op: Op, arguments: Arguments) -> None:
    """Note `setattr(object, name, value)`."""
    place = arguments.written(0)
    if frame.parent is None or len(arguments.positional) != 3 or place is None:
        return
    base, _, value = arguments.positional
    home = home_of(frame, place, base)
    if home is not None and not _is_own(frame, home) and not is_kept_by_framework(frame, base):
        _note(frame, op, op, home, "attribute", (value,), "constant" if value.constant is not OPEN else "")


def note_stream(frame: Frame, op: Op, base: Value) -> None:
    """Note that an object of a framework advances a stream of its own."""
    source = dotted_root(op.func if type(op) is ops.Call else op)
    if frame.parent is None or certain(base.dependences) is not None:
        return
    home = home_of(frame, source, base)
    if home is None and type(source) is ops.Name and frame.state is not None:
        held = frame.state.names.get(source.name)
        home = home_of(frame, source, held) if held is not None else None
    if home is not None and not _is_own(frame, home):
        _note(frame, op, op, home, "stream", (), "changed")


def note_advancing(frame: Frame, op: Op, base: Value, name: str, arguments: Arguments) -> None:
    """Note that the call of a layer changes what it holds: its stream of keys, or its statistics."""
    options, made = frame.program.table.kept_by(name), base.made_by
    if options is None or type(op) is not ops.Call or type(made) is not ops.Call or arguments.is_open:
        return
    given = [(option, value) for option, value in made.keywords if option in options and option != "rngs"]
    is_kept = any(type(value) is not ops.Const or value.value for _, value in given)
    if not is_kept and arguments.keywords.keys().isdisjoint(options):
        note_stream(frame, op.func, base)


def _note(
    frame: Frame, op: Op, statement: Op, home: WriteTarget, manner: Manner, kept: tuple[Value, ...] | list[Value],
    change: ChangeForm, is_shown: bool = True,
) -> None:  # fmt: skip
    if frame.function.is_generator or frame.function.kind == "class":  # what it changes it may put back
        return
    dependences = NONE
    for value in kept:
        dependences = unite(dependences, held_by(frame, value))
    if dependences or change:
        leave(frame, OuterWrite(op, statement, frame.function, home, manner, dependences, change, is_shown))


def held_by(frame: Frame, value: Value) -> Dependences:
    """The dependences of a value, and of what a function made here captures."""
    found = dependences_of(value)
    if any(_is_new_key(frame, part) or part.payload == OF_TRANSFORM for part in (value, *value.parts)):
        found = unite(found, frame.ambient)  # what JAX makes in the trace
    for part in (value, *value.parts):
        found = unite(found, _captured_by(frame, part, value))
    return found


def _captured_by(frame: Frame, value: Value, holder: Value) -> Dependences:
    """The dependences of what a function captures that is made here, other than of what holds it."""
    made, found = value.payload, NONE
    if type(made) is FunctionValue and made.frame is frame and frame.state is not None:
        for op in made.function.body:
            for inner in within(op):
                captured = frame.state.names.get(inner.name) if type(inner) is ops.Name else None
                if captured is not None and captured is not holder:
                    found = unite(found, dependences_of(captured))
    return found


def _is_new_key(frame: Frame, value: Value) -> bool:
    """Is it a key that the function derives?"""
    made = value.made_by
    if value.kind not in RANDOM_KEYS or made is None or type(made) is ops.Attr or type(made) is ops.Name:
        return False
    around = frame.summary.outside
    is_outer = value in around.found or any(held is value for held in around.captured.values())
    return not is_outer and value not in frame.program.linked.globals


def _change(target: Op, value: Value, statement: Op) -> ChangeForm:
    if type(statement) is not ops.Store:
        return "changed" if type(statement) is ops.Delete else ""
    if statement.kind == "augment":
        return "changed"
    if type(statement.value) is ops.Operate:
        text = phrase(target, 200)
        if any(type(operand) is type(target) and phrase(operand, 200) == text for operand in statement.value.operands):
            return "changed"
    return "constant" if value.constant is not OPEN and value.constant is not None else ""


def home_of(frame: Frame, op: Op | None, value: Value) -> WriteTarget | None:
    """Where an object lives: an input, or the scope of a variable around; None if made here, or unknown."""
    source = passed_input(value) if value.kind is INSTANCE else value.input
    if source is not None:
        return source
    if _is_bound_nowhere(op):
        return None
    kind, outside, held = value.kind, frame.summary.outside, value.payload
    if kind is CLASS and isinstance(held, ClassValue):
        return _unless_own(frame, held.function.scope.parent)
    if kind is API or kind is MODULE or value in frame.program.linked.globals or value in outside.rebound:
        return frame.function.scope.module
    for name, captured in outside.captured.items():
        if captured is value:
            return _unless_own(frame, frame.function.scope.lookup(name).owner)
    is_part = op is not None and whole_of(op) is not None
    return _home_by_name(frame, op) if is_part or kind in PARTLY_KNOWN or kind is NUMPY else None


def _beginning(op: Op | None) -> Op | None:
    """What an access path begins with."""
    while op is not None and (whole := whole_of(op)) is not None:
        op = whole
    return op


def _is_bound_nowhere(op: Op | None) -> bool:
    """Is it a name that nothing in the file binds, nor what it imports, so that reading it raises?"""
    root = _beginning(op)
    if type(root) is not ops.Name or root.scope.lookup(root.name).owner is not None:
        return False
    return not root.scope.module.stars and not hasattr(builtins, root.name)


def scope_holding(site: CallSite, source: Input, value: Value) -> Scope | None:
    """The function around a caller that holds an object, which it passes for an input; None for its own."""
    found = home_of(site.frame, site.source_of(source), value)
    return found if isinstance(found, Scope) else None


def whole_of(op: Op) -> Op | None:
    """That of which an expression is a part: of `x.part`, `x[index]` and `x.setdefault(index, new)` it is `x`."""
    match op:
        case ops.Attr(base=base) | ops.Item(base=base) | ops.Call(func=ops.Attr(base=base, name="setdefault")):
            return base
    return None


def _home_by_name(frame: Frame, op: Op | None) -> WriteTarget | None:
    """The home of a part of something, by the name that its access path begins with."""
    root = _beginning(op)
    if type(root) is not ops.Name:
        return None
    owner = _unless_own(frame, root.scope.lookup(root.name).owner)
    if owner is not None or root is op:
        return owner
    held = frame.state.names.get(root.name) if frame.state is not None else None
    return home_of(frame, root, held) if held is not None else None


def _unless_own(frame: Frame, owner: Scope | None) -> Scope | None:
    return owner if owner is not None and owner.frame is not frame.function.scope else None


def _is_own(frame: Frame, home: WriteTarget) -> bool:
    """Is it the object that a constructor makes?"""
    if isinstance(home, Scope) or frame.owner is None or frame.function.name not in OWN:
        return False
    return bool(frame.function.parameters) and home.name == frame.function.parameters[0].name


def is_kept_by_framework(frame: Frame, base: Value) -> bool:
    """Does a framework keep an account of what is stored into an object, or may nothing be stored there?"""
    payload = base.payload
    if type(payload) is not InstanceOf:
        return False
    table = frame.program.table
    return payload.owner.is_frozen or any(table.traced_method(one, "__call__") for one in library_bases(payload.owner))


def _is_container(frame: Frame, op: Op, base: Value) -> bool:
    """Is it a container by what made it, by the constructor of its object, or as a parameter?"""
    made = base.made_by
    if type(made) is ops.Call and imported_name(made.func) in CONTAINER_TYPES:
        return True
    if type(op) is ops.Attr:
        owner = frame.state.names.get(op.base.name) if frame.state is not None and type(op.base) is ops.Name else None
        if owner is not None and type(owner.payload) is InstanceOf:
            return makes_container(frame, owner.payload, op.name)
    return is_declared_container(frame, op)


def makes_container(frame: Frame, held: InstanceOf, name: str) -> bool:
    """Does the constructor of an object put a container there?"""
    stored = fields_of(frame, held.owner).stored.get(name)
    if stored is None:
        return False
    made = stored.made_by
    return stored.kind in CONTAINERS or (type(made) is ops.Call and imported_name(made.func) in CONTAINER_TYPES)


def is_declared_container(frame: Frame, op: Op) -> bool:
    """Is it a parameter that is annotated as a list, a dict or another container?"""
    for parameter in frame.function.parameters if type(op) is ops.Name else ():
        if type(op) is ops.Name and parameter.name == op.name and parameter.annotation is not None:
            stated = parameter.annotation
            while type(stated) is ops.Item:
                stated = stated.base
            named = imported_name(stated)
            return named in CONTAINER_TYPES or named in ("typing.Dict", "typing.List", "typing.Set")
    return False
