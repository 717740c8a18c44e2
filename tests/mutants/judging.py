"""What must hold of a mutant: it is judged without a defect, alike in each run, at places that it has, in few steps.

a defect            the file became JAX000, or a part of it was dropped, because something raised
a second run        with projects that are read anew, or in another order of files, the findings are others
a place             a finding, a note or an edit stands where the file has no text
a fix               what it makes of a text that is Python is no Python, or cannot be compiled where the text could
too many ops        what was evaluated is out of proportion to the file
no end              after a minute of the processor
"""

from __future__ import annotations

import ast
import io
import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import redirect_stderr
from dataclasses import dataclass, replace
from hashlib import blake2b

from flake8_jax.driver.checking import shown
from flake8_jax.driver.linter import lint
from flake8_jax.driver.projects import Projects
from flake8_jax.fixes.applying import fix_text
from flake8_jax.fixes.texts import applied, is_python
from flake8_jax.model.config import Config
from flake8_jax.model.diagnostic import Diagnostic, Span
from flake8_jax.model.report import Report
from flake8_jax.runtime.endless import ended_after
from flake8_jax.syntax.source import SourceFile, Unreadable, decode, parsed
from tests.mutants.making import MAIN
from tests.support.texts import Texts, empty_folder

EVERY = Config(no_store=True, strict=True, tests=True, enable=("JAX",))
"""All rules, of whatever status; comments suppress."""

DEFECT = re.compile(r"a defect of flake8-jax \((\w+)")
OURS = re.compile(r'File ".*flake8_jax.(.+?)\.py", line \d+, in (\w+)')
SECONDS = 60
OPS_OF_EACH, OPS_OF_ALL = 400, 20_000
"""How many ops may be evaluated for each node of the files, and beside that."""

FIXED_ALL = 2
"""In one of so many mutants that have fixes, all of them are made, one after the other, as `fix` does."""


