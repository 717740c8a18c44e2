"""Code that works as it stands, and breaks once somebody traces it: the hazard of library code.

def normalize(x):
    n = jnp.linalg.norm(x)
    if n > 1:                   true or false here; a tracer once a user jits, maps or scans `normalize`
        x = x / n
    return x

A precondition of a function is such a hazard where JAX makes the value in the function, of what the function is given,
and the function returns arrays as well.  Code that says that it wants values, as by `float(n)`, by `.item` or by
output, itself or in a helper, was written for the host; so were loops that a value ends early, tests that only lead to
an error, and what a flag turns on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import get_args

from flake8_jax.analysis.callables import FunctionValue
from flake8_jax.analysis.checks.concrete import INDEXING, ConcreteForm, NeedsConcrete, TracerConcretized, TruthForm
from flake8_jax.domain.conditions import Path
from flake8_jax.domain.kinds import CONTAINERS, MAY_BE_ARRAY
from flake8_jax.domain.provenance import Context
from flake8_jax.domain.staging import NONE, Dependences, Input
from flake8_jax.domain.summary import Summary
from flake8_jax.domain.value import Value
from flake8_jax.ir.ops import Body, Branch, Function, Leave, Loop, Op
from flake8_jax.ir.walking import inside, within
from flake8_jax.lazy_dataclasses import dataclass
from flake8_jax.model.diagnostic import Remedy

IMPLICIT: frozenset[ConcreteForm] = (frozenset(get_args(TruthForm)) - {"bool"}) | {
    "range", "index", "slice", "repeat", "math", "numpy index",
}  # fmt: skip
"""What asks for a value without a word that says so."""


@dataclass(frozen=True, slots=True)
class BreaksUnderTrace:
    """Python needs the value of an array that a function computes, and nobody is seen to trace it.

    `form`, `by`, `subject` and `instead` are those of the event that would be `told` in traced code; `function` is the
    name of the function.
    """

    op: Op
    form: ConcreteForm
    by: str
    subject: str
    instead: str
    function: str
    context: Context
    concretized: TracerConcretized | None = None

    @property
    def remedy(self) -> Remedy:
        """What to write instead, to be tried: what would be written in traced code."""
        return self.concretized.remedy if self.concretized is not None else Remedy("", self.instead)


def breaks_under_trace(function: FunctionValue, summary: Summary) -> Iterator[tuple[Op, BreaksUnderTrace]]:
    """The hazards in the body of a function itself, the first of each test or use, which is the question."""
    asked = [
        (one, effect) for one, effect in summary.requires.effects.of(NeedsConcrete)
        if _is_made_here(one.dependences, summary.ambient) and not _is_tested(one, effect.when)
        and (one.receiver is None or one.form not in INDEXING)
    ]  # fmt: skip
    if any(effect.chain and one.form not in IMPLICIT for one, effect in asked):
        return
    off = {summary.inputs[name] for name, default in function.defaults.items() if default.constant is False}
    made = [one for one, effect in asked if not effect.chain and not _is_asked_for(effect.when, off)]
    checks = _checks(function.function) | set(summary.run.checks) if made else frozenset()
    made = [one for one in made if one.question not in checks]
    acts = any(effect.evidence.room in ("act", "event") for effect in summary.requires.effects)
    if not made or acts or any(one.form not in IMPLICIT for one in made):
        return
    if _leaves_a_loop(function.function, {one.question for one in made}):
        return
    if not _holds_array(summary.returns):
        return
    name = function.function.name
    first = {one.question: one for one in reversed(made)}
    for value in first.values():
        told = value.event(Context(), "", is_untraced=False)()
        yield (
            value.question,
            BreaksUnderTrace(value.op, value.form, told.by, told.subject, told.instead, name, Context(), told),
        )


def _is_tested(needed: NeedsConcrete, when: Path) -> bool:
    """Does a test of types or ranks lead to the op?  Under a trace such a test may have another outcome."""
    return any(fact.test == "asked" and fact.subject.dependences & needed.dependences for fact in when)


def _leaves_a_loop(function: Function, questions: Collection[Op]) -> bool:
    """Does a value decide when a loop of Python is left?  Nobody could trace that: it runs on the host on purpose."""
    loops = (op for op in inside(function) if type(op) is Loop)
    tests = (op for loop in loops for part in loop.body for op in (part, *within(part)) if type(op) is Branch)
    return any(op.test in questions and _leaves(op.body) for op in tests)


def _leaves(body: Body) -> bool:
    return any(type(op) is Leave and op.kind in ("return", "break") for op in body)


def _checks(function: Function) -> frozenset[Op]:
    """The tests of a body that only lead to an error, such as checks of arguments."""
    tests = (op for op in inside(function) if type(op) is Branch)
    return frozenset(op.test for op in tests if op.kind == "assert" or any(map(_raises, op.body)))


def _raises(op: Op) -> bool:
    return type(op) is Leave and op.kind == "raise"


def _is_asked_for(when: Path, off: Collection[Value]) -> bool:
    """Is the op reached only if a caller sets a flag whose default is off?"""
    return any(fact.test == "truth" and fact.holds and fact.subject in off for fact in when)


def _is_made_here(dependences: Dependences, ambient: Dependences) -> bool:
    """Does JAX make the value in this run of the body, of what the function is given?"""
    return not dependences.isdisjoint(ambient) and any(type(dependence) is Input for dependence in dependences)


def _holds_array(value: Value | None) -> bool:
    """Is there an array in a result, or an argument that may be one?"""
    if value is None:
        return False
    if value.kind in CONTAINERS:
        return any(map(_holds_array, value.parts))
    return value.kind in MAY_BE_ARRAY and value.dependences is not NONE
