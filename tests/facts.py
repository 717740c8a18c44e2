"""What was measured by running JAX and the libraries around it, and where a table disagrees with it.

The files in tests/data are written by the scripts beside them.  What a run cannot tell stands here, and says why.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from flake8_jax.api.rows import ApiFunction, ApiParameter, Transform
from flake8_jax.api.table import Table

DATA = Path(__file__).parent / "data"

# Returns that depend on more than the row can say (rank, number of arguments, mode), so that the row says "unknown".
DEPENDS = frozenset(
    (
        "jax.device_get", "jax.lax.create_token", "jax.lax.linalg.qr", "jax.nn.get_scaled_dot_general_config",
        "jax.numpy.atleast_1d", "jax.numpy.atleast_2d", "jax.numpy.atleast_3d", "jax.numpy.gradient",
        "jax.scipy.linalg.qr",
    )
)  # fmt: skip
# Returns that a run shows in another light.
RETURNS = {
    "jax.copy_to_host_async": "none",  # gives its argument back under a trace only
    "jax.free_ref": "none",  # an empty tuple
    "jax.ref.free_ref": "none",
    "jax.make_mesh": "static",  # a mesh is a context manager, hence callable
    "jax.random.key_data": "array",  # looks like an old-style key, and is data
}
# Marks that are left out, although a run shows them.
UNMARKED = {
    ("jax.empty_ref", "ty"): "a type, not an array",
    ("jax.free_ref", "ref"): "a reference, not an array",
    ("jax.ref.empty_ref", "ty"): "a type, not an array",
    ("jax.ref.free_ref", "ref"): "a reference, not an array",
    ("jax.typeof", "x"): "wants a type's value, array or not",
    ("jax.numpy.einsum", "operands"): "einsum(x, [0, 1]) interleaves operands and lists",
    ("jax.numpy.from_dlpack", "x"): "wants another library's array",
    ("jax.numpy.frombuffer", "buffer"): "wants bytes",
    ("jax.lax.index_take", "idxs"): "wants one array for each axis",
    ("jax.scipy.linalg.cho_solve", "c_and_lower"): "only its second half must be concrete",
}
# Keys that a run does not show to be used up: linen folds names into them, yet two inits with one key are alike.
CONSUMING = frozenset(("flax.linen.Module.init", "flax.linen.Module.init_with_output"))
# What no run here can call, with what its documentation says.
NOT_CALLED = {
    "jax.debug.breakpoint": "none",
    "jax.lax.pbroadcast": "like",
    "jax.lax.precv": "unknown",
    "jax.lax.psend": "unknown",
    "jax.nn.scaled_dot_general": "array",
}
NOT_RUN = {
    "jax.experimental.host_callback.id_tap": "host",  # removed after 0.4.30
    "jax.experimental.host_callback.call": "host",
    "jax.experimental.pallas.kernel": "staged",  # needs a TPU or GPU
    "jax.experimental.pallas.core_map": "staged",
    "flax.linen.remat_scan": "staged",
}
# A member without a row of its own, for each row that speaks for a whole module.
MEMBERS = {
    "numpy.*": "numpy.sin",
    "numpy.fft.*": "numpy.fft.fft",
    "numpy.linalg.*": "numpy.linalg.inv",
    "numpy.random.*": "numpy.random.normal",
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
    "ref": {"ref", "variable"},
    "static": {"int bool", "bool", "str"},
    "wrapper": {"wrapper"},
}
# Conventions: who calls these methods is the users' habit.
TRACED_METHODS = {
    "equinox.Module.__call__", "flax.linen.Module.__call__", "flax.nnx.Module.__call__", "haiku.Module.__call__",
}  # fmt: skip


@cache
def measured(name: str) -> dict[str, Any]:
    """A file of facts."""
    facts: dict[str, Any] = json.loads((DATA / name).read_text(encoding="utf-8"))
    return facts


def jax_functions() -> dict[str, Any]:
    """Facts of JAX's own functions, by qualified name."""
    functions: dict[str, Any] = measured("jax_facts_0.10.2.json")["functions"]
    return functions


def library(family: str) -> dict[str, Any]:
    """A family of facts of everything else."""
    facts: dict[str, Any] = measured("library_facts.json")[family]
    return facts


def transforms() -> dict[str, Any]:
    """Facts of the transforms."""
    facts: dict[str, Any] = measured("transform_facts.json")["transforms"]
    return facts


def disagreements(table: Table, row_id: str) -> list[str]:
    """Where the table says something else than was measured of what this row is about."""
    family, _, name = row_id.partition("/")
    return list(CHECKS[family](table, name))


def function_disagreements(table: Table, name: str) -> Iterator[str]:
    """A function, method, property or whole module."""
    name = MEMBERS.get(name, name).removeprefix("builtins.")
    if name.startswith("Array.properties."):
        last = name.rpartition(".")[2]
        yield from _differ("property", library("properties").get(last), table.attribute(last))
        return
    function = table.function(name)
    if function is None:
        yield f"{name} has no row"
    elif name in NOT_CALLED:
        yield from _differ("returns", NOT_CALLED[name], function.returns)
    elif name in jax_functions():
        yield from _jax_function(function, jax_functions()[name])
    elif name in library("functions"):
        yield from _library_function(function, library("functions")[name])
    else:
        yield f"nothing is measured of {name}"


