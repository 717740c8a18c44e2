"""The fields of a format string, and whether they fit what it is given.

misfit("x =", 1, (), ...)         unused: no field takes argument 0
misfit("{} {y}", 1, (), ...)      missing: nothing is called `y`
misfit("{x:.2f}", 0, ("x",), {"x"})   specification: `x` has several elements
"""

from __future__ import annotations

from collections.abc import Iterator
from string import Formatter
from typing import Literal

from flake8_jax.lazy_dataclasses import dataclass
from flake8_jax.lazy_patterns import compiled

MisfitKind = Literal["unused", "missing", "broken", "specification"]
FIRST = compiled(r"[^.\[]*")
DEEPEST = 2


@dataclass(frozen=True, slots=True)
class FormatField:
    """A replacement field: the argument that it takes, by number or name, and how that is formatted."""

    argument: int | str
    specification: str
    is_whole: bool


@dataclass(frozen=True, slots=True)
class Misfit:
    """How a format and what it is given differ: the argument at issue, and the class of the error."""

    kind: MisfitKind
    argument: int | str
    error: str


def misfit(text: str, count: int, names: tuple[str, ...], several: frozenset[int | str]) -> Misfit | None:
    """The first reason for which a format does not fit `count` positional arguments and the named ones.

    Those in `several` are arrays of several elements.
    """
    try:
        fields = fields_of(text)
    except ValueError:
        return Misfit("broken", "", "ValueError")
    if fields is None:
        return None
    for field in fields:
        if isinstance(field.argument, int):
            if field.argument >= count:
                return Misfit("missing", field.argument, "IndexError")
        elif field.argument not in names:
            return Misfit("missing", field.argument, "KeyError")
    taken = {field.argument for field in fields}
    for argument in (*range(count), *names):
        if argument not in taken:
            return Misfit("unused", argument, "ValueError")
    for field in fields:
        if field.specification and field.is_whole and field.argument in several:
            return Misfit("specification", field.argument, "TypeError")
    return None


def fields_of(text: str) -> list[FormatField] | None:
    """The fields of a format; None where versions of Python differ, ValueError where it is none."""
    found = list(_fields(text, 0))
    numbers = [field.argument for field in found if field.argument == ""]
    if numbers and any(isinstance(field.argument, int) for field in found):
        raise ValueError("numbered and not numbered")
    if any(field.argument == "" and not field.is_whole for field in found):
        return None
    places = iter(range(len(found)))
    return [FormatField(next(places), field.specification, True) if field.argument == "" else field for field in found]


def _fields(text: str, depth: int) -> Iterator[FormatField]:
    """The fields in the order in which they are filled; those of a specification after their own."""
    for _, name, specification, conversion in Formatter().parse(text):
        if name is None:
            continue
        match = FIRST.match(name)
        first = match[0] if match is not None else name
        own = "" if conversion or "{" in (specification or "") else specification or ""
        yield FormatField(int(first) if first.isdecimal() else first, own, first == name)
        if specification and depth < DEEPEST:
            yield from _fields(specification, depth + 1)
