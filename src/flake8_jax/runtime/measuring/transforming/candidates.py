"""Candidates for transforms: functions with a call in calls.toml, or with parameters named like functions.

An object is measured once, by the name that has a call, else by the first in the order of `MODULES`.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from flake8_jax.api import stated
from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.measuring.transforming.calling import NotThere, named, quiet
from flake8_jax.runtime.measuring.transforming.recording import signature_of

CALLS = Path(__file__).with_name("calls.toml")
MODULES = tuple(
    """
jax jax.lax jax.numpy jax.nn jax.tree jax.tree_util jax.ad_checkpoint jax.custom_batching jax.custom_derivatives
jax.debug jax.profiler jax.export jax.random jax.image jax.lax.linalg jax.numpy.linalg jax.nn.initializers
jax.scipy.linalg jax.scipy.special jax.scipy.integrate jax.scipy.signal jax.scipy.ndimage jax.scipy.stats
jax.scipy.optimize jax.scipy.interpolate jax.scipy.sparse.linalg jax.scipy.spatial.transform jax.test_util
jax.experimental jax.experimental.pjit jax.experimental.checkify jax.experimental.sparse jax.experimental.pallas
flax.linen flax.nnx flax.core flax.core.lift flax.jax_utils flax.traverse_util
equinox equinox.nn equinox.internal equinox.debug haiku haiku.experimental haiku.data_structures
optax optax.losses optax.projections optax.schedules optax.tree_utils optax.contrib
brax.training.gradients chex numpyro numpyro.handlers numpyro.util numpyro.contrib.control_flow
""".split()  # noqa: SIM905
)
_FUNCTIONS = re.compile(
    r"f|g|(fun|fn|func|function|callable)(1d|list)?|body|cond|callback|kernel|pyfunc|branches|matvec|solve|computation"
    r"|jvps?|fwd|bwd|tap|hook|interceptor|predicate|creator|getter|.*_(fun|fn|func|function|callback|callable|fns|f)"
)


@dataclass(frozen=True, slots=True)
class _StatedTransforms:
    calls: dict[str, str | list[str]]
    no_transforms: dict[str, str]


def file_of(name: str) -> str:
    """The file for a name's fact."""
    return name.partition(".")[0]


@cache
def _stated() -> _StatedTransforms:
    return _StatedTransforms(**stated.toml(CALLS.read_text(encoding="utf-8")))


def calls(name: str) -> list[str]:
    """The calls to try for this transform; the first that works is measured. There is none for a name without a
    call."""
    found = _stated().calls.get(name, [])
    return [found] if isinstance(found, str) else list(found)


def called() -> frozenset[str]:
    """The names with a call of their own in calls.toml."""
    return frozenset(_stated().calls)


def is_installed(name: str) -> bool:
    """Is the library of this name installed?"""
    return importlib.util.find_spec(name.partition(".")[0]) is not None


@cache
def candidates() -> tuple[str, ...]:
    """Every name to measure, sorted."""
    with quiet():
        found = {name: _found(name) for name in called() if is_installed(name)}
        known = {id(value) for value in found.values()}
        names = [name for name, one in found.items() if one is not None]
        left_out = {*_stated().no_transforms, *stated.unmeasured()}
        for module in filter(is_installed, MODULES):
            for name, one in _public(module):
                if name not in left_out and id(one) not in known and takes_functions(one):
                    known.add(id(one))
                    names.append(name)
    return tuple(sorted(names))


def _found(name: str) -> Foreign:
    try:
        return named(name)
    except NotThere:
        return None


def _public(module: str) -> Iterator[tuple[str, Foreign]]:
    """The public functions of a module that are its library's own."""
    try:
        found = importlib.import_module(module)
    except ImportError:
        return
    for name in sorted(dir(found)):
        if not name.startswith("_"):
            member = getattr(found, name, None)
            if callable(member) and file_of(getattr(member, "__module__", None) or "") == file_of(module):
                yield f"{module}.{name}", member


def takes_functions(found: Foreign) -> bool:
    """Does a parameter's name suggest that it takes a function?  Classes are not asked: they keep what they are
    given."""
    signature = None if isinstance(found, type) else signature_of(found)
    return signature is not None and any(_FUNCTIONS.fullmatch(name) for name in signature.parameters)
