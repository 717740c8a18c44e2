"""Remedies for keys that are used more than once: splits of a key, written where its first use stands.

    a = normal(key)         key, sub = split(key)           for x in xs:            for x in xs:
    b = normal(key)         a = normal(sub)                     f(x, key)               key, sub = split(key)
                            b = normal(key)                                             f(x, sub)

All uses of a key between two bindings of it are repaired at once, so that what is said at one of them also holds for
the others.  A key that cannot be bound where it is read (a global, an item) gives a new key to each use.
"""

from __future__ import annotations

import ast
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import takewhile
from operator import itemgetter
from typing import TypeAlias

from flake8_jax.analysis.checks.instead import SEVERAL, can_bind
from flake8_jax.analysis.checks.keys.keeping import keeps_by_name
from flake8_jax.analysis.checks.keys.optional_keys import functions_by_name, may_be_none
from flake8_jax.analysis.checks.naming import imported_as
from flake8_jax.analysis.frame import Frame, names_copy
from flake8_jax.analysis.isolation import ADVICE, advising
from flake8_jax.domain.resources import KeySite
from flake8_jax.ir.ops import Op
from flake8_jax.ir.rewrite import Rewrite
from flake8_jax.ir.scope import Scope
from flake8_jax.lazy_dataclasses import dataclass, field
from flake8_jax.lazy_patterns import compiled
from flake8_jax.model.diagnostic import Edit, Remedy, Span
from flake8_jax.syntax.layout import CAPTURING, FUNCTIONS, GATHERING, LOOPS, Block, Layout, NodePlace, begin, end
from flake8_jax.syntax.positions import unpacked

MOST = 8
"""How many uses of a key are told apart."""

MOST_READ = 40
"""How many reads of a key are looked at."""

SINGLE = 3
"""How many new keys get a name each."""

NAMES = ("sub", "subkey", "new_key")
MANY = ("keys", "subkeys", "new_keys")
LONGEST = 30
"""How long a count may be."""

BEFORE = compiled(r"before line (\d+)")
"""Where words say that a key is to be split."""

BARS = ("tqdm", "track", "progress_bar")
"""What shows how far a loop is, and goes through what it is given."""

NO_KEYS = {1: "(None,)", 2: "(None, None)"}
"""What stands for new keys where there is none."""

Passage: TypeAlias = "tuple[NodePlace, NodePlace]"
"""Between which places the reads stand that a binding reaches."""


@dataclass(slots=True, eq=False)
class SplitPlan:
    """The changes that repair a key: the new statements with their lines, what each read becomes, which are left."""

    edits: list[Edit] = field(default_factory=list)
    written: list[tuple[int, str]] = field(default_factory=list)
    clauses: list[tuple[int, str, ast.AST]] = field(default_factory=list)
    gathered: set[ast.AST] = field(default_factory=set)
    reads: dict[ast.expr, str] = field(default_factory=dict)
    left: list[ast.expr] = field(default_factory=list)


