"""Fixes files: each is read, fixed and written in turn.

What is fixed in one file may decide what is found in another, so that files are judged again after each round.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from flake8_jax.driver.baseline import compared
from flake8_jax.driver.checking import check
from flake8_jax.driver.fingerprints import Fingerprint, fingerprints
from flake8_jax.driver.projects import Projects
from flake8_jax.driver.reporters.changes import unified
from flake8_jax.driver.selection import ConfigOf
from flake8_jax.driver.sources import Sources
from flake8_jax.fixes.applying import fix_text
from flake8_jax.fixes.files import NotFixed, replace_file, rewritten
from flake8_jax.lazy_dataclasses import dataclass
from flake8_jax.model.config import Config
from flake8_jax.model.diagnostic import Applicability, Diagnostic
from flake8_jax.model.report import Report
from flake8_jax.syntax.source import SourceFile, Unreadable, decode

MAXIMUM_ROUNDS = 5

LeftAlone: TypeAlias = "Mapping[str, Sequence[Fingerprint]]"
"""The findings of each file that are left alone, by the path of the file."""


@dataclass(frozen=True, slots=True)
class FixedFile:
    """A file with fixes: its bytes before and after, its text after, what was fixed, what is left."""

    path: str
    before: bytes
    after: bytes
    new: str
    fixed: tuple[Diagnostic, ...]
    remaining: tuple[Diagnostic, ...]

    @property
    def diff(self) -> str:
        """The changes as a unified diff; line ends are those of the file."""
        return unified(self.path, decode(self.before), decode(self.after))


def is_fixable(report: Report, allowed: Collection[Applicability]) -> bool:
    """Has a file findings with fixes of these kinds?"""
    return any(
        diagnostic.fix is not None and diagnostic.fix.applicability in allowed for diagnostic in report.diagnostics
    )


def without(known: Sequence[Fingerprint], found: Sequence[Diagnostic], sources: Sources) -> Sequence[Diagnostic]:
    """The findings of a file that are not known."""
    if not known:
        return found
    return [found[number] for number in compared(fingerprints(found, sources), known).new]


def fixed_data(
    path: str, data: bytes, config: Config, allowed: Collection[Applicability], known: LeftAlone
) -> FixedFile | None:
    """The contents of a file, fixed; None if it cannot be judged.  Raises `NotFixed`."""
    try:
        given = SourceFile.of(path, data)
    except Unreadable as error:
        raise NotFixed(error.reason) from error
    projects = Projects(config)

    def judge(text: str) -> Sequence[Diagnostic] | None:
        source = SourceFile(path, text)
        report = check(source, config, projects)
        if report.given_up is not None:
            return None
        return without(known.get(path, ()), report.diagnostics, Sources([source]))

    found = fix_text(given.text, judge, allowed)
    projects.close()
    if found is None:
        return None
    after = rewritten(given, found.text, data) if found.fixed else data
    return FixedFile(path, data, after, found.text, found.fixed, found.remaining)


def fixed_file(path: str, config: Config, allowed: Collection[Applicability], known: LeftAlone) -> FixedFile | None:
    """A file, fixed; nothing is written.  None if it cannot be judged; raises `NotFixed`."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise NotFixed(error.strerror or str(error)) from error
    return fixed_data(path, data, config, allowed, known)


def write_fixes(
    reports: Iterable[tuple[str, Report]], config_of: ConfigOf, allowed: Collection[Applicability], known: LeftAlone
) -> Iterator[FixedFile | tuple[str, str]]:
    """Fix and write the files whose reports show that they can be.  Of a file that is left, its path and why."""
    for path, report in reports:
        if not is_fixable(report, allowed):
            continue
        try:
            found = fixed_file(path, config_of(path), allowed, known)
            if found is not None and found.fixed:
                replace_file(path, found.before, found.after)
                yield found
        except NotFixed as error:
            yield path, str(error)
