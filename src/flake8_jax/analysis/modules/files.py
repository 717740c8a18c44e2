"""One file of a project for its importers: its top-level statements, each lowered and run on demand.

A statement is run in a frame of its own, so that its results do not depend on which were run before; names that it
reads are looked up in turn, in this file or, through imports, in others.  The judged file is no exception: its
functions are summarized once, for itself and for all others.
"""

from __future__ import annotations

import ast
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from functools import cached_property, partial
from itertools import combinations, starmap
from typing import TYPE_CHECKING

from flake8_jax.analysis.callables import ClassValue
from flake8_jax.analysis.calls.transforms import apply_convention, run_roots
from flake8_jax.analysis.checks.releases.uses import BY_TEXT, noted_names
from flake8_jax.analysis.dependencies import BODY, GENERAL
from flake8_jax.analysis.evaluator import run, summary_of
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.isolation import DEFECT, FaultBarrier, record_of_fault
from flake8_jax.analysis.modules.changes import updated_settings
from flake8_jax.analysis.modules.starting import is_script
from flake8_jax.analysis.modules.top_scopes import import_binding, scope_of
from flake8_jax.analysis.program import Namespace
from flake8_jax.analysis.record import Record
from flake8_jax.analysis.stacks import is_too_deep, with_room
from flake8_jax.analysis.summaries.arguments_told import run_for
from flake8_jax.analysis.summaries.fixpoint import in_own_record
from flake8_jax.analysis.summaries.told import told_by
from flake8_jax.domain.constants import OPEN
from flake8_jax.domain.kinds import DEFINITIONS, FUNCTION
from flake8_jax.domain.state import State
from flake8_jax.domain.summary import Summary
from flake8_jax.domain.value import Value, unknown
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of, excluded, forget_chains
from flake8_jax.ir.scope import Scope
from flake8_jax.lazy_dataclasses import dataclass, field
from flake8_jax.model.faults import Fault, Isolated
from flake8_jax.model.report import PlainArguments
from flake8_jax.syntax.code import code_of
from flake8_jax.syntax.depth import depth_of_tree
from flake8_jax.syntax.holding import Holding, words_in
from flake8_jax.syntax.index import BODIES, REFERENCES, Index, Statement
from flake8_jax.syntax.magics import MARK
from flake8_jax.syntax.project import Place
from flake8_jax.syntax.questions import (
    CHANGED,
    CODE,
    HEAD,
    MOST_BODIES,
    TEXT,
    of_body,
    of_definition,
    of_statement,
    of_stored,
    of_text,
    of_told,
    of_weight,
)
from flake8_jax.syntax.source import NotPython, SourceFile, TooDeep, forget

if TYPE_CHECKING:
    from flake8_jax.analysis.modules.changes import CodeIndex
    from flake8_jax.analysis.modules.linking import LinkedProject

CELLS = ("# %%", "#%%", "# In[")
"""How a line begins that stands before a cell."""

TIMED = f"with {MARK}"
"""How a line begins that was one of a magic that takes its time."""

NOTEBOOK = ("jupytext", "get_ipython")
"""The words with one of which a file is a notebook, even if no line divides it."""

MOST_BINDINGS = 32
"""So many statements that bind a name are asked for its value, from the last one: one that is running has none yet."""

DROPPED_STATEMENT = "a statement"
"""What a fault calls a statement at the top level."""


@dataclass(slots=True, eq=False)
class Unit:
    """A statement at the top level of a file: its ops, and the names and record of its run.

    `stores` counts the bindings of names of the module that its ops are.
    """

    number: int
    statement: Statement
    module: ops.Module | None = None
    names: dict[str, Value] | None = None
    record: Record = field(default_factory=Record)
    stores: Counter[str] | None = None


