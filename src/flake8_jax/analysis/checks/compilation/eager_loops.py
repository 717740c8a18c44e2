"""Loops of Python that compute or read arrays step by step where nothing is jitted.

for i in range(1000):
    x = x.at[i].set(f(i))       1000 calls of JAX, each of which copies the whole array
for _ in range(1000):
    x = x - 0.1 * jnp.sin(x)    3000 calls of JAX, each for one operation
values = [float(v) for v in x]  waits for the device once for each element

A trace of the code refutes it: there the loop is unrolled (`checks/compilation/unrolling.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from operator import attrgetter
from typing import ClassVar, Literal, TypeAlias

from flake8_jax.analysis.checks.compilation.eager import eager, report_eager
from flake8_jax.analysis.checks.compilation.turns import Carried, Iterated, Turns, turns_here, turns_of
from flake8_jax.analysis.checks.keys.repetition import Repeat
from flake8_jax.analysis.checks.naming import imported_as, scope_of
from flake8_jax.analysis.evidence import CallSite, LatentEvidence, OutcomeAtCall
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.analysis.summaries.deferral import leave
from flake8_jax.domain.kinds import ARRAY, ARRAY_OR_INPUT, INPUT
from flake8_jax.domain.provenance import Context
from flake8_jax.domain.staging import Dependences, certain, staged
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.walking import names_in, statements_in, targets_of, within
from flake8_jax.lazy_dataclasses import dataclass, replace

MANY = 100
"""How many turns are worth a word."""

STEPS = 3
"""How many operations a turn has that computes step by step: one alone may add up what jitted code gives."""

StepForm: TypeAlias = Literal["update", "steps", "calls", "read", "unjitted"]


@dataclass(frozen=True, slots=True)
class EagerLoop:
    """A loop that asks JAX for one thing after the other.

    `form`: each turn updates an array at an index, computes with what the one before gave, calls small compiled
    functions, reads one element on the host, or, on each turn of `repeat`, calls a function that is jitted beside.
    `turns`: how often it turns, in words; `operations`: how many each turn makes; `subject`: the text of what is called
    or read; `instead`: what to write.
    """

    op: Op
    form: StepForm
    turns: str
    operations: int
    subject: str
    instead: str
    context: Context
    repeat: Repeat | None = None


@dataclass(frozen=True, slots=True)
class ReadsElements(LatentEvidence):
    """The host reads the elements of an `array` one by one, if the input that it is is one; `name` says how."""

    identified_by: ClassVar = attrgetter("op", "array")
    paths: ClassVar[int] = 1
    is_told: ClassVar[bool] = False
    name: str
    array: Value
    source: Op
    turns: Turns

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Certain for a large array that no trace hands in."""
        actual, turns = site.input_value(self.array), turns_here(site, self.turns)
        if actual is None or certain(site.ambient) is not None:
            return
        if actual.kind is INPUT:
            yield replace(self, array=actual, turns=turns)
        elif actual.kind is ARRAY and turns.known is not None and turns.known >= MANY:
            yield from eager((EagerLoop, self.op, ()), partial(_read, self.op, self.name, self.source, turns.known))


def check_eager_loop(
    frame: Frame, loop: Iterated, turns: Turns, work: dict[Dependences, int], carried: Carried
) -> None:
    """Report a loop that carries an array on, if it turns often and calls nothing that is jitted."""
    if turns.known is None or turns.known < MANY or type(loop.op) is not ops.Loop:
        return
    operations = sum(work.values())
    if carried == "update":
        form: StepForm = "update"
    elif carried == "array" and operations >= STEPS and not any(staged(held) is not None for held in work):
        form = "steps"
    else:
        return
    make = partial(_loop, loop, form, turns.known, operations)
    report_eager(frame, (EagerLoop, loop.op, ()), make)


def check_read(frame: Frame, op: Op, value: Value, source: Op | None, name: str) -> None:
    """Report that the host reads an array element by element."""
    if value.kind not in ARRAY_OR_INPUT or source is None or not frame.iterations:
        return
    loop, _ = frame.iterations[-1]
    read = _elements_read(frame, loop, source)
    if read is None:
        return
    array, held, turns = read
    if held.kind is INPUT:
        leave(frame, ReadsElements(op, name, held, array, turns))
    elif turns.known is not None and turns.known >= MANY:
        report_eager(frame, (EagerLoop, op, ()), partial(_read, op, name, array, turns.known))


def _elements_read(frame: Frame, loop: Op, source: Op) -> tuple[Op, Value, Turns] | None:
    """The array whose elements a loop takes one by one, its value, and how often it turns."""
    target, through = _header(loop)
    if through is None or type(target) is not ops.Name:
        return None
    if type(source) is ops.Name and source.name == target.name:
        value = peek(frame, through)
        return (
            (through, value, turns_of(frame, through, value))
            if value is not None and value.kind in ARRAY_OR_INPUT
            else None
        )
    if type(source) is ops.Item and type(source.index) is ops.Name and source.index.name == target.name:
        value = peek(frame, source.base)
        if value is not None and value.kind in ARRAY_OR_INPUT:
            return source.base, value, turns_of(frame, through, peek(frame, through))
    return None


def _header(loop: Op) -> tuple[Op | None, Op | None]:
    """The loop's target and the iterable that it runs over."""
    if type(loop) is ops.Loop:
        return loop.target, loop.source
    if type(loop) is ops.Gather and len(loop.clauses) == 1:
        return loop.clauses[0].target, loop.clauses[0].source
    return None, None


def _loop(loop: Iterated, form: StepForm, turns: int, operations: int) -> EagerLoop:
    scope = scope_of(loop.source)
    jit, fori = imported_as(scope, "jax.jit"), imported_as(scope, "jax.lax.fori_loop")
    if form == "update":
        collect = "collect the values and make one array of them, or " if _stores_at_turn(loop.op) else ""
        instead = f"{collect}use `{fori}` under `{jit}`"
    else:
        over = imported_as(scope, "jax.lax.scan") if _collects(loop.op) else fori
        instead = f"use `{over}`, or at least put a turn under `{jit}`"
    return EagerLoop(loop.op, form, f"{turns} times", operations, "", instead, Context())


def _stores_at_turn(loop: Op) -> bool:
    """Does each turn of a loop store into an element of its own: `x.at[i].set(...)`?"""
    names = {target.name for target in targets_of(loop)}
    views = (one for one in _inside(loop) if type(one) is ops.Item and type(one.base) is ops.Attr)
    return any(not names.isdisjoint(names_in(view.index)) for view in views if _is_view(view))


def _is_view(item: ops.Item) -> bool:
    return type(item.base) is ops.Attr and item.base.name == "at"


def _collects(loop: Op) -> bool:
    """Does a turn append to a list?"""
    methods = (one.func for one in _inside(loop) if type(one) is ops.Call and type(one.func) is ops.Attr)
    return any(method.name == "append" for method in methods)


def _inside(loop: Op) -> Iterator[Op]:
    """All ops of the body of a loop."""
    body = loop.body if type(loop) is ops.Loop else ()
    return (one for statement in statements_in(body) for one in within(statement))


def _read(op: Op, name: str, array: Op, turns: int) -> EagerLoop:
    instead = f"read all at once before: `{phrase(array)}.tolist()`"
    return EagerLoop(op, "read", f"{turns} times", 1, name, instead, Context())
