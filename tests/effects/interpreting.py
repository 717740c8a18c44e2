"""Programs without `jax.jit`, and with one that traces as JAX does and interprets what it traced.

Compiling takes a hundred times as long.  What runs when is JAX's own doing: a function is traced by
`jax.jit(f).trace`, with JAX's caches, and its equations are bound one at a time, with copies of the constants.  Loops
and branches outside of `jit` are treated alike.  A test compares some programs with what is compiled.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from flake8_jax.runtime.compat import is_tracing
from flake8_jax.runtime.watching.jaxprs import open_jaxpr, rows_among

CONTROL = ("scan", "cond", "while_loop", "fori_loop")
INNER = ("jaxpr", "call_jaxpr", "fun_jaxpr")


@contextmanager
def interpreted() -> Iterator[None]:
    """Interpret what is traced while the context is open."""
    import jax

    real = jax.jit

    def jit(function: Any = None, **options: Any) -> Any:
        if function is None:
            return functools.partial(jit, **options)
        return _interpreting(function, real(function, **options), options)

    with _replaced(jit, {name: _at_once(getattr(jax.lax, name)) for name in CONTROL}):
        yield


@contextmanager
def eager() -> Iterator[None]:
    """Trace nothing while the context is open: loops and branches are Python's.

    `jax.disable_jit` also takes the functions of JAX apart, which takes long and rounds otherwise.
    """

    def jit(function: Any = None, **options: Any) -> Any:
        return functools.partial(jit, **options) if function is None else function

    with _replaced(jit, {"scan": _scanned, "cond": _chosen, "while_loop": _repeated, "fori_loop": _counted}):
        yield


@contextmanager
def _replaced(jit: Any, loops: dict[str, Any]) -> Iterator[None]:
    import jax

    before, kept = jax.jit, {name: getattr(jax.lax, name) for name in loops}
    jax.jit = jit
    for name, loop in loops.items():
        setattr(jax.lax, name, loop)
    try:
        yield
    finally:
        jax.jit = before
        for name, loop in kept.items():
            setattr(jax.lax, name, loop)


def _scanned(body: Any, carry: Any, rows: Any) -> Any:
    import jax
    import jax.numpy as jnp

    made = []
    for turn in range(len(rows)):
        carry, row = body(carry, rows[turn])
        made.append(row)
    return carry, jax.tree.map(lambda *column: jnp.stack(column), *made)


def _chosen(test: Any, yes: Any, no: Any, *given: Any) -> Any:
    return yes(*given) if test else no(*given)


def _repeated(test: Any, body: Any, state: Any) -> Any:
    import jax
    import jax.numpy as jnp

    state = jax.tree.map(jnp.asarray, state)
    while test(state):
        state = body(state)
    return state


def _counted(first: int, last: int, body: Any, state: Any) -> Any:
    for turn in range(first, last):
        state = body(turn, state)
    return state


def _is_concrete(given: Any) -> bool:
    import jax

    return not is_tracing() and not any(isinstance(leaf, jax.core.Tracer) for leaf in jax.tree.leaves(given))


def _interpreting(function: Any, jitted: Any, options: dict[str, Any]) -> Callable[..., Any]:
    import jax
    import numpy as np

    numbers, names = options.get("static_argnums", ()), options.get("static_argnames", ())
    places = {numbers} if isinstance(numbers, int) else set(numbers)
    words = {names} if isinstance(names, str) else set(names)
    parameters = list(inspect.signature(function).parameters)
    places |= {parameters.index(name) for name in words if name in parameters}
    kept: dict[int, tuple[Any, list[Any]]] = {}

    @functools.wraps(function)
    def run(*given: Any, **named: Any) -> Any:
        handed = [one for place, one in enumerate(given) if place not in places]
        options_left = {name: one for name, one in named.items() if name not in words}
        if not _is_concrete((handed, options_left)):
            return jitted(*given, **named)
        traced = jitted.trace(*given, **named)
        _, consts = kept.setdefault(id(traced.jaxpr), (traced.jaxpr, [np.array(one) for one in traced.jaxpr.consts]))
        found = _run(traced.jaxpr.jaxpr, consts, jax.tree.leaves((tuple(handed), options_left)))
        return jax.tree.unflatten(jax.tree.structure(traced.out_info), found)

    return run


def _at_once(loop: Callable[..., Any]) -> Callable[..., Any]:
    """A loop or branch that is traced as JAX does it, and then interpreted."""
    import jax

    @functools.wraps(loop)
    def run(*given: Any, **named: Any) -> Any:
        if not _is_concrete((given, named)):
            return loop(*given, **named)
        closed, shape = jax.make_jaxpr(lambda: loop(*given, **named), return_shape=True)()
        return jax.tree.unflatten(jax.tree.structure(shape), _run(closed.jaxpr, closed.consts, []))

    return run


def _run(jaxpr: Any, consts: Any, given: list[Any]) -> list[Any]:
    """The results of a traced program."""
    values: dict[Any, Any] = dict(zip(jaxpr.constvars, consts)) | dict(zip(jaxpr.invars, given))

    def read(one: Any) -> Any:
        return one.val if hasattr(one, "val") else values[one]

    for equation in jaxpr.eqns:
        found = _bind(equation, [read(one) for one in equation.invars])
        values.update(zip(equation.outvars, found))
    return [read(one) for one in jaxpr.outvars]


def _closed(program: Any, given: list[Any]) -> list[Any]:
    return _run(program.jaxpr, program.consts, given)


def _bind(equation: Any, given: list[Any]) -> list[Any]:
    primitive, params = equation.primitive, equation.params
    name = primitive.name
    if name == "cond":
        return _closed(params["branches"][int(given[0])], given[1:])
    if name == "while":
        first, second = params["cond_nconsts"], params["cond_nconsts"] + params["body_nconsts"]
        carry = given[second:]
        while bool(_closed(params["cond_jaxpr"], given[:first] + carry)[0]):
            carry = _closed(params["body_jaxpr"], given[first:second] + carry)
        return carry
    if name == "scan":
        return _scan(equation, given)
    for inner in INNER:
        if inner in params and not isinstance(params[inner], (tuple, list)):
            program = params[inner]
            return _closed(program, given) if hasattr(program, "consts") else _run(program, [], given)
    found = primitive.bind(*given, **params)
    return list(found) if primitive.multiple_results else [found]


def _scan(equation: Any, given: list[Any]) -> list[Any]:
    import jax.numpy as jnp

    params, inner = equation.params, open_jaxpr(equation.params["jaxpr"])
    carried = len(inner.outvars) - rows_among(equation.outvars, inner.outvars)
    second = len(given) - rows_among(equation.invars, inner.invars)
    first = second - carried
    carry, rows = given[first:second], given[second:]
    made: list[list[Any]] = []
    turns = range(params["length"])
    for turn in reversed(turns) if params["reverse"] else turns:
        found = _closed(params["jaxpr"], given[:first] + carry + [row[turn] for row in rows])
        carry = found[:carried]
        made.append(found[carried:])
    made = made[::-1] if params["reverse"] else made
    return carry + [jnp.stack(column) for column in zip(*made)]
