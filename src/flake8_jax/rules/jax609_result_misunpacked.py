"""The result of a transform is unpacked into other parts than it has, or in another order.

## What it does

Reports results of `grad`, `value_and_grad`, `scan`, `vjp`, `jvp` and `linearize`, and of an optimizer's `update`, that
are unpacked into too few or too many names, or whose names say that the parts are in another order; and gradients
alone that are unpacked as a value with its gradient; and transformed functions that are unpacked before they are
called. And all parts together where one of them is meant: the pair that `scan` gives is multiplied with a number,
compared, handed to a function of JAX, asked for its `.sum()`.

Reports what a network of Flax gets for its variables where that is one layer too deep or too few: all that `init` gives
under `params`, one collection alone, an array. And results of `apply` that are used as one array under `mutable`, which
makes a pair of them, or unpacked as a pair without it.

```python bad
import jax
import jax.numpy as jnp


def loss_fn(params):
    return jnp.sum(params["w"] ** 2)


params = {"w": jnp.ones(2)}
loss, grads = jax.grad(loss_fn)(params)  # JAX609: is the gradient alone
```

## Why it is bad

Loud. Too many parts raise `ValueError`; the gradient by a dict is a dict, whose keys are unpacked without an error, and
parts in the wrong order fail later, in another line, or broadcast against each other.

## Instead

`value_and_grad` gives the value first, with `has_aux=True` the pair of value and auxiliary data; `scan` the carry
first, `vjp` the value, `update` the updates.

```python good
import jax
import jax.numpy as jnp


def loss_fn(params):
    return jnp.sum(params["w"] ** 2)


params = {"w": jnp.ones(2)}
loss, grads = jax.value_and_grad(loss_fn)(params)
```

## When it stays silent

Where names do not say what they are for; on gradients of tuples and arrays, and of several arguments
(`argnums=(0, 1)`); under `has_aux` that is not written out; on starred targets; on variables that have been changed
since `init` gave them, or come from elsewhere.

## Fix safety

Unsafe: names are put in the order of the parts, or `grad` becomes `value_and_grad`.

## References

- [`jax.value_and_grad`](https://docs.jax.dev/en/latest/_autosummary/jax.value_and_grad.html)
- [`jax.lax.scan`](https://docs.jax.dev/en/latest/_autosummary/jax.lax.scan.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.context import advised, chain_notes
from flake8_jax.analysis.checks.contracts.unpacked import ResultMisunpacked
from flake8_jax.rules.rule import Reporter, Rewrite, Rule

RULE = Rule(
    code="JAX609",
    name="result-misunpacked",
    since="0.1",
    group="contracts",
    hazard="raises:ValueError",
    also=(
        "raises:TypeError", "raises:AttributeError", "raises:KeyError", "raises:ScopeCollectionNotFound",
        "raises:ApplyScopeInvalidVariablesStructureError", "raises:ApplyScopeInvalidVariablesTypeError",
    ),
    fix="unpack what the call gives",
    status="on",
)  # fmt: skip


def check(event: ResultMisunpacked, report: Reporter) -> None:
    """A result that is unpacked in another way than it is made."""
    report(event.op, event.said, chain_notes(event), remedy=advised(event.instead, event.rewrite, event.words))


def fix(event: ResultMisunpacked) -> Rewrite | None:
    """The names in the order of the parts."""
    return event.rewrite
