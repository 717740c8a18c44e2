"""Reference semantics of transforms in plain Python: `jit(f)` is `f`, `scan` a loop, `vmap(f)` a loop over lanes.

The tables say so by the name under which fixtures find the transform; None where nothing simple is meant (a kernel, a
shape alone).  A gradient is taken for one plain call of the function, followed by the real gradient, of which watchers
see nothing.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import TypeAlias

from flake8_jax.runtime.foreign import Foreign

Reference: TypeAlias = "Callable[..., Foreign]"


def the_function(real: Foreign, function: Foreign = None, *_: Foreign, **options: Foreign) -> Foreign:
    """Reference of a transform that changes how a function runs, not what it computes."""
    return function if function is not None else next(iter(options.values()))


def call_and_real(real: Foreign, function: Foreign = None, *_: Foreign, **options: Foreign) -> Foreign:
    """Reference of the gradient family: one plain call of the function, then the real transform, unobserved."""
    plain = the_function(real, function, **options)

    def run(*arguments: Foreign, **keywords: Foreign) -> Foreign:
        plain(*arguments, **keywords)
        return _unseen(real, *arguments, **keywords)

    return run


def lanes(
    real: Foreign,
    fun: Foreign,
    in_axes: Foreign = 0,
    out_axes: Foreign = 0,
    axis_name: Foreign = None,
    axis_size: Foreign = None,
    **options: Foreign,
) -> Foreign:
    """Reference of vmap: a loop over the lanes; the real vmap where lanes communicate."""
    if axis_name is not None or options.get("spmd_axis_name") is not None:
        return None

    def run(*arguments: Foreign, **keywords: Foreign) -> Foreign:
        import jax

        tree = (arguments, keywords)
        axes = _axes((tuple(in_axes) if isinstance(in_axes, list) else in_axes, 0), tree)
        leaves, shape = jax.tree_util.tree_flatten(tree)
        sizes = [_shape(leaf)[axis] for leaf, axis in zip(leaves, axes) if axis is not None]
        number = sizes[0] if sizes else axis_size
        results = []
        for lane in range(number):
            chosen = [leaf if axis is None else _lane(leaf, axis, lane) for leaf, axis in zip(leaves, axes)]
            given, named = jax.tree_util.tree_unflatten(shape, chosen)
            results.append(fun(*given, **named))
        return _stacked(results, out_axes)

    return run


def scan(
    real: Foreign,
    f: Foreign,
    init: Foreign,
    xs: Foreign = None,
    length: Foreign = None,
    reverse: bool = False,
    *_: Foreign,
    **__: Foreign,
) -> Foreign:
    """Reference of scan: the loop in its documentation."""
    import jax

    leaves = jax.tree_util.tree_leaves(xs)
    number = _shape(leaves[0])[0] if leaves else length
    carry, ys = _arrays(init), []
    for turn in reversed(range(number)) if reverse else range(number):
        carry, y = f(carry, jax.tree_util.tree_map(lambda leaf, turn=turn: leaf[turn], _arrays(xs)))
        ys.append(y)
    if not ys:
        return _unseen(real, f, init, xs, length, reverse)
    return carry, _stacked(ys[::-1] if reverse else ys, 0)


def cond(
    real: Foreign, pred: Foreign, true_fun: Foreign, false_fun: Foreign, *operands: Foreign, **keywords: Foreign
) -> Foreign:
    """Reference of cond: a conditional expression."""
    if "operand" in keywords:
        operands = (*operands, keywords["operand"])
    return (true_fun if pred else false_fun)(*operands)


def switch(real: Foreign, index: Foreign, branches: Foreign, *operands: Foreign, **keywords: Foreign) -> Foreign:
    """Reference of switch: a clamped index into its branches."""
    if "operand" in keywords:
        operands = (*operands, keywords["operand"])
    return branches[min(max(int(index), 0), len(branches) - 1)](*operands)


def while_loop(real: Foreign, cond_fun: Foreign, body_fun: Foreign, init_val: Foreign) -> Foreign:
    """Reference of while_loop: a while loop."""
    value = _arrays(init_val)
    while cond_fun(value):
        value = body_fun(value)
    return value


def fori_loop(
    real: Foreign, lower: Foreign, upper: Foreign, body_fun: Foreign, init_val: Foreign, **_: Foreign
) -> Foreign:
    """Reference of fori_loop: a for loop over a range."""
    import jax.numpy as jnp

    value = _arrays(init_val)
    for turn in range(int(lower), int(upper)):
        value = body_fun(jnp.asarray(turn), value)
    return value


def mapped(real: Foreign, f: Foreign, xs: Foreign, **_: Foreign) -> Foreign:
    """Reference of lax.map: a loop over the leading axis."""
    import jax

    number = _shape(jax.tree_util.tree_leaves(xs)[0])[0]
    results = [f(jax.tree_util.tree_map(lambda leaf, turn=turn: leaf[turn], _arrays(xs))) for turn in range(number)]
    return _stacked(results, 0)


def primals(real: Foreign, fun: Foreign, *arguments: Foreign, **options: Foreign) -> Foreign:
    """Reference of vjp and linearize: one plain call, then the real transform, unobserved."""
    fun(*arguments)
    return _unseen(real, fun, *arguments, **options)


def jvp(real: Foreign, fun: Foreign, at: Foreign, tangents: Foreign, **options: Foreign) -> Foreign:
    """Reference of jvp: one plain call, then the real jvp, unobserved."""
    fun(*at)
    return _unseen(real, fun, at, tangents, **options)


def as_arrays(
    transform: str,
    function: Foreign,
    options: Mapping[str, Foreign],
    arguments: tuple[Foreign, ...],
    keywords: dict[str, Foreign],
) -> tuple[tuple[Foreign, ...], dict[str, Foreign]]:
    """The arguments of a call, with arrays in place of the numbers that the transform would trace."""
    if transform in JITTING:
        static = _static(function, options)
        return (
            tuple(each if at in static else _strong(each) for at, each in enumerate(arguments)),
            {name: each if name in static else _strong(each) for name, each in keywords.items()},
        )
    if transform in DIFFERENTIATING:
        wanted = options.get("argnums", 0)
        chosen = (wanted,) if isinstance(wanted, int) else tuple(wanted)
        return tuple(_strong(each) if at in chosen else each for at, each in enumerate(arguments)), keywords
    if transform in BRANCHING:
        return (*arguments[:1], *(each if callable(each) else _strong(each) for each in arguments[1:])), keywords
    return arguments, keywords


def _static(function: Foreign, options: Mapping[str, Foreign]) -> set[int | str]:
    """The static parameters of a jitted function, by position and by name."""
    numbers, names = (options.get(name, ()) for name in ("static_argnums", "static_argnames"))
    found: set[int | str] = {numbers} if isinstance(numbers, int) else set(numbers or ())
    found |= {names} if isinstance(names, str) else set(names or ())
    try:
        parameters = list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return found
    for at, name in enumerate(parameters):
        if {at, at - len(parameters), name} & found:
            found |= {at, name}
    return found


def _strong(tree: Foreign) -> Foreign:
    """A tree whose numbers are arrays; the same tree if there are none in it."""
    import jax
    import jax.numpy as jnp
    import numpy as np

    kinds = (bool, int, float, complex, np.ndarray, np.generic)
    try:
        leaves, shape = jax.tree_util.tree_flatten(tree)
    except ValueError:
        return tree
    if not any(isinstance(leaf, kinds) for leaf in leaves):
        return tree
    return jax.tree_util.tree_unflatten(shape, [jnp.asarray(x) if isinstance(x, kinds) else x for x in leaves])


def _unseen(real: Foreign, *arguments: Foreign, **keywords: Foreign) -> Foreign:
    from flake8_jax.runtime.recorders import muted

    with muted():
        return real(*arguments, **keywords)


def _axes(axes: Foreign, tree: Foreign) -> list[Foreign]:
    """An axis for each leaf of a tree, from a prefix of it."""
    import jax

    found: list[Foreign] = []

    def spread(axis: Foreign, below: Foreign) -> None:
        found.extend([axis] * len(jax.tree_util.tree_leaves(below)))

    jax.tree_util.tree_map(spread, axes, tree, is_leaf=lambda axis: axis is None)
    return found


def _shape(leaf: Foreign) -> Foreign:
    import numpy as np

    return np.shape(leaf)


def _lane(leaf: Foreign, axis: int, lane: int) -> Foreign:
    index = [slice(None)] * leaf.ndim
    index[axis] = lane  # type: ignore[call-overload]
    return leaf[tuple(index)]


def _stacked(results: list[Foreign], axes: Foreign) -> Foreign:
    import jax
    import jax.numpy as jnp

    leaves, shape = jax.tree_util.tree_flatten(results[0])
    columns = zip(*(jax.tree_util.tree_leaves(result) for result in results))
    spread = _axes(axes, results[0])
    whole = [column[0] if axis is None else jnp.stack(column, axis) for column, axis in zip(columns, spread)]
    return jax.tree_util.tree_unflatten(shape, whole if leaves else [])


def _arrays(tree: Foreign) -> Foreign:
    import jax
    import jax.numpy as jnp

    return jax.tree_util.tree_map(jnp.asarray, tree)


WRAPPING: Mapping[str, Reference | None] = {
    "jax.jit": the_function,
    "jax.pmap": lanes,
    "jax.vmap": lanes,
    "jax.checkpoint": the_function,
    "jax.remat": the_function,
    "jax.ad_checkpoint.checkpoint": the_function,
    "jax.grad": call_and_real,
    "jax.value_and_grad": call_and_real,
    "jax.jacfwd": call_and_real,
    "jax.jacrev": call_and_real,
    "jax.jacobian": call_and_real,
    "jax.hessian": call_and_real,
    "jax.make_jaxpr": None,
    "jax.shard_map": None,
    "jax.experimental.shard_map.shard_map": None,
    "jax.experimental.pallas.pallas_call": None,
    "equinox.filter_jit": the_function,
    "equinox.filter_vmap": None,
    "equinox.filter_checkpoint": the_function,
    "equinox.filter_grad": call_and_real,
    "equinox.filter_value_and_grad": call_and_real,
    "flax.nnx.jit": the_function,
    "flax.nnx.remat": the_function,
    "flax.nnx.vmap": None,
    "flax.nnx.grad": call_and_real,
    "flax.nnx.value_and_grad": call_and_real,
}

APPLIED: Mapping[str, Reference | None] = {
    "jax.lax.scan": scan,
    "jax.lax.cond": cond,
    "jax.lax.switch": switch,
    "jax.lax.while_loop": while_loop,
    "jax.lax.fori_loop": fori_loop,
    "jax.lax.map": mapped,
    "jax.lax.associative_scan": None,
    "jax.eval_shape": None,
    "jax.vjp": primals,
    "jax.linearize": primals,
    "jax.jvp": jvp,
}

JITTING = frozenset(
    ("jax.jit", "jax.checkpoint", "jax.remat", "jax.ad_checkpoint.checkpoint", "flax.nnx.jit", "flax.nnx.remat")
)
DIFFERENTIATING = frozenset(
    ("jax.grad", "jax.value_and_grad", "jax.jacfwd", "jax.jacrev", "jax.jacobian", "jax.hessian", "flax.nnx.grad")
)
BRANCHING = frozenset(("jax.lax.cond", "jax.lax.switch"))
