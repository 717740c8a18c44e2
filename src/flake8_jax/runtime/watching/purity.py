"""Detects side effects during the evaluation of an expression, as the program runs.

    begin ─ x.at[0].set(1.0) ─ end          calls of JAX only: the value is all there is
    begin ─ log.append(x)    ─ end          a call of something not known to be pure
    begin ─ step(x)          ─ end          a function of the fixture: what it does in turn is asked in the same way

An effect counts against every evaluation that is under way.  What is not known to be pure has an effect: a store to an
attribute or an item, an `assert`, any function that is neither of the fixture nor in the tables below.
"""

from __future__ import annotations

import builtins
import functools
import types
from dataclasses import dataclass, field

from flake8_jax.runtime import compat, recorders
from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.recorders import Recorded, Recorder
from flake8_jax.runtime.watching.jaxprs import JITTED

PURE_LIBRARIES = {
    "jax",
    "jaxlib",
    "optax",
    "equinox",
    "math",
    "cmath",
    "operator",
    "functools",
    "itertools",
    "dataclasses",
}
PURE_MODULES = ("flax.struct", "flax.training.train_state", "flax.core.frozen_dict", "numpy")
PURE_BUILTINS = frozenset(
    {
        *("abs", "all", "any", "bool", "complex", "dict", "divmod", "enumerate", "filter", "float", "format"),
        *("frozenset", "getattr", "hasattr", "hash", "id", "int", "isinstance", "issubclass", "iter", "len"),
        *("list", "map", "max", "min", "object", "pow", "property", "range", "repr", "reversed", "round", "set"),
        *("slice", "sorted", "str", "sum", "super", "tuple", "type", "zip"),
    }
)
PURE_METHODS = frozenset(
    {
        *("copy", "count", "endswith", "format", "get", "index", "items", "join", "keys", "lower", "split"),
        *("startswith", "strip", "title", "upper", "values"),
    }
)
EFFECTS = frozenset(
    {
        *("addupdate", "block_until_ready", "breakpoint", "callback", "copy_to_host_async", "delete"),
        *("device_get", "inspect_array_sharding", "inspect_sharding", "io_callback", "print", "pure_callback"),
        *("store", "swap", "wait"),
    }
)
EFFECT_MODULES = ("jax.experimental.pallas", "numpy.random")


@dataclass(slots=True, eq=False)
class Evaluation:
    """An evaluation in progress: its line, its kind, and its effects so far.

    `warms` is the call of compiled code, `computes` that of a function of JAX.
    """

    line: int
    kind: str
    made: int = 0
    pure: bool = True
    warms: bool = False
    computes: bool = False


@dataclass(slots=True)
class EvaluationStack:
    """The evaluations in progress in the module of a fixture, the innermost last."""

    path: str
    under_way: list[Evaluation] = field(default_factory=list)

    def begin(self, line: int, kind: str) -> Evaluation:
        """An evaluation begins."""
        now = recorders.current
        self.under_way.append(Evaluation(line, kind, len(now.made) if now else 0))
        return self.under_way[-1]

    def end(self, evaluation: Evaluation) -> None:
        """An evaluation ends, and with it those inside that an exception ended."""
        while self.under_way and self.under_way.pop() is not evaluation:
            pass

    def effect(self) -> None:
        """Record an effect: no evaluation in progress is pure."""
        for each in self.under_way:
            each.pure = False

    def callee(self, function: Foreign) -> Foreign:
        """Record that this object is about to be called."""
        if self.under_way:
            for each in self.under_way:
                each.warms |= isinstance(function, Recorded) and function.transform in JITTED
                each.computes |= _home(function).split(".")[0] == "jax"
            if not self._is_pure(function):
                self.effect()
        return function

    def _is_pure(self, function: Foreign) -> bool:
        while isinstance(function, functools.partial):
            function = function.func
        if isinstance(function, (Recorded, Recorder)):
            return True
        if isinstance(function, types.MethodType):
            if isinstance(function.__self__, tuple) and function.__name__ == "_replace":
                return True
            return self._is_pure(function.__func__)
        name = getattr(function, "__name__", "")
        if isinstance(function, types.BuiltinFunctionType) and isinstance(owner := function.__self__, _CONTAINERS):
            return name in PURE_METHODS and not isinstance(owner, types.ModuleType)
        if getattr(builtins, name, None) is function:
            return name in PURE_BUILTINS
        return self._is_ours(function) or _is_in_pure_library(function, name)

    def _is_ours(self, function: Foreign) -> bool:
        """A function, class or callable object of the fixture, whose calls and stores tell of themselves."""
        code = getattr(function, "__code__", None)
        if code is not None:
            return bool(code.co_filename == self.path)
        owner = function if isinstance(function, type) else type(function)
        return str(getattr(owner, "__module__", "")).startswith("fixture_")


def _is_in_pure_library(function: Foreign, name: str) -> bool:
    home = _home(function)
    if name in EFFECTS or home.startswith((*EFFECT_MODULES, *compat.effect_modules())):
        return False
    return home.split(".")[0] in PURE_LIBRARIES or home.startswith(PURE_MODULES)


def _home(function: Foreign) -> str:
    return str(getattr(function, "__module__", None) or getattr(type(function), "__module__", None) or "")


_CONTAINERS = (list, dict, set, tuple, str, bytes, bytearray, frozenset)
