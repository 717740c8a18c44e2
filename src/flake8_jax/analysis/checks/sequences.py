"""Preconditions that a value is an array, where JAX takes no list or tuple."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import partial
from typing import ClassVar

from flake8_jax.analysis.callables import Arguments, ClassValue
from flake8_jax.analysis.checks.contracts.required import allows
from flake8_jax.analysis.checks.contracts.unpacked import check_whole
from flake8_jax.analysis.checks.instead import Advice, array_of, list_of, words_of_sequence
from flake8_jax.analysis.checks.naming import scope_of
from flake8_jax.analysis.checks.wording import callee_text, handed, origin
from flake8_jax.analysis.evidence import CallSite, Need, OutcomeAtCall, arguments_at
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.array_evidence import NeedOfValue, array_argument, note_array, undecided
from flake8_jax.analysis.objects.classes import listed_field
from flake8_jax.analysis.summaries.deferral import emit, leave
from flake8_jax.api.transforms import Transform
from flake8_jax.api.versions import JAX
from flake8_jax.domain.conditions import is_about_inputs
from flake8_jax.domain.effects import Finding
from flake8_jax.domain.kinds import ARRAY, CONTAINERS, INPUT, LIST, MAY_BE_ARRAY, NUMBER, TUPLE
from flake8_jax.domain.payload import ArrayDoubt
from flake8_jax.domain.provenance import Context, Hop
from flake8_jax.domain.shape import Shape
from flake8_jax.domain.staging import Dependences, Input, in_order
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import searched_once
from flake8_jax.ir.ops import Function, Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.rewrite import Rewrite, unsafe
from flake8_jax.ir.scope import Scope
from flake8_jax.ir.walking import inside
from flake8_jax.lazy_dataclasses import dataclass, field, replace
from flake8_jax.syntax.layout import Layout

REFUSED_SINCE = "0.2.0"
"""The oldest release of JAX whose package was read; 0.1.57 made arrays of lists."""

ITERATING = frozenset(("jax.numpy.linalg.multi_dot",))
"""What makes a list itself of what it is given."""


SHAPE = "shape"
OF_TUPLES = frozenset(("count", "index"))
"""The attributes of a tuple that are read by name."""


@dataclass(frozen=True, slots=True)
class SequencePassed:
    """A sequence is used where JAX takes arrays only: as an argument, or as an operand beside an array.

    `subject` is its text, `given` its kind ("list", "tuple", "comprehension", "generator", "shape" ...), `origin` where
    it was made, if that is not visible there.  `callee` takes arrays only, a function or an operator ("jnp.mean", "@"),
    for its `parameter`, "" where that says nothing; or it `takes` a list of them, and no generator.  `instead` is what
    to write, `words` the same without code, `rewrite` the changes that write it.  It `is_handed_in` by a call that may
    pass an array as well.
    """

    op: Op
    subject: str
    given: str
    callee: str
    parameter: str
    origin: Hop | None
    instead: str
    context: Context
    rewrite: Rewrite | None = None
    takes: str = "arrays only"
    words: str = ""
    is_handed_in: bool = False


@dataclass(frozen=True, slots=True)
class NeedsArray(Need):
    """An argument must not be a sequence, because a parameter of JAX takes arrays only.

    `call` is the call that needs it, `callee` and `parameter` are its function's; `is_static`: its value must be known
    while the call is traced.
    """

    asks: ClassVar = "`{0.op}` must be no sequence for `{0.callee}`", "a list or tuple"
    callee: str
    parameter: str
    call: Op
    is_static: bool = False

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Violated by a list or tuple; for unmodified inputs the caller inherits it."""
        passed_on: set[Input] = set()
        for _, actual in arguments_at(site, self.dependences):
            if is_sequence(actual) and not _is_varargs(actual):
                given = "shape" if actual.form == "shape" else actual.kind.value
                callee, whence = callee_text(self.call, self.callee), handed(actual, site.op)
                scope, is_static = scope_of(self.call), self.is_static
                instead = partial(array_of, self.op, actual, self.callee, scope, self.call, is_static)
                event = _event(self.op, given, callee, self.parameter, whence, instead, site.chain, is_static=is_static)
                yield Finding((SequencePassed, self.op, ()), event)
                return
            if actual.input is not None:
                passed_on.add(actual.input)
        if passed_on:
            yield replace(self, dependences=frozenset(passed_on))


