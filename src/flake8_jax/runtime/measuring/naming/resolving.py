"""From a qualified name to what it stands for."""

from __future__ import annotations

import functools
import importlib
import warnings
from typing import Any


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
