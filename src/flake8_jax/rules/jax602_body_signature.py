"""A function that a transform calls does not take what it gets, or does not return what must come back.

## What it does

Reports functions that `scan`, `fori_loop`, `while_loop`, `cond`, `switch`, `map`, `tree.map`, `vjp` and their like call
with more or fewer arguments than they take, loops whose function takes the index last, bodies of `scan` that return no
pair or the pair in the wrong order, functions without a `return`, conditions that return no bool, and keywords that
the transform does not have; and calls of what `grad`, `vmap`, `jit` and their like return, as in `grad(loss)(params)`,
with other arguments than the function takes.

```python bad
import jax.numpy as jnp
from jax import lax


def total(xs):
    def body(carry, x):
        return carry + x  # JAX602: `lax.scan` needs a pair of the new carry and an output

    return lax.scan(body, 0.0, xs)


total(jnp.ones(3))
```

## Why it is bad

Loud. With a message from inside JAX: `TypeError: scan body output must be a pair`, `takes 1 positional
argument but 2 were given`, `must have the same pytree structure`, `fori_loop() got an unexpected keyword argument`.
Silent where the index and the value of a `fori_loop` are exchanged and both are numbers: then the loop counts.

## Instead

Give the function the parameters that the transform passes, in its order, and return what it asks for: of `scan` the new
carry and an output, which may be None; of a loop the new value; of a condition one bool. Where the function is right,
change the call: `jit(vmap(f, (0, None)))`, `tree.map(f, (x, y))`, or `lambda c, x: (f(c), None)` for one more loop.

```python good
import jax.numpy as jnp
from jax import lax


def total(xs):
    def body(carry, x):
        return carry + x, None

    return lax.scan(body, 0.0, xs)[0]


total(jnp.ones(3))
```

## When it stays silent

On functions that are not known, or stand under decorators that are not; with `*args` on either side; where
results come from code that is not seen; on results that are right on some path and unknown on others; on keywords of
libraries other than JAX; where `pytest.raises` or a `try` expects the error. That types, shapes and structures of what
comes back differ is no matter of this rule.

## Fix safety

Safe where a returned pair is swapped: it raised before. Unsafe where a keyword is renamed, a lambda gets a parameter, a
result gets an output beside it, options move to the transform inside, trees become one tuple, or a call goes, because
another one may be meant.

## References

- [`jax.lax.scan`](https://docs.jax.dev/en/latest/_autosummary/jax.lax.scan.html)
- [`jax.lax.fori_loop`](https://docs.jax.dev/en/latest/_autosummary/jax.lax.fori_loop.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.context import advised, chain_notes
from flake8_jax.analysis.checks.contracts.bodies import SignatureMisfit
from flake8_jax.rules.rule import Reporter, Rewrite, Rule

RULE = Rule(
    code="JAX602",
    name="body-signature",
    since="0.1",
    group="contracts",
    hazard="raises:TypeError",
    also=("raises:IndexError", "raises:ValueError", "eager_differs"),
    fix="take and return what the transform passes and needs",
    status="on",
)

SAID = {
    "keyword": "`{transform}` has no parameter{s} {gets}",
    "positions": "`{transform}` gets {gets} by position, and takes {takes}",
    "body": "`{transform}` calls {function} with {gets}, and it {takes}",
    "order": "`{transform}` calls {function} with the index first, and it takes {takes}",
    "single": "`{transform}` needs {takes}, and {function} returns {gets}",
    "length": "`{transform}` needs {takes}, and {function} returns {gets}",
    "truth": "`{transform}` needs {takes}, and {function} returns {gets}",
    "nothing": "`{transform}` needs {takes}, and {function} returns nothing",
    "ends": "`{transform}` needs {takes}, and {function} ends here without a `return`",
    "call": "{function} under `{transform}` is called with {gets}, and it {takes}",
    "swapped": "{function} returns the carry second, and `{transform}` takes the first of the pair for it",
}  # fmt: skip
"""What is wrong."""


def check(event: SignatureMisfit, report: Reporter) -> None:
    """A call of a transform or of its function that is refused, or a result that is."""
    named = {"transform": event.transform, "function": event.function, "gets": event.gets, "takes": event.takes}
    named["s"] = "s" * (", " in event.gets)
    said = SAID[event.fault].format(**named)
    changes = event.rewrite.changes if event.rewrite is not None else ()
    instead = f"use `{changes[0].text}`" if changes else event.instead
    report(event.op, said, chain_notes(event), remedy=advised(instead, event.rewrite, event.instead))


def fix(event: SignatureMisfit) -> Rewrite | None:
    """What is passed and returned as the transform wants it."""
    return event.rewrite
