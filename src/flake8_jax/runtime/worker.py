"""A worker process that answers jobs: rows of JSON on standard input, records on standard output.

Jobs that need a process of their own come first and run in forked children, while no backend of JAX is started; then
the backend starts, and the platform that was got is compared with the one that was asked for: JAX falls back to the
CPU in silence.  What cases write to standard output by any way is kept out of the records.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import platform as host
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from types import FrameType
from typing import NoReturn, TextIO

from flake8_jax.runtime.judge import Verdict, blindness, judge, read_pair, record_of
from flake8_jax.runtime.phenomena import discover
from flake8_jax.runtime.plan import REMEDY, Job
from flake8_jax.runtime.records import Device, ObservationRecord

GPU = ("gpu", "cuda", "rocm")


class JobTimeout(BaseException):
    """A job has exceeded its time; no `except Exception` of a case can catch it."""


@dataclass(frozen=True, slots=True)
class Order:
    """The settings of a worker: the platform, and the time limit of a job in seconds."""

    platform: str
    seconds: int


def main() -> int:
    """Answer jobs until standard input ends."""
    out = _take_output()
    order = Order(**json.loads(sys.stdin.readline()))
    importlib.import_module("jax")  # at nobody's expense
    gc.freeze()  # recipes look through what is alive: cases are not the cause of what is there already
    for line in sys.stdin:
        job = Job.from_row(json.loads(line))
        for record in answers(job, order):
            out.write(record.as_json() + "\n")
        out.write("\n")
        out.flush()
    return 0


def answers(job: Job, order: Order) -> Iterator[ObservationRecord]:
    """The records of one job."""
    try:
        with _limited(order.seconds):
            if job.isolated:
                from flake8_jax.runtime import children

                _prepare(job)
                rows = children.in_child(lambda: [r.as_json() for r in _judged(job, order)], seconds=order.seconds)
                yield from map(ObservationRecord.from_json, rows)
            else:
                yield from list(_judged(job, order))
    except JobTimeout:
        yield from unanswered(job, order.platform, f"the case ran for more than {order.seconds} s")
    except Exception as error:
        yield from unanswered(job, order.platform, repr(error))


def _prepare(job: Job) -> None:
    """Read the pair once, here, and not again in every child; test recipes that fork by themselves."""
    read_pair(job.folder, job.pair)
    for question in job.questions:
        name = question.phenomenon.partition(":")[0]
        if name != REMEDY and discover()[name].in_child:
            blindness(name)


def unanswered(job: Job, platform: str, reason: str) -> Iterator[ObservationRecord]:
    """Records that give the reason why a job has no answer."""
    verdict = Verdict("error", None, {"reason": reason}, job.case)
    for question in job.questions:
        yield record_of(job, question, verdict, Device(platform))


def _judged(job: Job, order: Order) -> Iterator[ObservationRecord]:
    """The records of a job in this process: skipped if the platform is not the one asked for."""
    if job.isolated:
        found = list(judge(job, lambda: Device(order.platform)))
        device = here()
        if not is_platform(device.platform, order.platform):
            yield from (_skipped(record, device, order) for record in found)
        else:
            yield from (replace(record, device=device) for record in found)
        return
    device = here()
    if not is_platform(device.platform, order.platform):
        blank = unanswered(job, order.platform, "")
        yield from (_skipped(record, device, order) for record in blank)
    else:
        yield from judge(job, lambda: device)


def _skipped(record: ObservationRecord, device: Device, order: Order) -> ObservationRecord:
    reason = f"requested {order.platform}, got {device.platform or 'nothing'}"
    return replace(record, status="skipped", observed=None, evidence={"reason": reason}, device=Device(order.platform))


def is_platform(got: str, asked: str) -> bool:
    """Does this JAX platform match the platform named by a user?"""
    return got == asked or (got in GPU and asked in GPU)


@cache
def here() -> Device:
    """The device description of this process; starts its backend.  The platform is empty if none starts."""
    import jax
    import jaxlib

    try:
        devices = jax.devices()
    except (RuntimeError, AssertionError):
        devices = []
    return Device(
        platform=devices[0].platform if devices else "",
        device_kind=devices[0].device_kind if devices else "",
        device_count=len(devices),
        jax=jax.__version__,
        jaxlib=jaxlib.version.__version__,
        python=host.python_version(),
    )


def _take_output() -> TextIO:
    """Standard output for the records alone: whatever else is written to it goes nowhere."""
    mine = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    return mine


@contextmanager
def _limited(seconds: int) -> Iterator[None]:
    """Interrupt what runs longer, where the system can."""
    if not hasattr(signal, "SIGALRM"):
        yield
        return

    def interrupt(number: int, frame: FrameType | None) -> NoReturn:
        raise JobTimeout

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


if __name__ == "__main__":
    sys.exit(main())
