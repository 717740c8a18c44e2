"""Axes along which arguments and results are mapped, and arguments by which a function is differentiated.

vmap(f, in_axes=(0, None))(x, w=w)      one argument by position, and two axes
vmap(f, in_axes=None)(x)                nothing is mapped
vmap(f)(x, 2.0), vmap(f)(x, flag=True)  a number has no axis; what is passed by name is mapped along axis 0
vmap(f)(x, y)                           of 3 and of 4 rows
filter_vmap(f)(x, 2.0)                  what is no array stays as it is
vmap(lambda x: x, out_axes=1)(x)        each lane gives a number, so that there is one axis
grad(f, argnums=2)(x, y)                there is no third argument
grad(f)(x=x, y=y)                       there is none by position

A call decides, where it is seen; what no call can make right is told where the transform is applied.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from operator import attrgetter
from types import NoneType
from typing import ClassVar, Literal, TypeAlias

from flake8_jax.analysis.callables import Arguments, Wrapped, axis_of_lanes, underlying
from flake8_jax.analysis.checks.contracts.bodies import named, written_option
from flake8_jax.analysis.evidence import CallSite, Need, OutcomeAtCall
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.literals import literals
from flake8_jax.analysis.objects.signatures import signature_of
from flake8_jax.analysis.objects.stated import whole_number
from flake8_jax.analysis.summaries.deferral import emit, leave
from flake8_jax.api.transforms import Transform
from flake8_jax.domain.constants import OPEN
from flake8_jax.domain.effects import Finding
from flake8_jax.domain.key_parts import counts_of
from flake8_jax.domain.kinds import CERTAIN_ARRAYS, COMPUTED, DICT, KEYS, NUMBER, SEQUENCES, STATIC
from flake8_jax.domain.provenance import Context
from flake8_jax.domain.staging import Input
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.rewrite import Rewrite
from flake8_jax.ir.walking import within
from flake8_jax.lazy_dataclasses import dataclass, replace

AxesFault: TypeAlias = Literal[
    "length", "tree", "unmapped", "rank", "named", "kept", "sizes", "out rank", "out tree", "beyond", "by name",
    "specs", "out specs", "spec name", "spec rank", "spec keyword", "unbound", "varying",
]  # fmt: skip

TOTALS = frozenset(("sum", "mean", "max", "min", "prod", "any", "all", "std", "var", "norm"))
SAME = "map arrays of the same size, or set `in_axes` to `None` for one"
EACH = "give it an axis for each argument, and `None` for one that is whole"
ENTRY = "set its entry of `in_axes` to `None`"
WHOLE = {"named": "pass it by position, with `None` in `in_axes`", "rank": ENTRY}
IN_AXES, OUT_AXES, SIZE, ARGNUMS = "in_axes", "out_axes", "axis_size", "argnums"
MAXIMUM_DEPTH = 4


@dataclass(frozen=True, slots=True)
class AxesMismatch:
    """A transform is told axes, numbers of arguments or specifications that what it gets does not have.

    `transform` is its text and `function` the name of what it wraps; `subject` is the argument, axis or number that
    does not fit, `gets` what there is instead and `instead` what to write.
    """

    op: Op
    fault: AxesFault
    transform: str
    function: str
    subject: str
    gets: str
    instead: str
    context: Context
    rewrite: Rewrite | None = None


Mapped: TypeAlias = "tuple[Input | int, int, str]"
"""An input, or how many lanes an argument has; the axis along which they lie, and its text."""


@dataclass(frozen=True, slots=True)
class Lanes:
    """How many lanes an argument has along its axis."""

    size: int
    text: str


@dataclass(frozen=True, slots=True)
class NeedsAxes(Need):
    """Inputs must have the axes along which they are mapped, and as many lanes as the other arguments.

    `transform` and `function` are texts for the message; if it `keeps_numbers`, these have no lanes.
    """

    identified_by: ClassVar = attrgetter("op")
    asks: ClassVar = "the arguments of `{0.op}` must have the axes along which they are mapped", "another shape"
    transform: str
    function: str
    mapped: tuple[Mapped, ...]
    keeps_numbers: bool = False

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Violated by what lacks an axis, or has another number of lanes; for inputs the caller inherits it."""
        known: list[Mapped] = []
        lanes: list[Lanes] = []
        for source, along, text in self.mapped:
            actual = site.resolve(source) if not isinstance(source, int) else None
            if actual is not None and actual.kind is NUMBER and self.keeps_numbers:
                continue
            rank = rank_of(actual) if actual is not None else None
            if actual is not None and rank is not None and not -rank <= along < rank:
                what = f"{along}, and is handed {'a number' if actual.kind is NUMBER else _dimensions(rank)}"
                yield self._event(site, "rank", f"`{text}`", what, ENTRY)
                return
            size = source if isinstance(source, int) else _size_along(actual, along)
            if size is not None:
                lanes.append(Lanes(size, f"`{text}` has {size} along axis {along}"))
            passed = size if size is not None else source if actual is None else actual.input
            known += [(passed, along, text)] if passed is not None else []
        other = next((lane for lane in lanes if lane.size != lanes[0].size), None)
        if other is not None:
            yield self._event(site, "sizes", lanes[0].text, other.text, SAME)
        elif sources := frozenset(one for one, _, _ in known if not isinstance(one, int)):
            yield replace(self, dependences=sources, mapped=tuple(known))

    def _event(self, site: CallSite, fault: AxesFault, subject: str, gets: str, instead: str) -> Finding:
        def make() -> AxesMismatch:
            context = Context(None, site.chain)
            return AxesMismatch(self.op, fault, self.transform, self.function, subject, gets, instead, context)

        return Finding((AxesMismatch, self.op, fault), make)


