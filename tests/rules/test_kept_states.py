"""States of Haiku that hold an integer: a derivative by them is told, wherever the integer is kept."""

from __future__ import annotations

import pytest

from tests.support.expectations import lint_text

HEAD = """
import haiku as hk
import jax
import jax.numpy as jnp
"""
LOSS = """
net = hk.transform_with_state(forward)

def loss(params, state, x):
    y, state = net.apply(params, state, None, x)
    return jnp.mean(y**2), state

def update(params, state, x):
    return jax.grad(loss, argnums={argnums}, has_aux=True)(params, state, x)

def train(key, x):
    params, state = net.init(key, x)
    return update(params, state, x)
"""
KEEPING = {
    "layer": "def forward(x):\n    return hk.BatchNorm(True, True, 0.9)(x, True)\n",
    "module": (
        "class Net(hk.Module):\n    def __call__(self, x):\n        x = hk.Linear(4)(x)\n"
        "        return hk.BatchNorm(True, True, 0.9)(x, is_training=True)\n"
        "def forward(x):\n    return Net()(x)\n"
    ),
    "own": (
        "def counted():\n    return hk.get_state('count', (), jnp.int32, init=jnp.zeros)\n"
        "def forward(x):\n    return hk.Linear(1)(x) * counted()\n"
    ),
    "average": ("def forward(x):\n    hk.ExponentialMovingAverage(0.9)(jnp.mean(x))\n    return hk.Linear(1)(x)\n"),
}
FLOATING = {
    "own": "def forward(x):\n    return hk.Linear(1)(x) * hk.get_state('s', (), jnp.float32, init=jnp.ones)\n",
    "none": "def forward(x):\n    return hk.LayerNorm(-1, True, True)(x)\n",
}


def told(keeping: str, argnums: str) -> list[str]:
    return [found.code for found in lint_text(f"{HEAD}\n{keeping}\n{LOSS.format(argnums=argnums)}")]


@pytest.mark.parametrize("name", KEEPING)
def test_derivatives_by_states_with_integers_are_told(name: str) -> None:
    assert told(KEEPING[name], "(0, 1)") == ["JAX607"]
    assert told(KEEPING[name], "1") == ["JAX607"]
    assert told(KEEPING[name], "0") == []


@pytest.mark.parametrize("name", FLOATING)
def test_states_without_integers_are_silent(name: str) -> None:
    assert told(FLOATING[name], "(0, 1)") == []
