"""A bad fixture with some of its marked lines repaired, so that what stands behind them can be reached.

    x[0] = 1.0  # JAX201: ...      repaired by the twin:  x = x.at[0].set(1.0)      still line 1
    x[1] = 2.0  # JAX201: ...      kept: raises now                                 still line 2

Twins differ on the marked lines and on lines added beside them only, so the lines that take a marked line's place can
be read off by matching the twin's text against the bad one's, with a gap for each marked line.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import replace

from flake8_jax.runtime.claims import DIRECTIVE, Definition, Fixture, Pair


def repaired(pair: Pair, lines: Collection[int]) -> Fixture | None:
    """The bad fixture with these marked lines as in the good one; None if a twin does not tell how."""
    twins = {found.name: found for found in pair.good.definitions}
    instead: dict[int, str] = {}
    for definition in pair.bad.definitions:
        if any(line in definition for line in lines):
            found = _gaps(definition, twins.get(definition.name), {claim.line for claim in pair.bad.expectations})
            if found is None:
                return None
            instead.update((line, text) for line, text in found.items() if line in lines)
    text: list[str] = []
    numbers: list[int] = []
    for number, line in _lines(pair.bad.text, instead):
        text.append(line)
        numbers.append(number)
    return replace(pair.bad, text="".join(text), numbers=tuple(numbers)) if instead.keys() >= set(lines) else None


def is_twin(bad: Definition, good: Definition | None, marked: Collection[int]) -> bool:
    """Has the good one any lines where the bad one's lines are marked, and the same lines elsewhere?"""
    return _gaps(bad, good, marked) is not None


def _gaps(bad: Definition, good: Definition | None, marked: Collection[int]) -> dict[int, str] | None:
    """The text that takes the place of each marked line of a definition; None if the rest differs."""
    if good is None:
        return None
    numbered = list(enumerate(map(_plain, bad.lines), bad.first))
    pattern = "".join("((?:.*\n)*)" if number in marked else re.escape(line + "\n") for number, line in numbered)
    found = re.fullmatch(pattern, "\n".join(map(_plain, good.lines)) + "\n")
    return dict(zip([number for number, _ in numbered if number in marked], found.groups())) if found else None


def _plain(line: str) -> str:
    """A line without what it says to `verify`."""
    return DIRECTIVE.sub("", line).rstrip()


def _lines(text: str, instead: dict[int, str]) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        for each in instead.get(number, line).splitlines(keepends=True):
            yield number, each
