"""Instances of the project's classes: construction, fields, methods."""

from __future__ import annotations

from collections.abc import Iterable

from flake8_jax.analysis.callables import Arguments, ClassValue, Decorated, InstanceOf, Partial, class_behind
from flake8_jax.analysis.evaluate.iteration import MAXIMUM_PATH
from flake8_jax.analysis.evaluator import call
from flake8_jax.analysis.frame import Frame, lost
from flake8_jax.analysis.objects.classes import (
    annotated_field,
    declared_in,
    declares_array,
    field,
    is_leaf,
    is_settled,
    library_bases,
    lookup,
    note_field,
)
from flake8_jax.api.rows import ApiFunction
from flake8_jax.domain.payload import PROMISED, Doubt, MethodOf, Step, bare
from flake8_jax.domain.staging import NONE, Dependences, Input, unite
from flake8_jax.domain.value import (
    ARRAY,
    CLASS,
    FUNCTION,
    INPUT,
    INSTANCE,
    KEY,
    METHOD,
    OBJECT,
    PARTIAL,
    REF,
    Value,
)
from flake8_jax.ir.ops import Op

COPYING = frozenset(("replace", "_replace"))
CALLED = frozenset((FUNCTION, PARTIAL, CLASS, INSTANCE))
DECLARED = frozenset((ARRAY, KEY, REF))


def attribute_of(frame: Frame, base: Value, name: str, step: Step, op: Op) -> Value:
    """The value of `base.name` of an instance: a method, a constructor argument, or a declared field."""
    instance = base.payload
    assert isinstance(instance, InstanceOf)
    owner = instance.owner
    found = lookup(owner, name)
    if found is None and (name in COPYING or row_of(frame, library_bases(owner), name) is not None):
        return Value(METHOD, payload=MethodOf(base, name), made_by=op)
    note_lookup(frame, base, name, found)
    if found is not None and found.kind in (FUNCTION, PARTIAL, OBJECT, CLASS):
        return bind(frame, base, found, op)
    known = _made_with(frame, instance, name)
    if known is not None:
        return known
    source = passed_input(base)
    part = source.part(step) if source is not None and source.depth < MAXIMUM_PATH else None
    declared = annotated_field(frame, owner, name)
    if declared is not None:
        return _declared(base, _of_field(owner, name, declared), source, part, op)
    if part is not None and declares_array(owner, name):
        part.is_declared = True
        frame.summary.uses.arrays[part] = None
        return Value(INPUT, frozenset((part,)), part, op)
    kept = field(frame, owner, name)
    if kept is not None:
        if kept.kind is INSTANCE and part is not None:
            return Value(INSTANCE, frozenset((part,)), kept.payload, kept.made_by)
        return kept
    if part is not None:
        part.is_declared |= is_leaf(owner, name)
        return Value(INPUT, frozenset((part,)), part, op)
    return lost(frame, "field of an object", op)


def row_of(frame: Frame, classes: Iterable[str], name: str) -> ApiFunction | None:
    """The row of a method inherited from a class of a library, if its result is known.

    Flax's `init` is none of these: it folds a name into its key for each parameter, so that the key is not used up.
    """
    rows = (frame.program.table.function(f"{one}.{name}") for one in classes)
    return next((row for row in rows if row is not None and row.returns != "unknown"), None)


def _made_with(frame: Frame, instance: InstanceOf, name: str) -> Value | None:
    """The value of a field that only the constructor stores."""
    owner = instance.owner
    known = instance.parts.get(name) if instance.parts else None
    if known is None or not (owner.is_frozen or (known.kind in CALLED and is_settled(frame, owner, name))):
        return None
    return known


def _of_field(owner: ClassValue, name: str, declared: Value) -> Value:
    if declared.payload is not PROMISED:
        return declared
    return Value(declared.kind, declared.dependences, Doubt(PROMISED.reason, declared_in(owner, name)))


