"""What runs where JAX stages nothing: below `with jax.disable_jit():`, or after the setting.

with jax.disable_jit():
    search(env.step)            loops are loops of Python there: `step` gets arrays, and `search` itself, if no other
                                call of it is seen
if "jax" in np.__name__:        no call of `series` at all, if `np` is NumPy and only this arm names it
    spence = jax.vmap(series)
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from flake8_jax.analysis.callables import FunctionValue
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.analysis.record import Record
from flake8_jax.domain.effects import AnyFinding, Event, FindingByCalls
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.ops import Branch, Function

OF_VALUES = frozenset(("mapped by", "differentiated by"))
"""How a function is related to what hands it tracers all the same."""


def needs_stages(finding: AnyFinding) -> bool:
    """Is it of traced code, and nothing is left of it where JAX stages nothing?"""
    return isinstance(finding, FindingByCalls) or is_staged(finding.make())


def note_caller(frame: Frame, function: FunctionValue) -> None:
    """Record which function calls which, apart from calls made where JAX stages nothing."""
    around = frame
    while around.parent is not None and around.parent.function.kind == "def":
        around = around.parent
    caller = None if frame.context.is_unstaged else around.function
    frame.program.record.callers.add((function.function, caller))


def note_uncalled(frame: Frame, branch: Branch, is_then: bool) -> None:
    """Record that nothing in an arm of a test is run: functions that nobody else calls run in no trace.

    One that is decorated with a transform is traced whoever calls it.
    """
    for op in chains_of(frame.function).names_in_arm(branch, is_then):
        held = peek(frame, op)
        if held is not None and isinstance(held.payload, FunctionValue):
            frame.program.record.callers.add((held.payload.function, None))


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
