"""The files of a project that an import leads to, through packages that export what others define.

from pkg import QP          pkg/__init__.py, and pkg/base.py if it says `from pkg.base import QP`
from pkg import base        pkg/__init__.py and pkg/base.py
import pkg                  all that pkg/__init__.py imports
"""

from __future__ import annotations

import os

from flake8_jax.syntax.project import Place, Project

PACKAGE = "__init__.py"


def reached_by(project: Project, path: str) -> frozenset[str]:
    """The paths of the project's files that the imports of one lead to."""
    reached: set[str] = set()
    followed: set[tuple[str, str | None]] = set()
    waiting: list[tuple[str, str | None]] = [(path, None)]
    while waiting:
        importer, wanted = waiting.pop()
        for one in project.imports(importer):
            if wanted is not None and one.name is not None and one.name not in (wanted, "*"):
                continue
            place = project.find(importer, one.level, one.dotted)
            if not isinstance(place, Place):
                continue
            reached.add(place.path)
            name = place.rest[0] if place.rest else wanted if one.name == "*" else None
            module = project.submodule(place.path, name) if name is not None else None
            if isinstance(module, str):
                reached.add(module)
            elif os.path.basename(place.path) == PACKAGE and (place.path, name) not in followed:
                followed.add((place.path, name))
                waiting.append((place.path, name))
    return frozenset(reached)
