"""A random key is used up twice, so that two draws are the same numbers.

## What it does

Reports the second use of a key on one path: two draws, a draw and a split, two splits, a draw and a call that
draws, one key under two entries of an `rngs` dict, one key passed twice to one call.  Code that cannot be read (a
method of an unknown object, a stored callable, a parameter that is called) may use up a key that it is given: beside a
draw or a split on the same path that is reported, too.

```python bad
import jax

key = jax.random.key(0)
weights = jax.random.normal(key, (3,))
noise = jax.random.normal(key, (3,))  # JAX101: `key` is used again
```

## Why it is bad

Silent. JAX draws are pure functions of their key: the same key gives the same numbers, or, after `split`, numbers
that are not independent of those drawn from its children. Nothing fails; noise equals weights, dropout masks
repeat, a sampler stops mixing.

## Instead

Split the key once for each use, and never touch it again.

```python good
import jax

key, weights_key, noise_key = jax.random.split(jax.random.key(0), 3)
weights = jax.random.normal(weights_key, (3,))
noise = jax.random.normal(noise_key, (3,))
```

## When it stays silent

- On uses that no run can both reach: the arms of one test, what follows an early exit.
- On what uses nothing up: `fold_in` with different data, `clone`, `key_data`, `isinstance`, `jax.eval_shape`; on key
  sequences (`next(keys)`), and on values that are called `key` and are something else.
- On draws that nobody reads: they are replaced, dropped, asked for their shape only, or parameters that are loaded from
  a file afterwards; on two of which only one counts (`jnp.where(c, a, b)`, masks that exclude each other); on those
  with one outcome (`randint(key, (), 0, 1)`, networks with `train=False`).
- On what may be alike on purpose: aligned shuffles, one augmentation of two views, a function and its inverse, a
  network and its target network, a loss for its value and its gradient, two calls that differ in a flag, one function
  applied to different data, two functions that are called with the same draws, the same `reset` written twice, one key
  for two streams of `init`.
- On what is computed of a draw and only shown, as a picture of a network in training, and joined with nothing else.
- On unknown code that is given one key twice, or that by its name keeps, moves, shows or compares what it is given
  (`append`, `State(...)`, `device_put`, `log`).
- Under `if __name__ == "__main__":`, where a network is set up and shown once, or in a module that others of the
  project import; in test files and benchmarks, where samples that are alike do no harm (`--tests` judges them too).

A key that is used up on each iteration of a loop is JAX102.

## Fix safety

Unsafe, and only where a name holds a part of the same split that nobody uses: it is used instead, which changes the
numbers that are drawn.

## References

- [Pseudorandom numbers](https://docs.jax.dev/en/latest/random-numbers.html)
- [`jax.experimental.key_reuse`](https://docs.jax.dev/en/latest/jax.experimental.key_reuse.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.context import Use, chain_notes, inner_notes, place
from flake8_jax.analysis.checks.keys.uses import KeyConsumed
from flake8_jax.model.diagnostic import Note
from flake8_jax.rules.rule import Reporter, Rewrite, Rule

RULE = Rule(
    code="JAX101",
    name="key-reused",
    since="0.1",
    group="keys",
    hazard="key_reuse",
    fix="split the key, one new key for each use",
    status="on",
    in_tests=False,
    only_certain=True,
)


def check(event: KeyConsumed, report: Reporter) -> None:
    """A second use."""
    first, here = event.earlier[0], event.use.path
    already = f": already {_used(first)} `{first.by}` {place(first.path, first.line, first.path != here)}"
    if event.reuse == "display":
        already = f", under `{first.by}` and under `{event.use.by}`"
    uses = [note for use in event.earlier for note in _notes(use, _used(use))]
    notes = (*uses, *_notes(event.use, _used(event.use, " again")), *chain_notes(event))
    report(event.op, f"{_reuse(event)}{already}", notes, remedy=event)


def _reuse(event: KeyConsumed) -> str:
    key = f"`{event.key}`" if event.key else f"the key that `{event.use.by}` holds"
    if event.reuse in ("display", "call"):
        twice = f"is passed twice to `{event.use.by}`" if event.reuse == "call" else "stands twice in one dict"
        return f"{key} {twice}"
    if event.reuse == "captured":
        return f"{key} is {'given' if event.use.is_possible else 'used'} again by each call of `{event.use.by}`"
    return f"{key} is {_used(event.use, ' again')} `{event.use.by}`"


def _used(use: Use, again: str = "") -> str:
    """How a key is used: by code that is known to draw from it, or given to code that nobody knows."""
    return f"given{again} to" if use.is_possible else f"used{again} by"


def _notes(use: Use, what: str) -> tuple[Note, ...]:
    """Where a key is used, and where the functions called there use it."""
    return Note(use.path, use.line, f"{what} `{use.by}`"), *inner_notes(use)


def fix(event: KeyConsumed) -> Rewrite | None:
    """The unused part of the split is used instead."""
    return event.rewrite
