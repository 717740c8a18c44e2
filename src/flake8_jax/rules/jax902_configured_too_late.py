"""A setting is made when JAX does not listen any more, or by a name that it does not know.

## What it does

Follows how far JAX has come on each path, through functions that are called and files of the project that are imported:
imported, its backend started (by the first array, key, compiled call, or question for devices), arrays and keys made.
Reports what is set behind the point up to which it counts:

| set | counts | afterwards |
|---|---|---|
| a variable `JAX_...` of the environment | before JAX is imported | ignored |
| `XLA_FLAGS`, `XLA_PYTHON_CLIENT_...`, `CUDA_VISIBLE_DEVICES` ... | before the backend starts | ignored |
| `jax_platforms`, `jax_platform_name`, `jax_cuda_visible_devices` ... | before the backend starts | ignored |
| `jax_num_cpu_devices`, `jax.distributed.initialize` | before the backend starts | raises |
| `jax_enable_x64` | before arrays of floats are made | half: they stay of 32 bits |
| `jax_default_prng_impl` | before keys are made | half: they stay as they are |

What a GPU or TPU alone obeys is stated, from JAX's documentation; all else was run, on the CPU. Variables count however
they are set: `os.environ[...]`, `.update`, `.setdefault`, `os.putenv`. And it reports names of settings and variables
that no JAX knows, if they are a slip of one that it does, and settings that are set as attributes of `jax.config`.

```python bad
import jax

devices = jax.devices()
jax.config.update("jax_platforms", "cpu")  # JAX902: `jax_platforms` comes too late and is ignored
print(devices, jax.devices())
```

## Why it is bad

Silent. The program runs on one device, on the wrong platform, or in 32 bits, as if the line were not there.
`jax.distributed.initialize` and the number of devices raise `RuntimeError`, an unknown name an error.

## Instead

Set it before: at the top of the program's first file, above the imports that compute. Where JAX is imported already,
`jax.config.update` does what a variable `JAX_...` cannot.

```python good
import jax

jax.config.update("jax_platforms", "cpu")
print(jax.devices())
```

## When it stays silent

On settings that count at any time (`jax_debug_nans`, `jax_disable_jit`, the folder of the compilation cache ...): all
were tried. On the second setting of a name on a path, which repeats or restores, and on a variable that
`jax.config.update` sets again. On `jax_enable_x64` if what was made before is bound to no name any more. On what JAX
does by itself: platforms that it takes where they are there (`gpu`, `tpu`), switches that are off, `PREALLOCATE=true`.
On platforms of which devices are asked for by name (`jax.devices("cpu")`), on the CPU where such a question has shown
that there is nothing else, and on what GPUs alone obey beside a platform without them. On variables in files that start
other processes, which inherit them, that are put back, or that a library reads which is imported later (`torch`). Where
the error of a setting that raises is handled.

## Fix safety

No fix is applied: which lines may move above which, the order of their effects decides.

## References

- [Configuration options](https://docs.jax.dev/en/latest/config_options.html)
- [GPU memory allocation](https://docs.jax.dev/en/latest/gpu_memory_allocation.html)
- [`jax.distributed.initialize`](https://docs.jax.dev/en/latest/_autosummary/jax.distributed.initialize.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.context import Use, ending, place
from flake8_jax.analysis.checks.startup.missed import SettingMissed
from flake8_jax.model.diagnostic import Note
from flake8_jax.rules.rule import Reporter, Rule

RULE = Rule(
    code="JAX902",
    name="configured-too-late",
    since="0.1",
    group="settings",
    hazard="setting_ignored",
    also=("raises:RuntimeError", "raises:AttributeError"),
    fix="set it first",
    status="on",
)

PHASES = {
    "imported": "JAX is imported", "started": "the backend is started", "made": "an array is made",
    "keyed": "a key is made",
}  # fmt: skip


def check(event: SettingMissed, report: Reporter) -> None:
    """A setting that comes too late, or of a name that is not known."""
    earlier, made = event.earlier, event.made
    if earlier is None or made is None:
        what = "raises: no JAX has a setting of this name" if event.by.startswith("jax.") else "is read by nobody"
        if event.by == "attribute":
            what = "is set as an attribute, which raises or is read by nobody"
        report(event.op, f"`{event.name}` {what}{ending(event.instead)}")
        return
    is_foreign = earlier.path != event.op.anchor.origin.shown
    reached = f"{PHASES[event.phase]} by `{earlier.by}` {place(earlier.path, earlier.line, is_foreign)}"
    if event.form == "half":
        kept = f"`{event.subject}`" if event.subject else "what was made"
        stays = "of 32 bits" if event.phase == "made" else "of another kind"
        message = f"`{event.name}` comes too late: {reached}, and {kept} stays {stays}"
    else:
        then = "raises" if event.form == "raises" else "is ignored"
        message = f"`{event.name}` comes too late and {then}: {reached}"
    notes = (Note(earlier.path, earlier.line, PHASES[event.phase]), *_inner(earlier, "does it"))
    report(event.op, f"{message}{ending(event.instead)}", (*notes, *_inner(made, "sets it")))


def _inner(use: Use, what: str) -> tuple[Note, ...]:
    """Where the functions that are called do it, from the outside in."""
    notes, inner = list[Note](), use.within
    while inner is not None:
        notes.append(Note(inner.path, inner.line, f"`{inner.by}` {what} there"))
        inner = inner.within
    return tuple(notes)
