"""What an edit costs as a user runs it: a line or a comment more in a function that many files may ask for.

    python -m tests.corpus.edit_costs brax flax FOLDER

Of the files that at least ten others import some functions are drawn; in a copy of the project each gets one line more,
and then a comment in its place.  After each edit all files are checked, with what a cold run left in the store; the
file alone, by the command and by flake8; and twice the same text as a buffer that was not saved.  Each run is a process
of its own with one worker, its CPU seconds hold its start-up, and cold runs between them say what is compared with.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean, median

from flake8_jax.syntax.project import Project

from .edits import bodies, with_line
from .packages import choose, default_cache, fetch

COUNTED = re.compile(r"^cost: (\d+) judged again, (\d+) ops", re.MULTILINE)
CHECK = ("flake8_jax", "check", "--exit-zero", "--analysis-statistics", "-j1")
FLAKE8 = ("flake8", "--exit-zero", "--select=JAX", "-j1")
LINE, COMMENT = "added = 1", "# a note"
EVERY = 20
"""So many functions are edited between two cold runs."""


@dataclass(frozen=True, slots=True)
class Run:
    """One run: its CPU seconds, how many files it judged, how many ops it evaluated."""

    seconds: float
    judged: int = 0
    ops: int = 0


@dataclass(slots=True)
class Edited:
    """What the runs took after the edits of one function: a line, a comment, that file alone with the line by the
    command and by flake8, and as a buffer for the second time.
    """

    name: str
    line: Run
    comment: Run
    alone: Run
    by_flake8: Run
    again: Run


@dataclass(slots=True)
class Measured:
    """The runs of one project, and those on an empty file, by the command and by flake8."""

    cold: list[Run] = field(default_factory=list)
    unchanged: list[Run] = field(default_factory=list)
    starts: list[tuple[Run, Run]] = field(default_factory=list)
    edited: list[Edited] = field(default_factory=list)

    def lines(self, name: str, shown: int) -> Iterator[str]:
        """What is printed."""
        cold = median(run.seconds for run in self.cold)
        start, start_of_flake8 = (median(run.seconds for run in runs) for runs in zip(*self.starts, strict=True))
        yield (
            f"{name}: {len(self.edited)} functions; cold {cold:.2f} s of CPU, {self.cold[0].ops} ops; "
            f"start-up {start:.2f}, of flake8 {start_of_flake8:.2f}; "
            f"unchanged {median(run.seconds for run in self.unchanged) / cold:.1%}"
        )
        yield f"  a line: {_shares([each.line.seconds / cold for each in self.edited], 0.08)}"
        yield f"  its ops: {_shares([each.line.ops / self.cold[0].ops for each in self.edited], 0.08)}"
        yield f"  a comment: {_shares([each.comment.seconds / cold for each in self.edited], 0.03)}"
        yield f"  the file alone: {_above([each.alone.seconds - start for each in self.edited])}"
        yield f"  by flake8: {_above([each.by_flake8.seconds - start_of_flake8 for each in self.edited])}"
        yield f"  a buffer again: {sum(each.again.judged for each in self.edited)} judged"
        for each in sorted(self.edited, key=lambda each: -each.line.ops)[:shown]:
            line, alone = each.line, each.alone
            yield (
                f"  {line.seconds / cold:6.1%} {line.ops:8} ops {line.judged:4} judged, alone "
                f"{alone.seconds - start:5.2f} s {alone.ops:8} ops: {each.name}"
            )


def _shares(parts: Sequence[float], most: float) -> str:
    few, half = sum(part <= most for part in parts), sum(part > 0.5 for part in parts)
    nine = sorted(parts)[9 * (len(parts) - 1) // 10]
    return (
        f"median {median(parts):.1%}, mean {mean(parts):.1%}, nine of ten {nine:.1%}, "
        f"at most {most:.0%} in {few} of {len(parts)}, "
        f"above 50% in {half}, worst {max(parts):.0%}"
    )


def _above(seconds: Sequence[float]) -> str:
    few = sum(each <= 0.4 for each in seconds)
    return (
        f"median {median(seconds):.2f} s above start-up, at most 0.4 in {few} of {len(seconds)}, "
        f"worst {max(seconds):.2f}"
    )


def functions_of(folder: Path, least: int) -> list[tuple[Path, str, int]]:
    """The functions of the files that so many others import: the file, what it is called, the number among its own."""
    project, found = Project(str(folder)), list[tuple[Path, str, int]]()
    for path in sorted(project.files()):
        if len(project.importers(path)) >= least:
            nodes = bodies(Path(path).read_text(encoding="utf-8").split("\n"))
            name = os.path.relpath(path, folder)
            found += ((Path(path), f"{name}:{node.lineno} {node.name}", i) for i, node in enumerate(nodes))
    return found


def measure(folder: Path, scratch: Path, number: int, dice: random.Random, least: int) -> Measured:
    """Edit functions of a project that may be written to, and run what a user runs after each."""
    found, measured = functions_of(folder, least), Measured()
    kept, store = scratch / "kept", scratch / "store"
    empty = scratch / "alone" / "empty.py"
    empty.parent.mkdir()
    empty.touch()
    (empty.parent / "pyproject.toml").touch()
    run = _runner(folder, store)
    for count, (path, name, place) in enumerate(dice.sample(found, min(number, len(found)))):
        if count % EVERY == 0:
            shutil.rmtree(store, ignore_errors=True)
            measured.cold.append(run((*CHECK, ".")))
            measured.unchanged.append(run((*CHECK, ".")))
            shutil.rmtree(kept, ignore_errors=True)
            store.rename(kept)
            run((*FLAKE8, "."), kept)
            measured.starts.append((run((*CHECK, str(empty))), run((*FLAKE8, str(empty)))))
        text = path.read_text(encoding="utf-8")
        ways: list[tuple[str, tuple[str, ...]]] = [
            (LINE, (*CHECK, ".")), (COMMENT, (*CHECK, ".")), (LINE, (*CHECK, str(path))), (LINE, (*FLAKE8, str(path))),
        ]  # fmt: skip
        runs = list[Run]()
        for added, words in ways:
            path.write_text(_with_line(text, place, added), encoding="utf-8")
            runs.append(run(words, kept))
            path.write_text(text, encoding="utf-8")
        line, comment, alone, by_flake8 = runs
        buffer = _with_line(text, place, LINE)
        words = *CHECK, f"--stdin-display-name={path}", "-"
        run(words, kept, buffer)
        measured.edited.append(Edited(name, line, comment, alone, by_flake8, run(words, None, buffer)))
    return measured


def _with_line(text: str, place: int, added: str) -> str:
    lines = text.split("\n")
    return "\n".join(with_line(lines, bodies(lines)[place], added))


def _runner(folder: Path, store: Path) -> Callable[..., Run]:
    """What runs a command in a folder, with a copy of a store if one is given."""
    environment = {**os.environ, "FLAKE8_JAX_STORE": str(store)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)

    def run(words: Sequence[str], kept: Path | None = None, text: str = "") -> Run:
        if kept is not None:
            shutil.rmtree(store, ignore_errors=True)
            shutil.copytree(kept, store)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [sys.executable, "-m", *words]
        done = subprocess.run(
            command, cwd=folder, env=environment, input=text, capture_output=True, text=True, check=False
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        counted = COUNTED.search(done.stderr + done.stdout)
        if done.returncode:
            raise RuntimeError(f"{words} failed: {done.stderr[-1000:]}")
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return Run(seconds, *map(int, counted.groups() if counted is not None else ()))

    return run


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure projects and print what edits cost; 1 if a buffer is judged twice."""
    parser = argparse.ArgumentParser("python -m tests.corpus.edit_costs", description=main.__doc__)
    parser.add_argument("projects", nargs="+", help="a folder, or the name of a pinned package")
    parser.add_argument("--bodies", type=int, default=60, help="of how many functions in each project")
    parser.add_argument("--least", type=int, default=10, help="how many others import their files")
    parser.add_argument("--shown", type=int, default=20, help="how many of the worst are printed")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cache", type=Path, default=default_cache())
    options = parser.parse_args(arguments)
    is_twice = False
    for name in options.projects:
        source = Path(name) if Path(name).is_dir() else fetch(choose([name]), options.cache)[name]
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch, "project")
            shutil.copytree(source, folder)
            (folder / "pyproject.toml").touch()
            dice = random.Random(options.seed)
            measured = measure(folder, Path(scratch), options.bodies, dice, options.least)
        for line in measured.lines(name, options.shown):
            print(line, flush=True)
        is_twice |= any(each.again.judged for each in measured.edited)
    return int(is_twice)


if __name__ == "__main__":
    sys.exit(main())
