"""jax.numpy computes with sizes, and Python needs the number: in traced code the result is a tracer.

## What it does

Reports results of `jax.numpy` and its like that are made of shapes, constants and static arguments alone, where Python
or JAX needs their value while tracing: `int`, `float`, `if`, `range`, shapes, NumPy, there or in a helper.

```python bad
import jax
import jax.numpy as jnp


@jax.jit
def halves(x):
    side = jnp.sqrt(x.shape[0])
    return x.reshape(int(side), -1)  # JAX408: `int` needs the value of `side`
```

## Why it is bad

Loud. The sizes are known, but what `jnp` makes of them inside traced code is part of the program that is traced.
`ConcretizationTypeError` or a relative of it, when the function is first called; outside of `jit` the same code works.

## Instead

`math` or `numpy`, which compute at once.

```python good
import math

import jax


@jax.jit
def halves(x):
    side = math.isqrt(x.shape[0])
    return x.reshape(side, -1)
```

## When it stays silent

In eager code and in functions that nobody is seen to trace; where the result stays an array; on what depends on a
traced argument, which the other rules of this family report.

## Fix safety

Safe, because the line raises as it is: functions of `jax.numpy` in an expression of sizes and numbers become NumPy's.
There is no fix where a part of the value was computed on another line.

## References

- [Static and traced operations](https://docs.jax.dev/en/latest/notebooks/thinking_in_jax.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.concrete import TracerConcretized
from flake8_jax.analysis.checks.context import chain_notes, explain
from flake8_jax.rules.rule import Reporter, Rewrite, Rule

RULE = Rule(
    code="JAX408",
    name="jnp-on-static",
    since="0.1",
    group="values",
    hazard="raises:ConcretizationTypeError",
    also=(
        "raises:TracerBoolConversionError",
        "raises:TracerIntegerConversionError",
        "raises:TracerArrayConversionError",
        "raises:TypeError",
    ),
    fix="compute with `math` or `numpy`",
    status="on",
)

OTHERS = frozenset(("mask", "size"))
FORMS = {
    "shape": "`{1}` needs the value of `{0}` while tracing",
    "bound": "a slice of an array needs the value of its bound `{0}` while tracing",
    "numpy": "`{1}` gets `{0}`",
    "index": "a Python sequence or dict is indexed by `{0}`",
    "numpy index": "an array of NumPy is indexed by `{0}`",
    "slice": "a Python sequence is cut at `{0}`",
    "repeat": "a Python sequence is repeated `{0}` times",
    "item": "`{1}` needs the value of the array",
    "tolist": "`{1}` needs the values of the array",
    "ternary": "a conditional expression needs the truth of `{0}`",
    **{form: f"`{form}` needs the truth of `{{0}}`" for form in ("if", "elif", "while", "assert", "not", "and", "or")},
}


def check(event: TracerConcretized, report: Reporter) -> None:
    """An array of host values of which Python needs the value."""
    if event.is_of_host and event.form not in OTHERS:
        what = FORMS.get(event.form, f"`{event.by or event.form}` needs the value of `{{0}}`")
        made = f"{what.format(event.subject, event.by)}, but {explain(event)}"
        report(event.op, made, chain_notes(event), remedy=event)


def fix(event: TracerConcretized) -> Rewrite | None:
    """NumPy computes it."""
    return event.rewrite if event.is_of_host else None
