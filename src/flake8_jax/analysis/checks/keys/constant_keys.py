"""Keys made of a constant where code runs again and again: the same numbers each time.

@jax.jit
def noisy(x):
    return x + normal(key(0), x.shape)      an effect of `noisy`: certain where it is traced and called twice
for _ in range(n):
    x += normal(key(0))                     certain at once
def noise(key=key(0)):                      each call without a key draws the same
    return normal(key)
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from typing import ClassVar, Literal, TypeAlias

from flake8_jax.analysis.callables import FunctionValue
from flake8_jax.analysis.checks.keys.sinks import Sink
from flake8_jax.analysis.evidence import CallSite, LatentEvidence, OutcomeAtCall
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.labels.callees import code_of
from flake8_jax.analysis.labels.questions import is_read
from flake8_jax.analysis.summaries.deferral import emit, keep, send
from flake8_jax.domain.conditions import Path
from flake8_jax.domain.constants import OPEN
from flake8_jax.domain.effects import Effect, Finding, FindingByCalls
from flake8_jax.domain.key_parts import KeyPart, SeededBy
from flake8_jax.domain.kinds import NUMBER
from flake8_jax.domain.payload import Derived
from flake8_jax.domain.provenance import Context, Hop, certain_if
from flake8_jax.domain.resources import ByFunction, DrawSite, Used
from flake8_jax.domain.staging import Input, Token, certain, context_of
from flake8_jax.domain.value import Value
from flake8_jax.ir.ops import Function, Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.lazy_dataclasses import dataclass, field

ConstantForm: TypeAlias = Literal["traced", "body", "loop", "called", "default"]
MAXIMUM_STEPS = 8
MANY = 8
"""From how many effects on, a function tells its callers only of draws that are known to be read."""

SPLIT = "jax.random.split"
SETUP, CONSTRUCTOR = "init", "__init__"
"""A word in the names of functions that are run once."""

ONE_BY_ONE = frozenset(("the body of", "the condition of", "mapped by"))
"""The relations to a transform of a function that it runs many times in one call."""


@dataclass(frozen=True, slots=True)
class ConstantKeyDrawn:
    """A key made of a constant is drawn from again and again.

    `key` is the text of what makes it, `by` draws from it.  `form`: its function is "traced" and called `calls` times,
    or the "body" of a transform that runs it many times; it stands in a "loop", is the "default" of `parameter`, or
    its function is "called" on `lines` of `path`.  It is likely where no calls are seen.
    """

    op: Op
    key: str
    by: str
    form: ConstantForm
    calls: int
    parameter: str
    context: Context
    path: str = ""
    lines: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class DrawsConstant(LatentEvidence):
    """An effect of a function: it makes a key of a constant, and draws from it.

    Whether the result of the draw `draw` is read is asked where it matters: in a trace.
    """

    identified_by: ClassVar = attrgetter("op", "by", "draw.op")
    by: str
    draw: DrawSite = field(compare=False)

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Certain in what one call of a transform runs many times, or in what is jitted and called twice."""
        token, chain = certain(site.ambient), site.chain
        is_one_by_one = token is not None and token.trace.role in ONE_BY_ONE
        if token is None or not (is_one_by_one or token.trace.role == "jitted"):
            yield self
        elif is_read(self.draw):
            if not is_one_by_one:
                again = DrawsConstantAgain(self, token, chain)
                yield FindingByCalls((DrawsConstant, self.op, chain), again)
            elif is_read(DrawSite(site.op, code_of(site.frame))):
                event = self.event("body", context_of(token, chain), 1)
                yield Finding((ConstantKeyDrawn, self.op, ()), lambda: event)

    def event(self, form: ConstantForm, context: Context, calls: int) -> ConstantKeyDrawn:
        """The event under a trace."""
        return ConstantKeyDrawn(self.op, phrase(self.op), self.by, form, calls, "", context)


@dataclass(frozen=True, slots=True)
class DrawsConstantAgain:
    """A jitted function draws from a key of a constant: the same numbers on each call."""

    draw: DrawsConstant
    token: Token
    chain: tuple[Hop, ...]

    @property
    def op(self) -> Op:
        """The op at which it is reported."""
        return self.draw.op

    @property
    def place(self) -> tuple[str, str, int]:
        """The traced function."""
        return self.token.trace.place

    def event(self, calls: int) -> ConstantKeyDrawn | None:
        """The event, given the number of calls; where none is seen, it is only likely that there are several."""
        if calls == 1:
            return None
        certainty = max(self.token.certainty, certain_if(calls > 1))
        return self.draw.event("traced", Context(self.token.trace, self.chain, certainty), calls)


def seed_of(value: Value) -> Value | None:
    """The key of a constant seed that a key is, or was derived from."""
    found = seed_behind(value)
    return None if found is None or type(found.payload) is SeededBy else found


