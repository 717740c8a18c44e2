"""Shrinks a program line by line as long as the same disagreement is left."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tests.fuzzing.judging import Comparison, Disagreement, compare
from tests.fuzzing.surface import Invalid
from tests.fuzzing.writing import MAIN

LARGEST = 8
MAIN_FUNCTION = "def program("
Texts = Mapping[str, str]


def shrunk(
    texts: Texts, disagreement: Disagreement, compared: Callable[[Texts], Comparison] = compare
) -> dict[str, str]:
    """The smallest program found that still shows a disagreement of this outcome and sort."""

    def shows(smaller: Texts) -> bool:
        if MAIN_FUNCTION in texts[MAIN] and MAIN_FUNCTION not in smaller[MAIN]:
            return False
        try:
            found = compared(smaller).disagreements
        except Invalid:
            return False
        return any((one.outcome, one.sort) == (disagreement.outcome, disagreement.sort) for one in found)

    found = dict(texts)
    while True:
        smaller = found
        for name in list(smaller):
            smaller = {**smaller, name: lines_shrunk(smaller, name, shows)}
        without = {name: text for name, text in smaller.items() if name == MAIN or text.strip()}
        if without == found:
            return found
        found = without


def lines_shrunk(texts: Texts, name: str, shows: Callable[[Texts], bool]) -> str:
    """One file without the lines that can go, in runs of falling length, or with a block moved out."""
    lines = texts[name].splitlines(keepends=True)
    size = LARGEST
    while size:
        start = len(lines) - size
        while start >= 0:
            for trial in (lines[:start] + lines[start + size :], _moved_out(lines, start) if size == 1 else lines):
                if len(trial) < len(lines) and shows({**texts, name: "".join(trial)}):
                    lines = trial
                    break
            start -= 1
        size //= 2
    return "".join(lines)


def _moved_out(lines: list[str], start: int) -> list[str]:
    """Without the head of a block, whose lines move out."""
    depth = _depth(lines[start])
    end = start + 1
    while end < len(lines) and _depth(lines[end]) > depth:
        end += 1
    return lines[:start] + [line[4:] for line in lines[start + 1 : end]] + lines[end:]


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
