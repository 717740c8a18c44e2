"""Functions of libraries on JAX that return arrays: losses, norms, trees of arrays.

    fact("optax.global_norm") -> "global_norm(updates)"
    fact("optax.apply_updates") -> "apply_updates(params, updates) -> like(params)"

A fact is a row in the grammar of api/rows.py.  A function is called with arrays, and again with dictionaries of them:
one that maps trees returns a dictionary then.  What is refused as a sequence is left out, since many take trees in some
of their forms.  Functions that return neither arrays nor tuples of them are left out, too: nothing is known of a static
value that a library made.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import itertools
from collections.abc import Callable, Mapping, Sequence
from functools import cache

import jax

from flake8_jax.api import stated
from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.measuring.families import functions
from flake8_jax.runtime.measuring.forms import CallForm, forms_of
from flake8_jax.runtime.measuring.kinds import kind_of
from flake8_jax.runtime.measuring.marks import returned
from flake8_jax.runtime.measuring.naming.resolving import named
from flake8_jax.runtime.measuring.notation import Varargs
from flake8_jax.runtime.measuring.probe import FunctionProbe, as_array, in_trace
from flake8_jax.runtime.measuring.transforming.calling import quiet
from flake8_jax.runtime.measuring.transforming.candidates import candidates, file_of, is_installed

SECTION = "functions"
MODULES = (
    "optax", "optax.losses", "optax.projections", "optax.tree", "optax.tree_utils",
    "flax.linen", "flax.nnx", "flax.jax_utils", "haiku", "equinox", "equinox.nn", "chex",
    "numpyro.diagnostics", "numpyro.distributions.util", "numpyro.infer.util",
    "rlax", "brax.math", "brax.training.agents.ppo.losses",
)  # fmt: skip
KINDS = ("array", "tuple")
# Verbs of functions that change the library itself: called once, they change what is measured of others after them.
SETTINGS = ("set_", "enable_", "disable_", "fake_")


def subjects() -> dict[str, str]:
    """Functions of the installed libraries under each public name, unless they are measured as transforms."""
    left_out = {*stated.unmeasured(), *stated.read().plain["aliases"]}
    return {name: file_of(name) for name in functions_by_name() if name not in left_out}


def fact(name: str) -> str | None:
    """The row of one function; "" where it returns no arrays, or takes none."""
    probe = FunctionProbe(name, functions_by_name()[name])
    forms = forms_of(probe)
    if not forms:
        return None
    back = returned(probe, forms)
    if not _takes_arrays(forms) or (back not in KINDS and not back.startswith("like(")):
        return ""
    of_trees = _of_trees(probe, forms[0])
    if of_trees is None:
        return functions.row_of(probe, forms, back, are_trees=True)
    parameter, result = of_trees
    if isinstance(result, dict) and [*result] == ["w"]:
        return functions.row_of(probe, forms, f"like({parameter})", are_trees=True)
    return functions.row_of(probe, forms, back, are_trees=True) if kind_of(result) == back else ""


@cache
def functions_by_name() -> dict[str, Callable[..., Foreign]]:
    """Every public function that a library has written itself and that takes no functions."""
    with quiet():
        transforms = {id(named(name)) for name in candidates() if file_of(name) in map(file_of, MODULES)}
        return {
            f"{module}.{name}": found
            for module in filter(_is_there, MODULES)
            for name, found in inspect.getmembers(importlib.import_module(module), inspect.isroutine)
            if not name.startswith(("_", *SETTINGS)) and file_of(found.__module__ or "") == file_of(module)
            if id(found) not in transforms
        }


def _is_there(module: str) -> bool:
    if not is_installed(module):
        return False
    try:
        importlib.import_module(module)
    except Exception:
        return False
    return True


def _takes_arrays(forms: Sequence[CallForm]) -> bool:
    return any(functions.is_array(value) for form in forms for value in form.arguments.values())


def _of_trees(probe: FunctionProbe, form: CallForm) -> tuple[str, Foreign] | None:
    """The first of as many parameters as can be dictionaries of their array together, and what comes back then."""
    arrays = [name for name, value in form.arguments.items() if functions.is_array(value) and value.ndim]
    some = (chosen for many in range(len(arrays), 0, -1) for chosen in itertools.combinations(arrays, many))
    for chosen in some:
        trees = {name: {"w": value} if name in chosen else value for name, value in form.arguments.items()}
        found = _result(probe, {name: value for name, value in trees.items() if type(value) is not Varargs})
        if found is not None:
            return chosen[0], found
    return None


def _result(probe: FunctionProbe, arguments: Mapping[str, Foreign]) -> Foreign:
    """What a traced call returns; None too if it fails."""
    seen: list[Foreign] = []
    with contextlib.suppress(Exception), quiet():
        in_trace(lambda: seen.append(probe.call(jax.tree.map(as_array, dict(arguments)))))
    return seen[0] if seen else None
