"""Processes that measure: a worker reads all modules and tables and forks itself for each measurement.

So no measurement finds what an earlier one has left behind, their order does not matter, and the hashes of texts are the
same in all.  A measurement that takes more CPU time than it was given ends without a result.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.growth.families import FAMILIES
from tests.growth.measuring import Measured, measured

ROOT = Path(__file__).resolve().parents[2]
MEMORY = 3 << 30
"""Bytes that a measurement may use."""

WARM = "findings_of_many_rules"
"""The family whose program is judged first, so that modules and tables are read."""

@dataclass(frozen=True, slots=True)
class Job:
    """One program to be measured, and for how many seconds of CPU time at most.

    `is_detailed`: the calls of each function are asked for.
    """

    family: str
    size: int
    seconds: int
    is_detailed: bool = True


def results(jobs: Iterable[Job]) -> Iterator[tuple[Job, Measured | None]]:
    """Measure programs one after another, in a worker of its own; None is what did not end."""
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    with subprocess.Popen(
        [sys.executable, "-m", "tests.growth.worker"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment,
    ) as worker:  # fmt: skip
        assert worker.stdin is not None and worker.stdout is not None
        for job in jobs:
            worker.stdin.write(json.dumps(asdict(job)) + "\n")
            worker.stdin.flush()
            answer = json.loads(worker.stdout.readline())
            yield job, Measured(**answer) if answer is not None else None


def serve() -> None:
    """Answer jobs until standard input ends."""
    measured(FAMILIES[WARM].write(2))
    for line in sys.stdin:
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
        found = measured(FAMILIES[job.family].write(job.size))
        if not job.is_detailed:
            found.by_function, found.by_caller = {}, {}
        with open(writing, "w", encoding="utf-8") as pipe:
            json.dump(asdict(found), pipe)
    finally:
        os._exit(0)


if __name__ == "__main__":
    serve()
