"""Large arrays that compiled code holds as constants, because it takes them from outside, or makes them with NumPy.

table = jnp.ones((2048, 2048))
@jax.jit
def f(x):
    return x @ table            16 MB of the program: JAX copies, folds and compiles them

An array of JAX that a function computes with and did not make, and any array of NumPy, is no tracer: whoever jits the
function makes it a constant.  Where a function around made it, a trace of that one refutes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from operator import attrgetter
from typing import ClassVar

from flake8_jax.analysis.callables import Arguments, InstanceOf
from flake8_jax.analysis.checks.compilation.eager import eager
from flake8_jax.analysis.checks.compilation.objects_traced import is_plain_class, registration_of
from flake8_jax.analysis.evidence import CallSite, LatentEvidence, OutcomeAtCall
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.classes import fields_of, is_settled
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.analysis.summaries.deferral import leave
from flake8_jax.domain.dtypes import Dtype
from flake8_jax.domain.effects import ClassField, Finding, Room
from flake8_jax.domain.host_views import Buffer
from flake8_jax.domain.kinds import ARRAY, ARRAYS_OR_COMPUTED, CERTAIN_ARRAYS, NUMPY
from flake8_jax.domain.provenance import Context, Hop, Trace
from flake8_jax.domain.shape import count
from flake8_jax.domain.staging import Ambient, Dependences, Input, staged
from flake8_jax.domain.value import Value
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.ops import Attr, Function, Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.lazy_dataclasses import dataclass
from flake8_jax.lazy_patterns import compiled

LARGE = 1_048_576
"""How many bytes are worth a word."""

USUAL = 4
"""The bytes of an item, where nothing says its dtype: JAX makes 32 bits of numbers."""

BITS = compiled(r"\d+$")


@dataclass(frozen=True, slots=True)
class ConstantHeld:
    """A large array is a constant of a compiled program.

    `subject` is its text, `size` its bytes; it `is_made_there`, by NumPy, in the function that is traced, or comes from
    outside; `instead` what to write.
    """

    op: Op
    subject: str
    size: int
    is_made_there: bool
    instead: str
    context: Context


@dataclass(frozen=True, slots=True)
class ConstantIfJitted(LatentEvidence):
    """A function computes with a large array that is a constant of the program if the function is jitted.

    `origin` made it, in this function if it `is_made_there`, or in the `body` around it; if there is a `ground`, it is
    the attribute of an object that is no pytree.
    """

    identified_by: ClassVar = attrgetter("origin")
    asks: ClassVar = "`{0.op}` is a constant where this is jitted", "an array"
    room: ClassVar[Room] = "cost"
    origin: Op | None
    size: int
    is_made_there: bool
    dependences: Dependences
    ground: ClassField | None = None
    body: Function | None = None

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Certain where the function is jitted."""
        token = staged(site.ambient)
        if token is None or not token.trace.is_compiled:
            if self.body is None or not chains_of(self.body).holds(site.op):
                yield self  # else a trace of the body would trace the making of the array, too
            return
        key = (ConstantHeld, self.op, ())
        make = partial(self.event, token.trace, site.chain)
        if self.ground is not None:
            yield Finding(key, make, self.ground)
        elif self.dependences:
            yield from eager(key, make)
        else:
            yield Finding(key, make)

    def event(self, trace: Trace, chain: tuple[Hop, ...]) -> ConstantHeld:
        """The event in jitted code."""
        subject = phrase(self.op)
        if self.is_made_there:
            instead = "make it with `jax.numpy`, so that the program computes it, or pass it in as an argument"
        else:
            instead = f"pass it to `{trace.function}` as an argument" if trace.function.isidentifier() else "pass it in"
        return ConstantHeld(self.op, subject, self.size, self.is_made_there, instead, Context(trace, chain))


def note_constant(frame: Frame, op: Op, value: Value) -> None:
    """Note that traced code would compute with an array that is a constant of it."""
    if frame.parent is None or value.kind not in CERTAIN_ARRAYS:
        return
    size, ground = _bytes(value), None
    if value.shape is None and type(op) is Attr:
        size, ground = _attribute(frame, op)
    if size < LARGE:
        return
    if any(type(dependence) is not Ambient for dependence in value.dependences) or value.dependences & frame.ambient:
        return
    is_made_there = value.made_by is not None and chains_of(frame.function).holds(value.made_by)
    around = frame_around(frame, value.made_by) if value.kind is not NUMPY else None
    body = around.function if around is not None else None
    leave(frame, ConstantIfJitted(op, value.made_by, size, is_made_there, value.dependences, ground, body))


def frame_around(frame: Frame, made_by: Op | None) -> Frame | None:
    """The frame of the function around this one in which an op stands."""
    functions = (around for around in frame.outwards() if around is not frame and around.parent is not None)
    return next((one for one in functions if made_by is not None and chains_of(one.function).holds(made_by)), None)


def note_constants(frame: Frame, arguments: Arguments) -> None:
    """Note the arguments of a function that a transform runs."""
    for place, value in enumerate(arguments.positional):
        source = arguments.written(place)
        if source is not None and may_be_large(source, value):
            note_constant(frame, source, value)
    for name, value in arguments.keywords.items():
        if name in arguments.keyword_ops and may_be_large(arguments.keyword_ops[name], value):
            note_constant(frame, arguments.keyword_ops[name], value)


def note_handed(site: CallSite) -> None:
    """Note the arguments of a function of the project that it computes its result with."""
    returned = site.summary.returns
    if site.frame.parent is None or returned is None or returned.kind not in ARRAYS_OR_COMPUTED:
        return
    for source in returned.dependences:
        if type(source) is Input and source.parent is None and (op := site.source_of(source)) is not None:
            value = site.resolve(source)
            if value is not None and value.kind is ARRAY and may_be_large(op, value):
                note_constant(site.frame, op, value)


def may_be_large(op: Op, value: Value) -> bool:
    """Is the size of an array known, or may its class know it?"""
    return value.shape is not None or (type(op) is Attr and value.kind is ARRAY)


def _attribute(frame: Frame, op: Attr) -> tuple[int, ClassField | None]:
    """The size of an attribute that the constructor alone stores, in objects that are no pytrees."""
    stored, ground = field_of_plain(frame, op)
    size = _bytes(stored) if stored is not None and stored.kind is ARRAY else 0
    return (size, ground) if size >= LARGE else (0, None)


def field_of_plain(frame: Frame, op: Attr) -> tuple[Value | None, ClassField | None]:
    """What the constructor alone stores in an attribute, with the class, if its objects are no pytrees."""
    holder = peek(frame, op.base)
    owner = holder.payload.owner if holder is not None and type(holder.payload) is InstanceOf else None
    if owner is None or owner.is_tree or not is_settled(frame, owner, op.name) or not is_plain_class(owner):
        return None, None
    return fields_of(frame, owner).stored.get(op.name), registration_of(owner)


def _bytes(value: Value) -> int:
    """The size of an array, as far as it is known; 0 if it is not."""
    if type(value.payload) is Buffer:
        return value.payload.least
    items = count(value.shape)
    return 0 if items is None else items * _bytes_of_item(value.dtype)


def _bytes_of_item(dtype: Dtype | None) -> int:
    if type(dtype) is not str:
        return USUAL
    bits = BITS.search(dtype)
    return 1 if dtype == "bool" else int(bits.group()) // 8 if bits is not None else USUAL
