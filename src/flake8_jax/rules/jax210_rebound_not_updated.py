"""An augmented assignment binds a name anew, where the array that it stands for was to be updated.

## What it does

Reports `x += y` and its like on a parameter, on the row of a loop, or on another name of an array that is kept
elsewhere, if that array is one of JAX and nobody reads the name afterwards. Also `o_ref = value` on a reference that a
Pallas kernel gets.

```python bad
import jax.numpy as jnp

rows = [jnp.ones(3), jnp.zeros(3)]


def shift(rows):
    for row in rows:
        row += 1.0  # JAX210: `row += 1.0` does not change `rows`


shift(rows)
```

## Why it is bad

Silent. NumPy updates the array in place, and all who hold it see that. A JAX array never changes: the statement makes a
new one, binds it to the local name, and it is lost; the caller's array, the row, the field stay as they were.

## Instead

Keep what is computed: return it and bind the result, make a list of the new rows, store it where the old one was.
Into a reference, `o_ref[...] = value` stores.

```python good
import jax.numpy as jnp

rows = [jnp.ones(3), jnp.zeros(3)]


def shift(rows):
    return [row + 1.0 for row in rows]


rows = shift(rows)
```

## When it stays silent

Where the new value is read, returned, yielded, stored or captured by an inner function; on numbers, arrays of one
number, NumPy arrays, lists and everything that is not known to be an array of JAX; on arrays that were made in the
function and that nothing else holds; on `x = x + 1`; in test files.

## Fix safety

No fix is applied: where the new array belongs is not said.

## References

- [In-place updates](https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html#in-place-updates)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.context import chain_notes, ending, made
from flake8_jax.analysis.checks.rebound import ArrayRebound
from flake8_jax.rules.rule import Reporter, Rule

RULE = Rule(
    code="JAX210",
    name="rebound-not-updated",
    since="0.1",
    group="arrays",
    hazard="dead",
    fix="return the new array, or store it",
    status="on",
    in_tests=False,
)


def check(event: ArrayRebound, report: Reporter) -> None:
    """An augmented assignment to a name of an array that nobody reads afterwards."""
    if event.is_reference:
        why = f"stores nothing into the reference `{event.op.name}`: the name is bound anew, and nobody reads it"
        report(event.op, f"`{event.statement}` {why}{ending(event.instead)}", chain_notes(event))
        return
    whence, notes = made(event, event.origin, event.op.name)
    why = f"`{event.op.name}` is a JAX array{f', {whence}' if whence else ''}, and nobody reads the new one"
    what = f"`{event.statement}` does not change {f'`{event.kept}`' if event.kept else 'the array of the caller'}"
    report(event.op, f"{what}: {why}{ending(event.instead)}", (*notes, *chain_notes(event)))
