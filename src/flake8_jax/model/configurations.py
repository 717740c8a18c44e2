"""Which configuration rules a file: that of the nearest pyproject.toml above it with the section.

    pyproject.toml            [tool.flake8-jax]        rules train.py
    lib/pyproject.toml        [tool.flake8-jax]        rules lib/ops.py, and nothing of the one above does
    tools/pyproject.toml      without the section      tools/plot.py is ruled by the one at the top

A file with none above it is ruled by that of the working directory.  What was given on the command line prevails
everywhere, and one file that is named there (`--config`) rules all.  What concerns a run as a whole, such as the format
of its output, is the matter of the working directory's configuration alone.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from flake8_jax.lazy_dataclasses import replace
from flake8_jax.model.config import OPTIONS, PYPROJECT, Config, Say, has_section, load_file, unread_sections

NOTHING: Mapping[str, object] = {}
OF_A_RUN = tuple(option.name for option in OPTIONS if option.is_of_run)


class Configurations:
    """The configurations of a run's files, each file of options read once.

    `run` is that of the working directory, or of the `folder` that is given in its place.  `values` by key prevail over
    all, `spelt` is how a key among them is called in errors, `say` is told which options are deprecated or in vain.
    `file` is read in place of all others; if `is_isolated`, none is read.  Every method raises `ConfigError` for a file
    that cannot be used.
    """

    __slots__ = ("_above", "_by_file", "_folder", "_one", "_say", "_spelt", "_values", "run", "source")

    def __init__(
        self, values: Mapping[str, object] = NOTHING, *, file: Path | None = None, is_isolated: bool = False,
        spelt: Callable[[str], str] = "--{}".format, say: Say | None = None, folder: Path | None = None,
    ) -> None:  # fmt: skip
        self._values, self._spelt, self._say = values, spelt, say
        self._folder = folder if folder is not None else Path.cwd()
        self._one = file is not None or is_isolated
        self._above: dict[str, Path | None] = {}
        self.source = file if self._one else self._nearest(str(self._folder))
        found = load_file(self.source, say) if self.source is not None else Config()
        if say is not None and not self._one:
            for text in unread_sections(self._folder):
                say(text)
        self.run = found.given(values, self._folder, spelt, say)
        self._by_file = {self.source: self.run}

    def of(self, path: str) -> Config:
        """The configuration that rules a file, or decides whether a folder is looked into; it need not exist."""
        file = self.source_of(path)
        found = self._by_file.get(file)
        if found is None:
            assert file is not None, "without a file, the working directory's configuration rules"
            read = load_file(file, self._say).given(self._values, self._folder, self._spelt)
            found = replace(read, **{name: getattr(self.run, name) for name in OF_A_RUN})
            self._by_file[file] = found
        return found

    def source_of(self, path: str) -> Path | None:
        """The file of options that rules a file; None if none does."""
        if self._one:
            return self.source
        return self._nearest(os.path.dirname(os.path.abspath(path))) or self.source

    def groups(self, paths: Iterable[str]) -> dict[Config, list[str]]:
        """Files by the configuration that rules them."""
        found: dict[Config, list[str]] = {}
        for path in paths:
            found.setdefault(self.of(path), []).append(path)
        return found

    def _nearest(self, folder: str) -> Path | None:
        """The nearest file of options, from a folder upward."""
        passed: list[str] = []
        while folder not in self._above:
            passed.append(folder)
            file, above = Path(folder, PYPROJECT), os.path.dirname(folder)
            if has_section(file):
                self._above[folder] = file
            elif above == folder:
                self._above[folder] = None
            else:
                folder = above
        self._above |= dict.fromkeys(passed, self._above[folder])
        return self._above[folder]
