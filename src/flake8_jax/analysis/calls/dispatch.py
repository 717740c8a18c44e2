"""Dispatch of calls on the kind of the callee.

The callee is a value: a function of the project (its summary is applied), a partial or transformed one, a class, a name
of a library (its row has preconditions and result), or unknown.  An unknown call traces nothing, and possibly uses up
the keys that it receives; it may have changed every mutable object that it can reach, so these are invalidated.
"""

from __future__ import annotations

from flake8_jax.analysis.callables import (
    Arguments,
    CallMode,
    ClassDecorator,
    ClassValue,
    Decorated,
    DecoratorRunner,
    FunctionValue,
    InstanceOf,
    MethodRun,
    Partial,
    Wrapped,
    visible_names,
)
from flake8_jax.analysis.calls.alternatives import call_each, numeric
from flake8_jax.analysis.calls.library import call_library, imitating
from flake8_jax.analysis.calls.methods import call_method
from flake8_jax.analysis.calls.rebuilding import rebuild
from flake8_jax.analysis.calls.repetitions import lanes_of, of_lanes
from flake8_jax.analysis.calls.streams import call_run
from flake8_jax.analysis.calls.traced_arguments import enter, place_of
from flake8_jax.analysis.calls.transforms import run_decorated, wrapped_result
from flake8_jax.analysis.calls.tree_parts import outside
from flake8_jax.analysis.checks.at_views import need_no_view
from flake8_jax.analysis.checks.compilation.constants import note_constants
from flake8_jax.analysis.checks.compilation.donated_reads import check_reading, check_transformed
from flake8_jax.analysis.checks.compilation.donations import DonatedArguments, check_compiled, donate
from flake8_jax.analysis.checks.compilation.handlers import note_handler
from flake8_jax.analysis.checks.compilation.hashed_arguments import need_hashes
from flake8_jax.analysis.checks.compilation.objects_traced import (
    need_trees,
    note_decorated,
    note_handed,
    traced_arguments,
)
from flake8_jax.analysis.checks.compilation.remade import note_called
from flake8_jax.analysis.checks.compilation.retraced import note_values
from flake8_jax.analysis.checks.compilation.static_fields import check_fields
from flake8_jax.analysis.checks.compilation.varying import comes_of_element
from flake8_jax.analysis.checks.contracts.axes import check_mapped_result, refuses_mapped
from flake8_jax.analysis.checks.contracts.called import refuses_call
from flake8_jax.analysis.checks.contracts.differentiated import check_differentiated, note_choice
from flake8_jax.analysis.checks.contracts.dropped_variables import MUTABLE, check_dropped
from flake8_jax.analysis.checks.contracts.foreign import check_arguments, check_result
from flake8_jax.analysis.checks.contracts.lost_updates import check_method as check_lost
from flake8_jax.analysis.checks.contracts.meshes import bound_by, check_sharded_result, refuses_sharded, split_by
from flake8_jax.analysis.checks.contracts.optimizer_states import check_state
from flake8_jax.analysis.checks.contracts.optimizers import UPDATE, check_update
from flake8_jax.analysis.checks.contracts.required import check_required, need_none_required
from flake8_jax.analysis.checks.contracts.setup_fields import check_read
from flake8_jax.analysis.checks.contracts.stale_states import note_update
from flake8_jax.analysis.checks.contracts.submodules import check_own_part
from flake8_jax.analysis.checks.contracts.unbound import check_unbound, is_misnamed
from flake8_jax.analysis.checks.contracts.unpacked import check_attribute, note_run, note_wrapped
from flake8_jax.analysis.checks.contracts.variables import APPLY, STARTING, check_applied, note_started
from flake8_jax.analysis.checks.derivatives.custom_rules import check_called
from flake8_jax.analysis.checks.derivatives.differentiated import differentiated
from flake8_jax.analysis.checks.derivatives.modes import check_backward
from flake8_jax.analysis.checks.discarded import check_discarded
from flake8_jax.analysis.checks.effects.caches import CACHES, note_cached_call
from flake8_jax.analysis.checks.effects.formats import TEXTS
from flake8_jax.analysis.checks.effects.frozen_reads import note_field
from flake8_jax.analysis.checks.effects.host_calls import note_method_of_input
from flake8_jax.analysis.checks.effects.outer_writes import CHANGING, note_method
from flake8_jax.analysis.checks.host.buffers import note_passed_buffers
from flake8_jax.analysis.checks.host.clocks import note_result
from flake8_jax.analysis.checks.host.waits import note_call, note_return
from flake8_jax.analysis.checks.mutation import STORING, need_mutable_by_call
from flake8_jax.analysis.checks.numpy_only import need_member
from flake8_jax.analysis.checks.purity import note_effects
from flake8_jax.analysis.checks.references import check_traced_call
from flake8_jax.analysis.checks.sequences import need_rows
from flake8_jax.analysis.checks.startup.reaching import note_call as note_steps
from flake8_jax.analysis.checks.startup.reaching import note_constructed, note_library_call
from flake8_jax.analysis.checks.startup.reaching import note_run as note_steps_of
from flake8_jax.analysis.evaluate.displays import evaluate_for
from flake8_jax.analysis.evaluate.exceptions import is_to_raise
from flake8_jax.analysis.evaluate.settings import note_entered, opens_unstaged, unstaged
from flake8_jax.analysis.evaluator import OpEvaluator, ValueCaller, call, evaluate
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.labels.tables import INITIALIZERS
from flake8_jax.analysis.objects import access
from flake8_jax.analysis.objects.classes import lookup
from flake8_jax.analysis.objects.copies import changed_by, copied, copies
from flake8_jax.analysis.objects.enumerations import member_for
from flake8_jax.analysis.objects.growing import FOLLOWED_IN_ELEMENTS
from flake8_jax.analysis.objects.instances import COPYING, bind, constructed, note_lookup
from flake8_jax.analysis.objects.invalidation import COMPILING_DECORATOR, UNSTAGING_DECORATOR, call_unknown, invalidate
from flake8_jax.analysis.objects.iteration import any_element
from flake8_jax.analysis.objects.narrowing import note_tests
from flake8_jax.analysis.objects.pending import DONATED, TICKING
from flake8_jax.analysis.summaries.application import apply_summary
from flake8_jax.analysis.summaries.derivative_rules import run_rules
from flake8_jax.domain.conditions import assume
from flake8_jax.domain.kinds import (
    API,
    CLASS,
    DICT,
    FUNCTION,
    INPUT,
    INSTANCE,
    MAY_BE_ANYTHING,
    METHOD,
    OBJECT,
    PARTIAL,
    TUPLE,
    UNKNOWN,
    Kind,
)
from flake8_jax.domain.payload import Alternatives, MethodOf
from flake8_jax.domain.staging import NONE, Dependences, Token, in_order
from flake8_jax.domain.value import Value, unknown
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.lazy_dataclasses import replace

