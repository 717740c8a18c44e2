"""Derivatives that JAX refuses: reverse mode through loops without a known number of turns, forward mode through a
backward rule, any through a callback; and ordered callbacks under `vmap`.

def settle(x):                              needs that nobody goes back through the loop, by x
    return lax.while_loop(far, nearer, x)
jax.grad(settle)(x)                         reverse mode: refused
jax.jvp(settle, (x,), (t,))                 forward mode: legal

def power(x, n):                            the same, if n is traced
    return lax.fori_loop(0, n, lambda i, y: y * x, 1.0)
jax.jit(jax.grad(power))(x, 3)              both hold: refused
jax.grad(power)(x, 3)                       three turns, unrolled by `scan`: legal

What a transform refuses, its row says (`refuses`).  A loop is refused where its result goes back, a rule or a callback
as soon as it is met.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from functools import partial
from typing import ClassVar, Literal, TypeAlias

from flake8_jax.analysis.callables import Arguments, FunctionValue, Wrapped, underlying
from flake8_jax.analysis.checks.derivatives.differentiated import moved_here
from flake8_jax.analysis.checks.derivatives.reaching import places_returned
from flake8_jax.analysis.checks.derivatives.terms import Reader, Term, moved_by
from flake8_jax.analysis.evidence import CallSite, LatentEvidence, OutcomeAtCall
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.labels.tables import SHAPE_ATTRIBUTES
from flake8_jax.analysis.summaries.deferral import emit, leave
from flake8_jax.api.transforms import Transform
from flake8_jax.domain.effects import Finding, Room
from flake8_jax.domain.provenance import CERTAIN, Context, Hop
from flake8_jax.domain.staging import (
    NONE,
    Ambient,
    Dependences,
    DerivativeMode,
    Input,
    Token,
    derivatives,
    of_stage,
    unite,
)
from flake8_jax.domain.value import Value, dependences_of
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.lazy_dataclasses import dataclass, replace

RefusalForm: TypeAlias = Literal["loop", "counted", "backward", "callback", "ordered", "write"]

REVERSE: frozenset[DerivativeMode] = frozenset(("reverse", "forward over reverse"))
FORWARD: frozenset[DerivativeMode] = frozenset(("forward", "linear"))
ALL = REVERSE | FORWARD
REFUSED: dict[RefusalForm, frozenset[DerivativeMode]] = {
    "loop": REVERSE, "counted": REVERSE, "backward": FORWARD, "callback": ALL, "ordered": frozenset(),
    "write": frozenset(),
}  # fmt: skip
BOUNDS = ("lower", "upper")
CARRIES = ("init_val", "init", "init_vals")
FUNCTIONS = ("body_fun", "body", "body_fn")


@dataclass(frozen=True, slots=True)
class ModeRefused:
    """A derivative is taken in a mode that an op does not have, or an ordered callback or a write is mapped.

    `by` is what is called there, `bound` the text of what says how often a loop turns.
    """

    op: Op
    form: RefusalForm
    by: str
    bound: str
    context: Context


@dataclass(frozen=True, slots=True)
class NeedsMode(LatentEvidence):
    """A derivative by what `under` stands for must not be taken in a mode that is refused.

    `part`: where in what the function returns the result lies, if it matters.  `bounds`: it is refused if one of these
    is traced; none if it is anyway.  `token` is the trace that takes the derivative, once it is known; `flag` the input
    that is to be true, if there is one.
    """

    asks: ClassVar = "no derivative may go through `{0.op}`", "differentiated in a mode that it refuses"
    room: ClassVar[Room] = "need"
    form: RefusalForm
    by: str
    bound: str
    under: Dependences
    part: int | None = None
    bounds: Dependences = NONE
    token: Token | None = None
    flag: Input | None = None
    wrapped: Wrapped | None = None

    @property
    def identity(self) -> Hashable:
        """One is enough for each op, what it depends on, and where its result is."""
        return self.op, self.form, self.under, self.part, self.bounds, self.token is not None, self.flag

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Refused where the mode is known; the caller inherits it where that is open."""
        if site.frame.is_expected:
            return
        for held in self._differentiated(site):
            for found in held._counted(site):
                if found.token is not None and not found.bounds and not (site.frame.context.is_awaited and site.when):
                    yield Finding(found.key, partial(found.event, found.token, site.chain))
                elif found.token is None or found.bounds:
                    yield found

    def _differentiated(self, site: CallSite) -> Iterator[NeedsMode]:
        """The requirement with the trace that differentiates filled in, or restated in terms of the caller's inputs."""
        if self.token is not None:
            yield self
            return
        if self.form == "ordered":
            under = site.held(self.under, True)
            flagged = self._flagged(site)
            if flagged is not None and flagged.flag is None:
                yield from flagged._under(under)
            elif flagged is not None:
                yield replace(flagged, under=under)
            return
        if site.frame.context.has_own_rule or (self.form == "backward" and site.frame.context.may_be_reversed):
            return
        moved = moved_here(site, self.under)
        found = [*self._under(moved)]
        if any(one.token is not None for one in found):
            is_asked = not (site.frame.context.has_auxiliary and self._flows and self.part not in (0, None))
            yield from found if is_asked else ()
            return
        for place in (places_returned(site.frame, site.op, self.part) if self._flows else (None,)) if found else ():
            yield replace(found[0], part=place)

    def _flagged(self, site: CallSite) -> NeedsMode | None:
        """The requirement with its flag in terms of the caller; None where the flag is not true."""
        given = site.resolve(self.flag) if self.flag is not None else None
        if self.flag is None or (given is not None and given.constant is True):
            return replace(self, flag=None)
        return replace(self, flag=given.input) if given is not None and given.input is not None else None

    def _under(self, dependences: Dependences) -> Iterator[NeedsMode]:
        """The outcomes for these dependences: refused by a trace among them, or left open for inputs."""
        modes = [one.mode for one in derivatives(dependences)] if self.form == "backward" else ()
        if modes and not REVERSE.isdisjoint(modes) and not _calls_itself(self.wrapped):
            return  # forward mode goes through what the backward rule is made of
        token = self._refused(dependences)
        inputs = frozenset([dependence for dependence in dependences if type(dependence) is Input])
        if token is not None:
            yield replace(self, token=token, under=NONE, part=None)
        elif inputs:
            yield replace(self, under=inputs)

    def _refused(self, dependences: Dependences) -> Token | None:
        if self.form == "ordered":
            return of_stage(dependences, "mapped")
        found = derivatives(dependences)
        refused = REFUSED[self.form]
        if self.form == "backward" and _calls_itself(self.wrapped):
            refused = refused | {"forward over reverse"}
        return next((derivative for derivative in found if derivative.mode in refused), None)

    def _counted(self, site: CallSite) -> Iterator[NeedsMode]:
        """The outcomes, if the number of turns is traced or may be."""
        if not self.bounds:
            yield self
            return
        dependences = site.held(self.bounds, False)
        traced = [
            dependence
            for dependence in dependences
            if type(dependence) is Token and dependence.stage in ("staged", "mapped")
        ]
        if any(one.certainty is CERTAIN for one in traced):
            yield replace(self, bounds=NONE)
        elif open_ones := frozenset(dependence for dependence in dependences if type(dependence) in (Input, Ambient)):
            yield replace(self, bounds=open_ones)

    @property
    def _flows(self) -> bool:
        """Is the mode refused only where the result of the op reaches what is returned?"""
        return self.form in ("loop", "counted")

    @property
    def key(self) -> tuple[type, Op, tuple[()]]:
        """The key of the event of its violation."""
        return ModeRefused, self.op, ()

    def event(self, token: Token, chain: tuple[Hop, ...]) -> ModeRefused:
        """The event of its violation."""
        return ModeRefused(self.op, self.form, self.by, self.bound, Context(token.trace, chain, token.certainty))


