"""A clock, file, setting or process is asked in traced code: while JAX traces, not when the code runs.

## What it does

Reports calls in traced code that read a clock (`time.time`, `datetime.now`), files (`open`, `np.load`,
`Path.read_text`), `input` or the environment; that write files, start processes or ask a network; that sleep, stop in a
debugger, show progress (`tqdm`) or log metrics (`wandb.log`, TensorBoard).

```python bad
import time

import jax


@jax.jit
def stamped(x):
    return x + time.time()  # JAX304: `time.time` is read once per trace


stamped(1.0)
```

## Why it is bad

Silent. What is read becomes a constant of the compiled code, and is the same in every call; what is written, logged or
waited for happens on the first call, and for a thousand iterations of `scan` once.

## Instead

Read it outside and pass the value in; do the rest outside, or in a function given to `io_callback` or
`jax.debug.callback`, which runs on the host in each call.

```python good
import time

import jax


@jax.jit
def stamped(x, now):
    return x + now


stamped(1.0, time.time())
```

## When it stays silent

In functions that run on the host (`jax.debug.callback`, `io_callback`, `pure_callback`); on settings of the environment
that select code, a shape or an option; on a clock whose reading is only shown beside a text about the trace; while an
error is handled; on arrays of files whose names are written there (`np.load("table.npy")`), and on files that a static
argument names; on files and settings that are read further down than in what the traced function calls; on what is made
only if a test says that it is not there; under `eval_shape`; under bare `vmap` and `grad`, which run the function on
every call; on what NumPy refuses to write because it is traced (JAX405).

## Fix safety

No fix is applied: where the call belongs depends on the program.

## References

- [Pure functions](https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html#pure-functions)
- [External callbacks](https://docs.jax.dev/en/latest/external-callbacks.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.context import chain_notes, ending, role
from flake8_jax.analysis.checks.effects.host_calls import HostCallTraced
from flake8_jax.rules.rule import Reporter, Rule

RULE = Rule(
    code="JAX304",
    name="host-io-in-traced",
    since="0.1",
    group="effects",
    hazard="trace_once",
    fix="do it outside, or in a callback",
    status="on",
)

SAID = {
    "clock": "is read once per trace, and stays what it was",
    "environment": "is read once per trace, and stays what it was",
    "read": "reads once per trace, and what it gives is a constant from then on",
    "input": "asks once per trace, and the answer is a constant from then on",
    "write": "writes once per trace, not in each call",
    "process": "runs once per trace, not in each call",
    "network": "runs once per trace, not in each call",
    "metric": "logs once per trace, not in each call",
    "progress": "shows the progress of the trace, not of the calls",
    "sleep": "delays the trace, not the calls",
    "debugger": "stops once per trace, where values are tracers",
}

SETTINGS = frozenset(("environment", "read"))
"""What is read for good when functions further down read it: nobody changes a setting or a table during a run."""


def check(event: HostCallTraced, report: Reporter) -> None:
    """The host is asked or changed once for all calls."""
    said = SAID.get(event.kind)
    is_setting = event.kind in SETTINGS and len(event.context.chain) > 1
    if said is not None and not is_setting:
        report(event.op, f"`{event.callee}` {said}: {role(event)}{ending(event.instead)}", chain_notes(event))
