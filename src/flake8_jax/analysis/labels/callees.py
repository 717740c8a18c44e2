"""What a name in the code of a function stands for, asked for without running that code."""

from __future__ import annotations

from flake8_jax.analysis.callables import ClassValue, FunctionValue, Partial, Wrapped
from flake8_jax.analysis.evaluator import evaluate
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.classes import lookup
from flake8_jax.api.transforms import Transform
from flake8_jax.domain.summary import Summary
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Function, Op
from flake8_jax.lazy_dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Code:
    """A body, the frame of the code around it, and the class of a method.

    `known` are the values that were asked for before.
    """

    function: Function
    around: Frame
    owner: ClassValue | None = None
    known: dict[Op, Value | None] = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Called:
    """A function of the project as it is called: `skips` of its parameters are bound already."""

    code: Code
    skips: int = 0


def code_of(frame: Frame) -> Code:
    """The code that a frame runs."""
    return Code(frame.function, frame.parent if frame.parent is not None else frame, frame.owner)


def value_of(code: Code, op: Op) -> Value | None:
    """The value of a name that is not a local one, or of an attribute of it."""
    if op not in code.known:
        code.known[op] = _found(code, op)
    return code.known[op]


def _found(code: Code, op: Op) -> Value | None:
    if type(op) is ops.Name:
        binding = op.scope.lookup(op.name)
        if binding.owner is not None and binding.owner.kind != "module" and binding.owner is code.function.scope:
            return None
        return evaluate(_apart(code.around), op)
    if type(op) is not ops.Attr:
        return None
    if code.owner is not None and type(op.base) is ops.Name and _is_receiver(code, op.base):
        return lookup(code.owner, op.name)
    base = value_of(code, op.base)
    return evaluate(_apart(code.around), op) if base is not None else None


def _apart(frame: Frame) -> Frame:
    """A copy of a frame in which names can be read without recording the reads."""
    state = frame.state.copy() if frame.state is not None else None
    apart = Frame(frame.program, frame.function, frame.parent, state, Summary(), frame.owner, has_ended=frame.has_ended)
    apart.namespace, apart.unit = frame.namespace, frame.unit
    return apart


def _is_receiver(code: Code, op: ops.Name) -> bool:
    parameters = code.function.parameters
    return bool(parameters) and parameters[0].name == op.name and op.scope is code.function.scope


def called(value: Value | None, is_method: bool) -> Called | None:
    """The function of the project behind a callable, if calling it is calling that function."""
    skips, payload = 0, None if value is None else value.payload
    while isinstance(payload, (Wrapped, Partial)):
        if isinstance(payload, Partial):
            if payload.arguments.keywords:
                return None
            skips += len(payload.arguments.positional)
        elif not hands_on_results(payload.applied.transform):
            return None
        payload = payload.callee.payload
    if not isinstance(payload, FunctionValue):
        return None
    if is_method and payload.owner is not None and not skips and payload.receiver != "none":
        skips = 1
    return Called(Code(payload.function, payload.frame, payload.owner), skips)


def hands_on_results(transform: Transform) -> bool:
    """Are the results of the transformed function, at the same places, those of the function?"""
    return bool(transform.wraps) and transform.returns is None
