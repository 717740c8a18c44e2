"""The libraries that modules of networks compute with."""

COMPUTING = ("einops.", "flax.linen.", "jax.", "math.", "numpy.")
"""How their names begin: their functions, other than classes, make no variables."""

COMBINING = ("jax.numpy.", "numpy.", "jax.lax.", "optax.")
"""How the names of functions begin that make one value of several arrays."""
