"""Products of a mask with what is infinite where the mask is 0: the product there is NaN, and not 0.

    blocked = jnp.where(valid, -jnp.inf, scores)
    blocked * (1 - valid)               -inf * 0 where `valid` holds
    (1 - jnp.tril(ones)) * -jnp.inf     0 * -inf on and below the diagonal
    jnp.array([0, 1]) * jnp.array([jnp.inf, 2.0])

The infinity has to be written: a number, a display with one, or the arm of a choice whose test is the mask itself.
And so has the 0, by a display or what is left of 1: `jnp.ones(n) * jnp.inf` is as good as any other way to fill an
array.  A mask of truth values is none: XLA makes a choice of `valid * scores`, so that the result is 0 there (run on
JAX 0.6, 0.10 and 0.12, on the CPU; `tests/rules/test_facts.py`), and with `valid.astype(float)` it is under `jit`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import chain
from math import isinf

from flake8_jax.analysis.checks.derivatives.nan_gradients import NanGradient
from flake8_jax.analysis.checks.derivatives.terms import Reader, Term
from flake8_jax.analysis.checks.instead import library_name
from flake8_jax.analysis.checks.naming import scope_of
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.isolation import ADVICE, advising
from flake8_jax.analysis.summaries.deferral import emit
from flake8_jax.domain.kinds import NUMBER, NUMPY, SHAPED
from flake8_jax.domain.provenance import Context
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.rewrite import ChangedOp, Quoted, Rewrite

INFINITE = frozenset(("inf", "infty", "Inf", "Infinity", "PINF", "NINF"))
NOT_A_NUMBER = frozenset(("nan", "NaN", "NAN"))
TEXTS = frozenset(("inf", "+inf", "-inf", "infinity", "-infinity"))
"""What `float` takes for an infinite number, in small letters."""

TRIANGLES = frozenset(("tril", "triu"))
ONES = frozenset(("ones", "ones_like"))
"""The last names of functions that put zeros on one side of the diagonal, and of what is 1 on the other."""

FILLED = {"full": 1, "full_like": 1}
"""Functions of which an argument fills the whole result, by its position."""

CHOOSING = {
    "where": ("condition", "x", "y"),
    "select": ("pred", "on_true", "on_false"),
    "select_n": ("which", "on_false", "on_true"),
}
ORDER = ("condition", "pred", "which", "x", "on_true", "y", "on_false")
"""The operands of a choice by their names, in the order of each function; and which is the test, then what it takes."""

TAKING_NAN = ("nan", "isnan", "isfinite", "where")
"""How the names of functions start that take care of what is not finite."""

WHOLE = 400


def check_infinite(frame: Frame, op: ops.Operate, values: list[Value]) -> None:
    """Check a product for an infinite factor where the other one is 0."""
    first, second = values[0].kind, values[-1].kind
    if len(values) != 2 or frame.state is None or not (first in SHAPED or second in SHAPED):
        return
    made = [value.made_by or operand for operand, value in zip(op.operands, values, strict=True)]
    if first is second is NUMPY or not any(map(_names_infinity, made)):
        return
    reader = Reader(frame)
    for factor, mask in (op.operands, op.operands[::-1]):
        test = reader.read(mask)
        if _is_infinite_at_zero(reader.read(factor), test) and not _is_taken_care_of(frame, op):
            emit(frame, (NanGradient, op, ()), partial(_event, op, factor, mask, test))
            return


def _names_infinity(op: Op) -> bool:
    """Is an infinite number written in an op, down to the items of a display that is an argument?"""
    waiting = [(op, 3)]
    while waiting:
        found, depth = waiting.pop()
        inner: tuple[Op, ...] = ()
        if type(found) is ops.Name or type(found) is ops.Attr:
            if found.name in INFINITE:
                return True
        elif type(found) is ops.Const:
            if isinstance(found.value, str) and found.value.lower() in TEXTS:
                return True
        elif type(found) is ops.Operate:
            inner = found.operands
        elif type(found) is ops.Build:
            inner = found.parts
        elif type(found) is ops.Call:
            inner = (*found.args, *[given for _, given in found.keywords])
        waiting += [(part, depth - 1) for part in inner if depth]
    return False


def _is_infinite_at_zero(factor: Term, mask: Term) -> bool:
    """Is a factor infinite somewhere where a mask is 0?"""
    numbers, zeros = _numbers(factor), _numbers(mask)
    if numbers is not None and zeros is not None:
        pairs = zip(numbers, zeros, strict=True) if len(numbers) == len(zeros) else ()
        return any(isinf(number) and zero == 0 for number, zero in pairs)
    if _is_infinite(factor):
        return _is_zero_somewhere(mask) or (zeros is not None and 0 in zeros)
    taken = _taken_from_one(mask)
    return taken is not None and any(
        _is_infinite(arm) and _holds_by(taken, test, outcome) for test, outcome, arm in _arms(factor)
    )


def _arms(factor: Term) -> Iterator[tuple[Term, bool, Term]]:
    """Of a choice each arm, with its test and the outcome that takes it."""
    names = CHOOSING.get(factor.last, ())
    held = dict(zip(names, factor.arguments, strict=False))
    held |= {name: given for name in names if (given := factor.keyword(name)) is not None}
    if names and len(held) == len(names) == len(factor.parts):
        test, taken, left = (held[name] for name in sorted(names, key=ORDER.index))
        yield test, True, taken
        yield test, False, left


def _is_infinite(term: Term) -> bool:
    """Is it an infinite number, or filled with one?"""
    number = term.number
    if number is not None:
        return isinf(number)
    if term.head == "operate" and term.key in ("-", "+") and len(term.parts) == 1:
        return _is_infinite(term.parts[0])
    if term.head == "call" and term.last in FILLED:
        place, given = FILLED[term.last], term.arguments
        filled = given[place] if place < len(given) else term.keyword("fill_value")
        return filled is not None and _is_infinite(filled)
    return _is_named(term, INFINITE) or _is_read_from_text(term)


def _is_named(term: Term, names: frozenset[str]) -> bool:
    """Is a number one of these of a library?"""
    op, value = term.op, term.value
    return value is not None and value.kind is NUMBER and isinstance(op, (ops.Attr, ops.Name)) and op.name in names


def _is_read_from_text(term: Term) -> bool:
    made = term.op
    if type(made) is not ops.Call or type(made.func) is not ops.Name or made.func.name != "float" or not made.args:
        return False
    (first, *_) = made.args
    return type(first) is ops.Const and isinstance(first.value, str) and first.value.lower() in TEXTS


def _numbers(term: Term) -> list[float] | None:
    """The numbers of a display, also where an operator with one number is applied to each."""
    if term.head == "build" and term.key in ("list", "tuple"):
        held = [_number(part) if part.head != "build" else None for part in term.parts]
        if any(part.head == "build" for part in term.parts):
            rows = [_numbers(part) for part in term.parts]
            return None if any(row is None for row in rows) else list(chain.from_iterable(row for row in rows if row))
        return None if any(one is None for one in held) else [one for one in held if one is not None]
    if term.head == "operate" and len(term.parts) == 1 and term.key in ("-", "~"):
        inner = _numbers(term.parts[0])
        return None if inner is None else [-one if term.key == "-" else float(not one) for one in inner]
    if term.head == "operate" and term.key == "-" and len(term.parts) == 2:
        whole, inner = _number(term.parts[0]), _numbers(term.parts[1])
        return None if whole is None or inner is None else [whole - one for one in inner]
    return None


def _number(term: Term) -> float | None:
    """The number that a term is, a truth value among them."""
    if term.head == "const" and isinstance(term.key, tuple) and term.key[0] == "bool":
        return float(bool(term.key[1]))
    if _is_infinite(term):
        is_below = term.head == "operate" and term.key == "-"
        return float("-inf") if is_below else float("inf")
    return float("nan") if _is_named(term, NOT_A_NUMBER) else term.number


def _is_zero_somewhere(mask: Term) -> bool:
    """Is a term a triangle, or what is left of 1 by a mask?"""
    taken = _taken_from_one(mask)
    if taken is None:
        return mask.last in TRIANGLES
    return _is_truth(taken) or (taken.last in TRIANGLES and any(one.last in ONES for one in taken.arguments))


def _taken_from_one(term: Term) -> Term | None:
    """`m` of `1 - m`."""
    is_left = term.head == "operate" and term.key == "-" and len(term.parts) == 2 and term.parts[0].number == 1
    return term.parts[1] if is_left else None


def _is_truth(term: Term) -> bool:
    """Is a term the outcome of a test for each item?"""
    if term.head == "compare":
        return True
    if term.head == "operate" and term.key in ("&", "|", "~"):
        return all(map(_is_truth, term.parts))
    return term.value is not None and term.value.dtype == "bool"


def _holds_by(term: Term, test: Term, outcome: bool) -> bool:
    """Does a term hold where a test has this outcome?"""
    if term.head == "operate" and term.key == "~":
        return _holds_by(term.parts[0], test, not outcome)
    if test.head == "operate" and test.key == "~":
        return _holds_by(term, test.parts[0], not outcome)
    return term == test and outcome


def _is_taken_care_of(frame: Frame, op: Op) -> bool:
    """Is the product handed to a function that takes care of what is not finite?"""
    around = chains_of(frame.function).parents.get(op)
    if type(around) is not ops.Call:
        return False
    func = around.func
    name = func.name if isinstance(func, (ops.Attr, ops.Name)) else ""
    return name.startswith(TAKING_NAN)


def _event(op: ops.Operate, factor: Op, mask: Op, test: Term) -> NanGradient:
    taken = _taken_from_one(test)
    rewrite = _chosen(op, factor, taken.op) if taken is not None and taken.op is not None and taken.is_here else None
    return NanGradient(op, "infinite", phrase(op), phrase(factor), phrase(mask), False, Context(), rewrite)


@advising(ADVICE, None)
def _chosen(op: ops.Operate, factor: Op, taken: Op) -> Rewrite | None:
    """The product, written as a choice, if what is taken from 1 is a test that stands there."""
    if taken.anchor is not op.anchor:
        return None
    where = library_name(scope_of(op), "jax.numpy.where")
    return Rewrite((ChangedOp(op, (where, "(", Quoted(taken, WHOLE), ", 0, ", Quoted(factor, WHOLE), ")")),))
