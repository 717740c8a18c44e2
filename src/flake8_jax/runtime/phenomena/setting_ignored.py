"""Phenomenon: a setting has no effect, because JAX no longer listens.  The program runs as if it had not been made.

The referee is a second child process, in which the same setting is made before anything else, and the same program run.
If the two end with different facts (platform, number of devices, dtypes of new arrays and of those that the case gives
back, kind of keys, the setting itself), the setting had no effect where it stands, or not the whole one:

    jnp.zeros(3)                                                    one device, in both
    os.environ["XLA_FLAGS"] = "--xla_force_..._count=3"             first child: one device; second child: three

Settings that take effect late (`jax_debug_nans`) are clean; so is one whose effect cannot be told on this machine.  Of
several settings of one name the last counts, and arrays that are there say nothing of it.  A line that calls what makes
the setting makes it, too.  What JAX reads from the environment when it is imported (JAX_...) is
emulated by updating its configuration: at once, if the fixture has not imported JAX yet.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import TypeAlias

from flake8_jax.runtime import children, compat, frames
from flake8_jax.runtime.changing import changed
from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.phenomenon import Phenomenon
from flake8_jax.runtime.sightings import Sightings
from flake8_jax.runtime.trial import Trial

SECONDS = 120
SettingValue: TypeAlias = "bool | int | float | str"
READ: Mapping[type, Callable[[str], SettingValue]] = {
    bool: ("1", "true", "yes", "y", "t", "on").__contains__,
    int: int,
    float: float,
}
ARRAYS = "arrays that are there"
PREFIXES = ("jax_", "xla_", "cuda_", "tpu_")

BackendFacts: TypeAlias = "dict[str, str]"


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting made by a line, the innermost of the fixture's: through the environment or not, and whether there was a
    backend."""

    lines: tuple[int, ...]
    name: str
    value: Foreign
    is_environment: bool
    is_late: bool


def observe(trial: Trial, parameter: str) -> Sightings:
    """Run the case in a child process, and once more for each of its settings, made first."""
    found = Sightings()
    settings, facts, errors = children.in_child(lambda: _program(trial, None), seconds=SECONDS)
    trial.errors.extend(errors)
    names = [each.name for each in settings]
    for setting in {each.name: each for each in settings}.values():
        if parameter and parameter.lower() != setting.name:
            continue
        would = _facts_if_first(trial, setting)
        differing = {name: [facts.get(name), would[name]] for name in would if facts.get(name) != would[name]}
        if names.count(setting.name) > 1:
            differing.pop(ARRAYS, None)
        for line in setting.lines if differing else ():
            found.see(line, setting=setting.name, backend_was_started=setting.is_late, had_it_been_first=differing)
    found.refuting = {"settings": [[*each.lines, each.name] for each in settings]}
    return found


def _facts_if_first(trial: Trial, setting: Setting) -> BackendFacts:
    return children.in_child(lambda: _program(trial, setting), seconds=SECONDS)[1]


def _program(trial: Trial, first: Setting | None) -> tuple[list[Setting], BackendFacts, list[children.Error]]:
    """In a child: run the case, after one of its settings, if any, which then is not made again."""
    made: list[Setting] = []
    if first is not None:
        _make(first)
    with _watching_settings(trial.path, made, first.name if first else None), trial.run():
        facts = _facts()  # before the run puts everything back
    return made, facts, children.portable(trial.errors)


def _make(setting: Setting) -> None:
    import jax

    if not setting.is_environment:
        jax.config.update(setting.name, setting.value)  # type: ignore[no-untyped-call]
        return
    os.environ[setting.name.upper()] = setting.value
    for value in _meaning(setting.name, setting.value):
        jax.config.update(setting.name, value)  # type: ignore[no-untyped-call]


