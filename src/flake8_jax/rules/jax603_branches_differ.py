"""The branches of `cond` or `switch` return what is not alike.

## What it does

Reports functions of which a `jax.lax.cond`, `jax.lax.switch` or a function like them runs one, and which certainly
differ in the structure, shape or dtype of what they return.

```python bad
import jax


def scaled(x, is_large):
    return jax.lax.cond(is_large, lambda: x * 0.5, lambda: 0)  # JAX603: returns float numbers, another int32


scaled(1.0, True)
```

## Why it is bad

Loud. `TypeError: cond branches must have equal output types but they differ`. Both branches are traced, whichever of
them runs, and the result has one type.

## Instead

Return the same structure, shape and dtype from each: `0.0` for `0`, `jnp.zeros_like(x)` for nothing.

```python good
import jax


def scaled(x, is_large):
    return jax.lax.cond(is_large, lambda: x * 0.5, lambda: 0.0)


scaled(1.0, True)
```

## When it stays silent

Where it is not known what a branch returns. That one result is weakly typed and the other is not makes no difference to
JAX (measured). Dtypes that depend on whether 64 bits are enabled are compared under both settings.

## Fix safety

There is no fix.

## References

- [jax.lax.cond](https://docs.jax.dev/en/latest/_autosummary/jax.lax.cond.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.context import chain_notes
from flake8_jax.analysis.checks.contracts.alike import ArmsDiffer
from flake8_jax.rules.rule import Reporter, Rule

RULE = Rule(
    code="JAX603",
    name="branches-differ",
    since="0.1",
    group="contracts",
    hazard="raises:TypeError",
    fix="return the same structure, shape and dtype from each branch",
    status="on",
)


def check(event: ArmsDiffer, report: Reporter) -> None:
    """Branches whose results differ."""
    first, second = named(event.first, "the first branch"), named(event.second, "another")
    at = f" at `{event.part}`" if event.part else ""
    message = f"the branches of `{event.transform}` return different types{at}: {first} returns {event.before}"
    types = {text.partition("[")[0] for text in (event.before, event.after)}
    also = " and one dtype" if event.aspect == "shape" and len(types) > 1 else ""
    instead = INSTEAD[event.aspect].replace("one shape", f"one shape{also}")
    instead += AS_A_NUMBER if event.aspect == "dtype" and _kinds(types) == {"int", "float"} else ""
    report(event.op, f"{message}, {second} {event.after}; {instead}", chain_notes(event))


INSTEAD: dict[str, str] = {
    "structure": "return the same structure from each",
    "shape": "return arrays of one shape from each",
    "dtype": "return one dtype from each, as by `astype`",
}


AS_A_NUMBER = ", or `1.0` for a number `1`"


def _kinds(types: set[str]) -> set[str]:
    """The kinds of some dtypes, without their widths: of int32 and float32 `int` and `float`."""
    return {text.strip("0123456789") for text in types}


def named(function: str, otherwise: str) -> str:
    """A branch, for a message."""
    return otherwise if not function or "<lambda>" in function else f"`{function}`"
