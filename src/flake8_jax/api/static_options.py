"""What each transform does with arguments that `static_argnums` and its like name: refuses, hashes or filters them.

Transforms are given by their full names.  All of it was measured.
"""

from __future__ import annotations

REFUSING = frozenset(("jax.jit", "flax.nnx.jit"))
"""They compare names and numbers with the signature of their function when they are applied."""

REFUSING_IN_CALLS = frozenset(("jax.pmap", "jax.checkpoint"))
"""They find out in the first call that a number is beyond the arguments."""

HASHING = frozenset(("jax.jit", "jax.pmap", "flax.nnx.jit", "flax.nnx.pmap"))
"""They hash static arguments in each call.  `checkpoint` and the derivatives of custom functions do not."""

HASHING_FUNCTIONS = frozenset((
    "jax.jit", "jax.pmap", "jax.checkpoint", "jax.lax.scan", "jax.lax.fori_loop", "jax.lax.while_loop", "jax.lax.cond",
    "jax.lax.switch",
))  # fmt: skip
"""They look up by the function what they have traced.  Those that map or differentiate do not, nor does `lax.map`."""

MAPPING = frozenset(("jax.vmap", "flax.nnx.vmap", "equinox.filter_vmap"))
"""They run a function for each item of an array, without static arguments: sizes have to be the same in all."""

FILTERING = {
    "jax.jit": "equinox.filter_jit", "jax.pmap": "equinox.filter_pmap", "jax.checkpoint": "equinox.filter_checkpoint",
}  # fmt: skip
"""What Equinox has for its modules in the place of a transform that hashes functions."""

_OF_JAX = (
    "jit", "pmap", "vmap", "grad", "value_and_grad", "jacfwd", "jacrev", "hessian", "checkpoint", "named_call",
    "custom_jvp", "custom_vjp", "shard_map", "experimental.shard_map.shard_map", "custom_batching.custom_vmap",
    "custom_batching.sequential_vmap", "experimental.sparse.grad", "experimental.sparse.value_and_grad",
    "experimental.sparse.sparsify", "make_jaxpr", "numpy.vectorize", "profiler.annotate_function",
)  # fmt: skip
_OF_EQUINOX = (
    "filter_jit", "filter_pmap", "filter_vmap", "filter_grad", "filter_value_and_grad", "filter_checkpoint",
    "filter_make_jaxpr",
)  # fmt: skip
_OF_FLAX = ("nnx.jit", "nnx.pmap", "nnx.vmap", "nnx.remat", "nnx.checkify", "linen.compact", "linen.nowrap")
SIGNATURE_KEPT = frozenset(
    f"{library}.{name}"
    for library, names in (("jax", _OF_JAX), ("equinox", _OF_EQUINOX), ("flax", _OF_FLAX))
    for name in names
)
"""What they return has the signature of their function."""

TRACING = frozenset(
    f"jax.{name}"
    for name in ("jit", "pmap", "vmap", "grad", "value_and_grad", "jacfwd", "jacrev", "hessian", "checkpoint")
)
"""They refuse arguments that are no arrays and no trees of such."""
