"""Random numbers of Python or NumPy are drawn in traced code: once, for all calls.

## What it does

Reports draws in traced code from `random`, `np.random`, `secrets`, `uuid` and `os.urandom`, from generators that live
outside of it, and unseeded generators that it makes.

```python bad
import jax
import numpy as np


@jax.jit
def noisy(x):
    return x + np.random.normal()  # JAX305: `np.random.normal` draws once per trace


noisy(1.0), noisy(1.0)
```

## Why it is bad

Silent. The number that was drawn while JAX traced is a constant of the compiled code: every call has the same noise,
and so has every iteration of a `scan`. A new shape draws again, and moves the generator of the whole program on.

## Instead

Pass a key in, and draw with `jax.random`; or draw on the host and pass the numbers in.

```python good
import jax
import numpy as np


@jax.jit
def noisy(x, key):
    return x + jax.random.normal(key)


noisy(1.0, jax.random.key(0)), noisy(1.0, jax.random.key(1))
```

## When it stays silent

On a generator that traced code makes from a seed of its own (`np.random.default_rng(0)`), and behind
`np.random.seed(0)` there: the numbers are meant to be constants; on a UUID that a constructor keeps, by which its
object is told from others; in functions that run on the host (`jax.debug.callback`, `io_callback`, `pure_callback`);
under `eval_shape`; under bare `vmap` and `grad`, which run the function on every call; on parameters of a distribution
that are traced, which NumPy refuses (JAX405).

## Fix safety

No fix is applied: the key has to come from the caller.

## References

- [Pseudorandom numbers](https://docs.jax.dev/en/latest/random-numbers.html)
- [Random numbers](https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html#random-numbers)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.context import chain_notes, ending, role
from flake8_jax.analysis.checks.effects.host_calls import HostCallTraced
from flake8_jax.rules.rule import Reporter, Rule

RULE = Rule(
    code="JAX305",
    name="host-random-in-traced",
    since="0.1",
    group="effects",
    hazard="trace_once",
    fix="draw with `jax.random` from a key that is passed in",
    status="on",
)


def check(event: HostCallTraced, report: Reporter) -> None:
    """A draw is made once for all calls."""
    if event.kind not in ("random", "draw"):
        return
    said = f"`{event.callee}` draws once per trace, and every call has the same numbers: {role(event)}"
    report(event.op, f"{said}{ending(event.instead)}", chain_notes(event))
