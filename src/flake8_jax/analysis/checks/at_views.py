"""Uses of `x.at` and `x.at[i]` for anything but an update: they are no arrays, and no functions.

x.at[0] = 1.0           nothing can be stored there: the update is `x = x.at[0].set(1.0)`
x.at(0)                 the index stands in brackets
x.at[0] + 1.0           what is read is `x[0]`
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Literal, TypeAlias

from flake8_jax.analysis.checks.instead import INDEX, METHODS, Advice, library_name, of_local_name
from flake8_jax.analysis.checks.naming import scope_of
from flake8_jax.analysis.evidence import CallSite, Need, OutcomeAtCall
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.isolation import ADVICE, advising
from flake8_jax.analysis.objects.array_evidence import array_argument, open_inputs, refuting
from flake8_jax.analysis.summaries.deferral import emit, leave
from flake8_jax.domain.effects import ByAnnotation, EventKey, Finding
from flake8_jax.domain.kinds import ARRAY, ARRAYS_OR_COMPUTED, NOT_AN_ARRAY_OR_OBJECT
from flake8_jax.domain.payload import AT
from flake8_jax.domain.provenance import Context
from flake8_jax.domain.staging import NONE, certain, presumed
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.rewrite import ChangedOp, Piece, Quoted, Rewrite, spelt, unsafe
from flake8_jax.lazy_dataclasses import dataclass, replace

AtForm: TypeAlias = Literal["assign", "delete", "call", "value"]


@dataclass(frozen=True, slots=True)
class AtMisused:
    """A view of an array through `at` is used for something else than an update.

    `view` is its text, `instead` what to write, `rewrite` the changes that write it.
    """

    op: Op
    form: AtForm
    view: str
    instead: str
    context: Context
    rewrite: Rewrite | None = None


@dataclass(frozen=True, slots=True)
class NeedsNoView(Need):
    """An input must be no array where its attribute `at` is used as the table of another library allows it.

    `view` is the op that made the view, `op` what stands in its place.  `is_promised`: annotations alone say that it is
    an array, and the event is presumed.
    """

    view: Op
    form: AtForm
    construct: Op
    is_promised: bool = False

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Violated by an array, also by a tracer."""
        if array_argument(site, self.dependences, True) is not None:
            yield Finding((AtMisused, self.op, ()), self.event(Context(None, site.chain)))
            return
        rest, _ = open_inputs(site, self.dependences, True)
        if rest:
            yield replace(self, dependences=rest)

    @property
    def presumed(self) -> tuple[EventKey, ...]:
        """Presumed where annotations alone promise an array."""
        return ((AtMisused, self.op, ()),) if self.is_promised else ()

    def refuted(self, site: CallSite) -> Iterator[EventKey | ByAnnotation]:
        """Refuted by something else than an array where one is promised, its ground by what nobody knows."""
        promised = self.dependences if self.is_promised else NONE
        return refuting(site, (AtMisused, self.op, ()), promised, lambda one: one.kind in NOT_AN_ARRAY_OR_OBJECT)

    def event(self, context: Context) -> Callable[[], AtMisused]:
        """The event of its violation."""

        def make() -> AtMisused:
            advice = _instead(self.view, self.construct)
            rewrite = advice.rewrite if self.op is self.view or self.form == "call" else None  # a name may be read on
            rewrite = unsafe(rewrite) if context.chain else rewrite  # others may hand in tables
            return AtMisused(self.op, self.form, phrase(self.op), advice.text, context, rewrite)

        return make


def need_no_view(frame: Frame, value: Value, op: Op, form: AtForm, construct: Op) -> None:
    """Report a view of an array through `at` where something else is needed; inputs become preconditions.

    What an annotation alone calls an array may be a reference, whose views are handed on.
    """
    if value.payload is not AT or value.kind not in ARRAYS_OR_COMPUTED or frame.context.is_prepared:
        return
    view = value.made_by if type(op) is ops.Name and value.made_by is not None else op
    sources = presumed(value.dependences) if value.kind is ARRAY else ()
    is_promised, key = bool(sources) and _is_wrong_of_references(op, construct), (AtMisused, op, ())
    needed = NeedsNoView(op, value.dependences, view, form, construct, is_promised)
    if (value.kind is ARRAY and not sources) or certain(value.dependences) is not None:
        emit(frame, key, needed.event(Context()))
        return
    if is_promised:
        emit(frame, key, needed.event(Context()), ground=ByAnnotation(key))
    leave(frame, needed)


