"""A loop or branch of JAX gets an operand that it refuses: nothing to scan over, no list of branches, a float bound.

## What it does

Reports `lax.scan` without `xs` and `length`, or over leaves of different lengths; `lax.switch` with branches that are
no list, or an index that is no integer; predicates of `lax.cond` that are arrays, containers or functions; bounds of
`lax.fori_loop` of different types; and conditions like `t < limit & active`, which compare `t` with `limit & active`,
a number and a truth. What a caller hands in counts, too.

```python bad
from jax import lax


def halved(x, n):
    return lax.fori_loop(0, n / 2, lambda i, total: total * 0.5, x)  # JAX613: is a float


halved(1.0, 4)
```

## Why it is bad

Loud. JAX raises `TypeError` or `ValueError` before anything runs. Two float bounds are taken; a float and an integer
are not. Of a float and a truth `&` takes none; of an integer and a truth it makes 0 or 1, and the loop silently ends.

## Instead

Pass what the loop or branch takes: `length=n` for a loop without inputs, a list of branches, one truth for `cond`
(`jnp.where` chooses for each element), integers as bounds.

```python good
from jax import lax


def halved(x, n):
    return lax.fori_loop(0, n // 2, lambda i, total: total * 0.5, x)


halved(1.0, 4)
```

## When it stays silent

Where a shape, a type or a length is not known; on two float bounds; on an index beyond the branches, which JAX clamps
(JAX204); on lists of numbers to scan over (JAX203); where `pytest.raises` or a `try` expects the error.

## Fix safety

Safe where a bound like `3.0` becomes an integer, and where branches become a list: the call raised before. Unsafe
where `/` becomes `//`, and where a comparison gets parentheses.

## References

- [`jax.lax.scan`](https://docs.jax.dev/en/latest/_autosummary/jax.lax.scan.html)
- [`jax.lax.switch`](https://docs.jax.dev/en/latest/_autosummary/jax.lax.switch.html)
- [`jax.lax.fori_loop`](https://docs.jax.dev/en/latest/_autosummary/jax.lax.fori_loop.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.context import advised, chain_notes, place
from flake8_jax.analysis.checks.contracts.operands import OperandRefused
from flake8_jax.rules.rule import Reporter, Rewrite, Rule

RULE = Rule(
    code="JAX613",
    name="operands-of-control-flow",
    since="0.1",
    group="contracts",
    hazard="raises:TypeError",
    also=("raises:ValueError", "raises:IndexError"),
    fix="pass an operand that it takes",
    status="on",
)

FAULTS = {
    "nothing": "`{transform}` gets neither `{parameter}` nor a length: it has nothing to go over",
    "unequal": "the leaves of `{subject}` have {told} rows, but `{transform}` goes over all of them together",
    "length": "`{transform}` gets a length of {told}, but its inputs have {other} rows",
    "no rows": "`{subject}` is {told}, but `{transform}` goes over the leading axis of `{parameter}`",
    "axes": "`{subject}` has shape {told}, but `{transform}` takes a scalar for `{parameter}`",
    "noun": "`{subject}` is {told}, but `{parameter}` of `{transform}` takes none",
    "none": "`{subject}` is None, but `{transform}` takes a scalar for `{parameter}`",
    "not whole": "`{subject}` is {told}, but `{transform}` takes an integer for `{parameter}`",
    "no list": "`{subject}` is {told}, but `{transform}` takes one list of branches",
    "empty": "`{subject}` has no branches for `{transform}`",
    "together": "`{subject}` takes {told} and a truth together before `{other}` compares: `{transform}` binds closer",
    "types": "`{subject}` is {told} and the other bound of `{transform}` {other}, which takes bounds of one type",
}


def check(event: OperandRefused, report: Reporter) -> None:
    """An operand that is refused."""
    fault = event.fault
    message = FAULTS[fault.form].format(
        transform=event.transform,
        parameter=fault.parameter,
        subject=event.subject,
        told=fault.explanation,
        other=fault.other,
    )
    chain, home = event.context.chain, event.op.anchor.origin.shown
    if chain:
        hop = chain[0]
        message += f", where {hop.text} {place(hop.path, hop.line, hop.path != home)}"
    report(event.op, message, chain_notes(event), remedy=advised(event.instead, event.rewrite, event.words))


def fix(event: OperandRefused) -> Rewrite | None:
    """The operand becomes one that is taken."""
    return event.rewrite
