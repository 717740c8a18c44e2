"""The expressions on a line, each with the values that it had, outermost first in source order."""

from __future__ import annotations

from collections.abc import Iterator

from flake8_jax.analysis.checks.context import place
from flake8_jax.analysis.imports import ImportTarget
from flake8_jax.analysis.modules.files import File
from flake8_jax.analysis.windows.fields import condition_text, position, use_text
from flake8_jax.analysis.windows.lines import Observation, Sighting
from flake8_jax.analysis.windows.values import described
from flake8_jax.domain.clocks import ClockRead
from flake8_jax.domain.kinds import API, NAMESPACES, UNKNOWN
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Function, Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.walking import EFFECTS, inside
from flake8_jax.lazy_dataclasses import dataclass
from flake8_jax.syntax.positions import span_of

PLAIN = frozenset((ops.Const, ops.Star, ops.Unpack, ops.Matches))
"""Ops that have no row: constants, what is only a part of another op."""

WIDTH = 60


@dataclass(frozen=True, slots=True)
class ValueRow:
    """An expression on a line, with its value in each run of its function; none if it was not evaluated."""

    op: Op | None
    function: Function | None
    text: str
    sightings: tuple[Sighting, ...]
    values: tuple[str, ...]


def rows_of(file: File, observation: Observation) -> list[ValueRow]:
    """The rows of the observed line; none where nothing is evaluated, one where no path arrives."""
    found: list[tuple[Function, Op]] = []
    for unit in file.units:
        if not unit.statement.line <= observation.place.line <= unit.statement.end_line:
            continue
        if unit.statement.kind == "import":
            return [_imported(file, name, value, observation.home) for name, value in file.run(unit).items()]
        if unit.module is not None:
            functions = (unit.module.top, *unit.module.functions)
            found += [(function, op) for function in functions for op in inside(function) if type(op) not in PLAIN]
    found = sorted((one for one in found if observation.place.holds(one[1])), key=_extent)
    hidden = {op for _, each in found for op in _hidden(observation, each)}
    shown = [(function, op) for function, op in found if op not in hidden]
    reached = [_row(observation, function, op) for function, op in shown if op in observation.values]
    return reached or [ValueRow(op, function, phrase(op, WIDTH), (), ()) for function, op in shown[:1]]


def _imported(file: File, name: str, value: Value, home: str) -> ValueRow:
    target, table = value.payload, file.linked.program.table
    text = described(target.value() if isinstance(target, ImportTarget) else value, home)
    qualified = value.name if value.kind is API else ""
    if qualified and not table.is_namespace(qualified.partition(".")[0]) and not any(table.known(qualified)):
        text += "; neither a file of the project nor a table says what it does"
    return ValueRow(None, None, name, (), (text,))


def _hidden(observation: Observation, op: Op) -> Iterator[Op]:
    """Statements, slices, what is only written to, the modules that names are looked up in."""
    match op:
        case ops.Store(kind=kind, targets=targets) if kind != "walrus":
            yield op
            yield from (target for target in targets if target not in observation.values)
        case ops.Build(kind=kind, parts=parts) if "slice" in (kind, *(getattr(part, "kind", "") for part in parts)):
            yield op
        case ops.Attr(base=base) if any(seen.value.kind in NAMESPACES for seen in observation.values.get(base, ())):
            yield base
    if type(op) in EFFECTS:
        yield op


def _row(observation: Observation, function: Function, op: Op) -> ValueRow:
    text = f"import {op.qualified}" if isinstance(op, ops.Imported) else phrase(op, WIDTH)
    if isinstance(op, ops.Closure) and op.function.kind == "def":
        text = f"def {op.function.name}"
    seen = _latest(observation.values[op])
    return ValueRow(op, function, text, tuple(seen), tuple(_values(op, seen, observation.home)))


def _latest(sightings: list[Sighting]) -> list[Sighting]:
    """Those of the last run under each label; of a module those of its statements in order, if there are any."""
    in_order = [seen for seen in sightings if not seen.is_alone]
    last = {seen.run: seen.summary for seen in in_order or sightings}
    return [seen for seen in in_order or sightings if last[seen.run] is seen.summary]


def _values(op: Op, sightings: list[Sighting], home: str) -> Iterator[str]:
    """What an op was, by run; once where it was the same in all."""
    runs: dict[str, list[str]] = {}
    for seen in sightings:
        texts = runs.setdefault(seen.run, [])
        text = described(seen.value, home) + _origin(seen.value, op) + _consumed(seen)
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
    if type(seen.value.payload) is ClockRead:
        return ""
    uses = [f"{use_text(used.use)}{' on a path that excludes this one' * apart}" for used, apart in seen.earlier]
    return f"; used up before by {', '.join(dict.fromkeys(uses))}" if uses else ""


def _extent(found: tuple[Function, Op]) -> tuple[int, int, int, int]:
    op = found[1]
    span = span_of(op)
    return (*position(op), 0, 0) if span is None else (*position(op), -span.end_line, -span.end_column)


def rows_text(rows: list[ValueRow], observation: Observation) -> list[str]:
    """The rows as lines; each run of its own stands below its expression."""
    lines: list[str] = []
    for row in rows:
        function = row.function
        is_run = function is None or function.kind == "module" or function in observation.runs
        why = "no path arrives here" if function is None or is_run else f"{function.title} was not run"
        values = row.values or (f"not evaluated: {why}",)
        lines.append(f"`{row.text}`: {values[0]}")
        lines += [f"  {value}" for value in values[1:]]
    return lines


def conditions_text(rows: list[ValueRow]) -> list[str]:
    """The path conditions under which the line is reached, each run's once."""
    texts = {condition_text(seen.path) for row in rows[:1] for seen in row.sightings}
    return [f"reached when {text}" for text in sorted(texts) if text]
