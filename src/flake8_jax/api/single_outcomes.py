"""Draws with a single possible outcome: they use up nothing of their key."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from flake8_jax.ir.parts import Host

Constants: TypeAlias = "dict[str, Host]"


def has_one_outcome(name: str, constants: Constants) -> bool:
    """Is there only one value that a function of `jax.random` can give for these constants?"""
    asks = ONE_OUTCOME.get(name)
    return asks is not None and asks(constants)


def _is_range_of_one(known: Constants) -> bool:
    low, high = known.get("minval", ...), known.get("maxval", ...)
    return type(low) is int and type(high) is int and high - low <= 1


def _is_point(known: Constants) -> bool:
    low, high = known.get("minval", 0.0), known.get("maxval", 1.0)
    return isinstance(low, (int, float)) and isinstance(high, (int, float)) and low == high


def _is_certain(known: Constants) -> bool:
    return isinstance(known.get("p"), (int, float)) and known["p"] in (0, 1)


def _is_single(parameter: str) -> Callable[[Constants], bool]:
    def ask(known: Constants) -> bool:
        return type(known.get(parameter)) is int and known[parameter] == 1

    return ask


ONE_OUTCOME: dict[str, Callable[[Constants], bool]] = {
    "jax.random.randint": _is_range_of_one, "jax.random.uniform": _is_point, "jax.random.bernoulli": _is_certain,
    "jax.random.choice": _is_single("a"), "jax.random.permutation": _is_single("x"),
}  # fmt: skip
