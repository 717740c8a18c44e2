"""Programs judged as texts: several files of one project that lie on no disk."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tempfile import mkdtemp

from flake8_jax.driver.projects import Projects
from flake8_jax.model.config import Config
from flake8_jax.syntax.project import Project
from flake8_jax.syntax.source import SourceFile

_folder: list[Path] = []


def empty_folder() -> Path:
    """An empty project of this process."""
    if not _folder:
        _folder.append(Path(mkdtemp(prefix="flake8-jax-texts-")))
        (_folder[0] / "pyproject.toml").touch()
    return _folder[0]


class Texts(Projects):
    """Projects in which texts stand in place of files; `sources` are these files, by their names."""

    def __init__(self, config: Config, texts: Mapping[str, str]) -> None:
        super().__init__(config)
        root = empty_folder()
        self.sources = {name: SourceFile(str(root / name), text) for name, text in texts.items()}
        self._only = Project(str(root), {source.path: source.text for source in self.sources.values()})

    def project(self, source: SourceFile) -> Project | None:
        return self._only
