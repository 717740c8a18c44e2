"""Methods of values of known kind: arrays, containers, strings, loggers, key streams, transformed functions."""

from __future__ import annotations

from flake8_jax.analysis.callables import Arguments, ClassValue, InstanceOf, Super, Wrapped
from flake8_jax.analysis.calls.bounded import need_bounds
from flake8_jax.analysis.calls.composed import run_composed, run_layers
from flake8_jax.analysis.calls.concrete_arguments import ASKING_METHODS, ask_in_list, need_taken, need_values
from flake8_jax.analysis.calls.conventions import by_convention
from flake8_jax.analysis.calls.forwards import forwarded, updated
from flake8_jax.analysis.calls.library import check_arguments, consume_argument, note_output
from flake8_jax.analysis.calls.results import all_dependences, result_of
from flake8_jax.analysis.calls.shapes import shape_of
from flake8_jax.analysis.calls.streams import OPTIONS
from flake8_jax.analysis.checks.bounds import need_update_inside
from flake8_jax.analysis.checks.compilation.constants import may_be_large, note_constant
from flake8_jax.analysis.checks.compilation.eager_loops import check_read
from flake8_jax.analysis.checks.compilation.weights import note_variables, note_weights
from flake8_jax.analysis.checks.compilation.work import OF_ITEM, note_work
from flake8_jax.analysis.checks.contracts.mapped_writes import check_method as check_write
from flake8_jax.analysis.checks.contracts.optimizers import UPDATE
from flake8_jax.analysis.checks.contracts.setup_fields import check_method as check_frozen
from flake8_jax.analysis.checks.contracts.static_containers import check_added
from flake8_jax.analysis.checks.contracts.submodules import check_declaring
from flake8_jax.analysis.checks.contracts.unbound import INITIALISING
from flake8_jax.analysis.checks.contracts.variables import APPLY, check_applied
from flake8_jax.analysis.checks.derivatives.custom_rules import check_stated
from flake8_jax.analysis.checks.effects.host_calls import note_method
from flake8_jax.analysis.checks.effects.library_states import note_module_call
from flake8_jax.analysis.checks.effects.outer_writes import note_advancing, note_stream
from flake8_jax.analysis.checks.formatting import need_formatted
from flake8_jax.analysis.checks.host.writes import METHODS, need_writable, unlocks
from flake8_jax.analysis.checks.numpy_only import need_host_arrays, need_options
from flake8_jax.analysis.checks.references import check_method
from flake8_jax.analysis.checks.widths import TYPED, need_narrow
from flake8_jax.analysis.evaluate.displays import shown_by
from flake8_jax.analysis.evaluator import call, evaluate
from flake8_jax.analysis.frame import Frame, never_returns, note_unknown
from flake8_jax.analysis.objects import access
from flake8_jax.analysis.objects.classes import library_bases, lookup
from flake8_jax.analysis.objects.copies import changed_by
from flake8_jax.analysis.objects.dtypes import dtype_of_operand
from flake8_jax.analysis.objects.growing import grow, grown_by, grown_element
from flake8_jax.analysis.objects.host_operands import made_of
from flake8_jax.analysis.objects.host_views import method_of_view
from flake8_jax.analysis.objects.instances import (
    COPYING,
    before_run,
    bind,
    is_ending,
    method_to_run,
    passes_on,
    replaced,
    row_of,
)
from flake8_jax.analysis.objects.invalidation import call_unknown, invalidate
from flake8_jax.analysis.objects.iteration import any_element, renewed
from flake8_jax.analysis.objects.parameters import pairs
from flake8_jax.analysis.objects.registries import entries_of, note_entry
from flake8_jax.analysis.objects.stated_rules import note_stated
from flake8_jax.analysis.objects.steps import index_step
from flake8_jax.analysis.summaries.derivative_rules import note_rules
from flake8_jax.api.rows import ApiFunction
from flake8_jax.domain.conditions import RESPELLED
from flake8_jax.domain.constants import NOTHING, OPEN, Constant
from flake8_jax.domain.folding import bounded
from flake8_jax.domain.kinds import (
    ARRAY,
    COMPUTED,
    CONTAINERS,
    DICT,
    FUNCTION,
    INPUT,
    KEY,
    KEYS,
    LIST,
    MAY_BE_TRACER,
    NUMBER,
    NUMPY,
    OBJECT,
    PARTIAL,
    RANDOM_KEYS,
    REF,
    STATIC,
    SYMBOLIC,
    TUPLE,
)
from flake8_jax.domain.payload import (
    AT,
    ONLY_ANNOTATED,
    OR_REFERENCE,
    VARKW,
    ArrayDoubt,
    Each,
    Elements,
    Named,
    Series,
    elements,
)
from flake8_jax.domain.staging import NONE, unite
from flake8_jax.domain.value import Value, constant, dependences_of
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.lazy_dataclasses import replace

