"""A derivative is taken through what does not have it.

## What it does

Reports `lax.while_loop`, and `lax.fori_loop` with traced bounds, in functions that are differentiated in reverse mode
(`grad`, `value_and_grad`, `vjp`, `jacrev`, `hessian`); functions with a `custom_vjp` under forward mode (`jvp`,
`jacfwd`); `pure_callback` and `io_callback` under both; ordered `io_callback` under `vmap`; and writes under `vmap` to
a reference (`jax.new_ref`) from outside.

```python bad
import jax
from jax import lax


def power(x, n):
    return lax.fori_loop(0, n, lambda i, y: y * x, 1.0)  # JAX612: traced number of turns


g = jax.jit(jax.grad(power))(2.0, 3)
```

## Why it is bad

Loud. Reverse mode goes through the turns of a loop backwards, and has to keep what each of them computed; of a
`while_loop` nobody knows how many there will be, nor of a `fori_loop` whose bounds are traced: `ValueError`. A
`custom_vjp` says how to go backwards only (`TypeError` under forward mode), and of a callback JAX knows nothing
(`ValueError`), also where its result is not used. `vmap` may not choose the order of ordered callbacks (`ValueError`).

## Instead

Give a loop bounds that Python knows (a static argument, a shape), or use `lax.scan` over a fixed number of steps with
the finished ones masked. Of a loop that converges, `jax.lax.custom_root` or a `custom_vjp` has the derivative of the
result. State a `custom_jvp` in place of a `custom_vjp`, around a callback, too; or put `stop_gradient` in front of it.

```python good
from functools import partial

import jax
from jax import lax


@partial(jax.jit, static_argnames="n")
def slope(x, n):
    return jax.grad(lambda y: lax.fori_loop(0, n, lambda i, z: z * y, 1.0))(x)


g = slope(2.0, 3)
```

## When it stays silent

Where no derivative is seen to be taken by what the loop starts with or its body reads, or where its result does not
come back: it is compared, stopped, auxiliary, or the part of the carry that is used is an integer. On forward mode
through loops, which is legal, on forward over reverse mode through a `custom_vjp` whose forward rule is differentiable,
on functions with a rule of their own around all that, and where an error is expected (`pytest.raises`, `try`).

## Fix safety

There is no fix: which of the repairs is meant, the code does not say.

## References

- [`jax.lax.fori_loop`](https://docs.jax.dev/en/latest/_autosummary/jax.lax.fori_loop.html)
- [Custom derivative rules](https://docs.jax.dev/en/latest/notebooks/Custom_derivative_rules_for_Python_code.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.context import chain_notes, role
from flake8_jax.analysis.checks.derivatives.modes import ModeRefused
from flake8_jax.model.diagnostic import Remedy
from flake8_jax.rules.rule import Reporter, Rule

RULE = Rule(
    code="JAX612",
    name="differentiation-mode",
    since="0.1",
    group="contracts",
    hazard="raises:ValueError",
    also=("raises:TypeError", "raises:Exception"),
    fix="give loops a known number of turns, or state a rule for the derivative",
    status="on",
)

SAID = {
    "loop": "reverse mode cannot go back through `{by}`",
    "counted": "reverse mode cannot go back through `{by}` with a traced number of turns{bound}",
    "backward": "forward mode cannot go through `{by}`, which has a rule for reverse mode alone",
    "callback": "there is no derivative of `{by}`",
    "ordered": "`vmap` cannot map `{by}`, which is ordered",
    "write": "`vmap` cannot map a write to `{by}`, which is one reference for all lanes",
}
WORDS = {
    "loop": "use `scan` or `fori_loop` with bounds that Python knows, or state the derivative with `custom_vjp`",
    "counted": "make the bound static, or use `scan` over a fixed number of steps",
    "backward": "define its derivative with `custom_jvp`, or take `jacrev`",
    "callback": "define one with `custom_jvp` around it, or pass what `stop_gradient` gives",
    "write": "pass the reference as an argument that is mapped, too, or return what is to be written",
    "ordered": "use it without `ordered`, or `jax.lax.map`, which calls it one by one",
}


def check(event: ModeRefused, report: Reporter) -> None:
    """A derivative that JAX refuses."""
    bound = f" (`{event.bound}`)" if event.bound else ""
    said = SAID[event.form].format(by=event.by, bound=bound)
    report(event.op, f"{said}: {role(event)}", chain_notes(event), remedy=Remedy("", WORDS[event.form]))
