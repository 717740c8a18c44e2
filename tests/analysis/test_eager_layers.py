"""A layer is judged as traced, unless a program of the project runs it as it is, and nothing near names a transform."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.bindings import ROOT, found
from tests.support.layouts import tree

LAYERS = """import flax.linen as nn, jax.numpy as jnp
class Norm(nn.Module):
    def __call__(self, x):
        print(jnp.mean(x))
        return x
"""
MODEL = """import flax.linen as nn
from layers import Norm
class Model(nn.Module):
    def setup(self):
        self.norm = Norm()
    def __call__(self, x):
        return self.norm(x)
"""
DEMO = """import jax.numpy as jnp
from model import Model
def main():
    print(Model().apply({}, jnp.ones(3)))
main()
"""
IN_NNX = "from flax import nnx\nimport jax.numpy as jnp\nclass Norm(nnx.Module):\n" + LAYERS.split("\n", 2)[2]

# The other files, and whether something is told of the layer.
PROJECTS: dict[str, tuple[dict[str, str], bool]] = {
    "a program that applies them": ({"demo.py": DEMO}, False),
    "nobody": ({}, True),
    "a test": ({"test_demo.py": DEMO}, True),
    "other layers that are tried where they stand": (
        {"model.py": MODEL + DEMO.replace("from model import Model\n", "")}, True,
    ),
    "another program that compiles": (
        {"demo.py": DEMO, "train.py": "import jax\nfrom model import Model\nf = jax.jit(Model().apply)\n"}, True,
    ),
    "a helper of a program that compiles": (
        {
            "demo.py": DEMO + "from helper import fast\nfast(Model().apply)\n",
            "helper.py": "from jax import jit\ndef fast(f):\n    return jit(f)\n",
        },
        True,
    ),
    "a file that has nothing to do with them compiles": (
        {"demo.py": DEMO, "other.py": "import jax\nf = jax.jit(abs)\n"}, False,
    ),
    "a module of layers that are called": (
        {
            "layers.py": IN_NNX,
            "demo.py": "import jax.numpy as jnp\nfrom layers import Norm\ny = Norm()(jnp.ones(3))\nprint(y)\n",
        },
        False,
    ),
    "a module of layers that are differentiated": (
        {
            "layers.py": IN_NNX,
            "demo.py": "import jax\nfrom layers import Norm\nprint(Norm()(jax.numpy.ones(3)))\nprint(jax.grad)\n",
        },
        True,
    ),
}  # fmt: skip


@pytest.mark.parametrize(("others", "is_told"), PROJECTS.values(), ids=PROJECTS)
def test_what_is_said_of_a_layer(others: dict[str, str], is_told: bool, tmp_path: Path) -> None:
    tree(tmp_path, {**ROOT, "layers.py": LAYERS, "model.py": MODEL, **others})
    assert any("JAX301" in row for row in found(tmp_path, "layers.py")) == is_told
