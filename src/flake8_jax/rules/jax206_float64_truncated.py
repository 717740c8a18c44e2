"""JAX is asked for a type of 64 bits, which is not enabled: the array gets 32 bits.

## What it does

Reports functions of JAX and methods of its arrays that are given `float64`, `int64`, `uint64` or `complex128` as the
type of their result, also as a text or through a variable or parameter, and conversions such as `jnp.float64(x)`, in
projects that enable 64-bit types nowhere.

```python bad
import jax.numpy as jnp

x = jnp.zeros(3, dtype=jnp.float64)  # JAX206: x64 is not enabled
```

## Why it is bad

Silent. Unless `jax_enable_x64` is set, JAX makes an array of 32 bits, with a warning that is easily missed: sums lose
digits, large integers wrap around, and tests of the `dtype` are false.

## Instead

Ask for the type that there is, or enable 64-bit types before the first array is made.

```python good
import jax.numpy as jnp

x = jnp.zeros(3, dtype=jnp.float32)
```

## When it stays silent

In projects in which anything sets `jax_enable_x64` or asks for it: code, environment variables, tests, settings and
scripts at the root, a library that enables it when it is imported; with `--x64`. On annotations, comparisons, tables of
types and `jnp.finfo`; on NumPy; on `float`, `int` and `complex`, which mean the widest type that there is; on integers
that are an index and nothing else; where a test of a type or an option decides, and on types that are passed in, unless
a call is seen that asks for 64 bits; in tests.

## Fix safety

No fix is applied: only the project knows whether it wants 32 bits or x64.

## References

- [Double (64 bit) precision](https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html#double-64bit-precision)
- [Default dtypes and the X64 flag](https://docs.jax.dev/en/latest/default_dtypes.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.context import chain_notes, ending, place
from flake8_jax.analysis.checks.widths import WideRequested
from flake8_jax.rules.rule import Reporter, Rule

RULE = Rule(
    code="JAX206",
    name="float64-truncated",
    since="0.1",
    group="arrays",
    hazard="truncated",
    fix="ask for 32 bits, or enable 64",
    status="on",
    in_tests=False,
)


def check(event: WideRequested, report: Reporter) -> None:
    """A type of 64 bits that becomes one of 32."""
    why = f"`{event.callee}` is asked for {event.wide} and makes {event.narrow}, as x64 is not enabled in this project"
    chain, home = event.context.chain, event.op.anchor.origin.shown
    if chain:
        why += f": {chain[0].text} {place(chain[0].path, chain[0].line, chain[0].path != home)}"
    report(event.op, f"{why}{ending(event.instead)}", chain_notes(event))
