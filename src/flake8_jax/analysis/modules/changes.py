"""An index of what the statements of a file change, and of its functions, made once.

SCALE = 2.0                 a change of the variable SCALE
self.cfg.lr = 0.1           of `lr`, by the path .cfg.lr from `self`
buffer[:] = x               of what `buffer` holds, at an index that is not known
config.update(relu=True)    of what `config` holds
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.api.startup import UPDATES
from flake8_jax.domain.constants import OPEN
from flake8_jax.domain.payload import Step
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.ops import Body, Function, Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.walking import inside, targets_in, within
from flake8_jax.lazy_dataclasses import dataclass, field
from flake8_jax.syntax.changing import MUTATORS, RECEIVERS
from flake8_jax.syntax.source import FRAMEWORKS

if TYPE_CHECKING:
    from flake8_jax.analysis.modules.files import File

AccessSteps: TypeAlias = "tuple[Step, ...]"
ANY_INDEX: Step = ("[]", OPEN)
COPYING = frozenset(("copyto", "setattr"))
REPLACING = frozenset(("replace", "_replace"))
PASSING = frozenset((ops.Attr, ops.Item))
ACTING = frozenset((ops.Call, ops.Leave, ops.Closure))
LIBRARIES = frozenset((*FRAMEWORKS, "object", "abc"))
"""Where classes come from that no project has written."""


ReachingTests: TypeAlias = tuple[tuple[Op, bool], ...]
"""Tests, and whether each must hold."""


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """A statement or call `op` of `function` that changes what is found from `root` by `steps`.

    `is_bound`: something else is bound there, else what is there is changed in place.  `guards` are the tests that
    decide whether it is reached, each with its answer; `is_repeated`: it stands in a loop.  A copy of the record that
    was there differs in the `fields` alone.
    """

    op: Op
    function: Function
    root: ops.Name
    steps: AccessSteps
    is_bound: bool
    guards: ReachingTests
    is_repeated: bool
    fields: frozenset[str] | None = None

    @property
    def line(self) -> int:
        """Its line."""
        return self.op.anchor.line

    @property
    def is_method(self) -> bool:
        """Is it a call of a method, which changes things of some kinds only?"""
        return type(self.op) is ops.Call and type(self.op.func) is ops.Attr and self.op.func.name in MUTATORS

    def holder(self, field: str) -> str:
        """The text of the object a field of which is changed; "" for another field."""
        for place, step in enumerate(self.steps):
            if step == (".", field):
                return path_text(self.root.name, self.steps[:place])
        return ""


Stepped = TypeVar("Stepped")
Met = TypeVar("Met")


class ByFirstStep(Generic[Stepped]):
    """What is reached from one object by steps, in order, and by the first step.

    An index that is no constant meets each index, and what has no steps meets all.
    """

    __slots__ = ("_all", "_indexed", "_places")

    def __init__(self, reached: Sequence[tuple[Stepped, AccessSteps]]) -> None:
        self._all = reached
        self._places: dict[Step | None, list[int]] = {}
        self._indexed: list[int] = []
        for place, (_, steps) in enumerate(reached):
            first = steps[0] if steps else None
            self._places.setdefault(first, []).append(place)
            if first is not None and first[0] == "[]":
                self._indexed.append(place)

    def that_may_meet(self, steps: AccessSteps) -> Sequence[tuple[Stepped, AccessSteps]]:
        """What may be a part of what some steps lead to, or hold that."""
        return self._at(steps[:1] or (None,))

    def that_may_meet_any(self, other: ByFirstStep[Met]) -> Sequence[tuple[Stepped, AccessSteps]]:
        """What may be a part of something of another list, or hold that."""
        return self._at(other._places)

    def _at(self, firsts: Collection[Step | None]) -> Sequence[tuple[Stepped, AccessSteps]]:
        if None in firsts:
            return self._all
        found = {place for first in (None, *firsts) for place in self._places.get(first, ())}
        if ANY_INDEX in firsts:
            found.update(self._indexed)
        elif any(first is not None and first[0] == "[]" for first in firsts):
            found.update(self._places.get(ANY_INDEX, ()))
        return [self._all[place] for place in sorted(found)]


@dataclass(frozen=True, slots=True, eq=False)
class CodeIndex:
    """The functions of a file and what they change: by the variable, and by each field.

    `tops` are its statements at the top level, in order; `classes` the class of each method; `alone` are the classes
    that nothing in the file inherits from, and that inherit from libraries alone; `acting` is what was found by `acts`,
    `stepped` the changes of each variable by the first step from it, `held` those of each field by the class alone.
    Changes stand in the order of their lines.
    """

    tops: tuple[Function, ...]
    functions: tuple[Function, ...]
    classes: dict[Function, Function]
    alone: dict[str, Function] = field(default_factory=dict)
    variables: dict[str, list[Change]] = field(default_factory=dict)
    fields: dict[str, list[Change]] = field(default_factory=dict)
    acting: dict[Function, tuple[Op, ...]] = field(default_factory=dict)
    stepped: dict[str, ByFirstStep[Change]] = field(default_factory=dict)
    held: dict[str, dict[Function | None, list[int]]] = field(default_factory=dict)

    def changes_of_field(self, name: str, owners: Iterable[Function]) -> list[Change]:
        """The changes of a field of the objects of some classes, in order.

        A method of a class that has nothing to do with these changes other objects when it stores into its own.
        """
        changes = self.fields.get(name, [])
        if name not in self.held:
            self.held[name] = {}
            for number, change in enumerate(changes):
                self.held[name].setdefault(self._class_alone(change, name), []).append(number)
        places = self.held[name]
        found = {number for owner in (None, *owners) for number in places.get(owner, ())}
        return [changes[number] for number in sorted(found)]

    def _class_alone(self, change: Change, field: str) -> Function | None:
        """The class that stands alone to whose field a change stores: of the object itself, or of one made there."""
        function, root = change.function, change.root.name
        if change.steps[0] != (".", field) or function.kind != "def":
            return None
        stores = chains_of(function).stored_to(root)
        if root in RECEIVERS and not stores:
            owner = self.classes.get(function)
            return owner if owner is not None and self.alone.get(owner.name) is owner else None
        if root not in function.scope.names or any(parameter.name == root for parameter in function.parameters):
            return None
        made = {self._made_by(statement) for _, statement in stores}
        return made.pop() if len(made) == 1 else None

    def _made_by(self, statement: Op) -> Function | None:
        """The class that stands alone of which a statement makes an object."""
        value = statement.value if type(statement) is ops.Store and len(statement.targets) == 1 else None
        func = value.func if type(value) is ops.Call else None
        if type(func) is not ops.Name:
            return None
        home = func.scope.lookup(func.name).owner
        return self.alone.get(func.name) if home is not None and home.kind == "module" else None

    def changes_of(self, name: str) -> ByFirstStep[Change]:
        """The changes of a variable."""
        if name not in self.stepped:
            self.stepped[name] = ByFirstStep([(change, change.steps) for change in self.variables.get(name, ())])
        return self.stepped[name]

    def acts(self, function: Function) -> tuple[Op, ...]:
        """The calls and closures of a function, and where it may be left, in order."""
        found = self.acting.get(function)
        if found is None:
            found = self.acting[function] = tuple(op for op in inside(function) if type(op) in ACTING)
        return found

    @property
    def everything(self) -> tuple[Function, ...]:
        """All functions, and the statements at the top level."""
        return self.tops + self.functions


@dataclass(slots=True, eq=False)
class Rebinding:
    """Statements that bind something to one text, with the ops around them, and the functions in which they stand."""

    around: set[Op] = field(default_factory=set)
    functions: set[Function] = field(default_factory=set)


NO_REBINDING = Rebinding()


@dataclass(slots=True, eq=False)
class CodeOfFiles:
    """The functions of some files, and what they call.

    `order` numbers all functions and the statements at the top level; `named` has the functions by their names,
    `classes` the class of each method; `calls` are all calls by the last name that is called, `spelled` by the text
    behind the last dot; `holding` are the functions in which each call and closure stands,
    `closures` make functions by name.  `leaving` are the ops in which a body may be left, and those around them.
    `binding` are the statements that bind something to a text, with those around them, once that is asked.
    """

    order: dict[Function, int] = field(default_factory=dict)
    named: dict[str, list[Function]] = field(default_factory=dict)
    classes: dict[Function, Function] = field(default_factory=dict)
    calls: dict[str, list[ops.Call]] = field(default_factory=dict)
    spelled: dict[str, list[ops.Call]] = field(default_factory=dict)
    holding: dict[Op, list[Function]] = field(default_factory=dict)
    closures: dict[str, list[ops.Closure]] = field(default_factory=dict)
    leaving: set[Op] = field(default_factory=set)
    binding: dict[str, Rebinding] | None = None

    def around(self, op: Op) -> Iterator[Op]:
        """A call or closure, and the ops around it."""
        for function in self.holding.get(op, ()):
            yield from chains_of(function).way_to(op)

    def rebinding_of(self, text: str) -> Rebinding:
        """The statements that bind something to a name or path of a text, and the ops around them."""
        if self.binding is None:
            self.binding = {}
            for function in self.order:
                for op, _, _ in _statements(function.body, (), False):
                    for target in op.targets if type(op) is ops.Store else ():
                        found = self.binding.setdefault(holder_text(target), Rebinding())
                        found.functions.add(function)
                        found.around.update(chains_of(function).way_to(op))
        return self.binding.get(text, NO_REBINDING)

    def calling(self, name: str) -> list[Function]:
        """The functions that call something of a name."""
        return list(dict.fromkeys(one for call in self.calls.get(name, ()) for one in self.holding[call]))

    def in_order(self, functions: Iterable[Function]) -> list[Function]:
        """Functions in the order of the files, those at the top level of each first."""
        return sorted((function for function in functions if function in self.order), key=self.order.__getitem__)


def code_of_files(files: Iterable[File]) -> CodeOfFiles:
    """What is known of all functions of some files."""
    code = CodeOfFiles()
    for file in files:
        index = code_index(file)
        code.classes.update(index.classes)
        for function in index.functions:
            if function.kind != "class":
                code.named.setdefault(function.name, []).append(function)
        for function in index.everything:
            code.order.setdefault(function, len(code.order))
            for op in index.acts(function):
                if type(op) is ops.Call:
                    code.holding.setdefault(op, []).append(function)
                    code.calls.setdefault(last_name(op), []).append(op)
                    code.spelled.setdefault(phrase(op.func).rpartition(".")[2], []).append(op)
                elif type(op) is ops.Leave:
                    code.leaving.update(chains_of(function).way_to(op))
                elif type(op) is ops.Closure:
                    code.holding.setdefault(op, []).append(function)
                    code.closures.setdefault(op.function.name, []).append(op)
    return code


def code_index(file: File) -> CodeIndex:
    """The index of a file, made once; for a file that is not judged itself, of all statements that it has."""
    file.note_code()
    return index_of_code(file)


def index_of_code(file: File) -> CodeIndex:
    """The same, for who notes what of it is asked (`File.note_holding`)."""
    if file.code is None:
        modules = [module for unit in file.units if unit.statement.kind != "import" and (module := file.lowered(unit))]
        tops = tuple(module.top for module in modules)
        functions = tuple(function for module in modules for function in module.functions)
        classes = {inner: one for one in functions if one.kind == "class" for inner in one.inner.functions}
        found = CodeIndex(tops, functions, classes, _alone(tops))
        for function in (*tops, *functions):
            for change in _changes(function):
                found.variables.setdefault(change.root.name, []).append(change)
                for step in change.steps:
                    if step[0] == ".":
                        found.fields.setdefault(str(step[1]), []).append(change)
        for changes in (*found.variables.values(), *found.fields.values()):
            changes.sort(key=attrgetter("op.anchor.line"))
        file.code = found
    return file.code


def updated_settings(file: File) -> frozenset[str]:
    """The settings of JAX that the code of a file updates, by `jax.config.update`, wherever."""
    index = code_index(file)
    return frozenset(
        str(op.args[0].value) for function in index.everything for op in index.acts(function)
        if type(op) is ops.Call and op.args and type(op.args[0]) is ops.Const and imported_name(op.func) in UPDATES
    )  # fmt: skip


def _alone(tops: Iterable[Function]) -> dict[str, Function]:
    """The classes at the top level of a file that inherit from libraries alone, and that no other one inherits from."""
    made = [found for top in tops for op in top.inner.ops if (found := _class_made(op)) is not None]
    named = {base.name for op in made for base in op.bases if type(base) is ops.Name}
    counts = Counter(op.body.name for op in made)
    return {
        op.body.name: op.body for op in made
        if op.body.name not in named and counts[op.body.name] == 1
        and all(imported_name(base).partition(".")[0] in LIBRARIES for base in op.bases)
    }  # fmt: skip


def _class_made(op: Op) -> ops.MakeClass | None:
    """The class that a statement makes, below its decorators."""
    value = op.value if type(op) is ops.Store and op.kind == "class" else None
    while type(value) is ops.Call and value.args:
        value = value.args[0]
    return value if type(value) is ops.MakeClass else None


def path_text(name: str, steps: AccessSteps) -> str:
    """The text of a path, with indices as `[...]`."""
    return name + "".join(f".{step[1]}" if step[0] == "." else "[...]" for step in steps)


def path_of(op: Op) -> tuple[ops.Name, AccessSteps] | None:
    """The name from which a chain of attributes and items starts, and its steps; None for other expressions."""
    steps: list[Step] = []
    while type(op) in PASSING:
        if type(op) is ops.Attr:
            steps.append((".", op.name))
            op = op.base
        elif type(op) is ops.Item:
            index = op.index.value if type(op.index) is ops.Const else OPEN
            steps.append(("[]", index if isinstance(index, (int, str)) else OPEN))
            op = op.base
    return (op, tuple(reversed(steps))) if type(op) is ops.Name else None


def last_name(op: ops.Call) -> str:
    """The last name of what is called."""
    func = op.func
    return func.name if type(func) in (ops.Attr, ops.Name) else ""  # type: ignore[attr-defined]


def holder_text(op: Op) -> str:
    """The text of an object as `path_text` spells it."""
    found = path_of(op)
    return path_text(found[0].name, found[1]) if found is not None else phrase(op)


def _changes(function: Function) -> Iterator[Change]:
    for op, guards, is_repeated in _statements(function.inner.ops, (), False):  # who asks for a change notes where
        for target in _targets(op):
            if function.kind == "class" and type(target) is ops.Name:
                continue
            found = path_of(target)
            if found is not None:
                fields = _replaced(op, target)
                yield Change(op, function, *found, type(target) is not ops.Item, guards, is_repeated, fields)
        value = op.value if type(op) in (ops.Store, ops.Leave) else op  # type: ignore[attr-defined]
        if type(value) is ops.Call:
            for path, is_bound in _by_call(value):
                yield Change(value, function, *path, is_bound, guards, is_repeated)


def _replaced(op: Op, target: Op) -> frozenset[str] | None:
    """The fields in which a copy of a record differs that takes its place: `state = state.replace(step=1)`."""
    call = op.value if type(op) is ops.Store and op.targets == (target,) else None
    if type(call) is not ops.Call:
        return None
    is_method = type(call.func) is ops.Attr and call.func.name in REPLACING and not call.args
    is_function = last_name(call) == "replace" and len(call.args) == 1
    record = call.func.base if is_method and type(call.func) is ops.Attr else call.args[0] if is_function else None
    names = [name for name, _ in call.keywords if name is not None]
    if record is None or len(names) < len(call.keywords) or path_of(record) is None:
        return None
    return frozenset(names) if holder_text(record) == holder_text(target) else None


def _by_call(op: ops.Call) -> Iterator[tuple[tuple[ops.Name, AccessSteps], bool]]:
    func, name = op.func, last_name(op)
    if type(func) is ops.Attr and name in MUTATORS:
        found = path_of(func.base)
        if found is not None:
            yield found, False
    elif name in COPYING and op.args and (found := path_of(op.args[0])) is not None:
        root, steps = found
        if name == "copyto":
            yield found, False
        elif len(op.args) > 1 and type(op.args[1]) is ops.Const:
            yield (root, (*steps, (".", str(op.args[1].value)))), True


def _statements(body: Body, guards: ReachingTests, is_repeated: bool) -> Iterator[tuple[Op, ReachingTests, bool]]:
    for op in body:
        yield op, guards, is_repeated
        match op:
            case ops.Branch(test=test, body=inner, orelse=orelse):
                yield from _statements(inner, (*guards, (test, True)), is_repeated)
                yield from _statements(orelse, (*guards, (test, False)), is_repeated)
                if inner and type(inner[-1]) is ops.Leave:
                    guards = (*guards, (test, False))
            case ops.Loop(body=inner, orelse=orelse):
                yield from _statements(inner + orelse, guards, True)
            case ops.Try(body=inner, handlers=handlers, orelse=orelse, final=final):
                yield from _statements(inner + orelse + final, guards, is_repeated)
                for handler in handlers:
                    yield from _statements(handler.body, guards, is_repeated)
            case ops.With(body=inner):
                yield from _statements(inner, guards, is_repeated)


def _targets(op: Op) -> Iterator[Op]:
    match op:
        case ops.Store(kind=kind, value=value, targets=targets):
            if kind not in ("def", "class", "import") and value is not None:
                for target in targets:
                    yield from targets_in(target)
        case ops.Delete(targets=targets):
            yield from (target for target in targets if type(target) is ops.Item)
        case ops.Loop(target=target) | ops.With(target=target) if target is not None:
            yield from targets_in(target)


def is_set_once(change: Change) -> bool:
    """Is something made where there was none: `if self.x is None: self.x = ...`, or behind a return of it?"""
    text = path_text(change.root.name, change.steps)
    names = {str(step[1]) for step in change.steps}
    for test, holds in change.guards:
        if not holds and holder_text(test) == text:
            return True
        for op in within(test):
            absent = ("is", "not in") if holds else ("is not", "in")
            if type(op) is ops.Compare and op.operators[0] in absent and holder_text(op.operands[0]) == text:
                return True
            if holds and type(op) is ops.Operate and op.operator == "not" and holder_text(op.operands[0]) == text:
                return True
            if type(op) is ops.Call and type(op.func) is ops.Name and op.func.name == "hasattr":
                return any(type(argument) is ops.Const and argument.value in names for argument in op.args)
    return False
