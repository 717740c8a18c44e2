"""Calls: what a callee makes of the labels that it is passed, and the labels of its own.

A function of the project does what the pass over its body found; one of a library computes its result from its
arguments.  A callee that is not known does the same if its result is bound to something, and reads its arguments if it
stands alone as a statement.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from flake8_jax.analysis.callables import ClassValue
from flake8_jax.analysis.labels.bodies import PLAIN, OwnResult
from flake8_jax.analysis.labels.callees import Called, Code, beside, called, hands_on_results, is_super, value_of
from flake8_jax.analysis.labels.flows import (
    DATA,
    MIXED,
    NOTHING,
    Flow,
    Mask,
    Placement,
    below,
    changed,
    chosen,
    data,
    each_item,
    folded,
    keys_only,
    labels_in,
    masked,
    mixed,
    others_only,
    part,
    placed,
    seeds,
    shown,
    skeleton,
    united,
    with_labels,
    without,
)
from flake8_jax.analysis.labels.passes import Pass, entered, own_results
from flake8_jax.analysis.labels.refilling import is_refilled
from flake8_jax.analysis.labels.tables import (
    COMPARING,
    COMPILING,
    COPYING,
    DRAWING,
    FIRST_FOR_SHAPE,
    FLATTENING,
    FOLD,
    INITIALIZERS,
    KEEPING_KEYS,
    MAPPING,
    SEEDING,
    SEEDING_OPTION,
    SELECTS,
    SHAPE_ATTRIBUTES,
    SHAPE_FUNCTIONS,
    SHAPE_PREFIXES,
    SHOWN_BY,
    SPLIT,
    STARTING,
    STORING,
    UPDATING,
    WAITING,
    WAITING_METHODS,
)
from flake8_jax.analysis.objects.classes import lookup, placed_fields
from flake8_jax.api.replacing import REPLACING
from flake8_jax.api.single_outcomes import ONE_OUTCOME, has_one_outcome
from flake8_jax.api.transforms import CallShape, Transform
from flake8_jax.domain.kinds import API
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.ops import Function, Op
from flake8_jax.ir.parts import Host
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.scope import Binding
from flake8_jax.ir.walking import path_root
from flake8_jax.lazy_dataclasses import dataclass, replace
from flake8_jax.syntax.policies import (
    FIGURE_FUNCTION,
    FIGURE_NAME,
    INITIALIZER_NAME,
    KEY_NAME,
    RESTORING_FUNCTION,
    SHOWING_METHOD,
)

NONE_LOCAL: Mapping[Binding, Function] = {}
SOMEWHERE = (PLAIN, OwnResult("key", Placement((), (MIXED,))), OwnResult("split", Placement((), (MIXED,))))
"""What a call may give that runs functions in a manner of its own."""


@dataclass
class Passed:
    """The labels in the arguments of a call, and in the object whose method is called."""

    receiver: Flow
    positional: list[Flow]
    keywords: dict[str | None, Flow]
    is_starred: bool

    @cached_property
    def all(self) -> Flow:
        """All of them."""
        return united(self.receiver, *self.positional, *self.keywords.values())


def flow_of_call(walk: Pass, op: Op) -> Flow:
    """The labels in the result of a call, those of its own included; what the callee reads is noted."""
    assert isinstance(op, ops.Call)
    is_statement = walk.statement is op
    walk.statement = None
    base = op.func.base if type(op.func) is ops.Attr else op.func
    receiver = walk.flow_of(walk, base) if not is_super(base) else _object(walk)
    positional = [walk.flow_of(walk, argument) for argument in op.args]
    passed = Passed(
        receiver, positional, {name: walk.flow_of(walk, one) for name, one in op.keywords},
        any(type(argument) is ops.Star for argument in op.args),
    )  # fmt: skip
    walk.found.fed[op] = walk.found.fed.get(op, 0) | labels_in(walk.note_met(passed.all))
    function = function_called(walk, op.func)
    if function is not None:
        function = function.flagged(walk.code, op)
        found = _restored(passed) if _restores(op) else _enter(walk, function, passed, op)
        return united(found, walk.labelled(op, (PLAIN, *own_results(walk, function.code))))
    value = value_of(walk.code, op.func)
    found = _result(walk, op, value, passed, is_statement)
    if is_statement and not _hands_through(value):
        if not _is_to_compile(walk, op):
            walk.read(shown(found) if _shows(walk, op.func, value) else found)
        found = NOTHING
    return united(found, walk.labelled(op, _own_of(walk, value)))


def _object(walk: Pass) -> Flow:
    """The labels in the object whose method this is."""
    function = walk.code.function
    binding = function.scope.names.get(function.parameters[0].name) if function.parameters else None
    return walk.lookup(binding) if binding is not None else NOTHING


def _shows(walk: Pass, func: Op, value: Value | None) -> bool:
    """Does a call only show what it is given: print it, draw it, log it?"""
    table, name = walk.code.around.program.table, value.name if value is not None else ""
    if name:
        used = table.host(name)
        if table.effect(name) in SHOWN_BY or (used is not None and used.kind == "metric") or name.startswith(DRAWING):
            return True
    if not isinstance(func, (ops.Name, ops.Attr)):
        return False
    held = func.scope.lookup(func.name) if type(func) is ops.Name else None
    if held is not None and held.owner is walk.code.function.scope and not held.imported:
        return False  # a function that is made here, of which the name tells little
    if FIGURE_FUNCTION.match(func.name) is not None or SHOWING_METHOD.match(func.name) is not None:
        return True
    root = path_root(func)
    return type(func) is ops.Attr and root is not None and FIGURE_NAME.search(root.name) is not None


def _is_to_compile(walk: Pass, call: ops.Call) -> bool:
    """Does a call that stands alone run a local function which other calls run for its result?  Its own is dropped."""
    if type(call.func) is not ops.Name:
        return False
    chains = chains_of(walk.code.function)
    definition = chains.found_by(call.func)
    return definition is not None and any(
        type(other) is ops.Call and other.func is read and len(other.args) == len(call.args)
        and type(chains.parents.get(other)) is ops.Store
        for read in chains.reads_of(definition)
        if (other := chains.parents.get(read)) is not call
    )  # fmt: skip


def _hands_through(value: Value | None) -> bool:
    return value is not None and value.kind is API and value.name in WAITING


def _own_of(walk: Pass, value: Value | None) -> tuple[OwnResult, ...]:
    """The labels of new results that a call of unknown or library code gives."""
    name = value.name if value is not None and value.kind is API else ""
    if name == SPLIT:
        return (OwnResult("split", Placement()),)
    if name in KEEPING_KEYS:
        return (OwnResult("key", Placement()),)
    is_plain = bool(name) and walk.code.around.program.table.transform(name) is None
    return (PLAIN,) if is_plain else SOMEWHERE


def _result(walk: Pass, op: ops.Call, value: Value | None, passed: Passed, is_statement: bool) -> Flow:
    """The labels in the result of a call of unknown or library code, given those in its arguments."""
    given = passed.all
    if not given:
        return NOTHING
    if value is not None and value.name in SEEDING:
        return seeds(given)
    if SEEDING_OPTION in passed.keywords:
        started: dict[str | None, Flow] = {SEEDING_OPTION: seeds(passed.keywords[SEEDING_OPTION])}
        passed = replace(passed, keywords=passed.keywords | started)
        given = passed.all
    if _restores(op):
        return _restored(passed)
    if value is not None and value.kind is API:
        return given if value.name in WAITING else _library(walk, op, value.name, passed)
    if value is not None and isinstance(value.payload, ClassValue):
        return _constructed(value.payload, passed)
    if type(op.func) is ops.Attr:
        return _method(walk, op, op.func, passed, is_statement)
    if type(op.func) is ops.Name and INITIALIZER_NAME.search(op.func.name):
        if _is_key(op, 1) and not _is_key(op, 0):  # `init_fn(weight, key)`, of a weight of that shape
            return data(keys_only(given))
        return _initialized(op.func.name, passed)
    return data(given)


def _is_key(op: ops.Call, place: int) -> bool:
    """Is an argument called a key?"""
    argument = op.args[place] if place < len(op.args) else None
    return type(argument) is ops.Name and KEY_NAME.search(argument.name) is not None


def _restores(op: ops.Call) -> bool:
    """Does a function, by its name, put what was saved in place of what it gets?"""
    return isinstance(op.func, (ops.Name, ops.Attr)) and RESTORING_FUNCTION.search(op.func.name) is not None


def _restored(passed: Passed) -> Flow:
    """The labels in what was restored: numbers drawn for an example are not there any more."""
    return keys_only(passed.all) if passed.positional or passed.keywords else NOTHING


def function_called(walk: Pass, op: Op) -> Called | None:
    """The function of the project that a callee is, also under a transform that keeps its results."""
    return callee_of(walk.code, op, walk.functions)


def callee_of(code: Code, op: Op, local: Mapping[Binding, Function] = NONE_LOCAL) -> Called | None:
    """The function of the project that a callee is, where some names stand for `local` functions."""
    if type(op) is ops.Name and (function := local.get(op.scope.lookup(op.name))) is not None:
        return Called(code.local(function))
    if type(op) is ops.Name and (sibling := beside(code, op)) is not None:
        return Called(sibling)
    if type(op) is ops.Closure:
        return Called(code.local(op.function))
    if type(op) is ops.Call and op.args:
        wrapper = value_of(code, op.func)
        row = code.around.program.table.transform(wrapper.name) if wrapper is not None and wrapper.name else None
        return callee_of(code, op.args[0], local) if row is not None and hands_on_results(row) else None
    value = value_of(code, op)
    is_method = type(op) is ops.Attr and (value is None or not _is_module(code, op.base))
    return called(value, is_method)


def _is_module(code: Code, op: Op) -> bool:
    base = value_of(code, op)
    return base is not None and base.kind.value in ("module", "imported", "api", "class")


def _enter(walk: Pass, function: Called, passed: Passed, at: Op) -> Flow:
    parameters = function.code.function.parameters
    names = [parameter.name for parameter in parameters if parameter.kind in ("positional", "normal")]
    arguments: dict[str, Flow] = {}
    if function.skips and names:
        arguments[names[0]] = passed.receiver
    arguments |= dict(zip(names[function.skips :], passed.positional, strict=False))
    known = {parameter.name for parameter in parameters}
    rest = passed.positional[len(names) - function.skips :]
    for parameter in parameters:
        if parameter.kind == "varargs":
            arguments[parameter.name] = mixed(*rest)
        elif parameter.kind == "varkw":
            arguments[parameter.name] = mixed(*[flow for name, flow in passed.keywords.items() if name not in known])
    arguments |= {name: flow for name, flow in passed.keywords.items() if name is not None and name in known}
    if passed.is_starred or None in passed.keywords:
        everything = mixed(passed.all)
        names = [parameter.name for parameter in parameters]
        arguments = {name: united(arguments.get(name, NOTHING), everything) for name in names}
    return entered(walk, function.code, arguments, at)


def _library(walk: Pass, op: ops.Call, name: str, passed: Passed) -> Flow:
    everything = passed.all
    if name in SHAPE_FUNCTIONS or name.startswith(SHAPE_PREFIXES):
        return NOTHING
    if name in ONE_OUTCOME and has_one_outcome(name, _constants(walk, op, name)):
        return NOTHING
    if name in FLATTENING:
        return below(("[]", 0), mixed(everything))
    if name in COMPARING:
        walk.read(everything)
    if name in FIRST_FOR_SHAPE:
        return data(*passed.positional[1:], *passed.keywords.values())
    if name == REPLACING:
        return _replaced(passed)
    if name in SELECTS:
        return _selected(op, SELECTS[name], passed)
    if name in MAPPING and op.args:
        return _mapped(walk, op, passed)
    if name == "dataclasses.replace":
        record = op.args[0] if op.args else None
        return _copied(walk, op, record, passed.positional[0] if passed.positional else NOTHING, passed)
    row = walk.code.around.program.table.transform(name)
    if row is not None and row.runs and not row.wraps:
        found = _run_by(walk, op, row, passed)
        return found if found is not None else data(everything)
    if name == FOLD:
        return folded(everything)
    if name in KEEPING_KEYS or name.startswith(("jax.numpy.", "jax.tree", "jax.device")) or "." not in name:
        return mixed(everything)
    return data(everything)


def _constants(walk: Pass, op: ops.Call, name: str) -> dict[str, Host]:
    """The constants that are written as arguments, by parameter."""
    row = walk.code.around.program.table.function(name)
    names = [parameter.name for parameter in row.parameters] if row is not None else []
    given: dict[str | None, Op] = {**dict(zip(names, op.args, strict=False)), **dict(op.keywords)}
    return {name: one.value for name, one in given.items() if name is not None and type(one) is ops.Const}


def _replaced(passed: Passed) -> Flow:
    """The labels in a tree of which some leaves are replaced: what was drawn for it is a skeleton, that is filled."""
    tree = passed.positional[1] if len(passed.positional) > 1 else passed.keywords.get("pytree", NOTHING)
    filling = [*passed.positional[2:], *(flow for name, flow in passed.keywords.items() if name != "pytree")]
    return mixed(keys_only(tree), *filling)


def test_of(op: Op, holds: bool) -> Mask | None:
    """A test as a mask: of a name, or of a comparison with a constant."""
    if type(op) is ops.Name:
        return Mask(op.name, True, holds)
    if type(op) is not ops.Compare or op.operators != ("==",):
        return None
    (left, right) = op.operands
    left, right = (right, left) if type(left) is ops.Const else (left, right)
    return Mask(phrase(left), right.value, holds) if type(right) is ops.Const else None


def _selected(op: ops.Call, places: tuple[int, ...], passed: Passed) -> Flow:
    arms = [passed.positional[place] for place in places if place < len(passed.positional)]
    masks = [test_of(op.args[0], holds) for holds in (True, False)] if len(places) == 2 and op.args else []
    if len(arms) == len(masks):
        arms = [arm if mask is None else masked(arm, mask) for arm, mask in zip(arms, masks, strict=True)]
    if len(places) == 1 and arms:
        arms = _items(arms[0])
    tests = [flow for place, flow in enumerate(passed.positional) if place not in places]
    return united(chosen(op, map(data, arms)), data(*tests, *passed.keywords.values()))


def _items(flow: Flow) -> list[Flow]:
    """The items of a display, each apart."""
    found: dict[object, dict[Placement, int]] = {}
    for placement, labels in flow.items():
        found.setdefault(placement.steps[:1], {})[placement] = labels
    return list(found.values())


def _mapped(walk: Pass, op: ops.Call, passed: Passed) -> Flow:
    """The labels in a tree: the function is called with leaves, at the same places of each tree."""
    mapped = op.args[0]
    function = function_called(walk, mapped)
    trees = passed.positional[1:]
    if function is None:
        name = value.name if (value := value_of(walk.code, mapped)) is not None else ""
        return NOTHING if name in SHAPE_FUNCTIONS else mixed(passed.all)
    returned = _enter(walk, function, Passed(NOTHING, [mixed(tree) for tree in trees], {}, False), op)
    tree = united(*trees)
    alike = changed(returned, lambda placement: Placement((), (DATA,) * (DATA in placement.trail), *placement[2:]))
    leaves = [placed(with_labels(tree, labels), placement) for placement, labels in alike.items()]
    made = with_labels(returned, ~labels_in(tree))
    return united(*leaves, made, mixed(passed.positional[0]))


def _copied(walk: Pass, op: ops.Call, owner: Op | None, record: Flow, passed: Passed) -> Flow:
    """The labels in a copy of a record with other fields."""
    if owner is not None and any(is_refilled(walk.code, owner, name, one) for name, one in op.keywords if name):
        record = skeleton(record)
    for name, flow in passed.keywords.items():
        if name is None:
            record = united(record, mixed(flow))
        else:
            record = united(without(record, ((".", name),)), below((".", name), flow))
    return record


def _constructed(owner: ClassValue, passed: Passed) -> Flow:
    """The labels in an object: those of the fields of a record, else at no known place."""
    if lookup(owner, "__init__") is not None or passed.is_starred or None in passed.keywords:
        return data(passed.all)
    placed = zip(placed_fields(owner), passed.positional, strict=False)
    fields: dict[str | None, Flow] = {**dict(placed), **passed.keywords}
    return united(*[below((".", str(name)), flow) for name, flow in fields.items() if flow])


def _initialized(owner: str, passed: Passed) -> Flow:
    """The labels in what is set up: of a buffer's example, and of what follows a key, the shape is asked."""
    first = NOTHING if "buffer" in owner.lower() else data(*passed.positional[:1])
    return united(first, data(keys_only(passed.all)))


