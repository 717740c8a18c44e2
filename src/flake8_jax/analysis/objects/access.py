"""Parts of values: reading, storing and deleting attributes and items, and unpacking.

A part that was never stored is *projected* from its object, once for each version of the object: two reads of
`state.rng` are one value until the object is invalidated.
"""

from __future__ import annotations

from flake8_jax.analysis.callables import ClassValue, Copied, Decorated, FunctionValue, InstanceOf
from flake8_jax.analysis.frame import Frame, note_unknown
from flake8_jax.analysis.objects.array_attributes import (
    array_attribute,
    part_of_input,
    reference_attribute,
    view_of_input,
)
from flake8_jax.analysis.objects.array_evidence import note_array, prove_array, stage_of_result
from flake8_jax.analysis.objects.classes import declared_fields, lookup, makes_members, may_convert, note_field
from flake8_jax.analysis.objects.enumerations import member
from flake8_jax.analysis.objects.growing import grow, grown_by, grown_element
from flake8_jax.analysis.objects.host_views import attribute_of_view, part_of_view
from flake8_jax.analysis.objects.instances import (
    attribute_of,
    before_run,
    bind,
    field_after_transform,
    is_record,
    kept_by,
    method_of,
    note_lookup,
    passed_input,
    passes_on,
    unbound,
)
from flake8_jax.analysis.objects.iteration import MAXIMUM_PATH, any_element, may_be_a_name, renewed, shape_of_item
from flake8_jax.analysis.objects.key_items import key_around, key_item, rest_of
from flake8_jax.analysis.objects.library_trees import tree_part
from flake8_jax.analysis.objects.members import methods_of
from flake8_jax.analysis.objects.registries import entry_at, note_entry, one_by_name
from flake8_jax.analysis.objects.static_attributes import STATIC_ATTRIBUTES, WHOLE, has_shape, static_attribute
from flake8_jax.analysis.objects.steps import from_the_start
from flake8_jax.domain.constants import OPEN, NotConstant
from flake8_jax.domain.dtypes import of_input
from flake8_jax.domain.flags import texts_of
from flake8_jax.domain.key_parts import MAXIMUM_HELD, counts_of
from flake8_jax.domain.kinds import (
    API,
    ARRAY,
    ARRAYS_OR_COMPUTED,
    CLASS,
    COMPUTED,
    CONTAINERS,
    DICT,
    FUNCTION,
    INPUT,
    INSTANCE,
    KEY,
    KEYS,
    LIST,
    LISTS_AND_DICTS,
    MAY_BE_ARRAY,
    METHOD,
    MODULE,
    NAMESPACES,
    NUMBER,
    NUMPY,
    OBJECT,
    REF,
    SEQUENCES,
    TUPLE,
    UNKNOWN,
    WITH_METHODS,
    Kind,
)
from flake8_jax.domain.payload import (
    AT,
    EVERY,
    ONLY_ANNOTATED,
    OR_REFERENCE,
    SLICE,
    VARARGS,
    VARKW,
    Alternatives,
    AnySlice,
    Each,
    Elements,
    Entries,
    Extended,
    ItemIndex,
    MethodOf,
    ModuleAt,
    Payload,
    Same,
    Step,
)
from flake8_jax.domain.staging import NONE, Dependences, Input, unite
from flake8_jax.domain.state import STANDS_FOR, State
from flake8_jax.domain.value import Value, constant, input_of, one_of
from flake8_jax.ir.ops import Item, Op
from flake8_jax.lazy_dataclasses import replace

PAIR = ("init", "apply")
"""What a network is that `hk.transform` makes of a function: `init, apply = hk.transform(net)`."""

ARRAY_ATTRIBUTES = frozenset(("T", "mT", "real", "imag", "at"))
ARRAY_METHODS = frozenset(
    ("sum", "mean", "std", "var", "prod", "reshape", "ravel", "astype", "transpose", "argmax", "argmin", "cumsum",
     "flatten")
)  # fmt: skip
REFERENCE_VIEWS = frozenset(("bitcast", "reshape", "transpose", "view"))
OF_PYTHON = dict, list, set, tuple
REFERENCE_METHODS = REFERENCE_VIEWS | {"addupdate", "get", "set", "swap"}
OF_STORAGE = frozenset(("at", "T", "value"))
VIEWS = frozenset(("items", "keys", "values", "get"))
ACCESSORS = frozenset(("setter", "deleter"))
"""What gives a property another function for what is stored, or deleted: it reads as before."""


