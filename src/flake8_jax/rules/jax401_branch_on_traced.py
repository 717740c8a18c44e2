"""Python branches on a traced value, but a tracer has no truth.

## What it does

Reports the test of an `if`, `elif`, `while`, `assert`, conditional expression, `case` or comprehension that is an
array inside traced code, there or in a helper that traced code calls.

```python bad
import jax


@jax.jit
def relu(x):
    if x > 0:  # JAX401: `x` is traced: `relu` is jitted
        return x
    return 0.0
```

## Why it is bad

Loud. `TracerBoolConversionError`, when the function is first called: JAX traces it with abstract values, so Python
cannot know which arm to take. The same code works without `jit`, so that tests of the helper alone pass.

## Instead

Compute both arms and select (`jnp.where`), or branch in the compiled code (`lax.cond`, `lax.switch`,
`lax.while_loop`, `checkify.check`). If the value is known before the call, declare it static.

```python good
import jax
import jax.numpy as jnp


@jax.jit
def relu(x):
    return jnp.where(x > 0, x, 0.0)
```

## When it stays silent

On `is None`, shapes, `ndim`, `dtype`, `size`, `len`, `isinstance`, `hasattr` and `callable`; on static arguments and
attributes of objects; on the truth of lists, tuples and dicts; on parameters that `vmap` does not map; under bare
`grad`; in functions that nobody is seen to trace; where a field (`if self.jit:`) chooses between this and control flow
of JAX; on everything that is not known to be an array.

## Fix safety

No fix is applied: both arms of `jnp.where` are computed, which may not be what an early exit is for.

## References

- [Control flow](https://docs.jax.dev/en/latest/control-flow.html)
- [`TracerBoolConversionError`](https://docs.jax.dev/en/latest/errors.html#jax.errors.TracerBoolConversionError)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.concrete import TracerConcretized
from flake8_jax.analysis.checks.context import chain_notes, explain
from flake8_jax.rules.rule import Reporter, Rule

RULE = Rule(
    code="JAX401",
    name="branch-on-traced",
    since="0.1",
    group="values",
    hazard="raises:TracerBoolConversionError",
    fix="select with `jnp.where` or branch with `lax.cond`",
    status="on",
)

FORMS = {
    **{form: f"`{form}` needs the truth of `{{}}`" for form in ("if", "elif", "while", "assert", "case")},
    "ternary": "a conditional expression needs the truth of `{}`",
    "comprehension": "the filter of a comprehension needs the truth of `{}`",
    "pattern": "a `case` compares `{}` with its pattern",
}


def check(event: TracerConcretized, report: Reporter) -> None:
    """A tracer that is asked for its truth."""
    if event.form in FORMS and event.is_of_argument:
        what = FORMS[event.form].format(event.subject)
        report(event.op, f"{what}, but {explain(event)}", chain_notes(event), remedy=event)
