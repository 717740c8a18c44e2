"""Effects on the host: clocks, files, settings, draws and iterators are asked while JAX traces, once for all calls.

    t = time.time()             effect: a clock is read
    noise = RNG.normal()        effect: a draw from the generator `RNG`, which lives outside of the function
    batch = next(batches)       effect: the iterator `batches` moves on

Which function does what is stated in the table (`[host]`).  Each is certain at a call site in staged code.  A generator
or iterator that traced code makes itself starts anew in each trace: it is none of these.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import ClassVar

from flake8_jax.analysis.callables import Arguments
from flake8_jax.analysis.checks.effects.advice import instead_of
from flake8_jax.analysis.checks.effects.callbacks import is_kept_for_callbacks
from flake8_jax.analysis.checks.effects.outer import OuterObject, object_at_site, outer_object
from flake8_jax.analysis.checks.effects.reading import is_only_spelled, path_of_uses, ways_of_use
from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.analysis.checks.wording import callee_text
from flake8_jax.analysis.evidence import CallSite, LatentEvidence, OutcomeAtCall
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.classes import CONSTRUCTORS
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.analysis.summaries.deferral import leave
from flake8_jax.api.host import MOVING, HostKind, HostUse
from flake8_jax.domain.conditions import ALWAYS, decide
from flake8_jax.domain.effects import Finding
from flake8_jax.domain.kinds import UNKNOWN
from flake8_jax.domain.provenance import USUALLY, Context
from flake8_jax.domain.staging import NONE, Dependences, Input, certain, context_of
from flake8_jax.domain.value import Value, dependences_of
from flake8_jax.ir import ops
from flake8_jax.ir.chains import LONG, chains_of
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.walking import within
from flake8_jax.lazy_dataclasses import dataclass, replace

REFUSING = ("numpy.", "jax.numpy.")
"""What raises for a tracer before it does anything."""

ARRAYS_IN_FILES = ("numpy.", "jax.numpy.", "torch.", "safetensors.")
"""How the names of functions begin that read arrays from files."""

ENVIRONMENT = "os.environ"

WRITING = frozenset("wax+")
"""The letters of a mode in which a file is opened to be written."""

COUNTER = "itertools.count"
SETTING = frozenset(("__setattr__", "setattr"))

THERE = frozenset(("exists", "is_dir", "is_file", "isdir", "isfile", "lexists"))
"""The names of what asks whether a file or folder is there."""

SEEDED = "seeded"
"""Under which the state has, for a module, that its generator was given a seed."""

STAMPS = frozenset(("time.asctime", "time.ctime", "time.strftime"))
"""Clocks that give a text: in a line that is written once per trace it says when that was."""


@dataclass(frozen=True, slots=True)
class HostCallTraced:
    """The host is asked or changed in traced code.

    `callee` is the text of what is called, `subject` that of the generator or iterator at issue, or "".
    """

    op: Op
    kind: HostKind
    callee: str
    subject: str
    instead: str
    context: Context


@dataclass(frozen=True, slots=True)
class HostCall(LatentEvidence):
    """A call that asks or changes the host.

    `holder` is the generator or iterator, if one is at issue; `refused` are the dependences of arguments that must not
    be tracers; `is_returned`: what it gives matters only if a caller computes with it; `named` are those of the name
    of a file that is read, `shown` of what a loop reads whose progress is shown, None where it computes whatever it
    reads; `stream` is the module whose own generator draws.
    """

    asks: ClassVar = "`{0.callee}` must not run while JAX traces", "staged code"
    kind: HostKind
    callee: str
    holder: OuterObject | None = None
    refused: Dependences = NONE
    is_returned: bool = False
    named: Dependences = NONE
    shown: Dependences | None = None
    stream: str = ""

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Certain in staged code that is run for its result, where the generator or iterator lives outside of it."""
        token = certain(site.ambient)
        is_staged, holder = token is not None and token.is_whole, self.holder
        if site.frame.context.is_for_shapes or (token is not None and token.trace.runs_nothing):
            return
        if holder is not None:
            holder = object_at_site(site, holder, is_staged)
        if (holder is None and self.holder is not None) or (self.stream and _is_seeded_before(site, self.stream)):
            return
        refused = site.held(self.refused, True) if self.refused else NONE
        if certain(refused) is not None:
            return
        named = site.held(self.named, True) if self.named else NONE
        is_named = any(type(source) is Input and site.is_owned(source) for source in self.named)
        if is_named and token is not None and certain(named) is None:
            return  # by a static argument: what is read is a constant for each name, as all that is made of it
        shown = site.held(self.shown, True) if self.shown is not None else None
        if shown is not None and token is not None and certain(shown) is None:
            return  # the progress of a loop that runs on the host is that of the trace
        is_returned = self.is_returned
        if is_returned and token is None:
            used = ways_of_use(site.frame, site.op)
            is_returned = "computed" not in used
            if is_returned and "returned" not in used:
                return
        if token is None or not is_staged:
            here = replace(self, holder=holder, refused=refused, is_returned=is_returned, named=named, shown=shown)
            yield self if here == self else here
        elif token.trace.role == USUALLY and self.kind == "progress":
            return  # that it shows how far it is tells that this one is not traced
        elif not is_returned and (holder is None or not holder.classes):
            yield Finding((HostCallTraced, self.op, ()), partial(self.event, context_of(token, site.chain)))

    def event(self, context: Context) -> HostCallTraced:
        """The event in a trace."""
        subject = self.holder.text if self.holder is not None else ""
        instead = instead_of(self.op, self.kind, self.callee)
        return HostCallTraced(self.op, self.kind, self.callee, subject, instead, context)