def _method(walk: Pass, op: ops.Call, func: ops.Attr, passed: Passed, is_statement: bool) -> Flow:
    given = passed.all
    is_copy = func.name in COPYING or (func.name == UPDATING and not is_statement and None not in passed.keywords)
    if is_copy and not passed.positional:
        return _copied(walk, op, func.base, passed.receiver, passed)
    if func.name in STARTING:
        return others_only(given)
    is_size = func.name in SHAPE_ATTRIBUTES and not any((*passed.positional, *passed.keywords.values()))
    if func.name in COMPILING or is_size:  # `x.size(0)`, as PyTorch has it
        return NOTHING
    if func.name in INITIALIZERS:
        return _initialized(phrase(func.base), passed)
    if is_statement and func.name in STORING and type(func.base) is ops.Name and walk.held is not None:
        binding = func.base.scope.lookup(func.base.name)
        if binding.owner is walk.code.function.scope and not binding.is_parameter:
            walk.bind(binding, mixed(given))
            return NOTHING
    if is_statement and func.name in WAITING_METHODS:
        return NOTHING
    if func.name == "get" and passed.receiver:
        return mixed(given)
    has_others = any(labels & ~passed.receiver.get(placement, 0) for placement, labels in given.items())
    return data(given) if has_others else mixed(passed.receiver)


