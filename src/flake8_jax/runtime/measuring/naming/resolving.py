"""From a qualified name to what it stands for."""

from __future__ import annotations

import builtins
import functools
import importlib
import warnings
from typing import Any

import jax.numpy as jnp


def exists(name: str) -> bool:
    """Is there such a name in what is installed: of a module, of Python, of an array?"""
    if "." not in name:
        return hasattr(builtins, name)
    if name.startswith("Array."):
        return hasattr(jnp.ones(1), name.removeprefix("Array."))
    try:
        named(name)
    except (AttributeError, ImportError):
        return False
    return True


def named(name: str) -> Any:
    """What a qualified name stands for; raises AttributeError or ImportError if it stands for nothing.

    Warnings about the name are not passed on.
    """
    module, attributes = name, list[str]()
    while module:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                return functools.reduce(getattr, attributes, importlib.import_module(module))
            except ModuleNotFoundError as error:
                if not f"{module}.".startswith(f"{error.name}."):
                    raise
        module, _, rest = module.rpartition(".")
        attributes.insert(0, rest)
    raise ModuleNotFoundError(f"no module leads to {name}")
