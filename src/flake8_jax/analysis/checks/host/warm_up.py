"""Loops of a benchmark whose first turn compiles: the mean of their turns is that of compiling, too.

step = jax.jit(f)
start = perf_counter()                  read before `step` was called
for _ in range(100):
    y = step(x)                         the first turn compiles, the others only run
jax.block_until_ready(y)
perf_counter() - start                  the event, at the first reading: a call before it is missing

Only calls that are the same in each turn are such: what changes is what a program is run for.
"""

from __future__ import annotations

from flake8_jax.analysis.callables import Wrapped
from flake8_jax.analysis.checks.compilation.eager import loops_around, made_again, made_in_twin
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.pending import TICKING
from flake8_jax.domain.provenance import Use
from flake8_jax.domain.resources import Compiles, Ticks, Used
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.ops import Op
from flake8_jax.ir.walking import names_in, targets_of
from flake8_jax.syntax.positions import unpacked

WAITING = ("block_until_ready", "device_get", "asarray", "float(", ".item(")
"""What waits for a result, in a line."""

INVARIANT = (ops.Name, ops.Const)
"""What the arguments of a call are that may be the same in each turn."""


def note_compiling(frame: Frame, op: Op, callee: Value) -> None:
    """Note the first call of a compiled function that was made here, in a loop that repeats just this call."""
    wrapped = callee.payload
    if type(wrapped) is not Wrapped or not wrapped.applied.transform.is_compiled:
        return
    if type(op) is not ops.Call or frame.state is None:
        return
    sites = frame.program.record.sites
    if not _is_local(frame, op, callee) or any(one is wrapped and at is not op for one, at in sites):
        return
    loops = [loop for loop in loops_around(frame, op) if type(loop) is ops.Loop and _is_counted(loop)]
    used = frame.state.used
    for one in used.get(TICKING) if loops and _is_invariant(frame, op, loops[-1]) else ():
        if type(one.means) is Ticks and loops[-1] not in dict(one.iterations):
            use = Use(frame.namespace.path, op.anchor.line, "")
            compiles = Used(op, use, frame.state.path, frame.iterations, Compiles())
            used.set(one.means.reading, (compiles, *used.get(one.means.reading)))


def is_warm_up(frame: Frame, op: Op, callee: Value) -> bool:
    """Is it the first call of a compiled function, which is called again behind it under a clock of its own?

    What the first one takes is the time of compiling; in a loop, where each turn passes something else, in each turn.
    Where something becomes of its result, only one who waits for the second call knows what the first one tells.
    """
    if frame.state is None or not frame.state.used.get(TICKING):
        return False
    if type(op) is not ops.Call or type(op.func) is not ops.Name:
        return False
    twin = made_in_twin(frame, op)
    if twin is not None and _has_clock_of_its_own(frame, op, twin):
        return True  # all is timed once more, and said to be so there
    if not _is_local(frame, op, callee):
        return False
    chains = chains_of(frame.function)
    found, loops = chains.found_by(op.func), loops_around(frame, op)
    again: Op | None = None
    if found is None:
        return False
    if loops:
        again = made_again(frame, op, loops[-1])
        is_alike = again is not None and _is_with_turn(op, loops[-1])
    else:
        reads = sorted(chains.reads_of(found), key=lambda read: unpacked(read.place)[:2])
        again = reads[1] if len(reads) > 1 else None
        is_alike = again is not None and reads[0] is op.func
    if again is None or not is_alike or not _has_clock_of_its_own(frame, op, again):
        return False
    return frame.discarded is op or _is_waited_for(again)


def _is_waited_for(call: Op) -> bool:
    """Does the line of a call, or one of the next two, wait for what it gives?"""
    lines = call.anchor.origin.code.lines[call.anchor.line - 1 : call.anchor.line + 2]
    return any(word in line for line in lines for word in WAITING)


def _is_with_turn(call: ops.Call, loop: Op) -> bool:
    """Does a call pass what a loop binds, so that each turn may compile?"""
    bound = {target.name for target in targets_of(loop)}
    given = (*call.args, *(value for _, value in call.keywords))
    return not bound.isdisjoint(set[str]().union(*map(names_in, given)))


def _has_clock_of_its_own(frame: Frame, op: Op, later: Op) -> bool:
    """Is the clock read twice before a function is called again, so that no reading ends one time and begins one?"""
    clocks = {f"{one.use.by}(" for one in frame.live().used.get(TICKING)}
    between = op.anchor.origin.code.lines[op.anchor.line : later.anchor.line]
    return any(sum(line.count(clock) for line in between) > 1 for clock in clocks)


def _is_local(frame: Frame, op: ops.Call, callee: Value) -> bool:
    """Was the function bound to a name of this very body?  What is handed in its callers may have called before."""
    func = op.func
    if type(func) is not ops.Name or func.name not in frame.function.scope.names:
        return False
    if func.scope.lookup(func.name).is_parameter:
        return False
    return frame.live().names.get(func.name) is callee


def _is_counted(loop: ops.Loop) -> bool:
    source = loop.source
    return type(source) is ops.Call and type(source.func) is ops.Name and source.func.name == "range"


def _is_invariant(frame: Frame, op: ops.Call, loop: ops.Loop) -> bool:
    """Is the call the same in each turn: is no name in it bound in the loop?"""
    given = (*op.args, *(value for _, value in op.keywords))
    if not all(type(argument) in INVARIANT for argument in given):
        return False
    chains = chains_of(frame.function)
    return not any(type(argument) is ops.Name and chains.stored_in(argument.name, loop) for argument in given)
