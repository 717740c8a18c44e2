"""Events as text; the fields of preconditions, effects and events; path conditions, chains and uses.

KeyConsumed at 8:12
  key: 'key'
  use: `jax.random.normal` on line 8
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from typing import TypeAlias

from flake8_jax.analysis.windows.values import described, sources, subject_of, traced_text
from flake8_jax.domain.conditions import Compared, Fact, NotAll, Path
from flake8_jax.domain.constants import spelled
from flake8_jax.domain.effects import Event, KeptEvidence
from flake8_jax.domain.provenance import Hop, Use
from flake8_jax.domain.staging import NONE, Dependences, Input, certain
from flake8_jax.domain.value import Value
from flake8_jax.ir.ops import Host, Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.syntax.positions import span_of

FieldValue: TypeAlias = "Host | Use | Hop | Dependences | Value | Input | Op | tuple[FieldValue, ...]"
"""What the fields of preconditions, effects and events hold."""

NEGATED = {"==": "!=", "is": "is not", "in": "not in", "<": ">=", ">": "<="}
APART = frozenset((
    "op", "when", "way", "chain", "dependences", "context", "rewrite", "half", "site", "construct", "told",
))  # fmt: skip
"""Fields that have a text of their own, or are told by another."""

AROUND = frozenset((
    "construct", "question", "statement", "holder", "sequence", "scope", "is_made", "is_discrete", "draw",
))  # fmt: skip
"""Fields that say where the op stands."""


def events_text(events: Iterable[Event]) -> str:
    """All events, with their fields and what makes each certain."""
    blocks = sorted((*position(event.op), _block(event)) for event in events)
    return "\n".join(text for _, _, text in blocks)


def _block(event: Event) -> str:
    trace, certainty = event.context.trace, event.context.certainty
    lines = [f"{type(event).__name__} at {place_of(event.op)}", *own_fields(event)]
    if trace is not None:
        subject = f"`{trace.value}`" if trace.value else "arrays made there"
        function = f"`{trace.function}`: {trace.role} `{trace.shown}`"
        lines.append(f"by: {subject} of {function} on line {trace.line} of `{trace.path}`")
    lines += [f"by: {text}" for text in chain_text(event.context.chain)]
    lines += [f"only {certainty.name.lower()}"] if certainty else []
    return "\n  ".join(lines) + "\n"


def own_fields(record: Event | KeptEvidence) -> list[str]:
    """The fields of a precondition, an effect or an event, in order.

    Those that all of them have are left out, empty ones, and what does not hold.
    """
    assert is_dataclass(record)
    names = [
        field.name
        for field in fields(record)
        if field.name not in APART | AROUND and getattr(record, field.name) not in ("", None, False, NONE)
    ]
    return [f"{name}: {field_text(getattr(record, name))}" for name in names]


def field_text(value: FieldValue) -> str:
    """One field's value."""
    match value:
        case Use():
            return use_text(value)
        case Hop():
            return f"{value.text} on line {value.line}"
        case frozenset():
            return dependences_text(value)
        case Value():
            return described(value)
        case Input():
            return value.text()
        case tuple():
            return f"({', '.join(map(field_text, value))})"
        case str() | int() | float() | complex() | bytes() | None:
            return spelled(value)
    return "..." if value is ... else f"`{phrase(value)}`"


def dependences_text(dependences: Dependences) -> str:
    """What something depends on: inputs, the code around, a trace."""
    names = sources(dependences)
    if certain(dependences) is not None:
        names.append(traced_text(dependences))
    return " and ".join(names) or "nothing"


def place_of(op: Op) -> str:
    """The line of an op and its column, counted from 1."""
    line, column = position(op)
    return f"{line}:{column}"


def position(op: Op) -> tuple[int, int]:
    """Line and column of an op, both from 1; column 1 where the op has no place of its own."""
    span = span_of(op)
    return (op.anchor.line, 1) if span is None else (span.line, span.column + 1)


def condition_text(when: Path) -> str:
    """A path condition, oldest fact first."""
    return ", ".join(_fact_text(fact) for fact in when)


def _fact_text(fact: Fact) -> str:
    if type(fact.other) is NotAll:
        return f"not all of ({condition_text(fact.other.facts)})"
    subject, test, other = subject_of(fact.subject), fact.test, _compared(fact)
    if test in ("truth", "isinstance", "asked"):
        asked = {"isinstance": f"isinstance({subject}, {other})", "asked": f"{other}(...)"}.get(test, subject)
        return f"`{asked}` is {'true' if fact.holds else 'false'}"
    return f"`{subject} {test if fact.holds else NEGATED.get(test, f'not {test}')} {other}`"


def _compared(fact: Fact) -> str:
    """What a subject was compared with; types are called by their names."""

    def text(other: Compared) -> str:
        if isinstance(other, Value):
            return subject_of(other)
        return other if isinstance(other, str) and fact.test in ("isinstance", "asked") else spelled(other)

    return " or ".join(map(text, fact.other)) if isinstance(fact.other, tuple) else text(fact.other)


def chain_text(chain: tuple[Hop, ...]) -> list[str]:
    """The calls of a chain, outermost first."""
    return [f"{hop.text} on line {hop.line} of `{hop.path}`" for hop in chain]


def use_text(use: Use) -> str:
    """A consumption of a key."""
    return f"`{use.by}` on line {use.line}"
