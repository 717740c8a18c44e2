"""Checks many files: in this process, or in worker processes among which `scheduling` deals them out.

A worker checks its files one after the other and sends each report as soon as it is there.  So what is missing when a
worker dies begins with the file that it was checking.  That file need not be the cause (memory may have been short), so
another worker begins with it; if that one dies, too, before it has sent anything, the file alone costs so much:

    worker     a.py  b.py  dies
    another          b.py  dies       b.py is reported as the file whose process died
    another                c.py  d.py

Workers are killed when the run ends before them, and see to it themselves that they do not outlive it (`interrupts`).
"""

from __future__ import annotations

import gc
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, TypeAlias

from flake8_jax.driver import checking, interrupts
from flake8_jax.driver.projects import Projects
from flake8_jax.driver.scheduling import HAS_FORK, available_cores, dealt
from flake8_jax.lazy_dataclasses import dataclass
from flake8_jax.model.config import Config
from flake8_jax.model.report import Report, Statistics
from flake8_jax.syntax.source import collector_paused

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import ForkContext, SpawnContext
    from multiprocessing.process import BaseProcess

Found: TypeAlias = "tuple[str, Report]"


def check_files(
    paths: Sequence[str],
    config: Config,
    jobs: int | None = None,
    say: Callable[[str], None] | None = None,
    told: Callable[[int], None] | None = None,
) -> Iterator[Report]:
    """Check files and yield reports in their order, in at most `jobs` processes, or as many as there are cores.

    What an earlier run remembered is said by this process; others are started for the rest, where they pay.  `say` is
    told what is to be said of the store, `told` how many files are done.
    """
    projects = Projects(config, paths)
    with collector_paused():
        found = {path: report for path in paths if (report := _recalled(path, config, projects)) is not None}
        gc.freeze()  # what functions tell was found out for it, for which other files ask, too
    rest = projects.in_order(path for path in dict.fromkeys(paths) if path not in found)
    shares = dealt(rest, projects, available_cores() if jobs is None else jobs)
    news = _in_workers(shares, config, projects) if shares else _each(rest, config, projects)
    with closing(news):
        for path in paths:
            while path not in found:
                one, report = next(news)
                found[one] = report
                if told is not None:
                    told(len(found))
            yield found[path]
        for _ in news:  # the workers have something to remember yet
            pass
    for notice in projects.close():
        if say is not None:
            say(notice)


def _recalled(path: str, config: Config, projects: Projects) -> Report | None:
    """The report on a file that needs no work: it cannot concern JAX, or an earlier run remembers it."""
    try:
        report = projects.cached_report_unread(path)
        if report is not None and not report.diagnostics:
            return report
        source = projects.read(path)
        if not projects.may_concern_jax(source):
            return Report((), None, Statistics(files=1))
        report = report or projects.cached_report(source)
    except Exception:  # `lint` will meet it too, and say so
        return None
    return checking.shown(source, report, config) if report is not None else None


def _each(paths: Sequence[str], config: Config, projects: Projects) -> Generator[Found, None, None]:
    """Check files, those first that others import.  The collector looks only through what was made since these."""
    imported = set(filter(projects.is_imported, paths))
    with collector_paused():
        for path in paths:
            report = checking.check_file(path, config, projects)
            if path not in imported:
                projects.end(path)
            elif imported == {path}:
                gc.freeze()
            imported.discard(path)
            yield path, report
        gc.freeze()


@dataclass(slots=True, eq=False)
class Worker:
    """A process that checks the files that are `left`, in their order, and sends the reports on them."""

    process: BaseProcess
    left: deque[str]
    has_sent: bool = False


def _in_workers(shares: Sequence[Sequence[str]], config: Config, projects: Projects) -> Generator[Found, None, None]:
    """Check each share of the files in a process."""
    from multiprocessing.connection import wait

    projects.close()  # a fork opens its own
    workers: dict[Connection, Worker] = {}
    if HAS_FORK:
        _import_analysis(config)
    try:
        for share in shares:
            _start(share, config, projects, workers)
        while workers:
            ready = wait(list(workers))
            for pipe, worker in [each for each in workers.items() if each[0] in ready]:
                try:
                    found: Found = pipe.recv()
                except (EOFError, OSError):
                    del workers[pipe]
                    _end(pipe, worker)
                    if worker.left and not worker.has_sent:
                        path = worker.left.popleft()
                        yield path, checking.dead(path, config)
                    if worker.left:
                        _start(worker.left, config, projects, workers)
                else:
                    worker.left.popleft()
                    worker.has_sent = True
                    yield found
    finally:
        for worker in workers.values():
            worker.process.kill()
        for pipe, worker in workers.items():
            _end(pipe, worker)


def _import_analysis(config: Config) -> None:
    """Import what each worker needs, so that forks have it."""
    from flake8_jax.analysis import interpretation  # noqa: F401
    from flake8_jax.api import table
    from flake8_jax.rules import discover

    discover()
    table.load(config.jax_version)


def _start(paths: Iterable[str], config: Config, projects: Projects, workers: dict[Connection, Worker]) -> None:
    """Start a worker.  A fork has what is known of the projects already; another process reads them for itself."""
    from multiprocessing import get_context

    context: ForkContext | SpawnContext = get_context("fork") if HAS_FORK else get_context("spawn")
    left = deque(paths)
    pipe, sending = context.Pipe(duplex=False)
    known = projects if HAS_FORK else None
    process = context.Process(target=_work, args=(list(left), config, known, sending))
    with interrupts.held():  # until the worker is known here, and knows itself what it is
        process.start()
        workers[pipe] = Worker(process, left)
    sending.close()


def _end(pipe: Connection, worker: Worker) -> None:
    pipe.close()
    worker.process.join()


def _work(paths: Sequence[str], config: Config, projects: Projects | None, sending: Connection) -> None:
    """Be a worker."""
    interrupts.become_worker()
    projects = projects or Projects(config, paths)
    for found in _each(paths, config, projects):
        sending.send(found)
    projects.close()
