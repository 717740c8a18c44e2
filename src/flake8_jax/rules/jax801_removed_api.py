"""A name, import or argument that the newest release of JAX which the project allows no longer has.

## What it does

Reports names, imports, keywords and positional arguments of JAX, Flax, Optax, Equinox, Haiku, NumPyro, Orbax and Chex
that an earlier release had, and that the newest one lacks which the project allows: by `--jax-target`, else by what
pyproject.toml, setup.cfg, setup.py, requirements*.txt, environment*.yml or a lock file requires, else the newest
release that is known.
The message says which it was. It does not matter how a library is reached: by another name, through a variable, a
function or another file, by `getattr` or `importlib.import_module` with a known text; nor whether arguments come from a
dict or from `functools.partial`.

```python bad
import jax

print(jax.tree_map(lambda x: 2 * x, [1, 2]))  # JAX801: `jax.tree_map` is not in
```

## Why it is bad

Loud. `AttributeError`, `ImportError` or `TypeError`, once the line runs: after the next upgrade, or for whoever
installs the project anew.

## Instead

Use what has come in its place. The message names it, or says what the library says; where it is a mere rename, that is
fixed.

```python good
import jax

print(jax.tree.map(lambda x: 2 * x, [1, 2]))
```

## When it stays silent

Where the code is prepared for several releases: below `try` with `except ImportError` or `AttributeError`, `hasattr`,
tests of a version, `if TYPE_CHECKING`; on names that the file sets itself. On names that no release is known to have
had.  What each release has was read from its package (`flake8-jax measure`).

## Fix safety

Safe where the new name takes the same arguments, and all releases that the project allows have it; else the fix is
unsafe. There is none where calls of the file would break by it. An import is put in order among the others.

## References

- [Change log of JAX](https://docs.jax.dev/en/latest/changelog.html)
- [API compatibility](https://docs.jax.dev/en/latest/api_compatibility.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.releases.events import NameRemoved
from flake8_jax.rules.rule import Reporter, Rewrite, Rule

RULE = Rule(
    code="JAX801",
    name="removed-api",
    since="0.1",
    group="releases",
    hazard="raises:AttributeError",
    also=("raises:ImportError", "raises:ModuleNotFoundError", "raises:TypeError"),
    fix="use what has come in its place",
    status="on",
)


def check(event: NameRemoved, report: Reporter) -> None:
    """A use of what a release lacks."""
    report(event.op, event.message)


def fix(event: NameRemoved) -> Rewrite | None:
    """The present name."""
    return event.rewrite
