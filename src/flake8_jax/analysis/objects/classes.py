"""Classes of the project: attribute lookup, and the kinds of the fields of their instances.

A field's kind is given by its annotation, or by all stores into `self.name` in the class if they agree:

    class Env:
        pos: jax.Array                          pos: array, by annotation
        def __init__(self, n):
            self.table = jnp.zeros(n)           table: array, if no method stores anything else
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

from flake8_jax.analysis.callables import Arguments, ClassValue, Decorated, Fields, FunctionValue, InstanceOf, Wrapped
from flake8_jax.analysis.evaluator import summary_of
from flake8_jax.analysis.objects.annotations import ARRAY_OF_EITHER_LIBRARY, HOST_TYPES, OF_HOST
from flake8_jax.analysis.record import Record, record_of
from flake8_jax.api.class_decorators import CALLED_STATIC, FACTORY_OF_FIELD, PLAIN_BASES
from flake8_jax.domain.constants import OPEN
from flake8_jax.domain.effects import ClassField
from flake8_jax.domain.kinds import (
    API,
    ARRAY,
    CALLABLES,
    CLASS,
    CONTAINERS,
    FUNCTIONS,
    FUNCTIONS_OR_OBJECTS,
    INSTANCE,
    ITEMS_STORED,
    KEY,
    NUMBER,
    NUMPY,
    OBJECT,
    REF,
    STABLE_FIELDS,
)
from flake8_jax.domain.payload import ONLY_ANNOTATED, Each, Named
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of, searched_and_told, searched_once
from flake8_jax.ir.walking import path_root, statements_in, targets_in, within

if TYPE_CHECKING:
    from flake8_jax.analysis.frame import Frame

SCALARS = frozenset(("int", "float", "bool", "complex"))
CONSTRUCTORS = frozenset(("__init__", "setup", "__post_init__"))
MAXIMUM_BASES = 12


def ancestry(owner: ClassValue) -> tuple[ClassValue, ...]:
    """The class and its bases in this project, depth first."""
    if not owner.ancestry:
        waiting: list[ClassValue] = [owner]
        found: list[ClassValue] = []
        while waiting and len(found) < MAXIMUM_BASES:
            current = waiting.pop(0)
            found.append(current)
            waiting[:0] = [base.payload for base in current.bases if isinstance(base.payload, ClassValue)]
        owner.ancestry = tuple(found)
    return owner.ancestry


def library_bases(owner: ClassValue) -> tuple[str, ...]:
    """The qualified names of the library classes among the bases."""
    found = owner.libraries
    if found is None:
        bases = (base for current in ancestry(owner) for base in current.bases)
        found = owner.libraries = tuple([base.name for base in bases if base.kind is API])
    return found


def may_convert(frame: Frame, owner: ClassValue) -> bool:
    """May a base from elsewhere make other objects of the constants in the body, as `enum.Enum` makes members?"""
    foreign = (
        base for current in ancestry(owner) for base in current.bases if not isinstance(base.payload, ClassValue)
    )
    table = frame.program.table
    return any(base.name not in PLAIN_BASES and table.freezing(base.name) is None for base in foreign)


def makes_members(owner: ClassValue) -> bool:
    """Does `enum` make a member of each constant and tuple in the body: `WALL = 2, "#"`?"""
    bases = (base for current in ancestry(owner) for base in current.bases)
    return any(base.name.startswith("enum.") for base in bases if not isinstance(base.payload, ClassValue))


def lookup(owner: ClassValue, name: str) -> Value | None:
    """The value that the class or a base binds to a name, if that is in this project."""
    for current in owner.ancestry or ancestry(owner):
        if name in current.attributes:
            return current.attributes[name]
    return None


def is_default_of_field(owner: ClassValue, name: str) -> bool:
    """Is what the class binds to a name the default of a field that holds a callable?

    The constructor that is made of the fields stores it, or another one, into each object: it is no method.
    """
    current = next((ancestor for ancestor in ancestry(owner) if name in ancestor.attributes), None)
    if current is None or name not in current.annotations or lookup(owner, "__init__") is not None:
        return False
    default = current.attributes[name]
    return default.kind in FUNCTIONS_OR_OBJECTS and not isinstance(default.payload, Decorated)


def states_host_default(declared: ops.Op | None) -> bool:
    """Does the declaration of a field state a default that is no array: `field(default=3)`, `field(default=(0, 1))`?"""
    keywords = declared.keywords if type(declared) is ops.Call else ()
    given = next((value for name, value in keywords if name == "default"), None)
    return type(given) is ops.Build or (type(given) is ops.Const and given.value is not None)


def is_stored_over(owner: ClassValue, name: str) -> bool:
    """Does the constructor store into a field what objects have in place of the default in the class?

    Of a class that stands for the type of a field (`state = State`), any method may.
    """
    default, constructor = lookup(owner, name), lookup(owner, "__init__")
    is_type = default is not None and default.kind is CLASS
    if is_type and any(name in stored_elsewhere(current) for current in ancestry(owner)):
        return True
    function = _plain(constructor) if constructor is not None else None
    if function is None or not function.function.parameters or not (is_type or declared_in(owner, name) is not None):
        return False
    receiver = function.function.parameters[0].name
    return any(stored == name for stored, _ in stores_into(function.function.body, receiver))


def may_be_replaced(owner: ClassValue, name: str) -> bool:
    """Does a method store something else into objects in place of a method: `self.f = jit(self.f)`?"""
    if any(name in stored_elsewhere(current) for current in ancestry(owner)):
        return True
    constructor = lookup(owner, "__init__")
    function = _plain(constructor) if constructor is not None else None
    if function is None or not function.function.parameters:
        return False
    receiver = function.function.parameters[0].name
    return bool(chains_of(function.function).stored_to(f"{receiver}.{name}"))


def declared_in(owner: ClassValue, name: str) -> ClassField | None:
    """A field with the body of the class that declares it."""
    found = next((current for current in ancestry(owner) if name in current.annotations), None)
    return None if found is None else (found.function, name)


def note_field(frame: Frame, owner: ClassValue, name: str, value: Value) -> None:
    """Record that a field holds something that items are stored into, whatever its annotation says, or a function that
    the constructor of a class puts in place of one of a class above.
    """
    if value.kind in FUNCTIONS:
        above = [base for base in ancestry(owner)[1:] if stores(owner, base, name)]
        frame.program.record.refuted.update((base.function, name) for base in above)
    if value.kind in ITEMS_STORED:
        field = declared_in(owner, name) or filled_in(owner, name)
        if field is not None:
            frame.program.record.refuted.add(field)


def note_filled(frame: Frame, owner: ClassValue, constructor: ops.Function, arguments: Arguments) -> None:
    """Record the fields into which the constructor of an object stores an argument that no array of JAX is, whatever
    the annotation of its parameter says.
    """
    names = [parameter.name for parameter in constructor.parameters]
    for parameter, value in [*zip(names[1:], arguments.positional, strict=False), *arguments.keywords.items()]:
        for name in filled_by(constructor).get(parameter, ()) if value.kind in ITEMS_STORED else ():
            note_field(frame, owner, name, value)


@searched_once
def filled_by(constructor: ops.Function) -> dict[str, list[str]]:
    """The fields that a constructor stores its parameters into as they are, by the parameters' names."""
    found: dict[str, list[str]] = {}
    for name, statement in stores_into(constructor.body, constructor.parameters[0].name):
        if type(statement) is ops.Store and type(statement.value) is ops.Name:
            found.setdefault(statement.value.name, []).append(name)
    return found


