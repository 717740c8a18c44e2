"""The catalogue of verified pitfalls: each is flagged where it is marked, its twin is silent."""

from __future__ import annotations

from typing import Any

import pytest

from flake8_jax.rules import discover
from tests.rules import marked
from tests.rules.catalogue import BAD, ENTRIES, check_bad, said_of, text_of

# A program that is rewritten by way of its tree has no comments, and no entry here is about them.
ON = {found.rule.code for found in discover() if found.rule.status == "on" and found.rule.group != "tool"}


def test_each_rule_that_is_on_has_entries() -> None:
    codes = {entry["code"] for entry in ENTRIES} - {"legal"}
    assert ON <= codes <= {found.rule.code for found in discover()}


@pytest.mark.parametrize("entry", BAD, ids=lambda entry: entry["id"])
def test_bad_entry_is_flagged(entry: dict[str, Any]) -> None:
    text, marks = text_of("bad", entry), {int(line): code for line, code in entry["bad_lines"].items()}
    comments = {number for number, line in enumerate(text.splitlines(), 1) if marked.COMMENT.search(line)}
    assert comments == set(marks)
    check_bad(text, marks)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["id"])
def test_good_entry_is_silent(entry: dict[str, Any]) -> None:
    assert said_of(text_of("good", entry)) == []
