"""Jitted code takes a large array from outside, or makes it with NumPy: it becomes a constant of the program.

## What it does

Reports where a jitted function computes with an array of a megabyte or more, by its shape, that is no argument: one of
JAX or NumPy from the module or a function around, one that the function itself makes with NumPy, or the attribute of an
object that is static, or whose method is jitted: by an operator, an index, a method, a function of JAX, or as what a
transform such as `scan` or `vmap` runs over. So are the weights of a layer of Equinox, Flax or NNX that it runs, and
the variables of one that it applies, where the arguments of the layer tell their size.

```python bad
import jax
import jax.numpy as jnp

table = jnp.ones((2048, 2048))


@jax.jit
def looked_up(x):
    return x @ table  # JAX508: `table` is a constant


looked_up(jnp.ones(2048))
```

## Why it is bad

Silent.  The program holds a copy of all numbers, which the compiler reads, copies and computes with: measured on a CPU,
a function with an array of 64 MB takes 17 seconds to compile in place of 0.4, and half a gigabyte of memory.  Each
other program that takes the same array has a copy of its own, and none of them sees when the name is bound again.

## Instead

Pass it in as an argument.  What is a simple function of numbers, such as a mask, make with `jax.numpy`: then the
program computes it.

```python good
import jax
import jax.numpy as jnp

table = jnp.ones((2048, 2048))


@jax.jit
def looked_up(x, table):
    return x @ table


looked_up(jnp.ones(2048), table)
```

## When it stays silent

On arrays whose size is not known, as that of the weights of most models, or is smaller; on what only asks
for a shape or dtype; where nobody is seen to jit the function; in tests. Where the name is bound again, and the program
does not follow: that is the matter of [JAX302](jax302_stale_capture.py). On attributes of objects whose class is
registered as a pytree anywhere, or which another method stores.

## Fix safety

No fix is applied: callers must pass the array.

## References

- [What jit does with what a function closes over](https://docs.jax.dev/en/latest/jit-compilation.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.compilation.constants import ConstantHeld
from flake8_jax.analysis.checks.context import chain_notes, ending, role
from flake8_jax.rules.rule import Reporter, Rule

RULE = Rule(
    code="JAX508",
    name="large-capture",
    since="0.1",
    group="compilation",
    hazard="consts",
    fix="pass the array in as an argument",
    status="on",
    in_tests=False,
)

MEGABYTE = 1_048_576


def check(event: ConstantHeld, report: Reporter) -> None:
    """A constant that should be an argument."""
    size = f"{event.size // MEGABYTE} MB"
    message = f"`{event.subject}` is a constant of {size} in the compiled program: {role(event)}{ending(event.instead)}"
    report(event.op, message, chain_notes(event))
