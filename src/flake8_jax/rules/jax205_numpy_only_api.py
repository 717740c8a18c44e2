"""Something is asked of JAX that only NumPy has: a method, an attribute, an option, or writing into an array.

## What it does

Reports attributes that JAX arrays lack (`x.fill(0)`, `x.flags`) or that cannot be set (`x.shape = ...`), names that
`jax.numpy` lacks (`jnp.random`), options that its functions refuse (`out=`, `order=`, `where=`, `kind=`), and functions
of NumPy that would write into a JAX array (`np.copyto(x, y)`, `np.add(a, b, out=x)`). So are functions that are taken
for the class of what they make (`isinstance(x, jnp.array)`).

```python bad
import jax.numpy as jnp

x = jnp.zeros(3)
x.fill(1.0)  # JAX205: `x` has no `fill`: it is a JAX array
```

## Why it is bad

Loud. `AttributeError`, `TypeError` or `NotImplementedError`, once the line runs; a branch that tests do not reach keeps
it for later.

## Instead

Make a new array and bind it. What only NumPy can do is done on `np.asarray(x)`.

```python good
import jax.numpy as jnp

x = jnp.zeros(3)
x = jnp.full_like(x, 1.0)
```

## When it stays silent

On arrays of NumPy and on what may be one; on objects of other classes with attributes of these names; where the
attribute is asked for first (`hasattr`, `isinstance`) or its lack is expected (`try`); on modules that are chosen at
run time (`xp = jnp if use_jax else np`).  What is lacking was measured for each version of JAX.

## Fix safety

No fix is applied: other names bound to the same array would not see the new one, as they do in NumPy.

## References

- [`jax.Array`](https://docs.jax.dev/en/latest/_autosummary/jax.Array.html)
- [Differences from NumPy](https://docs.jax.dev/en/latest/jax.numpy.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.context import chain_notes, ending, made
from flake8_jax.analysis.checks.numpy_only import NumpyOnly
from flake8_jax.rules.rule import Reporter, Rule

RULE = Rule(
    code="JAX205",
    name="numpy-only-api",
    since="0.1",
    group="arrays",
    hazard="raises:AttributeError",
    also=("raises:TypeError", "raises:NotImplementedError", "raises:ValueError"),
    fix="make a new array, or use NumPy",
    status="on",
)


def check(event: NumpyOnly, report: Reporter) -> None:
    """A use that only NumPy allows."""
    whence, notes = made(event, event.origin, event.subject)
    why = f"it is a JAX array{f', {whence}' if whence else ''}"
    report(event.op, f"{_said(event, why)}{ending(event.instead)}", (*notes, *chain_notes(event)))


def _said(event: NumpyOnly, why: str) -> str:
    match event.form:
        case "attribute":
            return f"`{event.subject}` has no `{event.what}`: {why}"
        case "assigned":
            return f"`{event.what}` of `{event.subject}` cannot be set: {why}"
        case "name":
            return f"`{event.subject}` has no `{event.what.rpartition('.')[2]}`, which only NumPy has"
        case "option":
            if event.what.startswith("no "):
                return f"`{event.subject}` would change its argument, but JAX arrays never change"
            return f"`{event.subject}` refuses `{event.what}`, which only NumPy knows"
        case "written":
            return f"`{event.what}` refuses `{event.subject}`: {why}"
        case "class":
            return f"`{event.what}` takes classes, and `{event.subject}` is a function"
