"""Edits real packages at random and checks that a run that remembers says what one says that does not.

    python -m tests.corpus.changes brax navix --edits 40

After each edit all files are judged with what the runs before left in the store, and without one.  Their reports are
compared word for word, with all that was counted; for what is counted depends on which file was judged first, each file
is judged in a run of its own.  With `--together` all are judged in one run, as people do, where no file may keep to
itself what an answer depends on.  With `--live` the files stay in memory, as an editor's server keeps them, and all are
judged in one run.  What was counted is not compared then.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from flake8_jax.driver.linter import lint
from flake8_jax.driver.live import Live
from flake8_jax.driver.processes import check_files
from flake8_jax.driver.projects import Projects
from flake8_jax.model.config import Config
from flake8_jax.model.report import Report

from .edits import edit
from .packages import CACHE, choose, default_cache, fetch

LOUD = Config(strict=True, enable=("JAX",), tests=True)


@dataclass(slots=True)
class Tried:
    """What became of the edits of one package: how many, how many findings were compared, the CPU seconds of the runs
    that remembered and of those that did not, those of the first file after each edit, what differed.
    """

    edits: Counter[str] = field(default_factory=Counter)
    findings: int = 0
    with_store: float = 0.0
    without: float = 0.0
    firsts: list[float] = field(default_factory=list)
    differences: list[str] = field(default_factory=list)


def try_edits(
    folder: Path, config: Config, number: int, dice: random.Random, most: int = 1, is_together: bool = False
) -> Tried:
    """Edit the files of a folder, up to `most` of them between two runs, and compare what is said after each.

    The store is where `$FLAKE8_JAX_STORE` says.
    """
    tried = Tried()
    _judged(_files(folder), config, is_together)
    first = _texts(folder)
    for _ in range(number):
        done = [_change(folder, first, dice) for _ in range(dice.randint(1, most))]
        files, start = _files(folder), time.process_time()
        seen = _judged(files, config, is_together)
        between = time.process_time()
        anew = _judged(files, replace(config, no_store=True), is_together)
        tried.with_store += between - start
        tried.without += time.process_time() - between
        tried.edits.update(name for name, _ in done)
        for path, one, other in zip(files, seen, anew, strict=True):
            tried.findings += len(other.diagnostics)
            if one.diagnostics != other.diagnostics or (one != other and not is_together):
                tried.differences.append(f"{path}: after {done}: {_difference(one, other)}")
    return tried


def try_live(folder: Path, config: Config, number: int, dice: random.Random) -> Tried:
    """Edit the files of a folder that stays in memory, and compare what is said with what a new run says."""
    tried, live = Tried(), Live(config)
    for file in _files(folder):
        live.report(file)
    first = before = _texts(folder)
    for _ in range(number):
        name, edited = _change(folder, first, dice)
        now = _texts(folder)
        for path in sorted(before.keys() | now.keys()):
            if path != edited and before.get(path) != now.get(path):
                live.saved(path, now.get(path))
        files, start, before = _files(folder), time.process_time(), now
        if edited in now:
            live.tried(edited, now[edited])
        else:
            live.saved(edited, None)
        tried.firsts.append(time.process_time() - start)
        seen = [live.report(file) for file in files]
        between, anew = time.process_time(), Projects(replace(config, no_store=True))
        tried.with_store += between - start
        others = [lint(anew.read(file), anew.config, anew) for file in files]
        tried.without += time.process_time() - between
        tried.edits[name] += 1
        for file, one, other in zip(files, seen, others, strict=True):
            tried.findings += len(other.diagnostics)
            if one.diagnostics != other.diagnostics:
                tried.differences.append(f"{file}: after {name} in {edited}: {_difference(one, other)}")
    return tried


def _files(folder: Path) -> list[str]:
    return sorted(str(path) for path in folder.rglob("*.py"))


def _judged(files: Sequence[str], config: Config, is_together: bool) -> list[Report]:
    if is_together:
        return list(check_files(files, config, 1))
    return [report for file in files for report in check_files([file], config, 1)]


def _texts(folder: Path) -> dict[str, str]:
    return {path: Path(path).read_text(encoding="utf-8") for path in _files(folder)}


def _change(folder: Path, first: Mapping[str, str], dice: random.Random) -> tuple[str, str]:
    """Edit a file, move or delete one, or go back to the `first` texts, as a branch is switched; what was done, and a
    file that is another one since.
    """
    kind, files = dice.randrange(16), _files(folder)
    path = Path(dice.choice(files))
    if kind == 0 and len(files) > 2:
        path.unlink()
        return "a file is deleted", str(path)
    if kind == 1 and path.name != "__init__.py":
        path.rename(path.with_name(f"{path.stem}_moved.py"))
        return "a file is moved", str(path)
    if kind == 2:
        now = _texts(folder)
        other = [each for each, text in first.items() if now.get(each) != text]
        for each in other:
            Path(each).write_text(first[each], encoding="utf-8")
        for each in now.keys() - first.keys():
            Path(each).unlink()
        return "a branch is switched", dice.choice(other or files)
    return _edit_one(folder, dice)


def _edit_one(folder: Path, dice: random.Random) -> tuple[str, str]:
    """Edit a file that can be edited; what was done, and the file."""
    files = [path for path in _files(folder) if os.path.getsize(path) < 100_000]
    modules = [Path(path).relative_to(folder).with_suffix("").as_posix().replace("/", ".") for path in files]
    while True:
        path = Path(dice.choice(files))
        text = path.read_text(encoding="utf-8")
        try:
            found = edit(text, modules, dice)
        except SyntaxError:
            continue
        if found is not None:
            path.write_text(found[1], encoding="utf-8")
            return found[0], str(path)


def _difference(one: Report, other: Report) -> str:
    if one.diagnostics != other.diagnostics:
        return f"{one.diagnostics} and {other.diagnostics}"
    return f"{one.statistics} and {other.statistics}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Try edits on packages; 1 if a run with a store ever says something else."""
    parser = argparse.ArgumentParser(prog="python -m tests.corpus.changes", description=main.__doc__)
    parser.add_argument("packages", nargs="+")
    parser.add_argument("--edits", type=int, default=20)
    parser.add_argument("--most", type=int, default=2, help="how many files are edited between two runs")
    parser.add_argument("--together", action="store_true", help="judge all files in one run")
    parser.add_argument("--live", action="store_true", help="keep the files in memory; one is edited at a time")
    parser.add_argument("--assume-traced", default="", metavar="PATTERN", help="so that there is more to be said")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cache", type=Path, default=default_cache(), help=f"${CACHE}, else a temporary folder")
    options = parser.parse_args(arguments)
    packages = choose(options.packages)
    folders = fetch(packages, options.cache)
    failed = False
    for package in packages:
        for line in _lines(package.name, folders[package.name], options):
            print(line, flush=True)
            failed |= line.startswith("  differs")
    return int(failed)


def _lines(name: str, source: Path, options: argparse.Namespace) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "project"
        shutil.copytree(source, folder)
        (folder / "pyproject.toml").touch()
        os.environ["FLAKE8_JAX_STORE"] = f"{scratch}/store"
        config = replace(LOUD, assume_traced=tuple(filter(None, [options.assume_traced])))
        dice = random.Random(options.seed)
        if options.live:
            tried = try_live(folder, config, options.edits, dice)
        else:
            tried = try_edits(folder, config, options.edits, dice, options.most, options.together)
    share, kept = tried.with_store / tried.without, "memory" if options.live else "store"
    yield f"{name}: {options.edits} times edited, {tried.findings} findings compared; {kept}: {share:.2f} x the time"
    if tried.firsts:
        firsts = sorted(tried.firsts)
        parts = [f"{firsts[int(part * (len(firsts) - 1))]:.2f}" for part in (0.5, 0.9, 1.0)]
        yield f"  the edited file: {' '.join(parts)} s of CPU (half, nine of ten, all)"
    yield f"  edits: {', '.join(f'{count} {edit}' for edit, count in tried.edits.most_common())}"
    yield from (f"  differs: {difference}" for difference in tried.differences)


if __name__ == "__main__":
    sys.exit(main())
