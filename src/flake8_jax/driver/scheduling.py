"""Splits a project's files between a parent process and its forks.

Most of the analysis of a project computes what its files define for one another: four processes with a quarter of a
project each do three to four times the work of one.  So a parent process analyses the most imported files first, until
half of the text is done.  Its forks inherit the results and share the rest:

    parent  ============                the most imported half
    forks               === === ===     most of what they need is already computed
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress

from flake8_jax.driver.projects import Projects
from flake8_jax.syntax.source import Unreadable

SHARE = 0.5
"""The share of a project's text that is analysed before forking: then forks repeat a fifth of the work."""

MOST_BYTES = 10_000_000
"""A project with more text is not held as a whole by any process."""

HAS_FORK = hasattr(os, "fork") and sys.platform != "darwin"


def size_of(paths: Sequence[str]) -> int:
    """The total size of files in bytes."""
    total = 0
    for path in paths:
        with suppress(OSError):
            total += os.path.getsize(path)
    return total


def first_and_rest(paths: Sequence[str], projects: Projects) -> tuple[list[str], list[str]]:
    """The most imported files, up to half of the text, most imported first; and the other files."""
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
