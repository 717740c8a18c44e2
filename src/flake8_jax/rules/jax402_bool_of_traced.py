"""Python asks a traced value for its truth inside an expression, but a tracer has none.

## What it does

Reports `and`, `or`, `not`, chained comparisons, `in`, `bool()`, `any`, `all`, `min`, `max`, `sorted`,
the search in a list (`sort`, `index`, `bisect`) on an array inside traced code, there or in a helper that traced code
calls. Statements that branch are JAX401.

```python bad
import jax


@jax.jit
def clipped(x, limit):
    return min(x.sum(), limit)  # JAX402: `min` needs the truth of comparisons with `x.sum()`
```

## Why it is bad

Loud. `TracerBoolConversionError`, when the function is first called: these operators choose one of their operands by
its truth, and a tracer stands for all values at once. The same code works without `jit`.

## Instead

Their counterparts on arrays: `&`, `|` and `~` between comparisons in parentheses, `jnp.logical_and`, `jnp.isin`,
`jnp.any`, `jnp.minimum`, `jnp.sort`.

```python good
import jax
import jax.numpy as jnp


@jax.jit
def clipped(x, limit):
    return jnp.minimum(x.sum(), limit)
```

## When it stays silent

On static arguments, shapes, `len`, `is`, strings and names of dicts; on the truth of lists, tuples and dicts; on
parameters that `vmap` does not map; under bare `grad`; in functions that nobody is seen to trace; on everything that is
not known to be an array. A flag that only lacks `static_argnames` is JAX406.

## Fix safety

No fix is applied: `and` and `or` leave their second operand unevaluated, the operators on arrays do not.

## References

- [Control flow](https://docs.jax.dev/en/latest/control-flow.html)
- [`TracerBoolConversionError`](https://docs.jax.dev/en/latest/errors.html#jax.errors.TracerBoolConversionError)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.concrete import TracerConcretized
from flake8_jax.analysis.checks.context import chain_notes, explain
from flake8_jax.rules.rule import Reporter, Rule

RULE = Rule(
    code="JAX402",
    name="bool-of-traced",
    since="0.1",
    group="values",
    hazard="raises:TracerBoolConversionError",
    also=("raises:ConcretizationTypeError",),
    fix="use the operator or function on arrays",
    status="on",
)

FORMS = {
    **{form: f"`{form}` needs the truth of `{{}}`" for form in ("not", "and", "or", "bool", "any", "all")},
    **{form: f"`{form}` needs the truth of comparisons with `{{}}`" for form in ("min", "max", "sorted")},
    "filter": "`filter` needs the truth of what `{}` gives",
    "chain": "the chained comparison `{}` needs the truth of its first part",
    "in": "`{}` needs the truth of comparisons",
}


def check(event: TracerConcretized, report: Reporter) -> None:
    """A tracer that is asked for its truth inside an expression."""
    if event.form in FORMS and event.is_of_argument:
        what = FORMS[event.form].format(event.subject)
        report(event.op, f"{what}, but {explain(event)}", chain_notes(event), remedy=event)
