"""Numbers that are a known distance from another number: `i + 1`, `2 * i`, `n - 1`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flake8_jax.lazy_dataclasses import dataclass

if TYPE_CHECKING:
    from flake8_jax.domain.value import Value


@dataclass(frozen=True, slots=True)
class Affine:
    """The number `factor * number + offset`; two of them are equal where all three are."""

    number: Value
    factor: int = 1
    offset: int = 0

    def at(self, number: int) -> int:
        """The result for a known number."""
        return self.factor * number + self.offset

    def plus(self, distance: int) -> Affine:
        """The number that lies further on."""
        return Affine(self.number, self.factor, self.offset + distance)

    def times(self, factor: int) -> Affine:
        """A multiple of the number."""
        return Affine(self.number, self.factor * factor, self.offset * factor)
