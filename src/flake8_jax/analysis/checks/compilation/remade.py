"""What is compiled again in each call or turn, because the function that JAX gets is another object each time.

    for x in xs:
        jax.jit(lambda v: v * 2)(x)         a lambda of its own for each turn
        jax.jit(double)(x)                  one function: JAX finds what it has compiled for it

    def fit(p, x):
        return jax.jit(lambda p: loss(p, x))(p)     one for each call
    for x in xs: fit(p, x)                          and so for each turn here

JAX keeps what it has compiled by the function object (measured: jit, pmap, pallas_call, and eager scan, while_loop,
fori_loop, cond, switch, map, which compile their bodies; vmap, grad and vjp alone compile nothing).  So a `MadeAnew`
says how often there is another object.  It is `home` where a call is made in the body that makes it, or in one that is
called from there; if loops stand around the call and not around the making, that is made once for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import ClassVar, Literal, TypeAlias

from flake8_jax.analysis.callables import Captured, FunctionValue, MadeAnew, MethodRun, Partial, Wrapped, underlying
from flake8_jax.analysis.checks.compilation.chosen import is_chosen
from flake8_jax.analysis.checks.compilation.eager import (
    VIEWS,
    RunsEagerly,
    draws_figure,
    eager,
    is_brief,
    is_of_host,
    long_loops,
    report_eager,
)
from flake8_jax.analysis.checks.compilation.hoisting import hoisted
from flake8_jax.analysis.checks.compilation.jittable import can_be_jitted
from flake8_jax.analysis.checks.compilation.turns import turned_by
from flake8_jax.analysis.checks.compilation.varying import (
    comes_of_element,
    has_own_shape,
    is_bound_with_own_shape,
    last_name,
)
from flake8_jax.analysis.checks.concrete import NeedsConcrete
from flake8_jax.analysis.checks.effects.host_calls import HostCall
from flake8_jax.analysis.checks.keys.repetition import Repeat, loop_around
from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.analysis.checks.output import Output
from flake8_jax.analysis.evidence import CallSite, LatentEvidence, OutcomeAtCall
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.classes import CONSTRUCTORS
from flake8_jax.analysis.objects.instances import passed_input, property_of
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.analysis.summaries.deferral import leave
from flake8_jax.api.schedules import WITHOUT_ARRAYS
from flake8_jax.api.transforms import Transform
from flake8_jax.domain.effects import Effect, EventKey, Room
from flake8_jax.domain.kinds import ANY_CALLABLE, FUNCTIONS, MAY_BE_OBJECT, OBJECTS, OBJECTS_OR_UNKNOWN, UNKNOWN
from flake8_jax.domain.payload import Named
from flake8_jax.domain.provenance import Context, Hop
from flake8_jax.domain.staging import Dependences, Input, Token, certain
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import LOOPS, Chains, chains_of, searched_for
from flake8_jax.ir.ops import Function, Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.walking import gone_through, names_in, targets_of, within
from flake8_jax.lazy_dataclasses import dataclass, replace
from flake8_jax.model.diagnostic import Remedy
from flake8_jax.syntax.tests import is_test_file

PARTIAL_TREE = "jax.tree_util.Partial"

MAXIMUM_HELD = 4
"""How deep in partials, wrappers and functions of the same body objects are looked for."""

MOST_NAMES = 4
"""So many names that a function captures are told."""

FIELDS = 2
"""So many fields of a captured object are told in its place."""

STATIC = "(static unless an array)"

HELD_BY = {f"jax.lax.{name}": "the carry" for name in ("scan", "while_loop", "fori_loop")}
"""Where a body gets what it needs, by the transform that runs it."""

REFUSING = frozenset((NeedsConcrete, HostCall, Output))
"""What a function does that it cannot do in the same way where it is jitted."""

READING = frozenset(("genfromtxt", "load", "loadtxt", "open", "read_csv", "read_parquet", "imread", "from_file"))
"""The last names of functions that read a file."""

KEEPING = frozenset(("add", "append", "setdefault", "update"))

MAKING = frozenset((ops.Call, ops.Item, ops.Attr))
"""What a turn binds of what the loop goes through, as it stands: `make(case)`, `case["model"]`, `case.model`."""

NewForm: TypeAlias = Literal["lambda", "def", "partial", "method", "wrapper", "any"]
WayOut: TypeAlias = Literal["", "around", "jit", "move"]
Where: TypeAlias = Literal["here", "calls", "request"]
New: TypeAlias = "tuple[NewForm, str, Op, Function | None]"
"""What is new each time: its form, its text, the op that makes it, its body if it is a function."""


@dataclass(frozen=True, slots=True)
class RemadeEachTime:
    """A function is made and compiled anew on each turn of a loop, or in each call that a loop makes.

    `repeat` is a loop, `where` is whether it stands around it or around a call of `body`; or it registers `body`, to be
    called for each request.  `by` makes `new` of what is called `function`, and `instead` is what to write.  A call of
    a function that scans is reported in the loop itself, `by_call`: it is there that it can be jitted.
    """

    op: Op
    repeat: Repeat
    where: Where
    by_call: str
    body: str
    by: str
    function: str
    new: str
    instead: str
    context: Context

    @property
    def remedy(self) -> Remedy:
        """What to write instead, to be tried."""
        found = hoisted(self.op, self.instead) if self.where == "here" and not self.by_call else None
        return found or Remedy("", self.instead)


@dataclass(frozen=True, slots=True)
class CalledAnew(LatentEvidence):
    """A call of what is made anew in each call of a body, which runs the call itself if it is `home`.

    `turned` is the loop of the body that makes it anew already, of which is not known whether the host runs it.
    """

    asks: ClassVar = "`{0.op}` compiles another function in each call", "a call in a loop"
    room: ClassVar[Room] = "cost"
    paths: ClassVar[int] = 1
    making: MadeAnew
    is_home: bool
    turned: Op | None = None

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Certain in a loop of a caller, unless it is made before this loop."""
        if certain(site.ambient) is not None or len(site.chain) == len(site.effect.chain):
            return  # a trace runs it, or what stands for all calls of a wrapped function
        if site.frame.context.is_unstaged or site.frame.context.may_be_compiled:
            return
        if self.turned is not None:
            if is_of_host(site.frame):
                yield from eager(*_event(self.op, self.making, self.turned, True), site.frame, self.turned)
            else:
                yield self
            return
        arrives = not self.is_home and chains_of(self.making.body).holds(site.op)
        needs = self.making.needs if arrives or self.is_home else ()
        takes = self.making.takes if arrives or self.is_home else ()
        around = tuple(
            loop for loop in long_loops(site.frame, site.op) if not _is_another_program(site, needs, takes, loop)
        )  # fmt: skip
        loop = _repeating(self.making, around, arrives) if arrives or self.is_home else None
        if loop is not None and (not self.making.runs or is_of_host(site.frame)):
            at = site.op if self.making.runs and not arrives else self.making.op
            if at.anchor.origin.path != loop.anchor.origin.path and is_test_file(loop.anchor.origin.path):
                return
            way_out = _way_out(site, self.making, at, loop)
            moved = _moved(site, loop) if at is site.op and way_out != "move" else ""
            yield from eager(*_event(at, self.making, loop, arrives, site.chain, way_out, moved), site.frame, loop)
        elif not long_loops(site.frame, site.op):
            handed, caller = tuple(_argument(site, need) or need for need in needs), chains_of(site.frame.function)
            taken = tuple(_argument(site, one) or one for one in takes)
            is_own = any(type(each.made_by) is ops.Call and caller.holds(each.made_by) for each in handed)
            if not is_own and not _is_long_run(site.frame):
                making = replace(self.making, needs=handed, takes=taken)
                yield replace(self, making=making, is_home=self.is_home or arrives)