@dataclass(frozen=True, slots=True, eq=False)
class SplitWriter:
    """Writes the splits of a key of a function."""

    layout: Layout
    frame: ast.AST
    key: str
    spelled: tuple[str, str]
    is_bindable: bool
    taken: set[str] = field(default_factory=set)
    plan: SplitPlan = field(default_factory=SplitPlan)

    def name(self, wanted: tuple[str, ...] = NAMES) -> str:
        """A name that is free."""
        found = self.layout.free(self.frame, wanted, self.taken)
        self.taken.add(found)
        return found

    def write(self, reads: list[ast.expr], below: ast.AST, is_fresh_after: bool) -> bool:
        """Give each of some reads a key of its own; is that possible?

        `below` is the loop or function that they stand in.
        """
        loops: dict[ast.AST, list[ast.expr]] = {}
        straight: list[ast.expr] = []
        for read in reads:
            around = self.layout.loops(read, below)
            if around:
                loops.setdefault(around[0], []).append(read)
            else:
                straight.append(read)
        is_fresh_after |= bool(loops) and (not straight or begin(straight[-1]) < max(map(begin, loops)))
        if straight and not self._straight(straight, below, is_fresh_after):
            return False
        return all(self._loop(loop, inside) for loop, inside in loops.items())

    def _straight(self, reads: list[ast.expr], below: ast.AST, is_fresh_after: bool) -> bool:
        numbers = self._numbers(reads)
        many = max(numbers) + 1
        first = self._in_block(reads[0], self._common(reads, below))
        if first is None:
            return False
        count = many if is_fresh_after or (many > 1 and not self.is_bindable) else many - 1
        names = self._split(first, reads[0], count) if count else []
        return names is not None and all(
            self._give(read, names[number] if number < count else self.key) for read, number in zip(reads, numbers)
        )

    def _split(self, before: ast.stmt, first: ast.expr, count: int) -> list[str] | None:
        """Split the key in front of a statement with its first read; what the new keys are called, besides its name."""
        split, size = self.spelled[0], count + self.is_bindable
        if count > SINGLE:
            array = self.name(MANY)
            names = [f"{array}[{number}]" for number in range(count)]
            bound = f"{self.key}, *{array}" if self.is_bindable else array
        else:
            names = [self.name() for _ in range(count)]
            bound = ", ".join([self.key, *names] if self.is_bindable else names) + "," * (size == 1)
        given = f", {size}" if size != 2 else ""
        text = f"{split}({self.key}{given})"
        if self._may_be_none(before, first):
            text += f" if {self.key} is not None else {NO_KEYS.get(size) or f'(None,) * {size}'}"
        return names if self._insert(before, f"{bound} = {text}") else None

    def _loop(self, loop: ast.AST, reads: list[ast.expr]) -> bool:
        if not isinstance(loop, LOOPS):
            return False
        if self.is_bindable:
            is_bound = loop in _reads(self.layout, self.frame, self.key).binding
            return self.write(reads, loop, is_fresh_after=not is_bound)
        if not isinstance(loop, ast.stmt) or self._may_be_none(loop, reads[0]):
            return False
        counters = [_counter(one) for one in (loop, *self.layout.loops(reads[0], loop))]
        if not all(counters) or len(reads) > 1:
            return self._turns(loop, reads)
        text = self.key
        for counter in counters:
            text = f"{self.spelled[1]}({text}, {counter})"
        return self._give(reads[0], text)

    def _may_be_none(self, before: ast.stmt, first: ast.expr) -> bool:
        return may_be_none(self.layout, self.frame, self.key, before, first, self.spelled[0])

    def _turns(self, loop: ast.AST, reads: list[ast.expr]) -> bool:
        """Split a key that cannot be bound into one for each turn of a loop, which is used up there."""
        if not isinstance(loop, ast.For) or any(read in ast.walk(loop.iter) for read in reads):
            return False
        name = self.name()
        clause = self._clause(loop.target, loop.iter, self.key, name)
        if not clause:
            return False
        begins, ends = self.layout.span(loop.target), self.layout.span(loop.iter)
        self.plan.edits.append(Edit(Span(begins.line, begins.column, ends.end_line, ends.end_column), clause))
        self.plan.clauses.append((begins.line, f"for {clause}", loop))
        inside = SplitWriter(self.layout, self.frame, name, self.spelled, True, self.taken, self.plan)
        if not inside.write(reads, loop, is_fresh_after=False):
            return False
        renamed = [read for read in reads if read not in self.plan.reads]
        self.plan.edits += [self.layout.replaced(read, name) for read in renamed]
        self.plan.reads |= dict.fromkeys(renamed, name)
        return True

    def _clause(self, target: ast.expr, source: ast.expr, key: str, name: str) -> str:
        """The target and the source of a loop or comprehension that also gets a key for each turn; "" if unknown."""
        size, text, bound = _size(self.layout, source), self.layout.text(source), self.layout.text(target)
        if not size or "\n" in text or "\n" in bound:
            return ""
        keys = f"{self.spelled[0]}({key}, {size})"
        if isinstance(target, ast.Tuple) and not bound.startswith("("):
            bound = f"({bound})"
        return f"{name} in {keys}" if bound == "_" else f"{bound}, {name} in zip({text}, {keys})"

    def _numbers(self, reads: list[ast.expr]) -> list[int]:
        """The number of the new key for each read; those of which only one can happen share one, and copies do."""
        arms = [_arms(self.layout, read) for read in reads]
        found: list[int] = []
        for place, own in enumerate(arms):
            call = self._copying(reads[place])
            alike = [
                found[i] for i in range(place)
                if (call and self._call_around(reads[i]) == call) or self._is_derived(reads[i], reads[place])
            ]  # fmt: skip
            if alike:
                found.append(alike[-1])
                continue
            before = [found[i] for i in range(place) if not _exclude(arms[i], own)]
            found.append(max(before, default=-1) + 1)
        return found

    def _calling(self, read: ast.expr) -> ast.Call | None:
        """The call that a read is an argument of."""
        call = next((one for one in self.layout.way(read) if isinstance(one, (ast.Call, ast.stmt))), None)
        return call if isinstance(call, ast.Call) else None

    def _call_around(self, read: ast.expr) -> str:
        """The text of the call that a read is an argument of."""
        call = self._calling(read)
        return self.layout.text(call) if call is not None else ""

    def _is_derived(self, one: ast.expr, other: ast.expr) -> bool:
        """Is a call made once more in a lambda that is differentiated, with its parameters in the place of arguments?

        value = loss(w, x, key)
        grads = jax.grad(lambda w: loss(w, x, key))(w)
        """
        first, second = self._calling(one), self._calling(other)
        inner = next((each for each in self.layout.way(other) if isinstance(each, (ast.Lambda, ast.stmt))), None)
        if first is None or second is None or not isinstance(inner, ast.Lambda) or not self._is_sloped(inner):
            return False
        own, parts, again = {each.arg for each in inner.args.args}, self._parts(first), self._parts(second)
        return len(parts) == len(again) and all(text in own or text == before for before, text in zip(parts, again))

    def _parts(self, call: ast.Call) -> list[str]:
        """The texts of a function and its arguments."""
        values = [self.layout.text(each) for each in (call.func, *call.args)]
        return values + [f"{each.arg}={self.layout.text(each.value)}" for each in call.keywords]

    def _is_sloped(self, function: ast.Lambda) -> bool:
        """Does a derivative get a lambda, by itself or by the name that it is bound to?"""
        around = self.layout.parents.get(function)
        target = around.targets[0] if isinstance(around, ast.Assign) else None
        reads = self.layout.reads.get((self.frame, target.id), []) if isinstance(target, ast.Name) else []
        calls = [self.layout.parents.get(each) for each in (function, *reads[:MOST])]
        return any(isinstance(each, ast.Call) and self.layout.text(each.func).endswith("grad") for each in calls)

    def _copying(self, read: ast.expr) -> str:
        """That text, if what the call makes is bound to a name that says that it is a copy: `target = init(key)`."""
        statement = self.layout.statement(read)
        target = statement.targets[0] if isinstance(statement, ast.Assign) and len(statement.targets) == 1 else None
        name = target.id if isinstance(target, ast.Name) else target.attr if isinstance(target, ast.Attribute) else ""
        return self._call_around(read) if names_copy(name) else ""

    def _common(self, reads: list[ast.expr], below: ast.AST) -> Block | None:
        """The innermost block that all reads stand in."""
        shared: list[Block] | None = None
        for read in reads:
            blocks = [
                self.layout.blocks[one]
                for one in self.layout.way(read)
                if isinstance(one, ast.stmt) and one in self.layout.blocks and one is not below
            ]
            shared = blocks if shared is None else [block for block in shared if block in blocks]
        return shared[0] if shared else None

    def _in_block(self, read: ast.expr, block: Block | None) -> ast.stmt | None:
        """The statement of a block that a read stands in."""
        for one in self.layout.way(read):
            if isinstance(one, ast.stmt) and self.layout.blocks.get(one) == block:
                return None if self.layout.is_elif(one) else one
        return None

    def _insert(self, statement: ast.stmt, text: str) -> bool:
        edit = self.layout.inserted(statement, text)
        if edit is not None:
            self.plan.edits.append(edit)
            self.plan.written.append((edit.span.line, text))
        return edit is not None

    def _give(self, read: ast.expr, text: str) -> bool:
        """Write another key in the place of one; in a comprehension, one for each element."""
        around = takewhile(lambda one: not isinstance(one, ast.stmt), self.layout.way(read))
        gathering = [one for one in around if isinstance(one, GATHERING)]
        if gathering:
            return self._give_each(read, list[ast.AST](gathering[::-1]), text)
        if text != self.key:
            self.plan.edits.append(self.layout.replaced(read, text))
            self.plan.reads[read] = text
        else:
            self.plan.left.append(read)
        return True

    def _give_each(self, read: ast.expr, gatherings: list[ast.AST], key: str) -> bool:
        """Split a key into one for each element of comprehensions, of which the first holds the others."""
        generators = [(one, each) for one in gatherings for each in getattr(one, "generators", ())]
        way = list(self.layout.way(read))
        once = generators[0][1].iter
        if len(gatherings) == 1 and any(one is once for one in way):
            return key == self.key
        is_asked = any(one is each for one in way for _, each in generators)  # it stands in a source or a test
        names = {node.id for node in ast.walk(read) if isinstance(node, ast.Name)}
        binds = any(getattr(node, "id", "") in names for _, each in generators for node in ast.walk(each.target))
        is_done = any(one in self.plan.gathered for one in gatherings)
        if is_asked or binds or is_done or any(each.is_async for _, each in generators):
            return False
        self.plan.gathered.update(gatherings)
        statement = self.layout.statement(gatherings[0])
        if key == self.key and (statement is None or self._may_be_none(statement, read)):
            return False
        for gathering, each in generators:
            name = self.name()
            clause = self._clause(each.target, each.iter, key, name)
            if not clause or not name:
                return False
            begins, ends = self.layout.span(each.target), self.layout.span(each.iter)
            self.plan.edits.append(Edit(Span(begins.line, begins.column, ends.end_line, ends.end_column), clause))
            self.plan.clauses.append((begins.line, f"for {clause}", gathering))
            key = name
        self.plan.edits.append(self.layout.replaced(read, key))
        self.plan.reads[read] = key
        return True


