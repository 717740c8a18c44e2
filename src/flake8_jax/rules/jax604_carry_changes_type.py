"""The body of a loop returns a carry of another type than it gets.

## What it does

Reports bodies of `jax.lax.scan`, `fori_loop`, `while_loop` and their like that certainly return a carry of another
structure, shape or dtype than the one that the loop starts from.

```python bad
import jax
import jax.numpy as jnp


def total(xs):
    return jax.lax.scan(lambda c, x: (c + x, None), jnp.int32(0), xs)[0]  # JAX604: starts as int32


total(jnp.ones(3))
```

## Why it is bad

Loud. `TypeError: scan body function carry input and carry output must have equal types`. The body is compiled once for
all turns, so what goes around must keep its type.

## Instead

Start from what the body returns (`jnp.float32(0)`, `jnp.zeros_like(x)`), or convert what it returns (`astype`).

```python good
import jax
import jax.numpy as jnp


def total(xs):
    return jax.lax.scan(lambda c, x: (c + x, None), jnp.float32(0), xs)[0]


total(jnp.ones(3))
```

## When it stays silent

Where the type of either is not known. A number of Python gives way: JAX starts `scan(lambda c, x: (c + x, None), 0,
xs)` from a floating number (measured), so that this is not reported. Dtypes that depend on whether 64 bits are enabled
are compared under both settings.

## Fix safety

There is no fix.

## References

- [jax.lax.scan](https://docs.jax.dev/en/latest/_autosummary/jax.lax.scan.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.context import chain_notes
from flake8_jax.analysis.checks.contracts.alike import CarryChanged
from flake8_jax.rules.rule import Reporter, Rule

RULE = Rule(
    code="JAX604",
    name="carry-changes-type",
    since="0.1",
    group="contracts",
    hazard="raises:TypeError",
    fix="start from what the body returns, or convert what it returns",
    status="on",
)


def check(event: CarryChanged, report: Reporter) -> None:
    """A carry that changes."""
    function = "the body" if not event.function or "<lambda>" in event.function else f"`{event.function}`"
    is_begun = event.aspect != "structure" or event.before != "None"
    instead = INSTEAD[event.aspect] if is_begun else f"start from {event.after} in its place"
    if event.aspect == "shape" and _axes(event.before) != _axes(event.after):
        instead = OF_AXES
    at = f"`{event.part}` of the carry" if event.part else "the carry"
    message = f"{at} of `{event.transform}` starts as {event.before}, but {function} returns {event.after}"
    report(event.op, f"{message}; {instead}", chain_notes(event))


def _axes(text: str) -> int:
    """The number of axes of an array as text: of `float32[3,4]` two."""
    return text.count(",") + ("[" in text)


OF_AXES = "start from the shape that the body returns, or return the one that it starts from"
INSTEAD: dict[str, str] = {
    "structure": "return the same structure that the loop starts from",
    "shape": "keep its shape: update in place with `.at[...].set`, or return what grows beside the carry",
    "dtype": "start from that dtype, or convert what the body returns with `astype`",
}