ENTERING = frozenset(("enter_context", "__enter__"))
MAXIMUM_SPREAD = 2
"""How deep in an argument a dict lies whose entries are handed on."""


def evaluate_call(frame: Frame, op: ops.Call) -> Value:
    """The value of a call op."""
    func = op.func
    if type(func) is ops.Attr:
        base = evaluate(frame, func.base)
        need_member(frame, base, func)
        if base.kind is TUPLE:
            check_attribute(frame, base, func)
        callee = access.attribute(frame, base, func.name, func)
        if base.kind is INSTANCE and frame.parent is not None:
            note_field(frame, func, base, callee)
        if base.kind is INSTANCE:
            check_read(frame, func, base)
        is_setup = func.name in INITIALIZERS
    else:
        base, callee, is_setup = None, evaluate(frame, func), False
    need_no_view(frame, callee, func, "call", op)
    context, discards = frame.context, frame.discarded is op
    is_output = callee.kind is API and (
        callee.name in TEXTS or frame.program.table.known(callee.name).effect is not None
    )
    if context.element is None and not is_output:
        arguments = evaluate_arguments(frame, op)
    else:
        frame.context = replace(context, element=None, is_output=is_output)
        arguments = evaluate_arguments(frame, op)
        frame.context = context
    if base is not None and type(func) is ops.Attr and func.name in CHANGING:
        note_method(frame, op, func, base, arguments)
    if base is not None and type(func) is ops.Attr and copies(base, func.name, arguments):
        changed = changed_by(frame, base, func.name, arguments, op)
        result = copied(frame, base, changed, op, func.name)
        frame.summary.writes.copies[result] = changed
        if discards:
            check_discarded(frame, op, callee, arguments, result)
        return result
    if type(func) is ops.Attr and func.name in ENTERING:
        note_entered(frame, op)
    if base is not None and type(func) is ops.Attr and func.name in STORING:
        need_mutable_by_call(frame, op, func.name, base)
    if base is not None and type(func) is ops.Attr and func.name == UPDATE:
        check_update(frame, op, base, arguments)
        check_state(frame, op, base, UPDATE, arguments)
        note_update(frame, op, base, arguments)
        check_lost(frame, op, base, arguments)
        promised = base.input.annotation if base.input is not None else ""
        known = base.name or promised
        if known:
            check_required(frame, op, f"{known}.{UPDATE}", arguments)
        else:
            need_none_required(frame, op, base, UPDATE, arguments)
        if base.name or base.kind in MAY_BE_ANYTHING:
            note_run(frame, op, f"{base.name}.{UPDATE}", arguments, arguments.written(1, "state"), False)
    note_call(frame, func, callee, base, arguments)
    check_unbound(frame, op, callee)
    if MUTABLE in arguments.keywords:
        check_dropped(frame, op)
    result = call(frame, op, callee, arguments)
    if base is not None and type(func) is ops.Attr and func.name in STARTING:
        note_started(frame, op, base, func.name)
        check_state(frame, op, base, func.name, arguments)
    elif base is not None and type(func) is ops.Attr and func.name == APPLY and base.kind is INPUT:
        check_applied(frame, op, arguments, base)
    note_steps(frame, op, callee)
    note_return(frame, callee)
    if frame.state is not None and TICKING in frame.state.used:
        note_result(frame, op, callee, arguments, result)
    if frame.state is not None and DONATED in frame.state.used:
        check_reading(frame, op, callee, base, arguments)
    if callee.kind in MAY_BE_ANYTHING and base is not None and base.kind is not API:
        if base.kind is INPUT and type(func) is ops.Attr and (classes := frame.program.table.moved_by(func.name)):
            note_method_of_input(frame, op, base, func, classes)
        invalidate(frame, base)
    if type(func) is ops.Attr and func.name in COPYING and arguments.keywords:
        frame.summary.writes.copies[result] = arguments.keywords
    if is_setup:
        frame.program.record.setups.update(arguments.values())
    note_effects(frame, callee, arguments)
    note_handler(frame, op, arguments)
    if discards:
        check_discarded(frame, op, callee, arguments, result)
    return result


