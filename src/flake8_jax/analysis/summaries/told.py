"""What a function tells others by its general summary, as a digest: who asks for no more need not look again while that
stays the same, whatever becomes of the body.

    def scale(x):                   def scale(x):                   told alike: an array of the kind of `x`, which must
        return x * 2.0                  factor = 3.0                be one; an edit that makes it print, or return a
                                        return x * factor           pair, is told to all

All that is reachable from the summary counts, each object by its fields, what is met again by its number.  What stands
elsewhere counts by its place, for somebody may hold the same; ops of the function itself, and functions made in it,
count by what they say, lines only by which are the same.  Where something is reached of which the fields do not say all
(a function made inside that others may call, a frame), nothing is told apart from the body.

What others ask of its body without running it counts, too, where few words answer that: is it a stub, does it yield.

A run for the arguments of a call tells as much, beside what it costs: who had it made is charged for it
(`arguments_told.py` says for which arguments).

So does what was found in its general run, for who takes that: events, which functions call which, what refutes
presumptions.  Who takes events of a run for the arguments of a call depends on the body.
"""

from __future__ import annotations

import builtins
import os
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import partial
from operator import itemgetter
from types import FunctionType
from typing import NoReturn, TypeAlias

from flake8_jax.analysis.budget import cost_of, in_steps, size_of
from flake8_jax.analysis.callables import ClassValue, FunctionValue, Wrapped
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.imports import ImportTarget
from flake8_jax.analysis.labels.callees import Code
from flake8_jax.analysis.objects.instances import hands_itself_on
from flake8_jax.analysis.program import Program
from flake8_jax.analysis.record import Record, record_of, tells_all
from flake8_jax.analysis.summaries.records import Records, says_little
from flake8_jax.api.table import Table
from flake8_jax.digests import blake2b
from flake8_jax.domain.constants import spelled
from flake8_jax.domain.kinds import API, NUMBER, STATIC, UNKNOWN
from flake8_jax.domain.payload import ModuleAt
from flake8_jax.domain.staging import Ambient, Input, Presumed, Token
from flake8_jax.domain.summary import InputUses, Summary
from flake8_jax.domain.value import Value
from flake8_jax.ir.chains import TOLD
from flake8_jax.ir.ops import Closure, Function, MakeClass, Op, Store
from flake8_jax.ir.parts import Anchor, Origin
from flake8_jax.ir.scope import Scope
from flake8_jax.ir.walking import NODE_TYPES, within
from flake8_jax.lazy_dataclasses import replace
from flake8_jax.syntax.positions import unpacked

DIGEST = 8
MAXIMUM_PARTS = 5_000
"""Of so many parts no digest is made."""

PLAIN = frozenset((type(None), str, bytes, int, float, complex, bool, type(...), range))
BARE = frozenset((API, NUMBER, STATIC, UNKNOWN))
"""The kinds of values that need not be told apart from others that are alike; nor need modules, one for each path."""

AFTERWARDS = frozenset(("line", "is_applied"))
"""Fields that are told otherwise, and those that are set once the run is over."""

PLACES = frozenset(("anchor", "place", "scope"))


class NotTold(Exception):
    """Something is reached of which the fields do not say all."""


def told_by(program: Program, function: FunctionValue, summary: Summary, root: str) -> bytes | None:
    """The digest of what a function tells by its general summary; None where that is not told apart from its body.

    Paths are told as seen from the project's root.
    """
    record = record_of(summary)
    if record is None or record.marks or record.faults:
        return None  # what is said of classes is said to all
    telling = _Telling(program, function, summary, os.path.join(root, ""))
    try:
        telling.tell_traits()
        telling.tell(summary)
        if record.is_specialized:
            telling.said.append(f"costs {cost_of(record)} {in_steps(size_of(function.function))}")
            telling.tell_found(record, tells_all(record))
        else:
            records = Records(program)
            records.take_record(record)
            for one in records.found:
                telling.tell_found(one, is_little=True)
                telling.tell_said(one)
    except (NotTold, RecursionError):
        return None
    return blake2b("\0".join(telling.said).encode("utf-8", "surrogatepass"), digest_size=DIGEST).digest()


