"""Transforms that run functions at once: the products that these get, and return."""

from __future__ import annotations

from collections.abc import Callable

from flake8_jax.analysis.liveness.callees import Called
from flake8_jax.analysis.liveness.flow import Flow, enter
from flake8_jax.analysis.liveness.products import NO_PRODUCTS, Products, chosen, data, each_item
from flake8_jax.api.transforms import CallShape, Transform
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op


def products_of_runs(
    flow: Flow, op: ops.Call, row: Transform, function_called: Callable[[Flow, Op], Called | None]
) -> Products | None:
    """The products that the functions return which a transform runs; None where one of them is not known."""
    given = _arguments(op, row)
    results: list[Products] = []
    for shape in row.runs:
        function = given.get(shape.function)
        found = _run(flow, shape, function, given, function_called) if function is not None else None
        if found is None:
            return None
        results.append(found)
    return data(chosen(results) if row.exclusive else NO_PRODUCTS.union(*results))


def _arguments(op: ops.Call, row: Transform) -> dict[str, Op]:
    """The ops of the arguments, by parameter."""
    found = {named.name: one for place, one in enumerate(op.args) if (named := row.parameter_at(place)) is not None}
    return found | {name: one for name, one in op.keywords if name is not None}


def _run(
    flow: Flow, shape: CallShape, function: Op, given: dict[str, Op],
    function_called: Callable[[Flow, Op], Called | None],
) -> Products | None:  # fmt: skip
    called = None if shape.each else function_called(flow, function)
    if called is None:
        return None
    names = [one.name for one in called.code.function.parameters if one.kind in ("positional", "normal")]
    arguments: dict[str, Products] = {}
    for name, one in zip(names[called.skips :], shape.arguments, strict=False):
        source = given.get(one.parameter)
        held = flow.products_of(flow, source) if source is not None else NO_PRODUCTS
        arguments[name] = each_item(held) if one.word in ("each", "leaf") else held
    if any(one.word == "rest" for one in shape.arguments):
        return None
    return enter(flow, called.code, arguments)
