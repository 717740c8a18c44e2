"""Every row of the hand-stated table says what was measured, and is needed to say it."""

from __future__ import annotations

import facts
import probes
import pytest

from flake8_jax.api.rows import ApiFunction
from flake8_jax.api.table import load

ROWS = load().row_ids()
# Measured, and left to silence: constructors of rare number types, abstract classes.
NO_ROW = frozenset(
    (
        "jax.numpy.float6_e2m3fn", "jax.numpy.float6_e3m2fn", "jax.numpy.int1", "jax.numpy.ndarray", "jax.numpy.uint1",
        "jax.ref.AbstractRef",
    )
)  # fmt: skip


@pytest.mark.parametrize("row", ROWS)
def test_a_row_agrees_with_what_was_measured_and_its_loss_is_noticed(row: str) -> None:
    assert facts.disagreements(load(), row) == []
    assert facts.disagreements(load().without(row), row) != []


@pytest.mark.parametrize("name", sorted(facts.jax_functions()))
def test_every_measured_function_has_a_row(name: str) -> None:
    assert (load().function(name) is None) == (name in NO_ROW)


@pytest.mark.parametrize("name", sorted(facts.library("functions")))
def test_every_measured_library_function_has_a_row(name: str) -> None:
    assert load().function(name) is not None


@pytest.mark.parametrize("name", sorted(facts.transforms()))
def test_every_measured_transform_has_a_row(name: str) -> None:
    assert load().transform(name) is not None


@pytest.mark.parametrize("family", ["aliases", "annotations", "effects", "key_arguments", "streams"])
def test_every_other_fact_has_a_row(family: str) -> None:
    stated = {row.partition("/")[2] for row in ROWS if row.startswith(f"{family}/")}
    assert set(facts.library(family)) - stated == set()


def test_no_row_is_hidden_behind_an_alias() -> None:
    names = [row.partition("/")[2] for row in ROWS if not row.startswith(("aliases/", "traced_methods/"))]
    assert [name for name in names if load().canonical(name) not in (name, name.removeprefix("builtins."))] == []


def test_exceptions_are_still_exceptions() -> None:
    known = facts.jax_functions()
    for name, parameter in facts.UNMARKED:
        assert known[name]["marks"][parameter] in ("*", "!")
    for name in facts.DEPENDS:
        function = load().function(name)
        assert function is not None
        assert function.returns == "unknown" != known[name]["returns"]
    for name in facts.GONE:
        assert facts.library("aliases")[name]["gone"]


FUNCTIONS = [row for row in ROWS if row.startswith("functions/jax.") and not row.endswith("__call__")]
# Two draws with one key keep pairs aligned: the linter lets them pass.
ALIGNING = frozenset(("jax.random.choice", "jax.random.permutation"))
# A missed alarm: what keeps non-arrays static does not yet trust an annotation that says array.
MISSED = frozenset(("equinox.filter_vmap",))


def function_of(row: str) -> ApiFunction:
    function = load().function(row.removeprefix("functions/"))
    assert function is not None
    return function


@pytest.mark.parametrize("row", FUNCTIONS)
def test_a_list_is_reported_where_the_row_says_so(row: str) -> None:
    function = function_of(row)
    rejecting = {parameter.name for parameter in function.parameters if parameter.rejects_sequences}
    programs = dict(probes.with_sequences(function))
    assert {name for name, text in programs.items() if probes.demands(text, load(), "array")} == rejecting
    without = load().without(row)
    assert [name for name in rejecting if probes.demands(programs[name], without, "array")] == []


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
    assert bool(probes.demands(program, load(), "bool")) == is_traced, program
    assert probes.demands(program, load().without(row), "bool") == 0
