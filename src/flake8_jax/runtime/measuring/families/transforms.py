"""Transforms: which of their parameters they call, with what arguments, how often, and what they return."""

from __future__ import annotations

from flake8_jax.api import stated
from flake8_jax.runtime.measuring.family import MeasuredFact
from flake8_jax.runtime.measuring.transforming.candidates import calls, candidates, file_of
from flake8_jax.runtime.measuring.transforming.rowing import row_of

SECTION = "transforms"


def subjects() -> dict[str, str]:
    """Every name measured by this family, with its file; other names of one object are stated."""
    aliases = stated.read().plain["aliases"]
    return {name: file_of(name) for name in candidates() if name not in aliases}


def fact(name: str) -> MeasuredFact | None:
    """The row of one transform; None if no call of it works."""
    for text in calls(name):
        row = row_of(name, text)
        if row is not None:
            return row
    return None