def filled_in(owner: ClassValue, name: str) -> ClassField | None:
    """A field with the body of the class whose constructor stores it."""
    found = next((one for one in ancestry(owner) if any(True for _ in constructed(one, name))), None)
    return None if found is None else (found.function, name)


def annotated_field(frame: Frame, owner: ClassValue, name: str) -> Value | None:
    """A value of the kind of the field's annotation; the constructor of a derived class may store something else."""
    for current in ancestry(owner):
        annotation = current.annotations.get(name)
        if annotation is not None:
            found = of_annotation(frame, annotation)
            if found is not None and found.kind is INSTANCE and stores(owner, current, name):
                return None
            is_array = found is not None and found.kind is ARRAY and not owner.is_tree
            return None if is_array and _is_of_numpy(owner, name) else found
    return None


def _is_of_numpy(owner: ClassValue, name: str) -> bool:
    """Does the constructor store an array of NumPy into a field, whatever its annotation says?"""
    made = [value for current in ancestry(owner) for value in constructed(current, name)]
    return bool(made) and all(type(value) is ops.Call and _library(value.func) == "numpy" for value in made)


def _library(op: ops.Op) -> str:
    """The library of which an expression names a member, as imports say; "" if it is none."""
    root = path_root(op)
    imported = root.scope.lookup(root.name).imported if root is not None else None
    return (imported or "").partition(".")[0]


