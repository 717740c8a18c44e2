"""Checks one file and applies flake8's suppression and selection."""

from __future__ import annotations

from flake8_jax.driver.linter import lint, unjudged
from flake8_jax.driver.projects import Projects
from flake8_jax.driver.selection import is_chosen
from flake8_jax.lazy_dataclasses import replace
from flake8_jax.model.codes import UNJUDGED
from flake8_jax.model.config import Config
from flake8_jax.model.diagnostic import Diagnostic
from flake8_jax.model.report import Report, Statistics
from flake8_jax.syntax.source import SourceFile, Unreadable


def check(source: SourceFile, config: Config, projects: Projects | None = None) -> Report:
    """Lint one file and keep the findings that flake8 would show; never raises."""
    return shown(source, lint(source, config, projects), config)


def check_file(path: str, config: Config, projects: Projects | None = None) -> Report:
    """Read and check one file; never raises."""
    try:
        return check(projects.read(path) if projects is not None else SourceFile.read(path), config, projects)
    except Unreadable as error:
        return _chosen(unjudged(path, error.reason), config)


def check_data(path: str, data: bytes, config: Config) -> Report:
    """Check given contents under a path; never raises."""
    projects = Projects(config)
    try:
        return check(SourceFile.of(path, data), config, projects)
    except Unreadable as error:
        return _chosen(unjudged(path, error.reason), config)
    finally:
        projects.close()


def dead(path: str, config: Config) -> Report:
    """The report on a file whose process died."""
    return _chosen(unjudged(path, "the process that checked it died"), config)


def shown(source: SourceFile, report: Report, config: Config) -> Report:
    """The part of a report that flake8 would show: not suppressed, and selected by code.

    No comment on a line suppresses that the file could not be judged, or not all of it.
    """
    if not config.disable_noqa and report.diagnostics:
        from flake8_jax.syntax.suppressions import skips_file, without_noqa

        if skips_file(source):
            return Report((), None, Statistics(files=1, costs=report.statistics.costs))
        if report.given_up is None:
            kept = [diagnostic for diagnostic in report.diagnostics if diagnostic.code == UNJUDGED]
            found = without_noqa(
                source, [diagnostic for diagnostic in report.diagnostics if diagnostic.code != UNJUDGED]
            )
            report = replace(report, diagnostics=tuple(sorted([*kept, *found], key=Diagnostic.sort_key)))
    return _chosen(report, config)


def _chosen(report: Report, config: Config) -> Report:
    return replace(report, diagnostics=tuple(d for d in report.diagnostics if is_chosen(d.code, d.path, config)))
