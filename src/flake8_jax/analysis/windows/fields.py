"""Fields of preconditions, effects and events as text; path conditions, chains and uses.

    form: 'if'
    when `train` is true, `mode == 'fit'`
    via `step` calls `relu` on line 12
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from flake8_jax.analysis.windows.values import described, path_of, sources, subject_of, traced_text
from flake8_jax.domain.conditions import Fact, Path
from flake8_jax.domain.folding import spelled
from flake8_jax.domain.provenance import Context, Hop, Trace, Use
from flake8_jax.domain.staging import Input, certain
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.phrase import phrase
from flake8_jax.syntax.positions import unpacked

NEGATED = {"==": "!=", "is": "is not", "in": "not in", "<": ">=", ">": "<="}
APART = frozenset(("op", "when", "chain", "dependences", "context"))
"""Fields that have a text of their own."""


def own_fields(record: Any) -> list[str]:
    """The fields of a precondition, an effect or an event, in order, without those that all of them have."""
    names = [field.name for field in fields(record) if field.name not in APART]
    return [f"{name}: {field_text(getattr(record, name))}" for name in names]


def field_text(value: Any) -> str:
    """One field's value."""
    if isinstance(value, Use):
        return use_text(value)
    if isinstance(value, frozenset):
        return dependences_text(value)
    if isinstance(value, Value):
        return described(value)
    if isinstance(value, Input):
        return f"`{path_of(value)}`"
    if isinstance(value, tuple):
        return f"({', '.join(map(field_text, value))})"
    if type(value) in OPS:
        return f"`{phrase(value)}`"
    return spelled(value)


OPS = frozenset(getattr(ops, name) for name in vars(ops) if name[0].isupper() and hasattr(getattr(ops, name), "place"))


def dependences_text(dependences: Any) -> str:
    """What something depends on: inputs, the code around, a trace."""
    names = sources(dependences)
    if certain(dependences) is not None:
        names.append(traced_text(dependences))
    return " and ".join(names) or "nothing"


def place_of(op: Any) -> str:
    """The line of an op and its column, counted from 1."""
    line, column = position(op)
    return f"{line}:{column}"


def position(op: Any) -> tuple[int, int]:
    """Line and column of an op, both from 1, columns in bytes; column 1 where the op has no place of its own."""
    if not op.place or op.anchor.field is not None:
        return op.anchor.line, 1
    line, column, _, _ = unpacked(op.place)
    return line, column + 1


def condition_text(when: Path) -> str:
    """A path condition, oldest fact first."""
    return ", ".join(_fact_text(fact) for fact in when)


def _fact_text(fact: Fact) -> str:
    subject = subject_of(fact.subject)
    if fact.test == "truth":
        return f"`{subject}` is {'true' if fact.holds else 'false'}"
    if fact.test in ("isinstance", "asked"):
        asked = f"isinstance({subject}, {_names(fact.other)})" if fact.test == "isinstance" else f"{fact.other}(...)"
        return f"`{asked}` is {'true' if fact.holds else 'false'}"
    other = subject_of(fact.other) if isinstance(fact.other, Value) else spelled(fact.other)
    return f"`{subject} {fact.test if fact.holds else NEGATED.get(fact.test, f'not {fact.test}')} {other}`"


def _names(tested: Any) -> str:
    return " or ".join(map(str, tested)) if isinstance(tested, tuple) else str(tested)


def chain_text(chain: tuple[Hop, ...]) -> list[str]:
    """The calls of a chain, outermost first."""
    return [f"{hop.text} on line {hop.line} of `{hop.path}`" for hop in chain]


def use_text(use: Use) -> str:
    """A consumption of a key."""
    return f"`{use.by}` on line {use.line}"


def context_text(context: Context) -> list[str]:
    """What makes an event certain: its trace, then its calls."""
    trace = [] if context.trace is None else [_trace(context.trace)]
    return [*trace, *chain_text(context.chain)]


def _trace(trace: Trace) -> str:
    subject = f"`{trace.value}`" if trace.value else "arrays made there"
    return f"{subject} of `{trace.function}`: {trace.role} `{trace.transform}` on line {trace.line} of `{trace.path}`"
