"""What is compiled again on each turn of a loop, because an argument of a compiled function is another sort of thing.

    for i in range(n):
        step(x, i)              `i` is static: a program for each number
        step(x[:i])             each slice has another shape
        step(lambda v: v)       a static function that is made anew
    for v in (1, 1.0, True):
        step(v)                 a program for each type

What counts is what the source shows of the argument and the loop: a counter of `range`, what grows by `concatenate` or
`append`, a mask as index.  A slice between two bounds that move together, a number that comes round (`i % 4`), and
a few shapes that are written out are silent: each of them is compiled once.  So is a static number that chooses
a layer or a size in the function, unless it takes many values.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from flake8_jax.analysis.callables import Arguments, Wrapped, underlying, visible_names
from flake8_jax.analysis.checks.compilation.counting import counted, goes_on, is_linear
from flake8_jax.analysis.checks.compilation.eager import (
    eager,
    long_loops,
    loops_around,
    made_again,
    made_before,
    report_eager,
)
from flake8_jax.analysis.checks.compilation.last_batches import differentiates, last_batch_in
from flake8_jax.analysis.checks.compilation.remade import new_in
from flake8_jax.analysis.checks.compilation.varying import (
    LEAST,
    Changing,
    RetraceForm,
    change_in_display,
    change_of,
    clipped,
    comes_of_element,
    sizes,
    type_of,
)
from flake8_jax.analysis.checks.effects.late_reads import bound_by_turn
from flake8_jax.analysis.checks.keys.counters import affine_of, counts, is_counter_of
from flake8_jax.analysis.checks.keys.repetition import Repeat, loop_around
from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.analysis.evidence import CallSite, LatentEvidence, OutcomeAtCall
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.pending import TICKING
from flake8_jax.analysis.summaries.deferral import leave
from flake8_jax.domain.effects import Room
from flake8_jax.domain.kinds import INPUT, KEPT_STATIC
from flake8_jax.domain.provenance import Context
from flake8_jax.domain.staging import Dependences, Input, certain
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import LONG, Chains, bindings_in, chains_of
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.walking import names_in, within
from flake8_jax.lazy_dataclasses import dataclass, replace

NUMBERS = frozenset(("bool", "complex", "float", "int"))
"""The types of Python's numbers: three dtypes of arrays are meant."""

KEEPING = "non-arrays"

SIZES: frozenset[RetraceForm] = frozenset(("shape", "mask", "length"))
"""What changes where an array is as long as the turn says."""

MANY = 50
"""How many values of a static number are too many whatever it is for."""


@dataclass(frozen=True, slots=True)
class RetracedEachTime:
    """A call compiles its function again, on each turn of a loop, or since the arguments are passed in yet another way.

    `subject` is the text of what changes.
    """

    op: Op
    callee: str
    form: RetraceForm
    subject: str
    parameter: str
    repeat: Repeat | None
    context: Context


