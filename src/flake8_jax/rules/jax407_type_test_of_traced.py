"""The type of a traced argument is tested, but under `jit` every argument is a tracer.

## What it does

Reports `isinstance(x, float)`, `type(x) is int` and the like, if `x` is an argument of the jitted function itself
and all types are types of the host: numbers of Python, strings, arrays of NumPy.

```python bad
import jax


@jax.jit
def scaled(x):
    if isinstance(x, float):  # JAX407: `isinstance(x, float)` has one answer
        return x * 2
    return x
```

## Why it is bad

Silent. The test is false whatever is passed, because `jit` hands in a tracer: the same call without `jit` takes
the other branch, and nothing says so.

## Instead

Ask for the dtype or the shape, which tracers have; test the type before the jitted function is called; or declare the
argument static.

```python good
import jax
import jax.numpy as jnp


@jax.jit
def scaled(x):
    if jnp.issubdtype(x.dtype, jnp.floating):
        return x * 2
    return x
```

## When it stays silent

On tests for `jax.Array`, tracers and containers; on tests that guard another one (`and`); on static arguments; in
helpers, which may be called with values of the host too, and in functions that are called so beside `jax.jit(f)`; in
eager code.

## Fix safety

No fix is applied: which branch was meant for arrays is not known.

## References

- [`jax.jit`](https://docs.jax.dev/en/latest/_autosummary/jax.jit.html)
- [Abstract tracers](https://docs.jax.dev/en/latest/errors.html#abstract-vs-concrete)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.context import chain_notes, explain
from flake8_jax.analysis.checks.type_tests import TracerTyped
from flake8_jax.rules.rule import Reporter, Rule

RULE = Rule(
    code="JAX407",
    name="type-test-of-traced",
    since="0.1",
    group="values",
    hazard="eager_differs",
    fix="ask for the dtype, or test before the call",
    status="on",
)


def check(event: TracerTyped, report: Reporter) -> None:
    """A test of a tracer for a type of the host."""
    what = f"`{event.test}` has one answer, whatever is passed" if event.test else "this `case` never matches"
    dtype = f"`{event.subject}.dtype`" if event.subject.isidentifier() else "its `dtype`"
    instead = "use `jax.Array`, which tracers are" if "ndarray" in event.test else f"use {dtype}"
    if event.is_truth:
        instead = "choose by `jnp.where` or `jax.lax.cond`"
    static = ", or declare it static" if event.is_argument and "ndarray" not in event.test else ""
    report(event.op, f"{what}, as {explain(event)}; {instead}, or test before the call{static}", chain_notes(event))