def check_run(frame: Frame, op: Op, transform: Transform, given: dict[str, Value]) -> None:
    """Look at a loop or a callback that refuses derivatives."""
    if type(op) is not ops.Call or frame.state is None or frame.is_expected:
        return
    written = _by_parameter(op, transform)
    if transform.refuses == "callback":
        _check_callback(frame, op, transform, given)
    elif (carry := _first(written, CARRIES)) is not None:
        _check_loop(frame, op, transform, written, given, carry)


def check_backward(frame: Frame, op: Op, wrapped: Wrapped, arguments: Arguments) -> None:
    """Look at a call of a function that has a rule for reverse mode alone."""
    if frame.is_expected or frame.context.has_own_rule:
        return
    dependences: Dependences = NONE
    for place, value in enumerate(arguments.positional):
        if place not in wrapped.applied.static_numbers:
            dependences = unite(dependences, dependences_of(value))
    found = underlying(wrapped.callee)
    name = found.function.name if found is not None else "the function"
    _leave(frame, NeedsMode(op, "backward", name, "", dependences, wrapped=wrapped))


def _leave(frame: Frame, needed: NeedsMode) -> None:
    """Report what is refused here, or leave it to the callers."""
    for found in needed._under(needed.under):
        if found.token is None:
            leave(frame, found)
        elif not found.bounds:
            emit(frame, found.key, partial(found.event, found.token, ()))


