"""Functions of JAX and of libraries that make a class a pytree, or freeze its instances, by their full names."""

from __future__ import annotations

TREES = frozenset((
    "flax.struct.dataclass", "chex.dataclass", "chex.mappable_dataclass", "jax.tree_util.register_dataclass",
    "jax.tree_util.register_pytree_node_class", "jax.tree_util.register_pytree_with_keys_class",
    "jax.tree_util.register_pytree_node", "jax.tree_util.register_pytree_with_keys",
))  # fmt: skip
"""They make a class a pytree."""
REGISTERING = frozenset((
    "jax.tree_util.register_dataclass", "jax.tree_util.register_pytree_node",
    "jax.tree_util.register_pytree_with_keys",
))  # fmt: skip
"""They are given the class first, and more beside it."""
FREEZING = frozenset(("flax.struct.dataclass", "chex.mappable_dataclass"))
"""Their instances do not change, whatever they are told."""
