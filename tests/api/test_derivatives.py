"""What is stated of derivatives is what JAX does: how they are taken, what refuses them, where they are not finite."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.experimental
import jax.numpy as jnp
import numpy as np
import pytest

from flake8_jax.api import stated
from flake8_jax.api.singular import parse_singular
from tests.api.test_contracts import named

LIBRARY: Any = jax
X = np.float32(1.5)
SCALAR = LIBRARY.ShapeDtypeStruct((), jnp.float32)
REFUSED = (TypeError, ValueError, NotImplementedError)
MODES = stated.read().plain["modes"]
REFUSING = stated.read().plain["refusing"]

Function = Callable[..., Any]


def loop(x: Any) -> Any:
    """A loop of which nobody knows how often it turns."""
    return LIBRARY.lax.while_loop(lambda v: v < 3, lambda v: v + 1, x)


@jax.custom_vjp  # type: ignore[untyped-decorator,unused-ignore]
def backward(x: Any) -> Any:
    """A function with a rule for reverse mode."""
    return x * x


backward.defvjp(lambda x: (x * x, x), lambda x, g: (2 * x * g,))


def plain(x: Any) -> Any:
    """A function that all modes take."""
    return x * x


def by_pair(transform: Function, function: Function) -> None:
    transform(function, (X,), (X,))


def by_pullback(transform: Function, function: Function) -> None:
    transform(function, X)[1](jnp.ones(()))


def in_module(run: Callable[[Any, Any], Any]) -> None:
    """Run something in a module of linen."""
    linen: Any = pytest.importorskip("flax.linen")

    class Module(linen.Module):  # type: ignore[misc]
        __call__ = linen.compact(run)

    Module().init(jax.random.key(0), X)


def by_state(transform: Function, function: Function) -> None:
    optimizer = named("optax.lbfgs")()
    transform(function)(X, state=optimizer.init(X))


def of_module(transform: Function, function: Function) -> None:
    in_module(lambda module, x: transform(lambda _, at: function(at), module, x))


def pair_of_module(transform: Function, function: Function) -> None:
    in_module(lambda module, x: transform(lambda _, at: function(at), module, (x,), (x,), {}))


def pullback_of_module(transform: Function, function: Function) -> None:
    in_module(lambda module, x: transform(lambda _, at: function(at), module, x)[1](jnp.ones(())))


CALLS: dict[str, Callable[[Function, Function], object]] = {
    "jvp": by_pair, "filter_jvp": by_pair, "vjp": by_pullback, "filter_vjp": by_pullback,
    "linearize": lambda transform, function: transform(function, X)[1](X),
    "flax.linen.grad": of_module, "flax.linen.value_and_grad": of_module, "flax.linen.jvp": pair_of_module,
    "flax.linen.vjp": pullback_of_module, "optax.value_and_grad_from_state": by_state,
    "jax.scipy.optimize.minimize": lambda transform, function: transform(
        lambda at: function(at[0]), jnp.ones(1), method="BFGS"
    ),
    "flax.nnx.jvp": lambda transform, function: transform(function, (X,), (X,), graph=False),
    "flax.nnx.vjp": lambda transform, function: transform(function, X, graph=False)[1](jnp.ones(())),
}  # fmt: skip
"""How transforms are called, by their name or its last part; else the function first, then it on a number."""

NOT_RUN = {
    "brax.training.gradients.gradient_update_fn": "brax is not installed here; it calls `value_and_grad`",
    "brax.training.gradients.loss_and_pgrad": "the same",
    "flax.core.lift.jvp": "what `flax.linen.jvp` calls",
    "flax.core.lift.value_and_grad": "what `flax.linen.value_and_grad` calls",
    "flax.core.lift.vjp": "what `flax.linen.vjp` calls",
    "haiku.grad": "haiku is not installed here; it calls `jax.grad`",
    "haiku.value_and_grad": "the same",
    "haiku.fori_loop": "it calls that of `jax.lax`",
    "haiku.while_loop": "the same",
    "numpyro.util.fori_loop": "numpyro is not installed here; it calls that of `jax.lax`",
    "numpyro.util.while_loop": "the same",
}
OWN = ("own rule", "own backward")


def differentiate(name: str, function: Function) -> str:
    """What comes of a derivative of a function by a transform: "refused", or nothing."""
    call = CALLS.get(name, CALLS.get(name.rpartition(".")[2], lambda transform, function: transform(function)(X)))
    try:
        call(named(name), function)
    except REFUSED:
        return "refused"
    return ""


@pytest.mark.parametrize("name", [name for name, mode in MODES.items() if mode not in OWN and name not in NOT_RUN])
def test_derivatives_are_taken_in_the_mode_that_is_stated(name: str) -> None:
    pytest.importorskip(name.partition(".")[0])
    refuses_loop = MODES[name] in ("reverse", "forward over reverse")
    assert differentiate(name, plain) == ""
    assert differentiate(name, loop) == ("refused" if refuses_loop else "")
    assert differentiate(name, backward) == ("" if refuses_loop else "refused")


def rules() -> dict[str, tuple[Function, tuple[Any, ...]]]:
    """Functions with a rule of their own around a loop, or a callback, with arguments."""
    ruled = LIBRARY.custom_jvp(loop)
    ruled.defjvp(lambda primals, tangents: (loop(*primals), tangents[0]))
    back = LIBRARY.custom_vjp(loop)
    back.defvjp(lambda x: (loop(x), None), lambda _, g: (g,))
    found: dict[str, tuple[Function, tuple[Any, ...]]] = {
        "jax.custom_jvp": (ruled, (X,)), "jax.custom_vjp": (back, (X,)),
        "jax.custom_gradient": (LIBRARY.custom_gradient(lambda x: (loop(x), lambda g: (g,))), (X,)),
        "jax.experimental.ode.odeint": (
            lambda x: named("jax.experimental.ode.odeint")(lambda y, t: -y, x, jnp.arange(3.0))[-1], (X,)
        ),
        "jax.lax.custom_root": (
            lambda x: LIBRARY.lax.custom_root(lambda a: a - x, x, lambda f, a: loop(a), lambda g, y: y / g(1.0)), (X,)
        ),
        "jax.lax.custom_linear_solve": (
            lambda x: LIBRARY.lax.custom_linear_solve(lambda a: 2 * a, x, lambda _, b: loop(b), lambda _, b: b / 2),
            (X,),
        ),
    }  # fmt: skip
    try:
        equinox = named("equinox")
    except ImportError:
        return found
    filtered = equinox.filter_custom_jvp(loop)
    filtered.def_jvp(lambda primals, tangents: (loop(*primals), tangents[0]))
    found["equinox.filter_custom_jvp"] = filtered, (X,)
    filtered = equinox.filter_custom_vjp(loop)
    filtered.def_fwd(lambda perturbed, x: (loop(x), None))
    filtered.def_bwd(lambda kept, g, perturbed, x: g)
    found["equinox.filter_custom_vjp"] = filtered, (X,)
    return found


@pytest.mark.parametrize("name", [name for name, mode in MODES.items() if mode in OWN])
def test_rules_of_their_own_take_the_derivative(name: str) -> None:
    pytest.importorskip(name.partition(".")[0])
    function, arguments = rules()[name]
    jax.grad(function)(*arguments)
    if MODES[name] == "own backward":
        with pytest.raises(REFUSED):
            jax.jvp(function, arguments, arguments)
    else:
        jax.jvp(function, arguments, arguments)


def turns(name: str, bound: Any) -> Function:
    """A function that goes through a loop, or a callback."""
    transform = named(name)
    if name == "flax.linen.while_loop":
        return lambda x: transform(lambda _, v: v < 3, lambda _, v: v + 1, None, x)
    if name == "equinox.filter_pure_callback":
        return lambda x: transform(np.float32, x, result_shape_dtypes=SCALAR)
    if "callback" in name:
        return lambda x: transform(np.float32, SCALAR, x)
    if "fori_loop" in name:
        return lambda x: transform(0, bound, lambda i, v: v * x, x)
    return lambda x: transform(lambda v: v < 3, lambda v: v + 1, x)


@pytest.mark.parametrize("name", [one for one in REFUSING if one not in NOT_RUN and "linen" not in one])
def test_derivatives_are_refused_where_it_is_stated(name: str) -> None:
    pytest.importorskip(name.partition(".")[0])
    refuses, traced = REFUSING[name], LIBRARY.jit(lambda x, n: jax.grad(turns(name, n))(x))
    with pytest.raises(REFUSED):
        traced(X, 3)
    if refuses == "counted":
        jax.grad(turns(name, 3))(X)
    if refuses == "callback":
        with pytest.raises(REFUSED):
            jax.jvp(turns(name, 3), (X,), (X,))
    else:
        jax.jvp(turns(name, 3), (X,), (X,))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("name", stated.read().singular)
def test_derivatives_are_not_finite_where_it_is_stated(name: str) -> None:
    pytest.importorskip(name.partition(".")[0])
    row, function = parse_singular(stated.read().singular[name]), named(name)

    def at(number: float) -> tuple[Any, Any]:
        x = jnp.full((2,), number, jnp.float32) if row.is_whole else jnp.float32(number)
        return function(x), jax.grad(function)(x)

    values = [at(point) for point in row.points]
    assert not any(np.all(np.isfinite(slope)) for _, slope in values)
    assert np.all(np.isfinite(at(float(row.safe))[1]))
    assert not row.is_zero or values[0][0] == 0
    assert row.is_nan is any(np.isnan(value) for value, _ in values)


def test_ordered_callbacks_are_not_mapped() -> None:
    callback = named("jax.experimental.io_callback")
    mapped: Any = jax.vmap(lambda x: callback(np.float32, SCALAR, x, ordered=True))
    with pytest.raises(ValueError, match="ordered"):
        mapped(np.ones(2, np.float32))


@pytest.mark.parametrize("name", stated.read().plain["writing"]["jax.ref"].split())
def test_references_of_all_lanes_are_not_written(name: str) -> None:
    references: Any = pytest.importorskip("jax.ref")

    def put(reference: Any, x: Any) -> Any:
        getattr(references, name)(reference, ..., x)
        return x

    x = jnp.ones(2)
    jax.vmap(put)(references.new_ref(jnp.zeros(2)), x)
    with pytest.raises(Exception, match="unbatched array reference"):
        jax.vmap(put, in_axes=(None, 0))(references.new_ref(jnp.zeros(())), x)


def test_what_is_not_run_is_stated() -> None:
    assert NOT_RUN.keys() <= MODES.keys() | REFUSING.keys()
