"""What calls of library functions give, by the kinds that their rows name."""

from __future__ import annotations

from flake8_jax.analysis.callables import Arguments
from flake8_jax.analysis.calls.derivations import derivation
from flake8_jax.analysis.calls.forwards import several
from flake8_jax.analysis.calls.shapes import likeness_of, pieces_of, shape_of
from flake8_jax.analysis.checks.widths import TYPED, wide_type
from flake8_jax.analysis.evaluator import call
from flake8_jax.analysis.frame import Frame, note_unknown
from flake8_jax.analysis.objects.dtypes import dtype_of_call
from flake8_jax.analysis.objects.host_operands import made_by
from flake8_jax.analysis.objects.host_views import NEW
from flake8_jax.analysis.objects.key_items import dependences_of_key
from flake8_jax.analysis.objects.parameters import argument_for, constants_of, pairs
from flake8_jax.analysis.objects.static_attributes import has_shape, static_attribute
from flake8_jax.api.passing import ASKED_FOR
from flake8_jax.api.rows import ApiFunction
from flake8_jax.domain.constants import NOTHING, OPEN, Constant
from flake8_jax.domain.dtypes import Dtype
from flake8_jax.domain.kinds import (
    API,
    ARITHMETIC_OR_NUMPY,
    ARRAY,
    CERTAIN_ARRAYS,
    COMPUTED,
    CONTAINERS,
    FUNCTION,
    INPUT,
    KEY,
    KEYS,
    LIST,
    MAY_BE_ANYTHING,
    NUMBER,
    NUMPY,
    OBJECT,
    PARTIAL,
    RANDOM_KEYS,
    REF,
    SHAPED,
    STATIC,
    SYMBOLIC,
    TUPLE,
    UNKNOWN,
    Kind,
)
from flake8_jax.domain.payload import LEAF, OF_ARRAY, STORAGE, ArrayDoubt, Derived, Each, Elements, Entries, Named
from flake8_jax.domain.shape import Shape
from flake8_jax.domain.staging import NONE, Dependences, unite
from flake8_jax.domain.value import Value
from flake8_jax.ir.ops import Op
from flake8_jax.lazy_dataclasses import replace

ARRAYS, NUMPY_ARRAYS = Elements(None, "arrays"), Elements(None, "numpy arrays")
IN_TWO = frozenset(("jax.numpy.divmod", "jax.numpy.frexp", "jax.numpy.modf"))
LEAVES = frozenset(("jax.tree.leaves", "jax.tree_util.tree_leaves"))
CONVERTING = frozenset(("numpy.array", "numpy.asarray", "numpy.ascontiguousarray"))
"""What gives an array of NumPy whatever it is given, where it gives anything."""
PLACING = frozenset(("jax.device_put",))
"""What makes arrays of JAX of all that a tree has."""

MAXIMUM_ROWS = 3
"""How deep lists lie in lists of which arrays are made."""

TYPES = frozenset(("numpy.dtype", "jax.numpy.dtype"))
"""What makes a type of the name that it is handed."""


def _as_attribute(value: Value, name: str, op: Op) -> Value:
    """What a function says of an array, as the array's own attribute does: `jnp.shape(x)` is `x.shape`."""
    if value.kind in SHAPED or (value.kind is INPUT and has_shape(value)):
        return static_attribute(value, name, op)
    return Value(STATIC, payload=OPEN, made_by=op)


