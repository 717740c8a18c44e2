"""First sentences of public docstrings are short."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "flake8_jax"
FOLDERS = ("model", "syntax", "ir", "domain", "api", "analysis", "rules", "cache", "driver", "runtime")
MOST_WORDS = 20
MODULES = sorted(path.relative_to(SOURCE).as_posix() for folder in FOLDERS for path in (SOURCE / folder).rglob("*.py"))


def first_sentence(text: str) -> str:
    """The words up to the first full stop, question mark or exclamation mark, or to the end of the paragraph."""
    paragraph = " ".join(text.strip().split("\n\n")[0].split())
    return re.split(r"(?<=[.?!])\s", paragraph)[0]


def docstrings(node: ast.Module | ast.ClassDef, prefix: str) -> Iterator[tuple[str, str]]:
    """The docstring of a module or class and those of all that is public in it, with dotted names."""
    yield prefix, ast.get_docstring(node) or ""
    for inner in node.body:
        if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and inner.name[0] != "_":
            name = f"{prefix}.{inner.name}"
            if isinstance(inner, ast.ClassDef):
                yield from docstrings(inner, name)
            else:
                yield name, ast.get_docstring(inner) or ""


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("One.  Two.", "One."),
        ("Is it?  None if not.", "Is it?"),
        ("Of `a.b` and\n    `c.d`, the first", "Of `a.b` and `c.d`, the first"),
        ("A list: `x`, `y`\n\nMore.", "A list: `x`, `y`"),
    ],
)
def test_where_a_first_sentence_ends(text: str, sentence: str) -> None:
    assert first_sentence(text) == sentence


@pytest.mark.parametrize("module", MODULES)
def test_first_sentences_are_short(module: str) -> None:
    tree = ast.parse((SOURCE / module).read_text(encoding="utf-8"))
    sentences = {name: first_sentence(text) for name, text in docstrings(tree, Path(module).stem)}
    assert {name: text for name, text in sentences.items() if len(text.split()) > MOST_WORDS} == {}
    assert sentences[Path(module).stem]
