"""What asks for a release in one file of a project, and is used in another."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.bindings import ROOT, found
from tests.support.layouts import tree

COMPAT = """import jax
from jax.experimental.pallas.ops.gpu import attention
TREE = hasattr(jax, "tree")
FAST = True
try:
    from jax.core import NamedShape
    NAMED = True
except ImportError:
    NAMED = False
def has_tree():
    return hasattr(jax, "tree")
if hasattr(attention, "BlockSizes"):
    attend = lambda *args, block_q, **options: args
else:
    attend = attention.mha
if FAST:
    straight = attention.mha
"""
FILES = {
    **ROOT,
    "pkg/__init__.py": "from .facts import *\nfrom .facts import TREE as NEW\nfrom . import facts as renamed\n",
    "pkg/facts.py": COMPAT,
}

# A function in a file that imports these, and whether something is told there.
USES: dict[str, tuple[str, bool]] = {
    "a flag": ("from pkg.facts import TREE\nx = y if TREE else jax.tree_map", False),
    "a flag under another name": ("from pkg import NEW as N\nif not N:\n    x = jax.tree_map", False),
    "a flag of a star": ("from pkg.facts import *\nif not TREE:\n    x = jax.tree_map", False),
    "a flag of a star of a star": ("from pkg import *\nif not TREE:\n    x = jax.tree_map", False),
    "a flag of a module": ("import pkg\nif not pkg.NEW:\n    x = jax.tree_map", False),
    "a flag of a module inside": ("import pkg.facts\nif not pkg.facts.TREE:\n    x = jax.tree_map", False),
    "a function": ("from pkg.facts import has_tree\nif not has_tree():\n    x = jax.tree_map", False),
    "what an import has said": ("from pkg.facts import NAMED\nif NAMED:\n    x = jax.core.NamedShape", False),
    "a flag that ends the function": (
        "from pkg.facts import TREE\ndef f(t):\n    if TREE:\n        return t\n    return jax.tree_map(abs, t)",
        False,
    ),
    "a flag that says nothing of releases": ("from pkg.facts import FAST\nif not FAST:\n    x = jax.tree_map", True),
    "a module that is asked for that": ("import pkg\nif not pkg.FAST:\n    x = jax.tree_map", True),
    "a function of one release": ("from pkg.facts import attend\nattend(1, 2, 3, segment_ids=None, block_q=8)", False),
    "a function of each": ("from pkg.facts import straight\nstraight(1, 2, 3, segment_ids=None, block_q=8)", True),
}


@pytest.mark.parametrize(("text", "is_told"), USES.values(), ids=USES)
def test_what_is_said_of_a_use(text: str, is_told: bool, tmp_path: Path) -> None:
    tree(tmp_path, {**FILES, "use.py": f"import jax\n{text}\n"})
    assert any("JAX801" in row for row in found(tmp_path, "use.py")) == is_told
