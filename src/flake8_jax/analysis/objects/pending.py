"""The buffers of NumPy that JAX was handed and may still read."""

from __future__ import annotations

from flake8_jax.domain.payload import reason
from flake8_jax.domain.value import UNKNOWN, Value

PENDING = Value(UNKNOWN, payload=reason("buffers handed to JAX"))
"""Under this value the state keeps them."""
