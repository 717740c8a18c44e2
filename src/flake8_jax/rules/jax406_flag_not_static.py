"""An argument that selects code is traced, because it is not declared static.

## What it does

Reports a bool, int or string that a jitted function gets, by its annotation, its default or a call, and that then
drives `if`, `range`, a comparison with a string or a shape, in the function or in a helper.

```python bad
import jax


@jax.jit
def dropped(x, training: bool):
    if training:  # JAX406: `if` needs the value of the bool `training`
        return x * 0.5
    return x
```

## Why it is bad

Loud. `TracerBoolConversionError` and the like, when the argument is passed: `jit` traces every argument that is not
declared static, also a plain `True`; a string is refused by the call. While the default is left out it works, so that
the first call that passes the flag fails.

## Instead

Name it in `static_argnames`, or select with `jnp.where` if it may change from call to call.

```python good
from functools import partial

import jax


@partial(jax.jit, static_argnames=("training",))
def dropped(x, training: bool):
    if training:
        return x * 0.5
    return x
```

## When it stays silent

On arguments named in `static_argnames` or `static_argnums`; on defaults that no call is seen to override; on arguments
bound by `partial` or captured; under wrappers that keep what is no array (`equinox.filter_jit`); where the argument is
only computed with.

## Fix safety

Unsafe: the decorator gets `static_argnames`; the function is then compiled for each value, and refuses arrays there.
There is no fix for functions that are jitted elsewhere, or that declare static arguments already.

## References

- [`jax.jit`](https://docs.jax.dev/en/latest/_autosummary/jax.jit.html)
- [Control flow](https://docs.jax.dev/en/latest/control-flow.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.concrete import TracerConcretized
from flake8_jax.analysis.checks.context import chain_notes, explain
from flake8_jax.rules.rule import Reporter, Rewrite, Rule

RULE = Rule(
    code="JAX406",
    name="flag-not-static",
    since="0.1",
    group="values",
    hazard="raises:TracerBoolConversionError",
    also=(
        "raises:TracerIntegerConversionError",
        "raises:ConcretizationTypeError",
        "raises:TypeError",
    ),
    fix="name it in `static_argnames`",
    status="on",
)

OTHERS = frozenset(("float", "complex", "item", "tolist", "math", "isclose", "json", "host", "numpy", "mask", "size"))
"""The uses that a static argument would not make right, or that are told of any array."""

FORMS = {
    "ternary": "a conditional expression needs", "comprehension": "the filter of a comprehension needs",
    "chain": "a chained comparison needs", "pattern": "a `case` needs", "index": "an index needs",
    "numpy index": "an index needs", "slice": "a slice needs", "bound": "a slice needs", "repeat": "a repetition needs",
    "text": "the choice of code needs",
}  # fmt: skip


def check(event: TracerConcretized, report: Reporter) -> None:
    """A flag of which the traced code needs the value."""
    trace = event.context.trace
    if event.flag and trace is not None and event.form not in OTHERS:
        form = FORMS.get(event.form, f"`{event.by or event.form}` needs")
        what = f"{form} the value of the {event.flag} `{trace.value}`, but {explain(event)}"
        report(event.op, f"{what}; use `{event.static}`", chain_notes(event))


def fix(event: TracerConcretized) -> Rewrite | None:
    """The decorator declares the argument static."""
    return event.rewrite if event.flag else None
