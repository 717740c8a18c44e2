"""Questions of liveness, each answered by one walk, whoever asks.

The same two draws are asked about again in the next iteration of a loop, in the other arm, in a further run of the
function for other arguments.  The answer depends on the code and on what its names stand for, not on the state of a
frame; so it is kept by these:

    def make(config):               the general run of `make`, and its runs for other configurations
        def train(key): ...         ask one question about two draws in `train`; a run for another
        return train                callable that `train` could call asks one of its own
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import NamedTuple

from flake8_jax.analysis.budget import is_unanswered
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.liveness.callees import Code
from flake8_jax.analysis.liveness.flow import Flow
from flake8_jax.analysis.liveness.products import NO_PRODUCTS
from flake8_jax.analysis.record import Record
from flake8_jax.domain.resources import DrawSite
from flake8_jax.domain.value import API, CLASS, FUNCTION, INSTANCE, MODULE, OBJECT, PARTIAL
from flake8_jax.ir.ops import Function, Op

NAMED = frozenset((API, CLASS, FUNCTION, INSTANCE, MODULE, OBJECT, PARTIAL))
"""What a name must stand for to say what code calls."""


class DrawnAt(NamedTuple):
    """A draw as the code has it: without the arguments of one run."""

    op: Op
    function: Function
    around: Hashable
    owner: Hashable
    by: str
    has_effects: bool
    inner: tuple[DrawnAt, ...]


class LivenessQuestion(NamedTuple):
    """The draws of which a walk asks, what its end is, and which loop is turned again."""

    sites: tuple[tuple[int, DrawnAt], ...]
    manner: Hashable
    loop: Op | None = None


class Answer(NamedTuple):
    """A finished walk, and the record of what it looked up."""

    flow: Flow
    record: Record


def site_of(draw: DrawSite) -> DrawnAt:
    """A draw as the code has it."""
    code = draw.code
    assert isinstance(code, Code)
    inner = tuple(map(site_of, draw.inner))
    return DrawnAt(draw.op, code.function, _meaning(code.around), code.owner, draw.by, draw.has_effects, inner)


def _meaning(frame: Frame) -> Hashable:
    """What decides which functions the names of a frame stand for."""
    if frame.parent is None:
        return frame.namespace
    named = tuple(one for one in frame.presets if one[1].kind in NAMED) if frame.is_specialized else ()
    return frame.function, named, _meaning(frame.parent)


def asked(code: Code, question: LivenessQuestion, walk: Callable[[], Flow]) -> Flow:
    """The finished walk that answers a question; the current record pays for it, once.

    Where its budget is spent, nothing is taken to be read.
    """
    program = code.around.program
    if question not in program.record.answers and is_unanswered(program):
        flow = Flow({}, code, lambda *_: NO_PRODUCTS, lambda *_: None)
        flow.visited.update(site.op for _, site in question.sites)
        return flow
    answer = program.answers.get(question)
    if not isinstance(answer, Answer):
        base, begun = program.base, program.costs.ops
        with program.tracking(Record()):
            answer = program.answers[question] = Answer(walk(), program.record)
        answer.flow.close()
        program.costs.walked += answer.flow.ops
        program.base = base + program.costs.ops - begun  # questions in the walk have moved it, too
    flow = answer.flow
    program.record.uses.add(answer.record)
    if question not in program.record.answers:
        program.record.answers.add(question)
        program.record.walked += flow.ops
    return flow
