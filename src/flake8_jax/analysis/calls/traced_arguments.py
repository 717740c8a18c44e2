"""Transfer of arguments through a transform: what the transformed function gets for each.

jit(f)(1.0, [a, b], None, "mean", unknown)      an array, a list of tracers, None, "mean", a tree of tracers
filter_jit(f)(1.0, unknown)                     1.0 and unknown stay what they are; only arrays are traced
"""

from __future__ import annotations

from flake8_jax.analysis.callables import (
    OPTIONAL,
    Applied,
    Arguments,
    FunctionValue,
    InstanceOf,
    Wrapped,
    axis_of_lanes,
    underlying,
    visible_names,
)
from flake8_jax.analysis.objects.annotations import TEXT_OR_ABSENT
from flake8_jax.analysis.objects.dtypes import dtype_of_operand
from flake8_jax.analysis.objects.instances import is_configuration
from flake8_jax.api.table import Table
from flake8_jax.api.transforms import Transform
from flake8_jax.domain.constants import OPEN, spelled
from flake8_jax.domain.kinds import (
    ARRAY,
    ARRAYS_OR_COMPUTED,
    COMPUTED,
    INDEXED_ARRAYS,
    INPUT,
    INSTANCE,
    KEY,
    KEYS,
    NUMBER,
    OBJECT,
    REF,
    STATIC,
    TRACED_AS_ARRAY,
    TREE_NODES,
    UNKNOWN,
)
from flake8_jax.domain.payload import OR_REFERENCE, STORAGE, Elements, Entries, Named, Payload, reason, without_parts
from flake8_jax.domain.provenance import ASSUMED, Certainty, Trace, certain_if
from flake8_jax.domain.shape import Shape
from flake8_jax.domain.staging import NONE, FlagType, Token, certain, unite
from flake8_jax.domain.value import Value, constant, unknown
from flake8_jax.lazy_dataclasses import replace


def pass_argument(value: Value, token: Token, transform: Transform, along: int | None = None) -> Value:
    """The value that the transformed function gets for an argument; of lanes, if it is known, `along` which axis."""
    if transform.passes == "ref":
        return _reference(value, token)
    kept = transform.keeps == "non-arrays"
    dependences = unite(value.dependences, frozenset((token,)))
    kind = value.kind
    if kind is ARRAY or kind is COMPUTED or (kind in TRACED_AS_ARRAY and not kept):
        inside = ARRAY if kind is not COMPUTED else COMPUTED
        outside = value if kind is ARRAY and value.made_by is None else None  # declared as an array, it may be a key
        doubt = value.payload if inside is kind else None
        shape = () if kind is NUMBER else _lane(value.shape, along) if _takes_turns(transform) else value.shape
        like = value.like if shape is None and not _takes_turns(transform) else None
        return Value(inside, dependences, doubt, value.made_by, shape, dtype_of_operand(value), outside, like)
    if kind is KEY or kind is KEYS or kind is REF:
        inside = KEY if kind is KEYS and _takes_turns(transform) else kind
        return Value(inside, dependences, value.payload if inside is kind else None, value.made_by, caller_value=value)
    payload = value.payload
    if type(payload) is Entries or (type(payload) is Elements and payload.parts is not None):
        return Value(kind, value.dependences, _parts(payload, token, transform, along), value.made_by)
    if kept and kind is not INSTANCE:
        is_lane = kind is INPUT and value.input is not None and _takes_turns(transform)
        return Value(INPUT, value.dependences, None, value.made_by, caller_value=value) if is_lane else value
    if kind is OBJECT and type(payload) is Named:
        return Value(OBJECT, dependences, payload, value.made_by, caller_value=value)
    if kind is STATIC:
        return Value(COMPUTED, dependences, None, value.made_by, (), "bool") if type(value.constant) is bool else value
    if kind is INSTANCE:
        outside = _lane_of_object(value, token, transform, along) if _takes_turns(transform) else value
        return Value(INSTANCE, dependences, without_parts(payload), value.made_by, caller_value=outside)
    if kind is UNKNOWN or kind is INPUT or kind in TREE_NODES:
        dtype = dtype_of_operand(value) if kind is INPUT else None
        like = value.alike if kind is INPUT and not _takes_turns(transform) else None
        return Value(INPUT, dependences, None, value.made_by, dtype=dtype, caller_value=value, like=like)
    return value


