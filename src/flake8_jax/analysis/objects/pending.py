"""The buffers of NumPy that JAX was handed and may still read, the clocks that were read, and donated buffers."""

from __future__ import annotations

from flake8_jax.domain.kinds import UNKNOWN
from flake8_jax.domain.payload import reason
from flake8_jax.domain.value import Value

PENDING = Value(UNKNOWN, payload=reason("buffers handed to JAX"))
"""Under this value the state keeps the buffers."""

TICKING = Value(UNKNOWN, payload=reason("clocks that were read"))
"""Under this value the state keeps the readings of clocks; under each reading, what was started since."""

DONATED = Value(UNKNOWN, payload=reason("buffers that were donated"))
"""Under this value the state keeps what compiled calls have used up."""
