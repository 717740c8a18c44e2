"""The summary of a function: what a call requires, uses up, does and returns, in terms of its inputs.

    def draw(key, n):               effect: key is used up (by jax.random.normal)
        if n > 0:                   effect: n > 0 must be concrete (dependences {n})
            print(n)                effect: print of n, when n > 0
        return normal(key, (n,))    returns: an array, dependences {ambient, n}

Nothing here is a report.  What depends on an input is *latent*; a caller that passes a tracer, an array or a used key
there makes it certain, or inherits it with one more hop in the chain.
"""

from __future__ import annotations

from collections import Counter
from typing import SupportsIndex, TypeAlias

from flake8_jax.domain.conditions import ALWAYS, Path
from flake8_jax.domain.effects import EventRecorder, LatentEffects
from flake8_jax.domain.payload import ItemIndex, Step
from flake8_jax.domain.staging import NONE, Dependences, Input
from flake8_jax.domain.value import Value
from flake8_jax.ir.ops import Function, Op
from flake8_jax.lazy_dataclasses import dataclass, field

MAXIMUM_OPERATED = 12
MAXIMUM_MADE = 24
"""How many inputs of functions that have ended a body knows."""

UsesOfInputs: TypeAlias = dict[tuple[Input, str], Value | None]
"""Inputs that are used in one way, each with the name that is asked for, and what this run found by it."""


@dataclass(slots=True)
class InputUses:
    """How a body uses its inputs.

    `arrays` are used as only an array can be; of `reflected` inputs methods of unknown names are asked for.  For all
    others a call may have the body run again (`summaries/specialization.py`): `called` inputs are called, by
    `__call__`.  `lookups` are the names that are looked up on the class of an input, with the attribute found in this
    run; `spreads` are the inputs `*args` and `**kwargs` that are passed on unchanged; `operated` are operators, by the
    names of their methods.  Attributes of `traced` inputs are read behind a transform.
    """

    arrays: dict[Input, None] = field(default_factory=dict)
    called: UsesOfInputs = field(default_factory=dict)
    lookups: UsesOfInputs = field(default_factory=dict)
    spreads: UsesOfInputs = field(default_factory=dict)
    reflected: dict[Input, None] = field(default_factory=dict)
    operated: UsesOfInputs = field(default_factory=dict)
    traced: UsesOfInputs = field(default_factory=dict)

    def note_called(self, source: Input) -> None:
        """Note that an input is called."""
        self.called[source, "__call__"] = None

    def show_array(self, source: Input) -> bool:
        """Do they show that an input is an array: it is used as one, or what it is an element of?"""
        around = source.parent if source.step is not None and source.step[0] == "[]" else None
        return source in self.arrays or (around is not None and around in self.arrays)


@dataclass(frozen=True, slots=True)
class RegistryEntry:
    """A callable that is stored in a global dict or list, with its key; both may be inputs of the function that stores
    it.
    """

    owner: Value
    index: ItemIndex
    value: Value


@dataclass(slots=True)
class Writes:
    """What a body changes outside of itself.

    `parts` are stored into inputs; of the inputs in `invalidated` nothing is known afterwards; `touched` are the
    objects around the function that it may change, `rebound` the names around it that it binds again.  `copies` are
    what copies of objects are given for some fields, by copy; `entered` is put into global dicts and lists.
    """

    parts: dict[tuple[Input, Step], Value] = field(default_factory=dict)
    invalidated: dict[Input, None] = field(default_factory=dict)
    touched: dict[Value, None] = field(default_factory=dict)
    rebound: dict[str, None] = field(default_factory=dict)
    copies: dict[Value, dict[str, Value]] = field(default_factory=dict)
    entered: list[RegistryEntry] = field(default_factory=list)


@dataclass(slots=True)
class Requirements:
    """What a body needs and does, for its callers to decide or to repeat.

    `effects` are these things, one by one; it `waits` for values of arrays, or for those of its inputs.
    `is_applied`: a call of this specialization took place.
    """

    effects: LatentEffects = field(default_factory=LatentEffects)
    waits: bool = False
    waits_for_inputs: bool = False
    is_applied: bool = False


