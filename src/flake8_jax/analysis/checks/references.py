"""References that are used as the arrays they hold: computed with, returned, passed twice, or rebound.

def kernel(x_ref, o_ref):
    o_ref[...] = x_ref + 1          what is read is `x_ref[...]`
    o_ref = x_ref[...] + 1          stores nothing: what is stored into is `o_ref[...]`
    return x_ref[...]               a kernel returns nothing
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from operator import attrgetter
from typing import ClassVar, Literal, TypeAlias

from flake8_jax.analysis.callables import FunctionValue, underlying
from flake8_jax.analysis.checks.rebound import ArrayRebound, stores_of
from flake8_jax.analysis.evidence import CallSite, Need, OutcomeAtCall
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.labels.callees import Code, value_of
from flake8_jax.analysis.labels.tables import FIRST_FOR_SHAPE, SHAPE_FUNCTIONS
from flake8_jax.analysis.liveness.dead_stores import operands
from flake8_jax.analysis.objects.host_operands import COMPUTING
from flake8_jax.analysis.summaries.deferral import emit, leave
from flake8_jax.api.transforms import Transform
from flake8_jax.domain.effects import Event, Finding
from flake8_jax.domain.kinds import ARITHMETIC, ARRAY, CERTAINLY_DATA, HARMLESS_AS_ARGUMENT, MAY_BE_REFERENCE, REF, Kind
from flake8_jax.domain.payload import OR_REFERENCE, ORDINARY, STORAGE
from flake8_jax.domain.provenance import Context
from flake8_jax.domain.staging import Dependence, Input, certain, in_order
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import searched_once
from flake8_jax.ir.ops import Function, Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.walking import returns_in
from flake8_jax.lazy_dataclasses import dataclass, replace

OWN = frozenset(("addupdate", "unsafe_buffer_pointer"))
"""The methods that a reference has."""

MisuseForm: TypeAlias = Literal["operand", "argument", "stored", "returned", "kernel", "captured", "twice", "rebound"]
ASKING_FOR_SHAPES = SHAPE_FUNCTIONS | FIRST_FOR_SHAPE
MAXIMUM_DEPTH = 4
EQUALITY = frozenset(("==", "!="))


@dataclass(frozen=True, slots=True)
class ReferenceMisused:
    """A reference stands where the array that it holds is meant.

    `subject` is its text; `callee` is the operator or function that gets it, the reference that it is stored into, or
    the function that returns it; `instead` is what to write.
    """

    op: Op
    form: MisuseForm
    subject: str
    callee: str
    instead: str
    context: Context


@dataclass(frozen=True, slots=True)
class NeedsNoReference(Need):
    """An input must be no reference where only an array will do; `place` is the op that is reported."""

    identified_by: ClassVar = attrgetter("dependences")
    asks: ClassVar = "`{0.op}` must be no reference", "a reference"
    harmless: ClassVar[frozenset[Kind]] = HARMLESS_AS_ARGUMENT - {REF}
    form: MisuseForm
    callee: str

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Violated by a reference; for unmodified inputs the caller inherits it."""
        passed_on: set[Dependence] = set()
        for source in in_order(self.dependences):
            actual = site.resolve(source)
            if actual is None:
                passed_on.add(source)
            elif self.refuses(actual):
                yield Finding(self.key, partial(self.event, Context(None, site.chain)))
                return
            elif actual.input is not None:
                passed_on.add(actual.input)
        if passed_on:
            yield replace(self, dependences=frozenset(passed_on))

    def refuses(self, value: Value) -> bool:
        """Is it a reference?  Outside of traced code they may be compared; inside of it they may be passed twice."""
        if self.form == "twice" or self.callee in EQUALITY:
            return is_reference(value) and (certain(value.dependences) is None) is (self.form == "twice")
        return is_reference(value)

    @property
    def key(self) -> tuple[type, Op, tuple[()]]:
        """The key of the event of its violation."""
        return (ArrayRebound if self.form == "rebound" else ReferenceMisused, self.op, ())

    def event(self, context: Context) -> Event:
        """The event of its violation."""
        text = phrase(self.op)
        if self.form == "rebound" and type(self.op) is ops.Name:
            new = f"{text}[...] = {self.callee}"
            return ArrayRebound(self.op, f"{text} = {self.callee}", "", True, None, f"use `{new}`", context)
        instead = f"use `{text}[...]`" if self.form != "twice" else "pass another reference, or this one only once"
        return ReferenceMisused(self.op, self.form, text, self.callee, instead, context)


def is_reference(value: Value) -> bool:
    """Is it certainly a reference that is no array itself?  Variables of a library compute like arrays."""
    return value.kind is REF and (value.payload is STORAGE or value.payload is OR_REFERENCE)


def may_be_reference(frame: Frame, value: Value) -> bool:
    """Is it a reference, or something handed in where kernels get such, whose `x.at[i].set(v)` writes?"""
    is_handed_in = any(type(source) is Input and source.parent is None for source in value.dependences)
    return value.kind is REF or (is_handed_in and value.kind is not ARRAY and frame.namespace.file.makes_references)


