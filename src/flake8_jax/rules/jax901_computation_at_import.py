"""A module of a library computes with JAX when it is imported.

## What it does

Reports the first call at the top of a module that starts JAX's backend: what makes an array or a key, calls a compiled
function, asks for devices; also in class bodies, decorators and default arguments, and in functions that are called
there: the factories of fields and `__post_init__` of an object that is made, functions under a cache, what `map` and
partials call. It is said once a file: the message has the number of statements below that do so, too, and the notes
have their lines. Modules that are run, not imported, are left alone.

```python bad
import jax
import jax.numpy as jnp

TABLE = jnp.arange(3)  # JAX901: `jnp.arange` runs when this module is imported


def noisy(x, key):
    return x + TABLE + jax.random.normal(key, x.shape)
```

## Why it is bad

Silent. Whoever imports the module starts JAX's backend, and cannot choose platform, devices or memory any more
([JAX902](jax902_configured_too_late.md)): `jax.distributed.initialize` raises, processes that are forked later may
hang, as JAX warns, and a GPU is claimed by a program that only wanted to read a number. And the import takes seconds,
with what it compiles. Each form was seen to start the backend, on the CPU; that a GPU is claimed is stated, from JAX's
documentation.

## Instead

Keep constants in NumPy: JAX takes them where it computes. Make what needs JAX in a function that is called when it is
needed, and take keys as arguments.

```python good
import jax
import numpy as np

TABLE = np.arange(3)


def noisy(x, key):
    return x + TABLE + jax.random.normal(key, x.shape)
```

## When it stays silent

On what starts nothing: `jnp.float32`, `jax.jit(f)`, `jax.vmap(f)`, `jax.ShapeDtypeStruct(...)`, `PartitionSpec(...)`,
`jnp.finfo(...)`, `jax.eval_shape(f, x)`. On what runs later: factories of fields (`field(default_factory=...)`),
methods, generators and `map` that are only bound. Below `if TYPE_CHECKING`. In scripts: files with a `__main__` guard
or a `#!` line, tests, notebooks, files whose top calls their own functions or shows what it has computed, and files
that nobody in the project imports and whose top computes variables (`x = jnp.ones(3)`), not constants (`X`, `_x`). A
comment that suppresses it at the first place is for the whole file.

## Fix safety

No fix is applied: an array of NumPy is not one of JAX, and others may import the name.

## References

- [jax#12258](https://github.com/jax-ml/jax/issues/12258)
- [`jax.distributed.initialize`](https://docs.jax.dev/en/latest/_autosummary/jax.distributed.initialize.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.context import ending
from flake8_jax.analysis.checks.startup.at_import import ComputedAtImport
from flake8_jax.model.diagnostic import Note
from flake8_jax.rules.rule import Reporter, Rule

RULE = Rule(
    code="JAX901",
    name="computation-at-import",
    since="0.1",
    group="settings",
    hazard="backend_started",
    fix="compute it when it is needed",
    status="strict",
    in_tests=False,
)


def check(event: ComputedAtImport, report: Reporter) -> None:
    """A call at the top of a module that starts the backend."""
    notes, inner = list[Note](), event.use.within
    while inner is not None:
        notes.append(Note(inner.path, inner.line, f"`{inner.by}` starts the backend there"))
        inner = inner.within
    notes += (Note(other.path, other.line, f"`{other.by}` starts it, too") for other in event.others)
    count = len(event.others)
    more = f", as {'another statement does' if count == 1 else f'{count} other statements do'}" if count else ""
    message = f"`{event.use.by}` runs when this module is imported, and starts JAX's backend{more}"
    report(event.op, f"{message}{ending(event.instead)}", tuple(notes))
