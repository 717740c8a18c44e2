"""Loops of Python that compute or read arrays step by step where nothing is jitted.

for i in range(1000):
    x = x.at[i].set(f(i))       1000 calls of JAX, each of which copies the whole array
for _ in range(1000):
    x = x - 0.1 * jnp.sin(x)    3000 calls of JAX, each for one operation
values = [float(v) for v in x]  waits for the device once for each element

A trace of the code refutes it: there the loop is unrolled (`checks/compilation/unrolling.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Literal, TypeAlias

from flake8_jax.analysis.checks.compilation.eager import report_eager
from flake8_jax.analysis.checks.compilation.turns import Carried, Iterated, Turns, turns_of
from flake8_jax.analysis.checks.naming import imported_as, scope_of
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.domain.provenance import Context
from flake8_jax.domain.staging import Dependences, Token
from flake8_jax.domain.value import ARRAY, Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase

MANY = 100
"""How many turns are worth a word."""

STEPS = 3
"""How many operations a turn has that computes step by step: one alone may add up what jitted code gives."""

StepForm: TypeAlias = Literal["update", "steps", "read"]


@dataclass(frozen=True, slots=True)
class EagerLoop:
    """A loop that asks JAX for one thing after the other.

    `form`: each turn updates an array at an index, computes with what the one before gave, or reads one element on the
    host.  `turns`: how often it turns, in words; `operations`: how many each turn makes; `subject`: the text of what is
    read; `instead`: what to write.
    """

    op: Op
    form: StepForm
    turns: str
    operations: int
    subject: str
    instead: str
    context: Context


def check_eager_loop(
    frame: Frame, loop: Iterated, turns: Turns, work: dict[Dependences, int], carried: Carried
) -> None:
    """Report a loop that carries an array on, if it turns often and calls nothing that is jitted."""
    if turns.known is None or turns.known < MANY or type(loop.op) is not ops.Loop:
        return
    operations = sum(work.values())
    if carried == "update":
        form: StepForm = "update"
    elif carried == "array" and operations >= STEPS and not any(_is_compiled(held) for held in work):
        form = "steps"
    else:
        return
    make = partial(_loop, loop, form, turns.known, operations)
    report_eager(frame, (EagerLoop, loop.op, ()), make)


def check_read(frame: Frame, op: Op, value: Value, source: Op | None, name: str) -> None:
    """Report that the host reads an array element by element."""
    if value.kind is not ARRAY or source is None or not frame.iterations:
        return
    loop, _ = frame.iterations[-1]
    read = _elements_read(frame, loop, value, source)
    if read is None:
        return
    array, turns = read
    if turns.known is not None and turns.known >= MANY:
        report_eager(frame, (EagerLoop, op, ()), partial(_read, op, name, array, turns.known))


def _elements_read(frame: Frame, loop: Op, value: Value, source: Op) -> tuple[Op, Turns] | None:
    """The array whose elements a loop takes one by one, and how often it turns."""
    target, through = _header(loop, value)
    if through is None or type(target) is not ops.Name:
        return None
    if type(source) is ops.Name and source.name == target.name:
        held = peek(frame, through)
        is_array = held is not None and held.kind is ARRAY
        return (through, turns_of(frame, through, held)) if is_array else None
    if type(source) is ops.Item and type(source.index) is ops.Name and source.index.name == target.name:
        held = peek(frame, source.base)
        if held is not None and held.kind is ARRAY:
            return source.base, turns_of(frame, through, peek(frame, through))
    return None


def _header(loop: Op, value: Value) -> tuple[Op | None, Op | None]:
    """The target of a loop or comprehension, and what it runs through."""
    if type(loop) is ops.Loop:
        return loop.target, loop.source
    if type(loop) is ops.Gather and len(loop.clauses) == 1:
        return loop.clauses[0].target, loop.clauses[0].source
    return None, None


def _is_compiled(held: Dependences) -> bool:
    return any(type(one) is Token and one.stage == "staged" for one in held)


def _loop(loop: Iterated, form: StepForm, turns: int, operations: int) -> EagerLoop:
    scope = scope_of(loop.source)
    jit, fori = imported_as(scope, "jax.jit"), imported_as(scope, "jax.lax.fori_loop")
    if form == "update":
        instead = f"collect the values and make one array of them, or use `{fori}` under `{jit}`"
    else:
        instead = f"use `{fori}`, or at least put a turn under `{jit}`"
    return EagerLoop(loop.op, form, f"{turns} times", operations, "", instead, Context())


def _read(op: Op, name: str, array: Op, turns: int) -> EagerLoop:
    instead = f"read all at once before: `{phrase(array)}.tolist()`"
    return EagerLoop(op, "read", f"{turns} times", 1, name, instead, Context())