def _check_callback(frame: Frame, op: ops.Call, transform: Transform, given: dict[str, Value]) -> None:
    reader, name = Reader(frame), phrase(op.func)
    args = next(
        (
            given[parameter.name]
            for parameter in transform.parameters
            if parameter.kind == "varargs" and parameter.name in given
        ),
        None,
    )
    count = len(args.elements or ()) if args is not None else 0
    under = (
        _moved(reader.read(argument) for argument in op.args[-count:] if type(argument) is not ops.Star)
        if count
        else NONE
    )
    if under:
        _leave(frame, NeedsMode(op, "callback", name, "", under))
    ordered = given.get("ordered")
    if ordered is not None and (ordered.constant is True or ordered.input is not None):
        dependences = dependences_of(args) if args is not None else NONE
        needed = NeedsMode(op, "ordered", name, "", dependences, flag=ordered.input)
        if needed.flag is None:
            _leave(frame, needed)
        elif dependences:
            leave(frame, needed)


def _check_loop(
    frame: Frame, op: ops.Call, transform: Transform, written: dict[str, list[Op]], given: dict[str, Value], carry: Op
) -> None:
    bounds: Dependences = NONE
    if transform.refuses == "counted":
        for name in BOUNDS:
            bounds = unite(bounds, dependences_of(given[name]) if name in given else NONE)
        if not bounds:
            return
    reader = Reader(frame)
    term = reader.read(carry)
    body = _first_value(given, FUNCTIONS)
    under = unite(_moved([term]), _captured(frame, body))
    if not under:
        return
    bound = next((phrase(one) for name in BOUNDS for one in written.get(name, ()) if _is_open(one)), "")
    form: RefusalForm = "counted" if transform.refuses == "counted" else "loop"
    needed = NeedsMode(op, form, phrase(op.func), bound, under, bounds=bounds)
    parts = term.parts if term.head == "build" and term.key in ("tuple", "list") else None
    places = [None] if parts is None else [place for place, one in enumerate(parts) if not _is_discrete(one)]
    for place in places:
        for found in places_returned(frame, op, place):
            _leave(frame, replace(needed, part=found))


def _is_open(op: Op) -> bool:
    return type(op) is not ops.Const


def _is_discrete(term: Term) -> bool:
    """Is it certainly a number that has no derivative: an integer, or the outcome of a test?"""
    if term.head == "const":
        return not isinstance(term.key, float)
    return term.head == "compare" or (term.value is not None and term.value.dtype in ("bool", "int32"))


def _moved(terms: Iterable[Term]) -> Dependences:
    found: Dependences = NONE
    for term in terms:
        found = unite(found, moved_by(term))
    return found


def _captured(frame: Frame, function: Value | None) -> Dependences:
    """What a function of this body, or of the caller that hands it in, reads of the names there."""
    found = function.payload if function is not None else None
    if not isinstance(found, FunctionValue) or found.frame.state is None or found.frame.parent is None:
        return NONE
    frame = found.frame
    reader, chains, held = Reader(frame), chains_of(found.function), NONE
    for several in chains.names.values():
        first = several[0]
        around = [chains.parents.get(one) for one in several]
        if all(type(one) is ops.Attr and one.name in SHAPE_ATTRIBUTES for one in around):
            continue
        binding = first.scope.lookup(first.name)
        if binding.owner is frame.function.scope and frame.live().names.get(first.name) is not None:
            value = frame.live().names.get(first.name)
            if value is not None and not isinstance(value.payload, FunctionValue):
                held = unite(held, moved_by(reader.read(first)))
    return held


def _calls_itself(wrapped: Wrapped | None) -> bool:
    """Does the forward rule call the function that it is a rule of?"""
    found = underlying(wrapped.callee) if wrapped is not None else None
    rules = wrapped.rules.get("defvjp", ()) if wrapped is not None else ()
    forward = rules[0].payload if rules else None
    if found is None or not isinstance(forward, FunctionValue):
        return False
    return found.function.name in chains_of(forward.function).names


def _by_parameter(op: ops.Call, transform: Transform) -> dict[str, list[Op]]:
    """The arguments as they are written, by the parameters that get them."""
    found: dict[str, list[Op]] = {}
    for place, one in enumerate(op.args):
        parameter = transform.parameter_at(place)
        if parameter is not None and type(one) is not ops.Star:
            found.setdefault(parameter.name, []).append(one)
    for name, one in op.keywords:
        if name is not None:
            found.setdefault(name, []).append(one)
    return found


def _first(written: dict[str, list[Op]], names: tuple[str, ...]) -> Op | None:
    return next((written[name][0] for name in names if name in written), None)


def _first_value(given: dict[str, Value], names: tuple[str, ...]) -> Value | None:
    return next((given[name] for name in names if name in given), None)
