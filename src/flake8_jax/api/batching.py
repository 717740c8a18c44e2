"""Loaders that make batches, and how they are told to drop a last one that is shorter: the words of `[batches]`.

"torch.utils.data.DataLoader" = "batch_size 1 drop_last 8"      by keyword or position
"tensorflow.batch" = "batch_size 0 drop_remainder 1"            a method of what `tensorflow` makes
"""

from __future__ import annotations

from flake8_jax.api.rows import RowError
from flake8_jax.lazy_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Batching:
    """The arguments that say how large the batches are, and whether a last one that is shorter is dropped."""

    size: str
    size_place: int
    dropping: str
    dropping_place: int


def parse_batching(row: str) -> Batching:
    """The arguments that a row of `[batches]` names.

    >>> parse_batching("batch_size 0 drop_remainder 1")
    Batching(size='batch_size', size_place=0, dropping='drop_remainder', dropping_place=1)
    """
    words = row.split()
    if len(words) != 4 or not words[1].isdigit() or not words[3].isdigit():
        raise RowError(f"unknown words {row!r} in [batches]")
    return Batching(words[0], int(words[1]), words[2], int(words[3]))
