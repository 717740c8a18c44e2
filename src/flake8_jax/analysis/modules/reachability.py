"""Reachability: the files whose functions, with their preconditions and effects, may run when a value is called.

It is computed once for each function, class and statement, and holds for all searches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import zip_longest
from typing import TYPE_CHECKING

from flake8_jax.analysis.callables import ClassValue, FunctionValue, class_behind, underlying
from flake8_jax.analysis.checks.effects.frozen_reads import FrozenRead
from flake8_jax.analysis.checks.keys.sinks import KeyHandedBack
from flake8_jax.analysis.evaluator import summary_of
from flake8_jax.analysis.imports import ImportTarget
from flake8_jax.analysis.objects.annotations import HOST_TYPES
from flake8_jax.analysis.objects.classes import ancestry
from flake8_jax.analysis.record import Record
from flake8_jax.domain.kinds import API, CONTAINERS, FUNCTIONS, INSTANCE, OBJECT
from flake8_jax.domain.payload import ModuleAt
from flake8_jax.domain.staging import Input
from flake8_jax.domain.summary import Summary
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import Chains, chains_told, searched_and_told
from flake8_jax.lazy_dataclasses import dataclass, field

if TYPE_CHECKING:
    from flake8_jax.analysis.dependencies import Dependent
    from flake8_jax.analysis.imports import ImportTarget
    from flake8_jax.analysis.modules.files import File, Unit
    from flake8_jax.analysis.program import Program
    from flake8_jax.syntax.project import Project

MAXIMUM_DEPTH = 3
NOWHERE: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Reachable:
    """What one value can reach: files with preconditions or effects, and modules."""

    homes: frozenset[str]
    modules: frozenset[str]


@dataclass(slots=True, eq=False)
class Reachability:
    """The reachability of the functions, classes and statements of a program; results are final.

    `functions` and `classes` are keyed by depth, too, and have the records that they depend on; `names` has the
    reachability of the names that a statement binds, with its record, `modules` the names that a file's imports bind
    to modules, `parts` the functions made in a statement, each with the words on its lines.  `sets` has each set of
    files once: many functions reach the same.
    """

    program: Program
    functions: dict[tuple[FunctionValue, int], tuple[frozenset[str], Record]] = field(default_factory=dict)
    classes: dict[tuple[ClassValue, int], tuple[frozenset[str], Record]] = field(default_factory=dict)
    names: dict[Unit, tuple[dict[str, Reachable], Record]] = field(default_factory=dict)
    modules: dict[File, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    parts: dict[Unit, tuple[tuple[FunctionValue, frozenset[str]], ...]] = field(default_factory=dict)
    sets: dict[frozenset[str], frozenset[str]] = field(default_factory=dict)

    def forget_if(
        self, is_gone: Callable[[FunctionValue | ClassValue], bool], is_stale: Callable[[Dependent], bool]
    ) -> None:
        """Forget what is of functions or classes that are gone, or depends on a stale record, and what can be put
        together again.
        """
        self.functions = {
            key: each for key, each in self.functions.items() if not is_gone(key[0]) and not is_stale(each[1])
        }
        self.classes = {
            key: each for key, each in self.classes.items() if not is_gone(key[0]) and not is_stale(each[1])
        }
        self.names, self.modules, self.parts, self.sets = {}, {}, {}, {}

    def of_names(self, file: File, unit: Unit) -> dict[str, Reachable]:
        """The reachability of the names that a statement binds, without empty ones."""
        if unit not in self.names:
            with self.program.tracking(Record()):
                each = {name: Reachable(*_gathered(self, value)) for name, value in file.run(unit).items()}
                found = {name: one for name, one in each.items() if one.homes or one.modules}
                self.names[unit] = found, self.program.record
        found, record = self.names[unit]
        self.program.record.uses.add(record)
        return found

    def of_modules(self, file: File, project: Project) -> tuple[tuple[str, str], ...]:
        """The names that a file's imports bind to modules, and these modules."""
        found = self.modules.get(file)
        if found is None:
            found = self.modules[file] = tuple(_modules(file, project))
        return found

    def seen_from(self, function: FunctionValue) -> frozenset[str]:
        """The homes reachable by calling a function, if that was asked before."""
        known = self.functions.get((function, 0))
        return known[0] if known is not None else NOWHERE

    def of_parts(self, file: File, unit: Unit) -> tuple[tuple[FunctionValue, frozenset[str]], ...]:
        """The functions made in a statement, in order, with their words if there are several."""
        file.note_definition(unit.number)
        found = self.parts.get(unit)
        if found is None or len(found) != len(unit.record.functions):
            functions = sorted(unit.record.functions, key=_line)
            lasts = [_line(following) - 1 for following in functions[1:]]
            found = self.parts[unit] = (
                tuple(
                    (function, file.words_of(unit, _line(function), last))
                    for function, last in zip_longest(functions, lasts)
                )
                if lasts
                else tuple((function, frozenset()) for function in functions)
            )
        return found


