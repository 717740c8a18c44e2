"""What is compiled is a new function on each turn or in each call, and so is compiled again.

## What it does

Reports `jax.jit`, `jax.pmap`, `eqx.filter_jit`, `nnx.jit` and `pallas_call` of a lambda, local function, partial, bound
method or wrapped function (`jax.jit(jax.grad(loss))`) that a loop makes anew and calls on each turn, or that a function
makes anew in each call, if a loop calls this function, or a server that it is registered with does so for each request
(`@app.post(...)`, `app.add_url_rule(...)`). What is handed to a function of the project counts as called where that
calls it. And, in code of the host, the same of `lax.scan`, `while_loop`, `fori_loop`, `cond`, `switch` and `map`, which
compile what they run if nothing else does.

```python bad
import jax
import jax.numpy as jnp

x = jnp.ones(3)
for turn in range(4):
    x = jax.jit(lambda v: v * 2)(x)  # JAX501: `jax.jit` compiles the lambda again on each turn of the `for` loop
```

## Why it is bad

Silent. JAX keeps what it has compiled by the function object, and each turn brings another one. Measured
with JAX 0.6.2, 0.10.2 and 0.12.0: the loop above compiles four times, at 20 to 100 ms for one multiplication and
minutes for a large model; jitted once, it is called in 20 microseconds. So do partials, bound methods
(`jax.jit(self.f)`, `jax.jit(model.apply)`) and other wrappers, as each evaluation of `jax.grad(loss)` is another
object. `nnx.jit(f)`, `pallas_call(kernel, ...)` and `lax.map(f, xs)` make a function of their own around any `f`, so
they compile each time.

These do not, and are no matter of this rule: `jax.jit(f)` of one function of a module, as often as you like; `vmap`,
`grad` and `vjp` that nothing jits, which compile nothing as a whole; for `eqx.filter_jit` bound methods, and wrappers
of Equinox itself.

## Instead

Make it once, before the loop or at the top of the module, and pass as arguments what it has captured: arrays as they
are, numbers that sizes and tests need as static ones. Where a loop calls a function that scans, jit what scans, with
the arrays as its arguments, if not all of the function: what prints, reads files or uses NumPy stays outside. What gets
the same on each turn is called once, before the loop.

```python good
import jax
import jax.numpy as jnp

x = jnp.ones(3)
double = jax.jit(lambda v: v * 2)
for turn in range(4):
    x = double(x)
```

## When it stays silent

On what is made in a function that no loop is seen to call; on what is returned and kept, or put where others find it,
or stored after a test whether it is there (`if self._step is None:`), or made in a function under `lru_cache`; on a
function that calls in a loop of its own, of more than 12 turns as far as one knows, what it has made once; on a method
of an object, or a function that captures one, which is made on the same turn, or handed in; on what is made for the
entries of a mapping (`for name, table in tables.items()`); beside another function that a long loop of the same body
calls; where a turn chooses another program, which has to be compiled anyway: by a test on what the loop goes through,
by the function that it picks (`bessel[order](x)`), by an object of which it calls methods (`case["model"].step(x)`), by
a size or the length of a `scan`, by an option (`jax.jit(f, device=device)`), by the file that it reads, or by arrays as
long as its element says, also out of a list; where each turn begins anew and calls what it has compiled in a long loop,
or draws a figure; where a trace runs the loop; on loops through a few things that are written out, also by a formula,
as a default, or by a caller, or that are options of a command, as each configuration is compiled once; and on those of
constructors and tests.

## Fix safety

No fix is applied: what the function has captured may have to become its arguments.

## References

- [Caching of compiled functions](https://docs.jax.dev/en/latest/jit-compilation.html#jit-and-caching)
- [`jax.jit`](https://docs.jax.dev/en/latest/_autosummary/jax.jit.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.compilation.remade import RemadeEachTime
from flake8_jax.analysis.checks.context import chain_notes, place
from flake8_jax.model.diagnostic import Note
from flake8_jax.rules.rule import Reporter, Rule

RULE = Rule(
    code="JAX501",
    name="jitted-per-call",
    since="0.1",
    group="compilation",
    hazard="retraced",
    fix="make the compiled function once",
    status="on",
    in_tests=False,
)


def check(event: RemadeEachTime, report: Reporter) -> None:
    """A function that is compiled anew each time."""
    repeat = event.repeat
    where = place(repeat.path, repeat.line, repeat.path != event.op.anchor.origin.shown)
    turn = f"on each turn of {repeat.by} {where}"
    if event.where == "request":
        message = f"`{event.by}` compiles {event.function} again for each request that {event.body} is called for: it"
        message = f"{message} is registered by {repeat.by} {where}, and each call makes {event.new}"
    elif event.by_call:
        new = f"`{event.by}` in {event.body} gets {event.new} in each call"
        message = f"`{event.by_call}` is compiled again {turn}: {new}"
    else:
        when = turn if event.where == "here" else f"in each call of {event.body}, made {turn}"
        message = f"`{event.by}` compiles {event.function} again {when}: each makes {event.new}"
    note = Note(repeat.path, repeat.line, f"{repeat.by} repeats it")
    report(event.op, message, (note, *chain_notes(event)), remedy=event)
