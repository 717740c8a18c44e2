"""A shape, size, axis or bound is a traced value, but JAX compiles for known shapes.

## What it does

Reports arguments of functions and methods of JAX that must be known while tracing (shapes, sizes, axes, `num`, `k`,
numbers of classes; which they are was measured) and bounds of slices of arrays, if they depend on a traced value, there
or in a helper that traced code calls.

```python bad
import jax
import jax.numpy as jnp


@jax.jit
def ramp(x, n):
    return x.sum() * jnp.arange(n)  # JAX410: `jnp.arange` needs the value of `n` while tracing
```

## Why it is bad

Loud. `TypeError`, `ConcretizationTypeError` or `IndexError`, when the function is first called: XLA compiles a program
for arrays of known shapes, so that this program cannot compute the shapes itself.

## Instead

Declare the argument static, take the number from a shape (`x.shape[0]`), compute it with Python's integers or
`math`, cut pieces of a known size (`lax.dynamic_slice`), or keep the full shape and mask (`jnp.where`).

```python good
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames=("n",))
def ramp(x, n):
    return x.sum() * jnp.arange(n)
```

## When it stays silent

On shapes, `len`, static arguments and other values of the host; on parameters that JAX allows to be traced (`roll`,
`lax.dynamic_slice`'s start); in eager code; in functions that nobody is seen to trace; on everything that is not known
to be an array. An argument that is an `int` by its annotation, its default or its calls is JAX406.

## Fix safety

No fix is applied: a static argument compiles again for each value.

## References

- [Dynamic shapes](https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html)
- [`ConcretizationTypeError`](https://docs.jax.dev/en/latest/errors.html#jax.errors.ConcretizationTypeError)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.concrete import TracerConcretized
from flake8_jax.analysis.checks.context import chain_notes, explain
from flake8_jax.rules.rule import Reporter, Rule

RULE = Rule(
    code="JAX410",
    name="traced-shape",
    since="0.1",
    group="values",
    hazard="raises:TypeError",
    also=(
        "raises:ConcretizationTypeError",
        "raises:IndexError",
        "raises:TracerBoolConversionError",
    ),
    fix="declare the argument static, or take the number from a shape",
    status="on",
)

FORMS = {
    "shape": "`{1}` needs the value of `{0}` while tracing",
    "bound": "a slice of an array needs the value of its bound `{0}` while tracing",
}


def check(event: TracerConcretized, report: Reporter) -> None:
    """A tracer that decides on a shape."""
    if event.form in FORMS and event.is_of_argument:
        what = FORMS[event.form].format(event.subject, event.by)
        report(event.op, f"{what}, but {explain(event)}", chain_notes(event), remedy=event)
