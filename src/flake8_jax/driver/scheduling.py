"""Chooses how many processes check the files of a run, and which files each of them gets.

Most of the work is not to judge a file, but to learn what the files of its project define for one another.  It is asked
for along imports, in both directions: of the files that one imports, and of those that import it, because they may call
its functions in a trace.  So whoever judges one file learns, step by step, the whole *component*: all files that a way
of imports connects, whatever its directions.

    train.py --> ops.py <-- eval.py         a component; the judge of any of the three learns all three
    demo/run.py --> demo/show.py            another one
    plot.py                                 a third, if it names JAX

Two processes that share a component both learn it: each half of a project costs nearly as much as the whole.  Two that
have a component each learn nothing twice, because no question leads from one to the other.  So a component is never
split, and its text is the estimate of what it costs (a component in which nobody names JAX costs nothing).  Components
go, the largest first, to the process that has least to do.  Of all numbers of processes up to the one that is allowed,
the largest is taken that leaves none with less text than is worth starting one.

The choice depends on the files, their imports and sizes only, never on the time that anything takes.  What is found
does not depend on it: every process reads what it needs of the project, whoever checks it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from flake8_jax.driver.projects import Projects
from flake8_jax.syntax.exports import reached_by
from flake8_jax.syntax.project import Project
from flake8_jax.syntax.source import Unreadable

MOST_BYTES = 10_000_000
"""A project with more text is not held as a whole by any process of flake8."""

HAS_FORK = hasattr(os, "fork") and sys.platform != "darwin"

WORTH_A_PROCESS = 200_000 if HAS_FORK else 1_000_000
"""So many bytes of text are worth starting a process.  One that is not forked imports all, and reads the project."""


def size_of(paths: Iterable[str]) -> int:
    """The total size of files in bytes."""
    total = 0
    for path in paths:
        with suppress(OSError):
            total += os.path.getsize(path)
    return total


def available_cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def dealt(paths: Sequence[str], projects: Projects, jobs: int) -> list[list[str]]:
    """Deal files out to at most `jobs` processes, each in the order of `paths`.

    There are no processes if the text is not worth one: then the files are checked in this process.
    """
    if jobs <= 1 or size_of(paths) < WORTH_A_PROCESS:
        return []
    units = _components(paths, projects)
    sizes = [size for size, _ in units]
    count = max(1, min(jobs, len(units), sum(sizes) // WORTH_A_PROCESS))
    while count > 1 and min(_loads(sizes, count)) < WORTH_A_PROCESS:
        count -= 1
    place = {path: number for number, path in enumerate(paths)}
    shares: list[list[str]] = [[] for _ in range(count)]
    for (_, members), share in zip(units, _placed(sizes, count), strict=True):
        shares[share] += members
    return [sorted(share, key=place.__getitem__) for share in shares]


def _loads(sizes: Sequence[int], count: int) -> list[int]:
    loads = [0] * count
    for size, process in zip(sizes, _placed(sizes, count), strict=True):
        loads[process] += size
    return loads


def _placed(sizes: Sequence[int], count: int) -> Iterator[int]:
    """To which of `count` processes each component goes: to the first of those that have least so far."""
    loads = [0] * count
    for size in sizes:
        process = loads.index(min(loads))
        loads[process] += size
        yield process


def _components(paths: Sequence[str], projects: Projects) -> list[tuple[int, list[str]]]:
    """The components of the files to be checked, the largest first: the size of all text in it, and those files."""
    given: dict[Project | None, list[str]] = {}
    for path in paths:
        given.setdefault(_project_of(path, projects), []).append(path)
    found: list[tuple[int, list[str]]] = []
    for project, members in given.items():
        if project is None:
            found += ((size_of([path]), [path]) for path in members)
        else:
            found += _components_of(project, members)
    return sorted(found, key=lambda unit: -unit[0])


def _project_of(path: str, projects: Projects) -> Project | None:
    try:
        return projects.project(projects.read(path))
    except Unreadable:
        return None


def _components_of(project: Project, paths: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """The components of one project that hold files to be checked, by the first of them."""
    joined = _Joined()
    listed = project.files()
    for path in listed:
        for importer in project.importers(path):
            joined.join(path, importer)
    places = {path: os.path.abspath(path) for path in paths}
    for path in {*places.values()}.difference(listed):  # which the project does not look into by itself
        for other in reached_by(project, path).intersection(listed):
            joined.join(path, other)
    whole: dict[str, list[str]] = {}
    for path in dict.fromkeys((*listed, *places.values())):
        whole.setdefault(joined.first(path), []).append(path)
    members: dict[str, list[str]] = {}
    for path, place in places.items():
        members.setdefault(joined.first(place), []).append(path)
    for first, some in members.items():
        component = whole[first]
        yield (size_of(component) if any(map(project.names_jax, component)) else 0), some


class _Joined:
    """Which files belong together: each knows another of its component, up to the one that stands for all."""

    __slots__ = ("_next",)

    def __init__(self) -> None:
        self._next: dict[str, str] = {}

    def first(self, path: str) -> str:
        """The file that stands for the component of one."""
        while (above := self._next.get(path, path)) != path:
            self._next[path] = path = self._next.get(above, above)
        return path

    def join(self, one: str, other: str) -> None:
        """Make one of the components of two files."""
        self._next[self.first(one)] = self.first(other)