@dataclass(frozen=True, slots=True)
class GeneratorSeeded(LatentEvidence):
    """A seed that a function gives to the generator of a module, `stream`."""

    is_told: ClassVar[bool] = False
    stream: str

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Seeded for the caller, too, if that is so on each path; what a trace did is over where it is called."""
        if certain(site.ambient) is None and not site.when:
            if site.frame.parent is not None and site.frame.state is not None:
                note_seeded(site.frame, self.stream)
            yield self


def note_host_call(frame: Frame, op: Op, name: str, use: HostUse, arguments: Arguments) -> None:
    """Add the effect of a library function that asks or changes the host."""
    given = [value for value in arguments.values() if value.constant is not None]
    if len(given) >= use.below or not _is_at_issue(frame):
        return
    stream = name.rpartition(".")[0] if use.kind in ("seed", "random") else ""
    if use.kind == "seed":
        note_seeded(frame, stream)
        leave(frame, GeneratorSeeded(op, stream))
    if use.kind == "seed" or (stream and is_seeded(frame, stream)):
        return
    if use.kind == "file" and _is_null(arguments.get(0, "file")):
        return
    kind = _kind_of_file(arguments.get(1, "mode")) if use.kind == "file" else use.kind
    if kind == "read" and _is_table(frame, op, name):
        return
    if kind == "write" and _is_missing(frame, op, arguments.written(0)):
        return
    is_refusing = kind in ("sleep", "write", "random") and (name.startswith(REFUSING) or kind == "sleep")
    if kind == "write" and is_refusing and any(value.kind is UNKNOWN for value in arguments.values()):
        return
    refused = NONE.union(*map(dependences_of, arguments.values())) if is_refusing else NONE
    is_returned = False
    if kind == "random" and name.startswith("uuid.") and _is_identity(frame, op):
        return
    if kind == "debugger" and any(fact.test == "truth" and fact.holds for fact in frame.path):
        return
    if kind in ("clock", "environment", "read"):
        used = ways_of_use(frame, op)
        if kind == "environment" and "computed" not in used:
            is_returned = True
        if not used or (is_returned and "returned" not in used) or used == {"told"}:
            return
        if name in STAMPS and used <= {"told", "shown"}:
            return
    if kind in ("clock", "progress") and is_kept_for_callbacks(frame, op):
        return
    named = _of_name(frame, arguments.written(0, "file")) if kind == "read" else NONE
    shown = _read_by_loop(frame, op) if kind == "progress" else None
    when = path_of_uses(frame, op) if kind == "clock" else ALWAYS
    leave(frame, HostCall(op, kind, callee_text(op, name), None, refused, is_returned, named, shown, stream), when)


def note_seeded(frame: Frame, stream: str) -> None:
    """Note that the generator of a module has a seed from here on."""
    frame.live().set_part(frame.program.text(stream), SEEDED, frame.program.text(SEEDED))


def is_seeded(frame: Frame, stream: str) -> bool:
    """Was the generator of a module given a seed on every path to here?  Its next numbers are meant to be constants."""
    seeded = frame.live().heap.get((frame.program.text(stream), SEEDED))
    return seeded is frame.program.text(SEEDED)


def _is_table(frame: Frame, op: Op, name: str) -> bool:
    """Are they arrays in a file that no argument names?  Such a table, or weights, is a part of the program."""
    is_array = name.startswith(ARRAYS_IN_FILES)
    return is_array and type(op) is ops.Call and bool(op.args) and not _of_name(frame, op.args[0])


def _read_by_loop(frame: Frame, op: Op) -> Dependences | None:
    """The dependences of all that a loop reads which runs through the result of a call; None where no loop does, or one
    that calls JAX.
    """
    chains = chains_of(frame.function)
    found, body = NONE, _body_over(chains.way_to(op))
    if body is None:
        return None
    for one in (inner for outer in body for inner in within(outer)):
        if type(one) is ops.Call and imported_name(one.func).startswith("jax."):
            return None
        value = peek(frame, one) if type(one) is ops.Name else None
        found |= dependences_of(value) if value is not None else NONE
    return found


def _body_over(way: list[Op]) -> Iterable[Op] | None:
    """The body of the innermost loop, or the elements of the comprehension, that runs through what a way leads to."""
    for outer, inner in zip(reversed(way[:-1]), reversed(way), strict=False):
        if type(outer) is ops.Loop:
            return outer.body if outer.source is inner else None
        if type(outer) is ops.Gather:
            is_source = any(clause.source is inner for clause in outer.clauses)
            return (*outer.element, *(test for clause in outer.clauses for test in clause.tests)) if is_source else None
    return None


def _of_name(frame: Frame, named: Op | None) -> Dependences:
    """The dependences of all names in the text of a file's name: `path`, `pathlib.Path(path)`, `f"{path}.txt"`."""
    found = NONE
    for one in within(named) if named is not None else ():
        value = peek(frame, one) if type(one) is ops.Name else None
        found |= value.dependences if value is not None else NONE
    return found