class _Telling:
    """The text of what is reached from a summary."""

    __slots__ = (
        "_count", "_function", "_inside", "_lines", "_numbers", "_own", "_prefix", "_program", "_summary", "said",
    )  # fmt: skip

    def __init__(self, program: Program, function: FunctionValue, summary: Summary, prefix: str) -> None:
        self._program = program
        self._prefix = prefix
        self._function = function.function
        self._summary = summary
        self._numbers: dict[int, tuple[int, object]] = {}
        self._inside = {inner: number for number, inner in enumerate(_made_inside(self._function))}
        parts = [op for one in (self._function, *self._inside) for op in one.inner.ops]
        parts += [op for one in self._inside for op in _of_definition(one)]
        self._own = {inner for op in parts for inner in within(op)}
        self._lines: dict[tuple[str, int], int] = {}
        self._count = 0
        self.said: list[str] = []

    def tell_traits(self) -> None:
        """Say what others ask of the body, and of those of functions inside, without running it."""
        for one in (self._function, *self._inside):
            is_handed_on = one.name == "__init__" and hands_itself_on(one)
            traits = one.is_empty, one.is_declared_only, one.is_generator, is_handed_on
            self.said.append(repr((*traits, *(TOLD[search](one) for search in sorted(TOLD)))))

    def tell(self, one: object) -> None:
        """Say what an object is, and all that it holds."""
        kind = type(one)
        if kind in PLAIN:
            self.said.append(repr(self._shown(one) if isinstance(one, str) else one))
        elif kind is tuple or kind is list:
            self._tell_all("(", one)  # type: ignore[arg-type]
        elif isinstance(one, Enum):
            self.said.append(f"{kind.__name__}.{one.name}")
        elif isinstance(one, (dict, tuple, list)):
            self._tell_all("{", [*one, *one.values()] if isinstance(one, dict) else one)
        elif isinstance(one, (frozenset, set)):
            self._tell_set(one)
        elif isinstance(one, type):
            self.said.append(f"{one.__module__}.{one.__qualname__}")
        elif (known := self._numbers.get(id(one))) is not None:
            self.said.append(f"#{known[0]}")
        else:
            self._numbers[id(one)] = len(self._numbers), one  # it is held, so that no other gets its identity
            (TELLERS.get(kind) or _teller_of(kind))(self, one)  # type: ignore[arg-type]  # it is of the key's class

    def tell_found(self, record: Record, is_little: bool) -> None:
        """Say what was found in a run, where that is little; who takes more depends on the body."""
        self.said.append(f"found {is_little}")
        if is_little:
            refuted = [one for one in record.refuted if not (type(one) is tuple and one[1] in self._own)]
            for several in (record.callers, refuted):
                self.said += sorted(map(self._told_apart, several))

    def tell_said(self, record: Record) -> None:
        """Say what else was found in a run, for who takes all of it: events, calls of what is traced."""
        if says_little(record):
            return
        if record.faults or record.marks or any(isinstance(one, Wrapped) for one, _ in record.sites):
            raise NotTold
        self.said.append("said")
        for found in (record.events, record.presumed, record.repeated, record.guarded, record.traced):
            self.tell(found)
        for path, name, line in sorted(record.calls):
            self.said.append(f"{name} {record.calls[path, name, line]}")
            self._tell_line(path, line)
        for kind, places in (("complete", record.complete), ("unstaged", record.unstaged)):
            for path, name, line in sorted(places):
                self.said.append(f"{kind} {name}")
                self._tell_line(path, line)

    def _told_apart(self, one: object) -> str:
        """What is said of an object alone."""
        held = self.said, self._numbers, self._lines
        self.said, self._numbers, self._lines = [], {}, {}
        self.tell(one)
        text = "\0".join(self.said)
        self.said, self._numbers, self._lines = held
        return text

    def _shown(self, text: str) -> str:
        return text.removeprefix(self._prefix)

    def _tell_all(self, begin: str, parts: Sequence[object]) -> None:
        self._count += len(parts)
        if self._count > MAXIMUM_PARTS:
            raise NotTold
        self.said.append(begin)
        for part in parts:
            kind = type(part)
            if kind is str:
                self.said.append(repr(self._shown(part)))  # type: ignore[arg-type]
            elif kind in PLAIN:
                self.said.append(repr(part))
            else:
                self.tell(part)
        self.said.append(")")

    def _tell_set(self, parts: Set[object]) -> None:
        """A set has no order: first what was met before, then the others by what tells them apart."""
        if not parts:
            self.said.append("<)")
            return
        met = [part for part in parts if id(part) in self._numbers]
        new = {self._rank(part): part for part in parts if id(part) not in self._numbers}
        if len(new) + len(met) < len(parts):
            raise NotTold
        met.sort(key=lambda part: self._numbers[id(part)][0])
        self._tell_all("<", [*met, *(part for _, part in sorted(new.items(), key=itemgetter(0)))])

    def _rank(self, part: object) -> tuple[str, ...]:
        """What tells a part of a set apart from others; not all do, and of those that are compared by identity none."""
        if isinstance(part, Input):
            return "", *map(repr, part.path)
        if isinstance(part, Presumed):
            return "presumed", *self._rank(part.source), *self._rank(part.under)
        if isinstance(part, Token):
            return "token", self._shown(repr(replace(part, trace=replace(part.trace, line=0))))
        if isinstance(part, Ambient) or type(part) in PLAIN:
            return type(part).__name__, repr(part) if type(part) in PLAIN else ""
        return (type(part).__name__,)

    def _tell_function_value(self, one: FunctionValue) -> None:
        if one.given or not one.is_top_level or one.imitates is not None:
            raise NotTold
        self._tell_function(one.function)

    def _tell_class(self, one: ClassValue) -> None:
        if one.function.outermost is not None:
            raise NotTold
        self._tell_function(one.function)

    def _tell_import(self, one: ImportTarget) -> None:
        self._tell_all("import", (one.path, one.rest))

    def _tell_module(self, one: ModuleAt) -> None:
        self.said.append(f"module {self._shown(one.path)}")

    def _tell_anchor(self, one: Anchor) -> None:
        self._tell_line(one.origin.path, one.line)

    def _tell_table(self, one: Table) -> None:
        del one  # there is one, on which all reports depend
        self.said.append("table")

    def _tell_code(self, one: FunctionType) -> None:
        """A function of this package."""
        if one.__closure__ is not None or "<" in one.__qualname__:
            raise NotTold
        self.said.append(f"{one.__module__}.{one.__qualname__}")

    def _tell_partial(self, one: partial[object]) -> None:
        self._tell_all("partial", (one.func, one.args, one.keywords))

    def _tell_nothing(self, one: object) -> None:
        del one
        raise NotTold

    def _tell_scope(self, scope: Scope) -> None:
        """The names that hide others around an op, or are imported there; those of the module its head says."""
        if scope.parent is None:
            self.said.append(f"names of {self._shown(self._program.linked.path_of(scope))}")
        else:
            names = [(name, one.imported) for name, one in scope.names.items() if one.imported or _hides(scope, name)]
            self.said.append(f"names of a {scope.kind}")
            self.tell((sorted(names, key=str), sorted(scope.globals), sorted(scope.nonlocals), scope.stars))
            self.tell(scope.parent)

    def _tell_input(self, one: Input) -> None:
        """An input: its parts are made as sets of inputs are gone through, which have no order."""
        self.said.append("Input")
        self._tell_all("(", [getattr(one, name) for name in _names(Input) if name != "parts"])
        parts = one.parts or {}
        self._tell_all("{", [(step, parts[step]) for step in sorted(parts, key=spelled)])

    def _tell_uses(self, one: InputUses) -> None:
        """How inputs are used: each in so many ways, of which none is the first."""
        for name in _names(InputUses):
            uses: dict[object, object] = getattr(one, name)
            self._tell_all(name, [part for key in sorted(uses, key=self._rank_of_use) for part in (key, uses[key])])

    def _rank_of_use(self, used: object) -> tuple[tuple[str, ...], str]:
        source, name = used if isinstance(used, tuple) else (used, "")
        return self._rank(source), name

    def _tell_code_to_run(self, one: Code) -> None:
        """Code that others may look at: who does so asks for its body."""
        if not one.around.is_outermost:
            raise NotTold
        self._tell_function(one.function)
        self.tell((one.owner, sorted((binding.name, flag) for binding, flag in one.flags)))

    def _tell_data(self, one: object) -> None:
        self.said.append(type(one).__name__)
        path, line = getattr(one, "path", None), getattr(one, "line", None)
        has_line = isinstance(path, str) and isinstance(line, int)
        if has_line:
            self._tell_line(str(path), int(str(line)))
        elif line is not None:
            raise NotTold
        self._tell_all("(", [getattr(one, name) for name in _names(type(one))])

    def _tell_line(self, path: str, line: int) -> None:
        """Of a line counts which others are the same."""
        self.said.append(f"{self._shown(path)} {self._lines.setdefault((path, line), len(self._lines))}")

    def _tell_value(self, value: Value) -> None:
        known = self._program.linked.globals.get(value)
        if known is not None:  # what it holds depends on more than the body
            self.said.append(f"global {self._shown(known[0].path)} {known[1]}")
            return
        is_alone = value.kind in BARE or type(value.payload) is ModuleAt
        if not is_alone and value.made_by is None and not value.dependences:
            raise NotTold  # somebody may hold the same
        self._tell_data(value)

    def _tell_op(self, op: object) -> None:
        """An op: of the function itself by what it says, else by its place."""
        anchor = getattr(op, "anchor", None)
        parts = [getattr(op, name) for name in type(op).__slots__ if name not in PLACES]  # type: ignore[attr-defined]
        if anchor is None:
            self._tell_all(type(op).__name__, parts)
            return
        there = anchor.origin
        self.said.append(f"{type(op).__name__} {self._shown(there.path)}")
        if op not in self._own:
            line, column, end_line, end_column = unpacked(getattr(op, "place", 0))
            end = () if isinstance(op, (Closure, MakeClass, Store)) else (end_line - line, end_column)
            self.said.append(f"{there.number} {_below(there, line)} {column} {end}")  # those may have bodies in them
            self._tell_line(there.path, anchor.line)
        else:
            self._tell_line(there.path, anchor.line)
            self._tell_all("(", parts)
        for table in (
            self._program.optimizers, self._program.variables, self._program.states, self._program.remembered,
            self._program.resembling,
        ):  # fmt: skip
            if op in table:
                self.tell(table[op])  # type: ignore[index]

    def _tell_function(self, function: Function) -> None:
        """A function that stands elsewhere; of one that is made in this one what it may be called with: who looks at
        what it does depends on the body.
        """
        if function in self._inside:
            self.said.append(f"inside {function.qualname} {self._inside[function]} {function.kind} {function.is_async}")
            parameters = [(one.name, one.kind, one.default, one.annotation) for one in function.parameters]
            self.tell((parameters, function.returns, function.inner.is_generator))
            return
        origin = function.anchor.origin
        below = _below(origin, function.anchor.line)
        self.said.append(f"{self._shown(origin.path)} {origin.number} {function.qualname} {below}")

    def _tell_summary(self, summary: Summary) -> None:
        if summary is not self._summary:
            self._tell_callee(summary)
            return
        record = record_of(summary)
        if record is not None:
            self.tell((record.work.get(summary), record.compiled.get(summary)))
        for name in Summary.__slots__:
            if name != "run":
                self.tell(getattr(summary, name))
        run = summary.run
        self.tell((run.callees, run.checks))  # what was `reached` is told in the report of its own file alone

    def _tell_callee(self, summary: Summary) -> None:
        """A call that was made: of what stands elsewhere that function tells the rest; who sees more of what is made
        inside, or was run for this call alone, asks for the body.
        """
        function, record = summary.run.function, record_of(summary)
        if function is None:
            self.tell(summary.returns)  # it was running already: nothing is known of it
            return
        self._tell_function(function)
        if function in self._inside or record is None or record.is_specialized or record.code is not function:
            self.tell((summary.run.callees, summary.run.checks))


