"""A Python loop asks JAX for one small thing after the other, and nothing is jitted.

## What it does

Reports loops of 100 turns or more that no trace runs and that update an array at one index a turn
(`x = x.at[i].set(...)`), or compute each turn with what the one before gave and call nothing that is jitted; and loops
that read an array element by element on the host (`float(v)`, `x[i].item()`).

```python bad
import jax.numpy as jnp


def table(n_points):
    values = jnp.zeros(n_points)
    for i in range(1000):  # JAX703: 1000 times
        values = values.at[i].set(jnp.sin(0.1 * i))
    return values


table(1000)
```

## Why it is bad

Silent.  Each operation is a call of JAX of its own, of some ten microseconds, whatever it computes; outside of `jit`
an update copies the whole array, a thousand times here; and each read waits for the device.  Measured on a CPU: a
thousand updates of an array of a thousand take a second, in one jitted loop 26 microseconds; reading it with `float`
takes 200 times as long as `tolist`.

## Instead

Compute the array at once, or put the loop under `jax.jit` as `jax.lax.fori_loop` or `scan`; read an array with
`tolist` or `numpy.asarray`.

```python good
import jax.numpy as jnp


def table(n_points):
    return jnp.sin(0.1 * jnp.arange(n_points))


table(1000)
```

## When it stays silent

On loops with fewer turns, or of which no constant says how often they turn; where the body calls something jitted, as
training loops do; in code that is seen to be traced (JAX505 speaks there); on reads in each turn of what that turn
computed.

## Fix safety

No fix is applied.

## References

- [Just-in-time compilation](https://docs.jax.dev/en/latest/jit-compilation.html)
- [In-place updates](https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html#in-place-updates)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.compilation.eager_loops import EagerLoop
from flake8_jax.analysis.checks.context import ending
from flake8_jax.rules.rule import Reporter, Rule

RULE = Rule(
    code="JAX703",
    name="eager-loop",
    since="0.1",
    group="compilation",
    hazard="eager_turns:50",
    fix="put the loop under `jax.jit`, or compute on whole arrays",
    status="strict",
    in_tests=False,
    also=("host_read",),
)


def check(event: EagerLoop, report: Reporter) -> None:
    """A loop that asks for one thing after the other."""
    match event.form:
        case "update":
            said = f"the loop updates an array {event.turns}, and outside of `jit` each update copies it whole"
        case "steps":
            each = f"about {event.operations} array operations"
            said = f"the loop makes {each} {event.turns}, each a call of JAX of its own: nothing is jitted"
        case "read":
            said = f"`{event.subject}` waits for one element of an array, {event.turns}"
    report(event.op, f"{said}{ending(event.instead)}")