def read(frame: Frame, base: Value, step: Step, op: Op) -> Value:
    """The part of `base` at one access step: `(".", name)`, or `("[]", constant or value)`."""
    state = frame.live()
    if base.kind is ARRAY and step[0] == "[]":
        dependences = unite(_taken_by(base.dependences, step[1]), stage_of_result(frame, base))
        kept = _kept(base, step[1]) if base.payload else None
        item = Value(ARRAY, dependences, kept, op, shape_of_item(base, step[1]), base.dtype)
        return item if type(op) is Item else read_before(frame, base, step[1], item)
    if state.heap:
        step = from_the_start(base, step)
        stored = state.heap.get((base, step))
        if stored is not None:
            return stored
        version = state.version(base)
    else:
        version = base
    if step[0] == "." and base.caller_value is None and type(base.payload) is InstanceOf:
        bound = lookup(base.payload.owner, step[1])
        if bound is not None and isinstance(bound.payload, Decorated):
            note_lookup(frame, base, step[1], bound)
            attribute = bind(frame, base, bound, op)
            frame.program.interpreter.hooks.property_read(frame, op, base, bound)
            return attribute
    if version is base and frame.parent is not None and (kept := key_around(frame, base, step)) is not None:
        return kept
    projections = frame.program.record.projections
    parts = projections.parts.get(version)
    found = parts.get(step) if parts is not None else None
    if found is None:
        changed = version is not base and base.kind in (INSTANCE, DICT, LIST, INPUT)
        found = _project_changed(frame, base, step, op) if changed else _project(frame, base, step, op)
        projections.add(version, step, found)
        frame.program.record.projected.add(base)
    return found


def read_before(frame: Frame, base: Value, index: ItemIndex | NotConstant, item: Value) -> Value:
    """The item of an array as it was read before, since it may be a key: of an input whose dtype is not known."""
    if base.kind is not ARRAY or item.kind is not ARRAY or type(index) is not int or base.dtype is not None:
        return item
    if len(base.dependences) != 1 or not isinstance(next(iter(base.dependences)), Input):
        return item
    step: Step = ("[]", index)
    projections = frame.program.record.projections
    known = projections.of(base).get(step)
    if known is not None and known.dependences == item.dependences:
        return known
    projections.add(base, step, item)
    frame.program.record.projected.add(base)
    return item


def attribute(frame: Frame, base: Value, name: str, op: Op) -> Value:
    """The value of `base.name`."""
    if base.kind is API:
        dotted = f"{base.name}.{name}"
        return frame.program.linked.own(frame.namespace.file.path, dotted) or api(frame, dotted)
    return read(frame, base, (".", name), op)


def attribute_named(frame: Frame, base: Value, name: Value, op: Op) -> Value | None:
    """The value of `getattr(base, name)`; None if the name is not known.  It may be one of several."""
    ways = texts_of(name.payload)
    if not ways:
        if name.input is not None and base.kind in NAMESPACES:
            frame.summary.uses.note_called(name.input)
        return None
    found = [attribute(frame, base, text, op) for text, _ in ways]
    return one_of(found, [facts for _, facts in ways]) if len(found) > 1 else found[0]


def api(frame: Frame, qualified: str) -> Value:
    """The value of a library's name; one object for each name."""
    return frame.program.api(qualified)


def may_be_any(source: Input) -> bool:
    """Is an input an element at a place that is not known?"""
    return source.step is not None and (source.step[1] is EVERY or source.step[1] is OPEN)


def _project(frame: Frame, base: Value, step: Step, op: Op) -> Value:
    kind = base.kind
    if base.input is not None and may_be_any(base.input) and (base.input, step) in frame.summary.writes.parts:
        return note_unknown(frame, "stored into the element of another turn", op)
    if step[0] == ".":
        name = step[1]
        if name == "__dict__" and isinstance(base.payload, ClassValue):
            return methods_of(base.payload, op)
        if name == "__dict__":
            frame.live().invalidate(base)
            return note_unknown(frame, "attributes as a dict", op)
        if name in STATIC_ATTRIBUTES and kind is not INSTANCE and kind is not API:
            is_used = kind is INPUT and base.input in frame.summary.uses.arrays
            if kind is INPUT and has_shape(base):
                note_array(frame, base)
            return static_attribute(base, name, op, is_used_as_array=is_used)
        return _project_attribute(frame, base, kind, name, step, op)
    return _project_item(frame, base, step, op)


