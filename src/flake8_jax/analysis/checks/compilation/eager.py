"""What holds only where code runs eagerly, call after call and turn after turn.

def fit(xs):
    for x in xs:                        each turn makes a function of its own, and compiles it: if `fit` is not traced
        jax.jit(lambda v: v * 2)(x)     itself, for then the loop runs once, while JAX traces it

So such an event is presumed, and any trace that runs its code refutes it, however many calls lead there.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import ClassVar

from flake8_jax.analysis.checks.compilation.turns import COUNTING, number_of, turned_by
from flake8_jax.analysis.checks.keys.repetition import is_of_one_turn, may_run_once
from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.analysis.evidence import CallSite, LatentEvidence, OutcomeAtCall
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.classes import CONSTRUCTORS
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.analysis.summaries.deferral import emit, leave
from flake8_jax.domain.conditions import is_left_out
from flake8_jax.domain.effects import ByAnnotation, Event, EventKey, Finding, Room, UntracedCode
from flake8_jax.domain.staging import Input, certain
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import LONG, LOOPS, Chains, chains_of, searched_once
from flake8_jax.ir.ops import Function, Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.walking import gone_through, names_in, targets_of, within
from flake8_jax.lazy_dataclasses import dataclass, replace
from flake8_jax.syntax.positions import spelling, unpacked

VIEWS = frozenset(("items", "keys", "values"))
GROWING = frozenset(("append", "extend", "insert", "setdefault", "update"))
PLOTTING = "matplotlib."
FIGURES = frozenset(("matplotlib.pyplot.figure", "matplotlib.pyplot.subplots"))
HOST_METHODS = frozenset(("block_until_ready", "item", "tolist", "write"))
WRITING = frozenset(("jax.numpy.array", "jax.numpy.asarray", "numpy.array", "numpy.asarray"))
"""What makes an array of things that are written out."""

PRODUCT = "itertools.product"
SPACED = frozenset(("geomspace", "linspace", "logspace"))
"""The last names of functions that write out a few numbers by a formula."""

SHORT = 12
"""Up to how many things that are written out are taken for configurations, each of which is meant to differ."""

DEEPEST = 3
"""Through how many names and views what a loop runs through is followed."""

PARSING = frozenset(("get_args", "parse_args", "parse_arguments", "parse_known_args", "parse_intermixed_args"))
FEW = 2
"""Up to how many turns of a counter are no loop to speak of."""


@dataclass(frozen=True, slots=True)
class RunsEagerly(LatentEvidence):
    """Code of which an event is presumed that holds only where no trace runs it.

    `turned` are the inputs through which the loop goes that makes it an event: a caller may hand in a few things.
    """

    asks: ClassVar = "what costs something in each call", "a call that no trace makes"
    room: ClassVar[Room] = "cost"
    paths: ClassVar[int] = 1
    is_told: ClassVar[bool] = False
    key: EventKey
    turned: tuple[Input, ...] = ()

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """The callers are asked the same, up to one that is traced."""
        if certain(site.ambient) is None and not site.frame.context.may_be_compiled:
            given = map(site.resolve, self.turned)
            passed_on = tuple(one.input for one in given if one is not None and one.input is not None)
            yield self if passed_on == self.turned else replace(self, turned=passed_on)

    @property
    def presumed(self) -> tuple[EventKey, ...]:
        """It is presumed that no trace runs it."""
        return (self.key,)

    def refuted(self, site: CallSite) -> tuple[EventKey | ByAnnotation, ...]:
        """A trace runs it, or may do so by a decorator that is not known; or a few things are handed in."""
        is_traced = certain(site.ambient) is not None or site.frame.context.may_be_compiled
        return (self.key,) if is_traced or any(_hands_few(site, one) for one in self.turned) else ()


def _hands_few(site: CallSite, source: Input) -> bool:
    """Does a call hand in a few things for an input, or options of the command?"""
    given, written = site.resolve(source), site.source_of(source)
    if written is not None:
        return _is_few(site.frame, written)
    made_by = given.made_by if given is not None else None
    return made_by is not None and _is_few(site.frame, made_by)


def report_eager(frame: Frame, key: EventKey, make: Callable[[], Event], loop: Op | None = None) -> None:
    """Report an event of this code, unless a trace runs it here or by any call that leads here, or nobody runs it; or
    the loop that makes it an event goes through what callers hand in, and one hands in a few things.
    """
    if certain(frame.ambient) is None and not _is_idle(frame):
        emit(frame, key, make, ground=UntracedCode())
        leave(frame, RunsEagerly(key[1], key, _turned(frame, loop)))


def _is_idle(frame: Frame) -> bool:
    """Does nobody run the code: below a switch that is off, or in a function inside another one whose name nothing
    reads?

    if PROFILING: ...               where `PROFILING` is False
    def train(state):
        def measure(): ...          its only call was taken out, and nobody else can call it
    """
    if is_left_out(frame.path):
        return True
    for inner, around in pairwise(frame.outwards()):
        if around.function.kind == "def" and inner.function in _left_over(around.function):
            return True
    return False


@searched_once
def _left_over(function: Function) -> frozenset[Function]:
    """The functions that a body binds to names which nothing reads."""
    chains, found = chains_of(function), set[Function]()
    for target, store in chains.stores:
        made = store.value if type(store) is ops.Store else None
        if type(made) is ops.Closure and type(target) is ops.Name and made.function.kind == "def":
            binding = target.scope.lookup(target.name)
            is_own = binding.owner is function.scope
            if is_own and binding not in chains.loaded and binding not in chains.captured:
                found.add(made.function)
    return frozenset(found)


def eager(
    key: EventKey, make: Callable[[], Event], frame: Frame | None = None, loop: Op | None = None
) -> Iterator[OutcomeAtCall]:
    """The same as what comes of evidence at a call (`LatentEvidence.at`) that no trace makes."""
    yield Finding(key, make, UntracedCode())
    yield RunsEagerly(key[1], key, _turned(frame, loop) if frame is not None else ())


def _passed(frame: Frame, source: Op) -> tuple[Op, ...]:
    """What a call goes through, as `enumerate(sizes)` does, and `product(sizes, rates)`."""
    if type(source) is not ops.Call:
        return ()
    return source.args if imported_name(source.func) == PRODUCT else turned_by(frame, source)


def _turned(frame: Frame, loop: Op | None) -> tuple[Input, ...]:
    """The inputs of a body through which a loop goes, each by its name: `for size in sizes`."""
    sources = [source for source, _ in gone_through(loop)] if loop is not None else []
    passed = [one for source in sources for one in (_passed(frame, source) or (source,))]
    values = [peek(frame, one) for one in passed if type(one) is ops.Name]
    return tuple(value.input for value in values if value is not None and value.input is not None)


def loops_around(frame: Frame, op: Op) -> tuple[Op, ...]:
    """The loops around an op in which it runs on each turn, outermost first."""
    return tuple(
        loop
        for loop, _ in frame.iterations
        if not may_run_once(frame.function, op, loop) and not is_of_one_turn(frame.function, op, loop)
    )


def long_loops(frame: Frame, op: Op) -> tuple[Op, ...]:
    """Those of them that are not known to turn for a few things that are written out, and in no constructor."""
    if frame.function.name in CONSTRUCTORS:
        return ()
    around = loops_around(frame, op)
    return tuple(
        loop for loop in around
        if not _is_short(frame, loop) and not _is_of_few_turns(frame, op, loop) and not draws_figure(frame, loop)
    )  # fmt: skip


def draws_figure(frame: Frame, loop: Op | None = None) -> bool:
    """Does a body, or each turn of a loop in it, make a figure of its own, for somebody to look at?"""
    return (frame.function if loop is None else loop) in _drawing(frame.function)


@searched_once
def _drawing(function: Function) -> frozenset[Op | Function]:
    """The loops of a body each turn of which makes a figure, and the body itself if each call does."""
    chains, found = chains_of(function), set[Op | Function]()
    named = (chains.parents.get(chains.dotted(read)) for reads in chains.names.values() for read in reads)
    for call in named:
        if type(call) is ops.Call and imported_name(call.func) in FIGURES:
            around = chains.way_to(call)
            last = max((place for place, one in enumerate(around) if type(one) is ops.Branch), default=-1)
            found.update(one for one in around[last + 1 :] if type(one) in LOOPS)
            if last < 0:
                found.add(function)
    return frozenset(found)


def made_before(frame: Frame, op: ops.Call, loop: Op) -> bool:
    """Has the turn of a loop made the same call before, with what holds the same still?"""
    before, _ = _neighbours(frame.function).get(op, (None, None))
    return before is not None and _is_same_again(chains_of(frame.function), before, op, loop)


def made_again(frame: Frame, op: ops.Call, loop: Op) -> ops.Call | None:
    """The call that passes the same to the same function again, later in the turn of a loop."""
    _, again = _neighbours(frame.function).get(op, (None, None))
    return again if again is not None and _is_same_again(chains_of(frame.function), op, again, loop) else None


def made_in_twin(frame: Frame, op: ops.Call) -> ops.Call | None:
    """The same call in a later loop through the same, of the same text."""
    _, again = _neighbours(frame.function).get(op, (None, None))
    chains = chains_of(frame.function)
    first, second = (_loop_of(chains, one) for one in (op, again))
    if again is None or first is None or second is None or first is second:
        return None
    is_alike = phrase(first.source, LONG) == phrase(second.source, LONG)
    return again if is_alike and _bound_by(first) == _bound_by(second) else None


def _loop_of(chains: Chains, op: Op | None) -> ops.Loop | None:
    around = reversed(chains.way_to(op)) if op is not None else ()
    return next((one for one in around if type(one) is ops.Loop), None)


def _bound_by(loop: ops.Loop) -> frozenset[str]:
    """The names that a loop binds to what it goes through."""
    return frozenset(names_in(loop.target)) if loop.target is not None else frozenset()


@searched_once
def _neighbours(function: Function) -> dict[ops.Call, tuple[ops.Call | None, ops.Call | None]]:
    """For each call of a function or method by its name, the one before it and the one behind it of the same text."""
    chains, by_text = chains_of(function), dict[str, list[ops.Call]]()
    named = (chains.parents.get(read) for reads in chains.names.values() for read in reads)
    for call in dict.fromkeys((*named, *chains.methods)):
        if type(call) is ops.Call and type(call.func) in (ops.Attr, ops.Name):
            by_text.setdefault("".join((spelling(call) or "").split()), []).append(call)
    found = dict[ops.Call, tuple[ops.Call | None, ops.Call | None]]()
    for text, calls in by_text.items():
        several = sorted(calls, key=lambda call: unpacked(call.place)[:2]) if text else []
        found.update(zip(several, zip((None, *several), (*several[1:], None), strict=False), strict=False))
    return found


def _is_same_again(chains: Chains, first: ops.Call, second: ops.Call, loop: Op) -> bool:
    """Do two calls of one text pass the same in each turn of a loop that makes the second one?"""
    way, other = chains.way_to(first), set(chains.way_to(second))
    if loop not in way or loop not in other:
        return False
    if any(type(one) is ops.Branch and one not in other for one in way[way.index(loop) :]):
        return False
    for inner in within(second):
        stored = chains.stored_in(phrase(inner, LONG), loop) if type(inner) in (ops.Attr, ops.Name) else []
        place = bisect_left(stored, first.anchor.line, key=lambda one: one[1].anchor.line)
        if place < len(stored) and stored[place][1].anchor.line < second.anchor.line:
            return False
    return True


def _is_of_few_turns(frame: Frame, op: Op, loop: Op) -> bool:
    """Does a test choose few turns for an op, by what the loop binds: `if epoch in checkpoints`, `if i == last`, or
    `if i % 5 == 0` of ten?
    """
    chains = chains_of(frame.function)
    way = chains.way_to(op)
    inside = pairwise(way[way.index(loop) :]) if loop in way else ()
    around = [one.test for one, inner in inside if type(one) is ops.Branch and inner in one.body]
    counted = {target.name for target in targets_of(loop)} if around else set()
    count = _count_of(frame, loop) if around else None
    return any(_chooses(frame, test, counted, count) for test in around)


def _count_of(frame: Frame, loop: Op) -> int | None:
    """How often a loop turns that counts up to a known number."""
    source = loop.source if type(loop) is ops.Loop else None
    passed = turned_by(frame, source) if type(source) is ops.Call else []
    source = passed[0] if len(passed) == 1 and type(passed[0]) is ops.Call else source
    is_counted = type(source) is ops.Call and _counts(source.func) and 0 < len(source.args) < len(("from", "to", "by"))
    args = source.args if is_counted and type(source) is ops.Call else ()
    ends = [_number_or_default(frame, end) for end in args] if args else [None]
    first, last = (0, ends[0]) if len(ends) == 1 else ends
    return last - first if first is not None and last is not None else None


def _number_or_default(frame: Frame, op: Op) -> int | None:
    """A number that is known, or the default of a parameter."""
    defaults = {one.name: one.default for one in frame.function.parameters} if type(op) is ops.Name else {}
    default = defaults.get(phrase(op))
    given = default.value if type(default) is ops.Const else None
    return given if type(given) is int else number_of(frame, op)


def _chooses(frame: Frame, test: Op, counted: set[str], count: int | None) -> bool:
    if type(test) is ops.Logic and test.operator == "and":
        return any(_chooses(frame, operand, counted, count) for operand in test.operands)
    if type(test) is not ops.Compare or test.operators not in (("in",), ("==",)):
        return False
    asked = test.operands[0]
    if names_in(asked).isdisjoint(counted):
        return False
    if type(asked) is ops.Operate and asked.operator == "%" and count is not None:
        each = number_of(frame, asked.operands[1])
        return each is not None and each > 0 and -(-count // each) <= FEW
    return not any(type(one) is ops.Operate and one.operator in ("%", "//", "&") for one in within(asked))


def is_brief(frame: Frame, loop: Op) -> bool:
    """Is a loop known to turn so few times that what is compiled for it is not worth its compilation?"""
    match loop.source if type(loop) is ops.Loop else None:
        case ops.Call(func=ops.Name(name="range"), args=(ops.Const(value=int() as count),)):
            return count <= SHORT
    return _is_short(frame, loop)


def _is_short(frame: Frame, loop: Op) -> bool:
    """Does a loop go through a short display, or count to a small number?

    for activation in (relu, tanh, gelu): ...       three configurations
    """
    if type(loop) is ops.Loop:
        return loop.kind == "for" and _is_few(frame, loop.source)
    return type(loop) is ops.Gather and all(_is_few(frame, clause.source) for clause in loop.clauses)


def _is_few(frame: Frame, source: Op, depth: int = 0) -> bool:
    """Is something known to have so few elements that they are configurations, by whatever name?"""
    if depth > DEEPEST:
        return False
    match source:
        case ops.Build(parts=parts):
            return len(parts) <= SHORT and all(type(part) is not ops.Star for part in parts)
        case ops.Name(name="range") | ops.Const():
            return False
        case ops.Call(func=func, args=(bound,)) if _counts(func):
            count = number_of(frame, bound)
            return count is not None and count <= FEW
        case ops.Call(func=func, args=(written, *_)) if imported_name(func) in WRITING:
            return _is_few(frame, written, depth + 1)
        case ops.Call(func=func, args=(_, _, count, *_)) if _last(func) in SPACED:
            return _is_at_most(frame, count, SHORT)
        case ops.Call(func=func, args=several) if several and imported_name(func) == PRODUCT:
            return all(_is_few(frame, one, depth + 1) for one in several)
        case ops.Call() if passed := turned_by(frame, source):
            return any(_is_few(frame, one, depth + 1) for one in passed)
        case ops.Call(func=ops.Attr(base=ops.Attr() as base, name="split")):
            return _is_few(frame, base, depth + 1)
        case ops.Call(func=ops.Attr(base=base, name=name), args=()) if name in VIEWS:
            return _is_few(frame, base, depth + 1)
        case ops.BuildDict(items=items):
            return len(items) <= SHORT
        case ops.Gather(clauses=(clause,)):
            return _is_plan(frame, clause.source) or _is_few(frame, clause.source, depth + 1)
        case ops.Choose(body=body, orelse=orelse):
            return _is_few(frame, body, depth + 1) and _is_few(frame, orelse, depth + 1)
        case ops.Item(base=base, index=ops.Build(kind="slice", parts=(start, stop, _))):
            return _is_short_stretch(frame, start, stop) or _is_few(frame, base, depth + 1)
        case ops.Attr(base=ops.Name(name=name)):
            return _are_options(frame, name)
        case ops.Name():
            return _holds_few(frame, source, depth)
    return False


def _is_plan(frame: Frame, source: Op) -> bool:
    """Are a few values computed of a counter: `rates = [0.1 * 2**i for i in range(8)]`, written out by a formula?"""
    bounds = source.args if type(source) is ops.Call and _counts(source.func) else ()
    return len(bounds) == 1 and _is_at_most(frame, bounds[0], SHORT)


def _is_at_most(frame: Frame, number: Op, most: int) -> bool:
    count = number_of(frame, number)
    return count is not None and count <= most


def _are_options(frame: Frame, name: str) -> bool:
    """Does a name hold the options of a command: `args = parser.parse_args()`?  Each of several is a run of its own."""
    bound = (statement for _, statement in chains_of(frame.function).stored_to(name) if type(statement) is ops.Store)
    calls = [statement.value for statement in bound if type(statement.value) is ops.Call]
    return any(isinstance(each.func, (ops.Attr, ops.Name)) and each.func.name in PARSING for each in calls)


def _counts(func: Op) -> bool:
    return _last(func) in COUNTING


def _last(func: Op) -> str:
    return imported_name(func).rpartition(".")[2]


def _is_short_stretch(frame: Frame, start: Op, stop: Op) -> bool:
    """Are the bounds of a slice known, and near each other?"""
    first = 0 if type(start) is ops.Const and start.value is None else number_of(frame, start)
    last = number_of(frame, stop)
    return first is not None and last is not None and (last < 0) is (first < 0) and last - first <= SHORT


def _holds_few(frame: Frame, read: ops.Name, depth: int) -> bool:
    """Does a name hold few things, as its value shows, or the statement that it reads, or all that bind it?"""
    found, chains = bound_to(frame, read.name), chains_of(frame.function)
    if frame.state is not None and (found is None or not found.parts):
        value = peek(frame, read)
        found = frame.live().contents(value) if value is not None else None
    origin, made_by = read.anchor.origin, found.made_by if found is not None else None
    made_in = made_by.anchor.origin if made_by is not None else None
    if made_in is not None and (made_in.path, made_in.number) == (origin.path, origin.number):  # `xs = xs[::-1]`
        found = frame.namespace.file.value(read.name, origin.number) or found
    entries = (found.entries or found.elements) if found is not None else None
    if entries is not None:
        return 0 < len(entries) <= SHORT
    if any(type(call.func) is ops.Attr and call.func.name in GROWING for call in chains.called_on(read.name)):
        return False
    definition, stores = chains.found_by(read), chains.stored_to(read.name)
    stores = [(target, one) for target, one in stores if target is definition] or stores
    bound = [one.value for target, one in stores if type(one) is ops.Store and target in one.targets]
    default = next((one.default for one in frame.function.parameters if one.name == read.name), None)
    if not stores and default is not None:
        return _is_few(frame, default, depth + 1)
    if not bound or len(bound) != len(stores):
        made_by = found.made_by if found is not None else None
        is_written = type(made_by) is ops.Item or type(made_by) is ops.Gather
        return made_by is not None and is_written and _is_few(frame, made_by, depth + 1)
    return all(value is not None and _is_few(frame, value, depth + 1) for value in bound)


def bound_to(frame: Frame, name: str) -> Value | None:
    """What a name is bound to around here, without asking for it."""
    found = frame.bound_to(name)
    return found if found is not None else frame.namespace.file.value(name, None)


def is_of_host(frame: Frame) -> bool:
    """Is a body evidently run by the host: that of a module, or one that prints, plots, times, or asks for values?"""
    if frame.parent is None:
        return True
    table = frame.program.table
    for name in _libraries_named(frame.function):
        if name.startswith(PLOTTING) or table.host(name) is not None:
            return True
        if table.effect(name) is not None and not name.startswith("jax."):
            return True
    return _asks_as_host(frame.function)


@searched_once
def _libraries_named(function: Function) -> dict[str, None]:
    """What a body names of libraries, in order."""
    chains = chains_of(function)
    reads = (read for several in chains.names.values() for read in several)
    return dict.fromkeys(imported_name(chains.dotted(read)) for read in reads)


@searched_once
def _asks_as_host(function: Function) -> bool:
    methods = chains_of(function).methods
    return any(type(method.func) is ops.Attr and method.func.name in HOST_METHODS for method in methods)
