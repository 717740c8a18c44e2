"""Working calls of the measured functions: those found by probes, and those stated in calls.toml beside this module.

A call makes its values anew each time, so that what happened to them can be looked at afterwards.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import re
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

from flake8_jax.api.stated import toml
from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.measuring.families import functions
from flake8_jax.runtime.measuring.naming.resolving import named
from flake8_jax.runtime.measuring.probe import FunctionProbe, Way, as_array, fresh
from flake8_jax.runtime.measuring.samples import F1, F2

CALLS = Path(__file__).with_name("calls.toml")
SELF = "self"


@dataclass(frozen=True, slots=True)
class ProbedCall:
    """One call of a function. It is an expression of `f` and of names for its values, or arguments by parameter."""

    probe: FunctionProbe
    arguments: Mapping[str, Foreign] = field(default_factory=dict)
    text: str = ""

    def values(self, way: Way) -> dict[str, Foreign]:
        """Fresh values for its arguments; for an array's method, the array too."""
        if self.text:
            words = set(re.findall(r"\w+", self.text))
            found: dict[str, Foreign] = {name: make() for name, make in VALUES.items() if name in words}
        else:
            found = {name: fresh(v) if way == "host" else as_array(v) for name, v in self.arguments.items()}
        if self.probe.qualified.startswith("Array."):
            last = self.probe.qualified.rpartition(".")[2]
            found[SELF] = jnp.asarray(functions.OTHER_RANK.get(last, F1))
        return found

    def run(
        self, values: Mapping[str, Foreign], more: Mapping[str, Foreign] | None = None, by_place: bool = False
    ) -> Foreign:
        """Call the function with these values, and with one more argument, by keyword or by position."""
        handed = {name: value for name, value in values.items() if name != SELF}
        if self.text:
            return eval(self.text, {**NAMESPACE, **handed, "f": self._with(values, more or {}, by_place)})
        bound = inspect.BoundArguments(self.probe.signature, OrderedDict())
        bound.arguments.update((name, handed[name]) for name in self.probe.parameters if name in handed)
        return self._with(values, more or {}, by_place)(*bound.args, **bound.kwargs)

    def _with(
        self, values: Mapping[str, Foreign], more: Mapping[str, Foreign], by_place: bool
    ) -> Callable[..., Foreign]:
        function = self._function(values)

        def called(*args: Foreign, **options: Foreign) -> Foreign:
            if not by_place:
                return function(*args, **{**options, **more})
            named = {**self.probe.signature.bind(*args, **options).arguments, **more}
            last = max(place for place, name in enumerate(self.probe.parameters) if name in more)
            before = list(self.probe.parameters.values())[: last + 1]
            return function(*(named.get(parameter.name, parameter.default) for parameter in before))

        return called

    def _function(self, values: Mapping[str, Foreign]) -> Callable[..., Foreign]:
        owner, _, last = self.probe.qualified.rpartition(".")
        if SELF not in values:
            return self.probe.function
        found: Callable[..., Foreign] = getattr(values[SELF].at[:2] if owner == "Array.at" else values[SELF], last)
        return found


class Anything:
    """A class that can be registered as a pytree node."""

    part = 0

    def tree_flatten(self) -> tuple[tuple[Foreign, ...], None]:
        """Its only child."""
        return (self.part,), None

    def tree_flatten_with_keys(self) -> tuple[tuple[Foreign, ...], None]:
        """Its only child, with the key of it."""
        return ((jax.tree_util.GetAttrKey("part"), self.part),), None

    @classmethod
    def tree_unflatten(cls, data: None, parts: tuple[Foreign, ...]) -> Foreign:
        """A new instance."""
        return cls()


def saved_array() -> io.BytesIO:
    """A readable file that contains a saved array."""
    stream = io.BytesIO()
    np.save(stream, F1)
    stream.seek(0)
    return stream


VALUES: dict[str, Callable[[], Foreign]] = {
    "x": lambda: jnp.asarray(0.5, jnp.float32), "xs": lambda: jnp.asarray(F1), "m": lambda: jnp.asarray(F2),
    "host": lambda: np.copy(F1), "stream": io.BytesIO, "saved": saved_array,
    "Thing": lambda: type("Thing", (Anything,), {}),
}  # fmt: skip
NAMESPACE: dict[str, Foreign] = {
    "jax": jax, "jnp": jnp, "lax": jax.lax, "np": np, "SPEC": jax.sharding.PartitionSpec(),  # type: ignore[no-untyped-call]
    "SHARDING": jax.sharding.SingleDeviceSharding(jax.devices()[0]),
}  # fmt: skip


def calls_of(name: str) -> list[ProbedCall]:
    """Calls of a measured function to try, the usual one first."""
    known = {**functions.methods_by_name(), **functions.functions_by_name()}
    probe = FunctionProbe(name, known[name] if name in known else named(name))
    if name in stated():
        return [ProbedCall(probe, text=stated()[name])]
    return [ProbedCall(probe, arguments) for arguments in probe.base_forms()]


def callable_names() -> list[str]:
    """The measured functions, and those of calls.toml that exist in this version of JAX."""
    found = [*functions.subjects()]
    for name in stated():
        with contextlib.suppress(ImportError, AttributeError):
            if name not in found and not name.startswith("Array."):
                named(name)
                found.append(name)
    return found


@cache
def stated() -> dict[str, str]:
    """The calls of calls.toml, by the function's name."""
    return toml(CALLS.read_text(encoding="utf-8"))