def evaluate_arguments(frame: Frame, op: ops.Call) -> Arguments:
    """The arguments of a call op; starred ones are spread where their parts are known."""
    positional: list[Value] = []
    sources: list[Op | None] = []
    is_open = False
    rest: Value | None = None
    for argument in op.args:
        if type(argument) is ops.Star:
            value = evaluate(frame, argument.value)
            parts = access.spread_parts(frame, value, argument)
            if parts is not None:
                positional.extend(parts)
                sources.extend([argument] * len(parts))
            else:
                rest = None if is_open else _rest(frame, value, argument)
                is_open = True
                _note_spread(frame, value)
            continue
        if is_open:
            evaluate(frame, argument)
            rest = None
            continue
        positional.append(_handed_on(frame, argument, evaluate(frame, argument)))
        sources.append(argument)
    keywords: dict[str, Value] = {}
    keyword_ops: dict[str, Op] = {}
    for name, argument in op.keywords:
        value = _handed_on(frame, argument, evaluate_for(frame, name or "", argument))
        if name is not None:
            keywords[name], keyword_ops[name] = value, argument
        elif (entries := frame.live().contents(value).entries) is not None:
            for key, part in entries.items():
                if isinstance(key, str):
                    keywords.setdefault(key, part)
        else:
            is_open, rest = True, None
            _note_spread(frame, value)
    return Arguments(tuple(positional), keywords, is_open, tuple(sources), keyword_ops, rest)


def _rest(frame: Frame, value: Value, op: Op) -> Value | None:
    """What each element of `*value` is, of unknown length: arrays, or tuples of them, no keys: each is another one."""
    found = any_element(frame, value, op)
    is_array = found.kind is INPUT or found.kind in FOLLOWED_IN_ELEMENTS
    return found if is_array or (found.kind is TUPLE and found.elements) else None


