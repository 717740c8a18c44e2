"""Calls: who is called, with what, and what is forgotten when nobody knows.

The callee is a value: a function of this file (its signature is met in `instantiate.py`), what binds or wraps one, a
class, a name of a library (its row says what it demands and returns), or unknown.  An unknown call neither uses up nor
traces anything; it may have changed every mutable object it could reach, so these are forgotten.
"""

from __future__ import annotations

from typing import Any

from flake8_jax.analysis import access
from flake8_jax.analysis.callables import Arguments, ClassValue, Decorated, FunctionValue, Manner, Partial, Wrapped
from flake8_jax.analysis.classes import lookup
from flake8_jax.analysis.expressions import evaluate
from flake8_jax.analysis.frame import Frame, lost
from flake8_jax.analysis.library import call_library
from flake8_jax.analysis.methods import call_method
from flake8_jax.domain.staging import IN_AMBIENT, NONE, Dependences, Input, unite
from flake8_jax.domain.value import (
    API,
    ARRAY,
    CLASS,
    COMPUTED,
    CONTAINERS,
    DICT,
    FUNCTION,
    INPUT,
    INSTANCE,
    LIST,
    METHOD,
    MUTABLE,
    NUMBER,
    NUMPY,
    OBJECT,
    PARTIAL,
    TUPLE,
    UNKNOWN,
    Value,
)
from flake8_jax.ir import ops


def evaluate_call(frame: Frame, op: ops.Call) -> Value:
    """The value of a call op."""
    func = op.func
    if type(func) is ops.Attr:
        base = evaluate(frame, func.base)
        callee = access.attribute(frame, base, func.name, func)
    else:
        base, callee = None, evaluate(frame, func)
    element, frame.element = frame.element, None
    arguments = evaluate_arguments(frame, op)
    frame.element = element
    result = call(frame, op, callee, arguments)
    frame.element = None
    if callee.kind in (UNKNOWN, INPUT) and base is not None and base.kind is not API:
        forget(frame, base)
    return result


def evaluate_arguments(frame: Frame, op: ops.Call) -> Arguments:
    """The arguments of a call op, starred ones spread where their parts are known."""
    positional: list[Value] = []
    sources: list[Any] = []
    is_open = False
    for argument in op.args:
        if type(argument) is ops.Star:
            value = evaluate(frame, argument.value)
            if value.kind in (LIST, TUPLE) and value.parts is not None:
                positional.extend(value.parts)
                sources.extend([argument] * len(value.parts))
            else:
                is_open = True
            continue
        if is_open:
            evaluate(frame, argument)
            continue
        positional.append(evaluate(frame, argument))
        sources.append(argument)
    keywords: dict[str, Value] = {}
    keyword_ops: dict[str, Any] = {}
    for name, argument in op.keywords:
        value = evaluate(frame, argument)
        if name is not None:
            keywords[name], keyword_ops[name] = value, argument
        elif value.kind is DICT and value.parts is not None:
            for key, part in value.parts.items():
                keywords.setdefault(str(key), part)
        else:
            is_open = True
    return Arguments(tuple(positional), keywords, is_open, tuple(sources), keyword_ops)


def call(
    frame: Frame,
    op: Any,
    callee: Value,
    arguments: Arguments,
    ambient: Dependences = IN_AMBIENT,
    manner: Manner = "plain",
) -> Value:
    """Call a value.  `ambient`: what arrays made inside depend on."""
    kind, data = callee.kind, callee.data
    if kind is API:
        return call_library(frame, op, data, arguments, ambient)
    if kind is FUNCTION:
        if isinstance(data, FunctionValue):
            from flake8_jax.analysis.instantiate import instantiate

            return instantiate(frame, op, data, arguments, ambient, manner)
        return _call_wrapped(frame, op, callee, data, arguments, ambient, manner)
    if kind is PARTIAL:
        return _call_partial(frame, op, data, arguments, ambient, manner)
    if kind is CLASS:
        return _construct(frame, op, callee, arguments, ambient)
    if kind is METHOD:
        return call_method(frame, op, data[0], data[1], arguments)
    if kind is OBJECT:
        return _call_object(frame, op, callee, arguments)
    if kind is INSTANCE:
        return _call_instance(frame, op, callee, arguments, ambient)
    return call_unknown(frame, op, callee, arguments)


def _call_wrapped(
    frame: Frame, op: Any, callee: Value, wrapped: Wrapped, arguments: Arguments,
    ambient: Dependences, manner: Manner,
) -> Value:  # fmt: skip
    from flake8_jax.analysis.staged import enter
    from flake8_jax.analysis.transforms import outside, wrapped_result

    handed, token = enter(wrapped, arguments)
    if manner == "plain" and token is not None and op not in wrapped.sites:
        wrapped.sites.add(op)
        frame.program.calls[(token.trace.function, token.trace.line)] += 2 if frame.turns else 1
    inner = frozenset((token,)) if token is not None else ambient
    result = call(frame, op, wrapped.callee, handed, inner, manner)
    transform = wrapped.applied.transform
    if transform.returns is not None:
        return wrapped_result(frame, op, wrapped.applied, arguments, result)
    if transform.stage == "transparent":
        return result
    return outside(result, op)


