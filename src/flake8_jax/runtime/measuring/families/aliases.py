"""Aliases: further names of objects that are measured under another name.

    fact("flax.linen.relu") -> "jax.nn.relu"        import flax.linen as nn; nn.relu is jax.nn.relu

A name is an alias if it stands for the same object, or for one that says to wrap it (`__wrapped__`) and takes the same
parameters.  Names that are measured themselves are none: they keep their rows.  Of several measured names of one object
that one is chosen which the object calls itself, then the one that ends like the alias, then the first.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import warnings
from collections.abc import Iterator
from functools import cache, partial

from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.measuring.families import functions
from flake8_jax.runtime.measuring.naming.modules import modules_of_jax, modules_of_libraries, public_names
from flake8_jax.runtime.measuring.naming.resolving import named

SECTION = "aliases"
# What is known by name besides functions: classes that the linter asks for.  Not jax.Array, which libraries also call
# PRNGKey to say more than that.
CLASSES = (
    "equinox.Module", "flax.linen.Module", "flax.nnx.Module", "flax.nnx.Param", "flax.nnx.Rngs", "flax.nnx.Variable",
    "haiku.Module", "jax.ShapeDtypeStruct", "jax.sharding.Mesh", "jax.sharding.NamedSharding",
    "jax.sharding.PartitionSpec",
)  # fmt: skip


def subjects() -> dict[str, str]:
    """Every alias in JAX and in the libraries that are installed."""
    return {name: name.partition(".")[0] for name in _aliases()}


def fact(name: str) -> str:
    """The name under which the object is measured."""
    return _aliases()[name]


@cache
def _aliases() -> dict[str, str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return dict(sorted(_found()))


def _found() -> Iterator[tuple[str, str]]:
    measured, targets = _measured(), _targets()
    for module_name, module in {**modules_of_jax(), **modules_of_libraries()}.items():
        for last in {*public_names(module), *_older_names(module_name)}:
            name, found = f"{module_name}.{last}", getattr(module, last, None)
            if name not in measured and callable(found):
                target = _target(name, found, targets)
                if target:
                    yield name, target


def _older_names(module: str) -> list[str]:
    """The deprecated names of a module, which still lead somewhere."""
    from flake8_jax.runtime.measuring.families import deprecations

    return deprecations.explained().get(module, [])


def _measured() -> set[str]:
    """The names of functions and transforms that are measured, and the classes."""
    names = {name for name in functions.subjects() if not name.startswith("Array.")}
    with contextlib.suppress(ImportError):
        transforms = importlib.import_module("flake8_jax.runtime.measuring.families.transforms")
        names |= set(transforms.subjects())
    return names | set(CLASSES)


def _targets() -> dict[int, list[str]]:
    """The measured names of each object, by its identity."""
    found: dict[int, list[str]] = {}
    for name in sorted(_measured()):
        with contextlib.suppress(ImportError, AttributeError):
            found.setdefault(id(named(name)), []).append(name)
    return found


def _target(name: str, found: Foreign, targets: dict[int, list[str]]) -> str:
    for thing in (found, *_wrapped(found)):
        if id(thing) in targets:
            own, last = getattr(thing, "__name__", ""), name.rpartition(".")[2]
            return min(targets[id(thing)], key=partial(_distance, own, last))
    return ""


def _distance(own: str, last: str, target: str) -> tuple[bool, bool, str]:
    return not target.endswith(f".{own}"), not target.endswith(f".{last}"), target


def _wrapped(found: Foreign) -> Iterator[Foreign]:
    """What an object says to wrap, as long as its parameters are the same."""
    own = _parameters(found)
    inside = getattr(found, "__wrapped__", None)
    while callable(inside) and own and _parameters(inside) == own:
        yield inside
        inside = getattr(inside, "__wrapped__", None)


def _parameters(function: Foreign) -> list[str]:
    try:
        return list(inspect.signature(function, follow_wrapped=False).parameters)
    except (TypeError, ValueError):
        return []