def constructed(owner: ClassValue, name: str) -> Iterator[ops.Op | None]:
    """What the constructors of a class store into a field."""
    for method in CONSTRUCTORS & owner.attributes.keys():
        function = _plain(owner.attributes[method])
        if function is not None and function.function.parameters:
            receiver = function.function.parameters[0].name
            for _, statement in chains_of(function.function).stored_to(f"{receiver}.{name}"):
                yield statement.value if type(statement) is ops.Store else None


def stores(owner: ClassValue, until: ClassValue | None, name: str) -> bool:
    """Does the constructor of a class store a field, before those of a base from which it derives?"""
    for current in ancestry(owner):
        if current is until:
            break
        if any(True for _ in constructed(current, name)):
            return True
    return False


def annotation_of(owner: ClassValue, name: str) -> str:
    """The name of the library's class of which a field is declared to be; "" for others."""
    return next((ancestor.annotations[name].name for ancestor in ancestry(owner) if name in ancestor.annotations), "")


def scalar_fields(frame: Frame, owner: ClassValue) -> Iterator[str]:
    """The children that are annotated as numbers, or as arrays of JAX or NumPy.

    Fields with options are no children: these might say that they are no leaves of a pytree.
    """
    for name in owner.children:
        annotation = owner.annotations.get(name)
        if annotation is not None and annotation.kind is API and _is_scalar(frame, annotation.name):
            yield name


def plain_fields(owner: ClassValue) -> Iterator[str]:
    """The fields that are declared without options: parts of the tree, where objects of the class are such."""
    for op in owner.function.body:
        if type(op) is not ops.Store or op.annotation is None:
            continue
        target = op.targets[0]
        if type(target) is ops.Name and (op.value is None or type(op.value) is ops.Const):
            yield target.name


def metadata_fields(owner: ClassValue) -> Iterator[str]:
    """The fields that are said to be no parts of the tree.

    field(pytree_node=False)    field(static=True)      field(metadata={"static": True})
    n: jdc.Static[int]       n: int = eqx.static_field()
    def tree_flatten(self): return (self.x,), self.n    n
    def tree_flatten(self): return self.leaves(), self.options()    what `options` of the class itself returns
    """
    for function in (one for ancestor in ancestry(owner) for one in ancestor.function.functions):
        if function.name in ("tree_flatten", "tree_flatten_with_keys"):
            yield from auxiliary_fields(function, owner)
    for op in owner.function.body:
        target = op.targets[0] if type(op) is ops.Store and op.annotation is not None else None
        if type(op) is ops.Store and type(target) is ops.Name and _is_said_static(op):
            yield target.name


