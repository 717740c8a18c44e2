"""Names of axes: of meshes, of specifications, and of what communicates along them.

shard_map(f, mesh=mesh, in_specs=(P("x"),), ...)(a, b)      one specification, two arguments
shard_map(f, mesh=mesh, in_specs=P("y"), ...)               `mesh` has the axis `x` alone
NamedSharding(mesh, P("y"))                                 the same
shard_map(f, mesh=mesh, in_specs=P(None, "x"), ...)(a)      `a` has one axis
lax.psum(x, "batch")                                        and nothing around binds `batch`

Meshes and specifications are read where they are made (`Mesh(devices, ("x",))`, `P("x")`).  A name is bound by `vmap`,
`pmap` or `shard_map` around the function, or around a caller: that none binds it is certain only where the host calls.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from operator import attrgetter
from typing import ClassVar

from flake8_jax.analysis.callables import Arguments, Wrapped, visible_names
from flake8_jax.analysis.checks.compilation.eager import eager, is_of_host
from flake8_jax.analysis.checks.contracts.axes import AxesFault, AxesMismatch, counted, is_single, rank_of
from flake8_jax.analysis.checks.contracts.bodies import named, written_option
from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.analysis.evidence import CallSite, LatentEvidence, OutcomeAtCall
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.classes import may_be_replaced
from flake8_jax.analysis.objects.signatures import signature_of
from flake8_jax.analysis.summaries.deferral import emit, leave
from flake8_jax.api.rows import ApiFunction
from flake8_jax.api.table import Table
from flake8_jax.api.transforms import Transform
from flake8_jax.domain.kinds import SEQUENCES, STATIC, TUPLE
from flake8_jax.domain.provenance import Context
from flake8_jax.domain.staging import Input
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of, searched_once
from flake8_jax.ir.ops import Function, Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.walking import within
from flake8_jax.lazy_dataclasses import dataclass, replace

IN_SPECS, OUT_SPECS, MESH, SPEC = "in_specs", "out_specs", "mesh", "spec"
SHARDING = "jax.sharding.NamedSharding"
AXIS_NAME, AXIS_NAMES, ENVIRONMENT, PARTITIONS = "axis_name", "axis_names", "axis_env", "partitions"
ANY: frozenset[str] | None = None
"""The names that something binds of which nothing is known."""

COMMUNICATING = "jax.lax."
CHECKING = "check_vma"
"""The option of a transform that looks after what varies, unless it is off."""


def check_specs(frame: Frame, op: Op, function: Value, transform: Transform, given: dict[str, Value]) -> None:
    """Report specifications that do not fit a function or a mesh, where they are told to a transform."""
    if transform.whole != IN_SPECS or frame.context.is_prepared:
        return
    specs, signature = given.get(IN_SPECS), signature_of(frame.program.table, function)
    parts = specs.elements if specs is not None and specs.kind is TUPLE else None
    refusal = signature.refusal(len(parts)) if signature is not None and parts is not None else None
    if signature is not None and parts is not None and refusal is not None:
        place = written_option(op, IN_SPECS) or op
        takes = signature.most if refusal.kind == "many" else signature.least
        name = named(function, place)
        _report(frame, place, "specs", transform.name, name, _specs(len(parts)), counted(takes or 0))
        return
    mesh = given.get(MESH)
    known = axes_of_mesh(frame.program.table, mesh) if mesh is not None else None
    for option in (IN_SPECS, OUT_SPECS) if known else ():
        for spec in specs_in(given.get(option)):
            if _names_another(frame, known or (), spec, transform.name, named(function, spec.made_by or op)):
                return


def check_sharding(frame: Frame, op: Op, arguments: Arguments) -> None:
    """Report a specification that does not fit its mesh, where both are told to a sharding."""
    mesh, spec = arguments.get(0, MESH), arguments.get(1, SPEC)
    known = axes_of_mesh(frame.program.table, mesh) if mesh is not None else None
    if known and spec is not None and not frame.context.is_prepared and not frame.is_expected:
        _names_another(frame, known, spec, SHARDING, "")


def _names_another(frame: Frame, known: tuple[str, ...], spec: Value, transform: str, function: str) -> bool:
    """Report a specification that names an axis which the mesh does not have; does it?"""
    unknown = [name for name in names_in(frame.program.table, spec) if name not in known]
    if not unknown or spec.made_by is None:
        return False
    has = ", ".join(f"`{name}`" for name in known)
    _report(frame, spec.made_by, "spec name", transform, function, f"`{unknown[0]}`", has)
    return True


def refuses_sharded(frame: Frame, op: Op, wrapped: Wrapped, arguments: Arguments) -> bool:
    """Report a call of a function under `shard_map` whose arguments do not fit its specifications."""
    applied = wrapped.applied
    specs = applied.options.get(IN_SPECS)
    if applied.transform.whole != IN_SPECS or arguments.is_open or frame.context.is_prepared:
        return False
    name, count = named(wrapped.callee, op), len(arguments.positional)
    if arguments.keywords:
        first = next(iter(arguments.keywords))
        place = arguments.keyword_ops.get(first, op)
        _report(frame, place, "spec keyword", applied.text, name, f"`{first}`", "")
        return True
    if specs is None:
        return False
    parts = specs.elements if specs.kind is TUPLE else (specs,) * count
    signature = signature_of(frame.program.table, wrapped.callee) if parts is not None and specs.kind is TUPLE else None
    if signature is not None and signature.refusal(len(parts or ())) is not None:
        return True  # that is told where they are
    if parts is not None and len(parts) != count:
        _report(frame, op, "specs", applied.text, name, _specs(len(parts)), counted(count))
        return True
    for at, (spec, value) in enumerate(zip(parts or (), arguments.positional)):
        size, rank = _length(frame.program.table, spec), rank_of(value)
        if size is not None and rank is not None and size > rank:
            written = arguments.written(at) or op
            subject, what = f"`{phrase(written)}`", "1 axis" if size == 1 else f"{size} axes"
            _report(frame, written, "spec rank", applied.text, name, subject, f"{what}, and it has {rank}")
            return True
    return False


def check_sharded_result(frame: Frame, op: Op, wrapped: Wrapped, result: Value) -> None:
    """Report results that do not fit the specifications of what comes out."""
    applied = wrapped.applied
    specs = applied.options.get(OUT_SPECS)
    if applied.transform.whole != IN_SPECS or specs is None or frame.context.is_prepared:
        return
    place, name = written_option(applied.op, OUT_SPECS) or op, named(wrapped.callee, op)
    parts = specs.elements if specs.kind is TUPLE else None
    if parts is not None and is_single(result):
        _report(frame, place, "out specs", applied.text, name, _specs(len(parts)), "one result")
    elif parts is not None and result.kind in SEQUENCES and result.elements is not None and result.form == "":
        if len(parts) != len(result.elements):
            gets = f"{len(result.elements)} results"
            _report(frame, place, "out specs", applied.text, name, _specs(len(parts)), gets)
    elif parts is None and (rank := rank_of(result)) is not None:
        size = _length(frame.program.table, specs)
        if size is not None and size > rank:
            gets = f"{counted(size, 'axis', 'axes')}, and the result has {rank}"
            _report(frame, place, "spec rank", applied.text, name, f"what {name} returns", gets)


def _report(frame: Frame, place: Op, fault: AxesFault, transform: str, function: str, subject: str, gets: str) -> None:
    emit(frame, (AxesMismatch, place, fault), lambda: AxesMismatch(
        place, fault, transform, function, subject, gets, INSTEAD[fault], Context()
    ))  # fmt: skip


INSTEAD: dict[AxesFault, str] = {
    "specs": "give one specification for each argument, or one for all",
    "out specs": "give one specification for each result, or one for all",
    "spec name": "name an axis of the mesh",
    "spec keyword": "pass it by position",
    "spec rank": "leave out the specification of axes that it does not have",
}
"""What to write, by what is wrong."""


def axes_of_mesh(table: Table, mesh: Value) -> tuple[str, ...] | None:
    """The names of the axes of a mesh, as they are written where it is made."""
    found = _argument(table, mesh.made_by, AXIS_NAMES)
    return tuple(_texts(found) or ()) or None if found is not None else None


def bound_by(table: Table, wrapped: Wrapped) -> frozenset[str] | None:
    """The names of axes that a transform binds for the function under it; None if they are not known."""
    options = wrapped.applied.options
    if ENVIRONMENT in options:
        return ANY
    if wrapped.applied.transform.whole == IN_SPECS or MESH in options:
        mesh = options.get(MESH)
        names = axes_of_mesh(table, mesh) if mesh is not None and AXIS_NAMES not in options else None
        return frozenset(names) if names is not None else ANY
    given = options.get(AXIS_NAME)
    if given is None:
        return frozenset()
    return frozenset((given.constant,)) if isinstance(given.constant, str) else ANY


@dataclass(frozen=True, slots=True)
class NeedsBound(LatentEvidence):
    """Something communicates along an axis of this name, which a transform around must bind; `others` are bound."""

    identified_by: ClassVar = attrgetter("name")
    asks: ClassVar = "`{0.callee}` needs the axis `{0.name}`", "no transform that binds it"
    callee: str
    name: str
    others: tuple[str, ...] = ()

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Presumed where the host calls, and nothing binds the name."""
        names = _axes_bound(site)
        if site.frame.is_expected or any(name is None or self.name in name for name in names):
            return
        others = tuple(sorted({*self.others, *(one for bound in names for one in bound or ())}))
        needed = replace(self, others=others)
        if is_of_host(site.frame) and not site.when:  # what is tested there may have decided what binds the name
            yield from eager((AxesMismatch, self.op, "unbound"), partial(needed.event, Context(None, site.chain)))
        yield needed

    def event(self, context: Context) -> AxesMismatch:
        """The event that nothing binds it."""
        bound = f": what binds one binds {', '.join(f'`{other}`' for other in self.others)}" if self.others else ""
        instead = f'bind it by `axis_name="{self.name}"` of the `vmap` or `pmap` around'
        if self.others:
            instead = f"name `{self.others[0]}`, or bind `{self.name}` where `{self.others[0]}` is bound"
        return AxesMismatch(self.op, "unbound", self.callee, "", f"`{self.name}`", bound, instead, context)