def _handed_on(frame: Frame, op: Op, value: Value) -> Value:
    note_tests(frame, op, value)
    return value


def _note_spread(frame: Frame, value: Value) -> None:
    """Record in the summary that its own `*args` or `**kwargs` are passed on, or an attribute that holds such."""
    if value.kind is INPUT and value.input is not None and value.input.step is not None:
        if value.input.step[0] == "." and value.input.depth <= MAXIMUM_SPREAD:
            frame.summary.uses.spreads[value.input, ""] = None
    elif value.kind is DICT or value.form == "varargs":
        inputs = [(d, "") for d in in_order(value.dependences) if d.parent is None]
        frame.summary.uses.spreads |= dict.fromkeys(inputs)


def _library(frame: Frame, op: Op, callee: Value, arguments: Arguments, ambient: Dependences, mode: CallMode) -> Value:
    result = call_library(frame, op, callee.name, arguments, ambient)
    note_library_call(frame, op, callee.name, arguments, result, ambient)
    return result


def _function(frame: Frame, op: Op, callee: Value, arguments: Arguments, ambient: Dependences, mode: CallMode) -> Value:
    payload = callee.payload
    note_handed(frame, arguments)
    if isinstance(payload, FunctionValue):
        return apply_summary(frame, op, payload, arguments, ambient, mode)
    if isinstance(payload, MethodRun):
        return call_run(frame, op, payload, arguments, ambient, mode)
    assert isinstance(payload, Wrapped)
    return _call_wrapped(frame, op, payload, arguments, ambient, mode)


def _method(frame: Frame, op: Op, callee: Value, arguments: Arguments, ambient: Dependences, mode: CallMode) -> Value:
    method = callee.payload
    assert isinstance(method, MethodOf)
    return call_method(frame, op, method.base, method.name, arguments)


def _unknown(frame: Frame, op: Op, callee: Value, arguments: Arguments, ambient: Dependences, mode: CallMode) -> Value:
    if type(callee.payload) is Alternatives:
        made = numeric(frame, op, callee.payload, arguments)
        found = call_each(frame, op, callee.payload, arguments, ambient, mode)
        if made is not None or found is not None:
            return made or found or callee
    positional = arguments.positional
    is_decorated = frame.context.is_defining and len(positional) == 1 and positional[0].kind is FUNCTION
    if is_decorated and type(op) is ops.Call and opens_unstaged(frame, op.func, callee):
        return unstaged(frame, op, positional[0])
    note_handed(frame, arguments)
    return call_unknown(frame, op, callee, arguments)


