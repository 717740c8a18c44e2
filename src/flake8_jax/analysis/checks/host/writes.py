"""Writes of NumPy into what shows the memory of a JAX array: they are refused.

a = np.asarray(x)       a read-only view of `x`
a[0] = 1                refused, like `a += 1`, `a.sort()`, `np.copyto(a, b)` and `np.add(a, 1, out=a)`
def zero(a): a[:] = 0   precondition of `zero`: `a` is no such view
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import ClassVar

from flake8_jax.analysis.callables import Arguments
from flake8_jax.analysis.checks.host.buffers import HostBufferWritten, check_refilled
from flake8_jax.analysis.checks.naming import imported_as, scope_of
from flake8_jax.analysis.evidence import CallSite, Need, OutcomeAtCall
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.isolation import ADVICE, advising
from flake8_jax.analysis.objects.array_evidence import array_argument, open_inputs
from flake8_jax.analysis.objects.host_views import is_on_host
from flake8_jax.analysis.objects.pending import PENDING
from flake8_jax.analysis.summaries.deferral import emit, leave
from flake8_jax.domain.effects import Finding
from flake8_jax.domain.host_views import ReadOnly, holder_of
from flake8_jax.domain.kinds import HARMLESS_AS_ARGUMENT, INPUT, NUMPY, Kind
from flake8_jax.domain.payload import MethodOf
from flake8_jax.domain.provenance import Context, Hop
from flake8_jax.domain.staging import NONE, Dependences, Input
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.lazy_dataclasses import dataclass, replace

METHODS = frozenset(("fill", "sort", "partition", "put", "itemset", "setfield"))
"""The methods of NumPy's arrays that write into them."""

FUNCTIONS = frozenset(
    f"numpy.{name}" for name in ("copyto", "put", "place", "putmask", "put_along_axis", "fill_diagonal",
                                 "random.shuffle")
) | {"random.shuffle"}  # fmt: skip
"""The functions that write into their first argument."""


@dataclass(frozen=True, slots=True)
class NeedsWritable(Need):
    """An input must be no view of a JAX array where it is written into.

    With a `view` of it, which is written into, it must be no such array itself.
    """

    harmless: ClassVar[frozenset[Kind]] = HARMLESS_AS_ARGUMENT - {NUMPY}
    target: Op
    view: ReadOnly | None = None

    @property
    def identity(self) -> Hashable:
        """Of an input, the first one."""
        return self.dependences if self.view is None else self

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Violated by a view; an input that may be one is left to the callers."""
        view, rest = self._given(site)
        if view is not None and not view.sources:
            event = written(self.op, self.target, view, Context(None, site.chain))
            yield Finding((HostBufferWritten, self.op, ()), event)
        elif rest:
            yield replace(self, dependences=rest, view=view)

    def _given(self, site: CallSite) -> tuple[ReadOnly | None, Dependences]:
        """The view that is written into, and the inputs on which it depends whether it is one."""
        if self.view is not None:
            actual = array_argument(site, self.dependences, True)
            if actual is not None:
                return (replace(self.view, sources=NONE) if is_on_host(actual) else None), NONE
            return self.view, open_inputs(site, self.dependences, True)[0]
        source = next(iter(self.dependences)) if len(self.dependences) == 1 else None
        actual = site.resolve(source) if type(source) is Input else None
        if actual is not None and actual.kind is NUMPY and type(actual.payload) is ReadOnly:
            return (None if actual.payload.is_item else actual.payload), actual.payload.sources
        if actual is not None and actual.kind is NUMPY and (held := holder_of(actual)) is not None:
            return None, frozenset((held,))
        return None, frozenset((actual.input,)) if actual is not None and actual.input is not None else NONE


def need_writable(frame: Frame, op: Op, target: Op, base: Value, is_rebound: bool = False) -> None:
    """Report a write into a view of a JAX array; inputs become preconditions.

    A number is no view, if it is a name that `is_rebound`.
    """
    view = base.payload
    if frame.state is not None and PENDING in frame.state.used and base.kind is NUMPY:
        check_refilled(frame, op, target, base)
    if base.kind is NUMPY and (held := holder_of(base)) is not None:
        leave(frame, NeedsWritable(op, frozenset((held,)), target))
    if base.kind is not INPUT and (base.kind is not NUMPY or type(view) is not ReadOnly):
        return
    if frame.is_expected or _asks_whether_writable(frame):
        return
    if type(view) is ReadOnly:
        if view.is_item and is_rebound:
            return
        if not view.sources:
            emit(frame, (HostBufferWritten, op, ()), written(op, target, view, Context()))
        else:
            leave(frame, NeedsWritable(op, view.sources, target, view))
    elif base.input is not None and not is_rebound:
        leave(frame, NeedsWritable(op, frozenset((base.input,)), target))


def check_writing(frame: Frame, op: Op, name: str, arguments: Arguments) -> None:
    """Report a call of a library that writes into an argument."""
    target = arguments.written(0) if name in FUNCTIONS else None
    if target is not None:
        need_writable(frame, op, target, arguments.positional[0])
    out = arguments.keyword_ops.get("out") if name.startswith("numpy.") else None
    if out is not None:
        need_writable(frame, op, out, arguments.keywords["out"])


def unlocks(name: str, arguments: Arguments) -> bool:
    """Is a method told to make an array writable, which a view of an array of JAX refuses?"""
    asked = arguments.get(0, "write") if name == "setflags" else None
    return asked is not None and asked.constant in (True, 1)


def check_unlocking(frame: Frame, op: ops.Attr, flags: Value, value: Value) -> None:
    """Report `a.flags.writeable = True` where `a` is a view."""
    payload = flags.payload
    if type(payload) is MethodOf and payload.name == "flags" and value.constant is True and type(op.base) is ops.Attr:
        need_writable(frame, op, op.base.base, payload.base)


def _asks_whether_writable(frame: Frame) -> bool:
    """Is it tested on the path whether an array can be written into?"""
    return any(
        type(fact.subject.made_by) is ops.Attr and fact.subject.made_by.name == "writeable" for fact in frame.path
    )


def written(op: Op, target: Op, view: ReadOnly, context: Context) -> Callable[[], HostBufferWritten]:
    """The event of a write into a view."""

    def make() -> HostBufferWritten:
        made = view.made
        where = Hop(made.anchor.origin.shown, made.anchor.line, "made")
        return HostBufferWritten(op, "view", phrase(target), phrase(made), where, False, _instead(view), context)

    return make


@advising(ADVICE, "")
def _instead(view: ReadOnly) -> str:
    """The call that copies, in place of the one that does not."""
    made = view.made
    scope = scope_of(made)
    copying = imported_as(scope, "numpy.array")
    source = phrase(made.args[-1 if view.is_leaf else 0]) if type(made) is ops.Call and made.args else phrase(made)
    if view.is_leaf:
        return f"use `{imported_as(scope, 'jax.tree.map')}({copying}, {source})`, which copies"
    return f"use `{copying}({source})`, which copies"
