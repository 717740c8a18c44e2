"""Suppression comments: flake8's `# noqa`, and our `# jax: ignore[JAX101] reason`.

Under flake8 the first kind is flake8's own business and only the second is ours; the command line applies both.
What counts as a `# noqa`, and for which lines, is as flake8 7 has it: codes are upper case and may be the beginning
of one, a backslash or a string of several lines joins the lines it spans, a bracket does not:

    x = normal(      # noqa: JAX1          silences findings on this line alone
        key)
    x = normal(key, '''
        ''')          # jax: ignore[JAX101]  silences findings on both lines

A comment of ours that ends a statement, or the head of one, holds for all of its lines: formatters split a line that
its comment makes too long, and leave the comment at the end.

    x = normal(
        key, (3,)
    )                 # jax: ignore[JAX101]  silences findings on the three lines
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Collection, Iterator, Sequence

from flake8_jax.lazy_patterns import compiled
from flake8_jax.model.codes import names
from flake8_jax.model.diagnostic import Diagnostic, Edit, Span
from flake8_jax.syntax.directives import (
    CommentInvalid,
    CommentUnused,
    Directive,
    directives,
    may_hold_any,
    unknown,
    without_entry,
)
from flake8_jax.syntax.source import SourceFile

NOQA = compiled(r"# noqa(?::[\s]?(?P<codes>([A-Z]+[0-9]+(?:[,\s]+)?)+))?", re.IGNORECASE)
_NOQA_FILE = compiled(r"^\s*# flake8[:=]\s*noqa", re.IGNORECASE | re.MULTILINE)
_SEPARATOR = compiled(r"[,\s]+")
_ALONE = "it stands on a line of its own; put it at the end of the line or statement that is reported"


def skips_file(source: SourceFile) -> bool:
    """Does a `# flake8: noqa` line exclude the whole file?  Codes after it do not matter: flake8 does not read them."""
    return _NOQA_FILE.search(source.text) is not None


def without_noqa(source: SourceFile, diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The findings not suppressed by a `# noqa` comment of the file."""
    if not diagnostics or NOQA.search(source.text) is None:
        return list(diagnostics)
    lines = CommentedLines(source)
    return [diagnostic for diagnostic in diagnostics if not _has_noqa(lines.joined(diagnostic), diagnostic.code)]


