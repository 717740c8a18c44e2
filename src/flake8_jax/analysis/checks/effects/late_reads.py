"""Functions that JAX traces, and that a loop makes and keeps: what the loop binds, they look up when they are called.

fns = [jit(lambda x: x * i) for i in range(3)]      after the loop `i` is 2 for all of them
for t in temperatures:
    @jit
    def energy(x): return x / t                     so is `t` the last one
    energies[t] = energy
    energy(x)                                       with this call it would be traced in time
lax.switch(n, [lambda x: x * i for i in range(3)], x)       each branch multiplies by the last one
jit(lambda x, i=i: x * i)                           a default is bound at once
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from flake8_jax.analysis.callables import underlying
from flake8_jax.analysis.checks.effects.frozen_reads import StaleRead
from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.summaries.deferral import emit
from flake8_jax.domain.provenance import Context
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import Chains, bindings_in, chains_of, searched_for
from flake8_jax.ir.ops import Function, Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.scope import Binding
from flake8_jax.ir.walking import within

KEEPING = frozenset(("append", "add", "insert", "appendleft"))
"""Methods of containers that keep one thing."""

DISPLAYS, BUILDING = ("list", "dict", "set"), ("list", "tuple")


def check_late(frame: Frame, op: Op, function: Value) -> None:
    """Report what a function under a transform reads late: what the loop that makes and keeps it binds on each turn."""
    found = underlying(function)
    chains = chains_of(frame.function)
    loops = [one for one in chains.way_to(op) if type(one) is ops.Loop or type(one) is ops.Gather]
    if found is None or not loops or frame.context.is_prepared:
        return
    captured = bindings_in(found.function)
    for loop in reversed(loops):
        late = captured.intersection(bound_by_turn(loop))
        read = next(_reads_of(found.function, late), None) if late else None  # defaults are read at once
        if read is not None and _is_kept(frame, chains, op, loop):
            emit(frame, (StaleRead, read, ()), partial(_event, read, loop))
            return


def check_late_branches(frame: Frame, op: Op) -> None:
    """Report what the functions of a list, which a transform runs, read late of the loop that has filled it."""
    chains = chains_of(frame.function)
    for source in op.args if type(op) is ops.Call else ():
        for closure, loop in _made_in_loop(chains, op, source):
            late = bindings_in(closure.function).intersection(bound_by_turn(loop))
            read = next(_reads_of(closure.function, late), None) if late else None
            if read is not None:
                emit(frame, (StaleRead, read, ()), partial(_event, read, loop))


def _made_in_loop(chains: Chains, op: Op, source: Op) -> Iterator[tuple[ops.Closure, Op]]:
    """The functions in a list, as it is written, with the comprehension or loop that makes each."""
    if type(source) is ops.Name:
        yield from _appended(chains, op, source.name)
        stores = [one for _, one in chains.stored_to(source.name)]
        value = stores[0].value if len(stores) == 1 and type(stores[0]) is ops.Store else None
        source = value if value is not None else source
    if type(source) is ops.Call and _is_collected(source) and source.args:
        source = source.args[0]
    if type(source) is ops.Gather and type(source.element[-1]) is ops.Closure:
        yield source.element[-1], source


def _appended(chains: Chains, op: Op, name: str) -> Iterator[tuple[ops.Closure, Op]]:
    """The functions that a loop, in which the op does not stand, makes and appends to a list of this name."""
    around = chains.way_to(op)
    yield from ((added, loop) for added, loop in _added(chains, name) if loop not in around)


@searched_for
def _added(chains: Chains, name: str) -> list[tuple[ops.Closure, Op]]:
    """The functions that loops make and append to a list of a name, with the innermost loop of each."""
    found: list[tuple[ops.Closure, Op]] = []
    for call in chains.called_on(name):
        if type(call.func) is not ops.Attr or call.func.name not in KEEPING:
            continue
        loop = next((one for one in reversed(chains.way_to(call)) if type(one) is ops.Loop), None)
        if loop is not None:
            added = (one for one in call.args if type(one) is ops.Closure)
            found += [(one, loop) for one in added if _outlives(call.func.base, loop)]
    return found


def _event(read: ops.Name, loop: Op) -> StaleRead:
    by, anchor = f"`{loop.kind}` loop" if type(loop) is ops.Loop else "comprehension", loop.anchor
    instead = f"bind it at once, by a parameter with a default: `{read.name}={read.name}`"
    return StaleRead(read, read.name, by, anchor.origin.shown, anchor.line, True, instead, Context(), is_late=True)


def bound_by_turn(loop: Op) -> set[Binding]:
    """What differs from turn to turn: the targets of a loop, and what its body binds to something made of them."""
    targets = [clause.target for clause in loop.clauses] if type(loop) is ops.Gather else []
    targets += [loop.target] if type(loop) is ops.Loop and loop.target is not None else []
    found = {_binding(one) for target in targets for one in _names(target)}
    for statement in loop.body if type(loop) is ops.Loop else ():
        value = statement.value if type(statement) is ops.Store else None
        if type(statement) is ops.Store and value is not None and any(_binding(one) in found for one in _names(value)):
            found |= {_binding(one) for one in statement.targets if type(one) is ops.Name}
    return found


def _binding(name: ops.Name) -> Binding:
    return name.scope.lookup(name.name)


def _names(op: Op) -> Iterator[ops.Name]:
    return (one for one in within(op) if type(one) is ops.Name)


def _reads_of(function: Function, late: frozenset[Binding]) -> Iterator[ops.Name]:
    """The reads of some bindings in a function, and in those inside."""
    for reads in chains_of(function).names.values():
        yield from (one for one in reads if _binding(one) in late)
    for inner in chains_of(function).inside:
        yield from _reads_of(inner, late)


def _is_kept(frame: Frame, chains: Chains, op: Op, loop: Op, is_named: bool = False) -> bool:
    """Is what an op gives kept in a list, dict or set that outlives the turn of a loop, and not called in the turn?"""
    around = chains.parents.get(op)
    match around:
        case ops.Gather(kind=kind, element=element):
            outside = chains.parents.get(around)
            is_display = kind in DISPLAYS or (outside is not None and _is_collected(outside))
            return around is loop and is_display and op is element[-1]
        case ops.Build():
            return _is_kept(frame, chains, around, loop, is_named)
        case ops.Call(func=ops.Attr(name=name, base=base)) if name in KEEPING and op in around.args:
            return _outlives(base, loop)
        case ops.Call(func=func, args=args) if op in args and not is_named:
            transform = frame.program.table.transform(imported_name(func))
            return transform is not None and bool(transform.wraps) and _is_kept(frame, chains, around, loop)
        case ops.Store(targets=(ops.Item(base=base),)):
            return _outlives(base, loop)
        case ops.Store(targets=(ops.Name() as target,)) if not is_named:
            reads = [one for one in chains.uses_of(target, loop) if loop in chains.way_to(one)]
            return bool(reads) and all(_is_kept(frame, chains, one, loop, is_named=True) for one in reads)
    return False


def _is_collected(around: Op) -> bool:
    return type(around) is ops.Call and type(around.func) is ops.Name and around.func.name in BUILDING


def _outlives(container: Op, loop: Op) -> bool:
    """Is a container made before a loop, which does nothing with it but fill it?"""
    text = phrase(container)
    body = loop.body if type(loop) is ops.Loop else ()
    found = (one for statement in body for one in within(statement) if type(one) is type(container))
    return bool(body) and not any(one is not container and phrase(one) == text for one in found)
