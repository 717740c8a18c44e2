"""Is a write harmless: put back, read again in the same trace only, deliberate, or the filling of a memo?

before, CFG.mode = CFG.mode, m; ...; CFG.mode = before      put back
self.tmp = x * 2; return self.finish()                      read by what the trace runs, and by nothing else
traces += 1                                                 a count of traces
READY = True                                                nothing else sets it: the first call leaves it as any would
if n not in TABLE: TABLE[n] = jnp.arange(n)                 a memo
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from flake8_jax.analysis.checks.effects.written import OuterWrite
from flake8_jax.analysis.objects.classes import CONSTRUCTORS
from flake8_jax.domain.provenance import Hop
from flake8_jax.domain.staging import Input
from flake8_jax.domain.summary import Summary
from flake8_jax.ir import ops
from flake8_jax.ir.chains import LONG, chains_of, reads_in_all, searched_once
from flake8_jax.ir.ops import Function, Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.scope import Scope
from flake8_jax.ir.walking import within
from flake8_jax.syntax.policies import COUNTS_TRACES, LOCK_NAME

TAKING = frozenset(("pop", "popleft", "remove", "discard", "clear", "popitem"))
STACKED = frozenset(("pop", "popleft", "remove"))
ADDING = frozenset(("append", "appendleft", "add", "insert", "extend", "update", "setdefault"))
MAXIMUM_CLOSURE = 200


def tells_of_trace(write: OuterWrite) -> bool:
    """Does a name say that it is about traces: of what is changed, as in `trace_count += 1`, or of the function?"""
    return any(COUNTS_TRACES.search(text) for text in (phrase(write.op, LONG), write.function.name))


def is_put_back(write: OuterWrite, is_static: bool) -> bool:
    """Does the function itself put something else there later, whenever it does this?

    A constant is part of that if something was put there before.
    """
    if write.manner == "method":
        return _is_taken_back(write)
    chains = chains_of(write.function)
    place, way = write.op.place, chains.way_to(write.statement)
    stores = chains.stores_by_arm(phrase(write.op, LONG))
    if stores.covers_behind(place, way):
        return True
    return is_static and write.change != "changed" and stores.is_covered_before(place, way)


def is_overwritten(caller: Function, call: Op, passed: Op | None, write: OuterWrite) -> bool:
    """Does the caller, after the call, put something else where an argument of its own was stored into?

    set_params(model, new); loss = compute(model); set_params(model, old)       so it does by the same function
    """
    if type(passed) is not ops.Name or isinstance(write.target, Scope):
        return False
    if any(one.place > call.place and _passes(one, passed.name) for one in _alike(caller, call)):
        return True
    stored = phrase(write.op, LONG)
    if not stored.startswith(write.target.name):
        return False
    text = passed.name + stored[len(write.target.name) :]
    return chains_of(caller).stores_by_arm(text).is_behind(call.place)


def _alike(caller: Function, call: Op) -> Sequence[ops.Call]:
    """The calls that a function has of the function of the project that is called, by a name."""
    name = call.func.name if type(call) is ops.Call and type(call.func) is ops.Name else ""
    return _calls_by_name(caller).get(name, ())


def _passes(call: ops.Call, name: str) -> bool:
    return any(type(one) is ops.Name and one.name == name for one in call.args)


@searched_once
def _calls_by_name(function: Function) -> dict[str, list[ops.Call]]:
    """The calls in a body, by the name that is called."""
    found: dict[str, list[ops.Call]] = {}
    for op in (one for statement in function.body for one in within(statement)):
        if type(op) is ops.Call and type(op.func) is ops.Name:
            found.setdefault(op.func.name, []).append(op)
    return found


def is_read_before(caller: Function, call: Op, passed: Op | None, write: OuterWrite) -> bool:
    """Does the caller, before the call, read what a cache of an object keeps, so that it is computed there?"""
    text = phrase(write.op, LONG)
    if type(passed) is ops.Name and isinstance(write.target, Input) and text.startswith(write.target.name):
        text = passed.name + text[len(write.target.name) :]
    _, _, name = text.rpartition(".")
    return any(
        type(op) is ops.Attr and op.name == name and op.place < call.place and phrase(op, LONG) == text
        for statement in caller.body for op in within(statement)
    )  # fmt: skip


def is_written_again(caller: Function, call: Op, passed: Op | None, summary: Summary, write: OuterWrite) -> bool:
    """Does the caller, after the call, itself call the method of its object that stored the tracer in the trace?"""
    if type(passed) is not ops.Name:
        return False
    chains = chains_of(caller)
    way = chains.way_to(call)
    if not chains.calls_by_arm(passed.name).covers_behind(call.place, way):
        return False
    names = _names_of_writers(summary, write)
    return any(chains.calls_by_arm(passed.name, name).covers_behind(call.place, way) for name in names)


def _names_of_writers(summary: Summary, write: OuterWrite) -> Iterator[str]:
    """The names of the methods, of those that a trace runs, that write, themselves or by what they call."""
    for one in _summaries(summary):
        if one.run.function is not None and write.function in functions_run(one):
            yield one.run.function.name


def is_of_stack(write: OuterWrite) -> bool:
    """Does another function take out again what this one puts into a container, as with a stack?"""
    call = write.op
    if write.manner != "method" or type(call) is not ops.Call or type(call.func) is not ops.Attr:
        return False
    names = STACKED if call.func.name in ADDING else ADDING
    wanted = re.compile(rf"(?<![\w.]){re.escape(phrase(call.func.base, LONG))}\.(?:{'|'.join(sorted(names))})\(")
    source = call.anchor.origin.code
    lines = {number for name in names for number in source.attributes.get(name, ())}
    return any(wanted.search(source.lines[number - 1]) for number in lines)


def _is_taken_back(write: OuterWrite) -> bool:
    """Does the same function take out again what it puts into a container, or the other way round?"""
    call = write.op
    if type(call) is not ops.Call or type(call.func) is not ops.Attr:
        return False
    wanted = TAKING if call.func.name in ADDING else ADDING if call.func.name in TAKING else frozenset()
    text, chains = phrase(call.func.base, LONG), chains_of(write.function)
    return chains.is_deleted_from(text) or any(chains.calls_by_arm(text, method).end for method in wanted)


def is_locked(write: OuterWrite) -> bool:
    """Does a lock guard the write?  Who takes one knows that the host runs this."""
    way = chains_of(write.function).way_to(write.statement)
    return any(type(one) is ops.With and LOCK_NAME.search(phrase(one.manager)) for one in way)


def is_done_once(write: OuterWrite) -> bool:
    """Does a test that leads to the write ask for what is noted beside it: `if key not in SEEN: SEEN.add(key)`?"""
    chains = chains_of(write.function)
    way = chains.way_to(write.statement)
    asked = {text for test in chains.tests_on(way) for text in chains.asked(test)} if way else set[str]()
    return any(chains.calls_by_arm(text, "add").end for text in asked)


def is_set_for_good(write: OuterWrite) -> bool:
    """Does nothing else in the file put anything where a constant, or something else that is no tracer, is put?

    Then it stands there after the first call, and a later call, which traces nothing, has nothing to put there.  What
    the module or a constructor puts there first does not count, and what is made of what was there is another matter.
    """
    op, statement, chains = write.op, write.statement, chains_of(write.function)
    if write.change not in ("constant", "rebound") or (type(op) is ops.Attr and write.change == "rebound"):
        return False  # such as `sys.stdout`, which is not the project's own
    made_of = statement.value if type(statement) is ops.Store else None
    if made_of is not None and phrase(op, LONG) in chains.asked(made_of):
        return False
    if type(op) is ops.Name:
        return op.scope.lookup(op.name).stores <= len(chains.stored_to(op.name)) + 1
    return not any(_is_put_at(op, number) for number in _lines_that_put(op, write.function))


def _lines_that_put(op: Op, function: Function) -> Iterator[int]:
    """The lines of the file, outside of a function, that may store into what an attribute or item is spelled like."""
    first, last = _lines(function)
    code = op.anchor.origin.code
    found: Sequence[int] = ()
    if type(op) is ops.Attr:
        found = code.attributes.get(op.name, ())
    elif type(op) is ops.Item:
        found = code.items_put.get(phrase(op.base, LONG), ())
    return (number for number in found if not first <= number <= last)


def _is_put_at(op: Op, number: int) -> bool:
    """Does a line, other than of a constructor, store into what is spelled like this?"""
    text = f".{op.name}" if type(op) is ops.Attr else phrase(op, LONG)
    code = op.anchor.origin.code
    line = code.lines[number - 1].replace("'", '"')
    is_put = re.search(rf"{re.escape(text)}(?!\w)[^=(]*(?<![=!<>])=(?!=)", line) is not None
    return is_put and code.functions_around[number - 1] not in CONSTRUCTORS


def is_memo(write: OuterWrite) -> bool:
    """Does a test that leads to the write ask for what it stores?"""
    op, chains = write.op, chains_of(write.function)
    if type(op) is ops.Call and type(op.func) is ops.Attr:
        if op.func.name == "setdefault":
            return True
        base: Op = op.func.base
    else:
        base = op.base if type(op) is ops.Item else op
    way = chains.way_to(write.statement)
    if not way:
        return False
    text = phrase(base, LONG)
    texts = {text, *chains.bound_from(text)}
    if any(not texts.isdisjoint(chains.asked(test)) for test in chains.tests_on(way)):
        return True
    tried = [one for one in way if type(one) is ops.Try]
    is_handling = any(one in handler.body for one in way for outer in tried for handler in outer.handlers)
    return is_handling and any(not texts.isdisjoint(chains.asked(op)) for outer in tried for op in outer.body)


def is_read_only_inside(summary: Summary, write: OuterWrite) -> bool:
    """Is an attribute read, but only by what the trace runs, and there after it is stored?"""
    lines = lines_that_read(write.op)
    return bool(lines) and are_inside(lines, summary, write)


def lines_that_read(op: Op) -> list[int]:
    """The lines of the file that read an attribute of this name, of whichever object; of what an attribute or item
    holds, those that name this one, too.
    """
    if type(op) is not ops.Attr:
        return []
    holder = rf"\.{re.escape(op.base.name)}" if type(op.base) is ops.Attr else ""
    wanted = re.compile(rf"{holder}\.{re.escape(op.name)}\b(?!\s*(?:=(?!=)|:))")
    source = op.anchor.origin.code
    return [number for number in source.attributes.get(op.name, ()) if wanted.search(source.lines[number - 1])]


def are_inside(lines: Sequence[int], summary: Summary, write: OuterWrite) -> bool:
    """Do lines that read an attribute stand in what the trace runs, or after a store of it in their own function?"""
    op = write.op
    assert type(op) is ops.Attr
    origin = op.anchor.origin
    run = [_lines(function) for function in functions_run(summary) if function.anchor.origin.path == origin.path]
    first, last = _lines(write.function)
    at = op.anchor.line
    if any(first <= line <= at <= last for line in lines):
        return False
    stored = re.compile(rf"\.{re.escape(op.name)}\s*=(?!=)")
    source = origin.code
    return all(
        any(first <= line <= last for first, last in run) or _is_stored_above(source.lines, line, stored)
        for line in lines
    )


def _is_stored_above(lines: Sequence[str], number: int, stored: re.Pattern[str]) -> bool:
    """Is an attribute stored further up in the same function as it is read?"""
    depth = _depth(lines[number - 1])
    for above in range(number - 2, -1, -1):
        line = lines[above]
        if stored.search(line) and _depth(line) <= depth:
            return True
        if line.lstrip().startswith(("def ", "async def ", "class ")) and _depth(line) < depth:
            return False
    return False


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def functions_run(summary: Summary) -> Iterator[Function]:
    """The functions that a trace runs."""
    for one in _summaries(summary):
        if one.run.function is not None:
            yield one.run.function


def _summaries(summary: Summary) -> Iterator[Summary]:
    """The summary of a function, and those of all that it calls."""
    seen: set[int] = set()
    waiting = [summary]
    while waiting and len(seen) < MAXIMUM_CLOSURE:
        one = waiting.pop()
        if id(one) not in seen:
            seen.add(id(one))
            waiting.extend(one.run.callees)
            yield one


@searched_once
def _lines(function: Function) -> tuple[int, int]:
    """The first and last line of a function, as far as its ops tell."""
    return function.anchor.line, max([chains_of(function).last, *(_lines(inner)[1] for inner in function.functions)])


def is_read_after(function: Function, name: str, write: OuterWrite, chain: tuple[Hop, ...]) -> bool:
    """Does a function read a parameter after a write into it, or hand it on at all?"""
    reads = reads_in_all(function, name)
    line = chain[0].line if chain else write.op.anchor.line
    if not reads.whole.issubset({line} if chain else ()):
        return True
    is_in_loop = any(type(one) is ops.Loop for one in chains_of(function).way_to(write.statement))
    other = next((one for one, call in reads.parts if call is not write.op), None)
    return other is not None and (other > line or is_in_loop)
