"""Signatures in writing: what a body was found to do, as plain data that another run reads.

    def scale(x, by):           scale       inputs: x is input 1, by is input 2; demands: [op 7 of statement 3 of ops.py
        return x * by                       must hold for input 1]; returns: COMPUTED, dependences {1, 2}

Values and inputs mean what they are by identity.  Those of the signature itself are numbered where they are first met
and made anew when it is read.  All that others share stands where it was made: an op by its number in its statement, a
function by its number among those made in its statement, what a statement binds by name.  What cannot be said so (a
function made in the run of another one, what waits for a call) is not written, and found out again by each run.
"""

from __future__ import annotations

import marshal
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from flake8_jax.analysis.callables import (
    Applied,
    Arguments,
    ClassDecorator,
    ClassValue,
    Decorated,
    FunctionValue,
    Partial,
    Super,
    Wrapped,
)
from flake8_jax.analysis.program import Program, Record
from flake8_jax.api.transforms import Transform
from flake8_jax.domain.conditions import Fact
from flake8_jax.domain.provenance import Hop, Trace, Use
from flake8_jax.domain.signature import Demand, Effect, Signature, Sink
from flake8_jax.domain.staging import Ambient, Input, Token
from flake8_jax.domain.value import API, CLASS, MODULE, OPEN, SLICE, Kind, Value
from flake8_jax.ir.invariants import OPS

if TYPE_CHECKING:
    from flake8_jax.analysis.files import File, Unit
    from flake8_jax.analysis.frame import Frame

SHAPES: tuple[type, ...] = (
    Value, Input, Ambient, Token, Trace, Demand, Sink, Effect, Fact, Hop, Use,
    Applied, Arguments, ClassDecorator, Decorated, Partial, Super, Wrapped,
)  # fmt: skip
FIELDS: dict[type, tuple[str, ...]] = {shape: tuple(one.name for one in fields(shape)) for shape in SHAPES}
NUMBERS = {shape: number for number, shape in enumerate(SHAPES)}
PLAIN = frozenset((type(None), bool, int, float, complex, str, bytes, type(...)))
CONTAINERS: dict[type, str] = {tuple: "(", list: "[", frozenset: "f", set: "{", dict: ":"}
SINGLE = {"open": OPEN, "slice": SLICE}
WRITTEN = (
    "inputs", "ambient", "demands", "sinks", "effects", "applies", "hooks", "spreads", "writes", "forgets", "arrays",
    "touches", "rebinds", "captures", "around", "returns", "home",
)  # fmt: skip
MAXIMUM_NODES = 2_000
"""A signature that is made of more is not written."""


class NotWritable(Exception):
    """Something that cannot be said without the run that it was found in."""


@dataclass(slots=True)
class Writer:
    """Writes signatures of one program; `bound` is what statements bind, each with its place."""

    program: Program
    bound: dict[int, tuple[str, int, str]] = field(default_factory=dict)
    _ops: dict[Unit, dict[int, int]] = field(default_factory=dict)
    _numbers: dict[int, int] = field(default_factory=dict)
    _nodes: list[Any] = field(default_factory=list)

    @classmethod
    def of(cls, program: Program) -> Writer:
        """A writer that knows what all statements that were run bind."""
        writer = cls(program)
        for file in program.linked.files():
            for unit in file.units:
                for name, value in (unit.names or {}).items():
                    writer.bound.setdefault(id(value), (file.path, unit.number, name))
                    if value.kind is CLASS:
                        writer.bound.setdefault(id(value.data), (file.path, unit.number, name))
        return writer

    def write(self, signature: Signature) -> bytes:
        """A signature as bytes; NotWritable if it cannot be written."""
        if signature.held:
            raise NotWritable
        self._numbers, self._nodes = {}, []
        parts = [self._write(getattr(signature, name)) for name in WRITTEN]
        return marshal.dumps((self._nodes, parts, dict(signature.reached)))

    def _write(self, thing: Any) -> Any:
        kind = type(thing)
        if kind in PLAIN:
            return thing
        sign = CONTAINERS.get(kind)
        if sign is not None:
            items = [*thing.keys(), *thing.values()] if kind is dict else thing
            return [sign, *[self._write(item) for item in items]]
        if kind in OPS:
            return self._op(thing)
        place = self.bound.get(id(thing))
        if place is not None:
            return ["class" if kind is ClassValue else "bound", *place]
        if kind in NUMBERS:
            return self._shared(thing) or ["#", self._number(thing)]
        return self._named(thing)

    def _named(self, thing: Any) -> Any:
        if type(thing) is Kind:
            return ["kind", thing.value]
        if type(thing) is FunctionValue:
            return self._function(thing)
        if type(thing) is Transform and self.program.table.transform(thing.name) is thing:
            return ["transform", thing.name]
        for name, single in SINGLE.items():
            if thing is single:
                return [name]
        raise NotWritable

    def _shared(self, thing: Any) -> Any:
        """A value of which a program has one only."""
        if type(thing) is Value and thing.kind is API and self.program.apis.get(thing.data) is thing:
            return ["api", thing.data]
        if type(thing) is Value and thing.kind is MODULE and self.program.linked.module_value(thing.data) is thing:
            return ["module", thing.data]
        return None

    def _number(self, thing: Any) -> int:
        number = self._numbers.get(id(thing))
        if number is None:
            number = self._numbers[id(thing)] = len(self._nodes)
            if number > MAXIMUM_NODES:
                raise NotWritable
            row: list[Any] = [NUMBERS[type(thing)]]
            self._nodes.append(row)
            row.extend(self._write(getattr(thing, name)) for name in FIELDS[type(thing)])
        return number

    def _op(self, op: Any) -> Any:
        origin = op.anchor.origin
        file = self.program.linked.file(origin.path)
        unit = file.unit_at(origin.line) if file is not None else None
        if file is None or unit is None or unit.module is None:
            raise NotWritable
        known = self._ops.get(unit)
        if known is None:
            known = self._ops[unit] = {id(one): number for number, one in enumerate(file.ops_of(unit))}
        if id(op) not in known:
            raise NotWritable
        return ["op", file.path, unit.number, known[id(op)]]

    def _function(self, function: FunctionValue) -> Any:
        return ["def", *place_of(function, self.program.places)]


