"""Types of 64 bits that JAX is asked for where they are not enabled: it makes arrays of 32 bits.

jnp.zeros(3, jnp.float64)               float32
x.astype("float64")                     float32, if `x` is an array of JAX; NumPy's gets its 64 bits
def make(n, dtype): jnp.zeros(n, dtype)     a precondition: `make(3, jnp.float64)` violates it
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from types import NoneType
from typing import ClassVar

from flake8_jax.analysis.checks.naming import imported_as, scope_of
from flake8_jax.analysis.checks.wording import callee_text
from flake8_jax.analysis.evidence import CallSite, LatentEvidence, Need, OutcomeAtCall, arguments_at
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.array_evidence import array_argument, open_inputs
from flake8_jax.analysis.summaries.deferral import emit, leave
from flake8_jax.api.rows import ApiFunction
from flake8_jax.api.stated import read
from flake8_jax.domain.conditions import Fact, Path, is_left_out
from flake8_jax.domain.constants import OPEN
from flake8_jax.domain.effects import ByAnnotation, EventKey, Finding
from flake8_jax.domain.kinds import (
    API,
    ARRAY,
    CONTAINERS,
    HARMLESS_AS_ARGUMENT,
    MAY_HOLD_ARRAYS_OR_UNKNOWN,
    STATIC,
    UNKNOWN,
    Kind,
)
from flake8_jax.domain.payload import ArrayDoubt
from flake8_jax.domain.provenance import Context, Hop
from flake8_jax.domain.staging import NONE, Dependences, Input, certain, in_order, presumed
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import Chains, chains_of
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.lazy_dataclasses import dataclass
from flake8_jax.lazy_patterns import compiled
from flake8_jax.syntax.headers import headers_around
from flake8_jax.syntax.policies import ASKS_FOR_TYPE, EXPECTS_WARNING, OPTION_FOR_WIDTH
from flake8_jax.syntax.positions import unpacked

TYPED = frozenset(("dtype", "new_dtype", "preferred_element_type", "index_dtype"))
"""The names of parameters that say of which type a result is."""

CHOICES = frozenset(("==", "is", "in"))
MAXIMUM_DEPTH = 3
MAKING = frozenset(("array", "list", "tuple", "like", "own"))
NARROW = {"float64": "float32", "int64": "int32", "uint64": "uint32", "complex128": "complex64"}
WHOLE = frozenset(("int64", "uint64"))
TEXTS = {
    **{name: name for name in NARROW}, "f8": "float64", "d": "float64", "double": "float64", "i8": "int64",
    "u8": "uint64", "c16": "complex128", "D": "complex128", "cdouble": "complex128", "longlong": "int64",
}  # fmt: skip
"""The texts that name a type of 64 bits, after a sign for the order of bytes."""

_CHOOSING = compiled(r"\bif\b(.+?)\belse\b", re.DOTALL)


@dataclass(frozen=True, slots=True)
class WideRequested:
    """JAX is asked for a type of 64 bits, and gives `narrow` in place of `wide`.

    `callee` is the text of the function, `instead` what to write.
    """

    op: Op
    callee: str
    wide: str
    narrow: str
    instead: str
    context: Context


@dataclass(frozen=True, slots=True)
class AsksForWide(LatentEvidence):
    """A call that asks for a type of 64 bits, on a path that arguments decide."""

    callee: str
    wide: str

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Certain where the arguments take the path."""
        if _is_optional(site.assume(site.when)):
            yield self
        else:
            yield Finding((WideRequested, self.op, ()), _event(self.op, self.callee, self.wide, site.chain))


