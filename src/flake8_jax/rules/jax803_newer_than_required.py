"""A name, import or argument that the oldest release of JAX which the project allows does not have yet.

## What it does

Reports names, imports, keywords and positional arguments of JAX and of its libraries that the oldest release lacks
which the project allows, and the newest has. What the project allows is found as for JAX801, and in the block of a
script that says what it requires; without a lower bound nothing is reported. What is settled by what the project
requires is told once for a name in each file, with the other lines that use it as notes.

```python bad
# /// script
# dependencies = ["jax>=0.6"]
# ///
import jax

print(jax.set_mesh)  # JAX803: `jax.set_mesh` is not in JAX 0.6.0
```

## Why it is bad

Loud. Not for its author: who has the oldest release installed that the project asks for gets an `AttributeError`,
`ImportError` or `TypeError`.

## Instead

Ask for the release that brought it, or use what both releases have: where it is a mere rename, the message has the name
that all releases have which the project allows, and that is fixed.

```python good
# /// script
# dependencies = ["jax>=0.8"]
# ///
import jax

print(jax.set_mesh)
```

## When it stays silent

Where the code is prepared for several releases, as for JAX801, and where no lower bound is stated.

## Fix safety

Safe: the other name takes the same arguments, and all releases that the project allows have it, without a warning.
Another name of a keyword is unsafe. Where there is none, no fix is applied: which releases a project supports is its
author's choice.

## References

- [API compatibility](https://docs.jax.dev/en/latest/api_compatibility.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.releases.events import NameTooNew
from flake8_jax.model.diagnostic import Note
from flake8_jax.rules.rule import Reporter, Rewrite, Rule

RULE = Rule(
    code="JAX803",
    name="newer-than-required",
    since="0.1",
    group="releases",
    hazard="raises:AttributeError",
    also=("raises:ImportError", "raises:ModuleNotFoundError", "raises:TypeError"),
    fix="ask for the release that brought it",
    status="strict",
)


def check(event: NameTooNew, report: Reporter) -> None:
    """A use of what the oldest release lacks, and the others in the file."""
    report(event.op, event.message, tuple(Note(hop.path, hop.line, hop.text) for hop in event.others))


def fix(event: NameTooNew) -> Rewrite | None:
    """The name that all releases have."""
    return event.rewrite
