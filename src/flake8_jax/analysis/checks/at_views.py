"""Uses of `x.at` and `x.at[i]` for anything but an update: they are no arrays, and no functions.

x.at[0] = 1.0           nothing can be stored there: the update is `x = x.at[0].set(1.0)`
x.at(0)                 the index stands in brackets
x.at[0] + 1.0           what is read is `x[0]`
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from flake8_jax.analysis.checks.naming import imported_as, scope_of
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.array_evidence import NO_ARRAYS, array_argument, undecided
from flake8_jax.analysis.summaries.deferral import emit, presume
from flake8_jax.domain.conditions import ALWAYS, Path
from flake8_jax.domain.payload import AT
from flake8_jax.domain.provenance import Context, Hop
from flake8_jax.domain.staging import Dependences, certain, in_order, presumed
from flake8_jax.domain.summary import ByAnnotation, CallSite
from flake8_jax.domain.value import ARRAY, COMPUTED, INSTANCE, OBJECT, UNKNOWN, Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import index_phrase, phrase

AtForm: TypeAlias = Literal["assign", "delete", "call", "value"]
OTHERS = NO_ARRAYS | {INSTANCE, OBJECT}


@dataclass(frozen=True, slots=True)
class AtMisused:
    """A view of an array through `at` is used for something else than an update.

    `view` is its text, `instead` what to write.
    """

    op: Op
    form: AtForm
    view: str
    instead: str
    context: Context


@dataclass(frozen=True, slots=True)
class NeedsNoView:
    """An input must be no array where its attribute `at` is used as the table of another library allows it.

    `view` is the op that made the view, `op` what stands in its place.  `is_promised`: annotations alone say that it is
    an array, and the event is presumed.
    """

    op: Op
    view: Op
    form: AtForm
    construct: Op
    dependences: Dependences
    is_promised: bool = False
    when: Path = ALWAYS
    chain: tuple[Hop, ...] = ()

    def apply(self, site: CallSite, when: Path, chain: tuple[Hop, ...]) -> None:
        """Violated by an array, also by a tracer."""
        self.allow(site)
        if array_argument(site, self.dependences, True) is not None:
            site.report((AtMisused, self.op, ()), self.event(Context(None, chain)), when)
            return
        rest, _ = undecided(site, self.dependences, True)
        if rest:
            site.require(replace(self, dependences=rest, when=site.assume(when), chain=chain))

    def allow(self, site: CallSite) -> None:
        """Note that something else than an array, or something unknown, is handed in where one is promised."""
        for source in in_order(self.dependences) if self.is_promised else ():
            actual = site.resolve(source)
            if actual is not None and actual.kind in OTHERS:
                site.refute((AtMisused, self.op, ()))
            elif actual is not None and actual.kind is UNKNOWN:
                site.refute(ByAnnotation((AtMisused, self.op, ())))

    def event(self, context: Context) -> Callable[[], AtMisused]:
        """The event of its violation."""
        return lambda: AtMisused(self.op, self.form, phrase(self.op), _instead(self.view, self.construct), context)


def need_no_view(frame: Frame, value: Value, op: Op, form: AtForm, construct: Op) -> None:
    """Report a view of an array through `at` where something else is needed; inputs become preconditions.

    What an annotation alone calls an array may be a reference, whose views are handed on.
    """
    if value.payload is not AT or value.kind not in (ARRAY, COMPUTED) or frame.context.is_prepared:
        return
    view = value.made_by if type(op) is ops.Name and value.made_by is not None else op
    sources = presumed(value.dependences) if value.kind is ARRAY else ()
    is_promised, key = bool(sources) and _is_wrong_of_references(op, construct), (AtMisused, op, ())
    needed = NeedsNoView(op, view, form, construct, value.dependences, is_promised, frame.path)
    if (value.kind is ARRAY and not sources) or certain(value.dependences) is not None:
        emit(frame, key, needed.event(Context()))
        return
    if is_promised:
        presume(frame, key, needed.event(Context()), ByAnnotation(key))
    frame.summary.requires.require(needed)


def _is_wrong_of_references(op: Op, construct: Op) -> bool:
    """Is it no use of a reference either?  A view of one, `x.at[0]`, can be stored into and handed on."""
    view = op.base if type(op) is ops.Item and type(construct) is not ops.Operate else op
    return type(construct) is ops.Operate or (type(view) is ops.Attr and view.name == "at")


def _instead(op: Op, construct: Op) -> str:
    if type(construct) is ops.Call and construct.func is op:
        return f"use `{phrase(op)}[{', '.join(map(phrase, construct.args))}]`"
    if type(op) is not ops.Item or type(op.base) is not ops.Attr:
        return "use `.at[...]`, and what its method returns"
    array, index = phrase(op.base.base), index_phrase(op.index)
    if type(construct) is ops.Delete:
        return f"use `{array} = {imported_as(scope_of(op), 'jax.numpy.delete')}({array}, {index})`"
    if type(construct) is ops.Store and construct.value is not None:
        return f"use `{array} = {phrase(op)}.set({phrase(construct.value)})`"
    return f"use `{array}[{index}]`, or `{array} = {phrase(op)}.set(...)`"
