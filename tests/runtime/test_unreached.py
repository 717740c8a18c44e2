"""Why a line was not reached, and where twins differ: what `verify` says to whoever writes a fixture."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from flake8_jax.runtime import claims
from flake8_jax.runtime.claims import Fixture
from flake8_jax.runtime.outcome.unreached import not_run, without_case
from flake8_jax.runtime.repairs import other_differences
from flake8_jax.runtime.trial import Trial
from tests.runtime.verifying import verify, write_pair
from tests.support.expectations import FIXTURES

MARK = "x[0] = 1  # JAX201: is assigned"


def fixture(text: str, path: Path = Path("bad.py")) -> Fixture:
    ast.parse(text)
    return claims.parse(path, text)


NO_CASE = {
    "a parameter": (
        f"def f(x):\n    {MARK}\n",
        "none leads to `f`, which is none itself, for it has a parameter (`x`)",
    ),
    "a default": (f"def f(x=1):\n    {MARK}\n", "it has a parameter (`x`)"),
    "parameters": (f"def f(a, *b, c, **d):\n    {MARK}\n", "it has parameters (`a`, `b`, `c`, `d`)"),
    "a decorator": (f"@jax.jit\ndef f():\n    {MARK}\n", "it has a decorator"),
    "a private name": (f"def _f():\n    {MARK}\n", "its name begins with `_`"),
    "a class": (
        f"class F:\n    def f():\n        {MARK}\n",
        "none leads to `F`, which is none itself, for it is a class",
    ),
    "asynchronous": (f"async def f():\n    {MARK}\n", "it is asynchronous"),
    "what leads to it has a parameter": (
        f"def _f():\n    {MARK}\ndef f(x):\n    return _f()\n",
        "none leads to `_f`; `f` does, and is none, for it has a parameter (`x`)",
    ),
    "at module level": (f"if A:\n    {MARK}\n", "none leads to a name that is bound there"),
}


@pytest.mark.parametrize("name", NO_CASE)
def test_why_no_case_leads_to_a_line(name: str) -> None:
    text, reason = NO_CASE[name]
    line = next(number for number, each in enumerate(text.splitlines(), 1) if MARK in each)
    said = without_case(fixture(text), line)
    assert said.startswith(f"no case reaches line {line}: ")
    assert said.endswith(reason)


NOT_RUN = {
    "never called": ("def _g():\n    MARK\ndef case():\n    pass and _g()\n", "`_g` was never called"),
    "an inner function": ("def case():\n    def inner():\n        MARK\n    return 1\n", "`inner` was never called"),
    "a condition": ("def case():\n    if 1 > 2:\n        MARK\n    return 1\n", "the condition on line 2 was not true"),
    "the other branch": (
        "def case():\n    if 1 < 2:\n        a = 1\n    else:\n        MARK\n",
        "the condition on line 2 was true",
    ),
    "a second condition": (
        "def case():\n    if 1 > 2:\n        a = 1\n    elif 2 > 3:\n        MARK\n",
        "the condition on line 4 was not true",
    ),
    "a loop without turns": ("def case():\n    for i in ():\n        MARK\n", "the loop on line 2 had no turn"),
    "a loop that never holds": (
        "def case():\n    a = 0\n    while a:\n        MARK\n",
        "the condition on line 3 was not true",
    ),
    "a return": ("def case():\n    a = 1\n    if a:\n        return 1\n    MARK\n", "line 4 returned before"),
    "a break": (
        "def case():\n    for i in range(3):\n        if i < 5:\n            break\n        MARK\n",
        "line 4 left the loop before",
    ),
    "a continue": (
        "def case():\n    for i in range(3):\n        continue\n        MARK\n",
        "line 3 went on with the loop before",
    ),
    "a caught exception": (
        "def case():\n    try:\n        raise ValueError\n        MARK\n    except ValueError:\n        pass\n",
        "line 3 raised before",
    ),
    "no exception": (
        "def case():\n    try:\n        a = 1\n    except ValueError:\n        MARK\n",
        "nothing came to the handler on line 4",
    ),
    "a pattern": (
        "def case():\n    match [1]:\n        case [2]:\n            MARK\n",
        "the pattern on line 3 did not match",
    ),
    "an exception": (
        "def case():\n    a = 1\n    a.nothing\n    MARK\n",
        "line 3 raised AttributeError: 'int' object has no attribute 'nothing'",
    ),
    "an exception in what is called": (
        "def _g():\n    raise ValueError('so')\ndef case():\n    _g()\n    MARK\n",
        "line 4 raised ValueError: so",
    ),
    "an exception before the call": (
        "def _f():\n    MARK\ndef case():\n    int('x')\n    _f()\n",
        "line 4 raised ValueError: ",
    ),
}


@pytest.mark.parametrize("name", NOT_RUN)
def test_why_a_run_does_not_execute_a_line(name: str) -> None:
    pytest.importorskip("jax")
    text, reason = NOT_RUN[name]
    text = text.replace("pass and", "False and")
    line = next(number for number, each in enumerate(text.splitlines(), 1) if "MARK" in each)
    found = fixture(text.replace("MARK", "mark = 1  # JAX201: x"))
    (case,) = found.cases
    said = not_run(Trial(found, case), line)
    assert said is not None
    assert said.startswith(f"line {line} did not run: {reason}")


RAN = {
    "in a compiled function": "import jax\n@jax.jit\ndef _f(x):\n    MARK\n    return x\ndef case():\n    _f(1.0)\n",
    "after an inner return": "def case():\n    def inner():\n        return 1\n    inner()\n    MARK\n",
    "in a lambda": "def case():\n    f = (lambda:\n        print('MARK'))\n    f()\n",
    "in a callback": (
        "import jax\ndef _g(x):\n    MARK\n@jax.jit\ndef _f(x):\n    jax.debug.callback(_g, x)\n    return x\n"
        "def case():\n    _f(1.0)\n    jax.effects_barrier()\n"
    ),
}


@pytest.mark.parametrize("name", RAN)
def test_nothing_is_said_of_a_line_that_runs(name: str) -> None:
    pytest.importorskip("jax")
    text = RAN[name]
    line = next(number for number, each in enumerate(text.splitlines(), 1) if "MARK" in each)
    found = fixture(text.replace("MARK", "mark = 1"))
    (case,) = found.cases
    assert not_run(Trial(found, case), line) is None


DIFFERENCES = {
    "another line": ("n = 3\nx = 1  # JAX\n", "n = 4\nx = 2\n", "line 2 `n = 3`, in good.py line 2 `n = 4`"),
    "a line less": ("n = 3\nm = 4\nx = 1  # JAX\n", "m = 4\nx = 2\n", "line 2 `n = 3`, in good.py missing"),
    "a line more": (
        "m = 4\nn = 3\nx = 1  # JAX\n",
        "k = 1\nm = 4\nn = 3\nx = 2\n",
        "only good.py has line 2 `k = 1`, and not beside a marked line",
    ),
    "four": (
        "a = 1\nx = 1  # JAX\nb = 1\nx = 1  # JAX\nc = 1\nx = 1  # JAX\nd = 1\n",
        "a = 2\nx = 1  # JAX\nb = 2\nx = 1  # JAX\nc = 2\nx = 1  # JAX\nd = 2\n",
        "; ".join(f"line {n} `{c} = 1`, in good.py line {n} `{c} = 2`" for n, c in ((2, "a"), (4, "b"), (6, "c")))
        + "; and 1 more",
    ),
}


@pytest.mark.parametrize("name", DIFFERENCES)
def test_which_other_lines_of_twins_differ(name: str) -> None:
    ours, theirs, said = DIFFERENCES[name]
    bad, good = (
        claims.definitions("def f():\n" + "".join(f"    {line}\n" for line in text.splitlines()))
        for text in (ours, theirs)
    )
    marked = {number for number, line in enumerate(bad[0].lines, 1) if "# JAX" in line}
    assert other_differences(bad[0], good[0], marked) == said


def test_both_are_said_on_the_command_line(tmp_path: Path) -> None:
    head = "import jax.numpy as jnp\n\n\n"
    with_parameter = head + "def stored(x):\n    n = 3\n    x[0] = 1  # JAX201: is assigned\n    return x, n\n"
    unmet = head + f"def stored():\n    x = jnp.zeros(3)\n    if x.size > 4:\n        {MARK}\n    return x\n"
    for name, bad in {"parameter": with_parameter, "unmet": unmet}.items():
        good = bad.replace("x[0] = 1  # JAX201: is assigned", "x = x.at[0].set(1)").replace("n = 3", "n = 4")
        write_pair(tmp_path / "own" / name, bad, good)
    said, _ = verify(tmp_path / "own", "--platform", "cpu", "--drafts", code=1)
    assert (
        "parameter/bad.py:6: JAX201 raises:TypeError: error: no case reaches line 6: none leads to `stored`, " in said
    )
    assert "which is none itself, for it has a parameter (`x`)\n" in said
    assert "stored differs from its twin on other lines: line 5 `n = 3`, in good.py line 5 `n = 4`\n" in said
    assert "refuted: line 7 did not run: the condition on line 6 was not true\n" in said


def test_the_page_quotes_what_is_said() -> None:
    pytest.importorskip("jax")
    page = " ".join((FIXTURES.parent / "docs" / "verify.md").read_text(encoding="utf-8").split())
    alone, called = "def scaled(x):\n", "@jit\ndef scaled():\n    _scaled()\n\ndef _scaled():\n"
    said = [
        without_case(fixture("\n" * 4 + alone + f"    {MARK}\n"), 6),
        without_case(fixture(called + f"    {MARK}\n"), 6).partition(": ")[2],
        _said_of_line_9("def case():\n" + "    pass\n" * 6 + "    if 1 > 2:\n        MARK\n"),
        _said_of_line_9("def case():\n" + "    pass\n" * 6 + "    def inner():\n        MARK\n"),
        _said_of_line_9("def case():\n" + "    pass\n" * 5 + "    return 1\n\n    MARK\n"),
    ]
    ours, theirs = (claims.definitions(f"\n\n\ndef stored():\n    n = {n}\n")[0] for n in (3, 4))
    said.append(f"stored differs from its twin on other lines: {other_differences(ours, theirs, set())}")
    assert [text for text in said if text not in page] == []


def _said_of_line_9(text: str) -> str:
    found = fixture(text.replace("MARK", "mark = 1  # JAX201: x"))
    return not_run(Trial(found, found.cases[0]), 9) or "nothing"