class File:
    """One file: its statements, run on demand; `size` is the number of its lines that hold code of a statement."""

    def __init__(
        self, linked: LinkedProject, index: Index, scope: Scope | None = None, before: File | None = None
    ) -> None:
        """A file; `before` is the one that it is an edited copy of, which is as much of a script."""
        self.linked = linked
        self.index = index
        self.path = index.path
        shown = linked.project.shown(index.path) if linked.project is not None else index.path
        self.namespace = Namespace(shown, self)
        self.units = [Unit(number, statement) for number, statement in enumerate(index.statements)]
        self.size = sum([statement.size for statement in index.statements])
        self.scope = scope or scope_of(index)
        self._source: SourceFile | None = None
        self._plain: SourceFile | None = None
        self._bodies: dict[tuple[int, int, int], int] = {}
        self._told: dict[tuple[int, int, PlainArguments], bytes] = {}
        self._owners: dict[str, tuple[File | None, Record]] = {}
        self._is_script = before.is_script if before is not None else None
        self._is_copy = before is not None
        self.libraries: frozenset[str] = frozenset()
        self.code: CodeIndex | None = None
        self._filled: dict[str, list[Unit]] = {}
        self._words_of: dict[tuple[int, int], frozenset[str]] = {}
        self._for_jitted: dict[str, list[str]] = {}
        self._numbers = dict(index.names)
        self._bound_as_program: set[tuple[str, int]] = set()
        for number, statement in enumerate(index.statements):
            if statement.kind == "main":
                self._bound_as_program.update((name, number) for name in statement.binds if name in index.names)
                for name in statement.binds:
                    self._numbers.setdefault(name, (number,))

    @property
    def lines(self) -> int:
        """The number of lines of the file."""
        return self.units[-1].statement.end_line if self.units else 0

    @property
    def may_trace(self) -> bool:
        """May the file make something of JAX?  An edited copy may import more than the file."""
        return self._is_copy or self.linked.may_trace(self.path)

    @property
    def makes_functions(self) -> bool:
        """Are functions made in it, methods and lambdas among them?  It is lowered as a whole."""
        return any(unit.module is not None and bool(unit.module.top.functions) for unit in self.units)

    @property
    def whole(self) -> str:
        """The complete text of the file, for who asks what its comments require: of these, the head says all."""
        return self._read().text

    def note_text(self, number: int) -> None:
        """Record that results depend on the text of a statement, with its comments, or of the whole file (-1)."""
        self.linked.unfold(self)
        self.linked.program.note(self.path, of_text(self.index, number) if number >= 0 else TEXT)

    def note_code(self) -> None:
        """Record that results depend on all code of the file."""
        self.linked.program.note(self.path, CODE)

    def note_statement(self, number: int) -> None:
        """Record that results depend on the code of a statement, or of several (-1)."""
        self.linked.program.note(self.path, self.asked_of_statement(number) if number >= 0 else CODE, CODE)

    def note_holding(self, words: Collection[str]) -> None:
        """Record that results depend on the functions and other code that hold one of the words, and on which do."""
        self.linked.program.seek(self.path, words)
        for number, body in self.held.parts(words):
            self.note_definition(number)
            statement = self.units[number].statement
            if body is not None:
                self.note_told(number, statement.line + statement.bodies[body][0], BODY)

    def note_definition(self, number: int) -> None:
        """Record that results depend on the code of a statement without the bodies of functions."""
        self.linked.program.note(self.path, self.asked_of_definition(number), CODE)

    def note_weight(self, number: int) -> None:
        """Record that results depend on how much of the bound of a search a statement takes."""
        is_apart = self.index.statements[number].kind in BODIES
        self.linked.program.note(self.path, of_weight(self.index, number) if is_apart else HEAD, CODE)

    def note_body(self, number: int, line: int) -> None:
        """Record that results depend on the body of a `def` that begins on a line of a statement; without one (0), on
        its definition.
        """
        record = self.linked.program.record
        self.note_told(number, line, record.given if self._is_own(record, number, line) else BODY)

    def note_told(self, number: int, line: int, given: int = GENERAL) -> None:
        """Record that results depend on what a `def` that begins on a line of a statement tells others, run for
        arguments with this number.
        """
        program = self.linked.program
        question = self._bodies.get((number, line, given))
        if question is None:
            asked = self._asked_of_body(number, line, of_body if given == BODY else of_told)
            given_apart = given if given > GENERAL and self._stands_apart(number, line) else GENERAL
            question = program.dependencies.number(self.path, asked, CODE, given_apart)
            self._bodies[(number, line, given)] = question
        program.record.asked.add(question)

    def _is_own(self, record: Record, number: int, line: int) -> bool:
        """Is a record that of a run of the `def` that begins on a line, or of a function made in it?"""
        code = record.code
        if code is None or code.outermost is None or code.anchor.origin.home is not self:
            return False
        return code.outermost.anchor.line == line and code.anchor.origin.number == number

    def _stands_apart(self, number: int, line: int) -> bool:
        """Is what the `def` that begins on a line tells a question of its own?"""
        body = self.index.statements[number].body_at(line) if number >= 0 and line else None
        return body is not None and body < MOST_BODIES

    def _asked_of_body(self, number: int, line: int, ask: Callable[[Index, int, int], int]) -> int:
        if number < 0 or not line:
            return CODE if number < 0 else self.asked_of_definition(number)
        body = self.index.statements[number].body_at(line)  # one on the line of its `def` is part of the definition
        return self.asked_of_definition(number) if body is None else ask(self.index, number, body)

    def below(self, number: int, line: int) -> tuple[int, int]:
        """How many functions of a statement begin down to a line, and how far it is below the last of them."""
        return self.index.statements[number].below(line) if number >= 0 else (0, line)

    def told(self, number: int, body: int, given: PlainArguments = ()) -> bytes:
        """A digest of what the function of a body tells by its summary, the general one or that for some arguments; of
        the body where that is not told apart from it.
        """
        found = self._told.get((number, body, given))
        if found is None:
            program, unit = self.linked.program, self.units[number]
            above, found = unit.statement.bodies[body]
            with FaultBarrier(program, "what a function tells", self.place_of(unit), lambda fault: None):
                record, task = Record(), partial(self._find_told, unit, unit.statement.line + above, given)
                found = in_own_record(program, task, record) or found
                record.asked.add(program.dependencies.number(self.path))  # with another text, all digests are let go
                program.memory.keep(partial(self._told.pop, (number, body, given), None), record)
            self._told[number, body, given] = found
        return found

    def _find_told(self, unit: Unit, line: int, given: PlainArguments) -> bytes | None:
        self.run(unit)
        made = [one for one in unit.record.functions if one.function.anchor.line == line]
        if len(made) != 1 or not made[0].is_top_level or made[0].given or self.linked.project is None:
            return None
        program = self.linked.program
        function = run_for(program, made[0], given) if given else made[0]
        if function is None:
            return None
        return told_by(program, function, summary_of(program, function), self.linked.project.root)

    def note_stored(self, number: int) -> None:
        """Record that results depend on which attributes are stored by the functions in a statement."""
        is_class = number >= 0 and self.index.statements[number].kind == "class"
        if is_class:
            self.linked.program.note(self.path, of_stored(self.index, number), CODE)
        else:
            self.note_statement(number)

    def asked_of_statement(self, number: int) -> int:
        """What is asked of the file by whoever looks at all of one of its statements."""
        return of_statement(self.index, number) if self.index.statements[number].kind in BODIES else HEAD

    def asked_of_definition(self, number: int) -> int:
        """What is asked of the file by whoever runs one of its statements."""
        return of_definition(self.index, number) if self.index.statements[number].kind in BODIES else HEAD

    def exports(self, name: str) -> bool:
        """Does a star import of this module bind a name?"""
        if self.index.exports is not None:
            return name in self.index.exports
        return not name.startswith("_")

    def imported_from(self, dotted: str) -> tuple[File, str] | None:
        """The file of the project in which a dotted name that an import here begins is bound, and its name there."""
        project, (first, *rest) = self.linked.project, dotted.split(".")
        if project is None:
            return None
        for level, module, name, new in (one for unit in self.binding(first) for one in unit.statement.imports):
            bound, target = import_binding(level, module, name, new)
            place = project.find(self.path, level, ".".join((target, *rest))) if bound == first else None
            if isinstance(place, Place) and len(place.rest) == 1 and (file := self.linked.file(place.path)):
                return file, place.rest[0]
        owner = self.owner(first) if not rest else None
        return (owner, first) if owner is not None and owner is not self else None

    def is_open(self, name: str, value: Value, line: int) -> bool:
        """May a function on a line that reads a global get another value than the final one?"""
        numbers = self._numbers.get(name, ())
        if name in self.index.globals or (self._bound_as_program and (name, self._at(line)) in self._bound_as_program):
            return True
        if len(numbers) < 2 and self.scope.names[name].stores < 2:
            return False
        if value.kind not in DEFINITIONS:
            return value.constant is OPEN or len(numbers) > MOST_BINDINGS or not self._is_same(numbers, name, value)
        if self._is_imported_anew(name, line):
            return True
        return not self._is_wrapped(name) and any(self._differs(number, name, value) for number in numbers[:-1])

    def _at(self, line: int) -> int:
        """The number of the statement that a line stands in, or below; -1 above the first one."""
        return bisect_right(self.units, line, key=lambda unit: unit.statement.line) - 1

    def _is_imported_anew(self, name: str, line: int) -> bool:
        """Does a statement import a name before a function that stands in it, and something else by this name after?"""
        number = self._at(line)
        if number < 0 or self.units[number].statement.kind != "other":
            return False
        unit = self.units[number]
        self.run(unit)
        stores = chains_of(unit.module.top).stored_to(name) if unit.module is not None else ()
        imports = [(one.anchor.line, one.value) for _, one in stores if type(one) is ops.Store]
        before = {one.qualified for at, one in imports if at < line and type(one) is ops.Imported}
        after = {one.qualified for at, one in imports if at > line and type(one) is ops.Imported}
        return bool(before) and not after <= before

    def _is_wrapped(self, name: str) -> bool:
        """Is a function bound again to what is made of it, as by a decorator: `step = jax.jit(step)`?"""
        units = self.binding(name)
        if len(units) != 2 or self.scope.names[name].stores != 2:
            return False
        for unit in units:
            self.run(unit)
        made, wrapped = (unit.module.top.body if unit.module is not None else () for unit in units)
        if len(made) != 1 or len(wrapped) != 1:
            return False
        first, second = made[0], wrapped[0]
        if type(first) is not ops.Store or first.kind != "def" or type(second) is not ops.Store:
            return False
        call = second.value
        return type(call) is ops.Call and any(type(one) is ops.Name and one.name == name for one in call.args)

    def _is_same(self, numbers: Sequence[int], name: str, constant: Value) -> bool:
        """Do several statements bind a name to one constant, once each?  One that is running has bound nothing yet."""
        if self.scope.names[name].stores > len(numbers):
            return False
        several = [self.run(self.units[number]).get(name) for number in numbers]
        return all(one is not None and (one.kind, one.payload) == (constant.kind, constant.payload) for one in several)

    def _differs(self, number: int, name: str, value: Value) -> bool:
        bound = self.run(self.units[number]).get(name)
        return bound is not None and (bound.kind is not value.kind or bound.payload != value.payload)

    def value(self, name: str, before: int | None = None) -> Value | None:
        """The final value of a name of the module, or its value before a statement; None if it is unbound."""
        numbers = self._numbers.get(name, ())
        if self.linked.equivalents and (stands_for := self._stands_for(name)):
            return self.linked.program.api(stands_for)
        last = len(numbers) if before is None else bisect_left(numbers, before)
        for number in reversed(numbers[max(0, last - MOST_BINDINGS) : last]):
            found = self.run(self.units[number]).get(name)
            if found is not None:
                return found
        owner = None if numbers else self.owner(name)
        return owner.value(name) if owner is not None else None

    def binding(self, name: str) -> list[Unit]:
        """The statements that bind a name."""
        return [self.units[number] for number in self._numbers.get(name, ())]

    def _stands_for(self, name: str) -> str | None:
        """The name of a library for which a name that this module binds stands."""
        project = self.linked.project
        return self.linked.equivalents.get(f"{project.module_name(self.path)}.{name}") if project is not None else None

    def owner(self, name: str, seen: frozenset[File] | set[File] = frozenset()) -> File | None:
        """The file that binds a name of this module: itself, or one that it star-imports."""
        if name in self._numbers:
            return self
        if not self.index.stars or self in seen:
            return None
        if seen:
            return self._search(name, seen)  # type: ignore[arg-type]  # only an empty one is frozen
        program = self.linked.program
        if name not in self._owners:
            with program.tracking(Record()):
                self._owners[name] = self._search(name, set()), program.record
                program.memory.keep(partial(self._owners.pop, name, None), program.record)
        owner, record = self._owners[name]
        program.record.uses.add(record)
        return owner

    def _search(self, name: str, seen: set[File]) -> File | None:
        seen.add(self)
        for level, module in reversed(self.index.stars):
            file = self.linked.star(self.path, level, module)
            found = file.owner(name, seen) if file is not None and file.exports(name) else None
            if found is not None:
                return found
        return None

    def run(self, unit: Unit) -> dict[str, Value]:
        """The names that a statement binds; it is run on demand."""
        program = self.linked.program
        if unit.names is not None:
            program.record.uses.add(unit.record)
            return unit.names
        held = program.bound.get((unit,))
        if held is not None:
            names, lowest = held
            program.lowest = min(program.lowest, lowest)
            program.record.uses.add(unit.record)
            return names
        if program.is_running((unit,)):
            return {}
        if is_too_deep(program):
            program.give_up("calls nested too deep")
            return {}
        return with_room(program, lambda: self._find_out(unit))

    def _find_out(self, unit: Unit) -> dict[str, Value]:
        """Run a statement, and keep what it binds for as long as it holds."""
        program = self.linked.program
        standing = program.enter((unit,))
        names = self._run_apart(unit)
        lowest = program.lowest
        if not program.leave(standing):
            if lowest >= 0:
                program.bound[(unit,)] = names, lowest
        else:
            unit.names = names
            program.memory.keep(partial(self._forget, unit), unit.record)
            shared = {value: (self.namespace, name) for name, value in names.items() if value.kind not in DEFINITIONS}
            self.linked.globals.update(shared)
        program.record.uses.add(unit.record)
        return names

    def _forget(self, unit: Unit) -> None:
        """Forget what a statement binds, until it is run again."""
        for value in (unit.names or {}).values():
            self.linked.globals.pop(value, None)
        unit.names = None
        self._filled.clear()

    def _run_apart(self, unit: Unit) -> dict[str, Value]:
        """The names that a statement binds, in a new record; all are unknown if its run raises."""
        program = self.linked.program
        asked = self.asked_of_definition(unit.number)
        unit.record = Record()
        unit.record.asked.add(program.dependencies.number(self.path, asked, CODE))
        found: list[Fault] = []
        with FaultBarrier(program, DROPPED_STATEMENT, self.place_of(unit), found.append):
            if unit.statement.kind == "import":
                return self._imports(unit)
            return in_own_record(program, lambda: self._run(unit), unit.record)
        unit.record = record_of_fault(program, self.path, found)
        return {name: unknown(DEFECT) for name in unit.statement.binds}

    def place_of(self, unit: Unit) -> tuple[str, int]:
        """Where a statement stands, as it is shown."""
        return self.namespace.path, unit.statement.line

    def _imports(self, unit: Unit) -> dict[str, Value]:
        """The names that an import statement binds."""
        names: dict[str, Value] = {}
        for level, module, name, new in unit.statement.imports:
            if name != "*":
                bound, dotted = import_binding(level, module, name, new)
                names[bound] = self.imported(level, dotted)
        return names

    def imported(self, level: int, dotted: str) -> Value:
        """The value of an import of this file."""
        found = self.linked.imported(self.path, level, dotted)
        if found is not None:
            return found
        return unknown("relative import") if level else self.linked.program.api(dotted)

    def _run(self, unit: Unit) -> dict[str, Value]:
        module = self.lowered(unit)
        if module is None:
            return {name: unknown("statement that cannot be parsed") for name in unit.statement.binds}
        unit.record.code = module.top
        frame = self.frame(module.top)
        frame.unit = unit.number
        run(frame, module.top.body)
        self._assume_traced(frame)
        state = frame.state
        unit.record.started = state.started if state is not None else ()
        bound = {name: state.names.get(name) for name in unit.statement.binds} if state is not None else {}
        return {name: value for name, value in bound.items() if value is not None}

    def _assume_traced(self, frame: Frame) -> None:
        """Make roots of the functions that the configuration declares to be traced."""
        patterns, project = self.linked.assumed, self.linked.project
        if not patterns or project is None:
            return
        for function in frame.program.record.functions:
            name = function.function.name
            qualified = f"{project.module_name(self.path)}.{function.function.qualname}"
            is_called = not name.startswith("__") or name == "__call__"
            if is_called and function.is_top_level and any(fnmatchcase(qualified, pattern) for pattern in patterns):
                made_by = ops.Closure(function.function.anchor, 0, function.function)
                value = Value(FUNCTION, payload=function, made_by=made_by)
                apply_convention(frame, value, "assume-traced", "declared traced by")

    def run_filling(self, name: str, pattern: str) -> None:
        """Run the statements that fill a global, and those that call functions which do; once."""
        filling = self.holding({name}, pattern)
        through = {bound for unit in filling for bound in unit.statement.binds}
        units = [*filling, *(self.holding(through) if through else ())]
        if name in self._filled:
            self.linked.program.record.uses.update([unit.record for unit in self._filled[name]])
            return
        self._filled[name] = []
        for unit in units:
            self.run(unit)
        self._filled[name] = units

    def frame(self, top: ops.Function) -> Frame:
        """A frame at the top level of the module."""
        return Frame(self.linked.program, top, None, State(), Summary(), namespace=self.namespace)

    def top(self) -> ops.Function:
        """A function that represents the top level as a whole: all statements that are lowered."""
        anchor = ops.Anchor(1, ops.Origin(self.path, self.namespace.path, 1, 1, self._read(), -1, self))
        lowered = [unit.module.top for unit in self.units if unit.module is not None]
        body = ops.FunctionBody(
            tuple(op for top in lowered for op in top.body), [inner for top in lowered for inner in top.functions]
        )
        return ops.Function("<module>", "<module>", "module", anchor, (), None, body, self.scope)

    def finish(self, unit: Unit) -> None:
        """Run the roots of a statement, with unknown arguments."""
        program, record = self.linked.program, unit.record
        while record.roots:
            frame = record.roots[0][1]
            in_own_record(program, lambda: run_roots(frame), record)  # noqa: B023  (it is called at once)

    def holding(self, words: Collection[str], pattern: str = "") -> list[Unit]:
        """The statements that contain one of the words, in order, and a pattern; comments do not count."""
        self.linked.program.seek(self.path, words, pattern)
        return self.holding_unnoted(words, pattern)

    def holding_unnoted(self, words: Collection[str], pattern: str = "") -> list[Unit]:
        """The same, where it is noted elsewhere what was looked for."""
        return [self.units[number] for number in self.held.numbers(words, pattern)]

    @cached_property
    def held(self) -> Holding:
        """The statements by the words in their code."""
        return Holding(self.index, lambda: self._code().lines)

    def classes_with_property(self, name: str) -> list[ClassValue]:
        """The classes at the top of the module that define a property of this name."""
        units = self.holding({name}, rf"@property\s+def {name}\b")
        bound = (value.payload for unit in units if unit.statement.kind == "class" for value in self.run(unit).values())
        return [owner for owner in bound if isinstance(owner, ClassValue)]

    def names_for_jitted(self, name: str) -> list[str]:
        """The names of the module that statements bind which jit something called by this name; none is a body."""
        found = self._for_jitted.get(name)
        if found is None:
            others = (unit for unit in self.holding_unnoted({name}) if unit.statement.kind == "other")
            jitting = (unit for unit in others if unit.statement.binds and "jit" in self.code_of(unit))
            found = self._for_jitted[name] = [each for unit in jitting for each in unit.statement.binds]
        return found

    def names_elsewhere(self, name: str) -> bool:
        """Does a statement name something, beside the one that binds it?"""
        return any(name not in unit.statement.binds for unit in self.holding({name}))

    @property
    def changing(self) -> frozenset[str]:
        """The globals that are bound more than once, and the variables and fields that are changed in place."""
        changing = self._changing
        self.linked.program.note(self.path, CHANGED)
        return changing

    @cached_property
    def _changing(self) -> frozenset[str]:
        rebound = {name for name, numbers in self._numbers.items() if len(numbers) > 1}
        several = [name for name, held in self.scope.names.items() if held.stores > 1 and name not in rebound]
        rebound.update(name for name in several if not self._is_bound_one_way(name))
        return self.index.changed.union(self.index.globals, rebound)

    @property
    def changed(self) -> frozenset[str]:
        """The variables and fields that are changed in place."""
        self.linked.program.note(self.path, CHANGED)
        return self.index.changed

    @property
    def updates(self) -> frozenset[str]:
        """The settings of JAX that its code updates, by `jax.config.update`, wherever."""
        return updated_settings(self)

    def _is_bound_one_way(self, name: str) -> bool:
        """Is a global bound by one statement, in arms of which one is run: by an import there, and another one here?"""
        numbers = self._numbers.get(name, ())
        lowered = self.lowered(self.units[numbers[0]]) if len(numbers) == 1 else None
        if lowered is None:
            return False
        chains = chains_of(lowered.top)
        ways = [chains.way_to(statement) for _, statement in chains.stored_to(name)]
        return all(starmap(excluded, combinations(ways, 2))) and not any(
            isinstance(op, (ops.Loop, ops.Closure, ops.MakeClass)) for way in ways for op in way
        )

    @cached_property
    def makes_references(self) -> bool:
        """May it make references to arrays, or hold kernels that get them?"""
        text = self._code().text
        return any(word in text for word in REFERENCES)

    @property
    def is_notebook(self) -> bool:
        """Was it made of the cells of a notebook, or is it shown as one?"""
        return self.is_divided or any(mark in self._code().text for mark in NOTEBOOK)

    @cached_property
    def is_divided(self) -> bool:
        """Do lines of it stand between cells?"""
        return any(text.startswith(CELLS) for text in self._read().lines)

    def ends_cell(self, line: int) -> bool:
        """Does a line end a cell, but for comments, or is its value for the clock of a magic alone?"""
        lines = self._read().lines
        if lines[line - 1].lstrip().startswith(TIMED):
            return True
        below = (text.strip() for text in lines[line:])
        following = next((text for text in below if text and (text[0] != "#" or text.startswith(CELLS))), None)
        return following.startswith(CELLS) if following is not None else self.is_divided

    @property
    def shown(self) -> str:
        """The path in messages."""
        return self.namespace.path

    @property
    def top_statements(self) -> Sequence[Unit]:
        """The statements at the top, in order."""
        return self.units

    @property
    def is_imported(self) -> bool:
        """Does a file of the project import it?"""
        project = self.linked.project
        return project is not None and bool(project.importers(self.path))

    def run_number(self, number: int) -> None:
        """Run a statement, by its number."""
        self.run(self.units[number])

    def text_of(self, number: int) -> str:
        """The code of a statement."""
        self.note_statement(number)
        return self.code_of(self.units[number])

    def body_of(self, number: int) -> ops.Body:
        """The ops of a statement; none if it cannot be parsed."""
        self.note_statement(number)
        lowered = self.lowered(self.units[number])
        return lowered.top.body if lowered is not None else ()

    @property
    def is_script(self) -> bool:
        """Is it run, and not imported, by all that it says of itself?"""
        self.note_code()
        if self._is_script is None:
            self._is_script = is_script(self)
        return self._is_script

    def words_after(self, unit: int) -> frozenset[str]:
        """The words below a statement."""
        return self.words(self.units[unit].statement.end_line + 1, self.lines)

    def words(self, first: int, last: int) -> frozenset[str]:
        """The words on some lines; comments do not count."""
        self.note_code()
        return self._words_on(first, last)

    def words_of(self, unit: Unit, first: int, last: int | None) -> frozenset[str]:
        """The words on some lines of a statement, or from one on to its end, for who notes which words it looks for and
        depends on the definition.
        """
        return self._words_on(first, unit.statement.end_line if last is None else last)

    def _words_on(self, first: int, last: int) -> frozenset[str]:
        found = self._words_of.get((first, last))
        if found is None:
            text = "\n".join(self._code().lines[first - 1 : last])
            found = self._words_of[(first, last)] = words_in(text)
        return found

    def without_comments(self, number: int) -> SourceFile:
        """The file without its comments, for who looks at the lines of one statement."""
        self.note_statement(number)
        return self._code()

    def seek(self, words: Collection[str], pattern: str) -> bool:
        """Does a statement that holds one of some words have a pattern?"""
        return bool(self.holding(words, pattern))

    def text(self, unit: Unit) -> str:
        """The text of a statement."""
        return unit.statement.text(self._read().lines)

    def code_of(self, unit: Unit) -> str:
        """The text of a statement without its comments."""
        return unit.statement.text(self._code().lines)

    @property
    def plain(self) -> SourceFile:
        """The file without its comments, on the same lines."""
        self.note_code()
        return self._code()

    @property
    def source_text(self) -> str:
        """The text of the file without its comments."""
        return self.plain.text

    def lowered(self, unit: Unit) -> ops.Module | None:
        """The ops of a statement; None if it cannot be parsed, or is nested too deeply."""
        if unit.module is None:
            with suppress(NotPython, TooDeep, RecursionError):
                self._lower(unit)
        return unit.module

    def _lower(self, unit: Unit) -> None:
        """Lower a statement from its own text."""
        first = unit.statement.line
        part = SourceFile(self.path, self.text(unit) + "\n")
        depth_of_tree(part.tree, part.text, part.lines, is_for_libcst=False)
        self._lower_nodes(unit, part.tree.body, part, first - 1)

    def lower_all(self, source: SourceFile) -> None:
        """Lower all statements that are not lowered yet; imports need no ops."""
        self._source = self._source or source
        self.linked.unfold(self)
        missing = [unit for unit in self.units if unit.module is None and unit.statement.kind != "import"]
        if not missing:
            return
        depth_of_tree(source.tree, source.text, source.lines, is_for_libcst=False)
        nodes: list[list[ast.stmt]] = [[] for _ in missing]
        number = 0
        for node in source.tree.body:
            while number < len(missing) and missing[number].statement.end_line < node.lineno:
                number += 1
            if number < len(missing) and missing[number].statement.line <= node.lineno:
                nodes[number].append(node)
        for unit, body in zip(missing, nodes, strict=True):
            with Isolated(DROPPED_STATEMENT, *self.place_of(unit), take=lambda fault: None):  # its run meets it, too
                self._lower_nodes(unit, body, source)

    def _lower_nodes(self, unit: Unit, nodes: Sequence[ast.stmt], source: SourceFile, offset: int = 0) -> None:
        from flake8_jax.ir.lower.files import lower_statements

        first, last = unit.statement.line, unit.statement.end_line
        self.linked.program.costs.bytes += len(self.text(unit).encode(errors="replace"))
        origin = ops.Origin(self.path, self.namespace.path, first, last, self._read(), unit.number, self)
        before = self._stores(unit)
        try:
            unit.module = lower_statements(nodes, source.lines, self.scope, origin, offset, self._imported())
        finally:
            unit.stores = self._stores(unit) - before

    def _stores(self, unit: Unit) -> Counter[str]:
        """How often each name is bound in the module that a statement may bind."""
        names = (*unit.statement.binds, *self.index.globals)
        return Counter({name: self.scope.names[name].stores for name in names})

    def renew(self, index: Index, changed: Collection[int]) -> None:
        """Take in a text of which only some functions and classes changed: what is known of other statements stays."""
        for number in changed:
            unit = self.units[number]
            self._forget(unit)
            for name, stores in (unit.stores or {}).items():
                self.scope.names[name].stores -= stores
            self.units[number] = Unit(number, index.statements[number])
        self.index, self.size = index, sum([statement.size for statement in index.statements])
        self._source = self._plain = self._is_script = self.code = None
        forget(self, "held", "makes_references", "is_divided", "_changing")
        self._bodies, self._told, self._words_of, self._for_jitted, self._filled = {}, {}, {}, {}, {}
        for unit in self.units:
            unit.statement = index.statements[unit.number]
            if unit.module is not None:
                unit.module.top.anchor.origin.file = self._read()

    def _imported(self) -> frozenset[str]:
        """The names of which uses are noted: those that statements at the top import from libraries."""
        if not self.libraries:
            found = set(BY_TEXT)
            for unit in self.units:
                found |= noted_names(unit.statement.imports)
                if unit.statement.kind == "other" and unit.statement.binds and "import" in self.code_of(unit):
                    found.update(unit.statement.binds)
            self.libraries = frozenset(found)
        return self.libraries

    def fold(self) -> None:
        """Let go what was made of the text of the file; it is made again when it is asked for."""
        if self._source is not None:
            self._source.fold()
        self._plain, self._words_of = None, {}
        for unit in self.units:
            if unit.module is not None:
                forget_chains(unit.module.top)

    def _code(self) -> SourceFile:
        """The file without its comments."""
        self.linked.unfold(self)
        if self._plain is None:
            source = self._read()
            code = code_of(source.text)
            self._plain = SourceFile(self.path, code.text) if code.is_apart else source
        return self._plain

    def _read(self) -> SourceFile:
        self.linked.unfold(self)
        if self._source is None:
            text = self.linked.project.text(self.path) if self.linked.project is not None else None
            self._source = SourceFile(self.path, text or "")
        return self._source
