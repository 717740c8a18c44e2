"""The expressions on a line, each with the values that it had, outermost first in source order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from flake8_jax.analysis.checks.context import place
from flake8_jax.analysis.modules.files import File
from flake8_jax.analysis.windows.fields import condition_text, position, use_text
from flake8_jax.analysis.windows.lines import Observation, Sighting
from flake8_jax.analysis.windows.values import described, followed, name_of_function, payload
from flake8_jax.domain.value import API, MODULE, UNKNOWN, Value
from flake8_jax.ir import ops
from flake8_jax.ir.invariants import EFFECTS, inside
from flake8_jax.ir.ops import Function, Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.syntax.positions import unpacked

NAMESPACES = frozenset((API, MODULE))
PLAIN = EFFECTS | {ops.Const, ops.Star, ops.Unpack, ops.Matches}
"""Ops that have no row: statements, constants, what is only a part of another op."""

WIDTH = 60


@dataclass(frozen=True, slots=True)
class ValueRow:
    """An expression on a line: its text and what it is in each run of its function."""

    op: Op | None
    function: Function | None
    text: str
    sightings: tuple[Sighting, ...]
    values: tuple[str, ...]

    @property
    def is_reached(self) -> bool:
        """Was it evaluated?"""
        return bool(self.values)


def rows_of(file: File, observation: Observation) -> list[ValueRow]:
    """The rows of the observed line; none where nothing is evaluated."""
    observed = observation.place
    found: list[tuple[Function, Op]] = []
    for unit in file.units:
        if not unit.statement.line <= observed.line <= unit.statement.end_line:
            continue
        if unit.statement.kind == "import":
            return [_imported(file, name, value, observation.home) for name, value in file.run(unit).items()]
        if unit.module is not None:
            functions = (unit.module.top, *unit.module.functions)
            found += [(function, op) for function in functions for op in inside(function) if observed.holds(op)]
    hidden = _hidden(observation, [op for _, op in found])
    rows = [_row(observation, function, op) for function, op in found if id(op) not in hidden]
    return _without_rest(sorted(rows, key=_extent))


def _imported(file: File, name: str, value: Value, home: str) -> ValueRow:
    text, table = described(followed(value), home), file.linked.program.table
    qualified = payload(value)[0] if value.kind is API else ""
    if qualified and not table.is_namespace(qualified.partition(".")[0]) and not any(table.known(qualified)):
        text += "; neither a file of the project nor a table says what it does"
    return ValueRow(None, None, name, (), (text,))


def _hidden(observation: Observation, found: Iterable[Op]) -> set[int]:
    """The ops that are no expressions, are written to, or are but the modules that names are looked up in."""
    hidden: set[int] = set()
    for op in found:
        if type(op) in PLAIN or (isinstance(op, ops.Store) and op.kind != "walrus"):
            hidden.add(id(op))
        if isinstance(op, ops.Build) and op.kind == "slice":
            hidden.add(id(op))
        for target in _targets(op):
            hidden.add(id(target))
        if isinstance(op, ops.Attr) and _is_namespace(observation, op.base):
            hidden.add(id(op.base))
    return hidden


def _targets(op: Op) -> Iterator[Op]:
    """What an op binds, with the parts of what it unpacks to."""
    waiting: list[Op] = []
    if isinstance(op, (ops.Store, ops.Delete)):
        waiting += op.targets
    elif isinstance(op, (ops.Loop, ops.With)) and op.target is not None:
        waiting.append(op.target)
    elif isinstance(op, ops.Gather):
        waiting += [clause.target for clause in op.clauses]
    while waiting:
        target = waiting.pop()
        yield target
        if isinstance(target, ops.Unpack):
            waiting += target.parts
        elif isinstance(target, ops.Star):
            waiting.append(target.value)


def _is_namespace(observation: Observation, op: Op) -> bool:
    return any(seen.value.kind in NAMESPACES for seen in observation.values.get(op, ()))


def _row(observation: Observation, function: Function, op: Op) -> ValueRow:
    seen = _latest([*observation.values.get(op, ()), *_as_callee(observation, op)])
    text = f"import {op.qualified}" if isinstance(op, ops.Imported) else phrase(op, WIDTH)
    if isinstance(op, ops.Closure) and op.function.kind == "def":
        text = f"def {op.function.name}"
    return ValueRow(op, function, text, tuple(seen), tuple(_values(seen, observation.home)))


def _as_callee(observation: Observation, op: Op) -> Iterator[Sighting]:
    """The sightings of a method or attribute where it is called: it is not evaluated apart from the call."""
    if isinstance(op, ops.Attr):
        for call, seen in observation.callees.items():
            if isinstance(call, ops.Call) and call.func is op:
                yield from seen


def _latest(sightings: list[Sighting]) -> list[Sighting]:
    """Those of the last run under each label; of a module those of its statements in order, if there are any."""
    in_order = [seen for seen in sightings if not seen.is_alone]
    last = {seen.run: seen.summary for seen in in_order or sightings}
    return [seen for seen in in_order or sightings if last[seen.run] is seen.summary]


def _values(sightings: list[Sighting], home: str) -> Iterator[str]:
    """What an op was, by run; once where it was the same in all."""
    runs: dict[str, list[str]] = {}
    for seen in sightings:
        texts = runs.setdefault(seen.run, [])
        text = described(seen.value, home) + _origin(seen.value, seen.op) + _consumed(seen)
        if text not in texts:
            texts.append(text)
    whole = {run: ", then ".join(texts) for run, texts in runs.items()}
    if len(set(whole.values())) == 1:
        yield next(iter(whole.values()))
    else:
        yield from (f"{text}{f' (where {run})' if run else ''}" for run, text in whole.items())


def _origin(value: Value, op: Op) -> str:
    """Where a value of which nothing is known was made, if that is another line."""
    made_by = value.made_by
    if value.kind is not UNKNOWN or made_by is None or made_by.anchor.line == op.anchor.line:
        return ""
    home, origin = op.anchor.origin, made_by.anchor.origin
    return f", made {place(origin.shown, made_by.anchor.line, origin.path != home.path)}"


def _consumed(seen: Sighting) -> str:
    """By what a key was used up before."""
    uses = [f"{use_text(used.use)}{' on a path that excludes this one' * apart}" for used, apart in seen.earlier]
    return f"; used up before by {', '.join(dict.fromkeys(uses))}" if uses else ""


def _extent(row: ValueRow) -> tuple[int, int, int, int]:
    assert row.op is not None
    line, column = position(row.op)
    _, _, end_line, end_column = unpacked(row.op.place) if row.op.place else (0, 0, 0, 0)
    return line, column, -end_line, -end_column


def _without_rest(rows: list[ValueRow]) -> list[ValueRow]:
    """Without what is never evaluated by itself, such as annotations of names, where the rest of its statement is."""
    reached = {id(row.op.anchor) for row in rows if row.is_reached and row.op is not None}
    return [row for row in rows if row.is_reached or row.op is None or id(row.op.anchor) not in reached]


def rows_text(rows: list[ValueRow], observation: Observation) -> list[str]:
    """The rows as lines; each run of its own stands below its expression."""
    lines: list[str] = []
    for row in rows:
        values = row.values or (f"not evaluated: {_why_not(row, observation)}",)
        lines.append(f"`{row.text}`: {values[0]}")
        lines += [f"  {value}" for value in values[1:]]
    return lines


def conditions_text(rows: list[ValueRow]) -> list[str]:
    """The path conditions under which the line is reached, each run's once."""
    texts = {condition_text(seen.path) for row in rows[:1] for seen in row.sightings}
    return [f"reached when {text}" for text in sorted(texts) if text]


def _why_not(row: ValueRow, observation: Observation) -> str:
    function = row.function
    if function is None or function.kind == "module" or function in observation.runs:
        return "no path arrives here"
    return f"{name_of_function(function)} was not run"


def unknown_in(rows: list[ValueRow]) -> list[str]:
    """The expressions of which nothing is known in any run."""
    return [row.text for row in rows if row.sightings and all(seen.value.kind is UNKNOWN for seen in row.sightings)]
