"""Outcomes of functions: the facts about its arguments that follow if the result of a call is true, or false.

def _is_tracer(x):                      true: x is an instance of Tracer; false: it is not
    return isinstance(x, Tracer)
def is_static(x):                       true: x is no Tracer; false: nothing, or that it is one
    if isinstance(x, Tracer):
        return False
    return True
def with_test(x):                       the same of what is returned beside other values
    return jnp.asarray(x), isinstance(x, float)
"""

from __future__ import annotations

from collections.abc import Iterator

from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.summaries.substitution import Substitution
from flake8_jax.domain.conditions import ALWAYS, Fact, Path, common_facts
from flake8_jax.domain.constants import OPEN
from flake8_jax.domain.kinds import CONTAINERS, STATIC, TUPLE
from flake8_jax.domain.payload import Elements
from flake8_jax.domain.state import State
from flake8_jax.domain.value import Value
from flake8_jax.lazy_dataclasses import replace

FOLLOWING = frozenset(("isinstance", "asked"))
"""The tests of which the outcomes are passed on to callers."""

UNDECIDED = ALWAYS, ALWAYS
"""The outcome of what tells nothing."""


def outcome_of(frame: Frame, returned: list[tuple[Value, State]]) -> tuple[Path, Path]:
    """The facts that all returns of a true result share, and those of a false one."""
    ways: tuple[list[Path], list[Path]] = [], []
    for value, state in returned:
        known = value.constant if value.kind is STATIC else OPEN
        meaning = frame.program.record.meanings.get(value, (ALWAYS, ALWAYS))
        for place, is_true in enumerate((True, False)):
            if known is OPEN or bool(known) is is_true:
                ways[place].append(_following((*state.path, *meaning[place])))
    return _shared(ways[0]), _shared(ways[1])


def outcomes_of(frame: Frame, returned: list[tuple[Value, State]]) -> tuple[tuple[Path, Path], ...]:
    """The same of each item, where all returns are of tuples of as many; nothing if no item is a test."""
    rows = [value.elements or () for value, _ in returned if value.kind is TUPLE]
    if not rows or len(rows) < len(returned) or len({len(row) for row in rows}) > 1:
        return ()
    states = [state for _, state in returned]
    columns = zip(*rows, strict=True)
    found = tuple([outcome_of(frame, [*zip(column, states, strict=True)]) for column in columns])
    return found if any(one != UNDECIDED for one in found) else ()


def _following(path: Path) -> Path:
    return tuple(fact for fact in path if fact.test in FOLLOWING)


def _shared(paths: list[Path]) -> Path:
    if not paths:
        return ALWAYS
    found = paths[0]
    for path in paths[1:]:
        found = common_facts(found, path)
    return found


def note_outcome(site: Substitution, result: Value) -> Value:
    """The result of a call, with what follows from it in terms of the caller."""
    if site.summary.outcomes and result.elements is not None:
        both = zip(result.elements, site.summary.outcomes, strict=True)
        parts = tuple([_with_outcome(site, part, outcome) for part, outcome in both])
        return replace(result, payload=Elements(parts))
    value = _with_outcome(site, result, site.summary.outcome)
    if value is not result:
        site.frame.outcomes[site.op] = value
    return value


def _with_outcome(site: Substitution, result: Value, outcome: tuple[Path, Path]) -> Value:
    """A result of a call, or an item of it, with what follows from it."""
    if result.kind is not STATIC or result.constant is not OPEN or outcome == UNDECIDED:
        return result
    found, missed = (tuple(_translated(site, side)) for side in outcome)
    if not found and not missed:
        return result
    value = Value(STATIC, result.dependences, result.payload, site.op)
    site.frame.program.record.meanings[value] = found, missed
    return value


def _translated(site: Substitution, side: Path) -> Iterator[Fact]:
    for fact in side:
        actual = site.input_value(fact.subject)
        if actual is None:
            continue
        parts = actual.parts if fact.test == "asked" and actual.kind in CONTAINERS else ()
        yield from (Fact(fact.test, part, fact.other, fact.holds) for part in (actual, *parts))
