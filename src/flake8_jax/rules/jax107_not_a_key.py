"""A number, `None`, a tuple or several keys are handed to JAX where it takes one random key.

## What it does

Reports a number, `None`, a string, a tuple, list or dict where a function of `jax.random` takes its key, also through
the parameters of helpers; a whole `split` result there; arithmetic on a key; a split of a known number of keys that is
unpacked to another number of names; a call without its key; a float as a seed, or a key where a seed is due.

```python bad
import jax

noise = jax.random.normal(42, (3,))  # JAX107: `42` is a number
```

## Why it is bad

Loud. `TypeError` or `ValueError`, once the line runs; a branch that tests do not reach keeps it for later. One form
is silent: `key + 1` on an old-style key (`jax.random.PRNGKey`) runs, and so do the draws from it, but nothing says that
they are independent of those from the key or from other such sums; new-style keys (`jax.random.key`) refuse it.

## Instead

Make one key at the start, `jax.random.key(seed)`, and derive all others from it with `split` or `fold_in`; unpack
what `split` gives, or take one of it.

```python good
import jax

noise = jax.random.normal(jax.random.key(42), (3,))
```

## When it stays silent

On what is not known: parameters, results of unknown functions; on arrays, of NumPy too, which may be the data of a key;
on arrays of keys that are indexed, iterated or mapped over (`jax.vmap(draw)(keys)`), and on functions that take several
(`key_data`, `clone`); on operations on bits (`^`, `&`); on functions of other libraries, whose `key` is another thing
or may be `None`; on `None` and arrays of keys that a helper uses under a test only; on arrays of keys that a method
gets of whose object an annotation alone says the class: it is often another one, which maps over them.

## Fix safety

Safe, because the line raises as it is: a number becomes `key(number)`, a float seed `int(seed)`, and a key is split
into as many as there are names. Unsafe for `key + number`, which becomes `fold_in`: old-style keys let it run. There is
no fix where it is not evident which key is meant.

## References

- [Pseudorandom numbers](https://docs.jax.dev/en/latest/random-numbers.html)
- [`jax.random`](https://docs.jax.dev/en/latest/jax.random.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.context import advised, chain_notes, made, place
from flake8_jax.analysis.checks.keys.not_keys import NotAKey
from flake8_jax.model.diagnostic import Note
from flake8_jax.rules.rule import Reporter, Rewrite, Rule

RULE = Rule(
    code="JAX107",
    name="not-a-key",
    since="0.1",
    group="keys",
    hazard="raises:TypeError",
    fix="pass one key, made by `jax.random.key` or `split`",
    status="on",
    in_tests=False,
    also=("raises:ValueError",),
)

NOUNS = {
    "number": "a number", "none": "not a key", "text": "a string", "list": "a list", "tuple": "a tuple",
    "dict": "a dict", "several": "an array of keys", "float": "a float", "key": "a key already",
}  # fmt: skip
WORDS = {"arithmetic": "derive another key with `fold_in`", "names": "bind as many names as there are keys"}


def check(event: NotAKey, report: Reporter) -> None:
    """What is no key, or is no seed."""
    origin, notes = made(event, event.origin, event.subject)
    use = event.use
    uses = (Note(use.path, use.line, use.text),) if use is not None else ()
    remedy = advised(event.instead, event.rewrite, WORDS.get(event.form, "pass one key, made by `jax.random.key`"))
    report(event.op, _what(event, origin), (*notes, *chain_notes(event), *uses), remedy=remedy)


def _what(event: NotAKey, origin: str) -> str:
    subject, whence = event.subject, f", {origin}" if origin else ""
    keys = "1 key" if event.given == "1" else f"{event.given} keys"
    match event.form:
        case "arithmetic":
            return f"`{subject}` is arithmetic on a key, which gives none that is independent of it"
        case "names":
            return f"`{subject}` is unpacked to {event.wanted} names, but gives {keys}{whence}"
        case "missing":
            return f"`{event.callee}` is called without a key"
    wants = "makes a key of an integer" if event.wanted == "seed" else "takes one key"
    what = f"an array of {keys}" if event.given else NOUNS[event.form]
    there = event.use
    where = f" {place(there.path, there.line, there.path != event.op.anchor.origin.shown)}" if there is not None else ""
    return f"`{subject}` is {what}{whence}, but `{event.callee}` {wants}{where}"


def fix(event: NotAKey) -> Rewrite | None:
    """A key, or an integer, is made of it."""
    return event.rewrite
