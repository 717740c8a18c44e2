"""The command `flake8-jax verify`: its progress bar, closing table and exit status."""

from __future__ import annotations

import argparse
import importlib.util
import sys
import time
from pathlib import Path

from flake8_jax.rules import discover
from flake8_jax.runtime import linted, table, verify
from flake8_jax.runtime.claims import NotAFixture, Pair, read_pairs
from flake8_jax.runtime.records import Device, ObservationRecord, evidence, kept, write

PROVED, REFUTED, UNUSABLE = 0, 1, 2
INSTALL = 'verify runs the fixtures with JAX, which is not installed here: pip install "flake8-jax[runtime]"'
BAR = 30


def run(options: argparse.Namespace) -> int:
    """Execute every claim of the fixtures and observe it."""
    if importlib.util.find_spec("jax") is None:
        return _failed(INSTALL)
    try:
        pairs = _pairs(Path(options.fixtures), options.only)
        remembered = evidence(Path(options.fixtures))
    except (NotAFixture, ValueError) as error:
        return _failed(str(error))
    start = time.monotonic()
    records, names = _observed(pairs, options)
    if options.json:
        write(records, options.json)
    for line in _summary(records, pairs, [*remembered, *records], names):
        print(line)
    missed = [name for name in options.require if not _was_reached(records, name)]
    for name in missed:
        print(f"required, and not reached: {name}")
    cases = len({(record.fixture, record.case) for record in records if record.case})
    print(f"{len(pairs)} pairs, {cases} cases, {len(records)} observations in {time.monotonic() - start:.0f} s")
    return PROVED if table.is_proved(records) and not missed else REFUTED


def _pairs(folder: Path, only: list[str] | None) -> list[Pair]:
    found = [pair for pair in read_pairs(folder) if not only or any(text in pair.name for text in only)]
    if not found:
        raise NotAFixture(f"no pair in {folder} is named like {' or '.join(only or ())}")
    return found


def _observed(pairs: list[Pair], options: argparse.Namespace) -> tuple[list[ObservationRecord], dict[str, str]]:
    """Every record, and the names of the rules."""
    cards = {found.rule.code: found.rule for found in discover()}
    hazards = {code: rule.phenomena for code, rule in cards.items()}
    whole = verify.planned(pairs, hazards, drafts=options.drafts, part=options.part)
    platforms = tuple(dict.fromkeys(options.platform or verify.platforms_present()))
    platforms += tuple(name for name in options.require if name not in platforms)
    settings = verify.Settings(platforms, options.devices, options.jobs, options.seconds)
    records = verify.observe(whole.jobs, settings, _ProgressBar())
    nowhere = Device(platforms[0])
    found = [verify.flawed(flaw, nowhere) for flaw in whole.flaws]
    found += [] if options.drafts else linted.differences(pairs, nowhere)
    return records + verify.located(found, records), {code: rule.name for code, rule in cards.items()}


def _summary(
    records: list[ObservationRecord], pairs: list[Pair], known: list[ObservationRecord], names: dict[str, str]
) -> list[str]:
    lines = [*table.failures(records), "", *table.lines(records, names), ""]
    for status in ("harmless", "inspected", "differs", "unsupported", "skipped"):
        lines += table.gathered(records, status)
    lines += table.disagreements(records)
    lines += table.without_evidence(kept(pairs, known, "gpu"), "gpu")
    return lines


def _was_reached(records: list[ObservationRecord], platform: str) -> bool:
    """Was anything observed on a platform, and nothing skipped for want of it?"""
    from flake8_jax.runtime.worker import is_platform

    here = [record for record in records if is_platform(record.device.platform, platform) and record.device.jax]
    return bool(here)


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
