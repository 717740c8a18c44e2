"""Every stated row says what was seen and is needed to say it; every row, measured too, makes the linter speak."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Sequence

import pytest

from flake8_jax.analysis.checks.concrete import TracerConcretized
from flake8_jax.analysis.checks.sequences import SequencePassed
from flake8_jax.api import measured, stated
from flake8_jax.api.measured import Measured
from flake8_jax.api.rows import ApiFunction
from flake8_jax.api.table import Table, load
from tests.api import facts
from tests.support import probes

ROWS = load().row_ids()
# Corrections of measured rows: what remains of them without the statement is the measured row.
CORRECTIONS = frozenset(
    (
        "functions/jax.numpy.einsum", "transforms/flax.nnx.jit_partial", "transforms/jax.lax.reduce",
        "transforms/jax.lax.reduce_window", "transforms/jax.numpy.fromfunction", "transforms/jax.scipy.linalg.funm",
        "transforms/jax.tree.map", "transforms/jax.tree.map_with_path", "transforms/flax.traverse_util.path_aware_map",
        "transforms/jax.smap", "transforms/jax.shard_map", "transforms/jax.experimental.shard_map.shard_map",
    )
)  # fmt: skip


def is_stated(row: str) -> bool:
    """Does the row stand in stated.toml?"""
    family, _, name = row.partition("/")
    block, _, last = name.rpartition(".")
    if family == "functions":
        return any(text.strip().startswith(f"{last}(") for text in stated.read().functions.get(block, "").splitlines())
    if family == "transforms":  # without `parameters` it corrects a measured row
        return "parameters" in stated.read().transform(name)
    return name in stated.read().plain.get(family, {name: ""})


STATED = [row for row in ROWS if is_stated(row) and row not in CORRECTIONS]


def speaks(row: str, table: Table) -> bool:
    """Does a row of a table say what its name is, and not that of which it is another name in this version?"""
    name = row.partition("/")[2]
    names = {name, name.removeprefix("builtins.")}
    return row.startswith(("aliases/", "traced_methods/")) or table.canonical(name) in names


def table_of(row: str) -> Table:
    """The table of the installed version, or of one in which a row speaks: 0.12 measures a function of `jax.sharding`,
    of which nothing was measured before, as that of `jax`.
    """
    tables = (load(), *map(load, reversed(measured.versions())))
    return next((table for table in tables if speaks(row, table)), load())


def test_a_stated_row_agrees_with_what_was_seen_and_its_loss_is_noticed() -> None:
    tables = {row: table_of(row) for row in STATED}
    offenders = [wrong for row, table in tables.items() for wrong in facts.disagreements(table, row)]
    offenders += [
        f"{row}: without it" for row, table in tables.items() if not facts.disagreements(table.without(row), row)
    ]
    assert not offenders, "\n".join(offenders)


def test_corrections_correct_something() -> None:
    plain = stated.read().plain
    bare = Table(stated.parse(""), Measured(load().version))
    for row in CORRECTIONS:
        family, _, name = row.partition("/")
        without, now = (t.function(name) if family == "functions" else t.transform(name) for t in (bare, load()))
        assert without is not None
        assert without != now
    for name, word in plain["returns"].items():
        function = load().function(name)
        assert function is not None
        assert function.returns == word.partition("(")[0]
        assert name in facts.library("functions") or bare.function(name) != function


def test_every_function_seen_has_a_row() -> None:
    names = sorted(facts.library("functions"))
    offenders = [name for name in names if load().function(name) is None]
    offenders += [wrong for name in names for wrong in facts.disagreements(load(), f"functions/{name}")]
    assert not offenders, "\n".join(offenders)


def test_roles_are_of_functions_that_transforms_run() -> None:
    for name in stated.read().plain["roles"]:
        transform, parameter = load().transform(name), ""
        if transform is None:
            name, _, parameter = name.rpartition(".")
            transform = load().transform(name)
        assert transform is not None, name
        assert transform.role if not parameter else [call.role for call in transform.runs if call.function == parameter]


def test_every_other_fact_has_a_row() -> None:
    families = ("aliases", "annotations", "effects", "key_arguments", "streams")
    seen = {f"{family}/{name}" for family in families for name in facts.library(family)}
    offenders = sorted(seen - set(ROWS))
    assert not offenders, "\n".join(offenders)


def test_no_row_is_hidden_behind_an_alias() -> None:
    hidden = [row for row in ROWS if not speaks(row, load())]
    assert [row for row in hidden if not speaks(row, table_of(row))] == []
    unknown = [row for row in hidden if load().function(row.partition("/")[2]) is None]
    assert not unknown, "what another name stands for has a row"


def test_gone_aliases_are_gone() -> None:
    assert [name for name in facts.GONE if not facts.library("aliases")[name]["gone"]] == []


FUNCTIONS = [row for row in ROWS if row.startswith("functions/jax.") and not row.endswith("__call__")]
# Two shuffles with one key keep pairs aligned: the linter lets them pass.
ALIGNING = frozenset(("jax.random.permutation",))
# A missed alarm: what keeps non-arrays static does not yet trust an annotation that says array.
MISSED = frozenset(("equinox.filter_vmap",))


def function_of(row: str) -> ApiFunction:
    function = load().function(row.removeprefix("functions/"))
    assert function is not None
    return function


def lists_reported(rows: Sequence[str], table: Table) -> dict[str, list[str]]:
    """The parameters of functions that may be handed no list, as a table has it: one program calls them all."""
    functions = {row: function_of(row) for row in rows}
    calls = [(row, name, call) for row, function in functions.items() for name, call in probes.with_sequences(function)]
    modules = dict.fromkeys(function.name.rpartition(".")[0] for function in functions.values())
    text = "".join([*(f"import {module}\n" for module in modules), *(call for _, _, call in calls)])
    lines = probes.lines_of(text, table, SequencePassed)
    found: dict[str, list[str]] = {row: [] for row in rows}
    for line, (row, name, _) in enumerate(calls, len(modules) + 1):
        found[row] += [name] if line in lines else []
    return found


TOGETHER = 40
"""So many rows are asked by one program: a program of its own for each takes six times as long."""


@pytest.mark.slow
def test_a_list_is_reported_where_the_rows_say_so() -> None:
    offenders, rejecting = list[str](), 0
    for start in range(0, len(FUNCTIONS), TOGETHER):
        rows = FUNCTIONS[start : start + TOGETHER]
        said, silent = lists_reported(rows, load()), lists_reported(rows, load().without(*rows))
        for row in rows:
            expected = [parameter.name for parameter in function_of(row).parameters if parameter.rejects_sequences]
            rejecting += len(expected)
            if said[row] != expected:
                offenders.append(f"{row}: {said[row]}, not {expected}")
            if silent[row]:
                offenders.append(f"{row}: {silent[row]} without it")
    assert not offenders, "\n".join(offenders)
    assert rejecting > len(FUNCTIONS)


@pytest.mark.parametrize("row", [r for r in FUNCTIONS if any(p.key == "sink" for p in function_of(r).parameters)])
def test_a_key_is_used_up_where_the_row_says_so(row: str) -> None:
    program = probes.with_one_key(function_of(row))
    assert probes.reuses(program, load()) == (row.removeprefix("functions/") not in ALIGNING)
    assert probes.reuses(program, load().without(row)) == 0


@pytest.mark.parametrize("row", [row for row in ROWS if row.startswith("transforms/")])
def test_a_branch_is_reported_where_the_row_says_that_arrays_are_traced(row: str) -> None:
    transform = load().transform(row.removeprefix("transforms/"))
    assert transform is not None
    program = probes.with_a_branch(transform)
    is_traced = transform.stage in ("staged", "mapped") and transform.name not in MISSED
    assert bool(probes.events_of(program, load(), TracerConcretized)) == is_traced, program
    assert probes.events_of(program, load().without(row), TracerConcretized) == 0


WRITING = """
import importlib, io, jax, json
def refused(name):
    module, _, function = name.partition(".")
    call = getattr(importlib.import_module(module), function)
    file = io.StringIO() if module == "json" else io.BytesIO()
    given = (lambda x: (file, x)) if module == "numpy" else (lambda x: (x,) if function == "dumps" else (x, file))
    call(*given([1.0]))
    try:
        jax.jit(lambda x: call(*given(x)))(jax.numpy.ones(2))
    except Exception as error:
        return type(error).__name__