def _is_said_static(field: ops.Store) -> bool:
    """Does a field's annotation, or what makes its default, say that it is no part of the tree?"""
    head = field.annotation.base if type(field.annotation) is ops.Item else None
    if isinstance(head, (ops.Name, ops.Attr)) and head.name in CALLED_STATIC:
        return True
    if type(field.value) is not ops.Call:
        return False
    maker, said = field.value.func, dict(_constants(field.value.keywords))
    is_named = isinstance(maker, (ops.Name, ops.Attr)) and maker.name in CALLED_STATIC
    return is_named or said.get("pytree_node") is False or said.get("static") is True


def _constants(keywords: Iterable[tuple[str | None, ops.Op]]) -> Iterator[tuple[str, object]]:
    """The constants among keywords, and in a dict that is their `metadata`."""
    for name, value in keywords:
        if name == "metadata" and type(value) is ops.Call:
            yield from _constants(value.keywords)
        elif name == "metadata" and type(value) is ops.BuildDict:
            yield from _constants((str(k.value) if type(k) is ops.Const else None, v) for k, v in value.items)
        elif name is not None and type(value) is ops.Const:
            yield name, value.value


def auxiliary_fields(function: ops.Function, owner: ClassValue | None = None) -> Iterator[str]:
    """The attributes that a function flattens an object into beside its children: in the second part of the result.

    Where that is what a method returns, those that the method of `owner` reads in what it returns.
    """
    methods = _methods(owner) if owner is not None else {}
    for given, other in _attributes_of_pairs(function):
        yield from sorted({*_returned(other, methods)} - {*_returned(given, methods)})


@searched_and_told
def _attributes_of_pairs(function: ops.Function) -> tuple[tuple[tuple[str, ...], ...], ...]:
    """The attributes of its first argument in each part of a pair that a function returns."""
    body, found = function.inner.ops, list[tuple[tuple[str, ...], ...]]()
    stored = dict(_bound(body))
    for op in body:
        result = op.value if type(op) is ops.Leave else None
        if type(result) is ops.Build and len(result.parts) == 2 and function.parameters:
            first = function.parameters[0].name
            found.append(tuple(tuple(_attributes(part, first, stored)) for part in result.parts))
    return tuple(found)


@searched_and_told
def _attributes_returned(function: ops.Function) -> tuple[str, ...]:
    """The attributes of its first argument in what a function returns."""
    body = function.inner.ops if function.parameters else ()
    stored = dict(_bound(body))
    values = [op.value for op in body if type(op) is ops.Leave and op.value is not None]
    return tuple(name for value in values for name in _attributes(value, function.parameters[0].name, stored))


def _methods(owner: ClassValue) -> dict[str, ops.Function]:
    """The methods that objects of a class have of the project's classes."""
    return {one.name: one for ancestor in reversed(ancestry(owner)) for one in ancestor.function.functions}


def _returned(names: Iterable[str], methods: dict[str, ops.Function]) -> Iterator[str]:
    """The attributes, and in place of methods those that they read in what they return."""
    for name in names:
        method = methods.get(name)
        if method is None or not method.parameters:
            yield name
        else:
            yield from _attributes_returned(method)


def _bound(body: ops.Body) -> Iterator[tuple[str, ops.Op | None]]:
    """The names that a body binds, with the expressions; those of `a, b = x, y` one by one."""
    for op in body:
        for target in op.targets if type(op) is ops.Store else ():
            value = op.value if type(op) is ops.Store else None
            if type(target) is ops.Name:
                yield target.name, value
            elif type(target) is ops.Unpack and type(value) is ops.Build and len(target.parts) == len(value.parts):
                yield from ((n.name, v) for n, v in zip(target.parts, value.parts, strict=True) if type(n) is ops.Name)


def _attributes(op: ops.Op, receiver: str, stored: dict[str, ops.Op | None]) -> Iterator[str]:
    """The attributes of an object that an expression reads, directly or by names that are bound to expressions."""
    for part in within(op):
        if type(part) is ops.Attr and type(part.base) is ops.Name and part.base.name == receiver:
            yield part.name
        elif type(part) is ops.Name and (held := stored.pop(part.name, None)) is not None:
            yield from _attributes(held, receiver, stored)


