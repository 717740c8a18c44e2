"""A static argument, a static field of a pytree, or a function that is compiled has no hash.

## What it does

Reports lists, dicts, sets, arrays, keys and objects without a hash that a static parameter of `jax.jit`, `jax.pmap` or
`nnx.jit` gets, by position, keyword, partial or through helpers; methods whose static `self` has none; arrays in
fields of a pytree that are declared static; and modules of Equinox with arrays in them, their bound methods, and other
objects without a hash, that `jit`, `pmap`, `checkpoint`, `scan`, `while_loop`, `fori_loop`, `cond` or `switch` gets as
its function.

```python bad
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames="shape")
def resize(x, shape):
    return jnp.resize(x, shape)


resize(jnp.ones(4), shape=[8, 8])  # JAX502: is a list
```

## Why it is bad

Loud. `jit` looks its compiled code up by the static arguments, and raises `ValueError` for one without a hash.
Dataclasses have none unless they are frozen; frozen ones are hashed by their fields. A default without a hash does no
harm until a call passes it. Static fields are compared: with arrays in them, the second object raises, not the first.
These transforms look up what they have traced by the function, too, and Equinox hashes a module, and a method that is
bound to it, by its arrays: `TypeError`. Those that map and differentiate do not, nor does `lax.map`.

## Instead

Pass a tuple, a frozen dataclass, or the array to a parameter that is traced. Use `eqx.filter_jit` for a module, and
`lambda carry, x: self.step(carry, x)` for its method.

```python good
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames="shape")
def resize(x, shape):
    return jnp.resize(x, shape)


resize(jnp.ones(4), shape=(8, 8))
```

## When it stays silent

On objects of classes that are not known, or below those of other libraries; on arrays that only annotations promise; on
static fields of a class of which the project makes one object, parts of others, or what it reads nothing but methods
of; on static arguments of `checkpoint` and nondiff ones, which nobody hashes; on defaults that no call is seen to pass;
where `pytest.raises` or a `try` expects the error.

## Fix safety

Safe: the call raised before. A list becomes a tuple, a set a frozenset; there is no fix where they hold what has no
hash.

## References

- [`jax.jit`](https://docs.jax.dev/en/latest/_autosummary/jax.jit.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.compilation.hashed_arguments import StaticUnhashable
from flake8_jax.analysis.checks.context import advised, chain_notes, made
from flake8_jax.rules.rule import Reporter, Rewrite, Rule

RULE = Rule(
    code="JAX502",
    name="unhashable-static",
    since="0.1",
    group="compilation",
    hazard="raises:ValueError",
    also=("raises:TypeError",),
    fix="pass what has a hash",
    status="on",
)


def check(event: StaticUnhashable, report: Reporter) -> None:
    """Something static that has no hash."""
    whence, notes = made(event, event.origin, event.subject)
    function = "the lambda" if "<lambda>" in event.function else f"`{event.function}`"
    if event.form == "field":
        message = f"the static field `{event.subject}` of {function} holds {event.given}: static fields are compared"
    elif event.form == "self":
        message = f"`{event.parameter}` is static in {function}, but it is {event.given}: it has no hash"
    elif event.form == "callable":
        message = f"`{event.transform}` needs a function that has a hash, but `{event.subject}` is {event.given}"
    else:
        what = f"`{event.subject}` is {event.given}{f', {whence}' if whence else ''}"
        parameter = f"`{event.parameter}` of {function}" if event.parameter else f"an argument of {function}"
        message = f"{what}, but {parameter} is static and needs a hash"
    changes = event.rewrite.changes if event.rewrite is not None else ()
    instead = f"use `{changes[0].text}`" if changes else event.instead
    report(event.op, message, (*notes, *chain_notes(event)), remedy=advised(instead, event.rewrite, event.instead))


def fix(event: StaticUnhashable) -> Rewrite | None:
    """What has no hash becomes the like of it that has one."""
    return event.rewrite
