"""What a transform repeats: turns of its body or lanes of its axis, and the arguments that stay the same.

vmap(f, in_axes=(0, None))(xs, key)     each lane gets `key`
scan(partial(body, key), init, xs)      each turn gets `key`
shard_map(f, in_specs=(P("i"), P()))    each device gets the second argument
"""

from __future__ import annotations

from collections.abc import Iterator

from flake8_jax.analysis.callables import Arguments, InstanceOf, Partial, Wrapped, layers, underlying
from flake8_jax.analysis.objects.classes import is_metadata
from flake8_jax.analysis.objects.dtypes import dtype_of_operand
from flake8_jax.api.transforms import Argument, CallShape, Transform
from flake8_jax.domain.kinds import ARRAY, ARRAYS_OR_COMPUTED, CONTAINERS, KEYS, MAPPED_LEAVES, NUMBER, NUMPY, STATIC
from flake8_jax.domain.payload import Elements, Entries
from flake8_jax.domain.resources import RepeatForm, Repetition
from flake8_jax.domain.shape import Size
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.lazy_dataclasses import replace
from flake8_jax.syntax.policies import POPULATION_NAME

MAXIMUM_DEPTH = 4


def lanes_of(op: Op, wrapped: Wrapped, arguments: Arguments) -> Repetition | None:
    """The lanes of a call of a mapped function."""
    applied, transform = wrapped.applied, wrapped.applied.transform
    if not _maps(transform) or _is_one_lane(applied.axes, arguments):
        return None
    fixed = set(_bound(wrapped.callee))
    if applied.axes is not None and not _compares(applied.axes, arguments):
        fixed.update(value for value in _unmapped(applied.axes, arguments) if value.kind is not KEYS)
    is_same = not arguments.is_open and all(value.original in fixed for value in arguments.values())
    return Repetition(op, "lane", applied.text, frozenset(fixed), is_same and _keeps_all(applied.op))


def _is_one_lane(axes: Value | None, arguments: Arguments) -> bool:
    """Is an array mapped along an axis of the size 1?"""
    values = arguments.positional
    ways = (0,) * len(values) if axes is None else [one.constant for one in axes.elements or (axes,) * len(values)]
    return any(
        type(way) is int and value.shape is not None and -len(value.shape) <= way < len(value.shape)
        and value.shape[way] == 1
        for value, way in zip(values, ways, strict=False)
    )  # fmt: skip


def _keeps_all(op: Op | None) -> bool:
    """Does a transform say that the results of all devices are put side by side, as by `out_specs=P("i")`?"""
    keywords = op.keywords if type(op) is ops.Call else ()
    specs = next((value for name, value in keywords if name == "out_specs"), None)
    parts = specs.parts if type(specs) is ops.Build else (specs,)
    return bool(parts) and all(type(part) is ops.Call and bool(part.args) for part in parts)


def _compares(axes: Value, arguments: Arguments) -> bool:
    """Are the lanes the members of a population, which are meant to be compared on the same random numbers?"""
    ways = axes.elements or ()
    names = [
        getattr(op, "name", "") for op, axis in zip(arguments.ops, ways, strict=False) if not _is_whole(axis)
    ]  # fmt: skip
    return bool(names) and all(POPULATION_NAME.search(name) for name in names)


def _maps(transform: Transform) -> bool:
    return transform.stage == "mapped" or bool(transform.axes or transform.whole)


def turns_of(
    op: Op, transform: Transform, shape: CallShape, function: Value, given: dict[str, Value]
) -> Repetition | None:
    """The turns, leaves or lanes of a function that a transform runs at once."""
    if not transform.loops and transform.stage != "mapped":
        return None
    trees = [given.get(argument.parameter) for argument in shape.arguments if argument.word == "leaf"]
    if any(tree is not None and tree.kind in MAPPED_LEAVES for tree in trees):
        return None
    by = phrase(op.func) if type(op) is ops.Call else transform.name
    form: RepeatForm = "leaf" if trees else "turn" if transform.loops else "lane"
    return Repetition(op, form, by, frozenset(_bound(function)))


def carry_of(transform: Transform, shape: CallShape, given: dict[str, Value]) -> Value | None:
    """The initial value of what a body hands on to its next turn."""
    if not transform.loops or transform.stage != "staged" or transform.returns is None:
        return None
    names = [argument.parameter for argument in shape.arguments if argument.word == "parameter"]
    is_body = is_pair(transform) or transform.returns == Argument("parameter", names[0] if names else "")
    return given.get(names[0]) if len(names) == 1 and is_body and shape is transform.runs[-1] else None


def of_turns(transform: Transform, shape: CallShape, given: dict[str, Value], result: Value) -> Value:
    """The result of a body with the shapes that it has outside of the loop.

    The arrays of all turns are stacked, but for the carry: `lax.scan(lambda c, x: (c, x), c, xs)` gives arrays of the
    shapes of `c` and `xs`.
    """
    if not transform.loops or not is_pair(transform):
        return result
    sources = [given.get(argument.parameter) for argument in shape.arguments if argument.word == "each"]
    sizes = {
        source.shape[0] if source is not None and source.kind is ARRAY and source.shape else None for source in sources
    }
    size = sizes.pop() if len(sizes) == 1 else None
    if not any(argument.word == "parameter" for argument in shape.arguments):
        return _stacked(result, size)
    if result.elements is None or len(result.elements) != 2:
        return result
    carry, rest = _as_before(result.elements[0], _initial(shape, given)), result.elements[1]
    below = _stacked(rest, size)
    held = Elements((carry, below), result.form)
    return (
        result
        if below is rest and carry is result.elements[0]
        else Value(result.kind, result.dependences, held, result.made_by)
    )