def _call_wrapped(
    frame: Frame, op: Op, wrapped: Wrapped, arguments: Arguments, ambient: Dependences, mode: CallMode
) -> Value:
    if wrapped.applied.transform.name in CACHES and mode != "root":
        note_cached_call(frame, op, wrapped, arguments)
        if mode == "plain" and isinstance(wrapped.callee.payload, FunctionValue):
            note_steps_of(frame, op, wrapped.callee.payload, phrase(op.func) if type(op) is ops.Call else "it")
        return call_unknown(frame, op, unknown("function under a cache"), arguments)
    if own := frame.program.table.own_keywords(wrapped.applied.transform.name):
        arguments = arguments.without(own)
    if frame.context.is_unstaged and wrapped.applied.transform.stage == "staged":
        frame.program.record.unstaged |= {place_of(wrapped)}
        return call(frame, op, wrapped.callee, arguments, ambient, mode)
    is_expected = mode == "plain" and frame.context.is_prepared and is_to_raise(frame, op)
    if is_expected or (mode == "plain" and refuses_call(frame, op, wrapped, arguments)):
        if type(op) is ops.Call and type(op.func) is ops.Call:  # it is called once, as it is made
            frame.program.record.unstaged |= {place_of(wrapped)}
        return unknown("a call that is refused", op)
    is_refused = mode == "plain" and (
        refuses_mapped(frame, op, wrapped, arguments) or refuses_sharded(frame, op, wrapped, arguments)
    )
    if mode == "plain":
        note_values(frame, op, wrapped, arguments, ambient)
        if wrapped.making is not None:
            note_called(frame, op, wrapped.making, ambient)
    need_hashes(frame, op, wrapped, arguments, mode)
    need_trees(frame, wrapped, arguments, mode)
    check_arguments(frame, op, wrapped, arguments, mode)
    if mode == "plain":
        traced = traced_arguments(wrapped, arguments)
        rebuild(frame, op, wrapped.applied, ((name, value) for _, name, value in traced))
    handed, token = enter(frame.program.table, wrapped, arguments, is_prepared=frame.context.is_prepared)
    donated: DonatedArguments = []
    if mode == "plain" and wrapped.applied.transform.is_compiled:
        note_passed_buffers(frame, op, tuple(arguments.values()))
        donated = check_compiled(frame, op, wrapped.applied, arguments)
    elif mode == "plain" and wrapped.applied.transform.stage in ("mapped", "differentiated"):
        check_transformed(frame, op, wrapped, arguments)
    if mode == "plain":
        note_constants(frame, arguments)
    if mode == "plain":
        _count(frame, op, wrapped, token, arguments)
    is_host = wrapped.applied.transform.stage == "host"
    inner = frozenset((token,)) if token is not None else NONE if is_host else ambient
    inside: CallMode = "abstract" if mode == "plain" and wrapped.applied.transform.abstract else mode
    inside = "host" if mode == "plain" and is_host else inside
    if wrapped.applied.transform.stage == "mapped" and wrapped.applied.axes is None:
        need_rows(frame, op, wrapped.applied.transform, arguments)
    lanes = lanes_of(op, wrapped, arguments)
    around, bound, splits = frame.repetitions, frame.bound_axes, frame.splits
    frame.splits = split_by(frame.program.table, wrapped)
    frame.bound_axes = (*bound, bound_by(frame.program.table, wrapped) if mode == "plain" else None)
    frame.repetitions = around if lanes is None else (*around, lanes)
    context = frame.context
    if mode_of := wrapped.applied.transform.mode:
        if mode_of == "own backward" and mode != "root":
            check_backward(frame, op, wrapped, arguments)
        if mode != "root":
            check_called(frame, op, wrapped)
        is_open = not wrapped.applied.differentiated
        frame.context = differentiated(context, mode_of, wrapped.applied.has_aux, mode == "root", is_open)
    if is_host:
        frame.context = replace(frame.context, is_eager=True)
    if wrapped.applied.transform is COMPILING_DECORATOR:
        frame.context = replace(frame.context, may_be_compiled=True)
    if wrapped.applied.transform is UNSTAGING_DECORATOR and mode != "root":
        frame.context = replace(frame.context, is_unstaged=True)
    path, made_on = frame.path, wrapped.applied.on_path
    if made_on:  # the function was made where this held, and captured what it holds of
        frame.live().path = assume(path, made_on)
    result = call(frame, op, wrapped.callee, handed, inner, inside)
    if made_on and frame.state is not None:
        frame.state.path = tuple([fact for fact in frame.state.path if fact in path or fact not in made_on])
    frame.repetitions, frame.bound_axes, frame.splits, frame.context = around, bound, splits, context
    if donated:
        donate(frame, op, wrapped, donated, result)
    if wrapped.rules:
        run_rules(frame, op, wrapped, arguments, inner)
    check_traced_call(frame, op, wrapped.applied.transform, wrapped.callee, arguments.values(), result)
    transform = wrapped.applied.transform
    if transform.stage == "differentiated" and wrapped.applied.is_chosen:
        note_choice(frame, op, wrapped.applied, wrapped.callee, result)
    elif transform.stage == "differentiated" and not is_refused:
        check_differentiated(frame, op, wrapped, arguments, result)
    check_result(frame, op, transform, wrapped.applied.text, wrapped.callee, result, arguments.values())
    if mode == "plain" and not is_refused:
        check_mapped_result(frame, op, wrapped, result)
        check_sharded_result(frame, op, wrapped, result)
    result = of_lanes(result, wrapped, arguments)
    if transform.returns is not None:
        note_wrapped(frame, op, wrapped.applied)
        return wrapped_result(frame, op, wrapped.applied, arguments, result)
    if transform.stage == "transparent":
        return result
    return outside(frame, result, op, True)


