"""Measures many facts in worker processes, and compares them with the written ones."""

from __future__ import annotations

import contextlib
import io
import multiprocessing
import os
import random
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import TypeAlias

from flake8_jax.runtime.measuring.family import MeasuredFact, discover
from flake8_jax.runtime.measuring.files import MeasuredFacts

# What a worker needs before it starts JAX.  Filtering of tracebacks costs half the time where most calls fail.
SETTINGS = {"JAX_PLATFORMS": "cpu", "JAX_TRACEBACK_FILTERING": "off", "XLA_FLAGS": "", "TF_CPP_MIN_LOG_LEVEL": "3"}
CHUNK = 8


class Broken(RuntimeError):
    """A family raised instead of answering, or its process died; the message names the subject."""


@dataclass(frozen=True, slots=True, order=True)
class Subject:
    """A name to measure: its family, section and file."""

    package: str
    section: str
    name: str
    family: str


@dataclass(frozen=True, slots=True)
class Measurement:
    """The result of measuring one subject: a fact, "" for nothing to write, None if no call of it works."""

    subject: Subject
    fact: MeasuredFact | None


MeasureProgress: TypeAlias = "Callable[[int, int], None]"


def subjects(only: Iterable[str] = ()) -> list[Subject]:
    """Every subject, or those of the given names. A name that ends in `.` stands for all that begin with it."""
    wanted = tuple(only)
    found = [
        Subject(package, family.SECTION, name, key)
        for key, family in discover().items()
        for name, package in family.subjects().items()
        if not wanted or any(is_meant(name, text) for text in wanted)
    ]
    return sorted(found)


def is_meant(name: str, text: str) -> bool:
    """Does the pattern match this name?"""
    return name == text or (text.endswith(".") and name.startswith(text))


def sample(found: list[Subject], size: int, seed: int) -> list[Subject]:
    """A random sample of subjects, deterministic for a seed."""
    return sorted(random.Random(seed).sample(found, min(size, len(found))))


def measured(found: list[Subject], jobs: int, progress: MeasureProgress) -> list[Measurement]:
    """Measure each subject, in the order given."""
    done: list[Measurement] = []
    context = multiprocessing.get_context("spawn")
    try:
        with ProcessPoolExecutor(jobs, context, initializer=prepare) as pool:
            for measurement in pool.map(measure, found, chunksize=CHUNK):
                done.append(measurement)
                progress(len(done), len(found))
    except BrokenProcessPool as error:
        left = found[len(done)].name
        raise Broken(f"a worker process died after {len(done)} of {len(found)} facts, at {left} or later") from error
    return done


def prepare() -> None:
    """Initialize a worker process."""
    os.environ.update(SETTINGS)
    warnings.simplefilter("ignore")


def measure(subject: Subject) -> Measurement:
    """Measure one subject in this process; its output is discarded."""
    nowhere = io.StringIO()
    try:
        with contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
            return Measurement(subject, discover()[subject.family].fact(subject.name))
    except Exception as error:
        raise Broken(f"{subject.family} broke on {subject.name}: {type(error).__name__}: {error}") from error


def gathered(found: Iterable[Measurement]) -> dict[str, MeasuredFacts]:
    """The facts to write, by package and section."""
    packages: dict[str, MeasuredFacts] = {}
    for measurement in found:
        subject = measurement.subject
        facts = packages.setdefault(subject.package, {}).setdefault(subject.section, {})
        if measurement.fact not in (None, "", [], {}):
            facts[subject.name] = measurement.fact
    return packages


def differences(found: Iterable[Measurement], written: Mapping[str, MeasuredFacts]) -> Iterator[str]:
    """A line for every subject whose written fact differs from the measured one."""
    for measurement in found:
        subject = measurement.subject
        before = written.get(subject.package, {}).get(subject.section, {}).get(subject.name)
        now = None if measurement.fact in (None, "", [], {}) else measurement.fact
        if before != now:
            yield f"{subject.section}/{subject.name}: written {before!r}, measured {now!r}"


def vanished(found: Iterable[Subject], written: Mapping[str, MeasuredFacts]) -> Iterator[str]:
    """A line for every written fact without a subject."""
    known = {(subject.package, subject.section, subject.name) for subject in found}
    for package, sections in written.items():
        for section, facts in sections.items():
            for name in facts:
                if (package, section, name) not in known:
                    yield f"{section}/{name}: written, and there is no such subject"


def show_progress(done: int, all_of_them: int) -> None:
    """Print a progress line that overwrites itself, on a terminal only."""
    if sys.stderr.isatty():
        end = "\n" if done == all_of_them else "\r"
        print(f"measured {done} of {all_of_them}", end=end, file=sys.stderr, flush=True)
