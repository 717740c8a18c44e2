"""Definition-use chains: which reads a definition reaches, where an op stands, which tests lead there."""

from __future__ import annotations

import pytest

from flake8_jax.ir import ops
from flake8_jax.ir.chains import Chains, chains_of
from flake8_jax.ir.lower.files import lower
from flake8_jax.syntax.source import SourceFile

# Each read of `x` that the definition on the line with `# here` reaches is on a line with `# read`, and no other.
REACHED = {
    "in a row": "x = 1  # here\ny = x  # read\nx = 2\nz = x\n",
    "one arm": "x = 1\nif c:\n    x = 2  # here\ny = x  # read\n",
    "the other arm": "x = 1  # here\nif c:\n    x = 2\n    z = x\ny = x  # read\n",
    "both arms": "x = 1  # here\nif c:\n    x = 2\nelse:\n    x = 3\ny = x\n",
    "an arm that leaves": "x = 1\nif c:\n    x = 2  # here\n    return x  # read\ny = x\n",
    "the next turn": "x = 1\nfor i in n:\n    y = x  # read\n    x = 2  # here\nz = x  # read\n",
    "before a loop": "x = 1  # here\nwhile x:  # read\n    y = x  # read\n    x = 2\nz = x  # read\n",
    "inside a loop": "for i in n:\n    x = 1  # here\n    y = x  # read\n    x = 2\nz = x\n",
    "a break": "x = 1\nfor i in n:\n    x = 2  # here\n    if c:\n        break\n    x = 3\nz = x  # read\n",
    "a continue": (
        "x = 1\nfor i in n:\n    y = x  # read\n    x = 2  # here\n    if c:\n"
        "        continue\n    x = 3\nz = x  # read\n"
    ),
    "nested loops": "x = 1  # here\nfor i in n:\n    for j in n:\n        y = x  # read\n        x = 2\n",
    "a handler": "x = 1\ntry:\n    x = 2  # here\n    x = 3\nexcept E:\n    y = x  # read\nz = x  # read\n",
    "after a try": "try:\n    x = 1  # here\nexcept E:\n    x = 2\nz = x  # read\n",
    "a with": "with m as x:  # here\n    y = x  # read\nz = x  # read\n",
    "an update": "x = 1  # here\nx += 1  # read\ny = x\n",
    "a walrus": "if (x := f()):  # here\n    y = x  # read\n",
    "a target of several": "a, x = f()  # here\ny = x  # read\n",
    "a comprehension has its own": "x = 1  # here\ny = [x for x in n]\nz = x  # read\n",
    "deleted": "x = 1  # here\ndel x\ny = 2\n",
    "a capture": "match v:\n    case [x, 1]:  # here\n        y = x  # read\n",
}  # fmt: skip


def chains(body: str) -> tuple[str, Chains]:
    text = "def f(c, n, v):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    (function,) = lower(SourceFile("-", text), "-").top.functions
    return text, chains_of(function)


@pytest.mark.parametrize("shape", REACHED)
def test_a_definition_reaches_its_reads(shape: str) -> None:
    text, found = chains(REACHED[shape])
    marked = {mark: [n for n, line in enumerate(text.splitlines(), 1) if mark in line] for mark in ("# here", "# read")}
    (here,) = marked["# here"]
    definition = next(
        target for target, _ in found.stores
        if type(target) is ops.Name and target.name == "x" and target.anchor.line == here
    )  # fmt: skip
    assert sorted({read.anchor.line for read in found.uses_of(definition)}) == marked["# read"]


def test_each_op_knows_where_it_stands() -> None:
    _, found = chains("if c:\n    for i in n:\n        y = [g(i)]\n")
    (read,) = [one for one in found.names["i"] if type(found.parents.get(one)) is ops.Call]
    names = [type(one).__name__ for one in found.way_to(read)]
    assert names == ["Branch", "Loop", "Store", "Build", "Call", "Name"]
    _, other = chains("y = 1\n")
    assert other.way_to(read) == []


def test_tests_that_lead_to_an_op() -> None:
    _, found = chains("if c:\n    return 0\nfor i in n:\n    if i:\n        break\n    y = v if n else i\n")
    (read,) = found.names["v"]
    tests = [one.name for one in found.tests_on(found.way_to(read)) if type(one) is ops.Name]
    assert tests == ["c", "i", "n"]


def test_what_functions_inside_read_is_captured() -> None:
    _, found = chains("x = 1\ny = 2\ng = lambda: x\n")
    captured = {name: found.is_captured(one) for name in "xy" for one in found.names[name][:1]}
    assert captured == {"x": True, "y": False}


LOOPS = """\
x = 1
for i in n:
    x = x + 1
    rows.append(x)
    d["a"] = x
for j in n:
    y = x
    x = 2
    z = x
rows.append(x)
"""


def test_uses_in_a_loop_are_those_that_a_value_reaches_without_leaving_it() -> None:
    _, found = chains(LOOPS)
    first, second = [op for op in found.body if type(op) is ops.Loop]
    stored = [target for target, _ in found.stores if type(target) is ops.Name and target.name == "x"]
    reads = {
        (target.anchor.line, at): sorted({read.anchor.line for read in found.uses_of(target, loop)})
        for target in stored for at, loop in enumerate((None, first, second))
    }  # fmt: skip
    assert reads[(4, 0)] == [4, 5, 6, 8, 11]
    assert reads[(4, 1)] == [4, 5, 6]
    assert reads[(9, 0)] == [8, 10, 11]
    assert reads[(9, 2)] == [8, 10, 11]  # the head of the loop is what is read behind it
    assert reads[(9, 1)] == [10]


def test_what_a_loop_stores_and_calls_is_found_by_its_text() -> None:
    _, found = chains(LOOPS)
    first, second = [op for op in found.body if type(op) is ops.Loop]
    stored = {at: [one.anchor.line for _, one in found.stored_in("x", at)] for at in (first, second)}
    assert list(stored.values()) == [[4], [9]]
    assert [len(found.called_in("rows", at)) for at in (first, second)] == [1, 0]
    assert len(found.called_on("rows")) == 2
    assert [one.anchor.line for _, one in found.items_of("d")] == [6]
    assert [one.anchor.line for _, one in found.stored_in("i", first)] == [3]


def test_a_join_that_nothing_reads_is_not_followed() -> None:
    _, found = chains("".join(f"for i in n:\n    x = f({k})\n" for k in range(9)) + "y = x\n")
    *_, last = [target for target, _ in found.stores if type(target) is ops.Name and target.name == "x"]
    assert [read.anchor.line for read in found.uses_of(last)] == [20]
    _, found = chains("".join(f"for i in n:\n    x = f({k})\n" for k in range(9)))
    target = next(target for target, _ in found.stores if type(target) is ops.Name and target.name == "x")
    assert list(found.uses_of(target)) == []
    assert list(found.joins_of(target)) == []
