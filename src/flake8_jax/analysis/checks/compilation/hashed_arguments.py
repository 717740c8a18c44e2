"""Static arguments that have no hash: `jit` looks its compiled code up by them, and refuses the call.

resize = jax.jit(_resize, static_argnums=1)
resize(image, [64, 64])             a list
def small(image, shape): return resize(image, shape)
small(image, [8, 8])                precondition of `small`: `shape` has a hash, and is no tracer

@dataclass
class Net:
    @partial(jax.jit, static_argnums=0)     `self` has none: it is compared by its fields, and is not frozen
    def apply(self, x): ...
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import ClassVar, Literal, TypeAlias

from flake8_jax.analysis.callables import (
    EVERYTHING,
    Arguments,
    CallMode,
    FunctionValue,
    InstanceOf,
    Wrapped,
    underlying,
    visible_names,
)
from flake8_jax.analysis.checks.compilation.objects_traced import is_as_written
from flake8_jax.analysis.checks.concrete import NeedsConcrete
from flake8_jax.analysis.checks.wording import handed, origin
from flake8_jax.analysis.evaluator import summary_of
from flake8_jax.analysis.evidence import CallSite, OutcomeAtCall, arguments_at
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.isolation import ADVICE, advising
from flake8_jax.analysis.objects.array_evidence import NeedOfValue, is_tracer, undecided
from flake8_jax.analysis.objects.classes import ancestry
from flake8_jax.analysis.objects.hashability import unhashable
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.analysis.summaries.deferral import emit, leave
from flake8_jax.api.static_options import HASHING
from flake8_jax.domain.effects import EventKey, Finding
from flake8_jax.domain.kinds import (
    ARRAY,
    ARRAYS_OR_COMPUTED,
    COMPUTED,
    CONTAINERS,
    HASHABLE_KINDS,
    INSTANCE,
    LIST,
    SET,
    Kind,
)
from flake8_jax.domain.provenance import ASSUMED, Context, Hop
from flake8_jax.domain.staging import Input, Token, certain
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.rewrite import ChangedOp, Quoted, Rewrite
from flake8_jax.lazy_dataclasses import dataclass, field

TRACER, NOWHERE = "a tracer", Context(None, ())
StaticForm: TypeAlias = Literal["argument", "self", "field", "callable"]
Needed: TypeAlias = Literal["", "hash", "value"]
UNKNOWN_NEED: Needed = ""


@dataclass(frozen=True, slots=True)
class StaticUnhashable:
    """What is static has no hash.

    `form`: an argument of a call, the `self` of a method in each call, a field of a pytree, which is compared, or the
    function that a transform gets.
    `subject` is its text, `given` what it is ("a list"), `origin` where it was made, `parameter` and `function` what
    gets it, `transform` the text of what is told that it is static; `instead` is what to write, in words.
    """

    op: Op
    form: StaticForm
    subject: str
    given: str
    origin: Hop | None
    parameter: str
    function: str
    transform: str
    instead: str
    context: Context
    rewrite: Rewrite | None = None


@dataclass(frozen=True, slots=True)
class StaticParameter:
    """The static parameter that gets a value; `behind` is the function whose it is, if that is known."""

    parameter: str
    function: str
    transform: str
    behind: FunctionValue | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class NeedsHash(NeedOfValue):
    """A value must have a hash, because it is passed to a static parameter."""

    asks: ClassVar = "`{0.op}` must have a hash for the static `{0.place.parameter}`", "a list or an array"
    harmless: ClassVar[frozenset[Kind]] = HASHABLE_KINDS
    place: StaticParameter

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Violated by what has none, and by tracers."""
        for source, actual in arguments_at(site, self.dependences):
            given = unhashable(actual) if self.is_plain_input else ""
            token = _passed(certain(actual.dependences)) if given == "an array" else None
            token = self._token(site, source) if not given else token
            given = TRACER if token is not None else given
            if given:
                whence = handed(actual, site.op) if token is None else None
                context = Context(token.trace if token is not None else None, site.chain)
                about = whence, self.place, context, _needed(site.frame, self.place)
                make = partial(_event, self.op, "argument", actual, given, *about)
                yield Finding(_key(self.op), make)
                return
        yield from undecided(site, self)

    def _token(self, site: CallSite, source: Input) -> Token | None:
        """The trace of an argument that is certainly a tracer, as one is of which a number is needed; one that may be
        left out is left out.
        """
        if not is_tracer(site, source, self.is_plain_input):
            is_number = self.is_plain_input and is_tracer(site, source, False) and source.parent is None
            if not is_number or _needed(site.frame, self.place) != "value":
                return None
        return _passed(certain(site.dependences(frozenset((source,)), False)[0]))


