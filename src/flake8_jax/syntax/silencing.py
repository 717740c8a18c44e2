"""Adds comments that suppress findings: `# noqa: JAX101`, or `# jax: ignore[JAX101] reason`.

A comment stands on the last of the lines that a finding's line is joined to.  One that is there takes the code in:

    x[0] = 1.0  # noqa: E501 long              x[0] = 1.0  # noqa: E501, JAX201 long
    x[0] = 1.0  # jax: ignore[JAX101] why      x[0] = 1.0  # jax: ignore[JAX101, JAX201] why
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from flake8_jax.model.diagnostic import Diagnostic
from flake8_jax.syntax.directives import Directive, directives, may_hold_any
from flake8_jax.syntax.source import NEWLINE, SourceFile, parsed
from flake8_jax.syntax.suppressions import NOQA, CommentedLines, Suppressions, without_noqa


def wrong_reason(reason: str) -> str:
    """Why a reason cannot stand in a comment; empty if it can."""
    if not reason.strip():
        return "a reason is missing"
    if len(reason.splitlines()) > 1 or not reason.isprintable():
        return "a reason is one line"
    if NOQA.search(reason) is not None or may_hold_any(reason):
        return "a reason does not suppress anything itself"
    return ""


def silenced(source: SourceFile, diagnostics: Sequence[Diagnostic], reason: str | None) -> tuple[str, list[Diagnostic]]:
    """A text with comments for findings, and the findings that no comment can suppress.

    Without a reason the comments are flake8's.
    """
    lines = CommentedLines(source)
    if lines.is_cut_off:
        return source.text, list(diagnostics)
    codes: dict[int, set[str]] = {}
    for found in _left(source, diagnostics, reason):
        codes.setdefault(lines.stretch(found)[-1], set()).add(found.code)
    text = _with_comments(source, lines, codes, reason)
    if not _is_same_program(source.text, text):  # a line ends inside of something that takes no comment
        kept = {
            line: found
            for line, found in codes.items()
            if _is_same_program(source.text, _with_comments(source, lines, {line: found}, reason))
        }
        text = _with_comments(source, lines, kept, reason)
    return text, _left(SourceFile(source.path, text), diagnostics, reason)


def silenced_in_file(source: SourceFile, code: str, reason: str) -> str:
    """A text with a comment that suppresses a code in all of it; the same text if none can.

    A comment that is there takes the code in; else it stands below the comments at the top.
    """
    lines = CommentedLines(source)
    if lines.is_cut_off:
        return source.text
    texts, ends = list(source.lines), [*NEWLINE.findall(source.text), ""]
    for line, (at, comment) in lines.comments.items():
        right = next((directive for directive in directives(comment) if directive.entries and directive.in_file), None)
        if right is not None:
            texts[line - 1] = texts[line - 1][:at] + _with_entries(comment, right, [code])
            break
    else:
        first = next((number for number, text in enumerate(texts) if not text.startswith("#")), len(texts) - 1)
        texts.insert(first, f"# jax: ignore-file[{code}] {reason.strip()}")
        ends.insert(first, ends[0] or "\n")
    text = "".join(text + end for text, end in zip(texts, ends))
    return text if _is_same_program(source.text, text) else source.text


def _left(source: SourceFile, diagnostics: Sequence[Diagnostic], reason: str | None) -> list[Diagnostic]:
    """The findings that no comment of one of the two sorts suppresses."""
    return without_noqa(source, diagnostics) if reason is None else Suppressions(source).without(diagnostics)


def _with_comments(source: SourceFile, lines: CommentedLines, codes: dict[int, set[str]], reason: str | None) -> str:
    texts, ends = list(source.lines), [*NEWLINE.findall(source.text), ""]
    for line, found in codes.items():
        text = texts[line - 1]
        at, comment = lines.comments.get(line, (len(text), ""))
        added = _noqa(comment, sorted(found)) if reason is None else _ignore(comment, sorted(found), reason)
        texts[line - 1] = text[:at] + added if comment else f"{text.rstrip()}  {added}"
    return "".join(text + end for text, end in zip(texts, ends))


def _noqa(comment: str, codes: Iterable[str]) -> str:
    """A comment that suppresses codes for flake8, too."""
    found = NOQA.search(comment)
    if found is None:
        return _joined(comment, f"# noqa: {', '.join(codes)}")
    if found["codes"] is None:
        return comment
    end = found.start("codes") + len(found["codes"].rstrip(", \t"))
    return f"{comment[:end]}, {', '.join(codes)}{comment[end:]}"


def _ignore(comment: str, codes: Iterable[str], reason: str) -> str:
    """A comment that suppresses codes for us, too."""
    right = next((directive for directive in directives(comment) if directive.entries and not directive.in_file), None)
    if right is None:
        return _joined(comment, f"# jax: ignore[{', '.join(codes)}] {reason.strip()}")
    return _with_entries(comment, right, codes)


def _with_entries(comment: str, directive: Directive, codes: Iterable[str]) -> str:
    """A comment of which a suppression has more entries."""
    end = directive.start + len(directive.text) - 1
    return f"{comment[:end].rstrip(', ')}, {', '.join(codes)}{comment[end:]}"


def _joined(comment: str, added: str) -> str:
    return f"{comment.rstrip()}  {added}" if comment else added


def _is_same_program(before: str, after: str) -> bool:
    old, new = parsed(before), parsed(after)
    return old is not None and new is not None and (before == after or ast.dump(old) == ast.dump(new))
