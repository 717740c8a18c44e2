"""What the functions of a transform return, against what the transform demands of them.

jax.lax.scan(body, init, xs)        `expects` (init, any): the first result of `body` must be like `init`
jax.lax.cond(p, f, g)               `expects` same, same: the results of `f` and `g` must be alike

The demands are rows (`Transform.expects`), measured.  JAX compares structure, shape and dtype; of a carry, weak dtypes
give way to those that the body returns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TypeAlias

from flake8_jax.analysis.callables import underlying
from flake8_jax.analysis.checks.contracts.contract import MakesEvent, comparison_in, require
from flake8_jax.analysis.checks.contracts.returned import is_swapped, lacks_return
from flake8_jax.analysis.checks.contracts.structure import (
    Aspect,
    TypeComparison,
    TypeDifference,
)
from flake8_jax.analysis.checks.contracts.written_out import given_tree, returned_tree
from flake8_jax.analysis.frame import Frame
from flake8_jax.api.transforms import Expected, Transform
from flake8_jax.domain.provenance import Context
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.lazy_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CarryChanged:
    """The body of a loop returns something else than it gets.

    `part` is the place in the carry that differs in an `aspect`, "" for all of it; `before` and `after` say what it
    is; `function` is the body's name, `transform` the user's spelling of the loop, `subject` the text of what it starts
    from.
    """

    op: Op
    function: str
    transform: str
    subject: str
    part: str
    aspect: Aspect
    before: str
    after: str
    context: Context


@dataclass(frozen=True, slots=True)
class ArmsDiffer:
    """Two functions of which one is chosen return what is not alike; `first` and `second` are their names."""

    op: Op
    first: str
    second: str
    transform: str
    part: str
    aspect: Aspect
    before: str
    after: str
    context: Context


@dataclass(frozen=True, slots=True)
class CarryContract:
    """What a body returns is like what the loop starts from."""

    op: Op
    function: str
    transform: str

    def broken(self, values: tuple[Value, ...], comparison: TypeComparison) -> MakesEvent | None:
        """Do the types differ of what goes in and what comes out?"""
        initial, result = values
        found = comparison.difference(initial, result, promotes=True)
        if found is None:
            return None
        subject = phrase(initial.made_by) if initial.made_by is not None else "the initial value"
        return lambda context: CarryChanged(
            self.op,
            self.function,
            _spelled(self.op, self.transform),
            subject,
            found.part,
            found.aspect,
            found.before,
            found.after,
            context,
        )


@dataclass(frozen=True, slots=True)
class ArmsContract:
    """What several functions return is alike."""

    op: Op
    functions: tuple[str, ...]
    transform: str

    def broken(self, values: tuple[Value, ...], comparison: TypeComparison) -> MakesEvent | None:
        """Does one of the results differ from the first?"""
        for place, result in enumerate(values[1:], 1):
            found = comparison.difference(values[0], result, promotes=False)
            if found is not None:
                return partial(self._event, place, found)
        return None

    def _event(self, place: int, found: TypeDifference, context: Context) -> ArmsDiffer:
        return ArmsDiffer(
            self.op, self.functions[0], self.functions[place], _spelled(self.op, self.transform), found.part,
            found.aspect, found.before, found.after, context,
        )  # fmt: skip


SeenResult: TypeAlias = "tuple[int, Value, Value]"
"""The number of a run, the function that was run, what it returned."""


def check_results(
    frame: Frame, op: Op, transform: Transform, seen: Sequence[SeenResult], given: Mapping[str, Value]
) -> None:
    """Compare what the functions of a transform return with what its row says."""
    if not transform.compares:
        return
    known = [(place, one, returned_tree(frame, one, result)) for place, one, result in seen if not lacks_return(one)]
    for place, function, result in known:
        demanded = transform.expected(place)
        for expected, part in _expected_parts(frame, demanded, result):
            initial = given.get(expected)
            is_pair = isinstance(demanded, tuple)
            if initial is not None and not (is_pair and is_swapped(comparison_in(frame), initial, result)):
                contract = CarryContract(op, name_of(function), transform.name)
                require(frame, op, contract, given_tree(frame, op, initial), part)
    if "same" in transform.expects and len(known) > 1:
        names = tuple(name_of(function) for _, function, _ in known)
        require(frame, op, ArmsContract(op, names, transform.name), *(result for _, _, result in known))


def _expected_parts(frame: Frame, expected: Expected | None, result: Value) -> Iterator[tuple[str, Value]]:
    """The parts of a result with the word that says what they must be."""
    if isinstance(expected, str):
        yield expected, result
    elif expected is not None:
        parts = frame.live().contents(result).elements
        if parts is not None and len(parts) == len(expected):
            for one, part in zip(expected, parts, strict=True):
                yield from _expected_parts(frame, one, part)


def _spelled(op: Op, transform: str) -> str:
    return phrase(op.func) if type(op) is ops.Call else transform


def name_of(function: Value) -> str:
    """The name of a function, for a message; "" if it is not known."""
    found = underlying(function)
    return found.function.name if found is not None else function.name