def need_hashes(frame: Frame, op: Op, wrapped: Wrapped, arguments: Arguments, mode: CallMode) -> None:
    """Report the static arguments of a call that have no hash; of inputs, callers are told."""
    applied = wrapped.applied
    if not applied.static_numbers and not applied.static_names:
        return
    if applied.transform.name not in HASHING or applied.static_numbers >= EVERYTHING or frame.context.is_prepared:
        return
    names = visible_names(wrapped.callee)
    found = underlying(wrapped.callee)
    function = found.function.name if found is not None else ""
    given = [
        (place, names[place] if place < len(names) else "", value) for place, value in enumerate(arguments.positional)
    ]
    given += [(names.index(name) if name in names else -1, name, value) for name, value in arguments.keywords.items()]
    for place, name, value in given:
        if name not in applied.static_names and place not in applied.static_numbers:
            continue
        target = StaticParameter(name, function, applied.text, found)
        if place == 0 and value.kind is INSTANCE and found is not None and found.owner is not None:
            _need_of_self(frame, wrapped, op, arguments, value, target, mode)
        elif mode != "root":
            written = arguments.written(place, name) if place >= 0 else arguments.keyword_ops.get(name)
            _need(frame, written or value.made_by or op, value, target)


def _need(frame: Frame, op: Op, value: Value, place: StaticParameter) -> None:
    token = _passed(certain(value.dependences)) if value.kind in ARRAYS_OR_COMPUTED else None
    given = TRACER if token is not None else _why_unhashable(frame, value)
    if given:
        whence = origin(value, op) if token is None else None
        context = Context(token.trace if token is not None else None, ())
        needed = _needed(frame, place)
        emit(frame, _key(op), partial(_event, op, "argument", value, given, whence, place, context, needed))
    elif value.kind is COMPUTED or value.input is not None:
        leave(frame, NeedsHash(op, value.dependences, value.input is not None, place))


def _why_unhashable(frame: Frame, value: Value) -> str:
    """Why a value has no hash; what a function of the project gives is what it returns."""
    given = unhashable(value)
    made_by = value.made_by
    if given or value.kind not in CONTAINERS or type(made_by) is not ops.Call:
        return given
    if not chains_of(frame.function).holds(made_by) and not _is_of_module(made_by.func):
        return ""
    callee = peek(frame, made_by.func)
    function = underlying(callee) if callee is not None else None
    returned = summary_of(frame.program, function).returns if function is not None else None
    return unhashable(returned) if returned is not None and returned.kind is value.kind else ""


def _is_of_module(func: Op) -> bool:
    """Is it a name of the module, which stands for the same everywhere in the file?"""
    owner = func.scope.lookup(func.name).owner if type(func) is ops.Name else None
    return owner is not None and owner.kind == "module"


def _need_of_self(
    frame: Frame, wrapped: Wrapped, op: Op, arguments: Arguments, value: Value, place: StaticParameter, mode: CallMode
) -> None:
    """Report a method whose object has no hash, at the method: each call is refused."""
    given, found = unhashable(value), underlying(wrapped.callee)
    if not given or found is None or (mode == "root" and not is_as_written(found)):
        return
    written = arguments.written(0)
    is_of_class = isinstance(value.payload, InstanceOf) and "whose field" not in given
    if written is not None or not is_of_class:
        there = written or op
        emit(frame, _key(there), partial(_event, there, "argument", value, given, origin(value, there), place))
        return
    if (at := wrapped.applied.op) is not None:
        emit(frame, _key(at), partial(_event, at, "self", value, given, None, place))


