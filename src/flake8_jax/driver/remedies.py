"""Remedies are tried before they are said: a message ends in code only if that code, written into the file, removes the
finding and brings no other.

All remedies of a file are written into a copy of its text in memory, and the copy is judged.  Those whose finding
stays, or in whose function something new is found, end in words; the others are tried once more without them, and what
then fails ends in words, too.  So a file is judged at most twice more, a long one once, one without remedies never.
What callers in other files make certain is tried with these: they are run again, and what is new in any of them counts.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from flake8_jax.fixes.texts import EditKey, Offsets, TakenPlaces, applied, is_python, places
from flake8_jax.lazy_dataclasses import dataclass, replace
from flake8_jax.model.diagnostic import Diagnostic, Edit, Fix, Note, Remedy, Span, printable
from flake8_jax.model.faults import Fault, Isolated, collecting
from flake8_jax.syntax.source import WORD, NotPython, SourceFile, TooDeep, parsed

if TYPE_CHECKING:
    from flake8_jax.analysis.interpretation import EventElsewhere, Findings
    from flake8_jax.analysis.modules.files import File
    from flake8_jax.ir.ops import Op
    from flake8_jax.rules import Discovered
    from flake8_jax.rules.rule import Remedied, RuleEvent

LONG = 3_000
"""A file of more lines is judged with its remedies once only."""

LONGEST = 300
"""A message is not longer; else it ends in words."""

ROUNDS = 2
CALLERS = 500
"""A file is tried with its callers if no more lines of them were run, beside one for each line of its own."""

UNTRIED = frozenset(("JAX001", "JAX002", "JAX409"))
"""What does not count as new: comments, and what depends on callers that are not looked at."""

FoundAt: TypeAlias = "tuple[str, int]"
"""A code, and the offset at which it is found."""


@dataclass(frozen=True, slots=True)
class RemedyTrial:
    """The remedies of one set of edits: the findings that it is to remove, and the functions that it changes.

    `by_callers`: one of the findings is made certain in another file.
    """

    edits: tuple[Edit, ...]
    found: tuple[FoundAt, ...]
    functions: frozenset[int]
    by_callers: bool


def ended(message: str, ending: str) -> str:
    """A message with its end."""
    return printable(f"{message}; {ending}" if ending else message)


def is_found_here(event: RuleEvent, home: str) -> bool:
    """Is an event certain by what stands in this file alone?"""
    context = getattr(event, "context", None)
    if context is None:
        return True
    trace = context.trace
    return (trace is None or trace.path == home) and all(hop.path == home for hop in context.chain)


def tried_with(remedy: Remedy | None, fix: Fix | None, by_callers: bool = False) -> Remedy | None:
    """A remedy with the edits that are to be tried: its own, or those of the fix; None if there are none."""
    if remedy is None or not remedy.code:
        return None
    edits = remedy.edits or (fix.edits if fix is not None else ())
    return replace(remedy, edits=edits, by_callers=by_callers) if edits else None


def written(source: SourceFile, found: Diagnostic) -> str | None:
    """The text of a file with what a finding offers in code, its remedy or else its fix; None if it offers none."""
    edits = found.remedy.edits if found.remedy is not None else found.fix.edits if found.fix is not None else ()
    return applied(source.text, edits) if edits else None


def settled(
    source: SourceFile, file: File, found: Sequence[Diagnostic], rules: Iterable[Discovered], findings: Findings,
    faults: list[Fault] | None = None,
) -> list[Diagnostic]:  # fmt: skip
    """The findings of a file, each with the remedy that holds, in order."""
    return sorted(settling(source, file, found, rules, findings, faults).values(), key=Diagnostic.sort_key)


def settling(
    source: SourceFile, file: File, found: Sequence[Diagnostic], rules: Iterable[Discovered], findings: Findings,
    faults: list[Fault] | None = None,
) -> dict[Diagnostic, Diagnostic]:  # fmt: skip
    """For each finding the same with the remedy that holds.

    `faults` are what was dropped in the file; what is dropped in a trial, and was not there, is added.
    """
    held: frozenset[tuple[Edit, ...]] = frozenset()
    if any(finding.remedy is not None for finding in found):
        known = faults if faults is not None else list[Fault]()
        with Isolated("the trial of remedies", source.path, 1, take=known.append):
            held = _Trying(source, file, tuple(rules), found, findings, known).held()
    return {finding: _settled(finding, held) for finding in found}


def _settled(found: Diagnostic, held: frozenset[tuple[Edit, ...]]) -> Diagnostic:
    remedy = found.remedy
    if remedy is None or remedy.edits not in held:
        return replace(found, remedy=None)
    message = ended(found.message.removesuffix(printable(remedy.words)).removesuffix("; "), remedy.code)
    return replace(found, message=message) if len(message) <= LONGEST else replace(found, remedy=None)


class _Trying:
    """The trials of one file."""

    def __init__(
        self, source: SourceFile, file: File, rules: tuple[Discovered, ...], found: Sequence[Diagnostic],
        findings: Findings, faults: list[Fault],
    ) -> None:  # fmt: skip
        self.faults = faults
        self.findings = findings
        self.source = source
        self.file = file
        self.rules = rules
        self.offsets = Offsets(source.text)
        self.known = {(finding.code, self.offsets.of(finding.span)[0]) for finding in found}
        self.starts = [unit.statement.line for unit in file.units]
        self.trials = self._trials(found)

    def held(self) -> frozenset[tuple[Edit, ...]]:
        """The edits of the remedies that hold."""
        trials = self.trials
        rounds = ROUNDS if len(self.source.lines) <= LONG else 1
        for number in range(rounds):
            if not trials:
                break
            failed = self._failed(trials, is_tried_again=number + 1 < rounds)
            if not failed:
                break
            dropped = set(failed)
            if number == 0 and not (len(failed) == len(trials) and len(trials) == 1):
                trials = [trial for trial in trials if trial not in dropped]
                continue
            touched = frozenset(place for one in failed for place in one.functions)
            trials = [trial for trial in trials if trial not in dropped and touched.isdisjoint(trial.functions)]
            break
        return frozenset(trial.edits for trial in trials)

    def _trials(self, found: Sequence[Diagnostic]) -> list[RemedyTrial]:
        """The sets of edits that can be written at once, in order."""
        groups: dict[tuple[Edit, ...], list[Diagnostic]] = {}
        for finding in sorted(found, key=Diagnostic.sort_key):
            if finding.remedy is not None:
                groups.setdefault(finding.remedy.edits, []).append(finding)
        taken = TakenPlaces(_meet)
        trials = []
        for edits, several in groups.items():
            keys = {self.offsets.key(edit) for edit in edits}
            if not any(map(taken.are_met_by, keys)):
                taken.add(keys)
                places = tuple((one.code, self.offsets.of(one.span)[0]) for one in several)
                functions = frozenset(self._function(edit.span.line) for edit in edits if not _is_import(edit))
                by_callers = any(one.remedy is not None and one.remedy.by_callers for one in several)
                if not by_callers or self._has_few_callers():
                    trials.append(RemedyTrial(edits, places, functions, by_callers))
        return trials

    def _has_few_callers(self) -> bool:
        search = self.findings.search
        return search is not None and search.lines <= CALLERS + len(self.source.lines)

    def _function(self, line: int) -> int:
        """The first line of the top-level statement around a line."""
        return self.starts[max(bisect_right(self.starts, line) - 1, 0)] if self.starts else 0

    def _failed(self, trials: Sequence[RemedyTrial], is_tried_again: bool) -> list[RemedyTrial]:
        """The remedies that do not hold if all of them are written at once; those left over may be tried again."""
        edits = [edit for trial in trials for edit in trial.edits]
        text = applied(self.source.text, edits)
        tree = parsed(text)
        if tree is None:
            return [trial for trial in trials if not self._is_python(trial)] or list(trials)
        changed = SourceFile(self.source.path, text, tree)
        judged = self._judged(changed, edits, any(trial.by_callers for trial in trials))
        if judged is None:
            return list(trials)
        after, left_out, elsewhere = judged
        lines = Offsets(self.source.text)
        known = self.known | self._moved(trials)
        new = {where for code, where in after - left_out - known if code not in UNTRIED}
        touched = {self._function(lines.line_of(where)) for where in new}
        owned = {place for trial in trials for place in trial.functions}
        for outside in touched - owned:
            touched |= self._named_in(self._words(outside), owned)
        for event in elsewhere:
            touched |= self._named_in(self._words_around(event), owned) or owned
        if touched.isdisjoint(owned) and touched:
            return list(trials)
        failed = [trial for trial in trials if not after.isdisjoint(trial.found)]
        blamed = [trial for trial in trials if not touched.isdisjoint(trial.functions)]
        if is_tried_again and not elsewhere:
            blamed = self._binding({lines.line_of(where) for where in new}, blamed) or blamed
        return list(dict.fromkeys([*failed, *blamed]))

    def _moved(self, trials: Iterable[RemedyTrial]) -> set[FoundAt]:
        """Where other findings are that stand in what remedies write anew."""
        spans = [(trial, self.offsets.of(edit.span)) for trial in trials for edit in trial.edits]
        return {
            (code, begin)
            for trial, (begin, end) in spans
            for code, where in self.known
            if begin <= where < end and (code, where) not in trial.found
        }

    def _binding(self, found: Collection[int], trials: Iterable[RemedyTrial]) -> list[RemedyTrial]:
        """The remedies that bind a name of the lines in which something new is found."""
        read = frozenset(word for line in found for word in WORD.findall(self.source.lines[line - 1]))
        return [trial for trial in trials if not read.isdisjoint(self._bound(trial))]

    def _bound(self, trial: RemedyTrial) -> Iterator[str]:
        """The names that the statements of a remedy bind."""
        for edit in trial.edits:
            line = self.source.lines[edit.span.line - 1] if edit.span.line <= len(self.source.lines) else ""
            for text in (*edit.text.splitlines(), line[: edit.span.column]):
                target, sign, _ = text.partition(" = ")
                yield from WORD.findall(target) if sign else ()

    def _lines_of(self, function: int) -> tuple[int, int]:
        place = bisect_right(self.starts, function)
        return function, self.starts[place] - 1 if place < len(self.starts) else len(self.source.lines)

    def _is_python(self, trial: RemedyTrial) -> bool:
        """Is what remedies make of their function Python?"""
        if len(trial.functions) != 1:
            return False
        (first, last) = self._lines_of(*trial.functions)
        text = "\n".join(self.source.lines[first - 1 : last])
        return is_python(applied(text, [_raised(edit, first - 1) for edit in trial.edits if not _is_import(edit)]))

    def _words(self, function: int) -> Collection[str]:
        """The words of a function."""
        first, last = self._lines_of(function)
        return set(WORD.findall("\n".join(self.source.lines[first - 1 : last])))

    def _words_around(self, event: EventElsewhere) -> Collection[str]:
        """The words of the statement of another file that an event stands in."""
        path, line, _ = event
        file = self.file.linked.file(path)
        units = [unit.statement for unit in file.units if unit.statement.line <= line] if file is not None else []
        return file.words(units[-1].line, units[-1].end_line) if file is not None and units else ()

    def _named_in(self, words: Collection[str], others: Collection[int]) -> set[int]:
        """The functions whose names are among words."""
        known = frozenset(words)
        return {other for other in others if self._header(other) in known}

    def _header(self, function: int) -> str:
        """The name that a statement binds first."""
        lines = self.source.lines[function - 1 : self._lines_of(function)[1]]
        header = next((line for line in lines if line.startswith(("def ", "async def ", "class "))), lines[0])
        words = [word for word in WORD.findall(header) if word not in ("async", "def", "class")]
        return words[0] if words else ""

    def _judged(
        self, changed: SourceFile, edits: Sequence[Edit], by_callers: bool
    ) -> tuple[set[FoundAt], set[FoundAt], frozenset[EventElsewhere]] | None:
        """What is found in a text, at the places where that was before the edits; what of it callers that are not asked
        may rule out; and what is new in other files.  None if it cannot be judged.
        """
        from flake8_jax.analysis.certainty import is_assumed
        from flake8_jax.analysis.interpretation import interpret_copy
        from flake8_jax.syntax.positions import Locator

        failed, locator = list[Fault](), Locator()
        offsets, back = Offsets(changed.text), _Back(self.source.text, edits)
        try:
            search = self.findings.search if by_callers else None
            looked = search.looked if search is not None else ()
            with collecting(failed.append), self.file.linked.with_text(changed, self.file.path, looked) as file:
                findings = interpret_copy(file, search)
                assumed = list(filter(is_assumed, findings.events))
                found, left_out = (
                    {
                        (code, back.before(offsets.of(at if isinstance(at, Span) else locator.span(at))[0]))
                        for code, at in _said(events, self.rules)
                    }
                    for events in (findings.events, assumed if search is None else ())
                )
        except (NotPython, TooDeep):
            return None
        known = {(fault.what, fault.error) for fault in self.faults}
        new = [fault for fault in (*findings.faults, *failed) if (fault.what, fault.error) not in known]
        self.faults += new
        return (found, left_out, findings.elsewhere - self.findings.elsewhere) if not new else None


def _said(events: Iterable[RuleEvent], rules: Iterable[Discovered]) -> Iterator[tuple[str, Op | Span]]:
    """The codes of what rules say of events, and where."""
    by_event: dict[type[RuleEvent], list[Discovered]] = {}
    for each in rules:
        by_event.setdefault(each.event, []).append(each)
    said: list[Op | Span] = []

    def report(
        at: Op | Span, message: str, notes: tuple[Note, ...] = (),
        *, remedy: Remedied | None = None,
    ) -> None:  # fmt: skip
        said.append(at)

    for event in events:
        for each in by_event.get(type(event), ()):
            with Isolated(f"a finding of {each.rule.code}", "", 1):
                each.check(event, report)
            yield from ((each.rule.code, at) for at in said)
            said.clear()


class _Back:
    """Where places of a text were before edits made it."""

    def __init__(self, text: str, edits: Sequence[Edit]) -> None:
        offsets = Offsets(text)
        self.rows = sorted(
            (begin, end, *offsets.of(edit.span)) for edit, (begin, end) in zip(edits, places(text, edits))
        )

    def before(self, offset: int) -> int:
        """Where a place was; in what is new, where that begins."""
        row = bisect_right(self.rows, offset, key=lambda one: one[0]) - 1
        if row < 0:
            return offset
        begin, end, old_begin, old_end = self.rows[row]
        return old_begin if offset < end or offset == begin < end else old_end + offset - end


def _raised(edit: Edit, lines: int) -> Edit:
    span = edit.span
    return replace(edit, span=Span(span.line - lines, span.column, span.end_line - lines, span.end_column))


def _is_import(edit: Edit) -> bool:
    return edit.text.lstrip().startswith(("import ", "from "))


def _meet(one: EditKey, other: EditKey) -> bool:
    """Can two edits not be made at once?  Insertions at one place can, and the same edit is one."""
    if one == other:
        return False
    if one[0] == one[1] or other[0] == other[1]:
        return one[0] < other[0] < one[1] or other[0] < one[0] < other[1]
    return one[0] < other[1] and other[0] < one[1]
