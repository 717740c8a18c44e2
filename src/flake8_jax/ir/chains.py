"""Definition-use chains of a function: where each of its ops stands, and which reads each definition of a name reaches.

Whoever asks what stands around an op, or what becomes of a value that is bound to a name, looks it up here.  A function
is searched once, when this is first asked:

    t = time()              a definition of `t`: read by `t + 1` and, through the join, by `return t`
    s = t + 1
    if slow:
        t = 0.0             another one: read by `return t`
    return t                reads a *join* of both

The pass takes each op once, in the order of evaluation.  `reaching` maps each name to what it holds there: the
target of a store, or a `Join` of several where paths meet.  Joins keep the chains linear: a read belongs to one join
and a join to its inputs, while linking each read to each definition would take the product of both.  A loop's head
joins what holds before it with what its own body binds (known from a look at the body's targets), so that no body is
taken twice.  What an arm binds is undone at its end, by a trail, before the next arm is taken.  A handler may find any
of the definitions of its `try`.

What functions inside read is only known as a set of names (`captured`): they may run at any time.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from itertools import pairwise
from typing import Concatenate, ParamSpec, TypeAlias, TypeVar, cast

from flake8_jax.ir import ops
from flake8_jax.ir.arms import ByArm, by_arm
from flake8_jax.ir.ops import Body, Function, Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.scope import Binding
from flake8_jax.ir.walking import blocks_in, parts, targets_in, within
from flake8_jax.lazy_dataclasses import dataclass, field

SearchResult = TypeVar("SearchResult")
GroupKey = TypeVar("GroupKey")
Member = TypeVar("Member")
SearchArguments = ParamSpec("SearchArguments")
"""What a search of a function's body finds."""


@dataclass(slots=True, eq=False)
class Phi:
    """Where several definitions of a name meet; joins are numbered in the order of the pass."""

    number: int


DefinitionOrPhi: TypeAlias = "ops.Name | Phi"
Reaching: TypeAlias = "dict[Binding, DefinitionOrPhi | None]"
NOTHING: tuple[()] = ()
COMPOUND = frozenset((ops.Branch, ops.Loop, ops.Try, ops.With))
LOOPS = frozenset((ops.Loop, ops.Gather))
SPELLED = frozenset((ops.Name, ops.Attr, ops.Item))
ASKING = frozenset(("getattr", "hasattr"))
NO_JOINS = (0, 0)
LONG = 400
"""Up to how many characters texts are compared."""


@dataclass(frozen=True, slots=True)
class ReadsOf:
    """The lines where a name is read as a whole; those where a part of what it holds is read, the last first, each with
    the call of a method that the part is.
    """

    whole: frozenset[int]
    parts: list[tuple[int, Op | None]]


def searched_for(
    search: Callable[Concatenate[Chains, SearchArguments], SearchResult],
) -> Callable[Concatenate[Chains, SearchArguments], SearchResult]:
    """A search of a body for something, as for what becomes of a name: each result is kept beside the chains."""

    def look_up(chains: Chains, /, *asked: SearchArguments.args, **named: SearchArguments.kwargs) -> SearchResult:
        known, question = chains.searched, (search, asked, *named.items())
        if question not in known:
            known[question] = search(chains, *asked, **named)
        return cast("SearchResult", known[question])

    return look_up


