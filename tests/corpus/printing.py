"""What a run of the corpus says, as lines of text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from .judging import Outcome
from .ledger import Comparison, Row, agreement, precision
from .rows import Difference
from .timing import Timing, Whole

REASONS = 30
TARGET = 1.3


def outcome_lines(outcome: Outcome) -> list[str]:
    """Findings, crashes, and what the analysis did not know."""
    unknown, reached = outcome.reached["unknown"], outcome.reached.total()
    return [
        f"{outcome.files} files, {outcome.concerned} of them concern JAX",
        *_findings(outcome),
        "",
        f"crashes: {len(outcome.crashes) or 'none'}",
        *(f"  {crash}" for crash in outcome.crashes),
        "",
        f"not lowered: {outcome.others.total()} ops",
        *_histogram(outcome.others),
        "",
        f"given up: {outcome.given_up.total()} functions",
        *_histogram(outcome.given_up),
        "",
        f"values that traced code hands to library functions with a row: {_share(unknown, reached)} unknown",
        *_histogram(outcome.reached),
        "",
        f"unknown values: {outcome.unknowns.total()}, of {len(outcome.unknowns)} reasons",
        *_histogram(outcome.unknowns),
    ]


def timing_lines(timing: Timing) -> list[str]:
    """The cost of each stage, and of all together, as multiples of libcst's parse."""
    times, go = timing.sums, timing.go
    stages = [
        ("libcst.parse_module", times.parse),
        ("ast.parse", times.tree),
        ("lowering", times.lower),
        ("interpretation", times.interpret),
        ("gate, rules, positions, suppressions", times.rest),
        ("added under flake8", times.whole),
        (f"with ast.parse (target {TARGET})", times.whole + times.tree),
    ]
    whole = [
        ("libcst.parse_module", go.parse),
        (f"the linter, from text to findings (target {TARGET})", go.linter),
        ("added under flake8", go.linter - go.tree),
    ]
    head = f"time: {timing.files} files of {timing.lines} lines, one process, medians"
    if not timing.files:
        return [head]
    lines = [f"{head}, by stage, without garbage collection", *_ratios(stages, times.parse)]
    return [*lines, "all files in one go, garbage collection included", *_ratios(whole, go.parse)]


def whole_lines(whole: Whole) -> list[str]:
    """The cost of whole packages, as a multiple of libcst's parse of the files that were analysed."""
    head = f"time: {whole.packages} whole packages, {whole.files} files of {whole.lines} lines analysed, one process"
    if not whole.files:
        return [head]
    stages = [("libcst.parse_module", whole.parse), (f"the linter, across files (target {TARGET})", whole.linter)]
    return [head, *_ratios(stages, whole.parse)]


def row_lines(different: Sequence[Difference], listed: int) -> list[str]:
    """Where the run and the committed rows differ."""
    head = f"rows: {listed} are listed, {len(different) or 'none'} differ"
    return [head, *(f"  {line}" for one in different for line in one.lines)]


def comparison_lines(comparison: Comparison, wrong: Sequence[str], rows: Sequence[Row], codes: set[str]) -> list[str]:
    """Where the run and the ledger differ, what is wrong with the ledger, and what it says of the rules."""
    returned = set(comparison.returned)
    alike, twice = agreement(rows)
    judged = sum(row.verdict != "gone" for row in rows)
    lines = [f"ledger: {judged} rows, {len(rows) - judged} more are gone"]
    for found in comparison.unlisted:
        why = "is back, though a row says it is gone" if found in returned else "is not in the ledger"
        place = f"{found.package} {found.version} {found.path}:{found.line}:{found.column}"
        lines.append(f"  {place} {found.code} {why}: {found.message}")
    lines += [f"  {row} ({row.verdict}) is no longer found" for row in comparison.vanished]
    lines += [f"  {fault}" for fault in wrong]
    lines += ["", "precision on these projects, which were looked at while the rules were built:"]
    lines += [f"  {code} {measured}" for code, measured in precision(rows, codes).items()]
    asked = f"{twice} of {judged} rows were judged twice"
    return [*lines, "", f"{asked}, {alike} of them alike ({alike / twice:.0%})" if twice else asked]


def _findings(outcome: Outcome) -> list[str]:
    counts = Counter((found.package, found.code) for found in outcome.findings)
    packages = sorted({package for package, _ in counts})
    codes = sorted({code for _, code in counts})
    width = max(map(len, packages), default=0) + 2
    lines = [f"{len(outcome.findings)} findings in {len(packages)} projects"]
    if not codes:
        return lines
    totals = (sum(counts[package, code] for package in packages) for code in codes)
    return [
        *lines,
        "  " + "".ljust(width) + "".join(code.rjust(8) for code in codes),
        *(f"  {package:{width}}" + _cells(counts[package, code] for code in codes) for package in packages),
        "  " + "in all".ljust(width) + _cells(totals),
    ]


def _ratios(rows: Sequence[tuple[str, float]], parse: float) -> list[str]:
    return [f"  {name:50}{time:9.3f} s{time / (parse or 1):8.3f} x" for name, time in rows]


def _cells(numbers: Iterable[int]) -> str:
    return "".join((str(number) if number else ".").rjust(8) for number in numbers)


def _histogram(counts: Counter[str]) -> list[str]:
    total = counts.total()
    lines = [f"  {count:8} {count / total:6.1%}  {reason}" for reason, count in counts.most_common(REASONS)]
    rest = total - sum(count for _, count in counts.most_common(REASONS))
    return [*lines, f"  {rest:8} {rest / total:6.1%}  for other reasons"] if rest else lines


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole}" + (f" ({part / whole:.3%})" if whole else "")
