"""Imports of names that have moved are changed as isort would have them."""

from __future__ import annotations

import pytest

from flake8_jax.fixes.applying import fix_text
from tests.fixes.test_pairs import judge

BLOCK = '# /// script\n# dependencies = ["jax>=0.4.20,<0.12"]\n# ///\n'

CASES = {
    "into another import": (
        "from jax.experimental.maps import Mesh\nfrom jax.sharding import NamedSharding, PartitionSpec\n",
        "from jax.sharding import Mesh, NamedSharding, PartitionSpec\n",
    ),
    "into a line of its own": (
        "import jax\nfrom jax import lax, tree_map\nfrom jax.nn import relu\n",
        "import jax\nfrom jax import lax\nfrom jax.nn import relu\nfrom jax.tree_util import tree_map\n",
    ),
    "with a name of its own": (
        "from jax.experimental.maps import Mesh as M\n",
        "from jax.sharding import Mesh as M\n",
    ),
    "of a module": (
        "import jax.experimental.stax as stax\n",
        "import jax.example_libraries.stax as stax\n",
    ),
    "in a function": (
        "def f():\n    from jax.experimental.maps import Mesh\n    return Mesh\n",
        "def f():\n    from jax.sharding import Mesh\n    return Mesh\n",
    ),
    "one of several lines": (
        "from jax.experimental.pjit import (\n    PartitionSpec,\n    with_sharding_constraint,\n)\n",
        None,
    ),
    "to what all releases have": (
        BLOCK + "import jax\nfrom jax.numpy import trapezoid\n\n\ndef f(x):\n"
        "    return jax.tree.map(abs, trapezoid(x))\n",
        BLOCK + "import jax\nfrom jax.scipy.integrate import trapezoid\n\n\ndef f(x):\n"
        "    return jax.tree_util.tree_map(abs, trapezoid(x))\n",
    ),
    "to none that all releases have": (
        BLOCK + "import jax\n\nmesh = jax.set_mesh\n",
        BLOCK + "import jax\n\nmesh = jax.set_mesh\n",
    ),
    "with a comment": ("from jax.experimental.maps import Mesh  # of devices\n", None),
}


@pytest.mark.parametrize("name", CASES)
def test_a_moved_import(name: str) -> None:
    before, after = CASES[name]
    found = fix_text(before, judge, ("safe", "unsafe"))
    text = found.text if found is not None else before
    if after is None:
        compile(text, "a.py", "exec")
        assert "#" in text or "#" not in before
    else:
        assert text == after
