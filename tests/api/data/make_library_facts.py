"""Measures what the table states of host functions, properties, aliases, annotations, effects and keys of libraries.

`python make_library_facts.py` writes library_facts.json.  Functions are called twice, with NumPy's arrays and with
tracers; effects are watched while a function is traced; a key is used up if the key-reuse checker refuses it the second
time.  It needs jax, flax, dm-haiku, equinox, numpyro, diffrax, distrax, chex, jaxtyping, absl-py,
loguru, rich and tqdm.
"""

from __future__ import annotations

import builtins
import contextlib
import dataclasses
import inspect
import io
import json
import logging
import re
import sys
import typing
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import absl.logging
import chex
import diffrax
import distrax
import equinox as eqx
import flax
import flax.linen as nn
import flax.nnx as nnx
import haiku as hk
import jax
import jax.numpy as jnp
import jaxtyping
import loguru
import numpy as np
import numpyro
import rich.console
from make_library_facts_calls import (
    CALLS,
    EFFECTS,
    KEY_CALLS,
    NO_EFFECT_CALL,
    NOT_CALLED,
    PROPERTIES,
    STREAMS,
    USUAL_EFFECT,
)
from tensorflow_probability.substrates import jax as tfp

from flake8_jax.api.table import load
from flake8_jax.runtime.measuring.kinds import kind_of
from flake8_jax.runtime.measuring.naming.resolving import named

HERE = Path(__file__).parent

SAMPLES = {
    "a": np.array([1, 2, 3], np.int32),
    "a2": np.array([[2.0, 0.5, 0.1], [0.5, 2.0, 0.1], [0.1, 0.1, 2.0]], np.float32),
    "x": np.float32(0.5),
}


DTYPES = (
    "float16", "bfloat16", "float32", "float64", "complex64", "bool", "int8", "int16", "int32", "int64", "uint8", "uint32",
    jax.random.key(0).dtype,
)  # fmt: skip


class Anything(nn.Module):
    """A linen module that runs what it is given."""

    body: Any

    @nn.compact
    def __call__(self) -> Any:
        """Run the body."""
        return self.body(self)


def twice(draw: Callable[[], Any]) -> list[Any]:
    """Two draws."""
    return [draw(), draw()]


def in_numpyro(body: Callable[[], Any]) -> Any:
    """Run the body under a seed handler."""
    with numpyro.handlers.seed(rng_seed=0):
        return body()


def in_shard_map(body: Callable[[Any], Any]) -> Any:
    """Run the body over a mesh."""
    spec = jax.sharding.PartitionSpec
    return jax.shard_map(body, mesh=jax.make_mesh((1,), ("i",)), in_specs=spec(), out_specs=spec("i"))(jnp.ones(3))


def in_haiku(body: Callable[[], Any]) -> Any:
    """Run the body in a haiku transform and return what it returns."""
    transformed = hk.transform_with_state(body)
    parameters, state = transformed.init(jax.random.key(0))
    return transformed.apply(parameters, state, jax.random.key(1))[0]


def inference() -> Any:
    """Variational inference of a model of one variable."""
    normal = numpyro.distributions.Normal(0.0, 1.0)
    optimiser, loss = numpyro.optim.Adam(0.1), numpyro.infer.Trace_ELBO()
    return numpyro.infer.SVI(lambda: numpyro.sample("z", normal), lambda: numpyro.sample("z", normal), optimiser, loss)


def a_model() -> Any:
    """A model of one variable."""
    return numpyro.sample("z", numpyro.distributions.Normal(0.0, 1.0))


def sampling() -> Any:
    """A sampler of the model."""
    return numpyro.infer.MCMC(numpyro.infer.NUTS(a_model), num_warmup=3, num_samples=3, progress_bar=False)


SCOPE = {
    "np": np, "jax": jax, "jnp": jnp, "nn": nn, "nnx": nnx, "hk": hk, "eqx": eqx, "numpyro": numpyro, "tfp": tfp,
    "distrax": distrax, "logging": logging, "twice": twice, "in_numpyro": in_numpyro, "in_shard_map": in_shard_map,
    "in_linen": lambda body: Anything(body).init_with_output(jax.random.key(0))[0], "in_haiku": in_haiku,
    "inference": inference, "a_model": a_model, "sampling": sampling, "rich": rich,
}  # fmt: skip


