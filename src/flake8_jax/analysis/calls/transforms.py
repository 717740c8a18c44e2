"""Applying the row of a transform: wrapping a function, or running it at once.

A wrapping transform (`jit`, `vmap`, `grad`) gives a `Wrapped` callable and adds a *root*: a call with unknown
arguments.  The root is run when the surrounding body has ended, so that all names are bound.  A running transform
(`scan`, `cond`, `fori_loop`) calls its functions at once, with the arguments of its row.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from functools import reduce

from flake8_jax.analysis.callables import (
    COMPILED,
    EVERYTHING,
    Applied,
    Arguments,
    CallMode,
    DecoratorRunner,
    InstanceOf,
    MethodRun,
    Partial,
    Wrapped,
    layers,
    underlying,
    visible_names,
)
from flake8_jax.analysis.calls.anonymous import anonymous_arguments
from flake8_jax.analysis.calls.bounded import need_branch
from flake8_jax.analysis.calls.choices import chosen, in_each
from flake8_jax.analysis.calls.loop_conditions import facts_of_body, turns_once
from flake8_jax.analysis.calls.rebuilding import rebuild
from flake8_jax.analysis.calls.repetitions import carry_of, collected, is_pair, of_turns, turns_of
from flake8_jax.analysis.calls.traced_arguments import index_of_loop, pass_argument
from flake8_jax.analysis.calls.tree_parts import (
    each_of,
    leaf_of,
    of_leaves,
    of_shapes,
    outside,
    spread,
)
from flake8_jax.analysis.calls.uncalled import is_eager, is_refused_only, is_uncalled
from flake8_jax.analysis.checks.compilation.constants import note_constants
from flake8_jax.analysis.checks.compilation.declared_arguments import is_refused
from flake8_jax.analysis.checks.compilation.remade import making, note_run
from flake8_jax.analysis.checks.contracts.alike import check_results
from flake8_jax.analysis.checks.contracts.axes import check_numbers
from flake8_jax.analysis.checks.contracts.bodies import check_bodies, refuses
from flake8_jax.analysis.checks.contracts.called_back import check_called_back
from flake8_jax.analysis.checks.contracts.foreign import check_filled, check_handed, check_result
from flake8_jax.analysis.checks.contracts.meshes import ANY, MESH, check_specs
from flake8_jax.analysis.checks.contracts.operands import check_operands
from flake8_jax.analysis.checks.contracts.order import check_truth
from flake8_jax.analysis.checks.contracts.returned import check_returned
from flake8_jax.analysis.checks.contracts.sharded_carries import check_sharded_carry
from flake8_jax.analysis.checks.contracts.unbound import INITIALISING, is_misnamed
from flake8_jax.analysis.checks.contracts.unfit import check_callables
from flake8_jax.analysis.checks.contracts.unpacked import note_run as note_result
from flake8_jax.analysis.checks.contracts.variables import APPLY, note_resembling
from flake8_jax.analysis.checks.derivatives.differentiated import differentiated
from flake8_jax.analysis.checks.derivatives.modes import check_run
from flake8_jax.analysis.checks.effects.late_reads import check_late, check_late_branches
from flake8_jax.analysis.checks.keys.carrying import check_carry
from flake8_jax.analysis.checks.keys.handed_over import pass_keys_to_unknown
from flake8_jax.analysis.checks.references import check_traced_call
from flake8_jax.analysis.evaluator import call
from flake8_jax.analysis.frame import LIBRARY_METHOD, Frame, note_unknown
from flake8_jax.analysis.isolation import FaultBarrier, shown_at
from flake8_jax.analysis.objects.classes import lookup
from flake8_jax.analysis.objects.dtypes import without_weak
from flake8_jax.analysis.objects.instances import before_run, bind, method_to_run, note_lookup
from flake8_jax.analysis.objects.static_arguments import HAS_AUX, has_auxiliary, options_of
from flake8_jax.api.schedules import INJECTING, OPTIMIZER
from flake8_jax.api.transforms import Argument, CallShape, ReturnedTree, Transform, Word
from flake8_jax.domain.conditions import ALWAYS, assume
from flake8_jax.domain.constants import NOTHING, OPEN
from flake8_jax.domain.kinds import (
    API,
    ARRAY,
    CALLABLES,
    FUNCTION,
    FUNCTIONS_OR_OBJECTS,
    INPUT,
    INSTANCE,
    KEY,
    MAY_BE_ANYTHING,
    OBJECT,
    PARTIAL,
    REF,
    STATIC,
    TUPLE,
    UNKNOWN,
    WRAPPED_BY_TRANSFORMS,
)
from flake8_jax.domain.payload import STORAGE, Alternatives, Elements, MethodOf, Named, reason
from flake8_jax.domain.provenance import BY_CONVENTION, USUALLY, Trace
from flake8_jax.domain.staging import NONE, Dependences, Token, unite
from flake8_jax.domain.state import State, join_states
from flake8_jax.domain.value import Value, join, one_of, unknown
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.lazy_dataclasses import replace

OF_INDEX = "weak int"
"""The dtype of the counter of a loop: measured."""

MAXIMUM_LAYERS = 16
"""How many transforms one function is known to be under: each call goes through all of them."""


def transformed(frame: Frame, op: Op, transform: Transform, arguments: Arguments) -> Value:
    """The result of calling a transform."""
    arguments = with_one_operand(transform, arguments)
    given = by_parameter(transform, arguments)
    if arguments.is_open:
        for option in _options_of_open(transform):
            given.setdefault(option, unknown("option of an open call"))
    is_fit = not refuses(frame, op, transform, arguments)
    if not is_fit and any(name.startswith("static") for name in arguments.keyword_ops):
        return note_unknown(frame, "transform that refuses the call", op)  # what is traced is not known
    if is_fit and not (transform.demands and check_callables(frame, op, transform, arguments, given)):
        if not check_operands(frame, op, transform, arguments, given) and transform.runs and transform.demands:
            check_handed(frame, op, transform, arguments, given)
        is_fit = not check_bodies(frame, op, transform, given, arguments)
    if transform.runs:
        check_late_branches(frame, op)
        return _run_all(frame, op, transform, arguments, given, is_fit)
    function = given.get(transform.wraps)
    if function is None:
        return _awaiting(op, transform, arguments)
    if type(function.payload) is Alternatives:
        return _choice(frame, op, function.payload, transform, given)
    function = called(frame, function, op)
    if not _is_wrapped(function):
        _note_applied(frame, function)
        if (initialised := _initialised(frame, op, function)) is not None:
            wrap(frame, op, initialised, transform, given, is_chosen=True)
        if frame.program.table.states_methods(transform.name):
            return Value(OBJECT, payload=Named(transform.name), made_by=op)
        if SCALAR not in transform.expects or function.kind not in MAY_BE_ANYTHING:
            return note_unknown(frame, _why_unknown(function, transform), op)
    return wrap(frame, op, function, transform, given)


def _options_of_open(transform: Transform) -> tuple[str, ...]:
    """The options that `*args` or `**kwargs` of a call may hold, where they decide what a transform does."""
    auxiliary = (HAS_AUX,) if transform.stage == "differentiated" else ()
    return (*transform.statics, *auxiliary, *((transform.axes,) if transform.axes else ()))


def _is_wrapped(function: Value) -> bool:
    """Is it known what is wrapped: a function, or a method of what a library gave?"""
    if function.kind in WRAPPED_BY_TRANSFORMS:
        return True
    method = function.payload
    return type(method) is MethodOf and method.base.kind in FUNCTIONS_OR_OBJECTS


def _initialised(frame: Frame, op: Op, function: Value) -> Value | None:
    """The run of what `net.init` of a module runs, for what that needs of its arguments; its result is another one."""
    method = function.payload
    if type(method) is not MethodOf or method.name not in INITIALISING:
        return None
    if before_run(frame, method.base, APPLY) is None or not isinstance(method.base.payload, InstanceOf):
        return None
    return Value(FUNCTION, payload=MethodRun(method_to_run(frame, op, method.base, None), ("rngs",), None), made_by=op)


def _why_unknown(function: Value, transform: Transform) -> str:
    """Why the result of a transform of an unknown function is unknown."""
    if function.payload is reason(LIBRARY_METHOD):
        return LIBRARY_METHOD
    return COMPILED if transform.is_compiled else "transform of an unknown function"


def _choice(frame: Frame, op: Op, alternatives: Alternatives, transform: Transform, given: dict[str, Value]) -> Value:
    """Each of several functions under a transform."""
    state = frame.live()
    around, wrapped = state.path, []
    ways = [(called(frame, one, op), when) for one, when in chosen(around, alternatives)]
    if any(when is None or not _is_wrapped(function) for function, when in ways):
        return note_unknown(frame, "transform of an unknown function", op)
    for function, when in ways:
        state.path = assume(around, when or ALWAYS)
        wrapped.append(wrap(frame, op, function, transform, given, is_chosen=True))
    state.path = around
    return one_of(wrapped, [when for _, when in ways]) or note_unknown(frame, "one of several", op)


def called(frame: Frame, function: Value, op: Op) -> Value:
    """The function that is run when a value is called: of an object its method `__call__`."""
    instance = function.payload
    method = lookup(instance.owner, "__call__") if type(instance) is InstanceOf else None
    if method is None:
        return function
    note_lookup(frame, function, "__call__", method)
    if is_misnamed(frame, function):
        return note_unknown(frame, "function that is called a module", op)
    return bind(frame, function, method, op)


def _awaiting(op: Op, transform: Transform, arguments: Arguments) -> Value:
    """The value of a transform whose function is still to come, as in `jax.jit(static_argnums=0)`."""
    callee = Value(API, payload=Named(transform.name))
    return Value(PARTIAL, payload=Partial(callee, arguments), made_by=op)


def with_one_operand(transform: Transform, arguments: Arguments) -> Arguments:
    """The arguments of `cond(test, x, f, y, g)`, an older form in which each arm has an operand of its own, as those of
    `cond(test, f, g, x or y)`.
    """
    given = arguments.positional
    if transform.name != PER_ARM or len(given) != 5 or arguments.is_open:
        return arguments
    is_function = given[4].kind in CALLABLES and given[2].kind in CALLABLES | MAY_BE_ANYTHING
    if given[1].kind in CALLABLES or not is_function:
        return arguments
    ops = arguments.ops
    order = (ops[0], ops[2], ops[4], ops[1]) if len(ops) == 5 else ()
    operands = (given[0], given[2], given[4], join(given[1], given[3]))
    return Arguments(operands, arguments.keywords, False, order, arguments.keyword_ops)


def by_parameter(transform: Transform, arguments: Arguments) -> dict[str, Value]:
    """The arguments by the names of the transform's parameters; varargs are a tuple."""
    given: dict[str, Value] = {}
    rest: list[Value] = []
    for place, value in enumerate(arguments.positional):
        parameter = transform.parameter_at(place)
        if parameter is None:
            continue
        if parameter.kind == "varargs":
            rest.append(value)
            given[parameter.name] = Value(TUPLE, NONE, Elements(tuple(rest)))
        else:
            given[parameter.name] = value
    for name, value in arguments.keywords.items():
        given.setdefault(name, value)
    return given


