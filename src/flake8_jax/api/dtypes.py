"""The dtypes of arrays by name, and JAX's rules for them: rows that are measured.

    int32, float16, bool ...        as they are called
    int, uint, float, complex       64 bits where they are enabled, else 32: what JAX makes of itself
    weak int, weak float ...        of Python's numbers: they give way to the dtype of an array

An expression says how the dtype of a result follows: `inexact: x1 x2` (promoted, then made a floating one), `= bool`,
or `self; dtype` (unless the parameter `dtype` says it).  The family that measures it is `dtypes`.
"""

from __future__ import annotations

from flake8_jax.lazy_dataclasses import dataclass

WEAK = "weak "
DTYPES = (
    "bool", "uint8", "uint16", "uint32", "uint", "int8", "int16", "int32", "int", "bfloat16", "float16", "float32",
    "float", "complex64", "complex", "weak int", "weak float", "weak complex",
)  # fmt: skip
WIDE = {"int64": "int", "uint64": "uint", "float64": "float", "complex128": "complex"}
NARROW = {"int": "int32", "uint": "uint32", "float": "float32", "complex": "complex64"}
"""What the names for what the setting decides are: where 64 bits are enabled, and where they are not."""


@dataclass(frozen=True, slots=True)
class DtypeRow:
    """How a dtype follows from those of operands: a constant `result`, or the promoted `operands`, mapped.

    `takes_dtype`: the parameter `dtype` says it, if it is given.  `has_strong_lists`: of a list of numbers it is
    strong.  `is_not_weak`: where it would be a weak one, or `bool`, it is not known.  `beside`: operands of which the
    dtype does not matter.
    """

    operands: tuple[str, ...]
    maps: tuple[str, ...]
    result: str | None
    takes_dtype: bool = False
    has_strong_lists: bool = False
    is_not_weak: bool = False
    beside: tuple[str, ...] = ()


def parse_row(text: str) -> DtypeRow:
    """Parse an expression."""
    expression, *clauses = map(str.strip, text.split(";"))
    beside = next((clause.split()[1:] for clause in clauses if clause.startswith("beside ")), [])
    is_constant = expression.startswith("=")
    maps, _, operands = expression.rpartition(":")
    return DtypeRow(
        () if is_constant else tuple(operands.split()), () if is_constant else tuple(reversed(maps.split())),
        expression[1:].strip() if is_constant else None,
        "dtype" in clauses, "strong lists" in clauses, "not weak" in clauses, tuple(beside),
    )  # fmt: skip
