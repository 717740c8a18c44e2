"""The module `grids` has started the backend when the flags are set."""

import jax
from weather import devices
from weather.grids import LATITUDES

devices.prepare(3)  # JAX902: `XLA_FLAGS` comes too late and is ignored: the backend is started by `import weather`
seen = jax.device_count(), LATITUDES.shape
