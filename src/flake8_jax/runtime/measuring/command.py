"""The command `flake8-jax measure`: what it prints, what it writes, its exit status."""

from __future__ import annotations

import argparse
import importlib.util
import json
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path

from flake8_jax.api import stated
from flake8_jax.api.measured import FOLDER, HOMES
from flake8_jax.runtime.measuring import files, measure
from flake8_jax.runtime.measuring.measure import Broken, Measurement, Subject

DONE, DIFFERS, UNUSABLE = 0, 1, 2
INSTALL = 'measure runs JAX, which is not installed here: pip install "flake8-jax[runtime]"'
# What callables are: the share of these that is measured is printed.
CALLABLES = ("functions", "transforms")


class Unknown(ValueError):
    """A given name that matches no subject of measuring."""


def run(options: argparse.Namespace) -> int:
    """Measure the behaviour of JAX, and write, print or compare the facts."""
    if importlib.util.find_spec("jax") is None:
        return _failed(INSTALL)
    measure.prepare()
    folder = (options.folder or FOLDER) / version("jax")
    try:
        if options.check:
            return _check(options, folder)
        return _print(options) if options.names else _write(options, folder)
    except (Broken, Unknown) as error:
        return _failed(str(error))


def _print(options: argparse.Namespace) -> int:
    found = _subjects(options.names)
    for measurement in _measured(found, options):
        subject = measurement.subject
        shown = json.dumps(measurement.fact, sort_keys=True) if measurement.fact else "nothing"
        print(f"{subject.section}/{subject.name}: {'no call of it works' if measurement.fact is None else shown}")
    return DONE


def _write(options: argparse.Namespace, folder: Path) -> int:
    found = _measured(measure.subjects(), options)
    folder.mkdir(parents=True, exist_ok=True)
    for package, facts in measure.gathered(found).items():
        (folder / f"{package}.json").write_text(files.text_of(package, facts), encoding="utf-8")
    for line in coverage(found):
        print(line)
    return DONE


def _check(options: argparse.Namespace, folder: Path) -> int:
    if not folder.is_dir():
        return _failed(f"JAX {folder.name} has not been measured: run `{files.COMMAND}`")
    others = dict(_of_other_versions(folder))
    everything = _subjects(options.names)
    found = [subject for subject in everything if subject.package not in others]
    if not found:
        packages = sorted({subject.package for subject in everything})
        reasons = "; ".join(f"{package}: {others[package]}" for package in packages)
        return _failed(f"there is nothing to compare with ({reasons})")
    chosen, seed = found, options.seed
    if options.sample:
        seed = random.randrange(10**6) if seed is None else seed
        chosen = measure.sample(found, options.sample, seed)
    written = files.read(folder)
    mine = {package: facts for package, facts in written.items() if package not in others}
    lines = list(measure.differences(_measured(chosen, options), mine))
    lines += [] if options.names else measure.vanished(everything, mine)
    for line in lines:
        print(line)
    for package, why in others.items():
        print(f"{package}: not compared, {why}")
    sampled = f" (--sample {options.sample} --seed {seed})" if options.sample else ""
    print(f"{len(chosen)} of {len(found)} facts measured again{sampled}: {len(lines)} differ")
    return DIFFERS if lines else DONE


def _subjects(names: list[str]) -> list[Subject]:
    """What the names stand for, everything if there are none; one that stands for nothing is an error."""
    found = measure.subjects(names)
    unknown = [text for text in names if not any(measure.is_meant(subject.name, text) for subject in found)]
    if unknown:
        raise Unknown(f"nothing that is measured is called {' or '.join(unknown)}")
    return found


def _measured(found: list[Subject], options: argparse.Namespace) -> list[Measurement]:
    return measure.measured(found, max(1, min(options.jobs, len(found))), measure.show_progress)


def _of_other_versions(folder: Path) -> Iterator[tuple[str, str]]:
    """The packages that were measured in another version than the one that is installed, or are not installed."""
    for package, before in files.packages(folder).items():
        now = files.package_version(package)
        if now != before:
            yield package, f"measured was {before}, installed is {now if now != package else 'nothing'}"


def coverage(found: Iterable[Measurement]) -> Iterator[str]:
    """For each module: the number of callables, the unmeasured ones, and those of them without a reason."""
    from flake8_jax.runtime.measuring.naming.resolving import exists

    reasons = {**stated.unmeasured(), **stated.broken(version("jax"))}
    totals: Counter[str] = Counter()
    missing: dict[str, list[str]] = {}
    answers = {m.subject.name: m.fact is None for m in found if m.subject.section in CALLABLES}
    there = dict.fromkeys(filter(exists, stated.unmeasured()), True)
    for name, is_missing in {**there, **answers}.items():
        module = name.rpartition(".")[0] or "builtins"
        totals[module] += 1
        if is_missing:
            missing.setdefault(module, []).append(name)
    for module in sorted(totals):
        names = missing.get(module, [])
        bare = [name for name in names if name not in reasons]
        which = f", {len(bare)} of them without a reason: {', '.join(bare)}" if bare else ""
        yield f"{module}: {totals[module]} callables, {len(names)} not measured{which}"
    yield from _shares(totals, {module: len(names) for module, names in missing.items()})


def _shares(totals: Counter[str], missing: dict[str, int]) -> Iterator[str]:
    """The share that is not measured of each package, and of everything."""
    packages: dict[str, list[str]] = {}
    for module in totals:
        packages.setdefault(HOMES.get(module.partition(".")[0], module.partition(".")[0]), []).append(module)
    for package, modules in (*sorted(packages.items()), ("everything", list(totals))):
        whole, lost = sum(totals[m] for m in modules), sum(missing.get(m, 0) for m in modules)
        yield f"{package}: {whole} callables, {lost} not measured ({100 * lost / max(1, whole):.1f} %)"


def _failed(message: str) -> int:
    print(f"flake8-jax: error: {message}", file=sys.stderr)
    return UNUSABLE