class Suppressions:
    """The `# jax: ignore[...]` and `# jax: ignore-file[...]` comments of a file.

    In the brackets stand codes, beginnings of codes, or names of rules.
    """

    __slots__ = ("_found", "_in_file", "_lines", "_on_lines")

    def __init__(self, source: SourceFile) -> None:
        self._lines = CommentedLines(source) if may_hold_any(source.text) else None
        comments = self._lines.comments.items() if self._lines is not None else ()
        self._found = [(line, at, directive) for line, (at, text) in comments for directive in directives(text)]
        self._in_file = [(line, one) for line, _, one in self._found if one.in_file]
        self._on_lines: dict[int, list[Directive]] = {}
        for line, _, one in self._found:
            if not one.in_file:
                self._on_lines.setdefault(line, []).append(one)

    def __bool__(self) -> bool:
        return bool(self._found)

    def without(self, diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
        """The findings that no comment suppresses."""
        return [found for found in diagnostics if self.suppressing(found) is None]

    def suppressing(self, diagnostic: Diagnostic) -> str | None:
        """The comment that suppresses a finding, and where it stands; None if there is none."""
        if self._lines is None:
            return None
        for line in self._lines_for(diagnostic):
            if any(_names(one, diagnostic) for one in self._on_lines[line]):
                is_beside = line in self._lines.stretch(diagnostic)
                return f"`{self._lines.comments[line][1]}` on {'its line' if is_beside else f'line {line}'}"
        found = next((line for line, one in self._in_file if _names(one, diagnostic)), None)
        return f"`{self._lines.comments[found][1]}` on line {found}" if found is not None else None

    def _lines_for(self, diagnostic: Diagnostic) -> list[int]:
        """The lines with comments that hold for the line of a finding."""
        if self._lines is None:
            return []
        own = {*self._lines.stretch(diagnostic), self._lines.last_of_statement(diagnostic)}
        return sorted(line for line in own if line in self._on_lines)

    def invalid(self) -> Iterator[CommentInvalid]:
        """The comments, and the entries of comments, that can suppress nothing."""
        for line, at, one in self._found:
            unknowns = [(entry, start, why) for entry, start in one.entries if (why := unknown(entry))]
            wrong = one.wrong or (_ALONE if not unknowns and self._is_alone(line, one) else "")
            if wrong:
                yield CommentInvalid(_span(line, at + one.start, one.text), one.text, wrong)
            for entry, start, why in unknowns:
                yield CommentInvalid(_span(line, at + start, entry), entry.replace("`", "'"), why)

    def _is_alone(self, line: int, one: Directive) -> bool:
        """Does a comment that is meant for a line of code stand on one without any?"""
        return self._lines is not None and not one.in_file and self._lines.is_alone(line)

    def unused(self, diagnostics: Sequence[Diagnostic], ran: Collection[str], own: str) -> Iterator[CommentUnused]:
        """The entries that suppress none of some findings, although all rules that they name have run.

        `own` is the code under which they are reported: an entry that suppresses it would suppress that.
        """
        if self._lines is None or self._lines.is_cut_off:
            return
        told: dict[int, set[tuple[str, str]]] = {}
        everywhere = {(found.code, found.name) for found in diagnostics}
        for found in diagnostics:
            for line in self._lines_for(found):
                told.setdefault(line, set()).add((found.code, found.name))
        for line, at, one in self._found:
            covered = everywhere if one.in_file else told.get(line, set())
            for number, (entry, start) in enumerate(one.entries if not self._is_alone(line, one) else ()):
                named = {code for code, name in names().items() if code.startswith(entry) or name == entry}
                if not named or not named.issubset(ran) or own in named:
                    continue
                if not any(code.startswith(entry) or entry == name for code, name in covered):
                    begin, end = without_entry(self._lines.comments[line][1], one, number)
                    removal = self._lines.without(line, begin, end)
                    yield CommentUnused(_span(line, at + start, entry), entry, one.in_file, removal)


def _names(directive: Directive, diagnostic: Diagnostic) -> bool:
    """Does an entry of a comment name the code or the rule of a finding?"""
    return any(diagnostic.code.startswith(entry) or entry == diagnostic.name for entry, _ in directive.entries)


def suppressing(source: SourceFile, diagnostic: Diagnostic) -> str | None:
    """The comment that suppresses a finding, with its line; None if there is none."""
    if skips_file(source):
        line = source.text.count("\n", 0, _first_word(_NOQA_FILE, source.text)) + 1
        return f"`# flake8: noqa` on line {line}"
    if _has_noqa(CommentedLines(source).joined(diagnostic), diagnostic.code):
        return "a `# noqa` comment on its line"
    return Suppressions(source).suppressing(diagnostic)


def _first_word(pattern: re.Pattern[str], text: str) -> int:
    """Where the first match of a pattern begins, without the blank lines before it."""
    found = pattern.search(text)
    return found.start() + len(found[0]) - len(found[0].lstrip()) if found is not None else 0


def _has_noqa(line: str, code: str) -> bool:
    found = NOQA.search(line)
    if found is None:
        return False
    codes = found["codes"]
    return codes is None or code.startswith(tuple(filter(None, _SEPARATOR.split(codes))))


def _span(line: int, column: int, text: str) -> Span:
    return Span(line, column, line, column + len(text))


class CommentedLines:
    """The lines of a file, the comment on each, and the stretch of lines that each is joined to.

    `is_cut_off`: the lines could not be read to the end.
    """

    __slots__ = ("_ends", "_stretches", "_texts", "comments", "is_cut_off")

    def __init__(self, source: SourceFile) -> None:
        self._texts = source.lines
        self._stretches: dict[int, range] = {}
        self._ends: dict[int, int] = {}
        self.comments: dict[int, tuple[int, str]] = {}
        self.is_cut_off = False
        try:
            self._read_tokens("\n".join(self._texts))
        except (tokenize.TokenError, SyntaxError, SystemError):  # the last of CPython 3.13.0, at some broken lines
            self._stretches, self._ends, self.is_cut_off = {}, {}, True

    def without(self, line: int, begin: int, end: int) -> Edit:
        """The edit that removes a stretch of a comment.  A whole one goes with the white space before, or its line."""
        at, comment = self.comments[line]
        if (begin, end) != (0, len(comment)):
            return Edit(Span(line, at + begin, line, at + end), "")
        before = self._texts[line - 1][:at].rstrip()
        if before or line == len(self._texts):
            return Edit(Span(line, len(before), line, at + end), "")
        return Edit(Span(line, 0, line + 1, 0), "")

    def is_alone(self, line: int) -> bool:
        """Is there nothing on a line but its comment?"""
        return not self._texts[line - 1][: self.comments[line][0]].strip()

    def joined(self, diagnostic: Diagnostic) -> str:
        """The text in which flake8 looks for a `# noqa`."""
        return "\n".join(self._texts[number - 1] for number in self.stretch(diagnostic))

    def stretch(self, diagnostic: Diagnostic) -> range:
        """The lines that a finding's line is joined to."""
        line = diagnostic.span.line
        stretch = self._stretches.get(line, range(line, line + 1))
        return range(max(stretch.start, 1), min(stretch.stop, len(self._texts) + 1))

    def last_of_statement(self, diagnostic: Diagnostic) -> int:
        """The last line of the statement, or the head of one, that a finding stands in."""
        return self._ends.get(diagnostic.span.line, diagnostic.span.line)

    def _read_tokens(self, text: str) -> None:
        first, last, begin = 0, 0, 0
        for kind, string, (start, column), (end, _), _ in tokenize.generate_tokens(io.StringIO(text).readline):
            if kind in (tokenize.ENDMARKER, tokenize.DEDENT):
                continue
            if kind == tokenize.COMMENT:
                self.comments[start] = column, string
            first, last = min(first or start, start), max(last, end)
            if kind == tokenize.NEWLINE:
                self._ends.update(dict.fromkeys(range(begin or start, end), end))
                begin = 0
            elif kind not in (tokenize.NL, tokenize.COMMENT, tokenize.INDENT):
                begin = begin or start
            if kind in (tokenize.NL, tokenize.NEWLINE):
                self._stretches.update(dict.fromkeys(range(first, last + 1), range(first, last + 1)))
                first, last = 0, 0