def _lane_of_object(value: Value, token: Token, transform: Transform, along: int | None) -> Value:
    """An object of which each array is mapped, or its rows are taken in turns."""
    if type(value.payload) is not InstanceOf or not value.payload.parts:
        return value
    parts = {name: pass_argument(part, token, transform, along) for name, part in value.payload.parts.items()}
    return replace(value, payload=replace(value.payload, parts=parts))


def _lane(shape: Shape, along: int | None) -> Shape:
    """The shape of one lane of an array."""
    if shape is None or along is None or not -len(shape) <= along < len(shape):
        return None
    place = along % len(shape)
    return (*shape[:place], *shape[place + 1 :])


def _takes_turns(transform: Transform) -> bool:
    """Does the transformed function get an element of each argument, on each lane or turn?"""
    return transform.stage == "mapped" or bool(transform.axes) or (transform.loops and bool(transform.wraps))


def _reference(value: Value, token: Token) -> Value:
    """The reference to an array; of each leaf of a tree one."""
    payload = value.payload
    if type(payload) is Elements and payload.parts is not None:
        parts = tuple(_reference(part, token) for part in payload.parts)
        return Value(value.kind, NONE, Elements(parts), value.made_by)
    if type(payload) is Entries:
        entries = {name: _reference(part, token) for name, part in payload.parts.items()}
        return Value(value.kind, NONE, Entries(entries), value.made_by)
    if value.constant is None:
        return value
    is_leaf = value.kind in TRACED_AS_ARRAY or value.kind is COMPUTED
    return Value(REF, frozenset((token,)), STORAGE if is_leaf else OR_REFERENCE, value.made_by)


def _parts(payload: Elements | Entries, token: Token, transform: Transform, along: int | None) -> Payload:
    if isinstance(payload, Entries):
        return Entries({
            name: pass_argument(part, _named(token, f"{token.trace.value}[{spelled(name)}]"), transform, along)
            for name, part in payload.parts.items()
        })  # fmt: skip
    return Elements(tuple(pass_argument(part, token, transform, along) for part in payload.held()), payload.form)


def _named(token: Token, name: str) -> Token:
    return token if not token.trace.value else replace(token, trace=replace(token.trace, value=name))


def _is_optional(value: Value) -> bool:
    """Is it an argument that a call may leave out, or the same one under another transform?"""
    outer = certain(value.dependences)
    return outer.certainty is ASSUMED if outer is not None else value.payload == reason(OPTIONAL)


def _is_text_or_absent(found: FunctionValue | None, name: str) -> bool:
    """Does an argument hold None, by its annotation, wherever JAX traces it, since it takes no text?"""
    annotation = found.annotations.get(name) if found is not None else None
    return annotation is not None and annotation.name == TEXT_OR_ABSENT


def keep_static(value: Value) -> Value:
    """The value of a static argument: of the host, because JAX refuses a tracer there before the function runs.

    An input stays what it is, so that callables and objects are known by it; but it depends on no trace.
    """
    if value.kind is INPUT:
        return Value(INPUT, NONE, value.payload, value.made_by, caller_value=value)
    return Value(STATIC, NONE, OPEN, value.made_by) if value.kind in ARRAYS_OR_COMPUTED else value


FLAGS: dict[type, FlagType] = {bool: "bool", int: "int", str: "str"}
ANNOTATED: dict[str, FlagType] = {"bool": "bool", "int": "int", "str": "str"}


def _flag(wrapped: Wrapped, name: str, value: Value) -> FlagType:
    """The type of the host of an argument of a jitted function, by the call, the default or the annotation."""
    transform, found = wrapped.applied.transform, underlying(wrapped.callee)
    if transform.role != "jitted" or transform.keeps == "non-arrays" or found is None:
        return ""
    default, annotation = found.defaults.get(name), found.annotations.get(name)
    for known in (default, value):
        flag = FLAGS.get(type(known.constant)) if known is not None else None
        if flag is not None and (known is default or flag != "int"):  # a number that is passed may be data
            return flag
    return ANNOTATED.get(annotation.name, "") if annotation is not None else ""


def index_of_loop(token: Token) -> Token:
    """The token of the counter of a traced loop."""
    return Token(token.trace, token.stage, True, certainty=token.certainty)


