"""Options of NumPy that a function of JAX lacks, or has for the signature's sake alone.

    fact("jax.numpy.sum") -> ["casting given", "out given"]          fact("jax.numpy.put") -> ["inplace absent"]

Each fact is a condition on the arguments of a call that fails wherever it holds (api/conditions.py).  An option that is
in the signature counts if every value that NumPy knows is refused, but for the default; one value counts alone if the
error says so.
"""

from __future__ import annotations

import contextlib
import inspect
import re
from collections.abc import Callable, Iterator, Mapping

import jax.numpy as jnp
import numpy as np

from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.measuring.families import functions
from flake8_jax.runtime.measuring.naming.calling import ProbedCall, calls_of
from flake8_jax.runtime.measuring.naming.watching import quiet
from flake8_jax.runtime.measuring.notation import P
from flake8_jax.runtime.measuring.samples import F1

SECTION = "refused"
BLOCKS = ("Array", "jax.numpy", "jax.numpy.fft", "jax.numpy.linalg")
SAYS_SO = re.compile(r"support|not implemented|[Oo]nly implemented|in-?place|out argument|where argument")
VALUES: dict[str, tuple[Foreign, ...]] = {
    "out": (jnp.zeros(()), jnp.zeros(3), jnp.zeros((3, 3))),
    "where": (True, jnp.ones(3, bool), jnp.ones((3, 3), bool)),
    "order": ("A", "C", "F", "K"),
    "kind": ("quicksort", "mergesort", "stable"),
    "casting": ("same_kind", "unsafe"),
    "subok": (True, False),
    "like": (F1,),
    "signature": ("ff->f",),
    "overwrite_input": (True,),
    "dtype": ("float32",),
    "copy": (False,),
}
IN_PLACE = ["inplace absent", "inplace=True"]
OF_UFUNCS = ("casting", "dtype", "order", "out", "signature", "subok", "where")
OF_METHODS = {"copy": ("order",), "astype": ("casting", "order", "subok"), "sort": ("kind", "order")}


def subjects() -> dict[str, str]:
    """The measured functions of the modules that are modelled on NumPy's, and the methods of arrays."""
    found = {name: file for name, file in functions.subjects().items() if name.rpartition(".")[0] in BLOCKS}
    scattering = {f"{name}.at": file for name, file in found.items() if isinstance(_member(name), jnp.ufunc)}
    return {**found, **scattering}


def _member(name: str) -> Foreign:
    return getattr(jnp, name.rpartition(".")[2], None) if name.count(".") == 2 else None


def fact(name: str) -> list[str] | str | None:
    """The conditions under which a call fails, in alphabetical order; "" if there are none."""
    if name.endswith(".at"):
        function = _member(name.removesuffix(".at"))
        return IN_PLACE if _scatters(function, inplace=False) and not _scatters(function) else ""
    with quiet():
        working = [call for call in calls_of(name) if _error(call) is None]
        if not working:
            return None
        found = {text for option in _options(name) for text in _refused(working, option)}
        if _is_in_place(working):
            found.update(IN_PLACE)
    return sorted(found) or ""


def _scatters(function: jnp.ufunc, **options: bool) -> bool:
    """Does `function.at` work?"""
    for dtype in (float, int, bool):
        with contextlib.suppress(Exception):
            function.at(jnp.ones(3, dtype), 0, *[jnp.ones((), dtype)] * (function.nin - 1), **options)
            return True
    return False


def _is_in_place(calls: list[ProbedCall]) -> bool:
    """Does the function work only if it is asked for a copy?"""
    parameter = calls[0].probe.parameters.get("inplace")
    return parameter is not None and parameter.default is True and _says_so(calls, "inplace", (True,))


def _options(name: str) -> Iterator[str]:
    """The options of NumPy's function of this name that are about memory, and not about the result."""
    block, _, last = name.rpartition(".")
    model = getattr(np.ndarray, last, None) if block == "Array" else None
    for part in name.removeprefix("jax.").split(".") if model is None and block != "Array" else ():
        model = np if part == "numpy" and model is None else getattr(model, part, None)
    if isinstance(model, np.ufunc):
        yield from OF_UFUNCS
        return
    given = {*OF_METHODS.get(last, ()), *(("out",) if _writes_into_out(last) else ())} if block == "Array" else set()
    with contextlib.suppress(TypeError, ValueError):
        given |= set(inspect.signature(model).parameters) if model is not None else set()
    yield from sorted(given & (VALUES.keys() - {"dtype"}))


def _writes_into_out(method: str) -> bool:
    """Does NumPy's method write into `out`?"""
    return "out" in (getattr(np.ndarray, method, None).__doc__ or "").partition("\n\n")[0]


def _refused(calls: list[ProbedCall], option: str) -> Iterator[str]:
    parameter = calls[0].probe.parameters.get(option)
    if parameter is None:
        takes_more = any(p.kind == P.VAR_KEYWORD for p in calls[0].probe.parameters.values())
        if not takes_more or _says_so(calls, option, VALUES[option]):
            yield f"{option} given"
        return
    values = [value for value in VALUES[option] if not _is_equal(value, parameter.default)]
    refused = [value for value in values if _says_so(calls, option, (value,))]
    if len(refused) == len(values) and parameter.default is None and option != "order":
        yield f"{option} given"
        return
    yield from (f"{option}={value!r}" for value in refused if isinstance(value, (bool, str)))


def _is_equal(value: Foreign, default: Foreign) -> bool:
    return type(value) is type(default) and bool(value == default)


def _says_so(calls: list[ProbedCall], option: str, values: tuple[Foreign, ...]) -> bool:
    """Do all calls fail with each of these values, and say why?"""
    errors = [_error(call, {option: value}) for call in calls for value in values]
    return bool(errors) and all(error is not None and SAYS_SO.search(str(error)) for error in errors)


def _error(call: ProbedCall, more: Mapping[str, Foreign] | None = None) -> Exception | None:
    attempt: Callable[[], Foreign] = lambda: call.run(call.values("eager"), more)  # noqa: E731
    try:
        attempt()
    except Exception as error:
        return error
    return None
