"""Parameters of NumPy's functions that take NumPy's own arrays and refuse JAX's: most are written into.

    fact("numpy.fill_diagonal") -> {"a": 0}         fact("numpy.add") -> {"out": 2}

The number is the place in a call, -1 for a keyword.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.measuring.families import host
from flake8_jax.runtime.measuring.hosting.probing import HostProbe
from flake8_jax.runtime.measuring.hosting.quiet import undisturbed
from flake8_jax.runtime.measuring.hosting.samples import fresh
from flake8_jax.runtime.measuring.hosting.signatures import ArgumentValues, arranged, signature_of
from flake8_jax.runtime.measuring.notation import P

SECTION = "host_only"
SCATTERING = "at"
# What changes any sequence, and is called with a list as well.
OF_PYTHON = {"random.shuffle": "python"}
OUT = "out"


def subjects() -> dict[str, str]:
    """NumPy's functions, and the method `at` of its functions of elements."""
    functions = [name for name, package in host.subjects().items() if package == "numpy"]
    scattering = [f"{name}.{SCATTERING}" for name in functions if isinstance(_ufunc(name), np.ufunc)]
    return {**dict.fromkeys((*functions, *scattering), "numpy"), **OF_PYTHON}


def _ufunc(name: str) -> Foreign:
    return getattr(np, name.rpartition(".")[2], None) if name.count(".") == 1 else None


def fact(name: str) -> dict[str, int] | str | None:
    """The parameters and their places; "" if there are none."""
    owner, _, last = name.rpartition(".")
    if name in OF_PYTHON:
        return "" if _works(getattr(importlib.import_module(owner), last), jnp.arange(4)) else {"x": 0}
    if last == SCATTERING:
        return {"a": 0} if _refuses_first(_ufunc(owner)) else ""
    found: list[HostProbe | None] = []
    with undisturbed():
        jax.make_jaxpr(lambda token: found.append(_probed(name, token)))(np.float32(0.5))
        probe = found[0] if found else None
        return None if probe is None else _places(probe, _ufunc(name)) or ""


def _refuses_first(function: np.ufunc) -> bool:
    """Does `function.at` work on an array of NumPy alone?"""
    more = [np.ones(1)] * (function.nin - 1)
    for dtype in ("f4", "i4", "?"):
        values = [*(one.astype(dtype) for one in more)]
        if _works(partial(_scattered, function, values), np.ones(3, dtype)):
            return not _works(partial(_scattered, function, values), jnp.ones(3, dtype))
    return False


def _scattered(function: np.ufunc, values: list[Foreign], array: Foreign) -> None:
    function.at(array, [0], *values)


def _works(run: Callable[[Foreign], Foreign], array: Foreign) -> bool:
    try:
        run(array)
    except Exception:
        return False
    return True


def _probed(name: str, token: Foreign) -> HostProbe | None:
    function, _, last = host._named(name)
    signature = signature_of(function, last, host.stated().signatures.get(name))
    if signature is None:
        return None
    probe = HostProbe(function, signature, token)
    return probe if probe.search(host._stated_calls(name, signature)) else None


def _places(probe: HostProbe, function: Foreign) -> dict[str, int]:
    parameters = list(probe.signature.parameters.values())
    found: dict[str, int] = {}
    for place, parameter in enumerate(parameters):
        calls = [call for call in probe.calls if _is_numeric(call.get(parameter.name))]
        if calls and all(_refuses(probe, call, parameter.name) for call in calls):
            found[parameter.name] = place if parameter.kind in (P.POSITIONAL_ONLY, P.POSITIONAL_OR_KEYWORD) else -1
    is_open = isinstance(function, np.ufunc)
    if (is_open or OUT in probe.signature.parameters) and _refuses_out(probe):
        place = next((place for place, one in enumerate(parameters) if one.name == OUT), -1)
        is_by_place = place >= 0 and parameters[place].kind == P.POSITIONAL_OR_KEYWORD
        found[OUT] = function.nin if is_open else place if is_by_place else -1
    return found


def _is_numeric(value: Foreign) -> bool:
    return type(value) is np.ndarray and value.dtype.kind in "biufc"


def _refuses(probe: HostProbe, call: ArgumentValues, parameter: str) -> bool:
    """Does a call work that fails with the same array as one of JAX?"""
    works = _result(probe, call) is not None
    return works and _result(probe, {**call, parameter: jnp.asarray(call[parameter])}) is None


def _refuses_out(probe: HostProbe) -> bool:
    """Is a result written into an array of NumPy, and not into one of JAX?"""
    for call in probe.calls:
        result = _result(probe, call)
        if result is None or isinstance(result[0], tuple):
            continue
        out = np.zeros_like(np.asarray(result[0]))
        if _is_numeric(out) and _result(probe, call, {OUT: out}) is not None:
            return _result(probe, call, {OUT: jnp.asarray(out)}) is None
    return False


def _result(probe: HostProbe, call: ArgumentValues, more: Mapping[str, Foreign] | None = None) -> tuple[Foreign] | None:
    positional, keywords = arranged(probe.signature, {name: fresh(value) for name, value in call.items()})
    try:
        return (probe.function(*positional, **{**keywords, **(more or {})}),)
    except Exception:
        return None
