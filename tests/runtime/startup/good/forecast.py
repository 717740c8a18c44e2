"""Nothing has started the backend when the flags are set."""

import jax
from weather import devices
from weather.grids import LATITUDES

devices.prepare(3)
seen = jax.device_count(), LATITUDES.shape
