"""Instances of the project's classes: construction, fields, methods."""

from __future__ import annotations

from collections.abc import Iterable

from flake8_jax.analysis.callables import (
    Arguments,
    ClassValue,
    Copied,
    Decorated,
    FunctionValue,
    InstanceOf,
    MethodRun,
    Partial,
    Wrapped,
    class_behind,
    underlying,
)
from flake8_jax.analysis.evaluator import call
from flake8_jax.analysis.frame import LIBRARY_METHOD, Frame, note_unknown
from flake8_jax.analysis.objects.classes import (
    ancestry,
    annotated_field,
    annotation_of,
    declared_fields,
    declared_in,
    declares_array,
    field,
    filled_in,
    holds_callables,
    is_child,
    is_default_of_field,
    is_leaf,
    is_metadata,
    is_settled,
    is_stored_over,
    library_bases,
    lookup,
    note_field,
    note_filled,
    placed_fields,
    states_host_default,
    stored_type,
)
from flake8_jax.analysis.objects.iteration import MAXIMUM_PATH
from flake8_jax.api.class_decorators import NO_DESCRIPTORS
from flake8_jax.api.rows import ApiFunction
from flake8_jax.api.table import Table
from flake8_jax.domain.constants import NOTHING, OPEN
from flake8_jax.domain.host_views import Buffer
from flake8_jax.domain.kinds import (
    API,
    ARRAY,
    BOUND_FUNCTIONS,
    CALLABLES,
    CLASS,
    COMPUTED,
    CONTAINERS,
    DEFAULTS_OF_HOST,
    FIELD_TYPES,
    FIELDS_TRACED_WITH_OBJECT,
    FUNCTION,
    HOST_CONSTANTS,
    INPUT,
    INSTANCE,
    KEY,
    KEYS,
    MAY_BE_ANYTHING,
    METHOD,
    NUMBER,
    NUMPY,
    OBJECT,
    OBJECTS,
    PARTIAL,
    REF,
    STATIC,
    TUPLE,
    UNKNOWN,
)
from flake8_jax.domain.payload import ONLY_ANNOTATED, ArrayDoubt, MethodOf, Named, Step, without_parts
from flake8_jax.domain.staging import NONE, Dependences, Input, Token, unite
from flake8_jax.domain.state import State
from flake8_jax.domain.value import Value, unknown
from flake8_jax.ir.chains import Chains, chains_told, searched_for
from flake8_jax.ir.ops import Attr, Build, BuildDict, Function, Leave, Op
from flake8_jax.lazy_dataclasses import replace

MAXIMUM_HELD = 1_000
"""How much of what a field holds is looked at for the object itself."""

STAND_IN = "unittest.mock.Mock"
"""What stands in for an object in a test, and runs nothing of its class."""

COPYING = frozenset(("replace", "_replace"))
DISPLAYED = (Build, BuildDict)


HELD_BY_CLASSES = CONTAINERS | {NUMPY}
"""What a class gives all its objects: of this kind in each, although what is in it may change."""

CONSTANTS_OF_CLASSES = frozenset((ARRAY, NUMBER, STATIC))
"""What never changes in a class that gives it to all its objects, unless these store another one."""


def attribute_of(frame: Frame, base: Value, name: str, step: Step, op: Op) -> Value:
    """The value of `base.name` of an instance: a method, a constructor argument, or a declared field."""
    instance = base.payload
    assert isinstance(instance, InstanceOf)
    owner = instance.owner
    found = lookup(owner, name)
    if found is None and (name in COPYING or is_inherited(frame, owner, name)):
        return method_of(frame, base, name, op)
    if found is None and any(frame.program.table.function(f"{one}.{name}") for one in library_bases(owner)):
        return note_unknown(frame, LIBRARY_METHOD, op)
    note_lookup(frame, base, name, found)
    is_default = is_default_of_field(owner, name)
    is_library_object = found is not None and found.kind is OBJECT and type(found.payload) is Named
    is_method = found is not None and found.kind in (FUNCTION, PARTIAL, OBJECT, CLASS) and not is_library_object
    if found is not None and is_method and not is_default and not is_stored_over(owner, name):
        return bind(frame, base, found, op)
    is_fixed = is_library_object or (found is not None and frame.program.is_module(found))
    if found is not None and is_fixed and is_of_class(frame, owner, name):
        return found
    known = _made_with(frame, base, instance, name)
    if known is not None:
        return known
    copied = instance.copied if frame.live().version(base) is base else None
    if copied is not None and name in copied.changed:
        return copied.changed[name]
    source = passed_input(base) if copied is None or copied.original is not None else None
    part = source.part(step) if source is not None and source.depth < MAXIMUM_PATH else None
    if part is None and found is not None and (
        is_default or (found.kind is API and is_of_class(frame, owner, name))
    ):  # fmt: skip
        return found
    if part is None and found is not None and found.kind in HELD_BY_CLASSES and is_of_class(frame, owner, name):
        return found if found.kind is TUPLE else Value(found.kind, found.dependences, made_by=found.made_by)
    if part is None and found is not None and _is_constant(frame, owner, name, found):
        return found
    declared = annotated_field(frame, owner, name) if part is None and found is not None else None
    if found is not None and declared is not None and declared.payload is ONLY_ANNOTATED and _is_of_host(found):
        return note_unknown(frame, "field whose default is no array, whatever its annotation says", op)
    return _of_object(frame, base, owner, name, part, op)