def _project_changed(frame: Frame, base: Value, step: Step, op: Op) -> Value:
    """A part of an object that unknown code may have changed: a value of the declared kind with a new identity."""
    if base.kind is INSTANCE and step[0] == ".":
        return _instance_attribute(frame, base, step[1], step, op)
    if (name := _field_at(base, step[1])) is not None:
        return read(frame, base, (".", name), op)
    if base.kind is INPUT and base.payload is None:
        return _project(frame, base, step, op)
    if step[0] == "." and step[1] in STATIC_ATTRIBUTES:
        return static_attribute(base, step[1], op)
    if step[0] == "[]" and base.kind in LISTS_AND_DICTS and (grown := grown_element(frame, base)) is not None:
        return _grown_item(frame, grown, op)
    if step[0] == "[]" and (entered := entry_at(frame, base, step[1])) is not None:
        return entered
    if step[0] == "." and base.kind in CONTAINERS and not _is_lacked(frame, step[1]):
        return Value(METHOD, payload=MethodOf(base, step[1]), made_by=op)
    return note_unknown(frame, "may have been changed", op)


def _grown_item(frame: Frame, grown: Value, op: Op) -> Value:
    return renewed(grown) if grown.kind is not DICT else note_unknown(frame, "may have been changed", op)


def _project_attribute(frame: Frame, base: Value, kind: Kind, name: str, step: Step, op: Op) -> Value:
    if name in ACCESSORS and type(base.payload) is Decorated and base.payload.decorator == "property":
        return Value(OBJECT, payload=Decorated("accessor", base), made_by=op)
    if kind is ARRAY or kind is COMPUTED or kind is KEY or kind is KEYS:
        return array_attribute(frame, base, name, op)
    if kind is INSTANCE:
        return _instance_attribute(frame, base, name, step, op)
    if isinstance(base.payload, ClassValue):
        found = lookup(base.payload, name)
        if found is None and passes_on(frame, base.payload, name) == "make":
            return base
        if found is not None and (enumerated := member(base.payload, name, op)) is not None:
            return enumerated
        is_constant = found is not None and found.constant is not OPEN
        if found is None or (is_constant and may_convert(frame, base.payload)):
            return note_unknown(frame, "attribute of a class", op)
        if found.kind in SEQUENCES and makes_members(base.payload):
            return note_unknown(frame, "attribute of a class", op)
        return unbound(found, base)
    if kind is INPUT:
        return _input_attribute(frame, base, name, step, op)
    if kind is MODULE:
        return _member(frame, base, name, op)
    if kind is REF and (name in OF_STORAGE or (base.payload is OR_REFERENCE and name not in REFERENCE_METHODS)):
        return reference_attribute(frame, base, name, op)
    if kind is NUMPY:
        return attribute_of_view(base, name, op)
    if type(base.payload) is Copied and (original := base.payload.original) is not None and is_record(original):
        return read(frame, original, step, op)
    if kind in CONTAINERS and _is_lacked(frame, name):
        return note_unknown(frame, "attribute that containers of Python do not have", op)
    if kind in WITH_METHODS:
        return tree_part(frame, base, name, op) or method_of(frame, base, name, op)
    if type(base.payload) is Alternatives and all(value.kind in (API, INSTANCE) for value in base.payload.values):
        members = [attribute(frame, value, name, op) for value in base.payload.values]
        return one_of(members, base.payload.when) or note_unknown(frame, "one of several", op)
    return note_unknown(
        frame, "attribute of an unknown value" if kind is UNKNOWN else f"attribute of a {kind.value}", op
    )


def _is_lacked(frame: Frame, name: str) -> bool:
    """Is an attribute of a container none that Python's own have, nor a method that a library's have?"""
    return not any(hasattr(one, name) for one in OF_PYTHON) and frame.program.table.method(name) is None