OF_ARRAYS_ALONE = frozenset(("reshape", "item", "tolist", "nonzero", "devices", "astype", "repeat", "swapaxes"))
"""The methods whose arguments say that an input is an array, whatever else has a method of that name."""

OF_REFERENCES = access.REFERENCE_METHODS | access.VIEWS
"""The methods of arrays that references have, too, and those of dicts."""

TEXTUAL = frozenset((
    "center", "expandtabs", "format", "join", "ljust", "lower", "lstrip", "removeprefix", "removesuffix", "replace",
    "rjust", "rstrip", "strip", "title", "upper",
))  # fmt: skip
"""The methods of texts that give a text of what they are given."""

GROWING = frozenset(("append", "extend", "insert"))

GENERATORS = frozenset(("numpy.random.Generator", "numpy.random.RandomState"))
LIKE_MODULE = {"integers": "randint"}
"""Methods of NumPy's generators that are not called as the function of the module that does the same."""


def call_method(frame: Frame, op: Op, base: Value, name: str, arguments: Arguments) -> Value:
    """The result of `base.name(...)`."""
    kind = base.kind
    if kind in MAY_BE_TRACER:
        if name == "item" and type(op) is ops.Call and type(op.func) is ops.Attr and not op.args:
            check_read(frame, op, base, op.func.base, ".item()")
        if type(op) is ops.Call and type(op.func) is ops.Attr and may_be_large(op.func.base, base):
            note_constant(frame, op.func.base, base)
        return note_work(frame, _array_method(frame, op, base, name, arguments), OF_ITEM if base.payload is AT else 1)
    if kind in CONTAINERS:
        return _container_method(frame, op, base, name, arguments)
    if kind is STATIC:
        if name in TEXTUAL:
            if name == "format" and isinstance(base.constant, str):
                need_formatted(frame, base.constant, arguments.positional, arguments.ops, op)
            respell = RESPELLED.get(f"{name} ==") if not arguments.values() else None
            if respell is not None and isinstance(base.constant, str):
                return constant(respell(base.constant), op)
            found = base.dependences
            for value, source in zip(arguments.values(), [*arguments.ops, *arguments.keyword_ops.values()]):
                found = found | (shown_by(frame, value, source) or dependences_of(value))
            return Value(STATIC, found, OPEN, op)
        return Value(STATIC, payload=OPEN, made_by=op)
    if kind is NUMBER:
        return Value(NUMBER, payload=OPEN, made_by=op)
    if kind is NUMPY:
        need_taken(frame, op, name, arguments)
        if (name in METHODS or unlocks(name, arguments)) and type(op) is ops.Call and type(op.func) is ops.Attr:
            need_writable(frame, op, op.func.base, base)
        row = frame.program.table.method(name) if base.shape is not None else None
        shape = shape_of(frame, row, arguments, base) if row is not None else None
        made = method_of_view(base, name, op)
        return replace(made, shape=shape) if shape is not None and shape != () else made
    if kind is REF:
        if name not in OF_REFERENCES and frame.program.table.method(name) is not None:
            check_method(frame, op, base, name)
        check_write(frame, op, base, name, arguments)
        return _reference_method(frame, op, base, name)
    if kind is OBJECT:
        return _object_method(frame, op, base, name, arguments)
    if isinstance(base.payload, InstanceOf):
        check_declaring(frame, op, base, name)
        row = row_of(frame, library_bases(base.payload.owner), name)
        is_copy = name in COPYING or passes_on(frame, base.payload.owner, name) == "copy"
        if row is not None and is_copy and not arguments.positional and not arguments.is_open:
            check_arguments(frame, op, row, arguments)
            return replaced(frame, base, changed_by(frame, base, name, arguments, op), op)
        if row is not None:
            return _by_row(frame, op, base, row, arguments)
        if is_ending(frame, base.payload.owner, name):
            return never_returns(frame, op)
        if name in INITIALISING:
            _run_for_shapes(frame, op, base, arguments)
        used = by_convention(frame, op, base, library_bases(base.payload.owner), name, arguments)
        if used is not None:
            return used
        return replaced(frame, base, arguments.keywords, op)
    if kind is FUNCTION:
        return _function_method(frame, op, base, name, arguments)
    return call_unknown(frame, op, base, arguments)


