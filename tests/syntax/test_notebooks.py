"""Notebooks are read as one text, and cells are written back without a change of anything else."""

from __future__ import annotations

import json

import pytest

from flake8_jax.syntax.cells import CellPlace, cells_of
from flake8_jax.syntax.notebooks import CellsLost, cells_in, python_of, raw_lines, read, written
from flake8_jax.syntax.text import Unreadable
from tests.support.notebooks import notebook

CELLS = (
    "import jax\n%time y = jax.numpy.ones(3)\n", ("markdown", "# é"), "x = 1\nx[0] = 2  # ü", "%%time\nx", "%%bash\nls",
    "  def f(a,\n    b):\n      return a\n  x = f(1, 2)",
)  # fmt: skip
ODD = r"""{ "nbformat":4, "cells" :[ {"source":["x = \u00e9\n","\u0078 = 2"],"cell_type":"code"}, {"cell_type":"code",
"source":"a\t= 1\r\nb = \ud83d\ude00"},{"cell_type":"code","source":[]}, {"cell_type":"code","source":["a = ","1"]}]}"""
THREE = '{"nbformat": 3, "worksheets": [{"cells": [{"cell_type": "code", "language": "python", "input": ["x = 1"]}]}]}'
TEXTS = [
    notebook(*CELLS), notebook(*CELLS, indent=None), notebook(*CELLS, indent=4).replace("\n", "\r\n"), ODD, THREE,
    notebook(*CELLS).replace('", "', '","')[:-1], notebook("_ipython_ = 1\n# %% _ipython_ 1\n%ls"),
    notebook(*CELLS, "%%time\nimport a\n\n  x = (1\n# b", "import b\ny, z = = 1"),
]  # fmt: skip


@pytest.mark.parametrize("raw", TEXTS)
def test_only_what_is_changed_is_written(raw: str) -> None:
    text = python_of(raw)
    assert cells_in(text) == {cell.number: cell.text for cell in read(raw)}
    assert written(raw, text) == raw
    lines, cells = text.split("\n"), cells_of(text.splitlines())
    assert cells is not None
    for number, line in enumerate(lines, 1):
        place = cells.place(number)
        if place is None or cells.line_of(place.cell, place.line) != number or "_ipython_" in line or not line.strip():
            continue
        new = "\n".join([*lines[: number - 1], "added = 1", f"{line.rstrip()}  # ñ", *lines[number:]])
        changed = written(raw, new)
        assert {cell.number: cell.text for cell in read(changed)} == cells_in(new)
        assert len(changed) - len(raw) <= len("\\u00f1 added = 1") + 45
        kept = json.loads(changed), json.loads(raw)
        for document in kept:
            for cell in document.get("cells", document.get("worksheets", [{}])[0].get("cells")):
                cell.pop("source", cell.pop("input", None))
        assert kept[0] == kept[1]
        back = written(changed, text)
        assert back == raw or (raw == ODD and read(back) == read(raw))


def test_places_are_those_of_cells() -> None:
    text = python_of(notebook(*CELLS))
    cells = cells_of(text.splitlines())
    assert cells is not None
    line = text.splitlines().index("x[0] = 2  # ü") + 1
    assert cells.place(line, 4) == CellPlace(3, 2, 4)
    assert cells.line_of(3, 2) == line
    assert cells.line_of(3, 3) is cells.line_of(2, 1) is cells.line_of(9, 1) is None
    timed = next(number for number, line in enumerate(text.splitlines(), 1) if "y = " in line)
    assert cells.place(timed, text.splitlines()[timed - 1].index("y = ")) == CellPlace(1, 2, len("%time "))
    assert cells.shown(timed) == "%time y = jax.numpy.ones(3)"
    assert cells.told("`on line 1` on line 3 of `a.py`, on line 3 of `b.py`", line).endswith("on line 3 of `b.py`")
    assert cells.told(f"on line {line - 1}", line) == "on line 1"
    assert cells.told(f"on line {timed}", line) == "on line 2 of cell 1"
    assert cells.told(f"on lines {timed} and {line}", line) == "on line 2 of cell 1 and line 2 of cell 3"


def test_the_lines_of_the_file_are_known() -> None:
    raw = notebook(*CELLS)
    found = raw_lines(raw)
    for cell in read(raw):
        for line, number in zip(cell.text.split("\n"), found[cell.number]):
            assert json.dumps(line, ensure_ascii=False)[:-1] in raw.split("\n")[number - 1]


@pytest.mark.parametrize(("raw", "reason"), [
    ("{", "Expecting property name"), ("[]", "it has no cells"), ("{}", "it has no cells"),
    ('{"cells": 1}', "it has no cells"), ('{"cells": [1]}', "cell 1 is no object"),
    ('{"cells": [{"cell_type": "code", "source": 1}]}', "the source of cell 1 is no text"),
    ('{"cells": [{"cell_type": "code", "source": [1]}]}', "the source of cell 1 is no text"),
    ("[" * 100_000, "nested too deeply"),
])  # fmt: skip
def test_what_is_no_notebook_is_said(raw: str, reason: str) -> None:
    with pytest.raises(Unreadable, match=reason):
        python_of(raw)


@pytest.mark.parametrize("raw", [
    "", " \n", notebook(), notebook(("markdown", "x")),
    notebook("x = 1", metadata={"language_info": {"name": "julia"}}),
    notebook("x = 1", metadata={"kernelspec": {"language": "R", "name": "ir"}}),
])  # fmt: skip
def test_what_has_no_python_is_empty(raw: str) -> None:
    assert python_of(raw) == ""
    assert written(raw, "") == raw


def test_a_text_that_cannot_be_taken_apart_is_not_written() -> None:
    raw = notebook("x = 1", "%ls")
    text = python_of(raw)
    for wrong in ("x = 2", text.replace("# %% _ipython_ 2\n", ""), text.replace("pass  # _ipython_ %ls", "_ipython_")):
        with pytest.raises(CellsLost):
            written(raw, wrong)


def test_an_import_before_all_goes_into_the_first_cell() -> None:
    raw = notebook("%time f(x)")
    new = written(raw, "import jax\n" + python_of(raw))
    assert read(new)[0].text == "import jax\n%time f(x)"
