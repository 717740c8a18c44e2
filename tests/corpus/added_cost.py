"""What the rules about contracts of transforms and about derivatives (JAX6, JAX701) add to the cost of a check.

    python -m tests.corpus.added_cost FOLDER ...            calls of Python functions, which are exact
    python -m tests.corpus.added_cost --seconds 9 FOLDER    CPU seconds, nine pairs of runs, and the middle half of them

A folder is checked as it is, and with all *entry points* switched off: the functions of two rooms of `analysis/checks`
that other rooms call, where they answer nothing or whether something was found.  Then no such evidence comes about, so
that what is done with it elsewhere is not done either: at calls, in rules and messages.  The neutral functions that
stand in place of entry points are not counted.  The runs of a pair share one core, where the system can say so, so that
whatever else a machine does slows both down: compared are the runs of a pair, and of all pairs the median is taken.
"""

from __future__ import annotations

import argparse
import importlib
import os
import pkgutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from cProfile import Profile
from pathlib import Path
from statistics import median, quantiles
from types import FunctionType, ModuleType
from typing import Final, Literal, NamedTuple, TypeAlias

from flake8_jax import analysis
from flake8_jax.analysis.checks import contracts, derivatives
from flake8_jax.driver.cli.main import main as run
from flake8_jax.rules import discover

Measure: TypeAlias = Literal["calls", "seconds"]

MOST = 0.05
"""By which share all of it may be dearer."""

ROOMS: Final = (contracts, derivatives)
ANSWERS: dict[str, Callable[..., bool | None]] = {"None": lambda *given: None, "bool": lambda *given: False}
"""What stands in place of an entry point, by what that returns."""


class AddedCost(NamedTuple):
    """The cost of checking a folder with the entry points, and without them, in each pair of runs."""

    folder: str
    pairs: list[tuple[float, float]]

    @property
    def shares(self) -> list[float]:
        """The share by which the check is dearer with them, of each pair."""
        return [whole / without - 1 for whole, without in self.pairs]

    @property
    def share(self) -> float:
        """The median of the shares."""
        return median(self.shares)

    def row(self) -> str:
        """The cost as a line of text: the medians, and of several pairs the middle half."""
        whole, without = (median(costs) for costs in zip(*self.pairs, strict=True))
        text = f"{self.folder:40} {whole:14,.2f} {without:14,.2f} {self.share:8.1%}"
        if len(self.pairs) == 1:
            return text
        low, _, high = quantiles(self.shares, n=4)
        return f"{text}   {low:.1%} to {high:.1%}"


def import_all() -> None:
    """Import the rules and the whole analysis, before anything is measured or switched off."""
    discover()
    for module in pkgutil.walk_packages(analysis.__path__, f"{analysis.__name__}."):
        importlib.import_module(module.name)


def switch_off() -> int:
    """Put neutral functions in place of the entry points, wherever these are called; returns how many there are."""
    prefixes = tuple(f"{room.__name__}." for room in ROOMS)
    others = [module for name, module in sys.modules.items() if _is_outside(name, prefixes)]
    found = {*_entry_points(others, prefixes)}
    for module in others:
        for name, held in [*vars(module).items()]:
            if isinstance(held, FunctionType) and held in found:
                setattr(module, name, ANSWERS[held.__annotations__["return"]])
    return len(found)


def _is_outside(name: str, prefixes: tuple[str, ...]) -> bool:
    return name.startswith("flake8_jax.analysis") and not name.startswith(prefixes)


def _entry_points(others: list[ModuleType], prefixes: tuple[str, ...]) -> Iterator[FunctionType]:
    for module in others:
        for held in vars(module).values():
            is_theirs = isinstance(held, FunctionType) and held.__module__.startswith(prefixes)
            if is_theirs and held.__annotations__.get("return") in ANSWERS:
                yield held


def cost_here(folder: Path, measure: Measure) -> float:
    """The cost of a cold check of a folder in this process."""
    profile = Profile(builtins=False)
    with open(os.devnull, "w", encoding="utf-8") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        start = time.process_time()
        if measure == "calls":
            profile.enable()
        run(["check", "--no-store", "-j1", str(folder)])
        profile.disable()
        spent = time.process_time() - start
    neutral = [one.__code__ for one in ANSWERS.values() if isinstance(one, FunctionType)]
    calls = sum(entry.callcount for entry in profile.getstats() if entry.code not in neutral)
    return calls if measure == "calls" else spent


def both(folder: Path, measure: Measure) -> tuple[float, float]:
    """The cost of a cold check with the entry points, and without them: at once, in two processes on one core."""
    words = [sys.executable, "-m", "tests.corpus.added_cost", str(folder), "--here", measure]
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    started = [
        subprocess.Popen([*words, *more], env=environment, stdout=subprocess.PIPE, text=True)
        for more in ((), ("--off",))
    ]
    whole, without = (float(process.communicate()[0]) for process in started)
    return whole, without


def added(folder: Path, pairs: int = 0) -> AddedCost:
    """What the rules add to the cost of a folder: in calls, or in CPU seconds, in so many pairs of runs."""
    return AddedCost(folder.name, [both(folder, "seconds" if pairs else "calls") for _ in range(pairs or 1)])


def main() -> int:
    """Run the command; returns 1 if the rules add more than they may."""
    parser = argparse.ArgumentParser(prog="python -m tests.corpus.added_cost", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--seconds", type=int, default=0, metavar="PAIRS", help="measure CPU seconds, in so many pairs")
    parser.add_argument("--here", choices=("calls", "seconds"), help=argparse.SUPPRESS)
    parser.add_argument("--off", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.here:
        if hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
        import_all()
        if given.off:
            switch_off()
        print(cost_here(given.folders[0], given.here))
        return 0
    dear = 0
    for folder in given.folders:
        found = added(folder, given.seconds)
        print(found.row(), flush=True)
        dear += found.share > MOST
    return int(bool(dear))


if __name__ == "__main__":
    raise SystemExit(main())