def _size(layout: Layout, source: ast.expr) -> str:
    """How many elements an expression has, as code."""
    source = _shown(source)
    is_part = isinstance(source, ast.Subscript) and isinstance(source.slice, ast.Slice)
    if isinstance(source, (ast.Name, ast.Attribute)) or is_part:
        return f"len({layout.text(source)})"
    if isinstance(source, (ast.List, ast.Tuple)) and not any(
        isinstance(element, ast.Starred) for element in source.elts
    ):
        return str(len(source.elts))
    if not isinstance(source, ast.Call) or source.keywords or not source.args[:1]:
        is_view = isinstance(source, ast.Call) and isinstance(source.func, ast.Attribute)
        is_view = is_view and source.func.attr in ("items", "keys", "values")  # type: ignore[attr-defined]
        return f"len({layout.text(source.func.value)})" if is_view else ""  # type: ignore[attr-defined]
    called = source.func.id if isinstance(source.func, ast.Name) else ""
    if called == "range":
        counted = f"len({layout.text(source)})"
        return layout.text(source.args[0]) if len(source.args) == 1 else counted if len(counted) <= LONGEST else ""
    if called == "zip":
        sizes = [_size(layout, argument) for argument in source.args]
        return sizes[0] if all(sizes) else ""
    return _size(layout, source.args[0]) if called in ("enumerate", "reversed", "sorted") else ""