def _is_another_program(site: CallSite, needs: tuple[Value, ...], takes: tuple[Value, ...], loop: Op) -> bool:
    """Does a turn of a loop around a call hand in another object, without which the function cannot be, or the entry of
    a mapping that it is for?
    """
    chains, entries = chains_of(site.frame.function), _entries(site.frame, loop)
    if any(_is_of_turn(chains, name, loop) for name in _names_given(site, needs)):
        return True
    if any(_is_chosen(site.frame, one, loop) for one in _functions_given(site, needs, loop)):
        return True
    if bool(entries) and not entries.isdisjoint(_names_given(site, takes)):
        return True
    if _is_of_own_shape(site.frame, site.op, loop):
        return True
    return any(_reads_file(site.function.function, name) for name in _parameters_of_turn(site, chains, loop))


def _parameters_of_turn(site: CallSite, chains: Chains, loop: Op) -> Iterator[str]:
    """The parameters for which a call passes what a loop goes through, or what a turn makes of it."""
    call, parameters = site.op, site.function.function.parameters
    if type(call) is not ops.Call or site.function.owner is not None:
        return
    placed = [(one.name, given) for one, given in zip(parameters, call.args, strict=False)]
    for name, given in (*placed, *call.keywords):
        if name is not None and type(given) is ops.Name and _is_of_turn(chains, given.name, loop):
            yield name


def _reads_file(function: Function, name: str) -> bool:
    """Does a function read a file that a parameter names?  What is in it has a shape of its own."""
    chains = chains_of(function)
    around = (chains.parents.get(read) for read in chains.names.get(name, ()))
    return any(call is not None and _reads(call) for call in around)


def _reads(op: Op) -> bool:
    """Is it a call of a function that reads a file?"""
    func = op.func if type(op) is ops.Call else None
    return (type(func) is ops.Name or type(func) is ops.Attr) and last_name(func) in READING


def _functions_given(site: CallSite, needs: tuple[Value, ...], loop: Op) -> Iterator[Function]:
    """The functions that a turn of a loop around a call makes and hands in for some needs."""
    for one in needs:
        if isinstance(one.payload, FunctionValue) and one.payload.frame is site.frame:
            yield one.payload.function
    chains = chains_of(site.frame.function)
    for name in _names_given(site, needs):
        for _, store in chains.stored_in(name, loop):
            if type(store) is ops.Store and type(store.value) is ops.Closure:
                yield store.value.function


def _input_of(value: Value) -> Input | None:
    """The input that a value is, also as an object of a class that an annotation names."""
    return value.input or (passed_input(value) if value.kind in OBJECTS else None)


def _argument(site: CallSite, value: Value) -> Value | None:
    """What a call passes for an input."""
    source = _input_of(value)
    return site.resolve(source) if source is not None else None


def _names_given(site: CallSite, inputs: tuple[Value, ...]) -> set[str]:
    """The names in what a call passes for some inputs."""
    sources = [source for source in map(_input_of, inputs) if source is not None]
    given = [site.source_of(source) for source in sources]
    return set[str]().union(*[names_in(each) for each in given if each is not None])


def _is_of_turn(chains: Chains, name: str, loop: Op) -> bool:
    """Does a name hold what a loop goes through, or what a turn makes of it alone?"""
    targets = {target.name for target in targets_of(loop)}
    if name in targets:
        return True
    for _, store in chains.stored_in(name, loop):
        made = store.value if type(store) is ops.Store else None
        read = names_in(made) if made is not None and type(made) in MAKING else set()
        if name in read or made is None or not read:
            continue
        if read & targets or (type(loop) is ops.Loop and comes_of_element(chains, made, loop)):
            return True
    return False


