"""What was seen by running libraries, and where what is stated of them disagrees with it.

The file in tests/api/data is written by the script beside it.  What a run cannot tell stands here, and says why.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from flake8_jax.api.rows import ApiFunction
from flake8_jax.api.table import Table

DATA = Path(__file__).parent / "data"

# Keys that a run does not show to be used up: names and counts are folded into them, yet two of a kind are alike.
CONSUMING = frozenset(("flax.linen.Module.init", "flax.linen.Module.init_with_output", "flax.nnx.Rngs"))
# What no run here can call, with what its documentation says.
NOT_CALLED = {
    # Environments, samplers and noise, which make_library_draws.py tries.
    "blackjax.base.AdaptationAlgorithm.run": "unknown",
    "blackjax.base.SamplingAlgorithm.init": "unknown",
    "blackjax.base.SamplingAlgorithm.step": "unknown",
    **dict.fromkeys(
        ("blackjax.hmc", "blackjax.mala", "blackjax.nuts", "blackjax.rmh", "blackjax.window_adaptation"), "instance"
    ),
    "brax.envs.base.Env.reset": "unknown",
    "brax.envs.create": "instance",
    "brax.envs.get_environment": "instance",
    "gymnax.environments.environment.Environment.reset": "unknown",
    "gymnax.environments.environment.Environment.step": "unknown",
    "gymnax.make": "pair",
    "equinox.tree_equal": "compared",  # a truth of Python where no array is compared
    "jumanji.env.Environment.reset": "unknown",
    "jumanji.make": "instance",
    "pgx.core.Env.init": "unknown",
    "pgx.core.Env.step": "unknown",
    "pgx.make": "instance",
    # What stands in for an object is no function of arrays.
    **dict.fromkeys((
        "unittest.mock.AsyncMock", "unittest.mock.MagicMock", "unittest.mock.Mock",
        "unittest.mock.NonCallableMagicMock", "unittest.mock.NonCallableMock", "unittest.mock.create_autospec",
    ), "instance"),
    # Optimizers and their states, which test_optimizers.py makes and asks.
    "flax.training.train_state.TrainState.apply_gradients": "instance",
    "flax.training.train_state.TrainState.create": "instance",
    "flax.training.train_state.TrainState.replace": "instance",
    "optax.GradientTransformation.init": "instance",
    "optax.GradientTransformation.update": "second",
    "optax.MultiSteps.init": "instance",
    "optax.MultiSteps.update": "second",
    "optax.add_noise": "instance",
    "optax.contrib.differentially_private_aggregate": "instance",
    "optax.tree.random_like": "unknown",
    "jax.debug.breakpoint": "none",
    "jax.experimental.key_reuse._core.assert_consumed": "none",  # the checker reads them, and refuses
    "jax.experimental.key_reuse._core.assert_unconsumed": "none",
    "jax.lax.pbroadcast": "like",
    "jax.lax.precv": "unknown",
    "jax.lax.psend": "unknown",
    "jax.nn.scaled_dot_general": "array",
    "numpy.random.seed": "none",
    # What writes, which test_what_writes_takes_no_tracer calls.
    "json.dump": "none",
    "numpy.save": "none",
    "numpy.savetxt": "none",
    "numpy.savez": "none",
    "numpy.savez_compressed": "none",
    "pickle.dump": "none",
    "pickle.dumps": "static",
    # What compares, which test_what_compares_takes_no_tracer calls.
    **dict.fromkeys(("bisect.bisect", "bisect.bisect_left", "bisect.bisect_right"), "static"),
    **dict.fromkeys(("bisect.insort", "bisect.insort_left", "bisect.insort_right", "heapq.heappush"), "none"),
    **dict.fromkeys(("heapq.nlargest", "heapq.nsmallest"), "unknown"),
}
# Transforms that no run here can call, and their stage.
NOT_RUN = {
    "jax.experimental.host_callback.id_tap": "host",  # removed after 0.4.30
    "jax.experimental.host_callback.call": "host",
    "jax.experimental.pallas.kernel": "staged",  # needs a TPU or GPU
    "jax.experimental.pallas.core_map": "staged",
    "haiku.to_module": "transparent",  # makes a class
    "haiku.without_apply_rng": "transparent",  # takes what `haiku.transform` gives
    "jax.experimental.sparse.sparsify": "staged",  # measured; only what it keeps is stated
}
# Aliases that are no longer there in 0.10.2, with a version that was seen to have them.
GONE = {
    "jax.ad_checkpoint.checkpoint": "0.7.1",
    "jax.array_ref": "0.7.1",
    "jax.experimental.mutable_array": "0.7.1",
    "jax.tree_map": "0.4.30",
}
# Aliases of what is another object, yet is used alike.
ALIKE = {
    "flax.linen.initializers": "the same functions but for a type",
    "flax.nnx.initializers": "the same functions but for a type",
    "flax.nnx.cached_partial": "a partial application",
    "jax.remat": "checkpoint without static_argnames",
    "jax.tree_util.Partial": "a partial application that is a pytree",
}
ANNOTATED = {
    "array": {"array tracer key", "array numpy key", "array key", "tracer"},
    "key": {"array tracer key", "wrapper of a key", "other", "gone"},
    "numpy": {"numpy"},
    "numeric": {"array numpy int bool key"},
    "record": {"record of step params opt_state"},
    "ref": {"ref", "variable"},
    "static": {"int bool", "bool", "str"},
    "wrapper": {"wrapper"},
}
# Conventions: who calls these methods is the users' habit.
TRACED_METHODS = {
    "equinox.Module.__call__", "flax.linen.Module.__call__", "flax.nnx.Module.__call__", "haiku.Module.__call__",
    "optax.GradientTransformation.update", "optax.GradientTransformationExtraArgs.update",
}  # fmt: skip

# Of these an array in a field was no tracer in `__call__` under a jitted `apply` or `init` (flax 0.12.8, haiku 0.0.17).
OPTIONS = frozenset(("flax.linen.Module", "haiku.Module"))


@cache
def measured(name: str) -> dict[str, Any]:
    """A file of facts."""
    facts: dict[str, Any] = json.loads((DATA / name).read_text(encoding="utf-8"))
    return facts


def library(family: str) -> dict[str, Any]:
    """A family of facts of everything else."""
    facts: dict[str, Any] = measured("library_facts.json")[family]
    return facts


def disagreements(table: Table, row_id: str) -> list[str]:
    """Where the table says something else than was measured of what this row is about."""
    family, _, name = row_id.partition("/")
    return list(CHECKS[family](table, name))


def function_disagreements(table: Table, name: str) -> Iterator[str]:
    """A function or method."""
    name = name.removeprefix("builtins.")
    function = table.function(name)
    if function is None:
        yield f"{name} has no row"
    elif name in NOT_CALLED:
        yield from _differ("returns", NOT_CALLED[name], function.returns)
        yield from _differ("draws from its key", always_draws(name), uses_key(function))
    elif name in library("functions"):
        yield from _library_function(function, library("functions")[name])
    else:
        yield f"nothing is measured of {name}"


def _library_function(function: ApiFunction, facts: dict[str, Any]) -> Iterator[str]:
    host, traced = facts["host"], facts["traced"]
    agrees = {
        "array": "array" in (host, traced),
        "made": "array" in (host, traced),
        "held": host == "static",
        "tree": "array" in (host, traced),
        "own": host == "numpy" and traced == "array",
        "numpy": host == "numpy" and traced in ("numpy", "error"),
        "static": host == "static" and traced in ("static", "error"),
        "none": "none" in (host, traced),
        "instance": host == "mixed",
        "like": "array" in (host, traced),
        "sequence": host in ("list", "tuple"),
        "flat": traced == "mixed",  # arrays, and the structure beside them
        "unknown": True,
    }
    if not agrees.get(function.returns, host == function.returns):
        yield f"returns {host} on the host and {traced} under a trace, not {function.returns}"
    if "uses_key" in facts and function.name not in CONSUMING:
        yield from _differ("use of a key", facts["uses_key"], uses_key(function))
    elif function.name in CONSUMING and not uses_key(function):
        yield "does not use its key up"


def uses_key(function: ApiFunction) -> bool:
    """Does the table say that a function uses the key up that it is given?"""
    return any(parameter.key == "sink" for parameter in function.parameters)


def always_draws(name: str) -> bool:
    """Did each trial of a method draw from its key, where it took the kind of key?"""
    trials = measured("library_draws.json").get(name, {})
    return bool(trials) and all(trial["typed"] is True and trial["raw"] is not False for trial in trials.values())


def transform_disagreements(table: Table, name: str) -> Iterator[str]:
    """A transform that no run here can call, or one of a library that keeps its function."""
    transform, seen = table.transform(name), measured("library_solvers.json").get(name)
    if transform is None:
        yield f"{name} has no row"
    elif seen is not None:
        words = [argument.word for argument in transform.runs[0].arguments if argument.word != "others"]
        stated = ["text" if word == "kept" else "traced" for word in words] or ["traced"]
        yield from _differ("runs its function with", seen[: len(stated)], stated)
    else:
        yield from _differ("stage", NOT_RUN.get(name, "measured"), transform.stage)


def alias_disagreements(table: Table, name: str) -> Iterator[str]:
    """Another name of the same thing."""
    facts = library("aliases").get(name)
    if facts is None:
        yield f"nothing is measured of {name}"
        return
    yield from _differ("stands for", facts["target"], table.canonical(name))
    known = facts.get("same") or facts.get("same_parameters") or name in ALIKE
    if not (name in GONE if facts.get("gone") else known):
        yield f"{name} is not {facts['target']}"


def word_disagreements(table: Table, name: str) -> Iterator[str]:
    """The kind that an annotation names."""
    kind, fields = table.annotation(name), set(str(library("annotations").get(name)).split()[2:])
    if kind == "record" and not fields.issuperset(table.leaves(name)):
        yield f"the leaves of {name} are {sorted(fields)}, and not all of {table.leaves(name)}"
    if library("annotations").get(name) not in ANNOTATED.get(kind or "", ()):
        yield f"{name} is {library('annotations').get(name)}, not {kind}"


def effect_disagreements(table: Table, name: str) -> Iterator[str]:
    """What calling a name does; `absl.logging.fatal` cannot be tried."""
    fact = library("effects").get(name)
    yield from _differ("effect", "log" if name == "absl.logging.fatal" else fact, table.effect(name))


def key_disagreements(table: Table, name: str) -> Iterator[str]:
    """The keyword that takes a key."""
    yield from _differ("key argument", library("key_arguments").get(name), table.key_argument(f"{name}.anything"))


def stream_disagreements(table: Table, name: str) -> Iterator[str]:
    """How fresh keys are drawn."""
    way, ways = table.stream(name), library("streams").get(name, {})
    if not ways.get(way or ""):
        yield f"fresh keys are drawn from {name} by {sorted(ways)}, not by {way}"


def receiver_disagreements(table: Table, name: str) -> Iterator[str]:
    """A class whose objects hold options."""
    yield from _differ("holds options", name in OPTIONS, table.is_configuration(name))


def method_disagreements(table: Table, name: str) -> Iterator[str]:
    """A method that users call under a transform."""
    base, _, method = name.rpartition(".")
    yield from _differ("is traced by habit", name in TRACED_METHODS, table.traced_method(base, method))


CHECKS: dict[str, Callable[[Table, str], Iterator[str]]] = {
    "functions": function_disagreements,
    "transforms": transform_disagreements,
    "aliases": alias_disagreements,
    "annotations": word_disagreements,
    "effects": effect_disagreements,
    "key_arguments": key_disagreements,
    "receivers": receiver_disagreements,
    "streams": stream_disagreements,
    "traced_methods": method_disagreements,
}


def _differ(what: str, fact: object, stated: object) -> Iterator[str]:
    if fact != stated:
        yield f"{what}: measured {fact}, stated {stated}"
