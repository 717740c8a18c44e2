"""Callables and classes as values: functions, partials, transformed functions, decorated ones."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING, Literal, TypeAlias

from flake8_jax.domain.conditions import ALWAYS, Path
from flake8_jax.domain.constants import Constant
from flake8_jax.domain.payload import Compound, Key, Payload, Reason, Step, reason
from flake8_jax.domain.summary import Summary
from flake8_jax.domain.value import Value, unknown
from flake8_jax.ir.ops import Function, Op
from flake8_jax.ir.parts import Host, Origin
from flake8_jax.lazy_dataclasses import dataclass, field, replace

if TYPE_CHECKING:
    from flake8_jax.analysis.frame import Frame
    from flake8_jax.analysis.record import Record
    from flake8_jax.api.class_decorators import Hashing
    from flake8_jax.api.transforms import Transform


AccessPath: TypeAlias = tuple[str, tuple[Step, ...]]
"""A parameter, and the steps from there to a part of it."""


@dataclass(frozen=True, slots=True)
class Tracer:
    """The argument at a path is a tracer, whatever the annotation of its parameter promises."""


@dataclass(frozen=True, slots=True)
class RecordOf:
    """The argument at a path is an object of this class of a library, whose fields are arrays or trees of arrays."""

    name: str


KnownArgument: TypeAlias = "ClassValue | Value | int | tuple[Key, ...] | Tracer | RecordOf"
"""What stands at a path: an object of a class, a callable, how many `*args` or which `**kwargs` come."""

KnownArguments: TypeAlias = tuple[tuple[AccessPath, KnownArgument], ...]
"""What a call is known to hand in, by path."""


Presets: TypeAlias = "tuple[tuple[str, Value], ...]"
"""Parameters of a function with the values that they are preset to."""


@dataclass(slots=True, eq=False)
class FunctionValue:
    """A `def` or `lambda` that was evaluated: its body, enclosing frame, defaults and annotations.

    `is_top_level`: it is inside no other function; its summary is computed once for all callers.  `record` is the one
    that it was made in; later callers reuse the `summary` that was computed there.  `is_listed`: that record lists it,
    and runs it for its events if nobody calls it.  `given` are the arguments that it is specialized for, by access path
    (`specialization.py`), `specializations` are its specializations; `imitates` is the function that it wraps and looks
    like (`functools.wraps`).  It `is_unstaged` if a decorator has JAX stage nothing while it runs.
    """

    function: Function
    frame: Frame
    defaults: dict[str, Value]
    annotations: dict[str, Value]
    owner: ClassValue | None
    record: Record
    path: Path = ALWAYS
    receiver: Literal["instance", "class", "none"] = "instance"
    is_top_level: bool = False
    is_listed: bool = False
    summary: Summary | None = None
    given: KnownArguments = ()
    specializations: dict[KnownArguments, FunctionValue] = field(default_factory=dict)
    imitates: Value | None = None
    is_unstaged: bool = False

    @property
    def is_independent_of_callers(self) -> bool:
        """Does the behaviour of the function depend on its arguments alone?  Then no function around it is still
        running.
        """
        if self.is_top_level:
            return True
        return self.is_listed and self.frame.has_ended and not self.frame.is_specialized and self.summary is None

    def text(self) -> str:
        """A short spelling, for people."""
        what = "" if self.function.kind == "lambda" else "function "
        return f"{what}{self.function.title}{' as called' if self.given else ''}"


def stands_for_others(function: Function, is_method: bool) -> bool:
    """Is it a stub: what a call of it runs is a method of a subclass, or declared elsewhere?"""
    return function.is_empty and (is_method or function.is_declared_only)


@dataclass(slots=True, eq=False)
class Partial:
    """A callable with its first arguments bound: `functools.partial(f, a, b=c)`, or a method with its receiver."""

    callee: Value
    arguments: Arguments

    def text(self) -> str:
        """A short spelling, for people."""
        count = len(self.arguments.values())
        return f"{self.callee.text()} with {count} argument{'s' * (count != 1)}"


@dataclass(slots=True, eq=False)
class FieldFactory:
    """What a class binds to a field of which each object has its own value: `field(default_factory=f)`."""

    factory: Value

    def text(self) -> str:
        """A short spelling, for people."""
        return f"made by {self.factory.text()}"


EVERYTHING = frozenset(range(64))
"""The positions of all arguments: where options are not known, each of them may be static."""


@dataclass(slots=True, eq=False)
class Applied:
    """A transform with its options, where it was applied.

    `static_names` and `static_numbers` are the static parameters, `unmapped` and `differentiated` positions of
    arguments.  `has_aux`: the function may return auxiliary data beside its result; `returns_pair`: it does;
    `axes`: along which it maps its arguments, or how it shards them (all is in its `options`); `leads`: the lanes lie
    along the first
    axes of its arguments and results.  `donated_names` and `donated_numbers` are the parameters whose buffers it may
    write results into; `op` is the call that applies it.  `is_lenient`: an option lets it differentiate integers or
    complex numbers; `is_several`: it may differentiate several arguments.  `is_chosen`: to one of several functions, of
    which something else may choose those that fit it.  `on_path`: what held of the arguments of whoever applied it.
    """

    transform: Transform
    path: str
    line: int
    text: str
    static_names: frozenset[str] = frozenset()
    static_numbers: frozenset[int] = frozenset()
    unmapped: frozenset[int] = frozenset()
    differentiated: frozenset[int] = frozenset((0,))
    has_aux: bool = False
    returns_pair: bool = False
    axes: Value | None = None
    options: dict[str, Value] = field(default_factory=dict, kw_only=True)
    leads: bool = False
    donated_names: frozenset[str] = frozenset()
    donated_numbers: frozenset[int] = frozenset()
    op: Op | None = None
    is_lenient: bool = False
    is_several: bool = False
    is_chosen: bool = False
    on_path: Path = ALWAYS

    def may_be_static(self, name: str, place: int = -1) -> bool:
        """Is an argument static, or not known to be traced? One that only a keyword tells has no place."""
        numbers = self.static_numbers
        return name in self.static_names or place in numbers or numbers >= EVERYTHING


Captured: TypeAlias = Literal["", "data", "code", "function"]
"""What a function captures of the body that makes it: nothing, data, or code as well, which are functions, and objects
whose methods it calls; or it is itself a function that the body was given."""


@dataclass(frozen=True, slots=True)
class MadeAnew:
    """What is compiled is another object each time: in each call of `body`, and in each turn of these `loops` in it.

    `op` makes it, by the transform `by`, which `runs` it at once or wraps it; what is new is of this `form`, called
    `function`, and `captures` something of the body, under these `names` as far as they are known.
    If it `is_shared`, several calls may run what is compiled once; it `is_returned`, or its callers never see it.  It
    `needs` objects of callers, another one for each, and `takes` these and other inputs.
    """

    op: Op
    body: Function
    loops: tuple[Op, ...]
    by: str
    form: Literal["lambda", "def", "partial", "method", "wrapper", "any"]
    function: str
    runs: bool
    captures: Captured = ""
    names: tuple[str, ...] = ()
    is_shared: bool = False
    is_returned: bool = False
    needs: tuple[Value, ...] = ()
    takes: tuple[Value, ...] = ()


@dataclass(slots=True, eq=False)
class Wrapped:
    """A transformed callable.

    `rules` are the functions that its derivative runs, by the names of the methods that state them (`defvjp`);
    `making` says how often it is made anew, if it compiles; `ways` are calls of one file that pass the same parameters,
    by how many of them are passed by position, `types` those that pass something for a parameter, in one shape, by its
    type.
    """

    callee: Value
    applied: Applied
    rules: dict[str, tuple[Value, ...]] = field(default_factory=dict)
    making: MadeAnew | None = None
    ways: dict[tuple[str, frozenset[str]], dict[int, Op]] = field(default_factory=dict)
    types: dict[tuple[str, str, tuple[int | None, ...]], dict[str, Op]] = field(default_factory=dict)

    def text(self) -> str:
        """A short spelling, for people."""
        return f"{self.callee.text()} under `{self.applied.transform.name}`"


@dataclass(slots=True, eq=False)
class MethodRun:
    """A library's method that runs a function of the project: `net.apply`, with the arguments `before` its own.

    `module` is the object whose method that is; None if a transform made the method of a function.
    """

    callee: Value
    before: tuple[str, ...]
    module: Value | None

    def text(self) -> str:
        """A short spelling, for people."""
        return f"run of {self.callee.text()}"


@dataclass(slots=True, eq=False)
class Decorated:
    """`staticmethod`, `classmethod` or `property` around a callable."""

    decorator: str
    callee: Value

    def text(self) -> str:
        """A short spelling, for people."""
        return f"{self.callee.text()} under `{self.decorator}`"


@dataclass(slots=True, eq=False)
class ClassDecorator:
    """A decorator of this name that returns its class: frozen, a pytree with some `metadata`, hashed in some way.

    `flattened` are the children that a function is said to flatten objects into.
    """

    freezes: bool
    makes_tree: bool
    metadata: frozenset[str] = frozenset()
    hashing: Hashing | None = None
    name: str = ""
    flattened: frozenset[str] | None = None

    def text(self) -> str:
        """A short spelling, for people."""
        return "decorator of classes"

    def decorate(self, decorated: Value) -> Value:
        """The class, marked by the decorator."""
        owner = decorated.payload
        assert isinstance(owner, ClassValue)
        owner.is_frozen |= self.freezes
        owner.frozen_by = self.name if self.freezes else owner.frozen_by
        owner.is_tree |= self.makes_tree
        owner.hashing = self.hashing or owner.hashing
        owner.declare_metadata(self.metadata)
        if self.flattened is not None and owner.flattened is None:
            owner.flattened = self.flattened
        return decorated


@dataclass(slots=True, eq=False)
class DecoratorRunner:
    """A decorator that runs its function at once, under a transform (`pl.when(condition)`)."""

    transform: Transform
    given: dict[str, Value]

    def text(self) -> str:
        """A short spelling, for people."""
        return f"decorator `{self.transform.name}`"


@dataclass(slots=True, eq=False)
class Super:
    """The value of `super()` in a method of `owner`."""

    receiver: Value
    owner: ClassValue

    def text(self) -> str:
        """A short spelling, for people."""
        return f"super() of `{self.owner.name}`"


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields that the constructors of a class store.

    `unsettled` are the fields that are stored elsewhere, too; `records` are those of the constructors.
    """

    stored: dict[str, Value] = field(default_factory=dict)
    unsettled: frozenset[str] = frozenset()
    records: tuple[Record, ...] = ()


