"""The events of a file as text, one block each, in order of position.

KeyConsumed at 8:12
  key: 'key'
  use: `jax.random.normal` on line 8
  ...
"""

from __future__ import annotations

from collections.abc import Iterable

from flake8_jax.analysis.windows.fields import context_text, own_fields, place_of, position
from flake8_jax.domain.summary import Event


def events_text(events: Iterable[Event]) -> str:
    """All events, with their fields and what makes each certain."""
    blocks = sorted((*position(event.op), _block(event)) for event in events)
    return "\n".join(text for _, _, text in blocks)


def _block(event: Event) -> str:
    lines = [f"{type(event).__name__} at {place_of(event.op)}"]
    lines += own_fields(event)
    lines += [f"by: {text}" for text in context_text(event.context)]
    return "\n  ".join(lines) + "\n"
