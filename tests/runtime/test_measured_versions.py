"""Facts that differ between versions of JAX: which, that the linter goes by them, and that they hold here."""

from __future__ import annotations

import json
from functools import cache
from importlib.metadata import version
from pathlib import Path

import pytest

from flake8_jax.analysis.checks.sequences import SequencePassed
from flake8_jax.api.measured import FOLDER, versions
from flake8_jax.api.rows import ApiFunction
from flake8_jax.api.table import load
from flake8_jax.runtime.measuring import files
from flake8_jax.runtime.measuring.naming.differences import NameTable, differences
from tests.support import probes
from tests.support.commands import command, write

OLD, MIDDLE, NEW = "0.6.2", "0.10.2", "0.12.0.1"
"""The versions that the tables below are about; others may be measured, too."""


@cache
def rows(number: str) -> dict[str, str]:
    """The rows of JAX's functions in one version."""
    facts = files.facts_in((FOLDER / number / "jax.json").read_text(encoding="utf-8"))
    return {name: str(row) for name, row in facts["functions"].items()}


def differing() -> list[str]:
    """Functions that all versions have, and that take or return something else in one of them."""
    everywhere = set.intersection(*(set(rows(number)) for number in versions()))
    said = {name: {without_values(function(name, number)) for number in versions()} for name in everywhere}
    return sorted(name for name in everywhere if len(said[name]) > 1)


def function(name: str, number: str) -> ApiFunction:
    found = load(number).function(name)
    assert found is not None, name
    return found


def without_values(row: ApiFunction) -> tuple[object, ...]:
    """What a row says but for which parameters must be concrete."""
    parameters = tuple((p.name, p.kind, p.rejects_sequences, p.key) for p in row.parameters)
    return parameters, row.returns, row.returns_like, row.variants


@pytest.mark.parametrize(
    ("name", "old", "middle", "new"),
    [
        ("jax.numpy.atleast_1d", "*arys", "*arys*", "*arys*"),
        ("jax.numpy.trim_zeros", "filt", "filt*", "filt*"),
        ("jax.random.t", "df*", "df*", "df*"),
        ("jax.scipy.special.expn", "n", "n", "n*"),
        ("jax.lax.ppermute", "perm", "perm!", "perm!"),
        ("jax.lax.dot", "preferred_element_type", "preferred_element_type!", "preferred_element_type!"),
        ("jax.numpy.clip", "a_min*", "", ""),
        ("jax.numpy.quantile", "interpolation!", "", ""),
        ("jax.numpy.meshgrid", "-> list", "-> list", "-> tuple"),
    ],
)
def test_a_fact_of_each_version(name: str, old: str, middle: str, new: str) -> None:
    for number, expected in ((OLD, old), (MIDDLE, middle), (NEW, new)):
        row = rows(number)[name]
        parts = {part.strip() for part in row.partition("(")[2].partition(")")[0].split(",")}
        if expected.startswith("->"):
            assert row.endswith(expected)
        else:
            assert expected in parts if expected else old not in parts


@pytest.mark.parametrize(
    ("call", "speaking"),
    [
        ("jnp.atleast_1d([1.0, 2.0])", {MIDDLE, NEW}),
        ("jnp.trim_zeros([0.0, 1.0])", {MIDDLE, NEW}),
        ("jax.random.t(key, [1.0, 2.0])", {OLD, MIDDLE, NEW}),
        ("jax.scipy.special.expn(1, [1.0, 2.0])", {NEW}),
        ("jnp.sum([1.0, 2.0])", {OLD, MIDDLE, NEW}),
        ("jnp.stack([1.0, 2.0])", set()),
    ],
)
def test_the_linter_goes_by_the_version(call: str, speaking: set[str]) -> None:
    text = f"import jax\nimport jax.numpy as jnp\n\nkey = jax.random.key(0)\nx = {call}\n"
    assert {number for number in (OLD, MIDDLE, NEW) if probes.events_of(text, load(number), SequencePassed)} == speaking


def test_the_option_chooses_the_version(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "import jax.numpy as jnp\n\nx = jnp.atleast_1d([1.0, 2.0])\n"})
    for number, said in ((OLD, []), (MIDDLE, ["a.py:3:20: JAX203"]), (NEW, ["a.py:3:20: JAX203"])):
        assert command(tmp_path, "check", "--strict", "--jax-version", number, "a.py").places == said


def test_what_differs_holds_in_the_version_that_is_installed(tmp_path: Path) -> None:
    names = differing()
    assert len(names) > 20
    assert version("jax") in versions()
    done = command(tmp_path, "measure", "--check", "--sample", "20", "--jobs", "1", *names)
    assert done.status == 0, done.output + done.errors


def test_names_and_parameters_that_are_lost() -> None:
    tables: dict[str, NameTable] = {}
    for number in versions():
        names = json.loads((FOLDER / number / "names.json").read_text(encoding="utf-8"))["names"]
        blocks: dict[str, list[str]] = {}
        for name, row in rows(number).items():
            blocks.setdefault(name.rpartition(".")[0], []).append(row)
        tables[number] = {"names": names, "functions": blocks}
    found = differences(tables[OLD], tables[MIDDLE])
    clip = {d.parameter for d in found if d.name == "jax.numpy.clip" and d.change == "lost"}
    assert clip == {"a", "a_max", "a_min"}
    lost = {d.name for d in found if d.change == "lost" and not d.parameter}
    assert {"jax.core.get_aval", "jax.lib.xla_bridge", "Array.layout"} <= lost
    assert not {"jax.random.PRNGKey", "jax.numpy.sum", "jax.Array"} & lost
