"""An iterator moves on in traced code: its next item is taken while JAX traces, once for all calls.

## What it does

Reports `next` in traced code of an iterator that lives outside of it, loops and functions that run through one, and
`get` of a queue.

```python bad
import jax

batches = iter([1.0, 2.0, 3.0])


@jax.jit
def step(x):
    return x + next(batches)  # JAX308: `next` moves `batches` on once per trace


step(0.0), step(0.0)
```

## Why it is bad

Silent. The item that was taken while JAX traced is a constant of the compiled code: every call uses the first batch.
A loop over an iterator finds it empty in the next trace.

## Instead

Take the item outside, and pass it in as an argument.

```python good
import jax

batches = iter([1.0, 2.0, 3.0])


@jax.jit
def step(x, batch):
    return x + batch


step(0.0, next(batches)), step(0.0, next(batches))
```

## When it stays silent

On iterators that traced code makes itself (`next(iter(tree))`, `for i, x in enumerate(xs)`); on what can be run through
again and again, as lists, ranges and data sets; on the next number of an `itertools.count` that a constructor keeps; in
functions that run on the host (`io_callback`); under `eval_shape`; under bare `vmap` and `grad`, which run the function
on every call.

## Fix safety

No fix is applied: the item has to come from the caller.

## References

- [Pure functions](https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html#pure-functions)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.context import chain_notes, ending, role
from flake8_jax.analysis.checks.effects.host_calls import HostCallTraced
from flake8_jax.rules.rule import Reporter, Rule

RULE = Rule(
    code="JAX308",
    name="iterator-in-traced",
    since="0.1",
    group="effects",
    hazard="trace_once",
    fix="take the item outside, and pass it in",
    status="on",
)


def check(event: HostCallTraced, report: Reporter) -> None:
    """An item is taken once for all calls."""
    if event.kind != "turn":
        return
    said = f"`{event.callee}` moves `{event.subject}` on once per trace, not in each call: {role(event)}"
    is_looped = event.context.trace is not None and event.context.trace.role == "the body of"
    instead = "take the items before, and let `lax.scan` run over an array of them" if is_looped else event.instead
    report(event.op, f"{said}{ending(instead)}", chain_notes(event))
