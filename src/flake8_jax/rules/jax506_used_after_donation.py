"""An array is used after its buffer was donated to a compiled function.

## What it does

Reports uses of what was passed to a compiled function at a donated position (`donate_argnums`, `donate_argnames` of
`jax.jit`, `pmap`, `pjit` and `nnx.jit`, `donate="all"` and `"all-except-first"` of `eqx.filter_jit`): by its name or
another one, as an attribute, an entry or a field, by a function of JAX or NumPy, an operator, a comparison, an index, a
method, an f-string, a loop over it, another compiled call, `return`; in the next turn of a loop; by a function, closure
or method of the project that reads it on every path, also under `vmap` or `grad`; and one array that is passed twice to
a call that may write into it, also in two trees. Also where a function or method of the project does the donating. And
what reads all of a list into which the donated arrays were put: `frames.append(x); x = step(x)`, then
`jnp.stack(frames)`.

And donations that are of no use, since no result has as many elements.

```python bad
import jax
import jax.numpy as jnp

step = jax.jit(lambda x: x + 1, donate_argnums=0)
x = jnp.ones(3)
y = step(x)
print(x + y)  # JAX506: `x` is used, but its buffer was donated to `step` on line 6
```

## Why it is bad

Loud. `RuntimeError: Array has been deleted`, or of a compiled call `ValueError`, or `JaxRuntimeError: INVALID_ARGUMENT:
Buffer has been deleted or donated`. The results have been written into the buffer: with JAX 0.10 on a CPU, too, where
earlier versions only warned. `shape`, `dtype`, `ndim`, `size`, `sharding`, `len` and `jnp.zeros_like` still work.

A donation that no result can use saves nothing. JAX warns when it compiles: `Some donated buffers were not usable`.

## Instead

Bind the result to the same name, as training loops do: `state = step(state, batch)`. If the old value is still wanted,
donate a copy, or do not donate it.

```python good
import jax
import jax.numpy as jnp

step = jax.jit(lambda x: x + 1, donate_argnums=0)
x = jnp.ones(3)
y = step(x.copy())
print(x + y)
```

## When it stays silent

On uses of what no result can take the buffer of: each takes that of the first array of as many elements and its dtype,
so of two donated arrays and one result the second one stays. On donated NumPy arrays and numbers, which are copied. On
`jnp.asarray(x)` and `x.astype(...)`, which may hand the same array on. In code that is traced, where a donation by an
inner compiled function has no effect. On objects of nnx, whose variables are bound to the results. In a `try`. If the
donated positions are not written as constants (`donate_argnums=(0,) if fast else ()`). On functions that nobody knows,
and on those of the project that read what they are given under a condition, or after a rebinding.

## Fix safety

Of an array that is passed twice the fix passes a copy for the other argument. It is safe: the call raised before. Where
else a copy is needed, or the result is meant, only people can tell.

## References

- [Buffer donation](https://docs.jax.dev/en/latest/buffer_donation.html)
- [`jax.jit`](https://docs.jax.dev/en/latest/_autosummary/jax.jit.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.compilation.donated_reads import DonatedRead
from flake8_jax.analysis.checks.context import ending, place
from flake8_jax.model.diagnostic import Note
from flake8_jax.rules.rule import Reporter, Rewrite, Rule

RULE = Rule(
    code="JAX506",
    name="used-after-donation",
    since="0.1",
    group="compilation",
    hazard="raises:RuntimeError",
    also=("donated", "warns:not_usable"),
    fix="pass a copy",
    status="on",
)

FORMS = {
    "read": "`{0}` is used, but its buffer was donated to `{1}` {2}",
    "returned": "`{0}` is returned, but its buffer was donated to `{1}` {2}",
    "again": "`{0}` is handed on, but its buffer was donated to `{1}` {2}",
    "kept": "`{0}` holds arrays whose buffers were donated to `{1}` {2}",
    "turn": "`{0}` is donated to `{1}` in each turn, and gone after the first",
    "twice": "`{0}` is passed twice to `{1}`, which is given its buffer",
    "tree twice": "`{0}` is passed twice to `{1}`, which is given its buffers",
    "within": "{3} reads `{0}`, but its buffer was donated to `{1}` {2}",
    "unusable": "`{0}` is donated to `{1}`, and no result of it has as many elements: nothing takes its buffer",
}


def check(event: DonatedRead, report: Reporter) -> None:
    """A use of an array whose buffer was donated."""
    origin = event.origin
    where = place(origin.path, origin.line, origin.path != event.op.anchor.origin.shown)
    reader = "the lambda" if event.reader == "<lambda>" else f"`{event.reader}`"
    message = FORMS[event.form].format(event.subject, event.call, where, reader)
    report(event.op, f"{message}{ending(event.instead)}", (Note(origin.path, origin.line, origin.text),))


def fix(event: DonatedRead) -> Rewrite | None:
    """Pass a copy, where one call is given an array twice."""
    return event.rewrite
