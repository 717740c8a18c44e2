"""The shape of a result depends on traced values, but JAX compiles for known shapes.

## What it does

Reports boolean masks as indices (`x[mask]`, `x.at[mask]`) and functions such as `jnp.nonzero`, `jnp.unique`,
`jnp.where` with one argument and set operations without `size=`, inside traced code, there or in a helper that traced
code calls.

```python bad
import jax


@jax.jit
def positive_sum(x):
    return x[x > 0].sum()  # JAX411: the mask `x > 0` gives a shape that depends on data
```

## Why it is bad

Loud. `NonConcreteBooleanIndexError` or `ConcretizationTypeError`, when the function is first called: how many elements
there will be is known only when the program runs, but XLA compiles it for arrays of known shapes.

## Instead

Keep the shape and select (`jnp.where(mask, x, 0)`), use the `where=` of reductions, or give the largest number of
elements (`size=`).

```python good
import jax
import jax.numpy as jnp


@jax.jit
def positive_sum(x):
    return jnp.where(x > 0, x, 0).sum()
```

## When it stays silent

Where `size=` is given; on masks that are constants of NumPy; in eager code; in functions that nobody is seen to trace;
on everything that is not known to be an array of booleans.

## Fix safety

No fix is applied: which value the elements get that are left out depends on what follows.

## References

- [`NonConcreteBooleanIndexError`](https://docs.jax.dev/en/latest/errors.html#jax.errors.NonConcreteBooleanIndexError)
- [Dynamic shapes](https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.concrete import TracerConcretized
from flake8_jax.analysis.checks.context import chain_notes, explain
from flake8_jax.rules.rule import Reporter, Rule

RULE = Rule(
    code="JAX411",
    name="data-dependent-shape",
    since="0.1",
    group="values",
    hazard="raises:NonConcreteBooleanIndexError",
    also=("raises:ConcretizationTypeError",),
    fix="select with `jnp.where`, or give `size=`",
    status="on",
)

FORMS = {
    "mask": "the mask `{0}` gives a shape that depends on data",
    "size": "the result of `{1}` has a shape that depends on data",
}


def check(event: TracerConcretized, report: Reporter) -> None:
    """A tracer that decides on the shape of a result."""
    if event.form in FORMS:
        what = FORMS[event.form].format(event.subject, event.by)
        report(event.op, f"{what}, but {explain(event)}", chain_notes(event), remedy=event)
