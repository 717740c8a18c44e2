"""Uses of keys: one mechanism for every way in which a key can be drawn from twice.

A use is kept with its path and the loop iterations in which it was made; a further use is an event if one run can take
both paths.  A part of a key array and the whole array use up each other; two parts do not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Literal, TypeAlias

from flake8_jax.analysis.callables import Arguments
from flake8_jax.analysis.checks.independence import belong_together, is_only_likely
from flake8_jax.analysis.checks.instead import pass_in, split_first
from flake8_jax.analysis.checks.key_relations import related, targets
from flake8_jax.analysis.checks.naming import name_of
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.liveness.callees import code_of
from flake8_jax.analysis.liveness.reading import readings
from flake8_jax.analysis.program import Program
from flake8_jax.analysis.summaries.deferral import emit
from flake8_jax.domain.key_parts import KeyPart
from flake8_jax.domain.payload import Key
from flake8_jax.domain.provenance import Context, Use
from flake8_jax.domain.resources import (
    MAXIMUM_DEPTH,
    MAXIMUM_DRAWS,
    ByFunction,
    DrawSite,
    Means,
    Used,
    crosses_iterations,
    is_compatible,
    unite_uses,
)
from flake8_jax.domain.staging import Input
from flake8_jax.domain.summary import Sink
from flake8_jax.domain.value import ARRAY, COMPUTED, INPUT, KEY, KEYS, UNKNOWN, Value, steps_to
from flake8_jax.ir.ops import Call, Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.syntax.positions import spelling

CAN_BE_KEY = frozenset((KEY, KEYS, INPUT, UNKNOWN, ARRAY, COMPUTED))
"""Keys are annotated as arrays, and raw ones are arrays; what is drawn from is a key."""
ReuseForm: TypeAlias = Literal["again", "display", "call", "captured"]


@dataclass(frozen=True, slots=True)
class Inside:
    """How a function that is called comes to the key.

    `below`: the access path to it from the argument; `name`: what the function calls it; `use`: where it uses it up.
    """

    below: str = ""
    name: str = ""
    use: Use | None = None


NOWHERE = Inside()


@dataclass(frozen=True, slots=True)
class KeyConsumed:
    """A key is used up a second time.

    It is reported at the argument that is the key, or at the call if the key comes in hidden.  `key` is its text, ""
    where no name leads to it; `use` is this use, `earlier` those before it on a compatible path; `across_iterations`:
    every earlier one belongs to an earlier iteration of a loop; `reuse` says how the uses meet: one after the other
    ("again"), in one display such as an rngs dict ("display"), by one call ("call"), by calls of a function that draws
    from a captured or bound key ("captured"); `instead` is what to write.  It is not `is_certain` where the uses may be
    alike on purpose.
    """

    op: Op
    key: str
    use: Use
    earlier: tuple[Use, ...]
    reuse: ReuseForm
    across_iterations: bool
    instead: str
    context: Context
    is_certain: bool = True


@dataclass(frozen=True, slots=True)
class HiddenDraws:
    """The draws in a callee that use up a key, with the callee's arguments, by parameter."""

    inner: tuple[DrawSite, ...]
    arguments: tuple[tuple[str, Value], ...]
    is_method: bool


def consume(
    frame: Frame, value: Value, op: Op, place: Op | None, by: str,
    reuse: ReuseForm = "again", means: Means = None, inside: Inside = NOWHERE, hidden: HiddenDraws | None = None,
) -> None:  # fmt: skip
    """Use up a key: report it if it was used up before on a compatible path.

    The key is used up by `by` at `op`; `place` is the op of the argument, or of the object that `inside` leads on from;
    `means` distinguishes uses.
    """
    if value.kind not in CAN_BE_KEY:
        return
    value = value.original
    state = frame.live()
    use = Use(frame.namespace.path, op.anchor.line, by, inside.use)
    draw = _draw(frame, op, means, hidden)
    used = Used(op, use, state.path, frame.iterations, means, draw)
    found = related(state, value, frame.iterations)
    earlier = [
        one for one in found
        if is_compatible(one, state.path) and not belong_together(one, used) and not _is_copy_on_purpose(frame, one, op)
    ]  # fmt: skip
    if earlier and value not in frame.program.record.reported:
        certain, likely = _harmful(frame, earlier, used)
        if not any(found[one] for one in certain):
            certain, likely = [], [*certain, *likely]
        if certain or likely:
            _report(frame, value, place, inside, used, certain or likely, reuse, bool(certain))
    mine = state.used.get(value, ())
    state.used[value] = unite_uses(mine, (used,))
    _tell_callers(frame, value, used)


def _harmful(frame: Frame, earlier: list[Used], used: Used) -> tuple[list[Used], list[Used]]:
    """The earlier uses whose results are read as well as those of this one: certainly so, and perhaps on purpose."""
    if all(crosses_iterations(one, frame.iterations) for one in earlier):
        return earlier, []
    certain: list[Used] = []
    likely: list[Used] = []
    for one in earlier:
        if one.draw is None or used.draw is None:
            continue
        found = readings(one.draw, used.draw)
        if found.are_both:
            is_certain = found.is_chained or not is_only_likely(one, used)
            (certain if is_certain else likely).append(one)
    return certain, likely


def _draw(frame: Frame, op: Op, means: Means, hidden: HiddenDraws | None) -> DrawSite:
    by = means.name if isinstance(means, ByFunction) else ""
    if hidden is None:
        return DrawSite(op, code_of(frame), by)
    inner = tuple(one for one in hidden.inner[:MAXIMUM_DRAWS] if one.depth < MAXIMUM_DEPTH)
    depth = 1 + max((one.depth for one in inner), default=0)
    return DrawSite(op, code_of(frame), by, inner, hidden.arguments, hidden.is_method, depth)


