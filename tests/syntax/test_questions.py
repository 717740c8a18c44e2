"""Which questions about a statement two versions of a file answer otherwise: of its definition, of each body in it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from flake8_jax.syntax.index import Index, index_of
from flake8_jax.syntax.questions import (
    MOST_BODIES,
    answer_alike,
    is_asked_of,
    of_body,
    of_definition,
    of_statement,
    of_stored,
    of_text,
    of_weight,
)

TEXT = '''
import jax

class Net:
    size = 3

    def start(self, x):
        # of all
        self.x = x

    @property
    def made(self):
        @jax.jit
        def inner(z):
            return z
        return inner

    if jax:
        def chosen(self):
            return """
            2"""

    class Inner:
        def last(self):
            pass

    def one(self): return 1

@jax.jit
def f(
    x,
):
    return x
'''

ASKED: dict[str, tuple[int, Callable[[Index, int], int]]] = {
    "Net": (1, of_definition), "start": (1, partial(of_body, body=0)), "made": (1, partial(of_body, body=1)),
    "chosen": (1, partial(of_body, body=2)), "last": (1, partial(of_body, body=3)), "f": (2, of_definition),
    "f's": (2, partial(of_body, body=0)), "code of Net": (1, of_statement), "code of f": (2, of_statement),
    "text of Net": (1, of_text), "stored by Net": (1, of_stored), "weight of f": (2, of_weight),
}  # fmt: skip
"""Some questions: the statement of which something is asked, and what asks."""

ALL_OF_NET = {"Net", "start", "made", "chosen", "last", "code of Net", "text of Net"}

EDITS: dict[str, tuple[str, str, set[str]]] = {
    "a line in a method": ("        self.x = x\n", "        self.x = x\n        y = 1\n", {"start"}),
    "a line in a method that stores": (
        "        self.x = x\n",
        "        self.x = x\n        self.y = x\n",
        {"start", "stored by Net"},
    ),
    "what a method stores to": ("        self.x = x\n", "        (self.y, *_) = x\n", {"start", "stored by Net"}),
    "where a method stores to": ("        self.x = x\n", "        for self.x in x: pass\n", {"start"}),
    "what a method stores": ("        self.x = x\n", "        self.x = x + 1\n", {"start"}),
    "a constant that a method stores": ("        self.x = x\n", "        self.x = 2\n", {"start", "stored by Net"}),
    "a name by which a method stores": (
        "        self.x = x\n",
        "        self.x = x\n        setattr(self, x, x)\n",
        {"start", "stored by Net"},
    ),
    "a method of which all is another": ("        self.x = x\n", "        yield x\n", {"start", "stored by Net"}),
    "a line in a function of a method": ("return z\n", "return z + 1\n", {"made"}),
    "a decorator of a function of a method": ("        @jax.jit\n        def inner", "        def inner", {"made"}),
    "a line of a string in a method": ("            2", "            3", {"chosen"}),
    "a method of a class inside": ("pass", "return 1", {"last"}),
    "a body": ("    return x\n", "    x = 1\n    return x\n", {"f's", "code of f"}),
    "a long body": ("    return x\n", "    x = 1\n" * 12 + "    return x\n", {"f's", "code of f", "weight of f"}),
    "a comment in a method": ("# of all", "# of some", set()),
    "a field": ("size = 3", "size = 4", ALL_OF_NET),
    "a decorator of a method": ("@property\n", "@jax.jit\n", ALL_OF_NET),
    "a signature": ("start(self, x)", "start(self, x, y)", ALL_OF_NET),
    "a method on one line": ("return 1\n", "return 2\n", ALL_OF_NET),
    "a method more": (
        "    class Inner",
        "    def more(self):\n        pass\n\n    class Inner",
        ALL_OF_NET | {"stored by Net"},
    ),
    "a line of a signature": ("    x,\n", "    x, y,\n", {"f", "f's", "code of f"}),
}
"""What becomes of a part of the text, and the questions that are answered otherwise then."""


def _index(text: str) -> Index:
    found = index_of("net.py", text)
    assert found is not None
    return found


@pytest.mark.parametrize("name", EDITS)
def test_questions_that_an_edit_answers_otherwise(name: str) -> None:
    before, after, expected = EDITS[name]
    assert TEXT.count(before) == 1
    one, other = _index(TEXT), _index(TEXT.replace(before, after))
    found = {asked for asked, (of, ask) in ASKED.items() if not answer_alike(ask(one, of), one, other)}
    if expected & ALL_OF_NET:
        expected = expected | {"code of Net", "text of Net"}
    if not expected:
        expected = {"text of Net"}
    assert found == expected


def test_of_methods_that_set_fields_by_name_all_is_stored_and_of_others_what_they_store() -> None:
    text = TEXT.replace("        self.x = x\n", "        setattr(self, x, x)\n")
    one, asked = _index(text), of_stored(_index(text), 1)
    assert answer_alike(asked, one, _index(text.replace("return z\n", "return z + 1\n")))
    assert not answer_alike(asked, one, _index(text.replace("setattr(self, x, x)", "setattr(self, x, 1)")))


def test_each_question_is_one_of_its_own() -> None:
    index = _index(TEXT)
    bits = {ask(index, of): of for of, ask in ASKED.values()}
    assert len(bits) == len(ASKED)
    for bit, of in bits.items():
        assert bit.bit_count() == 1
        assert [number for number in range(3) if is_asked_of(bit, index, frozenset((number,)))] == [of]


def test_a_body_beyond_the_bound_stands_for_its_statement() -> None:
    beyond = MOST_BODIES + 5
    methods = "".join(f"    def m{number}(self):\n        return {number}\n" for number in range(beyond + 5))
    text = f"class Net:\n{methods}"
    one, other = _index(text), _index(text.replace(f"return {beyond}\n", f"return {beyond + 1}\n"))
    assert of_body(one, 0, beyond) == of_statement(one, 0)
    assert answer_alike(of_body(one, 0, 3), one, other)
    assert not answer_alike(of_body(one, 0, beyond), one, other)


def test_a_body_is_found_by_the_line_of_its_def() -> None:
    index = _index(TEXT)
    lines = TEXT.split("\n")
    found = {
        lines[line - 1].split()[1].partition("(")[0]: index.statements[1].body_at(line)
        for line in range(1, 30)
        if "def " in lines[line - 1]
    }
    assert found == {"start": 0, "made": 1, "inner": None, "chosen": 2, "last": 3, "one": None}
