"""Places and edits of texts, as an editor counts them."""

from __future__ import annotations

import random

import pytest

pytest.importorskip("pygls")

from lsprotocol import types

from flake8_jax.model.diagnostic import Span
from flake8_jax.server.texts import TextPlaces, changed, edits_between, moved_to

TEXT = "a = 1\r\nb = '\u2028𝒙é'\rc\x0c = 2\n\nlast"
ENCODINGS = ("utf-8", "utf-16", "utf-32")


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_places_lead_back_to_themselves(encoding: str) -> None:
    places = TextPlaces(TEXT, encoding)
    ends = {TEXT.index("\r\n") + 1}  # between the two characters of one line end
    assert all(places.offset(places.position(at)) == at for at in range(len(TEXT) + 1) if at not in ends)
    assert [places.position(TEXT.index(word)).line for word in ("a =", "b =", "c", "last")] == [0, 1, 2, 4]


def test_columns_are_units_of_the_encoding() -> None:
    at = TEXT.index("é")
    found = [TextPlaces(TEXT, encoding).position(at).character for encoding in ENCODINGS]
    assert found == [len("b = '") + 3 + 4, len("b = '") + 1 + 2, len("b = '") + 1 + 1]
    assert TextPlaces(TEXT, "utf-16").line(2) == types.Range(types.Position(1, 0), types.Position(1, 10))


def test_what_is_nowhere_is_the_nearest_before() -> None:
    places = TextPlaces(TEXT, "utf-16")
    assert places.offset(types.Position(0, 99)) == len("a = 1")
    assert places.offset(types.Position(99, 0)) == len(TEXT)
    assert places.offset(types.Position(1, 7)) == TEXT.index("𝒙")  # in the middle of a pair


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_edits_make_one_text_the_other(encoding: str) -> None:
    chance = random.Random(0)
    for _ in range(200):
        one, other = ("".join(chance.choices(("a\n", "b\r\n", "é𝒙", "\n", "c\r"), k=chance.randrange(9))) for _ in "12")
        edits = sorted(edits_between(one, other, encoding), key=lambda edit: edit.range.start.line, reverse=True)
        parts = [types.TextDocumentContentChangePartial(edit.range, edit.new_text) for edit in edits]
        assert changed(one, parts, encoding) == other


def test_spans_move_with_their_lines() -> None:
    before, after = ["a", "b", "c", "d"], ["a", "x", "y", "c", "d"]
    found = [moved_to(Span(line, 0, line, 1), before, after) for line in range(1, 5)]
    assert found == [Span(1, 0, 1, 1), None, Span(4, 0, 4, 1), Span(5, 0, 5, 1)]
