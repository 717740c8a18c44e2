"""Loops of Python in traced code: JAX traces each turn, so that the program grows with the turns.

@jax.jit
def simulate(x):
    for _ in range(1000):       1000 turns of 3 operations: 3000 in the program, and minutes to compile
        x = x + 0.1 * step(x)

How many array operations a turn makes is counted while the body is run: each op that gives an array, and those of
functions that it calls.  Loops in loops multiply.  Whether the operations are those of tracers, and how often a loop
turns if an argument says so, the calls decide.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal, TypeAlias

from flake8_jax.analysis.checks.compilation.work import OF_ITEM
from flake8_jax.analysis.checks.naming import imported_as, scope_of
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.analysis.summaries.deferral import leave
from flake8_jax.domain.effects import CallSite, CertainEvent, LatentEvidence, OutcomeAtCall
from flake8_jax.domain.provenance import Context, Hop, Trace
from flake8_jax.domain.staging import Dependences, certain, staged
from flake8_jax.domain.state import State
from flake8_jax.domain.value import ARRAY, COMPUTED, INPUT, NUMBER, NUMPY, Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase

SIZED = frozenset((ARRAY, COMPUTED, INPUT))
NUMBERS = frozenset((NUMBER, INPUT))
PASSING = frozenset(("enumerate", "list", "reversed", "sorted", "tuple"))
"""What turns as often as what it is given."""

MANY, LARGE = 50, 200
"""How many turns, and operations in all of them, are worth a word."""

LARGE_OF_ARRAY = 100
"""The same for a loop over an array itself, which needs no Python."""

MAXIMUM_TERMS = 4
MAXIMUM_DEPTH = 3


LoopForm: TypeAlias = Literal["for", "comprehension"]
Carried: TypeAlias = Literal["nothing", "array", "update"]
"""What a turn hands to the next: nothing, an array, or one that is updated at an index."""


@dataclass(frozen=True, slots=True)
class LoopUnrolled:
    """A loop whose turns are all parts of one compiled program.

    `turns`: how often its body is there, with the loops inside of it, None where the size of an array says so; `often`
    is that in words; `operations`: about how many a turn has; `instead`: what to write.
    """

    op: Op
    form: LoopForm
    turns: int | None
    often: str
    operations: int
    instead: str
    context: Context


@dataclass(frozen=True, slots=True)
class Turns:
    """How often a loop turns: a known number, as a `number` says, or as long as the axis of an array is.

    `is_counted`: it does not run through the array itself, but counts up to its length.
    """

    known: int | None = None
    number: Value | None = None
    array: Value | None = None
    axis: int = 0
    is_counted: bool = False
    text: str = ""


@dataclass(frozen=True, slots=True)
class Iterated:
    """A loop that runs through something: where it is reported, the op and the value of what it runs through."""

    op: Op
    source: Op
    value: Value


Work: TypeAlias = tuple[tuple[Dependences, int], ...]
"""Array operations, by what decides whether they are those of tracers."""


@dataclass(frozen=True, slots=True)
class UnrolledIfTraced(LatentEvidence):
    """A loop that computes with arrays; `inner` are the turns of loops in it, `work` is that of one of its turns."""

    source: Op
    turns: Turns
    inner: int
    work: Work
    carried: Carried

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Certain in staged code where the operations are those of tracers, and the turns are many."""
        work = tuple((site.dependences(held, False)[0], many) for held, many in self.work)
        work = tuple((held, many) for held, many in work if held)
        token, turns = certain(site.ambient), _turns_here(site, self.turns)
        if not work:
            return
        if token is None or token.stage != "staged":
            yield replace(self, work=work, turns=turns)
        elif "pallas" not in token.trace.transform:
            here = replace(self, work=tuple(one for one in work if staged(one[0]) is not None), turns=turns)
            if here.is_large:
                make = partial(here.event, token.trace, site.chain)
                yield CertainEvent((LoopUnrolled, self.op, ()), make)

    @property
    def identity(self) -> tuple[Op, Value | None]:
        """One is enough for each loop, and each argument that says how often it turns."""
        return self.op, self.turns.number

    @property
    def operations(self) -> int:
        """The operations of one turn."""
        return sum(many for _, many in self.work)

    @property
    def is_large(self) -> bool:
        """Is it worth a word?"""
        known, is_of_array = self.turns.known, self.turns.array is not None
        if known is None:
            enough = ("update",) if self.turns.is_counted else ("array", "update")
            return is_of_array and self.carried in enough and bool(self.work)
        large = LARGE_OF_ARRAY if is_of_array else LARGE
        return known * self.inner >= MANY and known * self.operations >= large

    def event(self, trace: Trace, chain: tuple[Hop, ...]) -> LoopUnrolled:
        """The event in traced code."""
        turns, each = self.turns.known, max(self.operations // self.inner, 1)
        form: LoopForm = "for" if type(self.op) is ops.Loop else "comprehension"
        instead = _instead(self.op, self.source, self.carried)
        total = None if turns is None else turns * self.inner
        return LoopUnrolled(self.op, form, total, self.turns.text, each, instead, Context(trace, chain))

    def told(self) -> tuple[str, str]:
        """For `explain`."""
        return "a loop must not turn often in traced code", "a tracer"


@dataclass(slots=True)
class TurnCount:
    """One turn of a loop, and what was counted before it: `work` and `turned` of the body around, and its exits."""

    around: dict[Dependences, int]
    turned: int
    exits: int
    work: dict[Dependences, int] = field(default_factory=dict)
    inner: int = 1
    is_left: bool = False

    def has_ended(self, frame: Frame) -> None:
        """The first turn is over."""
        self.work, self.inner, self.is_left = frame.work, frame.turned, _exits(frame) > self.exits
        frame.work = {}

    def count(self, frame: Frame, loop: Iterated | None, before: State, after: State | None) -> None:
        """Add the operations of all turns to those of the body around; leave to callers whether they are unrolled."""
        frame.work, frame.turned = self.around, self.turned
        if not self.work:
            return
        turns = _turns(frame, loop.source, loop.value) if loop is not None and not self.is_left else Turns()
        many = turns.known or 1
        if loop is not None and turns != Turns():
            carried = _carried(before, after)
            if type(loop.source) is not ops.Call and turns.array is not None:
                self.work[turns.array.dependences] = self.work.get(turns.array.dependences, 0) + OF_ITEM
            work = tuple(sorted(self.work.items(), key=_by_size))[:MAXIMUM_TERMS]
            evidence = UnrolledIfTraced(loop.op, loop.source, turns, self.inner, work, carried)
            if turns.known is None or evidence.is_large:
                leave(frame, evidence)
                many = 1
            else:
                frame.turned = max(self.turned, many * self.inner)
        for dependences, number in self.work.items():
            frame.work[dependences] = frame.work.get(dependences, 0) + many * number


def start_turn(frame: Frame) -> TurnCount:
    """Count what the next turn of a loop does."""
    count = TurnCount(frame.work, frame.turned, _exits(frame))
    frame.work, frame.turned = {}, 1
    return count


def _exits(frame: Frame) -> int:
    return len(frame.exits.breaks) + len(frame.exits.returned)


def _carried(before: State, after: State | None) -> Carried:
    """What a turn of a loop hands to the next one."""
    found: Carried = "nothing"
    for name in before.names.differing(after.names) if after is not None else ():
        value, now = before.names.get(name), after.names.get(name) if after is not None else None
        if value is not None and now is not None and value is not now and now.kind in SIZED:
            if _is_update(now.made_by):
                return "update"
            found = "array"
    return found


def _is_update(op: Op | None) -> bool:
    """Is it `x.at[i].set(v)`?"""
    view = op.func.base if type(op) is ops.Call and type(op.func) is ops.Attr else None
    return type(view) is ops.Item and type(view.base) is ops.Attr and view.base.name == "at"


def _by_size(one: tuple[Dependences, int]) -> int:
    return -one[1]


def _turns(frame: Frame, source: Op, value: Value | None, depth: int = 0) -> Turns:
    """How often a loop turns that runs through something."""
    counted = frame.program.record.counted
    if value is not None:
        numbers = counted.get(value.made_by) if value.made_by is not None else None
        if numbers is not None:
            return Turns(len(numbers))
        if value.elements is not None:
            return Turns(len(value.elements))
        if value.shape and value.shape[0] is not None:
            return Turns(value.shape[0], array=None if value.kind is NUMPY else value)
        if value.kind in SIZED and _is_as_large_as_data(value):
            return Turns(array=value, text=f"once for each element of `{phrase(source)}`")
    if source in counted:
        return Turns(len(counted[source]))
    if type(source) is not ops.Call or depth > MAXIMUM_DEPTH:
        return Turns()
    name = source.func.name if type(source.func) is ops.Name else ""
    if name == "range" and source.args:
        start, stop = source.args[0] if len(source.args) > 1 else None, source.args[min(len(source.args) - 1, 1)]
        is_whole = len(source.args) < 3 and (start is None or (type(start) is ops.Const and start.value in (0, 1)))
        return _as_often(frame, stop) if is_whole else Turns()
    if name == "zip":
        several = [_turns(frame, one, peek(frame, one), depth + 1) for one in source.args]
        known = [one for one in several if one.known is not None]
        return min(known, key=_known) if known else next((one for one in several if one.array is not None), Turns())
    if name in PASSING and source.args:
        return _turns(frame, source.args[0], peek(frame, source.args[0]), depth + 1)
    return Turns()


def _is_as_large_as_data(array: Value) -> bool:
    """Has an array the size of an argument?  What `jnp.arange` makes is as large as numbers say."""
    return array.kind is COMPUTED or array.alike is not None or array.made_by is None


def _known(turns: Turns) -> int:
    return turns.known or 0


def _as_often(frame: Frame, stop: Op) -> Turns:
    """How often a loop turns that counts up to a number which is not known here."""
    value = peek(frame, stop)
    made_by = stop if value is None or value.kind is NUMBER else None
    if value is not None and value.kind is NUMBER and value.made_by is not None:
        made_by = value.made_by
    sized, axis = _sized(made_by, stop)
    if sized is not None:
        array = peek(frame, sized)
        if array is not None and array.kind in SIZED and _is_as_large_as_data(array):
            return Turns(array=array, axis=axis, is_counted=True, text=f"`{phrase(stop)}` times")
    if value is not None and type(value.constant) is int:
        return Turns(value.constant)
    return Turns(number=value) if value is not None and value.kind in NUMBERS else Turns()


def _sized(op: Op | None, name: Op) -> tuple[Op | None, int]:
    """The array, and the axis, of which `len(x)`, `x.shape[0]` or `n, d = x.shape` gives the size to a name."""
    if type(op) is ops.Call and type(op.func) is ops.Name and op.func.name == "len" and len(op.args) == 1:
        return op.args[0], 0
    if type(op) is ops.Item and type(op.index) is ops.Const and type(op.base) is ops.Attr and op.base.name == "shape":
        return op.base.base, op.index.value if type(op.index.value) is int else 0
    if type(op) is ops.Store and type(op.value) is ops.Attr and op.value.name == "shape" and type(name) is ops.Name:
        for target in op.targets:
            names = [one.name if type(one) is ops.Name else "" for one in getattr(target, "parts", ())]
            if name.name in names:
                return op.value.base, names.index(name.name)
    return None, 0


def _turns_here(site: CallSite, turns: Turns) -> Turns:
    """How often a loop turns, as far as a call tells."""
    if turns.number is not None:
        actual = site.input_value(turns.number)
        if actual is not None and type(actual.constant) is int:
            return replace(turns, known=actual.constant, number=None)
        return replace(turns, number=actual) if actual is not None and actual.kind in NUMBERS else Turns()
    if turns.array is None or turns.known is not None:
        return turns
    actual = site.input_value(turns.array)
    shape = actual.shape if actual is not None else None
    if shape and -len(shape) <= turns.axis < len(shape) and (size := shape[turns.axis]) is not None:
        return replace(turns, known=size)
    if staged(site.ambient) is not None:
        return turns if _is_traced(site, turns.array, actual) else Turns()
    if actual is None:
        return turns if turns.array.kind is not INPUT else Turns()
    return replace(turns, array=actual) if actual.kind in SIZED else Turns()


def _is_traced(site: CallSite, array: Value, actual: Value | None) -> bool:
    """Is what a function runs through certainly a traced array?"""
    source = array.input
    is_array = array.kind is not INPUT or (source is not None and site.is_used_as_array(source))
    if actual is not None and not is_array:
        is_array = actual.kind is ARRAY
    return is_array and staged(site.dependences(array.dependences, False)[0]) is not None


def _instead(loop: Op, source: Op, carried: Carried) -> str:
    """What to write instead of a loop."""
    scope = scope_of(source)
    if carried == "nothing":
        return f"compute all turns at once, with `{imported_as(scope, 'jax.vmap')}`"
    is_counted = type(source) is ops.Call and phrase(source.func) == "range"
    name = imported_as(scope, "jax.lax.fori_loop" if is_counted else "jax.lax.scan")
    return f"use `{name}`, whose carry is what one turn hands to the next"
