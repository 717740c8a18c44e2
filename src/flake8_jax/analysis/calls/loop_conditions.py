"""What conditions of JAX's loops and branches say of their bodies: one turn is all, or two exclude each other.

while_loop(lambda s: logical_and(leaf, s[-1]), expand, (x, True))           expand(s) returns (..., False): one turn
while_loop(lambda s: logical_and(logical_not(leaf), s[-1]), extend, ...)    not both: `leaf` holds, or it does not
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from flake8_jax.analysis.callables import FunctionValue, underlying
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.api.transforms import CallShape, Transform
from flake8_jax.domain.conditions import ALWAYS, Fact, Path
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.walking import number_written

Conjunct: TypeAlias = "tuple[Op, bool]"
"""What a condition asks, and whether it has to hold."""

WHILE, COND = "jax.lax.while_loop", "jax.lax.cond"
AND, OR, NOT = frozenset(("logical_and", "bitwise_and")), frozenset(("logical_or", "bitwise_or")), "logical_not"
HOLDING = frozenset(("array", "asarray", "bool_"))
MAXIMUM_DEPTH = 8


def turns_once(transform: Transform, given: dict[str, Value]) -> bool:
    """Does a loop end after its first turn: does the body give the contrary of a flag that its condition asks for?"""
    if transform.name != WHILE:
        return False
    condition, body = (_function(given.get(name)) for name in ("cond_fun", "body_fun"))
    if condition is None or body is None:
        return False
    returned = _returned(body)
    if type(returned) is not ops.Build or returned.kind != "tuple":
        return False
    count = len(returned.parts)
    asked = ((_component(condition, one, count), holds) for one, holds in _conjuncts_of(condition))
    return any(place is not None and _is_constant(returned.parts[place], not holds) for place, holds in asked)


def facts_of_body(frame: Frame, op: Op, transform: Transform, shape: CallShape, given: dict[str, Value]) -> Path:
    """The facts that hold where the body of a loop, or a branch, runs at all."""
    if transform.name == WHILE and shape.function == "body_fun":
        condition = _function(given.get("cond_fun"))
        if condition is None:
            return ALWAYS
        around = condition.frame
        return tuple(_facts(around, _conjuncts_of(condition))) if around.state is not None else ALWAYS
    if transform.name == COND and shape.function in ("true_fun", "false_fun") and type(op) is ops.Call:
        named = [value for name, value in op.keywords if name == "pred"]
        asked = named[0] if named else op.args[0] if op.args else None
        is_true = shape.function == "true_fun"
        return tuple(_facts(frame, _conjuncts(asked, is_true))) if asked is not None else ALWAYS
    return ALWAYS


def _facts(frame: Frame, conjuncts: Iterator[Conjunct]) -> Iterator[Fact]:
    """The facts about variables, among what has to hold."""
    for op, holds in conjuncts:
        value = frame.live().names.get(op.name) if type(op) is ops.Name else peek(frame, op) if _is_part(op) else None
        if value is not None:
            yield Fact("truth", value, None, holds)


def _is_part(op: Op) -> bool:
    return type(op) is ops.Attr or (type(op) is ops.Item and type(op.index) is ops.Const)


def _function(value: Value | None) -> FunctionValue | None:
    """A function itself, whose parameter is the carry."""
    found = underlying(value) if value is not None else None
    return found if found is not None and value is not None and value.payload is found else None


def _returned(function: FunctionValue) -> Op | None:
    """What a function returns, if there is one `return`, at its end."""
    body = function.function.body
    last = body[-1] if body else None
    inner = [statement for statement in body[:-1] if type(statement) not in (ops.Store, ops.Const, ops.Call)]
    return last.value if type(last) is ops.Leave and last.kind == "return" and not inner else None


def _conjuncts_of(condition: FunctionValue) -> Iterator[Conjunct]:
    returned = _returned(condition)
    if returned is not None:
        yield from _conjuncts(returned, True, dict(_local(condition)))


def _conjuncts(op: Op, holds: bool, local: dict[str, Op] | None = None, depth: int = 0) -> Iterator[Conjunct]:
    """The parts of a test that all have to hold, or not to hold, for its outcome; names of a function are followed."""
    if depth > MAXIMUM_DEPTH:
        return
    if type(op) is ops.Name and local is not None and op.name in local:
        yield from _conjuncts(local[op.name], holds, local, depth + 1)
        return
    for sign, parts in _operation(op):
        if sign == "not":
            yield from _conjuncts(parts[0], not holds, local, depth + 1)
        elif (sign == "and") is holds:
            for part in parts:
                yield from _conjuncts(part, holds, local, depth + 1)
        return
    yield op, holds


def _operation(op: Op) -> Iterator[tuple[str, tuple[Op, ...]]]:
    """`and`, `or` or `not` with its operands, however it is spelled."""
    if type(op) is ops.Call and isinstance(op.func, (ops.Name, ops.Attr)) and not op.keywords:
        name = op.func.name
        sign = "and" if name in AND else "or" if name in OR else "not" if name == NOT else ""
        if sign and len(op.args) == (1 if sign == "not" else 2):
            yield sign, op.args
    elif type(op) is ops.Logic:
        yield op.operator, op.operands
    elif type(op) is ops.Operate and op.operator in ("&", "|", "~", "not"):
        yield {"&": "and", "|": "or"}.get(op.operator, "not"), op.operands


def _local(function: FunctionValue) -> Iterator[tuple[str, Op]]:
    """The names that a function binds to expressions, once each."""
    stored = [
        (target.name, op.value)
        for op in function.function.body if type(op) is ops.Store and op.value is not None
        for target in op.targets if type(target) is ops.Name
    ]  # fmt: skip
    names = [name for name, _ in stored]
    return ((name, value) for name, value in stored if names.count(name) == 1)


def _component(function: FunctionValue, op: Op, count: int) -> int | None:
    """The place in the carry of what a condition asks for: `state[-1]`, or a name of `x, flag = state`."""
    carry = function.function.parameters[0].name if function.function.parameters else ""
    if type(op) is ops.Item and type(op.base) is ops.Name and op.base.name == carry:
        place = number_written(op.index)
        return place % count if place is not None and -count <= place < count else None
    for store in function.function.body:
        if type(store) is not ops.Store or type(store.value) is not ops.Name or store.value.name != carry:
            continue
        parts = store.targets[0].parts if type(store.targets[0]) is ops.Unpack else ()
        names = [part.name if type(part) is ops.Name else "" for part in parts]
        if type(op) is ops.Name and op.name in names and len(names) == count:
            return names.index(op.name)
    return None


def _is_constant(op: Op, wanted: bool) -> bool:
    """Is it this truth, as such or as an array?"""
    if type(op) is ops.Call and isinstance(op.func, (ops.Name, ops.Attr)) and op.func.name in HOLDING and op.args:
        op = op.args[0]
    return type(op) is ops.Const and op.value is wanted
