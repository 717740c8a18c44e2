"""The protocol of fact families: modules that list their subjects and measure them one at a time.

    SECTION = "functions"                       # where the facts stand in a file of api/measured
    subjects() -> {"jax.numpy.sin": "jax"}      # every name, and the file that its fact goes to
    fact("jax.numpy.sin") -> "sin(x*, /)"       # "": measured, nothing to write;  None: no call of it works

A fact is measured alone: it depends neither on what was measured before it nor on chance, and leaves nothing behind.
That is what allows samples of them to be measured again and compared.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping, Sequence
from typing import Protocol, TypeAlias, cast

from flake8_jax.model.documents import Json
from flake8_jax.runtime.measuring import families

MeasuredFact: TypeAlias = "str | Sequence[Json] | Mapping[str, Json]"


class Family(Protocol):
    """The interface of a module in families/."""

    SECTION: str

    def subjects(self) -> dict[str, str]:
        """Every name measured here, and the file it goes to."""

    def fact(self, name: str) -> MeasuredFact | None:
        """The measured fact about one name; "" if there is nothing to write, None if no call of it works."""


def discover() -> dict[str, Family]:
    """Every family by the name of its module, in alphabetical order."""
    names = sorted(module.name for module in pkgutil.iter_modules(families.__path__))
    return {name: cast("Family", importlib.import_module(f"{families.__name__}.{name}")) for name in names}