def _arms(layout: Layout, read: ast.AST) -> dict[ast.AST, str]:
    """The tests around a read, and the arm of each that it stands in."""
    arms: dict[ast.AST, str] = {}
    for node in layout.way(read):
        around = layout.parents.get(node)
        if isinstance(node, ast.stmt) and isinstance(around, ast.If):
            arms[around] = layout.blocks[node].name
        elif isinstance(around, ast.match_case) and node is not around.guard:
            arms[layout.parents[around]] = str(begin(around.pattern))
        elif isinstance(around, ast.IfExp) and node is not around.test:
            arms[around] = "body" if node is around.body else "orelse"
    return arms


def _exclude(one: dict[ast.AST, str], other: dict[ast.AST, str]) -> bool:
    return any(other.get(test, arm) != arm for test, arm in one.items())


def _counter(loop: ast.AST) -> str:
    """The name that counts the turns of a loop."""
    source = _shown(loop.iter) if isinstance(loop, ast.For) else None
    if not isinstance(loop, ast.For) or not isinstance(source, ast.Call) or not isinstance(source.func, ast.Name):
        return ""
    target = loop.target.elts[0] if isinstance(loop.target, ast.Tuple) and loop.target.elts else loop.target
    counting = ("range", "trange") if target is loop.target else ("enumerate",)
    return target.id if isinstance(target, ast.Name) and source.func.id in counting else ""


def _shown(source: ast.expr) -> ast.expr:
    """What a bar of progress goes through: `range(n)` of `tqdm(range(n))`."""
    func = source.func if isinstance(source, ast.Call) and source.args else None
    name = func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
    return source.args[0] if isinstance(source, ast.Call) and name in BARS else source


def site_of(frame: Frame, op: Op, key: str, goes_on: bool = False) -> KeySite:
    """The use of a key by an op of a function."""
    is_bindable = can_bind(frame, key)
    is_kept = is_bindable and not key.isidentifier()  # an object keeps what is bound to its field
    return KeySite(op, frame.function.scope, is_bindable, goes_on or is_kept)


def counted_site(frame: Frame, op: Op) -> KeySite:
    """The use of a key in a body whose first argument counts its turns."""
    return KeySite(op, frame.function.scope, is_bindable=False, is_counted=True)


def mapped_site(frame: Frame, op: Op) -> KeySite:
    """The use of a key in a function that is mapped over the leaves of trees."""
    return KeySite(op, frame.function.scope, is_bindable=False, is_mapped=True)


def lanes_site(frame: Frame, op: Op) -> KeySite:
    """The use of a key that each batch element gets: for it only words are known."""
    return KeySite(op, frame.function.scope, is_bindable=False, is_of_lanes=True)


def remedy(site: KeySite | None, rewrite: Rewrite | None, words: str) -> Remedy:
    """What to write instead at the use of a key: what its fix writes, a split, or only words."""
    if rewrite is not None:
        return Remedy(f"use `{rewrite.changes[0].text}` here", words)
    if site is not None and (site.is_counted or site.is_of_lanes) and (line := _first_elsewhere(site)):
        first = min(line, site.op.anchor.line)
        split_off = f"before line {first} split off a key for this, since line {line} uses it, too"
        return Remedy("", f"{split_off}: {_of_that(site, words)}")
    found = _remedy(site) if site is not None else None
    if site is not None and (line := _first_use(site)):
        words = BEFORE.sub(lambda said: f"before line {min(line, int(said[1]))}", words, 1)
    if site is not None and words.startswith("split it ") and (key := _of_element(site)):
        split = imported_as(site.scope, "jax.random.split")
        words = f"write the comprehension as a loop, and split `{key}` in that, with `{split}`, into a key for each use"
    if site is not None and _is_optional_at(site):
        words += ", where it is not None"
    return Remedy(found.code, words, found.edits) if found is not None else Remedy("", words)


