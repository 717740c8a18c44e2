"""One key is used many times: on each iteration of a loop, or for each element of a `vmap`.

## What it does

Reports the use of a key that stays the same while the use is repeated: in a `for` or `while` loop or a comprehension,
in the body of `scan`, `fori_loop`, `while_loop`, `lax.map` or `tree.map`, for each element of a `vmap` or device of a
`pmap` or `shard_map`, captured or passed with `in_axes=None`.

```python bad
import jax

key = jax.random.key(0)
samples = []
for _ in range(3):
    samples.append(jax.random.normal(key))  # JAX102: `key` is used by
```

## Why it is bad

Silent. The same key gives the same numbers: all samples are equal, each step adds the same noise, all particles move
alike. Nothing fails, and the result looks random as long as only one of them is looked at.

## Instead

Split the key into one for each iteration, element or device, or fold the number of that into the key.

```python good
import jax

key = jax.random.key(0)
samples = []
for sub in jax.random.split(key, 3):
    samples.append(jax.random.normal(sub))
```

## When it stays silent

On keys that the body binds anew, or derives with `fold_in(key, i)`; on loops that end in their first iteration, as over
`range(1)`; on results that are replaced before anybody reads them, as where calls are timed; on shuffles that put one
array after the other in the same order, but not on those of a loop over epochs; on the members of a population and the
replicas of a network, which get the same numbers on purpose (`vmap(rollout, in_axes=(None, 0))(key, params)`,
`pmap(init)`); on networks that a loop starts alike and that then go their own ways, as the clients of a federation do,
if nothing puts all of them or what they give together; on functions that are tried on the same draws (`expected(f, key)
for f in fs`), on runs that begin anew for each of some settings that are written out, and on tables by such settings;
on functions that are handed the key for each point of a grid (`linspace`), on a loop that tells how long something
takes for each of some sizes, and on the views of one example that it augments alike (`images[name]`);
on what is only shown and has something else in each turn, as the points of a curve (`errors.append(error(dim, key))`,
then `plt.plot(dims, errors)`) and pictures of a network in training, if no turn goes on with it and nothing averages
it; on a key in a tuple of data that is handed on whole to one function again and again; in test files and benchmarks
(`--tests` judges them too). A key that comes back to the body through the carry, or through a name that the loop binds,
is JAX103; a key made of a constant in the body is JAX104.

## Fix safety

No fix is applied: other keys change the numbers that are drawn.

## References

- [Pseudorandom numbers](https://docs.jax.dev/en/latest/random-numbers.html)
- [`jax.vmap`](https://docs.jax.dev/en/latest/_autosummary/jax.vmap.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.context import chain_notes, inner_notes, place
from flake8_jax.analysis.checks.keys.repetition import KeyRepeated
from flake8_jax.model.diagnostic import Note
from flake8_jax.rules.rule import Reporter, Rule

RULE = Rule(
    code="JAX102",
    name="key-reused-in-loop",
    since="0.1",
    group="keys",
    hazard="equal_draws",
    fix="split the key for each iteration",
    status="on",
    in_tests=False,
    only_certain=True,
)


def check(event: KeyRepeated, report: Reporter) -> None:
    """A use that is repeated with the same key."""
    use, repeat = event.use, event.repeat
    key = f"`{event.key}`" if event.key else f"the key that `{use.by}` holds"
    here = event.op.anchor.origin.shown
    where = place(repeat.path, repeat.line, repeat.path != here)
    is_told = use.by.removesuffix("(...)") == repeat.by.strip("`")
    message = f"{key} is used{'' if is_told else f' by `{use.by}`'} {_repeated(event)} {where}"
    report(event.op, message, (*_notes(event), *chain_notes(event)), remedy=event)


def _repeated(event: KeyRepeated) -> str:
    by = event.repeat.by
    match event.repeat.form:
        case "iteration":
            return f"on each iteration of {by}"
        case "element":
            return f"for each element of {by}"
        case "turn":
            return f"for each element of {by}" if by.endswith("map`") else f"on each iteration of {by}"
        case "leaf":
            return f"for each leaf by {by}"
        case "lane":
            return f"on each device of {by}" if "pmap" in by or "shard_map" in by else f"for each batch element of {by}"


def _notes(event: KeyRepeated) -> tuple[Note, ...]:
    repeat = event.repeat
    return Note(repeat.path, repeat.line, f"repeated by {repeat.by}"), *inner_notes(event.use)
