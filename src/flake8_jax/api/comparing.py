"""The functions that hold two results against each other, by the libraries that have them."""

from __future__ import annotations

COMPARING = frozenset((
    *(
        f"{home}.{name}" for home in ("jax.numpy", "numpy")
        for name in ("allclose", "array_equal", "array_equiv", "isclose")
    ),
    *(f"numpy.testing.assert_{name}" for name in (
        "allclose", "almost_equal", "array_almost_equal", "array_equal", "equal",
    )),
    *(f"chex.assert_{name}" for name in ("equal", "trees_all_close", "trees_all_equal")),
    "equinox.tree_equal",
))  # fmt: skip
"""What is asked whether two results are alike, or asserts it."""
