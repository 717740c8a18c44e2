"""python-lsp-server runs flake8, and so our rules: the same client sees their findings, of unsaved texts, too."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.support.commands import REUSE, STORE, write
from tests.support.editor import Editor

pytest.importorskip("pylsp")
pytestmark = pytest.mark.slow

OFF = ("autopep8", "jedi_completion", "jedi_definition", "mccabe", "preload", "pycodestyle", "pyflakes", "yapf")
PLUGINS = {"flake8": {"enabled": True, "select": ["JAX"]}, **{name: {"enabled": False} for name in OFF}}


def test_findings_come_through_flake8(tmp_path: Path) -> None:
    write(tmp_path, {"pyproject.toml": "", "a.py": REUSE})
    file = tmp_path / "a.py"
    with Editor([tmp_path], (sys.executable, "-m", "pylsp"), options={"pylsp": {"plugins": PLUGINS}}) as editor:
        editor.open(file)
        (found,) = editor.found(file)
        assert (found["code"], found["range"]["start"]) == ("JAX101", {"line": 4, "character": 22})
        editor.edit(file, 2, {"text": STORE})
        editor.shows(file, "JAX201")
        editor.save(file, REUSE.replace("b = ", "b = 1\nc = "))
        editor.shows(file, "JAX201")  # what is saved is the editor's text, which nobody changed
        editor.edit(file, 3, {"text": REUSE.replace("b = ", "b = 1\nc = ")})
        editor.shows(file, "JAX101")
        assert editor.end() == 0