def _is_of_host(default: Value) -> bool:
    """Is the default of a field no array: a number or a display, in the class itself or in `field(default=...)`?"""
    if default.kind in DEFAULTS_OF_HOST:
        return default.payload != NOTHING
    return states_host_default(default.made_by)


def _of_object(frame: Frame, base: Value, owner: ClassValue, name: str, part: Input | None, op: Op) -> Value:
    """What an object has for a name that is no method: by its declaration, or by what its constructor stores."""
    declared = annotated_field(frame, owner, name)
    if part is not None and is_metadata(owner, name):
        part.is_metadata = True
    if declared is not None and declared.kind is INSTANCE and _is_stored_otherwise(frame, owner, name):
        declared = None
    if declared is not None and not (declared.kind in FIELD_TYPES and is_metadata(owner, name)):
        source = part.parent if part is not None else None
        return _declared(base, _of_field(owner, name, declared), source, part, op)
    if part is not None and declares_array(owner, name):
        part.is_declared = True
        frame.summary.uses.arrays[part] = None
        return Value(INPUT, part.alone, part, op)
    kept = field(frame, owner, name)
    if kept is not None and kept.kind is ARRAY and kept.made_by is None and is_metadata(owner, name):
        kept = None  # an annotation of the constructor's parameter says so, and metadata has to have a hash
    if kept is not None:
        if kept.kind is INSTANCE and part is not None:
            return Value(INSTANCE, part.alone, kept.payload, kept.made_by)
        if kept.kind is REF and part is not None:
            return Value(REF, part.alone, kept.payload, kept.made_by)
        if kept.kind is NUMPY and type(kept.payload) is Buffer:
            held = replace(kept.payload, held=part) if part is not None and _is_one(part) else None
            return Value(NUMPY, kept.dependences, held, kept.made_by, kept.shape, kept.dtype)
        if kept.kind is ARRAY and kept.made_by is None and part is not None:
            # an annotation of the constructor's parameter says so
            return Value(ARRAY, part.alone, ArrayDoubt(ONLY_ANNOTATED.reason, filled_in(owner, name)))
        return replace(kept, like=part) if kept.kind is ARRAY and part is not None else kept
    if part is not None:
        part.is_declared |= is_leaf(owner, name)
        part.is_child |= is_child(owner, name) or is_of_tree(frame, owner, name)
        part.is_tree |= is_of_tree(frame, owner, name)
        part.annotation = annotation_of(owner, name) or stored_type(frame, owner, name)
        return Value(INPUT, part.alone, part, op)
    return note_unknown(frame, "field of an object", op)


def _is_stored_otherwise(frame: Frame, owner: ClassValue, name: str) -> bool:
    """Does the constructor store an array where the annotation says an object of a class?"""
    kept = field(frame, owner, name)
    return kept is not None and kept.kind is ARRAY and kept.made_by is not None


def _is_one(part: Input) -> bool:
    """Is it the same part at each time, and none that an index chooses?"""
    return part.parent is None or (part.step is not None and part.step[0] == "." and _is_one(part.parent))


def is_of_class(frame: Frame, owner: ClassValue, name: str) -> bool:
    """Is an attribute that of the class in all its objects: neither stored nor a field of theirs?"""
    return is_settled(frame, owner, name) and all(name not in ancestor.annotations for ancestor in ancestry(owner))