@dataclass(eq=False)
class Chains:
    """The definition-use chains of one function, without the bodies of those inside.

    `parents` are the ops around each op that stands in another one; `names` all names by their text, in order;
    `stores` the single targets that statements bind, store to or delete, each with its statement; `methods` the calls
    of methods; `loaded` the names that are read; `inside` are the functions made in the body; `last` is the last line.
    `places` are those in what is returned to which results lead, as they are asked.
    `turning` are the numbers of the joins of each loop: from its head to its end.  `searched` is what searches of the
    body found (`searched_for`).
    """

    body: Body
    last: int
    parents: dict[Op, Op] = field(default_factory=dict)
    names: dict[str, list[ops.Name]] = field(default_factory=dict)
    stores: list[tuple[Op, Op]] = field(default_factory=list)
    methods: list[ops.Call] = field(default_factory=list)
    loaded: set[Binding] = field(default_factory=set)
    inside: Sequence[Function] = ()
    places: dict[Hashable, frozenset[int | None]] = field(default_factory=dict)
    turning: dict[Op, tuple[int, int]] = field(default_factory=dict)
    searched: dict[object, object] = field(default_factory=dict)
    _made: int = 0
    _tops: set[Op] = field(default_factory=set)
    _reads: dict[DefinitionOrPhi, list[ops.Name]] = field(default_factory=dict)
    _joins: dict[DefinitionOrPhi, list[Phi]] = field(default_factory=dict)

    @property
    def captured(self) -> frozenset[Binding]:
        """The names that functions inside read: who asks depends on what stands in these."""
        found = self._bound_around
        for one in self._bodies_apart:
            one.read  # noqa: B018
        return found

    @cached_property
    def _bound_around(self) -> frozenset[Binding]:
        return frozenset().union(*map(bindings_in, self.inside))

    @cached_property
    def _bodies_apart(self) -> tuple[Function, ...]:
        return (*{(one.anchor.origin, one.outermost): one for one in _bodies_in(self.inside)}.values(),)

    def holds(self, op: Op) -> bool:
        """Does an op stand in the body?"""
        return op in self.parents or op in self._tops

    def way_to(self, op: Op) -> list[Op]:
        """The ops from the body down to one of them, outermost first; empty if it stands elsewhere."""
        if not self.holds(op):
            return []
        way = [op]
        while (around := self.parents.get(way[-1])) is not None:
            way.append(around)
        return way[::-1]

    def dotted(self, op: Op) -> Op:
        """The longest chain of attributes that an op begins: the `a.b.c` around `a`."""
        while type(around := self.parents.get(op)) is ops.Attr:
            op = around
        return op

    def uses_of(self, definition: ops.Name, loop: Op | None = None) -> Iterator[ops.Name]:
        """The reads in the body that may find what a store binds to this name, or those that find it without leaving
        a loop, and behind it.
        """
        first, last = self.turning.get(loop, NO_JOINS) if loop is not None else (0, self._made)
        read = self._ever_read
        waiting: list[DefinitionOrPhi] = [definition]
        seen: set[DefinitionOrPhi] = {definition}
        while waiting:
            current = waiting.pop()
            yield from self._reads.get(current, NOTHING)
            for join in self._joins.get(current, NOTHING):
                if join not in seen and first <= join.number < last and join in read:
                    seen.add(join)
                    waiting.append(join)

    def reads_of(self, held: DefinitionOrPhi) -> Sequence[ops.Name]:
        """The reads that find a definition, or a join of several, without a further join."""
        return self._reads.get(held, NOTHING)

    def joins_of(self, held: DefinitionOrPhi) -> Iterator[Phi]:
        """The joins of a definition, or of a join of several, with others, as far as a read finds them."""
        return (join for join in self._joins.get(held, NOTHING) if join in self._ever_read)

    def join(self) -> Phi:
        """A new join."""
        self._made += 1
        return Phi(self._made - 1)

    @cached_property
    def _ever_read(self) -> set[DefinitionOrPhi]:
        """The definitions and joins that a read finds, by itself or through further joins."""
        before = _grouped((join, one) for one, joins in self._joins.items() for join in joins)
        found, waiting = set(self._reads), list(self._reads)
        while waiting:
            one = waiting.pop()
            for earlier in before.get(one, NOTHING) if type(one) is Phi else NOTHING:
                if earlier not in found:
                    found.add(earlier)
                    waiting.append(earlier)
        return found

    def found_by(self, read: ops.Name) -> DefinitionOrPhi | None:
        """What a read finds: the name that a store binds, or a join of several; None if none is bound before."""
        return self._found.get(read)

    @cached_property
    def _found(self) -> dict[ops.Name, DefinitionOrPhi]:
        return {each: held for held, reads in self._reads.items() for each in reads}

    def statement_of(self, target: Op) -> Op | None:
        """The statement that binds a name here, or stores to another target or deletes it."""
        return self._statements.get(target)

    @cached_property
    def _statements(self) -> dict[Op, Op]:
        return dict(self.stores)

    def statement_binding(self, read: Op | None) -> Op | None:
        """The one statement that binds what a name holds where it is read; None where several may, or for no name."""
        found = self.found_by(read) if type(read) is ops.Name else None
        return self.statement_of(found) if type(found) is ops.Name else None

    def tests_on(self, way: list[Op], below: Op | None = None) -> Iterator[Op]:
        """The tests that decide whether a way is taken to its end, those in front of an op on it left out."""
        start = 0 if below is None else next((place for place, one in enumerate(way) if one is below), 0)
        if below is None and way:  # a default of a function inside stands in no body
            yield from self._exits_before(self.body, way[0])
        for outer, inner in pairwise(way[start:]):
            yield from self._tests_between(outer, inner)

    def _tests_between(self, outer: Op, inner: Op) -> Iterator[Op]:
        match outer:
            case ops.Branch(test=test, body=body, orelse=orelse):
                if inner is not test:
                    yield test
                    yield from self._exits_before(body if inner in body else orelse, inner)
            case ops.Choose(test=test) if test is not inner:
                yield test
            case ops.Logic(operands=operands):
                yield from operands[: operands.index(inner)]
            case ops.Gather(clauses=clauses):
                yield from (test for clause in clauses for test in clause.tests if test is not inner)
            case ops.Loop(kind=kind, source=source, body=body) if inner is not source:
                if kind == "while":
                    yield source
                yield from self._exits_before(body, inner)
            case ops.Try(body=body, orelse=orelse, final=final):
                for each in (body, orelse, final):
                    yield from self._exits_before(each, inner) if inner in each else ()
            case ops.With(body=body):
                yield from self._exits_before(body, inner)

    def _exits_before(self, body: Body, op: Op) -> Iterator[Op]:
        """The tests above an op in its body that may have left it."""
        for earlier in body[: body.index(op)] if op in body else ():
            if type(earlier) in COMPOUND:
                yield from self._exits(earlier)

    @searched_for
    def _exits(self, statement: Op) -> tuple[Op, ...]:
        return tuple(_exits_in(statement))

    @searched_for
    def asked(self, op: Op) -> frozenset[str]:
        """The texts of all names, attributes and items that an expression reads, `getattr(a, "b")` as `a.b`."""
        return frozenset(_asked_in(op))

    @searched_for
    def names_in_arm(self, branch: ops.Branch, is_then: bool) -> tuple[ops.Name, ...]:
        """The first place of each name that stands in an arm of a test."""
        arm = branch.body if is_then else branch.orelse
        found = [op for statement in arm for op in within(statement) if type(op) is ops.Name]
        return (*{op.name: op for op in reversed(found)}.values(),)

    def stored_to(self, text: str) -> list[tuple[Op, Op]]:
        """The targets that are spelled like this, each with the statement that stores to it or deletes it."""
        return self._stored.get(text, [])

    @cached_property
    def _stored(self) -> dict[str, list[tuple[Op, Op]]]:
        return _grouped((phrase(target, LONG), (target, statement)) for target, statement in self.stores)

    def stored_in(self, text: str, loop: Op) -> list[tuple[Op, Op]]:
        """The targets in a loop or comprehension that are spelled like this, each with its statement."""
        return self._stored_in_loops.get((text, loop), [])

    @cached_property
    def _stored_in_loops(self) -> dict[tuple[str, Op], list[tuple[Op, Op]]]:
        return _grouped(
            ((phrase(target, LONG), loop), (target, statement))
            for target, statement in self.stores for loop in self._loops_around(statement)
        )  # fmt: skip

    def _loops_around(self, op: Op) -> list[Op]:
        return [around for around in self.way_to(op) if type(around) in LOOPS]

    @searched_for
    def stores_by_arm(self, text: str) -> ByArm:
        """The targets that are spelled like this, by the arms in which they stand."""
        return by_arm((target.place, self.way_to(statement)) for target, statement in self.stored_to(text))

    @searched_for
    def calls_by_arm(self, text: str, method: str | None = None) -> ByArm:
        """The calls of one method of what is spelled like this, or of any, by the arms in which they stand."""
        calls = [one for one in self.called_on(text) if method is None or _method_of(one) == method]
        return by_arm((one.place, self.way_to(one)) for one in calls)

    def loop_renewing(self, loops: Iterable[Op], kept: Op, renewed: Op) -> Op | None:
        """The innermost of some loops whose turns bind one name, and never another one."""
        if type(kept) is not ops.Name or type(renewed) is not ops.Name:
            return None
        for loop in reversed([*loops]):
            if self.stored_in(kept.name, loop):
                return None
            if self.stored_in(renewed.name, loop):
                return loop
        return None

    def items_of(self, name: str) -> list[tuple[ops.Item, Op]]:
        """The items of what a name holds that are stored to or deleted, each with the statement."""
        return self._items.get(name, [])

    @cached_property
    def _items(self) -> dict[str, list[tuple[ops.Item, Op]]]:
        return _grouped(
            (target.base.name, (target, statement))
            for target, statement in self.stores if type(target) is ops.Item and type(target.base) is ops.Name
        )  # fmt: skip

    def is_deleted_from(self, text: str) -> bool:
        """Is an item deleted of what is spelled like this?"""
        return text in self._deleted_from

    @cached_property
    def _deleted_from(self) -> frozenset[str]:
        deleted = [target for target, statement in self.stores if type(statement) is ops.Delete]
        return frozenset(phrase(one.base, LONG) for one in deleted if type(one) is ops.Item)

    def has_stored_fields(self, name: str) -> bool:
        """Are attributes of what a name holds stored to?"""
        return name in self._with_fields

    @cached_property
    def _with_fields(self) -> frozenset[str]:
        bases = [target.base for target, _ in self.stores if type(target) is ops.Attr]
        return frozenset(base.name for base in bases if type(base) is ops.Name)

    def called_on(self, text: str) -> list[ops.Call]:
        """The calls of methods of what is spelled like this."""
        return self._called.get(text, [])

    @cached_property
    def _called(self) -> dict[str, list[ops.Call]]:
        return _grouped((_object_of(call), call) for call in self.methods)

    def called_in(self, text: str, loop: Op) -> list[ops.Call]:
        """The calls of methods of what is spelled like this, in a loop or comprehension."""
        return self._called_in_loops.get((text, loop), [])

    @cached_property
    def _called_in_loops(self) -> dict[tuple[str, Op], list[ops.Call]]:
        return _grouped(((_object_of(call), loop), call) for call in self.methods for loop in self._loops_around(call))

    def bound_from(self, text: str) -> set[str]:
        """The names that statements bind to what asks for this."""
        return set(self._bound.get(text, NOTHING))

    @cached_property
    def _bound(self) -> dict[str, list[str]]:
        return _grouped(
            (asked, target.name)
            for target, statement in self.stores
            if type(target) is ops.Name and type(statement) is ops.Store and statement.value is not None
            for asked in self.asked(statement.value)
        )

    def made_from(self, text: str) -> list[str]:
        """The names that statements bind to what a call makes of this, other than by calling it, in their order."""
        return [*dict.fromkeys(self._made_of.get(text, NOTHING))]

    @cached_property
    def _made_of(self) -> dict[str, list[str]]:
        return _grouped(self._given_to_calls())

    def _given_to_calls(self) -> Iterator[tuple[str, str]]:
        """What calls are given whose results statements bind to names, each with the name."""
        for target, statement in self.stores:
            if type(target) is not ops.Name or type(statement) is not ops.Store:
                continue
            value = value_bound(statement, target.name)
            if type(value) is ops.Call:
                called = value.func.name if type(value.func) is ops.Name else None
                yield from ((asked, target.name) for asked in self.asked(value) - {called})

    def is_captured(self, name: ops.Name) -> bool:
        """Does a function inside read a name, at whatever time?"""
        return name.scope.lookup(name.name) in self.captured


