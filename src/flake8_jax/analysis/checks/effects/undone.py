"""Is a write harmless: put back, read again in the same trace only, deliberate, or the filling of a memo?

before, CFG.mode = CFG.mode, m; ...; CFG.mode = before      put back
self.tmp = x * 2; return self.finish()                      read by what the trace runs, and by nothing else
traces += 1                                                 a count of traces
if n not in TABLE: TABLE[n] = jnp.arange(n)                 a memo
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from flake8_jax.analysis.objects.classes import stores_in
from flake8_jax.domain.outer_writes import OuterWrite
from flake8_jax.domain.summary import Summary
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Body, Function, Op
from flake8_jax.ir.paths import tests_on, way_to, within
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.scope import Scope

OF_TRACES = re.compile(r"trac(?:e|es|ed|ing)(?![a-z])|compil|jit(?![a-z])", re.IGNORECASE)
TAKING = frozenset(("pop", "popleft", "remove", "discard", "clear", "popitem"))
STACKED = frozenset(("pop", "popleft", "remove"))
ADDING = frozenset(("append", "appendleft", "add", "insert", "extend", "update", "setdefault"))
ASKING = frozenset(("getattr", "hasattr"))
LONG = 400
MAXIMUM_CLOSURE = 200


def tells_of_trace(write: OuterWrite) -> bool:
    """Does the name of what is changed say that it is about traces, as in `trace_count += 1`?"""
    return OF_TRACES.search(phrase(write.op, LONG)) is not None


def is_put_back(write: OuterWrite, is_static: bool) -> bool:
    """Does the function itself put something else there later, whenever it does this?

    A constant is part of that if something was put there before.
    """
    body = write.function.body
    if write.manner == "method":
        return _is_taken_back(write)
    text, way = phrase(write.op, LONG), way_to(body, write.statement)
    for target, statement in _places(body):
        if target is write.op or phrase(target, LONG) != text:
            continue
        other = way_to(body, statement)
        if target.place > write.op.place and _covers(other, way):
            return True
        if target.place < write.op.place and is_static and write.change != "changed" and _covers(way, other):
            return True
    return False


def _places(body: Body) -> Iterator[tuple[Op, Op]]:
    yield from stores_in(body)
    for statement in body:
        for one in within(statement):
            if type(one) is ops.Delete:
                for target in one.targets:
                    yield target, one


def is_overwritten(caller: Function, call: Op, passed: Op | None, write: OuterWrite) -> bool:
    """Does the caller, after the call, put something else where an argument of its own was stored into?"""
    if type(passed) is not ops.Name or isinstance(write.target, Scope):
        return False
    stored = phrase(write.op, LONG)
    if not stored.startswith(write.target.name):
        return False
    text = passed.name + stored[len(write.target.name) :]
    return any(target.place > call.place and phrase(target, LONG) == text for target, _ in stores_in(caller.body))


def is_of_stack(write: OuterWrite) -> bool:
    """Is what one function puts into a container taken out of it by another one?"""
    call = write.op
    if write.manner != "method" or type(call) is not ops.Call or type(call.func) is not ops.Attr:
        return False
    names = STACKED if call.func.name in ADDING else ADDING
    wanted = re.compile(rf"(?<![\w.]){re.escape(phrase(call.func.base, LONG))}\.(?:{'|'.join(sorted(names))})\(")
    return wanted.search(call.anchor.origin.source.text) is not None


def _is_taken_back(write: OuterWrite) -> bool:
    """Is what is put into a container taken out of it again, or the other way round?"""
    call = write.op
    if type(call) is not ops.Call or type(call.func) is not ops.Attr:
        return False
    wanted = TAKING if call.func.name in ADDING else ADDING if call.func.name in TAKING else frozenset()
    text = phrase(call.func.base, LONG)
    for statement in write.function.body:
        for one in within(statement):
            targets = one.targets if type(one) is ops.Delete else ()
            if any(type(target) is ops.Item and phrase(target.base, LONG) == text for target in targets):
                return True
            is_call = type(one) is ops.Call and type(one.func) is ops.Attr and one.func.name in wanted
            if is_call and phrase(one.func.base, LONG) == text:  # type: ignore[union-attr]  # it is one
                return True
    return False


def _covers(other: list[Op], way: list[Op]) -> bool:
    """Is an op reached whenever another one is: does each choice that leads to it lead to the other one, too?"""
    for outer, inner in pairwise(other):
        if type(outer) is ops.Try and inner in outer.final:
            continue
        if type(outer) in (ops.Branch, ops.Loop, ops.Try):
            place = next((n for n, one in enumerate(way) if one is outer), None)
            if place is None or place + 1 >= len(way):
                return False
            if type(outer) is ops.Branch and (inner in outer.body) is not (way[place + 1] in outer.body):
                return False
    return True


def is_memo(write: OuterWrite) -> bool:
    """Does a test that leads to the write ask for what it stores?"""
    op, body = write.op, write.function.body
    if type(op) is ops.Call and type(op.func) is ops.Attr:
        if op.func.name == "setdefault":
            return True
        base: Op = op.func.base
    else:
        base = op.base if type(op) is ops.Item else op
    way = way_to(body, write.statement)
    if not way:
        return False
    texts = {phrase(base, LONG)}
    names = _names_of(body, texts)
    if any(_asks(one, texts, names) for test in tests_on(body, way) for one in within(test)):
        return True
    tried = [one for one in way if type(one) is ops.Try]
    is_handling = any(one in handler.body for one in way for outer in tried for handler in outer.handlers)
    return is_handling and any(_asks(one, texts, names) for outer in tried for op in outer.body for one in within(op))


def _names_of(body: Body, texts: set[str]) -> frozenset[str]:
    """The names that hold what is read there."""
    found = set()
    for target, statement in stores_in(body):
        value = statement.value if type(statement) is ops.Store else None
        if type(target) is ops.Name and value is not None and any(_asks(one, texts, ()) for one in within(value)):
            found.add(target.name)
    return frozenset(found)


def _asks(one: Op, texts: set[str], names: frozenset[str] | tuple[()]) -> bool:
    if type(one) in (ops.Name, ops.Attr, ops.Item) and phrase(one, LONG) in texts:
        return True
    if type(one) is ops.Name and one.name in names:
        return True
    if type(one) is ops.Call and type(one.func) is ops.Name and one.func.name in ASKING and len(one.args) > 1:
        name = one.args[1].value if type(one.args[1]) is ops.Const else ""
        return isinstance(name, str) and f"{phrase(one.args[0], LONG)}.{name}" in texts
    return False


def is_read_only_inside(summary: Summary, write: OuterWrite) -> bool:
    """Is an attribute read, but only by what the trace runs, and there after it is stored?"""
    op = write.op
    if type(op) is not ops.Attr:
        return False
    origin = op.anchor.origin
    wanted = re.compile(rf"\.{re.escape(op.name)}\b(?!\s*(?:=(?!=)|:))")
    lines = [number for number, line in enumerate(origin.source.lines, 1) if wanted.search(line)]
    run = [_lines(one) for one in _functions(summary) if one.anchor.origin.path == origin.path]
    first, last = _lines(write.function)
    at = op.anchor.line
    if any(first <= line <= at <= last for line in lines) or not lines:
        return False
    stored = re.compile(rf"\.{re.escape(op.name)}\s*=(?!=)")
    return all(
        any(first <= line <= last for first, last in run) or _is_stored_above(origin.source.lines, line, stored)
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


def _functions(summary: Summary) -> Iterator[Function]:
    """The functions that a trace runs."""
    seen: set[int] = set()
    waiting = [summary]
    while waiting and len(seen) < MAXIMUM_CLOSURE:
        one = waiting.pop()
        if id(one) not in seen:
            seen.add(id(one))
            waiting.extend(one.run.callees)
            if one.run.function is not None:
                yield one.run.function


def _lines(function: Function) -> tuple[int, int]:
    """The first and last line of a function, as far as its ops tell."""
    last = max((one.anchor.line for op in function.body for one in within(op)), default=function.anchor.line)
    return function.anchor.line, max([last, *(_lines(inner)[1] for inner in function.functions)])


def is_read_after(function: Function, name: str, write: OuterWrite) -> bool:
    """Does a function read a parameter after a write into it, or hand it on at all?"""
    line = write.chain[0].line if write.chain else write.op.anchor.line
    loops = [one for one in way_to(function.body, write.statement) if type(one) is ops.Loop]
    stores = {id(target.base) for target, _ in stores_in(function.body) if type(target) in (ops.Attr, ops.Item)}  # type: ignore[union-attr]
    receivers = {
        id(one.func.base)
        for op in function.body
        for one in within(op)
        if type(one) is ops.Call and type(one.func) is ops.Attr and one is write.op
    }
    parts = {
        id(one.base) for op in function.body for one in within(op) if type(one) in (ops.Attr, ops.Item)  # type: ignore[union-attr]
    }  # fmt: skip
    for one in _everything(function):
        if type(one) is not ops.Name or one.name != name or id(one) in stores | receivers:
            continue
        is_part = id(one) in parts
        if not is_part and not (write.chain and one.anchor.line == line):
            return True
        if one.anchor.line > line or (loops and is_part):
            return True
    return False


def _everything(function: Function) -> Iterator[Op]:
    for op in function.body:
        yield from within(op)
    for inner in function.functions:
        yield from _everything(inner)
