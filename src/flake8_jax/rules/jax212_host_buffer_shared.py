"""NumPy writes into memory that it shares with a JAX array, but JAX arrays never change.

## What it does

Reports writes of NumPy into what `np.asarray(x)` and `jax.device_get(x)` give of a JAX array: items, `a += 1`,
`a.fill(0)`, `a.sort()`, `np.copyto(a, b)`, `out=a`, also of views of it, and in helpers that get it. And writes into a
buffer that was handed to `jax.device_put`, `jnp.asarray`, `jnp.array` or a compiled function, if nothing has waited
for a value of JAX since, and what was made of the buffer is read afterwards; also into one that an object keeps, which
one of its methods fills and another method, or another object, hands to JAX.

```python bad
import jax.numpy as jnp
import numpy as np

host = np.asarray(jnp.zeros(3))
host[0] = 1  # JAX212: `host` is a read-only view of a JAX array
```

```python bad
import jax
import jax.numpy as jnp
import numpy as np

buffer, batches = np.zeros(3, np.float32), []
for number in range(3):
    buffer[:] = number  # JAX212: `buffer` is written, but JAX may still read it
    batches.append(jax.device_put(buffer))
print(jnp.stack(batches))
```

## Why it is bad

Loud. `ValueError: assignment destination is read-only`, for views. For buffers nothing says so: all batches above may
hold the last numbers. Measured with JAX 0.10.2 on a CPU, for buffers of at most 32 bits a number:

- `jax.device_put(a)`, with `may_alias=False` too, and `jnp.asarray(a, dtype=a.dtype)` share the memory of `a` for as
  long as the array lives if its address is a multiple of 64, as is that of about every fourth small buffer.
- If it is not, buffers from about 100 kB up are copied later, while Python goes on: by all of these, and by
  `jnp.asarray(a)` and `jnp.array(a)`, even with `copy=True`. Smaller ones are copied at once.
- A compiled function shares the memory until it has run, which may be long after the call, where it waits for
  earlier results: with pending work, buffers of 16 bytes came out wrong.

## Instead

Copy where you write: `np.array(x)` in place of `np.asarray(x)`. Hand JAX a copy of the buffer, or a new array in each
turn.

```python good
import jax
import jax.numpy as jnp
import numpy as np

host = np.array(jnp.zeros(3))
host[0] = 1

buffer, batches = np.zeros(3, np.float32), []
for number in range(3):
    buffer[:] = number
    batches.append(jax.device_put(buffer.copy()))
print(jnp.stack(batches))
```

## When it stays silent

On copies (`np.array(x)`, `.copy()`, another dtype, arithmetic, a mask as index); on writes in a `try` or after a test
of `flags.writeable`; on arrays that may be those of NumPy. Of buffers: on 64 bits, which JAX converts at once; where
the dtype is not known; on `jnp.asarray(a)` and `jnp.array(a)` of less than 128 kB, or of unknown size; after
`block_until_ready`, `float(loss)`, `print(loss)` and whatever else may wait for JAX; if what was made of the buffer is
never read again; where it was yielded, returned or kept in an object before it is written; on buffers of objects that
an index chooses (`pools[i].put(x)`), and on those that more than the constructor stores.

## Fix safety

No fix is applied: which of the two places should copy is not said.

## References

- [`jax.device_put`](https://docs.jax.dev/en/latest/_autosummary/jax.device_put.html)
- [`jax.device_get`](https://docs.jax.dev/en/latest/_autosummary/jax.device_get.html)
- [Asynchronous dispatch](https://docs.jax.dev/en/latest/async_dispatch.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.context import chain_notes, ending, place
from flake8_jax.analysis.checks.host.buffers import HostBufferWritten
from flake8_jax.model.diagnostic import Note
from flake8_jax.rules.rule import Reporter, Rule

RULE = Rule(
    code="JAX212",
    name="host-buffer-shared",
    since="0.1",
    group="arrays",
    hazard="raises:ValueError",
    also=("buffer_shared", "raises:AssertionError"),
    fix="copy the array",
    status="strict",
)


def check(event: HostBufferWritten, report: Reporter) -> None:
    """A write into a view of an array, or into a buffer that JAX may still read."""
    origin, subject = event.origin, event.subject
    where = place(origin.path, origin.line, origin.path != event.op.anchor.origin.shown)
    if event.form == "view":
        made = f": made by `{event.call}` {where}" if subject != event.call else ""
        what = f"`{subject}` is a read-only view of a JAX array{made}"
        note = f"`{event.call}` makes a view"
    else:
        turn = "in an earlier turn, " if event.is_earlier else ""
        what = f"`{subject}` is written, but JAX may still read it: handed to `{event.call}` {turn}{where}"
        note = f"`{event.call}` is handed `{subject}`"
    report(event.op, f"{what}{ending(event.instead)}", (Note(origin.path, origin.line, note), *chain_notes(event)))