def refuses_mapped(frame: Frame, op: Op, wrapped: Wrapped, arguments: Arguments) -> bool:
    """Report a call of a mapped or differentiated function whose arguments do not fit what the transform was told."""
    applied = wrapped.applied
    is_known = applied.transform.name.startswith("jax.") or _keeps_numbers(applied.transform)
    if not is_known or arguments.is_open or frame.context.is_prepared:
        return False
    if not arguments.ops and not arguments.keywords:
        return False  # a transform calls it, with what may not be known
    found: Iterator[tuple[Op, AxesFault, str, str, str]] = iter(())
    if applied.transform.axes == IN_AXES:
        found = _of_axes(op, wrapped, arguments)
    elif applied.transform.has_parameter(ARGNUMS):
        found = _of_numbers(frame, op, wrapped, arguments)
    fault = next(found, None)
    if fault is not None:
        emit(frame, (AxesMismatch, fault[0], fault[1]), partial(_event, wrapped, fault))
    elif applied.transform.axes == IN_AXES and frame.parent is not None:
        _leave_inputs(frame, op, wrapped, arguments)
    return fault is not None


def _leave_inputs(frame: Frame, op: Op, wrapped: Wrapped, arguments: Arguments) -> None:
    """Leave it to the callers whether the inputs that are mapped have the axes."""
    applied, mapped = wrapped.applied, list[Mapped]()
    for place, value in enumerate(arguments.positional):
        along, written = axis_of_lanes(applied, place), arguments.written(place)
        source = value.input if value.input is not None else _size_along(value, along or 0)
        if along is not None and source is not None and written is not None and place not in applied.static_numbers:
            mapped.append((source, along, phrase(written)))
    if sources := frozenset(one for one, _, _ in mapped if not isinstance(one, int)):
        keeps_numbers = _keeps_numbers(applied.transform)
        leave(frame, NeedsAxes(op, sources, applied.text, named(wrapped.callee, op), tuple(mapped), keeps_numbers))


def _keeps_numbers(transform: Transform) -> bool:
    """Does a transform map arrays alone, and hand on as they are numbers and all else?"""
    return transform.axes == IN_AXES and transform.keeps == "non-arrays"


def check_mapped_result(frame: Frame, op: Op, wrapped: Wrapped, lane: Value) -> None:
    """Report axes along which the results of the lanes are to be put together, and which these do not have."""
    applied = wrapped.applied
    axes = applied.options.get(OUT_AXES)
    if axes is None or applied.transform.axes != IN_AXES or frame.context.is_prepared:
        return
    if not applied.transform.name.startswith("jax."):
        return
    fault = next(_of_results(axes, lane), None)
    if fault is not None:
        place = written_option(applied.op, OUT_AXES) or op
        emit(frame, (AxesMismatch, place, fault[0]), partial(_event, wrapped, (place, *fault)))


def check_numbers(frame: Frame, op: Op, function: Value, transform: Transform, given: dict[str, Value]) -> None:
    """Report numbers of arguments that no call of a function can have."""
    if ARGNUMS not in given or not transform.has_parameter(ARGNUMS) or frame.context.is_prepared:
        return
    numbers, signature = _numbers(given), signature_of(frame.program.table, function)
    if numbers is None or signature is None or signature.most is None:
        return
    most = signature.most
    wrong = next((number for number in numbers if not -most <= number < most), None)
    if wrong is not None:
        place = written_option(op, ARGNUMS) or op
        without = " without `self`" if signature.is_bound else ""
        emit(frame, (AxesMismatch, place, "beyond"), lambda: AxesMismatch(
            place, "beyond", transform.name, named(function, place), str(wrong), counted(most) + without,
            "count from 0", Context(),
        ))  # fmt: skip