def wrap(
    frame: Frame, op: Op, function: Value, transform: Transform, given: dict[str, Value], *, is_chosen: bool = False
) -> Value:
    """The function that a wrapping transform returns; adds a root for it."""
    if sum(1 for _ in layers(function)) >= MAXIMUM_LAYERS:
        return note_unknown(frame, "transform of a function under many others", op)
    given = {name: frame.live().contents(value) for name, value in given.items()}
    applied = options_of(frame, op, function, transform, given)
    applied.options, applied.is_chosen = given, is_chosen
    applied.on_path = tuple([fact for fact in frame.path if fact.subject.input is not None])
    if not is_chosen and is_refused(frame, op, function, transform, given):
        applied.static_names, applied.static_numbers = frozenset(visible_names(function)), EVERYTHING
    if not is_chosen:
        check_numbers(frame, op, function, transform, given)
        check_specs(frame, op, function, transform, given)
    check_late(frame, op, function)
    made = making(frame, op, given.get(transform.wraps, function), transform)
    wrapped = Value(FUNCTION, payload=Wrapped(function, applied, making=made), made_by=op)
    is_tried = frame.context.is_prepared or (transform.stage == "differentiated" and frame.is_expected)
    if (transform.stage in ("staged", "mapped", "differentiated") and not is_tried) or transform.passes:
        frame.program.record.roots.append((wrapped, frame, frame.path))
    return wrapped


