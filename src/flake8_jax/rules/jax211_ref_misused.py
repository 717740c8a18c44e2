"""A reference to an array is used as the array itself, or a kernel returns its result.

## What it does

Reports arithmetic on a Pallas or mutable reference, a reference that is passed to a function of arrays or stored into
another one, one that a traced function returns or gets twice, and a Pallas kernel that returns a value or computes
with an array around it.

```python bad
import jax
import jax.numpy as jnp

total = jax.new_ref(jnp.zeros(3))
mean = total / 3  # JAX211: `/` computes with the reference `total`
```

## Why it is bad

Loud. `TypeError: unsupported operand type(s) for /: 'Ref' and 'int'`, once the line runs; in traced code
`AttributeError: 'AbstractRef' object has no attribute '_add'`, `TypeError` or `ValueError`.

## Instead

Read with `ref[...]`, store with `ref[...] = value`; return what a reference holds, and make it outside of the traced
function. A kernel stores its results into the references of its outputs.

```python good
import jax
import jax.numpy as jnp

total = jax.new_ref(jnp.zeros(3))
mean = total[...] / 3
```

## When it stays silent

On `ref[...]` and `ref[i]`, `ref.shape` and `ref.dtype`, on functions that ask for the shape (`jnp.zeros_like(ref)`), on
references that are handed on to other functions; on variables of flax, which compute like arrays; on functions that
run eagerly, which may return references.

## Fix safety

No fix is applied.

## References

- [Array references](https://docs.jax.dev/en/latest/array_refs.html)
- [Pallas](https://docs.jax.dev/en/latest/pallas/quickstart.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.context import chain_notes, ending
from flake8_jax.analysis.checks.references import ReferenceMisused
from flake8_jax.rules.rule import Reporter, Rule

RULE = Rule(
    code="JAX211",
    name="ref-misused",
    since="0.1",
    group="arrays",
    hazard="raises:AttributeError",
    also=("raises:TypeError", "raises:ValueError"),
    fix="read and store with `ref[...]`",
    status="strict",
)


def check(event: ReferenceMisused, report: Reporter) -> None:
    """A reference where an array is meant."""
    report(event.op, f"{_what(event)}{ending(event.instead)}", chain_notes(event))


def _what(event: ReferenceMisused) -> str:
    subject, callee = f"`{event.subject}`", f"`{event.callee}`"
    match event.form:
        case "operand":
            return f"{callee} computes with the reference {subject}, not with the array that it holds"
        case "argument":
            return f"{callee} takes an array, but {subject} is a reference to one"
        case "stored":
            return f"{subject} is stored into {callee}, but it is a reference, not the array that it holds"
        case "returned":
            return f"{callee} is traced and returns {subject}, which holds a reference"
        case "captured":
            return f"the kernel {callee} captures the array {subject}, but it gets arrays by its references only"
        case "kernel":
            return f"the kernel {callee} returns {subject}, but its results are what it stores into its references"
    return f"{subject} passes one reference twice, and {callee} is traced"