def _of_that(site: KeySite, words: str) -> str:
    """What is made of a key that is split off for a loop or for lanes."""
    if site.is_counted:
        return f"fold the counter into that, with `{imported_as(site.scope, 'jax.random.fold_in')}`"
    return words.replace("split it before", "split that", 1)


@advising(ADVICE, "")
def _of_element(site: KeySite) -> str:
    """The text of a key that each element of a comprehension has, if a name in it is bound there; else ""."""
    layout = site.op.anchor.origin.source.layout
    read = layout.at.get(unpacked(site.op.place)) if site.op.place and site.op.anchor.field is None else None
    if not isinstance(read, (ast.Attribute, ast.Subscript)):
        return ""
    around = takewhile(lambda one: not isinstance(one, ast.stmt), layout.way(read))
    targets = [each.target for one in around for each in getattr(one, "generators", ())]
    bound = {node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)}
    asked = {node.id for node in ast.walk(read) if isinstance(node, ast.Name)}
    return layout.text(read) if bound & asked else ""


@advising(ADVICE, 0)
def _first_use(site: KeySite) -> int:
    """The line of the statement that uses a key up first, since it was bound; 0 if that is not known."""
    layout = site.op.anchor.origin.source.layout
    read = layout.at.get(unpacked(site.op.place)) if site.op.place and site.op.anchor.field is None else None
    if not isinstance(read, (ast.Name, ast.Attribute, ast.Subscript)):
        return 0
    uses = _reads(layout, layout.frame(read), layout.text(read))
    first, here = _region(uses, begin(read))[0], begin(read)
    inside = uses.reads[bisect_left(uses.places, first) : bisect_left(uses.places, here)][:MOST_READ]
    statements = (layout.statement(one) for one in inside if _uses_up(layout, one))
    return next((one.lineno for one in statements if one is not None), 0)


@advising(ADVICE, 0)
def _first_elsewhere(site: KeySite) -> int:
    """The line where the function that has a key uses it up, too, before the next binding of it; 0 if it does not."""
    layout = site.op.anchor.origin.source.layout
    read = layout.at.get(unpacked(site.op.place)) if site.op.place and site.op.anchor.field is None else None
    if not isinstance(read, (ast.Name, ast.Attribute, ast.Subscript)):
        return 0
    key, within = layout.text(read), layout.frame(read)
    if any(isinstance(one, ast.Lambda) and _has_parameter(one, key) for one in layout.way(read)):
        return 0
    owner, statement = within, layout.statement(read)
    while (owner, key) not in layout.stores and not _has_parameter(owner, key) and not isinstance(owner, ast.Module):
        statement = owner if isinstance(owner, ast.stmt) else statement
        owner = layout.frame(owner)
    uses = _reads(layout, owner, key)
    first, last = _region(uses, begin(statement) if statement is not None else begin(read))
    inside = uses.reads[bisect_left(uses.places, first) : bisect_left(uses.places, last)][:MOST_READ]
    around = set(layout.way(read))
    others = [one for one in inside if one is not read and _uses_up(layout, one)]
    others = [one for one in others if layout.parents[one] not in around and not _exclude_each(layout, one, read)]
    return min((one.lineno for one in others), default=0)


def _exclude_each(layout: Layout, one: ast.expr, other: ast.expr) -> bool:
    return _exclude(_arms(layout, one), _arms(layout, other))


def _has_parameter(frame: ast.AST, name: str) -> bool:
    if not isinstance(frame, (*FUNCTIONS, ast.Lambda)):
        return False
    return any(one.arg == name for one in (*frame.args.posonlyargs, *frame.args.args, *frame.args.kwonlyargs))


@advising(ADVICE, False)
def _is_optional_at(site: KeySite) -> bool:
    """May the key be None where it is used, or where it is used before, since it was bound?"""
    if not site.op.place or site.op.anchor.field is not None or site.scope is None:
        return False
    layout = site.op.anchor.origin.source.layout
    read = layout.at.get(unpacked(site.op.place))
    if read is None or not isinstance(read, (ast.Name, ast.Attribute, ast.Subscript)):
        return False
    split, frame, key = imported_as(site.scope, "jax.random.split"), layout.frame(read), layout.text(read)
    uses, here = _reads(layout, frame, key), begin(read)
    first, _ = _region(uses, here)
    earlier = uses.reads[bisect_left(uses.places, first) : bisect_left(uses.places, here)][:MOST_READ]
    using = [one for one in earlier if _uses_up(layout, one)]
    return any(
        may_be_none(layout, frame, key, where, one, split)
        for one in (read, *using) if (where := layout.statement(one)) is not None
    )  # fmt: skip


