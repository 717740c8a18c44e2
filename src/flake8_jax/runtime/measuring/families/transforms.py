"""Functions that take functions: which of their parameters they run, with what, how often, and what comes back."""

from __future__ import annotations

from flake8_jax.api import stated
from flake8_jax.runtime.measuring.family import MeasuredFact
from flake8_jax.runtime.measuring.transforming.candidates import calls, candidates, file_of
from flake8_jax.runtime.measuring.transforming.rowing import row_of

SECTION = "transforms"


def subjects() -> dict[str, str]:
    """Every name that this family measures, and the file it goes to; other names of one thing are stated."""
    aliases = stated.read().plain["aliases"]
    return {name: file_of(name) for name in candidates() if name not in aliases}


def fact(name: str) -> MeasuredFact | None:
    """The row of one transform; None if no call of it works."""
    for text in calls(name):
        row = row_of(name, text)
        if row is not None:
            return row
    return None
