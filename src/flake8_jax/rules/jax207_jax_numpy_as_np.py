"""`jax.numpy` is imported under a name that everybody reads as NumPy's.

## What it does

Names an import that binds `np`, `numpy` or `onp` to `jax.numpy`, and one that binds a name to `jax.numpy` which another
import of the same body binds to NumPy.

## Why it is bad

Silent. Whoever reads `np.zeros(3)` expects an array that can be stored into, 64-bit numbers, no asynchronous dispatch
and no tracers. Code that is moved between such a file and others changes its meaning without a word.

```python bad
import jax.numpy as np  # JAX207: `np` is `jax.numpy` here

x = np.zeros(3)
```

## Instead

```python good
import jax.numpy as jnp
import numpy as np

x = jnp.zeros(3)
y = np.zeros(3)
```

## When it stays silent

On `xp`, `jnp` and any other name that is only bound to `jax.numpy`, and on names that are assigned, as in
`xp = jnp if on_device else np`. It is on request only (`--enable JAX207`), since nothing goes wrong by the name alone.

## Fix safety

All uses of the name would have to be renamed. No fix is applied.

## References

- [Thinking in JAX](https://docs.jax.dev/en/latest/notebooks/thinking_in_jax.html)
"""

from __future__ import annotations

from flake8_jax.rules.rule import Reporter, Rule
from flake8_jax.syntax.namesakes import NamesakeImported

RULE = Rule(
    code="JAX207",
    name="jax-numpy-as-np",
    since="0.1",
    group="arrays",
    hazard="by inspection: a name is no part of a run",
    fix="import it as `jnp`",
    status="off",
)


def check(event: NamesakeImported, report: Reporter) -> None:
    """A name of NumPy's that stands for `jax.numpy`."""
    also = f", and another import binds it to `{event.meant}`" if event.is_rebound else ""
    why = f"`{event.name}` is `{event.module}` here, and is read as `{event.meant}`{also}"
    report(event.span, f"{why}; use `import {event.module} as jnp`")
