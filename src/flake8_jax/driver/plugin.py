"""The flake8 plugin: takes a file and options from flake8 and yields rows; never raises."""

from __future__ import annotations

import ast
import gc
from argparse import SUPPRESS, Action, ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from configparser import RawConfigParser
from contextlib import suppress
from multiprocessing.util import Finalize
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from flake8_jax import __version__
from flake8_jax.model.config import OPTIONS, Config, ConfigError, flake8_key, load
from flake8_jax.model.former import FORMER, Former

if TYPE_CHECKING:
    from flake8.options.manager import OptionManager

    from flake8_jax.driver.projects import Projects
    from flake8_jax.model.report import Report

Row = tuple[int, int, str, type]
ON_THE_COMMAND_LINE = "jax_given"
"""In flake8's namespace, the names of our options that the command line holds."""


class _Given(Action):
    """Stores a value, and that it stands on the command line: configuration files set theirs past the parser.

    A flag takes no value: flake8 would end with a traceback for one in a file that it cannot read as true or false.
    """

    def __call__(
        self,
        parser: ArgumentParser,
        namespace: Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        setattr(namespace, self.dest, True if self.nargs == 0 else values)
        setattr(namespace, ON_THE_COMMAND_LINE, (*getattr(namespace, ON_THE_COMMAND_LINE, ()), self.dest))


class Plugin:
    """One file under flake8.

    Parameters, by flake8's names: the file's `tree`, its `filename` (for standard input the display name), its `lines`.
    """

    name: ClassVar[str] = "flake8-jax"
    version: ClassVar[str] = __version__
    config: ClassVar[Config] = Config()
    projects: ClassVar[Projects | None] = None
    known: ClassVar[dict[str, tuple[bytes, Report]]] = {}
    dropping: ClassVar[list[Report]] = []

    __slots__ = ("_filename", "_lines", "_tree")

    def __init__(self, tree: ast.Module, filename: str, lines: Sequence[str]) -> None:
        self._tree = tree
        self._filename = filename
        self._lines = lines

    @classmethod
    def add_options(cls, manager: OptionManager) -> None:
        """Register the shared options as `--jax-NAME`, and as `jax-NAME` in flake8's configuration files."""
        for option in OPTIONS:
            if option.shared:
                settings: dict[str, Any] = {"nargs": 0} if option.kind == "flag" else {"metavar": "VALUE"}
                if option.kind in ("folder", "new-folder"):
                    settings["normalize_paths"] = True
                manager.add_option(
                    f"--{option.flake8_key}",
                    action=_Given,
                    default=None,
                    parse_from_config=True,
                    help=option.help,
                    **settings,
                )
        for key, former in _former().items():
            nothing = {"nargs": 0} if former.is_flag else {}
            manager.add_option(
                f"--{flake8_key(key)}", default=None, parse_from_config=True, help=SUPPRESS, action=_Given, **nothing
            )

    @classmethod
    def parse_options(cls, manager: OptionManager, options: Namespace, arguments: list[str]) -> None:
        """Read the shared options of `[tool.flake8-jax]`, then flake8's.  A wrong one ends the run with one line."""
        flags = {option.key: option.kind == "flag" for option in OPTIONS if option.shared}
        flags |= {key: former.is_flag for key, former in _former().items()}
        given = {key: _value(key, options, is_flag=is_flag) for key, is_flag in flags.items()}
        given |= {"disable-noqa": options.disable_noqa, "debug": False}
        try:
            found = load(Path.cwd(), _warn)
            cls.config = found.given(given, Path.cwd(), lambda key: _spelt(key, options), _warn)
        except ConfigError as error:
            manager.parser.exit(2, f"flake8: error: {error}\n")
        if _will_fork(options):
            cls._foresee(options)

    @classmethod
    def _foresee(cls, options: Namespace) -> None:
        """Judge the files before flake8 forks: its workers would each find out most of what a project defines."""
        from flake8.discover_files import expand_paths

        from flake8_jax.driver.linter import lint
        from flake8_jax.driver.scheduling import MOST_BYTES, size_of
        from flake8_jax.syntax.source import collector_paused

        paths = expand_paths(
            paths=options.filenames,
            stdin_display_name=options.stdin_display_name,
            filename_patterns=options.filename,
            exclude=(*options.exclude, *options.extend_exclude),
        )
        files = list(paths)
        projects = cls._projects(files)
        with collector_paused():
            for path in files if size_of(files) <= MOST_BYTES else ():
                with suppress(Exception):  # a worker will meet it too, and say so
                    source = projects.read(path)
                    if projects.may_concern_jax(source):
                        cls.known[path] = source.digest, lint(source, cls.config, projects)
            gc.freeze()  # what forks do not look at stays in common
        projects.close()
        _warn_of_faults([report for _, report in cls.known.values()])

    @classmethod
    def _note(cls, report: Report) -> None:
        """Keep a report in which something is missing, until this process ends and says so, once."""
        if report.faults and not cls.dropping:
            Finalize(None, _warn_of_faults, (cls.dropping,), exitpriority=10)
        cls.dropping += [report] * bool(report.faults)

    def run(self) -> Iterator[Row]:
        """The rows of this file: line from 1, column from 0 in characters, code and message, type."""
        from flake8_jax.driver.linter import lint
        from flake8_jax.syntax.source import SourceFile, collector_paused

        source = SourceFile(self._filename, "".join(self._lines), self._tree)
        digest, report = self.known.get(self._filename, (b"", None))
        if report is None or digest != source.digest:
            with collector_paused():
                report = lint(source, self.config, projects := self._projects())
                projects.freeze()
            self._note(report)
        for found in report.diagnostics:
            yield found.span.line, found.span.column, f"{found.code} {found.message}", type(self)

    @classmethod
    def _projects(cls, files: Sequence[str] | None = None) -> Projects:
        """The projects of this process, as they were when the first file was judged."""
        from flake8_jax.driver.projects import Projects

        if cls.projects is None or cls.projects.config is not cls.config:
            cls.projects = Projects(cls.config, files)
            _flush_at_exit(cls.projects)
        return cls.projects


def _value(key: str, options: Namespace, *, is_flag: bool) -> object:
    """What flake8 has of one of our options; configuration files give a flag as text."""
    value: object = getattr(options, _attribute(key))
    if is_flag and isinstance(value, str):
        return RawConfigParser.BOOLEAN_STATES.get(value.lower(), value)
    return value


def _spelt(key: str, options: Namespace) -> str:
    """An option as the user wrote it, or would write it for a former one: on the command line or in a file."""
    given = getattr(options, ON_THE_COMMAND_LINE, ())
    before = [old for old, former in _former().items() if former.now == key]
    is_given = any(_attribute(each) in given for each in (key, *before))
    return f"{'--' if is_given else '[flake8] '}{flake8_key(key)}"


def _attribute(key: str) -> str:
    return flake8_key(key).replace("-", "_")


def _former() -> dict[str, Former]:
    """The former options that flake8 offers: those that became a shared one, or nothing."""
    shared = {None, *(option.key for option in OPTIONS if option.shared)}
    return {key: former for key, former in FORMER.items() if former.now in shared}


def _warn(text: str) -> None:
    """Say what is deprecated, in the first process only."""
    import multiprocessing
    import sys

    if multiprocessing.parent_process() is None:
        print(f"flake8: warning: {text}", file=sys.stderr)


def _will_fork(options: Namespace) -> bool:
    """Is flake8 going to check files in forks of this process?"""
    import multiprocessing

    jobs, names = getattr(options, "jobs", None), getattr(options, "filenames", [])
    if jobs is None or "-" in names or multiprocessing.parent_process() is not None:
        return False
    count = multiprocessing.cpu_count() if jobs.is_auto else jobs.n_jobs
    return count > 1 and multiprocessing.get_start_method() == "fork"


def _flush_at_exit(projects: Projects) -> None:
    """flake8 tells nobody when it ends, and its workers end without `atexit`, but not without this."""
    Finalize(None, projects.close, exitpriority=10)


def _warn_of_faults(reports: Sequence[Report]) -> None:
    """Say what was dropped because a defect of ours raised; a worker says it of the files that it judged."""
    import sys

    from flake8_jax.driver.statistics import of_faults

    text = of_faults(reports)
    if text is not None:
        print(f"flake8: warning: {text}", file=sys.stderr, flush=True)
