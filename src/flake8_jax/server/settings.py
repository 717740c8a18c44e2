"""Settings: those of `pyproject.toml` rule each file as on the command line, those of the client prevail over them.

A client hands them on as `initializationOptions`, or answers when it is asked for the section `flake8-jax`:

    {"strict": true, "select": ["JAX1", "JAX4"], "docs-url": "https://...", "scope": "open", "delay": 300}

A key is an option of `[tool.flake8-jax]`, or one of the server's own, which `ServerSettings` names.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal, TypeAlias

from flake8_jax.driver.gitignore import Ignored
from flake8_jax.driver.selection import Selection
from flake8_jax.lazy_dataclasses import dataclass, field
from flake8_jax.model.config import OPTIONS, SECTION, Config, ConfigError
from flake8_jax.model.configurations import Configurations
from flake8_jax.model.former import FORMER
from flake8_jax.model.spelling import suggestion
from flake8_jax.syntax.folders import in_environment

JudgedScope: TypeAlias = Literal["workspace", "open"]

SCOPES: tuple[JudgedScope, ...] = ("workspace", "open")
OWN = ("scope", "delay", "config")
DELAY, LONGEST_DELAY = 150, 10_000
"""In milliseconds."""


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """What a client says: `values` of options by key, and what concerns the server alone.

    `scope`: whether all files of the workspace are judged, or those that are open; `delay`: how many milliseconds
    without an edit pass before a text is judged; `config`: a file that is read in place of each pyproject.toml.
    `wrong` is what cannot be meant.
    """

    values: Mapping[str, object] = field(default_factory=dict)
    scope: JudgedScope = SCOPES[0]
    delay: int = DELAY
    config: str | None = None
    wrong: tuple[str, ...] = ()

    @classmethod
    def of(cls, given: object) -> ServerSettings:
        """The settings that a client handed on, in whatever envelope; what cannot be meant is left out and named."""
        found = _unwrapped(given)
        known = {option.key for option in OPTIONS} | set(FORMER)
        values, own, wrong = dict[str, object](), dict[str, object](), list[str]()
        for key, value in found.items():
            name = key.replace("_", "-")
            if name in OWN:
                own[name] = value
            elif name in known:
                values[name] = value
            else:
                wrong.append(f"{key}: there is no such setting; {suggestion(name, (*known, *OWN))}")
        scope, delay, config = own.get("scope", SCOPES[0]), own.get("delay", DELAY), own.get("config")
        if scope not in SCOPES:
            wrong.append(f"scope: {scope!r} is none of {', '.join(SCOPES)}")
        if type(delay) is not int or not 0 <= delay <= LONGEST_DELAY:
            wrong.append(f"delay: {delay!r} is no number of milliseconds up to {LONGEST_DELAY}")
            delay = DELAY
        if config is not None and not isinstance(config, str):
            wrong.append(f"config: {config!r} is no path")
            config = None
        return cls(values, SCOPES[scope == SCOPES[1]], delay, config or None, tuple(wrong))


def _unwrapped(given: object) -> Mapping[str, object]:
    """The settings themselves: some clients hand them on under the name of the server, or of all settings."""
    while isinstance(given, Mapping):
        inner = [given[key] for key in (SECTION, SECTION.replace("-", "_"), "settings") if key in given]
        if not inner or not isinstance(inner[0], Mapping):
            return {str(key): value for key, value in given.items() if value is not None}
        (given,) = inner[:1]
    return {}


class Workspace:
    """The folders that an editor has open, with the configurations of their files.

    `told` holds what is wrong with settings and files of options, each said once, until it is taken.
    """

    __slots__ = ("_by_folder", "_fallback", "_said", "_stamps", "folders", "settings", "told")

    def __init__(self, folders: Iterable[str] = (), settings: ServerSettings | None = None) -> None:
        self.folders = tuple(sorted(set(folders), key=lambda folder: (-len(folder), folder)))
        self.settings = settings if settings is not None else ServerSettings()
        self.told: list[str] = list(self.settings.wrong)
        self._said: set[str] = set(self.told)
        self._by_folder: dict[str, Configurations | None] = {}
        self._stamps: dict[Path, tuple[int, int] | None] = {}

    def folder_of(self, path: str) -> str | None:
        """The innermost folder of the workspace around a file; None if it stands in none."""
        return next((folder for folder in self.folders if path.startswith(os.path.join(folder, ""))), None)

    def config_of(self, path: str) -> Config:
        """The configuration that rules a file; the defaults, if what is written somewhere cannot be used."""
        try:
            configurations = self._configurations(self.folder_of(path) or os.path.dirname(path))
            if configurations is None:
                return Config()
            file = configurations.source_of(path)
            if file is not None and file not in self._stamps:
                self._stamps[file] = _stamp(file)
            return configurations.of(path)
        except ConfigError as error:
            self.say(str(error))
            return Config()

    def is_left_out(self, path: str) -> bool:
        """Is a file that somebody opens nevertheless left alone?  It is excluded, or other people's code."""
        config = self.config_of(path)
        return in_environment(path, config.root) or self._selection().is_excluded(path)

    def files(self, folder: str) -> list[str]:
        """The files of a folder that a run would judge."""
        return self._selection().files([folder])

    def is_outdated(self) -> bool:
        """Was a file of options changed since it was read?"""
        return any(_stamp(file) != stamp for file, stamp in self._stamps.items())

    def take_told(self) -> list[str]:
        """What is to be said to the user, each once."""
        told, self.told = self.told, []
        return told

    def say(self, text: str) -> None:
        """Have something said to the user, if it was not."""
        if text not in self._said:
            self._said.add(text)
            self.told.append(text)

    def _selection(self) -> Selection:
        return Selection(self.config_of, Ignored(self.folders, lambda _: None).holds)

    def _configurations(self, folder: str) -> Configurations | None:
        if folder not in self._by_folder:
            self._by_folder[folder] = None
            file = os.path.join(folder, self.settings.config) if self.settings.config else None
            try:
                self._by_folder[folder] = self._read(folder, file, self.settings.values)
            except ConfigError as error:
                self.say(str(error))
                self._by_folder[folder] = self._read(folder, None, {})
        return self._by_folder[folder]

    def _read(self, folder: str, file: str | None, values: Mapping[str, object]) -> Configurations:
        return Configurations(
            values, file=Path(file) if file is not None else None, spelt="the setting {}".format, say=self.say,
            folder=Path(folder),
        )  # fmt: skip


def _stamp(file: Path) -> tuple[int, int] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
