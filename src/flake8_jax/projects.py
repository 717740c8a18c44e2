"""The projects that the files of one run belong to, each read once."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from flake8_jax.config import Config
from flake8_jax.syntax.source import SourceFile, names_jax

if TYPE_CHECKING:
    from flake8_jax.analysis.linking import Linked
    from flake8_jax.syntax.project import Project

NAMELESS = ("stdin", "-", "")


class Projects:
    """What is known of the files around those that are judged, as they were when they were first looked at."""

    __slots__ = ("_last", "_linked", "_projects", "_with_jax", "config")

    def __init__(self, config: Config) -> None:
        self.config = config
        self._projects: dict[str, Project] = {}
        self._linked: dict[Project, Linked] = {}
        self._with_jax: dict[Project, bool] = {}
        self._last: tuple[SourceFile, Project] | None = None

    def project(self, source: SourceFile) -> Project | None:
        """The project of a file; None for a text without a place.  A text that differs from the disk stands for it."""
        if source.path in NAMELESS:
            return None
        if self._last is None or self._last[0] is not source:
            self._last = source, self._find(source)
        return self._last[1]

    def _find(self, source: SourceFile) -> Project:
        from flake8_jax.syntax.project import Project, root_of

        location = os.path.abspath(source.path)
        root = self.config.root or root_of(location)
        project = self._projects.get(root)
        if project is None:
            project = self._projects[root] = Project(root)
        if project.text(location) != source.text:
            return Project(root, {location: source.text})
        return project

    def concerns_jax(self, source: SourceFile) -> bool:
        """Can a file concern JAX: does it, a file that it imports, or a file that imports it name it?"""
        if source.concerns_jax():
            return True
        project = self.project(source)
        return project is not None and self._has_jax(project) and _is_near_jax(project, os.path.abspath(source.path))

    def _has_jax(self, project: Project) -> bool:
        found = self._with_jax.get(project)
        if found is None:
            texts = (project.text(path) or "" for path in project.files())
            found = self._with_jax[project] = any(names_jax(text) for text in texts)
        return found

    def linked(self, source: SourceFile) -> Linked:
        """The files of a file's project; a text without a place stands for itself."""
        from flake8_jax.analysis.linking import Linked
        from flake8_jax.api import table

        project = self.project(source)
        if project is None:
            return Linked(None, table.load(self.config.jax_version))
        linked = self._linked.get(project)
        if linked is None:
            linked = self._linked[project] = Linked(project, table.load(self.config.jax_version))
        return linked


def _is_near_jax(project: Project, location: str) -> bool:
    """Does a file import, or do files import it, that name JAX?"""
    for path in project.importers(location):
        if names_jax(project.text(path) or ""):
            return True
    for one in project.imports(location):
        dotted = ".".join(part for part in (one.module, one.name) if part and part != "*")
        place = project.find(location, one.level, dotted)
        if place is not None and place != "ambiguous" and names_jax(project.text(place.path) or ""):
            return True
    return False
