"""Traced code reads something from outside that changes later: the compiled code goes on with the old value.

## What it does

Reports a global, a variable of an enclosing function, an entry or field of such, or an attribute of `self`, that traced
code reads and that is bound anew or changed after the function was traced, so that a later call does not see it.

```python bad
import jax

SCALE = 2.0


@jax.jit
def scaled(x):
    return x * SCALE  # JAX302: `SCALE` keeps the value


first = scaled(1.0)
SCALE = 3.0
second = scaled(1.0)
```

It also reports what a function under a transform reads of the loop that makes and keeps it: all of
`[jit(lambda x: x * i) for i in range(3)]` look `i` up when they are called, and find the last one.

## Why it is bad

Silent. JAX runs the function once for each signature and keeps what it computed then; nobody tells it that a variable
was bound again. Wrapping the same function in `jax.jit` a second time finds the old trace, too. JAX 0.9 and 0.10 also
find it for a static `self` whose `__hash__` includes the changed field; other versions trace it again.

## Instead

Pass what changes as an argument. What a loop binds, bind at once: `lambda x, i=i: x * i`, or `functools.partial`.

```python good
import jax

SCALE = 2.0


@jax.jit
def scaled(x, scale):
    return x * scale


first = scaled(1.0, SCALE)
SCALE = 3.0
second = scaled(1.0, SCALE)
```

## When it stays silent

On what is never written after the first call; where the function is made or wrapped anew after the change, or caches
are cleared; on objects that are arguments: pytrees, modules of Flax and Equinox; on what a constructor or
preparing method stores, or a method that keeps what it is handed and that no body is seen to call between two uses; on
a setter of a global that nobody is seen to call; on changes in traced code itself (JAX303); under bare `vmap` and
`grad`, which trace on each call; on functions that the loop which makes them calls, too; in test files.

## Fix safety

No fix is applied: callers must pass the value.

## References

- [Impure functions](https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html#pure-functions)
- [jit and methods](https://docs.jax.dev/en/latest/faq.html#how-to-use-jit-with-methods)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.context import chain_notes, ending, place, role
from flake8_jax.analysis.checks.effects.frozen_reads import StaleRead
from flake8_jax.model.diagnostic import Note
from flake8_jax.rules.rule import Reporter, Rule

RULE = Rule(
    code="JAX302",
    name="stale-capture",
    since="0.1",
    group="effects",
    hazard="stale",
    fix="pass what changes as an argument",
    status="on",
    in_tests=False,
    only_certain=True,
)


def check(event: StaleRead, report: Reporter) -> None:
    """A value that changes after it was traced."""
    if event.is_late:
        where = place(event.path, event.line, event.path != event.op.anchor.origin.shown)
        said = f"`{event.subject}` is looked up when the function is called, after the {event.holder} {where}"
        report(event.op, f"{said}: each function of it gets the last one{ending(event.instead)}")
        return
    does = "rebinds it" if event.is_rebound else "changes it"
    where = place(event.path, event.line, event.path != event.op.anchor.origin.shown)
    written = f"`{event.subject}` keeps the value that it had during tracing, but {event.holder} {does} {where}"
    note = Note(event.path, event.line, f"{event.holder} {does}")
    message = f"{written}: {role(event)}{ending(event.instead)}"
    report(event.op, message, (*chain_notes(event), note))
