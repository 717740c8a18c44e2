"""Keys as terms: what a key was derived from, who used it up, and whether what was drawn from it is read.

k = key(0)          ("seed", 0)
a, b = split(k)     ("of", ("seed", 0), 0) and ("of", ("seed", 0), 1)
fold_in(k, 1)       ("of", ("seed", 0), 1), equal to b
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Term: TypeAlias = Hashable
Place: TypeAlias = tuple[str, int]
Chain: TypeAlias = tuple[Place, ...]
"""The lines of the program that are being run, the outermost first."""
Taint: TypeAlias = frozenset[int]

CLEAN: Taint = frozenset()
MARK = "fuzzed/"
"""Files of programs are compiled under a name that begins so."""


class Misuse(Exception):
    """What is no single key stands where one is due: JAX raises."""


class TooManyPaths(Exception):
    """A program has more paths than are enumerated."""


@dataclass(frozen=True, slots=True, eq=False)
class Birth:
    """One derivation of keys: from a seed, by `split`, `fold_in` or `clone`, or as an argument from outside.

    `use` is the number of the use that a split is.
    """

    kind: str
    parent: Key | None
    chain: Chain
    data: object = None
    use: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Use:
    """A key is used up: by a draw or a split."""

    number: int
    key: Key
    by: str
    chain: Chain


@dataclass(slots=True)
class Run:
    """One path of a program: the decisions that were taken, and what was done."""

    forced: tuple[bool, ...] = ()
    taken: list[bool] = field(default_factory=list)
    named: dict[str, bool] = field(default_factory=dict)
    uses: list[Use] = field(default_factory=list)
    births: list[Birth] = field(default_factory=list)
    read: set[int] = field(default_factory=set)
    loud: Chain | None = None
    is_refused: bool = False
    notes_tests: bool = False
    tests: set[tuple[Place, str, bool]] = field(default_factory=set)
    returned: list[Key] = field(default_factory=list)
    spent: set[int] = field(default_factory=set)
    carried: dict[int, list[int]] = field(default_factory=dict)
    muted: int = 0
    traced: int = 0
    traced_seeds: set[Place] = field(default_factory=set)
    copied: dict[Place, set[Term]] = field(default_factory=dict)
    """Where keys were stacked with themselves, and which: lanes that draw from them are reported there."""

    def decide(self, name: str = "") -> bool:
        """The outcome of a test: of a flag always the same, of a value any."""
        if name in self.named:
            return self.named[name]
        position = len(self.taken)
        outcome = self.forced[position] if position < len(self.forced) else False
        self.taken.append(outcome)
        if len(self.taken) > 12:
            raise TooManyPaths
        if name:
            self.named[name] = outcome
        return outcome

    def use(self, key: Key, by: str) -> Taint:
        """Use a key up; returns what the result carries."""
        if self.muted:
            return CLEAN
        use = Use(len(self.uses), key, by, chain())
        self.uses.append(use)
        self.spent.add(id(key))
        return key.lineage | {use.number}

    def birth(self, kind: str, parent: Key | None, data: object = None) -> Birth:
        """Derive keys."""
        number = len(self.uses) - 1 if kind == "split" and not self.muted else None
        made = Birth(kind, parent, chain(), data, number)
        self.births.append(made)
        return made


current = Run()


def run() -> Run:
    """The path that is being run."""
    return current


def begin(new: Run) -> Run:
    """From here on another path is run."""
    global current
    current = new
    return new


def chain() -> Chain:
    """The lines of the program on the stack."""
    places: list[Place] = []
    frame = sys._getframe(1)
    while frame is not None:
        name = frame.f_code.co_filename
        if name.startswith(MARK):
            place = (name[len(MARK) :], frame.f_lineno)
            if not places or places[-1] != place:
                places.append(place)
        frame = frame.f_back  # type: ignore[assignment]
    return tuple(reversed(places))


class Array:
    """What `jax.Array` is: keys and values."""

    dtype = "float32"
    ndim = 0


@dataclass(frozen=True, slots=True, eq=False)
class Key(Array):
    """A key: its term, the derivation that made it, and the splits that it comes from."""

    term: Term
    birth: Birth
    lineage: Taint = CLEAN

    @property
    def shape(self) -> tuple[int, ...]:
        """A single key has no axes."""
        return ()

    def __add__(self, other: object) -> Key:
        raise Misuse


@dataclass(frozen=True, slots=True, eq=False)
class KeyArray(Array):
    """Several keys."""

    keys: Sequence[Key]

    @property
    def shape(self) -> tuple[int, ...]:
        """One axis."""
        return (len(self.keys),)

    def __getitem__(self, index: int | slice) -> Key | KeyArray:
        found = self.keys[index]
        return found if isinstance(found, Key) else KeyArray(found)

    def __iter__(self) -> Iterator[Key]:
        return iter(self.keys)

    def __len__(self) -> int:
        return len(self.keys)


class Value(Array):
    """A number or an array: the uses of keys that it was computed from."""

    __slots__ = ("taint",)
    shape = (3,)

    def __init__(self, taint: Taint = CLEAN) -> None:
        self.taint = taint

    def __bool__(self) -> bool:
        return run().decide()

    def _with(self, *others: object, **_: object) -> Value:
        if any(one is None for one in others):
            raise TypeError("None is no number")
        return Value(self.taint.union(*map(taint_of, others)))

    __add__ = __radd__ = __mul__ = __rmul__ = __sub__ = __rsub__ = __getitem__ = _with
    __truediv__ = __rtruediv__ = __lt__ = __gt__ = __matmul__ = __pow__ = _with
    sum = mean = astype = reshape = max = min = _with

    def __neg__(self) -> Value:
        return self

    def __float__(self) -> float:
        run().read |= self.taint
        return 0.5


class Range(Value):
    """What `arange` returns: its items are known."""

    __slots__ = ("items",)

    def __init__(self, items: Sequence[int]) -> None:
        super().__init__()
        self.items = items


@dataclass(frozen=True, slots=True)
class Flag:
    """A parameter that is only tested."""

    name: str

    def __bool__(self) -> bool:
        outcome = run().decide(self.name)
        if run().notes_tests:
            run().tests.add((chain()[-1], self.name, outcome))
        return outcome


class Hashed(int):
    """What `hash` of a text returns: another number in each process."""

    def __mod__(self, other: int) -> Hashed:
        return Hashed(int(self) % other)


def parts(value: Any) -> Iterator[Any]:
    """Keys and values in an object, however deep."""
    if isinstance(value, Array):
        yield from value.keys if isinstance(value, KeyArray) else (value,)
    elif isinstance(value, dict):
        for one in value.values():
            yield from parts(one)
    elif isinstance(value, tuple | list):
        for one in value:
            yield from parts(one)
    elif dataclasses.is_dataclass(value) and not isinstance(value, Flag):
        for each in dataclasses.fields(value):
            yield from parts(getattr(value, each.name))
    elif hasattr(value, "__dict__") and not callable(value):
        yield from parts(vars(value))


def taint_of(value: Any) -> Taint:
    """The uses that an object was computed from."""
    found = CLEAN
    for one in parts(value):
        found |= one.taint if isinstance(one, Value) else one.lineage if isinstance(one, Key) else CLEAN
    return found