def is_metadata(owner: ClassValue, name: str) -> bool:
    """Does a field stay what it is when the object is passed to a traced function?"""
    return any(name in current.metadata for current in ancestry(owner))


def _is_scalar(frame: Frame, name: str) -> bool:
    return name == ARRAY_OF_EITHER_LIBRARY or name in SCALARS or frame.program.table.annotation(name) == "numeric"


def is_leaf(owner: ClassValue, name: str) -> bool:
    """Is a field a number that becomes a tracer when the object is passed to a traced function?

    A class that flattens its objects itself says so of its fields, whatever their annotations are.
    """
    known = ancestry(owner)
    if _flattened(owner) is not None:
        return is_child(owner, name)
    return any(name in current.leaves for current in known) and any(current.is_tree for current in known)


def flattened_fields(owner: ClassValue, place: int = 0) -> Iterator[str]:
    """The attributes that the class's own `tree_flatten` gives as they are: `return (self.x, self.y), (self.name,)`.

    At `place` 0 those that are children, at 1 those that are compared.
    """
    for function in owner.function.functions:
        if function.name == "tree_flatten":
            yield from flattened_by(function, place)


def flattened_by(function: ops.Function, place: int = 0) -> Iterator[str]:
    """The attributes that a function gives as they are that flattens objects: `lambda s: ((s.x, s.y), s.name)`."""
    stored = dict(_bound(function.body))
    for op in function.body:
        if type(op) is ops.Leave and type(op.value) is ops.Build and len(op.value.parts) > place:
            part = op.value.parts[place]
            held = stored.get(part.name) if type(part) is ops.Name else part
            parts = held.parts if type(held) is ops.Build else ()
            yield from (part.name for part in parts if type(part) is ops.Attr)


def declared_fields(owner: ClassValue) -> list[str]:
    """The declared fields of a class, those of its ancestors first."""
    return list(dict.fromkeys(name for base in reversed(ancestry(owner)) for name in base.annotations))


def placed_fields(owner: ClassValue) -> list[str]:
    """The fields that the constructor which a class gets for them takes by their places."""
    return [name for name in declared_fields(owner) if not _is_unplaced(owner, name)]


def _is_unplaced(owner: ClassValue, name: str) -> bool:
    return next(name in current.unplaced for current in ancestry(owner) if name in current.annotations)


def is_child(owner: ClassValue, name: str) -> bool:
    """Is a field a part of the tree that objects of this class are?"""
    known, flattened = ancestry(owner), _flattened(owner)
    is_part = name in flattened if flattened is not None else any(name in current.children for current in known)
    return is_part and any(current.is_tree for current in known)


def _flattened(owner: ClassValue) -> frozenset[str] | None:
    """The fields that a class hands to JAX which flattens its objects itself; None for others."""
    return next((one.flattened for one in ancestry(owner) if one.flattened is not None), None)


def declares_array(owner: ClassValue, name: str) -> bool:
    """Is a field declared as an array, of JAX or NumPy?

    Where the object is a pytree such a field is a leaf: a field that is none must be hashable.
    """
    for current in ancestry(owner):
        annotation = current.annotations.get(name)
        if annotation is not None:
            return annotation.kind is API and annotation.name == ARRAY_OF_EITHER_LIBRARY and name in current.leaves
    return False


def of_annotation(frame: Frame, annotation: Value) -> Value | None:
    """A value of the kind that an annotation promises; None if it promises none in use."""
    if annotation.kind is API:
        kind = frame.program.table.annotation(annotation.name)
        if kind == "array":
            return Value(ARRAY, payload=ONLY_ANNOTATED)
        if kind == "key":
            return Value(KEY)
        if kind == "ref":
            return Value(REF)
        if kind == "numpy":
            return Value(NUMPY)
        table = frame.program.table
        if table.is_layer(annotation.name) or table.method_of(annotation.name, "__call__") is not None:
            return Value(OBJECT, payload=Named(annotation.name))
    if isinstance(annotation.payload, ClassValue):
        return Value(INSTANCE, payload=InstanceOf(annotation.payload))
    return None


