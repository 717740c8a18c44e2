"""What functions of libraries do with the arrays and trees that they get: read their leaves, or return one changed."""

from __future__ import annotations

CHANGED_ARGUMENT = {
    "optax.apply_updates": 0, "equinox.apply_updates": 0, "equinox.tree_at": 1, "jax.numpy.clip": 0,
    "jax.lax.dynamic_update_slice": 0, "jax.lax.dynamic_update_slice_in_dim": 0,
    "jax.lax.dynamic_update_index_in_dim": 0, "jax.tree.map": 1, "jax.tree_map": 1, "jax.tree_util.tree_map": 1,
}  # fmt: skip
"""Which argument it is that a function returns in another state."""

ASKED_FOR = {
    f"{library}.{name}": name for library in ("jax.numpy", "numpy") for name in ("shape", "ndim", "size")
}  # fmt: skip
"""The functions that say of an array what an attribute of it is."""

CALLED_IN_TRACES = ("jax", "jax.numpy", "jax.lax", "jax.debug", "flax", "chex")
"""The libraries whose functions are called in traced code, whatever they return."""

OF_TREES = ("optax.tree.", "optax.tree_utils.tree_")
"""How the names of functions on trees begin."""

READING_TREES = frozenset((
    "add", "add_scalar_mul", "add_scale", "clip", "div", "l2_norm", "max", "mul", "norm", "scalar_mul", "scale", "sub",
    "sum", "vdot", "where",
))  # fmt: skip
"""Of the functions on trees those that read the leaves: measured."""

LEAVES = frozenset(("jax.tree.leaves", "jax.tree_leaves", "jax.tree_util.tree_leaves"))
"""What gives the leaves of a tree in a list."""

READING_ALL = frozenset(("optax.global_norm", "optax.apply_updates", "optax.incremental_update"))
"""What reads all leaves that it gets."""
