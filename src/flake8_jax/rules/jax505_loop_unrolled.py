"""A Python loop in traced code has many turns: each is a part of its own of the compiled program.

## What it does

Reports `for` loops and comprehensions in traced code that compute with traced arrays, and `while` loops that count up
or down, where the turns are known and make a large program: 50 turns or more, and 400 array operations in all of them;
loops in loops multiply.  A loop over a traced array, or about as often as it is long, that reads what it stores into an
array with `.at`, or hands something from turn to turn and adds to a list or an array, is reported without a known
number; so is one that fills an array by a list of indices.

```python bad
import jax
import jax.numpy as jnp


@jax.jit
def relaxed(x):
    for _ in range(1000):  # JAX505: 1000 turns
        x = x - 0.1 * jnp.sin(x)
    return x
```

## Why it is bad

Silent.  JAX runs the loop while it traces, so the program has 3000 operations, each compiled on its own: this one takes
a hundred times as long to compile, and again for each new shape.  Sums and draws in a turn cost most:
on a CPU 100 turns with a sum each take about 3 seconds, with a draw 10.

## Instead

`jax.lax.fori_loop` or `jax.lax.scan` has the body once; `jax.vmap`, or an operation on the whole array, does
what needs no order at all at once.  Both `scan` and a `fori_loop` with a known number of turns can be differentiated.

```python good
import jax
import jax.numpy as jnp


@jax.jit
def relaxed(x):
    def body(i, x):
        return x - 0.1 * jnp.sin(x)

    return jax.lax.fori_loop(0, 1000, body, x)
```

## When it stays silent

Below these numbers, as in loops over layers and small stencils; where the number of turns is an attribute or an
argument of which no call tells the value; over lists, modules and trees of parameters; in a loop that is left early; in
kernels of Pallas; where the body works on the host; in code that no trace runs; in test files, where long programs are
made on purpose.

## Fix safety

No fix is applied: what one turn hands to the next must become a carry.

## References

- [Control flow and jit](https://docs.jax.dev/en/latest/control-flow.html)
- [jax.lax.fori_loop](https://docs.jax.dev/en/latest/_autosummary/jax.lax.fori_loop.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.compilation.unrolling import LoopUnrolled
from flake8_jax.analysis.checks.context import chain_notes, ending, role
from flake8_jax.rules.rule import Reporter, Rule

RULE = Rule(
    code="JAX505",
    name="loop-unrolled",
    since="0.1",
    group="compilation",
    hazard="unrolled:50",
    fix="use `jax.lax.fori_loop`, `jax.lax.scan` or `jax.vmap`",
    status="on",
    in_tests=False,
    also=("unrolled:16",),
)


def check(event: LoopUnrolled, report: Reporter) -> None:
    """A loop that the program has turn by turn."""
    each = f"about {event.operations} array operations" if event.operations > 1 else "an array operation"
    what = "comprehension" if event.form == "comprehension" else f"`{event.form}` loop"
    often = f"{event.turns} turns of {each}" if event.turns is not None else f"{each}, {event.often}"
    message = f"the {what} is unrolled into the compiled program, {often}: {role(event)}"
    report(event.op, f"{message}{ending(event.instead)}", chain_notes(event))
