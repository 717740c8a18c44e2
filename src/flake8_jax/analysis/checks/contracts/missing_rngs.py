"""Networks of Flax that are run with dropout, or update statistics, and are given no key or nowhere to put them: Flax
raises there.

class Net(nn.Module):
    @nn.compact
    def __call__(self, x, train):
        return nn.Dropout(0.5)(x, deterministic=not train)
net.apply(params, x, train=True)                            no `rngs`
net.apply(params, x, train=True, rngs={"droput": key})      none for "dropout", nor for "params", which stands in for it

nn.BatchNorm(use_running_average=not train)(x)
net.apply(variables, x, train=True)                         no `mutable=["batch_stats"]`

What counts is written out: a dropout with a rate above 0 that is not switched off, or a layer that does not use the
statistics which it has, in the method that runs or in modules of the project that it makes and calls, followed
through the options and fields that are constants.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Literal, TypeAlias

from flake8_jax.analysis.callables import Arguments, ClassValue, FunctionValue, InstanceOf, Partial, underlying
from flake8_jax.analysis.checks.contracts.broken import breaking, report
from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.classes import lookup
from flake8_jax.domain.constants import OPEN, NotConstant
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import Chains, chains_of, searched_once
from flake8_jax.ir.ops import Function, Op
from flake8_jax.ir.parts import Host
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.walking import within
from flake8_jax.lazy_dataclasses import dataclass

DEEPEST = 3
"""How many modules in modules are looked at."""

MAXIMUM_PARTS = 48
"""How many calls of its parts are looked at in one method of a module, for each of its runs."""

OTHERWISE = frozenset(("rng", "rng_collection", "dropout_rng"))
"""Arguments of layers by which they draw from another key."""

STANDING_IN = "params"

COLLECTION, SWITCH = "dropout", "deterministic"

LayerNeed: TypeAlias = Literal["key", "statistics"]
"""What a layer needs of the run of its network: a key to draw from, or leave to update its statistics."""

KnownConstants: TypeAlias = "Mapping[str, Host | NotConstant]"


@dataclass(frozen=True, slots=True)
class ModuleRun:
    """A method of a module of the project that runs: what is known of its arguments and of the fields."""

    function: FunctionValue
    owner: ClassValue
    arguments: KnownConstants
    fields: KnownConstants

    def value(self, op: Op | None) -> Host | NotConstant:
        """What is known of an expression in the method."""
        match op:
            case ops.Const(value=value):
                return value
            case ops.Name(name=name) if not chains_of(self.function.function).stored_to(name):
                return self.arguments.get(name, OPEN)
            case ops.Attr(base=ops.Name(name="self"), name=name):
                default = lookup(self.owner, name) if name not in self.fields else None
                return self.fields.get(name, _constant(default) if default is not None else OPEN)
            case ops.Operate(operator="not", operands=(inner,)):
                known = self.value(inner)
                return not known if isinstance(known, bool) else OPEN
        return OPEN


def check_rngs(frame: Frame, op: Op, module: Value, callee: Value, arguments: Arguments, passed: Arguments) -> None:
    """Report a run of a module by `passed` arguments that draws, and gets no key: of its method these are its own."""
    function, instance = underlying(callee), module.payload
    if function is None or type(instance) is not InstanceOf or instance.parts is None:
        return
    if type(op) is not ops.Call or passed.is_open:
        return
    if any(type(one) is ops.Star for one in op.args) or any(name is None for name, _ in op.keywords):
        return
    given = passed.keyword_ops.get("rngs")
    collections = _collections(given) if given is not None or "rngs" not in passed.keywords else None
    is_fixed = passed.keywords["mutable"].constant is False if "mutable" in passed.keywords else True
    if not is_fixed and (collections is None or STANDING_IN in collections):
        return
    fields = {name: _constant(part) for name, part in instance.parts.items()}
    run = ModuleRun(function, instance.owner, _bound(callee, function, arguments), fields)
    told: set[LayerNeed] = set()
    for layer, need, collection in _needs(run):
        text = f"`{phrase(op.func)}` runs `{phrase(layer)}`, which"
        if need in told:
            continue
        if need == "statistics" and is_fixed:
            said = f"{text} updates its statistics: `{collection}` is not mutable"
            instead = f'pass `mutable=["{collection}"]`{_beside(frame, op, collection)}'
        elif need == "key" and collections is not None and not {collection, STANDING_IN} & collections:
            said, instead = f"{text} draws, without a key for it", f'pass `rngs={{"{collection}": key}}`'
        else:
            continue
        told.add(need)
        report(frame, breaking(op, said, instead))


def _beside(frame: Frame, op: ops.Call, collection: str) -> str:
    """What else a call is to do that makes a collection mutable: it gets the collection, and returns it in a pair."""
    variables, store = op.args[0] if op.args else None, chains_of(frame.function).parents.get(op)
    is_lacking = type(variables) is ops.BuildDict and collection not in (_collections(variables) or {collection})
    is_pair = type(store) is ops.Store and any(type(target) is ops.Unpack for target in store.targets)
    steps = [f"give `{collection}` among the variables"] if is_lacking else []
    steps += ["unpack the pair that it returns"] if not is_pair else []
    return ", and ".join(["", *steps]) if len(steps) < 2 else f", {', and '.join(steps)}"


def _constant(value: Value) -> Host | NotConstant:
    known = value.constant
    return known if known is None or isinstance(known, (bool, int, float, str)) else OPEN


def _collections(given: Op | None) -> frozenset[str] | None:
    """The collections for which keys are given; None if they are not written out."""
    if given is None:
        return frozenset()
    if type(given) is not ops.BuildDict:
        return None
    keys = [key.value for key, _ in given.items if type(key) is ops.Const]
    return frozenset(map(str, keys)) if len(keys) == len(given.items) else None


def _bound(callee: Value, function: FunctionValue, arguments: Arguments) -> KnownConstants:
    """The constants that the parameters of a method get."""
    skipped = len(callee.payload.arguments.positional) if type(callee.payload) is Partial else 1
    names = [parameter.name for parameter in function.function.parameters[skipped:]]
    given = dict(zip(names, arguments.positional, strict=False)) | arguments.keywords
    return _defaults(function.function) | {name: _constant(value) for name, value in given.items()}


def _defaults(function: Function) -> dict[str, Host | NotConstant]:
    return {
        parameter.name: parameter.default.value
        for parameter in function.parameters
        if type(parameter.default) is ops.Const
    }


def _needs(run: ModuleRun, depth: int = 0) -> Iterator[tuple[Op, LayerNeed, str]]:
    """The layers that need a key, or to update statistics, where a method runs, with the collection of which."""
    chains = chains_of(run.function.function)
    for call, tests in _calls_of_parts(run.function.function):
        made = _made(run, chains, call.func)
        if made is None or any(run.value(test) is not outcome for test, outcome in tests):
            continue
        name, table = imported_name(made.func), run.function.frame.program.table
        layer, kept = table.dropout(name), table.statistics(name)
        if layer is not None:
            if _is_drawing(run, *layer, made, call):
                yield made, "key", COLLECTION
        elif kept is not None:
            switch, collection, of_field, of_argument = kept
            found = _given(call, switch, of_argument) or _given(made, switch, of_field)
            if run.value(found) is False and all(one is not None for one, _ in (*made.keywords, *call.keywords)):
                yield made, "statistics", collection
        elif depth < DEEPEST and (inner := _inner(run, made, call)) is not None:
            yield from _needs(inner, depth + 1)


@searched_once
def _calls_of_parts(method: Function) -> list[tuple[ops.Call, list[tuple[Op, bool]]]]:
    """The calls of what a method makes itself or has as a field, to which it comes whatever it computes; each with the
    outcomes of tests that lead there.
    """
    found: list[tuple[ops.Call, list[tuple[Op, bool]]]] = []
    chains = chains_of(method)
    for call in (one for statement in method.body for one in within(statement) if type(one) is ops.Call):
        if type(call.func) not in (ops.Call, ops.Name, ops.Attr) or imported_name(call.func):
            continue
        way = chains.way_to(call)
        if not any(type(one) in (ops.Try, ops.Logic, ops.Gather) for one in way):
            found.append((call, list(_outcomes(way))))
    return found[:MAXIMUM_PARTS]


def _outcomes(way: list[Op]) -> Iterator[tuple[Op, bool]]:
    for outer, inner in pairwise(way):
        if isinstance(outer, (ops.Branch, ops.Choose)) and inner is not outer.test:
            yield outer.test, inner in (outer.body if isinstance(outer.body, tuple) else (outer.body,))


def _made(run: ModuleRun, chains: Chains, func: Op) -> ops.Call | None:
    """The call that makes the layer that is called: here, under a name, or in `setup`."""
    found: Op | None = func
    if type(func) is ops.Name:
        definition = chains.found_by(func)
        store = chains.statement_of(definition) if type(definition) is ops.Name else None
        found = store.value if type(store) is ops.Store and definition in store.targets else None
    elif type(func) is ops.Attr and type(func.base) is ops.Name and func.base.name == "self":
        setup = lookup(run.owner, "setup")
        starting = underlying(setup) if setup is not None else None
        stores = chains_of(starting.function).stored_to(f"self.{func.name}") if starting is not None else []
        target, store = stores[0] if len(stores) == 1 else (None, None)
        found = store.value if type(store) is ops.Store and target in store.targets else None
    return found if type(found) is ops.Call else None


def _given(call: ops.Call, name: str, place: int | None) -> Op | None:
    by_name = next((value for word, value in call.keywords if word == name), None)
    return call.args[place] if place is not None and place < len(call.args) else by_name


def _is_drawing(run: ModuleRun, rate: str, places: tuple[int | None, ...], made: ops.Call, call: ops.Call) -> bool:
    """Is the rate of a layer above 0, and is it not switched off?"""
    keywords = {name for name, _ in (*made.keywords, *call.keywords)}
    if not keywords.isdisjoint(OTHERWISE) or None in keywords:
        return False
    of_rate, of_field, of_argument = places
    dropped = run.value(_given(made, rate, of_rate))
    switch = _given(call, SWITCH, of_argument) or _given(made, SWITCH, of_field)
    return isinstance(dropped, (int, float)) and dropped > 0 and run.value(switch) is False


def _inner(run: ModuleRun, made: ops.Call, call: ops.Call) -> ModuleRun | None:
    """The run of a module of the project that a method makes and calls."""
    value = run.function.frame.namespace.file.value(made.func.name) if type(made.func) is ops.Name else None
    owner = value.payload if value is not None else None
    called = lookup(owner, "__call__") if type(owner) is ClassValue else None
    function = underlying(called) if called is not None else None
    if function is None or type(owner) is not ClassValue:
        return None
    names = [parameter.name for parameter in function.function.parameters[1:]]
    arguments = _defaults(function.function) | _passed(run, names, call)
    return ModuleRun(function, owner, arguments, _passed(run, [*owner.annotations], made))


def _passed(run: ModuleRun, names: list[str], call: ops.Call) -> dict[str, Host | NotConstant]:
    given = dict(zip(names, call.args, strict=False)) | {name: one for name, one in call.keywords if name is not None}
    return {name: run.value(one) for name, one in given.items()}
