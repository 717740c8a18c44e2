"""What whole projects cost as a user runs them: cold, and again when nothing changed.

    python -m tests.corpus.speed --apps FOLDER
    python -m tests.corpus.speed netket brax

Each run is a process of its own with one worker and a store of its own, and finds its modules compiled, as installed
ones are.  Its CPU seconds, without those of a run on an empty file, stand beside `libcst.parse_module` of the files
that name JAX, parsed in the same minute.  It exits with 1 if the second run judges a file.
"""

from __future__ import annotations

import argparse
import gc
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import libcst as cst

from flake8_jax.syntax.source import SourceFile, Unreadable, collector_paused, names_jax

from .apps import find, read_apps
from .packages import choose, default_cache, fetch, read_packages

PROGRAM = """
import resource, sys
from flake8_jax.driver.cli.main import main
status = main(sys.argv[1:])
used = resource.getrusage(resource.RUSAGE_SELF)
with open("/proc/self/status") as file:  # `ru_maxrss` would count what the process had before it became this program
    peak = next(line.split()[1] for line in file if line.startswith("VmHWM"))
print(f"used: {used.ru_utime + used.ru_stime} {peak}", file=sys.stderr)
sys.exit(status)
"""
CHECK = ("check", "--strict", "--disable-noqa", "--exit-zero", "--analysis-statistics", "-j1")
JUDGED = re.compile(r"^cost: (\d+) judged again", re.MULTILINE)
USED = re.compile(r"^used: (\S+) (\d+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Run:
    """One run of the command: CPU seconds, peak memory in megabytes, how many files it judged."""

    seconds: float
    memory: float
    judged: int


@dataclass(frozen=True, slots=True)
class Speed:
    """A project's lines, in all and in files that name JAX, libcst's parse of these in CPU seconds, the two runs."""

    name: str
    all_lines: int
    lines: int
    parse: float
    cold: Run
    warm: Run

    def row(self, start: float) -> str:
        """One line of the table; `start` is what any run takes."""
        cold, warm = (max(run.seconds - start, 0.0) for run in (self.cold, self.warm))
        parse = self.parse or 1
        costs = f"{self.parse:9.2f}{cold:9.2f}{cold / parse:8.2f} x{warm:8.2f}{warm / parse:8.3f} x"
        return f"{self.name:48}{self.all_lines:8}{self.lines:8}{costs}{self.cold.memory:8.0f}{self.warm.judged:8}"


HEAD = (
    f"{'project':48}{'lines':>8}{'JAX':>8}{'parse s':>9}{'cold s':>9}{'/ parse':>10}{'warm s':>8}{'/ parse':>10}"
    f"{'MB':>8}{'judged':>8}"
)


def measure(name: str, folder: Path) -> Speed:
    """Parse and run one project."""
    all_lines, lines, parse = _parse(folder)
    with tempfile.TemporaryDirectory(prefix="store-") as store:
        cold, warm = (_run((f"--root={folder}", str(folder)), store) for _ in range(2))
    return Speed(name, all_lines, lines, parse, cold, warm)


def _run(words: Sequence[str], store: str) -> Run:
    compiled = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": f"{tempfile.gettempdir()}/flake8-jax-compiled"}
    environment = {**os.environ, **compiled, "FLAKE8_JAX_STORE": store}
    command = [sys.executable, "-c", PROGRAM, *CHECK, *words]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    judged, used = JUDGED.search(done.stderr), USED.search(done.stderr)
    if done.returncode or judged is None or used is None:
        raise RuntimeError(f"the run failed: {done.stderr[-1000:]}")
    return Run(float(used[1]), int(used[2]) / 1000, int(judged[1]))


def _parse(folder: Path) -> tuple[int, int, float]:
    """The lines of all files, those of files that name JAX, and the seconds of parsing these."""
    all_lines, lines, spent = 0, 0, 0.0
    for path in sorted(folder.rglob("*.py")):
        with suppress(Unreadable, cst.ParserSyntaxError):
            text = SourceFile.read(str(path)).text
            all_lines += text.count("\n")
            if names_jax(text):
                with collector_paused():
                    start = time.process_time()
                    cst.parse_module(text)
                    spent += time.process_time() - start
                lines += text.count("\n")
        gc.collect(0)
    return all_lines, lines, spent


def start_up() -> float:
    """The CPU seconds of a run on an empty file, the least of three."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "empty.py").touch()
        Path(folder, "example.py").write_text("import jax\n", encoding="utf-8")
        _run((f"{folder}/example.py",), folder)
        return min(_run((f"{folder}/empty.py",), folder).seconds for _ in range(3))


def in_all(speeds: Sequence[Speed]) -> Speed:
    """All projects as one: sums, and the largest memory."""
    runs = [
        Run(sum(run.seconds for run in some), max(run.memory for run in some), sum(run.judged for run in some))
        for some in ([one.cold for one in speeds], [one.warm for one in speeds])
    ]
    all_lines, lines = sum(one.all_lines for one in speeds), sum(one.lines for one in speeds)
    return Speed("in all", all_lines, lines, sum(one.parse for one in speeds), *runs)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure projects and print a table; 1 if a second run judges anything."""
    parser = argparse.ArgumentParser("python -m tests.corpus.speed", description=__doc__)
    parser.add_argument("projects", nargs="*", metavar="PROJECT")
    parser.add_argument("--apps", type=Path, action="append", metavar="FOLDER", help="measure the applications in it")
    parser.add_argument("--cache", type=Path, default=default_cache(), metavar="DIR")
    options = parser.parse_args(arguments)
    chosen = choose(options.projects, read_apps() if options.apps else read_packages())
    folders = find(chosen, options.apps, options.cache) if options.apps else fetch(chosen, options.cache)
    start = start_up()
    speeds = list(_measured(folders.items(), start))
    total = in_all(speeds)
    print(total.row(start * len(speeds)))
    return int(total.warm.judged > 0)


def _measured(folders: Iterable[tuple[str, Path]], start: float) -> Iterable[Speed]:
    print(f"start-up {start:.2f} s, taken off\n{HEAD}")
    for name, folder in folders:
        speed = measure(name, folder)
        print(speed.row(start), flush=True)
        yield speed


if __name__ == "__main__":
    sys.exit(main())