def field(frame: Frame, owner: ClassValue, name: str) -> Value | None:
    """A fresh value of the kind on which all stores into `self.name` agree, else None."""
    fields = fields_of(frame, owner)
    found = fields.stored.get(name) if name not in fields.unsettled else None
    if found is None or not (found.kind in STABLE_FIELDS or holds_callables(found)):
        return None
    if found.kind is ARRAY:
        return Value(ARRAY, made_by=found.made_by)
    return found


def stored_type(frame: Frame, owner: ClassValue, name: str) -> str:
    """The type of the host of which a field is, by what the constructor alone stores there; "" for others."""
    fields = fields_of(frame, owner)
    found = fields.stored.get(name) if name not in fields.unsettled else None
    if found is None or found.kind is NUMBER:
        return "" if found is None else "int"
    declared = found.input.annotation if found.input is not None else ""
    return declared if declared in HOST_TYPES or declared == OF_HOST else ""


def holds_callables(value: Value) -> bool:
    """Is it a list, tuple or dict of functions or of objects, such as the layers of a model?"""
    each = value.payload
    parts = (each.like,) if type(each) is Each else value.parts
    return value.kind in CONTAINERS and bool(parts) and all(part.kind in CALLABLES for part in parts)


def is_settled(frame: Frame, owner: ClassValue, name: str) -> bool:
    """Is a field stored by the constructors only, and once?"""
    return name not in fields_of(frame, owner).unsettled


def fields_of(frame: Frame, owner: ClassValue) -> Fields:
    """The fields of a class, found once.

    A callee of the constructor does not know them yet; its results are provisional.
    """
    program = frame.program
    if owner.fields is not None:
        program.record.uses.update(owner.fields.records)
        return owner.fields
    if program.is_running((owner,)):
        return Fields()
    standing = program.enter((owner,))
    found = _collect_fields(frame, owner)
    if program.leave(standing):
        owner.fields = found
        program.memory.keep(partial(setattr, owner, "fields", None), *found.records)
    return found


def _collect_fields(frame: Frame, owner: ClassValue) -> Fields:
    """Summarize the constructors for their stores; a field that another method stores is unknown."""
    fields: dict[str, Value] = {}
    elsewhere: set[str] = set()
    records: list[Record] = []
    asked = Record()
    with frame.program.tracking(asked):
        for current in ancestry(owner):
            elsewhere |= stored_elsewhere(current)
    frame.program.record.uses.add(asked)
    records.append(asked)
    for current in ancestry(owner):
        for name, bound in current.attributes.items():
            function = _plain(bound) if name in CONSTRUCTORS else None
            if function is None or not function.function.parameters:
                continue
            receiver = function.function.parameters[0].name
            summary = summary_of(frame.program, function)
            record = record_of(summary)
            if function.is_top_level and record is not None:
                records.append(record)
            for (target, step), value in summary.writes.parts.items():
                if target.name == receiver and target.parent is None and step[0] == "." and isinstance(step[1], str):
                    fields.setdefault(step[1], value)
    return Fields(fields, frozenset(elsewhere), tuple(records))


def stored_elsewhere(owner: ClassValue) -> frozenset[str]:
    """The fields that other methods of a class store, or that a constructor stores twice."""
    if owner.elsewhere is None:
        if not owner.attributes:  # its body still runs
            return frozenset()
        found: set[str] = set()
        for name, function in _methods_bound(owner):
            stored = [one for one, _ in stores_into(function.inner.ops, function.parameters[0].name)]
            found.update(one for one in stored if name not in CONSTRUCTORS or stored.count(one) > 1)
        origins = {function.anchor.origin for _, function in _methods_bound(owner)}
        owner.elsewhere = frozenset(found), tuple(origins)
    names, origins_asked = owner.elsewhere
    for origin in origins_asked:
        origin.note_stored()
    return names