def _declared(base: Value, declared: Value, source: Input | None, part: Input | None, op: Op) -> Value:
    held = unite(base.dependences, declared.dependences)
    if source is not None and part is not None:
        part.is_declared |= declared.kind in DECLARED
        held = (held - {source}) | {part}
    return Value(declared.kind, held, bare(declared.payload), op)


def note_lookup(frame: Frame, base: Value, name: str, found: Value | None) -> None:
    """Record in the summary that a name is looked up on the class of an input.

    A subclass may bind it to something else.
    """
    if base.dependences:
        source = passed_input(base)
        if source is not None:
            frame.summary.uses.lookups.setdefault((source, name), found)


def passed_input(base: Value) -> Input | None:
    """The input that an object is, or is a part of."""
    inputs = [d for d in base.dependences if type(d) is Input]
    return inputs[0] if len(inputs) == 1 else None


def bind(frame: Frame, receiver: Value, found: Value, op: Op) -> Value:
    """An attribute of a class, looked up on an instance: functions become methods."""
    decorated = found.payload
    if isinstance(decorated, Decorated):
        if decorated.decorator == "staticmethod":
            return decorated.callee
        if decorated.decorator == "classmethod":
            owner = Value(CLASS, payload=class_behind(receiver.payload))
            return Value(PARTIAL, payload=Partial(decorated.callee, Arguments((owner,))))
        if decorated.decorator == "cached property":  # it may have been found out before, outside of any trace
            return call(frame, op, decorated.callee, Arguments((receiver,)), NONE, "host")
        return call(frame, op, decorated.callee, Arguments((receiver,)))
    if found.kind is CLASS or found.kind is PARTIAL:
        return found
    return Value(PARTIAL, payload=Partial(found, Arguments((receiver,))), made_by=op)


def unbound(found: Value, owner: Value) -> Value:
    """An attribute of a class, looked up on the class itself."""
    decorated = found.payload
    if not isinstance(decorated, Decorated):
        return found
    if decorated.decorator == "classmethod":
        return Value(PARTIAL, payload=Partial(decorated.callee, Arguments((owner,))))
    return decorated.callee


def replaced(frame: Frame, base: Value, changed: dict[str, Value], op: Op) -> Value:
    """A copy of an object with some fields changed; the others keep their identities."""
    instance = base.payload
    assert isinstance(instance, InstanceOf)
    held = InstanceOf(instance.owner, {**(instance.parts or {}), **changed})
    made = Value(base.kind, base.dependences, held, op)
    state = frame.live()
    version = state.version(base)
    for (owner, step), value in frame.program.record.projections.items():
        if (owner is version or owner is base) and step[0] == ".":
            state.set_part(made, step, value)
    for owner in (version, base):
        for place in state.steps_of(owner):
            if isinstance(place, tuple) and place[0] == ".":
                state.set_part(made, place, state.heap[(owner, place)])
    for name, value in changed.items():
        state.set_part(made, (".", name), value)
    return made


def constructed(frame: Frame, op: Op, owner: ClassValue, arguments: Arguments, ambient: Dependences) -> Value:
    """A new instance, made by the class's own constructor, or of its declared fields in order."""
    parts: dict[str, Value] = {}
    made = Value(INSTANCE, NONE, InstanceOf(owner, parts), op)
    constructor = lookup(owner, "__init__")
    state = frame.live()
    if constructor is not None:
        call(frame, op, bind(frame, made, constructor, op), arguments, ambient)
        state = frame.state or state
        for step in state.steps_of(made):
            if isinstance(step, tuple) and step[0] == ".":
                parts[step[1]] = state.heap[(made, step)]
        return made
    names = list(owner.annotations)
    for name, value in [*zip(names, arguments.positional, strict=False), *arguments.keywords.items()]:
        parts[name] = value
        state.set_part(made, (".", name), value)
        note_field(frame, owner, name, value)
        if owner.is_tuple and name in names:
            state.set_part(made, ("[]", names.index(name)), value)
    return made
