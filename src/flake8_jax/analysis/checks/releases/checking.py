"""The names of libraries in a file, judged by the releases that its project allows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from flake8_jax.analysis.checks.releases.events import ReleaseEvent, UseOfRelease, event_of
from flake8_jax.analysis.checks.releases.guards import guards_of
from flake8_jax.analysis.checks.releases.judging import Judgement, judged
from flake8_jax.analysis.checks.releases.uses import uses_of
from flake8_jax.api import versions
from flake8_jax.api.versions.target import TargetReleases
from flake8_jax.domain.effects import Event
from flake8_jax.ir.ops import Module, Op
from flake8_jax.syntax.positions import unpacked


def with_releases(events: Iterable[Event], modules: Iterable[Module], target: TargetReleases) -> list[Event]:
    """The events of a file, and those of the names that it uses of libraries; these in place of what values say."""
    own = list(check_releases(modules, target))
    told = {(one.op.place, one.what) for one in own}
    others = (one for one in events if not isinstance(one, UseOfRelease) or (one.op.place, one.what) not in told)
    return [*others, *own]


def check_releases(modules: Iterable[Module], target: TargetReleases) -> Iterator[ReleaseEvent]:
    """The events of the names that a file uses of libraries, once for each place."""
    told: set[tuple[int, str, str]] = set()
    for use in uses_of(modules):
        for found in judged(use, target):
            if not is_prepared(use.op, found):
                event = event_of(use, found)
                key = (event.op.place, event.name, event.what)
                if key not in told:
                    told.add(key)
                    yield event


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
    guards = guards_of(source.tree)
    line, column, _, _ = unpacked(op.place)
    may_be_set = re.search(rf"\.{last}\s*=(?!=)|setattr", source.text) is not None
    return guards.hold((line, column), found.name) or (may_be_set and last in guards.replaced)