def place_of(wrapped: Wrapped) -> tuple[str, str, int]:
    """What tells a transformed function from others, as its traces do."""
    found = underlying(wrapped.callee)
    return wrapped.applied.path, found.function.name if found is not None else "<function>", wrapped.applied.line


def _is_axis_known(axes: Value | None, place: int) -> bool:
    """Is it known along which axis an argument is mapped, or that it is not?"""
    if axes is None or axes.kind is NUMBER:
        return True
    part = axes if axes.elements is None else axes.elements[place] if place < len(axes.elements) else None
    return part is not None and (part.kind is NUMBER or (part.constant is None and part.kind is STATIC))


def _is_python_number(value: Value) -> bool:
    """Is a value a number of Python, which has no axis to be mapped along, so that it stays a number where it may?"""
    return type(value.constant) in (bool, int, float)


def _has_no_axis(applied: Applied, place: int) -> bool:
    """Are there fewer axes than arguments, which is told, so that nobody knows whether this one is mapped?"""
    axes = applied.axes.elements if applied.transform.axes and applied.axes is not None else None
    return axes is not None and place >= len(axes)


def enter(
    table: Table, wrapped: Wrapped, arguments: Arguments, *, is_prepared: bool = False
) -> tuple[Arguments, Token | None]:
    """The arguments that the wrapped function gets, and the token of its stage.

    There is a token only where arrays made inside are tracers.  What is traced where errors `is_prepared` for is only
    likely to be a hazard.
    """
    applied = wrapped.applied
    transform = applied.transform
    names = visible_names(wrapped.callee)
    found = underlying(wrapped.callee)
    function = found.function.name if found is not None else "<function>"
    role = transform.role or "traced by"

    sure = certain_if(not is_prepared)

    def token(value: str, certainty: Certainty = sure) -> Token:
        trace = Trace(
            value, function, transform.name, role, applied.path, applied.line, transform.is_compiled, applied.text
        )
        kept = transform.keeps == "non-arrays"
        updates = bool(transform.updates)
        return Token(
            trace, transform.stage, for_arrays=kept, certainty=certainty, mode=transform.mode, updates=updates
        )  # fmt: skip

    def hand(place: int, name: str, value: Value, is_static: bool, is_passed: bool, along: int | None) -> Value:
        if is_static or is_passed:
            return keep_static(value) if is_static and transform.stage == "staged" else value
        if type(value.payload) is InstanceOf and is_configuration(table, value.payload.owner):
            return value
        if place in applied.unmapped:
            if value.kind in INDEXED_ARRAYS and transform.axes and not _is_axis_known(applied.axes, place):
                return unknown("all of an array, or a part of it")
            return replace(value, caller_value=value) if value.input is not None and not transform.keeps else value
        if not isinstance(value.constant, str) and _is_text_or_absent(found, name):
            return value if transform.keeps else constant(None)
        traced, flag = token(name, ASSUMED if _is_optional(value) else sure), _flag(wrapped, name, value)
        if flag and value.constant is not None:
            return Value(COMPUTED, frozenset((replace(traced, flag=flag),)), None, value.made_by)
        return pass_argument(value, traced, transform, along)

    if transform.stage == "host":
        held = tuple(unknown("argument of a callback") for _ in arguments.positional)
        return Arguments(held, dict.fromkeys(arguments.keywords, unknown("argument of a callback"))), None
    if transform.stage == "transparent" and not transform.passes:
        return arguments, None
    is_gradient = transform.stage == "differentiated"
    positional = []
    for place, value in enumerate(arguments.positional):
        name = names[place] if place < len(names) else ""
        is_static = applied.may_be_static(name, place)
        along = axis_of_lanes(applied, place)
        is_kept = _has_no_axis(applied, place) or (is_gradient and place not in applied.differentiated)
        is_kept = is_kept or (along is not None and _is_python_number(value))
        positional.append(hand(place, name, value, is_static, is_kept, along))
    keywords = {}
    for name, value in arguments.keywords.items():
        place = names.index(name) if name in names else -1
        is_static = applied.may_be_static(name, place if transform.stage == "staged" else -1)
        along = 0 if transform.axes == "in_axes" else None
        is_kept = is_gradient or (along is not None and _is_python_number(value))
        keywords[name] = hand(place, name, value, is_static, is_kept, along)
    staged = token("") if transform.stage == "staged" else None
    return Arguments(tuple(positional), keywords, arguments.is_open, arguments.ops, arguments.keyword_ops), staged
