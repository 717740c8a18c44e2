"""A print, log or warning stands in traced code: it runs while JAX traces, not when the compiled code runs.

## What it does

Reports `print`, logging and `warnings.warn` in traced code when what they show is traced, when it is the index of a
traced loop, or when it is a text in the body of a traced loop or in a function that is jitted here and called more
than once.

```python bad
import jax


@jax.jit
def step(x):
    print("x is", x)  # JAX301: `print` shows a tracer
    return x * 2


step(1.0)
step(2.0)
```

## Why it is bad

Silent. It prints `JitTracer(~float32[])` instead of a number, once for each compilation: nothing on the second call,
one line for a thousand iterations of `scan`.

## Instead

Print from the compiled code with `jax.debug.print`, or call host code with `jax.debug.callback`.

```python good
import jax


@jax.jit
def step(x):
    jax.debug.print("x is {x}", x=x)
    return x * 2


step(1.0)
step(2.0)
```

## When it stays silent

In functions that run on the host (`jax.debug.callback`, `io_callback`, `pure_callback`); on shapes, dtypes and other
static text in a function that is called once or whose calls are not seen; under a static `if debug:`; under bare
`vmap`, `grad` and `shard_map`, which run the function on every call.

## Fix safety

Unsafe: `print` becomes `jax.debug.print` with a format string, prints at every call, and may print in another order.
There is no fix for logging and warnings, for keywords of `print`, and for texts that were made before.

## References

- [Compiled prints](https://docs.jax.dev/en/latest/debugging/print_breakpoint.html)
- [Pure functions](https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html#pure-functions)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.context import advised, chain_notes, explain, role
from flake8_jax.analysis.checks.output import OutputTraced
from flake8_jax.rules.rule import Reporter, Rewrite, Rule

RULE = Rule(
    code="JAX301",
    name="print-in-traced",
    since="0.1",
    group="effects",
    hazard="trace_once",
    fix="use `jax.debug.print`",
    status="on",
)

OFTEN_LEFT = {"print": ", or delete the line"}
"""What else may be done with what shows a value: many a line is left from a search for a mistake."""


def check(event: OutputTraced, report: Reporter) -> None:
    """An effect that tracing swallows."""
    trace = event.context.trace
    if trace is None:
        return
    what = f" in `{event.subject}`" if event.subject not in ("", trace.value) else ""
    match event.carries:
        case "tracer":
            said = f"shows a tracer{what}, once per trace, as {explain(event)}"
        case "index":
            said = f"shows a tracer{what}, not the number of the iteration, as {explain(event)}"
        case "turns":
            said = f"runs once for all iterations: {role(event)}"
        case "text":
            said = f"runs on the first of {event.calls} calls: {role(event)}"
    if event.carries != "text" or event.calls > 1:
        words, beside = "use `jax.debug.print`, which prints at run time", OFTEN_LEFT.get(event.callee, "")
        remedy = advised(event.instead, event.rewrite, words, beside)
        report(event.op, f"`{event.callee}` {said}", chain_notes(event), remedy=remedy)


def fix(event: OutputTraced) -> Rewrite | None:
    """The compiled code prints."""
    return event.rewrite