def _is_computed_of_turn(chains: Chains, name: str, loop: Op) -> bool:
    """Is a name bound to a number that is computed of what a loop goes through: `half = size // 2`?"""
    stores = (store for _, store in chains.stored_in(name, loop) if type(store) is ops.Store)
    return type(loop) is ops.Loop and any(
        type(store.value) is ops.Operate and comes_of_element(chains, store.value, loop) for store in stores
    )  # fmt: skip


def _is_read_in_turn(chains: Chains, name: str, loop: Op) -> bool:
    """Does a name hold what a turn reads of a file that is its own?  What is in it has a shape of its own."""
    stores = (store for _, store in chains.stored_in(name, loop) if type(store) is ops.Store)
    return type(loop) is ops.Loop and any(
        _reads(part) and comes_of_element(chains, part, loop)
        for store in stores if store.value is not None for part in within(store.value)
    )  # fmt: skip


def _is_chosen(frame: Frame, function: Function, loop: Op) -> bool:
    """Is a function another program on each turn of a loop, by what it captures of it: a choice of Python, or an object
    of which it calls methods that no array has?
    """
    chains = chains_of(frame.function)
    captured = [*_captured(function, frame.function)]
    if any(_is_read_in_turn(chains, name, loop) for name in captured):
        return True
    if type(loop) is ops.Loop and any(is_bound_with_own_shape(chains, name, loop) for name in captured):
        return True
    names = {name for name in captured if _is_of_turn(chains, name, loop)}
    choosing = names | {name for name in captured if _is_computed_of_turn(chains, name, loop)}
    return is_chosen(frame, function, choosing, loop) or any(_is_object(frame, function, name) for name in names)


def note_run(frame: Frame, op: Op, transform: Transform, given: dict[str, Value]) -> None:
    """Note functions made anew that a transform compiles and runs here, if nothing traces it."""
    if not transform.compiles or frame.context.is_unstaged or frame.context.is_for_shapes:
        return
    if transform.exclusive and any(_may_be_mapped(given.get(parameter.name)) for parameter in transform.parameters[:1]):
        return
    for shape in transform.runs:
        value = given.get(shape.function)
        for each in value.parts if shape.each and value is not None else (value,):
            found = making(frame, op, each, transform) if each is not None else None
            if found is not None:
                note_called(frame, op, found, frame.ambient)
                return


def _may_be_mapped(chooser: Value | None) -> bool:
    """May what chooses a branch be another one in each lane of `vmap`?  Then all are computed, and none is compiled."""
    return chooser is not None and any(type(dependence) in (Input, Token) for dependence in chooser.dependences)


def note_called(frame: Frame, op: Op, made: MadeAnew, ambient: Dependences) -> None:
    """Report a call in a loop that makes what is called anew; else its callers may call it in one."""
    if certain(ambient) is not None or frame.context.is_for_shapes:
        return
    is_home = made.body is frame.function or chains_of(made.body).holds(op)
    loops = long_loops(frame, op)
    loop = _repeating(made, loops, True) if is_home else None
    if loop is not None and (_is_run_of_its_own(frame, op, loop, loops[-1]) or _is_of_own_shape(frame, op, loop)):
        return
    if not is_home and made.is_returned:
        fresh = _fresh_from(frame, chains_of(frame.function), op, loops)
        if fresh is not None:
            report_eager(frame, *_event(made.op, made, fresh, False), fresh)
    if loop is not None and (not made.runs or is_of_host(frame)):
        report_eager(frame, *_event(made.op, made, loop, True), loop)
    elif loop is not None:
        leave(frame, CalledAnew(made.op, made, is_home, loop))
        leave(frame, RunsEagerly(made.op, (RemadeEachTime, made.op, ())))
    elif _is_for_callers(frame, made, loops):
        leave(frame, CalledAnew(made.op, made, is_home))


def _is_run_of_its_own(frame: Frame, op: Op, loop: Op, inner: Op) -> bool:
    """Is what a turn compiles called in a long loop of the turn, which begins anew from a state of the turn?

    for train, test in folds: params = init(key); step = jax.jit(...); for _ in range(n): params = step(params, train)
    """
    if inner is loop or type(op) is not ops.Call or type(inner) is not ops.Loop:
        return False
    chains = chains_of(frame.function)
    given = [one.name for one in op.args if type(one) is ops.Name and chains.stored_in(one.name, inner)]
    carried = [name for name in given if inner.target is None or name not in names_in(inner.target)]
    return bool(carried) and all(
        any(inner not in chains.way_to(store) for _, store in chains.stored_in(name, loop)) for name in carried
    )


def _is_of_own_shape(frame: Frame, op: Op, loop: Op) -> bool:
    """Is an array passed that each turn makes as long as its element says, so that it needs a program of its own?"""
    if type(op) is not ops.Call or type(loop) is not ops.Loop:
        return False
    chains = chains_of(frame.function)
    return any(has_own_shape(chains, given, loop) for given in (*op.args, *(value for _, value in op.keywords)))


def _is_for_callers(frame: Frame, made: MadeAnew, loops: tuple[Op, ...]) -> bool:
    """Do callers decide whether a loop makes it anew, as nothing here does more with it than to run it once?"""
    if frame.parent is None or made.is_shared or _is_long_run(frame):
        return False
    return all(is_brief(frame, one) for one in _around(frame, loops))


def _is_long_run(frame: Frame) -> bool:
    """Does a body compile something once for a long loop of its own, or draw a figure, beside which another compilation
    is nothing?

    def fit(n): step = jit(lambda p: ...); for _ in range(n): p = step(p)
    """
    if draws_figure(frame):
        return True
    if frame.runs_long is None:
        chains = chains_of(frame.function)
        made = [store.value for _, store in chains.stores if type(store) is ops.Store and type(store.value) is ops.Call]
        frame.runs_long = any(_is_compiling(frame, call) and _uses(frame, chains, call)[2] for call in made)
    return frame.runs_long


