"""The author of one generated program: its random choices, its pages, and which names hold keys that are unused.

An author keeps count only to steer how often a key is used twice; what is a hazard, the shadow says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

MAIN, AID = "main.py", "aid.py"
SHAPE = "(3,)"
TURNS = 3
MOST_SPLIT = 4
RATES = (0.0, 0.0, 0.15, 0.35)
"""How often a used key is taken where a fresh one would do; half of all programs are meant to be clean."""

PARAMETERS = ("key", "rng", "rng_key", "k", "prng")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a program, and the fragment of the grammar that wrote it."""

    text: str
    feature: str


Page: TypeAlias = list[Line]


@dataclass(frozen=True, slots=True)
class Program:
    """A generated program: the lines of each file."""

    seed: int
    files: Mapping[str, tuple[Line, ...]]

    def text(self, name: str = MAIN) -> str:
        """The source of a file."""
        return "".join(f"{line.text}\n" for line in self.files[name])

    def feature(self, name: str, number: int) -> str:
        """The fragment that wrote a line."""
        return self.files[name][number - 1].feature


@dataclass(slots=True)
class Held:
    """An expression that holds a key, as far as the author knows."""

    text: str
    used: bool = False
    can_bind: bool = True


@dataclass(slots=True)
class Scope:
    """What can be named at one point of a function: keys, a running total, flags, the index of a loop.

    `leaves` is what an early return says, "" where none can stand; `may_seed`: it runs once, so that a key may be made
    of a constant there.
    """

    page: Page
    indent: int
    held: list[Held]
    total: str
    flags: tuple[str, ...] = ()
    index: str = ""
    depth: int = 0
    leaves: str = ""
    may_seed: bool = False

    def inner(self, held: list[Held], index: str = "", *, leaves: str = "", page: Page | None = None) -> Scope:
        """A block or local function in this scope."""
        return Scope(
            self.page if page is None else page, self.indent + 1, held, self.total, self.flags,
            index or self.index, self.depth + 1, leaves,
        )  # fmt: skip

    def copies(self) -> list[Held]:
        """The keys held, for an arm of a branch."""
        return [Held(one.text, one.used, one.can_bind) for one in self.held]


Fragment: TypeAlias = "Callable[[Author, Scope], None]"


