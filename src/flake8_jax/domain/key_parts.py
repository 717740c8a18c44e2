"""Which keys a value holds: the positions of an array of keys, or the keys of several values.

ks = split(key, 4)      KEYS    Derived("split", key, 4)
ks = split(key, (2, 2)) KEYS    Several((2, 2))
ks[0], ks[-1]           KEY     KeyPart(ks, (0,)), KeyPart(ks, (3,))
ks[1:]                  KEYS    KeyPart(ks, (Stretch(1),))
for k in ks             KEY     KeyPart(ks, (Turn(loop),))
ks.reshape(2, 2)        KEYS    KeyPart(ks, (), is_moved=True)
stack([a] * n)          KEYS    Copies(a)
stack([a, b])           KEYS    KeyMix((a, b), "all")
where(c, a, b)          KEY     KeyMix((a, b), "one")
ks.at[0].set(a)         KEYS    KeyMix((a, KeyPart(ks, (OPEN,))), "all", place=0)
a if c else b           KEY     KeyMix((a, b), "path")
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator
from typing import TYPE_CHECKING, Literal, TypeAlias

from flake8_jax.domain.constants import OPEN, NotConstant
from flake8_jax.domain.payload import EVERY, Compound, Copies, Derived, Payload
from flake8_jax.domain.staging import Input
from flake8_jax.lazy_dataclasses import dataclass, replace

if TYPE_CHECKING:
    from flake8_jax.domain.value import Value
    from flake8_jax.ir.ops import Op

Around: TypeAlias = "tuple[tuple[Op, int], ...]"
MAXIMUM_SOURCES = 4
"""How many keys are known that a value may be on some path."""

MAXIMUM_HELD = 16
"""How many values are known whose keys one array holds."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A range of positions in an array of keys, from `start` up to `stop` if there is one; negative ones count from the
    end.  Where it stops may not be known (`OPEN`): then only its first position certainly is in it.
    """

    start: int = 0
    stop: int | NotConstant | None = None

    def at(self, index: Position) -> Position:
        """A position in the span, as a position in the whole."""
        if isinstance(index, int):
            return self._place(index)
        if isinstance(index, Stretch):
            start, stop = self._place(index.start), index.stop
            stop = self.stop if stop is None else self._place(stop) if isinstance(stop, int) else stop
            return Stretch(start, stop) if isinstance(start, int) else OPEN
        return Turn(index.loop, index.around, self) if isinstance(index, Turn) and index.within is None else OPEN

    def _place(self, index: int) -> int | NotConstant:
        if index >= 0:
            return OPEN if self.start < 0 <= self.start + index else self.start + index
        if not isinstance(self.stop, int):
            return index if self.stop is None else OPEN
        return OPEN if self.stop >= 0 > self.stop + index else self.stop + index

    def counted(self, count: int) -> Stretch:
        """The span with positions from the start, in an array of known length."""
        start, stop = max(counted(self.start, count), 0), self.stop
        if not isinstance(stop, int):
            return Stretch(start, stop)
        end = counted(stop, count)
        return Stretch(start, None if end >= count else max(end, 0))

    def meets(self, other: Position) -> bool:
        """Is a position, or one of a span, certainly in this span?"""
        if isinstance(other, int):
            return self._is_after(other) and self._is_before(other)
        if not isinstance(other, Stretch) or (self.start < 0) != (other.start < 0):
            return False
        return self._is_before(other.start) and other._is_before(self.start)

    def _is_after(self, place: int) -> bool:
        return (place < 0) == (self.start < 0) and place >= self.start

    def _is_before(self, place: int) -> bool:
        if not isinstance(self.stop, int):
            return self.stop is None or place <= self.start
        return (place < 0) == (self.stop < 0) and place < self.stop


@dataclass(frozen=True, slots=True)
class Turn:
    """The position of the key that the current iteration of a loop takes: each position once.

    `around`: the iterations of the loops around it.
    """

    loop: Op | None
    around: Around = ()
    within: Stretch | None = None

    def meets(self, other: Position) -> bool:
        """Is a position certainly reached in some iteration, and by another loop if it is one?"""
        if isinstance(other, Turn):
            is_same = self.loop is other.loop and self.around == other.around
            return not is_same and (self.within is None or other.within is None or self.within.meets(other.within))
        return self.within is None or (isinstance(other, (int, Stretch)) and self.within.meets(other))


Position: TypeAlias = "int | str | Stretch | Turn | Value | NotConstant"
"""A place along one axis: an index, a value that is not known, a span, each in turn, `OPEN` for any."""

Positions: TypeAlias = "tuple[Position, ...]"
Mix: TypeAlias = Literal["all", "one", "path"]
KeyHolding: TypeAlias = "tuple[Value | Input, Positions, Mix]"


def counted(index: int, count: int) -> int:
    """An index counted from the start."""
    return index + count if index < 0 else index


def have_common_position(first: Positions, second: Positions) -> bool:
    """Do two sets of positions certainly overlap?  A set that does not mention an axis covers all of it."""
    return all(_meet(one, other) for one, other in zip(first, second, strict=False))


def _meet(one: Position, other: Position) -> bool:
    if isinstance(one, Turn):
        return one.meets(other)
    if isinstance(other, (Turn, Stretch)):
        return other.meets(one)
    if isinstance(one, Stretch):
        return one.meets(other)
    return one is not OPEN and one == other


@dataclass(frozen=True, slots=True)
class Several:
    """How many keys an array of keys has along its axes."""

    counts: tuple[int, ...]

    def text(self) -> str:
        """A short spelling, for people."""
        return " by ".join(map(str, self.counts))


def counts_of(payload: Payload | None) -> tuple[int, ...]:
    """How many keys an array of keys has along its axes, by its payload; nothing if that is not known."""
    if isinstance(payload, Several):
        return payload.counts
    is_counted = isinstance(payload, Derived) and payload.how == "split" and type(payload.data) is int
    return (payload.data,) if is_counted else ()  # type: ignore[union-attr]


@dataclass(frozen=True, slots=True)
class KeyPart(Compound):
    """Keys of an array of keys, by their positions; if it `is_moved`, the order is another."""

    whole: Value
    positions: Positions = ()
    is_moved: bool = False

    @property
    def index(self) -> int | None:
        """The index of the one key that it is, if that is a constant."""
        only = self.positions[0] if len(self.positions) == 1 and not self.is_moved else None
        return only if type(only) is int else None

    def held(self) -> Collection[Value]:
        """Nothing that is held apart."""
        return ()

    def without_parts(self) -> Payload | None:
        """The same: its keys are what they are."""
        return self

    def text(self) -> str:
        """A short spelling, for people."""
        return "of several"

    def at(self, position: Position) -> KeyPart:
        """The part at a position along the leading axis."""
        if self.is_moved:
            return KeyPart(self.whole, (*self.positions, position if isinstance(position, Turn) else OPEN), True)
        for axis, held in enumerate(self.positions):
            if isinstance(held, Stretch):
                return KeyPart(self.whole, (*self.positions[:axis], held.at(position), *self.positions[axis + 1 :]))
        return KeyPart(self.whole, (*self.positions, self._counted(position)))

    def _counted(self, position: Position) -> Position:
        counts = counts_of(self.whole.payload)
        if len(self.positions) >= len(counts):
            return position
        length = counts[len(self.positions)]
        if isinstance(position, Stretch):
            return position.counted(length)
        return counted(position, length) if isinstance(position, int) else position


@dataclass(frozen=True, slots=True)
class KeyMix(Compound):
    """The keys of several values: of all, of one of them, or of one by the path that was taken.

    With a `turn` they come one by one.  The first may stand at a known `place`, the others around it.
    """

    sources: tuple[Value, ...]
    mix: Mix
    turn: Turn | None = None
    place: int | None = None

    def held(self) -> Collection[Value]:
        """Nothing that is held apart."""
        return ()

    def without_parts(self) -> Payload | None:
        """The same: its keys are what they are."""
        return self

    def text(self) -> str:
        """A short spelling, for people."""
        return "of several"


def part_of(whole: Value) -> KeyPart:
    """All keys of a value, as a part of what they were taken from."""
    return whole.payload if isinstance(whole.payload, KeyPart) else KeyPart(whole)


def value_of_all_keys(value: Value) -> Value:
    """The value that holds the same keys in the same order: the original of what was moved or cloned."""
    while isinstance(value.payload, KeyPart) and not value.payload.positions and not value.payload.is_moved:
        value = value.payload.whole.original
    return value


def moved(whole: Value) -> KeyPart:
    """All keys of a value, in another order."""
    part = part_of(whole)
    return KeyPart(part.whole, part.positions, True)


def at_any_turn(part: KeyPart | KeyMix) -> KeyPart | KeyMix:
    """The same keys with any position in place of the one that the current iteration takes."""
    if isinstance(part, KeyMix):
        return KeyMix(part.sources, "path")
    positions = tuple(OPEN if isinstance(position, Turn) else position for position in part.positions)
    return KeyPart(part.whole, positions, part.is_moved)


def dimensions(part: KeyPart) -> int:
    """How many axes a part has left, where that is known; else one."""
    counts = counts_of(part.whole.payload)
    if not counts or part.is_moved:
        return 1
    return len(counts) - sum(not isinstance(position, Stretch) for position in part.positions)


def keys_on_either_path(first: Value, second: Value) -> KeyMix | None:
    """The mix of the keys of two values of which the path decides which one is meant; None for too many."""
    sources: dict[Value, None] = {}
    for value in (first, second):
        mix = value.payload
        known = mix.sources if isinstance(mix, KeyMix) and mix.mix == "path" else (value,)
        sources |= dict.fromkeys(known)
    return KeyMix(tuple(sources), "path") if len(sources) <= MAXIMUM_SOURCES else None


@dataclass(frozen=True, slots=True)
class SeededBy:
    """The seed that a key was made of, where that is no constant: the value that was passed."""

    seed: Value
    implementation: Hashable = None

    def text(self) -> str:
        """A short spelling, for people."""
        return "by a seed that is no constant"


def renamed_keys(payload: Payload | None, rename: Callable[[Value], Value]) -> Payload | None:
    """The payload of a value of a callee, with the keys that it holds in terms of a caller."""
    if not isinstance(payload, (KeyPart, KeyMix)):
        return payload
    if isinstance(payload, KeyMix):
        return replace(payload, sources=tuple(rename(source) for source in payload.sources))
    whole = rename(payload.whole)
    part = part_of(whole)
    if payload.is_moved:
        part = moved(whole)
    for position in payload.positions:
        part = part.at(position)
    return part if not payload.is_moved or part.is_moved else KeyPart(part.whole, part.positions, True)


def held_by(value: Value) -> Iterator[KeyHolding]:
    """The keys that a value holds: where they were made, which of them, and whether certainly these."""
    payload = value.payload
    if isinstance(payload, KeyPart):
        inner = payload.whole.payload
        own = () if isinstance(inner, Copies) else payload.positions
        is_chosen = isinstance(inner, KeyMix) and not all(isinstance(one, Turn) for one in own)
        for source, positions, mix in held_by(payload.whole):
            is_all = is_chosen and mix == "all"
            yield source, positions + ((OPEN,) if is_chosen else own), "one" if is_all else mix
    elif isinstance(payload, Copies):
        yield from held_by(payload.of)
    elif isinstance(payload, KeyMix):
        turn = () if payload.turn is None else (payload.turn,)
        for one in payload.sources:
            for source, positions, mix in held_by(one):
                yield source, positions + turn, payload.mix if mix == "all" else mix
    else:
        known, positions = _of_input(payload, value) if isinstance(payload, Input) else (None, ())
        yield (value, (), "all") if known is None else (known, positions, "all")


def _of_input(source: Input, value: Value) -> tuple[Input | None, Positions]:
    """The parameter that a value is a part of, by items alone: what else holds keys may hold others now."""
    positions: list[Position] = []
    while source.parent is not None and source.step is not None and source.step[0] == "[]":
        index = source.step[1]
        if index is not None:
            is_known = isinstance(index, (int, str)) and not isinstance(index, bool)
            positions.append(index if is_known else Turn(value.made_by) if index is EVERY else OPEN)  # type: ignore[arg-type]
        source = source.parent
    return None if source.parent is not None else source, tuple(positions[::-1])
