"""Outcomes of functions: the facts about its arguments that follow if the result of a call is true, or false.

def _is_tracer(x):                      true: x is an instance of Tracer; false: it is not
    return isinstance(x, Tracer)
def is_static(x):                       true: x is no Tracer; false: nothing, or that it is one
    if isinstance(x, Tracer):
        return False
    return True
"""

from __future__ import annotations

from collections.abc import Iterator

from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.summaries.substitution import Substitution
from flake8_jax.domain.conditions import ALWAYS, Fact, Path, common_facts
from flake8_jax.domain.constants import OPEN
from flake8_jax.domain.kinds import CONTAINERS, STATIC
from flake8_jax.domain.state import State
from flake8_jax.domain.value import Value

FOLLOWING = frozenset(("isinstance", "asked"))
"""The tests of which the outcomes are passed on to callers."""


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
    if result.kind is not STATIC or result.constant is not OPEN or site.summary.outcome == (ALWAYS, ALWAYS):
        return result
    found, missed = (tuple(_translated(site, side)) for side in site.summary.outcome)
    if not found and not missed:
        return result
    value = Value(STATIC, result.dependences, OPEN, site.op)
    site.frame.program.record.meanings[value] = found, missed
    site.frame.outcomes[site.op] = value
    return value


def _translated(site: Substitution, side: Path) -> Iterator[Fact]:
    for fact in side:
        actual = site.input_value(fact.subject)
        if actual is None:
            continue
        parts = actual.parts if fact.test == "asked" and actual.kind in CONTAINERS else ()
        yield from (Fact(fact.test, part, fact.other, fact.holds) for part in (actual, *parts))
