"""Writes in a trace into what outlives it: a tracer escapes, or it happens once per trace.

jax.jit(f)          `f` writes into `LOG`, a variable of the module: it is there when the trace is over
g calls f           `g` writes into it, too, one hop further
f(model, x)         `f` writes into its input `model`: into one of the module, into one made by the caller, or into
                    the copy that `jit` makes of an argument
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Literal, TypeAlias

from flake8_jax.analysis.callables import InstanceOf
from flake8_jax.analysis.checks.effects.caches import CACHED, CacheForm, TracerCached
from flake8_jax.analysis.checks.effects.handed_in import ends_around, is_handed_in
from flake8_jax.analysis.checks.effects.managers import undoes_at_exit
from flake8_jax.analysis.checks.effects.outer_writes import (
    OWN,
    home_of,
    is_kept_by_framework,
    makes_container,
    whole_of,
)
from flake8_jax.analysis.checks.effects.undone import (
    is_done_once,
    is_locked,
    is_memo,
    is_of_stack,
    is_overwritten,
    is_put_back,
    is_read_after,
    is_read_before,
    is_read_only_inside,
    is_set_for_good,
    is_written_again,
    tells_of_trace,
)
from flake8_jax.analysis.checks.effects.written import Manner, OuterWrite, WriteTarget
from flake8_jax.analysis.evidence import CallSite, OutcomeAtCall
from flake8_jax.analysis.objects.classes import ancestry, sets_by_name
from flake8_jax.domain.effects import ClassField, Finding
from flake8_jax.domain.kinds import CONTAINERS, INPUT, INSTANCE
from flake8_jax.domain.provenance import USUALLY, Context
from flake8_jax.domain.staging import Dependences, Input, Token, certain, context_of, staged
from flake8_jax.domain.value import Value, dependences_of
from flake8_jax.ir import ops
from flake8_jax.ir.chains import LONG, chains_of, reads_in_all, searched_once
from flake8_jax.ir.ops import Function, Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.scope import Scope
from flake8_jax.ir.walking import within
from flake8_jax.lazy_dataclasses import dataclass, replace

WriteForm: TypeAlias = Literal["leak", "once", "copy", "stream", "state"]
MAXIMUM_PARTS = 3
UPDATING = "nnx."
"""What the transforms are called that hand changed attributes of objects back to the caller."""

SWITCHING = frozenset(("eval", "set_attributes", "set_mode", "view"))
"""The methods of a network after which its layers change nothing."""

UNREAD = "<unread>"
"""What stands in place of a field where it is at issue whether any file reads an attribute."""

STORED = r"\s*(?::[^=\n]*)?=(?!=)|\.(?:append|extend|insert|clear)\("
"""What stands behind an attribute that is stored, or a list that is made longer."""

RERUN = ("checkpoint", "remat")
"""What traces a function within the trace around, as often as it is called there."""


@dataclass(frozen=True, slots=True)
class OuterWritten:
    """A write in a trace into what outlives it.

    `form`: a tracer leaks, the write happens once per trace, it changes the copy of an argument, or a stream of a
    framework is advanced that is no argument, or what a framework keeps of the function that it runs is changed.
    `changed` is the text of the object or name, `statement` of the target, or of what to write.  `reader` is the
    function that stores an attribute and reads it again itself; one that `is_unread` nothing in the file reads, and one
    that `is_renewed` is made of what it held before.
    """

    op: Op
    form: WriteForm
    manner: Manner
    changed: str
    statement: str
    context: Context
    reader: str = ""
    is_unread: bool = False
    is_renewed: bool = False


def written(site: CallSite, write: OuterWrite) -> Iterator[OutcomeAtCall]:
    """What comes of a write: an event where a trace makes it certain; what the caller does not own it writes itself."""
    if site.frame.context.is_entering and undoes_at_exit(site.summary.returns):
        return
    if site.frame.context.is_prepared:  # that the callee raises is expected, so that it may write nothing
        return
    held = _held(site, write.dependences)
    seen = _seen(site, write, held)
    if seen is None or is_overwritten(site.frame.function, site.op, _passed(site, write), write):
        return
    target, is_copy, is_shown = seen
    here = replace(write, dependences=held, is_shown=is_shown)
    made = _judged(site, here, is_copy)
    if made is not None:
        yield Finding((OuterWritten, write.op, ()), made, _ground(write))
    elif target is not None and not is_copy and not _is_decided(site, here) and (held or here.change):
        yield replace(here, target=target)


Seen: TypeAlias = "tuple[WriteTarget | None, bool, bool]"
"""What the caller changes by a write, None if it is its own; is it a copy of an argument; is it shown to be changed."""


def _seen(site: CallSite, write: OuterWrite, dependences: Dependences) -> Seen | None:
    """What a write of the callee changes, as the call site sees it; None if the callee made it, or it is not known."""
    target, frame, function = write.target, site.frame, site.function
    if isinstance(target, Scope):
        is_own = target is frame.function.scope
        is_seen = is_own or _is_around(site, target) or _is_traced_call(site) or _is_found_outside(site)
        if function.frame.has_ended and not is_seen:
            return None
        return (None if is_own else target), False, write.is_shown
    if not site.is_owned(target):
        return target, False, write.is_shown
    root, actual = target.root, site.resolve(target)
    given = site.resolve(root)
    if write.manner == "stream":
        return _advanced(site, target, given)
    if actual is None or given is None or is_kept_by_framework(frame, given) or is_kept_by_framework(frame, actual):
        return None
    if type(given.payload) is InstanceOf and any(map(sets_by_name, ancestry(given.payload.owner))):
        return None  # they may be taken out again
    if _is_rebuilt(given):
        return None
    is_shown = write.is_shown or actual.kind in CONTAINERS or _is_made_container(site, target)
    if actual is function.defaults.get(root.name):
        return function.frame.function.scope, False, is_shown
    home = _home(site, target, given)
    if certain(given.dependences) is not None or (_is_traced_call(site) and given.kind in CONTAINERS and home is None):
        is_copy = given.kind not in CONTAINERS or certain(dependences_of(given)) is not None
        return (None, True, is_shown and (write.manner != "attribute" or actual.kind is INSTANCE)) if is_copy else None
    if _is_traced_call(site):
        is_object = given.kind in (INSTANCE, *CONTAINERS) or (given.kind is INPUT and not _keeps(site))
        return (home, False, is_shown) if is_object else None
    if home is None:
        return (None, False, is_shown) if _is_beside_trace(site, root, given, dependences) else None
    return None if _is_made_by(site, home) else (home, False, is_shown)


def _advanced(site: CallSite, target: Input, given: Value | None) -> Seen | None:
    """What the caller advances by a stream of what it hands on, other than of its own object or of an argument."""
    if given is None or certain(given.dependences) is not None or _may_be_switched(site):
        return None
    home = _home(site, target, given)
    return None if home is None or _is_made_by(site, home) else (home, False, True)


def _may_be_switched(site: CallSite) -> bool:
    """Does the file of a call ask a network to advance nothing: `model.eval()`?"""
    return not SWITCHING.isdisjoint(site.op.anchor.origin.code.attributes)


def _is_rebuilt(given: Value) -> bool:
    """Is it a tree that a transform took apart and put together again, though it maps none of its leaves?"""
    outside = given.caller_value
    return outside is not None and bool(given.dependences) and given.input is outside.input is not None


def _is_beside_trace(site: CallSite, root: Input, given: Value, dependences: Dependences) -> bool:
    """Is it an object of the caller that a receiver is, or that `grad` hands on as it is?"""
    stages = {dependence.stage for dependence in dependences if type(dependence) is Token}
    function = site.function
    is_receiver = function.owner is not None and function.function.parameters[0].name == root.name
    if given.kind is INSTANCE:
        return bool(stages) and (is_receiver or stages == {"differentiated"})
    is_named = type(site.source_of(root)) in (ops.Attr, ops.Item, ops.Name)  # nobody else holds what the call makes
    return given.kind in CONTAINERS and is_named and stages == {"differentiated"}


def _home(site: CallSite, target: Input, given: Value) -> WriteTarget | None:
    """Where the part of an argument lives that is written into."""
    op, call, function = site.source_of(target), site.op, site.function
    first = function.function.parameters[:1]
    if op is None and type(call) is ops.Call and type(call.func) is ops.Attr and function.receiver == "instance":
        is_receiver = function.owner is not None and bool(first) and first[0].name == target.name
        op = call.func.base if is_receiver and call.func.name == function.function.name else None
    home = home_of(site.frame, op, given)
    return home if home is None or isinstance(home, Scope) else _below(home, target)


def _below(home: Input, target: Input) -> Input:
    """The part of an input that stands below it as another part below its root."""
    if target.parent is None or target.step is None:
        return home
    return _below(home, target.parent).part(target.step)


def _is_around(site: CallSite, scope: Scope) -> bool:
    """Does a scope belong to a module, or to a function around the caller?"""
    if scope.kind == "module":
        return True
    around = site.frame.parent
    return around is not None and any(one.function.scope is scope for one in around.outwards())


def _is_found_outside(site: CallSite) -> bool:
    """Is the function that is called a global, which lives as long as its file?"""
    func = site.op.func if type(site.op) is ops.Call else None
    owner = func.scope.lookup(func.name).owner if type(func) is ops.Name else None
    return owner is not None and owner.kind == "module" and owner is not site.frame.function.scope


def _is_made_by(site: CallSite, home: WriteTarget) -> bool:
    """Is it the object that the caller, a constructor, makes?"""
    caller = site.frame.function
    if isinstance(home, Scope) or site.frame.owner is None or caller.name not in OWN or not caller.parameters:
        return False
    return home.name == caller.parameters[0].name


def _is_made_container(site: CallSite, target: Input) -> bool:
    owner = site.resolve(target.parent) if target.parent is not None else None
    if owner is None or type(owner.payload) is not InstanceOf or target.step is None or target.step[0] != ".":
        return False
    return makes_container(site.frame, owner.payload, target.step[1])


def _is_traced_call(site: CallSite) -> bool:
    return certain(site.ambient) is not None


def _keeps(site: CallSite) -> bool:
    """Does the transform pass values that are no arrays to the function unchanged, unknown arguments included?"""
    return any(type(dependence) is Token and dependence.for_arrays for dependence in site.ambient)


def _held(site: CallSite, dependences: Dependences) -> Dependences:
    """The dependences of the value that is stored, in terms of the caller."""
    found = site.held(dependences, True, True)
    for source in dependences:
        actual = site.resolve(source) if type(source) is Input else None
        if actual is not None and actual.kind is INSTANCE:
            found |= actual.dependences
    return found


def _judged(
    site: CallSite, write: OuterWrite, is_copy: bool
) -> Callable[[], OuterWritten | TracerCached] | None:  # fmt: skip
    """The event of a write, if this call makes it certain."""
    around = staged(site.ambient)
    if not write.is_shown:
        return None
    if is_copy:
        return _of_copy(site, write, around)
    if write.manner == "stream":
        return _written(site, write, "stream", around) if around is not None else None
    dependences = write.dependences
    token = staged(dependences) or certain(dependences)
    if token is not None:
        return _leaked(site, write, token)
    is_run = write.change and not site.frame.context.is_for_shapes
    is_once = around is not None and is_run and around.trace.role != USUALLY
    if (
        around is None
        or not is_once
        or around.trace.runs_nothing
        or any(word in around.trace.transform for word in RERUN)
    ):
        return None
    if write.change == "noted" and isinstance(write.target, Scope) and write.target.kind == "function":
        return None  # such as the structure of a result, for the function that has it traced
    if is_locked(write) or is_done_once(write) or tells_of_trace(write) or is_memo(write):
        return None
    if is_put_back(write, True) or is_of_stack(write) or is_set_for_good(write):
        return None
    return _written(site, write, "once", around)


def _is_decided(site: CallSite, write: OuterWrite) -> bool:
    """Is a write that is no hazard here none further out, either?"""
    if not write.is_shown:
        return False
    around = staged(site.ambient)
    is_rerun = around is not None and any(word in around.trace.transform for word in RERUN)
    return any(type(dependence) is Token for dependence in write.dependences) or (around is not None and not is_rerun)


def _of_copy(site: CallSite, write: OuterWrite, around: Token | None) -> Callable[[], OuterWritten] | None:
    """A write into the copy of an argument that nobody reads afterwards."""
    if around is None or not isinstance(write.target, Input) or write.manner not in ("attribute", "item", "method"):
        return None
    if write.manner == "attribute" and UPDATING in around.trace.transform:
        return None
    name = write.target.name
    if around.trace.role != "jitted" or _keeps(site) or is_read_after(site.function.function, name, write, site.chain):
        return None
    if write.function is not site.function.function and _is_read_where_written(write):
        return None
    if site.summary.returns is not None and _is_in(site.summary.returns, write.target):
        return None
    return _written(site, write, "copy", around, name)


def _is_read_where_written(write: OuterWrite) -> bool:
    """Does the function that writes read what it wrote, or hand on what it wrote into?  Then it is for the trace."""
    root = stored = _target(write)
    while (whole := whole_of(root)) is not None:
        root = whole
    if type(root) is not ops.Name:
        return False
    if type(write.op) is ops.Call:
        stored = whole_of(stored) or stored
    function, text = write.function, phrase(stored, LONG)
    asked = chains_of(function).asked
    is_read = any(text in asked(one) for one in function.body if one is not write.statement)
    return is_read or bool(reads_in_all(function, root.name).whole)


def _is_in(returned: Value, target: Input, depth: int = 0) -> bool:
    """Is the object that was written into, or an object that holds it, returned?"""
    source: Input | None = target
    while source is not None:
        if returned.input is source or (returned.kind is INSTANCE and source in returned.dependences):
            return True
        source = source.parent
    return depth < MAXIMUM_PARTS and any(_is_in(part, target, depth + 1) for part in returned.parts)


def _leaked(
    site: CallSite, write: OuterWrite, token: Token
) -> Callable[[], OuterWritten | TracerCached] | None:  # fmt: skip
    caller, passed = site.frame.function, _passed(site, write)
    if write.manner in CACHED:
        return None if is_read_before(caller, site.op, passed, write) else _cached(site, write, token)
    if is_put_back(write, False):
        return None
    if is_written_again(caller, site.op, passed, site.summary, write):
        return None
    if is_memo(write):
        return _cached(site, write, token)
    if write.manner == "attribute" and _is_left_alone(site, write):
        return None
    return _written(site, write, "leak", token)


def _is_left_alone(site: CallSite, write: OuterWrite) -> bool:
    """Is it an attribute in which nobody looks for the tracer when the trace is over?"""
    around = [one.function for one in site.function.frame.outwards()]
    if is_read_only_inside(site.summary, write) or is_handed_in(site.summary, write, around):
        return True
    return ends_around(site.summary, write, around)


def _passed(site: CallSite, write: OuterWrite) -> Op | None:
    """The argument that is written into, if it is a name in the call that starts the trace."""
    return site.source_of(write.target) if isinstance(write.target, Input) else None


def _cached(site: CallSite, write: OuterWrite, token: Token) -> Callable[[], TracerCached]:
    cache: CacheForm = CACHED.get(write.manner, "memo")
    context = context_of(token, site.chain)
    return lambda: TracerCached(write.op, cache, _changed(write), context)


def _written(
    site: CallSite, write: OuterWrite, form: WriteForm, token: Token, changed: str = ""
) -> Callable[[], OuterWritten]:
    context = context_of(token, site.chain)
    reads_again = type(write.op) is ops.Attr and phrase(write.op, LONG) in _attributes_read(write.function)

    def make() -> OuterWritten:
        text, reader = changed or _changed(write), write.function.name if reads_again else ""
        is_unread = form == "leak" and not reader and _is_unread(write, text)
        is_renewed = form == "leak" and _is_renewed(write)
        return OuterWritten(
            write.op, form, write.manner, text, phrase(_target(write)), context, reader, is_unread, is_renewed
        )

    return make


def _is_renewed(write: OuterWrite) -> bool:
    """Is what is stored in an attribute, or under a name, made of what that held before?"""
    statement, text = write.statement, phrase(write.op, LONG)
    value = statement.value if type(statement) is ops.Store and type(write.op) in (ops.Attr, ops.Name) else None
    return value is not None and any(type(one) is type(write.op) and phrase(one, LONG) == text for one in within(value))


def _ground(write: OuterWrite) -> ClassField | None:
    """The ground that another file reads an attribute that this one only stores, or makes longer."""
    if write.manner not in ("attribute", "method"):
        return None
    text = _changed(write)
    name = text.rpartition(".")[2]
    return ((write.op.anchor.origin.path, name), UNREAD) if _is_unread(write, text) else None


def _is_unread(write: OuterWrite, text: str) -> bool:
    """Is an attribute only stored, or made longer, wherever the file names it?"""
    _, dot, name = text.rpartition(".")
    return bool(dot) and name.isidentifier() and name not in _members_read(write.op.anchor.origin.code.text)


def is_read_in(text: str, name: str) -> bool:
    """Does a text read an attribute, or name it in quotes?"""
    return name in text and re.search(rf"[.\"']{name}\b(?!{STORED})", text) is not None


@lru_cache(maxsize=1)
def _members_read(code: str) -> frozenset[str]:
    """The names of attributes that a text has other than to store them, or to make a list longer."""
    return frozenset(re.findall(rf"\.(\w+)\b(?!{STORED})", code))


@searched_once
def _attributes_read(function: Function) -> frozenset[str]:
    """The texts of the attributes that a function, or one inside, reads."""
    found, waiting = set[str](), [function]
    while waiting:
        one = waiting.pop()
        waiting += one.functions
        chains = chains_of(one)
        for reads in chains.names.values():
            for part in map(chains.parents.get, reads):
                around = chains.parents.get(part) if type(part) is ops.Attr else None
                if type(part) is ops.Attr and not (type(around) is ops.Store and part in around.targets):
                    found.add(phrase(part, LONG))
    return frozenset(found)


def _target(write: OuterWrite) -> Op:
    op = write.op
    return op.func if type(op) is ops.Call and type(op.func) is ops.Attr else op


def _changed(write: OuterWrite) -> str:
    """The text of the object that is changed, or of the name."""
    target = _target(write)
    if type(write.op) is ops.Call and write.manner == "attribute":
        return phrase(write.op.args[0])
    if type(write.op) is ops.Call and write.manner == "cached function":
        return phrase(write.op.func)
    is_whole = write.manner == "stream" and type(write.op) is not ops.Call  # a layer that is called
    if write.manner in ("item", "method", "stream") and not is_whole and (whole := whole_of(target)) is not None:
        return phrase(whole.func.base if type(whole) is ops.Call and type(whole.func) is ops.Attr else whole)
    return phrase(target)
