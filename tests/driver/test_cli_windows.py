"""`explain FILE:LINE` and `show`: what they say of a project, and how they refuse what they cannot answer."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from flake8_jax import rules
from flake8_jax.driver.cli.main import main
from flake8_jax.rules.rule import Status
from tests.support.commands import write

JITTED = """\
import jax


def helper(t):
    if t > 0:
        return t
    return -t


def inner(x):
    return helper(x * 2)


@jax.jit
def step(x):
    return inner(x)
"""
SUPPRESSED = "import jax.numpy as jnp\n\nx = jnp.zeros(3)\nx[0] = 1.0{}\n"
STATIC = """\
import jax


def scaled(x, n):
    if n > 2:
        return x
    return x * n


fast = jax.jit(scaled, static_argnames="n")
y = jax.vmap(scaled, in_axes=(0, None))
"""
FILES: dict[str, str | bytes] = {
    "pyproject.toml": "",
    "jitted.py": JITTED,
    "static.py": STATIC,
    "noqa.py": SUPPRESSED.format("  # noqa: JAX2"),
    "ignored.py": SUPPRESSED.format("  # jax: ignore[JAX201] on purpose"),
    "ignored_file.py": "# jax: ignore-file[item-assignment]\n" + SUPPRESSED.format(""),
    "skipped.py": "# flake8: noqa\n" + SUPPRESSED.format(""),
    "test_keys.py": "import jax\n\nk = jax.random.key(0)\na = jax.random.normal(k)\nb = jax.random.normal(k)\n",
    "absent.py": "import jax\nimport nowhere\n\nx = nowhere.make()\nif x > 0:\n    x[0] = 1\n",
    "ops.py": "import jax.numpy as jnp\n\nWEIGHTS = jnp.ones((2, 3))\n\n\ndef relu(x):\n    return jnp.maximum(x, 0)\n",
    "waits.py": "import jax\n\n\ndef sign(x):\n    return 1 if x > 0 else -1\n",
    "says.py": "import jax\n\n\ndef says(x):\n    print('called')\n    return x\n",
    "same.py": "import jax\n\n\ndef same(x):\n    return x\n",
    "numbers.py": "import jax\n\nn = 2 * 3\n",
    "uses.py": "from ops import WEIGHTS, relu\n\ny = relu(WEIGHTS)\n",
    "prepared.py": "import jax\n\n\n@jax.jit\ndef f(x):\n    try:\n        if x > 0:\n            return 1\n"
    "    except jax.errors.TracerBoolConversionError:\n        return 2\n",
    "grad.py": "import jax\n\n\ndef loss(x: jax.Array):\n    if x > 0:\n        return x\n    return -x\n\n\n"
    "g = jax.grad(loss)(1.0)\n",
    "lambdas.py": "import jax\n\nf = jax.jit(lambda x, n: x if n > 2 else -x)\n",
    "plain/pyproject.toml": "",
    "plain/plain.py": "import os\n\nprint(os.name)\n",
    "far.py": "import os\n\nprint(os.name)\n",
    "broken.py": "import jax\nx = (\n",
    "latin.py": b"import jax  # \xff\n",
}  # fmt: skip


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return write(tmp_path, FILES)


CHAIN = "`step` is jitted on line 14, `step` calls `inner` on line 16, `inner` calls `helper` on line 11"
GRAD = (
    "`x` is array () weak float; differentiated, which leaves it concrete: `loss` is differentiated by `jax.grad` on "
    "line 10"
)
SAID = [
    ("jitted.py:5", f"`t` of `helper` is traced: {CHAIN}"),
    ("jitted.py:5", "reported:\n  JAX401 `if` needs the truth of `t > 0`"),
    ("jitted.py:11", "nothing is reported: no rule asks anything of this line"),
    ("jitted.py:15", "`step` is wrapped on line 14: its code is traced: `step` is jitted on line 14"),
    ("static.py:5", "`scaled` is wrapped on line 10: `n` is static for `jax.jit`"),
    ("static.py:5", "`scaled` is wrapped on line 11: `n` is left untraced by `jax.vmap`"),
    ("noqa.py:4", "- suppressed by a `# noqa` comment on its line"),
    ("ignored.py:4", "- suppressed by `# jax: ignore[JAX201] on purpose` on its line"),
    ("ignored_file.py:5", "- suppressed by `# jax: ignore-file[item-assignment]` on line 1"),
    ("skipped.py:5", "- suppressed by `# flake8: noqa` on line 1"),
    ("test_keys.py:5", "- it rests in test files: `--tests` runs it there"),
    ("absent.py:2", "`nowhere`: library name `nowhere`; neither a file of the project nor a table says what it does"),
    ("absent.py:4", "`nowhere.make()`: unknown: no row for nowhere"),
    ("absent.py:5", "what is not known is silent: `x`"),
    ("ops.py:7", "calls `relu` on line 3 of `uses.py`: `x` is array of host values (2, 3) float; not traced"),
    ("same.py:5", "nobody is seen to call or transform `same` in this file, and nothing in it waits for callers in "),
    ("waits.py:5", "nobody is seen to call or transform `sign`\n"),
    ("says.py:5", "`print` must show no tracer: it waits for a tracer in the code around\n"),
    ("uses.py:3", "nothing is reported: no rule asks anything of this line"),
    ("numbers.py:3", "nothing is reported: `2 * 3` is a value of the host"),
    ("uses.py:1", "`WEIGHTS`: array of host values (2, 3) float; not traced\n  `relu`: function `relu`"),
    ("uses.py:3", "`relu(WEIGHTS)`: array of host values (2, 3) float; not traced"),
    ("prepared.py:7", "errors are expected here: a `try` around it catches what JAX raises"),
    ("grad.py:5", GRAD),
    ("lambdas.py:3", "JAX401 a conditional expression needs the truth of `n > 2`"),
    ("plain/plain.py:3", "nothing is reported: no file of its project names JAX or a library built on it"),
    ("far.py:3", "nothing is reported: neither the file, nor one that it imports or that imports it, names JAX"),
]  # fmt: skip


@pytest.mark.parametrize(("place", "text"), SAID)
def test_explain_says(place: str, text: str, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", place]) == 0
    said = capsys.readouterr()
    assert said.out.startswith(f"{place}\n")
    assert text in said.out
    assert said.err == ""


WRONG = [
    ("missing.py:1", "missing.py: No such file or directory"),
    ("broken.py:1", "broken.py: line 2: '(' was never closed"),
    ("latin.py:1", "latin.py: "),
    ("jitted.py:99", "jitted.py has 16 lines, there is no line 99"),
    ("jitted.py:0", "there is no line 0"),
    ("jitted.py:5:40", "jitted.py:5 has 13 columns, there is no column 40"),
    ("jitted.py:2", "jitted.py:2: nothing is evaluated there"),
    ("jitted.py:5:1", "jitted.py:5:1: nothing is evaluated there"),
    ("jitted.py:x", "there is no rule jitted.py:x; there are JAX000, "),
    ("jitted.py", "jitted.py is no rule; a line of it is asked about as jitted.py:LINE\n"),
    (".", ". is no rule; a line of it is asked about as ./FILE:LINE\n"),
]


@pytest.mark.parametrize(("place", "text"), WRONG)
def test_explain_refuses_in_one_line(place: str, text: str, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", place]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert text in said.err
    assert said.err.count("\n") == 1


@pytest.mark.parametrize(
    ("section", "text"),
    [
        ('ignore = ["JAX201"]', "- the selection of codes leaves it out"),
        ('per-file-ignores = { "noqa.py" = ["JAX2"] }\ndisable-noqa = true', "- the selection of codes leaves it out"),
        ('extend-exclude = ["noqa.py"]\ndisable-noqa = true', "- the configuration excludes the file"),
        ("disable-noqa = true", "reported:\n  JAX201 "),
    ],
)
def test_explain_knows_the_configuration(
    section: str, text: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(project, {"pyproject.toml": f"[tool.flake8-jax]\n{section}\n"})
    write(project, {"noqa.py": SUPPRESSED.format("  # noqa" * ("noqa" in section))})
    assert main(["explain", "noqa.py:4"]) == 0
    assert text in capsys.readouterr().out


@pytest.mark.parametrize(
    ("status", "option"), [("strict", "its status is strict: `--strict`"), ("off", "`--enable JAX201` runs it")]
)
def test_explain_says_that_a_rule_is_off(
    status: Status, option: str, project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = [replace(one, rule=replace(one.rule, status=status)) for one in rules.discover()]
    monkeypatch.setattr(rules, "discover", lambda: tuple(found))
    write(project, {"off.py": SUPPRESSED.format("")})
    assert main(["explain", "off.py:4"]) == 0
    said = capsys.readouterr().out
    assert "not reported:\n  JAX201 `x[0]` is assigned" in said
    assert option in said


def test_a_column_asks_about_what_stands_there(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "jitted.py:11:19"]) == 0
    rows = capsys.readouterr().out.splitlines()[2:5]
    assert [row.partition("`:")[0].strip() for row in rows] == ["`helper(...)", "`x * 2", "`x"]


def test_pages_and_places_together(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "JAX401", "jitted.py:5"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("# JAX401 ")
    assert "\n\njitted.py:5\n" in said


@pytest.mark.parametrize("option", ["--summaries", "--events"])
@pytest.mark.parametrize(("name", "text"), [("missing.py", "No such file"), ("broken.py", "never closed")])
def test_show_refuses_in_one_line(
    option: str, name: str, text: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", option, name]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert text in said.err
    assert said.err.count("\n") == 1


def test_show_takes_one_window(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "--events", "--summaries", "jitted.py"]) == 2
    assert "not allowed with" in capsys.readouterr().err