def _jax_function(function: ApiFunction, facts: dict[str, Any]) -> Iterator[str]:
    if "parameters" in facts:
        yield from _differ("parameters", facts["parameters"], shown(function.parameters))
    if "returns" in facts and not _returns_agree(function, facts["returns"]):
        yield f"returns {facts['returns']}, not {function.returns}"
    if "returns" in facts and function.name not in DEPENDS:
        stated = {
            f"{v.parameter} absent" if v.absent else f"{v.parameter}={v.value!r}": v.returns for v in function.variants
        }
        yield from _differ("variants", facts.get("variants", {}), stated)
    by_name = {parameter.name: parameter for parameter in function.parameters}
    for name, marks in facts.get("marks", {}).items():
        if (function.name, name) not in UNMARKED and name in by_name:
            yield from _differ(f"marks of {name}", set(marks), marks_of(by_name[name]))


def _returns_agree(function: ApiFunction, fact: str) -> bool:
    if function.returns == "like":
        return fact in ("array", "key", "keys")
    if function.returns == "sequence":
        return fact in ("list", "tuple")
    if function.returns == "unknown":
        return fact == "mixed" or function.name in DEPENDS
    return function.returns == RETURNS.get(function.name, fact)


def _library_function(function: ApiFunction, facts: dict[str, Any]) -> Iterator[str]:
    host, traced = facts["host"], facts["traced"]
    agrees = {
        "array": "array" in (host, traced),
        "own": host == "numpy" and traced == "array",
        "numpy": host == "numpy" and traced in ("numpy", "error"),
        "static": host == "static" and traced in ("static", "error"),
        "none": "none" in (host, traced),
        "instance": host == "mixed",
        "like": "array" in (host, traced),
        "sequence": host in ("list", "tuple"),
        "unknown": True,
    }
    if not agrees.get(function.returns, host == function.returns):
        yield f"returns {host} on the host and {traced} under a trace, not {function.returns}"
    uses_key = any(parameter.key == "sink" for parameter in function.parameters)
    if "uses_key" in facts and function.name not in CONSUMING:
        yield from _differ("use of a key", facts["uses_key"], uses_key)
    elif function.name in CONSUMING and not uses_key:
        yield "does not use its key up"


def transform_disagreements(table: Table, name: str) -> Iterator[str]:
    """A transform: how it runs what it is given."""
    transform, facts = table.transform(name), transforms().get(name)
    if transform is None or facts is None:
        yield f"{name} has no row" if facts else f"nothing is measured of {name}"
    elif name in NOT_RUN:
        yield from _differ("stage", NOT_RUN[name], transform.stage)
    else:
        stated = [parameter.name for parameter in transform.parameters]
        yield from _differ("parameters", _public(facts.get("parameters")), _public(stated))
        yield from _differ("stage", facts["stage"], transform.stage)
        runs = [call for call in transform.runs if call.function != "decorated"]
        yield from _differ("functions are called at once", facts["at_call"], bool(runs))
        yield from _differ("references are passed", facts["refs"], transform.passes == "ref")
        if "loops" in facts and transform.stage != "mapped":
            yield from _differ("loops", facts["loops"], transform.loops)
        yield from _arities(transform, facts["arities"])


def _public(names: list[str] | None) -> list[str] | None:
    return None if names is None else [name for name in names if not name.startswith("_")]


def _arities(transform: Transform, arities: list[int]) -> Iterator[str]:
    varargs = {parameter.name for parameter in transform.parameters if parameter.kind == "varargs"}
    for call, arity in zip(transform.runs, arities):
        open_ended = any(argument.word == "rest" or argument.parameter in varargs for argument in call.arguments)
        fixed = sum(argument.word != "rest" and argument.parameter not in varargs for argument in call.arguments)
        if arity < fixed if open_ended else arity != fixed:
            yield f"{call.function} is called with {arity} arguments, not {fixed}"


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
    kind = table.annotation(name)
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
    "streams": stream_disagreements,
    "traced_methods": method_disagreements,
}


def _differ(what: str, fact: object, stated: object) -> Iterator[str]:
    if fact != stated and not (what == "parameters" and fact is None):
        yield f"{what}: measured {fact}, stated {stated}"


def marks_of(parameter: ApiParameter) -> set[str]:
    """The marks that a parameter was parsed from."""
    marks = {"*": parameter.rejects_sequences, "!": parameter.must_be_concrete}
    marks |= {"@": parameter.key == "sink", "~": parameter.key == "derive"}
    return {mark for mark, present in marks.items() if present}


def shown(parameters: tuple[ApiParameter, ...]) -> str:
    """The parameters as the scripts show a signature."""
    public = [p for p in parameters if not p.name.startswith("_") or len(parameters) == 1]
    parts: list[str] = []
    for place, parameter in enumerate(public):
        before = public[place - 1].kind if place else None
        after = public[place + 1].kind if place + 1 < len(public) else None
        if parameter.kind == "keyword" and before not in ("keyword", "varargs"):
            parts.append("*")
        parts.append({"varargs": "*", "varkw": "**"}.get(parameter.kind, "") + parameter.name)
        if parameter.kind == "positional" and after != "positional":
            parts.append("/")
    return ", ".join(parts)
