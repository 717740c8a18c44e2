"""A transform is told of an argument that its function does not have.

## What it does

Reports names in `static_argnames` and `donate_argnames` that are no parameters, several names in one string, strings
where numbers are taken, numbers beyond the parameters (counted with the `self` of a bound method, or from one), and
arguments that are both static and donated.

```python bad
from functools import partial

import jax


@partial(jax.jit, static_argnames="n,scale")  # JAX503: `"n,scale"` is one name
def grow(x, n, scale):
    return x * n if scale else x
```

## Why it is bad

Loud. `jax.jit` compares the names and numbers with the signature and raises `ValueError` where it is applied: at
import, where it is a decorator. `jax.pmap` and `jax.checkpoint` raise in the first call. Where the function takes
`**kwargs`, `jit` accepts every name: a string of two names then declares neither static, and says nothing.

## Instead

Name the parameters one by one, as the function spells them; count from 0, and of a bound method without `self`.

```python good
from functools import partial

import jax


@partial(jax.jit, static_argnames=("n", "scale"))
def grow(x, n, scale):
    return x * n if scale else x
```

## When it stays silent

On functions with `**kwargs`, which take any name, and with `*args`, which take any number; on functions that are not
known, or that a wrapper stands around whose signature nobody knows; on options that are computed; on nondiff arguments,
of which JAX compares nothing; where `pytest.raises` or a `try` expects the error.

## Fix safety

Safe where a string holds several names or names stand where numbers are taken: the call raised before. Unsafe where a
name is spelled almost as a parameter is, or numbers count the `self` of a bound method.

## References

- [`jax.jit`](https://docs.jax.dev/en/latest/_autosummary/jax.jit.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.compilation.declared_arguments import OptionRefused
from flake8_jax.analysis.checks.context import advised, chain_notes
from flake8_jax.ir.rewrite import spelt
from flake8_jax.rules.rule import Reporter, Rewrite, Rule

RULE = Rule(
    code="JAX503",
    name="static-name-unknown",
    since="0.3",
    group="compilation",
    hazard="raises:ValueError",
    also=("raises:TypeError",),
    fix="name arguments that the function has",
    status="on",
)

LONGEST = 5
"""How many parameters a message lists."""


def check(event: OptionRefused, report: Reporter) -> None:
    """An option that names what the function does not have."""
    what, words = _said(event)
    change = event.rewrite.changes[0] if event.rewrite is not None else None
    remedy = advised(f"use `{spelt(*change.pieces)}`" if change is not None else words, event.rewrite, words)
    report(event.op, what, chain_notes(event), remedy=remedy)


def _said(event: OptionRefused) -> tuple[str, str]:
    """What is wrong, and in words what to write instead."""
    subject, option, function = event.subject, event.option, _function(event)
    if event.fault == "joined":
        return f'`"{subject}"` is one name in `{option}`, which no parameter of {function} has', "write each as a string of its own"
    if event.fault == "unknown" and subject == "self" and event.is_bound:
        return f"`{option}` names `self`, which is bound already: it is no argument", "delete it"
    if event.fault == "unknown":
        return f"`{option}` names `{subject}`, which is no parameter of {function}: {_taken(event)}", _named(event)
    if event.fault == "positional":
        numbered = option.replace("names", "nums")
        return f"`{option}` names `{subject}`, which {function} takes by position only", f"use `{numbered}`"
    if event.fault == "no number":
        return f"`{option}` takes numbers, and `{subject!r}` is a string".replace("'", '"'), _by_name(event)
    if event.fault == "beyond":
        without = ", without `self`" if event.is_bound else ""
        count = f"{event.count} argument{'s' * (event.count != 1)} by position{without}"
        what = f"`{option}` has {subject}, but {function} takes {count}"
        return what, "write numbers that count from 0" if event.count else "delete it"
    return f"`{subject}` of {function} is static and donated: a static argument has no buffer", _undonated(event)


def _function(event: OptionRefused) -> str:
    return "the lambda" if "<lambda>" in event.function else f"`{event.function}`"


def _taken(event: OptionRefused) -> str:
    if not event.taken:
        return "it has none"
    listed = ", ".join(f"`{name}`" for name in event.taken[:LONGEST])
    return f"it has {listed}{', ...' if len(event.taken) > LONGEST else ''}"


def _named(event: OptionRefused) -> str:
    return "write the name of a parameter" if event.taken else "delete it"


def _by_name(event: OptionRefused) -> str:
    return f"use `{event.option.replace('nums', 'names')}`" if event.option.endswith("_argnums") else "use its number"


def _undonated(event: OptionRefused) -> str:
    return f"keep it in `{event.option}` or in `{event.other}` alone"


def fix(event: OptionRefused) -> Rewrite | None:
    """The argument is named as the function has it."""
    return event.rewrite