def _is_missing(frame: Frame, op: Op, made: Op | None) -> bool:
    """Does a test that leads to a call ask whether what the call makes is there already?  Once is enough then."""
    if made is None:
        return False
    text, chains = phrase(made, LONG), chains_of(frame.function)
    for test in chains.tests_on(chains.way_to(op)):
        for asked in within(test):
            func = asked.func if type(asked) is ops.Call else None
            if type(func) is ops.Attr and func.name in THERE:
                assert type(asked) is ops.Call
                if text in (phrase(func.base, LONG), *(phrase(one, LONG) for one in asked.args)):
                    return True
    return False


def _is_null(file: Value | None) -> bool:
    """Is it the device that keeps nothing of what is written?"""
    return file is not None and (file.name == "os.devnull" or file.constant == "/dev/null")


def note_environment(frame: Frame, op: Op, name: str) -> None:
    """Add the effect of `os.environ[...]`, whose value is computed with."""
    if _is_at_issue(frame):
        used = ways_of_use(frame, op)
        if "computed" in used or "returned" in used:
            effect = HostCall(op, "environment", name, None, is_returned="computed" not in used)
            leave(frame, effect)


def note_method(frame: Frame, op: ops.Call, base: Value, func: ops.Attr, use: HostUse, arguments: Arguments) -> None:
    """Add the effect of a method of an object of a library."""
    if not _is_at_issue(frame):
        return
    if use.kind in MOVING:
        _note_moved(frame, op, base, func.base, use.kind, phrase(func))
        return
    kind = _kind_of_file(arguments.get(0, "mode")) if use.kind == "file" else use.kind
    if kind == "write" and _is_missing(frame, op, func.base):
        return
    if kind != "read" or ways_of_use(frame, op):
        named = _of_name(frame, func.base) if kind == "read" else NONE
        leave(frame, HostCall(op, kind, callee_text(op, func.name), named=named))


def note_method_of_input(frame: Frame, op: ops.Call, base: Value, func: ops.Attr, classes: frozenset[str]) -> None:
    """Add the effect of a method that is handed in with its object, if that proves to be a generator."""
    if _is_at_issue(frame):
        effect = HostCall(op, "draw", phrase(func), OuterObject(base, phrase(func.base), classes))
        leave(frame, effect)


def note_advanced(frame: Frame, op: Op, value: Value, source: Op, callee: str) -> None:
    """Add the effect of an iterator that moves on."""
    made = value.made_by
    is_counter = type(made) is ops.Call and imported_name(made.func) == COUNTER
    if _is_at_issue(frame) and not (is_counter and (_is_identity(frame, op) or is_only_spelled(frame, op))):
        _note_moved(frame, op, value, source, "turn", callee)


def _is_identity(frame: Frame, op: Op) -> bool:
    """Does a constructor keep a number or text by which the object that it makes is told from others?"""
    function, chains = frame.function, chains_of(frame.function)
    if function.name not in CONSTRUCTORS or not function.parameters:
        return False
    kept, around = op, chains.parents.get(op)
    while type(around) is ops.Call and imported_name(around.func) == "str":
        kept, around = around, chains.parents.get(around)
    receiver = None
    if type(around) is ops.Store and around.value is kept and len(around.targets) == 1:
        target = around.targets[0]
        receiver = target.base if type(target) is ops.Attr else None
    elif type(around) is ops.Call and len(around.args) == 3 and around.args[2] is kept:
        receiver = around.args[0] if phrase(around.func).rpartition(".")[2] in SETTING else None
    return type(receiver) is ops.Name and receiver.name == function.parameters[0].name


def _note_moved(frame: Frame, op: Op, value: Value, source: Op, kind: HostKind, callee: str) -> None:
    holder = outer_object(frame, value, source, phrase(source))
    if holder is not None:
        leave(frame, HostCall(op, kind, callee, holder))


def _is_at_issue(frame: Frame) -> bool:
    """May it happen in a trace: in a function, on a path that is taken and that no error leads to?"""
    context = frame.context
    if frame.parent is None or frame.state is None or context.is_handling or context.is_eager:
        return False
    return all(decide(fact, fact.subject) is not False for fact in frame.path)


def _kind_of_file(mode: Value | None) -> HostKind:
    text = mode.constant if mode is not None else None
    return "write" if isinstance(text, str) and not WRITING.isdisjoint(text) else "read"


def _is_seeded_before(site: CallSite, stream: str) -> bool:
    """Was the generator of a module given a seed before the call, in the same trace?  One that was seeded before JAX
    traces draws once for all calls as any other.
    """
    is_in_trace = certain(site.ambient) is None or certain(site.frame.ambient) is not None
    return is_in_trace and is_seeded(site.frame, stream)
