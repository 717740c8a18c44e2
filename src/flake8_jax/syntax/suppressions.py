"""Suppression comments: flake8's `# noqa`, and our `# jax: ignore[JAX101] reason`.

Under flake8 the first kind is flake8's own business and only the second is ours; the command line applies both.
What counts as a `# noqa`, and for which lines, is as flake8 7 has it: codes are upper case and may be the beginning
of one, a backslash or a string of several lines joins the lines it spans, a bracket does not:

    x = normal(      # noqa: JAX1          silences findings on this line alone
        key)
    x = normal(key, '''
        ''')          # jax: ignore[JAX101]  silences findings on both lines
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterable, Sequence

from flake8_jax.model.diagnostic import Diagnostic
from flake8_jax.syntax.source import SourceFile

_NOQA = re.compile(r"# noqa(?::[\s]?(?P<codes>([A-Z]+[0-9]+(?:[,\s]+)?)+))?", re.IGNORECASE)
_NOQA_FILE = re.compile(r"^\s*# flake8[:=]\s*noqa", re.IGNORECASE | re.MULTILINE)
_IGNORE = re.compile(r"# jax: ignore(?P<file>-file)?\[(?P<codes>[^\]]*)\]")
_SEPARATOR = re.compile(r"[,\s]+")


def skips_file(source: SourceFile) -> bool:
    """Does a `# flake8: noqa` line exclude the whole file?  Codes after it do not matter: flake8 does not read them."""
    return _NOQA_FILE.search(source.text) is not None


def without_noqa(source: SourceFile, diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The findings not suppressed by a `# noqa` comment of the file."""
    if not diagnostics or _NOQA.search(source.text) is None:
        return list(diagnostics)
    lines = _Lines(source)
    return [diagnostic for diagnostic in diagnostics if not _has_noqa(lines.joined(diagnostic), diagnostic.code)]


def without_ignored(source: SourceFile, diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The findings not suppressed by `# jax: ignore[...]` or `# jax: ignore-file[...]` comments.

    In the brackets stand codes, beginnings of codes, or names of rules.
    """
    if not diagnostics or _IGNORE.search(source.text) is None:
        return list(diagnostics)
    lines = _Lines(source)
    everywhere = _named(lines.comments.values(), in_file=True)
    return [
        diagnostic
        for diagnostic in diagnostics
        if not _covers(everywhere, diagnostic) and not _covers(_named(lines.beside(diagnostic), False), diagnostic)
    ]


def suppressing(source: SourceFile, diagnostic: Diagnostic) -> str | None:
    """The comment that suppresses a finding, with its line; None if there is none."""
    if skips_file(source):
        line = source.text.count("\n", 0, _first_word(_NOQA_FILE, source.text)) + 1
        return f"`# flake8: noqa` on line {line}"
    lines = _Lines(source)
    if _has_noqa(lines.joined(diagnostic), diagnostic.code):
        return "a `# noqa` comment on its line"
    for number, comment in lines.comments.items():
        if _covers(_named([comment], in_file=True), diagnostic):
            return f"`{comment}` on line {number}"
    for comment in lines.beside(diagnostic):
        if _covers(_named([comment], in_file=False), diagnostic):
            return f"`{comment}` on its line"
    return None


def _first_word(pattern: re.Pattern[str], text: str) -> int:
    """Where the first match of a pattern begins, without the blank lines before it."""
    found = pattern.search(text)
    return found.start() + len(found[0]) - len(found[0].lstrip()) if found is not None else 0


def _has_noqa(line: str, code: str) -> bool:
    found = _NOQA.search(line)
    if found is None:
        return False
    codes = found["codes"]
    return codes is None or code.startswith(tuple(filter(None, _SEPARATOR.split(codes))))


def _named(comments: Iterable[str], in_file: bool) -> set[str]:
    found = (match for comment in comments for match in _IGNORE.finditer(comment))
    return {name for match in found if bool(match["file"]) is in_file for name in _SEPARATOR.split(match["codes"])}


def _covers(names: set[str], diagnostic: Diagnostic) -> bool:
    return any(name and (diagnostic.code.startswith(name) or name == diagnostic.name) for name in names)


class _Lines:
    """The lines of a file, the comment on each, and for each line the stretch of lines that it is joined to."""

    __slots__ = ("_stretches", "_texts", "comments")

    def __init__(self, source: SourceFile) -> None:
        self._texts = source.lines
        self._stretches: dict[int, range] = {}
        self.comments: dict[int, str] = {}
        try:
            self._read_tokens("\n".join(self._texts))
        except (tokenize.TokenError, SyntaxError):
            self._stretches = {}

    def joined(self, diagnostic: Diagnostic) -> str:
        """The text in which flake8 looks for a `# noqa`."""
        return "\n".join(self._texts[number - 1] for number in self._stretch(diagnostic))

    def beside(self, diagnostic: Diagnostic) -> list[str]:
        """The comments that stand beside a finding."""
        return [self.comments[number] for number in self._stretch(diagnostic) if number in self.comments]

    def _stretch(self, diagnostic: Diagnostic) -> range:
        line = diagnostic.span.line
        stretch = self._stretches.get(line, range(line, line + 1))
        return range(max(stretch.start, 1), min(stretch.stop, len(self._texts) + 1))

    def _read_tokens(self, text: str) -> None:
        first, last = 0, 0
        for kind, string, (start, _), (end, _), _ in tokenize.generate_tokens(io.StringIO(text).readline):
            if kind in (tokenize.ENDMARKER, tokenize.DEDENT):
                continue
            if kind == tokenize.COMMENT:
                self.comments[start] = string
            first, last = min(first or start, start), max(last, end)
            if kind in (tokenize.NL, tokenize.NEWLINE):
                self._stretches.update(dict.fromkeys(range(first, last + 1), range(first, last + 1)))
                first, last = 0, 0
