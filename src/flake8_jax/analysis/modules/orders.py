"""Order: does a change come between two calls of a traced function?

A file's own statements are followed in order, and each function as if it were called; functions that they call in turn.
The methods of a class may be called in any order, but for constructors and what prepares an object.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator
from typing import TYPE_CHECKING

from flake8_jax.analysis.checks.effects.frozen_reads import KeptRead
from flake8_jax.analysis.modules.changes import Change, CodeOfFiles, holder_text
from flake8_jax.analysis.modules.timeline import AFTER, CLEARING, START, Moment, Timeline, TimelineOps
from flake8_jax.analysis.objects.classes import CONSTRUCTORS, ancestry
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of, searched_once
from flake8_jax.ir.ops import Function, Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.walking import within
from flake8_jax.lazy_dataclasses import dataclass, field, replace
from flake8_jax.syntax.policies import PREPARING_METHOD, WHOLE_RUN_METHOD

if TYPE_CHECKING:
    from flake8_jax.analysis.modules.files import File


@dataclass(slots=True, eq=False)
class CallOrder:
    """What happens to one variable or field: the calls of the traced function, the changes, and what makes it anew.

    `names` are those that the traced function is bound to, none if it may have others; `makers` are the functions that
    make it anew in each call, and keep it nowhere else.
    It `is_likely` only, where nobody is seen to call the methods of the class that trace and change.
    """

    read: KeptRead
    files: list[File]
    code: CodeOfFiles
    calls: set[Op]
    births: set[Op]
    changes: dict[Op, Change]
    traced: set[Function]
    known: dict[Op, tuple[Op, ...]]
    names: frozenset[str] = frozenset()
    makers: Collection[Function] = ()
    relevant: set[Function] = field(default_factory=set)
    happening: set[Op] = field(default_factory=set)
    is_likely: bool = False

    def stale(self) -> Change | None:
        """The first change after which the trace is used again: of one that is seen to be, before one that may."""
        self._find_relevant()
        subjects = self._subjects()
        for subject in subjects if self.calls else ():
            found = self._in_bodies(subject)
            if found is not None:
                return found
        likely: Change | None = None
        for subject in subjects if not self.read.is_of_one else ():
            self.is_likely = False
            found = self._by_methods(subject)
            if found is not None and not self.is_likely:
                return found
            likely = likely or found
        self.is_likely = likely is not None
        return likely

    def _find_relevant(self) -> None:
        """The functions in which something happens, directly or by what they call, and the ops where it does."""
        for op in self.calls | self.births:
            holding = self.code.holding.get(op, ())
            self.relevant.update(one for one in holding if type(op) is ops.Call or one.kind == "def")
        self.relevant.update(change.function for change in self.changes.values())
        waiting, asked = list(self.relevant), set()
        while waiting:
            name = waiting.pop().name
            if name not in asked:
                asked.add(name)
                callers = [one for one in self.code.calling(name) if one not in self.relevant]
                self.relevant.update(callers)
                waiting += callers
        calls = [call for name in asked.union(CLEARING) for call in self.code.calls.get(name, ())]
        for one in (*self.calls, *self.births, *calls):
            self.happening.update(self.code.around(one))
        for change in self.changes.values():
            self.happening.update(chains_of(change.function).way_to(change.op))

    def _subjects(self) -> list[str]:
        """The texts of the objects at issue: of those changed, and of those whose methods are called."""
        if self.read.is_of_one:
            return [""]
        changed = {change.holder(self.read.field) for change in self.changes.values()}
        bases = (op.func.base for op in self.calls if type(op) is ops.Call and type(op.func) is ops.Attr)
        return sorted(changed.union(map(holder_text, bases)))

    def _walk(self) -> Timeline:
        return Timeline(
            TimelineOps(
                self.calls, self.changes, self.births, self._of_subject, self.traced, self._callees, self.known,
                (self.happening, self.code.leaving), lambda text: self.code.rebinding_of(text).around, self.makers,
            )
        )  # fmt: skip

    def _of_subject(self, op: Op, subject: str) -> bool:
        """Is a call one that uses the trace for an object, or a change one of its fields?"""
        if self.read.is_of_one:
            return True
        if op in self.changes:
            return self.changes[op].holder(self.read.field) == subject
        func = op.func if type(op) is ops.Call else None
        base = holder_text(func.base) if type(func) is ops.Attr else ""
        return base == subject or subject.startswith(f"{base}.") or self.read.holder == subject

    def _callees(self, op: ops.Call, function: Function, subject: str) -> list[tuple[Function, str]]:
        """The functions that a call runs, each with the name of the object there."""
        func = op.func
        if type(func) is ops.Name:
            owner = func.scope.lookup(func.name).owner
            found = [one for one in self.code.named.get(func.name, ()) if one not in self.code.classes]
            if owner is None or len(found) != 1 or found[0] not in self.relevant:
                return []
            if self._is_given_another(op, found[0]):
                return []
            inner = _as_argument(op, found[0], subject, 0)
            return [(found[0], inner)] if inner or not subject else []
        if type(func) is not ops.Attr:
            return []
        found = [one for one in self.code.named.get(func.name, ()) if one in self.relevant]
        base, mine = holder_text(func.base), self.code.classes.get(function)
        if mine is not None and function.parameters and base == function.parameters[0].name:
            own = [one for one in found if self.code.classes.get(one) is mine]
            found = own or found
        if len(found) != 1:
            return []
        (method,) = found
        if not subject:
            return [(method, "")]
        if method not in self.code.classes or not method.parameters:
            inner = _as_argument(op, method, subject, 0)
        elif base == subject or subject.startswith(f"{base}."):
            inner = method.parameters[0].name + subject[len(base) :]
        else:
            inner = _as_argument(op, method, subject, 1)
        return [(method, inner)] if inner else []

    def _is_given_another(self, op: ops.Call, function: Function) -> bool:
        """Is a function that calls what it is given, as the traced one, given something of another name here?"""
        calls = [call for call in self.calls if function in self.code.holding.get(call, ())] if self.names else []
        names = [parameter.name for parameter in function.parameters]
        for call in calls:
            func = call.func if type(call) is ops.Call else None
            if type(func) is not ops.Name or func.name not in names:
                return False
            place = names.index(func.name)
            by_name = next((value for name, value in op.keywords if name == func.name), None)
            given = by_name or (op.args[place] if place < len(op.args) else None)
            if type(given) is not ops.Name or given.name in self.names:
                return False
        return bool(calls)

    def _in_bodies(self, subject: str) -> Change | None:
        for file in self.files:
            walk, moment = self._walk(), START
            for top in self._relevant_tops(file, subject):
                moment = walk.run(top, subject, moment) or moment
            if walk.stale is not None:
                return walk.stale
        for function in self._entries():
            walk = self._walk()
            moment = walk.run(function, subject, START) or START
            if walk.stale is not None:
                return walk.stale
            if moment.changed is None or not self._goes_on(function, moment.changed):
                continue
            if self._uses_old(function, subject, moment):
                return moment.changed
        return None

    def _entries(self) -> Iterator[Function]:
        for function in self.code.in_order(self.relevant):
            if function not in self.traced and function.kind not in ("class", "module"):
                yield function

    def _relevant_tops(self, file: File, subject: str) -> list[Function]:
        """The statements of a file in which something happens, or that bind another object to the text of a subject."""
        found = self.relevant | self.code.rebinding_of(subject).functions if subject else self.relevant
        tops = [one for one in found if one.kind == "module" and one.anchor.origin.path == file.path]
        return self.code.in_order(tops)

    def _goes_on(self, function: Function, change: Change) -> bool:
        """Does a function that uses the trace advance a global, so that its next call uses an old value?"""
        binding = self.read.binding
        if binding is None or binding.owner is None or binding.owner.kind != "module":
            return False
        value = change.op.value if type(change.op) is ops.Store else None
        advances = value is not None and any(type(op) is ops.Name and op.name == binding.name for op in within(value))
        return advances and function.kind == "def" and change.function.kind == "def"

    def _by_methods(self, subject: str) -> Change | None:
        """The change of a method that may be called between two methods that use the trace."""
        for owner in dict.fromkeys(self.code.classes.get(one.function) for one in self.changes.values()):
            methods = self._family(owner, subject) if owner is not None else []
            tracing = [one for one in methods if self._ends(one, subject, START).is_traced]
            if not tracing and (owner is None or not self._is_offered(owner)):
                continue
            once = self._run_once(methods)
            for method in methods:
                moments = [self._ends(method, subject, START)]
                if method not in once and not WHOLE_RUN_METHOD.match(method.name):
                    moments.append(self._ends(method, subject, AFTER))
                for moment in moments:
                    change = moment.changed
                    if change is None or not self._may_come_between(method, change, tracing):
                        continue
                    others = [one for one in tracing if not self._is_one_run(method, one)]
                    if not tracing or any(self._uses_old(one, subject, moment) for one in others):
                        self.is_likely = not tracing
                        return change
        return None

    def _may_come_between(self, method: Function, change: Change, tracing: list[Function]) -> bool:
        """May a method that changes something be called between two that use the trace?

        What stores what its caller hands in, and no more, prepares an object as well: that is seen where it is called.
        """
        if not tracing:
            return _takes_value(method, change)
        is_handed = _takes_value(method, change) or _takes_value(change.function, change)
        return method in tracing or not is_handed or self._is_called_between(method, tracing)

    def _is_called_between(self, method: Function, tracing: list[Function]) -> bool:
        """Does a body call a method of an object between two that use the trace, or in a loop with one?"""
        lines, loops = dict[Hashable, list[int]](), dict[Hashable, set[Op]]()
        changing = self.code.calls.get(method.name, ())
        using = [
            (call, self._place(call))
            for name in {one.name for one in tracing} for call in self.code.calls.get(name, ())
        ]  # fmt: skip
        if any(one.name == "__call__" for one in tracing):
            objects = {holder_text(call.func.base) for call in changing if type(call.func) is ops.Attr}
            names = {text.rpartition(".")[2] for text in objects}
            called = (call for name in names for call in self.code.calls.get(name, ()))
            using += [(call, self._body_of(call, call.func)) for call in called]
        for call, place in using:
            lines.setdefault(place, []).append(call.anchor.line)
            loops.setdefault(place, set()).update(self._loops_around(call))
        for call in changing:
            place, line = self._place(call), call.anchor.line
            used = lines.get(place, ())
            if used and (min(used) < line < max(used) or not loops[place].isdisjoint(self._loops_around(call))):
                return True
        return False

    def _place(self, call: ops.Call) -> Hashable:
        """The body in which a method is called, and the text of the object."""
        return self._body_of(call, call.func.base if type(call.func) is ops.Attr else call.func)

    def _body_of(self, call: ops.Call, used: Op) -> Hashable:
        """The body in which an object is called, and its text."""
        function = self.code.holding[call][0]
        return function.anchor.origin.path if function.kind == "module" else function, holder_text(used)

    def _loops_around(self, call: ops.Call) -> Iterator[Op]:
        return (one for one in self.code.around(call) if type(one) is ops.Loop)

    def _is_one_run(self, method: Function, other: Function) -> bool:
        """Are two methods, which take no data, one run of all of the work, of which one starts the other?"""
        if not all(WHOLE_RUN_METHOD.match(one.name) and len(one.parameters) == 1 for one in (method, other)):
            return False
        return method is other or method in self.code.calling(other.name) or other in self.code.calling(method.name)

    def _uses_old(self, function: Function, subject: str, moment: Moment) -> bool:
        """Does a function call the traced function again after it changed something that the trace has read?"""
        walk = self._walk()
        walk.run(function, subject, moment)
        return walk.stale is not None

    def _is_offered(self, owner: Function) -> bool:
        """Is the traced function a method that users of the class call themselves?"""
        name = self.read.trace.function
        known = {ancestor.function for ancestor in ancestry(self.read.owner)} if self.read.owner is not None else set()
        alike = self.code.named.get(name, ())
        return (
            owner in known
            and not name.startswith("_")
            and any(one in self.code.classes and self.code.classes[one] in known for one in alike)
        )

    def _ends(self, method: Function, subject: str, moment: Moment) -> Moment:
        """The end of a method; a change after which it uses the trace itself is still one."""
        walk = self._walk()
        found = walk.run(method, subject, moment) or moment
        return found if walk.stale is None else replace(found, changed=walk.stale)

    def _family(self, owner: Function, subject: str) -> list[Function]:
        """The methods of a class, and of the classes that the object may be of, in which something happens."""
        known = [ancestor.function for ancestor in ancestry(self.read.owner)] if self.read.owner is not None else []
        family = {owner, *known} if owner in known else {owner}
        return [
            method for method in self.code.in_order(self.relevant)
            if self.code.classes.get(method) in family and method.name not in CONSTRUCTORS
            and method not in self.traced and _is_of(method, subject)
        ]  # fmt: skip

    def _run_once(self, methods: list[Function]) -> set[Function]:
        """The methods that prepare an object, and those that only these, constructors and overriding ones call."""
        once = {one for one in methods if PREPARING_METHOD.match(one.name) or _is_special(one)}
        for method in methods:
            callers = [one for one in self.code.calling(method.name) if one in self.code.classes]
            if (
                method.name.startswith("_")
                and callers
                and all(
                    caller in once or caller.name in CONSTRUCTORS or caller.name == method.name for caller in callers
                )
            ):
                once.add(method)
        return once


def _is_of(method: Function, subject: str) -> bool:
    """Is the object the receiver of a method, or held by it?"""
    root = subject.partition(".")[0]
    return bool(method.parameters) and method.parameters[0].name == root


def _takes_value(method: Function, change: Change) -> bool:
    """Does a method store what its caller hands in, or what it makes of that?"""
    value = change.op.value if type(change.op) is ops.Store else None
    return value is not None and _reads(value, _handed_in(method))


@searched_once
def _handed_in(method: Function) -> frozenset[str]:
    """The parameters of a method, and the names and fields to which it binds what it makes of them."""
    found = {parameter.name for parameter in method.parameters[1:]}
    for target, statement in chains_of(method).stores:
        if type(statement) is ops.Store and statement.value is not None and _reads(statement.value, found):
            found.add(phrase(target))
    return frozenset(found)


def _reads(value: Op, texts: Collection[str]) -> bool:
    return any(type(op) in (ops.Name, ops.Attr) and phrase(op) in texts for op in within(value))


def _is_special(method: Function) -> bool:
    return method.name.startswith("__") and method.name.endswith("__") and method.name != "__call__"


def _as_argument(op: ops.Call, callee: Function, subject: str, skipped: int) -> str:
    """The name that an object has in a function that is called with it, or that sees the same variable."""
    if not subject:
        return ""
    parameters = callee.parameters[skipped:]
    for argument, parameter in zip(op.args, parameters, strict=False):
        if holder_text(argument) == subject:
            return parameter.name
    for name, argument in op.keywords:
        if name is not None and holder_text(argument) == subject:
            return name
    root = subject.partition(".")[0]
    seen = callee.scope.lookup(root)
    return subject if seen.owner is not None and seen.owner.kind == "module" else ""
