"""Effects in traced code: certain where a trace is, latent where it depends on the caller."""

from __future__ import annotations

from flake8_jax.analysis.events import Context, Effected
from flake8_jax.analysis.frame import Frame
from flake8_jax.domain.provenance import Hop
from flake8_jax.domain.signature import Effect
from flake8_jax.domain.staging import Dependences, Token, certain

MAXIMUM_EFFECTS = 24


def record(frame: Frame, effect: Effect) -> None:
    """An effect happens in this frame: send it if it shows a tracer, and tell the callers."""
    if not report_tracer(frame, effect, effect.dependences, ()) and len(frame.signature.effects) < MAXIMUM_EFFECTS:
        frame.signature.effects.append(effect)


def report_tracer(frame: Frame, effect: Effect, dependences: Dependences, chain: tuple[Hop, ...]) -> bool:
    """Send an effect that certainly shows a tracer of staged code."""
    token = certain(frozenset(d for d in dependences if type(d) is Token and d.stage == "staged"))
    if token is None:
        return False
    carries = "index" if token.is_index else "tracer"
    context = Context(token.trace, chain)
    frame.program.emit(
        ("effect", effect.op),
        lambda: Effected(effect.op, effect.effect, effect.callee, carries, effect.subject, 1, context),  # type: ignore[arg-type]
    )
    return True


def report_text(frame: Frame, effect: Effect, token: Token, calls: int, chain: tuple[Hop, ...]) -> None:
    """Send an effect that shows plain text, in a function that is traced once and called more often."""
    context = Context(token.trace, chain)
    frame.program.emit(
        ("effect", effect.op),
        lambda: Effected(effect.op, effect.effect, effect.callee, "text", "", calls, context),
    )
