"""Access steps of indices: constants where they are known, counted from the start of a sequence."""

from __future__ import annotations

from flake8_jax.domain.constants import Constant
from flake8_jax.domain.kinds import TUPLE
from flake8_jax.domain.payload import Elements, Step
from flake8_jax.domain.value import Value


def from_the_start(base: Value, step: Step) -> Step:
    """A step with an index that counts from the end of a list of known length, counted from its start."""
    index = step[1]
    if type(index) is int and index < 0 and (parts := base.elements) is not None and -index <= len(parts):
        return ("[]", len(parts) + index)
    return step


def index_step(index: Value) -> Step:
    """The access step of an index: its constant if it is known, else the value itself."""
    payload = index.payload
    if type(payload) is Constant and isinstance(payload.value, (int, str, bytes, float)):
        return ("[]", payload.value)
    if type(payload) is Elements and payload.parts and index.kind is TUPLE:
        known = [part.constant for part in payload.parts]
        steps = tuple(one for one in known if isinstance(one, (int, str)))
        if len(steps) == len(known):
            return ("[]", steps)
    return ("[]", index)
