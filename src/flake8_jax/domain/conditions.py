"""Under which tests a path is taken, and which two paths exclude each other.

A path condition is a row of facts that all hold, oldest first; only the latest are kept.  A fact is about a *value*
(an identity), never about a text:

    if train: a = normal(key)          fact: (truth of the value `train`) is True
    if not train: b = normal(key)      fact: (truth of the value `train`) is False: never both

A test that is neither a name, a comparison with a constant, `is None` nor isinstance makes no fact.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from flake8_jax.domain.value import OPEN, Value

MAXIMUM_FACTS = 16


@dataclass(frozen=True, slots=True)
class Fact:
    """Something pure that a test found out: about `subject`, compared with `other` (a constant or a value).

    `test` is "truth", "==", "is", "in", "isinstance", "<" ...; `holds` is what it found.
    """

    test: str
    subject: Value
    other: Any
    holds: bool


Path: TypeAlias = tuple[Fact, ...]
ALWAYS: Path = ()


def assume(path: Path, facts: tuple[Fact, ...]) -> Path:
    """The path with more facts, the latest that are kept."""
    return (path + facts)[-MAXIMUM_FACTS:] if facts else path


def common(first: Path, second: Path) -> Path:
    """What both paths found out before they parted."""
    if first is second:
        return first
    return tuple(fact for fact in first if fact in second)


def exclude(first: Path, second: Path) -> bool:
    """Can no run take both paths?"""
    if not first or not second:
        return False
    return any(contradict(a, b) for a in first for b in second)


def contradict(first: Fact, second: Fact) -> bool:
    """Do two facts about one value contradict each other?"""
    if first.subject is not second.subject:
        return False
    if first.test == second.test and _same(first.other, second.other):
        return first.holds != second.holds
    if first.test in EQUALS and second.test in EQUALS and first.holds and second.holds:
        return _differ(first.other, second.other)
    for fact, other in ((first, second), (second, first)):
        if fact.test in EQUALS and fact.holds and other.test == "truth" and _is_constant(fact.other):
            return bool(fact.other) != other.holds
    return False


EQUALS = frozenset(("==", "is"))


def decide(fact: Fact, actual: Value) -> bool | None:
    """Does the fact hold of an actual value?  None if that is not known."""
    if fact.test == "is" and fact.other is None and actual.kind.value not in ("unknown", "input", "static"):
        return not fact.holds
    if actual.data is OPEN or actual.kind.value not in ("number", "static"):
        return None
    if fact.test == "truth":
        return bool(actual.data) == fact.holds
    if fact.test in EQUALS and _is_constant(fact.other):
        return bool(actual.data == fact.other) == fact.holds
    return None


def _is_constant(other: Any) -> bool:
    return other is None or isinstance(other, (bool, int, float, str, bytes))


def _same(first: Any, second: Any) -> bool:
    return first is second or (type(first) is type(second) and bool(first == second))


def _differ(first: Any, second: Any) -> bool:
    return _is_constant(first) and _is_constant(second) and not _same(first, second)