def place_of(function: FunctionValue, known: dict[Unit, dict[int, int]]) -> tuple[str, int, int]:
    """Where a function that stands alone was made: the file, the statement, its number among those made there."""
    frame: Frame = function.frame
    while frame.parent is not None:
        frame = frame.parent
    if not function.stands_alone or function.given or frame.unit is None:
        raise NotWritable
    file = frame.namespace.file
    unit = file.units[frame.unit]
    numbers = known.get(unit)
    if numbers is None or len(numbers) != len(unit.record.functions):
        numbers = known[unit] = {id(one): number for number, one in enumerate(unit.record.functions)}
    if id(function) not in numbers:
        raise NotWritable
    return file.path, frame.unit, numbers[id(function)]


Written: TypeAlias = "tuple[bytes, list[tuple[str, int]], list[tuple[str, str]]]"
"""A signature, the files that it rests on with the statements of each as bits, the names below packages."""


class Shelf(Protocol):
    """Where signatures are kept between runs, by file, number of the statement and number in it."""

    def get(self, path: str, number: int, which: int) -> Written | None:
        """What was kept, if nothing changed that it rests on."""

    def keep(self, found: Mapping[str, Mapping[tuple[int, int], Written]]) -> None:
        """Keep more, by file."""


def recall(program: Program, function: FunctionValue) -> Signature | None:
    """The signature of a function as an earlier run wrote it down."""
    shelf = program.linked.shelf
    if shelf is None:
        return None
    try:
        path, number, which = place_of(function, program.places)
    except NotWritable:
        return None
    found = shelf.get(path, number, which) if path not in program.judged else None
    if found is None:
        return None
    data, parts, asked = found
    with program.noting(Record()):
        try:
            signature = Reader(program).read(data)
        except LookupError:
            return None
        for path, bits in parts:
            program.note(path, bits)
        program.record.asked.update(asked)
        signature.record = program.record
    program.recalled[function] = path
    return signature


def written(program: Program) -> dict[str, dict[tuple[int, int], Written]]:
    """What is to be kept of a program, by file: the signatures that were found in this run."""
    writer = Writer.of(program)
    found: dict[str, dict[tuple[int, int], Written]] = {}
    for function, signature in program.settled.items():
        if function in program.recalled or signature.record is None or function in program.kept:
            continue
        program.kept.add(function)
        with suppress(NotWritable, RecursionError):
            path, number, which = place_of(function, program.places)
            data = writer.write(signature)
            rests, asked = program.rests.closed(signature.record)
            found.setdefault(path, {})[(number, which)] = data, [*program.rests.parts(rests).items()], [*asked]
    return found


class Reader:
    """Reads one signature."""

    __slots__ = ("_made", "_nodes", "_program")

    def __init__(self, program: Program) -> None:
        self._program = program
        self._nodes: list[Any] = []
        self._made: list[Any] = []

    def read(self, data: bytes) -> Signature:
        """The signature that was written; LookupError if what it speaks of is not there."""
        self._nodes, parts, reached = marshal.loads(data)
        self._made = [None] * len(self._nodes)
        signature = Signature(reached=Counter(reached))
        for name, written in zip(WRITTEN, parts, strict=True):
            setattr(signature, name, self._read(written))
        return signature

    def _read(self, written: Any) -> Any:
        if type(written) is not list:
            return written
        sign = written[0]
        if sign == "#":
            number = written[1]
            made = self._made[number]
            return made if made is not None else self._make(number)
        if sign == "(":
            return tuple([self._read(item) for item in written[1:]])
        if sign == "f":
            return frozenset([self._read(item) for item in written[1:]])
        if sign == "kind":
            return KINDS[written[1]]
        if sign == ":":
            half = len(written) // 2
            items = [self._read(item) for item in written[1:]]
            return dict(zip(items[:half], items[half:], strict=True))
        return self._read_rarer(sign, written)

    def _read_rarer(self, sign: str, written: list[Any]) -> Any:
        if sign in SINGLE:
            return SINGLE[sign]
        if sign == "api":
            return self._program.api(written[1])
        if sign == "module":
            return self._program.linked.module_value(written[1])
        if sign == "transform":
            return self._program.table.transform(written[1])
        if sign in ("[", "{"):
            items = [self._read(item) for item in written[1:]]
            return items if sign == "[" else set(items)
        _, path, number, which = written
        file = self._file(path)
        unit = file.units[number]
        if sign == "op":
            return file.ops_of(unit)[which]
        names = file.run(unit)
        if sign == "def":
            return unit.record.functions[which]
        return names[which].data if sign == "class" else names[which]

    def _file(self, path: str) -> File:
        found = self._program.linked.file(path)
        if found is None:
            raise LookupError(path)
        return found

    def _make(self, number: int) -> Any:
        shape, *parts = self._nodes[number]
        kind = SHAPES[shape]
        made = self._made[number] = object.__new__(kind)
        for name, written in zip(FIELDS[kind], parts, strict=True):
            object.__setattr__(made, name, self._read(written) if type(written) is list else written)
        return made


KINDS = {kind.value: kind for kind in Kind}