def _is_wrong_of_references(op: Op, construct: Op) -> bool:
    """Is it no use of a reference either?  A view of one, `x.at[0]`, can be stored into and handed on."""
    view = op.base if type(op) is ops.Item and type(construct) is not ops.Operate else op
    return type(construct) is ops.Operate or (type(view) is ops.Attr and view.name == "at")


@advising(ADVICE, Advice(""))
def _instead(op: Op, construct: Op) -> Advice:
    """What to write in place of a view `op`, or of the construct that misuses it."""
    if type(construct) is ops.Call and construct.func is op:
        given = tuple(piece for argument in construct.args for piece in (", ", Quoted(argument, INDEX)))
        pieces: tuple[Piece, ...] = (Quoted(op, INDEX, "owner"), "[", *given[1:], "]")
        is_index = (
            bool(given)
            and not construct.keywords
            and all(type(argument) is not ops.Star for argument in construct.args)
        )
        return Advice(f"use `{spelt(*pieces)}`", Rewrite((ChangedOp(construct, pieces),)) if is_index else None)
    if type(op) is not ops.Item or type(op.base) is not ops.Attr:
        return Advice("use `.at[...]`, and what its method returns")
    owner, array, index = op.base.base, Quoted(op.base.base, INDEX, "owner"), Quoted(op, INDEX, "index")
    stored: tuple[Piece, ...] = ()
    if type(construct) is ops.Delete:
        delete = library_name(scope_of(op), "jax.numpy.delete")
        is_index = type(op.index) is not ops.Build and len(construct.targets) == 1
        stored = (array, " = ", delete, "(", array, ", ", Quoted(op.index, INDEX) if is_index else index, ")")
        return Advice(f"use `{spelt(*stored)}`", _binding(owner, stored, construct if is_index else None))
    if type(construct) is ops.Store and construct.value is not None:
        stored = (array, " = ", Quoted(op, INDEX, "owner"), ".set(", Quoted(construct.value, INDEX), ")")
        is_whole = construct.targets == (op,) and construct.kind == "assign"
        return Advice(f"use `{spelt(*stored)}`", _binding(owner, stored, construct if is_whole else None))
    read: tuple[Piece, ...] = (array, "[", index, "]")
    text = f"use `{spelt(*read)}`, or `{spelt(array)} = {phrase(op)}.set(...)`"
    return Advice(text, _of_operator(op, owner, construct) or _reading(op, read, construct))


def _reading(op: ops.Item, read: tuple[Piece, ...], construct: Op) -> Rewrite | None:
    """The element is read; where it is an operand, an update may be meant just as well."""
    rewrite = Rewrite((ChangedOp(op, read),))
    return unsafe(rewrite) if type(construct) is ops.Operate and len(construct.operands) > 1 else rewrite


def _of_operator(op: ops.Item, owner: Op, construct: Op) -> Rewrite | None:
    """The update that an operator means: of `x.at[i] += y`, and of `x = x.at[i] * y`."""
    if type(construct) is not ops.Operate or construct.operands[0] is not op or len(construct.operands) != 2:
        return None
    method = METHODS.get(construct.operator)
    update: tuple[Piece, ...] = (Quoted(op, INDEX, "owner"), f".{method}(", Quoted(construct.operands[1], INDEX), ")")
    if method and construct.in_place:
        return _binding(owner, (Quoted(owner, INDEX), " = ", *update), construct)
    line = op.anchor.origin.source.lines[op.anchor.line - 1]
    is_bound = type(owner) is ops.Name and re.match(rf"\s*{owner.name}\s*=", line) is not None
    return Rewrite((ChangedOp(construct, update),)) if method and is_bound else None


def _binding(owner: Op, pieces: tuple[Piece, ...], statement: Op | None) -> Rewrite | None:
    """A statement that binds a local name anew in place of another."""
    scope = scope_of(owner)
    if statement is None or type(owner) is not ops.Name or scope is None:
        return None
    return of_local_name(owner, scope, Rewrite((ChangedOp(statement, pieces, is_statement=True),)))
