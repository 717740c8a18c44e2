"""A name, import or argument of which JAX warns that it will be removed.

## What it does

Reports names, imports and keywords of JAX, Flax, Optax, Equinox, Haiku, NumPyro, Orbax and Chex of which the newest
release warns that the project allows (JAX801 says how that is found).

```python bad
import jax.numpy as jnp
from jax.experimental.pjit import pjit  # JAX802: `jax.experimental.pjit.pjit` is deprecated

print(pjit(jnp.sin)(1.0))
```

## Why it is bad

Silent. It works, with a `DeprecationWarning` that many programs do not show, and one of the next releases will not have
it.

## Instead

Use what the library says; where it is a mere rename, that is fixed.

```python good
import jax
import jax.numpy as jnp

print(jax.jit(jnp.sin)(1.0))
```

## When it stays silent

Where the code is prepared for several releases: below `try` with `except ImportError` or `AttributeError`, `hasattr`,
tests of a version, `if TYPE_CHECKING`, where warnings are expected (`pytest.warns`); where a library only announces
that a name "will be deprecated".

## Fix safety

Safe where the new name takes the same arguments, and all releases that the project allows have it; else the fix is
unsafe.

## References

- [Change log of JAX](https://docs.jax.dev/en/latest/changelog.html)
- [API compatibility](https://docs.jax.dev/en/latest/api_compatibility.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.releases.events import NameDeprecated
from flake8_jax.rules.rule import Reporter, Rewrite, Rule

RULE = Rule(
    code="JAX802",
    name="deprecated-api",
    since="0.1",
    group="releases",
    hazard="warns:deprecated",
    fix="use what will come in its place",
    status="on",
)


def check(event: NameDeprecated, report: Reporter) -> None:
    """A use of what a release warns of."""
    report(event.op, event.message)


def fix(event: NameDeprecated) -> Rewrite | None:
    """The present name."""
    return event.rewrite
