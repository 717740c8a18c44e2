"""Loops that compile on each turn, because a Python value chooses what is traced: each turn is another program.

for order in orders:
    lax.map(lambda x: bessel[order](x), xs)     another function is called on each turn
    lax.map(lambda x: x if order else -x, xs)   a test in Python chooses what is traced
    lax.map(lambda x: power(x, order), xs)      and so does one in a function that is called
    lax.map(lambda x: x * jnp.ones(order), xs)  so does a size
    lax.map(lambda x: x * order, xs)            one program for all, if `order` is an argument
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from flake8_jax.analysis.callables import ClassValue, FunctionValue
from flake8_jax.analysis.checks.compilation.turns import COUNTING
from flake8_jax.analysis.checks.compilation.varying import sizes
from flake8_jax.analysis.checks.concrete import TRUTHS, ConcreteForm, NeedsConcrete
from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.analysis.evaluator import summary_of
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.classes import lookup
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.domain.staging import Input
from flake8_jax.ir import ops
from flake8_jax.ir.chains import searched_once
from flake8_jax.ir.ops import Function, Op
from flake8_jax.ir.walking import functions_in, names_in, within
from flake8_jax.lazy_dataclasses import dataclass

CHOOSING: frozenset[ConcreteForm] = TRUTHS | {"text", "range", "index", "repeat", "shape", "bound", "size"}
"""What a program depends on as a whole, if Python asks for it."""

PassedName: TypeAlias = "tuple[ops.Call, int | str, str]"
"""A name that a call passes as it stands: by position, or by name."""


@dataclass(frozen=True, slots=True)
class AskedByPython:
    """The names that a function asks in tests, those by which it picks what it calls, counts turns or sizes arrays, and
    those that it passes on.
    """

    tested: frozenset[str]
    picking: frozenset[str]
    passed: tuple[PassedName, ...]


def is_chosen(frame: Frame, function: Function, names: set[str], loop: Op) -> bool:
    """Do some names, which a turn of a loop binds, choose what a function computes?

    A test on a number that counts the turns is no choice: it has two results, for many turns.
    """
    asked = _asked(function)
    counts = _is_counting(loop)
    if not names.isdisjoint(asked.picking) or (not counts and not names.isdisjoint(asked.tested)):
        return True
    forms = CHOOSING - TRUTHS if counts else CHOOSING
    return any(name in names and _chooses(frame, call, place, forms) for call, place, name in asked.passed)


@searched_once
def _asked(function: Function) -> AskedByPython:
    tested: set[str] = set()
    picking: set[str] = set()
    passed: list[PassedName] = []
    for body in (function, *functions_in(function)):
        for op in (op for statement in body.body for op in within(statement)):
            for test in _tests(op):
                tested |= names_in(test)
            if type(op) is not ops.Call:
                continue
            if type(op.func) is ops.Item:
                picking |= names_in(op.func.index)
            if type(op.func) is ops.Name and op.func.name in COUNTING:
                picking |= {name for argument in op.args for name in names_in(argument)}
            for size in (*(size for size, _ in sizes(op)), *_lengths(op)):
                picking |= names_in(size)
            passed += _passed(op)
    return AskedByPython(frozenset(tested), frozenset(picking), tuple(passed))


def _lengths(call: ops.Call) -> Iterator[Op]:
    """How often a scan turns, where it goes through nothing."""
    if imported_name(call.func) == "jax.lax.scan":
        yield from (value for name, value in call.keywords if name == "length")


def _tests(op: Op) -> Iterator[Op]:
    """What an op asks for its truth, unless that is whether something is None."""
    test = op.test if type(op) is ops.Branch or type(op) is ops.Choose else None
    test = op.source if type(op) is ops.Loop and op.kind == "while" else test
    if test is not None and not (type(test) is ops.Compare and {*test.operators} <= {"is", "is not"}):
        yield test


def _passed(call: ops.Call) -> Iterator[PassedName]:
    for place, argument in enumerate(call.args):
        if type(argument) is ops.Star:
            break
        if type(argument) is ops.Name:
            yield call, place, argument.name
    for word, argument in call.keywords:
        if word is not None and type(argument) is ops.Name:
            yield call, word, argument.name


def _chooses(frame: Frame, call: ops.Call, place: int | str, forms: frozenset[ConcreteForm]) -> bool:
    """Does a function of the project that is called need the value of an argument, to choose what it computes?"""
    callee = peek(frame, call.func) if type(call.func) is ops.Name or type(call.func) is ops.Attr else None
    held = callee.payload if callee is not None else None
    if isinstance(held, ClassValue):
        made = lookup(held, "__init__")
        held, place = made.payload if made is not None else None, place + 1 if isinstance(place, int) else place
    if not isinstance(held, FunctionValue):
        return False
    names = [parameter.name for parameter in held.function.parameters]
    name = place if isinstance(place, str) else names[place] if place < len(names) else ""
    needs = (effect.evidence for effect in summary_of(frame.program, held).requires.effects)
    return any(
        type(need) is NeedsConcrete
        and need.form in forms
        and any(type(source) is Input and source.name == name for source in need.dependences)
        for need in needs
    )


def _is_counting(loop: Op) -> bool:
    """Does a loop count its turns?"""
    source = loop.source if type(loop) is ops.Loop else None
    if type(source) is not ops.Call or type(source.func) is not ops.Name:
        return False
    return source.func.name in COUNTING or (source.func.name == "tqdm" and any(
        type(one) is ops.Call and type(one.func) is ops.Name and one.func.name in COUNTING for one in source.args
    ))  # fmt: skip
