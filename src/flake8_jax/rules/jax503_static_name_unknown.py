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
from flake8_jax.rules.rule import Reporter, Rewrite, Rule

RULE = Rule(
    code="JAX503",
    name="static-name-unknown",
    since="0.1",
    group="compilation",
    hazard="raises:ValueError",
    also=("raises:TypeError",),
    fix="name arguments that the function has",
    status="on",
)

SAID = {
    "joined": ('`"{subject}"` is one name in `{option}`, which no parameter of {function} has',
               "write each as a string of its own"),
    "bound": ("`{option}` names `{subject}`, which is bound already: it is no argument", "delete it"),
    "unknown": ("`{option}` names `{subject}`, which is no parameter of {function}: it has {taken}",
                "{other}"),
    "positional": ("`{option}` names `{subject}`, which {function} takes by position only", "use `{other}`"),
    "no number": ('`{option}` takes numbers, and `"{subject}"` is a string', "use `{other}`"),
    "beyond": ("`{option}` has {subject}, but {function} takes {count} by position",
               "give the places of arguments that it has, counted from 0"),
    "both": ("`{subject}` of {function} is static and donated: a static argument has no buffer",
             "keep it in `{option}` or in `{other}` alone"),
}  # fmt: skip
"""What is wrong, and in words what to write instead."""


def check(event: OptionRefused, report: Reporter) -> None:
    """An option that names what the function does not have."""
    said = {
        "subject": event.subject, "option": event.option, "other": event.other, "taken": event.taken,
        "function": "the lambda" if "<lambda>" in event.function else f"`{event.function}`",
        "count": f"{event.count} argument{'s' * (event.count != 1)}",
    }  # fmt: skip
    reason, words = (text.format(**said) for text in SAID[event.fault])
    without = ", without `self`" if event.fault == "beyond" and event.is_bound else ""
    if event.fault == "beyond" and not event.count:
        words = f"leave `{event.option}` out"
    changes = event.rewrite.changes if event.rewrite is not None else ()
    instead = f"use `{changes[0].text}`" if changes else words
    report(event.op, reason + without, chain_notes(event), remedy=advised(instead, event.rewrite, words))


def fix(event: OptionRefused) -> Rewrite | None:
    """The argument is named as the function has it."""
    return event.rewrite
