"""Functions of JAX and of libraries that make a class a pytree, or freeze its instances, by their full names."""

from __future__ import annotations

from typing import Literal, TypeAlias

Hashing: TypeAlias = Literal["identity", "fields", "mutable", "compared", "unknown"]
"""How objects of a class are hashed: by what they are, by their fields, or not at all, since their fields are compared
and may change, or since there is `__eq__` alone.
"""

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
HASHING_FIELDS = frozenset(("flax.struct.dataclass",))
"""Their instances are hashed by their fields, whatever they are told."""
FREEZING = frozenset(("flax.struct.dataclass", "chex.mappable_dataclass"))
"""Their instances do not change, whatever they are told."""

HASHED_BY_FIELDS = frozenset((
    "typing.NamedTuple", "equinox.Module", "flax.struct.PyTreeNode", "flax.linen.Module",
))  # fmt: skip
"""Objects of classes below them are hashed by their fields."""
METHODS_HASHED_BY_FIELDS = frozenset(("equinox.Module",))
"""Methods bound to objects of classes below them are objects with their object in a field, and hashed like it."""
LAYERS_WITH_ARRAYS = frozenset(
    f"equinox.nn.{name}" for name in (
        "Linear", "MLP", "Embedding", "Conv", "Conv1d", "Conv2d", "Conv3d", "ConvTranspose", "ConvTranspose1d",
        "ConvTranspose2d", "ConvTranspose3d", "GRUCell", "LSTMCell", "MultiheadAttention", "BatchNorm", "SpectralNorm",
        "WeightNorm",
    )
)  # fmt: skip
"""Layers that hold arrays whatever they are told, so that they have no hash."""
WARNING_OF_ARRAYS = frozenset(("equinox.Module",))
"""They warn of each array in a static field; others compare arrays of one element without harm."""
FACTORY_OF_FIELD = "default_factory"
"""The keyword of a field by which each object gets its own value."""

PLAIN_BASES = frozenset(("object", "abc.ABC", "typing.Generic", "typing.Protocol"))
"""Classes that add no fields, no hash and nothing of a pytree."""
MUTABLE_BASES = PLAIN_BASES | {"flax.nnx.Module", "flax.nnx.Object", "flax.nnx.Pytree"}
"""Classes of objects that methods change in place; of those of `flax.nnx` that holds under its transforms, too."""

NO_DESCRIPTORS = frozenset((
    "equinox.filter_custom_jvp", "equinox.filter_custom_vjp", "flax.nnx.custom_vjp", "jax.custom_batching.custom_vmap",
    "jax.custom_batching.sequential_vmap", "jax.custom_gradient", "jax.custom_jvp", "jax.custom_vjp",
    "jax.experimental.custom_partitioning.custom_partitioning",
))  # fmt: skip
"""What they make of a method is no descriptor: `self.f(x)` calls it without `self`.  Measured on each JAX."""

PLAIN_DECORATORS = frozenset((
    "dataclasses.dataclass", "functools.total_ordering", "typing.final", "typing.runtime_checkable",
))  # fmt: skip
"""They return their class, which is no pytree by them."""

DECLARING = frozenset(("chex", "dataclasses", "equinox", "flax", "jax_dataclasses"))
"""The packages whose functions declare fields of classes."""

CALLED_STATIC = frozenset(("Static", "static_field"))
"""How libraries call the annotation, or the maker, of a field that is no part of the tree: jax_dataclasses, Equinox,
simple_pytree.
"""