@dataclass(frozen=True, slots=True)
class Members:
    """What the members of an enumeration stand for: by name, and by what it is called with, if all of that is known.

    If they `are_as_bound`, each stands for the constant that the class binds to its name.
    """

    by_name: dict[str, Constant]
    by_value: dict[Host, Constant]
    are_as_bound: bool


@dataclass(slots=True, eq=False)
class ClassValue:
    """A class of this project: its bases, attributes, annotations and fields.

    An instance of one that `is_tree` is a pytree, the fields in `leaves` are scalars in it, `metadata` are no parts,
    and those in `children` are parts of it, unless a method of its own hands JAX those that are `flattened`; those in
    `elsewhere` are stored by methods of its own other than the constructor, those in `settled` only ever hold one
    constant, whose text stands there; both are computed on demand, as are its `ancestry`, the `libraries` that classes
    in it are of, the methods that are `reached` from others, the stages in which it is `rebuilt`, and whether it
    `sets_by_name` what is not known, what it holds `transformed` (of which fields, of how many attributes), and the
    `origins` of its methods (of how many attributes).
    `is_handed`: it was passed to what may register it, in its own file.  `is_counted`: it matters how many objects are
    made of it, wherever that is.
    `hashing`: how a decorator says that its objects are hashed; `frozen_by` is the one that freezes them.  `factories`
    are what makes the values of fields that each object has for itself.  `unplaced` are the fields that its constructor
    takes by name only, or not at all, and from where `is_by_name` holds all fields are.  `members` are those of an
    enumeration, found on demand.
    """

    name: str
    bases: tuple[Value, ...]
    attributes: dict[str, Value]
    annotations: dict[str, Value]
    function: Function
    fields: Fields | None = None
    is_tree: bool = False
    leaves: frozenset[str] = frozenset()
    children: frozenset[str] = frozenset()
    flattened: frozenset[str] | None = None
    metadata: frozenset[str] = frozenset()
    is_frozen: bool = False
    frozen_by: str = ""
    is_tuple: bool = False
    elsewhere: tuple[frozenset[str], tuple[Origin, ...]] | None = None
    settled: dict[str, str] | None = None
    sets_by_name: bool | None = None
    origins: tuple[int, tuple[Origin, ...]] | None = None
    transformed: tuple[Fields, int, list[tuple[str, Value]]] | None = None
    ancestry: tuple[ClassValue, ...] = ()
    libraries: tuple[str, ...] | None = None
    reached: dict[frozenset[str], tuple[frozenset[str], Record]] = field(default_factory=dict)
    rebuilt: set[str] = field(default_factory=set)
    is_handed: bool = False
    is_counted: bool = False
    hashing: Hashing | None = None
    factories: dict[str, Value] = field(default_factory=dict)
    unplaced: set[str] = field(default_factory=set)
    is_by_name: bool = False
    members: Members | None = None

    def text(self) -> str:
        """A short spelling, for people."""
        return f"class `{self.name}`"

    def declare_metadata(self, names: frozenset[str]) -> None:
        """Note which fields of the class are static metadata and no children of the pytree, whatever their annotations
        say.
        """
        self.metadata |= names
        self.leaves -= names
        self.children -= names


