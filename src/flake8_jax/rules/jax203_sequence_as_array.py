"""A list or tuple is passed where JAX takes arrays only.

## What it does

Reports a list, tuple, comprehension, generator, `x.shape` or `*args`, written there or held by a name, as an argument
that a JAX function refuses unless it is an array, or as an operand beside an array; a generator, too, where it takes a
list of arrays.

```python bad
import jax.numpy as jnp

losses = [jnp.ones(()), jnp.zeros(())]
mean = jnp.mean(losses)  # JAX203: `losses` is a list
```

## Why it is bad

Loud. `TypeError: mean requires ndarray or scalar arguments, got <class 'list'>`, once the line runs. NumPy accepts it,
so it survives every port from NumPy until then. (JAX refuses because each element would become an operation of
its own in the compiled program.)

## Instead

Make an array of it: `jnp.array` for numbers, `jnp.stack` for arrays, `math.prod(x.shape)` for the size of
a shape. A comma at the end of a line makes a tuple: delete it.

```python good
import jax.numpy as jnp

losses = [jnp.ones(()), jnp.zeros(())]
mean = jnp.mean(jnp.stack(losses))
```

## When it stays silent

On the functions that take sequences (`jnp.array`, `asarray`, `stack`, `concatenate`, `block`, `array_equal` ...), if
what they join are arrays; on lists of arrays that `lax.scan` and `vmap` run along, leaf by leaf; on parameters that
are no arrays (shapes, axes, pad widths, sections), on carries and other pytrees, on dtypes called as constructors
(`jnp.float32([1, 2])`), on operators between sequences themselves (`x.shape + (1,)`).

## Fix safety

Safe, because the line raises as it is: `jnp.array(...)`, `jnp.stack(...)` of arrays, `math.prod(x.shape)` as the only
argument. Elements of different shapes still raise. Unsafe where callers may hand in arrays and a function of Python
takes the place of one of JAX. There is no fix for tuples that functions return, nor for stray commas.

## References

- [Non-array inputs](https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html#non-array-inputs-numpy-vs-jax)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.context import advised, chain_notes, made, place
from flake8_jax.analysis.checks.sequences import SequencePassed
from flake8_jax.rules.rule import Reporter, Rewrite, Rule

RULE = Rule(
    code="JAX203",
    name="sequence-as-array",
    since="0.1",
    group="arrays",
    hazard="raises:TypeError",
    also=("raises:ValueError",),
    fix="make an array of it with `jnp.array` or `jnp.stack`",
    status="on",
)

GIVEN = {"shape": "a tuple of sizes", "comprehension": "a list", "varargs": "a tuple"}


def check(event: SequencePassed, report: Reporter) -> None:
    """A sequence that stands where an array must."""
    given = GIVEN.get(event.given, f"a {event.given}")
    whence, notes = made(event, event.origin, event.subject)
    parameter = f" for `{event.parameter}`" if event.parameter else ""
    what = f"`{event.subject}` is {given}{f', {whence}' if whence else ''}"
    message = f"{what}, but `{event.callee}` takes {event.takes}{parameter}"
    remedy = advised(event.instead, event.rewrite, event.words, _by_caller(event))
    report(event.op, message, (*notes, *chain_notes(event)), remedy=remedy)


def _by_caller(event: SequencePassed) -> str:
    """What the call may do that hands a parameter in, which may be another one than is meant."""
    if not event.is_handed_in:
        return ""
    hop, home = event.context.chain[-1], event.op.anchor.origin.shown
    return f", or pass an array {place(hop.path, hop.line, hop.path != home)}"


def fix(event: SequencePassed) -> Rewrite | None:
    """An array is made of the sequence."""
    return event.rewrite
