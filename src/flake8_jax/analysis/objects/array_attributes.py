"""Attributes of arrays: views, what is known without a trace, and methods."""

from __future__ import annotations

from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.array_evidence import stage_of_result
from flake8_jax.analysis.objects.dtypes import dtype_of_operand
from flake8_jax.analysis.objects.instances import passed_input
from flake8_jax.domain.constants import OPEN
from flake8_jax.domain.dtypes import Dtype, promoted
from flake8_jax.domain.key_parts import moved
from flake8_jax.domain.kinds import ARRAY, ARRAYS_OR_COMPUTED, COMPUTED, INPUT, KEYS, METHOD, RANDOM_KEYS, REF, STATIC
from flake8_jax.domain.payload import AT, OF_ARRAY, OR_REFERENCE, ArrayDoubt, MethodOf
from flake8_jax.domain.shape import Shape
from flake8_jax.domain.staging import NONE, Input, unite
from flake8_jax.domain.value import Value
from flake8_jax.ir.ops import Op

SHAPED_ALIKE = frozenset(("real", "imag", "at"))
PARTS = {"real": "jax.numpy.real", "imag": "jax.numpy.imag"}
"""The attributes that give a part of each number, and the functions that do the same."""


def array_attribute(frame: Frame, base: Value, name: str, op: Op) -> Value:
    """The value of an attribute of an array, or of keys."""
    table = frame.program.table
    known = table.attribute(name)
    if known == "array" and base.kind in RANDOM_KEYS and name != "at":
        return Value(KEYS, base.dependences, moved(base), op)
    if known == "array":
        kind = base.kind if base.kind in ARRAYS_OR_COMPUTED else ARRAY
        dependences = unite(base.dependences, stage_of_result(frame, base)) if kind is ARRAY else base.dependences
        kept = base.payload if name == "T" and type(base.payload) is ArrayDoubt else None
        return Value(
            kind, dependences, AT if name == "at" else kept, op, _shape_of_view(base, name),
            _dtype_of_view(frame, base, name), like=base.alike if name in SHAPED_ALIKE else None,
        )  # fmt: skip
    if known == "static":
        return Value(STATIC, payload=OPEN, made_by=op)
    return Value(METHOD, payload=MethodOf(base, name), made_by=op)


def _shape_of_view(base: Value, name: str) -> Shape:
    if name == "T" and base.shape is not None:
        return base.shape[::-1]
    return base.shape if name in SHAPED_ALIKE else None


def _dtype_of_view(frame: Frame, base: Value, name: str) -> Dtype | None:
    dtype, table = dtype_of_operand(base), frame.program.table
    row = table.dtype_row(PARTS[name]) if name in PARTS else None
    if name not in PARTS:
        return dtype
    return promoted(table, (dtype,), row.maps, row.is_not_weak) if row is not None else None


def view_of_input(frame: Frame, base: Value, name: str, op: Op) -> Value:
    """The value of an attribute of an input by which it is seen to be an array."""
    like = base.alike if name in SHAPED_ALIKE else None
    dtype = _dtype_of_view(frame, base, name)
    return Value(COMPUTED, base.dependences, AT if name == "at" else None, op, dtype=dtype, like=like)


def reference_attribute(frame: Frame, base: Value, name: str, op: Op) -> Value:
    """A view of a reference, the array that it holds, or a field of an object that holds references."""
    if name == "T":
        return Value(ARRAY, unite(base.dependences, frame.ambient), OR_REFERENCE, op)
    source = passed_input(base) if name == "value" else None
    if name == "value" and base.payload is OF_ARRAY:
        held = frozenset((source.part((".", name)),)) if source is not None else NONE
        return Value(ARRAY, unite(base.dependences, held), None, op)
    if source is not None:
        return part_of_input(base, source.part((".", name)), op)
    if name == "value":
        return Value(INPUT, base.dependences, None, op)
    return Value(REF, base.dependences, AT if name == "at" else OR_REFERENCE, op)


def part_of_input(base: Value, part: Input, op: Op) -> Value:
    """A part of an input; of a static argument it is a value of the host, too."""
    return Value(INPUT, part.alone if base.dependences else NONE, part, op)
