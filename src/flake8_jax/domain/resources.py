"""Resources that may be used up only once, and their uses.

A resource (a PRNG key today, a donated buffer tomorrow) is made at a source, passed on by forwards, and used up at a
sink.  Where two paths join it is used up if either used it (union); whether two uses can happen in one run is decided
by their path conditions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, Protocol, TypeAlias

from flake8_jax.domain.conditions import Path, exclude
from flake8_jax.domain.provenance import Use
from flake8_jax.domain.staging import Input
from flake8_jax.domain.value import Value
from flake8_jax.ir.ops import Function, Op
from flake8_jax.ir.rewrite import Rewrite
from flake8_jax.ir.scope import Scope
from flake8_jax.lazy_dataclasses import dataclass, field

Iterations: TypeAlias = "tuple[tuple[Op, int], ...]"
MAXIMUM_USES = 6
MAXIMUM_DEPTH = 5
"""How many calls down the draws are known that use up a key."""

MAXIMUM_DRAWS = 8
"""How many draws of one callee are looked at."""


@dataclass(frozen=True, slots=True)
class ByFunction:
    """Used up by a function of a library."""

    name: str


@dataclass(frozen=True, slots=True)
class ByElement:
    """Used up by a split of which one element is taken at once, by a constant index or another one."""

    element: int | Value


@dataclass(frozen=True, slots=True)
class ByArgument:
    """Used up by a function of the project, as one of its arguments.

    Of a loop with several functions, one has it `run_by`.
    """

    name: str
    run_by: Function | None = None


@dataclass(frozen=True, slots=True)
class Discarded:
    """Not used up: keys were derived from it and thrown away."""


@dataclass(frozen=True, slots=True)
class Shared:
    """Not used up, but passed to JAX, which may still read the memory of this buffer later on.

    One that an object keeps is the same where it is the same attribute.  `is_part`: it was handed the first elements.
    """

    buffer: Value | Input
    is_part: bool = False


@dataclass(frozen=True, slots=True)
class Ticks:
    """A mark and no use: a clock was read here."""

    reading: Value


@dataclass(frozen=True, slots=True)
class WaitedSince:
    """A mark and no use: something has waited for JAX since a clock was read."""


@dataclass(frozen=True, slots=True)
class Yielded:
    """A mark and no use: a generator has yielded since a clock was read, so that other code has run."""


@dataclass(frozen=True, slots=True)
class Donated:
    """The buffer of an array, or those of a tree, that a compiled call may write its results into."""

    value: Value


@dataclass(frozen=True, slots=True)
class Compiles:
    """A mark and no use: since a clock was read, the first iteration of a loop has compiled what the others repeat."""


Means: TypeAlias = (
    ByFunction | ByElement | ByArgument | Discarded | Shared | Donated | Ticks | WaitedSince | Yielded | Compiles | None
)


class CodeOfDraw(Protocol):
    """The body that a draw stands in."""

    @property
    def function(self) -> Function:
        """The function whose body it is."""


@dataclass(frozen=True, slots=True)
class DrawSite:
    """Where results are drawn from a key: an op of some code.

    The draws of its callee are `inner`, the op of the argument that is the key is its `place`.
    `by` is the function of a library that draws; `arguments` are those of a function of the project, by parameter,
    which may be a method.  `depth` counts the calls below; what is deeper than a bound is left out.  `has_effects`: it
    may leave what it draws elsewhere than in its result; it `is_derivative` where the function is differentiated.
    """

    op: Op
    code: CodeOfDraw
    by: str = ""
    inner: tuple[DrawSite, ...] = ()
    arguments: tuple[tuple[str, Value], ...] = ()
    is_method: bool = False
    depth: int = 0
    place: Op | None = field(default=None, compare=False)
    has_effects: bool = False
    is_derivative: bool = field(default=False, compare=False)

    def within(self) -> Iterator[DrawSite]:
        """This draw, and those inside of it at all depths, outermost first."""
        yield self
        for one in self.inner:
            yield from one.within()


@dataclass(frozen=True, slots=True)
class SeedDraw:
    """A draw from a key that is made of a seed: by a function of a library, in the function that makes the key, and as
    it stands in a caller.
    """

    by: str
    source: DrawSite
    draw: DrawSite


RepeatForm: TypeAlias = Literal["iteration", "element", "turn", "leaf", "lane"]
"""What repeats a use: a statement, a comprehension or `map`, a loop of JAX, a mapped tree or axis."""


@dataclass(frozen=True, slots=True)
class Repetition:
    """Calls that a transform makes of one function: the turns of its loop, or the lanes of its axis.

    `by` is the transform in the user's words; `fixed` are the arguments that are the same in each call.  They
    `are_copies` if nothing differs between them, and yet all results are kept.
    """

    op: Op
    form: RepeatForm
    by: str
    fixed: frozenset[Value] = frozenset()
    are_copies: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class KeySite:
    """A use of a key: the op that reads it, in which scope, whether code there may bind it anew.

    If it `goes_on`, it has to be a fresh one afterwards.  It `is_counted` where the first argument of the function
    around counts the turns, it `is_mapped` where that is mapped over the leaves of trees, it `is_of_lanes` where each
    batch element gets it.
    """

    op: Op
    scope: Scope | None
    is_bindable: bool
    goes_on: bool = False
    is_counted: bool = False
    is_mapped: bool = False
    is_of_lanes: bool = False


@dataclass(frozen=True, slots=True)
class KeyDestination:
    """Where a key that was used up was stored, returned or carried to.

    `op` used it up, `key` is its text; `use` and `goes_on` are the two places, `instead` is what to write.
    `attribute` is the name of the attribute that holds it, if one does; `rewrite` are the changes that repair it, else
    it is repaired at its `site`.
    """

    op: Op
    key: str
    use: Use
    goes_on: Use
    instead: str
    attribute: str = ""
    rewrite: Rewrite | None = None
    site: KeySite | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Used:
    """One use: its op, path, iterations of loops, and means.

    `draw` is where its results are made, `place` the argument that is the key, if that is written there.  `kept` says
    that a callee used the key up and handed it back.  Of a seed there are several `draws`, of which the first that is
    read counts.
    """

    op: Op
    use: Use
    path: Path
    iterations: Iterations
    means: Means = None
    draw: DrawSite | None = field(default=None, compare=False)
    place: Op | None = field(default=None, compare=False)
    kept: KeyDestination | None = None
    draws: tuple[SeedDraw, ...] = field(default=(), compare=False)


def is_compatible(earlier: Used, path: Path) -> bool:
    """Can one run make an earlier use and then take a path?

    Facts are about values, and an iteration of a loop has values of its own.
    """
    return not exclude(earlier.path, path)


def crosses_iterations(earlier: Used, iterations: Iterations) -> bool:
    """Was the earlier use made in an earlier iteration of a loop that is still running?"""
    return bool(loops_between(earlier, iterations))


def loops_between(earlier: Used, iterations: Iterations) -> list[Op]:
    """The loops that still run and have gone on to another iteration since, outermost first."""
    now = dict(iterations)
    return [loop for loop, iteration in earlier.iterations if now.get(loop, iteration) != iteration]


def unite_uses(first: tuple[Used, ...], second: tuple[Used, ...]) -> tuple[Used, ...]:
    """The uses of either path, each once, up to a bound."""
    if first is second or not second:
        return first
    if not first:
        return second
    both = first + tuple(used for used in second if used not in first)
    if len(both) > MAXIMUM_USES:  # certain uses are evidence, possible ones need it
        both = tuple(sorted(both, key=lambda used: used.use.is_possible))
    return both[:MAXIMUM_USES]
