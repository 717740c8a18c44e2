"""Processes that measure: a worker reads all modules and tables and forks itself for each measurement.

What a family alone asks for, such as a table that few programs need, is read by judging its smallest program first:
the cost of reading it would else be subtracted with size 0, and hide the growth of a small program.

So no measurement finds what an earlier one has left behind, their order does not matter, and the hashes of texts are
the same in all.  A measurement that takes more CPU time than it was given ends without a result.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import SimpleQueue

from tests.growth.families import FAMILIES
from tests.growth.growth import Growth
from tests.growth.measuring import Measured, measured

ROOT = Path(__file__).resolve().parents[2]
MEMORY = 3 << 30
"""Bytes that a measurement may use."""

WARM = "findings_of_many_rules"
"""The family whose program is judged first, so that modules and tables are read."""


@dataclass(frozen=True, slots=True)
class Job:
    """One program to be measured, for how many seconds of CPU time at most, and whether to note who calls whom."""

    family: str
    size: int
    seconds: int
    is_detailed: bool = True


class Worker:
    """A process that measures one program after another."""

    __slots__ = ("_process",)

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.growth.worker"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": "0"},
        )  # fmt: skip

    def measure(self, job: Job) -> Measured | None:
        """The costs of a program; None if finding them out did not end."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(asdict(job)) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        return Measured(**answer) if answer is not None else None

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


@contextmanager
def workers(many: int) -> Iterator[SimpleQueue[Worker]]:
    """Some workers, to be taken and put back."""
    free: SimpleQueue[Worker] = SimpleQueue()
    made = [Worker() for _ in range(many)]
    try:
        for one in made:
            free.put(one)
        yield free
    finally:
        for one in made:
            one.close()


def grown(
    sizes: Mapping[str, int], many: int, seconds: int, is_detailed: bool = True, processes: int = 1
) -> Iterator[Growth]:
    """How families grow, from the size that is given for each: at size 0, and at `many` sizes n, 2n and so on.

    Nothing larger is measured of a family that did not end.
    """
    with workers(processes) as free, ThreadPoolExecutor(processes) as threads:

        def one(family: str, size: int) -> Growth:
            worker = free.get()
            try:
                base = worker.measure(Job(family, 0, seconds, is_detailed))
                found: list[Measured | None] = []
                for place in range(many):
                    found.append(worker.measure(Job(family, size << place, seconds, is_detailed)))
                    if found[-1] is None:
                        break
                return Growth(family, size, base, found)
            finally:
                free.put(worker)

        yield from threads.map(one, sizes, sizes.values())


def serve(jobs: Iterable[str]) -> None:
    """Answer jobs, one a line."""
    measured(FAMILIES[WARM].write(2))
    for line in jobs:
        job = Job(**json.loads(line))
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            _answer(job, writing)
        os.close(writing)
        with open(reading, encoding="utf-8") as pipe:
            answer = pipe.read()
        os.waitpid(child, 0)
        sys.stdout.write((answer or "null") + "\n")
        sys.stdout.flush()


def _answer(job: Job, writing: int) -> None:
    """Measure in a forked child, and end it without a word of what its parent was doing."""
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (job.seconds, job.seconds + 1))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        measured(FAMILIES[job.family].write(1), is_detailed=False)
        found = measured(FAMILIES[job.family].write(job.size), job.is_detailed)
        with open(writing, "w", encoding="utf-8") as pipe:
            json.dump(asdict(found), pipe)
    finally:
        os._exit(0)


if __name__ == "__main__":
    serve(sys.stdin)
