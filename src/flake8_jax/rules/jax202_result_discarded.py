"""The result of a pure operation is dropped, so that the statement does nothing.

## What it does

Reports what makes something new and stands alone as a statement: `x.at[i].set(value)` and its like, functions and
methods of arrays without side effects (`jax.numpy`, `jax.lax`, `jax.nn`, `jax.scipy`, `optax`, `jax.tree.map` of such),
copies of records (`state.replace(step=1)`, `pair._replace(...)`, `dataclasses.replace(...)`), transforms
(`jax.jit(f)`).

```python bad
import jax.numpy as jnp

x = jnp.zeros(3)
x.at[0].set(1.0)  # JAX202: the result of `x.at[0].set(1.0)` is dropped
```

## Why it is bad

Silent. JAX arrays never change: every operation returns a new one, and here nobody takes it. In NumPy the same line
(`x[0] = 1.0`, `x.sort()`) updates the array, so that ported code runs on and computes with the old values.

## Instead

Bind the result: `x = x.at[0].set(1.0)`. If the operation is not needed, delete the line.

```python good
import jax.numpy as jnp

x = jnp.zeros(3)
x = x.at[0].set(1.0)
```

## When it stays silent

On calls with effects (`jax.debug.print`, `jnp.save`, `x.block_until_ready()`), on records with a `replace` of their
own, and on `lax.cond`, `lax.scan` and others that run functions, which may have effects; on the last expression of
a cell (of a notebook, or of a file with `# %%`), which shows the value, on the last statement of a module, and beside
a bare `x` or `x.shape`, where somebody looks at values line by line; on what `%timeit` and its like take the time of;
on what returns no array (`jnp.broadcast_shapes` is called to check shapes); where an error may be what the call is for
(in a `try`, under `pytest.raises(...)`); on labels (`frame.at[row, "name"].add(...)`); in test files.

## Fix safety

Unsafe: the result is bound to the local name of what is updated, or of the only argument, and the program goes on with
it. There is no fix where it is not evident which name is meant, or where nobody reads that name later.

## References

- [In-place updates](https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html#in-place-updates)
- [`jax.numpy.ndarray.at`](https://docs.jax.dev/en/latest/_autosummary/jax.numpy.ndarray.at.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.context import advised, chain_notes
from flake8_jax.analysis.checks.discarded import ResultDiscarded
from flake8_jax.rules.rule import Reporter, Rewrite, Rule

RULE = Rule(
    code="JAX202",
    name="result-discarded",
    since="0.1",
    group="arrays",
    hazard="dead",
    fix="bind the result to a name",
    status="on",
    in_tests=False,
)


def check(event: ResultDiscarded, report: Reporter) -> None:
    """A pure call that stands alone."""
    why = f": `{event.updated}` does not change" if event.updated else ", and it has no other effect"
    bound = event.updated or event.instead.removeprefix("use `").partition(" = ")[0] * event.instead.startswith("use `")
    words = f"bind what it returns to `{bound}`" if bound else "bind the result to a name, or delete the line"
    remedy = advised(event.instead, event.rewrite, words)
    report(event.op, f"the result of `{event.call}` is dropped{why}", chain_notes(event), remedy=remedy)


def fix(event: ResultDiscarded) -> Rewrite | None:
    """The result is bound to the name of what it is made of."""
    return event.rewrite