def _of_axes(op: Op, wrapped: Wrapped, arguments: Arguments) -> Iterator[tuple[Op, AxesFault, str, str, str]]:
    """What is wrong with the axes of the arguments of a call."""
    applied, keeps_numbers = wrapped.applied, _keeps_numbers(wrapped.applied.transform)
    axes, size = applied.options.get(IN_AXES), whole_number(applied.options.get(SIZE))
    count, parts = len(arguments.positional), axes.elements if axes is not None else None
    if keeps_numbers and parts is not None and len(parts) != count:
        return
    if axes is not None and axes.kind is DICT and not keeps_numbers:
        yield op, "tree", "", f"{count} by position", "put it into a tuple, with an axis for each argument"
        return
    if parts is not None and not _reaches_all(len(parts), count, applied.static_numbers):
        if type(op) is ops.Call and any(type(one) is ops.Star for one in op.args):
            return  # as many as there are may have chosen the function
        by_name = f" and {len(arguments.keywords)} by name" if arguments.keywords else ""
        words = "pass all of them by position" if by_name else EACH
        yield op, "length", _axes(len(parts)), f"{count} by position{by_name}", words
        return
    is_unmapped = axes is not None and (_is_none(axes) or (parts is not None and all(map(_is_none, parts))))
    if is_unmapped and not keeps_numbers and parts != () and not arguments.keywords and SIZE not in applied.options:
        yield op, "unmapped", "", "", "map one argument at least"
        return
    lanes = [] if size is None else [Lanes(size, f"`{SIZE}` is {size}")]
    for place, value in enumerate(arguments.positional):
        if place in applied.static_numbers:
            continue
        axis = axes if parts is None else parts[place]
        written = arguments.written(place) or op
        is_spread = axes is None and not keeps_numbers
        yield from _of_argument(written, value, axis, "rank", lanes, is_spread, keeps_numbers)
    if keeps_numbers:
        return
    for name, value in arguments.keywords.items():
        written = arguments.keyword_ops.get(name, op)
        if axes is not None and rank_of(value) == 1 and _is_reduced(wrapped.callee, name):
            yield written, "kept", f"`{name}`", "0", "pass it by position"
        yield from _of_argument(written, value, None, "named", lanes, is_spread=False)


def _reaches_all(axes: int, count: int, static: frozenset[int]) -> bool:
    """Is there an axis for each argument?  Where some are static, more than enough are taken, too (measured)."""
    if not static:
        return axes == count
    return all(place < axes for place in range(count) if place not in static)


def _of_argument(
    written: Op, value: Value, axis: Value | None, fault: AxesFault, lanes: list[Lanes], is_spread: bool,
    keeps_numbers: bool = False,
) -> Iterator[tuple[Op, AxesFault, str, str, str]]:  # fmt: skip
    """What is wrong with one argument: it lacks the axis, or has another number of lanes than those before it."""
    along = 0 if axis is None else whole_number(axis)
    if along is None or (is_spread and value.kind in SEQUENCES):
        return
    for leaf in _leaves(value, 0):
        rank = rank_of(leaf)
        if keeps_numbers and rank == 0 and leaf.kind not in CERTAIN_ARRAYS:
            continue
        if rank is not None and not -rank <= along < rank:
            subject = f"`{phrase(written)}`" if leaf is value else f"a part of `{phrase(written)}`"
            what = "a number" if leaf.kind not in CERTAIN_ARRAYS else _dimensions(rank)
            instead = WHOLE[fault] if not rank or fault != "rank" else f"use an axis that it has, or {WHOLE[fault]}"
            yield written, fault, subject, f"{along}, and it has none: it is {what}", instead
            return
        size = _size_along(leaf, along)
        if size is None:
            continue
        text = f"`{phrase(written)}` has {size} along axis {along}"
        other = next((lane for lane in lanes if lane.size != size), None)
        if other is not None:
            yield written, "sizes", other.text, text, SAME
            return
        lanes.append(Lanes(size, text))


def _is_reduced(function: Value, name: str) -> bool:
    """Does a function sum up a parameter, or the like?  Of a lane that is a number there is nothing to sum up."""
    found = underlying(function)
    for op in found.function.body if found is not None else ():
        for part in within(op):
            called = part.func if type(part) is ops.Call else None
            if type(part) is ops.Call and type(called) is ops.Attr and called.name in TOTALS:
                of = called.base if not part.args else part.args[0]
                if type(of) is ops.Name and of.name == name:
                    return True
    return False