def _run_by(walk: Pass, op: ops.Call, row: Transform, passed: Passed) -> Flow | None:
    """The labels in what the functions return that a transform runs; None where one of them is not known."""
    given = _arguments(row, passed)
    functions = _functions(op, row)
    if row.loops and (carrying := _carrying(row)) is not None:
        return _run_in_turns(walk, op, row, carrying, functions, given)
    results: list[Flow] = []
    for shape in row.runs:
        function = functions.get(shape.function)
        found = _run(walk, shape, function, given, op) if function is not None else None
        if found is None:
            return None
        results.append(found)
    return data(chosen(op, results) if row.exclusive else united(*results))


def _carrying(row: Transform) -> tuple[CallShape, str, bool] | None:
    """The call of a loop that hands its result to the next one, the parameter for what the first one gets, and is there
    a result beside that?
    """
    for place, shape in enumerate(row.runs):
        expected = row.expected(place)
        carried = expected[0] if isinstance(expected, tuple) else expected
        if isinstance(carried, str) and carried in [argument.parameter for argument in shape.arguments]:
            return shape, carried, isinstance(expected, tuple)
    return None


def _run_in_turns(
    walk: Pass, op: ops.Call, row: Transform, carrying: tuple[CallShape, str, bool],
    functions: dict[str, Op], given: dict[str, Flow],
) -> Flow | None:  # fmt: skip
    """The labels in what a loop gives: what the last turn carries, at its places, and what all of them give beside."""
    shape, carried, has_others = carrying
    function = functions.get(shape.function)
    called_one = function_called(walk, function) if function is not None else None
    if function is None or called_one is None:
        return None
    first, own = given.get(carried, NOTHING), walk.labelled(op, own_results(walk, called_one.code))
    found: Flow = NOTHING
    tests: list[Flow] = []
    for _ in range(2):
        one = _run(walk, shape, function, given, op)
        if one is None:
            return None
        found = united(one, own)
        given = given | {carried: united(first, part(found, ("[]", 0)) if has_others else found)}
    for other in row.runs:
        if other is not shape:  # the test of a `while_loop`, which decides how many turns there are
            function = functions.get(other.function)
            asked = _run(walk, other, function, given, op) if function is not None else None
            if asked is None:
                return None
            tests.append(data(asked))
    if not has_others:
        return united(found, *tests)
    others = changed(part(found, ("[]", 1)), lambda placement: placement.then(MIXED))
    return united(below(("[]", 0), part(found, ("[]", 0))), below(("[]", 1), others))


