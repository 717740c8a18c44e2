"""A transform is told axes or numbers of arguments that what it gets does not have.

## What it does

Reports calls of functions under `vmap` and `pmap` that pass another number of arguments than `in_axes` has axes, have a
dict there, map nothing, map numbers or arrays without the axis, or arrays of different sizes; `out_axes` that the
results do not have; arrays passed by name beside `in_axes` that are summed up as if each call had all of them;
`argnums` beyond arguments of a function or call; specifications of `shard_map` that do not fit the arguments, the
results or the mesh, and of `NamedSharding` that name an axis which the mesh does not have; `psum` and the like along
axes that nothing around binds, where code of the host calls; loops under `shard_map` whose carry is the same on each
device at first, and then depends on an argument that is split.

```python bad
import jax
import jax.numpy as jnp


def scaled(xs, weights):
    scale = jax.vmap(lambda x, w: x * w.sum(), in_axes=(0, None))
    return scale(xs, w=weights)  # JAX605: `in_axes` has 2 axes, and the lambda gets 1 by position and 1 by name


scaled(jnp.ones(3), jnp.ones(3))
```

## Why it is bad

Loud. In the call: `ValueError: vmap in_axes must be an int, None, or a tuple of entries corresponding to the positional
arguments`, `vmap was requested to map its argument along axis 0`, `vmap got inconsistent sizes`, `TypeError:
differentiating with respect to argnums=0 requires at least 1 positional arguments`. Silent where an argument is passed
by name: it is mapped along its first axis, whatever `in_axes` says, and each call gets one row of it.

## Instead

Pass all arguments of a mapped or differentiated function by position, give `in_axes` one entry for each, and `None` for
what each lane gets as it is.

```python good
import jax
import jax.numpy as jnp


def scaled(xs, weights):
    scale = jax.vmap(lambda x, w: x * w.sum(), in_axes=(0, None))
    return scale(xs, weights)


scaled(jnp.ones(3), jnp.ones(3))
```

## When it stays silent

On axes, shapes and results that are not known; on arguments that are spread from something of unknown length; on lists
and tuples of numbers, of which JAX203 tells; on numbers of static and donated arguments, of which JAX503 does; on
libraries other than JAX; where `pytest.raises` or a `try` expects the error.

## Fix safety

There is no fix: what was meant is not known.

## References

- [`jax.vmap`](https://docs.jax.dev/en/latest/_autosummary/jax.vmap.html)
- [`jax.grad`](https://docs.jax.dev/en/latest/_autosummary/jax.grad.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.context import chain_notes, ending
from flake8_jax.analysis.checks.contracts.axes import AxesMismatch
from flake8_jax.rules.rule import Reporter, Rule

RULE = Rule(
    code="JAX605",
    name="axes-mismatch",
    since="0.1",
    group="contracts",
    hazard="raises:ValueError",
    also=("raises:TypeError", "raises:NameError", "eager_differs"),
    fix="give each argument its axis",
    status="on",
)

SAID = {
    "length": "`in_axes` has {subject}, and {function} gets {gets}",
    "tree": "`in_axes` is a dict, and {function} gets {gets}",
    "unmapped": "`in_axes` maps no argument of {function}",
    "rank": "{subject} is mapped along axis {gets}",
    "named": "{subject} is passed by name, and so mapped along axis {gets}",
    "kept": "{subject} is passed by name, and so mapped along axis {gets}, whatever `in_axes` says",
    "sizes": "{gets}, and {subject}",
    "out rank": "`out_axes` has {subject}, and {gets}",
    "out tree": "`out_axes` has {subject}, and {function} returns {gets}",
    "beyond": "`argnums` has {subject}, and {function} takes {gets}",
    "specs": "`in_specs` has {subject}, and {function} gets {gets}",
    "out specs": "`out_specs` has {subject}, and {function} returns {gets}",
    "spec name": "the specification names the axis {subject}, and the mesh has {gets}",
    "spec rank": "the specification of {subject} has {gets}",
    "spec keyword": "{subject} is passed by name, and {function} takes no names under `{transform}`",
    "unbound": "`{transform}` needs the axis {subject}, and nothing around binds it{gets}",
    "varying": "the carry {subject} is the same on each device, and {gets} makes it vary after a turn of `{transform}`",
    "by name": "`{transform}` differentiates {function} by {subject}, and it gets {gets}",
}  # fmt: skip
"""What does not fit."""


def check(event: AxesMismatch, report: Reporter) -> None:
    """Axes or numbers that what a transform gets does not have."""
    said = SAID[event.fault].format(
        transform=event.transform, function=event.function, subject=event.subject, gets=event.gets
    )
    report(event.op, said + ending(event.instead), chain_notes(event))