def _gathered(reachability: Reachability, value: Value, depth: int = 0) -> tuple[frozenset[str], frozenset[str]]:
    """The homes and the modules reachable from a value."""
    if isinstance(value.payload, ImportTarget):
        value = value.payload.value()
    payload = value.payload
    if isinstance(payload, ModuleAt):
        return NOWHERE, frozenset((payload.path,))
    if value.kind in FUNCTIONS:
        function = underlying(value)
        return NOWHERE if function is None else _homes_of_function(reachability, function, depth), NOWHERE
    owner = class_behind(payload)
    homes = _homes_of_class(reachability, owner, depth) if owner is not None else NOWHERE
    found = [_gathered(reachability, part, depth + 1) for part in _parts(reachability, value, depth)]
    return homes.union(*[homes for homes, _ in found]), NOWHERE.union(*[modules for _, modules in found])


def _parts(reachability: Reachability, value: Value, depth: int) -> Iterable[Value]:
    """What a container holds, a record its functions, an optimizer the updates of its parts."""
    if depth >= MAXIMUM_DEPTH:
        return ()
    if value.kind is OBJECT:
        return reachability.program.composed.get(value.made_by, ()) if value.made_by is not None else ()
    if value.kind is INSTANCE:
        return [part for part in value.parts if part.kind in FUNCTIONS]
    return value.parts if value.kind in CONTAINERS else ()


def _homes_of_class(reachability: Reachability, owner: ClassValue, depth: int) -> frozenset[str]:
    """The homes reachable by the methods of a class, own and inherited, and its own, if its objects are counted."""
    if (owner, depth) not in reachability.classes:
        with reachability.program.tracking(Record()):
            found = _of_methods(reachability, owner, depth)
            homes = reachability.sets.setdefault(found, found)
            reachability.classes[(owner, depth)] = homes, reachability.program.record
    homes, record = reachability.classes[(owner, depth)]
    reachability.program.record.uses.add(record)
    return homes


def _of_methods(reachability: Reachability, owner: ClassValue, depth: int) -> frozenset[str]:
    bound = [value for current in ancestry(owner) for value in current.attributes.values()]
    methods = dict.fromkeys(function for value in bound if (function := underlying(value)) is not None)
    own = frozenset((owner.function.anchor.origin.path,)) if owner.is_counted else NOWHERE
    return own.union(*[_homes_of_function(reachability, method, depth) for method in methods])


def _homes_of_function(reachability: Reachability, function: FunctionValue, depth: int) -> frozenset[str]:
    """The homes reachable by calling a function or its result; the depth bounds cycles."""
    if (function, depth) not in reachability.functions:
        with reachability.program.tracking(Record()):
            found = _homes_of_signature(reachability, function, depth)
            homes = reachability.sets.setdefault(found, found)
            reachability.functions[(function, depth)] = homes, reachability.program.record
    homes, record = reachability.functions[(function, depth)]
    reachability.program.record.uses.add(record)
    return homes