def _grouped(pairs: Iterable[tuple[GroupKey, Member]]) -> dict[GroupKey, list[Member]]:
    found: dict[GroupKey, list[Member]] = {}
    for group, member in pairs:
        found.setdefault(group, []).append(member)
    return found


def _object_of(call: ops.Call) -> str:
    """The text of that of which a call is one of a method."""
    assert type(call.func) is ops.Attr
    return phrase(call.func.base, LONG)


def _method_of(call: ops.Call) -> str | None:
    return call.func.name if type(call.func) is ops.Attr else None


def exclusive(way: list[Op], other: list[Op]) -> bool:
    """Do two ways go through different arms of one choice, or one through an arm that leaves the body in which the
    other goes on?
    """
    parting = next((place for place, (one, another) in enumerate(zip(way, other)) if one is not another), None)
    if parting is None:
        return False
    around = way[parting - 1] if parting else None
    one, another = way[parting], other[parting]
    if around is not None and (arms := _arms_of(around)) and [one in arm for arm in arms] == [
        another not in arm for arm in arms
    ]:
        return True
    first = way if one.place < another.place else other
    is_one_body = around is None or any(one in block and another in block for block in blocks_in(around))
    inside = first[parting + 1] if parting + 1 < len(first) else None
    leaving = [arm for arm in _arms_of(first[parting]) if arm and type(arm[-1]) is ops.Leave]
    return is_one_body and any(inside in arm for arm in leaving)


