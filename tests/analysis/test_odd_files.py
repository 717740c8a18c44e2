"""Files that are written oddly, seen from another file: what they bind, and where findings in them stand."""

from __future__ import annotations

from pathlib import Path

import pytest

from flake8_jax.driver.projects import Projects
from tests.support.bindings import APART, ROOT, found, held, linked
from tests.support.expectations import lint_text
from tests.support.layouts import tree

OPS = "import jax\ndef f(x):\n    return x\n"
NOT_BOUND = "unknown: import of a name that is not bound there"

# How ops.py is written; use.py imports `x` of it.
DEEP = "(" * 1500 + "1" + ")" * 1500
ODD: dict[str, tuple[str | bytes, str]] = {
    "empty": ("", NOT_BOUND),
    "only comments": ("# x = 1\n\n   # nothing\n", NOT_BOUND),
    "only a docstring": ("'''x = 1'''\n", NOT_BOUND),
    "no newline at the end": ("x = 1", "1"),
    "decorators over lines": (
        "import jax\n@(\n  jax\n  .jit\n)\n\n# why\n@jax.vmap\ndef x(a):\n    pass\n", "jax.jit(jax.vmap(ops.py: x))",
    ),
    "joined": ("y = 1; x = y; z = 2\n", "1"),
    "joined, bound twice": ("x = 1; y = x; x = 2\n", "2"),
    "joined behind a block": ("y = '''\n'''; x = 3\n", "3"),
    "joined with an import": ("import math; x = math.sin\n", "math.sin"),
    "a def on one line": ("def x(a): b = a; return b\n", "ops.py: x"),
    "form feeds": ("\f\ny = 1\n\f\n\fx = 2\n", "2"),
    "CRLF": ("def x(a):\r\n    return a\r\n\r\ny = 1\r\n", "ops.py: x"),
    "CR": ("y = 1\rx = y\r", "1"),
    "mixed newlines": ("y = 1\r\nz = y\rx = z\n", "1"),
    "byte order mark": (b"\xef\xbb\xbfx = 1\n", "1"),
    "cookie": ("# coding: latin-1\nx = '\xe9'\n".encode("latin-1"), "'\xe9'"),
    "wrong cookie": (b"# coding: nonsense\nx = 1\n", NOT_BOUND),
    "not UTF-8": (b"x = '\xff'\n", NOT_BOUND),
    "NUL": (b"x = 1\n\0\n", NOT_BOUND),
    "syntax error": ("x = 1\ndef f(:\n", NOT_BOUND),
    "tabs": ("if True:\n\tx = 1\n", "1"),
    "lines joined": ("x = \\\n  1\n", "1"),
    "long text": ("x = '''\na\n'''\n", "'\\na\\n'"),
    "nested too deep for Python": (f"y = {DEEP}\nx = 1\n", NOT_BOUND),
    "names beyond ASCII": ("x = \u00e9\u00e9 = 1\n", "1"),
    "semicolon at the end": ("x = 1;\n", "1"),
    "separators that are no newlines": ("y = '\u2028\x0b\x1c'\nx = 1\n", "1"),
}  # fmt: skip


@pytest.mark.parametrize("name", ODD)
def test_odd_files(name: str, tmp_path: Path) -> None:
    text, expected = ODD[name]
    assert held(linked(tmp_path, {"ops.py": text, "use.py": "from ops import x\n"}), "x") == expected


LIMITED = " + ".join("1" * 300)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"y = {LIMITED}\nx = 1\n", "1"),
        (f"x = {LIMITED}\n", "unknown: statement that cannot be parsed"),
        (f"y = {LIMITED}\nx = y\n", "unknown: statement that cannot be parsed"),
    ],
)
def test_a_statement_that_is_nested_too_deep_costs_itself_alone(text: str, expected: str, tmp_path: Path) -> None:
    assert held(linked(tmp_path, {"ops.py": text, "use.py": "from ops import x\n"}), "x") == expected


def test_files_that_disappear(tmp_path: Path) -> None:
    texts = {"ops.py": OPS, "use.py": "from ops import f as x\n"}
    files = linked(tmp_path, texts)
    assert files.project is not None
    assert files.project.importers(str(tmp_path / "ops.py"))
    (tmp_path / "ops.py").unlink()
    assert held(files, "x") == "ops.py: f", "what was read is kept"
    files = linked(tmp_path, texts)
    assert files.project is not None
    assert len(files.project.files()) == 2
    (tmp_path / "ops.py").unlink()
    assert held(files, "x") == NOT_BOUND
    assert held(linked(tmp_path, {}), "x") == "ops.f", "now it is somebody else's"


