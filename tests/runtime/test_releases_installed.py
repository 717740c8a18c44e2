"""What the table says of the installed libraries is so: each name with a row is there or not, and warns or not."""

from __future__ import annotations

import importlib
import inspect
import warnings
from collections.abc import Iterator
from importlib.metadata import version
from importlib.util import find_spec
from types import ModuleType

import pytest

from flake8_jax.api import versions
from flake8_jax.api.versions import DISTRIBUTIONS, History, at, parsed

UNSURE = {
    "flax.nnx.graph.flaxlib": "its import may fail",
    "jax.experimental.pallas.ops.gpu.collective_matmul_mgpu.jax_config": "below a test of what is installed",
    "jax.experimental.sparse.transform.AnyArray": "the module binds names in loops: what it lacks is not known",
    "jax.experimental.sparse.transform.canonicalize_axis": "as above",
}
INSTALLED = ("equinox", "flax", "jax", "optax")


def module_of(name: str) -> ModuleType | None:
    """A module that can be imported here; None for others, and for those that are no modules any more."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = importlib.import_module(name)
    except Exception:  # it needs what is not installed, or is not there
        return None
    return found


def has_file(name: str) -> bool:
    """Is there a module of this name, which may need what is not installed?"""
    try:
        return find_spec(name) is not None
    except (ImportError, AttributeError, ValueError):
        return False


def answers_anything(module: ModuleType) -> bool:
    """Has a module a `__getattr__` of its own, which may know any name?"""
    found = vars(module).get("__getattr__")
    return getattr(found, "__module__", "") == module.__name__


def asked(module: ModuleType, name: str) -> tuple[bool, list[str]]:
    """Is a name there, and what is said of it?"""
    answer = inspect.unwrap(vars(module).get("__getattr__", len))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            is_there = name in vars(module) or bool(answer is not len and answer(name)) or hasattr(module, name)
        except AttributeError:
            is_there = False
    return is_there, [str(each.message) for each in caught]


def rows_of(library: str) -> Iterator[tuple[str, ModuleType, str, History]]:
    """The rows of a library's names, with their modules."""
    modules: dict[str, ModuleType | None] = {}
    for name in versions.names():
        module, _, last = name.rpartition(".")
        if module != library and not module.startswith(f"{library}."):
            continue
        if module not in modules:
            modules[module] = module_of(module)
        found, row = modules[module], versions.history(name)
        if found is not None and row is not None and found.__name__ == module and not answers_anything(found):
            yield name, found, last, row


@pytest.mark.slow
@pytest.mark.parametrize("library", INSTALLED)
def test_names_are_there_and_warn_as_the_table_says(library: str) -> None:
    release = parsed(version(DISTRIBUTIONS.get(library, library)))
    if release not in versions.releases(library):
        pytest.skip(f"{library} {version(library)} was not read")
    offenders, count = [], 0
    for name, module, last, row in rows_of(library):
        is_there, said = asked(module, last)
        if name in UNSURE:
            continue
        is_part = not is_there and row.is_there(release) and has_file(name)
        count += 1
        if row.is_there(release) != (is_there or is_part):
            offenders.append(f"{name} is {'' if is_there else 'not '}there")
        elif is_there and at(row.read, release) and not said and not isinstance(vars(module).get(last), ModuleType):
            offenders.append(f"{name} does not warn")
        elif is_there and said and "deprecated" in said[0] and not at(row.read, release):
            offenders.append(f"{name} warns: {said[0]}")
    assert count > 20
    assert not offenders, "\n".join(offenders)
