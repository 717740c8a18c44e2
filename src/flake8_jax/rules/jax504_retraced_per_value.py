"""A compiled function is compiled again on each turn, since what it is called with is another sort of thing each time.

## What it does

Reports calls of what `jax.jit`, `jax.pmap`, `eqx.filter_jit` or `nnx.jit` compiles, in a loop that no trace runs:

- with the loop's counter, a number that goes on (`rate = rate * decay`), or a new function, as a static argument,
- with an array whose shape changes: `x[:i]`, `jnp.ones(i)`, what grows by `concatenate` or is made of a list that grows
  or is filled by a loop that ends at any time, what a mask selects; once more with the last of the slices
  `x[i : i + 64]` for `range(0, 1000, 64)`, which is shorter,
- with a list that grows, a dict that gets other keys, things of three types or structures that the loop goes through,
  or the same arguments passed in a third way, by position and by name, or of a third type, one of them a Python number.

```python bad
import jax
import jax.numpy as jnp

total = jax.jit(lambda x: jnp.sum(x))

for i in range(1, 6):
    print(total(jnp.ones(i)))  # JAX504: `total` is compiled again on each turn of the `for` loop on line 6
```

## Why it is bad

Silent. A program is compiled for each shape, dtype, weak type, structure and static value: where these change on each
turn, each turn waits for the compiler. Measured: five programs for the loop above. A Python number is another type than
an array of the same dtype, a tuple than a list. `f(x, y)`, `f(x, y=y)` and `f(x=x, y=y)` are three programs. A static
lambda or partial is another one each time; equal tuples and bound methods are the same.

## Instead

Keep one sort of argument: pass counters as arrays, pad to one shape and pass the length or a mask.
```python good
import jax
import jax.numpy as jnp


@jax.jit
def total(x, length):
    return jnp.sum(jnp.where(jnp.arange(5) < length, x, 0))


for i in range(1, 6):
    print(total(jnp.ones(5), i))
```

## When it stays silent

On a few calls, configurations or shapes that are written out, and layers or sizes that a static number chooses, below
50 of them: each is compiled once. On slices whose two bounds move together, and numbers that come round (`i % 4`); on
what no source shows; on what costs one program more alone, unless that is a step of training, which takes
derivatives; on last batches where `len(x) // n`, `len(x) % n`, a test of a length or of `n`, or padding shows that
somebody thought of them; in traced code and tests.

## Fix safety

No fix is applied: how to keep one shape is a matter of design.

## References

- [Caching of compiled functions](https://docs.jax.dev/en/latest/jit-compilation.html#jit-and-caching)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.compilation.retraced import RetracedEachTime
from flake8_jax.analysis.checks.context import chain_notes, ending, place
from flake8_jax.model.diagnostic import Note
from flake8_jax.rules.rule import Reporter, Rule

RULE = Rule(
    code="JAX504",
    name="retraced-per-value",
    since="0.1",
    group="compilation",
    hazard="retraced",
    fix="keep one sort of argument",
    status="on",
    in_tests=False,
)
FILL = "make an array that is as long as it gets, and fill it by `.at[...].set(...)`"
SHAPE = "keep one shape: pad it, and pass its length or a mask"


def check(event: RetracedEachTime, report: Reporter) -> None:
    """A call that compiles again."""
    repeat, subject = event.repeat, event.subject
    if event.form == "dtypes" or repeat is None:
        way = "the same arguments are passed by position and by name, in a third way; pass them alike in each call"
        if event.form == "dtypes":
            way = f"`{event.parameter}` has a third type: {subject}; pass an array of one dtype in each call"
        report(event.op, f"`{event.callee}` is compiled once more: {way}", chain_notes(event))
        return
    where = place(repeat.path, repeat.line, repeat.path != event.op.anchor.origin.shown)
    why, instead = _reasons(event, subject)
    if event.form == "last":
        batch, numbers = subject.split(": ", 1)
        said = f"`{event.callee}` is compiled once more on the last turn of {repeat.by} {where}: `{batch}`"
        said = f"{said} is shorter there, since {numbers}"
        report(event.op, f"{said}; leave the last batch out, or pad it", chain_notes(event))
        return
    if event.form in LAST:
        said = f"`{event.callee}` is compiled a second time, for the last turn of {repeat.by} {where}"
        report(event.op, f"{said}: {LAST[event.form].format(*subject.split(': '))}", chain_notes(event))
        return
    note = Note(repeat.path, repeat.line, f"{repeat.by} repeats it")
    message = f"`{event.callee}` is compiled again on each turn of {repeat.by} {where}: {why}"
    report(event.op, f"{message}{ending(instead)}", (note, *chain_notes(event)))


def _reasons(event: RetracedEachTime, subject: str) -> tuple[str, str]:
    why, instead = REASONS.get(event.form, ("`{subject}` has another shape each time", SHAPE))
    return why.format(subject=subject, named=f"`{event.parameter}`" if event.parameter else "an argument"), instead


LAST = {
    "tail": "`{0}` is shorter there unless `{1}` divides `{2}`; leave the last batch out, or pad it",
    "kept": "the last batch of `{0}` may be shorter; pass `{1}=True`, or pad it",
    "uneven": "the pieces of `{0}` may differ by one; make them alike, or pad them",
}

REASONS = {
    "number": ("`{subject}` is static, and another number each time", "pass it traced, if only arithmetic needs it"),
    "function": ("{named} is static, and {subject}", "make it once, before the loop"),
    "growing": ("`{subject}` grows", FILL),
    "list": ("`{subject}` grows, and each of its elements is an argument", FILL),
    "keys": ("`{subject}` has other keys each time", "keep the same keys"),
    "length": ("`{subject}` is as long as a loop before it turned", SHAPE),
    "mask": ("how long `{subject}` is depends on values", "keep one shape: use `jnp.where` with the mask"),
    "types": ("`{subject}` holds several types or structures", "pass arrays of one dtype in one structure"),
}
