"""Indices outside of an array, which JAX clamps, drops or fills, and the precondition that an array is large enough.

x = jnp.arange(5)
x[7]                            the last element
x.at[7].set(0)                  nothing is stored
def third(v): return v[2]       precondition: axis 0 of `v` has more than 2 elements
v[v.shape[0]]                   one past the last, whatever the size is
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import partial
from typing import ClassVar, Literal, TypeAlias

from flake8_jax.analysis.checks.guards import is_guarded, is_reached_in_each_turn, is_unguarded
from flake8_jax.analysis.checks.keys.counters import affine_of
from flake8_jax.analysis.evidence import CallSite, Need, OutcomeAtCall
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.isolation import ADVICE, advising
from flake8_jax.analysis.objects.array_axes import axes_taken
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.analysis.summaries.deferral import emit, leave
from flake8_jax.domain.conditions import is_about_inputs
from flake8_jax.domain.effects import ByUse, EventKey, Finding
from flake8_jax.domain.key_parts import counts_of
from flake8_jax.domain.kinds import API, ARRAY, HARMLESS_AS_ARGUMENT, INDEXED_ARRAYS, KEYS, NUMBER, NUMPY, TUPLE, Kind
from flake8_jax.domain.payload import AT
from flake8_jax.domain.provenance import Context
from flake8_jax.domain.shape import Shape, Size
from flake8_jax.domain.staging import Input, staged
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.walking import names_in, number_written
from flake8_jax.lazy_dataclasses import dataclass, replace
from flake8_jax.syntax.positions import unpacked

BoundsForm: TypeAlias = Literal["read", "update", "fill", "window", "branch"]
LISTING = frozenset(f"{module}.{name}" for module in ("jax.numpy", "numpy") for name in ("array", "asarray"))
COUNTING = frozenset(f"{module}.arange" for module in ("jax.numpy", "numpy"))
MAXIMUM_NEEDED = 8
"""Of so many subscripts of inputs at most a function tells its callers."""


@dataclass(frozen=True, slots=True)
class IndexOutside:
    """An index lies outside of the array, and JAX does something else than is asked for.

    `form` says what happens, `access` is the text of the subscript or call, `index` the number, `counter` the text of
    the expression if it comes to this number in a loop; the axis has `size` elements, and if nobody knows how many,
    `index` counts from its end.  Of a window, `width` is its size.  `is_last_read`: the function reads the last element
    by its own number as well.
    """

    op: Op
    form: BoundsForm
    access: str
    index: int
    counter: str
    axis: int
    size: Size
    width: int
    context: Context
    is_of_keys: bool = False
    is_last_read: bool = False


@dataclass(frozen=True, slots=True)
class Reach:
    """The lowest and the highest index along an axis, and the loop that comes to them.

    `width` is the size of a window that starts there, 1 for an element; `part` the op of the index.  Where an index
    `wraps`, a negative one counts from the end.  All that `is_past` counts from the end of the axis, and is outside.
    """

    low: int
    high: int
    axis: int = 0
    width: int = 1
    loop: Op | None = None
    part: Op | None = None
    wraps: bool = True
    is_past: bool = False

    def outside(self, size: Size) -> int | None:
        """The index that lies outside of an axis, if any does.

        An empty axis is a placeholder, and a window that is larger than its array is refused.
        """
        if self.is_past:
            return self.high + (size or 0)
        if not size or self.width > size:
            return None
        for index in (self.high, self.low):
            start = index + size if index < 0 and self.wraps else index
            if not 0 <= start <= size - self.width:
                return index
        return None


@dataclass(frozen=True, slots=True)
class NeedsSize(Need):
    """An input must have enough elements along an axis where it is indexed at a constant."""

    harmless: ClassVar[frozenset[Kind]] = HARMLESS_AS_ARGUMENT - INDEXED_ARRAYS
    form: BoundsForm
    reach: Reach
    source: Input

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Violated by an array whose size is known; a test that is not decided here may be about the size."""
        actual = site.resolve(self.source)
        if actual is None or not is_unguarded(site):
            return
        is_tracer = self.reach.is_past and staged(actual.dependences) is not None  # a tree has no `shape`
        if actual.kind in INDEXED_ARRAYS or is_tracer:
            size = _size(sizes_along(actual), self.reach.axis)
            index = self.reach.outside(size)
            if index is not None:
                make = partial(_event, self.op, self.form, self.reach, index, size, Context(None, site.chain))
                yield Finding(_key(self.op), make)
        elif actual.input is not None:
            yield replace(self, source=actual.input, dependences=frozenset((actual.input,)))


