"""The question of liveness: are the results of two draws both read as values?

params = model.init(key, normal(key, (1, 8)))       the second draw gives a shape only: harmless
a, b = normal(key), uniform(key)                    both are returned: the reuse matters
return jnp.where(c, a, b)                           one at a time: harmless
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from flake8_jax.analysis.liveness.callees import Code, value_of
from flake8_jax.analysis.liveness.calls import function_called
from flake8_jax.analysis.liveness.flow import Flow, ProductRead, never
from flake8_jax.analysis.liveness.operations import products_of
from flake8_jax.analysis.liveness.products import NO_PRODUCTS, Child, Product, Products, data, keys_or_data
from flake8_jax.analysis.liveness.questions import LivenessQuestion, asked, site_of
from flake8_jax.analysis.liveness.statements import end_module, names_in, read_unused, run
from flake8_jax.analysis.liveness.tables import KEEPING_KEYS, KEPT_INSIDE, PLACEHOLDER
from flake8_jax.domain.resources import DrawSite
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of

FIRST, SECOND = 0, 1
SPLIT = "jax.random.split"
ANY_CHILD: frozenset[Child] = frozenset(("each", None))
MAXIMUM_DEPTH = 6
COMPOUND = frozenset((ops.Branch, ops.Loop, ops.Try, ops.With))


@dataclass(frozen=True, slots=True)
class Readings:
    """How the results of two draws are read: both as values, and the first by the second."""

    are_both: bool
    is_chained: bool = False


def readings(first: DrawSite, second: DrawSite) -> Readings:
    """Are results of both draws read, other than as two arms of one choice?"""
    if first.op is second.op and first.inner == second.inner:
        return Readings(is_read(first))
    if first.inner and second.inner and _have_other_children(first, second):
        return Readings(False)
    if first.code != second.code:
        reads = _walked({FIRST: first}).reads | _walked({SECOND: second}).reads
        return Readings(any(_meet(one, other) for one in reads for other in reads))
    flow = _walked({FIRST: first, SECOND: second}, is_answered=_are_both)
    return Readings(_are_both(flow.reads), (second.op, FIRST) in flow.fed)


def can_meet(first: DrawSite, second: DrawSite) -> bool:
    """Can results of two draws of one body come together: in one value, one call, or one result?"""
    if first.code != second.code or first.op is second.op:
        return True
    return _walked({FIRST: first, SECOND: second}, is_closed=True).has_met


def _are_both(reads: set[ProductRead]) -> bool:
    return sum(_meet(one, other) for one in reads for other in reads) > 0  # all of them: a set has no order


def _have_other_children(first: DrawSite, second: DrawSite) -> bool:
    """Do two callees only split the key, and draw from keys of other indices?"""
    if not (_splits(first) and _splits(second)):
        return False
    one, other = (_children_within(draw, 0) for draw in (first, second))
    return bool(one and other) and not (one | other) & ANY_CHILD and one.isdisjoint(other)


def _splits(draw: DrawSite) -> bool:
    return all(_splits(inner) for inner in draw.inner) if draw.inner else draw.by == SPLIT


def readings_of_iterations(draw: DrawSite, loop: ops.Op) -> Readings:
    """How the results of a draw in two iterations of a loop are read, not only the last."""
    _, is_read = _made_by(draw, FIRST, 0)
    flow = _turned(draw, loop)
    is_chained = (draw.op, FIRST) in flow.fed
    if is_read or draw.op not in flow.visited:
        return Readings(True, is_chained)
    if type(loop) is not ops.Loop:
        return Readings(bool(flow.reads))
    return Readings(_are_both(flow.reads), is_chained)


def _turned(draw: DrawSite, loop: ops.Op) -> Flow:
    """The walk in which a draw is another one in the second iteration of a loop."""
    code = draw.code
    assert isinstance(code, Code)

    def walk() -> Flow:
        products, _ = _made_by(draw, FIRST, 0)
        later, _ = _made_by(draw, SECOND, 0)
        flow = Flow({draw.op: products}, code, products_of, run, loop=loop, again={draw.op: later})
        _walk(flow, is_finished=False)
        return flow

    return asked(code, LivenessQuestion(((FIRST, site_of(draw)),), "turned", loop), walk)


def is_read_after(draw: DrawSite, cut: ops.Op, loop: ops.Op | None) -> bool:
    """Is the result of a draw read after the statement of another op, `cut`?

    With a `loop`, that is the statement in its next iteration.
    """
    code, is_cut = draw.code, False
    assert isinstance(code, Code)
    flow = Flow({draw.op: _of(FIRST)}, code, products_of, run, loop=loop)
    if loop is not None:
        flow.again = {draw.op: _of(SECOND)}

    def run_to_cut(flow: Flow, body: ops.Body) -> None:
        nonlocal is_cut
        for op in body:
            run(flow, (op,))
            if op.anchor is cut.anchor and type(op) not in COMPOUND:
                is_cut = True
                flow.reads.clear()

    flow.run = run_to_cut
    _walk(flow, is_finished=True, is_closed=True)
    return is_cut and not flow.is_over and any(FIRST in one.draws for one in flow.reads)


def _of(label: int) -> Products:
    return frozenset((Product(frozenset((label,))),))


def children_read(draw: DrawSite) -> frozenset[Child]:
    """Which keys of the splits of a draw are drawn from: by index, "each", or None for some."""
    found = _children(_walked({FIRST: draw}, is_closed=True).reads)
    if draw.inner and is_read(draw):
        found = found.union(*(_children_within(inner, 1) for inner in draw.inner))
    return found


def _children_within(draw: DrawSite, depth: int) -> frozenset[Child]:
    """Which keys of its splits a callee draws from."""
    if draw.inner:
        found = [_children_within(inner, depth + 1) for inner in draw.inner] if depth < MAXIMUM_DEPTH else []
        return frozenset[Child]().union(*found)
    if draw.by != SPLIT:
        return frozenset()
    flow = _walked_body(draw, FIRST, 0)
    return _children(flow.reads) | _children(flow.read_of(flow.waiting.returned))


def _children(reads: Iterable[ProductRead]) -> frozenset[Child]:
    return frozenset(one.child for one in reads if not one.is_other)


def is_read(draw: DrawSite, is_finished: bool = False) -> bool:
    """Is the result of a draw read, as a value or as a key?  Code `is_finished` if it would read what it binds."""
    return bool(_walked({FIRST: draw}, is_finished, is_answered=bool).reads)


def is_value_read(draw: DrawSite) -> bool:
    """Is a key compared or computed with here, itself or what is drawn from it?"""
    return any(not one.is_other for one in _walked({FIRST: draw}, is_closed=True).reads)


def is_unread(draw: DrawSite) -> bool:
    """Is the result of a draw bound to names that nothing looks up?"""
    flow = _walked({FIRST: draw}, is_finished=True)
    chains = chains_of(flow.code.function)
    is_loaded = any(not names.isdisjoint(chains.loaded) for names in flow.plain)
    return bool(flow.plain) and not flow.reads and not is_loaded


def _meet(one: ProductRead, other: ProductRead) -> bool:
    """Are results of both draws read here on one path, and of the same child if both are splits?"""
    if one.is_apart(other):
        return False
    if one.mask is not None and other.mask is not None and one.mask.excludes(other.mask):
        return False
    children = {one.child, other.child}
    is_same_child = len(children) == 1 or not children.isdisjoint(ANY_CHILD)
    return one.draws != other.draws and is_same_child


def _walked(
    draws: dict[int, DrawSite], is_finished: bool = False, is_closed: bool = False,
    is_answered: Callable[[set[ProductRead]], bool] = never,
) -> Flow:  # fmt: skip
    """The walk over the body of some draws.

    Nobody else reads what is bound there, if it `is_closed`; it may end once it `is_answered`.
    """
    (code, *_) = [draw.code for draw in draws.values()]
    assert isinstance(code, Code)

    def walk() -> Flow:
        made: dict[ops.Op, Products] = {}
        reads: set[ProductRead] = set()
        for label, draw in draws.items():
            products, is_read = _made_by(draw, label, 0)
            if draw.inner and (is_read or products) and _is_example(draw):
                products, is_read = data(products), False
            made[draw.op] = made.get(draw.op, NO_PRODUCTS) | products
            if is_read:
                reads.add(ProductRead(frozenset((label,))))
        flow = Flow(made, code, products_of, run, reads=reads, is_answered=is_answered)
        _walk(flow, is_finished, is_closed)
        for label, draw in draws.items():
            if draw.op not in flow.visited:
                flow.reads.add(ProductRead(frozenset((label,))))
        return flow

    sites = tuple((label, site_of(draw)) for label, draw in draws.items())
    return asked(code, LivenessQuestion(sites, (is_finished, is_closed, is_answered)), walk)


def _is_example(draw: DrawSite) -> bool:
    """Is what a call gives bound to names that say that it is asked for its shape only?"""
    chains = chains_of(draw.code.function)
    statement = next((one for one in reversed(chains.way_to(draw.op)) if type(one) is ops.Store), None)
    if statement is None or statement.value is not draw.op:
        return False
    names = [name.name for target in statement.targets for name in names_in(target)]
    return any(map(PLACEHOLDER.search, names)) and all(PLACEHOLDER.search(one) or not one.strip("_") for one in names)


def _walk(flow: Flow, is_finished: bool, is_closed: bool = False) -> None:
    function = flow.code.function
    flow.running.append(function)
    flow.asked = function
    flow.run(flow, function.body)
    flow.running.pop()
    if not is_finished:
        read_unused(flow)
    loaded = chains_of(function).loaded
    for name, held in (flow.held or {}).items() if not is_closed else ():
        if name.owner is function.scope and function.kind in ("module", "class") and not name.name.startswith("_"):
            flow.read(frozenset(one for one in held if not one.is_key or name not in loaded))
    if function.kind in ("module", "class"):
        end_module(flow, function)


def _made_by(draw: DrawSite, label: int, depth: int) -> tuple[Products, bool]:
    """The products of the op of a draw, and whether its callees read them already."""
    if not draw.inner:
        assert isinstance(draw.code, Code)
        callee = value_of(draw.code, draw.op.func) if type(draw.op) is ops.Call else None
        is_key = callee is not None and callee.name in KEEPING_KEYS
        child: Child = "all" if callee is not None and callee.name == SPLIT else None
        has_effects = draw.has_effects or draw.by in KEPT_INSIDE
        return frozenset((Product(frozenset((label,)), (), is_key, child),)), has_effects
    found, is_read = NO_PRODUCTS, depth >= MAXIMUM_DEPTH
    for inner in draw.inner if not is_read else ():
        products, was_read = _returned(inner, label, depth + 1)
        is_direct = _is_direct(draw, inner)
        found |= products if is_direct else keys_or_data(products)
        is_read |= was_read
    return found, is_read


def _returned(draw: DrawSite, label: int, depth: int) -> tuple[Products, bool]:
    """The products that a callee returns, and whether it reads them."""
    _, is_read = _made_by(draw, label, depth)
    flow = _walked_body(draw, label, depth)
    is_read |= bool(flow.reads) or draw.op not in flow.visited or flow.code.function.is_generator
    return flow.waiting.returned, is_read


def _walked_body(draw: DrawSite, label: int, depth: int) -> Flow:
    """The walk over the body of a callee that draws."""
    code = draw.code
    assert isinstance(code, Code)

    def walk() -> Flow:
        products, _ = _made_by(draw, label, depth)
        flow = Flow({draw.op: products}, code, products_of, run)
        flow.running.append(code.function)
        flow.run(flow, code.function.body)
        read_unused(flow)
        return flow

    return asked(code, LivenessQuestion(((label, site_of(draw)),), ("body", depth)), walk)


def _is_direct(draw: DrawSite, inner: DrawSite) -> bool:
    """Is the result of the call that of the callee's body?"""
    if type(draw.op) is not ops.Call or not isinstance(draw.code, Code):
        return False
    flow = Flow({}, draw.code, products_of, run)
    function = function_called(flow, draw.op.func)
    return function is not None and function.code.function is inner.code.function
