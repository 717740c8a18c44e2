"""The truth of an array of several elements: Python wants one, in eager code too.

x = jnp.arange(3)
if x > 1: ...               three answers: `jnp.any(x > 1)` or `jnp.all(x > 1)`
def f(lo): if lo < x: ...   three answers or more, whatever `lo` is
x > 0 & x < 2               `&` binds closer than `>`: a chain of comparisons, which wants one truth in between
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from functools import reduce

from flake8_jax.analysis.checks.naming import imported_as, scope_of
from flake8_jax.analysis.isolation import ADVICE, advising
from flake8_jax.domain.kinds import ARRAY
from flake8_jax.domain.provenance import Context
from flake8_jax.domain.value import Value, least_shape
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.lazy_dataclasses import dataclass
from flake8_jax.syntax.positions import unpacked

SIGNS = {"and": " & ", "or": " | "}
"""What joins the truths of arrays element by element."""

OF_ONE = frozenset(
    ("if", "elif", "while", "assert", "ternary", "comprehension", "not", "and", "or", "chain", "bool"),
)
"""What asks an array for one truth; `any`, `min` and the like take its elements one by one."""


@dataclass(frozen=True, slots=True)
class ArrayTruth:
    """Python asks for the truth of an array that has several elements.

    `form` is what asks, `subject` the text of the array, `count` how many elements it has, in words; `instead` is what
    to write.
    """

    op: Op
    form: str
    subject: str
    count: str
    instead: str
    context: Context


def elements_asked(value: Value, form: str) -> str:
    """How many elements an array has that is asked for one truth, in words; none if it may be one."""
    shape = least_shape(value) if form in OF_ONE and value.kind is ARRAY else None
    if not shape or 0 in shape:
        return ""
    count = math.prod(size or 1 for size in shape)
    is_whole = shape is value.shape and None not in shape
    return (f"{count}" if is_whole else f"{count} or more") if count > 1 else ""


def array_truth(
    op: Op, form: str, construct: Op, count: str, context: Context | None = None
) -> Callable[[], ArrayTruth]:
    """The event of asking an array of several elements for one truth."""
    return lambda: ArrayTruth(op, form, phrase(op), count, _instead(op, form, construct), context or Context())


@advising(ADVICE, "")
def _instead(op: Op, form: str, construct: Op) -> str:
    if form == "chain" and type(construct) is ops.Compare and len(construct.operands) == 3:
        first, middle, last = construct.operands
        one, other = construct.operators
        if isinstance(middle, ops.Operate) and middle.operator in ("&", "|") and len(middle.operands) == 2:
            left, right = middle.operands
            pairs = f"({phrase(first)} {one} {phrase(left)})", f"({phrase(right)} {other} {phrase(last)})"
            return f"use `{f' {middle.operator} '.join(pairs)}`"
        return f"use `({phrase(first)} {one} {phrase(middle)}) & ({phrase(middle)} {other} {phrase(last)})`"
    scope, asked, is_tested = scope_of(op) or scope_of(construct), phrase(op), _is_tested(construct)
    if type(construct) is ops.Logic:
        are_truths = all(type(operand) is ops.Compare for operand in construct.operands)
        sign, function = SIGNS[construct.operator], imported_as(scope, f"jax.numpy.logical_{construct.operator}")
        joined = sign.join(f"({phrase(operand)})" for operand in construct.operands)
        if not is_tested and not are_truths:
            joined = reduce(lambda one, other: f"{function}({one}, {other})", map(phrase, construct.operands))
        if not is_tested:
            return f"use `{joined}`"
        asked = joined if are_truths else asked
    if form == "not" and not is_tested:
        return f"use `{imported_as(scope, 'jax.numpy.logical_not')}({asked})`"
    if form == "in" and type(construct) is ops.Compare:
        equal = imported_as(scope, "jax.numpy.array_equal")
        return f"use `any({equal}({phrase(op)}, one) for one in {phrase(construct.operands[1])})`"
    every, some = (f"`{imported_as(scope, f'jax.numpy.{name}')}({asked})`" for name in ("all", "any"))
    return f"use {every} or {some}"


def _is_tested(construct: Op) -> bool:
    """Is what `and`, `or` or `not` gives asked by a test, so that it must be one truth, too: `if not x`?"""
    layout = construct.anchor.origin.source.layout
    node = layout.at.get(unpacked(construct.place)) if construct.place and construct.anchor.field is None else None
    around = layout.parents.get(node) if node is not None else None
    while isinstance(around, (ast.BoolOp, ast.UnaryOp)):
        node, around = around, layout.parents.get(around)
    return node is getattr(around, "test", None) or (isinstance(around, ast.comprehension) and node in around.ifs)