def kind(value: Any) -> str:
    """The word of the table, with what only libraries return."""
    if isinstance(value, logging.Logger):
        return "logger"
    if isinstance(value, jax.sharding.Mesh):
        return "static"
    if isinstance(value, nnx.Variable):
        return ("variable" if computes(value) else "ref") if stores(value) else "mixed"
    parts = value if isinstance(value, (list, tuple)) else ()
    if len(parts) and all(isinstance(part, (np.ndarray, np.generic)) for part in parts):
        return "list" if isinstance(value, list) else "tuple"
    return "numpy" if isinstance(value, np.generic) else kind_of(value)


def computes(value: Any) -> bool:
    """Does arithmetic take what it holds, as that of no reference of JAX does?"""
    try:
        return isinstance(value * 2.0, jax.Array)
    except (TypeError, AttributeError):
        return False


def stores(value: Any) -> bool:
    """Can an item be stored into?"""
    try:
        value[0] = 2.0
    except Exception:
        return False
    return True


def evaluated(expression: str, qualified: str, **arguments: Any) -> Any:
    """The expression with `f` for the callable of that name."""
    scope = {**SCOPE, "key": jax.random.key(0), **arguments}
    if qualified and "f" in expression.replace("(", " ").replace(",", " ").replace(")", " ").split():
        scope["f"] = getattr(builtins, qualified) if "." not in qualified else named(qualified)
    return eval(expression, scope)


def host_kind(qualified: str) -> str:
    """What a call with NumPy's arrays returns, in a word."""
    return kind(evaluated(CALLS[qualified], qualified, **SAMPLES))


def traced_kind(qualified: str) -> str:
    """What a call with tracers returns, or "error"."""
    seen: list[str] = []
    try:
        jax.make_jaxpr(lambda s: (seen.append(kind(evaluated(CALLS[qualified], qualified, **s))), 0)[1])(SAMPLES)
    except Exception:
        return "error"
    return seen[0]


def uses_key(expression: str, qualified: str = "") -> bool:
    """Does the key-reuse checker refuse this a second time?"""
    key = jax.random.key(7)
    try:
        with jax.debug_key_reuse(True):
            evaluated(expression, qualified, **SAMPLES, key=key)
            evaluated(expression, qualified, **SAMPLES, key=key)
    except jax.errors.KeyReuseError:
        return True
    return False


def key_keyword(expression: str) -> str:
    """The keyword by which this call takes the key, if it uses it up."""
    found = re.search(r"(\w+)=key", expression)
    return found[1] if found and uses_key(expression) else ""


def function_facts(qualified: str) -> dict[str, Any]:
    """What is measured of one function."""
    if qualified in NOT_CALLED:
        return {"not_called": True}
    facts: dict[str, Any] = {"host": host_kind(qualified), "traced": traced_kind(qualified)}
    if "key" in CALLS[qualified]:
        facts["uses_key"] = uses_key(CALLS[qualified], qualified)
    return facts


def property_kind(name: str) -> str:
    """What an attribute of a tracer, or else of an array, is."""
    seen: list[str] = []

    def look(array: Any) -> None:
        seen.append(kind(array.at[0].get() if name == "at" else getattr(array, name)))

    with contextlib.suppress(Exception):
        jax.make_jaxpr(look)(SAMPLES["a2"])
    if not seen:
        look(jnp.ones((2, 2)))
    return seen[0]


def alias_facts(name: str, target: str) -> dict[str, Any]:
    """Is the alias the same object as its target, or a module with the same members; or is it gone?"""
    facts: dict[str, Any] = {"target": target}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found, wanted = named(name), named(target)
    except (ImportError, AttributeError):
        return {**facts, "gone": True}
    if isinstance(found, type(sys)):
        shared = [m for m in dir(found) if not m.startswith("_") and hasattr(wanted, m) and callable(getattr(found, m))]
        return {**facts, "same": len(shared) > 2 and all(getattr(found, m) is getattr(wanted, m) for m in shared)}
    if found is wanted:
        return {**facts, "same": True}
    with contextlib.suppress(TypeError, ValueError):
        one, other = (list(inspect.signature(function).parameters) for function in (found, wanted))
        facts["same_parameters"] = one == other
    return {**facts, "same": False}


