"""Splits a tree of arguments into relevant leaves, arrays say, and a function that rebuilds it with others.

    chosen, put = parted(((2, x), {"axis": 0}), is_array)       chosen is [x]
    put([y])                                                    ((2, y), {"axis": 0})

So a function of any arguments becomes one of arrays alone, as JAX's transforms want it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from flake8_jax.runtime.foreign import Foreign


def parted(
    tree: Foreign, counts: Callable[[Foreign], bool], is_leaf: Callable[[Foreign], bool] | None = None
) -> tuple[list[Foreign], Callable[[Sequence[Foreign]], Foreign]]:
    """The relevant leaves of a tree, and a function that rebuilds the tree with others in their places."""
    import jax

    leaves, shape = jax.tree_util.tree_flatten(tree, is_leaf=is_leaf)
    places = [place for place, leaf in enumerate(leaves) if counts(leaf)]

    def put(others: Sequence[Foreign]) -> Foreign:
        given = list(leaves)
        for place, other in zip(places, others):
            given[place] = other
        return jax.tree_util.tree_unflatten(shape, given)

    return [leaves[place] for place in places], put