def _call_partial(
    frame: Frame, op: Any, partial: Partial, arguments: Arguments, ambient: Dependences, manner: Manner
) -> Value:
    bound = partial.arguments
    merged = Arguments(
        bound.positional + arguments.positional,
        {**bound.keywords, **arguments.keywords},
        bound.is_open or arguments.is_open,
        (None,) * len(bound.positional) + arguments.ops,
        arguments.keyword_ops,
    )
    return call(frame, op, partial.callee, merged, ambient, manner)


def _construct(frame: Frame, op: Any, callee: Value, arguments: Arguments, ambient: Dependences) -> Value:
    owner: ClassValue = callee.data
    made = Value(INSTANCE, NONE, owner, None, op)
    constructor = lookup(owner, "__init__")
    if constructor is not None:
        call(frame, op, access.bind(frame, made, constructor, op), arguments, ambient)
        return made
    names = list(owner.annotations)
    for name, value in [*zip(names, arguments.positional, strict=False), *arguments.keywords.items()]:
        frame.live().held[(made, (".", name))] = value
    return made


def _call_object(frame: Frame, op: Any, callee: Value, arguments: Arguments) -> Value:
    if callee.data == "class decorator" and arguments.positional and arguments.positional[0].kind is CLASS:
        arguments.positional[0].data.is_frozen |= bool(callee.parts)
        return arguments.positional[0]
    if callee.data == "decorator":
        from flake8_jax.analysis.transforms import run_decorated

        return run_decorated(frame, op, callee, arguments.positional[0]) if arguments.positional else callee
    if isinstance(callee.data, Decorated):
        return call(frame, op, callee.data.callee, arguments)
    return call_method(frame, op, callee, "__call__", arguments)


def _call_instance(frame: Frame, op: Any, callee: Value, arguments: Arguments, ambient: Dependences) -> Value:
    method = lookup(callee.data, "__call__")
    if method is None:
        return call_unknown(frame, op, callee, arguments)
    return call(frame, op, access.bind(frame, callee, method, op), arguments, ambient)


def call_unknown(frame: Frame, op: Any, callee: Value, arguments: Arguments) -> Value:
    """A call of something that nobody knows: forget what it could have changed.  A class that is handed in alone comes back."""
    if len(arguments.positional) == 1 and arguments.positional[0].kind is CLASS:
        return arguments.positional[0]
    if callee.kind is INPUT and isinstance(callee.data, Input):
        frame.signature.applies.add(callee.data)
    if callee.kind is not API:
        forget(frame, callee)
    for value in arguments.values():
        forget(frame, value)
    forget_reachable(frame)
    return lost(frame, "call of an unknown function", op)


def forget(frame: Frame, value: Value, depth: int = 0) -> None:
    """Nothing is known any more of what a mutable object holds, nor of what its known parts hold."""
    kind = value.kind
    if kind not in MUTABLE and kind is not TUPLE:
        return
    if kind is INSTANCE and value.data.is_frozen:
        return
    frame.live().forget(value)
    source = value.data if kind is INPUT else None
    if kind is INSTANCE:
        sources = [d for d in value.dependences if type(d) is Input]
        source = sources[0] if sources else None
    if isinstance(source, Input):
        frame.signature.forgets.add(source)
    if value.parts and depth < 3:
        for part in value.parts.values() if isinstance(value.parts, dict) else value.parts:
            forget(frame, part, depth + 1)


def forget_reachable(frame: Frame) -> None:
    """Other code may have run: what globals and captured names hold may have changed."""
    state = frame.live()
    if not state.held and not state.used:
        return
    for value in (*frame.program.globals.values(), *frame.signature.captures.values()):
        if value.kind in (INSTANCE, DICT, LIST, OBJECT):
            state.forget(value)


ARRAYS = frozenset((ARRAY, COMPUTED, INPUT, NUMBER, NUMPY))


def all_dependences(arguments: Arguments) -> Dependences:
    """What the arguments of an operation on arrays depend on, those in lists and tuples included."""
    found = NONE
    for value in arguments.values():
        if value.dependences and value.kind in ARRAYS:
            found = unite(found, value.dependences)
        elif value.kind in CONTAINERS and value.parts:
            parts = value.parts.values() if isinstance(value.parts, dict) else value.parts
            for part in parts:
                if part.dependences and part.kind in ARRAYS:
                    found = unite(found, part.dependences)
    return found
