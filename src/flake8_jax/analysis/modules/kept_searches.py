"""Searches for callers that showed nothing: what makes a file need no other search, and what of one is kept.

    math.py (judged)                    72 files that import it, 303 records: no event at an op of math.py
    def rotate(x, q): ...   is edited   a body that no caller runs: they show what they showed, and nobody asks them

What a search asked is kept beside it, as what a report asked is.  It is not repeated where all of that is answered as
before, callers that are told apart by the file's own findings among it: a file that waits for its callers asks them.

A read of a variable that a trace keeps shows nothing where nothing changes the variable; nor does a call that is made
where JAX stages nothing, to a file that has found nothing in staged code.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

from flake8_jax.analysis.budget import is_overrun
from flake8_jax.analysis.certainty import is_assumed, is_by_convention
from flake8_jax.analysis.checks.effects.frozen_reads import KeptRead
from flake8_jax.analysis.modules.staleness import is_kept_read, may_go_stale
from flake8_jax.analysis.record import Record
from flake8_jax.analysis.summaries.unstaged import is_staged
from flake8_jax.domain.effects import Event
from flake8_jax.domain.summary import Summary
from flake8_jax.ir.ops import Function, Op
from flake8_jax.model.report import Dependencies, FunctionPlace, KeptSearch

if TYPE_CHECKING:
    from flake8_jax.analysis.modules.callers import Search
    from flake8_jax.analysis.modules.files import File


def known_search(
    file: File, carried: Collection[str], own: Collection[Record]
) -> tuple[KeptSearch, Dependencies] | None:
    """The search for the callers of a file that need not be repeated, given the records of the file itself."""
    memory = file.linked.searches
    if memory is None or _waits(file.path, own):
        return None
    found = memory.find(file.path, carried)
    if found is None or is_overrun(found[0].within, file.size):
        return None
    if found[0].is_unstaged and _has_staged(file.path, own):
        return None
    return found if found[0].beyond < 0 or is_overrun(found[0].beyond, file.size) else None


def is_silent(search: Search) -> bool:
    """Has a search shown nothing of its file, whatever is found in the file itself?  What that depends on is noted with
    what the search asked.
    """
    file, records = search.home, search.records.found
    if file.linked.searches is None or search.kept is not None or not search.carried.get(file.path):
        return False
    if _shows(file.path, records) or search.into.faults:
        return False
    with file.linked.program.tracking(search.noted):
        return not may_go_stale(file, records)


def keep_search(search: Search, on: Dependencies) -> None:
    """Keep a search that showed nothing, with what it asked; not one of whose callers any was dropped."""
    file, records = search.home, search.records.found
    memory = file.linked.searches
    if memory is None:
        return
    traced = {summary.run.function for summary in traced_within(records, file.path)}
    places = tuple(sorted(place for function, place in _places(file) if function in traced))
    if len(places) == len(traced):
        is_unstaged = any(record.unstaged for record in records)
        kept = KeptSearch(search.within, search.beyond, search.is_exhausted(), places, is_unstaged)
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


def _waits(home: str, own: Collection[Record]) -> bool:
    """Is something found in a file itself of which callers decide whether it holds?"""
    if any(record.unstaged for record in own) and _has_staged(home, own):
        return True

    def is_here(op: Op) -> bool:
        return op.anchor.origin.path == home

    def is_decided(event: Event) -> bool:
        return is_assumed(event) or is_by_convention(event)

    return any(
        any(map(is_here, record.undecided()))
        or any(is_decided(event) and is_here(key[1]) for key, event in record.events.items())
        or any(caller is None for _, caller in record.callers)
        for record in own
    )


def _shows(home: str, records: Iterable[Record]) -> bool:
    """Do records of callers say something of a file, or something of all calls, of which each one counts?"""
    return any(
        record.faults
        or any(key[1].anchor.origin.path == home for key in (*record.events, *record.presumed))
        or any(one.op.anchor.origin.path == home and type(one) is not KeptRead for one in record.repeated)
        or any(one.op.anchor.origin.path == home and not is_kept_read(one) for one in record.guarded)
        or any(caller is None for _, caller in record.callers)
        for record in records
    )


def _has_staged(home: str, own: Iterable[Record]) -> bool:
    """Is something found in a file itself of which nothing is left where JAX stages nothing?"""
    events = (one for record in own for one in record.events.items())
    return any(key[1].anchor.origin.path == home and is_staged(event) for key, event in events)


def _places(file: File) -> Iterator[tuple[Function, FunctionPlace]]:
    """The functions of a file, with their places."""
    for unit in file.units:
        counted = dict[str, int]()
        for function in unit.module.functions if unit.module is not None else ():
            number = counted[function.qualname] = counted.get(function.qualname, -1) + 1
            yield function, (unit.number, function.qualname, number)
