"""Effects in traced code: certain where a trace is, latent where it depends on the caller."""

from __future__ import annotations

from typing import Any, Literal

from flake8_jax.analysis.checks.events import Context, Effected
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.summaries.deferral import emit
from flake8_jax.domain.provenance import Hop
from flake8_jax.domain.staging import Token, certain
from flake8_jax.domain.summary import Effect
from flake8_jax.ir.show import phrase

MAXIMUM_EFFECTS = 24


def record(frame: Frame, effect: Effect) -> None:
    """An effect happens in this frame: send it if it shows a tracer, and tell the callers."""
    if not report_tracer(frame, effect, ()) and len(frame.summary.effects) < MAXIMUM_EFFECTS:
        frame.summary.effects.append(effect)


def report_tracer(frame: Frame, effect: Effect, chain: tuple[Hop, ...]) -> bool:
    """Send an effect that certainly shows a tracer of staged code: the first argument that does is its subject."""
    for source, dependences in effect.shown:
        token = certain(frozenset(d for d in dependences if type(d) is Token and d.stage == "staged"))
        if token is not None:
            _report(frame, effect, source, token, chain)
            return True
    return False


def _report(frame: Frame, effect: Effect, source: Any, token: Token, chain: tuple[Hop, ...]) -> None:
    carries: Literal["tracer", "index"] = "index" if token.is_index else "tracer"
    subject = phrase(source) if source is not None else ""
    context = Context(token.trace, chain)
    emit(
        frame,
        ("effect", effect.op),
        lambda: Effected(effect.op, effect.effect, effect.callee, carries, subject, 1, context),
        effect.when,
    )


def text_event(effect: Effect, token: Token, calls: int, chain: tuple[Hop, ...]) -> Effected:
    """The event that an effect shows plain text, in a function that is traced once and called more often."""
    return Effected(effect.op, effect.effect, effect.callee, "text", "", calls, Context(token.trace, chain))