def _is_compiling(frame: Frame, call: ops.Call) -> bool:
    """Does a call wrap a function in a transform that compiles it?"""
    transform = _transform_called(frame, call)
    return transform is not None and bool(transform.compiles) and not transform.runs


def _transform_called(frame: Frame, call: ops.Call) -> Transform | None:
    """The transform of a library that is called."""
    table = frame.program.table
    return table.known(table.canonical(imported_name(call.func))).transform


def _around(frame: Frame, loops: tuple[Op, ...]) -> tuple[Op, ...]:
    """The loops around an op that count; in a constructor all of them."""
    return tuple(loop for loop, _ in frame.iterations) if frame.function.name in CONSTRUCTORS else loops


def _repeating(made: MadeAnew, loops: Iterable[Op], is_around: bool) -> Op | None:
    """The innermost of some loops that makes it anew on each turn: around the making itself, one of its own."""
    found = [loop for loop in loops if not is_around or loop in made.loops]
    return found[-1] if found else None


def _event(
    op: Op, made: MadeAnew, loop: Op, is_here: bool, chain: tuple[Hop, ...] = (), way_out: WayOut = "", moved: str = ""
) -> tuple[EventKey, Callable[[], RemadeEachTime]]:
    where: Where = "here" if is_here else "calls"
    return event_of(op, made, loop_around(loop, loop.anchor.origin.shown), where, chain, way_out, moved)


def event_of(
    op: Op, made: MadeAnew, repeat: Repeat, where: Where, chain: tuple[Hop, ...] = (), way_out: WayOut = "",
    moved: str = "",
) -> tuple[EventKey, Callable[[], RemadeEachTime]]:
    """The event of what is made anew by each repetition of a call."""

    def make() -> RemadeEachTime:
        by = phrase(made.op.func) if type(made.op) is ops.Call else made.by
        by_call = phrase(op) if op is not made.op else ""
        function = "the lambda" if made.form == "lambda" else f"`{made.function}`"
        instead = _instead(made, function, where == "here", way_out if by_call else None) + moved
        return RemadeEachTime(
            op, repeat, where, by_call, _name(made.body), made.by if "(" in by else by, function,
            _newly(made, function, bool(by_call)), instead, Context(None, chain),
        )  # fmt: skip

    return (RemadeEachTime, op, ()), make


def _name(function: Function) -> str:
    return "the lambda" if function.kind == "lambda" else f"`{function.name}`"


def _newly(made: MadeAnew, function: str, by_call: bool) -> str:
    """What is new each time, as the words of the message."""
    match made.form:
        case "def" | "wrapper":
            return f"a new {function}"
        case "any":
            return f"a new function around {function if by_call else 'it'}"
        case "method":
            return "a new bound method"
    return f"a new {made.form}"


def _instead(made: MadeAnew, function: str, is_here: bool, way_out: WayOut | None) -> str:
    """What to write; `way_out` is one for the call of a function that compiles what it makes, where it is reported."""
    given, passing = _given(made, is_here)
    runner = f"`{phrase(made.op.func)}`" if type(made.op) is ops.Call else "it"
    if way_out == "move":
        return "call it once, before the loop: nothing that the loop changes is passed"
    if way_out == "jit":
        return f"jit {_name(made.body)} once, or what calls it"
    if way_out is not None and (made.captures == "code" or made.form not in ("lambda", "def") or _makes_several(made)):
        if _makes_several(made):
            given = f"what differs as arguments {STATIC}"
        around = f", or jit once what calls {_name(made.body)}" if way_out == "around" else ""
        return f"put {runner} into a function that is jitted once and gets {given}{around}"
    if way_out is not None:
        captured = f", and pass the arrays that it captures in {HELD_BY.get(made.by, 'its operands')}"
        return f"define {function} once, outside of {_name(made.body)}{captured if made.captures else ''}"
    place = "before the loop" if is_here else f"outside of {_name(made.body)}"
    if made.runs:
        if made.form != "any" and not made.captures:
            return f"define {function} once, {place}"
        return f"jit once, {place}, a function that calls {runner} and gets {given}"
    if made.form == "partial":
        return f"jit the function once, and pass what the partial binds as arguments {STATIC}"
    if made.captures == "code":
        return f"jit once, {place}, a function that gets {given}"
    make = "jit" if made.by.endswith("jit") else "make"
    if not is_here and _is_of_object(made):
        return f"{make} it once, where the object is made, and keep it in a field"
    if not is_here and made.is_returned:
        return f"keep what {_name(made.body)} returns, from a call before the loop"
    return f"{make} it once, {place}{f', and {passing}' if made.captures else ''}"


def _given(made: MadeAnew, is_here: bool) -> tuple[str, str]:
    """What a function that is made once gets as arguments, in words, and what is passed to it.

    Before the loop, where the other names are bound as well, these are those that a turn binds.
    """
    chains = chains_of(made.body)
    heads = [(name, name.partition(".")[0]) for name in made.names]
    changed = tuple(name for name, head in heads if any(chains.stored_in(head, loop) for loop in made.loops))
    names = [f"`{name}`" for name in changed if is_here] or [f"`{name}`" for name in made.names or _operands(made)]
    is_new = any(_is_function(chains, name.strip("`")) for name in names)  # as another function it would be another one
    if is_new or not 0 < len(names) <= MOST_NAMES:
        return f"what differs as arguments {STATIC}", f"pass what it captures as arguments {STATIC}"
    given = _joined(names)
    return f"{given} {STATIC}", f"pass {given} {STATIC}"


def _joined(names: list[str]) -> str:
    """Names as arguments, in words."""
    *others, last = names
    return f"{', '.join(others)} and {last} as arguments" if others else f"{last} as an argument"


def _makes_several(made: MadeAnew) -> bool:
    """Does a body make more than one of the functions of a call, which compiles for each of them?"""
    given, chains = made.op.args if type(made.op) is ops.Call else (), chains_of(made.body)
    names = [one.name for one in given if type(one) is ops.Name]
    closures = [one for one in given if type(one) is ops.Closure]
    return len(closures) + len([name for name in names if _is_function(chains, name)]) > 1


