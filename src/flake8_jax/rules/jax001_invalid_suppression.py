"""A comment that is meant to suppress a finding suppresses nothing.

## What it does

Reports a `# jax: ignore` comment without codes, one that is spelt in another way, one on a line without code, and what
stands in its brackets and is neither a code, nor the beginning of one, nor the name of a rule.

```python bad
import jax.numpy as jnp

x = jnp.zeros(3)  # jax: ignore  # JAX001: it names no code
```

## Why it is bad

Silent. The comment looks as if a decision had been made, and has no effect: the finding that it was written for is
still reported, and where none is reported yet, the next one will be.

## Instead

Write `# jax: ignore[JAX201] reason` at the end of the line of the finding, or of its statement, or
`# jax: ignore-file[JAX201] reason` anywhere in the file. Several codes stand beside one another:
`# jax: ignore[JAX101, JAX201]`.

```python good
import jax.numpy as jnp

x = jnp.zeros(3)
x[0] = 1.0  # jax: ignore[JAX201] shows what happens
```

## When it stays silent

On prose that begins with the name of JAX (`# jax ignores this`, `# JAX: skip the first axis`), on strings, on
`# noqa` comments, which are flake8's, and in a file that could not be analysed, of which JAX000 speaks.

## Fix safety

The right spelling stands in the message; which findings are meant, only its author knows. No fix is applied.

## References

- [Suppression comments of flake8](https://flake8.pycqa.org/en/latest/user/violations.html)
- `flake8-jax rules` lists the codes and names.
"""

from __future__ import annotations

from flake8_jax.rules.rule import Reporter, Rule
from flake8_jax.syntax.directives import CommentInvalid

RULE = Rule(
    code="JAX001",
    name="invalid-suppression",
    since="0.1",
    group="tool",
    hazard="by inspection: comments are no part of a run",
    fix="name the codes that are suppressed",
    status="on",
)


def check(event: CommentInvalid, report: Reporter) -> None:
    """A comment, or an entry of one, that can suppress nothing."""
    report(event.span, f"`{event.text}` suppresses nothing: {event.reason}")
