"""The public modules of JAX and of the libraries around it, and the public names of a module.

Whether a submodule was imported before must not show, so the modules in a folder are read from the folder.
"""

from __future__ import annotations
import __future__

import ast
import importlib
import inspect
import pkgutil
import types
import warnings
from collections.abc import Iterator, Sequence
from functools import cache

# Left out: scripts, what is for tests, and what is for devices of one kind or needs other packages.
SKIPPED = (
    "jax.cloud_tpu_init", "jax.collect_profile", "jax.experimental.array_serialization.pytree_serialization",
    "jax.experimental.array_serialization.pytree_serialization_utils", "jax.experimental.jax2tf",
    "jax.experimental.mosaic", "jax.experimental.pallas.ops", "jax.experimental.source_mapper",
    "jax.experimental.sparse.test_util", "jax.extend.mlir", "jax.test_util", "jax.tools",
)  # fmt: skip
LIBRARIES = (
    "chex", "distrax", "equinox", "equinox.internal", "equinox.nn", "flax", "flax.core", "flax.linen",
    "flax.linen.activation", "flax.linen.initializers", "flax.linen.module", "flax.linen.transforms", "flax.nnx",
    "flax.nnx.initializers", "flax.struct", "flax.training.common_utils", "haiku", "haiku.experimental",
    "haiku.initializers", "haiku.nets", "numpyro", "numpyro.contrib.control_flow", "numpyro.distributions",
    "numpyro.util", "optax", "optax.losses", "optax.tree_utils", "rlax",
)  # fmt: skip

ELSEWHERE = (types.ModuleType, type(__future__.annotations))


@cache
def modules_of_jax() -> dict[str, types.ModuleType]:
    """Every importable public module of JAX, by name."""
    import jax

    names = _below("jax", jax.__path__)
    return {name: module for name in names if (module := _imported(name)) is not None}


@cache
def modules_of_libraries() -> dict[str, types.ModuleType]:
    """The modules of the other installed libraries."""
    return {name: module for name in LIBRARIES if (module := _imported(name)) is not None}


def public_names(module: types.ModuleType) -> list[str]:
    """The public attributes of a module and the modules in its folder. Other modules count only if it exports them.

    Names that are only answered with a warning or an explanation are deprecations, and stand there.
    """
    offered = {*getattr(module, "__all__", ()), *_passed_on(module)}
    found = {name for name in {*dir(module), *offered} if not name.startswith("_") and hasattr(module, name)}
    other = {name for name in found - offered if isinstance(getattr(module, name), ELSEWHERE)}
    inside = {name for _, name, _ in pkgutil.iter_modules(getattr(module, "__path__", ())) if not name.startswith("_")}
    return sorted(found - other | inside)


def _passed_on(module: types.ModuleType) -> Iterator[str]:
    """The names that a module imports as themselves (`from a import b as b`), which is how one says: this is public."""
    try:
        tree = ast.parse(inspect.getsource(module))
    except (OSError, TypeError):
        return
    for statement in tree.body:
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            yield from (name.asname for name in statement.names if name.asname and name.asname == name.name)


def _below(name: str, folders: Sequence[str]) -> Iterator[str]:
    if name in SKIPPED:
        return
    yield name
    for _, inside, is_package in pkgutil.iter_modules(folders):
        if not inside.startswith("_"):
            yield from _below(f"{name}.{inside}", [f"{folder}/{inside}" for folder in folders] if is_package else [])


def _imported(name: str) -> types.ModuleType | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return importlib.import_module(name)
        except ImportError:
            return None
