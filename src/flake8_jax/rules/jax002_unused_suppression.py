"""A comment suppresses a code that is not reported there.

## What it does

Reports each code in a `# jax: ignore[...]` comment for which nothing is found on its line, and each in a
`# jax: ignore-file[...]` comment for which nothing is found in the file.

```python bad
import jax.numpy as jnp

x = jnp.zeros(3)  # jax: ignore[JAX201]  # JAX002: `JAX201` suppresses nothing on this line
```

## Why it is bad

Silent. What was suppressed here is gone, or stands on another line, and the comment will hide the next finding of that
code, which nobody has decided on.

## Instead

Remove the code, and the comment with the last one.

```python good
import jax.numpy as jnp

x = jnp.zeros(3)
x[0] = 1.0  # jax: ignore[JAX201] shows what happens
```

## When it stays silent

On codes of rules that did not run: those that are strict, off, or left out in test files; of a family (`JAX2`)
all rules must have run. Whether a code is selected makes no difference. In files that could not be analysed, wholly or
in part: a finding may be missing there. It is off unless enabled (`--enable JAX002`), because another version of JAX or
of this tool may find what this one does not.

## Fix safety

Safe: only the comment changes. The code is removed, with the last one the comment and its reason; what other comments
stand on the line stays.

## References

- [Unused suppressions in ruff](https://docs.astral.sh/ruff/rules/unused-noqa/)
"""

from __future__ import annotations

from flake8_jax.rules.rule import Edit, Reporter, Rule
from flake8_jax.syntax.directives import CommentUnused

RULE = Rule(
    code="JAX002",
    name="unused-suppression",
    since="0.1",
    group="tool",
    hazard="by inspection: comments are no part of a run",
    fix="remove the code from the comment",
    status="off",
)


def check(event: CommentUnused, report: Reporter) -> None:
    """An entry of a comment that suppresses nothing."""
    where = "in this file" if event.in_file else "on this line"
    report(event.span, f"`{event.entry}` suppresses nothing {where}")


def fix(event: CommentUnused) -> Edit:
    """The comment without the entry."""
    return event.removal