def listed_field(owner: ClassValue, name: str) -> ops.Op | None:
    """Where a field is bound to a list first, if its class and all of its methods bind it to lists alone.

    losses: list = field(...)       self.losses = []        self.losses = [0.0] * n
    """
    stored_elsewhere(owner)  # who asks depends on what all methods store
    found: list[ops.Op] = []
    for current in ancestry(owner):
        for function in (current.function, *(method for _, method in _methods_bound(current))):
            for value in _bound_in(function).get(name, ()):
                if value is None or not _is_list(value):
                    return None
                found.append(value)
    return found[0] if found else None


@searched_once
def _bound_in(function: ops.Function) -> Mapping[str, tuple[ops.Op | None, ...]]:
    """What a class binds to its names, or a method to fields; None for what a loop or an unpacking takes.

    What is a list stays one where `+=` adds to it; a declaration binds nothing.
    """
    is_class = function.kind == "class"
    found: dict[str, tuple[ops.Op | None, ...]] = {}
    for target, op in stores_in(function.body if is_class else function.inner.ops):
        if type(target) is not (ops.Name if is_class else ops.Attr) or (type(op) is ops.Store and op.kind == "augment"):
            continue
        value = op.value if type(op) is ops.Store and target in op.targets else None
        if value is not None or type(op) is not ops.Store or target not in op.targets:
            found[target.name] = (*found.get(target.name, ()), value)
    return found


def _is_list(op: ops.Op) -> bool:
    """Is a list written there, or what makes an empty one for each object of a dataclass?"""
    match op:
        case ops.Build(kind="list"):
            return True
        case ops.Operate(operator="*" | "+", operands=operands):
            return any(type(one) is ops.Build and one.kind == "list" for one in operands)
        case ops.Call(func=ops.Name(name="list")):
            return True
        case ops.Call(func=func, keywords=keywords):
            makers = [value for key, value in keywords if key == FACTORY_OF_FIELD]
            is_field = isinstance(func, (ops.Name, ops.Attr)) and func.name == "field"
            return is_field and any(type(one) is ops.Name and one.name == "list" for one in makers)
    return False


def is_left(owner: ClassValue) -> bool:
    """Do all methods but the constructor leave the fields of an object as they are?"""
    return not any(base.kind is not CLASS for current in ancestry(owner) for base in current.bases) and not any(
        stored_elsewhere(current) for current in ancestry(owner)
    )


def settled_fields(owner: ClassValue) -> dict[str, str]:
    """The fields that hold one constant from the start, as text: the class and all of its methods store no other."""
    if not owner.attributes:  # its body still runs
        return {}
    _note_stored(owner)
    if owner.settled is None:
        values: dict[str, set[str | None]] = {}
        from_start: set[str] = set()
        for ancestor in ancestry(owner):
            for name, bound in ancestor.attributes.items():
                function = _plain(bound)
                if function is None:
                    values.setdefault(name, set()).add(None if bound.constant is OPEN else repr(bound.constant))
                    from_start.add(name)
                elif function.function.parameters:
                    stored = stores_into(function.function.inner.ops, function.function.parameters[0].name)
                    for target, op in stored:
                        values.setdefault(target, set()).add(_stored_constant(op))
                        from_start.update((target,) if name in CONSTRUCTORS else ())
        owner.settled = {
            name: text for name, (text, *others) in values.items()
            if text is not None and not others and name in from_start
        }  # fmt: skip
    return owner.settled