def _is_function(chains: Chains, name: str) -> bool:
    """Does a body bind a name to a function that it makes, so that each run has another one?"""
    values = [one.value for _, one in chains.stored_to(name) if type(one) is ops.Store]
    return any(type(value) is ops.Closure for value in values)


def _operands(made: MadeAnew) -> list[str]:
    """The names that a call gets which runs a function, that of the function itself if it is handed in."""
    given = made.op.args if type(made.op) is ops.Call and made.runs else ()
    names = [one.name for one in given if type(one) is ops.Name]
    return names if made.captures == "function" or not given or type(given[0]) is not ops.Name else names[1:]


def _is_of_object(made: MadeAnew) -> bool:
    """Is it a method of the object whose method makes it, or made of one and nothing else: `jax.grad(self.loss)`?"""
    parameters = made.body.parameters
    own = parameters[0].name if parameters and made.form in ("method", "wrapper") else ""
    local = names_in(made.op) & made.body.scope.names.keys()
    return bool(own) and f"{own}." in made.function and local == {own} and made.captures != "code"


def _way_out(site: CallSite, made: MadeAnew, at: Op, loop: Op) -> WayOut:
    """What helps at a call in a loop of a function that compiles what it makes."""
    if at is not site.op:
        return ""
    if not site.summary.has_effects and _is_same_each_turn(site.frame, site.op, loop):
        return "move"
    is_itself = site.function.function is made.body
    if is_itself and any(source.name in site.summary.inputs for source, _ in site.summary.uses.called):
        return ""
    needs = any(type(one.evidence) in REFUSING and _is_of(made.body, one) for one in site.summary.requires.effects)
    if not needs and made.captures != "function" and can_be_jitted(made.body):
        return "jit"
    return "" if is_itself else "around"


def _moved(site: CallSite, loop: Op) -> str:
    """What else is to be made before a loop, in words: what a turn makes of the functions that a call hands in."""
    call = site.op
    given = [site.source_of(source) for source, _ in site.summary.uses.called if source.parent is None]
    for one in (*call.args, *(value for _, value in call.keywords)) if type(call) is ops.Call else ():
        held = peek(site.frame, one)
        given += [one] if held is not None and held.kind in FUNCTIONS else []
    names = set[str]().union(*[names_in(one) for one in given if one is not None])
    chains = chains_of(site.frame.function)
    made = [name for name in sorted(names) if chains.stored_in(name, loop)]
    stores = (store for name in made for _, store in chains.stored_in(name, loop) if type(store) is ops.Store)
    inner = [store.value.function for store in stores if type(store.value) is ops.Closure]
    read = dict.fromkeys(one for function in inner for one in _captured(function, site.frame.function))
    of_turn = [f"`{name}`" for name in read if name not in made and chains.stored_in(name, loop)]
    own = f", with {_joined(of_turn)}" if of_turn else ""
    own = own if len(of_turn) <= MOST_NAMES else ", with what it reads of a turn as arguments"
    return f"; make {' and '.join(f'`{name}`' for name in made)} before the loop, too{own}" if made else ""


def _is_of(body: Function, effect: Effect) -> bool:
    """Does an effect come from a body, or from what it calls?"""
    calls = f"{_name(body)} calls "
    return chains_of(body).holds(effect.evidence.op) or any(hop.text.startswith(calls) for hop in effect.chain)


def _is_same_each_turn(frame: Frame, op: Op, loop: Op) -> bool:
    """Does a call get nothing that a loop changes: names bound elsewhere, constants, and arrays made of these?"""
    chains = chains_of(frame.function)
    if type(op) is not ops.Call or type(op.func) is not ops.Name or loop not in chains.way_to(op):
        return False
    for argument in (*op.args, *(value for _, value in op.keywords)):
        for one in within(argument):
            if type(one) is ops.Call and not imported_name(one.func).startswith("jax.numpy."):
                return False
            if type(one) is ops.Attr and not imported_name(one).startswith("jax."):
                return False
            if type(one) is ops.Name and chains.stored_in(one.name, loop):
                return False
    return bool(op.args or op.keywords)


def making(frame: Frame, op: Op, function: Value, transform: Transform) -> MadeAnew | None:
    """How often a transform that compiles gets another function; None if it does not, or always gets one."""
    body, by, runs = frame.function, transform.compiles, bool(transform.runs)
    if not by or (frame.parent is None and not frame.iterations) or body.kind == "class":
        return None
    new = _new(frame, op, function, transform.name, by)
    if new is None:
        return None
    form, text, made_by, inside = new
    chains = chains_of(body)
    way = chains.way_to(made_by)
    if not way:
        return None
    is_handed_on, is_returned, is_looped = (False, False, False) if runs else _uses(frame, chains, op)
    if is_handed_on or (not runs and _is_kept(frame, chains, op)):
        return None
    made_here = (*_objects(frame, function), *_from_factories(frame, chains, op, function))
    own = [there for made in made_here if (there := chains.way_to(made))]  # what callers made is one for all calls
    bound = names_in(op) | names_in(made_by)
    bound |= set(_captured(inside, body)) if inside is not None else set()
    found = underlying(function)
    local = found.function if found is not None and found.frame is frame else None
    loops = tuple(
        loop for loop in long_loops(frame, op)
        if loop in way and all(loop not in other for other in own) and not _is_of_entry(frame, loop, function, bound)
        and not (local is not None and _is_chosen(frame, local, loop))
        and not _is_left_by(way, loop) and not _is_set_by(chains, op, loop)
    )  # fmt: skip
    if inside is not None and any(_is_configured(chains, loop, inside) for loop in loops):
        return None
    is_shared = bool(own) or is_looped or is_returned or body.name in CONSTRUCTORS
    is_bound = form == "wrapper" and _holds_partial(function)
    captures: Captured = "data" if is_bound or _binds_of_turn(chains, made_by) else ""
    if inside is not None:
        captures = _captures(frame, inside) or ("data" if any(_of_defaults(inside, body)) else "")
    elif any(frame.live().names.get(parameter.name) is function for parameter in body.parameters):
        captures = "function"
    takes = tuple(_taken(frame, bound))
    needs = tuple(one for one in takes if inside is not None and _is_needed(frame, inside, one))
    needs += (function,) if form == "any" and local is None else ()
    own_function = inside or local
    read = (*_read_of(own_function, body), *_of_defaults(own_function, body)) if own_function is not None else ()
    names = tuple(dict.fromkeys(read))
    return MadeAnew(
        op, body, loops, transform.name, form, text, runs, captures, names, is_shared, is_returned and not own, needs,
        takes,
    )  # fmt: skip