def result_of(
    frame: Frame, op: Op, function: ApiFunction, arguments: Arguments, ambient: Dependences,
    receiver: Value | None = None,
) -> Value:  # fmt: skip
    """A value of the kind that the row returns; of a method of an array, `receiver` is the array."""
    returns, like = function.returned(constants_of(function, arguments)) if function.variants else (
        function.returns, function.returns_like
    )  # fmt: skip
    if returns == "array":
        shape = shape_of(frame, function, arguments, receiver)
        dtype = dtype_of_call(frame, function, arguments, receiver)
        of_host = None if arguments.is_open else made_by(function, _as_held_now(frame, arguments))
        known = likeness_of(frame, function, arguments, receiver) if shape is None else None
        dependences = unite(ambient, all_dependences(frame, _of_values(function, arguments)))
        return Value(ARRAY, dependences, of_host, op, shape, dtype, like=known)
    if returns == "static":
        if (measured := ASKED_FOR.get(function.name)) and len(arguments.positional) == 1 and not arguments.keywords:
            return _as_attribute(arguments.positional[0], measured, op)
        wide = wide_type(arguments.positional[0]) if function.name in TYPES and arguments.positional else ""
        return Value(STATIC, payload=Constant(wide) if wide else OPEN, made_by=op)
    if returns == "key" or returns == "keys":
        derived = derivation(frame, op, function, arguments)
        if returns == "key":
            return Value(KEY, NONE, derived, op)
        return _keys(op, function, arguments, derived if type(derived) is Derived else None)
    if returns == "numpy":
        kind = _type_of(frame, function, arguments)
        is_converted = function.name in CONVERTING or function.name in NEW
        return Value(NUMPY, NONE, None, op, *kind) if is_converted else _numpy(frame, op, arguments, *kind)
    if returns == "none":
        return Value(STATIC, payload=NOTHING, made_by=op)
    if returns == "list" or returns == "tuple":
        return _several(frame, op, function, arguments, ambient, LIST if returns == "list" else TUPLE)
    if returns == "sequence":
        return _leaves(op) if function.name in LEAVES else Value(LIST, NONE, None, op)
    if returns == "flat":  # the leaves of a tree, and its structure
        return Value(TUPLE, payload=Elements((_leaves(op), Value(STATIC, payload=OPEN, made_by=op))), made_by=op)
    if returns == "ref":
        return Value(REF, payload=STORAGE, made_by=op)
    if returns == "variable":
        given = arguments.get(0, "value")
        is_array = given is not None and given.kind is ARRAY and type(given.payload) is not ArrayDoubt
        return Value(REF, payload=OF_ARRAY if is_array else None, made_by=op)
    if returns == "logger":
        return Value(OBJECT, payload=Named("logging.Logger"), made_by=op)
    if returns == "instance":
        return Value(OBJECT, ambient, Named(like), op)
    if returns == "pair" or returns == "second":
        held = (Value(OBJECT, ambient, Named(like), op), note_unknown(frame, "row returns unknown", op))
        return Value(TUPLE, payload=Elements(held if returns == "pair" else held[::-1]), made_by=op)
    if returns == "raveled":  # a vector, and the function that makes the tree of it again
        vector = Value(ARRAY, _dependences(frame, arguments, ambient), None, op)
        return Value(TUPLE, payload=Elements((vector, note_unknown(frame, "row returns unknown", op))), made_by=op)
    if returns in ("made", "held", "tree"):
        return Value(INPUT, ambient, None, op) if returns == "tree" else _made(frame, op, function, like, arguments)
    if returns == "own":
        return _own(frame, op, function, like, arguments)
    if returns == "compared":
        return _compared(frame, op, arguments, ambient)
    if returns == "like":
        return _like(frame, op, function, like, arguments)
    return note_unknown(frame, "row returns unknown", op)


def _leaves(op: Op) -> Value:
    """The leaves of a tree: how many is known, what they are is not."""
    return Value(LIST, NONE, Each(Value(UNKNOWN, NONE, LEAF)), op)


def _several(
    frame: Frame, op: Op, function: ApiFunction, arguments: Arguments, ambient: Dependences, kind: Kind
) -> Value:  # fmt: skip
    """A list or tuple of arrays; each of known shape where a call shows it. Traced code traces none of NumPy's."""
    if function.name.startswith(("numpy.", "scipy.")):
        return Value(kind, all_dependences(frame, arguments), NUMPY_ARRAYS, op)
    content = ARRAYS
    dependences = _dependences(frame, arguments, ambient)
    if (pieces := pieces_of(frame, function, arguments)) is not None:
        count, piece = pieces
        content = Elements(tuple(Value(ARRAY, dependences, None, op, piece) for _ in range(count)))
    elif function.name in IN_TWO and not arguments.is_open:
        of_host = made_by(function, _as_held_now(frame, arguments))
        content = Elements(tuple(Value(ARRAY, dependences, of_host, op) for _ in range(2)))
    return Value(kind, dependences, content, op)


