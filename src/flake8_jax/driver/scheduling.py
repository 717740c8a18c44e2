"""Which files of a project one process does before others share the rest.

Most of what the analysis does is to find out what a project's files define for one another: four processes that take a
quarter of a project each do three to four times the work of one.  So a project begins in one process, the most imported
files first, until half of its text is done; forks of that process, which hold what it found out, share the rest:

    trunk   ============                the most imported half
    forks               === === ===     whatever they ask for is mostly known
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress

from flake8_jax.driver.projects import Projects
from flake8_jax.syntax.source import Unreadable

SHARE = 0.5
"""The share of a project's text that is the trunk: then forks do a fifth of the work again."""

MOST_BYTES = 10_000_000
"""A project with more text is not held as a whole by any process."""

HAS_FORK = hasattr(os, "fork") and sys.platform != "darwin"


def size_of(paths: Sequence[str]) -> int:
    """How many bytes files hold."""
    total = 0
    for path in paths:
        with suppress(OSError):
            total += os.path.getsize(path)
    return total


def trunk_and_rest(paths: Sequence[str], projects: Projects) -> tuple[list[str], list[str]]:
    """The most imported files, which hold half of the text, the most imported ones first; and the others."""
    importers = {path: _importers(path, projects) for path in paths}
    order = sorted(paths, key=importers.__getitem__, reverse=True)
    half, done, count = size_of(paths) * SHARE, 0, 0
    while count < len(order) and done < half:
        done += size_of(order[count : count + 1])
        count += 1
    return order[:count], sorted(order[count:])


def _importers(path: str, projects: Projects) -> int:
    """How many files import one."""
    try:
        project = projects.project(projects.read(path))
    except Unreadable:
        return 0
    return len(project.importers(os.path.abspath(path))) if project is not None else 0
