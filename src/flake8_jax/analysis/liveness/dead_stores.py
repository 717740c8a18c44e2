"""Dead stores: the statements of a function that bind local names which no path looks up afterwards.

    def add_bias(x):
        y = x            looked up below
        x *= 2           looked up by a dead store only
        x += 1           nobody looks up `x` from here on
        return y

Sets of live names are carried backwards through the body; a loop is turned until they grow no more.  Whatever is hard
to follow keeps a name alive: a nested function that reads it, `del`, `global`, `locals()`, a handler.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from flake8_jax.ir import ops
from flake8_jax.ir.ops import Body, Function, Op
from flake8_jax.ir.scope import Scope
from flake8_jax.ir.walking import functions_in, targets_in, within
from flake8_jax.lazy_dataclasses import dataclass, field

NamesRead: TypeAlias = "frozenset[str]"
NONE: NamesRead = frozenset()
LOOKING_AT_ALL = frozenset(("locals", "vars", "eval", "exec", "dir"))


@dataclass(slots=True)
class DeadStores:
    """What is known of the names that a body binds.

    `live` are the names looked up after each store of it that is dead; `binders` are all ops that bind a name: stores,
    loops and others.  The stores in `fed` are looked up, if only by other dead ones.
    """

    live: dict[Op, NamesRead] = field(default_factory=dict)
    binders: dict[str, list[Op]] = field(default_factory=dict)

    fed: frozenset[Op] = frozenset()

    def is_followed(self, op: Op, name: str) -> bool:
        """Is it looked up by another dead update of the name?"""
        return op in self.fed and any(one is not op and one in self.live for one in self.binders[name])


def dead_stores(function: Function) -> DeadStores:
    """The stores of a body to names of its own that nobody reads."""
    walk, plain = _Walk(function.scope), _Walk(function.scope, is_plain=True)
    walk.kept = plain.kept = walk.own(_inside(function))
    walk.body(function.body, NONE)
    if not walk.others.isdisjoint(LOOKING_AT_ALL):
        return DeadStores()
    if walk.found.live:
        plain.body(function.body, NONE)
        walk.found.fed = frozenset(walk.found.live.keys() - plain.found.live.keys())
    return walk.found


@dataclass(slots=True)
class _Walk:
    """Names that are always live, those that a handler may read, and those live after `break` and `continue`.

    A walk that `is_plain` counts what dead updates read.
    """

    scope: Scope
    is_plain: bool = False
    kept: NamesRead = NONE
    rescued: NamesRead = NONE
    leaves: NamesRead = NONE
    turns: NamesRead = NONE
    others: set[str] = field(default_factory=set)
    found: DeadStores = field(default_factory=DeadStores)

    def own(self, names: Iterable[ops.Name]) -> NamesRead:
        """Those of some names that belong to the function; the others are noted."""
        found: set[str] = set()
        for name in names:
            (found if name.scope.lookup(name.name).owner is self.scope else self.others).add(name.name)
        return frozenset(found)

    def body(self, body: Body, live: NamesRead) -> NamesRead:
        """The names that are live before some ops, from those after them."""
        for op in reversed(body):
            live = self._op(op, live)
        return live

    def _op(self, op: Op, live: NamesRead) -> NamesRead:
        match op:
            case ops.Store():
                return self._store(op, live)
            case ops.Branch():
                return self._reads(op.test) | self.body(op.body, live) | self.body(op.orelse, live)
            case ops.Loop():
                return self._loop(op, live)
            case ops.With():
                self._bind(op.target, op)
                return self.body(op.body, live) | self._reads(op.manager, op.target)
            case ops.Try():
                return self._try(op, live)
            case ops.Leave():
                after = {"break": self.leaves, "continue": self.turns}.get(op.kind, NONE)
                return after | self._reads(op.value, op.cause)
        return live | self._reads(op)

    def _store(self, op: ops.Store, live: NamesRead) -> NamesRead:
        bound = [name for target in op.targets for name in self._bind(target, op)]
        if op.value is None:
            return live | self._reads(*op.targets)
        if not all(type(target) is ops.Name for target in op.targets):
            into = (one for target in op.targets for one in targets_in(target) if type(one) is not ops.Name)
            return live.difference(bound) | self._reads(*into, op.value)
        is_dead = bool(bound) and live.union(self.kept, self.rescued).isdisjoint(bound)
        if not is_dead:
            self.found.live.pop(op, None)
            return live.difference(bound) | self._reads(op.value)
        self.found.live[op] = live | self.kept | self.rescued
        if self.is_plain:
            return live.difference(bound) | self._reads(op.value)
        read = op.value.operands[1] if type(op.value) is ops.Operate and is_update(op) else op.value
        return live.difference(bound) | self._reads(read)

    def _loop(self, op: ops.Loop, live: NamesRead) -> NamesRead:
        bound = self._bind(op.target, op)
        around = self.leaves, self.turns
        grown = self.body(op.orelse, live) | (self._reads(op.source) if op.target is None else NONE)
        known: NamesRead | None = None
        while grown != known:
            known = grown
            self.leaves, self.turns = live, known
            grown = known | (self.body(op.body, known) - bound)
        self.leaves, self.turns = around
        return grown | self._reads(op.source)

    def _try(self, op: ops.Try, live: NamesRead) -> NamesRead:
        after = self.body(op.final, live)
        handled = NONE
        for handler in op.handlers:
            self._bind(handler.name, op)
            handled |= self.body(handler.body, after) | self._reads(handler.catches)
        outside = self.rescued
        self.rescued |= handled | after
        before = self.body(op.body, self.body(op.orelse, after) | handled)
        self.rescued = outside
        return before | handled

    def _bind(self, target: Op | None, by: Op) -> NamesRead:
        """Note the names that a target binds."""
        bound = self.own(bound_names(target))
        for name in bound:
            binders = self.found.binders.setdefault(name, [])
            if by not in binders:
                binders.append(by)
        return bound

    def _reads(self, *read: Op | None) -> NamesRead:
        return self.own(_names(*read))


def _names(*read: Op | None) -> Iterator[ops.Name]:
    """The names in some ops, without those in the bodies of inner functions."""
    return (one for op in read if op is not None for one in within(op) if type(one) is ops.Name)


def is_update(op: Op) -> bool:
    """Is it an augmented assignment?"""
    return type(op) is ops.Store and op.kind == "augment"


def bound_names(target: Op | None) -> Iterator[ops.Name]:
    """The names that a target binds."""
    return (one for one in targets_in(target) if type(one) is ops.Name)


def operands(body: Body) -> Iterator[Op]:
    """The operands of operators in a body, and the values that it stores, without those of inner functions."""
    for one in (inner for op in body for inner in within(op)):
        if isinstance(one, (ops.Operate, ops.Compare)):
            yield from one.operands
        elif isinstance(one, ops.Store) and one.value is not None and type(one.targets[0]) is ops.Item:
            yield one.value


def _inside(function: Function) -> Iterator[ops.Name]:
    """The names in the nested functions and classes."""
    for inner in functions_in(function):
        given = (one for parameter in inner.parameters for one in (parameter.default, parameter.annotation))
        yield from _names(*inner.body, *given)
