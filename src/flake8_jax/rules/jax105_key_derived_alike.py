"""Two keys are derived alike, so that what is drawn from them is the same.

## What it does

Reports the second of two equal derivations whose keys are both used: `fold_in` with equal data, the same seed twice, a
`fold_in` that meets a key of a split, one `fold_in` or one index for all iterations of a loop, the sum of the counters
of two loops; and data that Python salts (`hash` of a text, `id`).

```python bad
import jax

key = jax.random.key(0)
weights = jax.random.normal(jax.random.fold_in(key, 1), (3,))
noise = jax.random.normal(jax.random.fold_in(key, 1), (3,))  # JAX105: gives the same key as
```

## Why it is bad

Silent. A derivation is a pure function of the key and the data: equal data, equal keys, equal numbers. Nothing tells
two of them apart, JAX's own check of key reuse does not see it, and since JAX 0.5 `split(key, n)[i]` is
`fold_in(key, i)`. `hash` of a text differs from process to process: no run can be repeated, and hosts disagree.

## Instead

Give each derivation data of its own: a constant for each purpose, the index of the loop. For names, use a hash that
does not change, such as `zlib.crc32`. Do not split and fold one key.

```python good
import jax

key = jax.random.key(0)
weights = jax.random.normal(jax.random.fold_in(key, 1), (3,))
noise = jax.random.normal(jax.random.fold_in(key, 2), (3,))
```

## When it stays silent

On data that differs or is not known; on keys of which one is never used, or its draws never read; on arms that exclude
each other; on two runs from one seed whose results come together nowhere: no value, call or object holds both, or of
which one is only shown beside what the other goes on with; on what may be alike on purpose: runs that begin anew for
each of some settings that are written out; `hash` of what may be a number; on two seeds that are written out alike in
a folder of examples or demonstrations. A seed that stands in a loop is JAX104; one key split twice is JAX101.

## Fix safety

No fix is applied: other data gives other numbers.

## References

- [`jax.random.fold_in`](https://docs.jax.dev/en/latest/_autosummary/jax.random.fold_in.html)
- [`jax_threefry_partitionable`](https://docs.jax.dev/en/latest/jax.random.html#advanced-rng-configuration)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.context import chain_notes, place
from flake8_jax.analysis.checks.keys.derivations import KeysAlike
from flake8_jax.model.diagnostic import Note
from flake8_jax.rules.rule import Reporter, Rule

RULE = Rule(
    code="JAX105",
    name="key-derived-alike",
    since="0.1",
    group="keys",
    hazard="equal_draws",
    fix="derive each key with data of its own",
    status="on",
    in_tests=False,
    only_certain=True,
)


def check(event: KeysAlike, report: Reporter) -> None:
    """An equal derivation, or one with salted data."""
    if event.how == "salted":
        said = f"`{event.earlier_key}` is another number in each process, and so `{event.key}` makes another key"
        report(event.op, f"{said}; use `zlib.crc32` of the encoded text", chain_notes(event))
        return
    if event.how == "swapped":
        said = f"`{event.key}` makes one key twice: where {event.earlier_key} are swapped, their sum is the same"
        report(event.op, said, chain_notes(event), remedy=event)
        return
    where = place(event.path, event.line, event.path != event.op.anchor.origin.shown)
    notes = [Note(event.path, event.line, f"derived alike by `{event.earlier_key}`")]
    notes += [Note(use.path, use.line, f"used by `{use.by}`") for use in event.uses]
    report(event.op, _said(event, where), (*notes, *chain_notes(event)), remedy=event)


def _said(event: KeysAlike, where: str) -> str:
    if event.how == "hidden":
        if event.across_iterations:
            return f"`{event.key}` draws from the same key in each iteration"
        return f"`{event.key}` draws from the key that `{event.earlier_key}` drew from {where}"
    if event.across_iterations:
        return f"`{event.key}` {'is' if event.how == 'split' else 'gives'} the same key in each iteration"
    if event.how == "seed":
        return f"`{event.key}` gives the same key as that made {where}"
    if event.how == event.earlier_how:
        same = "it" if event.key == event.earlier_key else f"`{event.earlier_key}`"
        return f"`{event.key}` gives the same key as {same} gave {where}"
    return f"`{event.key}` gives a key that `{event.earlier_key}` gives {where}"
