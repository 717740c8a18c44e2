"""JAX as the referee: which uses of a program are hazards, all of them in one run.

Each use is a probe, which asks one question of it:

raises            an exception leaves the use; another value stands in for it, so that the run goes on
raises as JAX's   the same of an array of JAX, and what is done with it: what raises for one of NumPy is left out
is dropped        the use gives arrays of JAX, so that nothing was done in place
is out of bounds  the use is an array of JAX and an index; NumPy raises IndexError for it
is truncated      JAX warns that it gives another dtype than was asked for
is bound anew     the use is the old value, which is an array of JAX: what is bound to its name now is another one
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from tests.stores.grammar import Question
from tests.stores.writing import Program


def hazards(program: Program) -> tuple[set[int], set[int]]:
    """The lines whose use is a hazard in the run of a program, and those that end it by an error which is no hazard.

    Of these any word is right: `x.at[0].set(1.0)` with an array of NumPy, which has no `at`.
    """
    import jax

    found: set[int] = set()
    broken: set[int] = set()
    seen: set[int] = set()

    def at(line: int, question: Question, use: Callable[[], Any], otherwise: Any) -> Any:
        seen.add(line)
        try:
            is_hazard, value = _ANSWERS[question](use, otherwise)
        except Exception:
            is_hazard, value = question == "raises", otherwise
            broken.add(line)
        if is_hazard:
            found.add(line)
        return value

    names: dict[str, Any] = {"_at": at, "__name__": "program"}
    exec(compile(program.probed, "program.py", "exec"), names)
    for name in program.abstract:
        jax.eval_shape(names[name])
    for name in program.concrete:
        names[name]()
    missing = {site.line for site in program.sites} - seen
    assert not missing, f"never run: {missing}"
    return found, broken - found


def _raises(use: Callable[[], Any], otherwise: Any) -> tuple[bool, Any]:
    return False, use()


def _raises_as_jax(use: Callable[[], Any], otherwise: Any) -> tuple[bool, Any]:
    import jax

    array, done = use()
    try:
        return False, done()
    except Exception:
        return isinstance(array, jax.Array), otherwise


def _is_dropped(use: Callable[[], Any], otherwise: Any) -> tuple[bool, Any]:
    import jax

    leaves = jax.tree.leaves(use())
    return bool(leaves) and all(isinstance(leaf, jax.Array) for leaf in leaves), None


def _is_out_of_bounds(use: Callable[[], Any], otherwise: Any) -> tuple[bool, Any]:
    import jax
    import numpy as np

    array, index = use()
    try:
        np.empty(array.shape)[index]
    except IndexError:
        return isinstance(array, jax.Array), otherwise
    return False, otherwise


def _is_truncated(use: Callable[[], Any], otherwise: Any) -> tuple[bool, Any]:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        value = use()
    return any("will be truncated" in str(warning.message) for warning in said), value


def _is_bound_anew(use: Callable[[], Any], otherwise: Any) -> tuple[bool, Any]:
    import jax

    value = use()
    return isinstance(value, jax.Array), value


_ANSWERS: dict[Question, Callable[[Callable[[], Any], Any], tuple[bool, Any]]] = {
    "raises": _raises,
    "raises as JAX's": _raises_as_jax,
    "is dropped": _is_dropped,
    "is out of bounds": _is_out_of_bounds,
    "is truncated": _is_truncated,
    "is bound anew": _is_bound_anew,
}
