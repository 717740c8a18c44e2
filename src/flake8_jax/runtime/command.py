"""The command `flake8-jax verify`: its progress bar, closing table and exit status."""

from __future__ import annotations

import argparse
import importlib.util
import sys
import time
from collections.abc import Iterable, Sequence
from datetime import datetime, timezone
from pathlib import Path

from flake8_jax.api import measured
from flake8_jax.driver.statistics import counted
from flake8_jax.rules import discover
from flake8_jax.runtime import linted, records, rewritten, verify
from flake8_jax.runtime.claims import NotAFixture, Pair, homes_of_pairs, read_pair
from flake8_jax.runtime.outcome import evidence, table
from flake8_jax.runtime.records import Device, ObservationRecord, write

PROVED, REFUTED, UNUSABLE = 0, 1, 2
INSTALL = 'verify runs the fixtures with JAX, which is not installed here: pip install "flake8-jax[runtime]"'
BAR = 30


def run(options: argparse.Namespace) -> int:
    """Execute every claim of the fixtures and observe it."""
    if importlib.util.find_spec("jax") is None:
        return _failed(INSTALL)
    if options.evidence and (options.drafts or options.part != (1, 1)):
        return _failed("--evidence keeps what is seen of whole pairs of rules: leave out --drafts and --part")
    folder = Path(options.fixtures)
    try:
        homes = homes_of_pairs(folder)
        pairs = [read_pair(name, homes[name]) for name in _asked(homes, options)]
        known = [*records.evidence(folder), *(each for run in evidence.read(folder) for each in run.records)]
    except (NotAFixture, ValueError) as error:
        return _failed(str(error))
    start = time.monotonic()
    platforms = tuple(dict.fromkeys((*(options.platform or verify.platforms_present()), *options.require)))
    due = _without_evidence(pairs, known, platforms, options.devices) if options.evidence else pairs
    if not due:
        count = counted(len(pairs), "pair")
        print(f"{count}, of which nothing is to be observed again: the evidence in {folder} holds")
        return PROVED
    found, names = _observed(due, platforms, options)
    if options.json:
        write(found, options.json)
    if options.evidence:
        today = datetime.now(timezone.utc).date().isoformat()
        for path in evidence.keep(folder, found, homes, evidence.libraries_of(pairs), today):
            print(f"kept in {path}")
    for line in _summary(found, pairs, known, names):
        print(line)
    missed = [name for name in options.require if not _was_reached(found, name)]
    for name in missed:
        print(f"required, and not reached: {name}")
    cases = counted(len({(record.fixture, record.case) for record in found if record.case}), "case")
    observations = counted(len(found), "observation")
    print(f"{counted(len(due), 'pair')}, {cases}, {observations} in {time.monotonic() - start:.0f} s")
    return PROVED if table.is_proved(found) and not missed else REFUTED


def _asked(names: Iterable[str], options: argparse.Namespace) -> list[str]:
    """The names of the pairs that are asked for; the others are not even read."""
    only: list[str] | None = options.only
    found = [name for name in names if not only or any(text in name for text in only)]
    if not found:
        raise NotAFixture(f"no pair in {options.fixtures} is named like {' or '.join(only or ())}")
    return found


def _without_evidence(
    pairs: list[Pair], known: list[ObservationRecord], platforms: Sequence[str], devices: int
) -> list[Pair]:
    """The pairs that no evidence speaks for on one of these platforms, with this JAX and this many devices."""
    from flake8_jax.runtime.worker import is_platform

    proved = {pair.name for pair in pairs}
    for platform in platforms:
        here = [
            each
            for each in known
            if is_platform(each.device.platform, platform)
            and each.device.jax == measured.installed()
            and (platform != "cpu" or each.device.device_count == (devices or 1))
        ]
        proved &= set(records.kept(pairs, here, here[0].device.platform if here else platform).proved)
    return [pair for pair in pairs if pair.name not in proved]


def _observed(
    pairs: list[Pair], platforms: tuple[str, ...], options: argparse.Namespace
) -> tuple[list[ObservationRecord], dict[str, str]]:
    """Every record, and the names of the rules."""
    cards = {found.rule.code: found.rule for found in discover()}
    hazards = {code: rule.phenomena for code, rule in cards.items()}
    whole = verify.planned(pairs, hazards, drafts=options.drafts, part=options.part)
    jobs = whole.jobs if options.drafts else rewritten.with_remedies(whole.jobs, pairs)
    settings = verify.Settings(platforms, options.devices, options.jobs, options.seconds)
    observed = verify.observe(jobs, settings, _ProgressBar())
    nowhere = Device(platforms[0])
    found = [verify.flawed(flaw, nowhere) for flaw in whole.flaws]
    found += [] if options.drafts else linted.differences(pairs, nowhere)
    return observed + verify.located(found, observed), {code: rule.name for code, rule in cards.items()}


def _summary(
    found: list[ObservationRecord], pairs: list[Pair], known: list[ObservationRecord], names: dict[str, str]
) -> list[str]:
    lines = [*table.failures(found), "", *table.lines(found, names), ""]
    for status in ("harmless", "inspected", "differs", "incomparable", "unsupported", "skipped"):
        lines += table.gathered(found, status)
    lines += table.disagreements(found)
    lines += table.without_evidence(pairs, known, found)
    return lines


def _was_reached(found: list[ObservationRecord], platform: str) -> bool:
    """Was anything observed on a platform, and nothing skipped for want of it?"""
    from flake8_jax.runtime.worker import is_platform

    return any(is_platform(record.device.platform, platform) and record.device.jax for record in found)


class _ProgressBar:
    """A bar on a terminal, nothing elsewhere."""

    def __init__(self) -> None:
        self._wrong = 0
        self._is_shown = sys.stderr.isatty()

    def __call__(self, answered: int, total: int, record: ObservationRecord) -> None:
        self._wrong += not table.is_proved([record])
        if self._is_shown:
            done = BAR * answered // total
            wrong = f", {self._wrong} wrong" if self._wrong else ""
            text = f"\r[{'#' * done}{'.' * (BAR - done)}] {answered}/{total}{wrong} {record.fixture} {record.case}"
            end = "\r\x1b[K" if answered == total else ""
            sys.stderr.write(f"{text[:110]}\x1b[K{end}")
            sys.stderr.flush()


def _failed(message: str) -> int:
    print(f"flake8-jax: error: {message}", file=sys.stderr)
    return UNUSABLE