@dataclass(frozen=True, slots=True)
class Copied:
    """How an object was copied: from which one, if that is known, and with which fields changed."""

    original: Value | None
    changed: dict[str, Value]

    def text(self) -> str:
        """A short spelling, for people; it is the payload of a copy whose class is not known."""
        return "copy of an unknown object"

    def met(self, other: Copied, join: Callable[[Value, Value], Value]) -> Copied:
        """What is known of either copy.

        A field that was changed in one of them only may have any value.
        """
        if self.original is None or self.original is not other.original:
            return Copied(None, {})
        changed = {name: unknown("replaced on one path only") for name in (*self.changed, *other.changed)}
        both = {name: join(value, other.changed[name]) for name, value in self.changed.items() if name in other.changed}
        return Copied(self.original, {**changed, **both})


@dataclass(frozen=True, slots=True)
class InstanceOf(Compound):
    """An object of a class of this project, with the fields known from its construction.

    `copied`: it is a copy of another object (`state.replace(rng=new)`).
    """

    owner: ClassValue
    parts: dict[str, Value] | None = None
    copied: Copied | None = None

    def held(self) -> Collection[Value]:
        """The fields."""
        return self.parts.values() if self.parts else ()

    @property
    def is_declared(self) -> bool:
        """Do annotations alone give it a class, of which it may be of one below; or what it is a copy of?"""
        if self.copied is None:
            return self.parts is None
        original = self.copied.original
        return original is None or not isinstance(original.payload, InstanceOf) or original.payload.is_declared

    def without_parts(self) -> Payload:
        """An object of the class."""
        return self if self.parts is None and self.copied is None else InstanceOf(self.owner)

    def met(self, other: Payload, join: Callable[[Value, Value], Value]) -> Payload | None:
        """An object of the class; a copy with the fields changed in either, if one is a copy."""
        if not isinstance(other, InstanceOf) or self.owner is not other.owner:
            return None
        mine, others = self._as_copy(other), other._as_copy(self)
        if mine is None or others is None:
            return self.without_parts()
        return InstanceOf(self.owner, None, mine.met(others, join))

    def _as_copy(self, other: InstanceOf) -> Copied | None:
        """This object as a copy, if the other one is a copy: of the same original, if this one is that original."""
        if self.copied is not None or other.copied is None:
            return self.copied
        original = other.copied.original
        return Copied(original if original is not None and original.payload is self else None, {})

    def text(self) -> str:
        """A short spelling, for people."""
        return f"instance of `{self.owner.name}`"


