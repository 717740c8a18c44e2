"""A cache is filled in traced code: it keeps a tracer that every later reader gets.

## What it does

Reports `functools.cache`, `lru_cache` and `cached_property`, dicts used as memo and attributes that are computed when
first asked for, where traced code is the one that asks and what is kept is an array made in the trace. Reports a
function under `functools.cache` or `lru_cache` that is called with a traced value.

```python bad
import functools

import jax
import jax.numpy as jnp


@functools.lru_cache
def window(n):
    return jnp.hanning(n)


@jax.jit
def smooth(x):
    return x * window(8)  # JAX306 leak: `window` keeps a tracer


smooth(jnp.ones(8))
```

## Why it is bad

Silent. Under `jit` even `jnp.arange(3)` is a tracer. The cache outlives the trace, so that the next trace, and all
code outside, gets a dead one: `UnexpectedTracerError`, far from here. A tracer as an argument raises at once: it cannot
be hashed.

## Instead

Compute the constant with NumPy, or before the trace; return what is made of traced values, so that who reads it gets
it as an argument, or by the carry of a loop; let JAX do the caching, which compiles once; compute in
`with jax.ensure_compile_time_eval():` what must be an array of JAX.

```python good
import functools

import jax
import jax.numpy as jnp
import numpy as np


@functools.lru_cache
def window(n):
    return np.hanning(n)


@jax.jit
def smooth(x):
    return x * window(8)


smooth(jnp.ones(8))
```

## When it stays silent

On caches of static values: shapes, functions, NumPy arrays; on caches that only code of the host asks; on objects that
are made in the trace; on a property that the constructor reads already.

## Fix safety

No fix is applied: where the value is to be computed is a matter of design.

## References

- [Leaked tracers](https://docs.jax.dev/en/latest/errors.html#jax.errors.UnexpectedTracerError)
- [ensure_compile_time_eval](https://docs.jax.dev/en/latest/_autosummary/jax.ensure_compile_time_eval.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.context import chain_notes, ending, explain
from flake8_jax.analysis.checks.effects.caches import TracerCached
from flake8_jax.rules.rule import Reporter, Rule

RULE = Rule(
    code="JAX306",
    name="tracer-cached",
    since="0.1",
    group="effects",
    hazard="leak",
    fix="compute it with NumPy, or before the trace",
    status="on",
    in_tests=False,
    also=("raises:TypeError",),
)
BEFORE = "use NumPy, or compute it before the trace"
OF_CONSTANTS = "return it, and pass it on, or, if it is made of constants, use NumPy or compute it before the trace"
OF_TRACERS = "return what is made of traced values, and pass it to where it is read"


def check(event: TracerCached, report: Reporter) -> None:
    """A tracer in a cache."""
    if event.context.trace is None:
        return
    cached = event.cached
    match event.cache:
        case "memo":
            said = f"`{cached}` keeps a tracer for later traces"
            instead = OF_TRACERS if event.context.trace.value else OF_CONSTANTS
        case "cached property":
            said, instead = f"`{cached}` is computed once and keeps a tracer", BEFORE
        case "cached function":
            said, instead = f"`{cached}` keeps a tracer for later calls", BEFORE
        case "unhashable":
            said = f"`{cached}` hashes what it gets for its cache, and a tracer has no hash"
            instead = "use the function without its cache"
    report(event.op, f"{said}, as {explain(event)}{ending(instead)}", chain_notes(event))
