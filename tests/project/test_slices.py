"""The slices that tests take: the one that gates is telling and the same each time, the others come to all cases."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator

import pytest

from tests.support import slices
from tests.support.slices import Slice, ask, asked, taken, telling, turn

RULES, WAYS, FILES = range(7), "abcde", 3
CASES = [(rule, way, file) for rule, way, file in itertools.product(RULES, WAYS, range(FILES))]


def aspects(case: tuple[int, str, int]) -> list[object]:
    rule, way, file = case
    return [f"rule {rule}", f"way {way}", f"file {rule}.{file}"]


@pytest.fixture
def expression() -> Iterator[None]:
    before = asked()
    yield
    ask(before.value)


def test_each_aspect_is_had_by_one_that_gates_and_few_are_taken() -> None:
    chosen = [CASES[number] for number in telling([set(aspects(case)) for case in CASES], 0)]
    assert {aspect for case in chosen for aspect in aspects(case)} == {one for case in CASES for one in aspects(case)}
    assert len(chosen) == len(RULES) * FILES, "each file once, and no more"
    ways = Counter(way for _, way, _ in chosen)
    assert max(ways.values()) - min(ways.values()) <= 1


def test_more_are_taken_if_more_are_asked_for() -> None:
    rows = [set(aspects(case)) for case in CASES]
    assert len(telling(rows, 50)) == 50
    assert telling(rows, 1000) == [*range(len(CASES))]
    assert telling([], 3) == []


@pytest.mark.parametrize("count", [0, 1, 19, 20, 21, 87])
def test_each_has_its_turn(count: int) -> None:
    days = -(-count // 20) or 1
    turns = [turn(range(count), 20, 739_000 + day) for day in range(days)]
    assert sorted(itertools.chain(*turns)) == [*range(count)]
    assert all(len(one) <= 20 for one in turns)
    assert turn(range(count), 20, 739_000 + days) == turns[0]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("", Slice.GATING),
        ("not slow", Slice.GATING),
        ("not full", Slice.GATING),
        ("full", Slice.FULL),
        ("not slow and full", Slice.FULL),
        ("rotating and not full", Slice.ROTATING),
        ("fuller", Slice.GATING),
    ],
)
@pytest.mark.usefixtures("expression")
def test_what_an_expression_asks_for(words: str, expected: Slice) -> None:
    ask(words)
    assert asked() is expected


@pytest.mark.usefixtures("expression")
def test_the_gating_and_the_rotating_are_all() -> None:
    every = {}
    for one in Slice:
        ask(one.value)
        every[one] = set(taken(CASES, aspects, daily=len(CASES)))
    assert every[Slice.GATING] & every[Slice.ROTATING] == set()
    assert every[Slice.GATING] | every[Slice.ROTATING] == every[Slice.FULL] == set(CASES)


@pytest.mark.usefixtures("expression")
def test_what_does_not_gate_is_marked() -> None:
    for one in Slice:
        ask(one.value)
        (mark,) = [slices.each("rule, way, file", CASES, aspects).mark]
        assert {tuple(mark.name for mark in param.marks) for param in mark.args[1]} == {
            (one.value,) if one.value else ()
        }
