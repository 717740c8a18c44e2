"""Products: what a draw from a key made, and where in a value it is.

A value holds a set of products.  Each knows the draws that it comes from and the access steps that lead to it:

    pair = normal(k1), normal(k2)       pair: [0] of draw 1, [1] of draw 2
    x = pair[0]                         x: itself of draw 1
    jnp.where(c, *pair)                 itself of draws 1 and 2, of which one at a time
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from flake8_jax.domain.payload import Key
from flake8_jax.ir.ops import Op
from flake8_jax.ir.parts import Host

HeldAt: TypeAlias = "tuple[str, Key]"
"""An attribute `(".", name)` or an item `("[]", index)`."""

Arms: TypeAlias = "frozenset[tuple[Op, bool]]"
"""Tests that were made, and how each came out."""

Child: TypeAlias = "int | Literal['all', 'each'] | None"
"""Which key of a split: its index, all of them, each in something made of them, or None where this is not known."""

MAXIMUM_STEPS = 4
MAXIMUM_ARMS = 4


@dataclass(frozen=True, slots=True)
class Mask:
    """The test under which a product counts: the text of what is tested, what it is compared with, the outcome."""

    tested: str
    other: Host
    holds: bool

    def excludes(self, other: Mask) -> bool:
        """Can the two tests not come out like this at once?"""
        if self.tested != other.tested:
            return False
        is_same = type(self.other) is type(other.other) and self.other == other.other
        return self.holds != other.holds if is_same else self.holds and other.holds


@dataclass(frozen=True, slots=True)
class Product:
    """Something made of the result of a draw.

    `steps` lead from the value that holds it; of several `draws` one at a time is in it; `is_key`: a key, of which
    nothing is known to be drawn yet; `child`: of the keys of a split, the one that all was made of, if it is known;
    `mask`: where it is selected or multiplied by the outcome of a test, that test; `arms`: the tests on the way to here
    without which it is not there; `is_folded`: of a key by `fold_in`.
    """

    draws: frozenset[int]
    steps: tuple[HeldAt, ...] = ()
    is_key: bool = False
    child: Child = None
    mask: Mask | None = None
    arms: Arms = frozenset()
    is_folded: bool = False


Products: TypeAlias = frozenset[Product]
NO_PRODUCTS: Products = frozenset()


def part(held: Products, step: HeldAt) -> Products:
    """The products of a part of a value."""
    if not held:
        return held
    return frozenset(_taken(one, step[1]) for one in held if _leads(one, step))


def _taken(product: Product, index: Key) -> Product:
    if product.steps:
        return replace(product, steps=product.steps[1:])
    if product.child == "each" and product.is_key:
        return replace(product, child=None)
    if product.child != "all":
        return product
    return replace(product, child=index if type(index) is int and index >= 0 else None)


def _leads(product: Product, step: HeldAt) -> bool:
    return not product.steps or product.steps[0] == step


def each_item(held: Products) -> Products:
    """The products of the items, one after the other."""
    return frozenset(
        replace(one, child="each") if one.child in ("all", "each") and not one.steps else _taken(one, None)
        for one in held if not one.steps or one.steps[0][0] == "[]"
    )  # fmt: skip


def any_item(held: Products) -> Products:
    """The products of an item at an unknown index."""
    return frozenset(_taken(one, None) for one in held if not one.steps or one.steps[0][0] == "[]")


def below(step: HeldAt, held: Products) -> Products:
    """The products of a value that holds another one at a step."""
    return frozenset(
        replace(one, steps=(step, *one.steps)) if len(one.steps) < MAXIMUM_STEPS else replace(one, steps=(step,))
        for one in held
    )


def without(held: Products, steps: tuple[HeldAt, ...]) -> Products:
    """The products that are left when the part at some steps is replaced."""
    return frozenset(one for one in held if one.steps[: len(steps)] != steps)


def keys_or_data(held: Iterable[Product]) -> Products:
    """The products of something computed from values: at no known place in it."""
    return frozenset(replace(one, steps=(), child=_one_child(one)) for one in held)


def masked(held: Products, mask: Mask) -> Products:
    """The products of a value that counts under a test only."""
    return frozenset(one if one.mask is not None else replace(one, mask=mask) for one in held)


def under(held: Products, test: Op, outcome: bool) -> Products:
    """The products of a value that is there only if a test came out like this."""
    return frozenset(
        replace(one, arms=one.arms | {(test, outcome)}) if len(one.arms) < MAXIMUM_ARMS else one for one in held
    )


def come_together(held: Products) -> bool:
    """Are products of different draws in a value at once, other than as one of several?"""
    together = [
        one.draws.isdisjoint(other.draws) and other.arms.isdisjoint([(test, not holds) for test, holds in one.arms])
        for one in held for other in held
    ]  # fmt: skip
    return any(together)


def folded(held: Iterable[Product]) -> Products:
    """The products of keys that were folded of others: other keys than these."""
    return frozenset(replace(one, is_folded=True) for one in keys_or_data(held))


def data(held: Iterable[Product]) -> Products:
    """The products of something that no longer is a key."""
    return frozenset(
        Product(one.draws, child=_one_child(one), mask=one.mask, arms=one.arms, is_folded=one.is_folded) for one in held
    )


def _one_child(product: Product) -> Child:
    return "each" if product.child == "all" else product.child


def chosen(arms: Iterable[Products]) -> Products:
    """The products of a value that is one of several.

    Products of different draws in different arms exclude each other, unless one draw is in both.
    """
    filled = [arm for arm in arms if arm]
    draws = [frozenset(draw for one in arm for draw in one.draws) for arm in filled]
    if len(filled) < 2 or any(a & b for place, a in enumerate(draws) for b in draws[:place]):
        return frozenset().union(*filled)
    return frozenset((Product(frozenset().union(*draws)),))