def _is_copy_on_purpose(frame: Frame, earlier: Used, op: Op) -> bool:
    """Is it the same call again, for a network that starts as a copy?

    For example `target = init(key, x)` beside `params = init(key, x)`.
    """
    return frame.context.makes_copy and phrase(earlier.op, 200) == phrase(op, 200)


def _report(
    frame: Frame, value: Value, place: Op | None, inside: Inside,
    used: Used, earlier: list[Used], reuse: ReuseForm, is_certain: bool,
) -> None:  # fmt: skip
    op, use = used.op, used.use
    crossing = all(crosses_iterations(one, frame.iterations) for one in earlier)
    uses = tuple(dict.fromkeys(one.use for one in earlier if crossing or not crosses_iterations(one, frame.iterations)))
    if any(one.op is op and not crosses_iterations(one, frame.iterations) for one in earlier):
        reuse = "call"
    at = place if place is not None and not inside.below and _is_argument(op, place) else op

    def make() -> KeyConsumed:
        key = f"{phrase(place)}{inside.below}" if place is not None else name_of(frame, value) or inside.name
        is_kept = reuse == "captured" or (at is op and key.isidentifier() and not _mentions(op, key))
        instead = pass_in(use.by) if is_kept else split_first(frame, key, value)
        return KeyConsumed(at, key, use, uses, reuse, crossing, instead, Context(), is_certain)

    emit(frame, (KeyConsumed, at, (crossing, is_certain)), make)


def _mentions(op: Op, name: str) -> bool:
    """Does a name stand in the text of a call?"""
    return name in re.findall(r"\w+", spelling(op) or "")


def _is_argument(op: Op, place: Op) -> bool:
    """Is an op written as an argument of a call?"""
    if type(op) is not Call:
        return False
    return place in op.args or any(value is place for _, value in op.keywords)


def _tell_callers(frame: Frame, value: Value, used: Used) -> None:
    """Add a sink to the summary, for a key that is an input or captured."""
    is_itself = value.kind in (KEY, KEYS) and _is_outside(frame, value)
    for target in [value] if is_itself else targets(value):
        source = target if isinstance(target, Input) else input_behind(target)
        if source is not None or (isinstance(target, Value) and _is_outside(frame, target)):
            frame.summary.requires.sinks.append(Sink(source or target, used.use, frame.path, used.draw))


def _is_outside(frame: Frame, value: Value) -> bool:
    return value.kind in (KEY, KEYS) and frame.parent is not None and not _made_here(frame, value)


def input_behind(value: Value) -> Input | None:
    """The input that a value is, if it is one."""
    if value.input is not None:
        return value.input
    if len(value.dependences) == 1 and value.kind in (KEY, KEYS, ARRAY):
        (only,) = value.dependences
        if isinstance(only, Input) and (value.kind is not ARRAY or _is_as_declared(value, only)):
            return only
    return None


def _is_as_declared(value: Value, source: Input) -> bool:
    """Is an array an unmodified parameter, or a field of one, that is declared as an array?"""
    return value.made_by is None or (source.parent is not None and source.is_declared)


def _made_here(frame: Frame, value: Value) -> bool:
    known = (value, value.payload.whole) if isinstance(value.payload, KeyPart) else (value,)
    outside = frame.summary.outside.captured.values()
    if any(steps_to(captured, one) is not None for captured in outside for one in known):
        return False
    return not any(one in frame.program.linked.globals for one in known)


def check_display(frame: Frame, display: Value, parts: dict[Key, Value], places: dict[Key, Op]) -> None:
    """Report one key under two names of a dict display, whose receiver draws from it twice."""
    keys = {name: value for name, value in parts.items() if value.kind is KEY and isinstance(name, str)}
    if len(set(keys.values())) < len(keys):
        _report_display(frame, display, keys, {name: places[name] for name in keys})


def _report_display(frame: Frame, display: Value, keys: dict[str, Value], places: Mapping[str, Op]) -> None:
    seen: dict[Value, str] = {}
    for name, value in keys.items():
        place = places[name]
        if value not in seen:
            seen[value] = name
            continue
        use = Use(frame.namespace.path, place.anchor.line, name)
        first = Use(frame.namespace.path, places[seen[value]].anchor.line, seen[value])
        instead = split_first(frame, phrase(place), value)
        make = partial(KeyConsumed, place, phrase(place), use, (first,), "display", False, instead, Context())
        frame.program.record.displays.append((display, (KeyConsumed, place, (False, True)), make))
        _excuse(frame, value)


def emit_displays(program: Program) -> None:
    """Report the events of displays, except those that were only passed to a function run for shapes."""
    for display, key, make in program.record.displays:
        if display not in program.record.abstract:
            program.record.emit(key, partial(make, display not in program.record.setups))


def check_keywords(frame: Frame, display: Value, arguments: Arguments) -> None:
    """Report one key under two names of a dict call, as in `dict(params=key, dropout=key)`."""
    keys = {name: value for name, value in arguments.keywords.items() if value.kind is KEY}
    if len(set(keys.values())) < len(keys):
        _report_display(frame, display, keys, arguments.keyword_ops)


def _excuse(frame: Frame, value: Value) -> None:
    """Mark a key as reported: later draws from it are the same mistake."""
    frame.program.record.reported.add(value)
