"""What runs where JAX stages nothing: below `with jax.disable_jit():`, or after the setting.

with jax.disable_jit():
    search(env.step)            loops are loops of Python there: `step` gets arrays, and `search` itself, if no other
                                call of it is seen
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable

from flake8_jax.analysis.callables import FunctionValue
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.record import Record
from flake8_jax.domain.summary import Event, EventKey, EventRecorder, Ground, Repeated
from flake8_jax.ir.ops import Function

OF_VALUES = frozenset(("mapped by", "differentiated by"))
"""How a function is related to what hands it tracers all the same."""


def without_stages(send: Callable[[EventRecorder], None]) -> Callable[[EventRecorder], None]:
    """What reports something, but of events in traced code only those whose tracers do not come of staging."""
    return lambda record: send(_WithoutStages(record))


def note_caller(frame: Frame, function: FunctionValue) -> None:
    """Record the function that calls one, none where nothing is staged."""
    around = frame
    while around.parent is not None and around.parent.function.kind == "def":
        around = around.parent
    caller = None if frame.context.is_unstaged else around.function
    frame.program.record.callers.add((function.function, caller))


def is_staged(event: Event) -> bool:
    """Is an event in traced code, of which nothing is left where JAX stages nothing?"""
    return event.context.trace is not None and event.context.trace.role not in OF_VALUES


def never_staged(records: Iterable[Record]) -> tuple[set[Function], set[tuple[str, str, int]]]:
    """The functions of which all calls are made where nothing is staged, and the places of such transformed ones."""
    records = list(records)
    calls: Counter[tuple[str, str, int]] = Counter()
    places = {place for record in records for place in record.unstaged}
    callers: defaultdict[Function, set[Function | None]] = defaultdict(set)
    for record in records:
        for function, caller in record.callers:
            callers[function].add(caller)
        if places:
            calls.update(record.calls)
    found: set[Function] = set()
    more = {function for function, known in callers.items() if known == {None}}
    while more:
        found |= more
        more = {function for function, known in callers.items() if known <= found | {None}} - found
    return found, {place for place in places if not calls[place]}


class _WithoutStages:
    """A recorder that leaves out what happens in staged code alone."""

    __slots__ = ("_record",)

    def __init__(self, record: EventRecorder) -> None:
        self._record = record

    def emit(self, key: EventKey, make: Callable[[], Event]) -> None:
        """Record an event, once for each key."""
        event = make()
        if not is_staged(event):
            self._record.emit(key, lambda: event)

    def presume(self, key: EventKey, make: Callable[[], Event], ground: Ground) -> None:
        """Record an event that holds unless its key or ground is refuted."""
        event = make()
        if not is_staged(event):
            self._record.presume(key, lambda: event, ground)

    def emit_repeated(self, repeated: Repeated) -> None:
        """Record nothing: it is certain only if a traced function is called more than once."""
