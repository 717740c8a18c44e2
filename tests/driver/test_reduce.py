"""`flake8-jax reduce`: the smallest program that still has a finding."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from flake8_jax.driver.linter import lint
from flake8_jax.driver.reducing import reduced
from flake8_jax.model.config import Config
from flake8_jax.syntax.source import SourceFile
from tests.support.commands import command, write

CONFIG = Config(no_store=True)
SECRET = '''\
"""A module that nobody else may see."""
import os

import jax
import jax.numpy as jnp

TOKEN = "very secret"


class Company:
    def __init__(self, price):
        self.price = price

    def profit(self, key):
        with open("ledger") as ledger:
            print(ledger.read(), file=os.devnull)
        try:
            if self.price > 3:
                gain = jax.random.normal(key, (3,), dtype=jnp.float32)
                loss = jax.random.uniform(key, (3,))
                return gain - loss
        finally:
            print(TOKEN)
        return jnp.zeros(3)
'''


def test_what_remains_has_the_finding_and_nothing_of_the_program() -> None:
    source = SourceFile("stdin", SECRET)
    (finding,) = lint(source, CONFIG).diagnostics
    small = reduced(source, finding, CONFIG)
    assert not small.needs_project
    assert small.finding.code == "JAX101"
    assert len(small.text.splitlines()) <= 8
    assert not {"secret", "Company", "profit", "ledger", "price", "gain"} & set(small.text.replace("(", " ").split())
    assert [one.code for one in lint(SourceFile("stdin", small.text), CONFIG).diagnostics] == ["JAX101"]
    tree = ast.parse(small.text)
    assert {alias.name for one in ast.walk(tree) if isinstance(one, ast.Import) for alias in one.names} == {"jax"}


def test_what_another_file_is_needed_for_is_said(tmp_path: Path) -> None:
    write(tmp_path, {
        "pyproject.toml": "",
        "lib.py": "import jax\n\ndef draw(key):\n    return jax.random.normal(key)\n",
        "use.py": "import lib\n\nUNUSED = 1\n\ndef f(key):\n    a = lib.draw(key)\n    return a + lib.draw(key)\n",
    })  # fmt: skip
    done = command(tmp_path, "reduce", "use.py:7")
    assert done.status == 0
    assert "UNUSED" not in done.output
    assert "lib.draw" in done.output
    assert "beside the other files of its project" in done.output


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("a.py", "a.py is no line of a file: write FILE:LINE, of a notebook FILE:cell CELL:LINE"),
        ("a.py:1", "nothing is found at a.py:1"),
        ("a.py:4 --code=JAX101", "nothing of JAX101 is found at a.py:4; there are JAX201"),
        ("gone.py:4", "gone.py: "),
    ],
)
def test_what_cannot_be_reduced(where: str, said: str, tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "import jax.numpy as jnp\n\nx = jnp.zeros(3)\nx[0] = 1.0\n"})
    done = command(tmp_path, "reduce", *where.split())
    assert (done.status, done.output) == (2, "")
    assert f"error: {said}" in done.errors


def test_it_is_the_finding_of_the_line_and_code(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "import jax.numpy as jnp\n\nx = jnp.zeros(3)\nx[0] = 1.0\ny = jnp.ones(2)\ny[1] = 2.0\n"})
    done = command(tmp_path, "reduce", "a.py:6", "--code=JAX201")
    assert done.status == 0
    assert "jnp.ones(2)" in done.output
    assert "zeros" not in done.output