def _arms_of(choice: Op) -> tuple[Body, ...]:
    match choice:
        case ops.Branch(body=body, orelse=orelse):
            return body, orelse
        case ops.Choose(body=body, orelse=orelse):
            return (body,), (orelse,)
    return ()


def excluded(way: list[Op], other: list[Op]) -> bool:
    """Do two ways go through different arms of one choice, or through a `try` and what is run where it fails?"""
    for (outer, inner), (around, inside) in zip(pairwise(way), pairwise(other), strict=False):
        if outer is around and type(outer) is ops.Try and inner is not inside:
            apart = (*outer.orelse, *outer.final)
            return (inner in outer.body) is not (inside in outer.body) and inner not in apart and inside not in apart
    return exclusive(way, other)


def value_bound(statement: ops.Store, name: str) -> Op | None:
    """What an assignment binds a name to, as it is written, also one of several names at once: `a, b = x[i], x[j]`."""
    value = statement.value
    for target in statement.targets:
        if type(target) is ops.Name and target.name == name:
            return value
        if type(target) is not ops.Unpack or type(value) is not ops.Build or value.kind not in ("tuple", "list"):
            continue
        is_starred = any(type(part) is ops.Star for part in (*target.parts, *value.parts))
        if is_starred or len(target.parts) != len(value.parts):
            continue
        for part, given in zip(target.parts, value.parts, strict=True):
            if type(part) is ops.Name and part.name == name:
                return given
    return None