def _run_for_shapes(frame: Frame, op: Op, module: Value, arguments: Arguments) -> None:
    """Run the method that `net.init(rngs, x)` runs, which draws nothing of its own: variables come of the shapes."""
    if before_run(frame, module, APPLY) is None:
        return
    own = {name: value for name, value in arguments.keywords.items() if name not in (*OPTIONS, "rngs")}
    places = {name: one for name, one in arguments.keyword_ops.items() if name in own}
    skipped = 0 if "rngs" in arguments.keywords else 1
    rest = Arguments(arguments.positional[skipped:], own, arguments.is_open, arguments.ops[skipped:], places)
    method = method_to_run(frame, op, module, arguments.keywords.get("method"))
    if method.kind is PARTIAL:
        call(frame, op, method, rest, mode="abstract")


def _array_method(frame: Frame, op: Op, base: Value, name: str, arguments: Arguments) -> Value:
    row = frame.program.table.method(name)
    if base.kind is INPUT and name in access.VIEWS:
        return _view(frame, op, base, name, arguments)
    if base.kind is INPUT and name == "copy":  # a dict has it, too
        return Value(INPUT, base.dependences, None, op, dtype=dtype_of_operand(base), like=base.alike)
    if row is None:
        if frame.program.table.function(f"Array.at.{name}") is not None:
            if _says_nothing(arguments):
                need_update_inside(frame, base, name == "get")
            found = _with_new_keys(frame, op, arguments) if name == "set" and base.payload is AT else None
            if found is not None:
                return found
            kind, shape = COMPUTED if base.kind is INPUT else base.kind, None if name == "get" else base.shape
            like = None if name == "get" else base.like
            return Value(kind, base.dependences, None, op, shape, dtype_of_operand(base), like=like)
        return note_unknown(frame, "method of an array without a row", op)
    if base.kind in SYMBOLIC and not _takes(row, arguments):
        return call_unknown(frame, op, base, arguments)
    if base.kind is INPUT and name not in OF_REFERENCES:
        check_method(frame, op, base, name)
    check_arguments(frame, op, row, arguments, base if base.kind in SYMBOLIC else None)
    for parameter, value, _ in pairs(row, arguments):
        if parameter.name in TYPED:
            need_narrow(frame, op, row, value, base)
    need_options(frame, op, row.name, row, arguments, base)
    if row.asks_for_values and base.payload is not AT and (base.input or base.kind is not INPUT):
        need_values(frame, op, row, arguments, base, name not in OF_ARRAYS_ALONE)
    bounds = frame.program.table.bounds(row.name)
    if bounds is not None and not arguments.is_open:
        need_bounds(frame, op, bounds, {"self": base, **{one.name: value for one, value, _ in pairs(row, arguments)}})
    result = result_of(frame, op, row, arguments, frame.ambient if base.kind is ARRAY else NONE, base)
    forward = frame.program.table.forward(row.name) if base.kind in RANDOM_KEYS else None
    if forward is not None:
        return forwarded(forward, {"self": base}, result, op)
    if result.kind is ARRAY:
        kind = ARRAY if base.kind in RANDOM_KEYS else COMPUTED if base.kind is INPUT else base.kind
        doubt = ONLY_ANNOTATED if base.kind is INPUT else base.payload if type(base.payload) is ArrayDoubt else None
        kept = doubt if name in access.REFERENCE_VIEWS else None
        of_host = kept or (made_of((base, *arguments.values())) if kind is ARRAY else None)
        dependences = base.dependences | result.dependences
        made = Value(kind, dependences, of_host, op, result.shape, result.dtype, like=result.like)
        passed_on = frame.program.table.forward(row.name) if base.kind is INPUT and kept is None else None
        return made if passed_on is None else forwarded(passed_on, {"self": base}, made, op)
    return result


