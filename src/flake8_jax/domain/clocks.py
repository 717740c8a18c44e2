"""Readings of clocks, and what ran between two of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from flake8_jax.ir.ops import Op
from flake8_jax.lazy_dataclasses import dataclass

if TYPE_CHECKING:
    from flake8_jax.domain.resources import Used
    from flake8_jax.domain.value import Value

Unwaited: TypeAlias = "tuple[tuple[Value, tuple[Used, ...]], ...]"
"""What was started since earlier readings and is not waited for, by the reading."""


@dataclass(frozen=True, slots=True, eq=False)
class ClockRead:
    """The payload of a reading: the op that read the clock, and what was `unwaited` then."""

    op: Op
    unwaited: Unwaited = ()

    def text(self) -> str:
        """A short spelling, for people."""
        return "a clock's reading"