def _functions(op: ops.Call, row: Transform) -> dict[str, Op]:
    """The ops of the arguments, by parameter."""
    found = {named.name: one for place, one in enumerate(op.args) if (named := row.parameter_at(place)) is not None}
    return found | {name: one for name, one in op.keywords if name is not None}


def _arguments(row: Transform, passed: Passed) -> dict[str, Flow]:
    """The labels in the arguments, by parameter."""
    found = {
        named.name: flow
        for place, flow in enumerate(passed.positional)
        if (named := row.parameter_at(place)) is not None
    }
    return found | {name: flow for name, flow in passed.keywords.items() if name is not None}


def _run(walk: Pass, shape: CallShape, function: Op, given: dict[str, Flow], at: Op) -> Flow | None:
    called_one = None if shape.each else function_called(walk, function)
    if called_one is None or any(argument.word == "rest" for argument in shape.arguments):
        return None
    parameters = called_one.code.function.parameters
    names = [parameter.name for parameter in parameters if parameter.kind in ("positional", "normal")]
    arguments: dict[str, Flow] = {}
    for name, one in zip(names[called_one.skips :], shape.arguments, strict=False):
        flow = given.get(one.parameter, NOTHING)
        arguments[name] = each_item(flow) if one.word in ("each", "leaf") else flow
    return entered(walk, called_one.code, arguments, at)