@dataclass(slots=True)
class OuterReads:
    """The variables and objects from outside that a body reads.

    `captured` are the values of names at the time of the run, `found` all objects, `rebound` the globals that are bound
    in several places, by what represents them, each with its file's world; `fields` are keys that a function around
    stored into objects of its own, with the object and the step; `given` are the arguments of calls that made closures,
    by the input of the function that has ended, or its value where only the type is known.
    """

    captured: dict[str, Value] = field(default_factory=dict)
    found: dict[Value, None] = field(default_factory=dict)
    rebound: dict[Value, tuple[Value, str]] = field(default_factory=dict)
    fields: dict[Value, tuple[Value, Step]] = field(default_factory=dict)
    given: dict[Input | Value, dict[Value, None]] = field(default_factory=dict)

    def give(self, parameter: Input | Value, value: Value) -> None:
        """Add what a call that made a closure gave, up to the bound."""
        if parameter in self.given or len(self.given) < MAXIMUM_MADE:
            self.given.setdefault(parameter, {})[value] = None


@dataclass(slots=True)
class BodyRun:
    """The run of a body that made a summary.

    `home` is the file of the body, `record` has the results of the run of `function`; `callees` are the summaries
    applied in it;
    `reached` counts the kinds of arguments of library functions with a row; `homes` are the files of the ops of all
    latent preconditions and effects, computed on demand; `checks` are the tests before calls that never return.
    """

    home: str = ""
    record: EventRecorder | None = None
    function: Function | None = None
    callees: list[Summary] = field(default_factory=list)
    reached: Counter[str] = field(default_factory=Counter)
    homes: frozenset[str] | None = None
    checks: dict[Op, None] = field(default_factory=dict)


class NoEntries(dict[object, object]):
    """A dict that stays empty, which all summaries share that found nothing of a sort."""

    def __setitem__(self, key: object, value: object) -> None:
        raise TypeError(FINISHED)

    def setdefault(self, key: object, default: object = None) -> object:
        """Refused, as is all that would put something in."""
        raise TypeError(FINISHED)

    update = __ior__ = setdefault  # type: ignore[assignment]


class NoItems(list[object]):
    """A list that stays empty."""

    def append(self, item: object) -> None:
        """Refused, as is all that would put something in."""
        raise TypeError(FINISHED)

    extend = __iadd__ = append  # type: ignore[assignment]

    def insert(self, place: SupportsIndex, item: object) -> None:
        """Refused, too."""
        raise TypeError(FINISHED)


FINISHED = "the run that made this summary is over"
SHARED: dict[type, object] = {dict: NoEntries(), list: NoItems(), Counter: NoEntries()}
"""What stands for an empty collection of a finished summary, by its type."""


@dataclass(slots=True, eq=False)
class Summary:
    """What one function requires, uses up, does and returns, in terms of its inputs.

    `inputs` are the symbolic values of its parameters; `ambient` are the dependences of all arrays made in it;
    `returns` is None where it never returns; `outcome` are the facts that follow if the result is true, and if it is
    false, `outcomes` those of the items of a tuple.  `has_effects`: it may do more than compute its result
    (`checks/purity.py`).  `is_dropped`: making it raised, so that nothing is known of the function.  Sets are stored
    as dictionaries, in the order of insertion: the order of a set of objects differs between runs.
    """

    inputs: dict[str, Value] = field(default_factory=dict)
    ambient: Dependences = NONE
    requires: Requirements = field(default_factory=Requirements)
    uses: InputUses = field(default_factory=InputUses)
    writes: Writes = field(default_factory=Writes)
    outside: OuterReads = field(default_factory=OuterReads)
    run: BodyRun = field(default_factory=BodyRun)
    returns: Value | None = None
    has_effects: bool = False
    outcome: tuple[Path, Path] = (ALWAYS, ALWAYS)
    outcomes: tuple[tuple[Path, Path], ...] = ()
    is_dropped: bool = False

    def finish(self) -> None:
        """Let go the collections that nothing was put into, of which none is put into after the run, as what functions
        inside a body read around it is, which are run later.
        """
        run = self.run
        is_read_later = run.function is None or run.function.inner.functions
        outside = () if is_read_later else (self.outside,)
        for part in (self.requires, self.requires.effects, self.uses, self.writes, run, *outside):
            for name in part.__slots__:
                held: object = getattr(part, name)
                if not held and type(held) in SHARED:
                    setattr(part, name, SHARED[type(held)])
