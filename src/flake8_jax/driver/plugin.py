"""The flake8 plugin: takes a file and options from flake8 and yields rows; never raises."""

from __future__ import annotations

import ast
import gc
from argparse import SUPPRESS, Action, ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Sequence
from configparser import RawConfigParser
from contextlib import suppress
from multiprocessing.util import Finalize
from typing import TYPE_CHECKING, Any, ClassVar

from flake8_jax import __version__
from flake8_jax.lazy_dataclasses import replace
from flake8_jax.model.config import EXCLUDED, OPTIONS, PREFIX, SECTION, Config, ConfigError, flake8_key, load_file
from flake8_jax.model.configurations import Configurations
from flake8_jax.model.former import FORMER, Former
from flake8_jax.model.spelling import suggestion

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
    configurations: ClassVar[Configurations] = Configurations(is_isolated=True)
    left_out: ClassVar[frozenset[str]] = frozenset()
    projects: ClassVar[dict[Config, Projects]] = {}
    known: ClassVar[dict[str, tuple[bytes, Report]]] = {}
    counted: ClassVar[dict[str, Report]] = {}
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
        """Read `[tool.flake8-jax]` for each file, then flake8's options, which prevail.

        A wrong option ends the run with one line.
        """
        from flake8_jax.driver.equivalents import in_vain

        flags = {option.key: option.kind == "flag" for option in OPTIONS if option.shared}
        flags |= {key: former.is_flag for key, former in _former().items()}
        given = {key: _value(key, options, is_flag=is_flag) for key, is_flag in flags.items()}
        given |= {"disable-noqa": options.disable_noqa, "debug": False}
        files = _files(options)
        try:
            _check_file_of_flake8(manager)
            cls.configurations = Configurations(given, spelt=lambda key: _spelt(key, options), say=_warn)
            cls.left_out = _left_out(files, options, cls.configurations)
            unused = _unused(files, cls.configurations)
            vain = [one for config in cls.configurations.groups(files) for one in in_vain(config)]
        except ConfigError as error:
            manager.parser.exit(2, f"flake8: error: {error}\n")
        if unused:
            _warn(f"flake8 does not use {unused}; `flake8-jax check` does")
        for said in dict.fromkeys(vain):
            _warn(said)
        cls.projects, cls.known, cls.counted = {}, {}, {}
        is_counting = cls.configurations.run.analysis_statistics and _is_first()
        if is_counting:
            _at_exit(cls._tell_statistics)
        if _will_fork(options) or (is_counting and _has_several_processes(options)):
            cls._foresee([path for path in files if path not in cls.left_out], is_whole=is_counting)

    @classmethod
    def _foresee(cls, files: Sequence[str], is_whole: bool) -> None:
        """Judge files before flake8 starts other processes: each would find out most of what a project defines, and
        none could count for all.
        """
        from flake8_jax.driver.linter import lint
        from flake8_jax.driver.scheduling import MOST_BYTES, size_of
        from flake8_jax.syntax.source import collector_paused

        for config, group in cls.configurations.groups(files).items():
            projects = cls._projects(config, group)
            with collector_paused():
                for path in group if is_whole or size_of(group) <= MOST_BYTES else ():
                    with suppress(Exception):  # a worker will meet it too, and say so
                        source = projects.read(path)
                        if is_whole or projects.may_concern_jax(source):
                            report = cls.counted[path] = lint(source, config, projects)
                            cls.known[path] = source.digest, report
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

        if self._filename in self.left_out:
            return
        config = self.configurations.of(self._filename)
        source = SourceFile(self._filename, "".join(self._lines), self._tree)
        digest, report = self.known.get(self._filename, (b"", None))
        if report is None or digest != source.digest:
            with collector_paused():
                report = lint(source, config, projects := self._projects(config))
                projects.freeze()
            self._note(report)
        self.counted[self._filename] = report
        for found in report.diagnostics:
            if _is_chosen(found.code, self._filename, config):
                yield found.span.line, found.span.column, f"{found.code} {found.message}", type(self)

    @classmethod
    def _projects(cls, config: Config, files: Sequence[str] | None = None) -> Projects:
        """The projects of this process and of one configuration, as they were when the first file was judged."""
        from flake8_jax.driver.projects import Projects

        if config not in cls.projects:
            cls.projects[config] = Projects(config, files)
            _at_exit(cls.projects[config].close)
        return cls.projects[config]

    @classmethod
    def _tell_statistics(cls) -> None:
        import sys

        from flake8_jax.driver.statistics import of_analysis

        print("\n".join(of_analysis(cls.counted.items(), cls.configurations.of)), file=sys.stderr)