def _of_defaults(function: Function, body: Function) -> Iterator[str]:
    """The names of the body that makes a function whose values it keeps as defaults: `lambda x, k=k: x * k`."""
    for parameter in function.parameters:
        names = sorted(names_in(parameter.default)) if parameter.default is not None else ()
        known = body.scope.names
        yield from (name for name in names if name in known and not known[name].imported)


def _read_of(function: Function, body: Function) -> Iterator[str]:
    """What a function reads of the body that makes it: of an object a few fields, if no more is read of it."""
    chains = chains_of(function)
    for name in _captured(function, body):
        around = [chains.parents.get(read) for read in chains.names.get(name, ())]
        fields = dict.fromkeys(f"{name}.{one.name}" for one in around if type(one) is ops.Attr)
        is_run = any(type(call := chains.parents.get(one)) is ops.Call and call.func is one for one in around if one)
        is_whole = is_run or not around or any(type(one) is not ops.Attr for one in around)
        is_whole = is_whole or body.scope.names[name] in chains.captured  # a function inside may read more of it
        yield from (name,) if is_whole or len(fields) > FIELDS else fields


def _is_left_by(way: list[Op], loop: Op) -> bool:
    """Does a statement leave the loop, so that no turn follows: `return jax.jit(f)(x)`?"""
    return any(type(one) is ops.Leave and one.kind in ("raise", "return") for one in way[way.index(loop) :])


def _is_set_by(chains: Chains, op: Op, loop: Op) -> bool:
    """Does the element of a loop say how the function is compiled: `jax.jit(f, device=device)`?"""
    options = op.keywords if type(op) is ops.Call and type(loop) is ops.Loop else ()
    return type(loop) is ops.Loop and any(comes_of_element(chains, value, loop) for _, value in options)


def _holds_partial(function: Value) -> bool:
    """Does a wrapped function bind arguments of another one: `vmap(partial(metrics, config=config))`?"""
    while isinstance(function.payload, Wrapped):
        function = function.payload.callee
    return isinstance(function.payload, Partial) and bool(function.payload.arguments.values())


def _captures(frame: Frame, function: Function) -> Captured:
    """What a function captures of the body that makes it: nothing, data, or code as well."""
    names = [*_captured(function, frame.function)]
    values = map(frame.live().names.get, names)
    is_code = any(value is not None and value.kind in ANY_CALLABLE for value in values)
    is_code = is_code or any(_is_run(function, name) for name in names)
    return "code" if is_code else "data" if names else ""


def _is_of_entry(frame: Frame, loop: Op, function: Value, bound: set[str]) -> bool:
    """Is a function made of the entry of a mapping that a turn is for, or of an object that is made on it?

    for name, table in tables.items():      a table has a shape and an initializer of its own
        jax.jit(partial(make, table))(key)
    """
    if not _entries(frame, loop).isdisjoint(bound):
        return True
    callee = function
    while isinstance(callee.payload, (Partial, Wrapped)):
        callee = callee.payload.callee
    names = {target.name for target in targets_of(loop)} if not isinstance(callee.payload, FunctionValue) else set()
    if any(frame.live().names.get(name) is callee for name in names):
        return True
    owner = callee.made_by.base if type(callee.made_by) is ops.Attr else None
    return type(owner) is ops.Name and _is_of_turn(chains_of(frame.function), owner.name, loop)


def _entries(frame: Frame, loop: Op) -> set[str]:
    """The names that a loop binds to the entries of a mapping."""
    return set[str]().union(*[names_in(target) for source, target in gone_through(loop) if _is_view(frame, source)])


def _is_view(frame: Frame, source: Op) -> bool:
    """Is it `tables.items()`, also under `sorted`, `enumerate` and their like?"""
    while type(source) is ops.Call and len(passed := turned_by(frame, source)) == 1:
        source = passed[0]
    return type(source) is ops.Call and type(source.func) is ops.Attr and not source.args and source.func.name in VIEWS


def _taken(frame: Frame, bound: set[str]) -> Iterator[Value]:
    """The inputs of a body among some names."""
    values = map(frame.live().names.get, sorted(bound))
    yield from (value for value in values if value is not None and _is_handed_in(value))


def _is_handed_in(value: Value) -> bool:
    return value.kind in MAY_BE_OBJECT and _input_of(value) is not None


def _is_needed(frame: Frame, function: Function, value: Value) -> bool:
    """Is an input an object as a function reads it, which no array can be: it calls it, or methods that arrays lack?"""
    source = _input_of(value)
    name = source.name if source is not None else ""
    return name in set(_captured(function, frame.function)) and _is_object(frame, function, name)


def _is_object(frame: Frame, function: Function, name: str) -> bool:
    """Does a function call what a name holds, or methods of it that arrays lack?"""
    if not _is_run(function, name):
        return False
    methods = {call.func.name for call in chains_of(function).called_on(name) if type(call.func) is ops.Attr}
    return not methods or any(frame.program.table.method(method) is None for method in methods)