def _is_constant(frame: Frame, owner: ClassValue, name: str, bound: Value) -> bool:
    """Is an array or number that a class binds what all its objects have, as none stores another one?"""
    is_fixed = bound.kind in CONSTANTS_OF_CLASSES and not is_stored_over(owner, name)
    return is_fixed and is_of_class(frame, owner, name)


def is_inherited(frame: Frame, owner: ClassValue, name: str) -> bool:
    """Is a method of a base class in a library known, by its result, key or end?"""
    uses_key = any(frame.program.table.using_keys(base, name) is not None for base in library_bases(owner))
    is_known = row_of(frame, library_bases(owner), name) is not None or is_ending(frame, owner, name)
    is_run = run_by(frame, owner, name) is not None
    return uses_key or is_known or is_run or passes_on(frame, owner, name) == "copy"


def run_by(frame: Frame, owner: ClassValue, name: str) -> tuple[str, ...] | None:
    """The parameters of an inherited method that runs another one, before those of that."""
    for base in library_bases(owner):
        found = frame.program.table.before_applying(f"{base}.{name}")
        if found is not None:
            return found
    return None


def before_run(frame: Frame, base: Value, name: str) -> tuple[str, ...] | None:
    """The parameters of a library's method that runs a function of the project, before those of that.

    "..." are those of what is wrapped, without its key.
    """
    payload = base.payload
    if isinstance(payload, InstanceOf):
        return run_by(frame, payload.owner, name)
    if not isinstance(payload, Wrapped):
        return None
    found = frame.program.table.before_applying(f"{payload.applied.transform.name}.{name}")
    if found != ("...",):
        return found
    found = before_run(frame, payload.callee, name)
    return None if found is None else tuple(one for one in found if not one.endswith("@"))


def method_of(frame: Frame, base: Value, name: str, op: Op) -> Value:
    """A method of a library's object; one that runs a function of the project is the run of it."""
    before = before_run(frame, base, name)
    if before is None:
        return Value(METHOD, payload=MethodOf(base, name), made_by=op)
    if isinstance(base.payload, Wrapped):
        return Value(FUNCTION, payload=MethodRun(base.payload.callee, before, None), made_by=op)
    return Value(FUNCTION, payload=MethodRun(method_to_run(frame, op, base, None), before, base), made_by=op)


def run_with(frame: Frame, op: Op, callee: Value, keywords: dict[str, Value]) -> Value:
    """A callable; the run of a module's method is one of the method that the keywords name."""
    run, given = callee.payload, keywords.get("method")
    if not isinstance(run, MethodRun) or run.module is None or given is None:
        return callee
    return Value(FUNCTION, payload=MethodRun(method_to_run(frame, op, run.module, given), run.before, run.module))


def method_to_run(frame: Frame, op: Op, module: Value, given: Value | None) -> Value:
    """The method of a module that is run, bound to it; `__call__` unless one is given."""
    owner = class_behind(module.payload)
    name = "__call__" if given is None or given.constant is None else given.constant
    if owner is not None and isinstance(name, str):
        found = lookup(owner, name)
        note_lookup(frame, module, name, found)
        return bind(frame, module, found, op) if found is not None else unknown("method that a module lacks", op)
    payload = given.payload if given is not None else None
    if isinstance(payload, Partial) and [argument.kind for argument in payload.arguments.positional[:1]] == [INSTANCE]:
        rest = payload.arguments.positional[1:]
        return Value(PARTIAL, payload=Partial(payload.callee, Arguments((module, *rest))), made_by=op)
    if given is not None and given.kind is FUNCTION:
        return Value(PARTIAL, payload=Partial(given, Arguments((module,))), made_by=op)
    return unknown("method of a module that is not known", op)


def is_of_tree(frame: Frame, owner: ClassValue, name: str) -> bool:
    """Is a field inherited from a record of a library, where it is a tree of arrays?"""
    bases = library_bases(owner)
    return bool(bases) and any(name in frame.program.table.trees(base) for base in bases)


def passes_on(frame: Frame, owner: ClassValue, name: str) -> str | None:
    """Does an inherited method make an object of the class of its keywords (`make`), or a `copy` changed by them?"""
    for base in library_bases(owner):
        if found := frame.program.table.forward(f"{base}.{name}"):
            return found
    return None


def is_ending(frame: Frame, owner: ClassValue, name: str) -> bool:
    """Does an inherited method never return?"""
    bases = library_bases(owner)
    return bool(bases) and any(frame.program.table.never_returns(f"{base}.{name}") for base in bases)


