"""Comments that are added suppress, join those that are there, and change nothing else."""

from __future__ import annotations

import ast
from functools import lru_cache
from pathlib import Path

import pytest

from flake8_jax.model.diagnostic import Diagnostic, Span
from flake8_jax.syntax.silencing import silenced, wrong_reason
from flake8_jax.syntax.source import SourceFile
from tests.support.expectations import lint_fixture

FIXTURES = sorted((Path(__file__).parents[2] / "fixtures").glob("jax*/bad.py"))


def at(line: int, column: int = 0, code: str = "JAX201") -> Diagnostic:
    return Diagnostic(code, "item-assignment", "a.py", Span(line, column, line, column + 1), "it")


@lru_cache(4)
def tree_of(text: str) -> str:
    """The tree of a text, written out: of a fixture once for both sorts of comments."""
    return ast.dump(ast.parse(text))


def added(text: str, *found: Diagnostic, reason: str | None = None) -> str:
    """The text with comments, which suppress all findings."""
    source = SourceFile("a.py", text)
    after, left = silenced(source, found, reason)
    assert left == []
    assert tree_of(after) == tree_of(text)
    assert silenced(SourceFile("a.py", after), found, reason) == (after, [])
    return after


NOQA = {
    "x[0] = 1\n": "x[0] = 1  # noqa: JAX201\n",
    "x[0] = 1": "x[0] = 1  # noqa: JAX201",
    "x[0] = 1   \n": "x[0] = 1  # noqa: JAX201\n",
    "x[0] = 1  # why\n": "x[0] = 1  # why  # noqa: JAX201\n",
    "x[0] = 1  # noqa: E501\n": "x[0] = 1  # noqa: E501, JAX201\n",
    "x[0] = 1  # noqa: E501,W291 long\n": "x[0] = 1  # noqa: E501,W291, JAX201 long\n",
    "x[0] = 1  # NOQA:E501,  # why\n": "x[0] = 1  # NOQA:E501, JAX201,  # why\n",
    "x[0] = 1  # type: ignore  # noqa: E501\n": "x[0] = 1  # type: ignore  # noqa: E501, JAX201\n",
    "x[0] = 1  # noqa\n": "x[0] = 1  # noqa\n",
    "x[0] = \\\n    1\n": "x[0] = \\\n    1  # noqa: JAX201\n",
    "x[0] = '''\n\n'''\n": "x[0] = '''\n\n'''  # noqa: JAX201\n",
    "x[0] = f(\n    1)\n": "x[0] = f(  # noqa: JAX201\n    1)\n",
    "x[0] = 1; y = '#'\n": "x[0] = 1; y = '#'  # noqa: JAX201\n",
    "x[0] = 1\r\ny = 2\r\n": "x[0] = 1  # noqa: JAX201\r\ny = 2\r\n",
    "x[0] = 1\ry = 2\r": "x[0] = 1  # noqa: JAX201\ry = 2\r",
}
IGNORES = {
    "x[0] = 1\n": "x[0] = 1  # jax: ignore[JAX201] old\n",
    "x[0] = 1  # noqa: E501\n": "x[0] = 1  # noqa: E501  # jax: ignore[JAX201] old\n",
    "x[0] = 1  # jax: ignore[JAX101] why\n": "x[0] = 1  # jax: ignore[JAX101, JAX201] why\n",
    "x[0] = 1  # jax: ignore[JAX101, ]\n": "x[0] = 1  # jax: ignore[JAX101, JAX201]\n",
    "x[0] = 1  # so  # jax: ignore[JAX101] why  # end\n": "x[0] = 1  # so  # jax: ignore[JAX101, JAX201] why  # end\n",
    "x[0] = 1  # jax: ignore\n": "x[0] = 1  # jax: ignore  # jax: ignore[JAX201] old\n",
    "x[0] = 1  # as `# jax: ignore[JAX101]` does\n":
        "x[0] = 1  # as `# jax: ignore[JAX101]` does  # jax: ignore[JAX201] old\n",
    "x[0] = 1  # jax: ignore-file[JAX101]\n": "x[0] = 1  # jax: ignore-file[JAX101]  # jax: ignore[JAX201] old\n",
    "x[0] = 1  # jax: ignore[item-assignment]\n": "x[0] = 1  # jax: ignore[item-assignment]\n",
}  # fmt: skip


@pytest.mark.parametrize("text", NOQA)
def test_flake8s_comments(text: str) -> None:
    assert added(text, at(1)) == NOQA[text]


@pytest.mark.parametrize("text", IGNORES)
def test_our_comments(text: str) -> None:
    assert added(text, at(1), reason="old") == IGNORES[text]


def test_several_codes_on_a_line_and_several_lines() -> None:
    text = "x[0] = f(k)\ny = 1\nx[1] = 2\n"
    found = at(1), at(1, 7, "JAX101"), at(1, 3), at(3)
    assert added(text, *found) == "x[0] = f(k)  # noqa: JAX101, JAX201\ny = 1\nx[1] = 2  # noqa: JAX201\n"


def test_what_takes_no_comment_is_left() -> None:
    text = 's = "# noqa: E501"; x[0] = 1\n'
    assert silenced(SourceFile("a.py", text), [at(1)], None)[1] == [at(1)]
    broken = "x = (\n"
    assert silenced(SourceFile("a.py", broken), [at(1)], None) == (broken, [at(1)])


@pytest.mark.slow
@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.parent.name)
def test_every_fixture_can_be_silenced(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    found = [each for each in lint_fixture(path) if each.code != "JAX000"]
    assert found
    for reason in (None, "accepted for now, #12"):
        added(text, *found, reason=reason)


@pytest.mark.parametrize(
    ("reason", "why"),
    [
        ("", "a reason is missing"),
        (" ", "a reason is missing"),
        ("two\nlines", "a reason is one line"),
        ("old # noqa", "a reason does not suppress anything itself"),
        ("old # jax: ignore-file[JAX101]", "a reason does not suppress anything itself"),
        ("accepted, see #12: jax says so", ""),
    ],
)
def test_reasons(reason: str, why: str) -> None:
    assert wrong_reason(reason) == why