class Author:
    """Writes one program; every choice comes from one seed."""

    def __init__(self, seed: int, blocks: Callable[[Author, Scope, int], None]) -> None:
        self.random = Random(seed)
        self.hazard = self.random.choice(RATES)
        self.blocks = blocks
        self.tops: Page = []
        self.aids: Page = []
        self.feature = "frame"
        self.imports: set[str] = set()
        self.elsewhere = [False]
        self.jr = self.random.choice(("jax.random", "jax.random", "jr", "random"))
        self.source = self.random.choice(("key", "key", "PRNGKey"))
        self._names = 0
        self._seeds = self.random.randrange(1000)

    # Choices.

    def chance(self, rate: float) -> bool:
        """Does something with this probability happen?"""
        return self.random.random() < rate

    def errs(self, rate: float = 1.0) -> bool:
        """Is a mistake to be made here?"""
        return self.chance(self.hazard * rate)

    def one(self, *choices: str) -> str:
        """One of some texts."""
        return self.random.choice(choices)

    def name(self, start: str) -> str:
        """A new name."""
        self._names += 1
        return f"{start}{self._names}"

    # Lines.

    def write(self, scope: Scope, text: str) -> None:
        """Write a line into a scope."""
        scope.page.append(Line("    " * scope.indent + text, self.feature))

    @contextmanager
    def writing(self, feature: str) -> Iterator[None]:
        """Lines written meanwhile belong to a fragment."""
        before, self.feature = self.feature, feature
        yield
        self.feature = before

    def put(self, page: Page) -> None:
        """Put a function or class at the top of its file, before those that need it."""
        top = self.aids if self.elsewhere[-1] else self.tops
        top += [*page, Line("", "frame"), Line("", "frame")]

    # Keys.

    def seeded(self) -> str:
        """A key made of a constant that no other has; sometimes of one that another has."""
        if not self.errs(0.3):
            self._seeds += 1
        return f"{self.jr}.{self.source}({self._seeds})"

    def bind(self, scope: Scope, expression: str, start: str = "k") -> Held:
        """Bind a new name to a key."""
        name = self.name(start)
        self.write(scope, f"{name} = {expression}")
        return self.hold(scope, name)

    def hold(self, scope: Scope, text: str, *, can_bind: bool = True) -> Held:
        """From here on an expression holds a fresh key."""
        scope.held = [one for one in scope.held if one.text != text]
        held = Held(text, can_bind=can_bind)
        scope.held.append(held)
        return held

    def take(self, scope: Scope, *, whole: bool = False) -> str | None:
        """A key to be used up now; None if there is none.  `whole`: not to be split before for the sake of others."""
        used = [one for one in scope.held if one.used]
        fresh = [one for one in scope.held if not one.used]
        if used and self.errs():
            return self.random.choice(used).text
        if not fresh and scope.may_seed:
            fresh = [self.bind(scope, self.seeded())]
        if not fresh:
            return None
        chosen = self.random.choice(fresh)
        if len(fresh) == 1 and chosen.can_bind and not whole and self.chance(0.8):
            sub = self.name("sub")
            self.write(scope, f"{chosen.text}, {sub} = {self.jr}.split({chosen.text})")
            chosen = self.hold(scope, sub)
        chosen.used = True
        return chosen.text

    def carried(self, scope: Scope) -> Held | None:
        """A fresh key that can be bound anew, for a loop to advance."""
        fresh = [one for one in scope.held if not one.used and one.can_bind]
        if not fresh and scope.may_seed:
            fresh = [self.bind(scope, self.seeded())]
        return self.random.choice(fresh) if fresh else None

    # Draws.

    def draw(self, key: str) -> str:
        """A draw from a key, as an expression of one shape."""
        form = self.random.choice(DRAWS)
        return form.format(jr=self.jr, key=key, shape=SHAPE)

    def add(self, scope: Scope, expression: str) -> None:
        """Add something to the running total, at once or later; seldom it stays unread."""
        total, way = scope.total, self.random.random()
        if way < 0.70:
            self.write(scope, f"{total} = {total} + {expression}")
        elif way < 0.90:
            name = self.name("v")
            self.write(scope, f"{name} = {expression}")
            self.write(scope, f"{total} = {total} * {name}")
        else:
            with self.writing("unread"):
                self._leave_unread(scope, expression)

    def _leave_unread(self, scope: Scope, expression: str) -> None:
        name, total = self.name("u"), scope.total
        self.write(scope, f"{name} = {expression}")
        match self.random.randrange(4):
            case 0:
                self.write(scope, f"{name} = jnp.zeros({SHAPE})")
                self.write(scope, f"{total} = {total} + {name}")
            case 1:
                self.write(scope, f"{total} = {total} + jnp.ones({name}.shape)")
            case 2:
                self.write(scope, f"{total} = {total} + jnp.zeros_like({name})")


DRAWS = (
    *("{jr}.normal({key}, {shape})",) * 4,
    *("{jr}.uniform({key}, {shape})",) * 2,
    "{jr}.normal(key={key}, shape={shape})",
    "{jr}.gumbel({key}, {shape})",
    "{jr}.exponential({key}, shape={shape})",
    "{jr}.laplace({key}, {shape})",
    "{jr}.bernoulli({key}, 0.5, {shape})",
    "{jr}.randint({key}, {shape}, 0, 9)",
    "{jr}.truncated_normal({key}, -1.0, 1.0, {shape})",
    "{jr}.permutation({key}, jnp.arange(3.0))",
    "{jr}.choice({key}, 5, {shape})",
    "0.5 * {jr}.normal({key}, {shape})",
    "jnp.tanh({jr}.normal({key}, {shape}))",
)
