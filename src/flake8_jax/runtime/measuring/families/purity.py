"""Calls without side effects: discarding the result of such a call is a mistake.

    fact("jax.numpy.sort") -> ""        fact("jax.debug.print") -> ["effect", "output"]

`effect`: something of the call stays in a program that does not use its result.  `output`: it writes to the screen.
`argument`: it changes what is handed to it, or deletes its buffer; a reference, a file, the array of a method.
`state`: it changes settings, the mesh, random or printing state, what is compiled, or what trees are made of.
A call is watched inside a trace, where nothing is compiled, once with JAX's arrays and once with NumPy's; where that
shows something, or does not work, outside of traces too.  What is done for nothing else than to be waited for, or to
be early, is not seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import jax
from jax.interpreters import partial_eval

from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.measuring.naming.calling import ProbedCall, callable_names, calls_of
from flake8_jax.runtime.measuring.naming.watching import deeds, quiet
from flake8_jax.runtime.measuring.probe import Way

SECTION = "impure"
WAYS: tuple[Way, ...] = ("traced", "host")


def subjects() -> dict[str, str]:
    """Every measured function, and those that change settings and registers."""
    return dict.fromkeys(callable_names(), "jax")


def fact(name: str) -> str | list[str] | None:
    """The side effects of a call, in alphabetical order; "" if there are none."""
    with quiet():
        calls = calls_of(name)
    found = [words for call in calls for words in _of_call(call) if words is not None]
    return sorted(set().union(*found)) or "" if found else None


def _of_call(call: ProbedCall) -> Iterator[set[str] | None]:
    found = [deeds(lambda values: _staged(call, values), call.values(way)) for way in WAYS]
    found.append(next((words for way in WAYS if (words := _kept(call, call.values(way))) is not None), None))
    yield from found
    if None in found[1:] or any(found):
        yield from (deeds(call.run, call.values(way)) for way in WAYS)


def _staged(call: ProbedCall, values: Mapping[str, Foreign]) -> None:
    """Make the call inside a trace, with values from outside of it."""
    jax.make_jaxpr(lambda: (call.run(values), 0)[1], axis_env=[("i", 2)])()


def _kept(call: ProbedCall, values: Mapping[str, Foreign]) -> set[str] | None:
    """Does anything of the call stay in a program that does not use its result?"""
    leaves, tree = jax.tree_util.tree_flatten(dict(values))
    traced = [place for place, leaf in enumerate(leaves) if hasattr(leaf, "aval")]

    def body(*arrays: Foreign) -> int:
        given = list(leaves)
        for place, array in zip(traced, arrays):
            given[place] = array
        call.run(jax.tree_util.tree_unflatten(tree, given))
        return 0

    try:
        with quiet():
            program = jax.make_jaxpr(body, axis_env=[("i", 2)])(*[leaves[place] for place in traced])
    except Exception:
        return None
    kept, _ = partial_eval.dce_jaxpr(program.jaxpr, [False] * len(program.jaxpr.outvars))
    return {"effect"} if kept.eqns else set()
