"""A derivative is taken by an integer, a boolean or a random key.

## What it does

Reports calls of `jax.grad(f)`, `jax.value_and_grad(f)` and their like whose differentiated argument is an integer, a
boolean or a key, or holds one: a counter in a state, a table of indices; and complex ones, where the result is complex.
So with the state of a Haiku network in which a layer counts (`hk.BatchNorm`), or `hk.get_state` keeps an integer.

```python bad
import jax

slope = jax.grad(lambda x: x**2)(3)  # JAX607: `3` is int32
```

## Why it is bad

Loud. `TypeError: grad requires real- or complex-valued inputs`. That a literal lacks its point, or that one leaf of a
state is a counter, the message does not say.

## Instead

Write the number as a floating one; differentiate only by what is trained (`argnums`), and hand the rest over beside it.

```python good
import jax

slope = jax.grad(lambda x: x**2)(3.0)
```

## When it stays silent

On arguments of which the dtype is not known; with `allow_int=True`; under transforms that leave alone what is no
floating array (`equinox.filter_grad`); where `pytest.raises` or a `try` expects the error.

## Fix safety

There is no fix.

## References

- [jax.grad](https://docs.jax.dev/en/latest/_autosummary/jax.grad.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.context import chain_notes
from flake8_jax.analysis.checks.contracts.differentiated import IntegerDifferentiated
from flake8_jax.rules.rule import Reporter, Rule

RULE = Rule(
    code="JAX607",
    name="grad-of-integer",
    since="0.1",
    group="contracts",
    hazard="raises:TypeError",
    fix="hand in a floating number, or differentiate by another argument",
    status="on",
)


def check(event: IntegerDifferentiated, report: Reporter) -> None:
    """An argument by which nothing can be differentiated."""
    what = f"`{event.subject}`" if not event.part else f"`{event.part}` of `{event.subject}`"
    is_number = event.subject.isdigit()
    instead = f"hand in `{event.subject}.0`" if is_number else "hand in a floating one, or differentiate by others"
    if event.given.startswith("complex"):
        instead = "set `holomorphic=True`, or return a real number"
    message = f"{what} is {event.given}, by which `{event.transform}` does not differentiate; {instead}"
    report(event.op, message, chain_notes(event))