@dataclass(frozen=True, slots=True)
class NeedsNoArray(NeedOfValue):
    """A value must not be an array where the other operand is a sequence.

    `op` is the `sequence`, `given` its kind, `origin` where it was made; `operator` is the sign between the two.
    `is_plain_input`: the value is an unmodified input, so that it may be a sequence, too.
    """

    asks: ClassVar = "no array may stand beside the {0.given} `{0.op}`", "an array"
    sequence: Value = field(compare=False)
    given: str
    origin: Hop | None
    operator: str
    scope: Scope

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Violated by an array; a container is none, whatever it holds."""
        if self.is_plain_input and any(
            _is_container(site.resolve(dependence)) for dependence in in_order(self.dependences)
        ):
            return
        if (array := array_argument(site, self.dependences, self.is_plain_input)) is not None:
            instead = partial(array_of, self.op, self.sequence, self.operator, self.scope, beside=array.shape)
            event = _event(self.op, self.given, self.operator, "", self.origin, instead, site.chain)
            yield Finding((SequencePassed, self.op, ()), event)
        else:
            yield from undecided(site, self)


def need_array(
    frame: Frame, op: Op, value: Value, callee: str, parameter: str, call: Op, is_static: bool = False
) -> None:
    """Report a known sequence where JAX takes arrays only; inputs become preconditions."""
    if is_sequence(value):
        refuse_sequence(frame, op, value, callee, parameter, call, is_static)
    elif (listed := _own_list(frame, value)) is not None:
        refuse_sequence(frame, op, listed, callee, parameter, call, is_static)
    elif value.input is not None:
        note_array(frame, value)
        leave(frame, NeedsArray(op, _itself(value), callee, parameter, call, is_static))


def _own_list(frame: Frame, value: Value) -> Value | None:
    """The list that a field of a method's own object is, in whichever object; None where that is not known."""
    source = value.input
    if source is None or source.step is None or source.step[0] != "." or source.parent is None or frame.owner is None:
        return None
    receiver = frame.function.parameters[0].name if frame.function.parameters else ""
    if source.parent.parent is not None or source.parent.name != receiver or is_about_inputs(frame.path):
        return None
    name = str(source.step[1])
    made_by = listed_field(frame.owner, name)
    if made_by is None or _is_stored_outside(frame.owner, name):
        return None
    return Value(LIST, made_by=made_by)


def _is_stored_outside(owner: ClassValue, name: str) -> bool:
    """Is something stored under the name of a field in its file, other than by a method into its own object?"""
    layout = owner.function.anchor.origin.source.layout
    known = layout.memo.get("fields stored from outside")
    if not isinstance(known, frozenset):
        known = frozenset(
            text.rpartition(".")[2]
            for (frame, text), found in layout.stores.items()
            for one in found
            if isinstance(one, ast.Attribute) and (text.count(".") > 1 or not _is_receiver(layout, frame, one.value))
        )
        layout.memo["fields stored from outside"] = known
    return name in known


def _is_receiver(layout: Layout, frame: ast.AST, base: ast.expr) -> bool:
    """Is it the object whose method stands around?"""
    arguments = getattr(frame, "args", None)
    first = arguments.args[0].arg if isinstance(arguments, ast.arguments) and arguments.args else ""
    is_method = isinstance(layout.parents.get(frame), ast.ClassDef)
    return is_method and isinstance(base, ast.Name) and base.id == first


def _itself(value: Value) -> Dependences:
    """What a value depends on beside the index by which it was taken out of an input."""
    source = value.input
    return source.alone if source is not None and source in value.dependences else value.dependences


def need_pieces(frame: Frame, op: Op, value: Value, callee: str, parameter: str, told: str, call: Op) -> None:
    """Report a list or tuple among the arrays that are joined: each must be an array.

    `told` is the parameter if a message is to name it.  They must not come out of a generator.
    """
    if callee not in ITERATING:
        need_list(frame, op, value, callee, call)
    pieces = frame.live().contents(value).elements if is_sequence(value) else None
    written = op.parts if type(op) is ops.Build and pieces is not None and len(op.parts) == len(pieces) else ()
    found = [place for place, piece in enumerate(pieces or ()) if is_sequence(piece) and piece.form != "varargs"]
    if pieces is not None and found:
        first, *others = found
        which = told if written else f"{parameter}[{first}]"
        beside = tuple((written[place], pieces[place]) for place in others) if written else ()
        refuse_sequence(frame, written[first] if written else op, pieces[first], callee, which, call, beside=beside)


def need_list(frame: Frame, op: Op, value: Value, callee: str, call: Op) -> None:
    """Report a generator where JAX asks for the number of the elements, or converts them."""
    if value.kind is LIST and value.form == "generator" and not frame.context.is_prepared:
        instead = partial(list_of, op)
        takes = "a list or tuple of arrays"
        event = _event(op, value.form, callee_text(call, callee), "", origin(value, op), instead, takes=takes)
        emit(frame, (SequencePassed, op, ()), event)


def need_rows(frame: Frame, op: Op, transform: Transform, arguments: Arguments) -> None:
    """Report a list of numbers along which a loop or lanes of JAX run.

    Each leaf needs an axis of its own.
    """
    if not transform.name.startswith("jax."):
        return
    walked = {argument.parameter for shape in transform.runs for argument in shape.arguments if argument.word == "each"}
    names = [parameter.name for parameter in transform.parameters] if transform.runs else []
    for place, value in enumerate(arguments.positional):
        name = names[place] if place < len(names) else ""
        if (name in walked or not transform.runs) and _holds_numbers(frame, value):
            source = arguments.ops[place] if place < len(arguments.ops) else None
            refuse_sequence(frame, source or op, value, transform.name, name, op)


