"""A gradient is taken of a function that does not return one floating number.

## What it does

Reports `jax.grad`, `jax.value_and_grad` and their like of functions that return a tuple, a dict, nothing, a vector, an
integer or a complex number; of functions that return a pair where `has_aux` is not set, and no pair where it is; and
`jax.jacrev` and `jax.hessian` of functions that return nothing, or integers, booleans or complex numbers in a tree.

```python bad
import jax
import jax.numpy as jnp


def loss(params, x):
    error = params * x
    return jnp.mean(error**2), error


grads = jax.grad(loss)(1.0, jnp.ones(2))  # JAX601: `loss` returns a tuple of 2
```

## Why it is bad

Loud. `TypeError: Gradient only defined for scalar-output functions`, in the first call; the message shows tracers, and
comes from inside JAX.

## Instead

What is beside the loss goes second in a pair, and `has_aux=True` says so. A vector of losses is summed or averaged; the
derivative of each of its entries is `jax.jacrev`.

```python good
import jax
import jax.numpy as jnp


def loss(params, x):
    error = params * x
    return jnp.mean(error**2), error


grads, error = jax.grad(loss, has_aux=True)(1.0, jnp.ones(2))
```

## When it stays silent

Where it is not known what the function returns, or only on some paths; where the value of `has_aux` is not known; with
`holomorphic` and `allow_int`; where `pytest.raises` or a `try` expects the error.

## Fix safety

There is no fix: the callers of the gradient have to take another result apart.

## References

- [Automatic differentiation](https://docs.jax.dev/en/latest/automatic-differentiation.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.context import chain_notes
from flake8_jax.analysis.checks.contracts.differentiated import NotScalar
from flake8_jax.rules.rule import Reporter, Rule

RULE = Rule(
    code="JAX601",
    name="grad-of-non-scalar",
    since="0.1",
    group="contracts",
    hazard="raises:TypeError",
    also=("raises:ValueError",),
    fix="set `has_aux=True`, or return one number",
    status="on",
)


def check(event: NotScalar, report: Reporter) -> None:
    """A differentiated function that returns no floating scalar."""
    function = "the lambda" if "<lambda>" in event.function else f"`{event.function}`"
    if event.fault == "no pair":
        message = f"`has_aux=True` says that {function} returns a pair, but it returns {event.given}"
        is_longer = event.given.startswith("a tuple of ")
        instead = "leave out `has_aux`, and unpack what comes back as it is then"
        instead = "return the loss and one tuple of the rest" if is_longer else instead
        instead = "return the loss and what is beside it" if event.given == "None" else instead
        report(event.op, f"{message}: `{event.transform}` refuses it; {instead}", chain_notes(event))
        return
    due = "floating numbers" if event.fault in OF_TREES else "one number"
    message = f"{function} returns {event.given}, but `{event.transform}` takes functions that return {due}"
    report(event.op, f"{message}; {INSTEAD[event.fault]}", chain_notes(event))


OF_TREES = frozenset(("part", "nothing"))
INSTEAD: dict[str, str] = {
    "pair": "set `has_aux=True` if the first part is the loss, one number, and unpack the rest from what comes back",
    "structure": "return the loss alone, or `(loss, rest)` with `has_aux=True`",
    "shape": "return its sum or mean, or use `jax.jacrev`",
    "dtype": "return a floating number",
    "part": "make it floating numbers, or leave it out",
    "nothing": "return the result",
}
