"""Loops of Python in traced code: JAX traces each turn, so that the program grows with the turns.

@jax.jit
def simulate(x):
    for _ in range(1000):       1000 turns of 3 operations: 3000 in the program, and minutes to compile
        x = x + 0.1 * step(x)

How many array operations a turn makes is counted while the body is run: each op that gives an array, and those of
functions that it calls.  Loops in loops multiply.  Whether the operations are those of tracers, and how often a loop
turns if an argument says so, the calls decide.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from operator import attrgetter
from typing import ClassVar, Literal, TypeAlias

from flake8_jax.analysis.checks.advice.arrays import LAZY
from flake8_jax.analysis.checks.compilation.moving_slices import moving_slices
from flake8_jax.analysis.checks.compilation.turns import (
    Carried,
    Iterated,
    Turns,
    carried_for_certain,
    gives_indices,
    turns_here,
)
from flake8_jax.analysis.checks.naming import imported_as, imported_name, scope_of
from flake8_jax.analysis.evidence import CallSite, LatentEvidence, OutcomeAtCall
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.classes import library_bases
from flake8_jax.analysis.summaries.deferral import leave
from flake8_jax.domain.effects import Finding, Room
from flake8_jax.domain.provenance import Context, Hop, Trace
from flake8_jax.domain.staging import Dependences, certain, staged
from flake8_jax.ir import ops
from flake8_jax.ir.chains import Chains, chains_of
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.walking import names_in, within
from flake8_jax.lazy_dataclasses import dataclass, replace

MANY, LARGE = 50, 400
"""How many turns, and operations in all of them, are worth a word: so many elementwise ones take 0.2 seconds to compile
on a CPU, where a loop of JAX takes 0.03, and 100 sums take 3."""

LARGE_OF_ARRAY = 100
"""The same for a loop over an array itself, which needs no Python."""

OVER_TIME: tuple[Carried, ...] = "update", "collected"
"""What loops over arrays whose length nobody knows hand on where this is time, which is long: each turn reads it."""

MAXIMUM_TERMS = 4

LoopForm: TypeAlias = Literal["for", "while", "comprehension"]


@dataclass(frozen=True, slots=True)
class LoopUnrolled:
    """A loop whose turns are all parts of one compiled program.

    `turns`: how often its body is there, with the loops inside of it, None where the size of an array says so; `often`
    is that in words; `operations`: about how many a turn has; `instead`: what to write.
    """

    op: Op
    form: LoopForm
    turns: int | None
    often: str
    operations: int
    instead: str
    context: Context


Work: TypeAlias = tuple[tuple[Dependences, int], ...]
"""Array operations, by what decides whether they are those of tracers."""


@dataclass(frozen=True, slots=True)
class UnrolledIfTraced(LatentEvidence):
    """A loop that computes with arrays; `inner` are the turns of loops in it, `work` is that of one of its turns.

    `scanning`: the loop of a library whose layers a turn calls.
    """

    identified_by: ClassVar = attrgetter("op", "turns.number")
    asks: ClassVar = "a loop must not turn often in traced code", "a tracer"
    room: ClassVar[Room] = "cost"
    source: Op
    turns: Turns
    inner: int
    work: Work
    carried: Carried
    scanning: str = ""

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Certain in staged code where the operations are those of tracers, and the turns are many."""
        work = tuple((site.dependences(held, False)[0], many) for held, many in self.work)
        work = tuple((held, many) for held, many in work if held)
        token, turns = certain(site.ambient), turns_here(site, self.turns)
        if not work:
            return
        if token is None or token.stage != "staged":
            yield replace(self, work=work, turns=turns)
        elif "pallas" not in token.trace.transform:
            here = replace(self, work=tuple(one for one in work if staged(one[0]) is not None), turns=turns)
            if here.is_large:
                make = partial(here.event, token.trace, site.chain)
                yield Finding((LoopUnrolled, self.op, ()), make)

    @property
    def operations(self) -> int:
        """The operations of one turn."""
        return sum(many for _, many in self.work)

    @property
    def is_large(self) -> bool:
        """Is it worth a word?"""
        known, is_of_array = self.turns.known, self.turns.array is not None
        if known is None:
            is_long = self.carried in OVER_TIME or (self.carried == "stored" and self.turns.is_table)
            return is_of_array and is_long and bool(self.work)
        large = LARGE_OF_ARRAY if is_of_array else LARGE
        return known * self.inner >= MANY and known * self.operations >= large

    def event(self, trace: Trace, chain: tuple[Hop, ...]) -> LoopUnrolled:
        """The event in traced code."""
        turns, each = self.turns.known, max(self.operations // self.inner, 1)
        form: LoopForm = self.op.kind if type(self.op) is ops.Loop else "comprehension"
        instead = _instead(self.op, self.source, self.carried, self.scanning)
        total = None if turns is None else turns * self.inner
        return LoopUnrolled(self.op, form, total, self.turns.text, each, instead, Context(trace, chain))


def leave_unrolled(
    frame: Frame, loop: Iterated, turns: Turns, inner: int, work: dict[Dependences, int], carried: Carried
) -> bool:
    """Leave to callers whether a loop is unrolled, if it may be worth a word; is it known to be?

    Functions that differ from turn to turn, such as the layers of a network, no loop of JAX runs.
    """
    if type(loop.op) is ops.Loop and _calls_turn(chains_of(frame.function), loop.op):
        return False
    largest = tuple(sorted((one for one in work.items() if one[1]), key=_by_size))[:MAXIMUM_TERMS]
    evidence = UnrolledIfTraced(loop.op, loop.source, turns, inner, largest, carried)
    if turns.known is None or evidence.is_large:
        if type(loop.op) is ops.Loop:
            carried, scanning = carried_for_certain(frame, loop.op, carried), _loop_of_layers(frame, loop.op)
            is_filling = carried in ("update", "stored")
            if is_filling and turns.array is not None and gives_indices(frame, loop.op, turns.array):
                turns = replace(turns, is_table=True)
            evidence = replace(evidence, carried=carried, scanning=scanning, turns=turns)
        leave(frame, evidence)
        return True
    return False


def _calls_turn(chains: Chains, loop: ops.Loop) -> bool:
    """Is what the loop runs through called?"""
    targets = [one for one in within(loop.target) if type(one) is ops.Name] if loop.target is not None else []
    around = ((chains.parents.get(use), use) for target in targets for use in chains.uses_of(target, loop))
    return any(type(outer) is ops.Call and outer.func is use for outer, use in around)


def _loop_of_layers(frame: Frame, loop: ops.Loop) -> str:
    """What runs a loop over layers in a module that makes their parameters while it is called; "" outside of one."""
    bases = library_bases(frame.owner) if frame.owner is not None and frame.function.parameters else ()
    library = next((name for name in LAZY if f"{name}.Module" in bases), "")
    if not library:
        return ""
    receiver = frame.function.parameters[0].name
    calls = (part.func for part in within(loop) if type(part) is ops.Call)
    begins = (f"{receiver}.", f"{library}.")
    has_layers = any(phrase(one).startswith(begins) or imported_name(one).startswith(begins) for one in calls)
    return f"{library}.scan" if has_layers else ""


def _by_size(one: tuple[Dependences, int]) -> int:
    return -one[1]


def _instead(loop: Op, source: Op, carried: Carried, scanning: str) -> str:
    """What to write instead of a loop."""
    scope = scope_of(source)
    if scanning:
        own = ", and by `variable_axes` for each turn" if scanning.startswith("flax.") else ""
        return f"use `{imported_as(scope, scanning)}`, which makes the parameters of its layers once{own}"
    if carried == "nothing":
        return f"compute all turns at once, with `{imported_as(scope, 'jax.vmap')}`"
    if carried == "stored":
        each, vmap = imported_as(scope, "jax.lax.map"), imported_as(scope, "jax.vmap")
        return f"compute the values of all turns with `{each}`, or at once with `{vmap}`, and store them together"
    if carried == "collected":
        scan = imported_as(scope, "jax.lax.scan")
        return f"use `{scan}`, whose carry is what one turn hands to the next, and which stacks what the list collects"
    is_counted = type(source) is ops.Compare or (type(source) is ops.Call and phrase(source.func) == "range")
    name = imported_as(scope, "jax.lax.fori_loop" if is_counted else "jax.lax.scan")
    words = f"use `{name}`, whose carry is what one turn hands to the next"
    if type(loop) is not ops.Loop:
        return words
    slicing = " and ".join(f"`{imported_as(scope, one)}`" for one in moving_slices(loop))
    more = [f"with {slicing} for slices that move with it"] if slicing else []
    if _branches_on_turn(loop):
        more.append(f"with `{imported_as(scope, 'jax.lax.cond')}` for branches on the turn")
    return ", ".join([words, " and ".join(more)]) if more else words


def _branches_on_turn(loop: ops.Loop) -> bool:
    """Does a branch ask for the turn, or for what is computed of it?  A loop of JAX traces it."""
    of_turn = names_in(loop.target) if loop.target is not None else set()
    for statement in loop.body:
        for part in within(statement):
            asked = part.test if type(part) in (ops.Branch, ops.Choose) else None  # type: ignore[attr-defined]
            if asked is not None and _reads(asked, of_turn):
                return True
        if type(statement) is ops.Store and statement.value is not None and _reads(statement.value, of_turn):
            of_turn |= {target.name for target in statement.targets if type(target) is ops.Name}
    return False


def _reads(op: Op, names: set[str]) -> bool:
    return any(type(one) is ops.Name and one.name in names for one in within(op))
