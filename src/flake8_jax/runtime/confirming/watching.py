"""The watchers of a session: lines, exceptions, warnings and keys."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from itertools import product

from flake8_jax.runtime import compat
from flake8_jax.runtime.changing import changed
from flake8_jax.runtime.confirming.keys import KeyWatch
from flake8_jax.runtime.confirming.lines import LineWatch, by_file
from flake8_jax.runtime.confirming.manners import manner_of
from flake8_jax.runtime.confirming.observations import BEFORE, Observations, contained
from flake8_jax.runtime.confirming.targets import SoughtFinding
from flake8_jax.runtime.phenomena.donated import WORDS
from flake8_jax.runtime.phenomena.raises import is_called
from flake8_jax.runtime.phenomena.truncated import is_of_width
from flake8_jax.runtime.phenomena.warns import flat
from flake8_jax.runtime.sightings import Evidence, Unsupported, first_line

PACKAGES = f"{os.sep}site-packages{os.sep}"


@dataclass(slots=True)
class Watchers:
    """Watches a session for some targets, and tells the observations.  No method raises."""

    targets: list[SoughtFinding]
    observations: Observations
    root: str
    stages: bool = False
    _at: dict[tuple[str, int], list[SoughtFinding]] = field(default_factory=dict)
    _lines: LineWatch | None = None
    _keys: KeyWatch | None = None

    def start(self) -> None:
        """Begin to watch."""
        contained(self.observations, "start", self._start)()

    def begin(self, test: str) -> None:
        """A test begins."""
        self.observations.test = test
        self.observations.tests += 1
        self.renew()
        if self._keys is not None:
            contained(self.observations, "keys", self._keys.begin)()

    def renew(self) -> None:
        """See to it that all watchers watch: a test may have loaded JAX, or taken a trace function away."""
        if self._lines is not None:
            contained(self.observations, "lines", self._lines.renew)()
        if self._keys is not None and "jax.random" in sys.modules:
            contained(self.observations, "keys", self._install)()

    def warned(self, test: str, message: warnings.WarningMessage) -> None:
        """Pytest has recorded a warning of a test."""
        contained(self.observations, "warnings", self._warned)(test, message)

    def end(self) -> None:
        """A test is over."""
        if self._keys is not None:
            contained(self.observations, "keys", self._keys.end)()
        self.observations.test = BEFORE

    def stop(self) -> None:
        """Watch no longer."""
        if self._keys is not None:
            contained(self.observations, "keys", self._keys.close)()
        if self._lines is not None:
            contained(self.observations, "lines", self._lines.stop)()

    def _start(self) -> None:
        for target in self.targets:
            for path, line in product(target.spellings, target.lines):
                self._at.setdefault((path, line), []).append(target)
        reached = contained(self.observations, "lines", self._reached)
        raised = contained(self.observations, "exceptions", self._raised)
        lines = by_file((path, target.lines) for target in self.targets for path in target.spellings)
        self._lines = LineWatch(lines, _own(self.root), reached, raised)
        if (reason := self._lines.start()) is not None:
            self.observations.blind["exceptions"] = reason
        self._keys = KeyWatch(_by_path(self.targets), self.observations, self.stages)

    def _install(self) -> None:
        assert self._keys is not None
        if "keys" in self.observations.blind:
            return
        try:
            self._keys.install()
        except Unsupported as error:
            self.observations.blind["keys"] = str(error)

    def _reached(self, path: str, line: int) -> None:
        self.observations.reach(self._at.get((path, line), ()))

    def _warned(self, test: str, message: warnings.WarningMessage) -> None:
        text = str(message.message)
        for target in self._at.get((message.filename, message.lineno), ()):
            for phenomenon in target.phenomena:
                if target.number not in self.observations.seen and _is_said(phenomenon, text):
                    evidence: Evidence = {"class": message.category.__name__, "message": first_line(text)}
                    with changed(self.observations, test=test):
                        self.observations.see(target, phenomenon, evidence)

    def _raised(self, path: str, line: int, error: BaseException) -> None:
        for target in self._at.get((path, line), ()):
            for phenomenon in target.phenomena:
                if target.number not in self.observations.seen and _is_shown(phenomenon, error):
                    self.observations.see(target, phenomenon, _evidence(error))


def _is_shown(phenomenon: str, error: BaseException) -> bool:
    """Is a phenomenon shown by an exception that leaves its line?"""
    name, _, parameter = phenomenon.partition(":")
    if "jax" not in sys.modules:
        return False
    if name == "raises":
        return is_called(error, parameter)
    if name == "raises_eager":
        return is_called(error, parameter) and not compat.is_tracing()
    return name == "donated" and WORDS.search(str(error)) is not None


def _is_said(phenomenon: str, text: str) -> bool:
    """Is a phenomenon shown by a warning that is said of its line?"""
    name, _, parameter = phenomenon.partition(":")
    if name == "truncated":
        return is_of_width(text)
    return name == "warns" and flat(parameter) in flat(text)


def _evidence(error: BaseException) -> Evidence:
    return {"class": type(error).__name__, "message": first_line(error), "traced": compat.is_tracing()}


def _by_path(targets: Iterable[SoughtFinding]) -> dict[str, list[SoughtFinding]]:
    """The targets that keys can confirm, by file."""
    found: dict[str, list[SoughtFinding]] = {}
    for target in targets:
        if any(manner_of(phenomenon).how == "keys" for phenomenon in target.phenomena):
            for path in target.spellings:
                found.setdefault(path, []).append(target)
    return found


def _own(root: str) -> Callable[[str], bool]:
    """Whether a file is below the root, and no installed package."""
    inside = (root + os.sep, os.path.realpath(root) + os.sep)

    @cache
    def is_own(path: str) -> bool:
        return path.startswith(inside) and PACKAGES not in path

    return is_own
