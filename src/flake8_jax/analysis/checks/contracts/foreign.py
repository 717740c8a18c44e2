"""What JAX cannot trace, as an argument or a result of a traced function.

jax.jit(f)(x, "mean")                   a string; `static_argnames` would take it
lax.scan(step, {"loss": 0.0, "fn": g}, xs)      a function in a dict
@jax.jit
def f(x): return x, "done"              a string in what it returns

Arguments that only a derivative passes on (`argnums`), lanes that are not mapped (`in_axes=None`) and auxiliary data
may be anything.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import partial
from typing import ClassVar, Literal, TypeAlias

from flake8_jax.analysis.callables import (
    EVERYTHING,
    Arguments,
    CallMode,
    FunctionValue,
    InstanceOf,
    Wrapped,
    underlying,
)
from flake8_jax.analysis.checks.compilation.objects_traced import as_tree, registration_of, traced_arguments
from flake8_jax.analysis.checks.concrete import TracerConcretized
from flake8_jax.analysis.checks.contracts.conversions import is_none, refilled
from flake8_jax.analysis.checks.contracts.foreign_values import UNSORTED, ForeignValue, foreign_value, unsorted_in
from flake8_jax.analysis.checks.contracts.places import input_outside, is_of_a_test, written
from flake8_jax.analysis.checks.naming import imported_as, scope_of
from flake8_jax.analysis.checks.wording import callee_text
from flake8_jax.analysis.evidence import CallSite, Need, OutcomeAtCall
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.summaries.deferral import leave, send
from flake8_jax.api.static_options import TRACING
from flake8_jax.api.table import Table
from flake8_jax.api.transforms import Transform
from flake8_jax.domain.effects import Event, Finding
from flake8_jax.domain.kinds import LEAVES_AND_REFERENCES, TRACEABLE, TREE_NODES, Kind
from flake8_jax.domain.provenance import Context
from flake8_jax.domain.staging import Input, certain
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import searched_once
from flake8_jax.ir.ops import Function, Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.walking import within
from flake8_jax.lazy_dataclasses import dataclass, field, replace

ForeignWay: TypeAlias = Literal["argument", "operand", "result", "tree"]
FLATTENING = "jax.tree"
"""With this the names begin of the functions that put the leaves of their arguments in order: for `check_flattened`."""

PASSING = frozenset(("parameter", "each", "rest"))
"""How a transform hands its operands to functions, of the words of rows."""

BY_ARRAYS = "pass the arrays to differentiate by in its place"

MAXIMUM_STEPS = 1
"""How deep in an input lies what it must be: `self.config`."""

MAXIMUM_NEEDED = 6
"""Of so many inputs that must be traceable a function tells its callers at most."""


@dataclass(frozen=True, slots=True)
class ForeignTraced:
    """What JAX cannot trace goes into a traced function, or comes out of it.

    `given` says what it is, `subject` is its text; `function` and `transform` are the texts of what gets or returns it,
    as its `parameter`. `has_hash`: it could be static; `owner` is its class, if that is one of the project; `filtering`
    is the transform of its library that takes it; `site` tells the traced function from others; `instead` is what to
    do about it, if that is certain, `tree` what makes its class a pytree. `made_of`: it is a pytree, which is made anew
    of this.
    """

    op: Op
    way: ForeignWay
    subject: str
    given: str
    owner: str
    has_hash: bool
    function: str
    transform: str
    by: str
    parameter: str
    site: Hashable
    context: Context
    filtering: str = ""
    instead: str = ""
    made_of: str = ""
    tree: str = ""


@dataclass(frozen=True, slots=True)
class NeedsTraceable(Need):
    """An input must be something that JAX can trace, because a transform traces it."""

    asks: ClassVar = "`{0.op}` must be something that `{0.told_as.transform}` can trace", "a string, say"
    harmless: ClassVar[frozenset[Kind]] = LEAVES_AND_REFERENCES
    source: Input
    told_as: ForeignTraced
    table: Table = field(compare=False, repr=False)

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Violated by what JAX cannot trace."""
        actual = site.resolve(self.source)
        if actual is None and not site.is_owned(self.source):
            yield self
        found = foreign_value(self.table, actual) if actual is not None else None
        if found is not None and not is_of_a_test(site, self.op):
            yield _outcome(self.table, self.told_as, found, Context(None, site.chain))
        elif actual is None or _is_traced_already(actual):
            return
        elif (source := input_outside(actual)) is not None:
            yield replace(self, source=source, dependences=frozenset((source,)))