@dataclass(frozen=True, slots=True)
class PassesNumber(LatentEvidence):
    """A call of a compiled function with a static number, or an array of a size, which callers choose: `source`.

    If the function `only_computes` with it, any loop that counts it is too long.
    """

    asks: ClassVar = "`{0.callee}` is compiled for each value of `{0.source.name}`", "the counter of a loop"
    room: ClassVar[Room] = "cost"
    paths: ClassVar[int] = 1
    source: Input
    callee: str
    form: RetraceForm
    subject: str
    only_computes: bool

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Certain where a caller passes the counter of a loop, in which it calls on each turn."""
        given = site.resolve(self.source)
        actual = affine_of(site.frame, given).number if given is not None else None
        if actual is None or certain(site.ambient) is not None or len(site.chain) == len(site.effect.chain):
            return
        for loop in long_loops(site.frame, site.op):
            if is_counter_of(actual, loop) and counts(actual) and (self.only_computes or _is_long(loop)):
                repeat = loop_around(loop, loop.anchor.origin.shown)
                context = Context(None, site.chain)
                event = RetracedEachTime(self.op, self.callee, self.form, self.subject, "", repeat, context)
                key = (RetracedEachTime, self.op, ())
                yield from eager(key, lambda event=event: event, site.frame, loop)  # type: ignore[misc]
                return
        if actual.input is not None:
            yield replace(self, source=actual.input)


@dataclass(frozen=True, slots=True)
class PassesCount(LatentEvidence):
    """A call of a compiled function with a static number that the body counts up, in each call: `self.step += 1`.

    If the function `only_computes` with it, any loop around a call of the body is too long.
    """

    asks: ClassVar = "`{0.callee}` is compiled for each `{0.subject}`", "a call in a loop"
    room: ClassVar[Room] = "cost"
    paths: ClassVar[int] = 1
    callee: str
    subject: str
    only_computes: bool
    form: RetraceForm

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Certain where a caller calls in a loop."""
        if certain(site.ambient) is not None or len(site.chain) == len(site.effect.chain):
            return
        loop = next((one for one in long_loops(site.frame, site.op) if self.only_computes or _is_long(one)), None)
        if loop is not None:
            repeat = loop_around(loop, loop.anchor.origin.shown)
            context = Context(None, site.chain)
            event = RetracedEachTime(self.op, self.callee, self.form, self.subject, "", repeat, context)
            yield from eager((RetracedEachTime, self.op, ()), lambda: event, site.frame, loop)
        elif not loops_around(site.frame, site.op):
            yield self


def note_values(frame: Frame, op: Op, wrapped: Wrapped, arguments: Arguments, ambient: Dependences) -> None:
    """Report a call whose arguments make JAX compile the function again on each turn of a loop."""
    if type(op) is not ops.Call or certain(ambient) is not None or frame.context.is_for_shapes:
        return
    if not wrapped.applied.transform.compiles:
        return
    names = visible_names(wrapped.callee)
    _note_way(frame, op, wrapped, arguments, names)
    given = [*_given(wrapped, arguments, names)]
    _note_types(frame, op, wrapped, given)
    if not frame.iterations:
        _leave_numbers(frame, op, wrapped, given)
        return
    loops = long_loops(frame, op)
    for name, value, source, is_static in given:
        change = _static(frame, wrapped, name, value, source, loops) if is_static else change_of(frame, source, loops)
        if change is None and not is_static:
            change = change_in_display(source, loops_around(frame, op))
        if change is not None:
            is_meant = not is_static and change.form in SIZES and _is_told_of_turn(frame, given, change.loop)
            if not is_meant and not _is_compiled_elsewhere(frame, op, change.loop):
                _report(frame, op, change.form, change.subject, name, change.loop)
            return
    traced = [source for _, _, source, is_static in given if not is_static]
    if (change := last_batch_in(frame, op, wrapped, traced, loops)) is not None:
        _report(frame, op, change.form, change.subject, "", change.loop)


def _is_told_of_turn(frame: Frame, given: list[tuple[str, Value, Op, bool]], loop: Op) -> bool:
    """Does a static argument say which turn of a loop it is, so that each has a program of its own anyway?"""
    if type(loop) is not ops.Loop:
        return False
    chains = chains_of(frame.function)
    return any(is_static and comes_of_element(chains, source, loop) for _, _, source, is_static in given)


def _is_compiled_elsewhere(frame: Frame, op: ops.Call, loop: Op) -> bool:
    """Has the turn made the same call before, or is it made twice under a clock, to see what compiling takes?"""
    if made_before(frame, op, loop):
        return True
    is_timed = frame.state is not None and bool(frame.state.used.get(TICKING))
    return is_timed and made_again(frame, op, loop) is not None


