"""Values that compiled code keeps although they change later: reads of a trace, matched with later changes.

A read is known to be part of a trace (`checks/effects/frozen_reads.py`); what a file changes, an index of its ops tells
(`changes.py`); that a change comes between two calls of the traced function, the order of statements (`timeline.py`),
or the methods of a class, which may be called in any order.
"""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, TypeAlias

from flake8_jax.analysis.callables import ClassValue, FunctionValue, Wrapped, underlying, visible_names
from flake8_jax.analysis.calls.traced_arguments import place_of
from flake8_jax.analysis.checks.compilation.varying import comes_of_element, has_own_shape
from flake8_jax.analysis.checks.effects.frozen_reads import KeptRead, StaleRead, asks_for
from flake8_jax.analysis.imports import ImportTarget
from flake8_jax.analysis.modules.changes import (
    AccessSteps,
    ByFirstStep,
    Change,
    CodeIndex,
    CodeOfFiles,
    Met,
    code_index,
    code_of_files,
    index_of_code,
    is_set_once,
    path_of,
)
from flake8_jax.analysis.modules.orders import CallOrder
from flake8_jax.analysis.objects.classes import CONSTRUCTORS, ancestry
from flake8_jax.analysis.objects.narrowing import is_none
from flake8_jax.analysis.objects.static_attributes import STATIC_ATTRIBUTES
from flake8_jax.analysis.record import Record
from flake8_jax.api.library_states import INJECTING
from flake8_jax.domain.constants import OPEN
from flake8_jax.domain.effects import Event, EventKey, FindingByCalls, GuardedFinding
from flake8_jax.domain.kinds import CLASS, MUTABLE_DATA, NUMPY
from flake8_jax.domain.payload import ModuleAt, Step
from flake8_jax.domain.provenance import CERTAIN, LIKELY, Certainty, Context
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of, exclusive
from flake8_jax.ir.ops import Function, Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.scope import Binding
from flake8_jax.ir.walking import inside, names_in, only_target, targets_in
from flake8_jax.lazy_dataclasses import dataclass, field
from flake8_jax.syntax.layout import FUNCTIONS, Layout
from flake8_jax.syntax.positions import unpacked

if TYPE_CHECKING:
    from flake8_jax.analysis.modules.files import File

MAXIMUM_CHANGES = 48
"""With how many changes in one file a read is compared at most."""

UNCOMPARED = "changes beyond the bound of comparisons"
"""Why it is not known whether a variable changes after it was read."""

CHANGE_LINE: Callable[[Change], int] = attrgetter("op.anchor.line")
"""By what changes are in order."""

ANEW = ".nnx."
"""The library whose transforms trace anew each time that they are applied, also to the same function."""
PathsByName: TypeAlias = "dict[str, list[tuple[Op, ops.Name, AccessSteps]]]"
"""Chains of steps by the names that they start from."""

TREE_LEAVES = ("tree_leaves", "tree.leaves")
"""How the functions are spelled that give the leaves of a tree."""

KEPT_BY_STEPS = frozenset(("apply_fn", "tx"))
"""The static fields of a `TrainState`, which its steps keep: an old state has the right ones."""


def stale_reads(file: File, records: list[Record]) -> Iterator[tuple[EventKey, Event]]:
    """The reads in a file of what changes after their trace, each variable once in a function."""
    reads = [
        one for record in records for one in record.repeated
        if type(one) is KeptRead and one.op.anchor.origin.path == file.path
    ]  # fmt: skip
    if reads:
        evidence = LaterChanges(file, reads, records)
        reads = list({(one.op, one.place, one.holder): one for one in reads}.values())
        told: set[tuple[object, str, Function]] = set()
        for read in reads:
            what = (read.binding or read.owner, read.field, read.function)
            event = evidence.judged(read) if what not in told else None
            if event is not None:
                told.add(what)
                yield (StaleRead, event.op, ()), event


def may_go_stale(file: File, records: Sequence[Record]) -> bool:
    """Does anything change what is read in a file, for a trace that keeps it, as some records tell?  Of changes that
    are too many to compare them all, any may.
    """
    reads = [one for record in records for one in _kept_reads(record) if one.op.anchor.origin.path == file.path]
    aside = Record()
    evidence = LaterChanges(file, reads, [aside, *records])
    is_changed = any(map(evidence.is_changed, {(one.op, one.place, one.holder): one for one in reads}.values()))
    return is_changed or bool(aside.given_up)


