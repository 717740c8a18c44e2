"""Observes every claim of a folder of fixtures, on each platform, in a few worker processes.

The parent plans, lints, hands out jobs one at a time and gathers records; it never imports jax.  A worker that dies or
hangs costs the job that it had in hand, which says so, and is replaced.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import itertools
import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from flake8_jax.model.documents import Json
from flake8_jax.runtime.claims import Pair
from flake8_jax.runtime.options import SECONDS
from flake8_jax.runtime.plan import Flaw, Job, Plan, plan
from flake8_jax.runtime.records import Device, ObservationRecord
from flake8_jax.runtime.worker import Order, unanswered

GRACE = 15
TERM = 800
PLUGINS = {"gpu": ("jax-cuda", "jax-rocm"), "tpu": ("libtpu",)}
BACKENDS = {"gpu": "cuda,cpu", "tpu": "tpu,cpu", "cpu": "cpu"}

VerifyProgress = Callable[[int, int, ObservationRecord], None]


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a run: platforms, number of virtual CPU devices (0: as they are), number of processes."""

    platforms: tuple[str, ...]
    devices: int = 0
    jobs: int = 2
    seconds: int = SECONDS


def platforms_present() -> tuple[str, ...]:
    """The platforms this installation may reach, judged by its packages: cpu, and gpu or tpu with a plugin."""
    more = [name for name, starts in PLUGINS.items() if any(each.startswith(starts) for each in _installed())]
    return ("cpu", *more)


def _installed() -> set[str]:
    return {(found.metadata["Name"] or "").lower() for found in importlib.metadata.distributions()}


def observe(jobs: Sequence[Job], settings: Settings, progress: VerifyProgress) -> list[ObservationRecord]:
    """The records of all jobs on every platform."""
    records: list[ObservationRecord] = []
    total = len(jobs) * len(settings.platforms)
    for platform in settings.platforms:
        for answered, found in _on(platform, jobs, settings):
            records += found
            for record in found:
                progress(answered + len(jobs) * settings.platforms.index(platform), total, record)
    return located(records, records)


def located(records: Iterable[ObservationRecord], others: Iterable[ObservationRecord]) -> list[ObservationRecord]:
    """Records made without a device, assigned to the device of other records of their platform."""
    devices = {other.device.platform: other.device for other in others if other.device.jax}
    return [replace(each, device=devices.get(each.device.platform, each.device)) for each in records]


def _on(platform: str, jobs: Sequence[Job], settings: Settings) -> Iterator[tuple[int, list[ObservationRecord]]]:
    waiting: queue.SimpleQueue[Job] = queue.SimpleQueue()
    for job in jobs:
        waiting.put(job)
    done: queue.SimpleQueue[list[ObservationRecord]] = queue.SimpleQueue()
    number = max(1, min(settings.jobs if platform == "cpu" else 1, len(jobs)))
    threads = [
        threading.Thread(target=_serve, args=(waiting, done, platform, settings), daemon=True) for _ in range(number)
    ]
    for thread in threads:
        thread.start()
    for answered in range(1, len(jobs) + 1):
        yield answered, done.get()


def _serve(
    waiting: queue.SimpleQueue[Job], done: queue.SimpleQueue[list[ObservationRecord]], platform: str, settings: Settings
) -> None:
    """Hand jobs to one worker after another until there are none; what JAX keeps of them goes with a worker's term."""
    worker: _Worker | None = None
    for number in itertools.count(1):
        try:
            job = waiting.get_nowait()
        except queue.Empty:
            break
        worker = worker or _Worker(platform, settings)
        records = worker.answer(job)
        if records is None:
            done.put(list(unanswered(job, platform, worker.ending())))
            worker = None
        else:
            done.put(records)
        if worker is not None and number % TERM == 0:
            worker.dismiss()
            worker = None
    if worker is not None:
        worker.dismiss()


class _Worker:
    """One worker process."""

    def __init__(self, platform: str, settings: Settings) -> None:
        self._limit = settings.seconds + GRACE
        self._late = False
        self._process = subprocess.Popen(
            [sys.executable, "-m", "flake8_jax.runtime.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment(platform, settings.devices),
            text=True,
            encoding="utf-8",
        )
        self._send(asdict(Order(platform, settings.seconds)))

    def answer(self, job: Job) -> list[ObservationRecord] | None:
        """The records of a job; None if the worker died of it."""
        self._send(asdict(job))
        timer = threading.Timer(self._limit, self._kill)
        timer.start()
        try:
            return self._records()
        finally:
            timer.cancel()

    def ending(self) -> str:
        """How the worker died."""
        self._close()
        if self._late:
            return f"the worker was stopped after {self._limit} s"
        return f"the worker died with status {self._process.returncode}"

    def dismiss(self) -> None:
        """Let the worker end."""
        self._close()

    def _close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()

    def _send(self, row: Mapping[str, Json]) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(row) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass

    def _records(self) -> list[ObservationRecord] | None:
        assert self._process.stdout is not None
        found: list[ObservationRecord] = []
        for line in self._process.stdout:
            if line == "\n":
                return found
            found.append(ObservationRecord.from_json(line))
        return None

    def _kill(self) -> None:
        self._late = True
        self._process.kill()


def environment(platform: str, devices: int) -> dict[str, str]:
    """The environment variables of a worker: its platform and virtual devices, nothing else that affects JAX."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("JAX_")}
    flags = [flag for flag in kept.pop("XLA_FLAGS", "").split() if "host_platform_device_count" not in flag]
    if devices:
        flags.append(f"--xla_force_host_platform_device_count={devices}")
    kept |= {"XLA_FLAGS": " ".join(flags)} if flags else {}
    is_rocm = platform == "gpu" and any(name.startswith("jax-rocm") for name in _installed())
    kept["JAX_PLATFORMS"] = "rocm,cpu" if is_rocm else BACKENDS[platform]
    kept["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
    return kept


def flawed(flaw: Flaw, device: Device) -> ObservationRecord:
    """The record of a claim that cannot be tested."""
    fixture = flaw.pair.bad if flaw.role == "bad" else flaw.pair.good
    return ObservationRecord(
        fixture=f"{flaw.pair.name}/{flaw.role}.py",
        digest=fixture.digest,
        case=flaw.case,
        line=flaw.line,
        code=flaw.code,
        phenomenon=flaw.phenomenon,
        expected=True,
        observed=None,
        status="inspected" if flaw.inspected else "error",
        evidence={"reason": flaw.reason},
        device=device,
    )


def planned(
    pairs: Sequence[Pair], hazards: Mapping[str, Sequence[str]], *, drafts: bool, part: tuple[int, int]
) -> Plan:
    """The plan for pairs; for a part k/n, every n-th of its jobs from the k-th on."""
    whole = plan(pairs, hazards, drafts=drafts)
    first, step = part
    whole.jobs[:] = whole.jobs[first - 1 :: step]
    return whole


def relative(path: Path) -> str:
    """A path relative to the current folder, if it is inside."""
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(path)
