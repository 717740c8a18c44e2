"""Is an argument of traced code handed in by an attribute, so that nobody looks for it there afterwards?

model.speed = speed; return model.compute(x)        what is called then reads it
env.tables = tables; return env                     and so does who gets the object
model.last = x; return 2 * x                        nobody in the trace: it is kept for later
model.loss = loss(x); return model.compute(x)       what only the trace knows is looked for there
"""

from __future__ import annotations

from collections.abc import Iterable

from flake8_jax.analysis.checks.effects.undone import are_inside, lines_that_read
from flake8_jax.domain.outer_writes import OuterWrite
from flake8_jax.domain.summary import Summary
from flake8_jax.ir import ops
from flake8_jax.ir.chains import LONG, Chains, chains_of
from flake8_jax.ir.ops import Function, Op
from flake8_jax.ir.phrase import phrase


def is_handed_in(summary: Summary, write: OuterWrite, around: Iterable[Function]) -> bool:
    """Is an argument stored as it is in an attribute of what is used then, so that this finds it there?

    Whoever called the function has the argument and need not look for it there: it is harmless where no line of the
    file reads the attribute when the trace is over, or the function around puts something else there afterwards.
    """
    op, statement = write.op, write.statement
    if type(op) is not ops.Attr or type(statement) is not ops.Store or statement.kind != "assign":
        return False
    if type(statement.value) is not ops.Name or not _is_argument(write.function, statement.value):
        return False
    root = _root_of(op)
    if root is None or not _is_used_after(write.function, op, root):
        return False
    owner = root.scope.lookup(root.name).owner
    homes = [chains_of(function) for function in around if function.scope is owner]
    if any(target.place > op.place for chains in homes for target, _ in chains.stored_to(phrase(op, LONG))):
        return True
    return are_inside(lines_that_read(op), summary, write)


def _is_argument(function: Function, read: ops.Name) -> bool:
    """Does a name hold an argument of the function, or a part of one, as it came?"""
    chains = chains_of(function)
    found = chains.found_by(read)
    if found is None:
        return any(parameter.name == read.name for parameter in function.parameters)
    statement = chains.statement_of(found) if type(found) is ops.Name else None
    value = statement.value if type(statement) is ops.Store and statement.kind == "assign" else None
    return type(value) is ops.Name and _is_argument(function, value)


def _is_used_after(function: Function, stored: ops.Attr, root: ops.Name) -> bool:
    """Is, after a store into a part of an object, the object read, or a function called that may hold it?"""
    chains = chains_of(function)
    targets = {_root_of(target) for target, _ in chains.stores}
    later = [
        read for reads in chains.names.values() for read in reads
        if read.place > stored.place and read not in targets
    ]  # fmt: skip
    return any(read.name == root.name or _is_called_from_around(chains, read) for read in later)


def _is_called_from_around(chains: Chains, read: ops.Name) -> bool:
    """Is a function or object around called, or a method of it, which no import has brought?"""
    binding = read.scope.lookup(read.name)
    if binding.owner is None or binding.owner.frame is read.scope.frame or binding.imported is not None:
        return False
    op: Op = read
    while (around := chains.parents.get(op)) is not None and getattr(around, "base", None) is op:
        op = around
    return type(around) is ops.Call and around.func is op


def _root_of(op: Op) -> ops.Name | None:
    """The name with which an access path begins."""
    while type(op) is ops.Attr or type(op) is ops.Item:
        op = op.base
    return op if type(op) is ops.Name else None