@dataclass(frozen=True, slots=True)
class NeedsNarrow(Need):
    """A type must not have 64 bits, or that of which it is asked must be no array of JAX.

    `asked` is the input that is the type, if it is not known to be `wide`; `array` are the dependences of an object
    whose method is called, if it is not known to be an array.  `is_plain_input`: that object is an unmodified input.
    """

    harmless: ClassVar[frozenset[Kind]] = HARMLESS_AS_ARGUMENT - {API, STATIC}
    callee: str
    wide: str
    asked: Input | None
    array: Dependences
    is_plain_input: bool

    @staticmethod
    def of(
        op: Op, callee: str, wide: str, asked: Input | None, array: Dependences, is_plain_input: bool
    ) -> NeedsNarrow:
        """The precondition on the type and on the object."""
        dependences = array if asked is None else array | {asked}
        return NeedsNarrow(op, dependences, callee, wide, asked, array, is_plain_input)

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Violated by a type of 64 bits, and an array of JAX where it is a method that is asked."""
        wide, asked, array, is_plain_input = self.wide, self.asked, self.array, self.is_plain_input
        if asked is not None:
            actual = site.resolve(asked)
            wide, asked = (wide_type(actual), actual.input) if actual is not None else ("", None)
            if not wide and asked is None:
                return
        if array:
            if array_argument(site, array, is_plain_input) is not None or _holds_arrays(site, array):
                array = NONE
            elif self._kinds(site) - MAY_HOLD_ARRAYS_OR_UNKNOWN:
                return
            else:
                array, is_plain_input = open_inputs(site, array, is_plain_input)
                if not array:
                    return
        if asked is None and not array:
            yield from AsksForWide(self.op, self.callee, wide).at(site)
        else:
            yield NeedsNarrow.of(self.op, self.callee, wide, asked, array, is_plain_input)

    @property
    def presumed(self) -> tuple[EventKey, ...]:
        """Presumed where an annotation alone says that it is an array."""
        return ((WideRequested, self.op, ()),)

    def refuted(self, site: CallSite) -> Iterator[EventKey | ByAnnotation]:
        """Refuted by something else than an array of JAX, its ground by what nobody knows."""
        key, kinds = (WideRequested, self.op, ()), self._kinds(site)
        if kinds - MAY_HOLD_ARRAYS_OR_UNKNOWN:
            yield key
        elif UNKNOWN in kinds:
            yield ByAnnotation(key)

    def _kinds(self, site: CallSite) -> set[Kind]:
        """The kinds of what is handed in for the object."""
        return {actual.kind for _, actual in arguments_at(site, self.array)}


def need_narrow(frame: Frame, op: Op, function: ApiFunction, value: Value, receiver: Value | None = None) -> None:
    """Report a type of 64 bits where JAX makes an array; inputs become preconditions."""
    table = frame.program.table
    wide = wide_type(value)
    if (not wide and value.input is None) or function.returns not in MAKING or table.keeps_width(function.name):
        return
    if not _may_speak(frame, op) or (wide in WHOLE and _is_index(frame, op)):
        return
    callee = callee_text(op, function.name.removeprefix("Array"))
    array, is_plain_input = (NONE, False) if receiver is None or _is_array(receiver) else (
        receiver.dependences, receiver.input is not None
    )  # fmt: skip
    if receiver is not None and not _is_array(receiver) and not array:
        return
    if not wide or array:
        leave(frame, NeedsNarrow.of(op, callee, wide, None if wide else value.input, array, is_plain_input))
        if wide and receiver is not None and receiver.kind is ARRAY and not _is_optional(frame.path):
            key, doubt = (WideRequested, op, ()), receiver.payload
            ground = doubt.field if type(doubt) is ArrayDoubt else None
            emit(frame, key, _event(op, callee, wide, ()), ground=ground or ByAnnotation(key))
    else:
        _note(frame, op, callee, wide)


def note_conversion(frame: Frame, op: Op, name: str, wide: str) -> None:
    """Report a conversion of JAX to a type of 64 bits: `jnp.float64(x)`."""
    if name.startswith("jax.") and _may_speak(frame, op) and not (wide in WHOLE and _is_index(frame, op)):
        _note(frame, op, callee_text(op, name), wide)


def wide_name(name: str) -> str:
    """The type of 64 bits that a name of a library stands for, or ""."""
    return read().plain["widths"].get(name.removesuffix(".dtype"), "")


def _may_speak(frame: Frame, op: Op) -> bool:
    if frame.context.is_prepared or frame.context.is_for_shapes or not frame.program.linked.truncates:
        return False
    return not is_left_out(frame.path) and not _is_guarded(op, frame.path)


def _is_index(frame: Frame, op: Op) -> bool:
    """Is what is made an index and nothing else?  The positions in an array that fits into memory fit into 32 bits."""
    chains = chains_of(frame.function)
    store = chains.parents.get(op)
    if type(store) is ops.Store and len(store.targets) == 1 and type(store.targets[0]) is ops.Name:
        name = store.targets[0]
        reads = [] if chains.is_captured(name) else list(chains.uses_of(name))
        return bool(reads) and all(_indexes(chains, read) for read in reads)
    return _indexes(chains, op)


def _indexes(chains: Chains, op: Op) -> bool:
    """Does an expression stand in the brackets of another one, alone or beside others?"""
    around = chains.parents.get(op)
    if type(around) is ops.Build and around.kind == "tuple":
        op, around = around, chains.parents.get(around)
    return type(around) is ops.Item and around.index is op


def _note(frame: Frame, op: Op, callee: str, wide: str) -> None:
    """Report a request that is made, or leave it to the callers where they decide."""
    if _is_optional(frame.path):
        leave(frame, AsksForWide(op, callee, wide))
    else:
        emit(frame, (WideRequested, op, ()), _event(op, callee, wide, ()))


def _holds_arrays(site: CallSite, dependences: Dependences) -> bool:
    """Is what a value depends on containers of arrays alone, so that it is a leaf of these?"""
    found = [site.resolve(source) for source in in_order(dependences)]
    return bool(found) and all(one is not None and one.kind in CONTAINERS and _is_tree(one) for one in found)


def _is_tree(value: Value, depth: int = 0) -> bool:
    if value.kind not in CONTAINERS:
        return _is_array(value)
    return depth < MAXIMUM_DEPTH and bool(value.parts) and all(_is_tree(part, depth + 1) for part in value.parts)


def wide_type(value: Value) -> str:
    """The type of 64 bits that a value is or names, or "".  What is read of an array is as wide as JAX made it."""
    if value.kind is API:
        return wide_name(value.name)
    text = value.constant
    if value.kind is not STATIC or not isinstance(text, str) or type(value.made_by) is ops.Attr:
        return ""
    return TEXTS.get(text.lstrip("<="), "")


def _is_array(value: Value) -> bool:
    """Is an object certainly an array of JAX, by more than an annotation?"""
    is_shown = value.kind is ARRAY and type(value.payload) is not ArrayDoubt and not presumed(value.dependences)
    return is_shown or certain(value.dependences) is not None


def _is_optional(path: Path) -> bool:
    """Does an option that the function is passed decide whether the path is taken: a flag, a word, a member?"""
    return any(_is_passed(fact.subject) and _is_choice(fact) for fact in path)


def _is_passed(value: Value) -> bool:
    return value.input is not None or (value.kind is STATIC and value.constant is OPEN and value.made_by is None)


def _is_choice(fact: Fact) -> bool:
    return fact.test == "truth" or (fact.test in CHOICES and type(fact.other) not in (int, float, NoneType))


def _is_guarded(op: Op, path: Path) -> bool:
    """Is it done for some types only, or where a warning is expected?"""
    asked = [phrase(fact.subject.made_by) for fact in path if fact.subject.made_by is not None]
    origin, last = op.anchor.origin, unpacked(op.place)[2]
    code = origin.code_up_to(last + 2)
    statement = "\n".join(code.lines[op.anchor.line - 1 : last + 2])
    headers = headers_around(code, op.anchor.line, origin.line)
    choice = _CHOOSING.search(statement)
    around = [*asked, *headers, choice[1] if choice is not None else ""]
    guards = [ASKS_FOR_TYPE, EXPECTS_WARNING, *(() if _is_optional(path) else (OPTION_FOR_WIDTH,))]
    return any(guard.search(text) for text in around for guard in guards)


def _event(op: Op, callee: str, wide: str, chain: tuple[Hop, ...]) -> Callable[[], WideRequested]:
    def event() -> WideRequested:
        scope, narrow = scope_of(op), NARROW[wide]
        switch = imported_as(scope, "jax.config.update")
        known = imported_as(scope, f"jax.numpy.{narrow}")
        instead = f'use `{known}`, or `{switch}("jax_enable_x64", True)` at the start'
        return WideRequested(op, callee, wide, narrow, instead, Context(None, chain))

    return event
