"""Global dicts and lists that statements of their module fill: what each entry is.

REGISTRY = {}
def register(name):
    def decorator(f):
        REGISTRY[name] = f              an entry, of which the name and the function are inputs
        return f
    return decorator
@register("relu")
def relu(x): ...                        here both are known: `REGISTRY["relu"]` is `relu`
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TypeAlias

from flake8_jax.analysis.frame import Frame
from flake8_jax.domain.conditions import ALWAYS, equal
from flake8_jax.domain.flags import texts_of
from flake8_jax.domain.kinds import INPUT, LISTS_AND_DICTS, REGISTERED
from flake8_jax.domain.payload import Entries, ItemIndex, Key
from flake8_jax.domain.summary import RegistryEntry
from flake8_jax.domain.value import Value, one_of

Pairs: TypeAlias = "list[tuple[Key | None, Value]]"
"""Keys and entries, in order; None for a key that is not known."""

FILLS = r"\b{name}\s*(?:\[[^\]]*\]\s*=(?!=)|\.(?:append|update|setdefault)\()"
"""The text of what fills a dict or list of this name."""

WRITTEN = frozenset((bool, int, str))
"""The types of keys that are compared."""

MAXIMUM_ENTRIES = 4
"""How many entries a function is known to make."""


def note_entry(frame: Frame, base: Value, index: ItemIndex, value: Value) -> None:
    """Record that something callable is put into a global dict or list, by a function or by the module itself."""
    linked = frame.program.linked
    if base.kind not in LISTS_AND_DICTS or value.kind not in REGISTERED or base not in linked.globals:
        return
    entry = RegistryEntry(base, index, value)
    if _is_outermost(frame) and value.kind is not INPUT:
        if linked.globals[base][0] is not frame.namespace:
            return  # whether that runs depends on which other files are judged
        found = linked.entered.setdefault(base, [])
        if entry not in found:
            found.append(entry)
            frame.program.memory.keep(partial(_take_out, found, entry), frame.program.record)
    elif not _is_outermost(frame) and len(frame.summary.writes.entered) < MAXIMUM_ENTRIES:
        frame.summary.writes.entered.append(entry)


def _take_out(entries: list[RegistryEntry], entry: RegistryEntry) -> None:
    entries[:] = [one for one in entries if one is not entry]


def enter_all(frame: Frame, entered: Iterable[RegistryEntry], here: Callable[[Value], Value]) -> None:
    """Repeat what a function puts into global dicts and lists, in terms of a call."""
    for one in entered:
        index = here(one.index) if isinstance(one.index, Value) else one.index
        note_entry(frame, one.owner, index, here(one.value))


def entries_of(frame: Frame, base: Value) -> Pairs:
    """What a global dict or list was made with, and what the statements of its module put into it."""
    linked = frame.program.linked
    final = _final(frame, base) if base.kind in LISTS_AND_DICTS else None
    if final is None:
        return []
    namespace, name = linked.globals[final]
    namespace.file.run_filling(name, FILLS.format(name=name))
    payload = base.payload
    found: Pairs = [*payload.parts.items()] if type(payload) is Entries else [(None, part) for part in base.parts]
    indices = [
        (entry.index.constant if type(entry.index) is Value else entry.index, entry.value)
        for entry in linked.entered.get(final, ())
    ]
    found += [(index if type(index) in WRITTEN else None, value) for index, value in indices]  # type: ignore[misc]
    return found if len(found) > len(base.parts) else []


def entry_at(frame: Frame, base: Value, index: ItemIndex) -> Value | None:
    """The entry under a name, or one of several; None if nothing is known of it."""
    known = entries_of(frame, base)
    if not known:
        return None
    if isinstance(index, (str, int)):
        return dict(known).get(index)
    return _one_of(known, index) if isinstance(index, Value) else None


def one_by_name(held: Mapping[Key, Value], index: Value) -> Value | None:
    """The part of a dict under a name that is not known, or one of several."""
    return _one_of([*held.items()], index)


def _one_of(known: Sequence[tuple[Key | None, Value]], index: Value) -> Value | None:
    ways = dict(texts_of(index.payload))
    chosen = [(value, ways[key]) for key, value in known if isinstance(key, str) and key in ways]
    if not chosen:
        chosen = [(value, () if key is None else equal(index, key)) for key, value in known]
    return one_of([value for value, _ in chosen], [facts for _, facts in chosen]) if chosen else None


def entry_in_turn(frame: Frame, base: Value) -> Value | None:
    """The entry that a loop over a global list takes in one iteration; None if nothing is known of it."""
    found = [value for _, value in entries_of(frame, base)]
    return one_of(found, [ALWAYS] * len(found)) if found else None


def _final(frame: Frame, base: Value) -> Value | None:
    """The global that a value is, also where the module is run from its beginning."""
    linked = frame.program.linked
    if base in linked.globals:
        return base
    if not _is_outermost(frame) or frame.state is None:
        return None
    name = next((name for name, value in frame.state.names.items() if value is base), None)
    found = frame.namespace.file.value(name) if name is not None else None
    return found if found is not None and found in linked.globals else None


def _is_outermost(frame: Frame) -> bool:
    """Does it run the module?"""
    return frame.parent is None and frame.function.kind == "module"
