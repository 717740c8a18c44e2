"""Functions and array methods of JAX: their parameters, which must be concrete, and what they return.

A fact is a row in the grammar of api/rows.py.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import types
from collections.abc import Callable, Iterator, Sequence
from functools import cache

import jax.numpy as jnp
import numpy as np

from flake8_jax.api import stated
from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.measuring.forms import CallForm, forms_of
from flake8_jax.runtime.measuring.marks import Marks, eager_clauses, marks_of, returned
from flake8_jax.runtime.measuring.notation import P, shown
from flake8_jax.runtime.measuring.probe import FunctionProbe
from flake8_jax.runtime.measuring.samples import F1, F2, I1
from flake8_jax.runtime.measuring.transforming.candidates import called

SECTION = "functions"
DISTRIBUTIONS = (
    "bernoulli beta betabinom binom cauchy chi2 dirichlet expon gamma gennorm geom gumbel_l gumbel_r laplace logistic "
    "multinomial multivariate_normal nbinom norm pareto poisson t truncnorm uniform vonmises wrapcauchy"
)
MODULES = (
    "jax", "jax.debug", "jax.dtypes", "jax.flatten_util", "jax.image", "jax.lax", "jax.lax.linalg", "jax.nn",
    "jax.nn.initializers", "jax.numpy", "jax.numpy.fft", "jax.numpy.linalg", "jax.ops", "jax.random", "jax.ref",
    "jax.scipy.cluster.vq", "jax.scipy.fft", "jax.scipy.integrate", "jax.scipy.interpolate", "jax.scipy.linalg",
    "jax.scipy.ndimage", "jax.scipy.signal", "jax.scipy.sparse.linalg", "jax.scipy.special", "jax.scipy.stats",
    *(f"jax.scipy.stats.{name}" for name in DISTRIBUTIONS.split()), "jax.tree", "jax.tree_util",
)  # fmt: skip

ORIGINS = ("jax", "jaxlib", "numpy", "ml_dtypes")
# Methods that are of use on another array.
OTHER_RANK = {"diagonal": F2, "trace": F2, "swapaxes": F2, "choose": I1}


def subjects() -> dict[str, str]:
    """Public functions, ufuncs and scalar types of the modules, and methods of arrays and of `x.at[i]`.

    What is measured as a transform, or is another name of what is measured, is left out.
    """
    left_out = {*stated.unmeasured(), *stated.read().plain["aliases"], *called()}
    return dict.fromkeys((name for name in (*methods_by_name(), *functions_by_name()) if name not in left_out), "jax")


def fact(name: str) -> str | None:
    """The row of one function."""
    probe = FunctionProbe(name, {**methods_by_name(), **functions_by_name()}[name])
    forms = forms_of(probe)
    return row_of(probe, forms, returned(probe, forms)) if forms else None


def row_of(probe: FunctionProbe, forms: Sequence[CallForm], back: str, *, are_trees: bool = False) -> str:
    """The row of a function with these forms and this return; what trees hold is not refused as a sequence."""
    public = [n for n, p in probe.parameters.items() if p.kind != P.VAR_KEYWORD and not n.startswith("_")]
    found = {parameter: marks_of(probe, forms, parameter) or Marks("") for parameter in public}
    clauses = [clause for marks in found.values() for clause in marks.clauses] + list(eager_clauses(forms))
    always = {name: marks.always.replace("*", "") if are_trees else marks.always for name, marks in found.items()}
    row = f"{probe.qualified.rpartition('.')[2]}({shown(_named(probe.signature), always)})"
    return "; ".join([row if back == "array" else f"{row} -> {back}", *clauses])


@cache
def functions_by_name() -> dict[str, Callable[..., Foreign]]:
    """Every public function of the modules, including those that are not measured here."""
    found: dict[str, Callable[..., Foreign]] = {}
    for module_name in MODULES:
        with contextlib.suppress(ImportError):
            module = importlib.import_module(module_name)
            found |= {f"{module_name}.{name}": function for name, function in public_functions(module)}
    return found


def public_functions(module: types.ModuleType) -> Iterator[tuple[str, Callable[..., Foreign]]]:
    """The functions, ufuncs and scalar types that a module offers."""
    for name in sorted(set(dir(module)) | set(getattr(module, "__all__", ()))):
        found = None if name.startswith("_") or name.endswith("_p") else getattr(module, name, None)
        origin = (getattr(found, "__module__", "") or "").partition(".")[0]
        is_type = inspect.isclass(found) and not is_scalar(found) and name not in ("finfo", "iinfo", "dtype")
        if callable(found) and not is_type and not is_setting(found) and origin in ORIGINS:
            yield name, found


def is_scalar(found: type) -> bool:
    """Is this a class such as `jnp.float32`, called to make an array of its type?"""
    return isinstance(getattr(found, "dtype", None), np.dtype) and not issubclass(found, np.generic)


def is_setting(found: Foreign) -> bool:
    """Is this one of JAX's settings, or a function that changes them?"""
    return any((getattr(owner, "__module__", "") or "").endswith("_src.config") for owner in (found, type(found)))


@cache
def methods_by_name() -> dict[str, Callable[..., Foreign]]:
    """The methods of arrays and of `x.at[i]`, as functions without self."""
    bound = {"Array": jnp.ones((3, 3)), "Array.at": jnp.ones(3).at[:2]}
    found: dict[str, Callable[..., Foreign]] = {}
    for block, owner in bound.items():
        for name in sorted(dir(owner)):
            with contextlib.suppress(AttributeError, NotImplementedError):
                if not name.startswith("_") and callable(getattr(owner, name)):
                    found[f"{block}.{name}"] = _method(block, name, getattr(owner, name))
    return found


def _method(block: str, name: str, bound: Callable[..., Foreign]) -> Callable[..., Foreign]:
    sample = OTHER_RANK.get(name, F1)

    def method(*args: Foreign, **kwargs: Foreign) -> Foreign:
        array = jnp.asarray(sample)
        return getattr(array.at[:2] if block == "Array.at" else array, name)(*args, **kwargs)

    try:
        signature = inspect.signature(bound)
    except ValueError:
        signature = inspect.Signature([])
    method.__signature__ = signature  # type: ignore[attr-defined]
    return method


def is_array(value: Foreign) -> bool:
    """Is this sample an array of the host, which a probe hands over as one of JAX?"""
    return isinstance(value, np.ndarray)


def _named(signature: inspect.Signature) -> list[inspect.Parameter]:
    """The parameters that users name: private ones are left out, unless there is no other."""
    parameters = list(signature.parameters.values())
    return parameters if len(parameters) == 1 else [p for p in parameters if not p.name.startswith("_")]