@dataclass(frozen=True, slots=True)
class NeedsNamedBound(LatentEvidence):
    """Something communicates along an axis whose name is an input."""

    identified_by: ClassVar = attrgetter("source")
    asks: ClassVar = "`{0.callee}` needs the axis that `{0.source.path}` names", "no transform that binds it"
    callee: str
    source: Input

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """The need of the axis that the call names."""
        actual = site.resolve(self.source)
        if actual is not None and isinstance(actual.constant, str):
            yield from NeedsBound(self.op, self.callee, actual.constant).at(site)
        elif actual is not None and actual.input is not None and actual.input.parent is None:
            yield replace(self, source=actual.input)
        elif actual is None and not site.is_owned(self.source):
            yield self  # captured: the call of the function around names it


def _is_asked_before(frame: Frame, op: Op) -> bool:
    """Was it found out whether there is the axis, here or around: `if is_under_pmap():`, or a `try` before it?"""
    at: Op | None = op
    around: Frame | None = frame
    while around is not None and around.parent is not None and at is not None:
        chains = chains_of(around.function)
        way = chains.way_to(at)
        if any(type(test) is ops.Call for test in chains.tests_on(way)):
            return True
        tried = _first_try(around.function)
        if tried is not None and tried < at.anchor.line:
            return True
        at, around = _making(around), around.parent
    return False


