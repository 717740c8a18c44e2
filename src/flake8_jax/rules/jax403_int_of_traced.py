"""Python needs an integer of a traced value, but a tracer has none.

## What it does

Reports `int()`, `range()`, the index or the bound of a slice of a list or tuple, and `operator.index` on an array
inside traced code, there or in a helper that traced code calls.

```python bad
import jax


@jax.jit
def summed(x, n):
    total = 0.0
    for i in range(n):  # JAX403: `range` needs the integer `n`
        total += x[i]
    return total
```

## Why it is bad

Loud. `TracerIntegerConversionError` or `ConcretizationTypeError`, when the function is first called: a loop, a list
and an index of Python need the number itself while JAX traces, before there is one.

## Instead

Loop in the compiled code (`lax.fori_loop`, `lax.scan`), make an array of the list before it is indexed, or declare
the argument static if it takes few values.

```python good
import jax
from jax import lax


@jax.jit
def summed(x, n):
    return lax.fori_loop(0, n, lambda i, total: total + x[i], 0.0)
```

## When it stays silent

On shapes, `len`, `ndim` and other integers of the host; on static arguments; `int()` under bare `grad`; in functions
that nobody is seen to trace; on everything that is not known to be an array. An argument that is an `int` by its
annotation, its default or its calls is JAX406.

## Fix safety

No fix is applied: a loop of JAX carries its variables, which is another program.

## References

- [Control flow](https://docs.jax.dev/en/latest/control-flow.html)
- [`TracerIntegerConversionError`](https://docs.jax.dev/en/latest/errors.html#jax.errors.TracerIntegerConversionError)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.concrete import TracerConcretized
from flake8_jax.analysis.checks.context import chain_notes, explain
from flake8_jax.rules.rule import Reporter, Rule

RULE = Rule(
    code="JAX403",
    name="int-of-traced",
    since="0.1",
    group="values",
    hazard="raises:TracerIntegerConversionError",
    also=(
        "raises:ConcretizationTypeError",
        "raises:TypeError",
    ),
    fix="loop in JAX, index an array, or declare the argument static",
    status="on",
)

FORMS = {
    "int": "`int` needs the value of `{}`",
    "range": "`range` needs the integer `{}`",
    "index": "a Python sequence or dict is indexed by `{}`",
    "slice": "a Python sequence is cut at `{}`",
    "repeat": "a Python sequence is repeated `{}` times",
}


def check(event: TracerConcretized, report: Reporter) -> None:
    """A tracer of which Python needs an integer."""
    if event.form in FORMS and event.is_of_argument:
        what = FORMS[event.form].format(event.subject)
        report(event.op, f"{what}, but {explain(event)}", chain_notes(event), remedy=event)