def chains_of(function: Function) -> Chains:
    """The chains of a function, made once."""
    function.read  # noqa: B018
    return chains_told(function)


def chains_told(function: Function) -> Chains:
    """The chains of a function, for a search of which the function tells others the result (`summaries/told.py`)."""
    read = function.inner
    if isinstance(read.chains, Chains):
        return read.chains
    chains = Chains(read.ops, function.anchor.line, inside=read.functions)
    _Pass(chains).body(read.ops)
    read.chains = chains
    return chains


def searched_once(search: Callable[[Function], SearchResult]) -> Callable[[Function], SearchResult]:
    """A search of a function's own body, of which the result is kept beside the chains: who asks it at each call of the
    function looks it up, and depends on what stands there.
    """
    return partial(_look_up, search, chains_of)


def searched_and_told(search: Callable[[Function], SearchResult]) -> Callable[[Function], SearchResult]:
    """A search that needs nothing but the ops of the function, of which the function tells others the result: who asks
    depends on that alone.
    """
    TOLD[f"{search.__module__}.{search.__qualname__}"] = partial(_look_up, search, chains_told)
    return partial(_look_up, search, _chains_told_of)


TOLD: dict[str, Callable[[Function], object]] = {}
"""The searches of which functions tell the results, each of which `repr` tells apart (`summaries/told.py`)."""


def _look_up(
    search: Callable[[Function], SearchResult], chains_asked: Callable[[Function], Chains], function: Function
) -> SearchResult:
    known = chains_asked(function).searched
    if search not in known:
        known[search] = search(function)
    return cast("SearchResult", known[search])


def _chains_told_of(function: Function) -> Chains:
    function.note_told()
    return chains_told(function)


def forget_chains(function: Function) -> None:
    """Let go the chains of a function and of those inside, and what was found out beside them; they are made again when
    they are asked for.
    """
    function.inner.chains = function.signature = None
    for inner in function.inner.functions:
        forget_chains(inner)


def reads_in_all(function: Function, name: str) -> ReadsOf:
    """Where a name stands in a function and in those inside, other than to store into it."""
    return _reads_in_all(chains_of(function), function, name)


@searched_for
def _reads_in_all(own: Chains, function: Function, name: str) -> ReadsOf:
    whole: set[int] = set()
    parts: list[tuple[int, Op | None]] = []
    for chains, one in _named(function, name):
        part = chains.parents.get(one)
        if not (type(part) is ops.Attr or type(part) is ops.Item) or part.base is not one:
            whole.add(one.anchor.line)
        elif own.statement_of(part) is None:
            call = chains.parents.get(part)
            parts.append((one.anchor.line, call if type(call) is ops.Call and call.func is part else None))
    parts.sort(key=lambda each: -each[0])
    return ReadsOf(frozenset(whole), parts)


