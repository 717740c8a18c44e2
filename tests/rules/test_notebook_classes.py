"""What notebooks have and fixtures cannot: it runs on a TPU, with the newest JAX, or in cells alone."""

from __future__ import annotations

import pytest

from tests.support.expectations import lint_text

HEAD = "import jax\nimport jax.numpy as jnp\nfrom jax import P\nfrom jax.experimental import pallas as pl\n"
KERNEL = """
mesh, cores = jax.make_mesh((1,), ("device",)), make_cores("core")


def kernel(x_ref, o_ref):
    o_ref[...] = x_ref[...] * jax.lax.axis_index("core")


@jax.jit
@jax.shard_map(mesh=mesh, in_specs=P("device"), out_specs=P("device"))
def run(x):
    {}


run(jnp.ones(3))
"""
ON_CORES = [
    "return pl.kernel(kernel, out_type=x, mesh=cores)(x)",
    "o_ref = jax.new_ref(x)\n    pl.core_map(cores)(lambda: kernel(jax.new_ref(x), o_ref))\n    return o_ref[...]",
    "o_ref = jax.new_ref(x)\n\n    @pl.core_map(cores)\n    def _():\n        kernel(o_ref, o_ref)\n    return x",
]  # fmt: skip


@pytest.mark.parametrize("body", ON_CORES)
def test_the_mesh_of_a_kernel_binds_axes(body: str) -> None:
    assert [one for one in lint_text(HEAD + KERNEL.format(body)) if one.code == "JAX605"] == []


def test_a_reference_has_methods_of_its_own() -> None:
    text = HEAD + "ref = jax.new_ref(jnp.arange(3.0))\nprint(ref.unsafe_buffer_pointer())\n{}"
    assert lint_text(text.format("")) == []
    assert [one.code for one in lint_text(text.format("ref.sum()\n"))] == ["JAX211"]