def _making(frame: Frame) -> Op | None:
    """The op that makes the function of a frame in the one around it."""
    return _makers_in(frame.parent.function).get(frame.function) if frame.parent is not None else None


@searched_once
def _makers_in(function: Function) -> dict[Function, Op]:
    """What makes each of the functions in a body."""
    every = (one for statement in function.body for one in within(statement))
    return {one.function: one for one in every if type(one) is ops.Closure}


@searched_once
def _first_try(function: Function) -> int | None:
    """The line of the first statement of a body that tries whether there is an axis."""
    tries = (one for one in function.body if type(one) is ops.Try and one.handlers)
    return next((one.anchor.line for one in tries if any(map(_asks_for_axis, one.body))), None)


def _asks_for_axis(statement: Op) -> bool:
    calls = (one for one in within(statement) if type(one) is ops.Call)
    return any(imported_name(call.func).startswith(COMMUNICATING) for call in calls)


def note_axes(frame: Frame, op: Op, name: str, function: ApiFunction, arguments: Arguments) -> None:
    """Report what communicates along an axis that nothing binds; in functions, callers may bind it."""
    if not name.startswith(COMMUNICATING) or frame.is_expected:
        return
    if _is_asked_before(frame, op):
        return
    place = next((at for at, one in enumerate(function.parameters) if one.name == AXIS_NAME), None)
    given = arguments.get(place, AXIS_NAME) if place is not None else None
    callee = phrase(op.func) if type(op) is ops.Call else name
    for element in (given.elements or (given,)) if given is not None else ():
        if element.input is not None and element.input.parent is None and frame.parent is not None:
            leave(frame, NeedsNamedBound(op, callee, element.input))
        if not isinstance(element.constant, str):
            continue
        needed = NeedsBound(op, callee, element.constant)
        if frame.parent is None:
            emit(frame, (AxesMismatch, op, "unbound"), partial(needed.event, Context()))
        else:
            leave(frame, needed)