@dataclass(frozen=True, slots=True)
class NeedsBranch(Need):
    """An input must be the index of one of so many branches."""

    asks: ClassVar = "the index of `{0.op}` must be one of {0.count} branches", "a number outside"
    harmless: ClassVar[frozenset[Kind]] = HARMLESS_AS_ARGUMENT - {NUMBER}
    source: Input
    count: int

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Violated by a number that is written in the call, traced or not; a test around may be about it."""
        actual = site.resolve(self.source)
        if actual is None and not site.is_owned(self.source):
            yield self
        if actual is None or not is_unguarded(site):
            return
        index = actual.constant if actual.kind is NUMBER else _handed(actual)
        if type(index) is int and not 0 <= index < self.count:
            reach = Reach(index, index, wraps=False)
            make = partial(_event, self.op, "branch", reach, index, self.count, Context(None, site.chain))
            yield Finding(_key(self.op), make)
        elif (source := actual.original.input) is not None:
            yield replace(self, source=source, dependences=frozenset((source,)))


def _handed(value: Value) -> int | None:
    """The number that was passed to a traced parameter."""
    return number_written(value.made_by) if value.kind is ARRAY and value.made_by is not None else None


def need_branch_of(frame: Frame, op: Op, index: Value, count: int) -> None:
    """Leave it to the callers that an input is the index of a branch."""
    if index.input is not None and frame.parent is not None and not frame.context.is_prepared:
        leave(frame, NeedsBranch(op, frozenset((index.input,)), index.input, count))


def sizes_along(value: Value) -> Shape:
    """The sizes of the axes of an array; of an array of keys of those that are known."""
    return (counts_of(value.payload) or None) if value.kind is KEYS else value.shape


def need_inside(frame: Frame, op: Op, base: Value, index: Value) -> None:
    """Report a subscript of an array outside of it; of an input, callers are told."""
    kind, source = base.kind, base.alike
    if base.payload is AT or kind is TUPLE:  # the shape of an input is no array
        return
    if kind in INDEXED_ARRAYS:
        found = _check(frame, op, "read", sizes_along(base), _reaches(frame, op, base, index), kind is KEYS)
        if found:
            return
    if source is not None and type(op) is ops.Item and frame.parent is not None:
        _need_of_callers(frame, op, "read", base, source, index)


def note_view(frame: Frame, base: Value, index: Value, view: Value) -> None:
    """Remember the index of a view through `at`: what the method is called with says whether it may be outside."""
    frame.program.record.viewed[view] = base, index


def need_update_inside(frame: Frame, view: Value, is_read: bool) -> None:
    """Report an update through `at`, without a mode, outside of the array; of an input, callers are told."""
    base, index = frame.program.record.viewed.get(view, (None, None))
    op = view.made_by
    if base is None or index is None or type(op) is not ops.Item:
        return
    form: BoundsForm = "read" if is_read else "update"
    if base.kind is ARRAY:
        _check(frame, op, form, base.shape, _reaches(frame, op, base, index))
    elif base.alike is not None and frame.parent is not None:
        _need_of_callers(frame, op, form, base, base.alike, index)


def need_reaches_inside(
    frame: Frame, op: Op, form: BoundsForm, base: Value, sizes: Shape, reaches: list[Reach]
) -> None:
    """Report a call that reaches outside of an array; of an input, callers are told."""
    if base.input is not None and frame.parent is not None:
        _tell_callers(frame, op, form, base.input, reaches)
    else:
        _check(frame, op, form, sizes, reaches)


def _need_of_callers(
    frame: Frame, op: ops.Item, form: BoundsForm, base: Value, source: Input, index: Value
) -> None:  # fmt: skip
    if index.kind is NUMBER or index.elements is not None:
        _tell_callers(frame, op, form, source, list(_reaches(frame, op, base, index)))


def _tell_callers(frame: Frame, op: Op, form: BoundsForm, source: Input, reaches: list[Reach]) -> None:
    far = [
        one for one in reaches
        if (one.is_past and _is_reached(frame, op, one))
        or (one.loop is None and (one.low < -1 or one.high + one.width > 1))
    ]  # fmt: skip
    if not far or is_about_inputs(frame.path) or frame.context.is_prepared or is_guarded(frame, op, names_in(op)):
        return
    if frame.summary.requires.effects.count(NeedsSize) < MAXIMUM_NEEDED:
        for reach in far:
            leave(frame, NeedsSize(op, frozenset((source,)), form, reach, source))


def _check(
    frame: Frame, op: Op, form: BoundsForm, sizes: Shape, reaches: Iterator[Reach] | list[Reach],
    is_of_keys: bool = False,
) -> bool:  # fmt: skip
    """Report the first index outside; whether there is one.

    Where a loop makes an array grow, its second turn refutes what the first one says.
    """
    key = _key(op)
    for reach in reaches:
        size = _size(sizes, reach.axis)
        index = reach.outside(size)
        if index is None or not _is_reached(frame, op, reach):
            continue
        make = partial(_event, op, form, reach, index, size, Context(), is_of_keys)
        if frame.iterations:
            emit(frame, key, make, ground=ByUse())
        else:
            emit(frame, key, make)
        return True
    if frame.iterations and key in frame.program.record.presumed:
        frame.program.record.refuted.add(key)
    return False


def _is_reached(frame: Frame, op: Op, reach: Reach) -> bool:
    if frame.context.is_prepared or is_guarded(frame, op, names_in(op)):
        return False
    loop = reach.loop
    return not isinstance(loop, (ops.Loop, ops.Gather)) or is_reached_in_each_turn(frame.function, loop, op)


def _key(op: Op) -> EventKey:
    return (IndexOutside, op, ())


def _size(sizes: Shape, axis: int) -> Size:
    return sizes[axis] if sizes is not None and -len(sizes) <= axis < len(sizes) else None


def _event(
    op: Op, form: BoundsForm, reach: Reach, index: int, size: Size, context: Context, is_of_keys: bool = False
) -> IndexOutside:
    counter = phrase(reach.part) if reach.loop is not None and reach.part is not None else ""
    is_read = not counter and size is not None and _is_read_by(op, index, size - 1)
    return IndexOutside(
        op, form, phrase(op), index, counter, reach.axis, size, reach.width, context, is_of_keys, is_read
    )  # fmt: skip


@advising(ADVICE, False)
def _is_read_by(op: Op, index: int, other: int) -> bool:
    """Does the function around read another element of the same array, by a number in the place of an index?"""
    layout = op.anchor.origin.source.layout
    node = layout.at.get(unpacked(op.place)) if op.place and op.anchor.field is None else None
    if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Name):
        return False
    frame, name = layout.frame(node), node.value.id
    texts = layout.memo.get(("items", frame, name))
    if not isinstance(texts, frozenset):
        around = map(layout.parents.get, layout.reads.get((frame, name), ()))
        texts = frozenset(layout.text(item.slice) for item in around if isinstance(item, ast.Subscript))
        layout.memo["items", frame, name] = texts
    written = layout.text(node.slice)
    shifted = re.sub(rf"\b{index}\b", str(other), written)
    return shifted != written and shifted in texts


def _reaches(frame: Frame, op: Op, base: Value, index: Value) -> Iterator[Reach]:
    source = op.index if type(op) is ops.Item else None
    for axis in axes_taken(index):
        places = source.parts if type(source) is ops.Build and source.kind == "tuple" else (source,)
        part = places[axis.place] if axis.place < len(places) else None
        found = reach_of(frame, axis.part, axis.axis, part, base=base)
        if found is not None:
            yield found


def reach_of(
    frame: Frame, index: Value, axis: int, part: Op | None, width: int = 1, base: Value | None = None
) -> Reach | None:
    """The numbers that an index is known to be: a constant, the counter of a loop, an array of constants, or a size of
    the array that is indexed.
    """
    known = index.constant
    if type(known) is int:
        return Reach(known, known, axis, width)
    if index.kind is NUMBER:
        found = _of_counter(frame, index, axis, part, width)
        return found if found is not None or base is None else _past_end(frame, base, index, axis, part, width)
    numbers = _listed(frame, index) if index.kind is ARRAY or index.kind is NUMPY else []
    return Reach(min(numbers), max(numbers), axis, width) if numbers else None


def _of_counter(frame: Frame, index: Value, axis: int, part: Op | None, width: int) -> Reach | None:
    affine = affine_of(frame, index)
    loop = affine.number.made_by
    source = _run_through(loop)
    counted = frame.program.record.counted.get(source) if source is not None else None
    if not counted:
        return None
    ends = affine.at(counted[0]), affine.at(counted[-1])
    return Reach(min(ends), max(ends), axis, width, loop, part)


def _run_through(loop: Op | None) -> Op | None:
    """What a loop or comprehension runs through."""
    if type(loop) is ops.Gather and len(loop.clauses) == 1:
        return loop.clauses[0].source
    return loop.source if type(loop) is ops.Loop else None


def _past_end(frame: Frame, base: Value, index: Value, axis: int, part: Op | None, width: int) -> Reach | None:
    """The distance from the end of an axis whose size an index is computed from: `x[n]`, `for i in range(n): x[i + 1]`.

    A loop is taken to come to its end.
    """
    affine, loop = affine_of(frame, index), None
    source = _run_through(affine.number.made_by)
    stop = frame.program.record.stops.get(source) if source is not None else None
    if stop is not None and affine.factor == 1:
        affine, loop = affine_of(frame, stop).plus(affine.offset - 1), affine.number.made_by
    if affine.factor != 1 or affine.offset + width <= 0 or affine.number is not _size_read(frame, base, axis):
        return None
    return Reach(affine.offset, affine.offset, axis, width, loop, part, is_past=True)


def _size_read(frame: Frame, base: Value, axis: int) -> Value | None:
    """The number that `base.shape[axis]` is, if that was read: the same each time."""
    projections = frame.program.record.projections
    if base.payload is AT:
        base = next((owner for owner, step in projections.holding(base) if step == (".", "at")), base)
    shape = projections.of(base).get((".", "shape"))
    if shape is None:
        return None
    parts = shape.elements
    if parts is not None:
        return parts[axis] if -len(parts) <= axis < len(parts) else None
    return projections.of(shape).get(("[]", axis))


def _listed(frame: Frame, index: Value) -> list[int]:
    """The numbers in an array that is made of constants."""
    made_by = index.made_by
    if type(made_by) is not ops.Call or index.dtype == "bool" or not made_by.args:
        return []
    if index.kind is NUMPY and frame.live().version(index) is not index:
        return []
    callee = peek(frame, made_by.func)
    if callee is None or callee.kind is not API:
        return []
    if callee.name in COUNTING and len(made_by.args) == 1 and not made_by.keywords:
        count = number_written(made_by.args[0])
        return [0, count - 1] if count is not None and count > 0 else []
    return _numbers(made_by.args[0]) if callee.name in LISTING else []


def _numbers(op: Op) -> list[int]:
    """The numbers in a display of constants; none if one is something else."""
    parts = op.parts if type(op) is ops.Build and op.kind in ("list", "tuple") else ()
    if not parts:
        number = number_written(op)
        return [] if number is None else [number]
    rows = [_numbers(part) for part in parts]
    return [number for row in rows for number in row] if all(rows) else []