def _hides(scope: Scope, name: str) -> bool:
    """Is a name of a scope bound further out, too, or built in?"""
    return hasattr(builtins, name) or (scope.parent is not None and scope.parent.lookup(name).owner is not None)


def _below(origin: Origin, line: int) -> tuple[int, int]:
    """How far a line is below the first one of a statement, or of the function of it in which it stands."""
    return origin.home.below(origin.number, line) if origin.home is not None else (0, line - origin.line)


def _made_inside(function: Function) -> Iterator[Function]:
    """The functions that are made in one, at any depth."""
    for inner in function.inner.functions:
        yield inner
        yield from _made_inside(inner)


def _of_definition(function: Function) -> Iterator[Op]:
    """The ops of the signature of a function."""
    for parameter in function.parameters:
        yield from (one for one in (parameter.default, parameter.annotation) if one is not None)
    if function.returns is not None:
        yield function.returns


def _names(kind: type) -> tuple[str, ...]:
    """The fields of an object that is data."""
    found = NAMES.get(kind)
    if found is None:
        found = NAMES[kind] = (
            tuple(each.name for each in fields(kind) if each.name not in AFTERWARDS) if is_dataclass(kind) else ()
        )
    return found


def _is_bare(kind: type) -> bool:
    """Is it a kind of which all objects are the same?"""
    return is_dataclass(kind) or kind.__dict__.get("__slots__") == ()


