"""Finds draws from keys that were used before, and the line on which the two uses diverge.

    def init(key):
        return jr.normal(key)       line 2
    def case():
        a = init(key)               line 5     lines (5, 2)
        b = init(key)               line 6     lines (6, 2): they part on line 6, in the frame that both have in common

Where they part is told by frames, not by numbers: a loop that calls `init` on one line parts on that line, and in
`init` too, where a reader may look for it.  One call may also lead to two lines, of a forward and a backward function
say: then the second is told too.  The turns of a `scan` share all their frames; they part on the draw's own line and
where the loop is called.

A key may be used once, once more for each `clone` of it, and as often as `split` has made it: if one key was split
twice, that is the reuse, and what the halves draw is its consequence.  Equal splits of one key are a reuse only if an
element was used of both: `split(key)[0]` and `split(key)[1]` are disjoint.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from flake8_jax.runtime.watching.ledger import CLONE, MAKES, Draw, FramePlace

MOST = 100
"""So many draws with one key are compared with each other; a loop may have any number."""


@dataclass(frozen=True, slots=True)
class Reuse:
    """Two draws with equal keys, in order, and the lines on which they diverge."""

    first: Draw
    second: Draw
    lines: tuple[int | None, ...]
    pair: tuple[int | None, int | None]


def reuses(draws: Iterable[Draw]) -> list[Reuse]:
    """Every pair of draws of which the second needed another key."""
    book = _Book()
    for draw in draws:
        book.by_key[draw.key].append(draw)
    if all(_uses(found) < 2 for found in book.by_key.values()):
        return []
    for key in list(book.by_key):
        book.count_births(key)
    return [found for key in book.by_key for found in _of_key(book, key)]


def parting(first: Draw, second: Draw) -> tuple[tuple[int | None, ...], tuple[int | None, int | None]]:
    """The lines on which two draws diverge, and the line of each in their innermost common frame."""
    if first.site is second.site and first.call == second.call:
        lines = {second.line, *second.site.loops, *in_body(second)}
        return tuple(sorted(lines, key=str)), (first.line, second.line)
    one, two = first.places, second.places
    if first.call != second.call:
        one, two = one[: first.outside], two[: second.outside]
    common = sum(1 for _ in _shared(one, two))
    if not common:
        return tuple({second.places[0][1], second.line}) if second.places else (None,), (first.line, second.line)
    (_, line, instruction), (_, again, its) = one[common - 1], two[common - 1]
    if instruction != its:
        return (again,), (line, again)
    inside = second.line if first.lines == second.lines else second.lines[min(common, len(second.lines) - 1)]
    return tuple({again, inside}), (line, again)


def in_body(draw: Draw) -> tuple[int, ...]:
    """The lines of the body of a loop of JAX that lead to a draw."""
    loops = [place for place, line in enumerate(draw.lines) if line in draw.site.loops]
    return draw.lines[loops[-1] + 1 :] if loops else ()


@dataclass(slots=True)
class _Book:
    by_key: dict[bytes, list[Draw]] = field(default_factory=lambda: defaultdict(list))
    births: Counter[bytes] = field(default_factory=Counter)
    children: dict[tuple[bytes, object], frozenset[bytes]] = field(default_factory=dict)

    def count_births(self, key: bytes) -> None:
        """Count what the splits of a key have made, if there were several."""
        splits = [draw for draw in self.by_key[key] if draw.operation == "split"]
        if len(splits) > 1:
            for draw in splits[:MOST]:
                self.births.update(self.made(draw))

    def made(self, split: Draw) -> frozenset[bytes]:
        """The keys that a split makes."""
        which = split.key, split.site.number
        if which not in self.children:
            self.children[which] = _elements(split)
        return self.children[which]

    def is_disjoint(self, split: Draw) -> bool:
        """Was no key that this split makes used twice, though it was made twice?"""
        return all(self._is_used_once(key) for key in self.made(split))

    def _is_used_once(self, key: bytes) -> bool:
        found = [draw for draw in self.by_key.get(key, ()) if draw.operation != CLONE]
        if len(found) < 2:
            return True
        alike = {(draw.operation, draw.site.number) for draw in found}
        return len(alike) == 1 and found[0].operation == "split" and self.is_disjoint(found[0])


class Derivations:
    """The derivations of a run's keys: by seeds, `fold_in` and splits."""

    def __init__(self, draws: Iterable[Draw], makings: Iterable[Draw]) -> None:
        """Read the draws, among which the splits are, and what else made keys."""
        self._makers: dict[bytes, list[Draw]] = defaultdict(list)
        self._parent: dict[bytes, bytes] = {}
        elements: dict[tuple[bytes, object], frozenset[bytes]] = {}
        for draw in sorted([*draws, *makings], key=lambda each: each.order):
            if draw.operation == "split":
                which = draw.key, draw.site.number
                elements[which] = elements.get(which) or _elements(draw)
                for key in elements[which]:
                    self._makers[key].append(draw)
                    self._parent.setdefault(key, draw.key)
            elif draw.operation in MAKES:
                self._makers[draw.key].append(draw)
                if draw.base:
                    self._parent.setdefault(draw.key, draw.base)

    def repeated(self, key: bytes) -> list[Draw]:
        """The repeated derivation of this key, or of the earliest key it comes from. A key that was split twice is no
        such repetition."""
        several = (made for made in reversed(self._line(key)) if len(made) > 1)
        return next((made for made in several if any(each.operation in MAKES for each in made)), [])

    def history(self, key: bytes) -> list[Draw]:
        """The derivations of this key and of the keys it comes from."""
        return [draw for made in self._line(key) for draw in made]

    def _line(self, key: bytes) -> list[list[Draw]]:
        found = [self._makers.get(key, [])]
        while (parent := self._parent.get(key)) is not None and len(found) < MOST:
            key = parent
            found.append(self._makers.get(key, []))
        return found


def _of_key(book: _Book, key: bytes) -> Iterator[Reuse]:
    allowed = max(1, book.births[key])
    earlier: list[Draw] = []
    for draw in book.by_key[key][:MOST]:
        if draw.operation == CLONE:
            allowed += 1
        elif not _is_same_split(book, draw, earlier):
            if len(earlier) >= allowed:
                yield from (Reuse(first, draw, *parting(first, draw)) for first in earlier)
            earlier.append(draw)


def _is_same_split(book: _Book, draw: Draw, earlier: list[Draw]) -> bool:
    """Does it only say once more what an earlier split said, for elements that the other left alone?"""
    if draw.operation != "split" or not any(_alike(draw, other) for other in earlier):
        return False
    return book.is_disjoint(draw)


def _alike(one: Draw, two: Draw) -> bool:
    return one.operation == two.operation and one.site.number == two.site.number


def _uses(draws: list[Draw]) -> int:
    return sum(draw.operation != CLONE for draw in draws)


def _shared(one: tuple[FramePlace, ...], two: tuple[FramePlace, ...]) -> Iterator[object]:
    for (frame, _, _), (other, _, _) in zip(one, two):
        if frame is not other:
            return
        yield frame


def _elements(split: Draw) -> frozenset[bytes]:
    import jax
    import numpy as np

    from flake8_jax.runtime import recorders

    data = np.frombuffer(split.key, np.uint32)
    number = split.site.number if split.site.number is not None else 2
    with recorders.muted():
        made = jax.random.split(jax.random.wrap_key_data(jax.numpy.asarray(data), impl=split.kind), number)  # type: ignore[arg-type]
        rows = np.asarray(jax.random.key_data(made))
    return frozenset(row.tobytes() for row in rows.reshape(-1, rows.shape[-1]))