def _argument(table: Table, op: Op | None, parameter: str) -> Op | None:
    """What a call of a library's function is given for a parameter, as it is written."""
    function = table.function(imported_name(op.func)) if type(op) is ops.Call else None
    if type(op) is not ops.Call or function is None:
        return None
    place = next((at for at, one in enumerate(function.parameters) if one.name == parameter), None)
    by_name = next((value for name, value in op.keywords if name == parameter), None)
    if place is None or by_name is not None:
        return by_name
    is_spread = any(type(argument) is ops.Star for argument in op.args)
    return op.args[place] if place < len(op.args) and not is_spread else None


def _partitions(table: Table, spec: Value) -> tuple[Op, ...] | None:
    """The entries of a specification, as they are written where it is made."""
    op = spec.made_by
    if spec.kind is not STATIC or type(op) is not ops.Call or op.keywords:
        return None
    if any(type(argument) is ops.Star for argument in op.args):
        return None
    function = table.function(imported_name(op.func))
    is_spec = function is not None and [parameter.name for parameter in function.parameters][:1] == [PARTITIONS]
    return op.args if is_spec else None


def _length(table: Table, spec: Value) -> int | None:
    """How many axes a specification has."""
    found = _partitions(table, spec)
    return len(found) if found is not None else None


def names_in(table: Table, spec: Value) -> list[str]:
    """The names of axes in a specification, as far as they are written there."""
    return [name for partition in _partitions(table, spec) or () for name in _texts(partition) or ()]


def specs_in(value: Value | None) -> Iterator[Value]:
    """The specifications in an option."""
    if value is not None and value.kind in SEQUENCES:
        for part in value.elements or ():
            yield from specs_in(part)
    elif value is not None:
        yield value


def _texts(op: Op) -> list[str] | None:
    """The strings that an expression is, or is made of."""
    if type(op) is ops.Const:
        return [op.value] if isinstance(op.value, str) else []
    if type(op) is not ops.Build or op.kind not in ("tuple", "list"):
        return None
    found = [_texts(part) for part in op.parts]
    return [name for part in found for name in part or ()] if None not in found else None


def _specs(count: int) -> str:
    return counted(count, "specification", "specifications")


def split_by(table: Table, wrapped: Wrapped) -> frozenset[str] | None:
    """The parameters of a function under `shard_map` that are split among devices; None under anything else."""
    options, transform = wrapped.applied.options, wrapped.applied.transform
    if transform.whole != IN_SPECS or not transform.has_parameter(CHECKING):
        return None
    flag, specs = options.get(CHECKING), options.get(IN_SPECS)
    if specs is None or (flag is not None and flag.constant is not True):
        return frozenset()
    names = visible_names(wrapped.callee)
    each = specs.elements if specs.kind in SEQUENCES else (specs,) * len(names)
    split = zip(names, each or ())
    return frozenset(name for name, spec in split if any(names_in(table, one) for one in specs_in(spec)))


def _axes_bound(site: CallSite) -> tuple[frozenset[str] | None, ...]:
    """The names of axes that the transforms bind under which a call is made; None for what is not known.

    A method that objects may have in another form may bind any: `self.update = pmap(self.update, "i")`.
    """
    func, owner, bound = site.op.func if type(site.op) is ops.Call else None, site.function.owner, site.frame.bound_axes
    is_open = owner is not None and type(func) is ops.Attr and may_be_replaced(owner, func.name)
    return (*bound, None) if is_open else bound
