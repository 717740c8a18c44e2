"""Text output of statistics: findings by code, analysis coverage, and costs."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from flake8_jax.driver.gave_up import CELL
from flake8_jax.driver.selection import ConfigOf
from flake8_jax.model.codes import UNJUDGED
from flake8_jax.model.diagnostic import Diagnostic
from flake8_jax.model.report import Costs, Report, Statistics
from flake8_jax.syntax.folders import root_of


def of_findings(diagnostics: Sequence[Diagnostic]) -> Iterator[str]:
    """The number of findings of each code, in the columns of flake8; then that of each of several files, most first."""
    counts = Counter((found.code, found.name) for found in diagnostics)
    for (code, name), count in sorted(counts.items()):
        yield f"{count:<5} {code} {name}"
    files = Counter(found.path for found in diagnostics)
    if len(files) > 1:
        yield ""
    for path, count in sorted(files.items(), key=lambda each: (-each[1], each[0])) if len(files) > 1 else ():
        yield f"{count:<5} {path}"


def summary(reports: Sequence[Report], diagnostics: Sequence[Diagnostic], known: int = 0) -> str:
    """How many files were checked, what is shown of what was found, and how many files could not be judged, or in part.

    `known` findings are not shown.
    """
    unjudged = sum(report.given_up is not None for report in reports)
    in_part = sum(bool(report.faults) or CELL in report.statistics.given_up for report in reports)
    text = f"checked {counted(len(reports), 'file')}: {counted(judged(diagnostics), 'finding')}"
    text += f"; {known} known" if known else ""
    text += f"; {counted(unjudged, 'file')} could not be judged" if unjudged else ""
    text += f"; {counted(in_part, 'file')} could be judged in part only" if in_part else ""
    fixable = sum(found.fix is not None and found.fix.applicability == "safe" for found in diagnostics)
    return text + (f"; {fixable} can be fixed with `flake8-jax fix`" if fixable else "")


def of_faults(reports: Iterable[Report]) -> str | None:
    """What was dropped in a run, because a defect of ours raised: of how many files, and the first piece, if any."""
    broken = [report.faults for report in reports if report.faults]
    if not broken:
        return None
    first = broken[0][0]
    place = f"{first.path}:{first.line}" if first.line else first.path
    return (
        f"a defect of flake8-jax dropped parts of {counted(len(broken), 'file')}, first {first.what} at {place} "
        f"({first.error}); all else was judged; please report it, with what `flake8-jax check --debug` shows"
    )


def judged(diagnostics: Iterable[Diagnostic]) -> int:
    """The number of findings, without the files that could not be judged."""
    return sum(found.code != UNJUDGED for found in diagnostics)


def of_fixes(fixed: int, files: int, remaining: Sequence[Diagnostic], known: int, all_made: bool) -> str:
    """How many findings were fixed, how many remain, how many of these have a fix that is unsafe.

    `known` findings were left alone; `all_made`: unsafe fixes were made, too.
    """
    left = [found for found in remaining if found.code != UNJUDGED]
    unjudged = len({found.path for found in remaining if found.code == UNJUDGED})
    unsafe = sum(found.fix is not None and found.fix.applicability == "unsafe" for found in left)
    text = f"fixed {counted(fixed, 'finding')} in {counted(files, 'file')}: {counted(len(left), 'finding')} left"
    text += f", of which `--unsafe-fixes` fixes {unsafe}" if unsafe and not all_made else ""
    text += f"; {known} known" if known else ""
    return text + (f"; {counted(unjudged, 'file')} could not be judged, or in part only" if unjudged else "")


def counted(number: int, what: str) -> str:
    """A number of things, with its plural."""
    return f"{number} {what}{'s' * (number != 1)}"


def of_analysis(reports: Iterable[tuple[str, Report]], config_of: ConfigOf) -> Iterator[str]:
    """Coverage and costs of the analysis of some paths, in total and for each project."""
    total, projects, roots = Statistics(), dict[str, Costs](), dict[str, str]()
    for path, report in reports:
        total.add(report.statistics)
        folder = os.path.dirname(path)
        if folder not in roots:
            roots[folder] = config_of(path).root or root_of(path)
        projects.setdefault(roots[folder], Costs()).add(report.statistics.costs)
    yield f"{total.files} files, {total.analysed} analysed"
    for title, counts in (("given up", total.given_up), ("unknown", total.unknowns), ("not lowered", total.others)):
        yield from (f"{count:6} {title}: {reason}" for reason, count in counts.most_common())
    for root, costs in sorted(projects.items()) if len(projects) > 1 else ():
        yield f"cost of {os.path.basename(root) or root}: {costs}"
    yield f"cost: {total.costs}"
