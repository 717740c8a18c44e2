"""The object of a jitted method is traced, and is no pytree.

## What it does

Reports methods under `jax.jit`, `jax.vmap` or `jax.grad` whose `self` is traced, where the class is certainly no
pytree; and objects of such classes that a call passes to a traced parameter.

```python bad
import jax


class Model:
    def __init__(self, scale):
        self.scale = scale

    @jax.jit  # JAX507: `self` is traced in `apply`
    def apply(self, x):
        return x * self.scale


Model(2.0).apply(1.0)
```

## Why it is bad

Loud. `jit` takes arrays and trees of arrays; for anything else it raises `TypeError` in the first call. Numbers count
`self`: `static_argnums=(1,)` leaves it traced.

## Instead

Declare `self` static, if the object never changes: its fields are read while JAX traces. Else register its class as a
pytree, or jit a function that gets the arrays.

```python good
from functools import partial

import jax


class Model:
    def __init__(self, scale):
        self.scale = scale

    @partial(jax.jit, static_argnums=0)
    def apply(self, x):
        return x * self.scale


Model(2.0).apply(1.0)
```

## When it stays silent

On classes with bases in libraries (`equinox.Module`, `nnx.Module`), with decorators that are not known, that anything
registers, or whose objects are arrays; on named tuples; on class methods and static methods; where no constructor shows
that objects of exactly this class are made; under transforms that keep what is no array (`equinox.filter_jit`); on
methods that the project does not name a second time.

## Fix safety

Unsafe: `self` becomes static. Where the object changes later, the compiled code does not notice (JAX302). There is no
fix where the class has no hash, or where a field that the method reads is stored later.

## References

- [How to use `jit` with methods](https://docs.jax.dev/en/latest/faq.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.compilation.objects_traced import ObjectTraced
from flake8_jax.analysis.checks.context import advised, chain_notes
from flake8_jax.rules.rule import Reporter, Rewrite, Rule

RULE = Rule(
    code="JAX507",
    name="self-traced",
    since="0.1",
    group="compilation",
    hazard="raises:TypeError",
    also=("raises:ValueError",),
    fix="declare it static, or register its class as a pytree",
    status="on",
)


def check(event: ObjectTraced, report: Reporter) -> None:
    """An object of a plain class that is traced."""
    function = "the lambda" if "<lambda>" in event.function else f"`{event.function}`"
    message = f"`{event.subject}` is traced in {function}, but `{event.owner}` is no pytree:"
    message += f" `{event.transform}` refuses the call"
    remedy = advised(event.instead or event.words, event.rewrite, event.words)
    report(event.op, message, chain_notes(event), remedy=remedy)


def fix(event: ObjectTraced) -> Rewrite | None:
    """The object becomes static."""
    return event.rewrite
