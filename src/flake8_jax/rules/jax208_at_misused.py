"""`x.at` is used for something else than an update: nothing is stored through it, and it is no array.

## What it does

Reports assignments to `x.at[i]`, calls `x.at(i)`, and operators, comparisons and functions of JAX that get `x.at[i]`
as if it were the element, where `x` is known to be a JAX array.

```python bad
import jax.numpy as jnp

x = jnp.zeros(3)
x.at[0] = 1.0  # JAX208: `x.at[0]` is assigned
```

## Why it is bad

Loud. `TypeError`, as soon as the line runs: `x.at[i]` only offers methods (`set`, `add`, `get` and so on) that make
a new array.

## Instead

Bind what the method gives; read elements without `at`.

```python good
import jax.numpy as jnp

x = jnp.zeros(3)
x = x.at[0].set(1.0)
```

## When it stays silent

On `.at` of tables of other libraries and of everything that is not known to be a JAX array (an annotation counts unless
something else is handed in); on views that are passed
around and only updated later.

## Fix safety

Safe, because the line raises as it is: an assignment, `+=`, `del` or call through `at` becomes the update, on local
names as for JAX201, and an element is read without `at`. Unsafe beside an operator, where an update may be meant as
well, and where callers may hand in tables. There is no fix where a name holds the view.

## References

- [`jax.numpy.ndarray.at`](https://docs.jax.dev/en/latest/_autosummary/jax.numpy.ndarray.at.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.at_views import AtMisused
from flake8_jax.analysis.checks.context import advised, chain_notes
from flake8_jax.rules.rule import Reporter, Rewrite, Rule

RULE = Rule(
    code="JAX208",
    name="at-misused",
    since="0.1",
    group="arrays",
    hazard="raises:TypeError",
    also=("raises:TracerIntegerConversionError",),
    fix="bind the updated array: `x = x.at[i].set(v)`",
    status="on",
)

FORMS = {
    "assign": "`{}` is assigned, but nothing is stored through `at`",
    "delete": "`{}` is deleted, but nothing is removed through `at`",
    "call": "`{}` is called, but the index stands in brackets",
    "value": "`{}` is used as an array, but it only offers updates",
}


def check(event: AtMisused, report: Reporter) -> None:
    """A view through `at` that is used for something else than an update."""
    remedy = advised(event.instead, event.rewrite, "bind what a method of it returns, such as `set` or `get`")
    report(event.op, FORMS[event.form].format(event.view), chain_notes(event), remedy=remedy)


def fix(event: AtMisused) -> Rewrite | None:
    """The update is bound, or the element is read."""
    return event.rewrite
