"""What transforms do with the arguments that they are told of, by the full names of the transforms; measured."""

from __future__ import annotations

REFUSING = frozenset(("jax.jit", "flax.nnx.jit"))
"""They compare names and numbers with the signature of their function when they are applied."""

REFUSING_IN_CALLS = frozenset(("jax.pmap", "jax.checkpoint"))
"""They find out in the first call that a number is beyond the arguments."""

HASHING = frozenset(("jax.jit", "jax.pmap", "flax.nnx.jit", "flax.nnx.pmap"))
"""They hash static arguments in each call.  `checkpoint` and the derivatives of custom functions do not."""

SIGNATURE_KEPT = frozenset(
    f"jax.{name}"
    for name in ("jit", "pmap", "vmap", "grad", "value_and_grad", "jacfwd", "jacrev", "hessian", "checkpoint",
                 "named_call", "custom_jvp", "custom_vjp")
)  # fmt: skip
"""What they return has the signature of their function."""

TRACING = frozenset(
    f"jax.{name}"
    for name in ("jit", "pmap", "vmap", "grad", "value_and_grad", "jacfwd", "jacrev", "hessian", "checkpoint")
)
"""They refuse arguments that are no arrays and no trees of such."""