def _count(frame: Frame, op: Op, wrapped: Wrapped, token: Token | None, arguments: Arguments) -> None:
    """Count the call sites of a traced function, one in a loop twice; and note that all arguments are seen.

    Where a static argument is another one in each turn, each is traced.
    """
    record, is_open = frame.program.record, arguments.is_open
    if token is None:
        if not is_open and wrapped.applied.transform.stage == "mapped":
            record.complete |= {place_of(wrapped)}
    elif (wrapped, op) not in record.sites:
        record.sites.add((wrapped, op))
        is_repeated = bool(frame.iterations) and not _is_traced_by_turn(frame, wrapped, arguments)
        record.calls[token.trace.place] += 2 if is_repeated else 1
        if not is_open:
            record.complete |= {token.trace.place}


def _is_traced_by_turn(frame: Frame, wrapped: Wrapped, arguments: Arguments) -> bool:
    """Is a static argument the element of each loop around the call?"""
    names, chains = visible_names(wrapped.callee), chains_of(frame.function)
    given = [(names[place] if place < len(names) else "", place, one) for place, one in enumerate(arguments.ops)]
    given += [(name, -1, one) for name, one in arguments.keyword_ops.items()]
    static = [one for name, place, one in given if one is not None and wrapped.applied.may_be_static(name, place)]
    loops = {loop for loop, _ in frame.iterations}
    return all(type(loop) is ops.Loop and any(comes_of_element(chains, one, loop) for one in static) for loop in loops)


def _call_partial(
    frame: Frame, op: Op, callee: Value, arguments: Arguments, ambient: Dependences, mode: CallMode
) -> Value:
    partial = callee.payload
    assert isinstance(partial, Partial)
    bound = partial.arguments
    merged = Arguments(
        bound.positional + arguments.positional,
        {**bound.keywords, **arguments.keywords},
        bound.is_open or arguments.is_open,
        (None,) * len(bound.positional) + arguments.ops,
        arguments.keyword_ops,
    )
    return call(frame, op, partial.callee, merged, ambient, mode)


def _construct(
    frame: Frame, op: Op, callee: Value, arguments: Arguments, ambient: Dependences, mode: CallMode
) -> Value:
    owner = callee.payload
    assert isinstance(owner, ClassValue)
    check_own_part(frame, op, owner, arguments.keywords)
    if (enumerated := member_for(owner, arguments, op)) is not None:
        return enumerated
    made = constructed(frame, op, owner, arguments, ambient)
    note_constructed(frame, op, owner, arguments)
    if owner.is_tree:
        check_fields(frame, owner, made, op)
    return made


def _call_object(
    frame: Frame, op: Op, callee: Value, arguments: Arguments, ambient: Dependences, mode: CallMode
) -> Value:
    decorated = arguments.positional[0] if arguments.positional else None
    payload = callee.payload
    if isinstance(payload, ClassDecorator) and decorated is not None and decorated.kind is CLASS:
        frame.program.record.marks = True
        if isinstance(decorated.payload, ClassValue):
            note_decorated(frame, decorated.payload, payload.name)
        return payload.decorate(decorated)
    if isinstance(payload, DecoratorRunner):
        return run_decorated(frame, op, payload, decorated) if decorated is not None else callee
    if isinstance(payload, Decorated) and payload.decorator == "wraps" and decorated is not None:
        return imitating(decorated, payload.callee)
    if isinstance(payload, Decorated) and payload.decorator == "accessor":
        return payload.callee
    if isinstance(payload, Decorated):
        return call(frame, op, payload.callee, arguments)
    return call_method(frame, op, callee, "__call__", arguments)


def _call_instance(
    frame: Frame, op: Op, callee: Value, arguments: Arguments, ambient: Dependences, mode: CallMode
) -> Value:
    instance = callee.payload
    assert isinstance(instance, InstanceOf)
    method = lookup(instance.owner, "__call__")
    note_lookup(frame, callee, "__call__", method)
    if method is None or is_misnamed(frame, callee):
        return call_unknown(frame, op, callee, arguments)
    bound = bind(frame, callee, method, op)
    result = call(frame, op, bound, arguments, ambient, mode)
    note_return(frame, bound)
    return result


EVALUATES: dict[type[Op], OpEvaluator] = {ops.Call: evaluate_call}
CALLS: dict[Kind, ValueCaller] = {
    API: _library, FUNCTION: _function, PARTIAL: _call_partial, CLASS: _construct, METHOD: _method,
    OBJECT: _call_object, INSTANCE: _call_instance, UNKNOWN: _unknown,
}  # fmt: skip
