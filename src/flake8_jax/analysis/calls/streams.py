"""Fresh keys that a body asks of a stream, and the key from which a library draws them.

def net(x): return dropout(hk.next_rng_key(), x)    an effect: a stream is asked
hk.transform(net).apply(params, key, x)             so `key` is used up here
hk.transform(linear).apply(params, key, x)          `linear` asks for none, and `key` is as fresh as before
"""

from __future__ import annotations

from operator import attrgetter
from typing import ClassVar

from flake8_jax.analysis.callables import Arguments, CallMode, MethodRun, Partial, underlying
from flake8_jax.analysis.checks.contracts.called import check_run
from flake8_jax.analysis.checks.contracts.kept_states import IntegerKept, check_state
from flake8_jax.analysis.checks.contracts.missing_rngs import check_rngs
from flake8_jax.analysis.checks.contracts.unpacked import note_parts
from flake8_jax.analysis.checks.contracts.variables import check_applied
from flake8_jax.analysis.checks.keys.uses import consume
from flake8_jax.analysis.evaluator import call
from flake8_jax.analysis.evidence import LatentEvidence
from flake8_jax.analysis.frame import Frame, note_unknown
from flake8_jax.analysis.labels.tables import WITHOUT_NOISE
from flake8_jax.analysis.objects.instances import method_to_run
from flake8_jax.analysis.objects.invalidation import call_unknown
from flake8_jax.analysis.summaries.deferral import leave
from flake8_jax.domain.constants import OPEN
from flake8_jax.domain.effects import Effect
from flake8_jax.domain.kinds import CONTAINERS, KEY, TUPLE, UNKNOWN
from flake8_jax.domain.payload import Elements
from flake8_jax.domain.staging import NONE, Dependences
from flake8_jax.domain.value import Value, unknown
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.lazy_dataclasses import dataclass, replace

OPTIONS = frozenset(("rngs", "method", "mutable", "capture_intermediates"))
"""What a module is told of a run, beside the arguments of its method."""


@dataclass(frozen=True, slots=True)
class StreamAsked(LatentEvidence):
    """A fresh key asked of a stream, an effect that callers inherit."""

    identified_by: ClassVar = attrgetter("__class__")
    is_told: ClassVar[bool] = False


def ask_stream(frame: Frame, op: Op) -> Value:
    """A fresh key; the body asks for it."""
    leave(frame, StreamAsked(op))
    return Value(KEY, made_by=op)


def call_run(frame: Frame, op: Op, run: MethodRun, arguments: Arguments, ambient: Dependences, mode: CallMode) -> Value:
    """The result of running a function with parameters from outside, which its streams may draw from.

    net.apply(params, x, train=True, rngs=..., method=net.encode)
    """
    callee = run.callee
    if run.module is not None and (method := arguments.keywords.get("method")) is not None:
        callee = method_to_run(frame, op, run.module, method)
    if callee.kind is UNKNOWN:
        return call_unknown(frame, op, callee, arguments)
    names, rest = _names_before(run), arguments_for_run(run, arguments)
    if run.module is not None:
        check_applied(frame, op, arguments)
        check_rngs(frame, op, run.module, callee, rest, arguments)
        given = {n: value for n, value in arguments.keywords.items() if n not in rest.keywords or n in WITHOUT_NOISE}
        skipped = len(arguments.positional) - len(rest.positional)
        given |= _options_in_order(callee, rest)
        places = {name: one for name, one in arguments.keyword_ops.items() if name in given}
        before = Arguments(arguments.positional[:skipped], given, keyword_ops=places)
        call_unknown(frame, op, unknown("options of a run"), before)
    check_run(frame, op, run, callee, rest)
    context = frame.context
    frame.context = replace(context, is_run=True)
    result, asked, kept = _run_inside(frame, op, callee, rest, ambient, mode)
    frame.context = context
    check_state(frame, op, names, arguments, kept)
    if run.module is not None:
        return _with_variables(frame, op, result, arguments)
    is_possible = not any(set(one.when) <= set(frame.path) for one in asked)
    for place, name in enumerate(names if asked else ()):
        if run.before[place] != name:
            _draw(frame, op, place, name, arguments, is_possible)
    if "state" not in names:
        return result
    note_parts(frame, op, phrase(op.func) if type(op) is ops.Call else "apply", ("value", "state"))
    return Value(TUPLE, NONE, Elements((result, unknown("state of a network"))), op)


