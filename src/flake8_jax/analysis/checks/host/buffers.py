"""Buffers of NumPy that JAX was handed, filled again before anything waits for JAX.

buf[:] = load(i)                JAX may share the memory of `buf` (aligned), or copy it later (large)
xs.append(jax.device_put(buf))  the hand-over: pending until something waits for values of JAX
buf[:] = load(j)                filled again: what is in `xs` changes, if it is read afterwards
float(step(buf))                waits: nothing is pending then
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from flake8_jax.analysis.callables import Arguments
from flake8_jax.analysis.checks.naming import imported_as, scope_of
from flake8_jax.analysis.checks.wording import callee_text
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.isolation import ADVICE, advising
from flake8_jax.analysis.labels.callees import code_of
from flake8_jax.analysis.labels.questions import is_read_after
from flake8_jax.analysis.objects.host_views import VIEWS
from flake8_jax.analysis.objects.pending import PENDING
from flake8_jax.analysis.objects.stated import dtype_of
from flake8_jax.analysis.summaries.deferral import emit
from flake8_jax.domain.constants import NOTHING
from flake8_jax.domain.host_views import Buffer, BufferPart, HandOver
from flake8_jax.domain.kinds import CONTAINERS, NUMPY
from flake8_jax.domain.provenance import Context, Hop, Use
from flake8_jax.domain.resources import DrawSite, Shared, Used, is_compatible, loops_between
from flake8_jax.domain.staging import certain
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.lazy_dataclasses import dataclass
from flake8_jax.syntax.positions import line_of

COPYING, CONVERTING = "jax.numpy.array", "jax.numpy.asarray"
HANDING = frozenset((COPYING, CONVERTING, "jax.device_put"))
LARGE = 1 << 17
"""How many bytes a buffer has that JAX copies later, and not at once: measured."""

ALL = HandOver()


@dataclass(frozen=True, slots=True)
class HostBufferWritten:
    """NumPy writes into memory that it shares with a JAX array.

    `form`: a read-only "view" of an array, or a buffer that JAX was "handed" and may still read, in an earlier
    iteration of a loop if it `is_earlier`.  `subject` is its text, `call` that of the call that made the view or handed
    the buffer over, at `origin`; `instead` is what to write.
    """

    op: Op
    form: Literal["view", "handed"]
    subject: str
    call: str
    origin: Hop
    is_earlier: bool
    instead: str
    context: Context


def check_handed(frame: Frame, op: Op, name: str, arguments: Arguments) -> None:
    """Note a buffer that a function of JAX is handed, unless a copy is asked for."""
    if not arguments.positional or arguments.is_open:
        return
    how = HandOver()
    if name in (COPYING, CONVERTING):
        copy, dtype = arguments.keywords.get("copy"), arguments.get(1, "dtype")
        asked = dtype_of(dtype) if dtype is not None and dtype.payload != NOTHING else ""
        if asked is None or (copy is not None and copy.constant is True):
            return
        how = HandOver(LARGE if name == COPYING or not asked else 0, asked or None)
    note_passed_buffers(frame, op, (arguments.positional[0],), how)


def note_passed_buffers(frame: Frame, op: Op, values: tuple[Value, ...], how: HandOver = ALL) -> None:
    """Note the buffers among values that JAX is handed; inputs are left to callers."""
    if certain(frame.ambient) is not None or frame.state is None:
        return
    for value in values:
        if value.kind in CONTAINERS:
            note_passed_buffers(frame, op, tuple(value.parts), how)
        elif value.input is not None:
            frame.summary.requires.handed.setdefault(value.input, how)
        elif value.kind is NUMPY and type(value.payload) is Buffer and how.takes(value.payload):
            _note(frame, op, value)


def _note(frame: Frame, op: Op, buffer: Value) -> None:
    state = frame.live()
    use = Use(frame.namespace.path, line_of(op), callee_text(op, "JAX"))
    draw = DrawSite(op, code_of(frame))
    used = Used(op, use, state.path, frame.iterations, Shared(buffer), draw)
    state.used.add(PENDING, (used,))


def check_refilled(frame: Frame, op: Op, target: Op, base: Value) -> None:
    """Report a write into a buffer that JAX may still read, if what was made of it is read afterwards."""
    state = frame.live()
    if type(base.payload) is BufferPart:
        base, target = base.payload.buffer, _around(target)
    pending = state.used.get(PENDING)
    for used in pending:
        if used.means != Shared(base) or not is_compatible(used, state.path) or used.draw is None:
            continue
        loops = loops_between(used, frame.iterations)
        if used.op is op or not is_read_after(used.draw, op, loops[0] if loops else None):
            continue
        emit(frame, (HostBufferWritten, op, ()), _written(op, target, used, bool(loops)))
        state.used.set(PENDING, tuple(one for one in pending if one.means != Shared(base)))
        return


def _around(target: Op) -> Op:
    """The whole array that a part of a buffer belongs to."""
    while type(target) is ops.Item or (type(target) is ops.Attr and target.name in VIEWS):
        target = target.base
    return target


def _written(op: Op, target: Op, used: Used, is_earlier: bool) -> Callable[[], HostBufferWritten]:
    use, name = used.use, phrase(target)
    where = Hop(use.path, use.line, "handed over")
    return lambda: HostBufferWritten(
        op, "handed", name, use.by, where, is_earlier, _instead(used.op, target), Context()
    )  # fmt: skip


@advising(ADVICE, "")
def _instead(handing: Op, target: Op) -> str:
    copying = imported_as(scope_of(handing), "numpy.array")
    return f"pass a copy, `{copying}({phrase(target)})`, or fill a new array each time"
