"""What a derivative is taken of, and by: a floating scalar, by floating arguments.

jax.grad(loss)                  `loss` returns a pair, a vector, an integer: refused, unless `has_aux` says it of a pair
jax.grad(loss, has_aux=True)    `loss` returns no pair
jax.grad(f)(3)                  an integer has no derivative; nor has the counter in a state
jax.jacrev(f)(x)                `f` may return any tree, of floating numbers

What is returned is said by the rows (`expects`: scalar, floating).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Literal, TypeAlias

from flake8_jax.analysis.callables import Applied, Arguments, Wrapped
from flake8_jax.analysis.checks.contracts.alike import name_of
from flake8_jax.analysis.checks.contracts.contract import MakesEvent, comparison_in, require
from flake8_jax.analysis.checks.contracts.structure import (
    Contents,
    TypeComparison,
    array_text,
    described,
    entries_of,
    node_of,
    owner_of,
    shape_of_leaf,
)
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.dtypes import dtype_of_operand
from flake8_jax.analysis.summaries.deferral import emit
from flake8_jax.api.dtypes import WEAK
from flake8_jax.domain.constants import spelled
from flake8_jax.domain.kinds import DICT, RANDOM_KEYS, SEQUENCES
from flake8_jax.domain.provenance import Context
from flake8_jax.domain.value import Value
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.lazy_dataclasses import dataclass

NotScalarFault: TypeAlias = Literal["pair", "structure", "shape", "dtype", "no pair", "part", "nothing"]

SCALAR, FLOATING = "scalar", "floating"
ARGNUMS = "argnums"
MAXIMUM_DEPTH = 4
COMPLEX = "complex"
DISCRETE = ("bool", "int", "uint")
"""How the names of dtypes begin that have no derivative."""


@dataclass(frozen=True, slots=True)
class NotScalar:
    """A function is differentiated that does not return one floating number.

    `given` describes what it returns; of a `pair`, `has_aux` would take the second part for what is beside.
    A `part` of a tree is no floating number, or there is `nothing` to differentiate.
    """

    op: Op
    fault: NotScalarFault
    function: str
    transform: str
    given: str
    context: Context


@dataclass(frozen=True, slots=True)
class IntegerDifferentiated:
    """A derivative is taken by an argument that is, or holds in a `part`, an integer, a boolean or a key.

    `place` counts the arguments from 0, `subject` is the argument's text, `given` what it is.
    """

    op: Op
    transform: str
    function: str
    subject: str
    place: int
    part: str
    given: str
    context: Context


@dataclass(frozen=True, slots=True)
class ScalarContract:
    """The contract that a differentiated function returns one floating number, alone or first in a pair."""

    op: Op
    function: str
    applied: Applied

    def broken(self, values: tuple[Value, ...], comparison: TypeComparison) -> MakesEvent | None:
        """Is the result certainly something else?"""
        (result,) = map(comparison.contents, values)
        fault: NotScalarFault | None
        if self.applied.returns_pair:
            fault = "no pair" if _is_no_pair(result) else None
            if fault is None and result.elements is not None:
                result = result.elements[0]
                fault, result = self._fault(result, comparison)
        else:
            fault, result = (None, result) if self.applied.has_aux else self._fault(result, comparison)
        if fault is None:
            return None
        given = array_text(result) if node_of(result) == "leaf" else described(result)
        return partial(NotScalar, self.op, fault, self.function, self.applied.text, given)

    def _fault(self, result: Value, comparison: TypeComparison) -> tuple[NotScalarFault | None, Value]:
        """What is wrong with a result, and the part that is meant."""
        if self.applied.transform.expected(0) == SCALAR:
            return _fault(result), result
        if node_of(result) == "none":
            return "nothing", result
        found = next(_refused_parts(comparison.contents, result, (*DISCRETE, COMPLEX)), None)
        return (None, result) if found is None else ("part", found[1])


@dataclass(frozen=True, slots=True)
class FloatingContract:
    """An argument has floating leaves alone."""

    op: Op
    place: int
    function: str
    transform: str
    refused: tuple[str, ...]

    def broken(self, values: tuple[Value, ...], comparison: TypeComparison) -> MakesEvent | None:
        """Is there a leaf that has no derivative, or none to a result that is no real one?"""
        (value,) = values
        found = next(_refused_parts(comparison.contents, value, self.refused), None)
        if found is None:
            return None
        part, leaf = found
        given = "a random key" if leaf.kind in RANDOM_KEYS else array_text(leaf)
        subject = phrase(self.op)
        return partial(IntegerDifferentiated, self.op, self.transform, self.function, subject, self.place, part, given)


def check_differentiated(frame: Frame, op: Op, wrapped: Wrapped, arguments: Arguments, result: Value) -> None:
    """Report a function that is no scalar one, and the arguments that it cannot be differentiated by."""
    applied, function = wrapped.applied, name_of(wrapped.callee)
    transform = applied.transform
    expected = transform.expected(0)
    is_of_jax = transform.name.startswith("jax.") and any(
        parameter.name == ARGNUMS for parameter in transform.parameters
    )
    if applied.is_lenient or not (is_of_jax or expected == SCALAR):
        return
    dtype, is_broken = dtype_of_operand(result), False
    is_complex = isinstance(dtype, str) and dtype.removeprefix(WEAK).startswith(COMPLEX)
    refused = (*DISCRETE, COMPLEX) if is_complex else DISCRETE
    for number in sorted(applied.differentiated) if not transform.keeps and not arguments.is_open else ():
        if 0 <= number < len(arguments.positional):
            source = (arguments.ops[number] if number < len(arguments.ops) else None) or op
            contract = FloatingContract(source, number, function, applied.text, refused)
            is_broken |= require(frame, source, contract, arguments.positional[number])
    if not is_broken and expected in (SCALAR, FLOATING):  # of integers, it would return one, too
        place = applied.op or op
        require(frame, place, ScalarContract(place, function, applied), result)


def note_choice(frame: Frame, op: Op, applied: Applied, callee: Value, result: Value) -> None:
    """Note what is wrong with the result of one of several functions, of which each may be differentiated."""
    choice = frame.context.choice
    if choice is not None:
        contract = ScalarContract(applied.op or op, name_of(callee), applied)
        is_judged = applied.transform.expected(0) == SCALAR and not applied.is_lenient
        choice.append(contract.broken((result,), comparison_in(frame)) if is_judged else None)


def check_choice(frame: Frame, op: Op, faults: list[MakesEvent | None]) -> None:
    """Report that whichever of several functions is differentiated, it returns no floating number."""
    known = [make for make in faults if make is not None]
    if known and len(known) == len(faults):
        emit(frame, (ScalarContract, op, ()), lambda: known[0](Context()))


def _is_no_pair(result: Value) -> bool:
    node = node_of(result)
    if node == "tuple" or node == "list":
        return node == "list" or (result.elements is not None and len(result.elements) != 2)
    return node is not None


def _fault(result: Value) -> NotScalarFault | None:
    node = node_of(result)
    if node != "leaf":
        is_pair = node == "tuple" and result.elements is not None and len(result.elements) == 2
        return "pair" if is_pair else "structure" if node is not None else None
    if shape_of_leaf(result):
        return "shape"
    dtype = dtype_of_operand(result)
    is_known = isinstance(dtype, str) and not dtype.removeprefix(WEAK).startswith(("float", "bfloat"))
    return "dtype" if is_known or result.kind in RANDOM_KEYS else None


def _refused_parts(
    contents: Contents, value: Value, refused: tuple[str, ...], part: str = "", depth: int = 0
) -> Iterator[tuple[str, Value]]:
    """The leaves of an argument of refused dtypes, and the keys, each with its place."""
    value = contents(value)
    if depth > MAXIMUM_DEPTH:
        return
    if value.kind in SEQUENCES:
        for place, one in enumerate(value.elements or ()):
            yield from _refused_parts(contents, one, refused, f"{part}[{place}]", depth + 1)
    elif value.kind is DICT:
        for key, one in (value.entries or {}).items():
            yield from _refused_parts(contents, one, refused, f"{part}[{spelled(key)}]", depth + 1)
    elif owner_of(value) is not None:
        for name, one in (entries_of(value) or {}).items():
            yield from _refused_parts(contents, one, refused, part + "." + str(name), depth + 1)
    elif value.kind in RANDOM_KEYS:
        yield part, value
    elif node_of(value) == "leaf":
        dtype = dtype_of_operand(value)
        if isinstance(dtype, str) and dtype.removeprefix(WEAK).startswith(refused):
            yield part, value
