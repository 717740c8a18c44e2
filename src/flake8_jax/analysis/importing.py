"""What other files make certain here: the statements that use what the judged file binds, run for their events.

    ops.py (judged)                     train.py
    def relu(x):                        from ops import relu
        if x > 0: ...   demand on x     step = jax.jit(relu)        the demand is met by a tracer: an event in ops.py

A name is *carried* by a file if calling or using it may meet a demand or effect of the judged file.  Files that import
a carrying file are searched for the names that are carried; the statements that hold one are run, and what they bind
may be carried on, to other statements and files.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from flake8_jax.analysis.callables import ClassValue, FunctionValue, underlying
from flake8_jax.analysis.classes import ancestry
from flake8_jax.analysis.dispatch import signature_of
from flake8_jax.analysis.events import Event
from flake8_jax.analysis.program import Program
from flake8_jax.analysis.records import Records
from flake8_jax.domain.value import CLASS, CONTAINERS, FUNCTION, IMPORTED, INSTANCE, MODULE, PARTIAL, Value
from flake8_jax.ir import ops
from flake8_jax.ir.invariants import walk

if TYPE_CHECKING:
    from flake8_jax.analysis.linking import File, Unit
    from flake8_jax.syntax.project import Project

MAXIMUM_FILES = 200
MAXIMUM_LINES = 10_000
MAXIMUM_DEPTH = 3


@dataclass(slots=True, eq=False)
class Search:
    """A search for the users of one file, `home`: the names that are carried, by file, and what was found."""

    home: File
    project: Project
    records: Records
    carried: dict[str, set[str]] = field(default_factory=dict)
    words: set[str] = field(default_factory=set)
    files: int = 0
    lines: int = 0

    @property
    def program(self) -> Program:
        """What all frames share."""
        return self.home.linked.program

    def is_exhausted(self) -> bool:
        """Is it more than is looked at?"""
        return self.files > MAXIMUM_FILES or self.lines > MAXIMUM_LINES


def receive(home: File, records: Records) -> bool:
    """Take the records of other files' statements that use what a file binds; True if there are too many."""
    project = home.linked.project
    if project is None:
        return False
    search = Search(home, project, records)
    carried = {
        name for unit in home.units if unit.statement.kind not in ("import", "main")
        for name, value in home.run(unit).items() if value.kind is not IMPORTED and _leads(search, value)
    }  # fmt: skip
    if carried:
        search.carried[home.path] = carried
        search.words = set(carried)
        _follow(search)
    return search.is_exhausted()


def _leads(search: Search, value: Value, depth: int = 0) -> bool:
    """Does a value lead to a demand or an effect at home?"""
    if value.kind is IMPORTED:
        value = value.data.value()
    if value.kind is MODULE:
        return value.data in search.carried
    if value.kind in (FUNCTION, PARTIAL):
        function = underlying(value)
        return function is not None and _carries(search, function, depth)
    if value.kind in (CLASS, INSTANCE):
        return any(_carries(search, function, depth) for function in _methods(value.data))
    return any(_leads(search, part, depth + 1) for part in _parts(value, depth))


def _parts(value: Value, depth: int) -> Iterable[Value]:
    if value.kind not in CONTAINERS or not value.parts or depth >= MAXIMUM_DEPTH:
        return ()
    found: Iterable[Value] = value.parts.values() if isinstance(value.parts, dict) else value.parts
    return found


def _methods(owner: ClassValue) -> Iterator[FunctionValue]:
    for current in ancestry(owner):
        for bound in current.attributes.values():
            function = underlying(bound)
            if function is not None:
                yield function


def _carries(search: Search, function: FunctionValue, depth: int) -> bool:
    """Does calling a function, or what it gives back, meet a demand or an effect at home?"""
    signature = signature_of(search.program, function)
    home = search.home.path
    latent = [demand.op for demand in signature.demands] + [effect.op for effect in signature.effects]
    if any(op.anchor.origin.path == home for op in latent):
        return True
    returned = signature.returns
    if returned is None or depth >= MAXIMUM_DEPTH:
        return False
    made = underlying(returned) if returned.kind in (FUNCTION, PARTIAL) else None
    if made is not None and made is not function:
        return _carries(search, made, depth + 1)
    if returned.kind in (CLASS, INSTANCE):
        return any(_carries(search, method, MAXIMUM_DEPTH) for method in _methods(returned.data))
    return False


def _follow(search: Search) -> None:
    """Search the files that import a carrying file, and those that import what these carry on."""
    waiting = [search.home.path]
    looked: set[str] = set()
    while waiting and not search.is_exhausted():
        for path in search.project.importers(waiting.pop(0)):
            if path == search.home.path or search.is_exhausted():
                continue
            if path not in looked:
                looked.add(path)
                search.files += 1
            before = set(search.carried.get(path, ()))
            _look(search, path)
            if search.carried.get(path, set()) != before:
                waiting.append(path)


def _look(search: Search, path: str) -> None:
    """Run the statements of a file that hold a carried name, until nothing more is carried."""
    file = search.home.linked.file(path)
    if file is None:
        return
    carried = search.carried.setdefault(path, set())
    while True:
        words = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(search.words)))})\b")
        if not words.search(search.project.text(path) or ""):
            return
        found = {name for unit in file.units for name in _use(search, file, unit, words)} - carried
        if not found:
            return
        carried |= found
        if found <= search.words:
            return
        search.words |= found


def _use(search: Search, file: File, unit: Unit, words: re.Pattern[str]) -> Iterator[str]:
    """Run a statement if it holds one of the words; gives the names that it binds and that carry on."""
    held = frozenset(words.findall(file.text(unit)))
    if not held or search.is_exhausted():
        return
    names = file.run(unit)
    if unit.statement.kind != "import":
        _run_all(search, file, unit, held)
    for name, value in names.items():
        if _leads(search, value):
            yield name


def _run_all(search: Search, file: File, unit: Unit, held: frozenset[str]) -> None:
    """Run what was wrapped in a statement, and the functions made in it that hold one of the words."""
    if search.records.take(file, unit):
        search.lines += unit.statement.end_line - unit.statement.line + 1
    for function in unit.record.functions:
        if _mentions(function.function, held):
            search.records.take_function(signature_of(search.program, function))


def _mentions(function: ops.Function, held: frozenset[str]) -> bool:
    part = ops.Module("", function, _below(function), {})
    return any(type(op) in (ops.Name, ops.Attr) and op.name in held for op in walk(part))  # type: ignore[union-attr]


def _below(function: ops.Function) -> list[ops.Function]:
    return [found for inner in function.functions for found in (inner, *_below(inner))]


def plainness(event: Event) -> tuple[Any, ...]:
    """A key by which the event that is explained in the fewest words comes first."""
    trace, chain = event.context.trace, event.context.chain
    place = (trace.path, trace.line, trace.value) if trace is not None else ("", 0, "")
    return len(chain), *place, tuple((hop.path, hop.line) for hop in chain), repr(event.context)
