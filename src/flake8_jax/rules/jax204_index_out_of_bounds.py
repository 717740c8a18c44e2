"""An index lies outside of the array: JAX reads another element, drops the update or fills in a value.

## What it does

Reports indices that are known and lie outside of an axis of known size: in subscripts, in updates through `at`, in
`jnp.take`, `lax.dynamic_slice` and the like, and in `lax.switch`. A loop over a `range` that goes too far counts, too.
Where an index is computed from the size of its axis, the size need not be known: `x[x.shape[0]]` is outside of any `x`.

```python bad
import jax.numpy as jnp

x = jnp.arange(5)
last = x[5]  # JAX204: index 5 is outside
```

## Why it is bad

Silent. Python and NumPy raise `IndexError`; JAX cannot, as compiled code raises no errors. A read gives the nearest
element, an update stores nothing, `jnp.take` gives NaN or the smallest integer, and `lax.dynamic_slice` moves the
window until it fits.

## Instead

Use an index inside of the array. Where one outside is meant, say what shall happen with `mode`.

```python good
import jax.numpy as jnp

x = jnp.arange(5)
last = x[4]
padded = x.at[5].get(mode="fill", fill_value=0)
```

## When it stays silent

Where the size or the index is not known, or a test speaks of them; on slices, which end where the array ends; with an
explicit `mode`; on lists and NumPy arrays, which raise; on arrays without elements; in what is asserted.

## Fix safety

No fix is applied: which element is meant is not said.

## References

- [Out-of-bounds indexing](https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html#out-of-bounds-indexing)
- [`jax.numpy.ndarray.at`](https://docs.jax.dev/en/latest/_autosummary/jax.numpy.ndarray.at.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.bounds import IndexOutside
from flake8_jax.analysis.checks.context import chain_notes, place
from flake8_jax.rules.rule import Reporter, Rule

RULE = Rule(
    code="JAX204",
    name="index-out-of-bounds",
    since="0.1",
    group="arrays",
    hazard="out_of_bounds",
    fix="use an index inside of the array, or say what is meant with `mode`",
    status="on",
)

INSTEAD = {
    "read": "and the read gives the {end} element",
    "update": "and the update is dropped",
    "fill": "and a value is filled in",
    "window": "and the window is moved",
    "branch": "and the {end} branch runs",
}


def check(event: IndexOutside, report: Reporter) -> None:
    """An index that is known to be outside."""
    what = "start" if event.form == "window" else "index"
    if event.size is None:
        report(event.op, _past_end(event, what), chain_notes(event))
        return
    index = f"`{event.counter}` comes to {event.index}, which" if event.counter else f"{what} {event.index}"
    size = f"axis {event.axis} of size {event.size}"
    if event.form == "branch":
        size = f"{event.size} branch{'es' if event.size > 1 else ''}"
    elif event.form == "window":
        size = f"{size} for a window of {event.width}"
    end = "first" if event.index < 0 else "last"
    happens = INSTEAD[event.form].format(end=end)
    report(
        event.op,
        f"`{event.access}`: {index} is outside of {size}{_caller(event)}, {happens}; {_advice(event, event.size)}",
        chain_notes(event),
    )


def _past_end(event: IndexOutside, what: str) -> str:
    """The message of an index that is computed from the size of the axis."""
    distance = f"{abs(event.index)} {'more' if event.index > 0 else 'less'} than " if event.index else ""
    comes = f"`{event.counter}` comes to" if event.counter else f"the {what} is"
    window = f" for a window of {event.width}" if event.form == "window" else ""
    happens = INSTEAD[event.form].format(end="last")
    earlier = f"end the loop {event.index + event.width} earlier, or test for the last turns"
    advice = earlier if event.counter else f"use at most {event.width} less than the size"
    return (
        f"`{event.access}`: {comes} {distance}the size of axis {event.axis}, which is outside{window}{_caller(event)}, "
        f"{happens}; {advice}"
    )


def _caller(event: IndexOutside) -> str:
    chain, home = event.context.chain, event.op.anchor.origin.shown
    if not chain:
        return ""
    hop = chain[0]
    return f" where {hop.text} {place(hop.path, hop.line, hop.path != home)}"


def _advice(event: IndexOutside, size: int) -> str:
    if event.form == "window":
        return f"use a start of at most {size - event.width}"
    if event.form == "branch":
        return f"use an index from 0 to {size - 1}"
    if event.is_of_keys and event.index > 0:
        return f"split it into {event.index + 1} keys, one for each use"
    if event.index < 0:
        return f"use at least {-size}, or make the axis that long"
    longer = f"make the axis {event.index + 1} long"
    if event.is_last_read:
        return f"{longer}: index {size - 1} is read, too"
    return f"use at most {size - 1}, or {longer}"
