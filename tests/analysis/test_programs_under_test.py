"""What a program sets where it starts comes too late in a test that runs it after others: that is the test's affair."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.bindings import ROOT, found
from tests.support.layouts import tree

PROGRAM = """import os
import jax
def main():
    os.environ["LIBTPU_INIT_ARGS"] = "--fast"
    return jax.numpy.ones(3)
"""
CALL = """import jax
from program import main
def test_run():
    count = len(jax.devices())
    return count, main()
"""


@pytest.mark.parametrize(("caller", "count"), [("tests/test_program.py", 0), ("launch.py", 1)])
def test_who_runs_it(caller: str, count: int, tmp_path: Path) -> None:
    tree(tmp_path, {**ROOT, "program.py": PROGRAM, caller: CALL})
    assert len([one for one in found(tmp_path, caller) if "JAX902" in str(one)]) == count
