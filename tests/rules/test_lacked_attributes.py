"""Attributes that containers do not have are no functions; what has one value under `jit` is told what to choose by."""

from __future__ import annotations

import re
from textwrap import dedent

import pytest

from flake8_jax.driver.linter import lint
from flake8_jax.model.config import Config
from flake8_jax.syntax.source import SourceFile

PROGRAMS: dict[str, str] = {
    "a dict for an object, whose attribute is no function": """
        import jax, jax.numpy as jnp
        def solve(y0, opts):
            return jax.lax.fori_loop(0, opts.steps, lambda _, y: y * 0.5, y0)
        def wrong(y0, opts):
            return jax.lax.fori_loop(0, opts.keys, lambda _, y: y * 0.5, y0)  # JAX613
        solve(jnp.ones(2), {"steps": 3})
        wrong(jnp.ones(2), {"steps": 3})
    """,
    "a list for an object, also after unknown code had it": """
        import jax, jax.numpy as jnp
        from somewhere import seen
        def run(y0):
            sizes = [3]
            seen(sizes)
            return jax.lax.fori_loop(0, sizes.first, lambda _, y: y * 0.5, y0)
        def wrong(y0):
            sizes = [3]
            seen(sizes)
            return jax.lax.fori_loop(0, sizes.pop, lambda _, y: y * 0.5, y0)  # JAX613
    """,
}

CHOICES: dict[str, tuple[str, str]] = {
    "a case of a comparison": (
        "    match x > 0:\n        case True:\n            return x\n        case _:\n            return -x\n",
        "choose by `jnp.where` or `jax.lax.cond`, or test before the call",
    ),
    "a comparison by identity": (
        "    return x if (x > 0) is True else -x\n",
        "choose by `jnp.where` or `jax.lax.cond`, or test before the call",
    ),
    "a type": (
        "    match x:\n        case float():\n            return x\n        case _:\n            return -x\n",
        "use `x.dtype`, or test before the call, or declare it static",
    ),
}


def _judged(text: str) -> list[tuple[int, str, str]]:
    report = lint(SourceFile("/nowhere/fixture.py", text), Config(strict=True, no_store=True))
    return [(finding.span.line, finding.code, finding.message) for finding in report.diagnostics]


@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
def test_what_is_said(text: str) -> None:
    text = dedent(text)
    marks = {
        (number, code)
        for number, line in enumerate(text.splitlines(), 1)
        for code in re.findall(r"# (JAX\d{3})", line)
    }
    assert {(line, code) for line, code, _ in _judged(text)} == marks


@pytest.mark.parametrize(("body", "words"), CHOICES.values(), ids=CHOICES)
def test_what_to_choose_by(body: str, words: str) -> None:
    said = _judged("import jax\n@jax.jit\ndef f(x):\n" + body)
    assert [(code, message.endswith(words)) for _, code, message in said] == [("JAX407", True)], said
