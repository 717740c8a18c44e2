"""What is imported, and that nothing of the linted code ever is."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.support.commands import REUSE, STORE, command, flake8, run, write

HEAVY = ("libcst", "jax", "numpy", "yaml", "json", "concurrent.futures", "flake8_jax.analysis", "flake8_jax.rules")

PLUGIN = """
import ast, sys
from flake8_jax.driver.plugin import Plugin
text = open("file.py").read()
rows = list(Plugin(ast.parse(text), "file.py", text.splitlines(True)).run())
"""
COMMAND = """
import sys
from flake8_jax.driver.cli.main import main
main(["check", "file.py"])
"""
REPORT = f"print([name for name in {HEAVY!r} if name in sys.modules])\n"


def imported(folder: Path, script: str) -> str:
    done = run([sys.executable, "-c", script + REPORT], folder)
    assert done.notes == ""
    return done.output.splitlines()[-1]


@pytest.mark.parametrize("script", [PLUGIN, COMMAND], ids=["plugin", "command"])
def test_a_file_without_jax_loads_nothing_heavy(tmp_path: Path, script: str) -> None:
    write(tmp_path, {"file.py": "import os\n\nprint(os.name)\n", "pyproject.toml": ""})
    assert imported(tmp_path, script) == "[]"
    write(tmp_path / "other", {"reuse.py": REUSE, "pyproject.toml": ""})
    assert command(tmp_path, "check", "other/reuse.py").status == 1
    assert imported(tmp_path, script) == "[]", "with a store from an earlier run"


@pytest.mark.parametrize("script", [PLUGIN, COMMAND], ids=["plugin", "command"])
def test_a_file_with_jax_loads_libcst_but_not_jax(tmp_path: Path, script: str) -> None:
    write(tmp_path, {"file.py": STORE})
    names = imported(tmp_path, script)
    assert "'libcst'" in names
    assert "'jax'" not in names
    assert "'numpy'" not in names


def test_only_the_plugins_own_modules_are_loaded_with_it(tmp_path: Path) -> None:
    script = "import sys, flake8_jax.driver.plugin\nprint(sorted(n for n in sys.modules if n.startswith('flake8_jax')))"
    done = run([sys.executable, "-c", script], tmp_path)
    assert done.output.strip() == str(
        [
            *("flake8_jax", "flake8_jax.driver", "flake8_jax.driver.plugin", "flake8_jax.lazy_dataclasses"),
            *("flake8_jax.lazy_patterns", "flake8_jax.model"),
            *("flake8_jax.model.codes", "flake8_jax.model.config", "flake8_jax.model.configurations"),
            *("flake8_jax.model.former", "flake8_jax.model.spelling"),
        ]
    )


def test_nothing_of_the_linted_code_runs(tmp_path: Path) -> None:
    trap = "open('ran', 'w').close()\n"
    write(tmp_path, {"store.py": trap + STORE, "jax/__init__.py": trap, "jax/numpy.py": trap, "libcst.py": trap})
    names = ["flake8", "flake8-jax"]
    done = [run([str(Path(sys.executable).with_name(name)), *words], tmp_path) for name, words in zip(
        names, (["--select=JAX"], ["check"]), strict=True
    )]  # fmt: skip
    assert [one.rows[-1].split(":")[:2] for one in done] == [["store.py", "5"]] * 2
    assert not (tmp_path / "ran").exists()


def test_silent_about_files_without_jax(tmp_path: Path) -> None:
    write(tmp_path, {"file.py": "x = [1]\nx[0] = 2\n", "broken.py": "x = (\n"})
    assert command(tmp_path, "check").rows == []
    assert flake8(tmp_path, "--select=JAX").rows == []
