"""Applies the fixes of one file until nothing more applies: overlapping ones one after the other.

A fix is kept if what it gives can be parsed and judged, and is free of the finding at that place; else it is dropped.

    f(jnp.sum([1, 2]), jnp.sum([3]))    two fixes at once
    x[0] = jnp.sum([1, 2])              one fix, then the other, on what the first gave
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import TypeAlias

from flake8_jax.fixes.texts import Offsets, applicable_together, applied, is_python, moved, places
from flake8_jax.lazy_dataclasses import dataclass
from flake8_jax.model.diagnostic import Applicability, Diagnostic, Edit

MAXIMUM_PASSES = 60

Judge: TypeAlias = Callable[[str], "Sequence[Diagnostic] | None"]
"""The findings in a text; None if it cannot be judged."""

FixKey: TypeAlias = "tuple[str, int, str]"
"""What tells a fix from others: its code, where its finding begins, what it writes."""


@dataclass(frozen=True, slots=True)
class FixedText:
    """What became of a text: the fixes that were made, and what is found in it now."""

    text: str
    fixed: tuple[Diagnostic, ...]
    remaining: tuple[Diagnostic, ...]


def fix_text(text: str, judge: Judge, allowed: Collection[Applicability]) -> FixedText | None:
    """Fix a text as far as fixes of these kinds go; None if it cannot be judged."""
    found = judge(text)
    if found is None:
        return None
    done: list[Diagnostic] = []
    dropped: set[FixKey] = set()
    seen = {text}
    for _ in range(MAXIMUM_PASSES):
        chosen = _chosen(text, found, allowed, dropped)
        if not chosen:
            break
        new = applied(text, _edits(chosen))
        after = judge(new) if new not in seen and is_python(new) else None
        wrong = chosen if after is None else _not_repaired(text, new, chosen, found, after)
        if after is None or wrong:
            dropped.update(_key(text, one) for one in (wrong if after is not None else chosen[:1]))
            continue
        dropped = {(code, moved(text, _edits(chosen), place), written) for code, place, written in dropped}
        text, found = new, after
        done += chosen
        seen.add(text)
    return FixedText(text, tuple(done), tuple(found))


def _chosen(
    text: str, found: Sequence[Diagnostic], allowed: Collection[Applicability], dropped: set[FixKey]
) -> list[Diagnostic]:
    """The findings whose fixes can be applied at once."""
    may_be = [
        finding
        for finding in found
        if finding.fix is not None and finding.fix.applicability in allowed and finding.fix.edits
    ]
    may_be = [finding for finding in may_be if _key(text, finding) not in dropped]
    return [one for one, is_free in zip(may_be, applicable_together(text, map(_edits_of, may_be))) if is_free]


def _edits_of(diagnostic: Diagnostic) -> tuple[Edit, ...]:
    return diagnostic.fix.edits if diagnostic.fix is not None else ()


def _edits(diagnostics: Sequence[Diagnostic]) -> list[Edit]:
    return [edit for diagnostic in diagnostics for edit in _edits_of(diagnostic)]


def _key(text: str, diagnostic: Diagnostic) -> FixKey:
    begin, _ = Offsets(text).of(diagnostic.span)
    return diagnostic.code, begin, "".join(edit.text for edit in _edits_of(diagnostic))


def _not_repaired(
    text: str, new: str, chosen: Sequence[Diagnostic], before: Sequence[Diagnostic], after: Sequence[Diagnostic]
) -> list[Diagnostic]:
    """The fixes that leave their finding, or bring another one, where they were made."""
    gone = Counter(finding.code for finding in chosen)
    more = Counter(finding.code for finding in after) - (Counter(finding.code for finding in before) - gone)
    if not more:
        return []
    offsets = Offsets(new)
    spans = [offsets.of(finding.span) for finding in after if finding.code in more]
    where = dict(zip(_edits(chosen), places(text, _edits(chosen))))
    return [
        finding
        for finding in chosen
        if any(b <= end and begin <= e for edit in _edits_of(finding) for b, e in [where[edit]] for begin, end in spans)
    ]
