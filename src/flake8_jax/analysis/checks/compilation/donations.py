"""Buffers that a compiled call was given to write its results into: what held them is gone.

y = step(x)             `x` is donated, by `jax.jit(step, donate_argnums=0)`
x + y                   its buffer was donated: raises
x.shape                 is still known
x = step(x)             another array is `x` from here on

def update(state): return step(state)       effect: `state` is donated
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

from flake8_jax.analysis.callables import Applied, Arguments, Wrapped, underlying
from flake8_jax.analysis.checks.compilation.eager import report_eager
from flake8_jax.analysis.checks.keys.repetition import is_of_one_turn, may_run_once
from flake8_jax.analysis.checks.wording import callee_text
from flake8_jax.analysis.evaluator import summary_of
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.analysis.objects.pending import DONATED
from flake8_jax.analysis.summaries.deferral import leave
from flake8_jax.domain.effects import CallSite, LatentEvidence, OutcomeAtCall
from flake8_jax.domain.provenance import Context, Hop, Use
from flake8_jax.domain.resources import Donated, Used, is_compatible, loops_between
from flake8_jax.domain.staging import Input, certain
from flake8_jax.domain.value import API, ARRAY, COMPUTED, DICT, INPUT, INSTANCE, KEY, SEQUENCES, UNKNOWN, Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.rewrite import ChangedOp, Quoted, Rewrite

COMPILING = frozenset(("jax.jit", "jax.pmap", "jax.experimental.pjit.pjit"))
BUFFERS = frozenset((ARRAY, COMPUTED, INPUT, UNKNOWN, INSTANCE, KEY))
"""What may be an array, or a tree of arrays."""

READING = ("jax.numpy.", "jax.lax.", "jax.nn.", "jax.random.", "jax.scipy.", "numpy.")
ASKING = frozenset(("float", "int", "bool", "print", "complex", "jax.device_get", "jax.device_put",
                    "jax.block_until_ready"))  # fmt: skip
SHAPES = frozenset((
    "shape", "ndim", "size", "result_type", "zeros_like", "ones_like", "full_like", "empty_like", "issubdtype",
))  # fmt: skip
"""The functions that need the shape and dtype alone: measured."""

KNOWN = frozenset((
    "shape", "dtype", "ndim", "size", "nbytes", "itemsize", "sharding", "aval", "weak_type", "is_deleted", "delete",
))  # fmt: skip
"""What of an array is still there."""

TOTALS = frozenset(("sum", "mean", "max", "min", "prod", "norm", "trace", "any", "all", "std", "var", "logsumexp"))
"""The reductions whose result is a number, if no axis is given."""

MAXIMUM_DONATED, MAXIMUM_STEPS = 6, 3

DonatedArguments: TypeAlias = "list[tuple[Value, Op | None]]"
"""Values, with the ops that they are written as."""

DonatedForm: TypeAlias = Literal["read", "again", "turn", "twice"]


@dataclass(frozen=True, slots=True)
class DonatedRead:
    """An array is used whose buffer was donated.

    `form`: it is "read", or handed to a compiled call "again", in the next "turn" of a loop, or "twice" by one call.
    `subject` is its text, `call` that of the callee that it was donated to, at `origin`; `instead` is what to write,
    `rewrite` the changes that write it.
    """

    op: Op
    form: DonatedForm
    subject: str
    call: str
    origin: Hop
    instead: str
    context: Context
    rewrite: Rewrite | None = None


@dataclass(frozen=True, slots=True)
class Donates(LatentEvidence):
    """A function hands an input to a compiled call that uses its buffer up."""

    is_told: ClassVar[bool] = False
    source: Input

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """What the caller hands in is donated there (`donate_in`)."""
        return iter(())

    def told(self) -> tuple[str, str]:
        """For `explain`."""
        return f"`{self.source.path}` is donated", "a use of it afterwards"


def check_compiled(frame: Frame, op: Op, applied: Applied, arguments: Arguments) -> DonatedArguments:
    """Report donated arguments of a compiled call; those that it is to be donated itself."""
    if frame.state is None or certain(frame.ambient) is not None:
        return []
    given = [*_placed(arguments)]
    if DONATED in frame.state.used:
        for _, _, value, source in given:
            check_donated(frame, source or op, value, op)
    if not (applied.donated_numbers or applied.donated_names) or applied.transform.name not in COMPILING:
        return []
    donated = [
        (part, source)
        for place, name, value, source in given
        if place in applied.donated_numbers or name in applied.donated_names
        for part in _buffers(value)
    ]
    _check_twice(frame, op, donated, [(value, source) for _, _, value, source in given])
    return donated


def _placed(arguments: Arguments) -> Iterator[tuple[int, str, Value, Op | None]]:
    for place, value in enumerate(arguments.positional):
        yield place, "", value, arguments.written(place)
    for name, value in arguments.keywords.items():
        yield -1, name, value, arguments.keyword_ops.get(name)


def _buffers(value: Value) -> Iterator[Value]:
    """The values of which a donation makes an end: a container's are its parts'."""
    if value.kind in SEQUENCES or value.kind is DICT:
        for part in value.parts:
            yield from _buffers(part)
    elif value.kind in BUFFERS:
        yield value


def _check_twice(frame: Frame, op: Op, donated: DonatedArguments, given: DonatedArguments) -> None:
    """Report an array that one call is given twice, at least once to be donated."""
    for value, source in donated:
        places = [where for one, where in given if one is value and where is not None]
        if len(places) > 1 and source is not None and value.kind is ARRAY:
            at = next((where for where in places if where is not source), source)
            _report(frame, at, "twice", op, at)
            return


def donate(frame: Frame, op: Op, wrapped: Wrapped, donated: DonatedArguments, result: Value) -> None:
    """Note what a call has used up, as far as its results can be written there."""
    function = underlying(wrapped.callee)
    returned = summary_of(frame.program, function).returns if function is not None else None
    if frame.state is None or (returned is not None and all(map(_is_total, _leaves(returned)))):
        return
    held = [*_leaves(result)]
    for value, _ in donated:
        if any(one is value for one in held) or not any(_may_reuse(value, one) for one in held):
            continue
        note_donated(frame, op, value)


def note_donated(frame: Frame, op: Op, value: Value) -> None:
    """Note that the buffers of a value are used up here; of an input, for the callers, too."""
    use = Use(frame.namespace.path, op.anchor.line, callee_text(op, "a compiled function"))
    used = Used(op, use, frame.path, frame.iterations, Donated(value))
    earlier = frame.live().used.get(DONATED)
    frame.live().used.set(DONATED, (*earlier[1 - MAXIMUM_DONATED :], used))
    if value.input is not None:
        leave(frame, Donates(op, value.input))


def _leaves(value: Value) -> Iterator[Value]:
    if value.kind in SEQUENCES or value.kind is DICT:
        for part in value.parts:
            yield from _leaves(part)
        if not value.parts:
            yield value
    else:
        yield value


def _may_reuse(value: Value, result: Value) -> bool:
    """Is a result of the shape and dtype of a donated array, by all that is known, so that it takes its buffer?"""
    if result.kind not in BUFFERS and result.kind not in SEQUENCES and result.kind is not DICT:
        return False
    if result.kind is not ARRAY:
        return True
    if value.dtype is not None and result.dtype is not None and value.dtype != result.dtype:
        return False
    if value.shape is None or result.shape is None:
        return result.shape != () or value.shape == ()
    return value.shape == result.shape


def _is_total(value: Value) -> bool:
    """Is it one number of many: what a reduction over all axes gives?"""
    made_by = value.made_by
    if type(made_by) is not ops.Call or made_by.keywords:
        return False
    is_method = type(made_by.func) is ops.Attr and len(made_by.args) == 0
    return phrase(made_by.func).rpartition(".")[2] in TOTALS and (is_method or len(made_by.args) == 1)


def check_donated(frame: Frame, op: Op, value: Value, call: Op | None = None) -> None:
    """Report a use of a value that was donated before, by a compiled `call` if that is given."""
    if frame.state is None:
        return
    for one in frame.state.used.get(DONATED):
        held = one.means.value if type(one.means) is Donated else None
        if held is None or not _is_part(frame, value, held, one.op) or not is_compatible(one, frame.path):
            continue
        loops = loops_between(one, frame.iterations)
        if any(may_run_once(frame.function, op, loop) or is_of_one_turn(op, loop) for loop in loops):
            continue
        form: DonatedForm = "read" if call is None else "turn" if loops and one.op is call else "again"
        _report(frame, op, form, one.op, op)
        return


def check_read(frame: Frame, op: Op, value: Value) -> None:
    """Report an operand that was donated before."""
    if frame.state is not None and DONATED in frame.state.used:
        for part in _buffers(value):
            check_donated(frame, op, part)


def _is_part(frame: Frame, value: Value, donated: Value, call: Op, depth: int = 0) -> bool:
    """Is a value one that was donated, or a part of it that was read afterwards?"""
    made_by = value.made_by
    if value is donated or depth == MAXIMUM_STEPS:
        return value is donated
    if (type(made_by) is not ops.Attr and type(made_by) is not ops.Item) or made_by.anchor.line <= call.anchor.line:
        return False
    if made_by.anchor.origin is not call.anchor.origin or (type(made_by) is ops.Attr and made_by.name in KNOWN):
        return False
    base = peek(frame, made_by.base)
    return base is not None and _is_part(frame, base, donated, call, depth + 1)


def _report(frame: Frame, op: Op, form: DonatedForm, call: Op, source: Op) -> None:
    if frame.context.is_prepared or frame.exits.caught:
        return

    def make() -> DonatedRead:
        callee, subject = callee_text(call, "a compiled function"), phrase(source)
        origin = Hop(call.anchor.origin.shown, call.anchor.line, f"`{subject}` is donated to `{callee}`")
        rewrite = None
        if type(source) is ops.Star:
            subject = phrase(source.value)
        if form == "twice" and type(source) is ops.Name:
            rewrite = Rewrite((ChangedOp(source, (Quoted(source), ".copy()")),))
        is_spread = type(source) is ops.Star
        instead = f"pass a copy of what `{subject}` holds" if is_spread else _instead(form, subject, callee)
        return DonatedRead(op, form, subject, callee, origin, instead, Context(), rewrite)

    report_eager(frame, (DonatedRead, op, ()), make)


def _instead(form: DonatedForm, subject: str, callee: str) -> str:
    if form == "twice":
        return f"pass a copy, `{subject}.copy()`"
    if form == "turn":
        return f"bind `{subject}` to the result in each turn, or pass a copy"
    return f"read the result of `{callee}`, or pass it a copy"


def check_reading(frame: Frame, op: ops.Call, callee: Value, base: Value | None, arguments: Arguments) -> None:
    """Report a call of a library, or of a method of an array, that reads what was donated."""
    if certain(frame.ambient) is not None:
        return
    if callee.kind is API and _reads(callee.name):
        for _, _, value, source in _placed(arguments):
            for part in _buffers(value):
                check_donated(frame, source or op, part)
    elif base is not None and base.kind is ARRAY and type(op.func) is ops.Attr and op.func.name not in KNOWN:
        check_donated(frame, op.func.base, base)


def _reads(name: str) -> bool:
    return name in ASKING or (name.startswith(READING) and name.rpartition(".")[2] not in SHAPES)


def donate_in(frame: Frame, op: Op, effect: Donates, site: CallSite) -> None:
    """What a function donates of its inputs is donated in its caller."""
    actual = site.resolve(effect.source)
    for value in _buffers(actual) if actual is not None else ():
        note_donated(frame, op, value)
