"""Buffers that a compiled call was given to write its results into: what held them is gone.

y = step(x)             `x` is donated, by `jax.jit(step, donate_argnums=0)`
x = step(x)             another array is `x` from here on
total(x)                no result has as many elements: the donation is not usable, and `x` stays

def update(state): return step(state)       effect: `state` is donated

What reads them afterwards is found in `donated_reads.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, TypeAlias

from flake8_jax.analysis.callables import (
    Applied,
    Arguments,
    ClassValue,
    FunctionValue,
    Wrapped,
    underlying,
    visible_names,
)
from flake8_jax.analysis.checks.compilation.donated_reads import (
    DonatedForm,
    buffers,
    check_donated,
    placed,
    report_donated,
)
from flake8_jax.analysis.checks.compilation.kept_arrays import lists_with
from flake8_jax.analysis.checks.effects.outer_writes import OF_TRANSFORM
from flake8_jax.analysis.checks.host.buffers import ALL, HandsOver
from flake8_jax.analysis.checks.naming import name_of
from flake8_jax.analysis.checks.wording import callee_text
from flake8_jax.analysis.evaluator import summary_of
from flake8_jax.analysis.evidence import CallSite, LatentEvidence
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects import access
from flake8_jax.analysis.objects.classes import lookup
from flake8_jax.analysis.objects.instances import stored
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.analysis.objects.pending import DONATED
from flake8_jax.analysis.summaries.deferral import leave
from flake8_jax.domain.effects import Room
from flake8_jax.domain.kinds import ARRAY, BUFFERS, DICT, SEQUENCES, UNKNOWN
from flake8_jax.domain.provenance import Use
from flake8_jax.domain.resources import Donated, Used
from flake8_jax.domain.shape import count
from flake8_jax.domain.staging import Input, certain
from flake8_jax.domain.value import Value, input_of
from flake8_jax.ir import ops
from flake8_jax.ir.chains import Chains, chains_of
from flake8_jax.ir.ops import Function, Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.lazy_dataclasses import dataclass, replace

STARTING = frozenset(("init", "init_with_output"))

TOTALS = frozenset(("sum", "mean", "max", "min", "prod", "norm", "trace", "any", "all", "std", "var", "logsumexp"))
"""The reductions whose result is a number, if no axis is given."""

REBINDING = ".nnx."
"""What the transforms are called that bind the results to the variables of an object that they are given."""

MAXIMUM_DONATED, MAXIMUM_PARTS = 6, 4

DonatedArguments: TypeAlias = "list[tuple[Value, Op | None]]"
"""Values, with the ops that they are written as."""


@dataclass(frozen=True, slots=True)
class Donates(LatentEvidence):
    """A function hands an input to a compiled call that uses its buffer up."""

    asks: ClassVar = "`{0.source.path}` is donated", "a use of it afterwards"
    room: ClassVar[Room] = "buffer"
    is_told: ClassVar[bool] = False
    source: Input


def check_compiled(frame: Frame, op: Op, applied: Applied, arguments: Arguments) -> DonatedArguments:
    """Report donated arguments of a compiled call; those that it is to be donated itself."""
    if frame.state is None or certain(frame.ambient) is not None:
        return []
    given = [*placed(arguments)]
    if DONATED in frame.state.used:
        for _, _, value, source in given:
            for part in buffers(value):
                check_donated(frame, source or op, part, op)
    if not (applied.donated_numbers or applied.donated_names):
        return []
    rebinds, filters = REBINDING in applied.transform.name, applied.transform.keeps == "non-arrays"
    donated = [
        (part, source)
        for place, name, value, source in given
        if place in applied.donated_numbers or name in applied.donated_names
        for part in buffers(value)
        if part.kind is ARRAY or not (rebinds or (filters and _may_be_of_host(part)))
    ]
    _check_twice(frame, op, donated, [(part, source) for _, _, value, source in given for part in buffers(value)])
    return donated


def _may_be_of_host(value: Value) -> bool:
    """May a value be a batch of NumPy's arrays, as nothing is known of it, not even that a transform gave it, or it is
    an item of something that the caller hands in?
    """
    source = value.input
    while source is not None and source.step is not None:
        if source.step[0] == "[]" and not isinstance(source.step[1], (int, str)):
            return True
        source = source.parent
    return value.kind is UNKNOWN and value.payload is not OF_TRANSFORM


def _check_twice(frame: Frame, op: Op, donated: DonatedArguments, given: DonatedArguments) -> None:
    """Report an array that one call is given twice, at least once to be donated."""
    for value, source in donated:
        places = [where for one, where in given if one is value and where is not None]
        if len(places) > 1 and source is not None and (value.kind is ARRAY or _is_initialised(frame, value)):
            at = next((where for where in places if where is not source), source)
            is_whole = all(type(where) in (ops.Name, ops.Attr, ops.Item, ops.Star) for where in (source, at))
            subject = name_of(frame, value) if at is source or not is_whole else ""
            form: DonatedForm = "twice" if value.kind is ARRAY else "tree twice"
            report_donated(frame, at, form, op, at, subject)
            return


def _is_initialised(frame: Frame, value: Value) -> bool:
    """Is it what a method `init` gives, a tree of arrays, or a part of that?"""
    made: Op | None = value.made_by
    for _ in range(MAXIMUM_PARTS):
        if type(made) is ops.Item or type(made) is ops.Attr:
            made = made.base
        elif type(made) is ops.Name:
            named = peek(frame, made)
            made = named.made_by if named is not None else None
    return type(made) is ops.Call and type(made.func) is ops.Attr and made.func.name in STARTING


def donate(frame: Frame, op: Op, wrapped: Wrapped, donated: DonatedArguments, result: Value) -> None:
    """Note what a call has used up: each of its results is written into the first buffer of as many elements."""
    function = underlying(wrapped.callee)
    returned = summary_of(frame.program, function).returns if function is not None else None
    if frame.state is None:
        return
    held = [*_leaves(result)]
    totals = returned is not None and all(map(_is_total, _leaves(returned)))
    waiting = [] if totals else [*held]
    kept = {part.original for part in _kept_in(frame, result)}
    for value, source in donated:
        if value.original in kept:
            continue
        taken = next((one for one in waiting if _may_reuse(value, one)), None)
        if taken is None:
            _check_usable(frame, op, wrapped, value, source, held, totals)
            continue
        if taken.kind is ARRAY:
            waiting.remove(taken)
        note_donated(frame, op, value, source)


def _check_usable(
    frame: Frame, op: Op, wrapped: Wrapped, value: Value, source: Op | None, results: list[Value], totals: bool
) -> None:
    """Report an array that is donated although no result has as many elements."""
    many = count(value.shape)
    if many is None or many == 1 or source is None or value.kind is not ARRAY or frame.context.is_prepared:
        return
    if peek(frame, source) is not value or not _is_parameter_read(wrapped, op, source):
        return
    if not totals and not all(result.kind is ARRAY and count(result.shape) not in (None, many) for result in results):
        return
    report_donated(frame, source, "unusable", op, source)


def _is_parameter_read(wrapped: Wrapped, call: Op, source: Op) -> bool:
    """Does the function read the parameter of an argument by position?  JAX leaves out what is not read."""
    function, names = underlying(wrapped.callee), visible_names(wrapped.callee)
    place = call.args.index(source) if type(call) is ops.Call and source in call.args else len(names)
    return function is not None and place < len(names) and names[place] in chains_of(function.function).names


def note_donated(frame: Frame, op: Op, value: Value, source: Op | None = None) -> None:
    """Note that the buffers of a value are used up here; of an input, for the callers, too."""
    use = Use(frame.namespace.path, op.anchor.line, callee_text(op, "a compiled function"))
    used = Used(op, use, frame.path, frame.iterations, Donated(value))
    earlier = frame.live().used.get(DONATED)
    frame.live().used.set(DONATED, (*earlier[1 - MAXIMUM_DONATED :], used))
    for held in lists_with(frame, source):
        frame.live().used.set(DONATED, (*frame.live().used.get(DONATED), replace(used, means=Donated(held))))
    target = value.input or _attribute_of_input(frame, value, source)
    if frame.owner is not None and type(source) is ops.Attr:
        for other in held_alike(frame.owner, source.name, frame.function):
            one = access.attribute(frame, peek(frame, source.base) or value, other, source)
            frame.live().used.set(DONATED, (*frame.live().used.get(DONATED), replace(used, means=Donated(one))))
    if target is not None:
        leave(frame, HandsOver(op, target, ALL))
        leave(frame, Donates(op, target))


def held_alike(owner: ClassValue, name: str, method: Function) -> Iterator[str]:
    """The other fields of an object into which its constructor puts what it puts into this one: `self.best = params`.

    They hold that when a method is called first, if no other method stores them.
    """
    bound = lookup(owner, "__init__")
    constructor = bound.payload.function if bound is not None and isinstance(bound.payload, FunctionValue) else None
    if constructor is None or constructor is method:
        return
    chains = chains_of(constructor)
    first = [one for one in chains.stores if type(one[0]) is ops.Attr and one[0].name == name]
    for target, statement in chains.stores if len(first) == 1 else ():
        if type(target) is not ops.Attr or target.name == name or not _binds_alike(chains, first[0][1], statement):
            continue
        others = (one for one in owner.function.functions if one not in (constructor, method))
        if not any(_stores(one, target.name) for one in others):
            yield target.name


def _binds_alike(chains: Chains, first: Op, second: Op) -> bool:
    """Do two statements store one name, which is bound once?"""
    if type(first) is not ops.Store or type(second) is not ops.Store:
        return False
    one, other = first.value, second.value
    if type(one) is not ops.Name or type(other) is not ops.Name or one.name != other.name:
        return False
    return first is not second and chains.found_by(one) is chains.found_by(other)


def _stores(function: Function, name: str) -> bool:
    return any(type(target) is ops.Attr and target.name == name for target, _ in chains_of(function).stores)


def _attribute_of_input(frame: Frame, value: Value, source: Op | None) -> Input | None:
    """The attribute of an input that an argument is, where it is known what any object of the class holds there."""
    owner = peek(frame, source.base) if type(source) is ops.Attr and value.kind is ARRAY else None
    around = input_of(owner) if owner is not None else None
    return around.part((".", source.name)) if around is not None and type(source) is ops.Attr else None


def _leaves(value: Value) -> Iterator[Value]:
    if value.kind in SEQUENCES or value.kind is DICT:
        for part in value.parts:
            yield from _leaves(part)
        if not value.parts:
            yield value
    else:
        yield value


def _kept_in(frame: Frame, result: Value) -> Iterator[Value]:
    """The arrays that a result holds, those among them that it has of what the call was given: they are new ones."""
    for part in buffers(result):
        yield part
        yield from stored(frame.live(), part).values()


def _may_reuse(value: Value, result: Value) -> bool:
    """Has a result as many elements as a donated array, by all that is known, so that it takes its buffer?"""
    if result.kind not in BUFFERS and result.kind not in SEQUENCES and result.kind is not DICT:
        return False
    if result.kind is not ARRAY:
        return True
    if isinstance(value.dtype, str) and isinstance(result.dtype, str) and value.dtype != result.dtype:
        return False
    mine, others = count(value.shape), count(result.shape)
    if mine is None or others is None:
        return others != 1 or value.shape == ()
    return mine == others


def _is_total(value: Value) -> bool:
    """Is it one number of many: what a reduction over all axes gives?"""
    made_by = value.made_by
    if type(made_by) is not ops.Call or made_by.keywords:
        return False
    is_method = type(made_by.func) is ops.Attr and len(made_by.args) == 0
    return phrase(made_by.func).rpartition(".")[2] in TOTALS and (is_method or len(made_by.args) == 1)


def donate_in(frame: Frame, op: Op, effect: Donates, site: CallSite) -> None:
    """What a function donates of its inputs is donated in its caller."""
    actual = site.resolve(effect.source)
    for value in buffers(actual) if actual is not None else ():
        note_donated(frame, op, value)
