"""Differences in names and parameters between the tables of two versions.

    old = {"names": {"jax": ["grad", "tree_map"]}, "functions": {"jax.numpy": ["clip(a, a_min, a_max)"]}}
    new = {"names": {"jax": ["grad"]}, "functions": {"jax.numpy": ["clip(arr, min, max)"]}}
    differences(old, new)   # name jax.tree_map is lost; parameters of jax.numpy.clip are renamed: a to arr ...

Of a module that one version does not have, only the module is told.  A parameter is renamed if at its place, among
those of its kind, there is one that is new, and lost otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from flake8_jax.api.rows import ApiFunction, ApiParameter, parse_function

# Section -> module -> names, or rows of functions.
NameTable: TypeAlias = "Mapping[str, Mapping[str, list[str]]]"
DifferenceKind: TypeAlias = Literal["lost", "new", "renamed"]


@dataclass(frozen=True, slots=True, order=True)
class Difference:
    """A name, or a parameter of a function, that is lost, new or renamed (to `now`)."""

    name: str
    parameter: str
    change: DifferenceKind
    now: str = ""


def differences(old: NameTable, new: NameTable) -> list[Difference]:
    """The differences between the sections `names` and `functions` of two versions, sorted."""
    return sorted({*_of_names(old.get("names", {}), new.get("names", {})), *_of_parameters(old, new)})


def _of_names(old: Mapping[str, list[str]], new: Mapping[str, list[str]]) -> Iterator[Difference]:
    for module in {*old, *new}:
        if module not in old or module not in new:
            yield Difference(module, "", "lost" if module in old else "new")
            continue
        before, after = set(old[module]), set(new[module])
        yield from (Difference(f"{module}.{name}", "", "lost") for name in before - after)
        yield from (Difference(f"{module}.{name}", "", "new") for name in after - before)


def _of_parameters(old: NameTable, new: NameTable) -> Iterator[Difference]:
    before, after = _functions(old), _functions(new)
    for name in before.keys() & after.keys():
        yield from _of_function(before[name], after[name])


def _functions(table: NameTable) -> dict[str, ApiFunction]:
    blocks: Mapping[str, list[str]] = table.get("functions", {})
    found = (parse_function(row, block) for block, rows in blocks.items() for row in rows)
    return {function.name: function for function in found}


def _of_function(old: ApiFunction, new: ApiFunction) -> Iterator[Difference]:
    before, after = ({p.name: p for p in function.parameters} for function in (old, new))
    renamed: set[str] = set()
    for place, parameter in enumerate(old.parameters):
        if parameter.name not in after:
            now = _at(new, place, parameter)
            if now and now not in before:
                renamed.add(now)
                yield Difference(old.name, parameter.name, "renamed", now)
            else:
                yield Difference(old.name, parameter.name, "lost")
    yield from (Difference(old.name, name, "new") for name in after if name not in before and name not in renamed)


def _at(function: ApiFunction, place: int, like: ApiParameter) -> str:
    """The parameter at a place, if it is handed over in the same way; those with keywords only have no place."""
    if place >= len(function.parameters) or like.kind not in ("positional", "normal"):
        return ""
    found = function.parameters[place]
    return found.name if found.kind in ("positional", "normal") else ""
