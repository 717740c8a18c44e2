"""A gradient is NaN, although the value is finite.

## What it does

Reports `log`, `sqrt`, divisions, powers, norms, `arccos` and their like at points where their derivative is not finite,
where something in the code says that the points are met, and a derivative is taken: the arm of a `where`, `select` or
`select_n` whose own test leaves these points out, a product with such a test as a mask, a root or logarithm of
`maximum(v, 0)` and an `arccos` of `clip(c, -1, 1)`, which are held at such a point by a bound, distances of points to
themselves (`x[:, None] - x[None, :]`), items that such a test picks, and norms of an argument for which zeros are
handed in, also by a helper. Without any derivative, reports the product of a mask with what is infinite where the mask
is 0 (`(1 - mask) * -jnp.inf`): the value is NaN.

```python bad
import jax
import jax.numpy as jnp


def entropy(p):
    return -jnp.where(p > 0, p * jnp.log(p), 0.0).sum()  # JAX701: leaves `jnp.log(p)` out


g = jax.grad(entropy)(jnp.array([0.5, 0.5, 0.0]))
```

## Why it is bad

Silent. `where` computes both arms, and chooses. Backwards it hands 0 to the arm that it did not choose; the arm
multiplies that by its own derivative, and 0 times infinity is NaN. So the value is right, one gradient is NaN, and
after the next step of the optimizer every parameter is.

## Instead

Choose twice: a safe operand first, then the result. Of a norm, keep the squares away from 0 before the root.

```python good
import jax
import jax.numpy as jnp


def entropy(p):
    return -jnp.where(p > 0, p * jnp.log(jnp.where(p > 0, p, 1)), 0.0).sum()


g = jax.grad(entropy)(jnp.array([0.5, 0.5, 0.0]))
```

## When it stays silent

Where no derivative is seen: by a `grad`, `vjp`, `jvp` and their like, in this or another file, of a function that leads
there, or by `assume-traced`, which names functions that users differentiate. Where the operand is not the one that the
test is about, since something was added (`eps`), or it is held above a bound (`maximum(x, tiny)`) or replaced; where
the number of the test is far from the point; where the result is compared, stopped by `stop_gradient`, or auxiliary
(`has_aux`); where only tangents are taken through a choice (`jvp`, `jacfwd`, `linearize`): those of the arm that is
taken; in functions with a rule of their own (`custom_jvp`, `custom_vjp`); on `lax.cond`, which runs one arm
alone. A norm or a root that may be 0, with nothing that says so, is not reported. A product of which the infinity or
the 0 is not written, that goes into `nan_to_num`, `nansum` or `where`, or by truth values.

## Fix safety

Safe: where the test holds, the operand is what it was. It is offered where the operand stands beside the test.

## References

- [JAX FAQ](https://docs.jax.dev/en/latest/faq.html): gradients contain NaN where using `where`
"""

from __future__ import annotations

from flake8_jax.analysis.checks.context import advised, chain_notes, role
from flake8_jax.analysis.checks.derivatives.nan_gradients import NanGradient
from flake8_jax.rules.rule import Reporter, Rewrite, Rule

RULE = Rule(
    code="JAX701",
    name="nan-gradient",
    since="0.1",
    group="numbers",
    hazard="nan_grad",
    fix="choose a safe operand, too",
    status="on",
)

SAID = {
    "selected": "where `{test}` leaves `{subject}` out, its derivative is still taken, and 0 times infinity is NaN",
    "masked": "where `{test}` is 0, the derivative of `{subject}` is not finite, and 0 times infinity is NaN",
    "floored": "where the bound holds `{operand}` at {test}, the derivative of `{subject}` is infinite, times 0: NaN",
    "pairwise": "`{operand}` is 0 for each item and itself, and there `{subject}` has no derivative: NaN",
    "zero": "`{operand}` is 0 at first, where `{subject}` has no derivative: NaN",
    "infinite": "`{operand}` is infinite where `{test}` is 0, and 0 times infinity is NaN",
}
WORDS = {
    "selected": "give it a safe operand there, with a `where` of its own",
    "masked": "use `where`, and give it a safe operand with another one",
    "floored": "use a bound above 0",
    "pairwise": "give the root a safe number in its place, with `where`",
    "zero": "add a small number below the root, or start elsewhere",
    "infinite": "choose with `where` in place of the product",
}
INSIDE = "move the bound inwards by a small number"
OF_ARRAY = "take the root of the sum of squares, with a safe number in place of 0 by `where`"


def check(event: NanGradient, report: Reporter) -> None:
    """A derivative that is taken where it is not finite."""
    said = {"test": event.test, "subject": event.subject, "operand": event.operand}
    why = SAID[event.form].format(**said)
    if event.context.trace is not None:
        why += f": {role(event)}"
    changes = event.rewrite.changes if event.rewrite is not None else ()
    of_what = "" if event.form == "infinite" else f" for `{event.operand}` in it"
    instead = f"use `{changes[0].text}`{of_what}" if changes else ""
    is_held = event.form == "floored"
    words = OF_ARRAY if event.is_whole and not is_held else WORDS[event.form]
    if is_held and event.test != "0":
        words = INSIDE
    report(event.op, why, chain_notes(event), remedy=advised(instead or words, event.rewrite, words))


def fix(event: NanGradient) -> Rewrite | None:
    """The operand is chosen, too."""
    return event.rewrite
