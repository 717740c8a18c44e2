"""Which ops are reached whenever another one is, by the arms in which they stand."""

from __future__ import annotations

import pytest

from flake8_jax.ir.chains import Chains, chains_of
from flake8_jax.ir.lower.files import lower
from flake8_jax.syntax.source import SourceFile

# `m.x` is stored on the line with `# here`; other stores of it are marked `# behind` if they come later on every path
# that reaches this one, `# before` if they come earlier and this one is reached on every path that reaches them.
STORES = {
    "in a row": "m.x = 1  # before\nm.x = 2  # here\nm.x = 3  # behind\n",
    "below a test": "m.x = 1\nif c:\n    m.x = 2  # here\nm.x = 3  # behind\n",
    "above a test": "if c:\n    m.x = 1  # before\nm.x = 2  # here\nif c:\n    m.x = 3\n",
    "in one arm": "if c:\n    m.x = 1  # before\n    m.x = 2  # here\n    m.x = 3  # behind\nelse:\n    m.x = 4\n",
    "in arms of two tests": "if c:\n    m.x = 1\nif n:\n    m.x = 2  # here\nif v:\n    m.x = 3\n",
    "deeper": (
        "if c:\n    if n:\n        m.x = 1  # before\n    m.x = 2  # here\n    m.x = 3  # behind\nm.x = 4  # behind\n"
    ),
    "in a loop": "m.x = 1\nfor i in n:\n    m.x = 2  # here\n    m.x = 3  # behind\n",
    "after a loop": "for i in n:\n    m.x = 1  # before\nm.x = 2  # here\nwhile c:\n    m.x = 3\n",
    "finally": "try:\n    m.x = 2  # here\nfinally:\n    m.x = 3  # behind\n",
    "finally, around": "m.x = 2  # here\ntry:\n    m.x = 3\nfinally:\n    m.x = 4  # behind\n",
    "in a try": "m.x = 1\ntry:\n    m.x = 2  # here\n    m.x = 3  # behind\nexcept E:\n    pass\n",
    "in a with": "with v:\n    m.x = 1  # before\n    m.x = 2  # here\nm.x = 3  # behind\n",
    "another object": "n.x = 1\nm.x = 2  # here\nm.y = 3\n",
}  # fmt: skip


def chains(body: str) -> Chains:
    text = "def f(m, c, n, v):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    (function,) = lower(SourceFile("-", text), "-").top.functions
    return chains_of(function)


@pytest.mark.parametrize("shape", STORES)
@pytest.mark.parametrize("mark", ["# behind", "# before"])
def test_stores_are_looked_up_by_arms(mark: str, shape: str) -> None:
    lines = STORES[shape].splitlines()
    marked = [line for line in lines if mark in line]
    assert _finds(lines, mark) is bool(marked)
    for line in marked:
        assert _finds([_passing(each) if each in marked and each is not line else each for each in lines], mark), line
    assert not _finds([_passing(each) if each in marked else each for each in lines], mark)


def _passing(line: str) -> str:
    return line.replace(line.strip(), "pass")


def _finds(lines: list[str], mark: str) -> bool:
    """Is a store found behind that of the marked line, or before it?"""
    found = chains("\n".join(lines))
    (here,) = (number for number, line in enumerate(lines, 2) if "# here" in line)
    target, statement = next(each for each in found.stored_to("m.x") if each[0].anchor.line == here)
    index, way = found.stores_by_arm("m.x"), found.way_to(statement)
    is_behind = mark == "# behind"
    return index.covers_behind(target.place, way) if is_behind else index.is_covered_before(target.place, way)


def test_calls_are_looked_up_by_method() -> None:
    found = chains("m.a()\nif c:\n    m.b()\nm.a()\n")
    first, second, third = found.called_on("m")
    assert found.calls_by_arm("m", "a").covers_behind(first.place, found.way_to(first))
    assert not found.calls_by_arm("m", "b").covers_behind(first.place, found.way_to(first))
    assert found.calls_by_arm("m").covers_behind(second.place, found.way_to(second))
    assert not found.calls_by_arm("m").covers_behind(third.place, found.way_to(third))
    assert found.calls_by_arm("m", "b").is_behind(first.place)
    assert not found.calls_by_arm("m", "c").is_behind(first.place)
