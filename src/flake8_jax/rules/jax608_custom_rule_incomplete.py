"""A rule for a derivative is missing, or is not what JAX wants.

## What it does

Reports calls of `custom_vjp` and `custom_jvp` functions for which no rule is stated, and rules that are stated with
`defvjp` and `defjvp` but take another number of arguments than they get, or give back something else than JAX wants: of
the forward pass a pair, of the backward pass a tuple with one for each differentiated argument, of a `jvp` rule a pair;
and `nondiff_argnums` beyond the parameters.

```python bad
import jax


@jax.custom_vjp
def doubled(x):
    return x * 2


doubled.defvjp(lambda x: (x * 2, None), lambda kept, g: g * 2)  # JAX608: a tuple of 1
jax.grad(doubled)(1.0)
```

## Why it is bad

Loud. Without a rule each call raises `AttributeError`, also one that nobody differentiates. A wrong rule is
seen when a derivative is taken, maybe after hours: `TypeError` from inside JAX, whose text speaks of the structure of
trees. Arguments in `nondiff_argnums` come first in a backward pass, then what the forward pass kept, then the gradient;
it gives back nothing for them.

## Instead

State both passes. Give back a tuple, of one argument too: `(g * 2,)`, with None or zeros where no gradient flows.

```python good
import jax


@jax.custom_vjp
def doubled(x):
    return x * 2


doubled.defvjp(lambda x: (x * 2, None), lambda kept, g: (g * 2,))
```

## When it stays silent

On functions with `*args` or `**kwargs`, or whose `nondiff_argnums` are computed; on rules whose signature or result is
not known; on a missing rule where another file that imports the function states one; where an error is expected
(`pytest.raises`, `try`).

## Fix safety

Safe: a backward pass that gives back one array where a tuple of one is wanted raised before.

## References

- [Custom derivative rules](https://docs.jax.dev/en/latest/notebooks/Custom_derivative_rules_for_Python_code.html)
- [`jax.custom_vjp`](https://docs.jax.dev/en/latest/_autosummary/jax.custom_vjp.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.context import advised, chain_notes
from flake8_jax.analysis.checks.derivatives.custom_rules import RuleIncomplete
from flake8_jax.rules.rule import Reporter, Rewrite, Rule

RULE = Rule(
    code="JAX608",
    name="custom-rule-incomplete",
    since="0.1",
    group="contracts",
    hazard="raises:TypeError",
    also=("raises:AttributeError", "raises:IndexError"),
    fix="state the rule as JAX wants it",
    status="on",
)

SAID = {
    "missing": "`{function}` has no rule for its derivative: without `{by}` each call of it raises",
    "arguments": "the rule `{rule}` of `{function}` gets {wanted} arguments, and takes {given} by position",
    "forward": "the forward pass of `{function}` gives {given} back, where a pair is due",
    "backward": "the backward pass of `{function}` gives {given} back, where a tuple of {wanted} is due",
    "tangents": "the rule of `{function}` gives {given} back, where a pair is due, its result and the tangent",
    "numbers": "`{function}` has {wanted} parameters: there is no number {given}",
}
WORDS = {
    "missing": "define one with {bound}, or leave out `jax.custom_{vjp}`",
    "arguments": "give it a parameter for each: those of `nondiff_argnums` come first",
    "forward": "give back the result, and what the backward pass needs",
    "backward": "give back one for each argument that is differentiated, and a single one as `(g,)`",
    "tangents": "give back both",
    "numbers": "write numbers that count from 0",
}


def check(event: RuleIncomplete, report: Reporter) -> None:
    """A rule that is missing or wrong."""
    values = {
        "function": event.function, "by": event.by, "rule": event.rule, "wanted": event.wanted, "given": event.given,
        "vjp": event.by.removeprefix("def"),
        "bound": f"`{event.bound}.{event.by}(...)`" if event.bound else f"its method `{event.by}`",
    }  # fmt: skip
    values = {name: text.replace("<lambda>", "lambda") for name, text in values.items()}
    words = WORDS[event.fault].format(**values)
    changes = event.rewrite.changes if event.rewrite is not None else ()
    instead = f"use `{changes[0].text}`" if changes else words
    said = SAID[event.fault].format(**values)
    report(event.op, said, chain_notes(event), remedy=advised(instead, event.rewrite, words))


def fix(event: RuleIncomplete) -> Rewrite | None:
    """The array, as a tuple of one."""
    return event.rewrite
