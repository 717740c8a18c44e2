"""Functions of the project that only compute: a call of them does nothing but give a result.

def scaled(x, by):        binds names, and calls functions that only compute: pure
    y = jnp.exp(x) * by
    return y / y.sum()
def logged(x):            calls something else: it may be called for that
    print(x)
    return x

Statements are looked at once, before a body runs; calls while it runs, when their callees are known.
"""

from __future__ import annotations

from collections.abc import Iterator

from flake8_jax.analysis.callables import Arguments, ClassValue, underlying
from flake8_jax.analysis.frame import Frame
from flake8_jax.api.transforms import Transform
from flake8_jax.domain.constants import NOTHING
from flake8_jax.domain.kinds import ANY_CALLABLE, API, CLASS, CONTAINERS, HOST_CONSTANTS, MAY_BE_TRACER, OBJECTS
from flake8_jax.domain.payload import AT, MethodOf, Named
from flake8_jax.domain.staging import Input
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Body, Function, Target
from flake8_jax.ir.walking import targets_in

BUILTINS = frozenset((
    "abs", "all", "any", "bool", "complex", "dict", "divmod", "enumerate", "float", "getattr", "hasattr", "int",
    "isinstance", "issubclass", "len", "list", "max", "min", "pow", "range", "repr", "reversed", "round", "set",
    "slice", "str", "sum", "tuple", "type", "zip",
))  # fmt: skip

READING = frozenset(("copy", "count", "get", "index", "items", "keys", "values"))
"""The methods of containers that change nothing."""

IN_PLACE = frozenset(("sort", "partition", "byteswap"))
"""The methods of arrays that change those of NumPy, or lists."""


def only_binds(function: Function) -> bool:
    """Do the statements of a function bind nothing but its own names, and neither raise nor suspend?"""
    outer = function.scope.globals or function.scope.nonlocals
    return not (outer or function.is_generator or function.is_async) and _binds_names(function.body)


def _binds_names(body: Body) -> bool:
    for op in body:
        if type(op) is ops.Store or type(op) is ops.Delete:
            if not all(map(_is_name, op.targets)):
                return False
        elif type(op) is ops.Branch:
            if op.kind == "assert" or not (_binds_names(op.body) and _binds_names(op.orelse)):
                return False
        elif type(op) is ops.Loop:
            if not (_binds_names(op.body) and _binds_names(op.orelse)):
                return False
        elif type(op) in (ops.Try, ops.With, ops.Other) or (type(op) is ops.Leave and op.kind == "raise"):
            return False
    return True


def _is_name(target: Target) -> bool:
    return all(type(one) is ops.Name for one in targets_in(target))


def note_effects(frame: Frame, callee: Value, arguments: Arguments) -> None:
    """Record in the summary that a call may do more than compute."""
    summary = frame.summary
    if not summary.has_effects:
        summary.has_effects = not _only_computes(frame, callee, arguments)


def is_pure(frame: Frame, callee: Value) -> bool:
    """Is it a function of the project that was seen to do nothing but compute a result?

    Of a lambda that was not run yet its ops tell it; a `def` is not read for that, since whoever jits it would then
    depend on its body.  One that returns nothing stands for those that override it, or is there for its errors.
    """
    function = underlying(callee)
    summary = None if function is None else frame.program.summaries.get(function) or function.summary
    if summary is None and function is not None and function.function.kind == "lambda":
        return _only_reads(function.function)
    if summary is None or summary.returns is None or summary.has_effects:
        return False
    return summary.returns.payload != NOTHING


def _only_reads(function: Function) -> bool:
    """Does a function give a part of what it gets, and call nothing: `lambda m: m.layers[0].bias`?"""
    if len(function.body) != 1 or type(function.body[0]) is not ops.Leave or function.body[0].kind != "return":
        return False
    shown = function.body[0].value
    parts = shown.parts if type(shown) is ops.Build else (shown,)
    return all(part is not None and _is_path(part) for part in parts)


def _is_path(op: ops.Op) -> bool:
    while type(op) is ops.Attr or (type(op) is ops.Item and _is_place(op.index)):
        op = op.base
    return type(op) is ops.Name


def _is_place(op: ops.Op) -> bool:
    is_counted_back = type(op) is ops.Operate and len(op.operands) == 1 and type(op.operands[0]) is ops.Const
    return is_counted_back or type(op) in (ops.Const, ops.Name)


def computes(frame: Frame, name: str, arguments: Arguments) -> bool:
    """Is a call of this library function nothing but a computation, with what is passed to it?"""
    table = frame.program.table
    transform = table.transform(name)
    if transform is None:
        return name in BUILTINS or table.names_computation(name) or (table.is_computation(name) and table.is_pure(name))
    functions = list(_functions(transform, arguments))
    return (
        transform.stage != "host" and bool(functions) and all(_runs_purely(frame, function) for function in functions)
    )


def _functions(transform: Transform, arguments: Arguments) -> Iterator[Value]:
    """The functions among the arguments; an object that the transform does not run is data: a model among trees."""
    runs = {transform.wraps, *(shape.function for shape in transform.runs)}
    named = [(transform.parameter_at(place), argument) for place, argument in enumerate(arguments.positional)]
    named += [(transform.parameter_named(name), argument) for name, argument in arguments.keywords.items()]
    for parameter, argument in named:
        is_data = argument.kind in OBJECTS and parameter is not None and parameter.name not in runs
        if argument.kind in ANY_CALLABLE and not is_data:
            yield argument


def _runs_purely(frame: Frame, callee: Value) -> bool:
    if callee.kind is API:
        return frame.program.table.is_computation(callee.name) and frame.program.table.is_pure(callee.name)
    return is_pure(frame, callee)


def _only_computes(frame: Frame, callee: Value, arguments: Arguments) -> bool:
    payload = callee.payload
    if callee.kind is API:
        return computes(frame, callee.name, arguments)
    if type(payload) is MethodOf:
        return _is_pure_method(frame, payload)
    if isinstance(payload, ClassValue):
        return callee.kind is CLASS and (payload.is_tuple or payload.is_frozen)
    return is_pure(frame, callee)


def _is_pure_method(frame: Frame, method: MethodOf) -> bool:
    base, table = method.base, frame.program.table
    if base.kind in MAY_BE_TRACER:
        if base.payload is AT and frame.namespace.file.makes_references:
            return not any(type(one) is Input for one in base.dependences)  # it may be a reference, which is written to
        row = table.function(f"Array.at.{method.name}") if base.payload is AT else table.method(method.name)
        return row is not None and table.is_pure(row.name) and method.name not in IN_PLACE
    if base.kind in CONTAINERS:
        return method.name in READING
    if type(base.payload) is Named:
        return table.is_computation(f"{base.payload.name}.{method.name}")
    return base.kind in HOST_CONSTANTS
