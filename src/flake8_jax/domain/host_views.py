"""The payloads of NumPy's arrays that may share memory with JAX arrays, which nothing may change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flake8_jax.domain.staging import NONE, Dependences, Input
from flake8_jax.ir.ops import Op
from flake8_jax.lazy_dataclasses import dataclass, replace

if TYPE_CHECKING:
    from flake8_jax.domain.value import Value


@dataclass(frozen=True, slots=True)
class ReadOnly:
    """A view of a JAX array, made by an op.

    It is one where one of the `sources` is an array; without sources it is one for certain.  `is_whole`: it is the
    array itself, all of it and in order.  `is_item`: one index was taken, so that it may be a number.  `is_leaf`: the
    op made a tree of such.
    """

    made: Op
    sources: Dependences = NONE
    is_whole: bool = True
    is_item: bool = False
    is_leaf: bool = False

    def part(self, is_item: bool = False) -> ReadOnly:
        """A view of this view."""
        return replace(self, is_whole=False, is_item=is_item)

    def text(self) -> str:
        """A short spelling, for people."""
        return "a read-only view"


@dataclass(frozen=True, slots=True)
class Buffer:
    """A new array whose numbers JAX can take as they are, since they have at most 32 bits.

    `least` is the number of bytes that it has for certain; `held` is the input that has it as an attribute.
    """

    made: Op
    dtype: str
    least: int = 0
    held: Input | None = None

    def text(self) -> str:
        """A short spelling, for people."""
        return f"a buffer of {self.dtype}"


@dataclass(frozen=True, slots=True)
class BufferPart:
    """A view of a buffer, which has its first element if it `is_from_start`."""

    buffer: Value
    is_from_start: bool = True

    def text(self) -> str:
        """A short spelling, for people."""
        return "a part of a buffer"


@dataclass(frozen=True, slots=True)
class HandOver:
    """What JAX may read later on: buffers that have the `least` size, and the `dtype` if one is asked for."""

    least: int = 0
    dtype: str | None = None

    def takes(self, buffer: Buffer) -> bool:
        """Is a buffer read later on, and neither copied at once nor converted?"""
        return buffer.least >= self.least and self.dtype in (None, buffer.dtype)


def holder_of(value: Value) -> Input | None:
    """The input that has a buffer as an attribute, of which the value may be a part."""
    held = value.payload.buffer.payload if type(value.payload) is BufferPart else value.payload
    return held.held if type(held) is Buffer else None