def apply_convention(frame: Frame, bound: Value, name: str, role: str = "") -> None:
    """Add a root for a function that a framework calls under a transform: every one, if parameters come from there."""
    base, _, _ = name.rpartition(".")
    is_configured = frame.program.table.is_configuration(base)
    role = role or (BY_CONVENTION if is_configured else USUALLY)
    transform = Transform(name, (), "fun", (), "staged", role, keeps="non-arrays")
    assert bound.made_by is not None
    static = frozenset((0,)) if is_configured else frozenset()
    line = bound.made_by.anchor.line
    applied = Applied(transform, frame.namespace.path, line, transform.name, static_numbers=static)
    made = Value(FUNCTION, payload=Wrapped(bound, applied), made_by=bound.made_by)
    frame.program.record.roots.append((made, frame, ALWAYS))


def run_roots(frame: Frame) -> None:
    """Call each root of this frame once, with unknown arguments, on the path that wraps it."""
    record = frame.program.record
    mine = [root for root in record.roots if root[1] is frame]
    if not mine:
        return
    record.roots = [root for root in record.roots if root[1] is not frame]
    if frame.state is None:
        frame.state = State()  # no path arrives at the end of the code that wraps them
    around = frame.path
    for wrapped, _, path in mine:
        is_silent = is_uncalled(frame, wrapped) or is_refused_only(frame, wrapped)
        if underlying(wrapped) is not None and wrapped.made_by is not None and not is_silent:
            with _apart(frame, wrapped.made_by):
                frame.live().path = path
                context, is_unstaged = frame.context, frame.context.is_unstaged or is_eager(frame, wrapped)
                frame.context = replace(context, is_unstaged=is_unstaged)
                call(frame, wrapped.made_by, wrapped, anonymous_arguments(wrapped), mode="root")
                frame.context = context
    frame.live().path = around


