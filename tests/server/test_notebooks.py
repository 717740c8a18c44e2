"""Cells of notebooks, by a real client."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.commands import REUSE, write
from tests.support.editor import Editor, uri

pytest.importorskip("pygls")
pytestmark = pytest.mark.slow

CELLS = (
    "Some words.", "import jax\nkey = jax.random.key(0)", "%time a = jax.random.normal(key)",
    "b = jax.random.normal(key)",
)  # fmt: skip


def cell(number: int) -> str:
    return f"vscode-notebook-cell:/nb.ipynb#{number}"


def document(number: int, text: str) -> dict[str, Any]:
    return {"uri": cell(number), "languageId": "markdown" if number == 0 else "python", "version": 1, "text": text}


def shows(editor: Editor, number: int, *codes: str) -> list[dict[str, Any]]:
    def is_so() -> bool:
        rows = editor.published.get(cell(number), [])
        return bool(rows) and [each["code"] for each in rows[-1]["diagnostics"]] == list(codes)

    editor.wait(is_so)
    found: list[dict[str, Any]] = editor.published[cell(number)][-1]["diagnostics"]
    return found


def change(editor: Editor, notebook: dict[str, Any], version: int, **cells: object) -> None:
    notebook["version"] = version
    editor.tell("notebookDocument/didChange", notebookDocument=notebook, change={"cells": cells})


def test_cells_are_one_program(tmp_path: Path) -> None:
    sources: list[dict[str, Any]] = [
        {"cell_type": "code", "metadata": {}, "source": REUSE, "outputs": [], "execution_count": None},
    ]
    raw = json.dumps({"cells": sources, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    write(tmp_path, {"pyproject.toml": "", "nb.ipynb": raw})
    name = {"uri": uri(tmp_path / "nb.ipynb")}
    with Editor([tmp_path]) as editor:
        cells = [{"kind": 1 if number == 0 else 2, "document": cell(number)} for number in range(4)]
        documents = [document(number, text) for number, text in enumerate(CELLS)]
        opened = {**name, "notebookType": "jupyter-notebook", "version": 1, "cells": cells}
        editor.tell("notebookDocument/didOpen", notebookDocument=opened, cellTextDocuments=documents)
        (found,) = shows(editor, 3, "JAX101")
        assert found["range"]["start"] == {"line": 0, "character": 22}
        assert "on line 1 of cell 3" in found["message"]
        assert cell(2) in {each["location"]["uri"] for each in found["relatedInformation"]}
        known = editor.ask("textDocument/hover", textDocument={"uri": cell(1)}, position={"line": 1, "character": 8})[
            "contents"
        ]["value"]
        assert "random key" in known

        edit = {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}, "text": "x = 1\n"}
        text = {"document": {"uri": cell(3), "version": 2}, "changes": [edit]}
        change(editor, {**name}, 2, textContent=[text])
        editor.wait(lambda: editor.published[cell(3)][-1]["diagnostics"][0]["range"]["start"]["line"] == 1)
        where = {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 0}}
        offered = editor.ask(
            "textDocument/codeAction", textDocument={"uri": cell(3)}, range=where, context={"diagnostics": []}
        )
        ((here,),) = [[each for each in offered if each["title"] == "Ignore JAX101 here"]]
        ((changed,),) = [here["edit"]["documentChanges"]]
        assert changed["textDocument"] == {"uri": cell(3), "version": 2}
        assert changed["edits"][0]["newText"].endswith("# jax: ignore[JAX101] TODO: why")

        new = {"kind": 2, "document": cell(4)}
        array = {"start": 2, "deleteCount": 1, "cells": [new]}
        structure = {"array": array, "didOpen": [document(4, "a = 2")], "didClose": [{"uri": cell(2)}]}
        change(editor, {**name}, 3, structure=structure)
        shows(editor, 3)
        gone = [{"uri": cell(number)} for number in (0, 1, 4, 3)]
        editor.tell("notebookDocument/didClose", notebookDocument=name, cellTextDocuments=gone)
        assert editor.end() == 0
