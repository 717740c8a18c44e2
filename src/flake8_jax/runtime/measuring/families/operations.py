"""Python's syntax and protocols applied to arrays: the result or exception in every stage.

    fact("bool(x)")  ->  {"jit": {"scalar": "TracerBoolConversionError", "vector": "ValueError"}, "grad": ..., ...}

The stages: `jit`, `vmap`, `grad` (of a function that is not jitted), `callback` (of jax.pure_callback) and `eager`; one
that is like `jit` in all is left out.  A stage has one word, or one for each kind of array: "scalar" (floating),
"vector" (floating, of rank 1), "bool" and "int" (of rank 0); a kind that is like "scalar" is left out.  There is no
`grad` of bool and int.  A word is an exception's class or what comes back: array, numpy, list, tuple, dict, set, True,
False, None, static (another plain value of Python) or object.
"""

from __future__ import annotations

import ast
import bisect
import collections.abc
import copy
import functools
import heapq
import io
import json
import math
import numbers
import operator
import pickle
import random
import statistics
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import jax
import jax.numpy as jnp
import numpy as np

from flake8_jax.api.stated import toml
from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.measuring import hosting
from flake8_jax.runtime.measuring.family import MeasuredFact
from flake8_jax.runtime.measuring.hosting.kinds import PLAIN
from flake8_jax.runtime.measuring.hosting.quiet import undisturbed

SECTION = "operations"
STATED = Path(hosting.__file__).with_name("operations.toml")
KINDS: dict[str, Foreign] = {
    "scalar": np.float32(1.0),
    "vector": np.array([1.0, 2.0, 3.0], np.float32),
    "bool": np.bool_(True),
    "int": np.int32(1),
}
FLOATING = ("scalar", "vector")
CONTAINERS = (list, tuple, dict, set)


@cache
def texts() -> tuple[str, ...]:
    """Every operation, as Python source."""
    found = toml(STATED.read_text(encoding="utf-8"))
    return tuple(text.strip() for text in found["operations"])


def subjects() -> dict[str, str]:
    """Every operation; its name is its source."""
    return dict.fromkeys(texts(), "python")


def fact(name: str) -> MeasuredFact | None:
    """The outcomes of the operation in each stage."""
    words = {stage: in_stage(name, stage) for stage in STAGES}
    usual = words["jit"]
    floating = _short({kind: usual[kind] for kind in FLOATING})
    as_jit = {stage: floating if stage == "grad" else _short(usual) for stage in STAGES}
    found = {stage: _short(of_kind) for stage, of_kind in words.items()}
    return {stage: word for stage, word in found.items() if stage == "jit" or word != as_jit[stage]}


def in_stage(name: str, stage: str) -> dict[str, str]:
    """The outcomes of the operation in one stage, for each kind of array."""
    run, kinds = STAGES[stage]
    with undisturbed():
        return {kind: run(name, KINDS[kind]) for kind in kinds}


def _short(words: dict[str, str]) -> str | dict[str, str]:
    usual = words["scalar"]
    others = {kind: word for kind, word in words.items() if word != usual}
    return {"scalar": usual, **others} if others else usual


def outcome(text: str, x: Foreign, y: Foreign) -> str:
    """The word for one execution."""
    scope: dict[str, Foreign] = {
        "jax": jax, "jnp": jnp, "np": np, "bisect": bisect, "copy": copy, "functools": functools, "heapq": heapq,
        "json": json, "math": math, "operator": operator, "pickle": pickle, "random": random, "statistics": statistics,
        "time": SimpleNamespace(sleep=operator.index), "abc": collections.abc, "numbers_abc": numbers,
        "nowhere": io.StringIO(), "numbers": [0, 1, 2], "host": np.ones(3, np.float32), "table": {}, "x": x, "y": y,
    }  # fmt: skip
    try:
        if isinstance(ast.parse(text).body[0], ast.Expr) and "\n" not in text:
            return _word(eval(text, scope))
        exec(text, scope)
        return _word(scope.get("r", scope["x"] if scope["x"] is not x else None))
    except Exception as error:
        return type(error).__name__


def _word(value: Foreign) -> str:
    if isinstance(value, jax.Array):
        return "array"
    if isinstance(value, (np.ndarray, np.generic)):
        return "numpy"
    if value is None or isinstance(value, bool):
        return str(value)
    if isinstance(value, CONTAINERS):
        return type(value).__name__ if not isinstance(value, tuple) else "tuple"
    return "static" if isinstance(value, PLAIN) else "object"


def _noting(text: str, seen: list[str]) -> Callable[[Foreign, Foreign], Foreign]:
    """A function of two arrays that can be transformed; what the operation does in it is noted."""

    def function(x: Foreign, y: Foreign) -> Foreign:
        seen.append(outcome(text, x, y))
        return jnp.sum(x)

    return function


def jitted(text: str, sample: Foreign) -> str:
    """Under jax.jit, traced only: that is when Python runs."""
    seen: list[str] = []
    jax.make_jaxpr(jax.jit(_noting(text, seen)))(sample, sample)
    return seen[0]


def mapped(text: str, sample: Foreign) -> str:
    """Under jax.vmap."""
    seen: list[str] = []
    many = np.stack([sample, sample])
    jax.vmap(_noting(text, seen))(many, many)
    return seen[0]


def differentiated(text: str, sample: Foreign) -> str:
    """Under jax.grad alone."""
    seen: list[str] = []
    jax.grad(_noting(text, seen), argnums=(0, 1))(sample, sample)
    return seen[0]


def called_back(text: str, sample: Foreign) -> str:
    """In a callback, on the value that it receives during a computation.

    It is kept and used afterwards: an operation of JAX that waits for the computation that waits for it never ends.
    """
    seen: list[tuple[Foreign, Foreign]] = []

    def call(x: Foreign, y: Foreign) -> Foreign:
        seen.append((x, y))
        return np.float32(0)

    jax.pure_callback(call, np.float32(0), sample, sample).block_until_ready()
    return outcome(text, *seen[0])


def eager(text: str, sample: Foreign) -> str:
    """Outside of all transforms."""
    return outcome(text, jnp.asarray(sample), jnp.asarray(sample))


StageTrial = tuple[Callable[[str, Foreign], str], tuple[str, ...]]
STAGES: dict[str, StageTrial] = {
    "jit": (jitted, tuple(KINDS)),
    "vmap": (mapped, tuple(KINDS)),
    "grad": (differentiated, FLOATING),
    "callback": (called_back, tuple(KINDS)),
    "eager": (eager, tuple(KINDS)),
}