def _is_chosen(code: str, path: str, config: Config) -> bool:
    """Does our section choose a code?  flake8 chooses among what is left."""
    from flake8_jax.driver.selection import is_chosen

    return is_chosen(code, path, config)


def _files(options: Namespace) -> list[str]:
    """The files that flake8 is going to check."""
    from flake8.discover_files import expand_paths

    paths = expand_paths(
        paths=options.filenames,
        stdin_display_name=options.stdin_display_name,
        filename_patterns=options.filename,
        exclude=(*options.exclude, *options.extend_exclude),
    )
    return [options.stdin_display_name if path == "-" else path for path in paths]


def _left_out(files: Sequence[str], options: Namespace, configurations: Configurations) -> frozenset[str]:
    """The files of which nothing is said, because the command line would not judge them.

    An `exclude` of flake8's stands in place of our defaults, too.
    """
    from flake8.defaults import EXCLUDE

    from flake8_jax.driver.gitignore import Ignored
    from flake8_jax.driver.selection import STDIN, Selection

    def config_of(path: str) -> Config:
        config = configurations.of(path)
        return replace(config, exclude=()) if is_stated and config.exclude == EXCLUDED else config

    is_stated = tuple(options.exclude) != EXCLUDE
    named = [options.stdin_display_name if path == "-" else path for path in options.filenames or ["."]]
    selection = Selection(config_of, Ignored(named, _warn).holds)
    return frozenset(path for path in files if path != STDIN and selection.is_left_out(path, named))


def _unused(files: Sequence[str], configurations: Configurations) -> str:
    """Which options of our section have no effect under flake8, and where they stand; empty if none is set."""
    default, found = Config(), dict[str, None]()
    for file in dict.fromkeys([configurations.source, *map(configurations.source_of, files)]):
        config = load_file(file) if file is not None else default
        keys = [
            option.key
            for option in OPTIONS
            if not option.is_used_by_flake8 and getattr(config, option.name) != getattr(default, option.name)
        ]
        if keys:
            found[f"{', '.join(keys)} of [tool.{SECTION}] in {file}"] = None
    return "; ".join(found)


def _check_file_of_flake8(manager: OptionManager) -> None:
    """Raise `ConfigError` for what looks like one of our options in flake8's own file, and is none: flake8 passes over
    what nobody registered.
    """
    import sys

    from flake8.main.options import stage1_arg_parser
    from flake8.options import config

    known: set[str] = {key.replace("_", "-") for key in manager.config_options_dict}
    try:
        words, _ = stage1_arg_parser().parse_known_args(sys.argv[1:])
        file, _ = config.load_config(words.config, words.append_config, isolated=words.isolated)
        keys = list(file["flake8"]) if file.has_section("flake8") else []
    except (Exception, SystemExit):  # another program runs flake8, whose words these are not
        return
    for key in keys:
        if key.replace("_", "-").startswith(PREFIX) and key.replace("_", "-") not in known:
            ours = [option.flake8_key for option in OPTIONS if option.shared]
            own = key.replace("_", "-").removeprefix(PREFIX)
            raise ConfigError(
                f"[flake8] {key}: there is no such option; "
                + (f"that of flake8 itself is {own}" if own in known else suggestion(key, ours))
            )


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
    """Say what a user may want to know, in the first process only."""
    import sys

    if _is_first():
        print(f"flake8: warning: {text}", file=sys.stderr)


def _is_first() -> bool:
    """Is this the process that the user started?"""
    import multiprocessing

    return multiprocessing.parent_process() is None


def _will_fork(options: Namespace) -> bool:
    """Is flake8 going to check files in forks of this process?"""
    import multiprocessing

    return _has_several_processes(options) and multiprocessing.get_start_method() == "fork"


def _has_several_processes(options: Namespace) -> bool:
    """Is flake8 going to check files in other processes, started by this one?"""
    import multiprocessing

    jobs, names = getattr(options, "jobs", None), getattr(options, "filenames", [])
    if jobs is None or "-" in names or not _is_first():
        return False
    count = multiprocessing.cpu_count() if jobs.is_auto else jobs.n_jobs
    return bool(count > 1)


def _at_exit(call: Callable[[], object]) -> None:
    """flake8 tells nobody when it ends, and its workers end without `atexit`, but not without this."""
    Finalize(None, call, exitpriority=10)


def _warn_of_faults(reports: Sequence[Report]) -> None:
    """Say what was dropped because a defect of ours raised; a worker says it of the files that it judged."""
    import sys

    from flake8_jax.driver.statistics import of_faults

    text = of_faults(reports)
    if text is not None:
        print(f"flake8: warning: {text}", file=sys.stderr, flush=True)