def is_left_alone(function: Function, name: str) -> bool:
    """Does a name stand nowhere in a function and in those inside, but where it is deleted or stored to?"""
    return all(type(chains.parents.get(one)) is ops.Delete for chains, one in _named(function, name))


def _named(function: Function, name: str) -> Iterator[tuple[Chains, ops.Name]]:
    """The places where a name stands in a function and in those inside, each with the chains there."""
    chains = chains_of(function)
    for one in chains.names.get(name, ()):
        yield chains, one
    for inner in function.functions:
        yield from _named(inner, name)


def bindings_in(function: Function) -> frozenset[Binding]:
    """All that is looked up in the body of a function, in those inside, and for its defaults."""
    chains = chains_of(function)
    found = {one.scope.lookup(one.name) for each in chains.names.values() for one in each}
    for parameter in function.parameters:
        for inner in within(parameter.default) if parameter.default is not None else ():
            if type(inner) is ops.Name:
                found.add(inner.scope.lookup(inner.name))
    return chains.captured.union(found)


def _bodies_in(functions: Iterable[Function]) -> Iterator[Function]:
    """Some functions, and the methods of classes among them; those in one `def` are asked for together."""
    for function in functions:
        if function.kind == "class":
            yield from _bodies_in(function.inner.functions)
        else:
            yield function


def _exits_in(statement: Op) -> Iterator[Op]:
    """The tests in a statement after which it may leave the body around it."""
    for inner in within(statement):
        if type(inner) is ops.Branch and any(type(one) is ops.Leave for one in within(inner)):
            yield inner.test


def _asked_in(op: Op) -> Iterator[str]:
    for inner in within(op):
        if type(inner) in SPELLED:
            yield phrase(inner, LONG)
        elif (
            type(inner) is ops.Call
            and type(inner.func) is ops.Name
            and inner.func.name in ASKING
            and len(inner.args) > 1
        ):
            name = inner.args[1].value if type(inner.args[1]) is ops.Const else None
            if isinstance(name, str):
                yield f"{phrase(inner.args[0], LONG)}.{name}"


@dataclass(slots=True)
class _LoopHeads:
    """The heads of a loop's names, and what these hold where it is left by `break`."""

    heads: dict[Binding, Phi]
    breaks: list[Reaching] = field(default_factory=list)


