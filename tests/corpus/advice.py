"""Remedies in code, applied: each alone, and all of a file together; what is found afterwards is counted.

    python -m tests.corpus.advice fixtures ../project ...       by code: findings, those that end in code
    python -m tests.corpus.advice --alone 100 ../project        up to 100 rounds for each file, in place of 3

A round applies one remedy in each statement at the top level: it is alone in its function.  So a file has as many
rounds as one of its functions has remedies; what fails in a round is applied once more, each quite alone.
"""

from __future__ import annotations

import argparse
import sys
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from flake8_jax.driver.linter import lint
from flake8_jax.driver.projects import Projects
from flake8_jax.driver.remedies import UNTRIED
from flake8_jax.fixes.texts import applied
from flake8_jax.model.config import Config
from flake8_jax.model.diagnostic import Diagnostic, Edit
from flake8_jax.syntax.source import SourceFile, Unreadable

EVERYTHING = Config(strict=True, tests=True, no_store=True)


@dataclass
class Advised:
    """The findings of some files: how many, how many end in code, and what did not hold."""

    found: Counter[str] = field(default_factory=Counter)
    coded: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    words: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def share(self, *families: str) -> float:
        """The share of findings of some codes that end in code."""
        codes = [code for code in self.found if code.startswith(families)]
        return sum(self.coded[code] for code in codes) / max(sum(self.found[code] for code in codes), 1)


def advised(paths: Iterable[Path], alone: int = 3, config: Config = EVERYTHING) -> Advised:
    """Judge some files, and apply their remedies: all together, and some of each file alone."""
    result = Advised()
    projects = Projects(config)
    for path in paths:
        try:
            source = projects.read(str(path))
        except Unreadable:
            continue
        found = lint(source, config, projects).diagnostics
        for one in found:
            result.found[one.code] += 1
            result.coded[one.code] += one.remedy is not None
            if one.remedy is None:
                result.words[one.code].append(f"{path}:{one.span.line}: {one.message}")
        result.wrong += [f"{path}: {each}" for each in _wrong(source, found, alone, config)]
    projects.close()
    return result


def _wrong(source: SourceFile, found: Iterable[Diagnostic], alone: int, config: Config) -> Iterator[str]:
    """The remedies of a file that leave their finding, or bring another one."""
    groups: dict[tuple[Edit, ...], list[Diagnostic]] = {}
    for one in found:
        if one.remedy is not None:
            groups.setdefault(one.remedy.edits, []).append(one)
    if not groups:
        return
    before = Counter(one.code for one in found if one.code not in UNTRIED)
    rounds = _rounds(source, groups)
    for chosen in rounds[:alone]:
        repaired = [each for edits in chosen for each in groups[edits]]
        left = [*_left(source, chosen, repaired, before, config)]
        if left and len(chosen) > 1:
            left = [each for edits in chosen for each in _left(source, [edits], groups[edits], before, config)]
        yield from left
    if len(rounds) > 1:
        every = [one for several in groups.values() for one in several]
        yield from _left(source, list(groups), every, before, config)


def _rounds(source: SourceFile, groups: Iterable[tuple[Edit, ...]]) -> list[list[tuple[Edit, ...]]]:
    """Sets of edits, of which each changes other statements at the top level."""
    starts = [min([one.lineno, *(by.lineno for by in getattr(one, "decorator_list", ()))]) for one in source.tree.body]
    rounds: list[list[tuple[Edit, ...]]] = []
    used: list[set[int]] = []
    for edits in groups:
        own = {bisect_right(starts, edit.span.line) for edit in edits if "import " not in edit.text}
        number = next((number for number, taken in enumerate(used) if taken.isdisjoint(own)), len(rounds))
        if number == len(rounds):
            rounds.append([])
            used.append(set())
        rounds[number].append(edits)
        used[number] |= own
    return rounds


def _left(
    source: SourceFile, groups: list[tuple[Edit, ...]], repaired: list[Diagnostic], before: Counter[str], config: Config
) -> Iterator[str]:
    text = applied(source.text, [edit for edits in groups for edit in edits])
    report = lint(SourceFile(source.path, text), config)
    after = Counter(one.code for one in report.diagnostics if one.code not in UNTRIED)
    more = after - (before - Counter(one.code for one in repaired))
    if report.given_up or more:
        lines = sorted({one.span.line for one in repaired})
        yield f"lines {lines}: {dict(more) or report.given_up} after `{repaired[0].remedy and repaired[0].remedy.code}`"


def files_of(folders: Iterable[str]) -> list[Path]:
    """The Python files of some folders."""
    found: list[Path] = []
    for folder in map(Path, folders):
        found += [folder] if folder.is_file() else sorted(folder.rglob("*.py"))
    return found


def main(arguments: list[str]) -> int:
    """Print what was found, and what did not hold."""
    parser = argparse.ArgumentParser(prog="python -m tests.corpus.advice", description=__doc__)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--alone", type=int, default=3, metavar="N", help="how many rounds a file has")
    parser.add_argument("--words", metavar="CODE", action="append", help="print those that end in words")
    options = parser.parse_args(arguments)
    result = advised(files_of(options.folders), options.alone)
    for code in sorted(result.found):
        print(f"{code}: {result.found[code]} findings, {result.coded[code]} end in code")
    print(f"JAX101-107: {result.share('JAX1'):.0%}, JAX401-411: {result.share('JAX4'):.0%}")
    print(*result.wrong, sep="\n")
    print(f"{len(result.wrong)} did not hold")
    for code in options.words or ():
        print(*result.words.get(code, ()), sep="\n")
    return int(bool(result.wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
