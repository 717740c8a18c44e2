"""The observable phenomena of running a program: a closed list, one module each, discovered by name.

A module's docstring says what is seen and how; its `PHENOMENON` names the recipe and the two programs of its self-test.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from flake8_jax.runtime.phenomenon import Phenomenon


@cache
def discover() -> dict[str, Phenomenon]:
    """Every phenomenon by its name."""
    modules = (importlib.import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__))
    found = [module.PHENOMENON for module in modules]
    return {phenomenon.name: phenomenon for phenomenon in sorted(found, key=lambda each: each.name)}
