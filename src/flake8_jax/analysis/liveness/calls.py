"""Calls: what a callee makes of the products that it is passed.

A function of the project is walked; one of a library computes its result from its arguments.  A callee that is not
known does the same if its result is bound to something, and reads its arguments if it stands alone as a statement.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from flake8_jax.analysis.callables import ClassValue
from flake8_jax.analysis.liveness.callees import Called, Code, called, hands_on_results, value_of
from flake8_jax.analysis.liveness.flow import Flow, enter
from flake8_jax.analysis.liveness.products import (
    NO_PRODUCTS,
    Mask,
    Products,
    below,
    chosen,
    come_together,
    data,
    folded,
    keys_or_data,
    masked,
    without,
)
from flake8_jax.analysis.liveness.tables import (
    COMPARING,
    COPYING,
    FIRST_FOR_SHAPE,
    FOLD,
    INITIALIZER,
    INITIALIZERS,
    KEEPING_KEYS,
    MAPPING,
    RESTORING,
    SELECTS,
    SHAPE_FUNCTIONS,
    SHAPE_PREFIXES,
    STARTING,
    STORING,
    WAITING,
    WAITING_METHODS,
)
from flake8_jax.analysis.liveness.transforms import products_of_runs
from flake8_jax.analysis.objects.classes import ancestry, lookup
from flake8_jax.domain.value import API
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase


@dataclass(slots=True)
class Passed:
    """The products of the arguments of a call, and of the object whose method is called."""

    receiver: Products
    positional: list[Products]
    keywords: dict[str | None, Products]
    is_starred: bool

    def all(self) -> Products:
        """All of them."""
        return self.receiver.union(*self.positional, *self.keywords.values())


def products_of_call(flow: Flow, op: Op) -> Products:
    """The products of the result of a call; what the callee reads is noted."""
    assert isinstance(op, ops.Call)
    is_statement = flow.statement is op
    flow.statement = None
    receiver = flow.products_of(flow, op.func.base if type(op.func) is ops.Attr else op.func)
    positional = [flow.products_of(flow, one) for one in op.args]
    passed = Passed(
        receiver, positional, {name: flow.products_of(flow, one) for name, one in op.keywords},
        any(type(one) is ops.Star for one in op.args),
    )  # fmt: skip
    given = passed.all()
    if not given:
        return NO_PRODUCTS
    flow.has_met = flow.has_met or come_together(given)
    if op in flow.made:
        flow.fed.update((op, draw) for one in given for draw in one.draws)
    function = function_called(flow, op.func)
    if function is not None:
        return _walk(flow, function, passed)
    if isinstance(op.func, (ops.Name, ops.Attr)) and RESTORING.search(op.func.name) and op.args:
        return frozenset(one for one in passed.all() if one.is_key)
    value = value_of(flow.code, op.func)
    if value is not None and value.kind is API:
        if value.name in WAITING:
            return passed.all()
        found = _library(flow, op, value.name, passed)
    elif value is not None and isinstance(value.payload, ClassValue):
        found = _constructed(value.payload, passed)
    elif type(op.func) is ops.Attr:
        found = _method(flow, op.func, passed, is_statement)
    elif type(op.func) is ops.Name and INITIALIZER.search(op.func.name):
        found = _initialized(op.func.name, passed)
    else:
        found = data(passed.all())
    if is_statement:
        flow.read(found)
        return NO_PRODUCTS
    return found


def function_called(flow: Flow, op: Op) -> Called | None:
    """The function of the project that a callee is, also under a transform that keeps its results."""
    if type(op) is ops.Name:
        local = flow.functions.get(op.scope.lookup(op.name))
        if local is not None:
            return Called(Code(local, flow.code.around))
    if type(op) is ops.Closure:
        return Called(Code(op.function, flow.code.around))
    if type(op) is ops.Call and op.args:
        wrapper = value_of(flow.code, op.func)
        row = flow.code.around.program.table.transform(wrapper.name) if wrapper is not None and wrapper.name else None
        return function_called(flow, op.args[0]) if row is not None and hands_on_results(row) else None
    value = value_of(flow.code, op)
    is_method = type(op) is ops.Attr and (value is None or not _is_module(flow, op.base))
    return called(value, is_method)


def _is_module(flow: Flow, op: Op) -> bool:
    base = value_of(flow.code, op)
    return base is not None and base.kind.value in ("module", "imported", "api", "class")


def _walk(flow: Flow, function: Called, passed: Passed) -> Products:
    parameters = function.code.function.parameters
    names = [one.name for one in parameters if one.kind in ("positional", "normal")]
    arguments: dict[str, Products] = {}
    if function.skips and names:
        arguments[names[0]] = passed.receiver
    arguments |= dict(zip(names[function.skips :], passed.positional, strict=False))
    known = {one.name for one in parameters}
    rest = passed.positional[len(names) - function.skips :]
    for one in parameters:
        if one.kind == "varargs":
            arguments[one.name] = keys_or_data(NO_PRODUCTS.union(*rest))
        elif one.kind == "varkw":
            others = [held for name, held in passed.keywords.items() if name not in known]
            arguments[one.name] = keys_or_data(NO_PRODUCTS.union(*others))
    arguments |= {name: held for name, held in passed.keywords.items() if name is not None and name in known}
    if passed.is_starred or None in passed.keywords:
        everything = keys_or_data(passed.all())
        arguments = {one.name: arguments.get(one.name, NO_PRODUCTS) | everything for one in parameters}
    return enter(flow, function.code, arguments)


def _library(flow: Flow, op: ops.Call, name: str, passed: Passed) -> Products:
    everything = passed.all()
    if name in SHAPE_FUNCTIONS or name.startswith(SHAPE_PREFIXES):
        return NO_PRODUCTS
    if name in COMPARING:
        flow.read(everything)
    if name in FIRST_FOR_SHAPE:
        return data(NO_PRODUCTS.union(*passed.positional[1:], *passed.keywords.values()))
    if name in SELECTS:
        return _selected(op, SELECTS[name], passed)
    if name in MAPPING and op.args:
        return _mapped(flow, op.args[0], passed)
    if name == "dataclasses.replace":
        return _copied(passed.positional[0] if passed.positional else NO_PRODUCTS, passed)
    row = flow.code.around.program.table.transform(name)
    if row is not None and row.runs and not row.wraps:
        found = products_of_runs(flow, op, row, function_called)
        return found if found is not None else data(everything)
    if name == FOLD:
        return folded(everything)
    if name in KEEPING_KEYS or name.startswith(("jax.numpy.", "jax.tree", "jax.device")) or "." not in name:
        return keys_or_data(everything)
    return data(everything)


def test_of(op: Op, holds: bool) -> Mask | None:
    """A test as a mask: of a name, or of a comparison with a constant."""
    if type(op) is ops.Name:
        return Mask(op.name, True, holds)
    if type(op) is not ops.Compare or op.operators != ("==",):
        return None
    (left, right) = op.operands
    left, right = (right, left) if type(left) is ops.Const else (left, right)
    return Mask(phrase(left), right.value, holds) if type(right) is ops.Const else None


def _selected(op: ops.Call, places: tuple[int, ...], passed: Passed) -> Products:
    arms = [passed.positional[place] for place in places if place < len(passed.positional)]
    masks = [test_of(op.args[0], holds) for holds in (True, False)] if len(places) == 2 and op.args else []
    if len(arms) == len(masks):
        arms = [arm if mask is None else masked(arm, mask) for arm, mask in zip(arms, masks, strict=True)]
    if len(places) == 1 and arms:
        arms = [frozenset((one,)) for one in arms[0]]
    tests = [held for place, held in enumerate(passed.positional) if place not in places]
    return data(chosen(map(data, arms))) | data(NO_PRODUCTS.union(*tests, *passed.keywords.values()))


def _mapped(flow: Flow, mapped: Op, passed: Passed) -> Products:
    """The products of a tree: the function is called with leaves, at the same places of each tree."""
    function = function_called(flow, mapped)
    trees = passed.positional[1:]
    if function is None:
        name = value.name if (value := value_of(flow.code, mapped)) is not None else ""
        return NO_PRODUCTS if name in SHAPE_FUNCTIONS else keys_or_data(passed.all())
    returned = _walk(flow, function, Passed(NO_PRODUCTS, [keys_or_data(tree) for tree in trees], {}, False))
    keys = {one.draws for one in returned if one.is_key}
    kept = [
        replace(one, is_key=one.is_key and one.draws in keys)
        for tree in trees
        for one in tree
        if any(one.draws == other.draws for other in returned)
    ]
    made = [one for one in returned if not any(one.draws == other.draws for other in kept)]
    return frozenset(kept) | frozenset(made) | keys_or_data(passed.positional[0])


def _copied(record: Products, passed: Passed) -> Products:
    """The products of a copy of a record with other fields."""
    for name, held in passed.keywords.items():
        if name is None:
            record |= keys_or_data(held)
        else:
            record = without(record, ((".", name),)) | below((".", name), held)
    return record


def _constructed(owner: ClassValue, passed: Passed) -> Products:
    """The products of an object: those of the fields of a record, else at no known place."""
    if lookup(owner, "__init__") is not None or passed.is_starred or None in passed.keywords:
        return data(passed.all())
    names = [name for current in reversed(ancestry(owner)) for name in current.annotations]
    fields: dict[str | None, Products] = {**dict(zip(names, passed.positional, strict=False)), **passed.keywords}
    found = NO_PRODUCTS
    for name, held in fields.items():
        found |= below((".", str(name)), held)
    return found


def _initialized(owner: str, passed: Passed) -> Products:
    """The products of what is set up: of a buffer's example, and of what follows a key, the shape is asked."""
    first = NO_PRODUCTS if "buffer" in owner.lower() else NO_PRODUCTS.union(*passed.positional[:1])
    return data(first) | data(one for one in passed.all() if one.is_key)


def _method(flow: Flow, func: ops.Attr, passed: Passed, is_statement: bool) -> Products:
    if func.name in COPYING and not passed.positional:
        return _copied(passed.receiver, passed)
    if func.name in STARTING:
        return frozenset(one for one in passed.all() if not one.is_key)
    if func.name in INITIALIZERS:
        return _initialized(phrase(func.base), passed)
    if is_statement and func.name in STORING and type(func.base) is ops.Name and flow.held is not None:
        binding = func.base.scope.lookup(func.base.name)
        if binding.owner is flow.code.function.scope and not binding.is_parameter:
            flow.set_name(binding, keys_or_data(passed.all()))
            return NO_PRODUCTS
    if is_statement and func.name in WAITING_METHODS:
        return NO_PRODUCTS
    if func.name == "get" and passed.receiver and func.base is not None:
        return keys_or_data(passed.all())
    others = [one for one in passed.all() if one not in passed.receiver]
    return data(passed.all()) if others else keys_or_data(passed.receiver)
