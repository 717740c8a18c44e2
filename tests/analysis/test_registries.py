"""What is known of a global dict is what the statements of its own file put there, whoever else was run before."""

from __future__ import annotations

from pathlib import Path

from tests.analysis.test_budget import found, judged
from tests.support.layouts import tree

FILES = {
    "pyproject.toml": "",
    "kept.py": """
import jax

KEPT = {}

def summing(size):
    if ("sum", size) not in KEPT:
        KEPT["sum", size] = jax.jit(lambda a, b, c: a + b + c)
    return KEPT["sum", size]

def doubling(size):
    if ("double", size) not in KEPT:
        KEPT["double", size] = jax.jit(lambda a: 2 * a)
    return KEPT["double", size]

def total(xs):
    return summing(len(xs))(xs, xs, xs)
""",
    "use.py": "from kept import doubling\nTWICE = doubling(3)(1.0)\n",
    "more.py": "import use\nprint(use.TWICE)\n",
}


def test_what_other_files_put_into_a_dict_changes_nothing(tmp_path: Path) -> None:
    tree(tmp_path, FILES)
    names = ["use.py", "more.py", "kept.py"]
    last = judged(tmp_path, names)
    assert found(last) == found(judged(tmp_path, names[::-1])) == {name: [] for name in names}
