"""What JAX cannot trace goes into a traced function, or comes out of it: a string, a function, a set, a plain object.

## What it does

Reports strings, functions, classes, sets, ranges, generators and objects of plain classes that a call passes to a
traced parameter or operand, in containers or through helpers, too, or that a traced function returns; modules of
Equinox with a function in a field that is not static, as `eqx.nn.MLP` has its activation; dicts whose keys cannot be
sorted; pytrees whose constructor converts what JAX makes them anew of.

```python bad
import jax
import jax.numpy as jnp


@jax.jit
def applied(function, x):
    return function(x)


applied(jnp.sin, 1.0)  # JAX611: `jnp.sin` is a function
```

## Why it is bad

Loud. JAX traces arrays, numbers and trees of them (tuples, registered classes), and raises `TypeError` for others.

## Instead

Make the argument static, if it has a hash; close over it; register its class; with Equinox use `filter_jit`.

```python good
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames="function")
def applied(function, x):
    return function(x)


applied(jnp.sin, 1.0)
```

## When it stays silent

On static arguments, on those that a derivative does not differentiate, those that are not mapped, auxiliary data; on
classes with bases in libraries, with decorators that are not known, or that anything registers, also in other files; on
`jax.tree_util.Partial`; on what a test hands to code of another file, which it may have patched; under transforms that
keep what is no array (`equinox.filter_jit`); where the body asks for the value of the argument (JAX406).

## Fix safety

No fix is applied: whether the argument becomes static, an array or a pytree is not said.

## References

- [`jax.jit`](https://docs.jax.dev/en/latest/_autosummary/jax.jit.html)
- [Pytrees](https://docs.jax.dev/en/latest/pytrees.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.context import advised, chain_notes, place
from flake8_jax.analysis.checks.contracts.foreign import ForeignTraced
from flake8_jax.rules.rule import Reporter, Rule

RULE = Rule(
    code="JAX611",
    name="not-a-jax-type",
    since="0.1",
    group="contracts",
    hazard="raises:TypeError",
    also=("raises:ValueError", "raises:InvalidInputException"),
    fix="declare it static, or register its class as a pytree",
    status="on",
)


def check(event: ForeignTraced, report: Reporter) -> None:
    """Something that JAX cannot trace."""
    function = "the lambda" if "<lambda>" in event.function else f"`{event.function}`"
    if event.made_of:
        message = f"`{event.subject}` is {event.given}, which `{event.transform}` makes anew of {event.made_of}"
    elif event.way == "result":
        alone = f"{function} returns {event.given}, which `{event.transform}` cannot give back"
        named = f"`{event.subject}` is {event.given}, which {function} cannot return under `{event.transform}`"
        message = named if event.subject else alone
    elif event.way == "tree":
        message = f"`{event.subject}` is {event.given}, and `{event.transform}` takes it apart in their order"
    elif event.way == "argument":
        message = f"`{event.subject}` is {event.given}, passed to a traced parameter of {function}:"
        message += f" `{event.transform}` refuses it"
    else:
        message = f"`{event.subject}` is {event.given}, which `{event.transform}` cannot trace as `{event.parameter}`"
    for hop in event.context.chain[:1]:
        message += f", where {hop.text} {place(hop.path, hop.line, hop.path != event.op.anchor.origin.shown)}"
    report(event.op, message, chain_notes(event), remedy=advised(_words(event), None, ""))


def _words(event: ForeignTraced) -> str:
    if event.instead:
        return event.instead
    if event.way == "result":
        return f"return its arrays, or {event.tree}" if event.owner else "return arrays alone, and add the rest outside"
    if event.filtering:
        split = f"split it by `{event.filtering}`, and pass its arrays alone"
        library, _, function = event.filtering.rpartition(".")
        is_name = event.subject.replace(".", "").isidentifier()
        kept = f", and `{library}.filter({event.subject}, {library}.is_array)` for an optimizer"
        also = kept if library and is_name and function.endswith("grad") else ""
        return f"use `{event.filtering}`{also}" if event.way == "argument" else split
    if " that holds " in event.given and not (event.has_hash or event.owner):
        apart = {"jax.jit": ", as a static argument", "jax.vmap": ", with `in_axes=None`"}.get(event.by, "")
        return f"keep arrays alone in it, and pass the rest apart{apart}"
    if event.by == "jax.jit" and event.has_hash:
        named = f"declare `{event.parameter}` static" if event.parameter else "declare it static"
        return f"{named}, or `{event.owner}` as a pytree" if event.owner else named
    if event.transform.endswith("vmap"):
        return "pass it with `in_axes=None`, or bind it by `functools.partial`"
    if event.owner:
        return event.tree
    return "pass an array, or bind it by `functools.partial` or a closure"
