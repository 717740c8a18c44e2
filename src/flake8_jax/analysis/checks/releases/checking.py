"""The names of libraries in a file, judged by the releases that its project allows."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator

from flake8_jax.analysis.checks.releases.events import NameTooNew, ReleaseEvent, UseOfRelease, event_of
from flake8_jax.analysis.checks.releases.guards import guards_of
from flake8_jax.analysis.checks.releases.judging import Judgement, judged, known_of
from flake8_jax.analysis.checks.releases.uses import NameUse, uses_of
from flake8_jax.api import versions
from flake8_jax.api.versions.target import TargetReleases
from flake8_jax.domain.effects import Event
from flake8_jax.domain.provenance import Hop
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Module, Op
from flake8_jax.ir.walking import within
from flake8_jax.lazy_dataclasses import replace
from flake8_jax.syntax.positions import unpacked


def with_releases(events: Iterable[Event], modules: Iterable[Module], target: TargetReleases) -> list[Event]:
    """The events of a file, and those of the names that it uses of libraries; these in place of what values say."""
    own = list(check_releases(modules, target))
    told = {(one.op.place, one.what) for one in own}
    others = (one for one in events if not isinstance(one, UseOfRelease) or (one.op.place, one.what) not in told)
    return [*_once_for_a_name([*others, *own])]


def _once_for_a_name(events: Iterable[Event]) -> Iterator[Event]:
    """The events, of a name that is too new the first use alone, where one line of what is required settles them all.

    Where the name has another one in all releases, each use is to be changed.
    """
    uses: defaultdict[tuple[str, str], list[NameTooNew]] = defaultdict(list)
    for event in events:
        if isinstance(event, NameTooNew) and event.rewrite is None:
            uses[event.name, event.what].append(event)
        else:
            yield event
    for same in uses.values():
        first, *others = sorted(same, key=lambda use: unpacked(use.op.place))
        lines = dict.fromkeys(use.op.anchor.line for use in others if use.op.anchor.line != first.op.anchor.line)
        path, text = first.op.anchor.origin.shown, f"`{first.name}` is used here, too"
        yield replace(first, others=tuple(Hop(path, line, text) for line in lines))


def check_releases(modules: Iterable[Module], target: TargetReleases) -> Iterator[ReleaseEvent]:
    """The events of the names that a file uses of libraries, once for each place."""
    told: set[Hashable] = set()
    known = known_of(target)
    uses = list(uses_of(modules))
    held = [(use, found) for use in uses for found in judged(use, target, known)]
    imported = {use.name for use, _ in held if type(use.op) is ops.Imported}
    named: defaultdict[str, list[NameUse]] = defaultdict(list)
    for use in uses if imported else ():
        if use.name in imported and use.imported == use.name:
            named[use.name].append(use)
    for use, found in held:
        if not is_prepared(use.op, found) and not _goes_with_call(use, found, held):
            event = event_of(use, found, named[use.name])
            is_whole = type(use.op) is ops.Imported and event.rewrite is None  # what it is imported for says the same
            key = (use.op.anchor, event.message) if is_whole else (event.op.place, event.name, event.what)
            if key not in told:
                told.add(key)
                yield event


def _goes_with_call(use: NameUse, found: Judgement, others: Iterable[tuple[NameUse, Judgement]]) -> bool:
    """Is it gone without a word, and in an argument of what went with it: `ops.index_update(x, ops.index[0], y)`?"""
    if found.verdict != "removed" or found.form != "name" or found.now or found.says:
        return False
    module = found.name.rpartition(".")[0]
    calls = (
        other.call for other, said in others
        if other.call is not None and said.when == found.when and said.name.rpartition(".")[0] == module
    )  # fmt: skip
    return any(inner is use.op for call in calls for argument in call.args for inner in within(argument))


def imports_changed(imports: Iterable[tuple[int, str, str, str | None]]) -> bool:
    """Does an import statement import something that not all releases have alike?"""
    return any(
        not level
        and (module or name).partition(".")[0] in versions.LIBRARIES
        and versions.is_known(f"{module}.{name}" if module else name)
        for level, module, name, _ in imports
    )


def is_prepared(op: Op, found: Judgement) -> bool:
    """Is code at an op prepared for several releases, or does its file set the name itself?"""
    source, last = op.anchor.origin.source, found.name.rpartition(".")[2]
    guards = guards_of(source)
    line, column, _, _ = unpacked(op.place)
    may_be_set = re.search(rf"\.{last}\s*=(?!=)|setattr", source.text) is not None
    return guards.hold((line, column), found.name, op.anchor.origin.home) or (may_be_set and last in guards.replaced)