def _is_traced_already(actual: Value) -> bool:
    """Does a transform around this one trace an argument, and need the same of it?"""
    token = certain(actual.dependences)
    return token is not None and token.trace.transform in TRACING


def check_arguments(frame: Frame, op: Op, wrapped: Wrapped, arguments: Arguments, mode: CallMode) -> None:
    """Report the traced arguments of a call that JAX cannot trace; of inputs, callers are told."""
    applied = wrapped.applied
    if applied.transform.name not in TRACING or applied.static_numbers >= EVERYTHING or mode == "root":
        return
    if frame.context.is_prepared:
        return
    found = underlying(wrapped.callee)
    is_method = found is not None and found.owner is not None
    for place, parameter, value in traced_arguments(wrapped, arguments):
        if _is_evident(value):
            continue
        source = arguments.written(place) if place >= 0 else arguments.keyword_ops.get(parameter)
        if is_method and place == 0 and source is None:
            if mode != "plain" or not isinstance(value.payload, InstanceOf) or not value.payload.owner.is_tree:
                continue
            source = op.func.base if type(op) is ops.Call and type(op.func) is ops.Attr else op
        if source is None:
            continue
        name = found.function.name if found is not None else "<function>"
        function = name if found is not None else wrapped.callee.name or applied.text
        instead = BY_ARRAYS if _is_differentiated(wrapped, place) else ""
        tell = partial(
            _told, source, "argument", function, applied.text, applied.transform.name, parameter,
            (applied.path, name, applied.line), instead,
        )  # fmt: skip
        _check(frame, value, applied.transform, tell)


def _is_differentiated(wrapped: Wrapped, place: int) -> bool:
    """Is it an argument by which a transform here or inside differentiates: of `jit(grad(f))` the first?"""
    layer: Wrapped | None = wrapped
    while isinstance(layer, Wrapped):
        applied, inner = layer.applied, layer.callee.payload
        if applied.transform.stage == "differentiated" and place in applied.differentiated:
            return True
        layer = inner if isinstance(inner, Wrapped) else None
    return False


def check_handed(frame: Frame, op: Op, transform: Transform, arguments: Arguments, given: dict[str, Value]) -> None:
    """Report the operands of a transform that JAX cannot trace; of inputs, callers are told."""
    if transform.stage not in ("staged", "mapped", "differentiated") or frame.context.is_prepared:
        return
    passed = dict.fromkeys(
        argument.parameter for shape in transform.runs for argument in shape.arguments if argument.word in PASSING
    )
    for name in passed:
        value = given.get(name)
        parameter = next((one for one in transform.parameters if one.name == name), None)
        if value is None or parameter is None or (_is_evident(value) and parameter.kind != "varargs"):
            continue
        first = written(transform, arguments, name)
        if first is None:
            continue
        values = [value]
        sources: list[Op | None] = [first]
        if parameter.kind == "varargs":
            start = [one.name for one in transform.parameters].index(name)
            values, sources = [*arguments.positional[start:]], [*arguments.ops[start:]]
        for one, source in zip(values, sources, strict=False):
            if _is_evident(one):
                continue
            text = callee_text(op, transform.name)
            tell = partial(_told, source or first, "operand", "", text, transform.name, name)
            _check(frame, one, transform, tell)


def _told(
    source: Op, way: ForeignWay, function: str, text: str, by: str = "", parameter: str = "", site: Hashable = None,
    instead: str = "",
) -> ForeignTraced:  # fmt: skip
    """The event of something that is traced, but for what it is."""
    return ForeignTraced(
        source, way, phrase(source), "", "", False, function, text, by, parameter, site, Context(), instead=instead
    )


