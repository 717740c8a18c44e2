"""Presumptions: events that hold unless other code of the project refutes them.

    def accumulate(total: jax.Array, x):
        total[...] += x                     an array, as the annotation says?

A call that hands in an array makes the event certain.  One that hands in a reference, or an array of NumPy, refutes it;
of a field declared as an array, a constructor does.  One that hands in something unknown refutes what rests on the
annotation alone: of the calls that are seen, one must tell.  Without any call the annotation stands, except where
references are made: kernels annotate theirs as arrays, and often get them through callers that are chosen at run time,
so that there what is stored into tells more than the annotation.  What holds only in code
that no trace runs (`checks/compilation/eager.py`) is refuted by a trace alone.  That a class is no pytree is refuted by
a file that may register it (`registrations.py`), too; that a tracer is kept in an attribute which its own file only
stores, by the files that import this one, if none of them reads it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import TYPE_CHECKING

from flake8_jax.analysis.checks.compilation.objects_traced import REGISTRATION
from flake8_jax.analysis.checks.effects.escapes import UNREAD, is_read_in
from flake8_jax.analysis.modules.callers import report_order
from flake8_jax.analysis.modules.registrations import (
    REGISTERS,
    RULES,
    importing_texts,
    may_be_registered_elsewhere,
)
from flake8_jax.analysis.objects.stated_rules import RULE
from flake8_jax.analysis.record import Record
from flake8_jax.domain.effects import Event, EventKey, Ground, UntracedCode
from flake8_jax.ir import ops

if TYPE_CHECKING:
    from flake8_jax.analysis.modules.callers import Search
    from flake8_jax.analysis.modules.files import File


def presumptions(file: File, records: list[Record], search: Search | None) -> Iterator[tuple[EventKey, Event]]:
    """The presumed events at ops of a file that nothing refutes, the plainest of each op."""
    held = [(key, ways) for record in records for key, ways in record.presumed.items() if _home(key) == file.path]
    if not held:
        return
    refuted: set[Hashable] = {one for record in records for one in record.refuted}
    callers = (*search.looked,) if search is not None else ()
    standing: dict[EventKey, list[Event]] = {}
    about_arrays: list[EventKey] = []
    grounds = {ground for _, ways in held for _, ground in ways if ground not in refuted}
    refuted |= _registered(grounds, search) | _unread(grounds, search)
    for key, ways in held:
        if key in refuted:
            continue
        events = [event for event, ground in ways if ground not in refuted]
        if events:
            standing.setdefault(key, []).extend(events)
            if any(type(ground) is not UntracedCode for _, ground in ways):
                about_arrays.append(key)
    if about_arrays and _makes_references(file, callers):
        for key in about_arrays:
            standing.pop(key, None)
    for key, events in standing.items():
        yield key, min(events, key=report_order)


def _registered(grounds: set[Ground], search: Search | None) -> set[Ground]:
    """The grounds that classes are no pytrees, or functions have no rule, where other files may state that."""
    patterns = {REGISTRATION: REGISTERS, RULE: RULES}
    about = {ground for ground in grounds if type(ground) is tuple and ground[1] in patterns}
    return {
        ground for ground in about
        if type(ground[0]) is ops.Function and may_be_registered_elsewhere(ground[0], search, patterns[ground[1]])
    }  # fmt: skip


def _unread(grounds: set[Ground], search: Search | None) -> set[Ground]:
    """The grounds that attributes are read in another file, where those that import this one are known, and none is."""
    found = set[Ground]()
    if search is None:
        return found
    for ground in grounds:
        match ground:
            case ((str() as path, str() as name), about) if about == UNREAD:
                texts = [text for text, _ in importing_texts(search, path)]
                if texts and not any(text is None or is_read_in(text, name) for text in texts):
                    found.add(ground)
    return found


def _home(key: EventKey) -> str:
    return key[1].anchor.origin.path


def _makes_references(file: File, callers: Iterable[str]) -> bool:
    """May references be made in a file, or in those that use its names?"""
    users = (file.linked.file(path) for path in callers)
    return any(one is not None and one.makes_references for one in (file, *users))