NAMES: dict[type, tuple[str, ...]] = {}

TellerOfType: TypeAlias = "Callable[[_Telling, NoReturn], None]"
"""How an object of some type is told, which its key says."""

TELLERS: dict[type, TellerOfType] = {
    Value: _Telling._tell_value, Input: _Telling._tell_input, InputUses: _Telling._tell_uses,
    Function: _Telling._tell_function, FunctionValue: _Telling._tell_function_value,
    ClassValue: _Telling._tell_class, Summary: _Telling._tell_summary, ImportTarget: _Telling._tell_import,
    ModuleAt: _Telling._tell_module, Anchor: _Telling._tell_anchor, Scope: _Telling._tell_scope,
    Table: _Telling._tell_table, Code: _Telling._tell_code_to_run, FunctionType: _Telling._tell_code,
    partial: _Telling._tell_partial,
    **dict.fromkeys(NODE_TYPES, _Telling._tell_op), **dict.fromkeys((Origin, Frame, Record), _Telling._tell_nothing),
}  # fmt: skip


def _teller_of(kind: type) -> TellerOfType:
    """How objects of a type are told that has no way of its own: by their fields, if it is data."""
    teller = _Telling._tell_data if _names(kind) or _is_bare(kind) else _Telling._tell_nothing
    return TELLERS.setdefault(kind, teller)
