"""What NumPy offers and JAX does not: names of modules, attributes of arrays, and attributes that can be set.

    fact("Array") -> ["base", "fill", "flags", "flat", ...]     fact("Array.properties") -> ["T", "shape", ...]
    fact("jax.numpy") -> ["ascontiguousarray", "random", ...]

Names that JAX answers with an explanation were removed, and stand in the section `deprecated`.
"""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np

from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.measuring.families.deprecations import explained

SECTION = "lacking"
MODULES = ("jax.numpy", "jax.numpy.fft", "jax.numpy.linalg")
# Methods that arrays had up to NumPy 1.26 or 2.2.
FORMER = ("itemset", "newbyteorder", "tostring")
ARRAYS, PROPERTIES = "Array", "Array.properties"


def subjects() -> dict[str, str]:
    """The modules that are modelled on NumPy's, arrays, and their properties."""
    return dict.fromkeys((ARRAYS, PROPERTIES, *MODULES), "jax")


def fact(name: str) -> list[str]:
    """The public names in alphabetical order: those that cannot be read, or of properties, those that cannot be set."""
    if name == ARRAYS:
        return [found for found in sorted({*_public(np.ndarray), *FORMER}) if not _is_read(found)]
    if name == PROPERTIES:
        return [found for found in _public(type(jnp.ones(3))) if not callable(_shown(found)) and not _is_set(found)]
    module = importlib.import_module(name)
    models = _public(importlib.import_module(name.removeprefix("jax.")))
    return [found for found in models if not hasattr(module, found) and found not in explained()[name]]


def _public(owner: Foreign) -> list[str]:
    return [name for name in dir(owner) if not name.startswith("_")]


def _shown(name: str) -> Foreign:
    with contextlib.suppress(Exception):
        return getattr(jnp.ones((3, 3)), name)
    return None


def _is_read(name: str) -> bool:
    """Can the attribute be read of an array, or of a tracer?"""
    return _works(lambda array: getattr(array, name))


def _is_set(name: str) -> bool:
    return _works(lambda array: setattr(array, name, getattr(array, name, None)))


def _works(access: Callable[[Foreign], Foreign]) -> bool:
    worked = False
    for run in (lambda body: body(jnp.ones((3, 3))), lambda body: jax.make_jaxpr(body)(jnp.ones((3, 3)))):
        with contextlib.suppress(Exception):
            run(lambda array: (access(array), 0)[1])
            worked = True
    return worked