def row_of(frame: Frame, classes: Iterable[str], name: str) -> ApiFunction | None:
    """The row of a method inherited from a class of a library, if its result is known."""
    for class_ in classes:
        row = frame.program.table.method_of(class_, name)
        if row is not None and row.returns != "unknown":
            return row
    return None


def _made_with(frame: Frame, base: Value, instance: InstanceOf, name: str) -> Value | None:
    """The value of a field that only the constructor stores."""
    owner = instance.owner
    known = instance.parts.get(name) if instance.parts else None
    if known is None or owner.is_frozen:
        return known
    if known.constant is not OPEN:
        return known if frame.live().version(base) is base and is_settled(frame, owner, name) else None
    is_called = known.kind in CALLABLES or holds_callables(known)
    is_handed_in = bool(known.entries) and all(part.kind is INPUT for part in (known.entries or {}).values())
    return known if (is_called or is_handed_in) and is_settled(frame, owner, name) else None


def _of_field(owner: ClassValue, name: str, declared: Value) -> Value:
    if declared.payload is not ONLY_ANNOTATED:
        return declared
    return Value(declared.kind, declared.dependences, ArrayDoubt(ONLY_ANNOTATED.reason, declared_in(owner, name)))


def _declared(base: Value, declared: Value, source: Input | None, part: Input | None, op: Op) -> Value:
    held = unite(base.dependences, declared.dependences)
    if declared.kind is NUMPY and part is not None:  # a tracer, where the object is handed to traced code
        return Value(INPUT, part.alone, part, op)
    if source is not None and part is not None:
        part.is_declared |= declared.kind in FIELD_TYPES
        held = (held - {source}) | {part}
    return Value(declared.kind, held, without_parts(declared.payload), op)


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
        partial = decorated.callee.payload
        if decorated.decorator == "partialmethod" and isinstance(partial, Partial):
            given = Arguments((receiver, *partial.arguments.positional), partial.arguments.keywords)
            return Value(PARTIAL, payload=Partial(partial.callee, given), made_by=op)
        if decorated.decorator == "cached property":  # it may have been found out before, outside of any trace
            return call(frame, op, decorated.callee, Arguments((receiver,)), NONE, "host")
        return call(frame, op, decorated.callee, Arguments((receiver,)))
    if found.kind is CLASS or found.kind is PARTIAL or type(decorated) is Named:
        return found
    if type(decorated) is Wrapped and decorated.applied.transform.name in NO_DESCRIPTORS:
        return found
    return Value(PARTIAL, payload=Partial(found, Arguments((receiver,))), made_by=op)


def property_of(base: Value, step: Step) -> Value | None:
    """The function of a property of an instance."""
    return getter_of(base.payload.owner, step[1]) if step[0] == "." and type(base.payload) is InstanceOf else None


def getter_of(owner: ClassValue, name: str) -> Value | None:
    """The function of a property that objects of a class have."""
    found = lookup(owner, name)
    decorated = found.payload if found is not None else None
    is_property = isinstance(decorated, Decorated) and decorated.decorator == "property"
    return decorated.callee if is_property and isinstance(decorated, Decorated) else None


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
    instance, state = base.payload, frame.live()
    assert isinstance(instance, InstanceOf)
    earlier = instance.copied or Copied(base, {})
    projections, now = frame.program.record.projections, stored(state, base)
    projected = {*projections.of(earlier.original).values()} if earlier.original is not None else ()
    own = {name: value for name, value in now.items() if value not in projected}
    copied = Copied(earlier.original, {**earlier.changed, **own, **changed})
    made = Value(
        base.kind, base.dependences, InstanceOf(instance.owner, {**(instance.parts or {}), **changed}, copied), op
    )
    version = state.version(base)
    read_of = {**projections.of(base), **projections.of(version)}
    kept = {step[1]: part for step, part in read_of.items() if step[0] == "." and part.kind not in BOUND_FUNCTIONS}
    state.set_fields(made, {**kept, **(stored(state, version) if version is not base else {}), **now, **changed})
    return made


def kept_by(base: Value, name: str) -> Value | None:
    """The original of a frozen copy in which a field was not changed."""
    instance = base.payload
    if not isinstance(instance, InstanceOf) or instance.copied is None or not instance.owner.is_frozen:
        return None
    is_field = any(name in ancestor.annotations for ancestor in ancestry(instance.owner))
    return instance.copied.original if is_field and name not in instance.copied.changed else None


