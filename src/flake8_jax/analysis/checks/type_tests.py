"""Preconditions that an argument is of a type of the host, which a tracer is not.

@jax.jit
def scaled(x):
    if isinstance(x, float): ...        never under `jit`: whatever is passed, `x` is a tracer
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from flake8_jax.analysis.evidence import CallSite, Need, OutcomeAtCall, arguments_at
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.narrowing import HOST_TYPES, type_names
from flake8_jax.analysis.summaries.deferral import emit, leave
from flake8_jax.domain.effects import ByUse, EventKey, Finding
from flake8_jax.domain.kinds import HOST_VALUES, MAY_BE_ARRAY
from flake8_jax.domain.provenance import Context
from flake8_jax.domain.staging import Dependences, Token, certain, context_of
from flake8_jax.domain.value import Value
from flake8_jax.ir.ops import Matches, Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.lazy_dataclasses import dataclass
from flake8_jax.syntax.positions import spelling

JITTED = "jitted"
LEAVES = HOST_TYPES - {"dict", "list", "tuple", "set", "str", "bytes"}
"""The types of the host of what a tracer stands for; containers are kept, and texts refused."""

CONCRETE_ARRAY = "jaxlib.ArrayImpl"
"""The class of arrays that are no tracers, which has no public name."""


@dataclass(frozen=True, slots=True)
class TracerTyped:
    """The type of a tracer is tested for one of the host; `subject` is the text of the value, `test` of the test.

    With `is_truth` it is compared with True or False by identity: its value is meant, and no type.
    """

    op: Op
    subject: str
    test: str
    context: Context
    is_truth: bool

    @property
    def is_argument(self) -> bool:
        """Is it an argument of the jitted function, which may be declared static?"""
        trace = self.context.trace
        return trace is not None and self.subject == trace.value


@dataclass(frozen=True, slots=True)
class NeedsHostType(Need):
    """An argument of a function is tested for types of the host; only its own callers decide.

    One that is jitted where it is used, and not where it is defined, may be called as it is with values of the host.
    """

    subject: Op
    is_truth: bool

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Violated where the function itself is jitted."""
        token = None if site.chain else _jitted(site.dependences(self.dependences, False)[0])
        if token is not None:
            key = TracerTyped, self.op, ()
            yield Finding(key, self.event(context_of(token)), ByUse())

    @property
    def presumed(self) -> tuple[EventKey, ...]:
        """Presumed where the function is jitted by those who use it."""
        return ((TracerTyped, self.op, ()),)

    def refuted(self, site: CallSite) -> Iterator[EventKey]:
        """Refuted by a call outside of traces that passes a value of the host."""
        is_traced = certain(site.dependences(self.dependences, False)[0]) is not None
        if not is_traced and any(actual.kind in HOST_VALUES for _, actual in arguments_at(site, self.dependences)):
            yield TracerTyped, self.op, ()

    def event(self, context: Context) -> Callable[[], TracerTyped]:
        """The event of its violation."""
        op, subject, is_truth = self.op, self.subject, self.is_truth
        if type(op) is Matches:
            return lambda: TracerTyped(op, spelling(subject) or "...", "", context, is_truth)
        return lambda: TracerTyped(op, phrase(subject), phrase(op), context, is_truth)


def need_host_type(frame: Frame, value: Value, subject: Op, types: Sequence[Op], op: Op) -> None:
    """Report a test of a tracer's type for one of the host; inputs become preconditions.

    A test that only guards another one, as of a number's sign, is left alone.
    """
    names = {name for one in types for name in type_names(frame, one) or ("",)}
    if (
        frame.context.is_guard
        or value.kind not in MAY_BE_ARRAY
        or not names
        or not (LEAVES | {CONCRETE_ARRAY}).issuperset(names)
    ):
        return
    _require(frame, value, subject, op, is_truth=False)


def need_host_constant(frame: Frame, value: Value, subject: Op, op: Op) -> None:
    """Report a comparison of a tracer's identity with True or False, which it is never."""
    if value.kind in MAY_BE_ARRAY and not frame.context.is_guard:
        _require(frame, value, subject, op, is_truth=True)


def _require(frame: Frame, value: Value, subject: Op, op: Op, *, is_truth: bool) -> None:
    needed = NeedsHostType(op, value.dependences, subject, is_truth)
    token = _jitted(value.dependences)
    if token is not None:
        emit(frame, (TracerTyped, op, ()), needed.event(context_of(token)))
    else:
        leave(frame, needed)


def _jitted(dependences: Dependences) -> Token | None:
    token = certain(dependences)
    return token if token is not None and token.trace.role == JITTED else None