def _of_numbers(
    frame: Frame, op: Op, wrapped: Wrapped, arguments: Arguments
) -> Iterator[tuple[Op, AxesFault, str, str, str]]:
    """What is wrong with a call of a derivative: it lacks the arguments by which is differentiated."""
    numbers = _numbers(wrapped.applied.options)
    signature = signature_of(frame.program.table, wrapped.callee)
    count, most = len(arguments.positional), signature.most if signature is not None else None
    if numbers is None or not numbers or (most is not None and not all(-most <= number < most for number in numbers)):
        return  # that is told where the transform is applied
    wrong = max(numbers)
    if wrong >= count:
        names = signature.positional if signature is not None else ()
        name = f"`{names[wrong]}`" if wrong < len(names) and names[wrong] in arguments.keywords else f"argument {wrong}"
        yield op, "by name", name, f"{count} by position", "pass it by position"


def _of_results(axes: Value, lane: Value) -> Iterator[tuple[AxesFault, str, str, str]]:
    """What is wrong with the axes of results, given what one lane returns."""
    parts, along = axes.elements, whole_number(axes)
    rank = rank_of(lane)
    if along is not None and rank is not None and not -rank - 1 <= along <= rank:
        ends = "the results together have 1 axis" if rank == 0 else f"the results together have {rank + 1} axes"
        yield "out rank", str(along), ends, f"use one from {-rank - 1} to {rank}" if rank else "use `out_axes=0`"
    elif parts is not None and is_single(lane):
        yield "out tree", _axes(len(parts)), "one result", "give one axis for it"
    elif parts is not None and lane.kind in SEQUENCES and lane.elements is not None and lane.form == "":
        if len(lane.elements) != len(parts):
            count = f"{len(lane.elements)} results"
            yield "out tree", _axes(len(parts)), count, "give one axis for each, or one for all"
            return
        for axis, part in zip(parts, lane.elements):
            yield from _of_results(axis, part)


def _leaves(value: Value, depth: int) -> Iterator[Value]:
    """The arrays and numbers in an argument that are known."""
    if value.kind in SEQUENCES or value.kind is DICT:
        for part in value.parts if depth < MAXIMUM_DEPTH else ():
            yield from _leaves(part, depth + 1)
    else:
        yield value


def rank_of(value: Value) -> int | None:
    """How many axes an array has, if that is known: a parameter declared to be a number may be that of a lane."""
    if value.kind is NUMBER and value.constant is OPEN and type(value.made_by) in (NoneType, ops.Operate):
        return None
    if value.kind is NUMBER or (value.kind is STATIC and isinstance(value.constant, bool)):
        return 0
    return len(value.shape) if value.kind in CERTAIN_ARRAYS and value.shape is not None else None


def _size_along(value: Value | None, along: int) -> int | None:
    """How many lanes a value has along an axis; of keys, along the first."""
    if value is not None and value.kind is KEYS and along == 0 and (counts := counts_of(value.payload)):
        return counts[0]
    if value is None or value.shape is None or not -len(value.shape) <= along < len(value.shape):
        return None
    return value.shape[along] if value.kind in CERTAIN_ARRAYS or (value.kind is KEYS and along == 0) else None


def _numbers(given: dict[str, Value]) -> list[int] | None:
    """The numbers of the arguments by which is differentiated."""
    value = given.get(ARGNUMS)
    found = [0] if value is None else literals(value)
    return [one for one in found if type(one) is int] if found is not None else None


def _is_none(value: Value) -> bool:
    return value.kind is STATIC and value.constant is not OPEN and value.constant is None


def _axes(count: int) -> str:
    return counted(count, "axis", "axes")


def _dimensions(rank: int) -> str:
    return "an array without axes" if rank == 0 else f"an array of {_axes(rank)}"


def counted(count: int, one: str = "argument", several: str = "arguments") -> str:
    """A number with its noun, as in "2 axes"."""
    return f"{count} {one if count == 1 else several}"


def is_single(value: Value) -> bool:
    """Is it certainly one array or number, rather than a tree of such?"""
    return value.kind in CERTAIN_ARRAYS or value.kind in (COMPUTED, NUMBER)


def _event(wrapped: Wrapped, fault: tuple[Op, AxesFault, str, str, str]) -> AxesMismatch:
    place, kind, subject, gets, instead = fault
    name = named(wrapped.callee, wrapped.applied.op or place)
    return AxesMismatch(place, kind, wrapped.applied.text, name, subject, gets, instead, Context())
