"""Which decorators make of a method something that does not bind its object, as the JAX at hand has it."""

from __future__ import annotations

import pytest

from flake8_jax.api.class_decorators import NO_DESCRIPTORS

pytestmark = pytest.mark.slow

BINDING = ("jax.checkpoint", "jax.grad", "jax.jit", "jax.pmap", "jax.value_and_grad", "jax.vmap")


@pytest.mark.parametrize("name", sorted((*BINDING, *NO_DESCRIPTORS)))
def test_what_binds_its_object(name: str) -> None:
    module, _, function = name.rpartition(".")
    decorated = getattr(pytest.importorskip(module), function)(lambda self, x: x)
    assert hasattr(type(decorated), "__get__") is (name in BINDING)
