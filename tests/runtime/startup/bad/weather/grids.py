"""Grids."""

import jax.numpy as jnp

LATITUDES = jnp.linspace(-90.0, 90.0, 5)
