"""A layer that a test defines runs as the test runs it: in a trace only where the test asks for one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.bindings import ROOT, found
from tests.support.layouts import tree

LAYERS = """import haiku as hk, jax, jax.numpy as jnp
class Pooled(hk.Module):
    def __call__(self, x, batch):
        count = jnp.max(batch) + 1
        return hk.Linear(3)(x.reshape((count, -1)))
class Traced(hk.Module):
    def __call__(self, x, batch):
        return x.reshape((jnp.max(batch) + 1, -1))
pooled = hk.transform(lambda x, batch: Pooled()(x, batch))
traced = hk.transform(lambda x, batch: Traced()(x, batch))
def test_both(key, x, batch):
    params = pooled.init(key, x, batch)
    return pooled.apply(params, key, x, batch), jax.jit(traced.apply)({}, key, x, batch)
"""


@pytest.mark.parametrize(("name", "said"), [("test_layers.py", ["8"]), ("layers.py", ["5", "8"])])
def test_what_is_said_of_layers(name: str, said: list[str], tmp_path: Path) -> None:
    tree(tmp_path, {**ROOT, name: LAYERS})
    assert [row.split(":")[1] for row in found(tmp_path, name) if "JAX410" in row] == said


INITIALISED = """import flax.linen as nn, jax, jax.numpy as jnp
class Eager(nn.Module):
    @nn.compact
    def __call__(self, x, batch):
        return x.reshape((int(jnp.max(batch)), -1))
class Jitted(nn.Module):
    @nn.compact
    def __call__(self, x, batch):
        return x.reshape((int(jnp.max(batch)), -1))
class Inside(nn.Module):
    @nn.compact
    def __call__(self, x, batch):
        return x.reshape((int(jnp.max(batch)), -1))
class Outside(nn.Module):
    @nn.compact
    def __call__(self, x, batch):
        return Inside()(x, batch)
class Shaped(nn.Module):
    @nn.compact
    def __call__(self, x, batch):
        return x.reshape((int(jnp.max(batch)), -1))
class Traced(nn.Module):
    @nn.compact
    def __call__(self, x, batch):
        return x.reshape((int(jnp.max(batch)), -1))
class Static(nn.Module):
    @nn.compact
    def __call__(self, x, rows):
        return x.reshape((int(rows), -1))
@jax.jit
def start(key, x, batch):
    return Traced().init({"params": key}, x, batch)
def test_all(key, x, batch):
    params = Eager().init(key, x, batch)
    jax.jit(Jitted().init)(key, x, batch)
    jax.jit(Outside().init)(key, x, batch)
    jax.eval_shape(Shaped().init, key, x, batch)
    jax.jit(Static().init, static_argnums=2)(key, x, 3)
    start(key, x, batch)
    return Eager().apply(params, x, batch)
"""


def test_what_is_said_of_layers_that_are_initialised_in_a_trace(tmp_path: Path) -> None:
    tree(tmp_path, {**ROOT, "test_layers.py": INITIALISED})
    rows = found(tmp_path, "test_layers.py")
    assert [row.split(":")[1] for row in rows if "JAX403" in row] == ["9", "13", "21", "25"]
