"""The dependences of a value: on what it depends whether it is a tracer.

They are a set: inputs of the function under analysis (traced if the caller passes a tracer), the ambient stage (an
array made inside a jitted function is a tracer whatever it is made from), and *tokens*, each a known trace.  Empty
means: certainly a value of the host.

    def f(x, n):            x -> {x}; x * 2 -> {x}; x.shape -> {}; jnp.zeros(n) -> {ambient of f, n}
    jax.jit(f)              under this call x becomes {token}, ambient becomes {token}
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from flake8_jax.domain.payload import step_text
from flake8_jax.domain.provenance import CERTAIN, Certainty, Context, Hop, Trace
from flake8_jax.lazy_dataclasses import dataclass

if TYPE_CHECKING:
    from flake8_jax.domain.payload import Step

FlagType: TypeAlias = Literal["", "bool", "int", "str"]
"""The type of the host of an argument that is traced although it seems to select code; else ""."""

MAPPED = "mapped by"
"""The role of a function under a transform that maps it."""

Stage: TypeAlias = Literal["staged", "mapped", "differentiated", "transparent", "host"]
DerivativeMode: TypeAlias = Literal[
    "", "reverse", "forward", "linear", "forward over reverse", "own backward", "own rule"
]
"""How a transform takes derivatives, or that its function has a rule of its own for them; else ""."""

OWN_MODES: frozenset[DerivativeMode] = frozenset(("", "own backward", "own rule"))
"""Those by which none is taken."""


@dataclass(slots=True, eq=False)
class Input:
    """An input of a function: a parameter or a captured variable, or a part of it by an access path.

    Inputs are compared by identity: the part of an input is made once, by `part`.  `is_declared`: it has an annotation,
    or is a field that is declared as an array.  `is_frozen`: its annotation says that its fields stay what they are.
    `is_child`: it is a field that its class hands to JAX as a part of a tree, or an item of one; all that is below
    one that `is_tree` is such a part; one that `is_metadata` is none.  `annotation` is the name of a library's class
    of which it is declared to be.
    """

    name: str
    parent: Input | None = None
    step: Step | None = None
    is_declared: bool = False
    is_frozen: bool = False
    is_child: bool = False
    is_tree: bool = False
    is_metadata: bool = False
    annotation: str = ""
    parts: dict[Step, Input] | None = None
    _alone: Dependences | None = None

    @property
    def alone(self) -> Dependences:
        """The set of this input alone, made once: most values depend on one input."""
        if self._alone is None:
            self._alone = frozenset((self,))
        return self._alone

    def part(self, step: Step) -> Input:
        """The input one access step below this one."""
        if self.parts is None:
            self.parts = {}
        found = self.parts.get(step)
        if found is None:
            is_child = self.is_tree or (self.is_child and step[0] == "[]")
            found = self.parts[step] = Input(
                self.name, self, step, is_child=is_child, is_tree=self.is_tree, is_metadata=self.is_metadata
            )
        return found

    def declare_like(self, part: Input) -> None:
        """Take over what the class of an object declares of a part of it."""
        self.is_declared |= part.is_declared
        self.is_child |= part.is_child
        self.is_tree |= part.is_tree
        self.is_metadata |= part.is_metadata

    @property
    def depth(self) -> int:
        """The number of access steps from the parameter to this part."""
        return 0 if self.parent is None else self.parent.depth + 1

    @property
    def root(self) -> Input:
        """The parameter, or captured variable, that it is a part of, or is."""
        source = self
        while source.parent is not None:
            source = source.parent
        return source

    @property
    def steps(self) -> tuple[Step, ...]:
        """The access steps from the parameter to this part."""
        return (*self.parent.steps, self.step) if self.parent is not None and self.step is not None else ()

    def text(self) -> str:
        """A short spelling, for people."""
        return f"`{self.path}`"

    @property
    def path(self) -> str:
        """The parameter, and the steps from there to this part: `state.params[0]`."""
        if self.parent is None or self.step is None:
            return self.name
        return f"{self.parent.path}{step_text(self.step)}"


@dataclass(frozen=True, slots=True)
class Token:
    """A trace and its stage, by which code under it is legal or not.

    `is_index`: the tracer is the counter of a traced loop.  `flag`: it stands for an argument of this type of the host,
    by its annotation, its default or a call.  `for_arrays`: numbers of the host beside it stay what they are.
    `certainty`: it may be assumed that the argument is passed; `mode`: how derivatives by it are taken.
    `updates`: what is changed in objects is put back.
    """

    trace: Trace
    stage: Stage
    is_index: bool = False
    flag: FlagType = ""
    for_arrays: bool = False
    certainty: Certainty = CERTAIN
    mode: DerivativeMode = ""
    updates: bool = False

    @property
    def is_whole(self) -> bool:
        """Is the function traced once and then run as a whole?  What `shard_map` maps runs operation by operation in
        each call, on numbers that can be shown, unless something around it is compiled.
        """
        return self.stage == "staged" and (self.trace.is_compiled or self.trace.role != MAPPED)


@dataclass(slots=True, eq=False)
class Ambient:
    """The dependence of all arrays made in one run of a function: tracers where its caller is staged.

    It is compared by identity: an array from outside of a function depends on the ambient stage there, not on its own.
    """


@dataclass(frozen=True, slots=True)
class Presumed:
    """The stage `under`, if an input is the array that its annotation promises.

    An operator on a declared array makes an array, and that is a tracer in staged code; on a Python number it makes a
    number. Which of them it is, the caller shows.
    """

    source: Input
    under: Dependence


Dependence: TypeAlias = Input | Token | Ambient | Presumed
Dependences: TypeAlias = frozenset[Dependence]
NONE: Dependences = frozenset()


def unite(first: Dependences, second: Dependences) -> Dependences:
    """The union; no new set is made where one contains the other."""
    if first is second or not second:
        return first
    if not first:
        return second
    both = first | second
    return first if len(both) == len(first) else second if len(both) == len(second) else both


def leaves_traced(dependences: Dependences) -> Dependences:
    """The dependences of a part of a tree, which may be a value of the host.

    A trace that leaves such values what they are may leave this one, too.
    """
    return frozenset(
        dependence for dependence in dependences if type(dependence) is not Token or not dependence.for_arrays
    )


def presumed(dependences: Dependences) -> list[Input]:
    """The inputs by whose annotations alone a value is an array; none if something else shows it."""
    found: dict[Input, None] = {}
    for dependence in dependences:
        if type(dependence) is Input:
            found[dependence] = None
        elif type(dependence) is not Presumed:
            return []
    return list(found)


def in_order(dependences: Dependences) -> list[Input]:
    """The inputs among dependences, sorted by name and path: the order of a set differs between runs."""
    found = [d for d in dependences if type(d) is Input]
    return sorted(found, key=_place) if len(found) > 1 else found


def _place(source: Input) -> tuple[str, ...]:
    steps = [f"{sign}{name if isinstance(name, (str, int)) else '...'}" for sign, name in source.steps]
    return (source.name, *steps)


def certain(dependences: Dependences) -> Token | None:
    """The trace that makes a value certainly a tracer, if any; the first by place."""
    if not dependences:
        return None
    found = [d for d in dependences if type(d) is Token]
    return min(found, key=_rank) if len(found) > 1 else found[0] if found else None


def derivatives(dependences: Dependences) -> list[Token]:
    """The traces that take derivatives by a value, in order of place."""
    found = [d for d in dependences if type(d) is Token and d.mode not in OWN_MODES]
    return sorted(found, key=_rank) if len(found) > 1 else found


def staged(dependences: Dependences) -> Token | None:
    """The trace of staged code that makes a value certainly a tracer, if any."""
    if not dependences:
        return None
    return certain(frozenset([d for d in dependences if type(d) is Token and d.is_whole]))


def of_stage(dependences: Dependences, stage: str) -> Token | None:
    """The trace of one stage that makes a value certainly a tracer, if any."""
    return certain(frozenset([d for d in dependences if type(d) is Token and d.stage == stage]))


def _rank(token: Token) -> tuple[str | int, ...]:
    trace = token.trace
    place = (token.certainty, trace.value == "", trace.path, trace.line, trace.value)
    return *place, trace.function, trace.transform, trace.role, token.stage, token.is_index, token.flag, token.mode


def context_of(token: Token | None, chain: tuple[Hop, ...] = ()) -> Context:
    """The context of an event under a trace, if there is one."""
    return Context(token.trace, chain, token.certainty) if token is not None else Context(None, chain)


def flag_of(dependences: Dependences) -> FlagType:
    """The type of the one flag that a value depends on, and on nothing else that is traced."""
    flags: set[FlagType] = {d.flag for d in dependences if type(d) is Token}
    return flags.pop() if len(flags) == 1 else ""