def _member(frame: Frame, module: Value, name: str, op: Op) -> Value:
    """The value that a module of the project binds to a name, or its submodule."""
    place = module.payload
    assert isinstance(place, ModuleAt)
    found = frame.program.linked.member(place.path, name)
    if found is None:
        return note_unknown(frame, "name that its module does not bind", op)
    if found.kind not in (FUNCTION, CLASS):
        frame.summary.outside.found[found] = None
    return found


def _input_attribute(frame: Frame, base: Value, name: str, step: Step, op: Op) -> Value:
    source, outside = base.input, base.original.input
    if source is None:
        if outside is not None:
            frame.summary.uses.traced[outside, ""] = None
        if name in ARRAY_ATTRIBUTES:
            return view_of_input(frame, base, name, op)
        if name in VIEWS or frame.program.table.method(name) is not None:
            return Value(METHOD, payload=MethodOf(base, name), made_by=op)
        return note_unknown(frame, "attribute of a traced tree", op)
    if name == "at":
        prove_array(frame, base)
    if name in ARRAY_ATTRIBUTES:
        note_array(frame, base)
        return view_of_input(frame, base, name, op)
    if name in ARRAY_METHODS:
        note_array(frame, base)
    if name in VIEWS or frame.program.table.method(name) is not None:
        return Value(METHOD, payload=MethodOf(base, name), made_by=op)
    if source.depth >= MAXIMUM_PATH:
        return _deep(frame, base, source, op)
    part = source.part(step)
    return part_of_input(base, part, op)


def _deep(frame: Frame, base: Value, source: Input, op: Op) -> Value:
    """A part of an input below the depth at which parts are told apart: an array or a tree, if the input is a tree of
    arrays.
    """
    return (
        Value(INPUT, base.dependences, None, op) if source.is_tree else note_unknown(frame, "access path too long", op)
    )


def _instance_attribute(frame: Frame, base: Value, name: str, step: Step, op: Op) -> Value:
    if base.caller_value is not None:
        return field_after_transform(frame, read(frame, base.caller_value, step, op), base, name)
    original = kept_by(base, name)
    if original is not None:
        return read(frame, original, step, op)
    return attribute_of(frame, base, name, step, op)


def _project_item(frame: Frame, base: Value, step: Step, op: Op) -> Value:
    kind, index = base.kind, step[1]
    if kind in ARRAYS_OR_COMPUTED:
        like = base.like if base.payload is AT else None
        held = base.dependences if base.payload is AT else _taken_by(base.dependences, index)
        return Value(kind, held, _kept(base, index), op, dtype=base.dtype, like=like)
    if kind is DICT and base.payload is None and (grown := grown_element(frame, base)) is not None:
        return _grown_item(frame, grown, op)
    if kind in CONTAINERS:
        return _container_item(frame, base, index, op)
    if kind is KEYS or kind is KEY:
        return key_item(base, index, op)
    if kind is NUMPY:
        return part_of_view(base, op, index)
    if kind is REF:
        if base.payload is AT:
            return Value(REF, base.dependences, None, op)
        return Value(ARRAY, unite(base.dependences, frame.ambient), _kept(base, index), op)
    if kind is INPUT:
        source = base.input
        if source is None:
            return _part_alike(base, step, op)
        if source.depth >= MAXIMUM_PATH:
            return _deep(frame, base, source, op)
        part = source.part(step if not isinstance(index, Value) else ("[]", OPEN))
        if source in frame.summary.uses.arrays:
            frame.summary.uses.arrays[part] = None
            part.is_declared |= source.is_declared and source.parent is not None
        taken = part_of_input(base, part, op)
        held = _taken_by(taken.dependences, index) if taken.dependences else NONE
        return taken if held is taken.dependences else replace(taken, dependences=held)
    if kind is FUNCTION and isinstance(base.payload, FunctionValue):
        return note_unknown(frame, "item of a function", op)
    if kind is MODULE and isinstance(index, (str, Value)):
        named = attribute_named(frame, base, constant(index) if isinstance(index, str) else index, op)
        return named or note_unknown(frame, "global of an unknown name", op)
    if (name := _field_at(base, index)) is not None:
        return read(frame, base, (".", name), op)
    found = tree_part(frame, base, "", op)
    return found or note_unknown(
        frame, "item of an unknown value" if kind is UNKNOWN else f"item of a {kind.value}", op
    )


