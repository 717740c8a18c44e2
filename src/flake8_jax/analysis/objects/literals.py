"""The constants that a value is made of."""

from __future__ import annotations

from flake8_jax.domain.constants import Constant
from flake8_jax.domain.payload import Elements
from flake8_jax.domain.value import Value
from flake8_jax.ir.parts import Host


def literals(value: Value) -> list[Host] | None:
    """The constants in a literal or a sequence of literals; None if some are not known."""
    payload = value.payload
    if type(payload) is Constant:
        return [] if payload.value is None else [payload.value]
    if type(payload) is not Elements or payload.parts is None:
        return None
    found: list[Host] = []
    for part in payload.parts:
        inner = literals(part)
        if inner is None:
            return None
        found += inner
    return found