@advising(ADVICE, None)
def _remedy(site: KeySite) -> Remedy | None:
    """The remedy for a use of a key; None where no code for it is known."""
    op = site.op
    if not op.place or op.anchor.field is not None or site.scope is None:
        return None
    layout = op.anchor.origin.source.layout
    read = layout.at.get(unpacked(op.place))
    names = imported_as(site.scope, "jax.random.split"), imported_as(site.scope, "jax.random.fold_in")
    if read is None or not isinstance(read, (ast.Name, ast.Attribute, ast.Subscript)):
        return None
    if site.scope.lookup(names[0].partition(".")[0]).owner is None:
        return None
    key, frame = layout.text(read), layout.frame(read)
    if site.is_of_lanes:
        return None
    if site.is_counted:
        return _folded(layout, read, f"{names[1]}({key}, {{}})")
    if site.is_mapped:
        return _of_leaves(layout, read, site.scope, names[0])
    around = takewhile(lambda one: one is not frame, layout.way(read))
    if "\n" in key or key.endswith(SEVERAL) or any(isinstance(one, CAPTURING) for one in around):
        return None
    bounds = _region(_reads(layout, frame, key), begin(read))
    if site.is_bindable and (bound := _bound_anew(layout, frame, read, key)) is not None:
        return bound
    asked = "plan", frame, key, bounds, site.goes_on, site.is_bindable
    if asked not in layout.memo:
        layout.memo[asked] = _plan(layout, frame, key, bounds, names, site)
    plan = layout.memo[asked]
    return _said(plan, layout, read) if isinstance(plan, SplitPlan) and plan.edits else None


def _bound_anew(layout: Layout, frame: ast.AST, read: ast.expr, key: str) -> Remedy | None:
    """A split of a key in a loop, of which one part alone is taken: the other takes the name of the key.

    sub = split(key)[1]         key, sub = split(key)
    """
    call = layout.parents[read]
    if not isinstance(call, ast.Call) or len(call.args) + len(call.keywords) != 1 or call.args != [read]:
        return None
    part = layout.parents[call]
    statement = layout.parents[part]
    is_part = isinstance(part, ast.Subscript) and isinstance(part.slice, ast.Constant) and part.slice.value in (0, 1)
    if not is_part or not layout.text(call.func).endswith("split") or not isinstance(statement, ast.Assign):
        return None
    loops, (target, *more) = layout.loops(read, frame), statement.targets
    first, last = (begin(loops[0]), end(loops[0])) if loops else ((0, 0), (0, 0))
    reads = layout.reads.get((frame, key), ())
    others = len(reads) > MOST_READ or any(one is not read and first <= begin(one) < last for one in reads)
    if not loops or others or more or not isinstance(target, (ast.Name, ast.Attribute)) or layout.text(target) == key:
        return None
    text = f"{key}, {layout.text(target)} = {layout.text(call)}"
    return Remedy(f"use `{text}`", "", (layout.replaced(statement, text),)) if len(text) <= LONGEST * 2 else None


def _folded(layout: Layout, read: ast.expr, pattern: str) -> Remedy | None:
    """A key into which the first argument of the function around is folded."""
    for around in layout.way(read):
        if isinstance(around, (ast.FunctionDef, ast.Lambda)):
            counters = [*around.args.posonlyargs, *around.args.args]
            text = pattern.format(counters[0].arg) if counters else ""
            return Remedy(f"pass `{text}`", "", (layout.replaced(read, text),)) if text else None
    return None


def _of_leaves(layout: Layout, read: ast.expr, scope: Scope, split: str) -> Remedy | None:
    """One key for each leaf of a tree over which a lambda is mapped, as a tree beside it."""
    function = next((one for one in layout.way(read) if isinstance(one, ast.Lambda)), None)
    call = layout.parents.get(function) if function is not None else None
    statement, key = layout.statement(read), layout.text(read)
    if function is None or not isinstance(call, ast.Call) or call.args[:1] != [function] or statement is None:
        return None
    if call.keywords:
        return None  # what a leaf is may be said there
    tree, parameters = call.args[1] if len(call.args) > 1 else None, function.args
    is_plain = parameters.args and not (parameters.vararg or parameters.kwonlyargs or parameters.defaults)
    alike = [node for node in ast.walk(function) if isinstance(node, ast.expr) and ast.dump(node) == ast.dump(read)]
    is_alone = len(alike) == 1 and not any(isinstance(one, (*GATHERING, ast.Lambda)) for one in layout.way(call))
    names = [imported_as(scope, f"jax.tree.{one}") for one in ("unflatten", "structure", "leaves")]
    is_known = all(scope.lookup(name.partition(".")[0]).owner is not None for name in names)
    if not (is_plain and is_alone and is_known and isinstance(tree, (ast.Name, ast.Attribute, ast.Subscript))):
        return None
    frame, taken, text = layout.frame(read), set[str](), layout.text(tree)
    sub = layout.free(frame, NAMES, taken)
    keys = layout.free(frame, MANY, {sub})
    written = f"{keys} = {names[0]}({names[1]}({text}), {split}({key}, len({names[2]}({text}))))"
    before, last, trees = layout.inserted(statement, written), parameters.args[-1], call.args[-1]
    if before is None or not sub or not keys or isinstance(trees, ast.Starred) or "\n" in text:
        return None
    edits = (
        before, _behind(layout.span(last), f", {sub}"), layout.replaced(read, sub),
        _behind(layout.span(trees), f", {keys}"),
    )  # fmt: skip
    said = f"before line {before.span.line} write `{written}`, and map `lambda ..., {sub}:` over `{keys}`, too"
    return Remedy(said, "", edits)


