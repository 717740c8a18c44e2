"""A fingerprint changes with what is found, and with nothing else."""

from __future__ import annotations

import pytest

from flake8_jax.driver.fingerprints import Fingerprint, fingerprints
from flake8_jax.driver.linter import lint
from flake8_jax.driver.sources import Sources
from flake8_jax.model.config import Config
from flake8_jax.model.diagnostic import Diagnostic, Span
from flake8_jax.syntax.source import SourceFile

TEXT = """\
import jax

class Model:
    def sample(self, key):
        first = jax.random.normal(key)
        return jax.random.normal(key, (3,)) + first
"""
SAME = {
    "moved": f"# a comment\n\n\n{TEXT}",
    "laid out": TEXT.replace("(key, (3,))", "(\n            key,\n            (3,),  # why\n        )"),
    "spaced": TEXT.replace("(key, (3,))", "( key,(3,) )"),
    "commented": TEXT.replace("+ first", "+ first  # noqa: E501"),
    "indented": TEXT.replace("    ", "\t"),
    "carriage returns": TEXT.replace("\n", "\r\n"),
    "in parentheses": TEXT.replace("return ", "return (").replace("+ first", "+ first)"),
    "below others": TEXT.replace("class", "def other(x):\n    return x\n\nclass"),
    "in a branch": TEXT.replace("        return", "        if first is not None:\n            return"),
}  # fmt: skip
OTHER = {
    "the statement": TEXT.replace("(3,)", "(4,)"),
    "the function": TEXT.replace("sample", "draw"),
    "the class": TEXT.replace("Model", "Net"),
    "nested": TEXT.replace("    ", "      ").replace("class", "class Outer:\n  class"),
}  # fmt: skip


def found_in(text: str, path: str = "/nowhere/a.py") -> list[Fingerprint]:
    source = SourceFile(path, text)
    report = lint(source, Config(no_store=True, strict=True, enable=("JAX002",)))
    assert report.diagnostics
    return fingerprints(report.diagnostics, Sources([SourceFile(path, text)]))


def digests(text: str, path: str = "/nowhere/a.py") -> list[str]:
    return [one.digest for one in found_in(text, path)]


@pytest.mark.parametrize("name", SAME)
def test_layout_does_not_matter(name: str) -> None:
    assert digests(SAME[name]) == digests(TEXT)


def test_the_path_does_not_matter() -> None:
    assert digests(TEXT, "/elsewhere/b.py") == digests(TEXT)


@pytest.mark.parametrize("name", OTHER)
def test_what_matters(name: str) -> None:
    assert not set(digests(OTHER[name])) & set(digests(TEXT))


def test_it_says_where_it_is() -> None:
    (one,) = found_in(TEXT)
    assert (one.code, one.function) == ("JAX101", "Model.sample")
    assert one.statement == "return jax.random.normal(key, (3,)) + first"


def test_equal_statements_are_counted() -> None:
    text = "import jax.numpy as jnp\nx = jnp.zeros(3)\nx[0] = 1\nx[0] = 1\nx[0] = 1\n"
    all_three = digests(text)
    assert len(set(all_three)) == 3
    assert digests(text.replace("x[0] = 1\n", "", 1)) == all_three[:2]
    assert digests("x = 0\n" + text.replace("x[0] = 1\n", "y = 2\nx[0] = 1\n")) == all_three


def test_two_statements_on_a_line_are_told_apart() -> None:
    text = "import jax.numpy as jnp\nx = jnp.zeros(3)\né = 'ü'; x[0] = 1; x[1] = 2\n"
    assert [one.statement for one in found_in(text)] == [text.splitlines()[2]] * 2
    alone = "import jax.numpy as jnp\nx = jnp.zeros(3)\nx[0] = 1\nx[1] = 2\n"
    assert digests(text) == digests(alone)


def test_heads_of_blocks_and_comments() -> None:
    head = "import jax\n\n@jax.jit\ndef f(x):\n    "
    branch = found_in(f"{head}if x > 0:\n        return x\n    return -x\n")
    assert [one.statement for one in branch] == ["if x > 0:"]
    other = found_in(f"{head}if x > 0:\n        return 3\n    return -x\n")
    assert [one.digest for one in branch] == [one.digest for one in other]
    comment = found_in(f"{head}y = x\n    # jax: ignore[JAX999]\n    return y\n")
    assert [(one.function, one.statement) for one in comment] == [("f", "JAX999")]
    loose = found_in("import jax\n# jax: ignore\n")
    assert [(one.function, one.statement) for one in loose] == [("", "# jax: ignore")]


def test_a_decorator_belongs_to_its_function() -> None:
    texts = [f"import jax\n\n@jax.jit\n@{one}\ndef f(x):\n    return x\n" for one in ("one", "two")]
    found = [Diagnostic("JAX101", "key-reused", "a.py", Span(4, 1, 4, 4), "it") for _ in texts]
    first, second = (fingerprints([one], Sources([SourceFile("a.py", text)])) for one, text in zip(found, texts))
    assert first[0].statement == "@jax.jit @one def f(x):"
    assert first[0].digest != second[0].digest


def test_files_that_cannot_be_parsed_or_read() -> None:
    found = Diagnostic("JAX000", "analysis-gave-up", "pkg/a.py", Span(1, 0, 1, 0), "could not be analysed: why")
    elsewhere = Diagnostic("JAX000", "analysis-gave-up", "b.py", Span(1, 0, 1, 0), "could not be analysed: why")
    broken = Sources([SourceFile("pkg/a.py", "x = (\n"), SourceFile("b.py", "x = (\n")])
    one, other = fingerprints([found, elsewhere], broken)
    assert one.digest != other.digest
    assert fingerprints([found], Sources())[0].digest == one.digest
    strange = Diagnostic("JAX101", "key-reused", "not/there.py", Span(1, 0, 1, 0), "it")
    assert fingerprints([strange], Sources())[0].statement == "it"


def test_deep_expressions_have_fingerprints() -> None:
    text = f"x = {'+'.join(['1'] * 900)}\n"
    found = Diagnostic("JAX101", "key-reused", "a.py", Span(1, 0, 1, 1), "it")
    (one,) = fingerprints([found], Sources([SourceFile("a.py", text)]))
    assert one.statement.endswith("...")
