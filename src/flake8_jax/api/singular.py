"""Functions whose derivative is not finite at some points: which these are, and what is put in their place.

"0,-1|1,zero jax.numpy" = "sqrt"        at 0 infinite, below 0 no number; 1 is safe; it is 0 at 0
"0|1,zero,whole jax.numpy.linalg" = "norm"      where a whole array is zero; the function is zero there, too

A point stands for all that are like it: -1 for the numbers below 0, 2 for those above 1.
"""

from __future__ import annotations

from flake8_jax.lazy_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Singular:
    """The `points` at which a derivative is not finite, and a `safe` one.

    `is_zero`: the function is zero where its derivative is not finite; `is_whole`: it is about a whole array;
    `is_nan`: it is no number at one of these points.
    """

    points: tuple[float, ...]
    safe: str
    is_zero: bool = False
    is_whole: bool = False
    is_nan: bool = False


def parse_singular(word: str) -> Singular:
    """Parse the word of a function.

    >>> parse_singular("0,-1|1,zero")
    Singular(points=(0.0, -1.0), safe='1', is_zero=True, is_whole=False, is_nan=False)
    """
    points, _, rest = word.partition("|")
    safe, *words = rest.split(",")
    return Singular(tuple(map(float, points.split(","))), safe, "zero" in words, "whole" in words, "nan" in words)
