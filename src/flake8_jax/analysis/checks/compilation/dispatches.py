"""Loops of Python that do nothing but call compiled code of a few operations: each call costs more than these.

step = jax.jit(lambda x: x - 0.1 * jnp.sin(x))
for _ in range(10_000):
    x = step(x)             10,000 calls for three operations each: a loop inside of the compiled code needs one

What a turn gives may only be handed to the next turn, or be kept in a list; a turn that prints, tests or loads
anything is one that Python has to make.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from flake8_jax.analysis.callables import FunctionValue, Partial, Wrapped
from flake8_jax.analysis.checks.compilation.eager import report_eager
from flake8_jax.analysis.checks.compilation.eager_loops import EagerLoop
from flake8_jax.analysis.checks.compilation.turns import Iterated, Turns
from flake8_jax.analysis.checks.naming import imported_as, imported_name, scope_of
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.domain.provenance import Context
from flake8_jax.domain.shape import count
from flake8_jax.domain.state import State
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.walking import within

MANY = 1000
"""How many calls are worth a word: of ten microseconds each."""

SMALL = 10_000
"""How many elements an array has of which an operation takes less time than a call."""

HANDFUL = 30
"""How many operations make a call that costs more than what it computes."""

PLAIN = frozenset((ops.Attr, ops.Const, ops.Item, ops.Name, ops.Operate))
COMPUTING = PLAIN | {ops.Build, ops.Call, ops.Choose, ops.Compare, ops.Leave, ops.Logic, ops.Store, ops.Unpack}
CHEAP = frozenset(("along", "both", "first", "like", "reduced", "stacked"))
"""What a function of JAX computes in time that grows with the elements it is given, by how its shape follows."""

UPDATES = frozenset(("add", "divide", "max", "min", "multiply", "power", "set"))


def check_dispatches(frame: Frame, loop: Iterated, turns: Turns, before: State) -> None:
    """Report a loop that calls small compiled functions and does nothing else."""
    op = loop.op
    if type(op) is not ops.Loop or turns.known is None or turns.known < MANY or frame.state is None:
        return
    calls = [*_calls(op)]
    if not calls or len(calls) < len(op.body) - sum(
        _is_kept(statement) or _is_counted(statement) for statement in op.body
    ):
        return
    sizes = [_size_of(frame, call) for call in calls]
    if not all(0 < size <= HANDFUL for size in sizes) or not _feeds_itself(op) or _is_large(calls, before):
        return
    report_eager(frame, (EagerLoop, op, ()), partial(_event, loop, turns.known, sum(sizes), calls[0]))


def _event(loop: Iterated, turns: int, operations: int, call: ops.Call) -> EagerLoop:
    scope = scope_of(loop.source)
    body = loop.op.body if type(loop.op) is ops.Loop else ()
    is_scan = type(loop.source) is not ops.Call or any(map(_is_kept, body))
    name = imported_as(scope, "jax.lax.scan" if is_scan else "jax.lax.fori_loop")
    instead = f"put the loop into compiled code, with `{name}`"
    return EagerLoop(loop.op, "calls", f"{turns} times", operations, phrase(call.func), instead, Context())


def _calls(loop: ops.Loop) -> Iterator[ops.Call]:
    """The calls in a loop that bind names to what they give, of arguments that cost nothing."""
    for statement in loop.body:
        if type(statement) is ops.Store and statement.kind == "assign" and type(statement.value) is ops.Call:
            given = (*statement.value.args, *(value for _, value in statement.value.keywords))
            if all(type(part) in PLAIN for each in given for part in within(each)) and _binds_names(statement):
                yield statement.value


def _binds_names(store: ops.Store) -> bool:
    return all(type(inner) in (ops.Name, ops.Unpack) for target in store.targets for inner in within(target))


def _is_kept(op: Op) -> bool:
    """Is it `xs.append(x)`?"""
    if type(op) is not ops.Call or type(op.func) is not ops.Attr or op.func.name != "append":
        return False
    return len(op.args) == 1 and all(type(inner) in (ops.Name, ops.Build) for inner in within(op.args[0]))


def _is_counted(op: Op) -> bool:
    """Is it `t += dt`?"""
    return (
        type(op) is ops.Store and op.kind == "augment" and all(type(inner) in PLAIN for inner in within(op.targets[0]))
    )


def _feeds_itself(loop: ops.Loop) -> bool:
    """Does a call take what a turn gives?"""
    bound = {
        inner.name
        for store in loop.body if type(store) is ops.Store and type(store.value) is ops.Call
        for target in store.targets
        for inner in within(target) if type(inner) is ops.Name
    }  # fmt: skip
    read = {
        inner.name for call in _calls(loop) for each in call.args for inner in within(each) if type(inner) is ops.Name
    }
    return bool(bound & read)


def _is_large(calls: list[ops.Call], before: State) -> bool:
    """Is an argument known to be a large array?"""
    for name in (argument.name for call in calls for argument in call.args if type(argument) is ops.Name):
        value = before.names.get(name)
        size = count(value.shape) if value is not None and value.shape is not None else None
        if size is not None and size > SMALL:
            return True
    return False


def _size_of(frame: Frame, call: ops.Call) -> int:
    """How many operations a compiled function has, if all of them are cheap; 0 for any other."""
    callee = peek(frame, call.func)
    wrapped = callee.payload if callee is not None else None
    if type(wrapped) is not Wrapped or not wrapped.applied.transform.is_compiled:
        return 0
    inner = wrapped.callee.payload
    inner = inner.callee.payload if isinstance(inner, Partial) else inner
    return _cheap(frame, inner, 0) if isinstance(inner, FunctionValue) else 0


def _cheap(frame: Frame, function: FunctionValue, depth: int) -> int:
    total = 0
    for statement in function.function.body:
        if type(statement) is ops.Const:
            continue
        for inner in within(statement):
            if type(inner) not in COMPUTING or (type(inner) is ops.Operate and inner.operator == "@"):
                return 0
            total += type(inner) in (ops.Call, ops.Operate, ops.Compare)
            if type(inner) is ops.Call and not _is_cheap(frame, function, inner, depth):
                return 0
            if total > HANDFUL:
                return 0
    return total


def _is_cheap(frame: Frame, function: FunctionValue, call: ops.Call, depth: int) -> bool:
    """Is it a call of JAX that is done in no time, or of a function that makes a few of them?"""
    table, func = frame.program.table, call.func
    if table.shape(imported_name(func)) in CHEAP:
        return True
    if type(func) is ops.Attr and (table.shape(f"Array.{func.name}") in CHEAP or _is_update(func)):
        return True
    owner = func.scope.lookup(func.name).owner if type(func) is ops.Name else None
    if type(func) is not ops.Name or depth or owner is None or owner.kind != "module":
        return False
    value = function.frame.namespace.file.value(func.name)
    return (
        value is not None and isinstance(value.payload, FunctionValue) and _cheap(frame, value.payload, depth + 1) > 0
    )


def _is_update(func: ops.Attr) -> bool:
    """Is it `x.at[i].set`?"""
    view = func.base
    return func.name in UPDATES and type(view) is ops.Item and type(view.base) is ops.Attr and view.base.name == "at"
