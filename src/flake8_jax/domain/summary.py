"""What a call of a function demands, uses up, does and returns, in terms of its inputs.

    def draw(key, n):               sinks: key (by jax.random.normal)
        if n > 0:                   demands: n > 0 must be a bool (dependences {n})
            print(n)                effects: print of n, when n > 0
        return normal(key, (n,))    returns: an array, dependences {ambient, n}

Nothing here is a report.  What depends on an input is *latent*; a caller that puts a tracer, an array or a used key
in its place makes it certain, or hands it on to its own callers with one more hop in the chain.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from flake8_jax.domain.conditions import ALWAYS, Path, common
from flake8_jax.domain.provenance import Hop, Use
from flake8_jax.domain.staging import NONE, Dependences, Input
from flake8_jax.domain.value import Value

DemandWhat: TypeAlias = Literal["bool", "mutable", "array", "beside"]
MAXIMUM_DEMANDS = 48
MAXIMUM_PATHS = 4


@dataclass(frozen=True, slots=True)
class Demand:
    """Something that must hold of a value: concrete when asked for its truth (`bool`), no array when an item is stored
    (`mutable`) or a sequence stands beside it (`beside`), no sequence where JAX takes arrays only (`array`).

    `is_bare`: the value is handed in as it is, so that it may be a container, whose truth is no array's. `details` is
    what the event will say beside the op; `asker` the op whose callee asks; `chain` the calls between here and the
    op, nearest the op last.
    """

    what: DemandWhat
    op: Any
    dependences: Dependences
    is_bare: bool
    details: tuple[str, ...]
    asker: Any = None
    when: Path = ALWAYS
    chain: tuple[Hop, ...] = ()


@dataclass(frozen=True, slots=True)
class Sink:
    """A use of a key that the caller handed in (`target` is an `Input`) or that is captured (a `Value`)."""

    target: Input | Value
    use: Use
    when: Path = ALWAYS
    argument: str = ""


@dataclass(frozen=True, slots=True)
class Effect:
    """An effect on the outside: `shown` are the arguments that may be traced, with what they depend on; `is_text`: all
    others are text.
    """

    effect: Literal["print", "log", "warn"]
    op: Any
    callee: str
    shown: tuple[tuple[Any, Dependences], ...]
    when: Path = ALWAYS
    chain: tuple[Hop, ...] = ()
    is_text: bool = False


@dataclass(frozen=True, slots=True)
class Deferred:
    """What a run for one caller's callables made certain, if this caller takes the path: `send` lets it out."""

    send: Callable[[Any], None]
    when: Path


@dataclass(slots=True, eq=False)
class Summary:
    """One function's demands, sinks, effects, what it calls among its inputs, writes, invalidates and returns.

    `ambient` is what arrays made in it depend on, whatever they are made from; `arrays` are the inputs that it treats
    as only an array can be treated; `touches` are the objects around it that it may change, `rebinds` the names around
    it that it binds again; `reached` counts the kinds of what it hands to library functions with a row, `callees` are
    the functions it calls; `around` are the objects that it found outside, `captures` what the function read from the
    functions around it, as it was when the body was run; `record` is what the run itself found, of a function that
    stands alone; `home` is the file that holds the body.  `deferred` waits, by what it says, for the calls that this
    was run for; `is_applied` where one took place.  `hooks` are the names that are looked up on the class of an input,
    with what was found there in this run; `spreads` the inputs `*args` and `**kwargs` that are handed on as they are.
    Sets stand in dictionaries, in the order in which they were found: sets of what is told apart by identity have
    another order each time.
    """

    inputs: dict[str, Value] = field(default_factory=dict)
    ambient: Dependences = NONE
    demands: list[Demand] = field(default_factory=list)
    sinks: list[Sink] = field(default_factory=list)
    effects: list[Effect] = field(default_factory=list)
    deferred: dict[tuple[Any, ...], list[Deferred]] = field(default_factory=dict)
    is_applied: bool = False
    applies: dict[Input, None] = field(default_factory=dict)
    hooks: dict[tuple[Input, str], Value | None] = field(default_factory=dict)
    spreads: dict[Input, None] = field(default_factory=dict)
    writes: dict[tuple[Input, Any], Value] = field(default_factory=dict)
    invalidates: dict[Input, None] = field(default_factory=dict)
    arrays: dict[Input, None] = field(default_factory=dict)
    touches: dict[Value, None] = field(default_factory=dict)
    rebinds: dict[str, None] = field(default_factory=dict)
    captures: dict[str, Value] = field(default_factory=dict)
    around: dict[Value, None] = field(default_factory=dict)
    reached: Counter[str] = field(default_factory=Counter)
    callees: list[Any] = field(default_factory=list)
    returns: Value | None = None
    record: Any = None
    homes: frozenset[str] | None = None
    home: str = ""

    def demand(self, demand: Demand) -> None:
        """Add a latent demand, up to the cap."""
        if len(self.demands) < MAXIMUM_DEMANDS and demand.dependences is not NONE:
            self.demands.append(demand)

    def defer(self, key: tuple[Any, ...], deferred: Deferred) -> None:
        """Keep something for the calls to come; where it is certain on many paths, on what they have in common."""
        ways = self.deferred.setdefault(key, [])
        if any(all(fact in deferred.when for fact in way.when) for way in ways):
            return
        ways.append(deferred)
        if len(ways) > MAXIMUM_PATHS:
            last, one = ways.pop(), ways.pop()
            ways.append(Deferred(one.send, common(one.when, last.when)))
