"""Preconditions that a value is concrete: Python needs its truth, and a tracer has none.

def helper(t):
    if t > 0: ...           precondition of `helper`: t > 0 is concrete, under the path to the `if`
def step(x):
    return helper(x * 2)    x * 2 depends on x: `step` inherits it, with one hop more
jax.jit(step)               x is a tracer: the event is reported at the `if`, with the chain
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from flake8_jax.analysis.evaluate.narrowing import facts_of
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.summaries.deferral import emit
from flake8_jax.domain.conditions import ALWAYS, Path, assume
from flake8_jax.domain.provenance import Context, Hop
from flake8_jax.domain.staging import NONE, Dependences, Input, Token, certain
from flake8_jax.domain.summary import CallSite
from flake8_jax.domain.value import ARRAY, COMPUTED, CONTAINERS, INPUT, Value
from flake8_jax.ir.ops import Logic, Op
from flake8_jax.ir.phrase import phrase

ConcreteForm: TypeAlias = Literal[
    "if", "elif", "while", "assert", "ternary", "case", "comprehension",
    "not", "and", "or", "chain", "in", "bool", "any", "all", "min", "max", "sorted", "filter",
]  # fmt: skip
"""The construct that asks for the value."""

ASKED = frozenset((ARRAY, COMPUTED, INPUT))


@dataclass(frozen=True, slots=True)
class TracerConcretized:
    """Python needs the truth of a tracer.

    `form` is the construct that needs it, `subject` the text of the value.
    """

    op: Op
    form: ConcreteForm
    subject: str
    context: Context


@dataclass(frozen=True, slots=True)
class NeedsConcrete:
    """A value must be concrete where a construct needs its truth.

    `is_bare`: it is an unmodified input, so that it may be a container, whose truth is no array's.
    """

    op: Op
    form: ConcreteForm
    dependences: Dependences
    is_bare: bool
    when: Path = ALWAYS
    chain: tuple[Hop, ...] = ()

    def apply(self, site: CallSite, when: Path, chain: tuple[Hop, ...]) -> None:
        """Violated by a tracer of staged or mapped code; for unknown staging the caller inherits it."""
        solid, bare = site.dependences(self._of_arrays(site), self.is_bare)
        token = stage_of(solid)
        if token is not None:
            op, form, context = self.op, self.form, Context(token.trace, chain)
            event = TracerConcretized
            site.report((event, op, ()), lambda: event(op, form, phrase(op), context), when)
            return
        rest = solid | bare
        if any(type(d) is not Token for d in rest):
            site.require(replace(self, dependences=rest, is_bare=not solid, when=site.assume(when), chain=chain))

    def _of_arrays(self, site: CallSite) -> Dependences:
        """The dependences, without an input in whose place a container is passed: its truth is no array's."""
        if not self.is_bare:
            return self.dependences
        return frozenset(d for d in self.dependences if type(d) is not Input or not _is_container(site.resolve(d)))


def _is_container(actual: Value | None) -> bool:
    return actual is not None and actual.kind in CONTAINERS


def need_concrete(frame: Frame, value: Value, op: Op, form: ConcreteForm) -> None:
    """Report a tracer where Python needs the truth of a value; inputs become preconditions."""
    if value.kind not in ASKED or value.dependences is NONE or frame.context.is_prepared:
        return
    is_bare = value.kind is INPUT
    token = None if is_bare else stage_of(value.dependences)
    when = _reached_under(frame, op)
    if token is not None:
        context = Context(token.trace)
        emit(frame, (TracerConcretized, op, ()), lambda: TracerConcretized(op, form, phrase(op), context), when)
    else:
        path = assume(frame.path, when)
        frame.summary.requires.require(NeedsConcrete(op, form, value.dependences, is_bare, path))


def _reached_under(frame: Frame, op: Op) -> Path:
    """Of `a and b`, whose value is that of `b` where `a` held: that `a` did; the truth of `a` was needed before."""
    if type(op) is not Logic:
        return ALWAYS
    return tuple(fact for operand in op.operands[:-1] for fact in facts_of(frame, operand, op.operator == "and"))


def stage_of(dependences: Dependences) -> Token | None:
    """The trace under which the truth of a value is not available.

    Bare differentiation leaves values concrete.
    """
    return certain(frozenset(d for d in dependences if type(d) is not Token or d.stage in ("staged", "mapped")))
