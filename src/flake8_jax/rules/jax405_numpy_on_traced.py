"""NumPy is called on a traced value, but it computes with numbers, not with tracers.

## What it does

Reports functions of NumPy and SciPy that get an array inside traced code, there or in a helper that traced code calls,
also in a list (`np.sum([x, y])`), and NumPy arrays that are indexed by one. Which functions refuse tracers was
measured.

```python bad
import jax
import numpy as np


@jax.jit
def normalized(x):
    return x / np.linalg.norm(x)  # JAX405: `np.linalg.norm` gets `x`
```

## Why it is bad

Loud. `TracerArrayConversionError`, when the function is first called: NumPy asks for the numbers, and while JAX traces
there are none. Under bare `grad` too.

## Instead

The function of the same name in `jax.numpy`, `jax.random` or `jax.scipy`; `jax.pure_callback` where there is none.

```python good
import jax
import jax.numpy as jnp


@jax.jit
def normalized(x):
    return x / jnp.linalg.norm(x)
```

## When it stays silent

On functions that only ask the array for a method of its own, as `np.shape`, `np.ndim` and `np.sum` do; on constants,
shapes and static arguments; in callbacks; in eager code; in functions that nobody is seen to trace; on everything that
is not known to be an array.

## Fix safety

No fix is applied: functions of the same name differ in dtypes and options.

## References

- [`TracerArrayConversionError`](https://docs.jax.dev/en/latest/errors.html#jax.errors.TracerArrayConversionError)
- [Differences from NumPy](https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.concrete import TracerConcretized
from flake8_jax.analysis.checks.context import chain_notes, explain
from flake8_jax.rules.rule import Reporter, Rule

RULE = Rule(
    code="JAX405",
    name="numpy-on-traced",
    since="0.1",
    group="values",
    hazard="raises:TracerArrayConversionError",
    also=(
        "raises:ValueError",
        "raises:TracerIntegerConversionError",
        "raises:ConcretizationTypeError",
        "raises:TypeError",
    ),
    fix="use the function of `jax.numpy`",
    status="on",
)

FORMS = {
    "numpy": "`{1}` gets `{0}`",
    "numpy index": "an array of NumPy is indexed by `{0}`",
    "numpy item": "an array of NumPy stores `{0}`",
}


def check(event: TracerConcretized, report: Reporter) -> None:
    """A tracer that NumPy gets."""
    if event.form in FORMS and not event.is_of_host:
        what = FORMS[event.form].format(event.subject, event.by)
        report(event.op, f"{what}, but {explain(event)}", chain_notes(event), remedy=event)
