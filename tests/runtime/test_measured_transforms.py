"""Measuring functions that take functions: home-made ones whose rows are known, and a few of JAX's by name."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import pytest

jax = pytest.importorskip("jax")

import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402

from flake8_jax.api import stated  # noqa: E402
from flake8_jax.api.transforms import parse_transform  # noqa: E402
from flake8_jax.runtime.measuring.families import transforms  # noqa: E402
from flake8_jax.runtime.measuring.transforming import candidates  # noqa: E402
from flake8_jax.runtime.measuring.transforming.rowing import measured  # noqa: E402


def scanning(step: Any, start: Any, rows: Any) -> Any:
    return jax.lax.scan(step, start, rows)


def mapping(function: Any, in_axes: Any = 0) -> Any:
    return lambda *args: jax.vmap(function, in_axes=in_axes)(*args)


def calling_back(tell: Any, *values: Any) -> None:
    jax.debug.callback(tell, *values)


def choosing(flag: Any, yes: Any, no: Any, value: Any) -> Any:
    return jax.lax.cond(flag, yes, no, value)


def only_yes(flag: Any, yes: Any, no: Any, value: Any) -> Any:
    return yes(value)


def unrolled(body: Any, rows: Any, turns: int) -> Any:
    return [body(rows[turn]) for turn in range(int(turns))]


def compiling(function: Any, frozen: Any = ()) -> Any:
    return jax.jit(function, static_argnums=frozen)


def slope(function: Any) -> Any:
    return jax.grad(function)


def shapes_of(function: Any, *values: Any) -> Any:
    return jax.eval_shape(function, *values)


def swapped(function: Any, left: Any, right: Any) -> Any:
    return function(right, left), left


def twice(function: Any, value: Any) -> Any:
    return function(function(value))


def no_lists(function: Any, value: Any) -> Any:
    return function(jnp.sin(value))


ROWS: list[tuple[Callable[..., Any], str, dict[str, Any]]] = [
    (scanning, "T(p(lambda c, e: (c, r)), x, xs)", {
        "parameters": "step, start, rows", "runs": ["step(start, each rows)"], "stage": "staged",
        "returns": "result step", "loops": True, "times": ["1"], "expects": ["(start, any)"]}),
    (mapping, "T(p())(xs, ys)", {
        "parameters": "function, in_axes!", "wraps": "function", "stage": "mapped", "axes": "in_axes",
        "times": ["1"], "expects": ["any"]}),
    (calling_back, "T(p(lambda *a: None), x, y)", {
        "parameters": "tell, *values", "runs": ["tell(host *values)"], "stage": "host", "returns": "unknown",
        "times": ["0"], "expects": ["any"]}),
    (choosing, "T(b, p(), p(), x)", {
        "parameters": "flag*, yes, no, value", "runs": ["yes(value)", "no(value)"], "stage": "staged",
        "returns": "result yes", "exclusive": True, "times": ["1", "1"], "expects": ["same", "same"]}),
    (only_yes, "T(b, p(), p(), x)", {
        "parameters": "flag, yes, no, value", "runs": ["yes(value)"], "returns": "result yes",
        "times": ["1"], "expects": ["any"]}),
    (unrolled, "T(p(), xs, n)", {
        "parameters": "body, rows, turns!", "runs": ["body(each rows)"], "returns": "unknown", "loops": True,
        "times": ["each"], "expects": ["any"]}),
    (compiling, "T(p())(x, y)", {
        "parameters": "function, frozen", "wraps": "function", "stage": "staged", "statics": ["frozen"],
        "times": ["1"], "expects": ["any"]}),
    (slope, "T(p(lambda a, c: a.sum()))(x, y)", {
        "parameters": "function", "wraps": "function", "stage": "differentiated", "returns": "argument 0",
        "times": ["1"], "expects": ["scalar"]}),
    (shapes_of, "T(p(), x, y)", {
        "parameters": "function, *values", "runs": ["function(*values)"], "stage": "staged", "returns": "unknown",
        "abstract": True, "times": ["1"], "expects": ["any"]}),
    (swapped, "T(p(), x, y)", {
        "parameters": "function, left, right", "runs": ["function(right, left)"],
        "returns": "(result function, left)", "times": ["1"], "expects": ["any"]}),
    (twice, "T(p(lambda a: r), x)", {
        "parameters": "function, value", "runs": ["function(unknown)"], "returns": "result function",
        "times": ["2"], "expects": ["any"]}),
    (no_lists, "T(p(), x)", {
        "parameters": "function, value*", "runs": ["function(value)"], "returns": "result function",
        "times": ["1"], "expects": ["any"]}),
]  # fmt: skip

# From JAX's documentation, by hand.
REAL: dict[str, dict[str, Any]] = {
    "jax.lax.scan": {
        "parameters": "f, init, xs, length!, reverse!, unroll!", "runs": ["f(init, each xs)"], "stage": "staged",
        "returns": "result f", "loops": True, "times": ["1"], "expects": ["(init, any)"]},
    "jax.lax.while_loop": {
        "parameters": "cond_fun, body_fun, init_val", "runs": ["cond_fun(init_val)", "body_fun(init_val)"],
        "stage": "staged", "returns": "init_val", "loops": True, "expects": ["bool", "init_val"]},
    "jax.lax.fori_loop": {
        "runs": ["body_fun(index, init_val)"], "stage": "staged", "returns": "init_val", "loops": True,
        "expects": ["init_val"]},
    "jax.lax.switch": {
        "runs": ["each branches(*operands)"], "stage": "staged", "returns": "result branches", "exclusive": True,
        "expects": ["same"]},
    "jax.value_and_grad": {
        "wraps": "fun", "stage": "differentiated", "returns": "(result fun, argument 0)", "expects": ["scalar"]},
    "jax.jvp": {"runs": ["fun(*primals)"], "stage": "differentiated", "expects": ["any"]},
    "jax.vmap": {"wraps": "fun", "stage": "mapped", "axes": "in_axes"},
    "jax.pure_callback": {
        "runs": ["callback(host *args)"], "stage": "host", "expects": ["result_shape_dtypes"]},
    "jax.make_jaxpr": {"wraps": "fun", "stage": "staged", "returns": "unknown", "abstract": True},
    "jax.tree.map": {"runs": ["f(leaf tree, leaf rest)"], "loops": True, "times": ["each"]},
}  # fmt: skip


fact_of = functools.cache(transforms.fact)


@pytest.mark.parametrize(("transform", "text", "row"), ROWS, ids=lambda value: getattr(value, "__name__", ""))
def test_a_row_says_what_a_home_made_transform_does(transform: Any, text: str, row: dict[str, Any]) -> None:
    assert measured(transform, text) == row


@pytest.mark.parametrize("name", REAL)
def test_rows_of_jax_are_as_documented(name: str) -> None:
    fact = fact_of(name)
    assert isinstance(fact, dict)
    assert {key: fact.get(key) for key in REAL[name]} == REAL[name]
    assert set(fact) - set(REAL[name]) <= {"parameters", "times", "statics", "returns", "expects"}


@pytest.mark.parametrize("name", sorted(REAL))
def test_what_is_measured_is_a_row(name: str) -> None:
    fact = fact_of(name)
    assert isinstance(fact, dict)
    row = {key: value for key, value in fact.items() if key not in ("times", "expects", "bools")}
    transform = parse_transform(name, row)
    assert transform.runs or transform.wraps


def test_a_call_that_does_not_work_is_not_measured() -> None:
    assert measured(scanning, "T(p(lambda c, e: c), x, xs)") is None
    assert measured(scanning, "T(p())") is None
    assert measured(slope, "T(p(lambda a: a))(x)") is None


def test_a_name_that_is_not_there_is_not_measured() -> None:
    assert transforms.fact("jax.lax.no_such_loop") is None


def test_measuring_leaves_nothing_behind(capsys: pytest.CaptureFixture[str]) -> None:
    before = str(np.random.get_state()), dict(jax.config.values)
    first = transforms.fact("jax.lax.map")
    transforms.fact("jax.experimental.pallas.pallas_call")
    assert transforms.fact("jax.lax.map") == first
    assert (str(np.random.get_state()), dict(jax.config.values)) == before
    assert capsys.readouterr().out == ""


def test_every_subject_has_a_call_or_a_reason() -> None:
    uncalled = set(transforms.subjects()) - candidates.called()
    assert [name for name in sorted(uncalled) if name not in stated.unmeasured()] == []


def test_calls_and_reasons_are_sorted_and_apart() -> None:
    lines = candidates.CALLS.read_text(encoding="utf-8").split("\n\n")
    for block in lines[1:]:
        names = [line.partition(" = ")[0] for line in block.splitlines() if line.startswith('"')]
        assert names == sorted(set(names))
    assert [name for name in candidates.called() if name in stated.unmeasured()] == []