@dataclass(slots=True)
class _Pass:
    """The pass over a body: what names hold now, what they held before (`trail`), and whether a path arrives."""

    chains: Chains
    reaching: Reaching = field(default_factory=dict)
    trail: list[tuple[Binding, DefinitionOrPhi | None]] = field(default_factory=list)
    turns: list[_LoopHeads] = field(default_factory=list)
    arrives: bool = True

    def body(self, body: Body, around: Op | None = None) -> None:
        """Take the ops of a body."""
        for op in body:
            if around is None:
                self.chains._tops.add(op)
            self.visit(op, around)

    def visit(self, op: Op, around: Op | None) -> None:
        """Take an op."""
        chains = self.chains
        if around is not None:
            chains.parents.setdefault(op, around)
        if op.anchor.line > chains.last:
            chains.last = op.anchor.line
        if type(op) is ops.Call and type(op.func) is ops.Attr:
            chains.methods.append(op)
        visitor = VISITORS.get(type(op))
        if visitor is not None:
            visitor(self, op)
        else:
            for part in parts(op):
                self.visit(part, op)

    def all(self, several: Iterable[Op | None], around: Op) -> None:
        """Take the parts of an op."""
        for op in several:
            if op is not None:
                self.visit(op, around)

    def target(self, target: Op, statement: Op, around: Op) -> None:
        """Take a target: a name is defined, what an attribute or item belongs to is read."""
        if type(target) is ops.Name:
            self.chains.parents.setdefault(target, around)
            self.chains.names.setdefault(target.name, []).append(target)
            self.chains.stores.append((target, statement))
            self.set(target.scope.lookup(target.name), target)
        elif type(target) is ops.Unpack:
            self.chains.parents.setdefault(target, around)
            for part in target.parts:
                self.target(part, statement, target)
        elif type(target) is ops.Star:
            self.chains.parents.setdefault(target, around)
            self.target(target.value, statement, target)
        else:
            self.chains.stores.append((target, statement))
            self.visit(target, around)

    def read(self, op: Op) -> None:
        """Link a name to what it holds."""
        assert type(op) is ops.Name
        binding = op.scope.lookup(op.name)
        self.chains.names.setdefault(op.name, []).append(op)
        self.chains.loaded.add(binding)
        found = self.reaching.get(binding)
        if found is not None:
            self.chains._reads.setdefault(found, []).append(op)

    def set(self, binding: Binding, held: DefinitionOrPhi | None) -> None:
        """Bind a name, and note what it held before."""
        self.trail.append((binding, self.reaching.get(binding)))
        self.reaching[binding] = held

    def undone(self, mark: int) -> Reaching:
        """Undo what was bound since the trail had this length; returns what the names held."""
        held: Reaching = {binding: self.reaching[binding] for binding, _ in self.trail[mark:]}
        while len(self.trail) > mark:
            binding, before = self.trail.pop()
            self.reaching[binding] = before
        return held

    def join(self, binding: Binding, several: Iterable[DefinitionOrPhi | None]) -> None:
        """Bind a name to all of several definitions."""
        different = dict.fromkeys(one for one in several if one is not None)
        if len(different) < 2:
            self.set(binding, next(iter(different), None))
            return
        join = self.chains.join()
        for one in different:
            self.chains._joins.setdefault(one, []).append(join)
        self.set(binding, join)

    def arms(self, arms: Iterable[Callable[[], None]]) -> None:
        """Take arms of which one runs, and join what they bind."""
        arrived, ends = self.arrives, []
        for arm in arms:
            mark, self.arrives = len(self.trail), arrived
            arm()
            ends.append((self.undone(mark), self.arrives))
        self.join_paths([held for held, arrives in ends if arrives])
        self.arrives = any(arrives for _, arrives in ends)

    def join_paths(self, ends: list[Reaching]) -> None:
        """Join what paths bind that meet here."""
        for binding in dict.fromkeys(binding for held in ends for binding in held):
            now = self.reaching.get(binding)
            self.join(binding, [held.get(binding, now) for held in ends])


def _store(walk: _Pass, op: Op) -> None:
    assert type(op) is ops.Store
    walk.all((op.value, op.annotation), op)
    if op.value is not None:
        for target in op.targets:
            walk.target(target, op, op)
    else:
        walk.all((target for target in op.targets if type(target) is not ops.Name), op)


def _class(walk: _Pass, op: Op) -> None:
    assert type(op) is ops.MakeClass
    walk.all((*op.bases, *(value for _, value in op.keywords)), op)


def _delete(walk: _Pass, op: Op) -> None:
    assert type(op) is ops.Delete
    for target in op.targets:
        walk.target(target, op, op)


def _branch(walk: _Pass, op: Op) -> None:
    assert type(op) is ops.Branch
    walk.visit(op.test, op)
    walk.arms((lambda: walk.body(op.body, op), lambda: walk.body(op.orelse, op)))


def _choose(walk: _Pass, op: Op) -> None:
    assert type(op) is ops.Choose
    walk.visit(op.test, op)
    walk.arms((lambda: walk.visit(op.body, op), lambda: walk.visit(op.orelse, op)))


def _loop(walk: _Pass, op: Op) -> None:
    assert type(op) is ops.Loop
    if op.target is not None:
        walk.visit(op.source, op)
    first = walk.chains._made
    heads = {binding: walk.chains.join() for binding in dict.fromkeys(_bound_in(op))}
    for binding, head in heads.items():
        _link(walk, binding, head)
        walk.set(binding, head)
    walk.turns.append(_LoopHeads(heads))
    arrived, mark = walk.arrives, len(walk.trail)
    if op.target is not None:
        walk.target(op.target, op, op)
    else:
        walk.visit(op.source, op)
    walk.body(op.body, op)
    if walk.arrives:
        _turn(walk)
    walk.undone(mark)
    walk.chains.turning[op] = first, walk.chains._made
    walk.arrives = arrived
    breaks = walk.turns.pop().breaks
    walk.body(op.orelse, op)
    if breaks:
        ends = [{binding: walk.reaching[binding] for binding in heads}, *breaks]
        walk.join_paths(ends if walk.arrives else breaks)
        walk.arrives = True


def _turn(walk: _Pass) -> None:
    """The next iteration begins: its head finds what holds now."""
    for binding, head in walk.turns[-1].heads.items():
        _link(walk, binding, head)


