"""What a reader said of twenty functions that the hash of a commit drew: at least eighteen answers are right."""

from __future__ import annotations

import ast
import json
import subprocess

import pytest

from tests.project import readers
from tests.support.sources import ROOT


def has(commit: str) -> bool:
    """Does the repository, which may be a shallow copy, have a commit?"""
    asked = ["git", "-C", str(ROOT), "cat-file", "-e", f"{commit}^{{commit}}"]
    found = subprocess.run(asked, capture_output=True)
    return found.returncode == 0


@pytest.mark.skipif(not readers.ANSWERS.exists(), reason="no reader was asked yet")
def test_eighteen_answers_of_twenty_are_right() -> None:
    kept = json.loads(readers.ANSWERS.read_text(encoding="utf-8"))
    answers = kept["answers"]
    assert len({(one["path"], one["function"]) for one in answers}) == readers.COUNT
    assert all(one["answer"] and (one["is_right"] or one["why_not"]) for one in answers)
    assert sum(one["is_right"] for one in answers) >= readers.NEEDED


@pytest.mark.skipif(not readers.ANSWERS.exists(), reason="no reader was asked yet")
def test_the_commit_drew_them() -> None:
    kept = json.loads(readers.ANSWERS.read_text(encoding="utf-8"))
    if not has(kept["commit"]):
        pytest.skip("the history is not here")
    asked = [(one["path"], one["function"], one["line"]) for one in kept["answers"]]
    assert asked == readers.drawn(kept["commit"])


def test_a_draw_is_of_functions_that_do_something() -> None:
    text = "class A:\n  def short(self):\n    return 1\n  def long(self):\n    a = 1\n    b = a\n    return b\n"
    found = {name: readers.is_worth_a_question(node) for name, node in readers.functions_of(ast.parse(text))}
    assert found == {"A.short": False, "A.long": True}
