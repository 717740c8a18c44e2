"""An item of a JAX array is assigned, updated or deleted, but JAX arrays never change.

## What it does

Reports `x[i] = value`, `x[i] += value`, `del x[i]`, items as unpacking or loop targets, and calls that do the same
(`operator.setitem(x, i, value)`, `x.__setitem__(i, value)`), where `x` is known to be a JAX array: made by a JAX call,
computed from one, annotated as one, or a traced argument.

```python bad
import jax.numpy as jnp

x = jnp.zeros(3)
x[0] = 1.0  # JAX201: `x` is a JAX array
```

## Why it is bad

Loud. `TypeError: JAX arrays are immutable and do not support in-place item assignment` (`AttributeError` for
`del`), once the line runs; a branch that tests do not reach keeps it for later.

## Instead

Make a new array with `x.at[i].set(value)` (`add`, `multiply`, `min` ...) and use its result. Under `jit` XLA
updates in place all the same.

```python good
import jax.numpy as jnp

x = jnp.zeros(3)
x = x.at[0].set(1.0)
```

## When it stays silent

On lists, dicts, NumPy arrays and copies made by `np.array`; on Pallas and mutable references and flax variables
(`ref[...] = value`); on `jnp.split`, which returns a list; on the pytrees that `scan` and `cond` return; on string
keys; on `x += 1`, which rebinds the name; on everything that is not known to be an array.

## Fix safety

Safe on a local name: `x = x.at[i].set(value)`, where the line raised. Unsafe where another name, an object or a caller
holds the array, which NumPy would change there too, and where callers may hand in what can be stored into; so are
attributes and entries. There is no fix for names of closures and globals, for several targets, and where nobody reads
the array afterwards.

## References

- [In-place updates](https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html#in-place-updates)
- [`jax.numpy.ndarray.at`](https://docs.jax.dev/en/latest/_autosummary/jax.numpy.ndarray.at.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.context import advised, chain_notes, made
from flake8_jax.analysis.checks.mutation import ItemStored
from flake8_jax.rules.rule import Reporter, Rewrite, Rule

RULE = Rule(
    code="JAX201",
    name="item-assignment",
    since="0.1",
    group="arrays",
    hazard="raises:TypeError",
    also=("raises:AttributeError",),
    fix="make a new array with `.at[...]`",
    status="on",
)


def check(event: ItemStored, report: Reporter) -> None:
    """A store into what is certainly an array."""
    whence, notes = made(event, event.origin, event.base)
    why = f": {whence}" if whence else ""
    owner = f"({event.base})" if ":=" in event.base else event.base
    what = f"`{owner}[{event.index}]` {_action(event)}, but `{event.base}` is a JAX array{why}"
    remedy = advised(event.instead, event.rewrite, event.words)
    report(event.op, what, (*notes, *chain_notes(event)), remedy=remedy)


def _action(event: ItemStored) -> str:
    match event.manner:
        case "assign":
            return "is assigned"
        case "augment":
            return f"is updated by `{event.operator.removesuffix('=')}=`"
        case "delete":
            return "is deleted"


def fix(event: ItemStored) -> Rewrite | None:
    """The update is bound where the array is held."""
    return event.rewrite