def _homes_of_signature(reachability: Reachability, function: FunctionValue, depth: int) -> frozenset[str]:
    summary = summary_of(reachability.program, function)
    own, returned = _own_homes(function, summary), summary.returns
    if returned is None or depth >= MAXIMUM_DEPTH:
        return own
    held = [value for value in summary.outside.captured.values() if value.kind in FUNCTIONS]
    found = own.union(*[_gathered(reachability, value, depth + 1)[0] for value in held])
    made = underlying(returned) if returned.kind in FUNCTIONS else None
    if made is not None:
        return found | _homes_of_function(reachability, made, depth + 1)
    owner = class_behind(returned.payload)
    homes = found if owner is None else found | _homes_of_class(reachability, owner, MAXIMUM_DEPTH)
    return homes.union(*[_gathered(reachability, part, depth + 1)[0] for part in _parts(reachability, returned, depth)])


def _asks_what_is_declared(function: FunctionValue) -> bool:
    """Is an argument of which an annotation says that it is of the host tested, or counted by: `if train:`?"""
    named = {name for name, one in function.annotations.items() if one.kind is API and one.name in HOST_TYPES}
    return bool(named) and not named.isdisjoint(_arguments_asked(function.function))


@searched_and_told
def _arguments_asked(function: ops.Function) -> tuple[str, ...]:
    """The arguments of a function that must be values of the host."""
    chains, names = chains_told(function), [one.name for one in function.parameters if one.annotation is not None]
    return tuple(name for name in names if any(_is_asked(chains, read) for read in chains.names.get(name, ())))


def _is_asked(chains: Chains, read: ops.Op) -> bool:
    """Must a value be one of the host, in a test or as the argument of `range`?"""
    inner, around = read, chains.parents.get(read)
    while type(around) in (ops.Logic, ops.Operate) and around is not None:
        inner, around = around, chains.parents.get(around)
    if type(around) is ops.Branch or type(around) is ops.Choose:
        return around.test is inner
    return type(around) is ops.Call and type(around.func) is ops.Name and around.func.name == "range"


def _own_homes(function: FunctionValue, summary: Summary) -> frozenset[str]:
    """The files of the ops of the preconditions and effects of a summary.

    What calls its inputs, or methods of objects in them, as `self.env.step(key)`, is run again for a call that tells
    what they are: its own file counts.  So is what gets a tracer where `train: bool` is due.
    """
    if summary.run.homes is None:
        found = [effect.evidence for effect in summary.requires.effects]
        found = [one for one in found if not isinstance(one, FrozenRead) or one.target is None]
        told = [one.op for one in found if one.room != "write"]
        kept = [one.kept.op for one, _ in summary.requires.effects.of(KeyHandedBack) if one.into is None]
        lookups = summary.uses.lookups.items()
        is_open = summary.uses.called or any(_is_open(function, source, known) for (source, _), known in lookups)
        is_open = is_open or _asks_what_is_declared(function)
        asked = (function.function,) if is_open else ()
        summary.run.homes = frozenset(op.anchor.origin.path for op in (*told, *kept, *asked))
    return summary.run.homes


def _is_open(function: FunctionValue, source: Input, known: Value | None) -> bool:
    """May a call bring another method than is known: of an argument, or of `self` where a stub stands for others?"""
    made = underlying(known) if known is not None else None
    own = function.function.parameters[0].name if function.owner is not None and function.function.parameters else ""
    return source.parent is not None or source.name != own or (made is not None and made.function.is_empty)


def _modules(file: File, project: Project) -> Iterator[tuple[str, str]]:
    for unit in file.units:
        for name, value in file.run(unit).items() if unit.statement.kind == "import" else ():
            module = _module_of(project, value.payload) if isinstance(value.payload, ImportTarget) else None
            if module is not None and module != "ambiguous":
                yield name, module


def _module_of(project: Project, imported: ImportTarget) -> str | None:
    """The module that an import refers to, if it refers to one."""
    if len(imported.rest) != 1:
        return None if imported.rest else imported.path
    return project.submodule(imported.path, imported.rest[0])


def _line(function: FunctionValue) -> int:
    return function.function.anchor.line