def _apart(frame: Frame, op: Op) -> AbstractContextManager[None, bool | None]:
    """A fault barrier around the run of a root, so that one that raises does not end the others."""
    if frame.function.kind != "module":
        return nullcontext()
    return FaultBarrier(frame.program, "what may call a traced function", shown_at(op), frame=frame)


PER_ARM = "jax.lax.cond"
"""The transform that takes an operand for each arm, too: measured on all versions."""

INITIAL, SCALAR = "init", "scalar"
SHAPED, SHAPES_ALONE = "result_shape_dtypes", "result of a run for shapes alone"
"""The parameter of callbacks that says what they give back."""


def _run_all(
    frame: Frame, op: Op, transform: Transform, arguments: Arguments, given: dict[str, Value], is_fit: bool
) -> Value:
    """Run the functions of a transform; `is_fit`: they take what they are called with."""
    results: dict[str, Value] = {}
    arms: list[tuple[int, Value, Value]] = []
    need_branch(frame, op, transform, given)
    if transform.refuses:
        check_run(frame, op, transform, given)
    if transform.abstract:
        frame.program.record.abstract.update(arguments.values())
    before, met = frame.live().copy() if transform.exclusive else None, None
    moment = frame.live().used.moment
    note_run(frame, op, transform, given)
    note_constants(frame, arguments)
    for place, shape in enumerate(transform.runs):
        if shape.function == "decorated":
            return Value(OBJECT, payload=DecoratorRunner(transform, given), made_by=op)
        for each in _functions(given.get(shape.function), shape):
            if before is not None:
                frame.state = before.copy()
            found = _run_function(frame, op, transform, shape, each, given, moment) if is_fit else None
            if found is None:
                if not transform.abstract and not transform.exclusive:
                    pass_keys_to_unknown(frame, op, each, arguments)
                continue
            arms.append((place, each, found))
            result = of_leaves(op, transform, shape, given, of_turns(transform, shape, given, found))
            met = join_states(met, frame.state) if before is not None else None
            known = results.get(shape.function)
            results[shape.function] = result if known is None else join(known, result)
    if met is not None:
        frame.state = met
        results = dict.fromkeys(results, reduce(join, results.values()))
    if "bool" not in transform.expects or not check_truth(frame, op, transform, arguments, given, results):
        check_returned(frame, op, transform, arms, given, arguments)
        if is_fit and not arguments.is_open:
            check_results(frame, op, transform, arms, given)
    if transform.stage == "host" and SHAPED in given:
        if is_fit and not arguments.is_open and transform.name.startswith("jax."):
            check_called_back(frame, op, arms, given[SHAPED], arguments.written(1, SHAPED))
        return of_shapes(frame, given[SHAPED], op)
    if transform.abstract or transform.returns is None or has_auxiliary(given):
        return note_unknown(frame, SHAPES_ALONE if transform.abstract else "result of a transform", op)
    note_result(frame, op, transform.name, arguments, arguments.written(1, INITIAL), has_auxiliary(given))
    return collected(transform, given, _result(frame, op, transform.returns, given, results))