def collected(transform: Transform, given: dict[str, Value], result: Value) -> Value:
    """The result of a transform that keeps a state for each point that it passes: `odeint(f, y0, times)`."""
    returns = transform.returns
    points = {one.parameter for shape in transform.runs for one in shape.arguments if one.word == "each"}
    if not isinstance(returns, Argument) or returns.word != "parameter" or points <= {returns.parameter}:
        return result
    several = given.get(points.pop()) if len(points) == 1 else None
    return _stacked(result, several.shape[0] if several is not None and several.shape else None)


def _initial(shape: CallShape, given: dict[str, Value]) -> Value | None:
    names = [argument.parameter for argument in shape.arguments if argument.word == "parameter"]
    return given.get(names[0])


def _as_before(carry: Value, initial: Value | None) -> Value:
    """A carry with the shape that its array had before the loop, which JAX requires it to keep."""
    if initial is None or carry.kind is not ARRAY or initial.kind is not ARRAY or carry.shape == initial.shape:
        return carry
    return Value(ARRAY, carry.dependences, carry.payload, carry.made_by, initial.shape, carry.dtype)


def of_lanes(result: Value, wrapped: Wrapped, arguments: Arguments) -> Value:
    """The result of a wrapped function: of a mapped one that of a lane, with one axis more."""
    if not _maps(wrapped.applied.transform):
        return result
    if not wrapped.applied.leads or arguments.is_open:
        return _stacked(result, None, True)
    return _stacked(result, next(filter(None, map(_lanes_along, arguments.positional)), None))


def _lanes_along(value: Value) -> Size:
    """How many lanes an argument has along its first axis."""
    if value.kind is ARRAY or value.kind is NUMPY:
        return value.shape[0] if value.shape else None
    return next(filter(None, map(_lanes_along, value.parts)), None) if value.kind in CONTAINERS else None


def _stacked(value: Value, size: Size, is_open: bool = False) -> Value:
    """Arrays with one axis more, as many as there are; of unknown shape if it is open where that axis is."""
    if value.kind is NUMBER:
        along = None if is_open else (size,)
        return Value(ARRAY, value.dependences, None, value.made_by, along, dtype_of_operand(value))
    if value.kind in ARRAYS_OR_COMPUTED:
        if value.shape is None and value.like is None:
            return value
        shape = (size, *value.shape) if value.shape is not None and not is_open else None
        return Value(value.kind, value.dependences, value.payload, value.made_by, shape, value.dtype)
    if value.entries:
        entries = {name: _stacked(part, size, is_open) for name, part in value.entries.items()}
        return Value(value.kind, value.dependences, Entries(entries), value.made_by)
    payload = value.payload
    if type(payload) is InstanceOf and payload.parts:
        owner = payload.owner
        fields = {
            name: part if is_metadata(owner, name) else _stacked(part, size, is_open)
            for name, part in payload.parts.items()
        }  # fmt: skip
        return Value(value.kind, value.dependences, replace(payload, parts=fields), value.made_by)
    if not value.elements:
        return value
    parts = tuple(_stacked(part, size, is_open) for part in value.elements)
    if all(one is other for one, other in zip(parts, value.elements, strict=True)):
        return value
    return Value(value.kind, value.dependences, Elements(parts, value.form), value.made_by)


def is_pair(transform: Transform) -> bool:
    """Does a body return its carry beside a result of the turn?"""
    return isinstance(transform.returns, Argument) and transform.returns.word == "result"


def _bound(function: Value) -> Iterator[Value]:
    """The arguments that a callable has bound already, and the defaults of its parameters, with their parts."""
    for layer in layers(function):
        if isinstance(layer, Partial):
            for value in layer.arguments.values():
                yield from _parts(value, 0)
    found = underlying(function)
    for value in found.defaults.values() if found is not None else ():
        yield from _parts(value, 0)


def _parts(value: Value, depth: int) -> Iterator[Value]:
    yield value.original
    for part in value.parts if depth < MAXIMUM_DEPTH else ():
        yield from _parts(part, depth + 1)


def _unmapped(axes: Value, arguments: Arguments) -> Iterator[Value]:
    """The arguments, and parts of them, that are certainly handed to each lane as they are."""
    positional = arguments.positional
    if _is_whole(axes):
        for value in positional:
            yield from _parts(value, 0)
    for value, axis in zip(positional, axes.elements or (), strict=False):
        yield from _left_whole(value, axis, 0)


def _left_whole(value: Value, axis: Value, depth: int) -> Iterator[Value]:
    if _is_whole(axis):
        yield from _parts(value, 0)
    elif depth < MAXIMUM_DEPTH and axis.elements is not None and value.elements is not None:
        for part, inner in zip(value.elements, axis.elements, strict=False):
            yield from _left_whole(part, inner, depth + 1)
    elif depth < MAXIMUM_DEPTH and axis.entries is not None and value.entries is not None:
        for name, inner in axis.entries.items():
            if name in value.entries:
                yield from _left_whole(value.entries[name], inner, depth + 1)


def _is_whole(axis: Value) -> bool:
    """Is it None, or a specification without an axis, as `P()`?"""
    if axis.kind is not STATIC:
        return False
    made_by = axis.made_by
    if axis.constant is None:
        return True
    return type(made_by) is ops.Call and not made_by.args and not made_by.keywords