@dataclass(slots=True, eq=False)
class Arguments:
    """The arguments of one call; `is_open` if there is `*x` or `**x` of unknown length.

    `rest` is what each element of `*x` is, where nothing but these can stand at the places that follow.
    """

    positional: tuple[Value, ...] = ()
    keywords: dict[str, Value] = field(default_factory=dict)
    is_open: bool = False
    ops: tuple[Op | None, ...] = ()
    keyword_ops: dict[str, Op] = field(default_factory=dict)
    rest: Value | None = None

    def values(self) -> list[Value]:
        """All of them, in order."""
        return [*self.positional, *self.keywords.values()]

    def get(self, position: int, name: str) -> Value | None:
        """The argument for a parameter that may be given by position or by name."""
        if position < len(self.positional):
            return self.positional[position]
        return self.keywords.get(name)

    def without(self, names: Collection[str]) -> Arguments:
        """The arguments but those that are passed by one of these keywords."""
        keywords = {name: value for name, value in self.keywords.items() if name not in names}
        return replace(self, keywords=keywords)

    def written(self, position: int, name: str = "") -> Op | None:
        """The op of the argument that `get` gives; None if no call spells it: a transform may be the caller."""
        if position < len(self.positional):
            return self.ops[position] if position < len(self.ops) else None
        return self.keyword_ops.get(name)


