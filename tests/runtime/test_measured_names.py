"""Names, deprecations, aliases and what calls do beside returning: some facts as measured here, by the JAX at hand, and
differences of made-up versions.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from functools import cache
from typing import Any

import pytest

from flake8_jax.runtime.measuring.naming.differences import Difference, differences

needs_jax = pytest.mark.skipif(importlib.util.find_spec("jax") is None, reason="jax is not installed")
ASKED = {
    "names": ["jax.ops", "Array", "jax.experimental", "jax.interpreters.mlir"],
    "deprecations": ["jax.scipy.special.lpmn", "jax.jit(device)", "jax.jit(inline)", "jax.vjp(reduce_axes)"],
    "purity": [
        "jax.numpy.sort", "jax.lax.psum", "jax.debug.print", "Array.delete", "Array.at.set", "jax.numpy.save",
        "jax.numpy.set_printoptions", "jax.tree_util.register_static", "jax.grad", "jax.numpy.sort",
    ],
    "aliases": ["jax.NamedSharding", "jax.custom_derivatives.custom_jvp"],
}  # fmt: skip
PROGRAM = """
import importlib, json, sys
asked = json.loads(sys.argv[1])
families = {name: importlib.import_module(f"flake8_jax.runtime.measuring.families.{name}") for name in asked}
facts = {name: [families[name].fact(subject) for subject in subjects] for name, subjects in asked.items()}
print(json.dumps(facts))
"""


@cache
def facts() -> dict[str, dict[str, Any]]:
    """What was asked, in a process of its own; of a name that is asked twice, the answers are equal."""
    environment = {**os.environ, "JAX_PLATFORMS": "cpu"}
    command = [sys.executable, "-c", PROGRAM, json.dumps(ASKED)]
    ran = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    answers: dict[str, list[Any]] = json.loads(ran.stdout)
    found: dict[str, dict[str, Any]] = {}
    for family, names in ASKED.items():
        for name, answer in zip(names, answers[family]):
            assert found.setdefault(family, {}).setdefault(name, answer) == answer
    return found


@needs_jax
def test_a_module_offers_what_is_its_own() -> None:
    names = facts()["names"]
    assert names["jax.ops"] == ["segment_max", "segment_min", "segment_prod", "segment_sum"]
    assert {"at", "sort", "shape"} <= set(names["Array"])
    assert {"pallas", "sparse"} <= set(names["jax.experimental"])
    assert "ir" in names["jax.interpreters.mlir"]
    assert not {"os", "sys", "np", "annotations"} & {name for found in names.values() for name in found}


@needs_jax
def test_what_is_deprecated_says_so() -> None:
    found = facts()["deprecations"]
    assert found["jax.scipy.special.lpmn"]["state"] == "deprecated"
    assert "device" in found["jax.jit(device)"]["says"]
    assert found["jax.vjp(reduce_axes)"]["state"] == "removed"
    assert found["jax.jit(inline)"] == ""


@needs_jax
def test_calls_do_something_or_only_return() -> None:
    found = facts()["purity"]
    assert {name for name, words in found.items() if words == ""} == {
        "jax.numpy.sort", "jax.lax.psum", "Array.at.set", "jax.grad",
    }  # fmt: skip
    assert found["jax.debug.print"] == ["effect", "output"]
    assert found["Array.delete"] == found["jax.numpy.save"] == ["argument"]
    assert found["jax.numpy.set_printoptions"] == found["jax.tree_util.register_static"] == ["state"]


@needs_jax
def test_an_alias_is_the_same_object() -> None:
    assert facts()["aliases"] == {
        "jax.NamedSharding": "jax.sharding.NamedSharding",
        "jax.custom_derivatives.custom_jvp": "jax.custom_jvp",
    }


def test_names_of_two_versions_are_compared() -> None:
    old = {"names": {"jax": ["grad", "tree_map"], "jax.util": ["unzip2"]}}
    new = {"names": {"jax": ["grad", "smap"], "jax.ref": ["get", "set"]}}
    assert differences(old, new) == [
        Difference("jax.ref", "", "new"),
        Difference("jax.smap", "", "new"),
        Difference("jax.tree_map", "", "lost"),
        Difference("jax.util", "", "lost"),
    ]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("f(x, y)", "f(x, y) -> key", []),
        ("f(a, a_min)", "f(arr, min)", [("a", "renamed", "arr"), ("a_min", "renamed", "min")]),
        ("f(x, y)", "f(y)", [("x", "lost", "")]),
        ("f(x)", "f(x, *, y)", [("y", "new", "")]),
        ("f(x, *, y)", "f(x, *, z)", [("y", "lost", ""), ("z", "new", "")]),
        ("f(x, y)", "f(x, *, z)", [("y", "lost", ""), ("z", "new", "")]),
        ("f(x, /)", "f(a, /)", [("x", "renamed", "a")]),
    ],
)
def test_parameters_of_two_versions_are_compared(old: str, new: str, expected: list[tuple[str, str, str]]) -> None:
    found = differences({"functions": {"m": [old]}}, {"functions": {"m": [new]}})
    assert found == [Difference("m.f", *what) for what in expected]  # type: ignore[arg-type]


def test_a_function_that_is_gone_has_no_parameters_to_lose() -> None:
    assert differences({"functions": {"m": ["f(x)"]}}, {"functions": {"m": ["g(x)"]}}) == []
