"""What IPython takes and Python does not becomes Python, and is made again."""

from __future__ import annotations

import ast
import re

import pytest

from flake8_jax.syntax.magics import MARK, is_python, original, original_column, with_python

MAGIC = [
    "%matplotlib inline", "!ls", "!!ls", "?jnp.dot", "jnp.dot?", "jnp.dot??", "%time?", "  %time",
    "/f x", ",f x", ";f x",
    "%load_ext autoreload", "get_ipython().run_line_magic('matplotlib', 'inline')",
    "files = !ls", "a, b = !ls", "x.y['z'] = %who_ls", "%timeit f(x", "%time for i in range(3): f(i)", "%%time",
]  # fmt: skip
AUTOMAGIC = ["pip install jax", "cd .."]
TIMED = ["%time f(x)", "%timeit -n 10 -r3 f(x)", "%time y = f(x)  # why", "y = %timeit -o f(x)", "  %timeit f('\\\\')"]
PLAIN = [
    "x %= 2", "x = y % z", "x != y", "'?'", "s = 'what?'", "f(x)  # what?", "time(x)", "ls = 1", "time in x",
    "x = (a\n% b)", "s = '''\n%time f(x)\n!ls\n'''", "f(\n    a,\n    %time,\n)", "x = a \\\n    % b", "f'{a!r}'",
    "await f()", "cd, mv = 1, 2",
]  # fmt: skip


@pytest.mark.parametrize("text", [*MAGIC, *AUTOMAGIC, *TIMED])
def test_what_is_for_ipython_is_made_python_and_back(text: str) -> None:
    for cell in (text, f"x = 1\n{text.lstrip()}\ny = 2", f"{text} \r\nx = 1\r\n", f"if x:\n    {text.lstrip()}\n"):
        if not cell.startswith(text) and text in ("%%time", *AUTOMAGIC):
            continue
        changed = with_python(cell, MARK)
        assert changed != cell
        ast.parse(changed.lstrip())
        assert changed.count("\n") == cell.count("\n")
        assert original(changed, MARK) == cell


@pytest.mark.parametrize("text", PLAIN)
def test_what_is_python_stays(text: str) -> None:
    assert with_python(text, MARK) == text


def test_a_magic_may_go_on_on_the_next_line() -> None:
    cell = "!echo a \\\n   b \\\n c\nx = 1"
    changed = with_python(cell, MARK)
    assert ast.unparse(ast.parse(changed)) == "pass\nx = 1"
    assert original(changed, MARK) == cell


@pytest.mark.parametrize("text", TIMED)
def test_what_is_timed_is_kept(text: str) -> None:
    changed = with_python(text, MARK)
    (place,) = [match.start() for match in re.finditer(r"f\(", changed)]
    assert original_column(changed, place, MARK) == text.index("f(")


@pytest.mark.parametrize(("text", "is_kept"), [
    ("%%time\nx", True), ("\n%%capture out\n%%timeit\nx", True), ("%%bash\nls", False), ("%%!\nls", False),
    ("%%capture\n%%writefile a.py\nx", False), ("x\n%%bash", True), ("", True),
])  # fmt: skip
def test_cells_of_other_languages_are_left_out(text: str, is_kept: bool) -> None:
    assert is_python(text) is is_kept


def test_ipython_takes_the_same_for_its_own() -> None:
    inputtransformer2 = pytest.importorskip("IPython.core.inputtransformer2")
    manager = inputtransformer2.TransformerManager()
    for text in [*MAGIC, *TIMED]:
        if not text.startswith("get_ipython"):
            assert manager.transform_cell(text) != text + "\n"
    for text in PLAIN:
        assert manager.transform_cell(text) == text + "\n"