OPTIONAL = "default None may be overridden"
OVERRIDABLE = "default may be overridden"
"""Why an argument is unknown that no call is seen to pass."""


def is_optional(value: Value) -> bool:
    """Is it an argument that a call of a traced function may leave out?"""
    payload = value.payload
    return type(payload) is Reason and payload.reason in (OPTIONAL, OVERRIDABLE)


CallMode: TypeAlias = Literal["plain", "root", "host", "abstract", "either"]
"""How a call happens.

As written; for all calls there may be; outside the trace; for shapes only, drawing nothing; perhaps, using up keys.
"""


def class_behind(payload: Payload | None) -> ClassValue | None:
    """The class that a value is, or is an instance of."""
    if isinstance(payload, InstanceOf):
        return payload.owner
    return payload if isinstance(payload, ClassValue) else None


COMPILED = "compiled form of an unknown function"
"""Why the result of `jax.jit(f)` is unknown where `f` is: what it does, not that JAX runs it."""


def layers(value: Value) -> Iterator[Wrapped | Partial | MethodRun]:
    """The wrappers around the innermost callable (partials, transforms, decorators), outermost first."""
    payload = value.payload
    while isinstance(payload, (Wrapped, Partial, MethodRun)):
        yield payload
        payload = payload.callee.payload


def runs_compiled(value: Value) -> bool:
    """Does a call run a compiled program, which is not waited for?"""
    if value.payload is reason(COMPILED):
        return True
    return any(isinstance(layer, Wrapped) and layer.applied.transform.is_compiled for layer in layers(value))


def waits_itself(value: Value) -> bool:
    """Does a call run a compiled program and return when that is done, as with `equinox.filter_jit`?

    So it does where it is mapped; what is compiled around it, or what takes derivatives, goes on behind that.
    """
    for layer in layers(value):
        if isinstance(layer, Wrapped):
            transform = layer.applied.transform
            if transform.waits or transform.is_compiled or transform.stage not in ("mapped", "transparent"):
                return transform.waits
    return False


def underlying(value: Value) -> FunctionValue | None:
    """The innermost function of a wrapped or partial callable, if there is one."""
    payload = value.payload
    while isinstance(payload, (Wrapped, Partial, Decorated, MethodRun)):
        payload = payload.callee.payload
    return payload if isinstance(payload, FunctionValue) else None


def shown_as(function: Value) -> FunctionValue | None:
    """The function whose signature callers see: for a wrapper with varargs, the function that it imitates.

    One with varargs may look like the function that it wraps.
    """
    found = underlying(function)
    while (
        found is not None
        and found.imitates is not None
        and any(parameter.kind == "varargs" for parameter in found.function.parameters)
    ):
        inner = underlying(found.imitates)
        if inner is None:
            break
        found = inner
    return found


def visible_names(function: Value) -> list[str]:
    """The names of the parameters for positional arguments of a callable, in order."""
    found = shown_as(function)
    if found is None:
        return []
    names = [p.name for p in found.function.parameters if p.kind in ("positional", "normal")]
    for layer in reversed([*layers(function)]):
        if isinstance(layer, MethodRun):
            names = [*(name.rstrip("@") for name in layer.before), *names]
        elif isinstance(layer, Partial):
            names = names[len(layer.arguments.positional) :]
    return names


def axis_of_lanes(applied: Applied, place: int) -> int | None:
    """The axis along which the lanes of a mapped positional argument lie, as `in_axes` says; the first by default."""
    axes = applied.options.get("in_axes")
    if axes is None:
        return 0 if applied.transform.axes == "in_axes" else None
    parts = axes.elements
    axis = axes if parts is None else parts[place] if 0 <= place < len(parts) else None
    found = axis.constant if axis is not None else None
    return found if type(found) is int else None


def callables_given(function: FunctionValue) -> Iterator[FunctionValue | ClassValue]:
    """The functions and classes that a function is specialized for."""
    for _, known in function.given:
        if isinstance(known, ClassValue):
            yield known
        elif isinstance(known, Value):
            yield from filter(None, (underlying(known), class_behind(known.payload)))


def functions_of(owner: ClassValue) -> Iterator[FunctionValue]:
    """The functions that a class binds."""
    yield from filter(None, map(underlying, owner.attributes.values()))
