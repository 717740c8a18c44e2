"""Calls of one of several callables, by the path.

    act = relu if name == "relu" else tanh      relu, where `name` is "relu"
    act(x)                                      what `relu` requires of `x`, on that path

Each is called on a path of its own, and the paths meet.  Where it is not known when a callable is chosen, or where the
choice asks about the arguments, the test may exclude what it would report: then only the keys are looked at that it
uses up.  Of `step = jax.jit(step) if compile else step` the second runs as under `disable_jit`: it is there to look
inside.  A function of `xp = jnp if on_device else np` makes an array of one of the two: a tracer of a tracer.
"""

from __future__ import annotations

from flake8_jax.analysis.callables import (
    Arguments,
    CallMode,
    FunctionValue,
    InstanceOf,
    MethodRun,
    Partial,
    Wrapped,
    underlying,
)
from flake8_jax.analysis.calls.choices import chosen, in_each
from flake8_jax.analysis.calls.library import consume_keys
from flake8_jax.analysis.calls.results import all_dependences
from flake8_jax.analysis.calls.streams import arguments_for_run
from flake8_jax.analysis.checks.contracts.contract import MakesEvent
from flake8_jax.analysis.checks.contracts.differentiated import check_choice
from flake8_jax.analysis.evaluator import call
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.classes import lookup
from flake8_jax.analysis.objects.signatures import signature_of
from flake8_jax.domain.kinds import API, COMPUTED, PARTIAL
from flake8_jax.domain.payload import OR_NUMPY, Alternatives
from flake8_jax.domain.staging import Dependences
from flake8_jax.domain.value import Value
from flake8_jax.ir.ops import Op
from flake8_jax.lazy_dataclasses import replace

MAXIMUM_NESTED = 3
NUMERIC = frozenset(("array", "numpy", "own"))


def call_each(
    frame: Frame, op: Op, alternatives: Alternatives, arguments: Arguments, ambient: Dependences, mode: CallMode
) -> Value | None:
    """The result of calling one of several; None if it is not known when which of them is called."""

    def use(callee: Value) -> None:
        _use_keys(frame, op, callee, arguments, 0)

    fitting = _fitting(frame, alternatives, arguments)
    faults: list[MakesEvent | None] = []
    ways = len(chosen(frame.live().path, fitting))

    def run(callee: Value) -> Value:
        context = frame.context
        is_unstaged = context.is_unstaged or any(_is_compiled(one, callee) for one in fitting.values)
        frame.context = replace(context, is_unstaged=is_unstaged, choice=faults)
        result = call(frame, op, callee, arguments, ambient, mode)
        frame.context = context
        return result

    found = in_each(frame, fitting, arguments.values(), run, use)
    if mode == "plain" and len(faults) == ways:
        check_choice(frame, op, faults)
    return found


def _is_compiled(one: Value, other: Value) -> bool:
    """Are two callables one function, compiled and as it is?"""
    is_compiled = type(one.payload) is Wrapped and one.payload.applied.transform.is_compiled
    return is_compiled and not isinstance(other.payload, Wrapped) and underlying(one) is underlying(other) is not None


def _fitting(frame: Frame, alternatives: Alternatives, arguments: Arguments) -> Alternatives:
    """The callables that take these arguments: what chose among them may have told the caller what to pass.

    if spin: f = of_two
    else: f = of_one
    if spin: f(x, y)            of them `of_two`
    """
    if arguments.is_open:
        return alternatives
    kept = [way for way in alternatives.ways() if not _refuses(frame, way[0], arguments)]
    if not kept or len(kept) == len(alternatives.values):
        return alternatives
    return Alternatives(tuple(value for value, _ in kept), tuple(when for _, when in kept))


def _refuses(frame: Frame, callee: Value, arguments: Arguments) -> bool:
    run = callee.payload
    if type(run) is MethodRun and "method" not in arguments.keywords:
        callee, arguments = run.callee, arguments_for_run(run, arguments)
    signature = signature_of(frame.program.table, callee)
    return signature is not None and signature.refusal(len(arguments.positional), arguments.keywords) is not None


def numeric(frame: Frame, op: Op, alternatives: Alternatives, arguments: Arguments) -> Value | None:
    """The array that one of several library functions makes of arguments that may be traced."""
    dependences = all_dependences(frame, arguments)
    if not dependences or not all(value.kind is API for value in alternatives.values):
        return None
    rows = [frame.program.table.function(value.name) for value in alternatives.values]
    if not all(row is not None and row.returns in NUMERIC for row in rows):
        return None
    return Value(COMPUTED, dependences, OR_NUMPY, op)


def _use_keys(frame: Frame, op: Op, callee: Value, arguments: Arguments, depth: int) -> None:
    payload = callee.payload
    if depth > MAXIMUM_NESTED:
        return
    if callee.kind is API:
        function = frame.program.table.function(callee.name)
        if function is not None:
            consume_keys(frame, op, function, arguments)
    elif isinstance(payload, FunctionValue):
        if payload.is_top_level or _is_around(frame, payload.frame):
            call(frame, op, callee, arguments, mode="either")
    elif isinstance(payload, Wrapped):
        _use_keys(frame, op, payload.callee, arguments, depth + 1)
    elif isinstance(payload, Partial):
        bound = payload.arguments
        merged = Arguments(
            bound.positional + arguments.positional, {**bound.keywords, **arguments.keywords},
            bound.is_open or arguments.is_open, (None,) * len(bound.positional) + arguments.ops, arguments.keyword_ops,
        )  # fmt: skip
        _use_keys(frame, op, payload.callee, merged, depth + 1)
    elif isinstance(payload, InstanceOf):
        method = lookup(payload.owner, "__call__")
        if method is not None:
            receiver = Arguments((callee,))
            _use_keys(frame, op, Value(PARTIAL, payload=Partial(method, receiver)), arguments, depth + 1)


def _is_around(frame: Frame, defining: Frame) -> bool:
    """Is a function defined in this body, or in one that encloses it?  Captured names of others cannot be resolved
    here.
    """
    return any(around is defining for around in frame.outwards())