def _names_before(run: MethodRun) -> tuple[str, ...]:
    return tuple(name.rstrip("@") for name in run.before)


def arguments_for_run(run: MethodRun, arguments: Arguments) -> Arguments:
    """The arguments that a run hands on to the function which it runs: `x` of `net.apply(params, x, rngs=...)`."""
    names, options = _names_before(run), OPTIONS if run.module is not None else frozenset[str]()
    own = {name: value for name, value in arguments.keywords.items() if name not in options and name not in names}
    places = {name: one for name, one in arguments.keyword_ops.items() if name in own}
    skipped = len(names) - sum(name in arguments.keywords for name in names)
    return Arguments(arguments.positional[skipped:], own, arguments.is_open, arguments.ops[skipped:], places)


def _options_in_order(callee: Value, arguments: Arguments) -> dict[str, Value]:
    """The options by which noise is switched that are passed without a name: `net.apply(params, x, True)`."""
    function = underlying(callee)
    if function is None or arguments.is_open:
        return {}
    bound = len(callee.payload.arguments.positional) if type(callee.payload) is Partial else 0
    names = [parameter.name for parameter in function.function.parameters[bound:]]
    passed = zip(names, arguments.positional, strict=False)
    return {name: value for name, value in passed if name in WITHOUT_NOISE}


def _run_inside(
    frame: Frame, op: Op, function: Value, arguments: Arguments, ambient: Dependences, mode: CallMode
) -> tuple[Value, list[Effect], IntegerKept | None]:
    """The result of a function with streams and a state of its own, where it asks those for a key, and what it keeps
    of integers in the state.
    """
    effects = frame.summary.requires.effects
    before = [*effects.take(StreamAsked), *effects.take(IntegerKept)]
    result = call(frame, op, function, arguments, ambient, mode)
    asked = effects.take(StreamAsked)
    kept = next((one.evidence for one in effects.take(IntegerKept) if isinstance(one.evidence, IntegerKept)), None)
    for effect in before:
        effects.add(effect)
    return result, asked, kept


def _with_variables(frame: Frame, op: Op, result: Value, arguments: Arguments) -> Value:
    """The result of a module, or the pair of it and the variables that it changed; what `**options` says is open."""
    keywords = arguments.keywords
    mutable = keywords.get("mutable")
    if mutable is None and arguments.is_open and type(op) is ops.Call and None in [name for name, _ in op.keywords]:
        return note_unknown(frame, "result of a module", op)
    if "capture_intermediates" in keywords or (mutable is not None and mutable.constant is OPEN):
        is_pair = mutable is not None and mutable.kind in CONTAINERS
    else:
        is_pair = mutable is not None and bool(mutable.constant)
    if not is_pair and mutable is not None and mutable.constant is not False:
        return note_unknown(frame, "result of a module", op)
    text = phrase(op.func) if type(op) is ops.Call else "apply"
    if not is_pair:
        note_parts(frame, op, text, ("value",))
        return result
    note_parts(frame, op, text, ("value", "variables"))
    return Value(TUPLE, NONE, Elements((result, unknown("variables of a network"))), op)


def _draw(frame: Frame, op: Op, place: int, name: str, arguments: Arguments, is_possible: bool) -> None:
    """Use up the key of a stream; which key it is, is certain only where it is written in a call."""
    key = arguments.get(place, name)
    source = arguments.ops[place] if place < len(arguments.ops) else arguments.keyword_ops.get(name)
    if key is not None:
        by = phrase(op.func) if type(op) is ops.Call else "apply"
        consume(frame, key, op, source, by, is_possible=is_possible or source is None)