def _behind(place: Span, text: str) -> Edit:
    return Edit(Span(place.end_line, place.end_column, place.end_line, place.end_column), text)


@advising(ADVICE, Remedy("", ""))
def with_the_counter(op: Op, scope: Scope | None, words: str) -> Remedy:
    """A derivation in a loop, with the number of the iteration as its data."""
    layout = op.anchor.origin.source.layout
    call = layout.at.get(unpacked(op.place)) if op.place and op.anchor.field is None else None
    if isinstance(call, (ast.Name, ast.Attribute, ast.Subscript)):
        found = _remedy(KeySite(op, scope, is_bindable=False))
        return Remedy(found.code, words, found.edits) if found is not None else Remedy("", words)
    if not isinstance(call, ast.Call) or len(call.args) != 2 or call.keywords:
        return Remedy("", words)
    counters = [_counter(loop) for loop in layout.loops(call, layout.frame(call))]
    is_folding = layout.text(call.func).endswith(("fold_in", imported_as(scope, "jax.random.fold_in")))
    if not is_folding or not counters:
        return Remedy("", words)
    if not isinstance(call.args[1], ast.Constant):
        return _with_the_outer_counter(layout, call, counters, words)
    if not counters[-1]:
        return Remedy("", words)
    text = f"{layout.text(call.func)}({layout.text(call.args[0])}, {counters[-1]})"
    return Remedy(f"use `{text}`", words, (layout.replaced(call.args[1], counters[-1]),))


def _with_the_outer_counter(layout: Layout, call: ast.Call, counters: list[str], words: str) -> Remedy:
    """A derivation by the counter of one loop, inside of another one, with that of the other folded in before."""
    fold, key, data = layout.text(call.func), *map(layout.text, call.args)
    asked = {node.id for node in ast.walk(call.args[1]) if isinstance(node, ast.Name)}
    other = next((counter for counter in counters[::-1] if counter and counter not in asked), "")
    if asked.isdisjoint(counters):
        return Remedy("", words)
    words = f"fold in what tells the iterations of the loop around apart, too: `{data}` takes the same values in each"
    if not other:
        return Remedy("", words)
    inner = f"{fold}({key}, {other})"
    return Remedy(f"use `{fold}({inner}, {data})`", words, (layout.replaced(call.args[0], inner),))


@dataclass(frozen=True, slots=True, eq=False)
class ReadsOfKey:
    """The reads of a key of a function in order, where its bindings take effect, and the loops that bind it."""

    reads: list[ast.expr]
    places: list[NodePlace]
    ends: list[NodePlace]
    binding: frozenset[ast.AST]


def _reads(layout: Layout, frame: ast.AST, key: str) -> ReadsOfKey:
    """The reads of a key, found once."""
    found = layout.memo.get(("reads", frame, key))
    if not isinstance(found, ReadsOfKey):
        ordered = sorted(layout.reads.get((frame, key), ()), key=begin)
        asked = (layout.text(one) for one in _asked(ordered[0])) if ordered else ()
        stores = [store for text in (key, *asked) for store in layout.stores.get((frame, text), ())]
        ends = sorted(_effective(layout, store) for store in stores)
        binding = frozenset[ast.AST](loop for store in stores for loop in layout.way(store) if isinstance(loop, LOOPS))
        found = layout.memo["reads", frame, key] = ReadsOfKey(ordered, [begin(one) for one in ordered], ends, binding)
    return found


def _asked(read: ast.expr) -> Iterator[ast.expr]:
    """What a part of something is found by: its owner, and its index; where one is bound anew, it is another part."""
    for node in ast.walk(read):
        if node is not read and isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)):
            yield node


def _region(uses: ReadsOfKey, place: NodePlace) -> Passage:
    """Where the bindings before and behind a place take effect."""
    number = bisect_right(uses.ends, place)
    return uses.ends[number - 1] if number else (0, 0), uses.ends[number] if number < len(uses.ends) else (1 << 30, 0)


def _effective(layout: Layout, store: ast.AST) -> tuple[int, int]:
    """Where a binding takes effect: at the end of its statement, or of the header of it."""
    statement = layout.statement(store)
    if isinstance(statement, (ast.For, ast.AsyncFor)):
        return end(statement.iter)
    if isinstance(statement, (ast.With, ast.AsyncWith)):
        return end(store)
    return end(statement) if statement is not None and not isinstance(statement, (ast.If, ast.While)) else end(store)