def _new(frame: Frame, op: Op, function: Value, name: str, by: str) -> New | None:
    """What each run of the body, or each turn of a loop, makes as a new object, so that JAX compiles again."""
    if by in ("anew", "object"):
        name = function.input.name if function.input is not None else ""
        return "any", phrase(function.made_by) if function.made_by is not None else name, op, None
    held, made_by = function.payload, function.made_by
    if made_by is None:
        return None
    if isinstance(held, FunctionValue):
        form: NewForm = "lambda" if held.function.kind == "lambda" else "def"
        return (form, held.function.name, made_by, held.function) if held.frame is frame else None
    if isinstance(held, Partial):
        if type(made_by) is not ops.Attr:
            return "partial", phrase(made_by), made_by, None
        return ("method", phrase(made_by), made_by, None) if by != "parts" else None
    if isinstance(held, MethodRun):
        return ("method", phrase(made_by), made_by, None) if held.module is not None and by != "parts" else None
    if isinstance(held, Wrapped):
        library = name.partition(".")[0]
        if by == "parts" and held.applied.transform.name.startswith(f"{library}."):
            return _new(frame, op, held.callee, name, by)
        inner = underlying(function)
        is_local = inner is not None and inner.frame is frame
        return "wrapper", phrase(made_by), made_by, inner.function if inner is not None and is_local else None
    return None


def new_in(frame: Frame, source: Op, value: Value, loops: Iterable[Op], transform: Transform) -> tuple[str, Op] | None:
    """In words, the function that each turn of a loop makes anew, and that loop; bound methods are equal, and are left
    out.

    What traces arrays alone looks at the parts of what it wraps itself, and of trees.
    """
    is_by_parts = transform.keeps == "non-arrays"
    new = _new(frame, source, value, transform.name if is_by_parts else "", "parts")
    if new is not None:
        form, text, made_by, _ = new
        words = f"a new `{text}`" if form == "def" else f"a new {form}"
    elif type(value.payload) is Named and value.payload.name in WITHOUT_ARRAYS and value.made_by is not None:
        words, made_by = "a new optimizer, of new functions", value.made_by
    else:
        return None
    if is_by_parts and _is_tree(made_by):
        return None
    way = chains_of(frame.function).way_to(made_by)
    loop = next((one for one in loops if one in way), None)
    return (words, loop) if loop is not None else None


def _is_tree(made_by: Op) -> bool:
    """Is a function a tree of what it binds, so that another one of the same parts is equal?"""
    return type(made_by) is ops.Call and imported_name(made_by.func) == PARTIAL_TREE


def _captured(function: Function, body: Function) -> Iterator[str]:
    """The names of the body that makes a function which this reads; what it imports is the same each time."""
    chains = chains_of(function)
    read = chains.loaded | chains.captured
    yield from (name for name, binding in body.scope.names.items() if binding in read and not binding.imported)


def _is_configured(chains: Chains, loop: Op, function: Function) -> bool:
    """Does a turn set an option by which the function makes what it runs, so that each turn runs another program?

    for name in names:
        config["env"] = name
        jax.jit(lambda key: make_train(config)(key))(key)
    """
    own = chains_of(function)
    options = {
        argument.name
        for statement in function.body
        for call in within(statement)
        if type(call) is ops.Call and type(call.func) is ops.Call
        for argument in (*call.func.args, *(value for _, value in call.func.keywords))
        if type(argument) is ops.Name and not own.stored_to(argument.name)
    }
    return bool(options) and not options.isdisjoint(_set_in_turns(chains).get(loop, ()))


@searched_for
def _set_in_turns(chains: Chains) -> dict[Op, set[str]]:
    """The names into which each loop of a body stores by a text: `config["env"] = name`."""
    found: dict[Op, set[str]] = {}
    for target, statement in chains.stores:
        if type(target) is not ops.Item or type(target.base) is not ops.Name or type(target.index) is not ops.Const:
            continue
        if isinstance(target.index.value, str):
            for loop in chains.way_to(statement):
                if type(loop) in LOOPS:
                    found.setdefault(loop, set()).add(target.base.name)
    return found


def _binds_of_turn(chains: Chains, made_by: Op) -> bool:
    """Does what makes a partial pass what a loop around it binds?"""
    loops = [one for one in chains.way_to(made_by) if type(one) in LOOPS]
    names = [one.name for one in within(made_by) if type(one) is ops.Name]
    return any(chains.stored_in(name, loop) for name in names for loop in loops)


def _objects(frame: Frame, function: Value, depth: int = 0) -> Iterator[Op]:
    """The calls that make the objects without which a function cannot be: each needs a function of its own."""
    payload = function.payload
    if depth >= MAXIMUM_HELD or payload is None:
        return
    if isinstance(payload, FunctionValue) and payload.frame is frame:
        for name in _captured(payload.function, frame.function):
            value = frame.live().names.get(name)
            is_run = _is_run(payload.function, name)
            if value is not None and (value.kind is not UNKNOWN or is_run):
                yield from _object(frame, value, depth)
            if is_run:  # the loop goes through functions
                yield from (one for _, one in chains_of(frame.function).stored_to(name) if type(one) is ops.Loop)
    elif isinstance(payload, (Partial, Wrapped, MethodRun)):
        yield from _objects(frame, payload.callee, depth + 1)
        given = payload.arguments.values() if isinstance(payload, Partial) else ()
        for value in (
            *given,
            *((payload.module,) if isinstance(payload, MethodRun) and payload.module is not None else ()),
        ):
            if value.kind is not UNKNOWN:
                yield from _object(frame, value, depth)


def _object(frame: Frame, value: Value, depth: int) -> Iterator[Op]:
    if value.kind in OBJECTS_OR_UNKNOWN and not value.dependences and type(value.made_by) is ops.Call:
        yield value.made_by
    yield from _objects(frame, value, depth + 1)


