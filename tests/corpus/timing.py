"""What the linter costs beside libcst's parse, in one process: its stages file by file, and all of it in one go.

The stages are timed with the garbage collector off and say where the time goes.  What a user waits for is the one
go: the collector is left as the linter has it, and what a file leaves behind is freed.
"""

from __future__ import annotations

import ast
import gc
import time
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from statistics import median
from typing import TypeVar

import libcst as cst

from flake8_jax.analysis.interpretation import interpret
from flake8_jax.analysis.modules.linking import LinkedProject
from flake8_jax.api import table
from flake8_jax.driver.checking import check
from flake8_jax.driver.linter import lint
from flake8_jax.driver.projects import Projects
from flake8_jax.model.config import Config
from flake8_jax.syntax.source import SourceFile, Unreadable, collector_paused

from .judging import Job

ROUNDS = 3
CONFIG = Config(strict=True, no_store=True)
ALONE = "stdin"
"""What a file is called that belongs to no project, so that its own cost is told from that of the files around it."""

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds of processor time, by stage.

    `parse`: `libcst.parse_module`, the yardstick; `tree`: `ast.parse`, which flake8 has done before a plugin runs;
    `lower`, the index of the file and the look for deep nesting included; `interpret`; `whole`: the linter on a file
    that Python has parsed, which is `lower`, `interpret` and the gate, the rules, the positions and the suppressions.
    """

    parse: float = 0.0
    tree: float = 0.0
    lower: float = 0.0
    interpret: float = 0.0
    whole: float = 0.0

    @property
    def rest(self) -> float:
        """The gate, the rules, the positions and the suppressions."""
        return self.whole - self.lower - self.interpret


@dataclass(frozen=True, slots=True)
class Go:
    """Seconds of processor time for all files, one after the other: `libcst.parse_module`, `ast.parse`, the linter."""

    parse: float = 0.0
    tree: float = 0.0
    linter: float = 0.0


@dataclass(frozen=True, slots=True)
class Timing:
    """How many files of how many lines were timed, the sums of their stages, and all of them in one go."""

    files: int
    lines: int
    sums: Times
    go: Go


@dataclass(frozen=True, slots=True)
class Whole:
    """Seconds of processor time for all files of some packages: libcst on those that were analysed, and the linter."""

    packages: int
    files: int
    lines: int
    parse: float
    linter: float


def time_packages(jobs: Sequence[Job], number: int) -> Whole:
    """Time the linter on whole packages, the work across files included, beside libcst's parse of the same files."""
    folders = sorted({job.folder for job in jobs})
    number = min(number, len(folders))
    chosen = {folders[place * len(folders) // number] for place in range(number)}
    files = lines = 0
    parse = linter = 0.0
    for folder in sorted(chosen):
        paths = [str(job.file) for job in jobs if job.folder == folder]
        projects = Projects(replace(CONFIG, root=folder), paths)
        for path in paths:
            source = SourceFile.read(path)
            report, spent = _timed(partial(lint, source, CONFIG, projects))
            gc.freeze()
            linter += spent
            if report.statistics.analysed:
                files, lines = files + 1, lines + len(source.lines)
                with collector_paused():
                    parse += _timed(partial(cst.parse_module, source.text))[1]
    return Whole(number, files, lines, parse, linter)


def time_files(jobs: Sequence[Job], number: int) -> Timing:
    """Time `number` files that concern JAX, evenly spaced over all that do; what cannot be analysed is passed over."""
    timed = {(path, text): _time_stages(path, text) for path, text in sample(jobs, number)}
    files = [file for file, times in timed.items() if times is not None]
    sums = _each(Times, [times for times in timed.values() if times is not None], sum)
    go = _each(Go, [_go(files) for _ in range(ROUNDS)], median)
    return Timing(len(files), sum(text.count("\n") for _, text in files), sums, go)


def sample(jobs: Sequence[Job], number: int) -> list[tuple[str, str]]:
    """Paths and texts of files that concern JAX, evenly spaced."""
    found = []
    for job in jobs:
        try:
            source = SourceFile.read(str(job.file))
        except Unreadable:
            continue
        if source.concerns_jax():
            found.append((source.path, source.text))
    number = min(number, len(found))
    return [found[place * len(found) // number] for place in range(number)]


def _time_stages(path: str, text: str) -> Times | None:
    """The median of each stage over some rounds, after one that imports and reads what is needed once."""
    try:
        return _each(Times, [_round(path, text) for _ in range(ROUNDS + 1)][1:], median)
    except Exception:  # `judge` has said so
        return None


def _round(path: str, text: str) -> Times:
    with collector_paused(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree, of_tree = _timed(lambda: ast.parse(text))
        _, of_parse = _timed(lambda: cst.parse_module(text))
        source = SourceFile(path, text, tree)
        file, of_lower = _timed(lambda: LinkedProject(None, table.load()).judged(source, path))
        _, of_interpret = _timed(lambda: interpret(file))
        again = SourceFile(ALONE, text, tree)
        _, of_whole = _timed(lambda: check(again, CONFIG))
    return Times(of_parse, of_tree, of_lower, of_interpret, of_whole)


def _go(files: Sequence[tuple[str, str]]) -> Go:
    def parse_all() -> None:
        with collector_paused():
            for _, text in files:
                cst.parse_module(text)

    def trees() -> None:
        with collector_paused(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for _, text in files:
                ast.parse(text)

    def lint_all() -> None:
        for _, text in files:
            check(SourceFile(ALONE, text), CONFIG)

    return Go(*(_timed(all_of_them)[1] for all_of_them in (parse_all, trees, lint_all)))


def _timed(stage: Callable[[], Result]) -> tuple[Result, float]:
    start = time.process_time()
    result = stage()
    return result, time.process_time() - start


Measured = TypeVar("Measured", Times, Go)


def _each(kind: type[Measured], timed: Sequence[Measured], summary: Callable[[Iterable[float]], float]) -> Measured:
    return kind(**{field.name: summary([getattr(times, field.name) for times in timed]) for field in fields(kind)})
