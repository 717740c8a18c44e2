"""Texts with room between their parts: parts stay where they are, and lines are told as in the text."""

from __future__ import annotations

import ast

from flake8_jax.syntax.spacing import ROOM, spaced

TEXT = '''"""A module.

not a part: it stands in a string
"""
import jax

SIZE = 3

# what f does
@jax.jit
def f(x):

    return x


class A:
    pass
'''


def _lines_of(word: str, text: str, before: str | None = None) -> tuple[int, int]:
    """The line of a word in a text with room in it, and in the text."""
    held = spaced(before) if before is not None else None
    made = spaced(text, held)
    assert made is not None
    assert made.original == text
    assert ast.dump(ast.parse(made.text)) == ast.dump(ast.parse(text))
    number = next(number for number, line in enumerate(made.text.split("\n"), 1) if line.startswith(word))
    return number, made.line_of(number)


def test_lines_are_told_as_in_the_text() -> None:
    made = spaced(TEXT)
    assert made is not None
    lines, now = TEXT.split("\n"), made.text.split("\n")
    assert [line for line in now if line] == [line for line in lines if line]
    assert len(now) > len(lines) + 2 * ROOM
    for number, line in enumerate(now, 1):
        assert not line or lines[made.line_of(number) - 1] == line
    found = [made.line_of(number) for number in range(1, len(now) + 1)]
    assert found == sorted(found)
    assert found[-1] == len(lines)


def test_what_stands_below_an_edit_stays_where_it_is() -> None:
    more = TEXT.replace("    return x", "    y = x\n    # a note\n    return y")
    assert _lines_of("class A", TEXT)[0] == _lines_of("class A", more, TEXT)[0]
    assert _lines_of("class A", more, TEXT)[1] == _lines_of("class A", TEXT)[1] + 2


def test_comments_above_a_part_move_nothing() -> None:
    more = TEXT.replace("# what f does", "# what f does\n# and why")
    assert _lines_of("@jax", TEXT)[0] == _lines_of("@jax", more, TEXT)[0]
    assert _lines_of("class A", TEXT)[0] == _lines_of("class A", more, TEXT)[0]


def test_parts_are_placed_anew_where_one_does_not_fit() -> None:
    more = TEXT.replace("    return x", "    x += 1\n" * (ROOM + 1) + "    return x")
    assert _lines_of("class A", more, TEXT)[0] == _lines_of("class A", TEXT)[0] + ROOM + 1
    again = TEXT.replace("SIZE = 3\n", "SIZE = 3\n\nMORE = 4\n")  # it has more parts
    assert _lines_of("class A", again, TEXT) == _lines_of("class A", again)


def test_a_text_of_which_comments_say_something_stays_as_it_is() -> None:
    assert spaced("# %%\nx = 1\n\ny = 2\n") is None
    assert spaced("x = 1\r\n\r\ny = 2\r\n") is None
