"""Notebooks under the command: where findings stand, what silences them, how cells are written back."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.commands import Check, Run, checking, command, flake8, write
from tests.support.notebooks import notebook

HEAD = "%load_ext autoreload\n%autoreload 2\nimport jax\nimport jax.numpy as jnp\n\nkey = jax.random.key(0)"
STORING = "x = jax.random.normal(key, (3,))\nx[0] = 1.0\n"
USED_AGAIN = "!ls\ny = jax.random.uniform(key)\nprint(x, y)"
CELLS = (("markdown", "# Keys"), HEAD, STORING, "%%bash\nls x[0] = 1.0", ("raw", "x[0]"), USED_AGAIN)
STORED, REUSED = "nb.ipynb:cell 3:2:1: JAX201", "nb.ipynb:cell 6:2:24: JAX101"


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return write(tmp_path, {"pyproject.toml": "", "nb.ipynb": notebook(*CELLS)})


@pytest.fixture
def check(tree: Path, capsys: pytest.CaptureFixture[str]) -> Check:
    return checking(capsys)


def sources(path: Path) -> list[str]:
    return ["".join(cell["source"]) for cell in json.loads(path.read_bytes())["cells"]]


def of_cells(check: Check, *cells: str, words: tuple[str, ...] = ()) -> list[str]:
    """The places and codes in a notebook of some cells below the head, without its path."""
    write(Path(), {"nb.ipynb": notebook(HEAD, *cells)})
    return [place.removeprefix("nb.ipynb:cell ") for place in check("nb.ipynb", "--strict", *words).places]


@pytest.mark.parametrize("words", [(), (".",), ("nb.ipynb",)])
def test_findings_name_cell_line_and_column(words: tuple[str, ...], tree: Path, check: Check) -> None:
    done = check(*words)
    assert done.places == [STORED, REUSED]
    assert "made by `jax.random.normal` on line 1;" in done.output
    assert "already used by `jax.random.normal` on line 1 of cell 3; before line 1 of cell 3 write" in done.output


def test_what_is_remembered_says_the_same_until_a_cell_moves(tree: Path, check: Check) -> None:
    assert check("--cache-dir=kept").output == check("--cache-dir=kept").output
    write(tree, {"nb.ipynb": notebook(("markdown", "new"), *CELLS)})
    done = check("--cache-dir=kept")
    assert done.places == ["nb.ipynb:cell 4:2:1: JAX201", "nb.ipynb:cell 7:2:24: JAX101"]
    assert "on line 1 of cell 4;" in done.output


def test_every_format_says_cell_and_line(tree: Path, check: Check) -> None:
    line = 1 + (tree / "nb.ipynb").read_text().split("\n").index('    "x[0] = 1.0\\n"')
    first = json.loads(check("--output-format=json").output)["diagnostics"][0]
    assert [first[name] for name in ("cell", "line", "column", "end_line", "end_column")] == [3, 2, 1, 2, 5]
    assert {(note["cell"], note["line"]) for note in first["notes"]} == {(3, 1)}
    assert {(edit["cell"], edit["line"]) for edit in first["fix"]["edits"]} == {(3, 2)}
    (result, *_) = json.loads(check("--output-format=sarif").output)["runs"][0]["results"]
    assert result["properties"] == {"cell": 3, "line": 2, "column": 1}
    assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": line, "endLine": line}
    assert result["locations"][0]["logicalLocations"] == [{"fullyQualifiedName": "cell 3:2:1", "kind": "cell"}]
    (replaced,) = result["fixes"][0]["artifactChanges"][0]["replacements"]
    raw, region = (tree / "nb.ipynb").read_text().split("\n"), replaced["deletedRegion"]
    assert region["startLine"] == region["endLine"] == line
    begin, end = region["startColumn"] - 1, region["endColumn"] - 1
    changed = raw[line - 1][:begin] + replaced["insertedContent"]["text"] + raw[line - 1][end:]
    assert changed == raw[line - 1].replace("x[0] = 1.0", "x = x.at[0].set(1.0)")
    assert f"file=nb.ipynb,line={line},endLine={line}::{STORED}" in check("nb.ipynb", "--output-format=github").output
    (entry, *_) = json.loads(check("--output-format=gitlab").output)
    assert entry["location"] == {"path": "nb.ipynb", "lines": {"begin": line, "end": line}}
    assert entry["description"].startswith("cell 3:2:1: JAX201")
    assert f'classname="nb.ipynb" file="nb.ipynb" line="{line}"' in check("nb.ipynb", "--output-format=junit").output
    shown = check("nb.ipynb", "--output-format=full").output
    assert "  2 | x[0] = 1.0\n    | ^^^^\n    nb.ipynb:cell 3:1: `x` is made by" in shown
    assert "-x[0] = 1.0\n      +x = x.at[0].set(1.0)\n" in shown


def test_fixes_change_the_cell_and_nothing_else(tree: Path, check: Check) -> None:
    before = (tree / "nb.ipynb").read_text()
    after = before.replace('"x[0] = 1.0\\n"', '"x = x.at[0].set(1.0)\\n"')
    shown = check("--diff")
    patch = subprocess.run(["git", "apply", "-"], input=shown.output, text=True, check=False)
    assert patch.returncode == 0
    assert (tree / "nb.ipynb").read_text() == after
    write(tree, {"nb.ipynb": before})
    done = command(tree, "fix", "nb.ipynb")
    assert done.places == [STORED, REUSED]
    assert (tree / "nb.ipynb").read_text() == after


@pytest.mark.parametrize(("head", "after"), [
    ("%load_ext autoreload\nfrom jax import jit", "%load_ext autoreload\nfrom jax import jit\nimport jax"),
    ("%%capture\n%time f\nfrom jax import jit", "%%capture\nimport jax\n%time f\nfrom jax import jit"),
])  # fmt: skip
def test_an_import_is_added_below_what_rules_its_cell(head: str, after: str, tree: Path) -> None:
    use = "%timeit f\n@jit\ndef f(x):\n    print(x)\n    return x\nf(1.0)\nf(2.0)"
    write(tree, {"nb.ipynb": notebook(("markdown", "# Sums"), head, use)})
    command(tree, "fix", "--unsafe-fixes", "nb.ipynb")
    assert sources(tree / "nb.ipynb")[1:] == [after, use.replace("print(x)", 'jax.debug.print("{}", x)')]


def test_comments_are_added_to_cells(tree: Path, check: Check) -> None:
    before = (tree / "nb.ipynb").read_text()
    assert check("--add-noqa").status == 0
    changed = before.replace("x[0] = 1.0\\n", "x[0] = 1.0  # noqa: JAX201\\n")
    changed = changed.replace("uniform(key)\\n", "uniform(key)  # noqa: JAX101\\n")
    assert (tree / "nb.ipynb").read_text() == changed
    assert check().status == 0
    write(tree, {"nb.ipynb": before})
    assert check("--add-ignores", "a lesson").status == 0
    assert "x[0] = 1.0  # jax: ignore[JAX201] a lesson\\n" in (tree / "nb.ipynb").read_text()
    assert check().status == 0


def test_a_baseline_knows_findings_by_their_cells_text(tree: Path, check: Check) -> None:
    check("--write-baseline=known.json")
    write(tree, {"nb.ipynb": notebook("1", *CELLS[1:], "x[1] = 2.0", indent=4)})
    assert check("--baseline=known.json").places == ["nb.ipynb:cell 7:1:1: JAX201"]


def test_which_notebooks_are_read(tree: Path, check: Check) -> None:
    write(tree, {".gitignore": "left.ipynb\n", "left.ipynb": notebook(*CELLS), "old/nb.ipynb": notebook(*CELLS)})
    write(tree, {".ipynb_checkpoints/nb-checkpoint.ipynb": notebook(*CELLS)})
    subprocess.run(["git", "init", "-q"], check=True)
    assert check("--extend-exclude=old").places == [STORED, REUSED]
    assert check("--exclude=*.ipynb").errors.startswith("flake8-jax: warning: .: all Python files in it are excluded")
    assert check("left.ipynb").status == 1
    assert check("--per-file-ignores=*.ipynb:JAX").status == 0


@pytest.mark.parametrize("name", [[], ["--stdin-filename=nb.ipynb"]])
def test_standard_input_may_be_a_notebook(name: list[str], tree: Path) -> None:
    raw = (tree / "nb.ipynb").read_bytes()
    path = "nb.ipynb" if name else "stdin"
    done = command(tree, "check", "-", *name, stdin=raw)
    assert done.places == [f"{path}:cell 3:2:1: JAX201", f"{path}:cell 6:2:24: JAX101"]
    fixed = command(tree, "fix", "-", *name, stdin=raw)
    assert fixed.output.encode() == raw.replace(b'x[0] = 1.0\\n"', b'x = x.at[0].set(1.0)\\n"')
    assert f"{path}:cell 3:2:1: JAX201 fixed: " in fixed.errors


def test_what_cannot_be_read_is_one_line(tree: Path, check: Check) -> None:
    write(tree, {"nb.ipynb": '{"cells": jax', "other.ipynb": "{", "empty.ipynb": "", "list.ipynb": '{"jax": 1}'})
    done = check()
    assert done.places == ["list.ipynb:1:1: JAX000", "nb.ipynb:1:1: JAX000"]
    assert "could not be analysed: not a notebook: Expecting value: line 1 column 11" in done.output
    assert "could not be analysed: not a notebook: it has no cells" in done.output
    write(tree, {"nb.ipynb": notebook(HEAD, "x = (1", "y = 2"), "list.ipynb": ""})
    assert check().places == ["nb.ipynb:cell 2:1:1: JAX000"]
    write(tree, {"nb.ipynb": notebook(HEAD, "x = (1", metadata={"language_info": {"name": "julia"}})})
    assert check().status == 0


BROKEN = "import optax\nkey, sub = jax.random.split(key\nlr = 1  # noqa: JAX101\n"
DRAWS = "x = jax.random.normal(key, (3,))"


@pytest.mark.parametrize(("cells", "expected"), [
    ((DRAWS, BROKEN, "y = optax.sgd(lr)\nx[0] = 1"), ["3:2:1: JAX000", "4:2:1: JAX201"]),
    ((DRAWS, BROKEN, "y = jax.random.normal(key)"), ["3:2:1: JAX000"]),  # a new key, as far as is known
    ((DRAWS, "%%time\nprint key", "y = jax.random.normal(key)"), ["3:2:1: JAX000", "4:1:23: JAX101"]),
    ((DRAWS, "for key in jax.random.split(key, 2:\n    x", "y = jax.random.normal(key)"), ["3:1:32: JAX000"]),
    (("jax.random.split(key)\n1", "a, b = jax.random.split(key)", "print(a b"), ["2:1:1: JAX106", "4:1:6: JAX000"]),
    ((DRAWS, "Words, that say x: y = key?", "x = (", "x[0] = 1"), ["3:1:28: JAX000", "4:1:5: JAX000"]),
    ((DRAWS, "def f(x):\n    key = (\n", "y = jax.random.normal(key)"), ["3:2:11: JAX000", "4:1:23: JAX101"]),
])  # fmt: skip
def test_a_cell_that_is_not_python_leaves_the_others_judged(
    cells: tuple[str, ...], expected: list[str], tree: Path, check: Check
) -> None:
    def without_column(place: str) -> str:  # Pythons differ in where they see the error
        return re.sub(r":\d+: JAX000", ": JAX000", place)

    found = of_cells(check, *cells, words=("--select=JAX000,JAX101,JAX201,JAX106", "--enable=JAX106"))
    assert [without_column(place) for place in found] == [without_column(place) for place in expected]
    assert sources(tree / "nb.ipynb") == [HEAD, *cells]


def test_a_cell_that_is_not_python_is_left_as_it_is(tree: Path, check: Check) -> None:
    write(tree, {"nb.ipynb": notebook(HEAD, BROKEN, STORING, BROKEN)})
    said = "this cell could not be analysed: '(' was never closed"
    assert "; 1 file could be judged in part only" in check("nb.ipynb").errors
    assert check("nb.ipynb", "--add-noqa").output.count(said) == check("nb.ipynb").output.count(said) == 2
    write(tree, {"nb.ipynb": notebook(HEAD, BROKEN, STORING, BROKEN)})
    command(tree, "fix", "nb.ipynb")
    assert sources(tree / "nb.ipynb") == [HEAD, BROKEN, STORING.replace("x[0] = 1.0", "x = x.at[0].set(1.0)"), BROKEN]


def test_a_line_of_a_cell_is_explained(tree: Path) -> None:
    told = command(tree, "explain", "nb.ipynb:cell 6:2")
    assert told.output.startswith("nb.ipynb:cell 6:2\nin the module: y = jax.random.uniform(key)\n")
    assert "used up before by `jax.random.normal` on line 1 of cell 3" in told.output
    assert "is a notebook: name the cell, too, as in nb.ipynb:cell 1:6" in command(tree, "explain", "nb.ipynb:6").errors
    assert "has no line 9 in a cell 3 of Python" in command(tree, "explain", "nb.ipynb:cell 3:9").errors
    assert "is asked about as nb.ipynb:cell CELL:LINE" in command(tree, "explain", "nb.ipynb").errors
    write(tree, {"nb.ipynb": notebook(HEAD, "# why\nx = 1", "print x")})
    nothing = "nothing is evaluated there"
    assert command(tree, "explain", "nb.ipynb:cell 2:1").errors == f"flake8-jax: error: nb.ipynb:cell 2:1: {nothing}\n"
    broken = command(tree, "explain", "nb.ipynb:cell 3:1")
    assert broken.errors.endswith(f"nb.ipynb:cell 3:1: {nothing}, as its cell could not be read as Python\n")


def test_the_last_expression_of_a_cell_is_shown(tree: Path, check: Check) -> None:
    update = "x = jnp.ones(3)\nx.at[0].set(1.0)"
    assert of_cells(check, update, "print(x)") == []
    assert of_cells(check, f"{update}  # the second\n# end\n", "print(x)") == []
    assert of_cells(check, f"{update}\nprint(x)") == ["2:2:1: JAX202"]
    assert of_cells(check, "for _ in range(2):\n    jnp.sin(1.0)", "print(1)") == ["2:2:5: JAX202"]
    split = "jax.random.split(key)"
    assert of_cells(check, split, "print(jax.random.normal(key))", words=("--select=JAX106",)) == []
    assert of_cells(check, f"{split}\nprint(jax.random.normal(key))") == ["2:1:1: JAX106"]


def test_magics_that_take_the_time_are_clocks(tree: Path, check: Check) -> None:
    made = "f = jax.jit(lambda a: a @ a)\nz = jnp.ones((1000, 1000))\nf(z).block_until_ready()"
    late = [made, "%timeit f(z)", "%time w = f(z)", "%%time\nw = f(z)\n", "t = %timeit -o f(z)"]
    expected = ["3:1:9: JAX702", "4:1:11: JAX702", "5:2:5: JAX702", "6:1:16: JAX702"]
    assert of_cells(check, *late) == expected
    waited = ["%timeit f(z).block_until_ready()", "%%time\nw = f(z)\nw.block_until_ready()\n", "%time print(f(z))"]
    assert of_cells(check, made, *waited) == []
    write(tree, {"nb.ipynb": notebook(HEAD, *late)})
    assert "`f(z)` is not done when `%timeit` reads the clock; use `jax.block_until_ready(f(z))`" in check().output
    full = check("--format=full").output
    assert full.count("the clock is read\n") == 4
    assert "_ipython_" not in full
    write(tree, {"timeit.ipynb": notebook(HEAD, made, "%%timeit\nf(z)", "%%capture c\n%%timeit -n 3\nf(z)")})
    assert check("timeit.ipynb").output.count("`f(z)` is not done when `%%timeit` reads the clock;") == 2
    command(tree, "fix", "nb.ipynb", "--select=JAX702")
    fixed = sources(tree / "nb.ipynb")[2:5]
    call = "jax.block_until_ready(f(z))"
    assert fixed == [f"%timeit {call}", f"%time w = {call}", f"%%time\nw = {call}\n"]


def test_a_cell_is_run_once_and_in_order(tree: Path, check: Check) -> None:
    assert of_cells(check, "x = jax.random.normal(key)", "print(x)") == []
    assert of_cells(check, "key, sub = jax.random.split(key)\nx = jax.random.normal(sub)", "print(x)") == []
    again = "y = jax.random.normal(key)"
    assert of_cells(check, "x = jax.random.normal(key)", again, "print(x, y)") == ["3:1:23: JAX101"]


def test_await_at_the_top_is_python(tree: Path, check: Check) -> None:
    assert of_cells(check, "import asyncio\nawait asyncio.sleep(1)\nx = jnp.ones(3)\nx[0] = 1.0") == ["2:4:1: JAX201"]


@pytest.mark.slow
def test_messages_name_no_line_of_the_file_that_nbqa_makes(tree: Path) -> None:
    pytest.importorskip("nbqa")
    for tool in ("flake8 --select=JAX", "flake8_jax check"):
        done = subprocess.run(
            [sys.executable, "-m", "nbqa", tool, "nb.ipynb"], capture_output=True, text=True, check=False
        )
        ran = Run(done.returncode, done.stdout, done.stderr)
        assert [row.partition(" ")[0] for row in ran.rows] == ["nb.ipynb:cell_2:2:1:", "nb.ipynb:cell_4:2:24:"]
        assert "already used by `jax.random.normal` on line 1 of an earlier cell; before line 1 of" in ran.output
    before = (tree / "nb.ipynb").read_text()
    subprocess.run([sys.executable, "-m", "nbqa", "flake8_jax fix", "nb.ipynb"], capture_output=True, check=False)
    assert sources(tree / "nb.ipynb")[2] == STORING.replace("x[0] = 1.0\n", "x = x.at[0].set(1.0)")
    assert before != (tree / "nb.ipynb").read_text()


def test_flake8_reads_no_notebook_and_says_which_does(tree: Path) -> None:
    done = flake8(tree, "--select=JAX", "-", stdin=(tree / "nb.ipynb").read_bytes())
    assert "`flake8-jax check` reads it as one" in done.output


def test_the_page_shows_what_is_said(tree: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "notebooks.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"^```console\n\$ flake8-jax check nb.ipynb\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    assert command(tree, "check", "nb.ipynb").output == shown


def test_an_error_that_is_shown_on_purpose_is_not_told(tree: Path, check: Check) -> None:
    draws = "x, y = jax.random.normal(key), jax.random.normal(key)\nprint(x, y)"
    document = json.loads(notebook(HEAD, "x = jnp.ones(3)\nx[0] = 1.0", "jax.jit(lambda x: int(x))(1.0)", draws))
    for cell in document["cells"][1:]:
        cell["metadata"] = {"tags": ["raises-exception", "hide-output"]}
    write(tree, {"nb.ipynb": json.dumps(document)})
    assert check("nb.ipynb").places == ["nb.ipynb:cell 4:1:50: JAX101"]


def test_a_huge_notebook_is_read(tree: Path, check: Check) -> None:
    cells = [f"!ls\nx{number} = jnp.sum(jnp.ones({number + 1}))\nx{number}" for number in range(300)]
    raw = json.loads(notebook(HEAD, *cells, "x0[0] = 1"))
    raw["cells"][0]["outputs"] = [{"data": {"image/png": "A" * 3_000_000}}]
    write(tree, {"nb.ipynb": json.dumps(raw)})
    assert check("nb.ipynb").places == ["nb.ipynb:cell 302:1:1: JAX201"]


def test_a_file_of_cells_is_read_in_the_same_way(tree: Path, check: Check) -> None:
    for head in ("# %%", "#%% [markdown]\n# Text\n# %%", "# In[1]:\n\n"):
        made = "import jax.numpy as jnp\nx = jnp.ones(3)"
        write(tree, {"nb.py": f"{head}\n{made}\njnp.sort(x)\n\n\n{head}\njnp.sort(x)\nprint(x)\n"})
        (place,) = check("nb.py").places
        assert place.endswith(": JAX202")
        assert int(place.split(":")[1]) > head.count("\n") + 4


def test_hooks_are_given_notebooks() -> None:
    identify = pytest.importorskip("identify.identify")
    hooks = (Path(__file__).parents[2] / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    kinds = [set(found.split(", ")) for found in re.findall(r"types_or: \[(.*)\]", hooks)]
    assert len(kinds) == 3
    assert all(each & identify.tags_from_filename("nb.ipynb") for each in kinds)


def test_a_revision_knows_what_stood_in_cells(tree: Path, check: Check) -> None:
    for words in (["init", "-q"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=b", "commit", "-qm", "c"]):
        subprocess.run(["git", *words], check=True)
    write(tree, {"nb.ipynb": notebook(("markdown", "new"), *CELLS, "x[1] = 2.0")})
    assert check("nb.ipynb", "--diff-base=HEAD").places == ["nb.ipynb:cell 8:1:1: JAX201"]


def test_the_top_level_is_a_script(tree: Path, check: Check) -> None:
    assert of_cells(check, "TABLE = jnp.arange(3)\n\n\ndef f(x):\n    return x + TABLE") == []