def _keys(op: Op, function: ApiFunction, arguments: Arguments, derived: Derived | None) -> Value:
    """The keys that a split gives; one key for the shape `()`."""
    given = arguments.get(1, "num")
    if function.name != "jax.random.split" or arguments.is_open:
        return Value(KEYS, NONE, derived, op)
    if given is not None and given.elements == ():
        return Value(KEY, NONE, None, op)
    held = several(given)
    if derived is None or (held is not None and len(held.counts) > 1):
        return Value(KEYS, NONE, held, op)
    return Value(KEYS, NONE, derived if held is None else replace(derived, data=held.counts[0]), op)


def _of_values(function: ApiFunction, arguments: Arguments) -> Arguments:
    """The arguments without those inputs that are the type of the result, of which it is no part."""
    typed = {value for one, value, _ in pairs(function, arguments) if one.name in TYPED and value.kind is INPUT}
    if not typed:
        return arguments
    keywords = {name: value for name, value in arguments.keywords.items() if value not in typed}
    return Arguments(tuple(value for value in arguments.positional if value not in typed), keywords)


def _dependences(frame: Frame, arguments: Arguments, ambient: Dependences) -> Dependences:
    return unite(ambient, all_dependences(frame, arguments))


def _numpy(frame: Frame, op: Op, arguments: Arguments, shape: Shape = None, dtype: Dtype | None = None) -> Value:
    if all_dependences(frame, arguments):
        return note_unknown(frame, "NumPy on an input", op)
    return Value(NUMPY, NONE, None, op, shape, dtype)


def _made(frame: Frame, op: Op, function: ApiFunction, like: str, arguments: Arguments) -> Value:
    """What an initializer makes: an array, if one of a library does so, or the function of the project that it is.

    One that is not known gives an array, or a tree of such.
    """
    initializer = argument_for(function, arguments, like)
    holder = frame.program.table.holder(function.name)
    if initializer is not None and _makes_array(frame, op, initializer):
        return Value(OBJECT if holder else ARRAY, frame.ambient, Named(holder) if holder else None, op)
    if initializer is not None and initializer.kind in MAY_BE_ANYTHING and not holder:
        return Value(INPUT, frame.ambient, None, op)
    return note_unknown(frame, "made by an initializer that makes no array", op)


def _makes_array(frame: Frame, op: Op, initializer: Value) -> bool:
    """Does it give an array?  A function is run once, outside of the trace that reads what it made."""
    if initializer.kind is FUNCTION or initializer.kind is PARTIAL:
        return call(frame, op, initializer, Arguments(is_open=True), NONE, "host").kind is ARRAY
    row = frame.program.table.function(initializer.name if initializer.kind is API else f"{initializer.name}.__call__")
    return row is not None and row.returns == "array"


def _compared(frame: Frame, op: Op, arguments: Arguments, ambient: Dependences) -> Value:
    """The outcome of a comparison of trees: an array if a leaf is one, which of what nobody knows is not said."""
    if any(value.kind is UNKNOWN for value in arguments.positional) or not all_dependences(frame, arguments):
        return note_unknown(frame, "a comparison of unknown trees", op)
    return Value(ARRAY, _dependences(frame, arguments, ambient), None, op)


def _own(frame: Frame, op: Op, function: ApiFunction, like: str, arguments: Arguments) -> Value:
    """The result of a function that delegates to a method of its argument: an array of the same kind."""
    value = argument_for(function, arguments, like)
    if value is None:
        return note_unknown(frame, "own result of an unknown", op)
    if value.kind is ARRAY:
        return Value(ARRAY, unite(value.dependences, frame.ambient), None, op)
    if value.kind is INPUT or value.kind is COMPUTED:
        return Value(COMPUTED, value.dependences, None, op)
    if value.kind is NUMBER and not function.name.startswith(("numpy.", "scipy.")):
        return Value(NUMBER, NONE, OPEN, op)
    return _numpy(frame, op, arguments)


