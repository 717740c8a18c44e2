"""Clocks around work of JAX that nobody has waited for: calls return before what they started is done.

start = perf_counter()          a reading
y = step(x)                     started, and not waited for
perf_counter() - start          the clock is read too early: how long Python took to start it
float(y)                        waits: from here on no reading is too early

def stop(start): return perf_counter() - start      what was started is for the caller to say (`Elapsed`)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ClassVar, Literal

from flake8_jax.analysis.callables import (
    Arguments,
    FunctionValue,
    class_behind,
    runs_compiled,
    underlying,
    waits_itself,
)
from flake8_jax.analysis.checks.compilation.eager import report_eager
from flake8_jax.analysis.checks.contracts.returned import lacks_return
from flake8_jax.analysis.checks.host.buffers import HANDING
from flake8_jax.analysis.checks.host.starting import starts_compiled
from flake8_jax.analysis.checks.host.warm_up import is_warm_up, note_compiling
from flake8_jax.analysis.checks.instead import library_name
from flake8_jax.analysis.checks.naming import scope_of
from flake8_jax.analysis.checks.wording import callee_text
from flake8_jax.analysis.evaluator import call, summary_of
from flake8_jax.analysis.evidence import CallSite, LatentEvidence, OutcomeAtCall
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.classes import lookup
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.analysis.objects.pending import TICKING
from flake8_jax.analysis.summaries.deferral import leave
from flake8_jax.domain.clocks import ClockRead
from flake8_jax.domain.kinds import (
    API,
    ARRAY,
    ARRAYS_OR_COMPUTED,
    CONTAINERS,
    FUNCTION,
    FUNCTIONS,
    INSTANCE,
    PARTIAL,
    UNKNOWN,
)
from flake8_jax.domain.provenance import Context, Hop, Use
from flake8_jax.domain.resources import Compiles, Ticks, Used, WaitedSince, Yielded, is_compatible
from flake8_jax.domain.staging import Input, certain
from flake8_jax.domain.value import Value
from flake8_jax.ir.chains import Chains, chains_of
from flake8_jax.ir.ops import Build, Call, Leave, Loop, Name, Op, Operate, Store, Unpack
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.rewrite import ChangedOp, Quoted, Rewrite
from flake8_jax.ir.walking import names_in, only_target
from flake8_jax.lazy_dataclasses import dataclass, replace
from flake8_jax.syntax.magics import MARK
from flake8_jax.syntax.policies import SAYS_COMPILING, TIME_OF_STARTING, WORDS_ALONE
from flake8_jax.syntax.positions import line_of, unpacked

TIMING = frozenset(("timeit.timeit", "timeit.repeat", "timeit.Timer"))
MAXIMUM_CLOCKS, MAXIMUM_STARTED = 4, 3
"""How many readings are kept, and how many calls since each."""

MOST_BOUND = 4
"""So many names that are bound to the parts of a result are told."""

BLOCK, IMPORTED = "jax.block_until_ready", ", with `import jax`"


@dataclass(frozen=True, slots=True)
class TimedTooEarly:
    """What lies between two readings of a clock is not the work alone, or not all of it.

    `form`: what the call at `op` starts is "unwaited" when the clock is read, at `place`; or the first turn of a loop
    "compiles" it, at `place`, after the first reading at `op`.  `call` and `clock` are the texts of what starts work
    and of what reads the clock; `instead` is what to write, `rewrite` the changes that write it.
    """

    op: Op
    form: Literal["unwaited", "compiles"]
    call: str
    clock: str
    place: Hop
    instead: str
    context: Context
    rewrite: Rewrite | None = None


@dataclass(frozen=True, slots=True)
class Elapsed(LatentEvidence):
    """A clock is read, and the time since an earlier reading is taken.

    That is an input, one that the function captures, or, as None, one made before a `yield`.
    """

    asks: ClassVar = "a clock is read again", "a reading since which nothing was waited for"
    is_told: ClassVar[bool] = False
    since: Input | Value | None

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """What was started since is known to the caller (`check_elapsed_in`), or to its callers."""
        reading = site.resolve(self.since) if isinstance(self.since, Input) else None
        if reading is not None and reading.input is not None:
            yield replace(self, since=reading.input)


def read_clock(frame: Frame, op: Op) -> Value:
    """A reading of a clock, with what is unwaited now."""
    if frame.state is None:
        return Value(UNKNOWN, payload=ClockRead(op), made_by=op)
    used, unwaited = frame.state.used, []
    ticking = used.get(TICKING)
    for one in ticking:
        if type(one.means) is Ticks:
            started = _started(frame, one.means.reading)
            if started:
                unwaited.append((one.means.reading, started))
    value = Value(UNKNOWN, payload=ClockRead(op, tuple(unwaited)), made_by=op)
    here = Use(frame.namespace.path, line_of(op), callee_text(op, "the clock"))
    ticks = Used(op, here, frame.state.path, frame.iterations, Ticks(value))
    used.set(TICKING, (*ticking[1 - MAXIMUM_CLOCKS :], ticks))
    return value


def note_started(frame: Frame, op: Op) -> None:
    """Note that a call has started work of JAX, whose results nothing has waited for."""
    if frame.state is None or certain(frame.ambient) is not None:
        return
    used = frame.state.used
    for one in used.get(TICKING):
        known = used.get(one.means.reading) if type(one.means) is Ticks else ()
        if type(one.means) is Ticks and len(known) < MAXIMUM_STARTED:
            use = Use(frame.namespace.path, line_of(op), callee_text(op, "JAX"))
            used.add(one.means.reading, (Used(op, use, frame.state.path, frame.iterations),))


def note_result(frame: Frame, op: Op, callee: Value, arguments: Arguments, result: Value) -> None:
    """Note a call that starts work of JAX while a clock runs: of a compiled function, or of arrays with an array."""
    if runs_compiled(callee):
        if not waits_itself(callee) and not is_warm_up(frame, op, callee):
            note_started(frame, op)
        note_compiling(frame, op, callee)
    elif starts_compiled(frame, callee):
        note_started(frame, op)
    elif not _holds_array(result) or not any(map(_holds_array, arguments.values())):
        return
    elif callee.kind in (FUNCTION, PARTIAL, INSTANCE) or (callee.kind is API and callee.name not in HANDING):
        note_started(frame, op)


def _holds_array(value: Value) -> bool:
    if value.kind in CONTAINERS:
        return any(part.kind is ARRAY for part in value.parts)
    return value.kind in ARRAYS_OR_COMPUTED


def _started(frame: Frame, reading: Value) -> tuple[Used, ...]:
    """The work that was started since a reading and not waited for, and the functions that certainly compiled since."""
    found = frame.live().used.get(reading)
    if not any(type(one.means) is WaitedSince for one in found):
        return found
    return tuple(one for one in found if type(one.means) is Compiles)


def note_yielded(frame: Frame, op: Op) -> None:
    """Note that other code has run, in the midst of a function that may be the manager of a `with`."""
    if frame.state is None:
        return
    used = frame.state.used
    for one in used.get(TICKING):
        if type(one.means) is Ticks:
            used.add(one.means.reading, (Used(op, one.use, frame.state.path, frame.iterations, Yielded()),))


def check_elapsed(frame: Frame, op: Op, later: Value, earlier: Value) -> None:
    """Report the difference of two readings, if something was started in between that nothing waited for."""
    reading = later.payload
    if type(reading) is not ClockRead or frame.state is None or _is_meant(op) or _is_meant(reading.op):
        return
    if _is_computed_with(frame, op) or _is_unread(frame, op) or _is_said_to_compile(frame, op, earlier):
        return
    if _is_summed(frame, op):
        return
    if earlier.input is not None:
        leave(frame, Elapsed(reading.op, earlier.input))
    elif type(earlier.payload) is ClockRead and not chains_of(frame.function).holds(earlier.payload.op):
        leave(frame, Elapsed(reading.op, earlier))
    for known, started in reading.unwaited:
        if known is earlier:
            if any(type(one.means) is Yielded for one in started):
                leave(frame, Elapsed(reading.op, None))
            _report(frame, reading.op, started, earlier)


def check_elapsed_in(frame: Frame, call: Op, elapsed: Elapsed, site: CallSite) -> None:
    """The same of a difference that a function takes of a reading that it is given, where it is called."""
    since = elapsed.since
    reading = site.resolve(since) if isinstance(since, Input) else since
    if reading is not None and type(reading.payload) is ClockRead:
        check_since(frame, call, reading)


def check_since(frame: Frame, op: Op, reading: Value) -> None:
    """Report a reading now, where it is compared with an earlier one."""
    _report(frame, op, _started(frame, reading), reading)


def is_timer(frame: Frame, op: Op, manager: Value) -> bool:
    """Does the manager of a `with` take the time between entering and leaving it, and nothing else?"""
    owner = class_behind(manager.payload) if manager.kind is INSTANCE else None
    if owner is not None:
        method = lookup(owner, "__exit__")
        function = underlying(method) if method is not None else None
    elif type(op) is Call:
        made_by = peek(frame, op.func)
        function = underlying(made_by) if made_by is not None else None
        function = function if function is not None and function.function.is_generator else None
    else:
        function = None
    if function is None:
        return False
    summary = summary_of(frame.program, function)
    return not summary.requires.waits and any(
        one.since is None or (isinstance(one.since, Input) and one.since.parent is not None)
        for one, _ in summary.requires.effects.of(Elapsed)
    )


def check_repeated(frame: Frame, op: Op, statement: Value) -> None:
    """Report `timeit` of a function that starts something and does not wait for it."""
    if frame.state is None or statement.kind not in FUNCTIONS:
        return
    ticking = frame.state.used.get(TICKING)
    reading = read_clock(frame, op)
    result = call(frame, op, statement, Arguments())
    if frame.state is None:
        return
    timed = statement.payload
    is_lambda = type(timed) is FunctionValue and timed.function.kind == "lambda"
    last = timed.function.body[-1] if is_lambda and type(timed) is FunctionValue else None
    if _holds_array(result) or starts_compiled(frame, statement):
        note_started(frame, last.value if type(last) is Leave and last.value is not None else op)
    check_since(frame, op, reading)
    frame.state.used.set(TICKING, ticking)


def _is_meant(op: Op) -> bool:
    """Does the source of the statement say that the time of dispatching or compiling is measured on purpose?"""
    first = op.anchor.line
    last = max(first, unpacked(op.place)[0]) if op.place else first
    return any(TIME_OF_STARTING.search(line) for line in op.anchor.origin.source.lines[first - 1 : last])


def _is_said_to_compile(frame: Frame, op: Op, earlier: Value) -> bool:
    """Does the line above the first reading, or a call that reads the difference alone, say that this compiles?

    print("compiling ...")          start = perf_counter()
    """
    lines = op.anchor.origin.source.lines
    if type(earlier.payload) is ClockRead and chains_of(frame.function).holds(earlier.payload.op):
        place = line_of(earlier.payload.op) - 2
        while place > 0 and not lines[place].strip():
            place -= 1
        said = lines[place].strip() if place >= 0 else ""
        if WORDS_ALONE.match(said) and SAYS_COMPILING.search(said):
            return True
    return any(
        type(around) is Call and set[str]().union(*map(names_in, around.args)) == {read.name}
        and any(SAYS_COMPILING.search(line) for line in lines[around.anchor.line - 1 : unpacked(around.place)[2]])
        for read in _reads_of_difference(frame, op)
        for around in chains_of(frame.function).way_to(read)
    )  # fmt: skip


def _reads_of_difference(frame: Frame, op: Op) -> list[Name]:
    """The reads of the name to which a difference of two readings is bound, if it is to one."""
    chains = chains_of(frame.function)
    statement = chains.parents.get(op)
    target = only_target(statement)
    return [*chains.uses_of(target)] if type(target) is Name and not chains.is_captured(target) else []


def _is_summed(frame: Frame, op: Op) -> bool:
    """Is a time read for nothing but to be added to another one, whose stretch begins where this one ends?

    What is not done when it ends is done in the next one; if nothing waits there, either, it is said of that.
    """
    chains = chains_of(frame.function)
    reads = _reads_of_difference(frame, op)
    return bool(reads) and all(_added_to(chains, read, op) for read in reads)


def _added_to(chains: Chains, read: Name, op: Op) -> bool:
    """Is a time added to one that another difference of readings below gives?"""
    around = chains.parents.get(read)
    if type(around) is not Operate or around.operator != "+":
        return False
    for other in around.operands:
        definition = chains.found_by(other) if type(other) is Name and other is not read else None
        store = chains.statement_of(definition) if type(definition) is Name else None
        value = store.value if type(store) is Store else None
        if type(value) is Operate and value.operator == "-" and value.anchor.line > op.anchor.line:
            return phrase(value.operands[0]) == phrase(op.operands[0]) if type(op) is Operate else False
    return False


def _is_computed_with(frame: Frame, op: Op) -> bool:
    """Is a time handed to a compiled function: is it data, as the time of a simulation is?"""
    around = next((one for one in reversed(chains_of(frame.function).way_to(op)[:-1]) if type(one) is Call), None)
    called = peek(frame, around.func) if around is not None else None
    return called is not None and runs_compiled(called)


def _is_unread(frame: Frame, op: Op) -> bool:
    """Is a time bound to a local name that nobody reads?"""
    chains = chains_of(frame.function)
    statement = chains.parents.get(op)
    target = only_target(statement)
    if type(target) is not Name or frame.function.kind not in ("def", "lambda"):
        return False
    binding = target.scope.lookup(target.name)
    is_own = binding.owner is frame.function.scope and not chains.is_captured(target)
    return is_own and not any(True for _ in chains.uses_of(target))


def _report(frame: Frame, op: Op, started: tuple[Used, ...], earlier: Value) -> None:
    if frame.context.is_prepared or _is_meant(op) or _is_first_turn(frame, earlier):
        return
    possible = [use for use in started if is_compatible(use, frame.path)]
    unwaited = [one.op for one in possible if one.means is None]
    compiling = [one.op for one in possible if type(one.means) is Compiles]
    if unwaited:
        reading = Hop(frame.namespace.path, op.anchor.line, "the clock is read")
        report_eager(frame, (TimedTooEarly, unwaited[-1], ()), _too_early(frame, unwaited[-1], op, reading))
    elif compiling and type(earlier.payload) is ClockRead and not phrase(earlier.payload.op).startswith(MARK):
        clock = earlier.payload.op
        report_eager(frame, (TimedTooEarly, clock, ()), _compiling(frame, clock, compiling[0]))


def _is_first_turn(frame: Frame, earlier: Value) -> bool:
    """Is it the first turn of a loop, before which the earlier reading was made?

    What a turn waits for behind its reading of the clock, as where it shows its loss, shows in the second one.
    """
    ticks = (one for one in frame.live().used.get(TICKING) if type(one.means) is Ticks and one.means.reading is earlier)
    outer = {loop for tick in ticks for loop, _ in tick.iterations}
    return any(turn == 1 and loop not in outer for loop, turn in frame.iterations)


def _compiling(frame: Frame, clock: Op, work: Op) -> Callable[[], TimedTooEarly]:
    def make() -> TimedTooEarly:
        callee = callee_text(work, "it")
        turn = Hop(work.anchor.origin.shown, work.anchor.line, f"`{callee}` is compiled in the first turn")
        instead = f"make one call of `{callee}` before line {clock.anchor.line}"
        bound = chains_of(frame.function).stored_to(callee)
        if any(store.anchor.line > clock.anchor.line for _, store in bound):
            instead = f"call `{callee}` once before the loop, and move line {clock.anchor.line} below that call"
        return TimedTooEarly(clock, "compiles", phrase(work), phrase(clock), turn, instead, Context())

    return make


def _turns_of(frame: Frame, work: Op, clock: Op) -> Loop | None:
    """The outermost loop that starts work turn after turn, and before whose end no clock is read."""
    chains = chains_of(frame.function)
    around = chains.way_to(clock)
    return next((one for one in chains.way_to(work) if type(one) is Loop and one not in around), None)


def _after(frame: Frame, work: Op, loop: Loop, block: str, is_imported: bool) -> str:
    """What waits once for all turns: work of one device ends in order."""
    way = chains_of(frame.function).way_to(work)
    store = next((one for one in reversed(way) if type(one) is Store), None)
    names = _bound(store, work) if store is not None else []
    behind = f"after the loop on line {loop.anchor.line}"
    if len(names) == 1 and not is_imported:
        return f"call `{names[0]}.block_until_ready()` {behind}, or that of each array in it"
    if names:
        held = names[0] if len(names) == 1 else f"({', '.join(names)})"
        return f"write `{block}({held})` {behind}{'' if is_imported else IMPORTED}"
    return f"keep what it gives, and pass it to `{block}` {behind}{'' if is_imported else IMPORTED}"


def _is_without_result(frame: Frame, work: Op) -> bool:
    """Does a call give nothing that could be waited for?"""
    called = peek(frame, work.func) if type(work) is Call else None
    return called is not None and lacks_return(called)


def _bound(store: Store, work: Op) -> list[str]:
    """The names under which the result of some work is stored, or its parts are; none if any of it goes elsewhere."""
    target, value = store.targets[0], store.value
    if len(store.targets) != 1:
        return []
    is_paired = type(target) is Unpack and type(value) is Build and len(value.parts) == len(target.parts)
    if type(target) is Unpack and type(value) is Build and is_paired and work in value.parts:
        target, value = target.parts[value.parts.index(work)], work
    parts = target.parts if type(target) is Unpack else (target,)
    names = [part.name for part in parts if type(part) is Name]
    read = [name for name in names if name.strip("_")]
    return read if value is work and len(names) == len(parts) and len(read) <= MOST_BOUND else []


def _too_early(frame: Frame, work: Op, clock: Op, reading: Hop) -> Callable[[], TimedTooEarly]:
    def make() -> TimedTooEarly:
        block = library_name(scope_of(work), BLOCK)
        is_imported = block.text != BLOCK or (block.scope is not None and block.scope.lookup("jax").imported == "jax")
        if _is_without_result(frame, work):
            callee, imported = callee_text(work, "it"), "" if is_imported else IMPORTED
            instead = f"return an array that `{callee}` computes from it, and pass that to `{block.text}`{imported}"
            return TimedTooEarly(work, "unwaited", phrase(work), phrase(clock), reading, instead, Context())
        if (loop := _turns_of(frame, work, clock)) is not None:
            instead = _after(frame, work, loop, block.text, is_imported)
            return TimedTooEarly(work, "unwaited", phrase(work), phrase(clock), reading, instead, Context())
        rewrite = None if work is clock else Rewrite((ChangedOp(work, (block, "(", Quoted(work), ")")),))
        text = rewrite.changes[0].text if rewrite is not None else "..."
        instead = f"pass what it gives to `{block.text}`" if "..." in text else f"use `{text}`"
        instead += "" if is_imported else IMPORTED
        return TimedTooEarly(work, "unwaited", phrase(work), phrase(clock), reading, instead, Context(), rewrite)

    return make
