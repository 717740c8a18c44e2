"""What the stages of the linter cost beside libcst's parse, file by file in one process."""

from __future__ import annotations

import ast
import gc
import time
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from statistics import median
from typing import TypeVar

import libcst as cst

from flake8_jax.analysis.interpreter import interpret
from flake8_jax.api import table
from flake8_jax.checking import check
from flake8_jax.config import Config
from flake8_jax.ir.lower import lower
from flake8_jax.syntax.depth import depth_of_tree
from flake8_jax.syntax.source import SourceFile, Unreadable, collector_paused

from .judging import Job

ROUNDS = 3
CONFIG = Config(preview=True)

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds of processor time.

    `parse`: `libcst.parse_module` alone; `tree`: `ast.parse`, which flake8 has done before a plugin runs; `guard`: the
    look at that tree that keeps libcst from deep nesting; `lower` and `interpret`; `whole`: the linter on a file that
    is parsed already, which is `lower`, `interpret` and the gate, the rules, the positions and the suppressions.
    """

    parse: float = 0.0
    tree: float = 0.0
    guard: float = 0.0
    lower: float = 0.0
    interpret: float = 0.0
    whole: float = 0.0

    @property
    def rest(self) -> float:
        """The gate, the rules, the positions and the suppressions."""
        return self.whole - self.lower - self.interpret

    @property
    def added(self) -> float:
        """Everything that this project adds where flake8 hands the tree of `ast` over."""
        return self.guard + self.whole


@dataclass(frozen=True, slots=True)
class Timing:
    """The sums over the files that were timed."""

    files: int
    lines: int
    sums: Times


def time_files(jobs: Sequence[Job], number: int) -> Timing:
    """Time `number` files that concern JAX, evenly spaced over all that do; what cannot be analysed is passed over."""
    timed: list[Times] = []
    lines = 0
    for path, text in sample(jobs, number):
        if not timed:
            _time_file(path, text)  # whatever is imported and read once
        times = _time_file(path, text)
        if times is not None:
            timed.append(times)
            lines += text.count("\n")
    return Timing(len(timed), lines, _each(timed, sum))


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


def _time_file(path: str, text: str) -> Times | None:
    """The median of each stage over some rounds."""
    try:
        return _each([_round(path, text) for _ in range(ROUNDS)], median)
    except Exception:  # `judge` has said so
        return None


def _round(path: str, text: str) -> Times:
    with collector_paused(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree, of_tree = _timed(lambda: ast.parse(text))
        lines = SourceFile(path, text).lines
        of_guard = _timed(lambda: depth_of_tree(tree, text, lines))[1]
        of_parse = _timed(lambda: cst.parse_module(text))[1]
    of_lower, of_interpret = _time_stages(SourceFile(path, text, tree))
    of_whole = _time_whole(SourceFile(path, text, tree))
    return Times(of_parse, of_tree, of_guard, of_lower, of_interpret, of_whole)


def _time_stages(source: SourceFile) -> tuple[float, float]:
    gc.collect()
    with collector_paused():
        _ = source.module
        start = time.process_time()
        module = lower(source)
        between = time.process_time()
    interpret(module, table.load())  # pays for the first look of the garbage collector at what was made until here
    return between - start, time.process_time() - between


def _time_whole(source: SourceFile) -> float:
    gc.collect()
    with collector_paused():
        _ = source.module
        start = time.process_time()
    check(source, CONFIG)
    return time.process_time() - start


def _timed(stage: Callable[[], Result]) -> tuple[Result, float]:
    start = time.process_time()
    result = stage()
    return result, time.process_time() - start


def _each(timed: Sequence[Times], summary: Callable[[Iterable[float]], float]) -> Times:
    return Times(**{field.name: summary([getattr(times, field.name) for times in timed]) for field in fields(Times)})
