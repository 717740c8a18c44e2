"""A function needs the value of an array that it computes, and works until somebody traces it.

## What it does

Reports tests, loops, indices and functions of `math` that need the value of an array which the function itself
computes of its arguments, where nobody is seen to trace the function and its result is made of arrays too. Python
code that is run as it stands works; what calls it under `jax.jit`, `jax.vmap` or `jax.lax.scan` does not.

```python bad
import jax.numpy as jnp


def unit(x):
    length = jnp.linalg.norm(x)
    if length > 0:  # JAX409: breaks once `unit` is traced
        x = x / length
    return x
```

## Why it is bad

Loud. `TracerBoolConversionError` and its relatives, in other people's code and far from the line that needs the value:
who jits a loss that normalizes its inputs has to read the library to learn why it cannot be jitted.

## Instead

Write it so that it can be traced: `jnp.where`, `lax.cond`, `lax.while_loop`. Or convert the value where the function
is meant for the host: `if float(length) > 0` tells the reader so, and is silent here.

```python good
import jax.numpy as jnp


def unit(x):
    length = jnp.linalg.norm(x)
    return jnp.where(length > 0, x / jnp.where(length > 0, length, 1), x)
```

## When it stays silent

In functions that are traced here, where the cause is JAX401 to JAX405; in scripts (files that end with a block for
`__main__`), in test files and in functions such as `main` and `train`; in functions that print, convert (`float`,
`.item`, `np.asarray`) or return no arrays; on tests that only lead to an error, and on what a flag turns on; on
arguments that nothing shows to be arrays. The option `assume-traced` names functions that users trace: there JAX401
to JAX405 speak.

## Fix safety

No fix is applied: both arms of `jnp.where` are computed, which may not be what an early exit is for.

## References

- [Control flow](https://docs.jax.dev/en/latest/control-flow.html)
- [`TracerBoolConversionError`](https://docs.jax.dev/en/latest/errors.html#jax.errors.TracerBoolConversionError)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.breaking import BreaksUnderTrace
from flake8_jax.rules.rule import Reporter, Rule

RULE = Rule(
    code="JAX409",
    name="breaks-under-trace",
    since="0.1",
    group="values",
    hazard="raises:TracerBoolConversionError",
    also=(
        "raises:TracerIntegerConversionError",
        "raises:TracerArrayConversionError",
        "raises:ConcretizationTypeError",
        "raises:TypeError",
    ),
    fix="select with `jnp.where` or branch with `lax.cond`",
    status="strict",
    in_tests=False,
)

FORMS = {
    "ternary": "a conditional expression needs the truth of `{0}`",
    "comprehension": "the filter of a comprehension needs the truth of `{0}`",
    "filter": "`filter` needs the truth of what `{0}` gives",
    "range": "`range` needs the integer `{0}`",
    "index": "a Python sequence or dict is indexed by `{0}`",
    "numpy index": "an array of NumPy is indexed by `{0}`",
    "slice": "a Python sequence is cut at `{0}`",
    "repeat": "a Python sequence is repeated `{0}` times",
    "math": "`{1}` needs the value of `{0}`",
}
OF_TRUTH = "`{2}` needs the truth of `{0}`"


def check(event: BreaksUnderTrace, report: Reporter) -> None:
    """An array whose value Python needs, in a function that nobody is seen to trace."""
    what = FORMS.get(event.form, OF_TRUTH).format(event.subject, event.by, event.form)
    report(event.op, f"{what}, which breaks once `{event.function}` is traced", remedy=event)
