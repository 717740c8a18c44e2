"""Python needs the value of a traced array, but a tracer has none.

## What it does

Reports `float()`, `complex()`, `.item()`, `.tolist()`, functions of `math`, format specifications, `hash()`, keys of
dicts, `json` and the like on an array inside traced code, there or in a helper that traced code calls.

```python bad
import math

import jax


@jax.jit
def entropy(p):
    return -p * math.log(p)  # JAX404: `math.log` needs the value of `p`
```

## Why it is bad

Loud. `ConcretizationTypeError`, when the function is first called: what is asked for is a number of the host, and
while JAX traces there is none. A hash, the key of a dict, `json` and a format such as `:.2f` raise a plain `TypeError`.
Under bare `grad` too, except for `.item()`.

## Instead

Keep the array and use `jax.numpy`; return what is to be shown or stored, and convert it outside; `jax.debug.print`
formats values when they are known, `jax.pure_callback` hands them to code of the host.

```python good
import jax
import jax.numpy as jnp


@jax.jit
def entropy(p):
    return -p * jnp.log(p)
```

## When it stays silent

On static arguments, shapes and other values of the host; in callbacks; in eager code; in functions that nobody is seen
to trace; on everything that is not known to be an array.

## Fix safety

No fix is applied: a conversion may be there to leave the device on purpose.

## References

- [`ConcretizationTypeError`](https://docs.jax.dev/en/latest/errors.html#jax.errors.ConcretizationTypeError)
- [External callbacks](https://docs.jax.dev/en/latest/external-callbacks.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.concrete import TracerConcretized
from flake8_jax.analysis.checks.context import chain_notes, explain
from flake8_jax.rules.rule import Reporter, Rule

RULE = Rule(
    code="JAX404",
    name="concretised",
    since="0.1",
    group="values",
    hazard="raises:ConcretizationTypeError",
    also=("raises:TypeError", "raises:AttributeError"),
    fix="keep the array, convert outside of the traced code",
    status="on",
)

FORMS = {
    **{form: f"`{form}` needs the value of `{{0}}`" for form in ("float", "complex")},
    **dict.fromkeys(("math", "isclose", "json", "host"), "`{1}` needs the value of `{0}`"),
    "item": "`{1}` needs the value of the array",
    "tolist": "`{1}` needs the values of the array",
    "format": "the format of `{0}` needs its value",
    "hash": "a hash needs the value of `{0}`",
}


def check(event: TracerConcretized, report: Reporter) -> None:
    """A tracer of which the host needs the value."""
    if event.form in FORMS and not event.is_of_host:
        is_method = event.form == "host" and event.subject.startswith(f"{event.by}(")
        what = FORMS["item" if is_method else event.form].format(event.subject, event.by)
        report(event.op, f"{what}, but {explain(event)}", chain_notes(event), remedy=event)
