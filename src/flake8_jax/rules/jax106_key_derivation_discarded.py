"""Keys are split or folded and thrown away, and the old key is used on.

## What it does

Reports `split` or `fold_in` as a statement, and a split of which no key is ever read, where the same key is drawn from
afterwards.

```python bad
import jax

key = jax.random.key(0)
jax.random.split(key)  # JAX106: its result is dropped
noise = jax.random.normal(key)
```

## Why it is bad

Silent. Keys are values: `split` leaves its argument as it was. Whoever writes this takes the key for a generator that
moves on, and draws the same numbers again, here or where the key came from.

## Instead

Bind the new keys, and draw from them.

```python good
import jax

key = jax.random.key(0)
key, sub = jax.random.split(key)
noise = jax.random.normal(sub)
```

## When it stays silent

Where one of the new keys is read; where the old key is not used afterwards; on the last expression of a cell, which
shows the keys; in a `try` or under `pytest.raises(...)`, where an error may be what the call is for; in test files.

## Fix safety

Unsafe: what a call of `split` or `fold_in` that stands alone returns is bound to the key's name, so that later draws
give other numbers. Safe for `fold_in` of a key that was already used: the second draw repeated the first, so that
nobody relies on it. There is no fix for `split` after a draw, with a number of keys, or bound already.

## References

- [Pseudorandom numbers](https://docs.jax.dev/en/latest/random-numbers.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.context import advised, chain_notes, place
from flake8_jax.analysis.checks.discarded import KeyDerivationDiscarded
from flake8_jax.model.diagnostic import Note
from flake8_jax.rules.rule import Reporter, Rewrite, Rule

RULE = Rule(
    code="JAX106",
    name="key-derivation-discarded",
    since="0.1",
    group="keys",
    hazard="dead",
    fix="bind the new keys and use them",
    status="on",
    in_tests=False,
)


def check(event: KeyDerivationDiscarded, report: Reporter) -> None:
    """A derivation in vain."""
    use, key = event.use, f"`{event.key}`" if event.key else "the key"
    where = place(use.path, use.line, use.path != event.op.anchor.origin.shown)
    said = f"its result is dropped, and {key} is the same as before when `{use.by}` uses it {where}"
    notes = (Note(use.path, use.line, f"used by `{use.by}`"), *chain_notes(event))
    remedy = advised(event.instead, event.rewrite, "bind what it returns, and use that")
    report(event.op, f"`{event.call}`: {said}", notes, remedy=remedy)


def fix(event: KeyDerivationDiscarded) -> Rewrite | None:
    """What is derived is bound."""
    return event.rewrite
