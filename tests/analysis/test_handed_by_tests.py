"""What a test hands to code of another file says nothing of that code: it may have patched what is called there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.bindings import ROOT, found
from tests.support.layouts import tree

STEPS = """import jax
@jax.jit
def moved(data):
    return data
def solved(data):
    return moved(data)
"""
CALL = """from steps import solved
class Fake:
    def __init__(self):
        self.q = 1.0
def test_solved(monkeypatch):
    monkeypatch.setattr("steps.moved", lambda data: data)
    solved(Fake())
"""


@pytest.mark.parametrize(("caller", "count"), [("tests/test_steps.py", 0), ("use.py", 1)])
def test_who_hands_it_in(caller: str, count: int, tmp_path: Path) -> None:
    tree(tmp_path, {**ROOT, "steps.py": STEPS, caller: CALL})
    assert len([one for one in found(tmp_path, "steps.py") if "JAX611" in str(one)]) == count