def is_kept_read(guarded: GuardedFinding) -> bool:
    """Is a finding, which calls decide, a read that a trace keeps?"""
    return isinstance(guarded.finding, FindingByCalls) and type(guarded.finding.event) is KeptRead


def _kept_reads(record: Record) -> Iterator[KeptRead]:
    """The reads that a trace keeps, for certain or as calls decide."""
    found = (held.finding.event for held in record.guarded if isinstance(held.finding, FindingByCalls))
    return (one for one in (*record.repeated, *found) if type(one) is KeptRead)


@dataclass(slots=True, eq=False)
class LaterChanges:
    """What is known of calls and changes once a file has been run, and of the functions that are traced."""

    file: File
    reads: list[KeptRead]
    records: Sequence[Record]
    sites: dict[tuple[str, str, int], list[tuple[Wrapped, Op]]] = field(default_factory=dict)
    sharing: dict[Function, list[tuple[Wrapped, Op]]] = field(default_factory=dict)
    traced: set[Function] | None = None
    known: dict[Op, tuple[Op, ...]] = field(default_factory=dict)
    alike: dict[tuple[Op, str], list[KeptRead]] = field(default_factory=dict)
    codes: dict[tuple[File, ...], CodeOfFiles] = field(default_factory=dict)
    paths: dict[Function, PathsByName] = field(default_factory=dict)
    asked: set[tuple[File, frozenset[str]]] = field(default_factory=set)
    imported: dict[File, dict[Binding, list[tuple[str, Binding]]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for read in self.reads:
            self.alike.setdefault((read.op, read.trace.function), []).append(read)
        for record in self.records:
            for one, op in record.sites:
                if isinstance(one, Wrapped):
                    self.sites.setdefault(place_of(one), []).append((one, op))
                    if (shared := _shared(one)) is not None:
                        self.sharing.setdefault(shared, []).append((one, op))

    def _code(self, files: list[File]) -> CodeOfFiles:
        found = self.codes.get(tuple(files))
        if found is None:
            found = self.codes[tuple(files)] = code_of_files(files)
        return found

    def judged(self, read: KeptRead) -> StaleRead | None:
        """The event of a read, if what it reads changes between two calls of what was traced."""
        if _is_new_with_its_state(read):
            return None
        calls = self._calls(read)
        files = self._files(read, calls)
        chains = ByFirstStep(list(self._chains(read)))
        found = self._changes(read, calls, files, chains)
        if not found or not (calls or read.owner is not None) or any(_is_own(read, *one) for one in found):
            return None
        traced = self._traced()
        found = [
            (change, steps) for change, steps in found
            if change.function not in traced and not _is_at_start(read, change) and not is_set_once(change)
            and not self._is_in_other_arm(read, change, files) and not self._is_traced_anew(read, change, calls)
        ]  # fmt: skip
        receivers = _receivers(read.function) if found else set()
        told = {
            change: op for change, steps in found
            for op in _read_by(read, chains.that_may_meet(steps), receivers, change, steps)
        }  # fmt: skip
        if not told:
            return None
        births = set() if not calls else self._births(read, files)
        changes = {change.op: change for change in told}
        code = self._code(files)
        targets = [_target(code, wrapped) for wrapped, _ in self._sites_of(read)]
        names = frozenset(target[1].name for target in targets if target is not None) if all(targets) else frozenset()
        makers = {maker for wrapped, _ in self._sites_of(read) for maker in _makers(code, wrapped)}
        order = CallOrder(read, files, code, calls, births - calls, changes, traced, self.known, names, makers)
        change = order.stale()
        return None if change is None else _event(read, told[change], change, LIKELY if order.is_likely else CERTAIN)

    def is_changed(self, read: KeptRead) -> bool:
        """Does anything change what is read, whenever?"""
        calls = self._calls(read)
        return bool(self._changes(read, calls, self._files(read, calls), ByFirstStep(list(self._chains(read)))))

    def _changes(
        self, read: KeptRead, calls: set[Op], files: list[File], chains: ByFirstStep[Op]
    ) -> list[tuple[Change, AccessSteps]]:
        """The changes of what is read, each with the steps from there to what is changed."""
        candidates = self._candidates(read, calls, files, chains)
        return [(change, steps) for change, steps in candidates if not _is_definition(change, steps)]

    def _candidates(
        self, read: KeptRead, calls: set[Op], files: list[File], chains: ByFirstStep[Op]
    ) -> Iterator[tuple[Change, AccessSteps]]:
        """The changes of the variable or field, with the steps from there to what is changed, as far as a chain of
        steps that is read may meet them; of many in a file those that follow the first call.
        """
        for file in files:
            start = min((op.anchor.line for op in calls if op.anchor.origin.path == file.path), default=0)
            start = start or read.op.anchor.line
            if read.binding is None:
                owners = [one.function for one in ancestry(read.owner)] if read.owner is not None else []
                of_field = self._changed_in(file, {read.field}).changes_of_field(read.field, owners)
                for change in self._nearest(file, start, of_field, CHANGE_LINE):
                    place = change.steps.index((".", read.field))
                    if read.kind is not CLASS or _is_of_class(change, place, file, read.owner):
                        yield change, change.steps[place + 1 :]
                continue
            name, owner = read.binding.name, read.binding.owner
            if owner is not None and owner.kind != "module" and file is not self.file:
                continue  # no other file can name it
            names = (name, read.binding), *self._imports_of(file, read.binding)
            changed = self._changed_in(file, {called for called, _ in names})
            for called, binding in names:
                met = changed.changes_of(called).that_may_meet_any(chains)
                for change, steps in self._nearest(file, start, met, lambda stepped: stepped[0].line):
                    if change.root.scope.lookup(called) is binding and (binding is read.binding or _is_within(change)):
                        yield change, steps
            of_module = changed.fields.get(name, ()) if owner is not file.scope else ()
            for change in self._nearest(file, start, of_module, CHANGE_LINE):
                is_there = change.steps[0] == (".", name) and _is_module(change.root, file, owner)
                if is_there:
                    yield change, change.steps[1:]

    def _changed_in(self, file: File, words: Collection[str]) -> CodeIndex:
        """The index of a file, for who asks for changes of what some words name; that is noted once."""
        if (file, frozenset(words)) not in self.asked:
            self.asked.add((file, frozenset(words)))
            file.note_holding(words)
        return index_of_code(file)

    def _imports_of(self, file: File, variable: Binding) -> Sequence[tuple[str, Binding]]:
        """The names of a file that its code changes, and that stand for a variable of another one."""
        if file not in self.imported:
            self.imported[file] = {}
            for name in sorted(file.changed & file.scope.names.keys()):
                home = file.linked.imported_variable(file.value(name))
                if home is not None:
                    self.imported[file].setdefault(home, []).append((name, file.scope.names[name]))
        return self.imported[file].get(variable, ())

    def _nearest(self, file: File, line: int, changes: Sequence[Met], line_of: Callable[[Met], int]) -> Sequence[Met]:
        """Of changes in a file, in the order of their lines, those from a line on, and behind the last the first; to a
        bound.
        """
        if len(changes) <= MAXIMUM_CHANGES:
            return changes
        file.note_code()
        self.records[0].given_up[UNCOMPARED] += 1
        start = bisect_left(changes, line, key=line_of)
        around = max(0, start + MAXIMUM_CHANGES - len(changes))
        return [*changes[start : start + MAXIMUM_CHANGES], *changes[:around]]

    def _is_in_other_arm(self, read: KeptRead, change: Change, files: list[File]) -> bool:
        """Is a variable of one call of a function changed in an arm of a choice of which another makes the closure?"""
        if read.binding is None or change.is_repeated or change.function.scope is not read.binding.owner:
            return False
        if change.function.kind == "module":
            return False
        chains = chains_of(change.function)
        way = chains.way_to(change.op)
        makers = [chains.way_to(op) for op in _made(self._code(files), read.function.name, read.function)]
        return bool(makers) and all(exclusive(way, maker) for maker in makers)

    def _is_traced_anew(self, read: KeptRead, change: Change, calls: Collection[Op]) -> bool:
        """Is a change made on the turns of a loop, each of which passes an array of another shape, or another static
        argument, to what was traced?

        for rate, length in plan: optimizer = optax.adam(rate); step(params, xs[:length])
        """
        chains = chains_of(change.function)
        loop = next((one for one in reversed(chains.way_to(change.op)) if type(one) is ops.Loop), None)
        if loop is None or not calls or not all(loop in chains.way_to(call) for call in calls):
            return False
        wrapped = {op: one for one, op in self._sites_of(read)}
        return all(
            any(
                has_own_shape(chains, given, loop) or (is_static and comes_of_element(chains, given, loop))
                for given, is_static in _given(call, wrapped.get(call))
            )
            for call in calls
        )

    def _calls(self, read: KeptRead) -> set[Op]:
        """The calls that use the trace: where only some calls lead to the read, by what they pass, these."""
        trace = read.trace
        alike = self.alike[(read.op, trace.function)]
        if read.is_loop:
            return {one.site for one in alike if one.trace.transform == trace.transform}
        calls = {op for _, op in self._sites_of(read)}
        reaching = {one.site for one in alike}
        return reaching if reaching <= calls else calls

    def _sites_of(self, read: KeptRead) -> list[tuple[Wrapped, Op]]:
        found = dict.fromkeys(self.sites.get(read.place, ()))
        for shared in {_shared(one) for one, _ in found}:
            found |= dict.fromkeys(self.sharing[shared] if shared is not None else ())
        return list(found)

    def _births(self, read: KeptRead, files: list[File]) -> set[Op]:
        """The ops after which there is no trace yet, since they make the traced function anew."""
        code = self._code(files)
        births = set(_made(code, read.function.name, read.function))
        if read.is_loop:
            return births.union(_made(code, read.trace.function, None))
        for wrapped in dict.fromkeys(one for one, _ in self._sites_of(read)):
            found = underlying(wrapped.callee)
            if found is not None:
                births.update(_made(code, found.function.name, found.function))
            if _shared(wrapped) is None:
                births.update(_wrapping(code, wrapped, read.trace.function))
                births.update(_rebinding(code, files, wrapped))
        return births

    def _files(self, read: KeptRead, calls: Iterable[Op]) -> list[File]:
        """The files in which to look for changes: of the read, the variable, and the calls."""
        linked = self.file.linked
        found = {self.file: None}
        if read.binding is not None and (home := linked.holding(read.binding.owner)) is not None:
            found[home] = None
        paths = {op.anchor.origin.path for op in calls}
        if read.owner is not None:
            paths.update(ancestor.function.anchor.origin.path for ancestor in ancestry(read.owner))
        for path in sorted(paths):
            other = linked.file(path)
            if other is not None:
                found[other] = None
        return list(found)

    def _chains(self, read: KeptRead) -> Iterator[tuple[Op, AccessSteps]]:
        """What is read of the variable or field in the function: the longest chains of steps from it."""
        start = path_of(read.op)
        if start is None:
            yield read.op, ()
            return
        if read.function not in self.paths:
            self.paths[read.function] = _paths_in(read.function)
        root, steps = start
        binding, parents = root.scope.lookup(root.name), chains_of(read.function).parents
        for op, name, path in self.paths[read.function].get(root.name, ()):
            if name.scope.lookup(name.name) is binding and path[: len(steps)] == steps:
                yield op, (*path[len(steps) :], *_asked_for(parents, op))
        around = parents.get(read.op) if read.owner is not None else None
        if type(around) is ops.Call and around.func is read.op:  # a field that is called is read as well
            yield read.op, ()

    def _traced(self) -> set[Function]:
        """The functions whose bodies are traced: what these write is another hazard."""
        if self.traced is None:
            self.traced = set()
            waiting = [summary for record in self.records for summary in record.traced]
            while waiting:
                summary = waiting.pop()
                if summary.run.function is not None and summary.run.function not in self.traced:
                    self.traced.add(summary.run.function)
                    waiting.extend(summary.run.callees)
        return self.traced


def _shared(wrapped: Wrapped) -> Function | None:
    """The function by whose identity JAX finds the trace again, whoever wraps it once more."""
    made = wrapped.callee.payload
    is_anew = ANEW in wrapped.applied.transform.name or not isinstance(made, FunctionValue)
    return made.function if isinstance(made, FunctionValue) and not is_anew else None


def _made(code: CodeOfFiles, name: str, function: Function | None) -> Iterator[Op]:
    """The ops that make a function, or any of a name: what is made anew is traced anew."""
    return (op for op in code.closures.get(name, ()) if function is None or op.function is function)


def _wrapping(code: CodeOfFiles, wrapped: Wrapped, name: str) -> Iterator[Op]:
    """The calls that apply a transform to what is no plain function: each gives a trace of its own."""
    last = wrapped.applied.transform.name.rpartition(".")[2]
    for op in code.spelled.get(last, ()):
        if op.args and (op.anchor.line == wrapped.applied.line or phrase(op.args[0]).rpartition(".")[2] == name):
            yield op


def _target(code: CodeOfFiles, wrapped: Wrapped) -> tuple[ops.Store, ops.Name] | None:
    """The statement that binds what a transform gives to a name, with the name."""
    op = wrapped.applied.op
    for function in code.holding.get(op, ()) if op is not None else ():
        bound = chains_of(function).parents.get(op) if op is not None else None
        target = only_target(bound)
        if type(bound) is ops.Store and type(target) is ops.Name:
            return bound, target
    return None


def _makers(code: CodeOfFiles, wrapped: Wrapped) -> Iterator[Function]:
    """The function that makes a wrapped function under a name of its own, which it only calls or passes on.

    What an earlier call of it has made is not met again.
    """
    found = _target(code, wrapped)
    if found is None:
        return
    _, target = found
    for function in code.holding.get(wrapped.applied.op, ()) if wrapped.applied.op is not None else ():
        chains = chains_of(function)
        is_local = function.kind == "def" and target.scope.lookup(target.name).owner is function.scope
        if is_local and all(type(chains.parents.get(read)) is ops.Call for read in chains.uses_of(target)):
            yield function


def _rebinding(code: CodeOfFiles, files: Iterable[File], wrapped: Wrapped) -> Iterator[Op]:
    """The calls that make what the name of a wrapped function is bound to afterwards, or was before.

    step = jit(f); step(x); rate = 2; step = jit(g); step(x)        the second call is one of another function
    """
    found = _target(code, wrapped)
    if found is None:
        return
    bound, target = found
    binding = target.scope.lookup(target.name)
    for change in (one for file in files for one in code_index(file).variables.get(target.name, ())):
        is_same = change.op is not bound and change.root.scope.lookup(target.name) is binding
        if is_same and type(change.op) is ops.Store and type(change.op.value) is ops.Call:
            yield change.op.value


def _asked_for(parents: Mapping[Op, Op], op: Op) -> AccessSteps:
    """The step to the entry that code asks for: `"rate" in options`, or `in options.keys()`, `options.get("rate")`."""
    method = parents.get(op)
    call = parents.get(method) if type(method) is ops.Attr else None
    around: Op | None = method
    asked: Op | None = None
    if type(call) is ops.Call and type(method) is ops.Attr and call.func is method:
        asked = call.args[0] if method.name == "get" and call.args else None
        op, around = (call, parents.get(call)) if method.name == "keys" else (op, None)
    if type(around) is ops.Compare and around.operators in (("in",), ("not in",)) and around.operands[1] is op:
        asked = around.operands[0]
    return (("[]", asked.value),) if type(asked) is ops.Const and isinstance(asked.value, (int, str)) else ()


def _given(call: Op, wrapped: Wrapped | None) -> Iterator[tuple[Op, bool]]:
    """The arguments of a call, and whether each is static."""
    applied = wrapped.applied if wrapped is not None else None
    names = visible_names(wrapped.callee) if wrapped is not None else []
    for place, given in enumerate(call.args if type(call) is ops.Call else ()):
        name = names[place] if place < len(names) else ""
        yield given, applied is not None and applied.may_be_static(name, place)
    for keyword, given in call.keywords if type(call) is ops.Call else ():
        yield given, applied is not None and keyword is not None and applied.may_be_static(keyword)


def _is_within(change: Change) -> bool:
    """Does it change what an import stands for, and not the name of the import?"""
    return bool(change.steps) or not change.is_bound


def _is_own(read: KeptRead, change: Change, steps: AccessSteps) -> bool:
    """Does the function itself bind anew what it reads?  That a tracer is kept there is another hazard."""
    return change.function is read.function and change.is_bound and not steps


def _is_definition(change: Change, steps: AccessSteps) -> bool:
    """Is it the one statement that binds a variable of a module?  Nobody has read it before."""
    binding = change.root.scope.lookup(change.root.name)
    is_bound_there = change.is_bound and not (change.steps or steps or change.is_repeated)
    return is_bound_there and change.function.kind == "module" and binding.stores == 1


def _is_at_start(read: KeptRead, change: Change) -> bool:
    """Is it a change in the code around, above the line where the function is wrapped, or in a constructor?"""
    if read.binding is None:
        return change.function.name in CONSTRUCTORS
    if change.is_repeated or change.function.scope is not read.binding.owner:
        return False
    origin = change.op.anchor.origin
    line = read.function.anchor.line if read.binding.owner.kind != "module" else read.trace.line
    return origin.shown == read.trace.path and change.line < line


def _is_of_class(change: Change, place: int, file: File, owner: ClassValue | None) -> bool:
    """Is the field at a place of what is changed one of a class itself, or of one that it inherits from?"""
    root = change.root
    family = [] if owner is None else [*ancestry(owner)]
    if place:
        return change.steps[place - 1][1] in [one.name for one in family]
    if root.name == "cls":
        return True
    bound = root.scope.lookup(root.name).owner
    value = file.value(root.name) if bound is not None and bound.kind == "module" else None
    if value is not None and isinstance(value.payload, ImportTarget):
        value = value.payload.value()
    return value is not None and value.payload in family


def _is_module(root: ops.Name, file: File, scope: object) -> bool:
    """Does a name stand for the module that has a scope?"""
    value = file.value(root.name)
    place = value.payload if value is not None else None
    if isinstance(place, ImportTarget):
        place = place.value().payload
    other = file.linked.file(place.path) if type(place) is ModuleAt else None
    return other is not None and other.scope is scope


def _paths_in(function: Function) -> PathsByName:
    """The longest chains of steps that are read in a function, by the names that they start from."""
    found: PathsByName = {}
    for op in _outermost(function):
        path = path_of(op)
        if path is not None:
            found.setdefault(path[0].name, []).append((op, *path))
    return found


def _outermost(function: Function) -> Iterator[Op]:
    """The chains of a body that are read for their values: not targets, sizes or the methods that are called."""
    hidden: set[Op] = set()
    for op in inside(function):  # what is around an op comes before it
        match op:
            case ops.Store(targets=targets, kind=kind) if kind != "augment":
                hidden.update(part for target in targets for part in targets_in(target))
            case ops.Delete(targets=targets):
                hidden.update(part for target in targets for part in targets_in(target))
            case ops.Call(func=func, args=args):
                if type(func) is ops.Attr and func not in hidden:
                    hidden.add(func)
                    is_kept = _is_kept_by_steps(func) or _is_kept_by_steps(func.base)
                    yield from () if func.base in hidden or is_kept else (func.base,)
                    hidden.add(func.base)
                    if type(func.base) in (ops.Attr, ops.Item):
                        hidden.add(func.base.base)  # type: ignore[attr-defined]
                elif type(func) is ops.Name and func.name in ("len", "isinstance", "type"):
                    hidden.update(args)
            case ops.Compare(operators=("is" | "is not",), operands=operands) if is_none(operands[1]):
                hidden.add(operands[0])
        if type(op) in (ops.Attr, ops.Item, ops.Name):
            is_size = type(op) is ops.Attr and op.name in STATIC_ATTRIBUTES
            if is_size and op not in hidden:
                hidden.update(_tree_of_leaf(op.base))  # type: ignore[attr-defined]
            elif op not in hidden:
                yield op
            if type(op) is ops.Attr or type(op) is ops.Item:
                hidden.add(op.base)


def _tree_of_leaf(op: Op) -> Iterable[Op]:
    """The tree that one leaf is taken from: `params` in `tree_leaves(params)[0]`."""
    leaves = op.base if type(op) is ops.Item else op
    return leaves.args if type(leaves) is ops.Call and phrase(leaves.func).endswith(TREE_LEAVES) else ()


def _is_kept_by_steps(op: Op) -> bool:
    """Is it the function or the optimizer of a state: `state.apply_fn`, `self.state.tx`?"""
    return type(op) is ops.Attr and op.name in KEPT_BY_STEPS


def _read_by(
    read: KeptRead, chains: Iterable[tuple[Op, AccessSteps]], receivers: set[Op], change: Change, changed: AccessSteps
) -> Iterator[Op]:
    """The first chain that reads what a change changes."""
    is_data = read.kind in MUTABLE_DATA
    for op, steps in chains:
        common = min(len(steps), len(changed))
        if any(not _may_be(one, other) for one, other in zip(steps, changed, strict=False)):
            continue
        behind = steps[len(changed) : len(changed) + 1]
        if behind and change.fields is not None and _is_other_field(behind[0], change.fields):
            continue
        is_within = len(changed) > common or not change.is_bound
        if is_within and len(steps) <= len(changed) and not (is_data or len(steps) or read.binding is None):
            continue
        if change.is_method and not is_data:
            continue
        if op in receivers and len(changed) > len(steps) and changed[len(steps)][0] == ".":
            continue  # which fields the method reads, the reads in its own body say
        if read.is_loop and read.kind is NUMPY and not (steps or change.is_bound):  # the loop gets the array itself
            continue
        yield op
        return


def _is_other_field(step: Step, fields: Collection[str]) -> bool:
    return step[0] == "." and step[1] not in fields


def _receivers(function: Function) -> set[Op]:
    """The objects whose methods a function calls."""
    return {inner.func.base for inner in inside(function) if type(inner) is ops.Call and type(inner.func) is ops.Attr}


def _may_be(one: object, other: object) -> bool:
    if one == other:
        return True
    both = [step for step in (one, other) if isinstance(step, tuple) and step[0] == "[]"]
    return len(both) == 2 and any(step[1] is OPEN for step in both)


def _is_new_with_its_state(read: KeptRead) -> bool:
    """Is a network applied by a function that is handed a `TrainState`, which keeps how to apply it as a static field?

    With another network comes another state, for which the function is traced anew.
    """
    layout = read.op.anchor.origin.source.layout
    node = layout.at.get(unpacked(read.op.place)) if read.op.place and read.op.anchor.field is None else None
    around = [one for one in layout.way(node) if isinstance(one, FUNCTIONS)] if node is not None else []
    if not isinstance(node, ast.Name) or not around:
        return False
    texts = _texts_read(layout, around[-1])
    handed = {argument.arg for one in around for argument in ast.walk(one.args) if isinstance(argument, ast.arg)}
    states = [name for name in handed if f"{name}.params" in texts]
    if f"{node.id}.apply" not in texts or not states:
        return False
    known = _texts_read(layout, None)
    return any(f"{name}.{method}" in known for name in states for method in ("apply_gradients", "tx"))


def _texts_read(layout: Layout, around: ast.AST | None) -> frozenset[str]:
    """The names and fields that are read in a function, and in those inside, or in the file; found once."""
    known = layout.memo.get(("texts read", around))
    if not isinstance(known, frozenset):
        inside = {id(one) for one in ast.walk(around)} if around is not None else set[int]()
        known = frozenset(text for frame, text in layout.reads if around is None or id(frame) in inside)
        layout.memo["texts read", around] = known
    return known


def _event(read: KeptRead, op: Op, change: Change, certainty: Certainty) -> StaleRead:
    """The event of a read whose value changes later."""
    holder = {"module": "the module", "lambda": "a lambda"}.get(change.function.kind, f"`{change.function.name}`")
    name = read.trace.function
    to = "" if "<lambda>" in name else f" to `{name}`"
    origin, context = change.op.anchor.origin.shown, Context(read.trace, read.chain, certainty)
    known = _known_outside(op, read.function)
    given = "it" if known is op else f"`{phrase(known)}`"
    instead = f"pass {given}{to} as an argument"
    is_field = read.taken == "in parts" and op is not read.op and asks_for(read.function, op)
    if (read.taken == "static" or is_field) and not read.is_loop:
        instead = f"pass {given}{to} as a static argument"
    elif phrase(known) == phrase(read.op) and read.taken == "in parts":
        instead = f"pass what {given} holds{to} as arguments: JAX takes no such object"
    elif read.taken == "by its state":
        instead = f"make {given} once, with `{INJECTING}`, and set what changes in its state, which is an argument"
    elif read.taken == "perhaps":
        instead += ", a static one if it holds no arrays, and its arrays alone if it is no pytree"
    return StaleRead(op, phrase(op), holder, origin, change.op.anchor.line, change.is_bound, instead, context)


def _known_outside(op: Op, function: Function) -> Op:
    """The part of what a function reads that has a value outside of it: without an index of its own."""
    found = part = op
    while type(part) is ops.Attr or type(part) is ops.Item:
        if type(part) is ops.Item and any(map(function.scope.names.__contains__, names_in(part.index))):
            found = part.base
        part = part.base
    return found
