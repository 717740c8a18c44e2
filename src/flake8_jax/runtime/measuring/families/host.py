"""Functions of Python, NumPy and SciPy: which arguments must be concrete, and what they return.

They know nothing of JAX, so most refuse tracers; some call a method of their argument, and give a tracer back.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import jax
import numpy as np

from flake8_jax.api.stated import toml, unmeasured
from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.measuring import hosting
from flake8_jax.runtime.measuring.family import MeasuredFact
from flake8_jax.runtime.measuring.hosting import samples
from flake8_jax.runtime.measuring.hosting.probing import HostProbe
from flake8_jax.runtime.measuring.hosting.quiet import undisturbed
from flake8_jax.runtime.measuring.hosting.signatures import ArgumentValues, bound, required, signature_of
from flake8_jax.runtime.measuring.hosting.writing import row

SECTION = "functions"
STATED = Path(hosting.__file__).with_name("calls.toml")
# The scipy.stats distributions whose methods are measured are those that jax.scipy.stats has as modules.
DISTRIBUTION_METHODS = (
    "cdf", "entropy", "expect", "fit", "interval", "isf", "logcdf", "logpdf", "logpmf", "logsf", "mean", "median",
    "moment", "pdf", "pmf", "ppf", "rvs", "sf", "stats", "std", "support", "var",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _StatedHostCalls:
    modules: dict[str, list[str]]
    signatures: dict[str, str]
    calls: dict[str, str | list[str]]


@cache
def stated() -> _StatedHostCalls:
    """The data file: modules, calls, parameters, and what is not called."""
    return _StatedHostCalls(**toml(STATED.read_text(encoding="utf-8")))


def subjects() -> dict[str, str]:
    """Every public function of the modules, builtins under their bare names."""
    found = {}
    for file, modules in stated().modules.items():
        for module in modules:
            with contextlib.suppress(ImportError):
                found.update(dict.fromkeys(_public(importlib.import_module(module), module), file))
    with contextlib.suppress(ImportError):
        found.update(dict.fromkeys(_of_distributions(), "scipy"))
    return {name: file for name, file in found.items() if name not in unmeasured()}


def _public(module: types.ModuleType, qualified: str) -> Iterator[str]:
    prefix = "" if qualified == "builtins" else f"{qualified}."
    for name in sorted(getattr(module, "__all__", None) or dir(module)):
        member = None if name.startswith("_") else getattr(module, name, None)
        if _is_subject(member, qualified):
            yield f"{prefix}{name}"


def _is_subject(member: Foreign, module: str) -> bool:
    """Functions and, but for SciPy's, classes; no exceptions, no types of NumPy that have no instances."""
    if inspect.isclass(member):
        abstract = (np.generic, np.number, np.integer, np.signedinteger, np.unsignedinteger, np.inexact, np.floating)
        is_abstract = member in (*abstract, np.complexfloating, np.flexible, np.character)
        return not (module.startswith("scipy") or is_abstract or issubclass(member, BaseException))
    return callable(member) and not type(member).__name__.endswith(("_gen", "_Printer", "Tester"))


def _of_distributions() -> Iterator[str]:
    scipy_stats = importlib.import_module("scipy.stats")
    for name, module in sorted(vars(importlib.import_module("jax.scipy.stats")).items()):
        if isinstance(module, types.ModuleType) and hasattr(scipy_stats, name):
            methods = [method for method in DISTRIBUTION_METHODS if hasattr(getattr(scipy_stats, name), method)]
            yield from (f"scipy.stats.{name}.{method}" for method in methods)


def fact(name: str) -> MeasuredFact | None:
    """The row of a function; None if no call of it works. It is "" if the row would say nothing, or if the function
    changes its arguments."""
    found: list[str | None] = []
    with undisturbed():
        jax.make_jaxpr(lambda token: found.append(_measured(name, token)))(np.float32(0.5))
    return found[0] if found else None


def _measured(name: str, token: Foreign) -> str | None:
    function, module, last = _named(name)
    is_scalar_type = inspect.isclass(function) and issubclass(function, np.generic)
    signature = signature_of(function, last, stated().signatures.get(name, "value=0, /" if is_scalar_type else None))
    if signature is None:
        return None
    is_scipy = module.startswith("scipy")
    probe = HostProbe(function, signature, token, is_careful=is_scipy)
    if not probe.search(_stated_calls(name, signature)):
        return None
    parameters = [n for n, p in signature.parameters.items() if p.kind != p.VAR_KEYWORD]
    marks = {parameter: probe.vary(parameter) for parameter in parameters}
    runs_function = any(inspect.isroutine(call.get(n)) for call in probe.calls for n in required(signature))
    if runs_function and name.partition(".")[0] not in ("numpy", "scipy"):
        return ""
    return row(last, probe, marks, is_short=is_scipy)


def _named(name: str) -> tuple[Callable[..., Foreign], str, str]:
    path, _, last = name.rpartition(".")
    owner: Foreign = importlib.import_module(path.partition(".")[0] or "builtins")
    for place, part in enumerate(path.split(".")[1:], 2):
        with contextlib.suppress(ImportError):
            importlib.import_module(".".join(path.split(".")[:place]))
        owner = getattr(owner, part)
    return getattr(owner, last), path, last


def _scipy() -> Foreign:
    for module in stated().modules["scipy"]:
        importlib.import_module(module)
    return importlib.import_module("scipy")


def _stated_calls(name: str, signature: inspect.Signature) -> list[ArgumentValues]:
    texts = stated().calls.get(name, [])
    scope = {
        **vars(samples),
        "np": np,
        "scipy": _scipy() if name.startswith("scipy") else None,
        "take": lambda *args, **kwargs: bound(signature, *args, **kwargs),
    }
    return [eval(f"take({text})", scope) for text in ([texts] if isinstance(texts, str) else texts)]
