"""Where words stand: in which statements, and in which functions of them."""

from __future__ import annotations

import pytest

from flake8_jax.syntax.holding import Holding, holding_of
from flake8_jax.syntax.index import index_of

TEXT = """
TABLE = {}

class Net:
    def first(self):
        return scale(1)  # other

    def second(self):
        return 2

def fill():
    TABLE["a"] = scale
"""


def _holding(text: str) -> Holding:
    index = index_of("net.py", text)
    assert index is not None
    return holding_of(text, index)


def test_statements_hold_words_of_their_code() -> None:
    holding = _holding(TEXT)
    assert holding.numbers({"scale"}) == [1, 2]
    assert holding.numbers({"scale", "TABLE"}) == [0, 1, 2]
    assert holding.numbers({"TABLE"}, r"TABLE\[") == [2]
    assert holding.numbers({"other"}) == []


# An edit, and whether it changes the answer where `scale` stands, and which statements have it with `TABLE[`.
EDITS: dict[str, tuple[str, str, bool, bool]] = {
    "a line": ("        return 2", "        n = 1\n        return 2", False, False),
    "once more in the same method": ("return scale(1)", "return scale(scale(1))", False, False),
    "in another method": ("        return 2", "        return scale(2)", True, False),
    "in a comment": ("        return 2", "        return 2  # scale", False, False),
    "no more": ("scale(1)", "1", True, False),
    "in another statement": ("{}", "{scale: 1}", True, False),
    "another function above": ("def fill():", "def more():\n    pass\n\ndef fill():", True, True),
    "without the pattern": ('TABLE["a"] = scale', "TABLE.a = scale", False, True),
}


@pytest.mark.parametrize("name", EDITS)
def test_an_answer_tells_functions_apart(name: str) -> None:
    before, after, is_moved, has_other_pattern = EDITS[name]
    assert TEXT.count(before) == 1
    one, other = _holding(TEXT), _holding(TEXT.replace(before, after))
    word, table = [("", frozenset({"scale"}))], [(r"TABLE\[", frozenset({"scale"}))]
    assert (one.answer(word) != other.answer(word)) == is_moved
    assert (one.answer(table) != other.answer(table)) == has_other_pattern
