"""Views of JAX arrays that NumPy cannot write into: what converts without a copy, and views of views.

a = np.asarray(x)           a read-only view of `x`; so is `jax.device_get(x)`
a.T, a[0], a[1:]            views of the view
a[mask], a + 1, a.copy()    copies
"""

from __future__ import annotations

import math

from flake8_jax.analysis.callables import Arguments
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.stated import dtype_of, sizes_of
from flake8_jax.domain.constants import NOTHING, NotConstant
from flake8_jax.domain.host_views import Buffer, BufferPart, ReadOnly
from flake8_jax.domain.kinds import ARRAY, DICT, MAY_BE_ARRAY, METHOD, NUMBER, NUMPY, SEQUENCES, TUPLE
from flake8_jax.domain.payload import AnySlice, ArrayDoubt, Elements, Entries, ItemIndex, MethodOf, SliceOf
from flake8_jax.domain.staging import NONE, Dependences, Input, certain, presumed
from flake8_jax.domain.value import Value
from flake8_jax.ir.ops import Op

CONVERTING = frozenset((
    "numpy.asarray", "numpy.asanyarray", "numpy.ascontiguousarray", "numpy.asarray_chkfinite", "numpy.from_dlpack",
))  # fmt: skip
"""What gives a view of a JAX array, unless another dtype is asked for: measured."""

GETTING = "jax.device_get"
MAPPING = frozenset(("jax.tree.map", "jax.tree_util.tree_map", "jax.tree_map"))
VIEWING = frozenset(f"numpy.{name}" for name in ("transpose", "swapaxes", "squeeze", "expand_dims", "atleast_1d"))
FLATTENING = frozenset(("numpy.ravel", "numpy.reshape"))
VIEWS = frozenset(("T", "mT", "real", "flat"))
VIEW_METHODS = frozenset(("transpose", "swapaxes", "squeeze", "view", "diagonal"))
FLAT_METHODS = frozenset(("ravel", "reshape"))
"""A view of what is whole; else it may be a copy."""

CREATING = {
    **dict.fromkeys(("numpy.zeros", "numpy.ones", "numpy.empty"), 1), "numpy.full": 2,
    **dict.fromkeys(("numpy.zeros_like", "numpy.ones_like", "numpy.empty_like"), 1), "numpy.full_like": 2,
}  # fmt: skip
"""What makes a new array, with the place of its dtype."""

NEW = frozenset(name for name in CREATING if not name.endswith("_like"))
"""What makes an array of NumPy whatever its arguments are: it refuses tracers."""

SIZES = {
    "bool": 1, "bool_": 1, "int8": 1, "uint8": 1, "int16": 2, "uint16": 2, "float16": 2, "bfloat16": 2, "int32": 4,
    "uint32": 4, "float32": 4,
}  # fmt: skip
"""The bytes of the numbers that JAX takes as they are; of 64 bits it makes others."""

RENAMED = CONVERTING | VIEWING | FLATTENING | {GETTING} | CREATING.keys()
MAXIMUM_DEPTH = 3


def handed_out(frame: Frame, op: Op, name: str, arguments: Arguments, made: Value) -> Value:
    """The result of a call, if it shows the memory of its argument; else `made`."""
    if not arguments.positional or arguments.is_open:
        return made
    given = arguments.positional[0]
    if name in CREATING:
        return _created(op, name, arguments, made)
    if name == GETTING:
        return fetched(frame, op, given) or made
    payload = given.payload
    if name not in CONVERTING:
        is_view = type(payload) is ReadOnly and (name in VIEWING or payload.is_whole)
        return Value(NUMPY, made_by=op, payload=payload.part()) if is_view and type(payload) is ReadOnly else made
    if len(arguments.positional) > 1 or any(keyword.payload != NOTHING for keyword in arguments.keywords.values()):
        return made
    if type(payload) is ReadOnly:
        return Value(NUMPY, payload=payload, made_by=op)
    sources = _sources(given)
    return made if sources is None else Value(NUMPY, NONE, ReadOnly(op, sources), op)


def mapped(frame: Frame, op: Op, arguments: Arguments) -> Value | None:
    """The result of `jax.tree.map(np.asarray, tree)`: views of the arrays in a tree."""
    if len(arguments.positional) != 2 or arguments.is_open or arguments.positional[0].name not in CONVERTING:
        return None
    return fetched(frame, op, arguments.positional[1])