# How ops.py is written, where the branch in it is found; use.py jits `f`.
BRANCH = "if x > 0: pass"
PLACES: dict[str, tuple[str | bytes, str]] = {
    "plain": (f"def f(x):\n    {BRANCH}\n", "2:7"),
    "second of a line": ("a = 1; b = 2; f = lambda x: 1 if x > 0 else 2\n", "1:33"),
    "decorated": (f"import functools\n@functools.cache\n@(\n  functools.cache)\ndef f(x):\n    {BRANCH}\n", "6:7"),
    "under comments": (f"# a\n\n\n# b\ndef f(x):\n    # c\n\n    {BRANCH}\n", "8:7"),
    "form feed": (f"y = 1\n\f\ndef f(x):\n    {BRANCH}\n", "4:7"),
    "CRLF": (f"y = 1\n\ndef f(x):\n    {BRANCH}\n".replace("\n", "\r\n"), "4:7"),
    "CR": (f"y = 1\r\rdef f(x):\r    {BRANCH}\r", "4:7"),
    "byte order mark": (f"\ufeffdef f(x):\n    {BRANCH}\n", "2:7"),
    "cookie": (f"# coding: latin-1\ndef f(x):\n    y = '\xe9\xe9'\n    {BRANCH}\n".encode("latin-1"), "4:7"),
    "beyond ASCII": ("def f(x):\n    \xe9 = '\U0001f600'; y = 1 if x > 0 else 2\n", "2:22"),
    "tabs": (f"def f(x):\n\t{BRANCH}\n", "2:4"),
    "in a block": (f"if True:\n    def f(x):\n        {BRANCH}\n", "3:11"),
    "in try": (f"try:\n    def f(x):\n        {BRANCH}\nexcept ImportError:\n    pass\n", "3:11"),
    "a lambda": ("f = lambda x: 1 if x > 0 else 2\n", "1:19"),
    "behind a long text": ("'''a\nb\nc'''\ny = '''\n\n'''; f = (lambda x:\n  1 if x > 0 else 2)\n", "7:7"),
    "no newline at the end": (f"def f(x):\n    {BRANCH}", "2:7"),
    "joined lines": ("def f(x):\n    return \\\n        1 if x > 0 \\\n        else 2\n", "3:13"),
    "under main": (f"if __name__ == '__main__':\n    pass\ndef f(x):\n    {BRANCH}\n", "4:7"),
    "in a class": (f"class C:\n    @staticmethod\n    def f(x):\n        {BRANCH}\nf = C.f\n", "4:11"),
}  # fmt: skip


@pytest.mark.parametrize("order", ["ops.py", "ops.py use.py", "use.py ops.py", "use.py ops.py use.py"])
@pytest.mark.parametrize("name", PLACES)
def test_places_in_odd_files(name: str, order: str, tmp_path: Path) -> None:
    text, expected = PLACES[name]
    tree(tmp_path, {**ROOT, "ops.py": text, "use.py": "import jax\nfrom ops import f\ng = jax.jit(f)\n"})
    rows = found(tmp_path, *order.split(), projects=Projects(APART))
    assert [row.partition(" JAX401")[0] for row in rows] == [f"ops.py:{expected}:"]


HAZARD = "@jax.jit\ndef hazard(v):\n    if v > 0:\n        return v\n"


FOUND = [("JAX401", 6)]


def found_beside(text: str) -> list[tuple[str, int]]:
    """What is found of a hazard that stands in front of a text, of which nothing is given up or dropped."""
    found = lint_text(f"import jax, numpy\n\n\n{HAZARD}\n\n{text}\n")
    return [(one.code, one.span.line) for one in found if one.span.line <= 8]


ODD_CALLS = (
    "max(**options)", "min(*(), **options)", "max(*rows, **options)", "any(*rows)", "list(map(format, rows, texts))",
    "format(rows[0], texts)", "format(*rows)", "sorted(*rows)", "[].sort(*rows)", "{1}.remove(*rows)",
    "[1].index(*rows)",
)  # fmt: skip


@pytest.mark.parametrize("call", ODD_CALLS)
def test_calls_of_odd_arguments_are_judged(call: str) -> None:
    assert found_beside(f"@jax.jit\ndef f(rows, options, texts):\n    return {call}") == FOUND


ODD_CALLERS = (
    "jax.lax.cond(x, numpy.copyto, x, x)", "jax.lax.cond(x, numpy.put, x)", "jax.vmap(numpy.copyto)(x, x)",
    "jax.lax.cond(x, setattr, setattr, x, 'a', x)", "jax.jit(setattr)(x, 'a', x)", "map(setattr, x, x, x)",
)  # fmt: skip


@pytest.mark.parametrize("call", ODD_CALLERS)
def test_functions_that_a_transform_calls_are_judged_without_written_arguments(call: str) -> None:
    assert found_beside(f"def f(x):\n    def g():\n        return {call}\n    return g\n{call}") == FOUND


ODD_OPERANDS = {
    "(yield) != v < v": "((yield) != v) & (v < v)",
    "(w := v) < v < 3": "((w := v) < v) & (v < 3)",
    "0 < (w := v) < v": "",
    "0 < (yield) < v": "",
    "(v if w is None else 1) < v < 3": "((v if w is None else 1) < v) & (v < 3)",
    "(v < 1) < v < (not w)": "((v < 1) < v) & (v < (not w))",
    "v < v < (w or 1)": "(v < v) & (v < (w or 1))",
    "not (yield v)": "",
}
"""Tests of which a part needs its parentheses, and the code in a message; what is done once is not written twice."""