def _given(wrapped: Wrapped, arguments: Arguments, names: list[str]) -> Iterator[tuple[str, Value, Op, bool]]:
    applied = wrapped.applied
    for place, value in enumerate(arguments.positional):
        source = arguments.ops[place] if place < len(arguments.ops) else None
        name = names[place] if place < len(names) else ""
        if source is not None:
            yield name, value, source, applied.may_be_static(name, place) or _is_kept(wrapped, value)
    for name, value in arguments.keywords.items():
        keyword = arguments.keyword_ops.get(name)
        if keyword is not None:
            yield name, value, keyword, applied.may_be_static(name) or _is_kept(wrapped, value)


def _is_kept(wrapped: Wrapped, value: Value) -> bool:
    """Does a transform that traces arrays alone keep an argument as it is: a number of Python, a function?"""
    return wrapped.applied.transform.keeps == KEEPING and value.kind in KEPT_STATIC


def _leave_numbers(frame: Frame, op: ops.Call, wrapped: Wrapped, given: list[tuple[str, Value, Op, bool]]) -> None:
    """Leave to the callers what numbers they pass, where each of them is compiled, and how often a number goes on."""
    keeps, chains = wrapped.applied.transform.keeps == KEEPING, chains_of(frame.function)
    for name, value, source, is_declared in given:
        is_static = is_declared or (keeps and value.kind is INPUT)
        if is_declared and _is_counted_here(frame, source):
            computes = _only_computes(frame, wrapped, name)
            leave(frame, PassesCount(op, phrase(op.func), phrase(source), computes, _form_of(wrapped)))
            continue
        ends = [(source, source)] if is_static else [*sizes(source)]
        chosen = [one for one, other in ends if one is other or not _is_moved(frame, chains, other, one)]
        for size in chosen if frame.parent is not None else ():
            number = _input_in(frame, size)
            if number is not None:
                computes = not is_static or _only_computes(frame, wrapped, name)
                form: RetraceForm = _form_of(wrapped) if is_static else "shape"
                leave(frame, PassesNumber(op, number, phrase(op.func), form, phrase(source), computes))


def _is_moved(frame: Frame, chains: Chains, bound: Op, other: Op) -> bool:
    """Is a bound of a slice computed of an input, or of the other bound, maybe up to an end: `min(i + n, size)`?"""
    names = names_in(other)
    ends = clipped(chains, bound)
    return any(_input_in(frame, one) is not None or not names.isdisjoint(names_in(one)) for one in ends)


def _is_counted_here(frame: Frame, source: Op) -> bool:
    """Does the body count up, in each call, an attribute or a variable of the module: `self.step += 1`?"""
    chains = chains_of(frame.function)
    if type(source) is ops.Name and source.name not in frame.function.scope.globals:
        return False
    if type(source) not in (ops.Attr, ops.Name):
        return False
    for target, store in chains.stored_to(phrase(source, LONG)):
        is_certain = not any(type(one) in (ops.Branch, ops.Loop) for one in chains.way_to(store))
        if is_certain and goes_on(chains, target, store):
            return True
    return False


def _note_types(frame: Frame, op: ops.Call, wrapped: Wrapped, given: list[tuple[str, Value, Op, bool]]) -> None:
    """Note of which types is what is passed for a parameter, in one shape; each of them is compiled, which is worth a
    word where the function takes derivatives.
    """
    for name, value, source, is_static in given:
        kind, shape = type_of(source), value.shape
        if not kind.isidentifier():
            kind = f"array of {value.dtype}" if value.dtype and shape is not None and None not in shape else ""
        if is_static or not name or not kind:
            continue
        kinds = wrapped.types.setdefault((op.anchor.origin.path, name, shape or ()), {})
        is_third = kinds.setdefault(kind, op) is op and len(kinds) == LEAST and not NUMBERS.isdisjoint(kinds)
        if is_third and differentiates(wrapped):
            _report(frame, op, "dtypes", ", ".join(kinds), name, None)


def _input_in(frame: Frame, source: Op) -> Input | None:
    """The input of which an expression is linear, if it is one alone."""
    names = names_in(source)
    if len(names) != 1 or not is_linear(source):
        return None
    value = frame.live().names.get(names.pop())
    return value.input if value is not None else None


