"""Constants: host values that are known, or known to be not."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TypeAlias

from flake8_jax.ir.parts import Host
from flake8_jax.lazy_dataclasses import dataclass

Facts: TypeAlias = "tuple[Hashable, ...]"
"""The facts of a path condition."""

MAXIMUM_TEXTS = 12
"""How many texts are known of which a value may be one."""

LONGEST = 64
"""How many bits an integer has that is spelled out."""


class NotConstant:
    """The type of `OPEN`, a constant that is not known."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "OPEN"

    def text(self) -> str:
        """A short spelling, for people."""
        return "not known"


OPEN = NotConstant()


def spelled(constant: Hashable) -> str:
    """The text of a constant; dots for a large one."""
    if type(constant) is int and constant.bit_length() > LONGEST:
        return "..."
    try:
        return repr(constant)
    except ValueError:  # Python spells out no integer of thousands of digits
        return "..."


@dataclass(frozen=True, slots=True)
class Constant:
    """A host value that is known."""

    value: Host

    def text(self) -> str:
        """A short spelling, for people."""
        return spelled(self.value)


NOTHING = Constant(None)


@dataclass(frozen=True, slots=True)
class Texts:
    """One of several texts, as a loop takes each of them in turn."""

    values: tuple[str, ...]

    def text(self) -> str:
        """A short spelling, for people."""
        return " or ".join(map(spelled, self.values))


def texts(given: Iterable[object]) -> Texts | NotConstant:
    """The payload of one of several host values: of texts, if all are such and they are few."""
    found = tuple(dict.fromkeys(given))
    kept = tuple(one for one in found if isinstance(one, str))
    return Texts(kept) if kept and len(kept) == len(found) <= MAXIMUM_TEXTS else OPEN