@searched_once
def _shapes_of_objects(function: Function) -> frozenset[str]:
    """What is called a shape, and is no tuple, as something else is read of it: `grid.shape.size`."""
    read = (op for op in inside(function) if type(op) is ops.Attr and op.name not in OF_TUPLES)
    return frozenset(phrase(op.base) for op in read if type(op.base) is ops.Attr and op.base.name == SHAPE)


def _holds_numbers(frame: Frame, value: Value) -> bool:
    parts = frame.live().contents(value).elements if is_sequence(value) and value.form == "" else None
    return bool(parts) and all(part.kind is NUMBER or (part.kind is ARRAY and part.shape == ()) for part in parts or ())


def _is_container(actual: Value | None) -> bool:
    return actual is not None and actual.kind in CONTAINERS


def need_no_array(frame: Frame, op: Op, sequence: Value, other: Value, operator: str) -> None:
    """Add the precondition that an operand beside a sequence is no array."""
    given, whence = describe(sequence), origin(sequence, op)
    is_plain_input = other.kind is INPUT or type(other.payload) is ArrayDoubt
    scope, dependences = frame.function.scope, _itself(other)
    leave(frame, NeedsNoArray(op, dependences, is_plain_input, sequence, given, whence, operator, scope))


def need_no_list(frame: Frame, base: Value, index: Value, op: ops.Item) -> None:
    """Require that what is indexed by a list is no array; a tuple of lists is a legal index."""
    if index.kind is not LIST:
        return
    subscript = f"{phrase(op.base)}[...]"
    if base.kind is ARRAY and type(base.payload) is not ArrayDoubt:
        refuse_sequence(frame, op.index, index, subscript, "", op)
    elif base.kind in MAY_BE_ARRAY:
        need_no_array(frame, op.index, index, base, subscript)


def refuse_sequence(
    frame: Frame, op: Op, value: Value, callee: str, parameter: str, call: Op, is_static: bool = False,
    beside: tuple[tuple[Op, Value], ...] = (), shape: Shape = None,
) -> None:  # fmt: skip
    """Report a list or tuple where JAX takes arrays only, which older releases turned into arrays.

    `beside` are the others in the same display, `shape` that of an array that stands beside it.
    """
    made = value.made_by if value.form == "shape" else None
    if type(made) is ops.Attr and phrase(made) in _shapes_of_objects(frame.function):
        return
    if not frame.context.is_prepared and not check_whole(frame, op, value) and allows(frame, op, JAX, REFUSED_SINCE):
        instead = partial(array_of, op, value, callee, frame.function.scope, call, is_static, shape)
        if beside:
            instead = partial(_arrays_of, ((op, value), *beside), callee, frame.function.scope, call)
        given, whence = describe(value), origin(value, op)
        event = _event(
            op, given, callee_text(call, callee), parameter, whence, instead, is_static=is_static, is_alone=not beside
        )
        emit(frame, (SequencePassed, op, ()), event)


def _arrays_of(sequences: tuple[tuple[Op, Value], ...], callee: str, scope: Scope, call: Op) -> Advice:
    """How to make arrays of several sequences of one display."""
    found = [array_of(op, value, callee, scope, call) for op, value in sequences]
    rewrites = [one.rewrite for one in found if one.rewrite is not None]
    texts = [one.text.removeprefix("use ") for one in found]
    if len(rewrites) < len(found):
        return Advice(f"{found[0].text}, and do the same for `{phrase(sequences[1][0])}`")
    changes = tuple(change for one in rewrites for change in one.changes)
    return Advice(f"use {' and '.join(texts)}", Rewrite(changes))


def is_sequence(value: Value) -> bool:
    """Is it certainly a list or tuple?"""
    return value.kind is LIST or value.kind is TUPLE


def describe(value: Value) -> str:
    """The kind of a sequence, for a message."""
    if value.form in ("shape", "generator"):
        return value.form
    if type(value.made_by) is ops.Gather:
        return "comprehension"
    return value.kind.value


def _is_varargs(value: Value) -> bool:
    return value.form == "varargs" and value.elements is None


def _event(
    op: Op, given: str, callee: str, parameter: str, whence: Hop | None,
    instead: Callable[[], Advice], chain: tuple[Hop, ...] = (), takes: str = "arrays only", is_static: bool = False,
    is_alone: bool = True,
) -> Callable[[], SequencePassed]:  # fmt: skip
    context = Context(None, chain)

    def make() -> SequencePassed:
        advice = instead()
        is_certain = not chain or advice.rewrite is None or advice.rewrite.changes[0].op is op
        rewrite = advice.rewrite if is_certain else unsafe(advice.rewrite)  # others may hand in arrays
        words = words_of_sequence(op, given == "generator", takes != "arrays only", is_static)
        if given == "shape" and advice.rewrite is not None and advice.rewrite.changes[0].op is not op:
            words = advice.text  # what Python has for the whole call
        words = words if is_alone else words.replace(" of it", " of each list or tuple there", 1)
        is_handed_in = bool(chain) and type(op) is ops.Name and op.scope.lookup(op.name).is_parameter and not is_static
        return SequencePassed(
            op, phrase(op), given, callee, parameter, whence, advice.text, context, rewrite, takes, words, is_handed_in
        )

    return make