def _run_function(
    frame: Frame, op: Op, transform: Transform, shape: CallShape, value: Value, given: dict[str, Value], moment: int
) -> Value | None:
    """The result of running what is passed for a function, or each of several; None if it is not known."""

    def run(one: Value) -> Value:
        return _run_one(frame, op, transform, shape, called(frame, one, op), given, moment)

    if type(value.payload) is Alternatives:
        return in_each(frame, value.payload, given.values(), run, lambda one: None)
    function = called(frame, value, op)
    if function.kind in WRAPPED_BY_TRANSFORMS:
        return run(function)
    _note_applied(frame, function)
    if (initialised := _initialised(frame, op, function)) is not None:
        run(initialised)
    return None


def wrapped_result(frame: Frame, op: Op, applied: Applied, arguments: Arguments, result: Value) -> Value:
    """The result of a call of a wrapped function; that of `grad` resembles the differentiated argument.

    The rows of transforms call that argument the first one, whichever is told by `argnums`.
    """
    returns = applied.transform.returns
    given = {str(place): value for place, value in enumerate(arguments.positional)}
    if applied.differentiated != frozenset((0,)):
        told = [given.get(str(place)) for place in applied.differentiated]
        given = {"0": told[0]} if len(told) == 1 and told[0] is not None and not applied.is_several else {}
    if applied.transform.abstract:
        return note_unknown(frame, SHAPES_ALONE, op)
    if applied.transform.name == INJECTING:
        return Value(OBJECT, payload=Named(OPTIMIZER), made_by=op)
    if given and applied.transform.mode:
        note_resembling(frame, op, given.get("0"))
    if SCALAR in applied.transform.expects:
        result = _differentiable(frame, op, applied, result)
    found = _result(frame, op, returns, given, {applied.transform.wraps: result})
    if not applied.has_aux:
        return found
    pair = result.elements if applied.returns_pair else None
    if pair is None or len(pair) != 2:
        return note_unknown(frame, "result with auxiliary data", op)
    if isinstance(returns, tuple):
        return found
    return Value(TUPLE, NONE, Elements((found, outside(frame, pair[1], op))), op)


