"""A Python loop asks JAX for one small thing after the other, and nothing is jitted.

## What it does

Reports loops of 100 turns or more that no trace runs and that update an array at one index a turn
(`x = x.at[i].set(...)`), or compute each turn with what the one before gave and call nothing that is jitted; and loops
that read an array element by element on the host (`float(v)`, `x[i].item()`).  Also loops of 1000 turns or more that
do nothing but call a compiled function of a handful of cheap operations (`x = step(x)`); and calls, in a loop of any
length, of a function that lies beside it, jitted (`update_jit = jax.jit(update)`, or in a class
`self._update = jax.jit(self.update)`).

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
an update copies the whole array, a thousand times here; and each read waits for the device.  Measured on a CPU with
JAX 0.10.2: a thousand updates of an array of a thousand take nearly a second, in one jitted loop microseconds; reading
it with `float` takes fifty times as long as `tolist`.  1000 calls of a compiled `x - 0.1 * jnp.sin(x)` for three
elements take 5 to 10 milliseconds, the same in one `fori_loop` 0.02; for 10,000 elements and more nothing is gained.  A
function of three small operations takes three times as long as it does jitted.

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
computed.  On calls of compiled code whose loop also prints, tests or loads something, or below 1000 turns, which cost
less than to compile another loop; of functions with a product of matrices, a gradient or a loop in them; for arrays of
more than 10,000 elements.  On a function that is called with and without `jit` in one body or script, or timed.

## Fix safety

No fix is applied.

## References

- [Just-in-time compilation](https://docs.jax.dev/en/latest/jit-compilation.html)
- [In-place updates](https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html#in-place-updates)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.compilation.eager_loops import EagerLoop
from flake8_jax.analysis.checks.context import chain_notes, ending, place
from flake8_jax.model.diagnostic import Note
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
    also=("dispatched", "host_read"),
)


def check(event: EagerLoop, report: Reporter) -> None:
    """A loop that asks for one thing after the other."""
    each, repeat = "an array operation", event.repeat
    if event.operations != 1:
        each = f"about {event.operations} array operations"
    notes = chain_notes(event)
    match event.form:
        case "update":
            said = f"the loop updates an array {event.turns}, and outside of `jit` each update copies it whole"
        case "steps":
            said = f"the loop makes {each} {event.turns}, each a call of JAX of its own: nothing is jitted"
        case "calls":
            said = f"the loop calls `{event.subject}` {event.turns}, for {each}: calling it takes longer than these"
        case "read":
            said = f"`{event.subject}` waits for one element of an array, {event.turns}"
        case "unjitted":
            assert repeat is not None
            where = place(repeat.path, repeat.line, repeat.path != event.op.anchor.origin.shown)
            said = f"`{event.subject}` runs operation by operation on each turn of {repeat.by} {where}"
            notes = (Note(repeat.path, repeat.line, f"{repeat.by} repeats it"), *notes)
    report(event.op, f"{said}{ending(event.instead)}", notes)
