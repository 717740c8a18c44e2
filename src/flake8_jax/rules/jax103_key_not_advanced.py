"""A random key that is used up goes on, so that the next draws are the same numbers.

## What it does

Reports a draw, or a call that draws, from a key that is then returned, stored or carried on as the new key: the wrong
half of a split, a key that is handed back as it came, an attribute that methods draw from and none writes back.

```python bad
import jax


def noisy(x, key):
    key, sub = jax.random.split(key)
    x = x + jax.random.normal(key, x.shape)  # JAX103: `key` is used up
    return x, key
```

## Why it is bad

Silent. The caller takes what comes back for a new key and draws from it: the same numbers again, or numbers that are
not independent of the first. In a training loop every step has the noise, or the dropout mask, of the step before.

## Instead

Draw from one half of a split, and let the other go on.

```python good
import jax


def noisy(x, key):
    key, sub = jax.random.split(key)
    x = x + jax.random.normal(sub, x.shape)
    return x, key
```

## When it stays silent

On an unused child of a split alone, which does no harm; on a key that is returned and used up on different paths; on
draws that nobody reads as values; on what the caller does not use as a key again; on attributes that another method, a
subclass or other code writes, and on objects that are replaced instead of changed; on a copy that leaves the key where
it was (`state.replace(x=x)`), if the file puts another one there (`state.replace(rng=sub)`). On what is only shown, as
a picture or a line of a log, or drawn by a function that is named for that, in a loop that goes on with the key; on a
key that each turn makes anew of a seed this is said all the same. Under `if __name__ == "__main__":` in a module that
others of the project import, and in test files and benchmarks, where samples that are alike do no harm (`--tests`
judges them too). A key that is used twice in one place is JAX101.

## Fix safety

Unsafe, and only where the other half of the split stands unused in a name: it is drawn from instead, which changes the
numbers that are drawn.

## References

- [Pseudorandom numbers](https://docs.jax.dev/en/latest/random-numbers.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.context import chain_notes, place
from flake8_jax.analysis.checks.keys.advancing import KeyNotAdvanced
from flake8_jax.model.diagnostic import Note
from flake8_jax.rules.rule import Reporter, Rewrite, Rule

RULE = Rule(
    code="JAX103",
    name="key-not-advanced",
    since="0.1",
    group="keys",
    hazard="key_goes_on",
    fix="draw from one half of a split, and pass on the other",
    status="on",
    in_tests=False,
)


def check(event: KeyNotAdvanced, report: Reporter) -> None:
    """A key that is used up, and where it goes on."""
    use, after = event.use, event.goes_on
    key = f"`{event.key}`" if event.key else "a key"
    where = f" {place(after.path, after.line, after.path != use.path)}"
    notes = [Note(use.path, use.line, f"used up by `{use.by}`")]
    inner = use.within
    while inner is not None:
        notes.append(Note(inner.path, inner.line, f"`{inner.by}` uses it there"))
        inner = inner.within
    notes.append(Note(after.path, after.line, after.by))
    if after.within is not None:
        notes.append(Note(after.within.path, after.within.line, f"and used again by `{after.within.by}`"))
    split = f"{key} is split by `{use.by}`, yet the old key is"
    message = f"{split if event.is_split else f'{key} is used up by `{use.by}`, yet'} {after.by}{where}"
    report(event.op, message, (*notes, *chain_notes(event)), remedy=event)


def fix(event: KeyNotAdvanced) -> Rewrite | None:
    """The unused part of the split is used instead."""
    return event.rewrite
