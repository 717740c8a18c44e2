"""A random key is made of a constant where code runs again and again: each run draws the same numbers.

## What it does

Reports `key(0)` or `PRNGKey(0)`, made of a constant and drawn from, in a jitted function that is called more than once,
in the body of `scan` or its like, in a loop, and as the default of a parameter that calls leave out.

```python bad
import jax


@jax.jit
def noisy(x):
    key = jax.random.key(0)  # JAX104: draws the same numbers in each of 2 calls
    return x + jax.random.normal(key, x.shape)


noisy(jax.numpy.zeros(2))
noisy(jax.numpy.ones(2))
```

## Why it is bad

Silent. A key of a constant is the same key each time: dropout masks that never change, exploration that repeats itself,
noise that averages out to a bias. In compiled code the key is a constant of the program.

## Instead

Make the key once, outside, and pass a new one in for each call; in a loop, split it or fold the index in.

```python good
import jax


@jax.jit
def noisy(x, key):
    return x + jax.random.normal(key, x.shape)


key, other = jax.random.split(jax.random.key(0))
noisy(jax.numpy.zeros(2), key)
noisy(jax.numpy.ones(2), other)
```

## When it stays silent

At module level, in test files, in functions that are called once or whose name says that they initialise something;
under `eval_shape`; where the seed is no constant, or nobody reads what is drawn, as in what is called `dummy_...`;
where the call takes another branch than the one that draws; where an argument is folded into the key.

## Fix safety

No fix is applied: callers have to pass a key.

## References

- [Pseudorandom numbers](https://docs.jax.dev/en/latest/random-numbers.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.context import chain_notes, role
from flake8_jax.analysis.checks.keys.constant_keys import ConstantKeyDrawn
from flake8_jax.rules.rule import Reporter, Rule

RULE = Rule(
    code="JAX104",
    name="key-constant-in-traced",
    since="0.1",
    group="keys",
    hazard="equal_draws",
    fix="pass a key in",
    status="strict",
    in_tests=False,
)

OF_LOOPS = "make a key before the loop, and split off one for each iteration"


def check(event: ConstantKeyDrawn, report: Reporter) -> None:
    """A key of a constant that is drawn from again and again."""
    calls = f", {event.calls} calls here" if event.calls > 1 else ""
    match event.form:
        case "loop":
            said = f"`{event.by}` draws the same numbers in each iteration; {OF_LOOPS}"
        case "called":
            said = f"`{event.by}` draws the same numbers {_calls(event)}; pass a new key in each time"
        case "default":
            said = f"each call without `{event.parameter}` draws the same numbers{calls}; pass a key"
        case "body":
            said = f"`{event.by}` draws the same numbers each time: {role(event)}; pass a new key in each time"
        case "traced":
            calls = f"each of {event.calls} calls" if event.calls > 1 else "each call"
            said = f"`{event.by}` draws the same numbers in {calls}: {role(event)}; pass a new key in for each"
    what = "is a constant" if event.form != "called" else "gives the same key each time"
    report(event.op, f"`{event.key}` {what}, so that {said}", chain_notes(event))


def _calls(event: ConstantKeyDrawn) -> str:
    """Where the calls stand that draw the same."""
    lines = " and ".join(map(str, event.lines))
    where = f"on line{'s' * (len(event.lines) > 1)} {lines}"
    where += f" of `{event.path}`" * (event.path != event.op.anchor.origin.shown)
    return f"in the calls {where}" if event.calls > 1 else f"each time it is called {where}"