def _plan(
    layout: Layout, frame: ast.AST, key: str, bounds: Passage, names: tuple[str, str], site: KeySite
) -> SplitPlan | None:  # fmt: skip
    """The changes for all reads between two bindings of a key."""
    first, last = bounds
    uses = _reads(layout, frame, key)
    inside = uses.reads[bisect_left(uses.places, first) : bisect_left(uses.places, last)]
    if len(inside) > MOST_READ:
        return None
    using = [read for read in inside if _uses_up(layout, read)]
    if not using or len(using) > MOST or any(_is_asked_again(layout, read) for read in using):
        return None
    binding = [loop for loop in layout.loops(using[0], frame) if loop in uses.binding]
    binding = [loop for loop in binding if all(loop in layout.loops(read, frame) for read in using)]
    below = binding[-1] if binding else frame
    comes_back = bool(binding) and bisect_left(uses.places, begin(below)) < bisect_right(uses.places, first)
    is_read_else = len(inside) > len(using) or (frame, key) in layout.captured
    writer = SplitWriter(layout, frame, key, names, site.is_bindable)
    if not writer.write(using, below, is_fresh_after=site.goes_on or comes_back or is_read_else):
        return None
    return writer.plan if all((line, 0) >= first for line, _ in writer.plan.written) else None


def _is_asked_again(layout: Layout, read: ast.expr) -> bool:
    """Does a key stand in the test of a `while` loop, before which nothing can be written that each turn does?"""
    around = ((one, layout.parents.get(one)) for one in layout.way(read))
    return any(isinstance(loop, ast.While) and one is loop.test for one, loop in around)


def _uses_up(layout: Layout, read: ast.expr) -> bool:
    """Is a key given to what may draw from it?"""
    around = layout.parents[read]
    for node in layout.way(around):
        if isinstance(node, (ast.keyword, ast.Dict, ast.Tuple, ast.List, ast.Starred)):
            continue
        if not isinstance(node, ast.Call):
            return False
        func = node.func
        name = func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
        is_kept = keeps_by_name(name) and name not in functions_by_name(layout)
        return not is_kept and read is not func
    return False


def _said(plan: SplitPlan, layout: Layout, read: ast.expr) -> Remedy | None:
    """The sentence that tells of a plan at one of its reads: what stands where that does not happen is told there."""
    arms = _arms(layout, read)
    clauses = [one for one in plan.clauses if not _exclude(arms, _arms(layout, one[2]))]
    is_here = len(clauses) + len(plan.written) == 1 and not (clauses and clauses[0][0] > read.lineno)
    steps = [(line, f"before line {line} write `{text}`") for line, text in plan.written]
    steps += [(line, f"{'' if is_here else f'on line {line} '}write `{text}`") for line, text, _ in clauses]
    before = [text for _, text in sorted(steps, key=itemgetter(0))]
    given: dict[tuple[int, str], None] = {}
    for one, text in plan.reads.items():
        if clauses and _exclude(arms, _arms(layout, one)):
            continue
        given[(one.lineno, text)] = None
    if not before:
        return Remedy(f"pass `{plan.reads[read]}`", "", tuple(plan.edits)) if read in plan.reads else None
    if len(plan.written) < 2 and _are_there(plan):
        is_first = len(given) == 1 and len(plan.reads) == 1 and _stand_together(layout, read, next(iter(plan.reads)))
        passed = "pass " + " and ".join(f"`{text}`" for _, text in given) + (" to the first" if is_first else " there")
    elif len(given) > SINGLE:
        arrays = [text for _, text in given if text.endswith("]")]
        if len(arrays) != len(given) or len(before) > 1:
            return None
        kept = sorted({one.lineno for one in plan.left if one not in plan.reads})
        passed = f"pass `{arrays[0]}` to `{arrays[-1]}`, one to each use"
        passed += f" but that on line {kept[0]}" if len(kept) == 1 else " but the last" if kept else ""
    else:
        lines: dict[str, list[int]] = {}
        for line, text in given:
            lines.setdefault(text, []).append(line)
        left = {one.lineno for one in plan.left if one not in plan.reads}
        passed = "pass " + ", ".join(f"`{text}` {_on(places, left)}" for text, places in lines.items())
    return Remedy(f"{', '.join(before)}, and {passed}", "", tuple(plan.edits))


def _are_there(plan: SplitPlan) -> bool:
    """Do all reads that change stand on the line before which a new one is written?"""
    return len({one.lineno for one in plan.reads} | {line for line, _ in plan.written}) == 1


def _stand_together(layout: Layout, one: ast.expr, other: ast.expr) -> bool:
    """Do two different reads stand in one statement, or on one line?"""
    return one is not other and (layout.statement(one) is layout.statement(other) or one.lineno == other.lineno)


def _on(lines: list[int], left: set[int]) -> str:
    """On which lines a key is passed; of two uses on one line it is for the first, if the last keeps the old name."""
    places = [f"{line} (the first use there)" if line in left else str(line) for line in lines]
    return f"on line{'s' * (len(lines) > 1)} {' and '.join(places)}"
