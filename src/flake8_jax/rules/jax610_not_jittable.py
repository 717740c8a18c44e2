"""A transform gets a callable that it cannot run: a generator, a coroutine, a static or class method, a property.

## What it does

Reports generator functions and coroutines under the transforms of JAX, also in partials and as methods, and decorators
in the wrong order: `jax.jit` above `@staticmethod`, `@classmethod` or `@property`.

```python bad
import jax


class Model:
    @jax.jit  # JAX610: write `staticmethod` above `jax.jit`
    @staticmethod
    def scaled(x):
        return 2.0 * x
```

## Why it is bad

Loud. JAX raises `TypeError`: for a generator and for what `@staticmethod` makes when the transform is applied, for a
coroutine in the first call, as a coroutine is what comes back.

## Instead

Return a list or tuple of what would be yielded. Write `@staticmethod` above the transform.

```python good
import jax


class Model:
    @staticmethod
    @jax.jit
    def scaled(x):
        return 2.0 * x
```

## When it stays silent

Under transforms that trace nothing (`jax.tree.map`, `jax.debug.callback`); on functions under decorators that are not
known, such as `contextlib.contextmanager`; where `pytest.raises` or a `try` expects the error.

## Fix safety

Safe: the two decorators change their places, and the class could not be made before.

## References

- [How to use `jit` with methods](https://docs.jax.dev/en/latest/faq.html)
- [`jax.jit`](https://docs.jax.dev/en/latest/_autosummary/jax.jit.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.context import advised, chain_notes
from flake8_jax.analysis.checks.contracts.unfit import UnfitCallable
from flake8_jax.rules.rule import Reporter, Rewrite, Rule

RULE = Rule(
    code="JAX610",
    name="not-jittable",
    since="0.1",
    group="contracts",
    hazard="raises:TypeError",
    fix="write `staticmethod` above the transform",
    status="on",
)

FORMS = {
    "generator": "is a generator function: nothing of it runs when `{transform}` calls it",
    "coroutine": "is a coroutine: `{transform}` gets no result of it",
    "asynchronous generator": "is an asynchronous generator: `{transform}` gets no result of it",
    "staticmethod": "is under `@staticmethod`, whose object `{transform}` refuses",
    "classmethod": "is under `@classmethod`, whose object `{transform}` cannot call",
    "property": "is a property, which `{transform}` cannot call",
    "cached property": "is a property, which `{transform}` cannot call",
}


def check(event: UnfitCallable, report: Reporter) -> None:
    """A callable that cannot be run."""
    function = "the lambda" if "<lambda>" in event.function else f"`{event.function}`"
    message = f"{function} {FORMS[event.form].format(transform=event.transform)}"
    report(event.op, message, chain_notes(event), remedy=advised(event.instead, event.rewrite, event.words))


def fix(event: UnfitCallable) -> Rewrite | None:
    """The decorators change their places."""
    return event.rewrite