def _meaning(name: str, value: str) -> list[SettingValue]:
    """What JAX makes of a variable of the environment when it is imported, if it asks for it."""
    known = compat.settings()
    read: Callable[[str], SettingValue] = READ.get(type(known.get(name)), str)
    return [read(value.strip().lower())] if name in known else []


@contextmanager
def _watching_settings(path: str, made: list[Setting], left_out: str | None) -> Iterator[None]:
    """Note what the fixture sets, and leave one setting out; the process is a child that nobody needs afterwards."""
    import jax

    configuration, environment = type(jax.config), type(os.environ)
    update, set_item = configuration.update, environment.__setitem__

    def updated(self: Foreign, name: str, value: Foreign) -> None:
        line = frames.own_line(path)
        if line is not None:
            made.append(Setting(_lines(path), name, value, False, compat.backend_is_started()))
        if line is None or name != left_out:
            update(self, name, value)  # type: ignore[no-untyped-call]

    def set_in_environment(self: Foreign, name: str, value: str) -> None:
        line = frames.own_line(path)
        mine = line is not None and name.lower().startswith(PREFIXES)
        if line is not None and mine:
            made.append(Setting(_lines(path), name.lower(), value, True, compat.backend_is_started()))
        if mine and name.lower() == left_out:
            return
        set_item(self, name, value)
        if mine and not _has_imported_jax(path):
            for meaning in _meaning(name.lower(), value):
                update(jax.config, name.lower(), meaning)  # type: ignore[no-untyped-call]

    with changed(configuration, update=updated), changed(environment, __setitem__=set_in_environment):
        yield


def _lines(path: str) -> tuple[int, ...]:
    return tuple(frame.f_lineno for frame in reversed(frames.stack(path)))


def _has_imported_jax(path: str) -> bool:
    """Has the fixture bound something of JAX, or of a library on it, to a name by now?"""
    values = [value for frame in frames.stack(path) for value in (*frame.f_globals.values(), *frame.f_locals.values())]
    homes = [value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", "") for value in values]
    return any(isinstance(home, str) and home.split(".")[0] in frames.LIBRARIES for home in homes)


def _facts() -> BackendFacts:
    """What settings decide, as the process stands; starts the backend."""
    import jax
    import jax.numpy as jnp

    plain = (str, int, float, bool, type(None))
    facts = {name: repr(value) for name, value in compat.settings().items() if isinstance(value, plain)}
    asked: tuple[tuple[str, Callable[[], object]], ...] = (
        ("platform", jax.default_backend),
        ("devices", jax.device_count),
        ("devices of the host", lambda: jax.device_count("cpu")),
    )
    for name, ask in asked:
        try:
            facts[name] = str(ask())
        except Exception as error:
            facts[name] = type(error).__name__
    for name, make in (("float", jnp.ones), ("int", jnp.arange), ("key", jax.random.key)):
        facts[f"dtype of a new {name}"] = str(jax.eval_shape(lambda make=make: make(1)).dtype)
    if compat.backend_is_started():
        arrays = jax.live_arrays()  # type: ignore[no-untyped-call]
        facts[ARRAYS] = str(sorted({one for array in arrays if (one := _kind(array))}))
    return facts


def _kind(array: Foreign) -> str:
    """What settings decide of an array: its dtype where it has floats, the shape of what may be a key."""
    dtype = str(array.dtype)
    return dtype if dtype.startswith(("float", "complex", "key")) else str(array.shape) if dtype == "uint32" else ""


PHENOMENON = Phenomenon(
    name="setting_ignored",
    summary="a setting made on the line comes too late to have an effect",
    observe=observe,
    parameter="the setting",
    in_child=True,
    bad="""\
import os
import jax.numpy as jnp

def case():
    x = jnp.zeros(3)
    os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=3"  # here
    return x
""",
    good="""\
import os
import jax
import jax.numpy as jnp

def case():
    os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=3"
    x = jnp.zeros(3, "float32")
    jax.config.update("jax_enable_x64", True)
    return x
""",
)