def _field_at(base: Value, index: ItemIndex) -> str | None:
    """The field at an index of a named tuple."""
    owner = base.payload.owner if type(base.payload) is InstanceOf else None
    if owner is None or not owner.is_tuple or type(index) is not int:
        return None
    names = declared_fields(owner)
    return names[index] if -len(names) <= index < len(names) else None


def _taken_by(dependences: Dependences, index: ItemIndex | Value) -> Dependences:
    """The dependences of an item: a tracer for an index makes it a tracer, for what else takes one than an array?

    What a loop takes of an input may be the name of an entry: `for name in params: weights[name]`.
    """
    if not isinstance(index, Value) or may_be_a_name(index):
        return dependences
    if index.kind in MAY_BE_ARRAY:
        return unite(dependences, index.dependences)
    for part in index.parts if index.kind is TUPLE else ():
        if part.kind in MAY_BE_ARRAY:
            dependences = unite(dependences, part.dependences)
    return dependences


def _part_alike(base: Value, step: Step, op: Op) -> Value:
    """A part of a traced tree, which has the shape and dtype of that part of the input from outside."""
    whole, index = base.alike, step[1]
    if whole is None or not isinstance(index, (int, str)) or whole.depth >= MAXIMUM_PATH:
        return Value(INPUT, base.dependences, None, op, dtype=base.dtype)
    part = whole.part(step)
    dependences = frozenset(part if dependence is whole else dependence for dependence in base.dependences)
    return Value(INPUT, dependences, None, op, dtype=of_input(part), like=part)


def _kept(base: Value, index: ItemIndex) -> Payload | None:
    """The payload that an item takes over from its base: a view through `at`, what holds references, a promise."""
    if base.payload is ONLY_ANNOTATED and isinstance(index, int):
        return ONLY_ANNOTATED
    if base.payload is AT or (base.payload is OR_REFERENCE and isinstance(index, (int, str))):
        return base.payload
    return None


def _container_item(frame: Frame, base: Value, index: ItemIndex, op: Op) -> Value:
    payload = base.payload
    if type(payload) is Elements and payload.parts is not None:
        parts = payload.parts
        if isinstance(index, int) and not isinstance(index, bool) and -len(parts) <= index < len(parts):
            return parts[index]
        if index is OPEN or isinstance(index, Value):
            return any_element(frame, base, op)
    elif type(payload) is Each:
        return any_element(frame, base, op) if index is not SLICE else Value(base.kind, NONE, payload, op)
    elif type(payload) is Same:
        return payload.like
    elif type(payload) is Entries and not isinstance(index, (Value, NotConstant, AnySlice)) and index in payload.parts:
        return payload.parts[index]
    elif type(payload) is Extended and isinstance(index, str) and (kept := _kept_entry(frame, payload, index, op)):
        return kept
    if (entered := entry_at(frame, base, index)) is not None:
        return entered
    if base.form == "shape" and not base.parts:
        return Value(NUMBER, payload=OPEN, made_by=op, dtype=WHOLE)
    if (part := _given(base, index)) is not None:
        return Value(INPUT, frozenset((part,)), part, op)
    if base.form == "arrays" or base.form == "numpy arrays":
        return Value(ARRAY if base.form == "arrays" else NUMPY, base.dependences, made_by=op)
    if base.kind is DICT or base.elements is None:
        entries = frame.live().contents(base).entries
        if entries and isinstance(index, Value):
            if all(part.kind is ARRAY for part in entries.values()):
                return any_element(frame, base, op)
            found = one_by_name(entries, index)
            return found or note_unknown(frame, "item of a container", op)
        return note_unknown(frame, "item of a container", op)
    return note_unknown(frame, "no such part", op)


def _kept_entry(frame: Frame, held: Extended, name: str, op: Op) -> Value | None:
    """An entry of `{**state, "n": 1}`: that of `state`, unless it is above, or `state` may be another by now."""
    state, below = frame.live(), held.below
    if name in held.above:
        return held.above[name]
    return None if state.steps_of(below) else read(frame, below, ("[]", name), op)


