"""Comments that suppress, by themselves and against what flake8 makes of the same comments."""

from __future__ import annotations

from pathlib import Path

import pytest

from flake8_jax.model.diagnostic import Diagnostic, Span
from flake8_jax.syntax.source import SourceFile
from flake8_jax.syntax.suppressions import Suppressions, skips_file, without_noqa
from tests.support.commands import command, flake8, write

HEAD = "import jax.numpy as jnp\nx = jnp.zeros(3)\n"

# What stands on or around the offending line, and whether the comment silences it.
NOQA = {
    "x[0] = 1  # noqa": True,
    "x[0] = 1  # NoQA": True,
    "x[0] = 1  #noqa": False,
    "x[0] = 1  # noqa: JAX201": True,
    "x[0] = 1  # noqa:JAX201": True,
    "x[0] = 1  # noqa:  JAX201": True,  # two spaces: no codes are read, so it is blanket
    "x[0] = 1  # noqa: JAX2": True,
    "x[0] = 1  # noqa: E501,JAX2": True,
    "x[0] = 1  # noqa: E501 JAX2": True,
    "x[0] = 1  # noqa: JAX201 for a reason": True,
    "x[0] = 1  # noqa: for a reason": True,
    "x[0] = 1  # noqa : E501": True,
    "x[0] = 1  # noqa: jax201": False,
    "x[0] = 1  # noqa: JAX1": False,
    "x[0] = 1  # noqa: E501": False,
    "x[0] = 1  # reason # noqa: JAX201": True,
    "x[0] = '# noqa'": True,
    "x[0] = (\n    1)  # noqa": False,
    "x[0] = (  # noqa\n    1)": True,
    "x[0] = \\\n    1  # noqa": True,
    'x[0] = len("""\n""")  # noqa: JAX2': True,
    'x[0] = len(f"""{1}\n""")  # noqa: JAX2': True,
    "x[0] = 1\n# noqa": False,
    "# noqa\nx[0] = 1": False,
    "x[0] = 1\n# flake8: noqa": True,
    "x[0] = 1\n    # FLAKE8=NOQA": True,
    "x[0] = 1\n# flake8: noqa: E501": True,
    "x[0] = 1  # flake8: noqa": False,
    'y = """\n# flake8: noqa\n"""\nx[0] = 1': True,
}

IGNORE = {
    "x[0] = 1  # jax: ignore[JAX201] a reason": True,
    "x[0] = 1  # jax: ignore[JAX1,JAX2]": True,
    "x[0] = 1  # jax: ignore[item-assignment]": True,
    "x[0] = 1  # because # jax: ignore[JAX201]": True,
    "x[0] = 1  # jax: ignore[JAX1]": False,
    "x[0] = 1  # jax: ignore[]": False,
    "x[0] = 1  # jax: ignore": False,
    "x[0] = 1  # not `# jax: ignore[JAX201]`": False,
    "x[0] = '# jax: ignore[JAX201]'": False,
    "x[0] = \\\n    1  # jax: ignore[JAX201]": True,
    "x[0] = (\n    1)  # jax: ignore[JAX201]": True,  # where a formatter leaves it
    "x[0] = f(\n    1,\n)  # jax: ignore[JAX201]": True,
    "x[0] = f(\n    1,  # jax: ignore[JAX201]\n)": False,
    "def f(y):\n    x[0] = y\n    return y  # jax: ignore[JAX201]": False,
    "x[0] = 1; y = (\n    1)  # jax: ignore[JAX201]": True,
    "x[0] = 1\ny = f(\n)  # jax: ignore[JAX201]": False,
    "if x.any():\n    x[0] = (\n        1)\n    y = 1  # jax: ignore[JAX201]": False,
    "x[0] = 1\n# jax: ignore-file[JAX2] a reason": True,
    "x[0] = 1\n# jax: ignore-file[JAX1]": False,
    "x[0] = '# jax: ignore-file[JAX2]'": False,
}


def found(text: str) -> tuple[SourceFile, list[Diagnostic]]:
    """The file and the finding that its offending line would have."""
    line = text[: text.index("x[0]")].count("\n") + 1
    diagnostic = Diagnostic("JAX201", "item-assignment", "a.py", Span(line, 0, line, 4), "message")
    return SourceFile("a.py", text), [diagnostic]


@pytest.mark.parametrize("text", list(NOQA))
def test_noqa(text: str) -> None:
    source, diagnostics = found(HEAD + text + "\n")
    silenced = skips_file(source) or without_noqa(source, diagnostics) == []
    assert silenced is NOQA[text]


@pytest.mark.parametrize("text", list(IGNORE))
def test_ignore(text: str) -> None:
    source, diagnostics = found(HEAD + text + "\n")
    assert (Suppressions(source).without(diagnostics) == []) is IGNORE[text]


@pytest.mark.parametrize("ending", ["\r\n", "\r"])
def test_any_line_ending(ending: str) -> None:
    source, diagnostics = found(HEAD + 'x[0] = len("""\n""")  # noqa: JAX2\n')
    assert without_noqa(SourceFile("a.py", source.text.replace("\n", ending)), diagnostics) == []


def test_what_cannot_be_tokenized_is_read_line_by_line() -> None:
    source, diagnostics = found("x[0] = 1  # noqa  # jax: ignore[JAX201]\ny = (\n")
    assert without_noqa(source, diagnostics) == []
    assert Suppressions(source).without(diagnostics) == []


@pytest.mark.slow
def test_flake8_and_the_command_line_agree(tmp_path: Path) -> None:
    texts = [*NOQA, *IGNORE]
    write(tmp_path, {f"case{number:02}.py": f"{HEAD}{text}\n" for number, text in enumerate(texts)})
    stored = "--select=JAX2"
    run = flake8(tmp_path, stored)
    silent = {**NOQA, **IGNORE}
    loud = [f"case{number:02}.py" for number, text in enumerate(texts) if not silent[text]]
    assert [row.partition(":")[0] for row in run.rows] == loud
    assert command(tmp_path, "check", stored).rows == run.rows
    everything = flake8(tmp_path, stored, "--disable-noqa").rows
    assert len(everything) == len(texts)
    assert command(tmp_path, "check", stored, "--disable-noqa").rows == everything
    invalid = flake8(tmp_path, "--select=JAX001").rows
    assert len(invalid) == 2
    assert command(tmp_path, "check", "--select=JAX001").rows == invalid
