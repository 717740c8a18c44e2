"""The number that is set is known before."""

import jax
from weather import devices


def double():
    devices.limit(2)


double()
seen = jax.device_count()
