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

from tests.support.sources import MODULES, ROOT, parsed

LIBRARIES = {
    "analysis/evaluate/exceptions": {"flax", "chex"},  # their contexts leave the program's objects alone
    "analysis/labels/tables": {
        "chex",
        "flax",
        "numpyro",
    },  # shapes alone, initializers, effects; what folds names into keys
    "analysis/checks/advice/arrays": {"flax", "haiku"},  # their modules keep what a trace makes
    "analysis/checks/advice/branches": {"flax"},  # its loop, in whose body layers may stand
    "analysis/checks/compilation/unrolling": {"flax"},  # the same
    "analysis/checks/contracts/lost_updates": {"flax"},  # what puts a state into a model
    "analysis/calls/library": {"flax", "chex"},  # decorators that make frozen dataclasses
    "analysis/calls/definitions": {"equinox", "flax"},  # base classes whose instances are frozen
}
GATE = "syntax/source"
"""Names of frameworks, which open a file and say nothing of it."""


# What runs fixtures must know whose frames and wrappers it meets on the stack.
NAMES_OF_JAX = {"debug_print", "io_callback", "pure_callback", "tree_flatten", "tree_unflatten"}
FRAMEWORKS = {"equinox", "flax", "haiku", "jax", "jaxlib", "optax"}
# Libraries whose functions are measured, by name.
MEASURED = {"brax", "chex", "distrax", "dm-haiku", "numpyro", "orbax-checkpoint", "rlax"}


def strings(tree: ast.Module) -> list[str]:
    """The string constants of a module that are no docstrings."""
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


def forbidden(module: str) -> set[str]:
    """What no string of a module may name."""
    allowed = FRAMEWORKS if module.startswith("runtime/") else LIBRARIES.get(module, set())
    if module.startswith("runtime/measuring/"):
        allowed = FRAMEWORKS | MEASURED
    named = {name for name in functions_of_fixtures() if not name.startswith("__")} - NAMES_OF_JAX
    return named if module == GATE else named | (projects() - allowed)


def words_of(module: str) -> set[str]:
    """The words of the strings of a module."""
    return {word for text in strings(parsed(module)) for word in re.findall(r"[A-Za-z_][\w-]*", text)}


@pytest.mark.slow
def test_no_string_names_a_project_or_a_fixture() -> None:
    offenders = [
        f"{module} names {word}"
        for module in MODULES
        if not module.startswith("api/")
        for word in sorted(forbidden(module) & words_of(module))
    ]
    assert not offenders, "\n".join(offenders)


EXPLOSIVE = """
import pathlib
pathlib.Path("ran").write_text("the linted code was run")
raise SystemExit("the linted code was imported")
"""


@pytest.mark.slow
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
