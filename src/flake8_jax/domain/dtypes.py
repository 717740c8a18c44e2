"""Dtypes in terms of a function's inputs, by JAX's rules of promotion.

def body(c, x):
    return c + 0.5, x           the dtype of `c + 0.5` is promoted from that of `c` and a weak float: which it is, only
                                a call can say; `lax.scan(body, jnp.int32(0), xs)` says that it is no int32 any more

A dtype is a name (api/dtypes.py) or such a promotion.  Promotion is the join of a lattice, so operands are a set, and a
promotion of promotions is one, unless something is done to it in between.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol, TypeAlias

from flake8_jax.lazy_dataclasses import dataclass

Dtype: TypeAlias = "str | Promotion"
DtypeTerm: TypeAlias = "str | DtypeSource | Promotion"


class DtypeSource(Protocol):
    """An input of a function, compared by identity."""

    @property
    def path(self) -> str:
        """How it is spelled."""

    def __hash__(self) -> int: ...


@dataclass(frozen=True, slots=True)
class NamedDtype:
    """The dtype that an input is, as in `x.astype(dtype)`; not that of the input."""

    source: DtypeSource

    @property
    def path(self) -> str:
        """How it is spelled."""
        return f"named {self.source.path}"


LARGEST = 8
"""How many operands a promotion has; of more, nothing is known."""


@dataclass(frozen=True, slots=True)
class Promotion:
    """What is promoted of dtypes, at least one of which is that of an input, and then mapped.

    `size` is the number of names and inputs in it.  `is_not_weak`: where the result were weak or `bool`, it is unknown.
    """

    operands: frozenset[DtypeTerm]
    maps: tuple[str, ...] = ()
    is_not_weak: bool = False
    size: int = 1

    def __str__(self) -> str:
        names = sorted(
            str(operand) if isinstance(operand, (str, Promotion)) else operand.path for operand in self.operands
        )
        return " ".join(
            [*reversed(self.maps), f"promoted({', '.join(names)})" if len(names) > 1 else f"like {names[0]}"]
        )


class Promotions(Protocol):
    """JAX's rules, as measured."""

    def promoted(self, names: tuple[str, ...], maps: tuple[str, ...], is_not_weak: bool) -> str | None:
        """The dtype that is promoted from others, then mapped."""


def of_input(source: DtypeSource) -> Promotion:
    """The dtype of an input."""
    return Promotion(frozenset((source,)))


def named_by(source: DtypeSource) -> Promotion:
    """The dtype that an input is."""
    return of_input(NamedDtype(source))


def promoted(
    rules: Promotions, dtypes: Iterable[Dtype | None], maps: tuple[str, ...] = (), is_not_weak: bool = False
) -> Dtype | None:
    """The dtype that is promoted from others, None if one of them is not known."""
    names: list[str] = []
    terms: set[DtypeTerm] = set()
    size = 0
    for dtype in dtypes:
        if dtype is None:
            return None
        if isinstance(dtype, str):
            names.append(dtype)
        elif not dtype.maps and not dtype.is_not_weak:
            size += dtype.size
            names += (term for term in dtype.operands if isinstance(term, str))
            terms.update(term for term in dtype.operands if not isinstance(term, str))
        else:
            size += dtype.size
            terms.add(dtype)
    if not terms:
        return rules.promoted(tuple(names), maps, is_not_weak) if names else None
    if names:
        joined = rules.promoted(tuple(dict.fromkeys(names)), (), False)
        if joined is None:
            return None
        terms.add(joined)
    return None if size >= LARGEST else Promotion(frozenset(terms), maps, is_not_weak, size + 1)


def resolved(rules: Promotions, dtype: Promotion, known: Callable[[DtypeSource], Dtype | None]) -> Dtype | None:
    """A promotion in terms of a caller, given the dtype of each input there."""
    found: list[Dtype | None] = []
    for operand in dtype.operands:
        if isinstance(operand, Promotion):
            found.append(resolved(rules, operand, known))
        else:
            found.append(operand if isinstance(operand, str) else known(operand))
        if found[-1] is None:
            return None
    return promoted(rules, found, dtype.maps, dtype.is_not_weak)


def has_number(dtype: Dtype | None) -> bool:
    """Is a dtype known of at least one operand: a number or an array beside inputs?"""
    if not isinstance(dtype, Promotion):
        return dtype is not None
    return any(isinstance(one, str) or (isinstance(one, Promotion) and has_number(one)) for one in dtype.operands)