class NoEnd(BaseException):
    """The time is up.  Nothing that judges a file catches it."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with how a mutant was judged: its sort, by which it is known while it is shrunk, and details."""

    sort: str
    details: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Was a mutant parsed and interpreted, what was found in it (as a digest), what is wrong with that?"""

    is_parsed: bool
    is_reached: bool
    findings: int
    fixes: int
    ops: int
    factor: float
    digest: str
    problems: tuple[Problem, ...] = ()


def decoded(files: Mapping[str, bytes]) -> dict[str, str]:
    """The texts of the files that have one."""
    texts = {}
    for name, data in files.items():
        try:
            texts[name] = decode(data)
        except Unreadable:
            continue
    return texts


def judge(texts: Mapping[str, str], config: Config = EVERY, *, are_all_fixed: bool = True) -> Verdict:
    """Judge a program of one or two files twice, and look at what was said."""
    try:
        with ended_after(SECONDS, NoEnd):
            return _judged(texts, config, are_all_fixed)
    except NoEnd:
        return Verdict(True, False, 0, 0, 0, 0.0, "", (Problem("no end", f"after {SECONDS} s"),))


def _judged(texts: Mapping[str, str], config: Config, are_all_fixed: bool) -> Verdict:
    first, second = (list(_reports(texts, config)) for _ in range(2))
    problems = [problem for source, report in first for problem in _problems(source, report)]
    said, again = (
        [(*_said(report), shown(source, report, config)) for source, report in run] for run in (first, second)
    )
    if said != again:
        problems.append(Problem("other findings in a second run", f"{said} {again}"))
    if len(texts) > 1:
        turned = [report.diagnostics for _, report in _reports(texts, config, is_turned=True)]
        if turned[::-1] != [report.diagnostics for _, report in first]:
            problems.append(Problem("other findings in another order of files", f"{said} {turned}"))
    if any(_is_defect(report) for _, report in first):
        problems = [
            replace(each, sort=_raised(texts, config)) if each.sort == "a defect" else each for each in problems
        ]
    ops = sum(report.statistics.costs.ops for _, report in first)
    size = sum(_size(source.text) for source, _ in first) if ops > OPS_OF_ALL else 0
    if ops > OPS_OF_ALL + OPS_OF_EACH * size:
        problems.append(Problem("too many ops", f"{ops} ops for {size} nodes"))
    fixes = [one for _, report in first for one in report.diagnostics if one.fix is not None]
    if fixes and are_all_fixed and not problems and len(first) == 1:
        problems += _all_fixed(*first[0], config)
    return Verdict(
        all(is_python(source.text) for source, _ in first) and bool(first),
        any(report.statistics.analysed and report.statistics.costs.ops for _, report in first),
        sum(len(report.diagnostics) for _, report in first),
        len(fixes),
        ops,
        max(0, ops - OPS_OF_ALL) / size if size else 0.0,
        _digest(repr(said)),
        tuple(problems),
    )


def _reports(texts: Mapping[str, str], config: Config, is_turned: bool = False) -> Iterator[tuple[SourceFile, Report]]:
    """Each file with its report, in projects that are read anew."""
    if set(texts) == {MAIN}:
        source = SourceFile("-", texts[MAIN])
        yield source, lint(source, config, Projects(config))
        return
    projects = Texts(config, texts)
    sources = list(projects.sources.values())
    for source in reversed(sources) if is_turned else sources:
        yield source, lint(source, config, projects)


def _said(report: Report) -> tuple[object, ...]:
    """What must be the same in each run.  Costs may differ: one run may find known what another finds out."""
    fixes = [one.fix for one in report.diagnostics]
    return report.diagnostics, fixes, report.given_up, report.statistics


def _is_defect(report: Report) -> bool:
    return report.given_up is not None and DEFECT.search(report.given_up) is not None


def _problems(source: SourceFile, report: Report) -> Iterator[Problem]:
    if _is_defect(report):
        yield Problem("a defect", str(report.given_up))
    for fault in getattr(report, "faults", ()):
        places = OURS.findall(getattr(fault, "trace", ""))
        yield Problem("a dropped piece" + (f" in {'.'.join(places[-1])}" if places else ""), str(fault))
    for one in report.diagnostics:
        yield from _misplaced(source, one)
        if one.fix is not None and is_python(source.text):
            yield from _broken_by(source.text, one, applied(source.text, one.fix.edits))


def _misplaced(source: SourceFile, one: Diagnostic) -> Iterator[Problem]:
    spans = [one.span, *(edit.span for edit in (one.fix.edits if one.fix is not None else ()))]
    if not all(_is_inside(source, span) for span in spans):
        yield Problem(f"a place outside of the file: {one.code}", f"{spans} {one.message}")
    if not all(1 <= note.line <= len(source.lines) for note in one.notes if note.path == source.path):
        yield Problem(f"a note outside of the file: {one.code}", f"{one.notes}")
    if not one.message or not one.message.isprintable():
        yield Problem(f"a message that is no line: {one.code}", repr(one.message))


def _is_inside(source: SourceFile, span: Span) -> bool:
    lines = [*source.lines, ""]  # text may be added behind the last line
    return (
        1 <= span.line <= span.end_line <= len(lines)
        and 0 <= span.column <= len(lines[span.line - 1])
        and 0 <= span.end_column <= len(lines[span.end_line - 1])
        and (span.line, span.column) <= (span.end_line, span.end_column)
    )


def _broken_by(before: str, one: Diagnostic, after: str) -> Iterator[Problem]:
    if not is_python(after):
        yield Problem(f"a fix that breaks the syntax: {one.code}", f"{one.fix}")
    elif _compiles(before) and not _compiles(after):
        yield Problem(f"a fix that cannot be compiled: {one.code}", f"{one.fix}")


def _compiles(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "mutant", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError):
        return False
    return True


def _all_fixed(source: SourceFile, report: Report, config: Config) -> Iterator[Problem]:
    """All fixes made, one after the other: each text on the way is judged without a defect, the last one is Python."""
    defects = []

    def judge_text(text: str) -> tuple[Diagnostic, ...] | None:
        report = lint(SourceFile(source.path, text), config, Projects(config))
        defects.extend([str(report.given_up)] if _is_defect(report) else [])
        return report.diagnostics if report.given_up is None else None

    fixed = fix_text(source.text, judge_text, ("safe", "unsafe"))
    for defect in defects:
        yield Problem("a defect in fixed text", defect)
    if fixed is not None and is_python(source.text) and not is_python(fixed.text):
        yield Problem("fixes that break the syntax", fixed.text)


def _raised(texts: Mapping[str, str], config: Config) -> str:
    """Which error was raised where, as the sort of a problem."""
    shown_on_error = io.StringIO()
    with redirect_stderr(shown_on_error):
        reports = list(_reports(texts, replace(config, debug=True)))
    kinds = [match[1] for _, report in reports if (match := DEFECT.search(report.given_up or ""))]
    places = OURS.findall(shown_on_error.getvalue())
    return f"a defect: {kinds[0] if kinds else '?'} in {'.'.join(places[-1]) if places else '?'}"


def _digest(said: str) -> str:
    """The same in each process."""
    text = said.replace(str(empty_folder()), "")
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _size(text: str) -> int:
    tree = parsed(text)
    return sum(isinstance(node, ast.expr | ast.stmt) for node in ast.walk(tree)) if tree is not None else 0
