"""What a `# jax: ...` comment says: which codes it names, or why it is none that suppresses.

# jax: ignore[JAX101, item-assignment] reason       right: two entries
# jax: ignore                                       wrong: no code
# jax: ingore[JAX101]    # jax: disable=JAX101      wrong: another spelling
# jax: ignore the first axis                        wrong: the words of a suppression, and no code
# JAX: the first axis    # jax ignores NaNs         prose
# as `# jax: ignore[JAX101]` does                   prose: it is quoted
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeAlias

from flake8_jax.lazy_dataclasses import dataclass
from flake8_jax.lazy_patterns import compiled
from flake8_jax.model.codes import names, nearest_code, starts_a_code
from flake8_jax.model.diagnostic import Edit, Span

_RIGHT = compiled(r"# jax: ignore(?P<file>-file)?\[(?P<codes>[^\]#]*)\]")
_LIKE = compiled(
    r"(?<![`'\"])#+[ \t]*(?:flake8[-_ ]?)?(?P<jax>jax)[ \t]*(?P<colon>[:=]?)[ \t]*"
    r"(?P<verb>[a-z]+?)(?P<file>[-_ ]?files?)?(?P<more>(?:[-_][a-z]+)*)(?![a-z_])(?P<rest>[^#\n]*)",
    re.IGNORECASE,
)
_WORDS = compiled(r"#[ \t]*jax[ \t]*:[ \t]*ignore\b")
_LIST = compiled(
    r"[ \t]*[-:=]?[ \t]*(?:\[(?P<square>[^\]]*)\]?|\((?P<round>[^)]*)\)?|(?P<bare>JAX\w*(?:[, \t]+JAX\w*)*))",
    re.IGNORECASE,
)
_ENTRY = compiled(r"[^,\s]+")
_NEXT = compiled(r"#(?!\d)")
"""Begins another comment behind a reason; `#12` is part of one."""
_CODE = compiled(r"JAX\d", re.IGNORECASE)

OF_OTHERS = frozenset(("allow", "disable", "exclude", "noqa", "nolint", "off", "silence", "skip", "suppress"))
"""Words by which other linters are silenced."""


@dataclass(frozen=True, slots=True)
class CommentInvalid:
    """A comment, or an entry of one, that is meant to suppress and cannot; `reason` says why."""

    span: Span
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class CommentUnused:
    """An entry of a comment that suppresses nothing, although all rules that it names have run.

    `removal` takes it out, and the comment with the last one.
    """

    span: Span
    entry: str
    in_file: bool
    removal: Edit


CommentEvent: TypeAlias = CommentInvalid | CommentUnused
"""Evidence of a fault in a comment that suppresses; rules judge it like any event."""


@dataclass(frozen=True, slots=True)
class Directive:
    """One suppression in a comment: its text without the reason, where it begins, its entries and where each begins.

    `wrong` says why it suppresses nothing; empty if it is right.
    """

    text: str
    start: int
    in_file: bool
    entries: tuple[tuple[str, int], ...]
    wrong: str = ""


def may_hold_any(text: str) -> bool:
    """Can a text hold a suppression, or something meant as one?"""
    return _LIKE.search(text) is not None


def holds_any(text: str) -> bool:
    """Does a text hold a suppression, or something meant as one, be it in a comment or in a string?"""
    return any(True for _ in directives(text))


def directives(comment: str) -> Iterator[Directive]:
    """The suppressions in a comment, right and wrong."""
    end = 0
    for found in _LIKE.finditer(comment):
        right = _RIGHT.match(comment, max(found.start("jax") - 2, 0))
        if right is not None:
            entries = tuple(_entries(right["codes"], right.start("codes")))
            wrong = "" if entries else _nameless(right["file"] is not None)
            yield Directive(right[0], right.start(), right["file"] is not None, entries, wrong)
            end = right.end()
        elif found.start() >= end and (wrong := _misspelt(found)):
            yield Directive(_shown(found), found.start(), False, (), wrong)


def without_entry(comment: str, directive: Directive, number: int) -> tuple[int, int]:
    """The stretch of a comment that is left out to remove an entry, or with the last one the suppression."""
    entries = directive.entries
    if len(entries) > 1 and number < len(entries) - 1:
        return entries[number][1], entries[number + 1][1]
    if len(entries) > 1:
        entry, start = entries[number]
        before, begin = entries[number - 1]
        return begin + len(before), start + len(entry)
    following = _NEXT.search(comment, directive.start + len(directive.text))
    if following is not None:
        return directive.start, following.start()
    return len(comment[: directive.start].rstrip()), len(comment)


def unknown(entry: str) -> str:
    """Why an entry names no rule; empty if it does."""
    if starts_a_code(entry) or entry in names().values():
        return ""
    near = nearest_code(entry)
    return "no rule has this code or name" + (f"; the nearest is `{near}`" if near is not None else "")


def _misspelt(found: re.Match[str]) -> str:
    """Why something like a suppression is none; empty for prose."""
    is_near, is_said = _is_near(found["verb"]), _WORDS.match(found[0]) is not None
    listed = _codes(found, is_near)
    is_alone = bool(found["colon"]) and (is_near or found["verb"].lower() == "noqa") and not found["rest"].strip()
    if not (is_said or is_alone or (listed is not None and (is_near or found["verb"].lower() in OF_OTHERS))):
        return ""
    if listed is None and found["verb"] == "ignore" and not found["more"] and found[0].startswith("# jax: "):
        return _nameless(bool(found["file"]))
    codes = [right for word in listed or () if (right := _right(word))]
    return f"it is not spelt `# jax: ignore{'-file' * bool(found['file'])}[{', '.join(codes) or 'CODE'}]`"


def _nameless(in_file: bool) -> str:
    return f"it names no code; write `# jax: ignore{'-file' * in_file}[CODE]`"


def _codes(found: re.Match[str], is_near: bool) -> list[str] | None:
    """The codes or names that stand behind the word; None if what stands there is something else."""
    listed = _LIST.match(found["rest"])
    words = _ENTRY.findall(listed[listed.lastgroup or 0]) if listed is not None else []
    if not words:
        return None
    is_code = _CODE.match(words[0]) is not None or words[0].lower() in names().values()
    return words if is_code or (is_near and found["rest"].startswith("[")) else None


def _shown(found: re.Match[str]) -> str:
    """The text of something like a suppression, without what is said behind it."""
    listed = _LIST.match(found["rest"]) if _codes(found, True) is not None else None
    end = found.start("rest") + (listed.end() if listed is not None else 0)
    return found.string[found.start() : end].rstrip().replace("`", "'")


def _is_near(verb: str) -> bool:
    from difflib import SequenceMatcher

    return SequenceMatcher(None, verb.lower(), "ignore").ratio() > 0.75


def _right(word: str) -> str | None:
    """The code or name that a word stands for."""
    return word if not unknown(word) else nearest_code(word)


def _entries(codes: str, start: int) -> Iterator[tuple[str, int]]:
    return ((found[0], start + found.start()) for found in _ENTRY.finditer(codes))
