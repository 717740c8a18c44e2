"""Measures what the table states of transforms: `python make_transform_facts.py` writes transform_facts.json.

It needs jax, flax, dm-haiku, equinox, numpyro and chex.  Every transform of the table is called, eagerly and under a
trace, with functions that record:

- is what they are given, and what they make themselves, a tracer;  does `bool()` of it work;
- are they run by the call of the transform or by a call of its result, with how many arguments, and how many times.

    staged           arrays made inside are tracers
    mapped           they are not, but arguments are, and `bool` fails
    differentiated   they are not, but arguments are, and `bool` works
    transparent      nothing is, in an eager call
    host             nothing is, even if the call stands under a trace
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import json
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import chex
import equinox as eqx
import flax
import flax.linen as nn
import haiku as hk
import jax
import jax.numpy as jnp
import numpy as np
import numpyro
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu
from make_transform_facts_calls import CALLS, NOT_RUN, USUAL

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "src"))

from flake8_jax.api.table import load  # noqa: E402

warnings.simplefilter("ignore")


class Record:
    """How the functions of one call of a transform were called."""

    def __init__(self, counting: bool = False) -> None:
        self.counting = counting
        self.arities: list[int] = []
        self.at_call = False
        self.traced: set[bool] = set()
        self.made: set[bool] = set()
        self.truthy: set[bool] = set()
        self.refs = False
        self.runs = 0
        self.turns = 0

    def function(self, result: Callable[..., Any] | None = None) -> Callable[..., Any]:
        """A function that records how it is called."""

        place = len(self.arities)
        self.arities.append(-1)

        def probe(*args: Any) -> Any:
            self.runs += 1
            self.arities[place] = len(args)
            leaves = [a for a in jax.tree_util.tree_leaves(args) if isinstance(a, (jax.Array, np.ndarray, np.generic))]
            self.traced |= {isinstance(leaf, jax.core.Tracer) for leaf in leaves}
            kinds = [type(getattr(leaf, "aval", None)).__name__ for leaf in jax.tree_util.tree_leaves(args)]
            self.refs |= any("Ref" in kind for kind in kinds)
            self.made.add(isinstance(jnp.zeros(()), jax.core.Tracer))
            self.truthy |= {works(lambda leaf: bool(leaf.sum() > 0), leaf) for leaf in leaves if hasattr(leaf, "sum")}
            if self.counting:
                jax.debug.callback(self.turn)
            return result(*args) if result else args[0]

        return probe

    def turn(self) -> None:
        """Count one run of the compiled body."""
        self.turns += 1

    def stage(self, under_jit: Record) -> str:
        """The stage that this eager call and one under `jax.jit` show."""
        if True in self.made:
            return "staged"
        if True not in self.traced:
            return "host" if True not in under_jit.made | under_jit.traced else "transparent"
        return "differentiated" if False not in self.truthy else "mapped"


def works(function: Callable[..., Any], *args: Any) -> bool:
    """Does this call not raise?"""
    try:
        function(*args)
    except Exception:
        return False
    return True


class Anything(nn.Module):
    """A linen module that runs what it is given."""

    body: Any

    @nn.compact
    def __call__(self) -> Any:
        """Run the body."""
        return self.body(self)


def method(decorator: Any, function: Any, x: Any) -> Any:
    """Call a linen module whose method is decorated."""
    named = type("Named", (nn.Module,), {"__call__": decorator(function), "__module__": __name__})
    return named().apply({}, x)


def ruled(function: Any) -> Any:
    """A function with a custom derivative or batching rule, with one."""
    if hasattr(function, "def_fwd"):
        function.def_fwd(lambda perturbed, a: (a, None))
        function.def_bwd(lambda residuals, gradient, perturbed, a: gradient)
    elif hasattr(function, "defvjp"):
        function.defvjp(lambda a: (a, None), lambda residuals, gradient: (gradient,))
    elif hasattr(function, "def_vmap"):
        function.def_vmap(lambda size, batched, a: (a, batched[0]))
    else:
        define = function.def_jvp if hasattr(function, "def_jvp") else function.defjvp
        define(lambda primals, tangents: (primals[0], tangents[0]))
    return function


def in_kernel(body: Callable[[], Any]) -> Any:
    """Run the body in a Pallas kernel."""
    shape = jax.ShapeDtypeStruct((3,), jnp.float32)
    return pl.pallas_call(lambda i, o: body(), out_shape=shape, interpret=True)(jnp.ones(3))


def named(qualified: str) -> Any:
    """The object of a qualified name."""
    parts = qualified.split(".")
    for cut in range(len(parts) - 1, 0, -1):
        with contextlib.suppress(ImportError):
            found: Any = importlib.import_module(".".join(parts[:cut]))
            for part in parts[cut:]:
                found = getattr(found, part)
            return found
    raise ImportError(qualified)


def called(qualified: str, x: Any, xs: Any, xs2: Any, counting: bool = False) -> Record:
    """Call a transform as stated and return the record."""
    record, transform = Record(counting), named(qualified)
    mesh = jax.make_mesh((1,), ("i",), axis_types=(jax.sharding.AxisType.Auto,))

    def noticing(*args: Any, **kwargs: Any) -> Any:
        result = transform(*args, **kwargs)
        record.at_call = record.at_call or record.runs > 0
        return result

    def with_mesh(body: Callable[[], Any]) -> Any:
        with jax.set_mesh(mesh):
            return body()

    names = {
        "T": noticing, "p": record.function, "x": x, "xs": xs, "xs2": xs2, "jax": jax, "jnp": jnp,
        "np": np, "nn": nn, "mesh": mesh, "spec": jax.sharding.PartitionSpec(), "with_mesh": with_mesh,
        "linen": lambda body: Anything(body).apply({}), "haiku": lambda body: hk.transform(body).apply({}, None),
        "method": method, "ruled": ruled, "in_kernel": in_kernel,
        "shape": jax.ShapeDtypeStruct((3,), jnp.float32), "shape0": jax.ShapeDtypeStruct((), jnp.float32),
        "dimensions": jax.lax.ScatterDimensionNumbers((), (0,), (0,)), "memory": pltpu.VMEM((3,), jnp.float32),
    }  # fmt: skip
    eval(CALLS.get(qualified, USUAL), names)
    return record


def transform_facts(qualified: str) -> dict[str, Any]:
    """What is measured of one transform."""
    if qualified in NOT_RUN:
        return {"not_run": True}
    facts: dict[str, Any] = {}
    with contextlib.suppress(ValueError, TypeError):
        signature = inspect.signature(named(qualified))
        facts["parameters"] = [name for name in signature.parameters if name != "self"]
    x, xs, xs2 = jnp.float32(0.5), jnp.array([0.25, 0.5, 0.75]), jnp.ones((2, 2))
    eager = called(qualified, x, xs, xs2)
    under: list[Record] = []
    with contextlib.suppress(Exception):
        jax.make_jaxpr(lambda *a: (under.append(called(qualified, *a)), 0)[1])(x, xs, xs2)
    facts |= {"stage": eager.stage(under[0] if under else Record()), "at_call": eager.at_call, "arities": eager.arities}
    facts["refs"] = eager.refs
    with contextlib.suppress(Exception):
        counting = called(qualified, x, xs, xs2, counting=True)
        jax.effects_barrier()
        again = facts["stage"] == "transparent" and eager.runs > len(eager.arities)
        facts["loops"] = counting.turns > counting.runs or again
    return facts


def main(only: list[str]) -> None:
    """Measure every transform of the table, or print what is measured of those named."""
    names = only or [row.partition("/")[2] for row in load().row_ids() if row.startswith("transforms/")]
    rows = ",\n".join(f"{json.dumps(name)}: {json.dumps(transform_facts(name))}" for name in names)
    versions = {module.__name__: module.__version__ for module in (jax, flax, hk, eqx, numpyro, chex)}
    text = f'{{"versions": {json.dumps(versions)}, "transforms": {{\n{rows}\n}}}}\n'
    json.loads(text)
    if only:
        print(text)
    else:
        (HERE / "transform_facts.json").write_text(text)


if __name__ == "__main__":
    main(sys.argv[1:])