@advising(ADVICE, UNKNOWN_NEED)
def _needed(frame: Frame, place: StaticParameter) -> Needed:
    """What the function itself needs of a static parameter: its value, or a hash where it passes it on."""
    if place.behind is None or not place.parameter:
        return ""
    effects = (effect.evidence for effect in summary_of(frame.program, place.behind).requires.effects)
    kinds = {
        type(needed) for needed in effects if isinstance(needed, (NeedsConcrete, NeedsHash))
        and any(isinstance(one, Input) and one.name == place.parameter for one in needed.dependences)
    }  # fmt: skip
    return "value" if NeedsConcrete in kinds else "hash" if kinds else ""


def _passed(token: Token | None) -> Token | None:
    """A trace of what a call certainly passes: what may be left out is left out."""
    return None if token is None or token.certainty is ASSUMED else token


def _key(op: Op) -> EventKey:
    return (StaticUnhashable, op, ())


def _event(
    op: Op, form: StaticForm, value: Value, given: str, whence: Hop | None, place: StaticParameter,
    context: Context = NOWHERE, needed: Needed = "",
) -> StaticUnhashable:  # fmt: skip
    words, rewrite = _instead(op, value, given, place, needed, context)
    return StaticUnhashable(
        op, form, phrase(op), given, whence, place.parameter, place.function, place.transform, words,
        context, rewrite,
    )  # fmt: skip


@advising(ADVICE, ("pass a value that has a hash", None))
def _instead(
    op: Op, value: Value, given: str, place: StaticParameter, needed: Needed, context: Context
) -> tuple[str, Rewrite | None]:
    """What to pass instead, in words and as a change where that is certain."""
    traced = f"take {f'`{place.parameter}`' if place.parameter else 'it'} out of the static arguments"
    are_arrays = [part.kind is ARRAY for part in value.parts] if value.kind in CONTAINERS and needed != "value" else []
    if any(are_arrays):
        own = "pass its arrays as arguments of their own, which JAX traces"
        return f"{traced}: JAX traces the arrays in it" if all(are_arrays) else own, None
    if value.kind is LIST:
        is_flat = all(not unhashable(part) for part in value.elements or ())
        return "pass a tuple", _as_tuple(op) if is_flat else None
    if value.kind is SET:
        return "pass a frozenset", Rewrite((ChangedOp(op, ("frozenset(", Quoted(op, 60), ")")),))
    if given in ("an array", "a NumPy array", "a random key", TRACER):
        trace = context.trace
        is_own = trace is not None and trace.role == "jitted" and not context.chain and phrase(op) == trace.value
        if needed == "value" and trace is not None and is_own:
            return f"declare `{trace.value}` static where `{trace.function}` is jitted, too", None
        if needed == "value":
            other = "compute it outside of traced code" if given == TRACER else "pass a number or a tuple of numbers"
            return f"{other}: `{place.function}` needs its value", None
        if needed == "hash":
            traced += f", there and where `{place.function}` passes it on"
        if given == TRACER:
            return f"{traced}, or compute it outside of traced code", None
        return f"{traced}, or pass a tuple if its numbers must be known" if "array" in given else traced, None
    if given == "a dict":
        return "pass a tuple of its items, of which a dict is made there, or a frozen dataclass", None
    if "that holds a list" in given or "is a list" in given:
        return "make a tuple of the list in it", None
    if "in whose field" in given and isinstance(value.payload, InstanceOf):
        if any(one.is_tree for one in ancestry(value.payload.owner)):
            return f"{traced}: it is a pytree, and JAX traces its arrays", None
        return "pass its arrays as arguments of their own, which JAX traces", None
    if "not frozen" in given:
        return "declare it with `frozen=True`, or with `eq=False`", None
    if "`__eq__`" in given:
        return "give it a `__hash__` of what it compares", None
    return "pass a value that has a hash", None


def _as_tuple(op: Op) -> Rewrite | None:
    """A display as that of a tuple; what is not written here is made a tuple."""
    if type(op) is ops.Build and all(type(part) is not ops.Star for part in op.parts):
        parts = [piece for part in op.parts for piece in (Quoted(part, 60), ", ")]
        closing = (",)",) if len(op.parts) == 1 else (")",)
        return Rewrite((ChangedOp(op, ("(", *parts[:-1], *closing)),))
    return Rewrite((ChangedOp(op, ("tuple(", Quoted(op, 60), ")")),))