def _created(op: Op, name: str, arguments: Arguments, made: Value) -> Value:
    """A new array of NumPy, as a buffer if its dtype is known to be one that JAX shares."""
    dtype = dtype_of(arguments.get(CREATING[name], "dtype"))
    if made.kind is not NUMPY or dtype not in SIZES:
        return made
    shape = None if name.endswith("_like") else sizes_of(arguments.positional[0])
    least = SIZES[dtype] * math.prod(1 if size is None else size for size in shape) if shape is not None else 0
    return Value(NUMPY, NONE, Buffer(op, dtype, least), op, made.shape, made.dtype)


def fetched(frame: Frame, op: Op, given: Value, depth: int = 0) -> Value | None:
    """What `jax.device_get` gives: views of arrays, in containers like those given; None if that is not known."""
    if given.kind is ARRAY:
        sources = _sources(given)
        return Value(NUMPY, NONE, ReadOnly(op, is_leaf=depth > 0), op) if sources is not None and not sources else None
    payload = frame.live().contents(given).payload if depth < MAXIMUM_DEPTH else None
    if given.kind in SEQUENCES and type(payload) is Elements and payload.parts and not payload.form:
        parts = tuple(fetched(frame, op, part, depth + 1) or part for part in payload.parts)
        return Value(given.kind, NONE, Elements(parts), op) if _are_arrays(parts) else None
    if given.kind is DICT and type(payload) is Entries and payload.parts:
        entries = {name: fetched(frame, op, part, depth + 1) or part for name, part in payload.parts.items()}
        return Value(DICT, NONE, Entries(entries), op) if _are_arrays(tuple(entries.values())) else None
    return None


def _are_arrays(parts: tuple[Value, ...]) -> bool:
    return all(part.kind in (NUMPY, NUMBER, DICT, *SEQUENCES) for part in parts)


def _sources(given: Value) -> Dependences | None:
    """The inputs of which one must be an array; none if it is one for certain, None if it is not known, or traced."""
    if given.kind not in MAY_BE_ARRAY or certain(given.dependences) is not None:
        return None
    if given.kind is ARRAY and type(given.payload) is not ArrayDoubt and not presumed(given.dependences):
        return NONE
    return frozenset(dependence for dependence in given.dependences if type(dependence) is Input) or None


def part_of_view(base: Value, op: Op, index: ItemIndex | None = None, is_from_start: bool = False) -> Value:
    """An item or a slice of an array of NumPy: a view, unless an array is the index."""
    part = _part(base, index is not None, is_from_start) if _is_plain(index) else None
    return Value(NUMPY, base.dependences, part, op)


def _part(base: Value, is_item: bool = False, is_from_start: bool = True) -> ReadOnly | BufferPart | None:
    payload = base.payload
    if type(payload) is ReadOnly:
        return payload.part(is_item)
    if type(payload) is BufferPart:
        return BufferPart(payload.buffer, payload.is_from_start and is_from_start)
    return BufferPart(base, is_from_start) if type(payload) is Buffer else None


def _is_plain(index: ItemIndex | None) -> bool:
    """Does an index take a part in place, as numbers and slices do?"""
    if isinstance(index, Value):
        if index.kind is TUPLE:
            return index.elements is not None and all(map(_is_plain, index.elements))
        return index.kind is NUMBER or type(index.payload) is SliceOf
    if isinstance(index, tuple):
        return all(map(_is_plain, index))
    return index is None or index is ... or (type(index) is int or isinstance(index, (AnySlice, NotConstant)))


def attribute_of_view(base: Value, name: str, op: Op) -> Value:
    """An attribute of an array of NumPy: a view of a view, or a method."""
    if name in VIEWS and (held := _part(base)) is not None:
        return Value(NUMPY, NONE, held, op)
    return Value(METHOD, payload=MethodOf(base, name), made_by=op)


def method_of_view(base: Value, name: str, op: Op) -> Value:
    """The result of a method of an array of NumPy."""
    payload = base.payload
    is_whole = type(payload) is Buffer or (type(payload) is ReadOnly and payload.is_whole)
    is_view = name in VIEW_METHODS or (is_whole and name in FLAT_METHODS)
    return Value(NUMPY, NONE, _part(base) if is_view else None, op)


def is_on_host(actual: Value) -> bool:
    """Is an argument certainly an array of JAX, and no tracer?"""
    return actual.kind is ARRAY and _sources(actual) == NONE