@pytest.mark.parametrize("test", ODD_OPERANDS)
def test_parts_of_a_test_keep_their_parentheses(test: str) -> None:
    head = "import jax\n@jax.jit\ndef f(v, w=None):\n    w = "
    said = [one.message.partition("; ")[2] for one in lint_text(f"{head}{test}\n    return w\n")]
    code = ODD_OPERANDS[test]
    assert [one for one in said if one.startswith("use `")] == [f"use `{code}`"] * bool(code)


AWAITING = "(y for y in (await x))", "(y async for y in x)", "(y for _ in x for y in (await x))"


@pytest.mark.parametrize("generator", AWAITING)
def test_a_generator_that_awaits_is_no_list(generator: str) -> None:
    (found,) = lint_text(f"import jax.numpy as jnp\nasync def f(x):\n    return jnp.sum({generator})\n")
    assert (found.code, found.fix) == ("JAX203", None)
    (found,) = lint_text("import jax.numpy as jnp\nasync def f(x):\n    return jnp.sum((y for y in x))\n")
    assert found.fix is not None


ENDED = (
    "class A:\n    @jax.jit\n    def f(x):\n        return x\n    break\n",
    "class A(x):\n    raise jax.vmap(x) from x\n",
    "def f():\n    g = jax.jit(lambda x: x + y)\n    raise g\n",
    "for x in y:\n    @jax.jit\n    def f(x):\n        return x\n    raise f\nelse:\n    raise f\n",
)


@pytest.mark.parametrize("text", ENDED)
def test_transforms_are_judged_where_no_path_arrives_at_the_end(text: str) -> None:
    assert found_beside(text) == FOUND


@pytest.mark.parametrize(
    "text",
    [
        "def g(x=1):\n    return lambda x=lax.dynamic_slice(x, 4, 3): x\n",
        "def g(x):\n    def inner(y=lax.psum(x, 'i')):\n        return y\n    return inner\n",
        "class C:\n    f = lambda x=lax.dynamic_slice(1, 4, 3): x\n",
        "def g(x):\n    return lax.switch(index=0, branches=(g))\n",
        "def f(t):\n    t = t\n    def add():\n        nonlocal t\n        t = 1\n        return lambda: t\n",
    ],
)
def test_functions_inside_are_judged(text: str) -> None:
    assert found_beside(f"from jax import lax\n{text}") == FOUND


def test_specifications_of_formats_that_are_put_together_are_judged() -> None:
    """CPython 3.13.0 reads the specification in the first of two strings that stand together as a bare constant."""
    assert found_beside("""y = f'a{x:"\\N{BULLET}"}b' 'c'\nz = f'a{x:>{y}}b' 'c'\n""") == FOUND


def test_variables_that_a_star_brings_are_judged(tmp_path: Path) -> None:
    """The layer that made them is bound where they are made, not in the file that applies them."""
    aid = "import flax.linen as nn\nDENSE = nn.Dense(x)\nVARIABLES = DENSE.init(x, x)\n"
    body = "    y = DENSE.apply(VARIABLES, x)\n    if x > 0:\n        return y\n"
    text = f"import jax\nfrom aid import *\n@jax.jit\ndef f(x):\n{body}"
    tree(tmp_path, {**ROOT, "aid.py": aid, "use.py": text})
    rows = found(tmp_path, "use.py", projects=Projects(APART))
    assert [row.split()[:2] for row in rows] == [["use.py:6:7:", "JAX401"]]


@pytest.mark.parametrize("order", ["ops.py use.py", "use.py ops.py", "use.py"])
def test_calls_are_compared_with_those_of_their_file_alone(order: str, tmp_path: Path) -> None:
    """Else the order in which files are judged would say which of three ways to pass the same is the third."""
    two = "import jax\n@jax.jit\ndef f(x, y):\n    return x * y\nf(1.0, 2.0)\nf(1.0, y=2.0)\n"
    tree(tmp_path, {**ROOT, "ops.py": two, "use.py": "from ops import f\nf(x=1.0, y=2.0)\n"})
    assert found(tmp_path, *order.split(), projects=Projects(APART)) == []
    tree(tmp_path, {"ops.py": f"{two}f(x=1.0, y=2.0)\n"})
    (row,) = found(tmp_path, "ops.py", projects=Projects(APART))
    assert row.split()[:2] == ["ops.py:7:0:", "JAX504"]


def test_a_message_that_spells_odd_characters_is_one_line() -> None:
    text = 'import jax\n\n\n@jax.jit\ndef f(x):\n    jax.debug.print("a\x1c\u202eb:", x)\n    return x\n'
    (found,) = lint_text(text)
    assert r'"a\x1c\u202eb: {}"' in found.message
    assert found.message.isprintable()


def test_numbers_that_are_computed_of_themselves_are_judged() -> None:
    text = "import jax\n@jax.jit\ndef f(x, rows):\n    n = len(rows)\n    n = n + 1\n    m = n - 1\n    n = m + 1\n"
    assert lint_text(text + "    for i in range(n):\n        x = x + i\n    return x\n") == []