def is_record(value: Value) -> bool:
    """Is it an input that is annotated as a record of a library, whose fields stay what they are?"""
    return value.input is not None and value.input.is_frozen


def stored(state: State, base: Value) -> dict[str, Value]:
    """The attributes that were stored into an object."""
    heap = state.heap
    return {
        step[1]: heap[(base, step)] for step in state.steps_stored(base)
        if type(step) is tuple and step[0] == "." and (base, step) in heap
    }  # fmt: skip


def constructed(frame: Frame, op: Op, owner: ClassValue, arguments: Arguments, ambient: Dependences) -> Value:
    """A new instance, made by the class's own constructor, or of its declared fields in order.

    Of one that is given what stands in for an object in a test, it is not known what its methods run.
    """
    if any(one.kind is OBJECT and type(one.payload) is Named and one.name == STAND_IN for one in arguments.values()):
        return note_unknown(frame, "made of what stands in for an object", op)
    parts: dict[str, Value] = {}
    made = Value(INSTANCE, NONE, InstanceOf(owner, parts), op)
    constructor = lookup(owner, "__init__")
    state = frame.live()
    if constructor is not None:
        call(frame, op, bind(frame, made, constructor, op), arguments, ambient)
        function = underlying(constructor)
        if function is not None and function.function.parameters:
            note_filled(frame, owner, function.function, arguments)
        state, is_handed_on = frame.state or state, function is None or hands_itself_on(function.function)
        for step in state.steps_of(made):
            if isinstance(step, tuple) and step[0] == ".":
                value = state.heap[(made, step)]
                if not (is_handed_on and _leads_to(value, made)):
                    parts[step[1]] = value
        return made
    names = declared_fields(owner)
    for name, value in [*zip(placed_fields(owner), arguments.positional, strict=False), *arguments.keywords.items()]:
        parts[name] = value
        state.set_part(made, (".", name), value)
        note_field(frame, owner, name, value)
        if owner.is_tuple and name in names:
            state.set_part(made, ("[]", names.index(name)), value)
    for name in () if arguments.is_open else names:
        default = lookup(owner, name) if name not in parts else None
        if default is not None and (
            default.kind is API or is_default_of_field(owner, name) or _is_flag(frame, owner, name, default)
        ):
            parts[name] = default
        factory, written = _factory(owner, name) if name not in parts else (None, None)
        held = call(frame, op, factory, Arguments(()), ambient) if factory is not None else None
        if held is not None and (type(written) in DISPLAYED or held.kind is ARRAY):
            parts[name] = held if written is None else replace(held, made_by=written)
            frame.live().set_part(made, (".", name), parts[name])
    return made


def _factory(owner: ClassValue, name: str) -> tuple[Value | None, Op | None]:
    """What makes what is in a field of each object, and what a lambda returns: `field(default_factory=lambda: [8])`."""
    factory = next((one.factories[name] for one in ancestry(owner) if name in one.factories), None)
    if factory is None or not isinstance(factory.payload, FunctionValue):
        return None, None
    last = factory.payload.function.body[-1] if factory.payload.function.kind == "lambda" else None
    return factory, last.value if type(last) is Leave else None


def hands_itself_on(constructor: Function) -> bool:
    """Does a constructor use the object that it makes other than for its attributes?  One of that name tells so."""
    if constructor.name == "__init__":
        constructor.note_told()
    else:
        constructor.read  # noqa: B018
    return _is_handed_on(chains_told(constructor), constructor)


@searched_for
def _is_handed_on(chains: Chains, constructor: Function) -> bool:
    if not constructor.parameters:
        return True
    receiver = constructor.parameters[0].name
    return any(type(chains.parents.get(name)) is not Attr for name in chains.names.get(receiver, ()))


def _leads_to(value: Value, made: Value) -> bool:
    """Does a field lead back to its object: `self.child = Child(self)`?  It is none of its known parts then.

    What holds more than is looked at may.
    """
    waiting, seen = [value], {value}
    while waiting:
        current = waiting.pop()
        if current is made or len(seen) > MAXIMUM_HELD:
            return True
        for part in current.parts:
            if part not in seen:
                seen.add(part)
                waiting.append(part)
    return False


def _is_flag(frame: Frame, owner: ClassValue, name: str, default: Value) -> bool:
    """Is the default of a field one of the host that decides paths, and does nothing put another one into objects?"""
    is_constant = default.constant is not OPEN and default.kind in HOST_CONSTANTS
    return is_constant and is_settled(frame, owner, name)


