"""What other files make certain here: the statements that use what the judged file binds, run for their events.

    ops.py (judged)                     train.py
    def relu(x):                        from ops import relu
        if x > 0: ...   demand on x     step = jax.jit(relu)        the demand is met by a tracer: an event in ops.py

A name is *carried* by a file if calling or using it may meet a demand or effect of the judged file.  Files that import
a carrying file are searched for the names that are carried; the statements that hold one are run, and what they bind
may be carried on, to other statements and files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from flake8_jax.analysis.callables import ClassValue, FunctionValue, underlying
from flake8_jax.analysis.classes import ancestry
from flake8_jax.analysis.dispatch import signature_of
from flake8_jax.analysis.events import Event
from flake8_jax.analysis.program import Program
from flake8_jax.analysis.records import Records
from flake8_jax.domain.signature import Signature
from flake8_jax.domain.value import CLASS, CONTAINERS, FUNCTION, IMPORTED, INSTANCE, MODULE, PARTIAL, Value

if TYPE_CHECKING:
    from flake8_jax.analysis.files import File, Unit
    from flake8_jax.analysis.linking import Import
    from flake8_jax.syntax.project import Project

MAXIMUM_FILES = 200
MAXIMUM_LINES = 10_000
MAXIMUM_DEPTH = 3


@dataclass(slots=True, eq=False)
class Search:
    """A search for the users of one file, `home`: the names that are carried, by file, who imports the carrying files,
    which files were looked at, and how many lines of them were run.
    """

    home: File
    project: Project
    records: Records
    carried: dict[str, set[str]] = field(default_factory=dict)
    words: set[str] = field(default_factory=set)
    known: dict[tuple[FunctionValue, int], bool] = field(default_factory=dict)
    importers: dict[str, tuple[str, ...]] = field(default_factory=dict)
    looked: set[str] = field(default_factory=set)
    lines: int = 0

    @property
    def program(self) -> Program:
        """What all frames share."""
        return self.home.linked.program

    def is_exhausted(self) -> bool:
        """Is it more than is looked at?"""
        return len(self.looked) > MAXIMUM_FILES or self.lines > MAXIMUM_LINES


def receive(home: File, records: Records) -> Search | None:
    """Take the records of other files' statements that use what a file binds; None if there is no project."""
    project = home.linked.project
    if project is None:
        return None
    search = Search(home, project, records)
    carried = {
        name for unit in home.units if unit.statement.kind not in ("import", "main")
        for name, value in home.run(unit).items() if value.kind is not IMPORTED and _leads(search, value)
    }  # fmt: skip
    if carried:
        search.carried[home.path] = carried
        search.words = set(carried)
        _follow(search)
    return search


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
    known = search.known.get((function, depth))
    if known is None:
        search.known[(function, depth)] = False  # for those that give back each other
        known = search.known[(function, depth)] = _finds(search, signature_of(search.program, function), depth)
    return known


def _finds(search: Search, signature: Signature, depth: int) -> bool:
    if search.home.path in homes(signature):
        return True
    returned = signature.returns
    if returned is None or depth >= MAXIMUM_DEPTH:
        return False
    held = [value for value in signature.captures.values() if value.kind in (FUNCTION, PARTIAL)]
    if any(_leads(search, value, depth + 1) for value in held):
        return True
    made = underlying(returned) if returned.kind in (FUNCTION, PARTIAL) else None
    if made is not None:
        return _carries(search, made, depth + 1)
    if returned.kind in (CLASS, INSTANCE):
        return any(_carries(search, method, MAXIMUM_DEPTH) for method in _methods(returned.data))
    return False


def homes(signature: Signature) -> frozenset[str]:
    """The files that hold the demands and effects of a signature."""
    if signature.homes is None:
        ops = [demand.op for demand in signature.demands] + [effect.op for effect in signature.effects]
        signature.homes = frozenset(op.anchor.origin.path for op in ops)
    return signature.homes


def _follow(search: Search) -> None:
    """Search the files that import a carrying file, and those that import what these carry on."""
    waiting = [search.home.path]
    while waiting and not search.is_exhausted():
        place = waiting.pop(0)
        search.importers[place] = search.project.importers(place)
        for path in search.importers[place]:
            if path == search.home.path or search.is_exhausted():
                continue
            search.looked.add(path)
            before = len(search.carried.get(path, ()))
            _look(search, path)
            if len(search.carried.get(path, ())) != before:
                waiting.append(path)


def _look(search: Search, path: str) -> None:
    """Run the statements of a file that hold a carried name, until nothing more is carried."""
    file = search.home.linked.file(path)
    if file is None:
        return
    carried = search.carried.setdefault(path, set())
    for level, module in file.index.stars:
        taken = search.home.linked.star(path, level, module)
        if taken is not None:
            carried |= {name for name in search.carried.get(taken.path, ()) if taken.exports(name)}
    carried.update(_modules(search, file))
    search.words |= carried
    while True:
        found = {name for unit in file.holding(search.words) for name in _use(search, file, unit)} - carried
        if not found:
            return
        carried |= found
        if found <= search.words:
            return
        search.words |= found


def _modules(search: Search, file: File) -> Iterator[str]:
    """The names that a file's imports bind to carrying modules; none of their own names need stand in it."""
    for unit in file.units:
        for name, value in file.run(unit).items() if unit.statement.kind == "import" else ():
            if value.kind is IMPORTED and _module_of(search.project, value.data) in search.carried:
                yield name


def _module_of(project: Project, imported: Import) -> str | None:
    """The module that an import leads to, if it leads to one."""
    if len(imported.rest) != 1:
        return None if imported.rest else imported.path
    return project.submodule(imported.path, imported.rest[0])


def _use(search: Search, file: File, unit: Unit) -> Iterator[str]:
    """Run a statement that holds one of the words; gives the names that it binds and that carry on."""
    if search.is_exhausted():
        return
    names = file.run(unit)
    if unit.statement.kind != "import":
        _run_all(search, file, unit)
    for name, value in names.items():
        if _leads(search, value):
            yield name


def _run_all(search: Search, file: File, unit: Unit) -> None:
    """Run what was wrapped in a statement, and the functions made in it that hold one of the words."""
    if search.records.take(file, unit):
        search.lines += unit.statement.end_line - unit.statement.line + 1
    functions = sorted(unit.record.functions, key=_line)
    for function, following in zip_longest(functions, functions[1:]):
        last = _line(following) - 1 if following is not None else unit.statement.end_line
        if len(functions) == 1 or not search.words.isdisjoint(file.words(_line(function), last)):
            search.records.take_function(signature_of(search.program, function))


def _line(function: FunctionValue) -> int:
    return function.function.anchor.line


def plainness(event: Event) -> tuple[Any, ...]:
    """A key by which the event that is explained in the fewest words comes first."""
    trace, chain = event.context.trace, event.context.chain
    place = (trace.path, trace.line, trace.value) if trace is not None else ("", 0, "")
    return len(chain), *place, tuple((hop.path, hop.line) for hop in chain), repr(event.context)