def _given(base: Value, index: ItemIndex) -> Input | None:
    """The argument that a call hands in there for `*args` or `**options`."""
    source = input_of(base) if base.payload is VARARGS or base.payload is VARKW else None
    if source is None:
        return None
    if base.payload is VARKW:
        return source.part(("[]", index)) if type(index) is str or index is OPEN else None
    return source.part(("[]", index)) if type(index) is int and index >= 0 else None


def unpack(frame: Frame, value: Value, count: int, starred: int | None, op: Op) -> list[Value]:
    """The values of `count` unpacking targets; the one at `starred` gets a list of the rest."""
    parts = frame.live().contents(value).elements
    if parts is not None:
        if starred is None and len(parts) == count:
            return list(parts)
        if starred is not None and len(parts) >= count - 1:
            after = count - starred - 1
            middle = parts[starred : len(parts) - after]
            rest = Value(LIST, payload=Elements(middle), made_by=op)
            return [*parts[:starred], rest, *parts[len(parts) - after :]]
    counted = frame.program.record.counted.get(value.made_by) if value.made_by is not None else None
    if counted is not None and starred is None and len(counted) == count:
        return [constant(number) for number in counted]
    is_pair = starred is None and count == len(PAIR) and value.kind is FUNCTION
    if is_pair and before_run(frame, value, PAIR[1]) is not None:
        return [attribute(frame, value, name, op) for name in PAIR]
    values = []
    for place in range(count):
        if starred is not None and place == starred:
            values.append(rest_of(value, starred, count, op))
        else:
            index = place if starred is None or place < starred else place - count
            is_known = value.kind is not UNKNOWN
            values.append(read(frame, value, ("[]", index), op) if is_known else note_unknown(frame, "unpacked", op))
    return values


def write(frame: Frame, base: Value, step: Step, value: Value) -> None:
    """Store a part of an object.

    A store at an unknown index invalidates all its items.
    """
    state = frame.live()
    if base.kind in (API, FUNCTION, CLASS):
        return
    step = from_the_start(base, step)
    if state.heap and (meant := state.heap.get((base, STANDS_FOR))) is not None:
        for one in meant.parts:
            state.invalidate(one)
    if step[0] == "[]":
        note_entry(frame, base, step[1], value)
    if base in frame.summary.outside.found:
        frame.summary.writes.touched[base] = None
    if step[0] == "." and type(base.payload) is InstanceOf:
        note_field(frame, base.payload.owner, step[1], value)
    if type(base.payload) is InstanceOf and _stores_in_its_way(state, base, base.payload.owner, step):
        value = note_unknown(frame, "stored by a method of the class")
    if step[0] == "[]" and (isinstance(step[1], Value) or step[1] is OPEN):
        like = grown_by(frame, base, (value,)) if base.kind in LISTS_AND_DICTS else None
        state.invalidate(base)
        grow(frame, base, like)
    elif step[0] == "[]":
        state.forget_varying(base)
        state.set_part(base, step, value)
    else:
        state.set_part(base, step, value)
    note_write(frame, base, step, value)


def _stores_in_its_way(state: State, base: Value, owner: ClassValue, step: Step) -> bool:
    """Does a class say itself what an item, or a field that holds something, is after a store?"""
    if step[0] == "[]":
        return lookup(owner, "__setitem__") is not None
    return (base, step) in state.heap and lookup(owner, "__setattr__") is not None


def note_write(frame: Frame, base: Value, step: Step, value: Value) -> None:
    """Record in the summary that an input was changed."""
    source = passed_input(base) if base.kind is INSTANCE else base.input
    if source is not None:
        if isinstance(step[1], Value) or step[1] is OPEN:
            frame.summary.writes.invalidated[source] = None
        else:
            frame.summary.writes.parts[(source, step)] = value


def spread_parts(frame: Frame, value: Value, op: Op) -> tuple[Value, ...] | None:
    """What `*value` stands for: the parts of a sequence, or the keys of an array of keys, if their number is known."""
    if value.kind is not KEYS:
        return frame.live().contents(value).elements
    count = (*counts_of(value.payload), MAXIMUM_HELD + 1)[0]
    return tuple(read(frame, value, ("[]", place), op) for place in range(count)) if count <= MAXIMUM_HELD else None
