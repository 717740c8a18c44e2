"""The format of `jax.debug.print` is made of tracers, or its fields do not fit what it is given.

## What it does

Reports an f-string, `%`, `.format`, `str` or `+` with a traced value as the text that `jax.debug.print` shows later,
or that is handed to `jax.debug.callback`, also through helpers; output of a callback that shows a tracer which it
captures; and formats whose fields are not those of the arguments.

```python bad
import jax


@jax.jit
def step(x):
    jax.debug.print(f"x is {x}")  # JAX307: `jax.debug.print` gets a text made of tracers
    return x * 2
```

```python bad
import jax

jax.debug.print("x is", 2.0)  # JAX307: no field of the format of `jax.debug.print` takes `2.0`
```

## Why it is bad

Silent. Texts are made once, while JAX traces, and say `x is JitTracer(~float32[])` on every call, under `vmap` and
`grad` too. Formats that do not fit raise, under `jit` or not: `ValueError` for an argument without a field,
`IndexError` or `KeyError` for a field without an argument, `TypeError` for an array in place of the format, and only
when the compiled code runs for `{x:.2f}` with an array of several elements.

## Instead

A format with a field for each value, as of `str.format`, and the values as arguments.

```python good
import jax


@jax.jit
def step(x, name="x"):
    jax.debug.print("x is {x}, of shape {shape}", x=x, shape=x.shape)
    jax.debug.print(f"{name} is {{}}", x, ordered=True)
    return x * 2
```

## When it stays silent

On texts of shapes, dtypes, static arguments and other values of the host; on formats that are not known; with
`skip_format_check=True`; in callbacks that format what they are given; where an error of the format is caught.

## Fix safety

No fix is applied: the fields that are meant are not always evident.

## References

- [`jax.debug.print`](https://docs.jax.dev/en/latest/_autosummary/jax.debug.print.html)
- [Compiled prints](https://docs.jax.dev/en/latest/debugging/print_breakpoint.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.context import chain_notes, ending, explain
from flake8_jax.analysis.checks.effects.formats import FormatMismatched
from flake8_jax.rules.rule import Reporter, Rule

RULE = Rule(
    code="JAX307",
    name="debug-format-frozen",
    since="0.1",
    group="effects",
    hazard="text_frozen",
    also=("raises:ValueError", "raises:IndexError", "raises:KeyError", "raises:TypeError", "raises:JaxRuntimeError"),
    fix="give the values as arguments, with a field for each",
    status="on",
)

FAULTS = {
    "frozen": "`{callee}` gets a text made of tracers{what}, once per trace",
    "captured": "`{callee}` shows a tracer{what}, which its callback captures",
    "value": "`{callee}` gets `{subject}` where a format is due",
    "unused": "no field of the format of `{callee}` takes {subject}",
    "missing": "`{callee}` gets no value for the field {subject}",
    "broken": "the format of `{callee}` has a brace that opens or closes no field",
    "specification": "`{callee}` formats {subject} as a number, but it is an array with axes",
}


def check(event: FormatMismatched, report: Reporter) -> None:
    """A text that was made too early, or a format that does not fit."""
    if event.fault in ("frozen", "captured"):
        trace = event.context.trace
        what = f" in `{event.subject}`" if trace is not None and event.subject not in ("", trace.value) else ""
        said = f"{FAULTS[event.fault].format(callee=event.callee, what=what)}, as {explain(event)}"
    else:
        said = f"{FAULTS[event.fault].format(callee=event.callee, subject=event.subject)} ({event.error}){_call(event)}"
    report(event.op, f"{said}{ending(event.instead)}", chain_notes(event))


def _call(event: FormatMismatched) -> str:
    """The call that makes it certain, if it stands in a helper."""
    chain = event.context.chain
    return f", {chain[-1].text} on line {chain[-1].line}" if len(chain) == 1 else ""