def _takes(row: ApiFunction, arguments: Arguments) -> bool:
    """Does the array method of this name accept the arguments?  If not, the object is no array but another class's.

    What gives values of the host takes none by names that its row does not have: `mesh.clone(value=new)`.
    """
    found = [row.parameter_named(name) for name in arguments.keywords]
    is_named = all(one is not None and not (row.asks_for_values and one.kind == "varkw") for one in found)
    return is_named and all(row.parameter_at(place) is not None for place in range(len(arguments.positional)))


def _says_nothing(arguments: Arguments) -> bool:
    """Does an update through `at` not say what happens to an index outside of the array?"""
    mode = arguments.keywords.get("mode")
    is_open = arguments.is_open or "wrap_negative_indices" in arguments.keywords
    return not is_open and (mode is None or mode.constant is None)


def _with_new_keys(frame: Frame, op: Op, arguments: Arguments) -> Value | None:
    """The result of `keys.at[index].set(new)`, where `keys` is a name."""
    at = op.func.base if type(op) is ops.Call and type(op.func) is ops.Attr else None
    holder = at.base.base if type(at) is ops.Item and type(at.base) is ops.Attr else None
    if type(holder) is not ops.Name or type(at) is not ops.Item or len(arguments.positional) != 1:
        return None
    keys, (new,) = evaluate(frame, holder), arguments.positional
    if keys.kind is not KEYS or new.kind not in RANDOM_KEYS:
        return None
    index = at.index.value if type(at.index) is ops.Const else None
    return updated(keys, index if type(index) is int else None, new, op)


def _reference_method(frame: Frame, op: Op, base: Value, name: str) -> Value:
    """A view of a reference, or an array; what else a library's reference has, such as its metadata, is unknown."""
    row = frame.program.table.method(name)
    if name in access.REFERENCE_METHODS or (row is not None and row.returns == "array"):
        view = OR_REFERENCE if name in access.REFERENCE_VIEWS else None
        return Value(ARRAY, base.dependences | frame.ambient, view, op)
    if name == "get_value":
        return access.read(frame, base, (".", "value"), op)
    return note_unknown(frame, "method of a reference without a row", op)


def _view(frame: Frame, op: Op, base: Value, name: str, arguments: Arguments) -> Value:
    """The keys, values or items of a dict that is an input: keys are of the host, values are inputs."""
    if name == "get":
        if not arguments.positional:
            return note_unknown(frame, "get without a name", op)
        return access.read(frame, base, index_step(arguments.positional[0]), op)
    value = access.read(frame, base, ("[]", OPEN), op)
    if name == "keys":
        return Value(LIST, payload=Each(Value(STATIC, payload=OPEN)), made_by=op)
    if name == "values":
        return Value(LIST, payload=Each(value), made_by=op)
    return Value(LIST, payload=Series((Value(STATIC, payload=OPEN), value)), made_by=op)