def need_no_reference(frame: Frame, op: Op, value: Value, form: MisuseForm, callee: str) -> None:
    """Report a reference where only an array will do; inputs become preconditions in files that make references."""
    source = value.input
    if (value.kind is not REF and source is None) or frame.context.is_prepared:
        return
    if source is not None and not (_is_whole(source) and frame.namespace.file.makes_references):
        return
    needed = NeedsNoReference(op, value.dependences, form, callee)
    if source is not None:
        leave(frame, needed)
    elif needed.refuses(value):
        emit(frame, needed.key, partial(needed.event, Context()))


def _is_whole(source: Input) -> bool:
    """Is it a parameter, or a certain item of one, rather than a field or what a reference holds?"""
    return source.step is None or type(source.step[1]) is int


def check_method(frame: Frame, op: Op, base: Value, name: str) -> None:
    """Report a method of arrays of a reference, which has none of them."""
    if type(op) is ops.Call and type(op.func) is ops.Attr and name not in OWN:
        need_no_reference(frame, op.func.base, base, "argument", name)


def check_argument(frame: Frame, op: Op, value: Value, function: str, callee: str) -> None:
    """Report a reference that is passed to a function of arrays, other than for its shape."""
    if function.startswith(COMPUTING) and function not in ASKING_FOR_SHAPES:
        need_no_reference(frame, op, value, "argument", callee)


def check_plain_store(frame: Frame, op: ops.Store, value: Value) -> None:
    """Report `ref = value` on a reference of a caller, or of the function around, if nobody reads it afterwards."""
    target = op.targets[0]
    if type(target) is not ops.Name or op.value is None or value.kind not in ARITHMETIC:
        return
    held = _reference_before(frame, target)
    if held is None or op not in (stores := stores_of(frame)).live or stores.binders.get(target.name) != [op]:
        return
    need_no_reference(frame, target, held, "rebound", phrase(op.value))


def _reference_before(frame: Frame, target: ops.Name) -> Value | None:
    """What the name stands for: the parameter, or a reference of the function around of the same name."""
    binding = target.scope.lookup(target.name)
    if binding.owner is not frame.function.scope or frame.function.kind != "def":
        return None
    if binding.is_parameter:
        return frame.summary.inputs.get(target.name)
    around = frame.parent
    if around is None or around.state is None or around.function.kind != "def":
        return None
    return around.state.names.get(target.name)


def check_traced_call(
    frame: Frame, op: Op, transform: Transform, callee: Value, given: Iterable[Value], result: Value
) -> None:  # fmt: skip
    """Report a traced function that returns a reference, or gets one twice, and a kernel that returns a value."""
    function = underlying(callee)
    if transform.stage not in ("staged", "mapped") or frame.context.is_prepared:
        return
    name = function.function.name if function is not None else ""
    if transform.passes == "ref":
        if "none" in transform.expects and function is not None:
            if result.kind in CERTAINLY_DATA:
                _report_return(frame, function, "kernel", name)
            _check_captured(frame, function)
        return
    if transform.stage == "staged" and function is not None and _holds_reference(result):
        _report_return(frame, function, "returned", name)
    seen: set[Value] = set()
    for one in (leaf for each in given for leaf in (each.parts or (each,))):
        if one.kind in MAY_BE_REFERENCE and one in seen:
            need_no_reference(frame, op, one, "twice", name)
        seen.add(one)


def _emit(frame: Frame, event: ReferenceMisused) -> None:
    emit(frame, (ReferenceMisused, event.op, ()), lambda: event)


def _holds_reference(value: Value) -> bool:
    return is_reference(value) or any(is_reference(part) for part in value.parts)


def _report_return(frame: Frame, function: FunctionValue, form: MisuseForm, name: str, depth: int = 0) -> None:
    """Report the first statement of a function that returns a value, or that of the function that it asks for it."""
    place = next((one for one in returns_in(function.function.body) if one.value is not None), None)
    if place is None or place.value is None:
        return
    asked = place.value.func if type(place.value) is ops.Call else None
    callee = value_of(Code(function.function, function.frame, function.owner), asked) if asked is not None else None
    if callee is not None and type(callee.payload) is FunctionValue and depth < MAXIMUM_DEPTH:
        _report_return(frame, callee.payload, form, name, depth + 1)
        return
    text = phrase(place.value)
    parameters = function.function.parameters
    last = parameters[-1].name if parameters else "out_ref"
    instead = f"use `{last}[...] = {text}`" if form == "kernel" else f"use `return {text}[...]`"
    if type(place.value) is not ops.Name:
        instead = instead if form == "kernel" else "use what the reference holds, `ref[...]`"
    _emit(frame, ReferenceMisused(place, form, text, name, instead, Context()))


def _check_captured(frame: Frame, function: FunctionValue) -> None:
    """Report the arrays around a kernel that it computes with: it gets arrays by its references only."""
    code = Code(function.function, function.frame, function.owner)
    for op in _names_computed_with(function.function):
        value = value_of(code, op)
        if value is not None and value.kind is ARRAY and value.payload in ORDINARY:
            instead = f"pass `{phrase(op)}` to the kernel, as one of its inputs"
            _emit(frame, ReferenceMisused(op, "captured", phrase(op), function.function.name, instead, Context()))


@searched_once
def _names_computed_with(kernel: Function) -> list[ops.Name]:
    """The names of what is around a kernel that stand in its operators, or are stored."""
    names = [op for op in operands(kernel.body) if type(op) is ops.Name]
    return [name for name in names if name.scope.lookup(name.name).owner is not kernel.scope]
