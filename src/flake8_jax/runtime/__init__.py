"""Dynamic verification: executes the claims of fixtures under the transforms of JAX, on the devices at hand.

The only part that imports jax; nothing imports it but its verbs on the command line, and these lazily.
"""