def _container_method(frame: Frame, op: Op, base: Value, name: str, arguments: Arguments) -> Value:
    check_frozen(frame, op, base, name)
    if base.kind is DICT:
        return _dict_method(frame, op, base, name, arguments)
    if name in ASKING_METHODS:
        ask_in_list(frame, op, name, base, arguments)
    if name in GROWING:
        added = [frame.live().contents(argument) for argument in arguments.positional[-1:]]
        given = added if name != "extend" else [part for one in added for part in one.parts]
        for one in given:
            note_entry(frame, base, OPEN, one)
            if type(op) is ops.Call:
                check_added(frame, op, base, one)
        like = grown_by(frame, base, given) if added and (given or name != "extend") else None
        invalidate(frame, base)
        grow(frame, base, like)
        return Value(STATIC, payload=NOTHING, made_by=op)
    if name in ("clear", "remove", "sort", "reverse", "add", "update", "discard"):
        invalidate(frame, base)
        return Value(STATIC, payload=NOTHING, made_by=op)
    if name == "copy":
        return Value(base.kind, base.dependences, frame.live().contents(base).payload, op)
    if name == "pop":
        popped = _popped(frame, op, base, arguments)
        invalidate(frame, base)
        return popped
    if name in ("index", "count"):
        return Value(NUMBER, payload=OPEN, made_by=op)
    return note_unknown(frame, "method of a container", op)


def _popped(frame: Frame, op: Op, base: Value, arguments: Arguments) -> Value:
    """The element that a list gives away: the last one, or that of a known place."""
    held, places = frame.live().contents(base).elements, arguments.positional
    place = places[0].constant if places else -1
    if held is not None and type(place) is int and -len(held) <= place < len(held):
        return held[place]
    return any_element(frame, base, op) if base.parts else note_unknown(frame, "popped", op)


def _dict_method(frame: Frame, op: Op, base: Value, name: str, arguments: Arguments) -> Value:
    first = arguments.positional[0] if arguments.positional else None
    if name == "setdefault" and len(arguments.positional) == 2 and first is not None:
        note_entry(frame, base, index_step(first)[1], arguments.positional[1])
    if name in ("get", "pop", "setdefault") and first is not None:
        found = access.read(frame, base, index_step(first), op)
        if name != "get":
            invalidate(frame, base)
        return found
    grown = grown_element(frame, base) if name in ("get", "pop", "items", "values") else None
    if grown is not None and name in ("get", "pop"):
        return renewed(grown)
    if grown is not None:
        pair = (Value(STATIC, payload=OPEN), grown)
        return Value(LIST, payload=Each(grown) if name == "values" else Series(pair), made_by=op)
    if name == "update" and first is not None:
        for key, one in (frame.live().contents(first).entries or {}).items():
            note_entry(frame, base, key, one)
    if name in access.VIEWS and base.payload is VARKW and frame.live().version(base) is base:
        return _view(frame, op, base, name, arguments)
    if name in ("keys", "items", "values"):
        held = frame.live().contents(base).entries
        for number, (key, one) in enumerate(entries_of(frame, base)):
            held = {**(held or {}), ((number,) if key is None else key): one}
        if held is None:
            return note_unknown(frame, "view of a dict", op)
        if name == "values":
            return Value(LIST, payload=Elements(tuple(held.values())), made_by=op)
        keys = tuple(Value(STATIC, payload=OPEN if isinstance(key, tuple) else Constant(key)) for key in held)
        if name == "keys":
            return Value(LIST, payload=Elements(keys), made_by=op)
        items = tuple(Value(TUPLE, payload=Elements(pair)) for pair in zip(keys, held.values(), strict=True))
        return Value(LIST, payload=elements(bounded(items)), made_by=op)
    if name == "copy":
        return Value(DICT, base.dependences, frame.live().contents(base).payload, op)
    invalidate(frame, base)
    return note_unknown(frame, "method of a dict", op)