print(json.dumps({name: refused(name) for name in NAMES}))
"""

REFUSALS = {
    **{f"numpy.{name}": "TracerArrayConversionError" for name in ("save", "savetxt", "savez", "savez_compressed")},
    "json.dump": "TypeError",
    "pickle.dump": "ConcretizationTypeError",
    "pickle.dumps": "ConcretizationTypeError",
}


@pytest.mark.slow
def test_what_writes_takes_no_tracer() -> None:
    if importlib.util.find_spec("jax") is None:
        pytest.skip("JAX is not installed")
    program = WRITING.replace("NAMES", repr([*REFUSALS]))
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert json.loads(ran.stdout) == REFUSALS
    functions = [load().function(name) or ApiFunction(name) for name in REFUSALS]
    offenders = [one.name for one in functions if not any(parameter.must_be_concrete for parameter in one.parameters)]
    assert not offenders, "\n".join(offenders)


COMPARING = """
import bisect, heapq, jax
calls = {
    "bisect": lambda f, x: f([0.0, 1.0], x), "heappush": lambda f, x: f([x], x), "nlargest": lambda f, x: f(2, [x, x]),
}
def refused(name):
    module, _, last = name.partition(".")
    function = getattr({"bisect": bisect, "heapq": heapq}[module], last)
    call = calls.get(last, calls["nlargest" if module == "heapq" else "bisect"])
    call(function, 0.5)
    try:
        jax.jit(lambda x: call(function, x))(0.5)
    except Exception as error:
        return type(error).__name__
print(*{refused(name) for name in NAMES})
"""


@pytest.mark.slow
def test_what_compares_takes_no_tracer() -> None:
    names = [
        row.removeprefix("functions/") for row in STATED if row.startswith(("functions/bisect.", "functions/heapq."))
    ]
    assert len(names) == 9
    if importlib.util.find_spec("jax") is None:
        pytest.skip("JAX is not installed")
    ran = subprocess.run(
        [sys.executable, "-c", COMPARING.replace("NAMES", repr(names))], capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == "TracerBoolConversionError"
