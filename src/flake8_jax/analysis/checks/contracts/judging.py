"""What is wrong with operands, by what is known of them: the words of `Demand` in `api/transforms.py`."""

from __future__ import annotations

from typing import Literal, TypeAlias

from flake8_jax.analysis.checks.contracts.seen import ABSENT, DemandedOperands, SeenLeaf
from flake8_jax.domain.shape import Shape
from flake8_jax.lazy_dataclasses import dataclass

FaultForm: TypeAlias = Literal[
    "nothing", "unequal", "length", "no rows", "axes", "noun", "not whole", "no list", "empty", "types",
    "together", "none",
]  # fmt: skip
DATA = frozenset(("a list", "a tuple", "a dict", "a set", "a list?", "a tuple?", "a dict?", "a set?"))
UNORDERED = frozenset(("a dict", "a set"))
"""What has no places that an index could choose: JAX takes a sequence."""


@dataclass(frozen=True, slots=True)
class OperandFault:
    """What is wrong with the operand for a `parameter`.

    `told` is what is known of it in words, `other` of the operand that it does not agree with.
    """

    form: FaultForm
    parameter: str
    explanation: str = ""
    other: str = ""


def fault_of(word: str, operands: DemandedOperands) -> OperandFault | None:
    """What is wrong with the operands that a demand is about."""
    if word == "rows":
        return _of_rows(operands)
    if word == "alike":
        return _of_bounds(operands)
    (name, seen), *_ = operands
    if word == "functions":
        return _of_branches(name, seen)
    return _of_scalar(name, seen, is_whole=word == "integer")


def _of_rows(operands: DemandedOperands) -> OperandFault | None:
    (name, seen), *rest = operands
    length = rest[0][1][0] if rest else SeenLeaf("None")
    if all(one.noun == "None" or (one.noun and not one.noun.endswith("?") and one.noun in DATA) for one in seen):
        return OperandFault("nothing", name) if length.noun == "None" else None
    sizes: list[int] = []
    for one in seen:
        if one.shape == () and not (one.depth and all(other.shape == () for other in seen)):
            return OperandFault("no rows", name, "a number" if one.depth == 0 else "a part without axes")
        if one.shape and one.shape[0] is not None:
            sizes.append(one.shape[0])
    if len(set(sizes)) > 1:
        told = ", ".join(str(size) for size in dict.fromkeys(sizes))
        return OperandFault("unequal", name, " and ".join(told.rsplit(", ", 1)))
    if sizes and length.number is not None and length.number != sizes[0]:
        return OperandFault("length", rest[0][0], str(length.number), str(sizes[0]))
    return None


def _of_bounds(operands: DemandedOperands) -> OperandFault | None:
    sorts = []
    for name, seen in operands:
        one = seen[0]
        if one.noun in DATA or one.noun in ("a string", "a function", "a class") or (one.noun == "None" and one.depth):
            return OperandFault("noun", name, one.noun.rstrip("?"))
        if one.container:
            return OperandFault("noun", name, one.container)
        if one.shape:
            return OperandFault("axes", name, _shape(one.shape))
        sorts.append(one.sort)
    if len(sorts) == 2 and all(sorts) and sorts[0] != sorts[1]:
        odd = next((place for place, sort in enumerate(sorts) if sort != "int"), 1)
        return OperandFault("types", operands[odd][0], _sort(sorts[odd]), _sort(sorts[1 - odd]))
    return None


def _of_branches(name: str, seen: tuple[SeenLeaf, ...]) -> OperandFault | None:
    one = seen[0]
    if one.depth == 0 and not one.container and one.noun in ("a function", "a class"):
        return OperandFault("no list", name, one.noun)
    container = (one.container or one.noun).rstrip("?")
    if container in UNORDERED:
        return OperandFault("no list", name, container)
    is_empty = len(seen) == 1 and one.depth == 0 and one.noun in ("a list", "a tuple")
    return OperandFault("empty", name, one.noun) if is_empty else None


def _of_scalar(name: str, seen: tuple[SeenLeaf, ...], is_whole: bool) -> OperandFault | None:
    one = seen[0]
    noun = one.container or one.noun.rstrip("?")
    if noun and (noun in DATA or noun in ("a string", "a function", "a class")):
        return OperandFault("noun", name, noun)
    if noun == "None" and one is not ABSENT:
        return OperandFault("none", name)
    if one.shape:
        return OperandFault("axes", name, _shape(one.shape))
    if is_whole and one.sort in ("bool", "float", "complex"):
        return OperandFault("not whole", name, _sort(one.sort))
    return None


def _sort(sort: str) -> str:
    return {"bool": "a bool", "int": "an integer", "float": "a float"}.get(sort, "a complex number")


def _shape(shape: Shape) -> str:
    sizes = ", ".join("?" if size is None else str(size) for size in shape or ())
    return f"({sizes},)" if shape is not None and len(shape) == 1 else f"({sizes})"
