"""The number that is set is made of one that JAX counts."""

import jax
from weather import devices


def double():
    devices.limit(2 * devices.available())  # JAX902: take what is set from elsewhere, without `jax.local_device_count`


double()
seen = jax.device_count()