def seed_behind(value: Value) -> Value | None:
    """The key of a seed that a key is, or was derived from."""
    for _ in range(MAXIMUM_STEPS):
        payload = value.payload
        if type(payload) is KeyPart:
            payload = payload.whole.original.payload
        if type(payload) is SeededBy:
            return value
        if type(payload) is not Derived:
            return None
        if payload.parent is None:
            return value
        value = payload.parent.original
    return None


def note_constant(frame: Frame, value: Value, used: Used) -> None:
    """Make a draw from a key of a constant, made in this function, an effect of the function."""
    seed = seed_of(value) if frame.function.kind in ("def", "lambda") else None
    if seed is None or seed.made_by is None or used.draw is None or not is_run_again(frame.function):
        return
    draw_constant(frame, seed.made_by, used.use.by, used.draw, used.path, ())


def note_seeded_stream(frame: Frame, op: Op, by: str, seeds: list[Value]) -> None:
    """Make it an effect of a function that it makes a stream of keys of numbers that are written out."""
    if frame.function.kind not in ("def", "lambda") or not seeds or not is_run_again(frame.function):
        return
    if all(one.kind is NUMBER and one.constant is not OPEN for one in seeds):
        draw_constant(frame, op, by, DrawSite(op, code_of(frame), by), frame.path, ())


def draw_constant(frame: Frame, made_by: Op, by: str, draw: DrawSite, when: Path, chain: tuple[Hop, ...]) -> None:
    """Make a draw from a key of a constant an effect of a function; of many only those that are read."""
    if frame.summary.requires.effects.taken.get(DrawsConstant.room, 0) < MANY or is_read(draw):
        keep(frame, Effect(DrawsConstant(made_by, by, draw), when, chain))


def report_loop(frame: Frame, op: Op, used: Used) -> None:
    """Report a key of a constant that is made in a loop.

    One that is split or passed on may start an experiment over, and is only likely.
    """
    certainty = certain_if(isinstance(used.means, ByFunction) and used.means.name != SPLIT)
    make = ConstantKeyDrawn(op, phrase(op), used.use.by, "loop", 0, "", Context(certainty=certainty))
    emit(frame, (ConstantKeyDrawn, op, ()), lambda: make)


def check_defaults(frame: Frame, function: FunctionValue) -> None:
    """Report parameters with a key of a constant as their default, where the function draws from them."""
    for parameter in function.function.parameters:
        default = function.defaults.get(parameter.name)
        if default is None or parameter.default is None or seed_of(default) is None:
            continue
        for sink, _ in frame.summary.requires.effects.of(Sink):
            is_its = sink.target in frame.summary.inputs[parameter.name].dependences
            if is_its and sink.draw is not None and is_read(sink.draw):
                _report_default(frame, parameter.default, parameter.name, sink.use.by)
                break


def is_run_again(function: Function) -> bool:
    """Is it a function that does not say that it is run once?"""
    return SETUP not in function.name.lower()


def _is_called_again(function: Function) -> bool:
    """May several calls leave a default as it is?  Several objects of a class do, though each is set up once."""
    return function.name == CONSTRUCTOR or is_run_again(function)


def _report_default(frame: Frame, op: Op, name: str, by: str) -> None:
    place = op.anchor.origin.path, frame.function.name, op.anchor.line
    repeated = DefaultDrawn(op, by, name, place, _is_called_again(frame.function))
    send(frame, FindingByCalls((DefaultDrawn, op, ()), repeated))


def count_default(
    frame: Frame, op: Op, function: FunctionValue, bound: dict[str, Value], reached: list[Input | Value]
) -> None:
    """Count the call sites that draw from the key of a default argument, at what is `reached`; one in a loop counts
    twice.
    """
    names = {target.name for target in reached if isinstance(target, Input)}
    for parameter in function.function.parameters:
        if parameter.name not in names:
            continue
        default, source = function.defaults.get(parameter.name), parameter.default
        if default is None or source is None or seed_of(default) is None:
            continue
        if bound.get(parameter.name) is not default:
            continue
        record = frame.program.record
        if (function, op) not in record.sites:
            record.sites.add((function, op))
            place = source.anchor.origin.path, function.function.name, source.anchor.line
            record.calls[place] += 2 if frame.iterations else 1
        if _is_called_again(function.function):
            record.reported.add(default)  # where two calls leave it out, the default itself is reported


@dataclass(frozen=True, slots=True)
class DefaultDrawn:
    """A parameter that is drawn from has a key of a constant as its default."""

    op: Op
    by: str
    parameter: str
    place: tuple[str, str, int]
    is_repeated: bool

    def event(self, calls: int) -> ConstantKeyDrawn | None:
        """The event, given the number of calls that leave the parameter out; one alone does no harm yet."""
        if calls == 0:
            return None
        context = Context(certainty=certain_if(self.is_repeated and calls > 1))
        return ConstantKeyDrawn(self.op, phrase(self.op), self.by, "default", calls, self.parameter, context)