def _type_of(frame: Frame, function: ApiFunction, arguments: Arguments) -> tuple[Shape, Dtype | None]:
    """The shape and dtype of what has the kind of an argument, where that is an array."""
    return shape_of(frame, function, arguments), dtype_of_call(frame, function, arguments)


def _as_arrays(value: Value, op: Op, depth: int = 0) -> Value:
    """A tree of lists, tuples and dicts with an array of JAX for each number and each array of NumPy in it."""
    if value.kind is NUMPY or value.kind is NUMBER:
        return Value(ARRAY, value.dependences, None, op, value.shape, value.dtype if value.kind is NUMPY else None)
    payload = value.payload
    if depth >= MAXIMUM_ROWS or not value.parts or type(payload) not in (Elements, Entries):
        return value
    if type(payload) is Entries:
        held = {name: _as_arrays(part, op, depth + 1) for name, part in payload.parts.items()}
        return Value(value.kind, value.dependences, Entries(held), op)
    parts = tuple(_as_arrays(part, op, depth + 1) for part in value.parts)
    return Value(value.kind, value.dependences, Elements(parts), op)


def _like(frame: Frame, op: Op, function: ApiFunction, like: str, arguments: Arguments) -> Value:
    is_over_lanes = any(one.name == "axis_name" for one in function.parameters)
    for parameter, value, _ in pairs(function, arguments):
        if parameter.name == like:
            is_collective = is_over_lanes and function.name.startswith("jax.lax.")
            if is_collective and value.kind is NUMBER:  # `psum(1, axis)` is the number of lanes
                return Value(NUMBER, NONE, OPEN, op)
            if is_over_lanes and (value.kind in CERTAIN_ARRAYS or value.kind is NUMBER):
                return Value(ARRAY, frame.ambient, None, op)  # of all lanes of `vmap` it is one known array
            if is_collective and value.kind is COMPUTED:
                return Value(COMPUTED, frame.ambient, None, op)
            if value.kind is ARRAY or value.kind is NUMBER or value.kind is NUMPY:
                dependences = unite(value.dependences, _dependences(frame, arguments, frozenset()))
                return Value(ARRAY, dependences, None, op, *_type_of(frame, function, arguments))
            if value.kind in RANDOM_KEYS:
                return Value(value.kind, value.dependences, None, op)
            if value.kind in SYMBOLIC and not is_over_lanes:
                dependences = unite(value.dependences, _dependences(frame, arguments, frozenset()))
                _, dtype = _type_of(frame, function, arguments)
                known = likeness_of(frame, function, arguments, None)
                return Value(value.kind, dependences, None, op, dtype=dtype, like=known)
            if value.parts and function.name in PLACING:
                return _as_arrays(value, op)
            return (
                Value(value.kind, value.dependences, value.payload, op)
                if value.parts
                else note_unknown(frame, "like an unknown", op)
            )
    return note_unknown(frame, "like an unknown", op)


def all_dependences(frame: Frame, arguments: Arguments) -> Dependences:
    """The dependences of the arguments of an array operation, those in lists and tuples included."""
    found = NONE
    for value in arguments.values():
        if value.dependences and value.kind in ARITHMETIC_OR_NUMPY:
            found = unite(found, value.dependences)
        elif value.kind in CONTAINERS:
            found = unite(found, _of_items(frame, value))
        elif value.kind in RANDOM_KEYS:
            found = unite(found, dependences_of_key(value))
    return found


def _as_held_now(frame: Frame, arguments: Arguments) -> list[Value]:
    """The arguments, lists with what was put into them."""
    state = frame.state
    return [value if state is None else state.contents(value) for value in arguments.values()]


def _of_items(frame: Frame, container: Value, depth: int = 0) -> Dependences:
    """The dependences of what a container holds now, wherever it was put in, and of rows in it."""
    held = frame.state.contents(container) if frame.state is not None else container
    found = NONE
    for part in (held.payload.like,) if type(held.payload) is Each else held.parts:
        if part.dependences and part.kind in ARITHMETIC_OR_NUMPY:
            found = unite(found, part.dependences)
        elif part.kind in CONTAINERS and depth < MAXIMUM_ROWS:
            found = unite(found, _of_items(frame, part, depth + 1))
    return found
