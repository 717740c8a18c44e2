"""Linking: the files of a project, and the values of imports between them.

from .ops import scale      nothing happens until `scale` is read; then ops.py is indexed and `scale = jit(_scale)` is
                            run, which reads `_scale`: that `def` is lowered, and its body run when it is called
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar

from flake8_jax.analysis.callables import ClassValue, FunctionValue, callables_given, functions_of
from flake8_jax.analysis.dependencies import Dependent, Questions, Sought
from flake8_jax.analysis.imports import ImportTarget
from flake8_jax.analysis.interpreter import INTERPRETER
from flake8_jax.analysis.labels.asking import Answer
from flake8_jax.analysis.modules import starting
from flake8_jax.analysis.modules.files import File
from flake8_jax.analysis.program import Namespace, Program
from flake8_jax.analysis.record import Record, record_of
from flake8_jax.api.versions.target import TargetReleases
from flake8_jax.domain.kinds import CHANGED_FROM_OUTSIDE, IMPORTED, MODULE
from flake8_jax.domain.payload import ModuleAt
from flake8_jax.domain.summary import RegistryEntry, Summary
from flake8_jax.domain.value import Value, unknown
from flake8_jax.ir import ops
from flake8_jax.model.report import PlainArguments, ToldFound
from flake8_jax.syntax.holding import holding_of
from flake8_jax.syntax.index import Index, index_of
from flake8_jax.syntax.project import Place, Project
from flake8_jax.syntax.questions import HEAD, TEXT, answer_alike, changed_bodies, is_asked_of, told_in
from flake8_jax.syntax.source import SourceFile, TooDeep, parsed
from flake8_jax.syntax.widths import truncates

if TYPE_CHECKING:
    import ast

    from flake8_jax.analysis.modules.reachability import Reachability
    from flake8_jax.api.table import Table
    from flake8_jax.domain.provenance import Use
    from flake8_jax.domain.startup import StartPhase, StartSteps
    from flake8_jax.ir.ops import Imported
    from flake8_jax.ir.scope import Binding, Scope
    from flake8_jax.model.report import SearchMemory, WordsFound

GrownKey = TypeVar("GrownKey")
GrownItem = TypeVar("GrownItem")
OpKey = TypeVar("OpKey", bound=ops.Op)


MOST_HANDED_ON = 4
"""Through how many imports of imports a variable is followed."""

MOST_UNFOLDED = 10_000
"""Of so many lines of text the lines, words and trees are kept from one judged file to the next."""


def _shrinking(grown: dict[GrownKey, GrownItem]) -> Callable[[], None]:
    """What drops all that is put into a dict from now on."""
    size = len(grown)

    def shrink() -> None:
        while len(grown) > size:
            grown.popitem()

    return shrink


def _leave_out(by_op: dict[OpKey, GrownItem], is_old: Callable[[ops.Op | ops.Function], bool]) -> None:
    """Drop what is known of ops that are gone."""
    for op in [op for op in by_op if is_old(op)]:
        del by_op[op]


class LinkedProject:
    """The files of a project and their values; without a project (None), a single file.

    `globals` are the values that modules bind, but for functions, classes and the like, with their names; `entered`
    is what their statements put into those that are dicts or lists.  `judges`
    tells whether a file is going to be judged with them, `assumed` are patterns of functions that are declared traced,
    `equivalents` gives the name of a library for a name of the project that stands for it.
    `is_cached`: reports are kept, with their dependencies.  `lines` is the number of lines of the files that were
    read, `judged_lines` of those that were judged.  `is_wide`: the configuration says that types of 64 bits are
    enabled; `target` says which releases of libraries are allowed.  `truncating` is whether types of 64 bits are
    asked for that nothing enables; None if nobody has asked yet.  `unfolded` are the files of which the text was asked
    for, so that its lines, words or trees are there, with the number of lines when it was asked for, `unfolded_lines`
    in all; `searches` are the searches for callers that are kept.
    """

    __slots__ = (
        "_alone", "_files", "_imports", "_modules", "_owned", "_steps",
        "assumed", "entered", "equivalents", "globals", "is_cached", "is_wide", "judged_lines", "judges", "lines",
        "program", "project", "reachability", "searches", "target", "truncating", "unfolded", "unfolded_lines",
    )  # fmt: skip

    def __init__(
        self,
        project: Project | None,
        table: Table,
        judges: Callable[[str], bool] = lambda path: False,
        assumed: tuple[str, ...] = (),
        is_cached: bool = True,
        equivalents: Mapping[str, str] = MappingProxyType({}),
        is_wide: bool = False,
        target: TargetReleases | None = None,
        searches: SearchMemory | None = None,
    ) -> None:
        self.project = project
        self.searches = searches
        self.target = target or TargetReleases()
        self.judges = judges
        self.assumed = assumed
        self.equivalents = equivalents
        self.is_cached = is_cached
        self.program = Program(table, self, INTERPRETER, Record())
        self.reachability: Reachability | None = None
        self.lines = self.judged_lines = 0
        self.is_wide = is_wide
        self.truncating: bool | None = None
        self.unfolded: dict[File, int] = {}
        self.unfolded_lines = 0
        self._alone = ""
        self.globals: dict[Value, tuple[Namespace, str]] = {}
        self.entered: dict[Value, list[RegistryEntry]] = {}
        self._files: dict[str, File | None] = {}
        self._modules: dict[str, Value] = {}
        self._imports: dict[tuple[str, int, str], Value | None] = {}
        self._owned: dict[str, bool] = {}
        self._steps: dict[tuple[str, int], tuple[StartSteps, Record]] = {}

    @property
    def truncates(self) -> bool:
        """Are types of 64 bits asked for in the project, where nothing enables them?"""
        if self.is_wide:
            return False
        if self.truncating is None:
            enabling, project = self.program.table.enabling, self.project
            if project is None:
                self.truncating = truncates((self._alone,), "", enabling)
            else:
                texts = (project.text(path) or "" for path in project.files())
                self.truncating = not project.is_truncated and truncates(texts, project.root, enabling)
        return self.truncating

    def may_trace(self, path: str) -> bool:
        """May a file make something of JAX: by what it imports, or since the configuration says so of its functions?"""
        if self.project is None or self.assumed or self.equivalents:
            return True
        return self.project.leads_to_jax(path)

    def imported(self, path: str, level: int, dotted: str) -> Value | None:
        """The value of an import in the file at `path`; None for a module outside of the project."""
        asked = (path, level, dotted)
        if asked not in self._imports:
            self._imports[asked] = self._find(path, level, dotted)
        return self._imports[asked]

    def _find(self, path: str, level: int, dotted: str) -> Value | None:
        if self.project is None or (not level and self._is_row(dotted)):
            return None
        place = self.project.find(path, level, dotted)
        if place is None or place == "ambiguous":
            return None if place is None else unknown("ambiguous import")
        return Value(IMPORTED, payload=ImportTarget(self, place.path, place.rest))

    def _is_row(self, dotted: str) -> bool:
        """Is it a name of a library in the table?

        It takes precedence over the project, which may be that library.
        """
        table = self.program.table
        if not table.is_namespace(dotted.partition(".")[0]):
            return False
        known = table.known(table.canonical(dotted))
        return table.is_namespace(dotted) or any(known) or table.annotation(dotted) is not None

    def own(self, path: str, dotted: str) -> Value | None:
        """The value that the project binds to a qualified name, if the project is that library; None where the table
        knows it.
        """
        top = dotted.partition(".")[0]
        if top not in self._owned:
            self._owned[top] = self.project is not None and isinstance(self.project.find(path, 0, top), Place)
        found = self.imported(path, 0, dotted) if self._owned[top] else None
        return found.payload.follow() if found is not None and isinstance(found.payload, ImportTarget) else None

    def starred(self, path: str, level: int, dotted: str, name: str) -> Value | None:
        """The value that a star import in the file at `path` binds to `name`, if any."""
        file = self.star(path, level, dotted)
        owner = file.owner(name) if file is not None and file.exports(name) else None
        return owner.value(name) if owner is not None else None

    def star(self, path: str, level: int, dotted: str) -> File | None:
        """The file of the project that a star import in the file at `path` imports from."""
        if self.project is None or (not level and self._is_row(dotted)):
            return None
        place = self.project.find(path, level, f"{dotted}.*" if dotted else "*")
        if not isinstance(place, Place) or place.rest != ("*",):
            return None
        return self.file(place.path)

    def file(self, path: str) -> File | None:
        """The file at a path; None if there is none that can be read."""
        if path not in self._files:
            self._keep(path, self._opened(path))
        if path.endswith(".py"):  # else it is a folder: what is below it is asked for by name
            self.program.note(path, HEAD)
        return self._files[path]

    def _opened(self, path: str) -> File | None:
        """A file of the project; one that is going to be judged is lowered at once, from the same tree."""
        text = self.project.text(path) if self.project is not None else None
        if text is None:
            return None
        tree = parsed(text) if self.judges(path) else None
        file = self._indexed(path, text, tree)
        if file is not None and tree is not None:
            source = SourceFile(path, text, tree)
            with suppress(TooDeep, RecursionError):
                file.lower_all(source)
            source.release()
        return file

    def _indexed(self, path: str, text: str, tree: ast.Module | None) -> File | None:
        index = self.project.index(path, tree) if self.project is not None else None
        if index is None and tree is not None:  # a file that is not below the root
            index = index_of(path, text, tree)
        return File(self, index) if index is not None else None

    def _keep(self, path: str, file: File | None) -> None:
        self._files[path] = file
        self.lines += file.lines if file is not None else 0

    def judged(self, source: SourceFile, path: str) -> File:
        """The file at `path` with the text of `source`, completely lowered."""
        self._alone = source.text
        if self._files.get(path) is None:
            self._keep(path, self._indexed(path, source.text, source.tree))  # raises what keeps it from being judged
        file = self.file(path)
        assert file is not None
        file.lower_all(source)
        self.judged_lines += file.lines
        return file

    @contextmanager
    def with_text(self, source: SourceFile, path: str, callers: Iterable[str] = ()) -> Iterator[File]:
        """The file at `path` with another text, tried for a while: what is found out meanwhile is forgotten.

        The `callers` are opened anew, and see the text; other files that were read before are seen as they are.
        Raises `NotPython` or `TooDeep`.
        """
        program, index = self.program, index_of(path, source.text, source.tree)
        assert index is not None
        kept = {each: self._files.get(each) for each in (*callers, path)}
        imports, reachability, steps = self._imports, self.reachability, self._steps
        self._steps = {}
        mark, shrinking = program.memory.mark(), [
            _shrinking(program.summaries), _shrinking(program.constants), _shrinking(program.stores),
            _shrinking(program.answers), _shrinking(self.globals), _shrinking(self.entered),
        ]  # fmt: skip
        if reachability is not None:
            shrinking += (_shrinking(reachability.functions), _shrinking(reachability.classes))
            shrinking += (_shrinking(reachability.names), _shrinking(reachability.parts))
            shrinking += (_shrinking(reachability.modules),)
        try:
            for each in kept:
                again = self.project.index(each) if self.project is not None and each != path else None
                self._files[each] = File(self, again, before=kept[each]) if again is not None else kept[each]
            if len(kept) > 1:
                self._imports, self.reachability = {}, None
            file = self._files[path] = File(self, index, before=kept[path])
            file.lower_all(source)
            yield file
        finally:
            self._files |= kept
            self._imports, self.reachability, self._steps = imports, reachability, steps
            for file in [file for file in self.unfolded if self._files.get(file.path) is not file]:
                self.unfolded_lines -= self.unfolded.pop(file)
            program.memory.forget_since(mark)
            for shrink in shrinking:
                shrink()
            source.release()

    def unfold(self, file: File) -> None:
        """Count a file among those of which the text was asked for."""
        if file not in self.unfolded:
            self.unfolded[file] = file.lines
            self.unfolded_lines += file.lines

    def fold(self) -> None:
        """Let go what was made of the texts of files, once they have so many lines; it is made again on demand."""
        if self.unfolded_lines > MOST_UNFOLDED:
            for file in self.unfolded:
                file.fold()
            self.unfolded.clear()
            self.unfolded_lines = 0

    def replace(self, path: str, text: str, before: Index | None) -> None:
        """Forget what was found out from the `text` that a file had, and all that depends on it.

        If nothing but some of its functions and classes is another, all stays that asked for nothing of these.
        """
        self.truncating = None
        self._steps = {}
        file, project = self._files.get(path), self.project
        now = project.index(path) if project is not None else None
        changed = changed_bodies(before, now) if before is not None and now is not None else None
        if file is None or project is None or before is None or now is None or changed is None:
            self.let_go((path,))
            return
        old, new = holding_of(text, before), holding_of(project.text(path) or "", now)

        def is_asked(each: str, question: int) -> bool:
            return each == path and (is_asked_of(question, before, changed) or not answer_alike(question, before, now))

        def is_sought(sought: Sought) -> bool:
            place, pattern, words = sought
            return place == path and old.answer([(pattern, words)]) != new.answer([(pattern, words)])

        def is_old(op: ops.Op | ops.Function) -> bool:
            origin = op.anchor.origin
            return origin.path == path and (origin.number < 0 or origin.number in changed)

        self._forget(is_old, self.program.dependencies.depending_on(is_asked, is_sought), ())
        self.lines -= file.lines
        file.renew(now, changed)
        self.lines += file.lines

    def let_go(self, paths: Collection[str]) -> None:
        """Forget what was found out from the texts of files, and all that depends on it: who asks finds it out anew."""
        for path in paths:
            held = self._files.pop(path, None)
            self.lines -= held.lines if held is not None else 0
        depends = self.program.dependencies.depending_on(lambda path, _: path in paths, lambda _: False)
        targets = (found.payload for asked, found in self._imports.items() if asked[0] in paths and found is not None)
        imports = [target.record for target in targets if isinstance(target, ImportTarget)]
        self._forget(lambda op: op.anchor.origin.path in paths, depends, imports)
        self._steps = {key: each for key, each in self._steps.items() if key[0] not in paths}
        self._imports = {asked: found for asked, found in self._imports.items() if asked[0] not in paths}
        for file in [file for file in self.unfolded if file.path in paths]:
            self.unfolded_lines -= self.unfolded.pop(file)

    def _forget(
        self, is_old: Callable[[ops.Op | ops.Function], bool], depends: Callable[[Dependent], bool],
        imports: Iterable[Dependent],
    ) -> None:  # fmt: skip
        """Forget what is known of ops that are gone, and what depends on them, or is of imports that are gone."""
        program = self.program
        remade: set[Dependent | None] = {
            record_of(summary) for one, summary in program.summaries.items() if depends(one.record)
        }
        remade.update(imports)

        def is_stale(record: Dependent) -> bool:
            return record in remade or depends(record)

        program.memory.forget_if(is_stale)

        def is_gone(one: FunctionValue | ClassValue) -> bool:
            if isinstance(one, ClassValue):
                return is_old(one.function) or any(is_stale(each.record) for each in functions_of(one))
            return is_old(one.function) or is_stale(one.record) or any(map(is_gone, callables_given(one)))

        def is_stale_summary(summary: Summary) -> bool:
            record = record_of(summary)
            return record is None or is_stale(record)

        program.summaries = {
            one: summary for one, summary in program.summaries.items()
            if not is_gone(one) and not is_stale_summary(summary)
        }  # fmt: skip
        for one in program.summaries:
            if one.specializations:
                one.specializations = {
                    given: made for given, made in one.specializations.items() if made in program.summaries
                }
        program.answers = {
            key: one for key, one in program.answers.items()
            if isinstance(one, Answer) and not is_old(one.labels.function) and not is_stale(one.record)
        }  # fmt: skip
        program.record.uses = {use for use in program.record.uses if not is_stale(use)}
        program.stores = {one: found for one, found in program.stores.items() if not is_old(one)}
        _leave_out(program.constants, is_old)
        _leave_out(program.optimizers, is_old)
        _leave_out(program.variables, is_old)
        _leave_out(program.states, is_old)
        _leave_out(program.remembered, is_old)
        _leave_out(program.resembling, is_old)
        if self.reachability is not None:
            self.reachability.forget_if(is_gone, is_stale)
        program.dependencies.forget()

    def answered(self, sought: Iterable[Sought]) -> Iterator[tuple[str, tuple[WordsFound, ...]]]:
        """In which files words were looked for, with digests of where they stand."""
        words = dict[str, dict[str, frozenset[str]]]()
        for path, pattern, several in sought:
            of_file = words.setdefault(path, {})
            known = of_file.get(pattern)
            of_file[pattern] = several if known is None or known <= several else known | several
        for path, of_file in words.items():
            file = self._files.get(path)
            if file is not None:
                asked = tuple((pattern, of_file[pattern]) for pattern in sorted(of_file))
                yield path, ((asked, file.held.answer(asked)),)

    def told(self, questions: Questions, home: str = "") -> dict[str, tuple[ToldFound, ...]]:
        """Of files but one the questions for what functions tell by their summaries, with their digests."""
        found = dict[str, tuple[ToldFound, ...]]()
        for path, asked in questions.files.items():
            file = self._files.get(path) if path != home and asked > TEXT else None
            if file is not None:
                bits = sum(asking for asking, _, _ in told_in(asked, file.index))
                several = [*([(bits, ())] if bits else ()), *questions.told.get(path, ())]
                if several:
                    found[path] = tuple((bits, given, self.answer_told(path, bits, given)) for bits, given in several)
        return found

    def answer_told(self, path: str, asked: int, given: PlainArguments) -> bytes:
        """The digests of what functions of a file tell by their summaries, for arguments that are given; empty if it
        cannot be read.
        """
        file = self.file(path)
        if file is None:
            return b""
        return b"".join([file.told(number, body, given) for _, number, body in told_in(asked, file.index)])

    def named_at(self, function: ops.Function) -> tuple[tuple[str, int, str], Value] | None:
        """Where a statement of the project binds the name of a function or class, and what to; None if it is not known
        yet.
        """
        origin = function.anchor.origin
        file = self._files.get(origin.path) if origin.number >= 0 and function.outermost in (None, function) else None
        names = file.units[origin.number].names if file is not None else None
        if names is None or function.name not in names or self.project is None:
            return None
        inside = os.path.relpath(origin.path, self.project.root)
        return (inside, origin.number, function.name), names[function.name]

    def value_at(self, inside: str, number: int, name: str) -> Value | None:
        """What a statement binds a name to, by its number in a file, whose path is as seen from the root."""
        file = self.file(os.path.join(self.project.root, inside)) if self.project is not None else None
        return file.run(file.units[number]).get(name) if file is not None and number < len(file.units) else None

    def lines_of(self, path: str) -> int:
        """The number of lines of a file, if something is known of it."""
        file = self._files.get(path)
        return file.lines if file is not None else 0

    def module_value(self, path: str) -> Value:
        """The value of a module, or of a folder of modules."""
        found = self._modules.get(path)
        if found is None:
            found = self._modules[path] = Value(MODULE, payload=ModuleAt(path))
        return found

    def variable(self, path: str, name: str, changed: Container[str]) -> tuple[Binding, Value] | None:
        """A variable of the module at `path` that may change, with its final value: it does so there, is `changed`
        elsewhere, or holds what any file may change.
        """
        file = self.file(path)
        value = file.value(name) if file is not None and name in file.scope.names else None
        if file is None or value is None:
            return None
        may_change = name in changed or name in file.changing or value.kind in CHANGED_FROM_OUTSIDE
        return (file.scope.names[name], value) if may_change else None

    def imported_variable(self, value: Value | None) -> Binding | None:
        """The variable of another file that an import stands for, through those that hand it on."""
        for _ in range(MOST_HANDED_ON):
            target = value.payload if value is not None else None
            if not isinstance(target, ImportTarget) or len(target.rest) != 1:
                return None
            (name,) = target.rest
            file = self.file(target.path)
            if file is None or name not in file.scope.names:
                return None
            value = file.value(name)
            if value is not None and value.kind is not IMPORTED:
                return file.scope.names[name]
        return None

    def steps_before(self, path: str, unit: int) -> StartSteps:
        """What the statements of a file do to start JAX that stand before one of them."""
        key = (path, unit)
        if key not in self._steps:
            with self.program.tracking(Record()):
                file = self.file(path)
                steps = starting.steps_before(self, file, unit) if file is not None else ()
                self._steps[key] = steps, self.program.record
        steps, record = self._steps[key]
        self.program.record.uses.add(record)
        return steps

    def steps_of_import(self, path: str, shown: str, op: Imported) -> StartSteps:
        """What an import in the file at `path` does to start JAX."""
        return starting.steps_of_import(self, path, shown, op)

    def step_of_import(self, path: str, phase: StartPhase) -> Use | None:
        """Where the import of a file takes JAX to a phase; None if it does not."""
        return starting.step_of_import(self, path, phase)

    def step_of_packages(self, path: str, phase: StartPhase) -> Use | None:
        """Where the packages around a file take JAX to a phase, before it is imported itself."""
        return starting.step_of_packages(self, path, phase)

    def holding(self, scope: Scope | None) -> File | None:
        """The file whose names at the top level are in a scope."""
        return next((file for file in self._files.values() if file is not None and file.scope is scope), None)

    def path_of(self, scope: Scope) -> str:
        """The path of the module whose names are in a scope; empty if it is not among those that were opened."""
        file = self.holding(scope)
        return file.path if file is not None else ""

    def member(self, path: str, name: str) -> Value | None:
        """The value that the module at `path` binds to a name, or the submodule of this name."""
        file = self.file(path)
        found = file.value(name) if file is not None else None
        if found is not None and isinstance(found.payload, ImportTarget):
            found = found.payload.follow()  # `from . import below` binds what stands below
        if found is not None or self.project is None:
            return found
        self.program.record.submodules |= {(path, name)}
        below = self.project.submodule(path, name)
        if below is None or below == "ambiguous":
            return None if below is None else unknown("ambiguous import")
        return self.module_value(below)