def check_result(
    frame: Frame, op: Op, transform: Transform, text: str, function: Value, result: Value, handed: Iterable[Value]
) -> None:
    """Report a result of a traced function that JAX cannot give back, unless it was `handed` in."""
    if result.kind in TRACEABLE or transform.keeps or not (transform.name in TRACING or transform.demands):
        return
    found = underlying(function)
    if found is None or found.function.is_generator or found.function.is_async or frame.context.is_prepared:
        return
    if frame.state is None:
        return
    table, is_whole = frame.program.table, transform.stage in ("staged", "mapped")
    placeholder = table.placeholder(transform.name, is_returned=True)
    state = frame.live()
    foreign = (foreign_value(table, result, state) if is_whole else None) or refilled(result, placeholder)
    others = [value for value in handed if value is not function]
    if foreign is None or any(foreign_value(table, value, state) is not None for value in others):
        return
    _send(frame, _told(_returned(found, result) or op, "result", found.function.name, text), foreign)


def check_flattened(frame: Frame, op: Op, name: str, arguments: Arguments) -> None:
    """Report trees whose leaves have no order, handed to a function that takes trees apart."""
    if frame.context.is_prepared or "is_leaf" in arguments.keywords:
        return
    for value, source in zip(arguments.positional, arguments.ops, strict=False):
        if source is not None and value.kind in TREE_NODES and unsorted_in(value, frame.live().contents):
            _send(frame, _told(source, "tree", "", callee_text(op, name), name), UNSORTED)


def check_filled(frame: Frame, op: Op, transform: Transform, tree: Value | None, leaf: Value) -> None:
    """Report a tree that is made anew of None, and refuses it."""
    if tree is None or not is_none(leaf) or frame.context.is_prepared:
        return
    foreign = refilled(tree, "None")
    if foreign is not None:
        text, subject = callee_text(op, transform.name), phrase(tree.made_by or op)
        told = ForeignTraced(op, "operand", subject, "", "", False, "", text, transform.name, "", None, Context())
        _send(frame, told, foreign)


def _is_evident(value: Value) -> bool:
    """Can JAX trace it whatever a caller hands in?"""
    return value.kind in TRACEABLE and value.input is None


def _check(frame: Frame, value: Value, transform: Transform, tell: Callable[[], ForeignTraced]) -> None:
    table, source = frame.program.table, value.input
    if source is None:
        foreign = foreign_value(table, value, frame.live()) or refilled(value, table.placeholder(transform.name))
        if foreign is not None:
            _send(frame, tell(), foreign)
        return
    if source.depth > MAXIMUM_STEPS or frame.parent is None:
        return
    if frame.summary.requires.effects.count(NeedsTraceable) < MAXIMUM_NEEDED:
        told = tell()
        leave(frame, NeedsTraceable(told.op, frozenset((source,)), source, told, table))


def _outcome(table: Table, told: ForeignTraced, found: ForeignValue, context: Context) -> Finding:
    owner = found.owner
    filtering = table.filtering(told.by, found.library) if found.library else ""
    instead = found.instead or ("" if filtering or owner is not None else told.instead)
    make = partial(
        replace, told, given=found.text, has_hash=found.has_hash, context=context, instead=instead,
        made_of=found.made_of,
        owner=owner.name if owner is not None else "",
        tree=as_tree(owner) if owner is not None else "",
        filtering=imported_as(scope_of(told.op), filtering) if filtering else "",
    )  # fmt: skip
    key = (ForeignTraced, told.op, told.parameter)
    return Finding(key, make, None if owner is None else registration_of(owner))


def _send(frame: Frame, told: ForeignTraced, found: ForeignValue) -> None:
    send(frame, _outcome(frame.program.table, told, found, Context()))


def _returned(found: FunctionValue, result: Value) -> Op | None:
    """What a function returns: of several returns the one that makes the result."""
    leaves = _returned_by(found.function)
    made = next((leaf for leaf in leaves if leaf is result.made_by), None)
    return made or (leaves[0] if len(leaves) == 1 else None)


@searched_once
def _returned_by(function: Function) -> list[Op]:
    return [
        inner.value for statement in function.body for inner in within(statement)
        if type(inner) is ops.Leave and inner.kind == "return" and inner.value is not None
    ]  # fmt: skip


def without_flags_told(events: Iterable[Event]) -> list[Event]:
    """The events without those about arguments that were already reported because traced code needs their values."""
    known = list(events)
    flags = {
        (one.context.trace.place, one.context.trace.value)
        for one in known
        if type(one) is TracerConcretized and one.flag and one.context.trace is not None
    }
    return [one for one in known if type(one) is not ForeignTraced or (one.site, one.parameter) not in flags]
