"""One key under two names of a dict, whose receiver draws from it twice.

model.init({"params": key, "dropout": key}, x)      reported at the second, unless only shapes are asked for
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from flake8_jax.analysis.callables import Arguments
from flake8_jax.analysis.checks.instead import is_single, split_first
from flake8_jax.analysis.checks.keys.smoke_tests import is_smoke_test
from flake8_jax.analysis.checks.keys.uses import KeyConsumed
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.program import Program
from flake8_jax.domain.kinds import DICT, KEY
from flake8_jax.domain.payload import Entries, Key, Same
from flake8_jax.domain.provenance import CERTAIN, Context, Use, certain_if
from flake8_jax.domain.value import Value
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase


def check_display(frame: Frame, display: Value, parts: dict[Key, Value], places: dict[Key, Op]) -> None:
    """Report one key under two names of a dict display, whose receiver draws from it twice."""
    keys = {name: value for name, value in parts.items() if value.kind is KEY and isinstance(name, str)}
    if len(set(keys.values())) < len(keys) and not is_smoke_test(frame, next(iter(places.values()))):
        _report_display(frame, display, keys, {name: places[name] for name in keys})


def one_under_each(frame: Frame, op: Op, names: Value, part: Value, place: Op) -> Value:
    """A dict that holds one value under each of some names: `dict.fromkeys(names, key)`, `{n: key for n in names}`."""
    held = frame.live().contents(names)
    texts = [*(held.entries or ()), *(one.constant for one in held.elements or ())]
    known = [text for text in texts if isinstance(text, str)]
    if not known or len(known) < len(texts):
        return Value(DICT, payload=Same(part), made_by=op)
    parts: dict[Key, Value] = dict.fromkeys(known, part)
    found = Value(DICT, payload=Entries(parts), made_by=op)
    check_display(frame, found, parts, dict.fromkeys(known, place))
    return found


def _report_display(frame: Frame, display: Value, keys: dict[str, Value], places: Mapping[str, Op]) -> None:
    seen: dict[Value, str] = {}
    for name, value in keys.items():
        place = places[name]
        if value not in seen:
            seen[value] = name
            continue
        use = Use(frame.namespace.path, place.anchor.line, name)
        first = Use(frame.namespace.path, places[seen[value]].anchor.line, seen[value])
        instead = split_first(frame, not is_single(value))
        make = partial(KeyConsumed, place, phrase(place), use, (first,), "display", instead)
        frame.program.record.displays.append((display, (KeyConsumed, place, CERTAIN), make))
        _excuse(frame, value)


def emit_displays(program: Program) -> None:
    """Report the events of displays, except those that were only passed to a function run for shapes."""
    for display, key, make in program.record.displays:
        if display not in program.record.abstract:
            context = Context(certainty=certain_if(display not in program.record.setups))
            program.record.emit(key, partial(make, context))


def check_keywords(frame: Frame, display: Value, arguments: Arguments) -> None:
    """Report one key under two names of a dict call, as in `dict(params=key, dropout=key)`."""
    keys = {name: value for name, value in arguments.keywords.items() if value.kind is KEY}
    if len(set(keys.values())) < len(keys):
        _report_display(frame, display, keys, arguments.keyword_ops)


def _excuse(frame: Frame, value: Value) -> None:
    """Mark a key as reported, so that later draws from it are not reported again."""
    frame.program.record.reported.add(value)
