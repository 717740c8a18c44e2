"""The question of liveness: are the results of two draws both read as values?

params = model.init(key, normal(key, (1, 8)))       the second draw gives a shape only: harmless
a, b = normal(key), uniform(key)                    both are returned: the reuse matters
return jnp.where(c, a, b)                           one at a time: harmless
"""

from __future__ import annotations

from flake8_jax.analysis.liveness.callees import Code, value_of
from flake8_jax.analysis.liveness.calls import function_called
from flake8_jax.analysis.liveness.flow import Flow, Read
from flake8_jax.analysis.liveness.operations import products_of
from flake8_jax.analysis.liveness.products import NO_PRODUCTS, Child, Product, Products, keys_or_data
from flake8_jax.analysis.liveness.statements import end_module, run
from flake8_jax.analysis.liveness.tables import KEEPING_KEYS
from flake8_jax.domain.resources import Draw
from flake8_jax.ir import ops

FIRST, SECOND = 0, 1
MAXIMUM_DEPTH = 6


def are_both_read(first: Draw, second: Draw) -> bool:
    """Are results of both draws read, other than as two arms of one choice?"""
    if first.op is second.op:
        return bool(_reads({FIRST: first}))
    if first.code == second.code:
        reads = _reads({FIRST: first, SECOND: second})
    else:
        reads = _reads({FIRST: first}) | _reads({SECOND: second})
    return any(_meet(one, other) for one in reads for other in reads)


def _meet(one: Read, other: Read) -> bool:
    """Are results of both draws read here, and of the same child if both are splits?"""
    is_same_child = one[1] is None or other[1] is None or one[1] == other[1]
    return one[0] != other[0] and is_same_child


def _reads(draws: dict[int, Draw]) -> set[Read]:
    """What is read of the draws of one body."""
    (code, *_) = [draw.code for draw in draws.values()]
    assert isinstance(code, Code)
    made: dict[ops.Op, Products] = {}
    flow = Flow(made, code, products_of, run)
    for label, draw in draws.items():
        products, is_read = _made_by(draw, label, 0)
        made[draw.op] = made.get(draw.op, NO_PRODUCTS) | products
        if is_read:
            flow.reads.add((frozenset((label,)), None))
    _walk(flow)
    for label, draw in draws.items():
        if draw.op not in flow.visited:
            flow.reads.add((frozenset((label,)), None))
    return flow.reads


def _walk(flow: Flow) -> None:
    function = flow.code.function
    flow.running.append(function)
    flow.run(flow, function.body)
    flow.running.pop()
    flow.read(flow.waiting.returned)
    for name, held in (flow.held or {}).items():
        if name.owner is function.scope and function.kind in ("module", "class") and not name.name.startswith("_"):
            flow.read(held)
    if function.kind in ("module", "class"):
        end_module(flow, function)


def _made_by(draw: Draw, label: int, depth: int) -> tuple[Products, bool]:
    """The products of the op of a draw, and whether its callees read them already."""
    if not draw.inner:
        assert isinstance(draw.code, Code)
        callee = value_of(draw.code, draw.op.func) if type(draw.op) is ops.Call else None
        is_key = callee is not None and callee.name in KEEPING_KEYS
        child: Child = "all" if callee is not None and callee.name == "jax.random.split" else None
        return frozenset((Product(frozenset((label,)), (), is_key, child),)), False
    found, is_read = NO_PRODUCTS, depth >= MAXIMUM_DEPTH
    for inner in draw.inner if not is_read else ():
        products, was_read = _returned(inner, label, depth + 1)
        is_direct = _is_direct(draw, inner)
        found |= products if is_direct else keys_or_data(products)
        is_read |= was_read
    return found, is_read


def _returned(draw: Draw, label: int, depth: int) -> tuple[Products, bool]:
    """The products that a callee returns, and whether it reads them."""
    products, is_read = _made_by(draw, label, depth)
    assert isinstance(draw.code, Code)
    flow = Flow({draw.op: products}, draw.code, products_of, run)
    flow.running.append(draw.code.function)
    flow.run(flow, draw.code.function.body)
    is_read |= bool(flow.reads) or draw.op not in flow.visited or draw.code.function.is_generator
    return flow.waiting.returned, is_read


def _is_direct(draw: Draw, inner: Draw) -> bool:
    """Is the result of the call that of the callee's body?"""
    if type(draw.op) is not ops.Call or not isinstance(draw.code, Code):
        return False
    flow = Flow({}, draw.code, products_of, run)
    function = function_called(flow, draw.op.func)
    return function is not None and function.code.function is inner.code.function
