"""Data stands where a transform needs a function: the result of a call, or another argument.

## What it does

Reports arguments that cannot be called where a transform calls them: the result of a call in the place of the function
(`jax.jit(f(x))`, `lax.cond(p, f(x), g(x))`), arguments in the wrong order (`jax.tree.map(tree, f)`), arrays, numbers
and containers.

```python bad
import jax


def loss(w):
    return w**2


slope = jax.grad(loss(3.0))  # JAX606: is a call that gives a number
```

## Why it is bad

Loud. JAX raises `TypeError` when the transform is applied. Of `lax.cond` both calls have been made before it could
choose.

## Instead

Pass the function itself, and call what the transform returns. Where arguments are bound, use a lambda.

```python good
import jax


def loss(w):
    return w**2


slope = jax.grad(loss)(3.0)
```

## When it stays silent

Where the called function may return a function (`jax.grad(make_loss(config))`); on values that are not known, or that
annotations alone promise; on `lax.cond(p, x, f, y, g)`, which JAX still takes; where `pytest.raises` or a `try` expects
the error.

## Fix safety

Unsafe: arguments change their places, or `f(x)` becomes a lambda or a call of what the transform returns. There is no
fix where several readings are possible.

## References

- [`jax.lax.cond`](https://docs.jax.dev/en/latest/_autosummary/jax.lax.cond.html)
- [`jax.grad`](https://docs.jax.dev/en/latest/_autosummary/jax.grad.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.context import advised, chain_notes, made
from flake8_jax.analysis.checks.contracts.callees import FunctionDue
from flake8_jax.rules.rule import Reporter, Rewrite, Rule

RULE = Rule(
    code="JAX606",
    name="branch-called",
    since="0.1",
    group="contracts",
    hazard="raises:TypeError",
    also=("raises:ValueError", "raises:IndexError"),
    fix="pass the function itself",
    status="on",
)


def check(event: FunctionDue, report: Reporter) -> None:
    """Something that cannot be called where a function is due."""
    whence, notes = made(event, event.origin, event.subject)
    due = f"but `{event.transform}` {event.due}"
    if event.why == "called":
        message = f"`{event.subject}` is a call that gives {event.given}, {due}"
    else:
        message = f"`{event.subject}` is {event.given}{f', {whence}' if whence else ''}, {due}"
    words = f"keep the order `{event.order}`" if event.why == "order" else "pass a function there, without calling it"
    words = words if event.rewrite is not None else event.instead
    report(event.op, message, (*notes, *chain_notes(event)), remedy=advised(event.instead, event.rewrite, words))


def fix(event: FunctionDue) -> Rewrite | None:
    """The function is passed, at its place."""
    return event.rewrite