def begins_with_none(owner: ClassValue, name: str) -> bool:
    """Does a class, or a constructor of its objects, put None in a field?"""
    for ancestor in ancestry(owner):
        held = ancestor.attributes.get(name)
        if held is not None:
            return held.constant is None
        for constructor in CONSTRUCTORS:
            function = _plain(bound) if (bound := ancestor.attributes.get(constructor)) is not None else None
            if function is not None and function.function.parameters:
                receiver = function.function.parameters[0].name
                stored = [
                    _stored_in(target, op) for target, op in stores_in(function.function.body)
                    if type(target) is ops.Attr and target.name == name
                    and type(target.base) is ops.Name and target.base.name == receiver
                ]  # fmt: skip
                if stored:
                    return type(stored[-1]) is ops.Const and stored[-1].value is None
    return False


def _stored_in(target: ops.Op, op: ops.Op) -> ops.Op | None:
    """What a statement stores in a target, also in one of several: `self.n, self.made = n, None`."""
    if type(op) is not ops.Store or op.kind not in ("assign", "annotate"):
        return None
    for one in op.targets:
        if one is target:
            return op.value
        if type(one) is ops.Unpack and target in one.parts and type(op.value) is ops.Build:
            return op.value.parts[one.parts.index(target)] if len(one.parts) == len(op.value.parts) else None
    return None


def _stored_constant(op: ops.Op) -> str | None:
    """The text of the constant that a statement stores."""
    is_plain = type(op) is ops.Store and op.kind in ("assign", "annotate") and type(op.targets[0]) is ops.Attr
    return repr(op.value.value) if is_plain and type(op.value) is ops.Const else None  # type: ignore[attr-defined]


def sets_by_name(owner: ClassValue) -> bool:
    """Do methods of a class set fields of its objects one after the other, by names that are not known?"""
    _note_stored(owner)
    if owner.sets_by_name is None:
        owner.sets_by_name = any(
            _is_set_by_name(op, function.parameters[0].name)
            for _, function in _methods_bound(owner) for part in function.inner.ops for turn in within(part)
            if type(turn) is ops.Loop or type(turn) is ops.Gather for op in within(turn)
        )  # fmt: skip
    return owner.sets_by_name


def _methods_bound(owner: ClassValue) -> Iterator[tuple[str, ops.Function]]:
    """The functions with a receiver that a class binds, by the names that it binds them to."""
    for name, bound in owner.attributes.items():
        function = _plain(bound)
        if function is not None and function.function.parameters:
            yield name, function.function


def _note_stored(owner: ClassValue) -> None:
    """Note that somebody depends on what the methods of a class store: that is found out only once."""
    for one in ancestry(owner):
        if one.origins is None or one.origins[0] != len(one.attributes):
            found = dict.fromkeys(function.anchor.origin for _, function in _methods_bound(one))
            one.origins = len(one.attributes), tuple(found)
        for origin in one.origins[1]:
            origin.note_stored()


def _is_set_by_name(op: ops.Op, receiver: str) -> bool:
    if type(op) is not ops.Call or type(op.func) is not ops.Name or op.func.name != "setattr" or len(op.args) != 3:
        return False
    holder, name, _ = op.args
    return type(holder) is ops.Name and holder.name == receiver and type(name) is not ops.Const


def _plain(bound: Value) -> FunctionValue | None:
    payload = bound.payload
    while isinstance(payload, (Wrapped, Decorated)):
        payload = payload.callee.payload
    return payload if isinstance(payload, FunctionValue) else None


def stores_into(body: ops.Body, receiver: str) -> Iterator[tuple[str, ops.Op]]:
    """The names stored into the receiver by the statements of a body, with the statements."""
    for target, op in stores_in(body):
        if type(target) is ops.Attr and type(target.base) is ops.Name and target.base.name == receiver:
            yield target.name, op


def stores_in(body: ops.Body) -> Iterator[tuple[ops.Op, ops.Op]]:
    """What the statements of a body store to, with the statements."""
    for op in statements_in(body):
        targets = op.targets if type(op) is ops.Store else (op.target,) if type(op) is ops.Loop else ()
        yield from ((one, op) for target in targets for one in targets_in(target))
