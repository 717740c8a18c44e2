"""A clock is read before the work that it is to time is done.

## What it does

Reports calls that start work of JAX between two readings of a clock, if nothing waits for a result before the clock is
read again and the difference is taken. Readings are those of `time.time`, `perf_counter`, `monotonic`, `process_time`,
`timeit.default_timer` and `datetime.now`; in a helper, in a closure over the first one, in methods `start` and `stop`,
in a class or generator for `with`, in a decorator that times its function; `timeit.timeit`, `timeit.repeat` and
`timeit.Timer` of a function; and in notebooks `%time`, `%timeit` and cells under `%%time` and `%%timeit`. Work is a
call of a compiled function, one of arrays with arrays, and one of a function of the project that calls something
compiled on every path and waits for nothing.

And the first reading before a loop that repeats one call of a compiled function, if that was made in the same body and
not called before: its first turn compiles.

```python bad
import time

import jax
import jax.numpy as jnp

step = jax.jit(lambda x: x @ x)
x = jnp.ones((1000, 1000))
step(x).block_until_ready()  # compiles

start = time.perf_counter()
y = step(x)  # JAX702: `step(x)` is not done when `time.perf_counter()` on line 12 reads the clock
print("seconds", time.perf_counter() - start)
```

## Why it is bad

Silent. JAX starts a computation and returns before its result is there. The difference is the time that Python took to
start it: the same few microseconds for every size. With 1000 rows on a CPU the example says 0.1 ms, and takes 20.

The first turn of a loop that compiles takes as long as thousands of others: their mean says little of any.

## Instead

Wait for the result in the timed stretch, with `jax.block_until_ready`, which takes any tree of arrays. Call a compiled
function once before, so that the time is not that of compiling it.

```python good
import time

import jax
import jax.numpy as jnp

step = jax.jit(lambda x: x @ x)
x = jnp.ones((1000, 1000))
step(x).block_until_ready()  # compiles

start = time.perf_counter()
y = jax.block_until_ready(step(x))
print("seconds", time.perf_counter() - start)
```

## When it stays silent

Of work that is started, where anything between the two readings may wait for values of JAX: `block_until_ready`,
`device_get`, `float(x)`, `x.item()`, `print(x)`, an f-string, `np.asarray(x)`, `if x > 0:`, a log, a function that
nobody knows and that gets an array, a call of what `eqx.filter_jit` compiles, which returns when it is done; on any
path, and also before the call; but not if it waits for an array that was there before the first reading. So the time of
an epoch that shows its loss now and then is none of its business. On data that is only made or moved (`jnp.asarray`,
`jax.device_put`), and on calls of which nobody knows that they start anything. Of loops, where what is called changes
from turn to turn, as in training. Where the line with the reading or the difference says that the time of starting or
compiling it is meant (`dispatch`, `compile`, `first`), the line above or what prints it (`compiling`), or a second call
like it that is waited for under a clock of its own. On times that are only added to the next one. On code that is
traced, where the clock is the matter of [JAX304](jax304_host_io_in_traced.py).

## Fix safety

Of work that is started the fix wraps the call in `jax.block_until_ready(...)`. It is safe: the result is the same, it
is only waited for. Where a first call is missing no fix is applied.

## References

- [Benchmarking JAX code](https://docs.jax.dev/en/latest/benchmarking.html)
- [Asynchronous dispatch](https://docs.jax.dev/en/latest/async_dispatch.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.context import ending, place
from flake8_jax.analysis.checks.host.clocks import TimedTooEarly
from flake8_jax.model.diagnostic import Note
from flake8_jax.rules.rule import Reporter, Rewrite, Rule

RULE = Rule(
    code="JAX702",
    name="timing-without-block",
    since="0.1",
    group="numbers",
    hazard="unwaited",
    also=("compiled_within",),
    fix="wait for the result",
    status="on",
)


def check(event: TimedTooEarly, report: Reporter) -> None:
    """A call whose result nothing waits for before a clock is read, or that compiles in a timed loop."""
    where = event.place
    line = place(where.path, where.line, where.path != event.op.anchor.origin.shown)
    if event.form == "compiles":
        message = f"`{event.clock}` also times how `{event.call}` {line} is compiled, in the first turn"
    elif event.call == event.clock:
        message = f"`{event.call}` calls what starts work and does not wait for it"
    else:
        message = f"`{event.call}` is not done when `{event.clock}` {line} reads the clock"
    report(event.op, f"{message}{ending(event.instead)}", (Note(where.path, where.line, where.text),))


def fix(event: TimedTooEarly) -> Rewrite | None:
    """Wait for the result of the call."""
    return event.rewrite
