"""What happens in which order: is something traced, changed after that, and the traced function called again?

step(x)             traced
SCALE = 3.0         changed
step(x)             called again: the old value

The statements of a body are followed in order, loops twice, calls of functions of the project in their place.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from flake8_jax.analysis.modules.changes import Change, holder_text
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Body, Function, Op
from flake8_jax.ir.walking import parts
from flake8_jax.lazy_dataclasses import dataclass, field, replace

MAXIMUM_DEPTH = 8
CLEARING = frozenset(("clear_cache", "clear_caches"))


@dataclass(frozen=True, slots=True)
class Moment:
    """The state of a walk along a body: whether a trace exists, and what has changed since."""

    is_traced: bool = False
    changed: Change | None = None


START, AFTER = Moment(), Moment(is_traced=True)


@dataclass(frozen=True, slots=True)
class TimelineOps:
    """The ops that a timeline looks at: calls of the traced function, changes of what it reads, and ops that remake it.

    `of_subject` tells whether a call or change is one of the object at issue, by the text of that in the function.
    `inside` are the functions that are traced themselves; `callees` gives the functions that a call may run, of those
    in which something happens, each with the name that it has there for the object at issue.  What is `known` of
    expressions was found before.  `where` are the ops in which any of it happens, and those that may leave a body;
    `binding` gives those that may bind another object to the text of the one at issue.  No other op matters.  `makers`
    are the functions that make the traced one in each call, so that there is no trace of it when they begin.
    """

    calls: Collection[Op]
    changes: dict[Op, Change]
    births: Collection[Op]
    of_subject: Callable[[Op, str], bool]
    inside: Collection[Function]
    callees: Callable[[ops.Call, Function, str], list[tuple[Function, str]]]
    known: dict[Op, tuple[Op, ...]]
    where: tuple[Collection[Op], Collection[Op]]
    binding: Callable[[str], Collection[Op]]
    makers: Collection[Function]

    def steps_of(self, op: Op) -> tuple[Op, ...]:
        """The calls and closures in an expression, in the order in which they are evaluated."""
        found = self.known.get(op)
        if found is None:
            found = self.known[op] = tuple(_steps(op))
        return found


@dataclass(slots=True)
class Timeline:
    """One walk along the statements of a body.

    `subject` is the text of the object at issue in the function that is walked, if its fields are.  `stale` is the
    first change that came between two calls.
    """

    happenings: TimelineOps
    subject: str = ""
    function: Function | None = None
    stale: Change | None = None
    returned: list[Moment | None] = field(default_factory=list)
    left: list[Moment | None] = field(default_factory=list)
    running: list[Function] = field(default_factory=list)

    def run(self, function: Function, subject: str, moment: Moment) -> Moment | None:
        """The moment when a function returns; None if it never does."""
        held = self.subject, self.function, self.returned, self.left
        self.subject, self.function, self.returned, self.left = subject, function, [], []
        self.running.append(function)
        found = self._body(function.body, START if function in self.happenings.makers else moment)
        for one in self.returned:
            found = join(found, one)
        self.running.pop()
        self.subject, self.function, self.returned, self.left = held
        return found

    def _body(self, body: Body, moment: Moment | None) -> Moment | None:
        happening, leaving = self.happenings.where
        binding = self.happenings.binding(self.subject) if self.subject else ()
        for op in body:
            if moment is None:
                return None
            if op in happening or op in leaving or op in binding:
                moment = self._statement(op, moment)
        return moment

    def _statement(self, op: Op, moment: Moment) -> Moment | None:
        match op:
            case ops.Branch(test=test, body=body, orelse=orelse):
                moment = self._expression(test, moment)
                return join(self._body(body, moment), self._body(orelse, moment))
            case ops.Loop():
                return self._loop(op, moment)
            case ops.Try(body=body, handlers=handlers, orelse=orelse, final=final):
                after = self._body(body, moment)
                caught = join(moment, after)
                found = self._body(orelse, after)
                for handler in handlers:
                    found = join(found, self._body(handler.body, caught))
                return self._body(final, found)
            case ops.With(manager=manager, body=body):
                return self._body(body, self._change(op, self._expression(manager, moment)))
            case ops.Leave(kind=kind, value=value):
                if value is not None:
                    moment = self._expression(value, moment)
                if kind == "return":
                    self.returned.append(moment)
                elif kind != "raise":
                    self.left.append(moment)
                return None
            case ops.Store(value=value):
                return self._store(op, self._expression(value, moment) if value is not None else moment)
        return self._change(op, self._expression(op, moment))

    def _loop(self, op: ops.Loop, moment: Moment) -> Moment | None:
        held, self.left = self.left, []
        now: Moment | None = self._expression(op.source, moment)
        ended = now
        for _ in range(2):
            if now is not None:
                now = self._body(op.body, self._change(op, now))
            for one in self.left:
                now = join(now, one)
            ended, self.left = join(ended, now), []
        self.left = held
        return self._body(op.orelse, ended)

    def _store(self, op: ops.Store, moment: Moment) -> Moment:
        if self.subject and any(holder_text(target) == self.subject for target in op.targets):
            return START  # another object
        return self._change(op, moment)

    def _change(self, op: Op, moment: Moment) -> Moment:
        change = self.happenings.changes.get(op)
        if change is None or not moment.is_traced or not self.happenings.of_subject(op, self.subject):
            return moment
        return replace(moment, changed=change)

    def _expression(self, op: Op, moment: Moment) -> Moment:
        for step in self.happenings.steps_of(op):
            if step in self.happenings.births:
                moment = START
            if type(step) is ops.Call:
                moment = self._call(step, moment)
        return moment

    def _call(self, op: ops.Call, moment: Moment) -> Moment:
        if op in self.happenings.calls and self.happenings.of_subject(op, self.subject):
            if moment.changed is not None and self.stale is None:
                self.stale = moment.changed
            return replace(moment, is_traced=True)
        func = op.func
        if type(func) is ops.Attr and func.name in CLEARING:
            return START
        assert self.function is not None
        for function, subject in self.happenings.callees(op, self.function, self.subject):
            if function in self.happenings.inside or function in self.running or len(self.running) > MAXIMUM_DEPTH:
                continue
            moment = self.run(function, subject, moment) or moment
        return self._change(op, moment)


def _steps(op: Op) -> Iterator[Op]:
    for part in parts(op):
        yield from _steps(part)
    if type(op) is ops.Call or type(op) is ops.Closure:
        yield op


def join(first: Moment | None, second: Moment | None) -> Moment | None:
    """What may have happened on either of two paths."""
    if first is None or second is None or first == second:
        return first or second
    return Moment(first.is_traced or second.is_traced, first.changed or second.changed)