def _differentiable(frame: Frame, op: Op, applied: Applied, result: Value) -> Value:
    """The result of a function that is differentiated: an array without axes, whoever it is that computes it."""
    if not applied.has_aux:
        return Value(ARRAY, frame.ambient, made_by=op, shape=()) if result.kind is UNKNOWN else result
    if not applied.returns_pair or (result.elements is None and result.kind is not UNKNOWN):
        return result
    value, *rest = result.elements or (result,)
    alone = replace(applied, has_aux=False)
    auxiliary = rest or [note_unknown(frame, "auxiliary data", op)]
    return Value(TUPLE, NONE, Elements((_differentiable(frame, op, alone, value), *auxiliary)), op)


def run_decorated(frame: Frame, op: Op, runner: DecoratorRunner, function: Value) -> Value:
    """`@pl.when(condition)`: run the decorated function here."""
    for shape in runner.transform.runs:
        if function.kind in WRAPPED_BY_TRANSFORMS:
            _run_one(frame, op, runner.transform, shape, function, runner.given)
    return Value(STATIC, payload=NOTHING)


def _note_applied(frame: Frame, function: Value) -> None:
    """Record that an input is transformed: callers that pass a function specialize on it."""
    source = function.input
    if source is not None:
        frame.summary.uses.note_called(source)


def _functions(value: Value | None, shape: CallShape) -> list[Value]:
    if value is None:
        return []
    if not shape.each or value.kind is INSTANCE:
        return [value]
    return list(value.parts)


def _run_one(
    frame: Frame, op: Op, transform: Transform, shape: CallShape, function: Value, given: dict[str, Value],
    moment: int = 0,
) -> Value:  # fmt: skip
    applied = Applied(
        transform, frame.namespace.path, op.anchor.line, phrase(op.func) if type(op) is ops.Call else transform.name
    )
    is_staged = transform.stage == "staged" and not frame.context.is_unstaged
    names = visible_names(function)
    values: list[Value] = []
    words: list[Word] = []
    for argument in shape.arguments:
        handed = _argument(frame, op, transform, argument, given)
        values += handed
        words += [argument.word] * len(handed)
    if is_staged or transform.stage in ("mapped", "differentiated"):
        rebuild(frame, op, applied, zip(names, values, strict=False))
        values = [
            _traced(function, names, place, applied, value, word)
            for place, (value, word) in enumerate(zip(values, words, strict=True))
        ]
    ambient: Dependences = frame.ambient
    if is_staged:
        ambient = frozenset((_trace(function, names, -1, applied),))
    elif transform.stage == "host":
        ambient = NONE
    mode: CallMode = "host" if transform.stage == "host" else "abstract" if transform.abstract else "plain"
    is_once = turns_once(transform, given)
    turns, around = None if is_once else turns_of(op, transform, shape, function, given), frame.repetitions
    frame.repetitions = around if turns is None else (*around, turns)
    carry = None if is_once else carry_of(transform, shape, given)
    path = frame.path
    frame.live().path = assume(path, facts_of_body(frame, op, transform, shape, given))
    callees = frame.summary.run.callees
    known = len(callees)
    context, bound = frame.context, frame.bound_axes
    if transform.mode:
        frame.context = differentiated(context, transform.mode, has_auxiliary(given))
    elif transform.stage == "host":
        frame.context = replace(context, is_eager=True)
    if any(parameter.name == MESH for parameter in transform.parameters):
        frame.bound_axes = (*bound, ANY)
    is_open = bool(shape.arguments) and shape.arguments[-1].word == "others"
    result = call(frame, op, function, Arguments(tuple(values), is_open=is_open), ambient, mode)
    frame.context, frame.bound_axes = context, bound
    if frame.state is not None:
        frame.state.path = path
    if not transform.passes:
        check_traced_call(frame, op, transform, function, (), result)
        check_result(frame, op, transform, applied.text, function, result, values)
    if shape.arguments and shape.arguments[0].word == "leaf":
        check_filled(frame, op, transform, given.get(shape.arguments[0].parameter), result)
    frame.repetitions = around
    if carry is not None and frame.state is not None:
        carried = result.elements[0] if is_pair(transform) and result.elements else result
        check_carry(frame, op, function, carry, carried, moment, callees[known:])
        check_sharded_carry(frame, op, carry, carried, callees[known:], applied.text)
    return result