def _link(walk: _Pass, binding: Binding, join: Phi) -> None:
    held = walk.reaching.get(binding)
    if held is not None and held is not join:
        walk.chains._joins.setdefault(held, []).append(join)


def _bound_in(op: Op) -> Iterator[Binding]:
    """The names that are bound in a loop."""
    for inner in within(op):
        targets: Iterable[Op | None] = ()
        match inner:
            case ops.Store(targets=several) | ops.Delete(targets=several):
                targets = several
            case ops.Loop(target=only) | ops.With(target=only):
                targets = (only,)
            case ops.Try(handlers=handlers):
                targets = [handler.name for handler in handlers]
            case ops.Matches(pattern=pattern):
                targets = list(_captures(pattern))
        for target in targets:
            yield from bindings_of(target)


def bindings_of(target: Op | None) -> Iterator[Binding]:
    """The names that a target binds."""
    return (one.scope.lookup(one.name) for one in targets_in(target) if type(one) is ops.Name)


def _captures(pattern: ops.Pattern) -> Iterator[ops.Name]:
    if pattern.capture is not None:
        yield pattern.capture
    for part in pattern.parts:
        yield from _captures(part)


def _try(walk: _Pass, op: Op) -> None:
    assert type(op) is ops.Try
    arrived, mark = walk.arrives, len(walk.trail)
    walk.body(op.body, op)
    met: dict[Binding, list[DefinitionOrPhi | None]] = {}
    for binding, before in walk.trail[mark:]:
        met.setdefault(binding, []).append(before)
    for binding, several in met.items():
        several.append(walk.reaching[binding])
    walk.body(op.orelse, op)
    ends = [(walk.undone(mark), walk.arrives)]
    for handler in op.handlers:
        walk.arrives = arrived
        _raised(walk, met)
        if handler.catches is not None:
            walk.visit(handler.catches, op)
        if handler.name is not None:
            walk.target(handler.name, op, op)
        walk.body(handler.body, op)
        ends.append((walk.undone(mark), walk.arrives))
    if op.final and not op.handlers:
        _raised(walk, met)
        ends.append((walk.undone(mark), arrived))
    walk.join_paths([held for held, arrives in ends if arrives])
    walk.arrives = any(arrives for _, arrives in ends)
    walk.body(op.final, op)


def _raised(walk: _Pass, met: dict[Binding, list[DefinitionOrPhi | None]]) -> None:
    """An error may come before or after each store of the body."""
    for binding, several in met.items():
        walk.join(binding, several)


def _with(walk: _Pass, op: Op) -> None:
    assert type(op) is ops.With
    walk.visit(op.manager, op)
    if op.target is not None:
        walk.target(op.target, op, op)
    walk.body(op.body, op)


def _leave(walk: _Pass, op: Op) -> None:
    assert type(op) is ops.Leave
    walk.all((op.value, op.cause), op)
    if walk.turns and walk.arrives:
        if op.kind == "break":
            walk.turns[-1].breaks.append({binding: walk.reaching[binding] for binding in walk.turns[-1].heads})
        elif op.kind == "continue":
            _turn(walk)
    walk.arrives = False


def _gather(walk: _Pass, op: Op) -> None:
    assert type(op) is ops.Gather
    for clause in op.clauses:
        walk.visit(clause.source, op)
        walk.target(clause.target, op, op)
        walk.all(clause.tests, op)
    walk.all(op.element, op)


def _matches(walk: _Pass, op: Op) -> None:
    assert type(op) is ops.Matches
    walk.visit(op.subject, op)
    _pattern(walk, op.pattern, op)


def _pattern(walk: _Pass, pattern: ops.Pattern, around: Op) -> None:
    walk.all(pattern.value, around)
    for part in pattern.parts:
        _pattern(walk, part, around)
    if pattern.capture is not None:
        walk.target(pattern.capture, around, around)


VISITORS: dict[type[Op], Callable[[_Pass, Op], None]] = {
    ops.Name: _Pass.read, ops.Store: _store, ops.Delete: _delete, ops.Branch: _branch, ops.Choose: _choose,
    ops.MakeClass: _class, ops.Loop: _loop, ops.Try: _try, ops.With: _with,
    ops.Leave: _leave, ops.Gather: _gather, ops.Matches: _matches,
}  # fmt: skip
