"""Terms that may be evaluated where their derivative is not finite, as a test beside them shows: nothing is run.

jnp.where(x > 0, jnp.log(x), 0.0)       x may be 0, and there 0 * inf is what goes back through `log`
(r > 0) * (1.0 / r)                     the same for r == 0
jnp.sqrt(jnp.maximum(v, 0.0))           v may be below 0, and there the root is taken of 0
jnp.arccos(jnp.clip(c, -1.0, 1.0))      c may be above 1, by rounding, and there the derivative is taken at 1
jnp.linalg.norm(p[:, None] - p[None])   the distance of each point to itself is 0
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, TypeAlias

from flake8_jax.analysis.checks.derivatives.terms import Term, moved_by
from flake8_jax.analysis.checks.derivatives.tests import Atom, Possibility
from flake8_jax.api.singular import Singular
from flake8_jax.api.table import Table
from flake8_jax.domain.kinds import ARRAY
from flake8_jax.domain.staging import NONE, Dependences, Input, unite
from flake8_jax.domain.value import Value, input_of
from flake8_jax.ir import ops
from flake8_jax.lazy_dataclasses import dataclass, replace
from flake8_jax.syntax.policies import EPSILON

SingularForm: TypeAlias = Literal["selected", "masked", "floored", "pairwise", "infinite", "zero"]
"""By what it is seen that the point is met: a choice, a product with a mask, a bound, distances to oneself; or
that a factor is infinite where the mask is 0, so that the value itself is NaN; or what a call hands in.
"""

DIVIDED = Singular((0.0,), "1")
SELECTING = frozenset(("where", "select", "select_n"))
BARRED = frozenset(("stop_gradient", "custom_root", "while_loop"))
"""Through what no derivative goes, or a choice that is looked at by itself."""

KEEPING_ZERO = frozenset((
    "abs", "sum", "norm", "sqrt", "max", "cbrt", "vector_norm", "global_norm", "mean", "squeeze", "reshape", "ravel",
    "expand_dims", "transpose", "broadcast_to", "flatten",
))  # fmt: skip
"""The last names of functions that are zero where their argument is."""

SHOWING_ZERO = KEEPING_ZERO - {"sum", "mean", "max"}
"""Those that are zero nowhere else."""

NEAR = 0.01
"""How far from a singular point the number of a test may be that is meant for it."""

ADDING = frozenset(("sum", "mean", "max"))
BOUNDS = frozenset(("maximum", "clip"))
BOUNDS_BY_NAME = ("min", "a_min", "max", "a_max")


@dataclass(frozen=True, slots=True)
class SingularPoint:
    """A function, or an operator, whose derivative is not finite at an operand that is met.

    `by` is the whole term, `operand` what it is taken of, `word` how it is called; `under` are the dependences by which
    a derivative goes there; `at` are the numbers at which bounds hold the operand.
    """

    form: SingularForm
    by: Term
    operand: Term
    word: str
    row: Singular
    under: Dependences
    at: tuple[float, ...] = ()


def excluded(points: list[SingularPoint], clauses: list[Possibility]) -> Iterator[SingularPoint]:
    """Those of the singular points of an arm that are met where it is not chosen."""
    for point in points:
        if any(_meets(point, clause) for clause in clauses):
            yield point


def evident_point(table: Table, term: Term) -> SingularPoint | None:
    """The singular point of a function that is met for certain, or to which a bound holds its operand."""
    found = singular_at(table, term)
    if found is None:
        return None
    operand, row, word = found
    held = _held(operand, row.points)
    if held is not None:
        under = moved_by(held[0])
        return SingularPoint("floored", term, operand, word, row, under, held[1]) if under else None
    if row.is_zero and any(_is_pairwise(one) for one in _shown_zero(operand)):
        under = moved_by(operand)
        return SingularPoint("pairwise", term, operand, word, row, under) if under else None
    return None


def zero_point(table: Table, term: Term) -> tuple[SingularPoint, Input] | None:
    """The point of a norm, or of a root of squares, at 0; and the input of the function that brings it there."""
    met = _met_at_zero(table, term)
    sources = [input_behind(one.value) for one in _shown_zero(met.operand) if one.value is not None] if met else []
    source = sources[0] if len(sources) == 1 else None
    return (met, source) if met is not None and source is not None else None


def equal_point(table: Table, term: Term) -> tuple[SingularPoint, Input, Input] | None:
    """The point of a norm, or of a root of squares, of a difference; and the two inputs that are equal there."""
    met = _met_at_zero(table, term)
    for one in _shown_zero(met.operand) if met is not None else ():
        if one.head == "operate" and one.key == "-" and len(one.parts) == 2:
            left, right = (input_behind(part.value) if part.value is not None else None for part in one.parts)
            if met is not None and left is not None and right is not None and left is not right:
                return replace(met, form="pairwise"), left, right
    return None


def is_along_axis(term: Term) -> bool:
    """Is a norm, or a root of a sum, taken of each item apart: along an axis, or of numbers?"""
    added = [inner for inner in term.within() if inner.last in ADDING or inner.last.endswith("norm")]
    return all(inner.keyword("axis") is not None or len(inner.arguments) > _axis_place(inner) for inner in added)


def _axis_place(term: Term) -> int:
    return 2 if term.last.endswith("norm") else 1


def _met_at_zero(table: Table, term: Term) -> SingularPoint | None:
    found = singular_at(table, term)
    if found is None or not found[1].is_zero or 0.0 not in found[1].points:
        return None
    operand, row, word = found
    squares = operand.arguments[0] if operand.last in ADDING and operand.arguments else operand
    under = moved_by(operand) if row.is_whole or _has_least_zero(squares) else NONE
    return SingularPoint("zero", term, operand, word, row, under) if under else None


def input_behind(value: Value) -> Input | None:
    """The input that a value is, also if an annotation says that it is an array."""
    is_promised = value.kind is ARRAY and (value.made_by is None or type(value.made_by) is ops.Attr)
    return input_of(value) if is_promised else value.input


def _is_square(term: Term) -> bool:
    """Is it the product of something and itself?"""
    is_product = term.head == "operate" and term.key in ("*", "@") and len(term.parts) == 2
    return is_product and term.parts[0] == term.parts[1]


def singular_points(table: Table, term: Term, form: SingularForm) -> Iterator[SingularPoint]:
    """The functions in a term through which derivatives go, with a derivative that is not finite somewhere."""
    if term.head in ("compare", "const", "leaf", "attr") or term.last in BARRED or term.last in SELECTING:
        return
    found = singular_at(table, term)
    if found is not None:
        operand, row, word = found
        under = moved_by(operand)
        if word == "/":
            under = unite(under, moved_by(term.parts[0]))
        if under:
            yield SingularPoint(form, term, operand, word, row, under)
    for part in term.parts:
        yield from singular_points(table, part, form)


def singular_at(table: Table, term: Term) -> tuple[Term, Singular, str] | None:
    """The operand of a function that has points without a finite derivative, with these, and the word for it."""
    if term.head == "operate" and term.key == "/" and len(term.parts) == 2:
        return (term.parts[1], DIVIDED, "/") if term.parts[1].number is None else None
    if term.head == "operate" and term.key == "**" and len(term.parts) == 2:
        row = of_power(term.parts[1].number)
        return (term.parts[0], row, "**") if row is not None else None
    row = table.singular(term.name) if term.name and term.arguments else None
    return (term.arguments[0], row, term.last) if row is not None else None


def of_power(exponent: float | None) -> Singular | None:
    """Where the derivative of a power is not finite."""
    if exponent is None or (exponent >= 1 and exponent.is_integer()) or exponent == 0:
        return None
    if exponent.is_integer():
        return DIVIDED
    return Singular((0.0, -1.0) if exponent < 1 else (-1.0,), "1", exponent > 0, is_nan=True)


def _meets(point: SingularPoint, clause: Possibility) -> bool:
    """May the operand be at a singular point where all of some atoms hold?"""
    about = [(atom, found) for atom in clause if (found := _about(atom, point)) is not None]
    is_meant = any(_is_near(atom, point) for atom, _ in about)
    return is_meant and any(all(holds(value) for _, holds in about) for value in point.row.points)


def _is_near(atom: Atom, point: SingularPoint) -> bool:
    """Is a number that is asked for so near to a singular point that this is meant?"""
    return any(abs(abs(atom.number) - abs(value)) <= NEAR for value in point.row.points)


def _about(atom: Atom, point: SingularPoint) -> Callable[[float], bool] | None:
    """What a test says of the operand, as a predicate on numbers; None if it says nothing."""
    subject, operand = atom.subject, point.operand
    if atom.relation == "not finite":
        is_shown = (not atom.is_nan or point.row.is_nan or point.word == "/") and not _is_held_off(operand)
        return (lambda value: True) if is_shown and any(inner == point.by for inner in subject.within()) else None
    if subject == operand:
        return None if _is_kept_off(operand, point.row.points) else atom.holds
    if operand == Term("operate", "-", (subject,)):
        return lambda value: atom.holds(-value)
    if subject.last == "abs" and subject.arguments == (operand,):
        return lambda value: atom.holds(abs(value))
    is_result = subject == point.by and point.row.is_zero
    if (is_result or not _shown_zero(subject).isdisjoint(_zeros(operand))) and not _is_held_off(operand):
        return lambda value: value == 0 and atom.holds(value)
    return None


def _is_kept_off(term: Term, points: tuple[float, ...]) -> bool:
    """Is a term itself kept off from points: by a bound at another one, or by what is added to squares?"""
    if term.head == "operate" and term.key == "+" and len(term.parts) == 2:
        left, right = term.parts
        return any(_is_small(one) and _shown_zero(other) != {other} for one, other in ((left, right), (right, left)))
    return term.last in BOUNDS and bool(term.arguments) and _held(term, points) is None


def _is_small(term: Term) -> bool:
    """Is it a number that is not 0, or called as what is added to keep something off from 0 is?"""
    name = term.op.name if type(term.op) in (ops.Name, ops.Attr) else ""  # type: ignore[union-attr]
    return bool(term.number) or EPSILON.search(name) is not None


def _is_held_off(term: Term) -> bool:
    """Is a term held off from points, by a choice, a bound, or what is added?"""
    if term.head == "operate" and term.key == "+" and any(part.number for part in term.parts):
        return True
    return any(inner.last in SELECTING or inner.last in BOUNDS for inner in term.within())


def _zeros(term: Term) -> set[Term]:
    """The terms that make a term zero where they are."""
    found = {term}
    if term.head == "operate" and term.key in ("*", "/", "-", "**", "@"):
        is_power = term.key == "**" and (term.parts[1].number or 0) > 0
        taken = term.parts if term.key in ("*", "@") or len(term.parts) == 1 else term.parts[:1]
        for part in taken if is_power or term.key in ("*", "/", "@") or len(term.parts) == 1 else ():
            found |= _zeros(part)
    elif term.head == "item" or (term.last in KEEPING_ZERO and term.arguments):
        found |= _zeros(term.parts[0])
    return found


def _shown_zero(term: Term) -> set[Term]:
    """The terms that are zero where a term is."""
    found = {term}
    if term.head == "operate" and len(term.parts) == 2:
        left, right = term.parts
        if (term.key == "**" and (right.number or 0) > 0) or _is_square(term):
            found |= _shown_zero(left)
        elif term.key == "*" and (left.number or right.number):
            found |= _shown_zero(right if left.number else left)
        elif term.key == "/" and right.number:
            found |= _shown_zero(left)
    elif term.head == "operate" and term.key == "-":
        found |= _shown_zero(term.parts[0])
    elif term.arguments and (term.last in SHOWING_ZERO or (term.last in ADDING and _has_least_zero(term.arguments[0]))):
        found |= _shown_zero(term.arguments[0])
    return found


def _has_least_zero(term: Term) -> bool:
    """Is a term nowhere below zero, and zero only where what it is made of is?"""
    return _is_positive(term) or _is_square(term)


def _is_positive(term: Term) -> bool:
    """Is a term certainly not negative?"""
    if term.head == "operate" and term.key == "**":
        exponent = term.parts[1].number
        return exponent is not None and exponent % 2 == 0
    return term.last in ("abs", "norm", "sqrt")


def _held(term: Term, points: tuple[float, ...]) -> tuple[Term, tuple[float, ...]] | None:
    """The operand of a bound, where its derivative ends, if that is at some of these points.

    `jax.nn.relu` and `jax.lax.clamp` hand back 0 there, whatever comes in.
    """
    given = term.arguments
    bounds: tuple[Term, ...]
    if term.last in ("maximum", "minimum") and len(given) == 2:
        taken, bounds = (given[1], given[:1]) if given[0].number is not None else (given[0], given[1:])
    elif term.last == "clip" and given:
        taken, bounds = given[0], (*given[1:3], *filter(None, map(term.keyword, BOUNDS_BY_NAME)))
    else:
        return None
    at = tuple(one.number for one in bounds if one.number is not None and one.number in points)
    return (taken, at) if at else None


def _is_pairwise(term: Term) -> bool:
    """Is it the difference of each item of an array and each other one, itself among them?"""
    return term.head == "operate" and term.key == "-" and len(term.parts) == 2 and are_widened(*term.parts)


def are_widened(first: Term, second: Term) -> bool:
    """Are they one array, with an axis more at two places, so that their difference is that of each pair of items?"""
    left, right = _widened(first), _widened(second)
    return left is not None and right is not None and left[0] == right[0] and left[1] != right[1]


def _widened(term: Term) -> tuple[Term, int] | None:
    """An array with an axis more, and where that is: of `x[:, None]` the second."""
    if term.head == "item":
        index = term.parts[1]
        places = index.parts if index.head == "build" and index.key == "tuple" else (index,)
        added = [place for place, one in enumerate(places) if _is_new_axis(one)]
        is_whole = all(_is_new_axis(place) or _is_everything(place) for place in places)
        return (term.parts[0], added[0]) if len(added) == 1 and is_whole else None
    if term.last == "expand_dims" and len(term.parts) == 2:
        axis = term.parts[1].parts[0] if term.parts[1].head == "keyword" else term.parts[1]
        number = axis.number
        return (term.parts[0], int(number)) if number is not None and number >= 0 else None
    return None


def _is_new_axis(term: Term) -> bool:
    return (term.head == "const" and term.key == ("NoneType", None)) or term.last == "newaxis" or term.key == "newaxis"


def _is_everything(term: Term) -> bool:
    if term.head == "const":
        return term.key == ("ellipsis", ...)
    return term.head == "build" and term.key == "slice" and all(part.key == ("NoneType", None) for part in term.parts)
