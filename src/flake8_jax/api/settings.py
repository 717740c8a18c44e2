"""What switches staging off, in JAX and in a library that tests with it."""

from __future__ import annotations

UNSTAGED = frozenset(("jax.disable_jit", "chex.fake_jit", "chex.fake_pmap_and_jit"))
"""Managers below which nothing is staged."""
SETTING = "jax_disable_jit"