def _object_method(frame: Frame, op: Op, base: Value, name: str, arguments: Arguments) -> Value:
    table = frame.program.table
    payload = base.payload
    if isinstance(payload, Super):
        return _inherited_method(frame, op, payload, name, arguments)
    known = payload.name if isinstance(payload, Named) else None
    if name == UPDATE:
        run_composed(frame, op, base, arguments)
    if name == "__call__" and known is not None:
        note_advancing(frame, op, base, known, arguments)
        note_module_call(frame, op, known)
        run_layers(frame, op, base, arguments)
    if name == "__call__" and known is not None and table.is_layer(known):
        note_weights(frame, op, base)
        return Value(ARRAY, all_dependences(frame, arguments) | frame.ambient, made_by=op)
    stream = table.stream(known) if known is not None else None
    if stream == "attribute" or (stream == "call" and name == "__call__") or (stream == "next" and name == "next"):
        if stream != "next":
            note_stream(frame, op, base)
        return Value(KEY, made_by=op)
    if known is not None:
        if name == APPLY and table.applies(known):
            check_applied(frame, op, arguments)
            note_variables(frame, arguments.get(0, "variables"), arguments.written(0, "variables"))
        row = row_of(frame, (known,), name)
        if row is not None:
            return _by_row(frame, op, base, row, arguments)
        effect = table.effect(f"{known}.{name}")
        if effect is not None:
            note_output(frame, op, effect, arguments)
            return Value(STATIC, payload=NOTHING, made_by=op)
        host = table.host(f"{known}.{name}")
        if host is not None and type(op) is ops.Call and type(op.func) is ops.Attr:
            note_method(frame, op, base, op.func, host, arguments)
        used = by_convention(frame, op, base, (known,), name, arguments)
        if used is not None:
            return used
        alike = f"numpy.random.{LIKE_MODULE.get(name, name)}" if known in GENERATORS else ""
        need_host_arrays(frame, op, alike, arguments)
        drawn = table.function(alike) if alike else None
        if drawn is not None and host is not None and not arguments.is_open:
            return result_of(frame, op, drawn, arguments, NONE)
    return call_unknown(frame, op, base, arguments)


def _by_row(frame: Frame, op: Op, base: Value, row: ApiFunction, arguments: Arguments) -> Value:
    """The result of a method of a library's object: of a copy, what it holds was made where that was."""
    check_arguments(frame, op, row, arguments)
    is_copy = row.name.rpartition(".")[2] in COPYING
    made_in = unite(dependences_of(base), all_dependences(frame, arguments)) if is_copy else frame.ambient
    return result_of(frame, op, row, arguments, made_in)


CONSTRUCTED = "super().__init__"
"""How messages call the constructor of a base class."""


def _inherited_method(frame: Frame, op: Op, above: Super, name: str, arguments: Arguments) -> Value:
    """The result of `super().name(...)`.

    The constructor of a library's class does not change what the class itself stores.
    """
    for base in above.owner.bases:
        found = lookup(base.payload, name) if isinstance(base.payload, ClassValue) else None
        if found is not None:
            return call(frame, op, bind(frame, above.receiver, found, op), arguments)
    if name == "__init__":
        for library_base in library_bases(above.owner):
            if (keyword := frame.program.table.key_argument(library_base)) is not None:
                consume_argument(frame, op, CONSTRUCTED, keyword, arguments)
        return Value(STATIC, payload=NOTHING, made_by=op)
    return call_unknown(frame, op, above.receiver, arguments)


def _function_method(frame: Frame, op: Op, base: Value, name: str, arguments: Arguments) -> Value:
    """The result of a method of a function: `f.lower(x)` traces as a call does."""
    payload = base.payload
    if isinstance(payload, Wrapped) and name in ("lower", "eval_shape", "trace"):
        call(frame, op, base, arguments, mode="abstract")
        return note_unknown(frame, "lowered function", op)
    if name == "__wrapped__" and isinstance(payload, Wrapped):
        return payload.callee
    if isinstance(payload, Wrapped):
        if (stated := note_rules(payload, name, arguments)) is not None:
            note_stated(frame, base)
            check_stated(frame, op, payload, name, arguments)
            return stated
        used = by_convention(frame, op, base, (payload.applied.transform.name,), name, arguments)
        if used is not None:
            return used
    return note_unknown(frame, "method of a function", op)
