"""A real client talks with the server over standard input."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls")

from tests.support.commands import REUSE, write
from tests.support.editor import Editor, uri

CLEAN = "import jax\n\nkey = jax.random.key(0)\n"


def test_open_edit_save_close(tmp_path: Path) -> None:
    write(tmp_path, {"pyproject.toml": "", "a.py": REUSE})
    file = tmp_path / "a.py"
    with Editor([tmp_path]) as editor:
        editor.open(file)
        (found,) = editor.found(file, 1)
        assert (found["code"], found["source"], found["severity"]) == ("JAX101", "flake8-jax", 2)
        assert found["range"]["start"]["line"] == 4
        places = [each["location"] for each in found["relatedInformation"]]
        assert {place["uri"] for place in places} == {uri(file)}
        assert {"line": 3, "character": 0} in [place["range"]["start"] for place in places]
        editor.edit(file, 2, {"text": CLEAN})
        assert editor.codes(file, 2) == []
        editor.edit(file, 3, {"range": _range(2, 0, 2, 0), "text": "x = jax.numpy.zeros(3)\nx[0] = 1\n"})
        assert editor.codes(file, 3) == ["JAX201"]
        editor.close(file)
        editor.shows(file, "JAX101")  # as it stands on the disk
        assert editor.end() == 0


def _range(*numbers: int) -> dict[str, Any]:
    line, character, end_line, end_character = numbers
    return {
        "start": {"line": line, "character": character},
        "end": {"line": end_line, "character": end_character},
    }
