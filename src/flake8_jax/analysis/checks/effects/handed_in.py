"""Is an argument of traced code handed in by an attribute, so that nobody looks for it there afterwards?

model.speed = speed; return model.compute(x)        what is called then reads it
env.tables = tables; return env                     and so does who gets the object
model.last = x; return 2 * x                        nobody in the trace: it is kept for later
model.loss = loss(x); return model.compute(x)       what only the trace knows is looked for there

Or is the object of the function around, which does not look at it any more once it has handed the traced function on?
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from flake8_jax.analysis.checks.effects.undone import are_inside, functions_run, lines_that_read
from flake8_jax.analysis.checks.effects.written import OuterWrite
from flake8_jax.domain.summary import Summary
from flake8_jax.ir import ops
from flake8_jax.ir.chains import LONG, Chains, chains_of
from flake8_jax.ir.ops import Function, Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.walking import path_root, within
from flake8_jax.syntax.policies import SETTER_NAME


def is_handed_in(summary: Summary, write: OuterWrite, around: Iterable[Function]) -> bool:
    """Is an argument stored as it is in an attribute of what is used then, so that this finds it there?

    Whoever called the function has the argument and need not look for it there: it is harmless where no line of the
    file reads the attribute when the trace is over, or the function around puts something else there first.
    """
    op, statement = write.op, write.statement
    if type(op) is not ops.Attr or type(statement) is not ops.Store or statement.kind != "assign":
        return False
    if type(statement.value) is not ops.Name or not _is_argument(write.function, statement.value):
        return False
    root = path_root(op)
    if root is None or not (_is_setter(write.function) or _is_used_after(write.function, op, root)):
        return False
    owner = root.scope.lookup(root.name).owner
    home = next((function for function in around if function.scope is owner), None)
    if home is not None and _is_overwritten(home, summary, op):
        return True
    return are_inside(lines_that_read(op), summary, write)


def _is_setter(function: Function) -> bool:
    """Does a function say by its name that it sets what is used then, and give nothing back?"""
    gives = any(type(op) is ops.Leave and op.kind == "return" and op.value is not None for op in function.body)
    return bool(SETTER_NAME.search(function.name)) and not gives


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
    targets = {path_root(target) for target, _ in chains.stores}
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


def _is_overwritten(home: Function, summary: Summary, stored: ops.Attr) -> bool:
    """Does the function around put something else there, and read nothing of that name once it has handed on what is
    traced?
    """
    chains = chains_of(home)
    again = [statement for target, statement in chains.stored_to(phrase(stored, LONG)) if target.place > stored.place]
    handing = _handing_on(home, [one for one in functions_run(summary) if one in home.functions])
    if not again or handing is None:
        return False
    targets = {id(target) for target, _ in chains.stores}
    later = [one for one in home.body if handing.place < one.place <= again[0].place]
    return not any(
        type(one) is ops.Attr and one.name == stored.name and id(one) not in targets
        for statement in later for one in within(statement)
    )  # fmt: skip


def _handing_on(home: Function, traced: Iterable[Function]) -> Op | None:
    """The first statement of a function that names one of those inside it, other than in a loop."""
    chains = chains_of(home)
    targets = {target for target, _ in chains.stores}
    named = [read for one in traced for read in chains.names.get(one.name, ()) if read not in targets]
    statement = chains.way_to(min(named, key=lambda read: read.place))[0] if named else None
    return None if type(statement) is ops.Loop else statement


def ends_around(summary: Summary, write: OuterWrite, around: Iterable[Function]) -> bool:
    """Is it an object that the function around holds for traced functions alone, as far as its text tells?

    Where nothing reads its name after the statement that hands on the first of them, the tracer ends with the object.
    """
    home = next((function for function in around if function.scope is write.target and function.kind == "def"), None)
    if home is None:
        return False
    run = set(functions_run(summary))
    traced = [function for function in home.functions if function in run]
    held = set(_held_by(home, traced))
    chains = chains_of(home)
    others = [function for function in home.functions if function not in run]
    statement = _handing_on(home, traced)
    if not held or statement is None or not held.isdisjoint(_held_by(home, others)):
        return False
    targets = {target for target, _ in chains.stores}
    reads = [read for name in held for read in chains.names.get(name, ()) if read not in targets]
    later = [read for read in reads if read.place > statement.place and statement not in chains.way_to(read)]
    return all(_is_bound_after(chains, read, statement) for read in later)


def _held_by(home: Function, functions: Iterable[Function]) -> Iterator[str]:
    """The variables of a function, other than functions inside it, that some of these read."""
    made = {inner.name for inner in home.functions}
    for function in functions:
        for name in chains_of(function).names:
            if name not in made and function.scope.lookup(name).owner is home.scope:
                yield name
        yield from _held_by(home, function.functions)


def _is_bound_after(chains: Chains, read: ops.Name, statement: Op) -> bool:
    """Does a read find what is bound after a statement?"""
    found = chains.found_by(read)
    return type(found) is ops.Name and found.place > statement.place
