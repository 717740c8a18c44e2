"""Resolves qualified names to objects."""

from __future__ import annotations

import builtins
import contextlib
import functools
import importlib
import warnings

import jax.numpy as jnp

from flake8_jax.runtime.foreign import Foreign


def exists(name: str) -> bool:
    """Does this name of a module, of Python or of an array exist in what is installed?"""
    if "." not in name:
        return hasattr(builtins, name)
    if name.startswith("Array."):
        return hasattr(jnp.ones(1), name.removeprefix("Array."))
    try:
        named(name)
    except (AttributeError, ImportError):
        return False
    return True


def named(name: str) -> Foreign:
    """The object of a qualified name; raises AttributeError or ImportError if there is none.

    A member goes before a submodule of the same name. Warnings about the name are not passed on.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        module, _, last = name.rpartition(".")
        attributes = [last]
        while module:
            try:
                owner = importlib.import_module(module)
            except ModuleNotFoundError as error:
                if not f"{module}.".startswith(f"{error.name}."):
                    raise
                module, _, last = module.rpartition(".")
                attributes.insert(0, last)
            else:
                return _member(owner, attributes, name)
        return importlib.import_module(name)


def _member(owner: Foreign, attributes: list[str], name: str) -> Foreign:
    try:
        return functools.reduce(getattr, attributes, owner)
    except AttributeError:
        with contextlib.suppress(ModuleNotFoundError):
            return importlib.import_module(name)
        raise
