"""Effects of output: print, log and warn run while JAX traces, not when the compiled code runs.

An argument that is a tracer is certain evidence at once; one that depends on an input is latent.  Plain text counts
only where the traced function is called more than once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import ClassVar, Literal, TypeAlias

from flake8_jax.analysis.checks.advice.printing import is_made_before, printing_at_run_time
from flake8_jax.analysis.checks.instead import printed, printed_text, shown_text, written
from flake8_jax.analysis.evidence import CallSite, LatentEvidence, OutcomeAtCall
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.summaries.deferral import emit, leave
from flake8_jax.domain.effects import Finding, FindingByCalls
from flake8_jax.domain.kinds import INPUT
from flake8_jax.domain.provenance import Context, Hop
from flake8_jax.domain.staging import Dependences, Input, Token, certain, context_of, staged
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.ops import Branch, Function, Leave, Op
from flake8_jax.ir.rewrite import Rewrite
from flake8_jax.lazy_dataclasses import dataclass, replace
from flake8_jax.syntax.policies import TEXT_ABOUT_TRACES

Channel: TypeAlias = Literal["print", "log", "warn"]
Shown: TypeAlias = "tuple[tuple[Op | None, Dependences], ...]"

LOOPED = "the body of"
"""The role of a function that a traced loop runs in each turn."""


@dataclass(frozen=True, slots=True)
class OutputTraced:
    """Output in traced code.

    `callee` is the text of the function; `carries`: "tracer" (an argument is a traced value), "index" (the index of a
    traced loop), "text" (nothing traced, yet the function is traced and called `calls` times), "turns" (the same in
    the body of a traced loop).  `subject` is the text of the traced argument, or "", `instead` what to write,
    `rewrite` the changes that write it.
    """

    op: Op
    channel: Channel
    callee: str
    carries: Literal["tracer", "index", "text", "turns"]
    subject: str
    calls: int
    instead: str
    context: Context
    rewrite: Rewrite | None = None


@dataclass(frozen=True, slots=True)
class Output(LatentEvidence):
    """A call that writes something out.

    `shown` are the arguments that may be traced, with their dependences; `is_text`: all others are text.
    """

    asks: ClassVar = "`{0.callee}` must show no tracer", "a tracer"
    channel: Channel
    callee: str
    shown: Shown
    is_text: bool = False

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Certain where it shows a tracer of staged code, or is text in staged code."""
        shown, is_text = _shown(site, self.shown), self.is_text and _shows_text(site, self.shown)
        is_same = shown == self.shown and is_text == self.is_text
        here = self if is_same else replace(self, shown=shown, is_text=is_text)
        event = here.shows_tracer(site.chain)
        if event is not None:
            yield Finding((OutputTraced, self.op, ()), event)
            return
        token = certain(site.ambient)
        if token is not None and token.trace.runs_nothing:
            return
        if is_text and not shown and not site.effect.when and token is not None and token.trace.role == LOOPED:
            yield Finding((OutputTraced, self.op, ()), TextShown(here, token, site.chain).in_turns)
        elif is_text and not shown and not site.effect.when and token is not None and token.is_whole:
            yield FindingByCalls((TextShown, self.op, site.chain), TextShown(here, token, site.chain))
        elif shown or is_text:
            yield here

    def shows_tracer(self, chain: tuple[Hop, ...] = ()) -> Callable[[], OutputTraced] | None:
        """The event for its first argument that is a tracer of staged code, if there is one."""
        for source, dependences in self.shown:
            token = staged(dependences)
            if token is not None and not token.trace.runs_nothing:
                return _event(self, source, token, chain)
        return None


@dataclass(frozen=True, slots=True)
class TextShown:
    """Plain text written by traced code: once per trace, and not once a call."""

    output: Output
    token: Token
    chain: tuple[Hop, ...]

    @property
    def op(self) -> Op:
        """The op at which it is reported."""
        return self.output.op

    @property
    def place(self) -> tuple[str, str, int]:
        """The traced function."""
        return self.token.trace.place

    def event(self, calls: int) -> OutputTraced | None:
        """The event, given the number of calls; None for a single one."""
        if calls < 2:
            return None
        return self._event("text", calls)

    def in_turns(self) -> OutputTraced:
        """The event in the body of a traced loop, which has any number of turns."""
        return self._event("turns", 0)

    def _event(self, carries: Literal["text", "turns"], calls: int) -> OutputTraced:
        output = self.output
        context = context_of(self.token, self.chain)
        rewrite = printing_at_run_time(output.op, output.channel)
        instead = written(rewrite) or printed_text(output.op, output.channel)
        return OutputTraced(output.op, output.channel, output.callee, carries, "", calls, instead, context, rewrite)


def tells_of_trace(text: str) -> bool:
    """Does a text say itself that it is written while JAX traces, as in `print("compiling step")`?"""
    return TEXT_ABOUT_TRACES.search(text) is not None


def is_of_guard(function: Function, op: Op) -> bool:
    """Does an arm say it that leaves: why nothing is done?"""
    for outer, inner in pairwise(chains_of(function).way_to(op)):
        arms = (outer.body, outer.orelse) if type(outer) is Branch else ()
        last = next((arm[-1] for arm in arms if inner in arm), None)
        if type(last) is Leave and last.kind in ("raise", "return"):
            return True
    return False


def write_out(frame: Frame, output: Output) -> None:
    """Report output that shows a tracer; other output becomes an effect of the function."""
    event = output.shows_tracer()
    if event is not None:
        emit(frame, (OutputTraced, output.op, ()), event)
    else:
        leave(frame, output)


def _event(output: Output, source: Op | None, token: Token, chain: tuple[Hop, ...]) -> Callable[[], OutputTraced]:
    carries: Literal["tracer", "index"] = "index" if token.is_index else "tracer"
    context = context_of(token, chain)

    def event() -> OutputTraced:
        subject = shown_text(source) if source is not None else ""
        rewrite = printing_at_run_time(output.op, output.channel, source)
        instead = written(rewrite) or printed(output.op, output.channel, source, is_made_before(source))
        return OutputTraced(output.op, output.channel, output.callee, carries, subject, 1, instead, context, rewrite)

    return event


def _shown(site: CallSite, shown: Shown) -> Shown:
    here = []
    for source, dependences in shown:
        held = site.held(dependences, True, True)
        if held:
            here.append((source, held))
    return tuple(here)


def _shows_text(site: CallSite, shown: Shown) -> bool:
    """Are the known arguments text?"""
    for _, dependences in shown:
        for dependence in dependences:
            actual = site.resolve(dependence) if isinstance(dependence, Input) else None
            text = actual.constant if actual is not None else None
            if actual is None or actual.kind is INPUT or (isinstance(text, str) and not tells_of_trace(text)):
                continue
            return False
    return True
