"""Traced code changes something that outlives the trace: it happens once, and a tracer that is kept there leaks.

## What it does

Reports stores from traced code into globals, variables of enclosing functions, attributes, containers and modules that
live outside of the trace, also through helpers and methods. Reports a changed argument of a jitted function that is not
returned; streams of keys and layers of `nnx` that a trace captures and advances; parameters, keys and draws of Haiku
and NumPyro made in JAX's `scan`, `cond` or `checkpoint`, not the library's.

```python bad
import jax

LOSSES = []


@jax.jit
def step(x):
    loss = (x * x).sum()
    LOSSES.append(loss)  # JAX303 leak: `LOSSES` outlives the trace
    return x - 0.1 * x


step(1.0)
```

## Why it is bad

Silent. The function runs while JAX traces it, not when the compiled code is called: `LOSSES` gets a tracer for each
compilation, of which the next use raises `UnexpectedTracerError`. Counters and flags change once.

## Instead

Return what is to be kept, and store it in the caller; on the host, while the code runs, use `jax.debug.callback`.

```python good
import jax

LOSSES = []


@jax.jit
def step(x):
    loss = (x * x).sum()
    return x - 0.1 * x, loss


x, loss = step(1.0)
LOSSES.append(loss)
```

## When it stays silent

On containers and objects made in the trace; on what the function itself puts back (`try`, `finally`, `pop`); on
attributes that only the same trace reads again, or that hand an argument in to what is called then (`model.speed = v`,
then `model.compute(x)`); on attributes of an object that ends with the function around, and those that no file reads;
on modules of Flax and Equinox, which keep an account of their own; on caches of shapes and other static values; on what
is set to a static value and not set back in the file; on counts of traces; on the host. Under bare `vmap`, `grad` and
`shard_map` on everything but tracers. Off in test files.

## Fix safety

No fix is applied: the result of the function changes.

## References

- [Pure functions](https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html#pure-functions)
- [Leaked tracers](https://docs.jax.dev/en/latest/errors.html#jax.errors.UnexpectedTracerError)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.context import chain_notes, ending, explain, role
from flake8_jax.analysis.checks.effects.escapes import OuterWritten
from flake8_jax.rules.rule import Reporter, Rule

RULE = Rule(
    code="JAX303",
    name="outer-write-in-traced",
    since="0.1",
    group="effects",
    hazard="leak",
    fix="return it and store it in the caller",
    status="on",
    in_tests=False,
    also=("trace_once", "raises:TraceContextError"),
)

# What to do instead: of a change once per trace, by how a function is traced; of what is renewed, by the transform.
ONCE = {
    "jitted": "move it to where {} is called, or use `jax.debug.callback`",
    "the body of": "return what is to be counted or kept from {}, or use `jax.debug.callback`",
}
RENEWED = (
    (("fori_loop", "scan", "while_loop"), "make `{0}` a part of the carry"),
    (("map",), "return from {1} what goes into `{0}`, and combine the results outside"),
    (("",), "pass `{0}` to {1} as an argument, return the new one, and store that outside"),
)


def check(event: OuterWritten, report: Reporter) -> None:
    """A write that outlives its trace."""
    if (trace := event.context.trace) is None:
        return
    changed, name = event.changed, "the lambda" if "<lambda>" in trace.function else f"`{trace.function}`"
    match event.form:
        case "leak":
            said = f"`{changed}` outlives the trace and keeps a tracer, as {explain(event)}"
            instead = _without_leak(event, trace.transform, name)
        case "once":
            happens = "called" if event.manner == "method" else "changed"
            said = f"`{event.statement}` is {happens} once per trace, not once per call: {role(event)}"
            instead = ONCE.get(trace.role, "use `jax.debug.callback`, or do it outside").format(name)
        case "copy":
            said = f"the caller's `{changed}` is not changed, only a copy that JAX makes for each call: {role(event)}"
            instead = f"return it from {name}, and bind what that returns"
        case "stream":
            said = f"`{changed}` is not passed to {name}, so that it cannot be advanced there: {role(event)}"
            instead = "pass it as an argument, under `nnx.jit`"
        case "state":
            said = f"`{changed}` keeps what it makes beyond the trace, in the state of its library: {role(event)}"
            instead = f"use `{event.statement}`" if event.statement else "do it outside of the trace"
    report(event.op, f"{said}{ending(instead)}", chain_notes(event))


def _without_leak(event: OuterWritten, transform: str, name: str) -> str:
    """What to do instead of a write that keeps a tracer."""
    changed = event.changed
    if event.is_renewed:
        return next(words.format(changed, name) for ends, words in RENEWED if transform.endswith(ends))
    if event.reader:
        return f"give `{event.reader}` a local name for what it reads again, and return it if others need it"
    if event.is_unread:
        return f"return the value from {name}, or leave `{changed}` out if no other file reads it"
    if transform.endswith(("grad", "hessian", "jacfwd", "jacrev", "linearize")):
        return f"return the value from {name} beside its result, with `has_aux=True`"
    if transform.endswith("scan"):
        return f"return the value from {name} beside the carry: `{transform}` stacks what it gives"
    rest = f"and put it into `{changed}` outside" if event.manner == "method" else "or pass it on as an argument"
    return f"return the value from {name}, {rest}"