def _from_factories(frame: Frame, chains: Chains, op: Op, function: Value) -> Iterator[Op]:
    """What makes the functions in an expression by other functions: calls in it, or statements that bind names."""
    given = underlying(function)
    if given is not None and given.frame is not frame and not given.is_top_level:
        for inner in within(op):
            maker = peek(frame, inner.func) if type(inner) is ops.Call and inner is not op else None
            if maker is not None and isinstance(maker.payload, FunctionValue):
                yield inner
    for name in (inner.name for inner in within(op) if type(inner) is ops.Name):
        value = frame.live().names.get(name)
        made = underlying(value) if value is not None else None
        if made is not None and made.frame is not frame and not made.is_top_level:
            yield from (statement for _, statement in chains.stored_to(name))


def _is_run(function: Function, name: str) -> bool:
    """Does a function call what a name holds, methods of it, or functions that it lists?"""
    chains = chains_of(function)
    if chains.called_on(name):
        return True
    around = [(chains.parents.get(one), one) for one in chains.names.get(name, ())]
    return any(type(outer) is ops.Call and (outer.func is one or _is_switched(outer, one)) for outer, one in around)


def _is_switched(call: ops.Call, one: Op) -> bool:
    """Is it the list of functions of `jax.lax.switch`?"""
    return call.args[1:2] == (one,) and imported_name(call.func) == "jax.lax.switch"


def _uses(frame: Frame, chains: Chains, op: Op) -> tuple[bool, bool, bool]:
    """Is it put where others may call it at any time?  Is it returned; called in a loop that does not make it?

    A function that it is handed to may call it as well: if so, that is seen in its body.
    """
    way, holder = chains.way_to(op), _holder(frame, chains, op)
    is_returned, is_looped = _is_returned(way), False
    for target in holder.targets if holder is not None else ():
        if type(target) is not ops.Name:
            continue
        if target.scope.lookup(target.name) in chains.captured:
            return True, False, False
        for use in chains.uses_of(target):
            around = chains.way_to(use)
            outer = around[-2] if len(around) > 1 else None
            if _is_returned(around):
                is_returned = True
            elif type(outer) is not ops.Call:
                return True, False, False
            is_looped |= any(type(one) in LOOPS and one not in way and not is_brief(frame, one) for one in around)
    return False, is_returned, is_looped


def _is_returned(way: list[Op]) -> bool:
    """Does a way to an op lead through a `return`, of the op itself or of it among others: `return init, update`?"""
    around = way[-2] if len(way) > 1 else None
    if type(around) is ops.Build and len(way) > 2:
        around = way[-3]
    return type(around) is ops.Leave and around.kind == "return"


def _fresh_from(frame: Frame, chains: Chains, op: Op, loops: tuple[Op, ...]) -> Op | None:
    """The innermost loop, if each turn calls the function that returns what is called, with the same arguments, or
    reads the property that does.
    """
    func = op.func if type(op) is ops.Call else None
    if type(func) is ops.Name:
        stores = [one for _, one in chains.stored_to(func.name)]
        func = stores[0].value if len(stores) == 1 and type(stores[0]) is ops.Store else None
    is_read = type(func) is ops.Attr and _is_property(frame, func)
    if func is None or (type(func) is not ops.Call and not is_read):
        return None
    if type(func) is ops.Call and _transform_called(frame, func) is not None:
        return None  # `grad(f)` is new, and `f` is not
    if not loops or loops[-1] not in chains.way_to(func):
        return None
    loop, names = loops[-1], names_in(func)
    is_changed = is_read and any(
        type(target) is ops.Attr and loop in chains.way_to(statement) for target, statement in chains.stores
    )
    return loop if not is_changed and not any(chains.stored_in(name, loop) for name in names) else None


def _is_property(frame: Frame, op: ops.Attr) -> bool:
    """Is a property of an object of the project read, which runs its function each time?"""
    owner = peek(frame, op.base)
    return owner is not None and property_of(owner, (".", op.name)) is not None


def _holder(frame: Frame, chains: Chains, op: Op) -> ops.Store | None:
    """The statement that keeps a new function, or something made of it; None if it is called or passed to a function of
    the project.
    """
    for inner, outer in pairwise(reversed(chains.way_to(op))):
        if type(outer) is ops.Store:
            return outer
        if type(outer) is not ops.Call or outer.func is inner:
            return None
        callee = peek(frame, outer.func)
        if callee is not None and isinstance(callee.payload, FunctionValue):
            return None
    return None


def _is_kept(frame: Frame, chains: Chains, op: Op) -> bool:
    """Is the new function stored where later calls find it, under a test whether it is already there?

    if n not in cache: cache[n] = jax.jit(partial(f, n))
    """
    way, holder = chains.way_to(op), _holder(frame, chains, op)
    is_stored = any(_is_keeping(one) for one in way) or (holder is not None and _is_stored(frame, chains, holder))
    return is_stored and (any(type(one) is ops.Try for one in way) or any(True for _ in chains.tests_on(way)))


def _is_stored(frame: Frame, chains: Chains, store: ops.Store) -> bool:
    """Does a statement store the new function outside of the body, directly or through names that it binds?"""
    for target in store.targets:
        if type(target) is not ops.Name or target.name in frame.function.scope.globals:
            return True
        for use in chains.uses_of(target):
            around: Op | None = chains.parents.get(use)
            while type(around) is ops.Build:
                around = chains.parents.get(around)
            if around is not None and _is_keeping(around):
                return True
            if type(around) is ops.Store and any(type(one) is not ops.Name for one in around.targets):
                return True
    return False


def _is_keeping(op: Op) -> bool:
    return type(op) is ops.Call and type(op.func) is ops.Attr and op.func.name in KEEPING
