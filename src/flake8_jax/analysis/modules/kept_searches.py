"""Searches for callers that showed nothing: what makes a file need no other search, and what of one is kept.

    math.py (judged)                    72 files that import it, 303 records: no event at an op of math.py
    def rotate(x, q): ...   is edited   a body that no caller runs: they show what they showed, and nobody asks them

What a search asked is kept beside it, as what a report asked is.  It is not repeated where all of that is answered as
before, callers that are told apart by the file's own findings among it: a file that waits for its callers asks them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

from flake8_jax.analysis.budget import is_overrun
from flake8_jax.analysis.certainty import is_assumed, is_by_convention
from flake8_jax.analysis.record import Record
from flake8_jax.domain.effects import Event
from flake8_jax.domain.summary import Summary
from flake8_jax.ir.ops import Function, Op
from flake8_jax.model.report import Dependencies, FunctionPlace, KeptSearch

if TYPE_CHECKING:
    from flake8_jax.analysis.modules.callers import Search
    from flake8_jax.analysis.modules.files import File


def known_search(file: File, carried: Collection[str], own: Iterable[Record]) -> tuple[KeptSearch, Dependencies] | None:
    """The search for the callers of a file that need not be repeated, given the records of the file itself."""
    memory = file.linked.searches
    if memory is None or _waits(file.path, own):
        return None
    found = memory.find(file.path, carried)
    if found is None or is_overrun(found[0].within, file.size):
        return None
    return found if found[0].beyond < 0 or is_overrun(found[0].beyond, file.size) else None


def keep_search(search: Search, on: Dependencies) -> None:
    """Keep a search that showed nothing, with what it asked; not one of whose callers any was dropped."""
    file, records = search.home, search.records.found
    memory = file.linked.searches
    if memory is None or not search.carried.get(file.path) or _shows(file.path, records) or search.into.faults:
        return
    traced = {summary.run.function for summary in traced_within(records, file.path)}
    places = tuple(sorted(place for function, place in _places(file) if function in traced))
    if len(places) == len(traced):
        kept = KeptSearch(search.within, search.beyond, search.is_exhausted(), places)
        memory.keep(file.path, search.searched_for, kept, on)


def traced_in(file: File, kept: KeptSearch) -> frozenset[Function]:
    """The functions of a file that a search has seen traced."""
    return frozenset(function for function, place in _places(file) if place in kept.traced) if kept.traced else NONE


NONE = frozenset[Function]()


def traced_within(records: Iterable[Record], home: str) -> list[Summary]:
    """The summaries of the file's functions that are applied under a trace, and those applied within, each once."""
    waiting = [summary for record in records for summary in record.traced]
    found: dict[int, Summary] = {}
    while waiting:
        summary = waiting.pop()
        if summary.run.home == home and id(summary) not in found:
            found[id(summary)] = summary
            waiting.extend(summary.run.callees)
    return list(found.values())


def _waits(home: str, own: Iterable[Record]) -> bool:
    """Is something found in a file itself of which callers decide whether it holds?"""

    def is_here(op: Op) -> bool:
        return op.anchor.origin.path == home

    def is_decided(event: Event) -> bool:
        return is_assumed(event) or is_by_convention(event)

    return any(
        record.unstaged
        or any(map(is_here, record.undecided()))
        or any(is_decided(event) and is_here(key[1]) for key, event in record.events.items())
        or any(caller is None for _, caller in record.callers)
        for record in own
    )


def _shows(home: str, records: Iterable[Record]) -> bool:
    """Do records of callers say something of a file, or something of all calls, of which each one counts?"""
    return any(
        record.faults
        or record.unstaged
        or any(key[1].anchor.origin.path == home for key in record.events)
        or any(op.anchor.origin.path == home for op in record.undecided())
        or any(caller is None for _, caller in record.callers)
        for record in records
    )


def _places(file: File) -> Iterator[tuple[Function, FunctionPlace]]:
    """The functions of a file, with their places."""
    for unit in file.units:
        counted = dict[str, int]()
        for function in unit.module.functions if unit.module is not None else ():
            number = counted[function.qualname] = counted.get(function.qualname, -1) + 1
            yield function, (unit.number, function.qualname, number)