def _traced(function: Value, names: list[str], place: int, applied: Applied, value: Value, word: Word) -> Value:
    """An argument of a function that is run under a transform."""
    if word == "closed":
        return value
    if word == "index":
        return _index(function, names, place, applied)
    if word == "kept":
        applied = replace(applied, transform=replace(applied.transform, keeps="non-arrays"))
    return pass_argument(value, _trace(function, names, place, applied), applied.transform)


def _index(function: Value, names: list[str], place: int, applied: Applied) -> Value:
    token = _trace(function, names, place, applied)
    return Value(ARRAY, frozenset((index_of_loop(token),)), shape=(), dtype=OF_INDEX)


def _trace(function: Value, names: list[str], place: int, applied: Applied) -> Token:
    found = underlying(function)
    name = found.function.name if found is not None else "<function>"
    value = names[place] if 0 <= place < len(names) else ""
    role = applied.transform.role or "traced by"
    is_compiled = applied.transform.is_compiled
    trace = Trace(value, name, applied.transform.name, role, applied.path, applied.line, is_compiled, applied.text)
    kept = applied.transform.keeps == "non-arrays"
    transform = applied.transform
    return Token(trace, transform.stage, for_arrays=kept, mode=transform.mode, updates=bool(transform.updates))


def _argument(frame: Frame, op: Op, transform: Transform, argument: Argument, given: dict[str, Value]) -> list[Value]:
    word, value = argument.word, given.get(argument.parameter)
    if word == "others":
        return []
    if word in ("rest", "closed", "parameter", "leaf", "each") or (word == "kept" and argument.parameter):
        parameter = next((p for p in transform.parameters if p.name == argument.parameter), None)
        if parameter is not None and parameter.kind == "varargs":
            values = list(value.elements or ()) if value is not None else []
        elif word in ("rest", "closed"):
            return spread(value)
        else:
            values = [value if value is not None else unknown("argument left out")]
        taken = leaf_of if word == "leaf" else each_of if word == "each" else None
        return values if taken is None else [taken(frame, one, op) for one in values]
    if word == "ref":
        return [Value(REF, frame.ambient, STORAGE, op)]
    if word == "key":
        return [Value(KEY, made_by=op)]
    if word in ("array", "index"):
        return [Value(ARRAY, made_by=op)]
    if word == "static":
        return [Value(STATIC, payload=OPEN)]
    return [unknown(f"argument of a transform: {word}")]


def _result(
    frame: Frame, op: Op, returns: ReturnedTree | None, given: dict[str, Value], results: dict[str, Value]
) -> Value:
    if isinstance(returns, tuple):
        return Value(TUPLE, NONE, Elements(tuple(_result(frame, op, r, given, results) for r in returns)), op)
    if returns is None:
        return note_unknown(frame, "result of a transform", op)
    if returns.word in ("parameter", "result", "mapped", "argument"):
        is_result = returns.word in ("result", "mapped")
        found = (results if is_result else given).get(returns.parameter)
        if found is not None and returns.word == "argument" and found.kind is INPUT and found.payload is found.input:
            return Value(INPUT, unite(found.dependences, frame.ambient), None, op, like=found.input)
        if found is not None:
            return outside(frame, found if is_result else without_weak(found), op, is_result)
    if returns.word == "array":
        return Value(ARRAY, frame.ambient, made_by=op)
    if returns.word == "static":
        return Value(STATIC, payload=OPEN, made_by=op)
    return note_unknown(frame, "result of a transform", op)