def field_after_transform(frame: Frame, value: Value, owner: Value, name: str) -> Value:
    """A field of an object that was passed through a transform: arrays in it are tracers.

    Those of a layer are options, which a library's transforms of its methods leave as they are.
    """
    if type(owner.payload) is InstanceOf and (
        is_metadata(owner.payload.owner, name) or is_configuration(frame.program.table, owner.payload.owner)
    ):
        return value
    if value.kind in FIELDS_TRACED_WITH_OBJECT:
        dependences = unite(value.dependences, _around_field(frame, owner))
        if _is_lane(owner) and value.kind is not INSTANCE:
            kind = KEY if value.kind is KEYS else value.kind
            return Value(kind, dependences, None, value.made_by, None, value.dtype, value)
        return Value(
            value.kind, dependences, without_parts(value.payload), value.made_by, value.shape, value.dtype, value
        )
    if value.kind is REF:
        return Value(REF, unite(value.dependences, owner.dependences), value.payload, value.made_by)
    if value.kind is NUMPY:  # a leaf of the tree, whatever was put there
        return Value(ARRAY, owner.dependences, None, value.made_by)
    if (value.kind in (NUMBER, UNKNOWN, INPUT) or type(value.constant) is bool) and _is_traced_leaf(value, owner, name):
        return Value(COMPUTED, owner.dependences, None, value.made_by)
    if value.kind in MAY_BE_ANYTHING and _is_traced_child(owner, name):
        return Value(INPUT, unite(value.dependences, owner.dependences), None, value.made_by, caller_value=value)
    method = value.payload
    if isinstance(method, Partial) and method.arguments.positional[:1] == (owner.caller_value,):
        rest = method.arguments.positional[1:]
        return Value(PARTIAL, payload=Partial(method.callee, Arguments((owner, *rest))), made_by=value.made_by)
    if value.kind is INPUT and _is_lane(owner):
        dependences = unite(value.dependences, owner.dependences)
        return Value(INPUT, dependences, None, value.made_by, dtype=value.dtype, caller_value=value)
    return value


def _around_field(frame: Frame, owner: Value) -> Dependences:
    """What the fields of an object depend on.  Of one that a transform puts back when it is changed (a module of
    flax.nnx) all but arrays stays as it is, and so does that in what it holds: in a dataclass of numbers, say.
    """
    if type(owner.payload) is not InstanceOf:
        return owner.dependences
    is_put_back = any(map(frame.program.table.updated_by, library_bases(owner.payload.owner)))
    return frozenset(
        replace(one, for_arrays=True) if is_put_back and type(one) is Token and one.updates else one
        for one in owner.dependences
    )


def _is_lane(owner: Value) -> bool:
    """Is an object one lane of what a caller holds: its arrays have an axis less, whichever it is?"""
    before = owner.caller_value.dependences if owner.caller_value is not None else NONE
    return any(type(one) is Token and one.stage == "mapped" for one in owner.dependences - before)


def is_configuration(table: Table, owner: ClassValue) -> bool:
    """Are objects of a class configurations, which a library's transforms hand on as they are: its layers?"""
    return any(table.is_configuration(base) for base in library_bases(owner))


def untraced_field(value: Value) -> Value:
    """A static field of an object that was passed through a transform: it is not traced."""
    if not any(type(dependence) is Token for dependence in value.dependences):
        return value
    held = frozenset(dependence for dependence in value.dependences if type(dependence) is not Token)
    if value.kind in OBJECTS:
        return Value(value.kind, held, value.payload, value.made_by)
    return value.original if value.original is not value else unknown("no part of a tree", value.made_by)


def _is_traced_leaf(value: Value, owner: Value, name: str) -> bool:
    """Is a number in a field of this object a tracer where the object is handed to traced code?"""
    if type(owner.payload) is not InstanceOf or _is_for_arrays(owner):
        return False
    is_number = value.kind not in MAY_BE_ANYTHING
    return is_leaf(owner.payload.owner, name) or (is_number and is_child(owner.payload.owner, name))


def _is_traced_child(owner: Value, name: str) -> bool:
    """Is a field of this object a part of the tree that is handed to traced code, whatever it is?"""
    return type(owner.payload) is InstanceOf and not _is_for_arrays(owner) and is_child(owner.payload.owner, name)


def _is_for_arrays(owner: Value) -> bool:
    """Was the object handed to a transform that leaves all but arrays as it is?"""
    return any(type(token) is Token and token.for_arrays for token in owner.dependences)
