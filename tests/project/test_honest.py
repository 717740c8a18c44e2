"""What keeps the linter honest: it names nobody's code, and it neither imports nor runs what it judges."""

from __future__ import annotations

import ast
import csv
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = sorted(
    path for path in (ROOT / "src" / "flake8_jax").rglob("*.py") if "api" not in path.relative_to(ROOT).parts
)
LIBRARIES = {
    "analysis/evaluate/exceptions.py": {"flax", "chex"},  # their contexts leave the program's objects alone
    "analysis/liveness/tables.py": {
        "chex",
        "flax",
        "numpyro",
    },  # shapes alone, initializers, effects; what folds names into keys
    "analysis/calls/library.py": {"flax", "chex"},  # decorators that make frozen dataclasses
    "analysis/summaries/making.py": {"equinox", "flax"},  # base classes whose instances are frozen
    "syntax/source.py": None,  # the gate: names of frameworks, which open a file and say nothing of it
}


# What runs fixtures must know whose frames and wrappers it meets on the stack.
NAMES_OF_JAX = {"debug_print", "io_callback", "pure_callback", "tree_flatten"}
FRAMEWORKS = {"equinox", "flax", "haiku", "jax", "jaxlib", "optax"}
# Libraries whose functions are measured, by name.
MEASURED = {"brax", "chex", "distrax", "dm-haiku", "numpyro", "rlax"}


def strings(path: Path) -> list[str]:
    """The string constants of a module that are no docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documented = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    constants = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return [str(node.value) for node in constants if id(node) not in documented]


@cache
def projects() -> set[str]:
    """The names under which the corpus's packages are installed and imported."""
    with (ROOT / "tests" / "corpus" / "packages.csv").open(encoding="utf-8") as file:
        names = {row["pypi_name"] for row in csv.DictReader(file)}
    return names | {name.replace("-", "_") for name in names} | {name.removeprefix("dm-") for name in names}


@cache
def functions_of_fixtures() -> set[str]:
    """The functions that fixtures define, but for names that are ordinary words of the linter's own trade."""
    found: set[str] = set()
    for path in (ROOT / "fixtures").rglob("*.py"):
        if "py31" in path.name or path.name.startswith("py3") or "suppressions" in path.parts:
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        found |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    return {name for name in found if "_" in name.strip("_")}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT / "src" / "flake8_jax")))
def test_no_string_names_a_project_or_a_fixture(path: Path) -> None:
    place = str(path.relative_to(ROOT / "src" / "flake8_jax"))
    allowed = FRAMEWORKS if place.startswith("runtime/") else LIBRARIES.get(place, set())
    if place.startswith("runtime/measuring/"):
        allowed = FRAMEWORKS | MEASURED
    words = {word for text in strings(path) for word in re.findall(r"[A-Za-z_][\w-]*", text)}
    if allowed is not None:
        assert not words & (projects() - allowed)
    dunder = {name for name in functions_of_fixtures() if name.startswith("__")}
    assert not words & (functions_of_fixtures() - dunder - NAMES_OF_JAX)


EXPLOSIVE = """
import pathlib
pathlib.Path("ran").write_text("the linted code was run")
raise SystemExit("the linted code was imported")
"""


@pytest.mark.parametrize("front", [["-m", "flake8_jax", "check"], ["-m", "flake8", "--select", "JAX"]])
def test_linting_imports_and_runs_nothing_of_the_code(front: list[str], tmp_path: Path) -> None:
    (tmp_path / "trap.py").write_text(EXPLOSIVE)
    (tmp_path / "sitecustomize_trap.py").write_text(EXPLOSIVE)
    code = (
        "import jax\nimport trap\nfrom trap import *\nx = jax.numpy.zeros(3)\nx[0] = 1\nexec(open('trap.py').read())\n"
    )
    (tmp_path / "linted.py").write_text(code)
    run = [sys.executable, *front, "linted.py"]
    done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    assert "JAX201" in done.stdout, done.stderr
    assert not (tmp_path / "ran").exists()
    assert "linted code" not in done.stdout + done.stderr
