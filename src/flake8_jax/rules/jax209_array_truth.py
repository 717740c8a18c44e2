"""Python asks an array of several elements whether it is true, but it has one answer for each of them.

## What it does

Reports tests, `and`, `or`, `not`, chained comparisons and `bool` of arrays that are known to have more than one
element. Also of `x > 0 & x < 3`, which Python reads as `x > (0 & x) < 3`.

```python bad
import jax.numpy as jnp

x = jnp.arange(3)
if x > 1:  # JAX209: `x > 1` has 3 elements
    print("large")
```

## Why it is bad

Loud. `ValueError: The truth value of an array with more than one element is ambiguous`, as soon as the line runs, in
eager code as well as in traced code.

## Instead

Say which answer is meant (`jnp.any`, `jnp.all`), or combine the elements with the operators on arrays, each comparison
in parentheses.

```python good
import jax.numpy as jnp

x = jnp.arange(3)
if jnp.any(x > 1):
    print("large")
```

## When it stays silent

On arrays of one element or of unknown size; on `any`, `all`, `min` and `max` of Python, which take the elements one by
one; in traced code, where the test itself is JAX401 or JAX402.

## Fix safety

No fix is applied: whether one or all elements are meant is not said.

## References

- [`jax.numpy.any`](https://docs.jax.dev/en/latest/_autosummary/jax.numpy.any.html)
- [`jax.numpy.all`](https://docs.jax.dev/en/latest/_autosummary/jax.numpy.all.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.context import chain_notes, ending
from flake8_jax.analysis.checks.truths import ArrayTruth
from flake8_jax.rules.rule import Reporter, Rule

RULE = Rule(
    code="JAX209",
    name="array-truth",
    since="0.1",
    group="arrays",
    hazard="raises:ValueError",
    fix="say `jnp.any` or `jnp.all`",
    status="strict",
)

FORMS = {
    "ternary": "a conditional expression",
    "comprehension": "the filter of a comprehension",
    "chain": "a chain of comparisons",
}


def check(event: ArrayTruth, report: Reporter) -> None:
    """An array of several elements that is asked for one truth."""
    what = FORMS.get(event.form, f"`{event.form}`")
    report(
        event.op,
        f"{what} needs one truth, but `{event.subject}` has {event.count} elements{ending(event.instead)}",
        chain_notes(event),
    )
