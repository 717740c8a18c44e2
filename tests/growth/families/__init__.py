"""All families of programs by name: those that are written as texts beside this file, and those that programs make."""

from __future__ import annotations

from pathlib import Path

from tests.growth.families import fixtures, nests, notebooks
from tests.growth.family import Family, read


def _all() -> dict[str, Family]:
    texts = [family for path in sorted(Path(__file__).parent.glob("*.txt")) for family in read(path)]
    found: dict[str, Family] = {}
    for family in (*texts, *nests.FAMILIES, *notebooks.FAMILIES, *fixtures.FAMILIES):
        if family.name in found:
            raise ValueError(f"two families are called {family.name}")
        found[family.name] = family
    return found


FAMILIES = _all()