def _report(frame: Frame, op: ops.Call, form: RetraceForm, subject: str, parameter: str, loop: Op | None) -> None:
    repeat = loop_around(loop, loop.anchor.origin.shown) if loop is not None else None
    event = RetracedEachTime(op, phrase(op.func), form, subject, parameter, repeat, Context())
    report_eager(frame, (RetracedEachTime, op, ()), lambda: event, loop)


def _note_way(frame: Frame, op: ops.Call, wrapped: Wrapped, arguments: Arguments, names: list[str]) -> None:
    """Note which arguments are passed by position and which by name; JAX compiles each combination separately, which is
    worth a word where the function takes derivatives, or one body calls it in all these ways.
    """
    if arguments.is_open or not names:
        return
    passed = frozenset((*names[: len(arguments.positional)], *arguments.keywords))
    way = len(arguments.positional)
    ways = wrapped.ways.setdefault((op.anchor.origin.path, passed), {})
    ways.setdefault(way, op)
    if len(ways) < LEAST or ways[way] is not op:
        return
    if differentiates(wrapped) or all(map(chains_of(frame.function).holds, ways.values())):
        _report(frame, op, "calls", ", ".join(str(one) for one in sorted(ways)), "", None)


def _static(
    frame: Frame, wrapped: Wrapped, name: str, value: Value, source: Op, loops: tuple[Op, ...]
) -> Changing | None:
    """A static argument that is another one on each turn: a function that is made there, or a counter.

    A number that chooses a layer or a size is static on purpose, if it takes a few values.
    """
    new = new_in(frame, source, value, loops, wrapped.applied.transform)
    if new is not None:
        function, written = underlying(value), (one for one in within(source) if type(one) is ops.Name)
        reads = {one.scope.lookup(one.name) for one in written}
        reads |= bindings_in(function.function) if function is not None else frozenset()
        names = sorted(binding.name for binding in reads & bound_by_turn(new[1]))
        return Changing("closure", "\n".join((new[0], *names)), new[1]) if names else Changing("function", *new)
    loop = counted(frame, source, loops, True)
    if loop is None or (not _is_long(loop) and not _only_computes(frame, wrapped, name)):
        return None
    return Changing(_form_of(wrapped), phrase(source), loop)


def _form_of(wrapped: Wrapped) -> RetraceForm:
    """How a number comes to be static: it was declared so, or it is no array."""
    return "host" if wrapped.applied.transform.keeps == KEEPING else "number"


def _is_long(loop: Op) -> bool:
    """Does a loop turn on a condition, or by a large constant number?"""
    if type(loop) is not ops.Loop or loop.kind == "while":
        return type(loop) is ops.Loop
    match loop.source:
        case ops.Call(args=args):
            last = args[-1] if args else None
            return type(last) is ops.Const and isinstance(last.value, int) and last.value >= MANY
    return False


def _only_computes(frame: Frame, wrapped: Wrapped, name: str) -> bool:
    """Does a function do nothing with a number but arithmetic, or what JAX does with traced numbers as well?"""
    found = underlying(wrapped.callee)
    if found is None:
        return False
    chains = chains_of(found.function)
    uses = chains.names.get(name, [])
    return bool(uses) and all(_takes_traced(frame, chains.parents.get(use), use) for use in uses)


def _takes_traced(frame: Frame, around: Op | None, use: Op) -> bool:
    """May a number be traced where it is used: by an operator, or by a function of JAX?"""
    if type(around) is not ops.Call:
        return type(around) is ops.Operate
    row = frame.program.table.function(imported_name(around.func))
    if row is None or not row.name.startswith("jax."):
        return False
    place = next((place for place, one in enumerate(around.args) if one is use), None)
    word = next((word for word, one in around.keywords if one is use), None)
    parameter = row.parameter_at(place) if place is not None else row.parameter_named(word or "")
    return parameter is not None and not parameter.must_be_concrete
