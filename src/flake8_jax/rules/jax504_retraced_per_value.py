"""A compiled function is compiled again on each turn, since what it is called with is another sort of thing each time.

## What it does

Reports calls of what `jax.jit`, `jax.pmap`, `eqx.filter_jit` or `nnx.jit` compiles, in a loop that no trace runs:

- with the loop's counter, a number that goes on (`rate *= 0.9`), or a new function, if it is static or for Equinox,
- with an array whose shape changes: `x[:i]`, `jnp.ones(i)`, what grows by `concatenate` or is made of a list that grows
  or is filled by a loop that ends at any time, what a mask selects; the last of the slices `x[i : i + n]`, which is
  shorter; the last batch of a loader that keeps it,
- with a list that grows, a dict that gets other keys, things of three types that the loop goes through, or, where the
  function takes derivatives, the same arguments passed in a third way, by position and by name, or of a third type,
  one of them a Python number.

```python bad
import jax
import jax.numpy as jnp

total = jax.jit(lambda x: jnp.sum(x))

for i in range(1, 6):
    print(total(jnp.ones(i)))  # JAX504: `total` is compiled again on each turn of the `for` loop on line 6
```

## Why it is bad

Silent. Each turn waits for the compiler, for a program of this shape, dtype, structure and static value. Measured: five
for the loop above. A number of Python is another type than an array of its dtype, and `f(x, y)`, `f(x, y=y)` and
`f(x=x, y=y)` are three programs. A static lambda or partial is new; an equal tuple is not.

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

On a few calls, configurations or shapes that are written out; on static numbers that choose layers or sizes, below 50;
on slices whose bounds move together, and numbers that come round (`i % 4`); on sizes that change with a static argument
(`f(x[x == n], int(n))`); in loops through what a caller hands in that writes out a few things or passes an option of a
command, and in those that draw a figure on each turn; on one program more, but for steps of training; on last batches
of which `len(x) // n` or a test tells; in tests.

## Fix safety

None: that is a matter of design.

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

CLOSURE = "make it once, with a parameter for {read}, which `{callee}` gets as a traced argument"


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
    if event.form in LAST:
        said = f"`{event.callee}` is compiled once more on the last turn of {repeat.by} {where}"
        report(event.op, f"{said}: {LAST[event.form].format(*subject.splitlines())}", chain_notes(event))
        return
    why, instead = REASONS.get(event.form, ("`{subject}` has another shape each time", SHAPE))
    subject, *read = subject.splitlines()
    instead = instead.format(read=" and ".join(f"`{name}`" for name in read[:2]), callee=event.callee)
    why = why.format(subject=subject, named=f"`{event.parameter}`" if event.parameter else "an argument")
    message = f"`{event.callee}` is compiled again on each turn of {repeat.by} {where}: {why}"
    note = Note(repeat.path, repeat.line, f"{repeat.by} repeats it")
    report(event.op, f"{message}{ending(instead)}", (note, *chain_notes(event)))


LAST = {
    "last": "`{0}` is shorter there, since {1}; leave the last batch out, or pad it",
    "tail": "`{0}` is shorter there unless `{1}` divides `{2}`; leave the last batch out, or pad it",
    "kept": "the last batch of `{0}` may be shorter; pass `{1}=True`, or pad it",
    "uneven": "the pieces of `{0}` may differ by one; make them alike, or pad them",
}
REASONS = {
    "number": ("`{subject}` is static, and another number each time", "pass it traced, if only arithmetic needs it"),
    "host": ("`{subject}` is no array, so that it is static, and another number each time", "pass it as an array"),
    "function": ("{named} is static, and {subject}", "make it once, before the loop"),
    "closure": ("{named} is static, and {subject}", CLOSURE),
    "list": ("`{subject}` grows, and each of its elements is an argument", FILL),
    "keys": ("`{subject}` has other keys each time", "keep the same keys"), "growing": ("`{subject}` grows", FILL),
    "length": ("`{subject}` is as long as a loop before it turned", SHAPE),
    "mask": ("how long `{subject}` is depends on values", "keep one shape: use `jnp.where` with the mask"),
    "types": ("`{subject}` holds several types or structures", "pass arrays of one dtype in one structure"),
}