def annotation_facts(name: str) -> str:
    """What a value must be to be an instance of an annotation."""
    try:
        found = getattr(builtins, name) if "." not in name else named(name)
    except (ImportError, AttributeError):
        return "gone"
    origin, samples = typing.get_origin(found), annotation_samples()
    found = origin if isinstance(origin, type) else found
    if name.startswith("jaxtyping.") and isinstance(found, type) and found not in (jax.Array, jaxtyping.PRNGKeyArray):
        found = found[jax.ShapeDtypeStruct, "..."]  # type: ignore[index]
        samples = {str(dtype): jax.ShapeDtypeStruct((3,), dtype) for dtype in DTYPES}
        matched = [dtype for dtype, sample in samples.items() if isinstance(sample, found)]
        return "wrapper of a key" if matched == ["key<fry>"] else "wrapper" if matched else "other"
    if dataclasses.is_dataclass(found):
        return record_facts(found)  # type: ignore[arg-type]
    with contextlib.suppress(TypeError):
        return " ".join(kind for kind, sample in samples.items() if isinstance(sample, found)) or "other"
    return "other"


def record_facts(found: type) -> str:
    """Is a record frozen, and which of its fields are leaves of the tree that it is?"""
    made = found(**{one.name: 0 for one in dataclasses.fields(found) if one.init})  # type: ignore[arg-type]
    try:
        setattr(made, dataclasses.fields(found)[0].name, 1)  # type: ignore[arg-type]
    except dataclasses.FrozenInstanceError:
        paths = [jax.tree_util.keystr(path) for path, _ in jax.tree_util.tree_flatten_with_path(made)[0]]
        return f"record of {' '.join(path.removeprefix('.') for path in paths)}"
    return "other"


def annotation_samples() -> dict[str, Any]:
    """One value of every kind that an annotation can speak of."""
    tracers: list[Any] = []
    jax.make_jaxpr(tracers.append)(1.0)
    return {
        "array": jnp.ones(3), "tracer": tracers[0], "numpy": np.ones(3), "int": 1, "bool": True, "str": "",
        "ref": jax.new_ref(jnp.ones(3)), "variable": nnx.Param(jnp.ones(3)), "key": jax.random.key(0),
    }  # fmt: skip


def effect_facts(name: str) -> str:
    """What calling this while a function is traced does."""
    if name in NO_EFFECT_CALL:
        return "not called"
    logged: list[Any] = []
    handler = logging.Handler()
    handler.emit = lambda record: None if record.name.startswith("jax") else logged.append(record)  # type: ignore[method-assign]
    loguru.logger.remove()
    loguru.logger.add(logged.append, level=0)
    loggers = [logging.getLogger(), absl.logging.get_absl_logger(), logging.getLogger("a")]
    for logger in loggers:
        logger.setLevel(1)
        logger.addHandler(handler)
    out = io.StringIO()
    redirected = contextlib.redirect_stdout(out), contextlib.redirect_stderr(out)
    with redirected[0], redirected[1], warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        jax.make_jaxpr(lambda x: (evaluated(EFFECTS.get(name, USUAL_EFFECT), name, x=x), 0)[1])(1.0)
    return "log" if logged else "warn" if warned else "print" if out.getvalue() else "nothing"


def stream_facts(ways: dict[str, str]) -> dict[str, bool]:
    """Do two draws differ, drawn in each of these ways?"""
    data = {way: [jax.random.key_data(k).tolist() for k in evaluated(text, "")] for way, text in ways.items()}
    return {way: first != second for way, (first, second) in data.items()}


def main() -> None:
    """Measure everything."""
    ids = [row.partition("/") for row in load().row_ids()]
    blocks = ("aliases", "annotations", "effects")
    stated = {block: [name for family, _, name in ids if family == block] for block in blocks}
    families: dict[str, dict[str, Any]] = {
        "functions": {name: function_facts(name) for name in (*CALLS, *sorted(NOT_CALLED))},
        "properties": {name: property_kind(name) for name in PROPERTIES},
        "aliases": {name: alias_facts(name, load().canonical(name)) for name in stated["aliases"]},
        "annotations": {name: annotation_facts(name) for name in stated["annotations"]},
        "effects": {name: effect_facts(name) for name in stated["effects"]},
        "key_arguments": {name: key_keyword(text) for name, text in KEY_CALLS.items()},
        "streams": {name: stream_facts(ways) for name, ways in STREAMS.items()},
    }
    modules = (jax, np, flax, hk, eqx, numpyro, diffrax, distrax, chex, jaxtyping)
    rows = [f"{json.dumps('versions')}: {json.dumps({module.__name__: module.__version__ for module in modules})}"]
    for family, facts in families.items():
        lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(fact)}" for name, fact in facts.items())
        rows.append(f"{json.dumps(family)}: {{\n{lines}\n}}")
    text = "{" + ",\n".join(rows) + "}\n"
    json.loads(text)
    (HERE / "library_facts.json").write_text(text)


if __name__ == "__main__":
    main()
