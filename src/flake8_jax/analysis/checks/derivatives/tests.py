"""What tests say of numbers: for which numbers an arm that a test chooses is not taken.

jnp.where(x > 0, f(x), 0.0)             f is not taken where x <= 0
jnp.where((r == 0) | far, 0.0, f(r))    where r == 0, or where far
jnp.where(jnp.isnan(y), 0.0, y)         where y is no number

An outcome of a test is any of several clauses, and a clause is some atoms that hold together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, TypeAlias

from flake8_jax.analysis.checks.derivatives.terms import Term
from flake8_jax.lazy_dataclasses import dataclass

Relation: TypeAlias = Literal["<", "<=", ">", ">=", "==", "!=", "not finite"]

NEGATED: dict[str, Relation] = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
FLIPPED: dict[str, Relation] = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
HOLDS: dict[Relation, Callable[[float, float], bool]] = {
    "<": lambda one, other: one < other, "<=": lambda one, other: one <= other, ">": lambda one, other: one > other,
    ">=": lambda one, other: one >= other, "==": lambda one, other: one == other, "!=": lambda one, other: one != other,
}  # fmt: skip
FINITE = {"isnan": True, "isinf": True, "isposinf": True, "isneginf": True, "isfinite": False}
"""Tests whether a number is finite, and their outcome where it is not."""

MAXIMUM_CLAUSES = 16


@dataclass(frozen=True, slots=True)
class Atom:
    """A relation of a term to a number; of a difference, if two terms are compared.

    What is not finite may be known to be no number: it `is_nan`.
    """

    subject: Term
    relation: Relation
    number: float = 0.0
    is_nan: bool = False

    def holds(self, point: float) -> bool:
        """Does it hold where its subject is this number?"""
        return self.relation in HOLDS and HOLDS[self.relation](point, self.number)


Possibility: TypeAlias = "tuple[Atom, ...]"


def possibilities_of(test: Term, outcome: bool) -> list[Possibility]:
    """What holds where a test has an outcome: any of these; none if nothing is known of it, or too much."""
    found = [*_clauses(test, outcome)]
    return found if len(found) <= MAXIMUM_CLAUSES else []


def _clauses(test: Term, outcome: bool) -> Iterator[Possibility]:
    if test.head == "operate" and test.key == "~":
        yield from _clauses(test.parts[0], not outcome)
    elif test.head == "operate" and test.key in ("&", "|"):
        if (test.key == "&") is outcome:
            yield from _together([[*_clauses(part, outcome)] for part in test.parts])
        else:
            for part in test.parts:
                yield from _clauses(part, outcome)
    else:
        yield tuple(_atoms(test, outcome))


def _together(several: list[list[Possibility]]) -> Iterator[Possibility]:
    """One clause of each."""
    joined: list[Possibility] = [()]
    for clauses in several:
        joined = [(*one, *other) for one in joined for other in clauses][: MAXIMUM_CLAUSES + 1]
    yield from joined


def _atoms(test: Term, outcome: bool) -> Iterator[Atom]:
    if test.head == "compare" and test.key in NEGATED:
        left, right = test.parts
        relation: Relation = test.key if outcome else NEGATED[str(test.key)]  # type: ignore[assignment]
        if (number := right.number) is not None:
            yield Atom(left, relation, number)
        elif (number := left.number) is not None:
            yield Atom(right, FLIPPED[relation], number)
        else:
            yield Atom(Term("operate", "-", (left, right)), relation)
            yield Atom(Term("operate", "-", (right, left)), FLIPPED[relation])
    elif test.last in FINITE and len(test.arguments) == 1:
        if FINITE[test.last] is outcome:
            yield Atom(test.arguments[0], "not finite", is_nan=test.last == "isnan")
    elif test.last == "isclose" and len(test.arguments) == 2 and outcome:
        left, right = test.arguments
        if (number := right.number) is not None:
            yield Atom(left, "==", number)
    elif test.head not in ("call", "const") or test.last in ("sum", "count_nonzero"):
        yield Atom(test, "!=" if outcome else "==")
