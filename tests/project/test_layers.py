"""Imports go down only, libcst stays in one place, JAX in one, and there it waits until it is used."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

from tests.support import slices

SOURCE = Path(__file__).parents[2] / "src" / "flake8_jax"
MODULES = sorted(path.relative_to(SOURCE).with_suffix("").as_posix() for path in SOURCE.rglob("*.py"))

# From the bottom up; a module may import its own layer and those before it.
LAYERS = (
    ("__init__", "model"),
    ("syntax",),
    ("ir",),
    ("domain",),
    ("api",),
    ("analysis",),
    ("rules",),
    ("fixes",),
    ("driver/__init__", "driver/gave_up", "driver/selection", "driver/sources", "driver/statistics"),
    ("driver/fingerprints", "driver/gitignore", "driver/interrupts", "driver/silencing"),
    ("driver/baseline", "driver/reporters"),
    ("cache",),
    ("driver/projects",),
    ("driver/linter",),
    ("driver/checking", "driver/explaining", "driver/scheduling"),
    ("driver/fixing", "driver/processes"),
    ("driver/revisions",),
    ("runtime",),
    ("driver/plugin", "driver/cli"),
    ("__main__",),
)
RANK = {name: rank for rank, layer in enumerate(LAYERS) for name in layer}
# A rule sees events, findings and what a rule is; how the events came about is not its business.
RULE_MAY_IMPORT = {"analysis.checks.context", "model.diagnostic", "rules.rule"}


def imports(module: str) -> Iterator[str]:
    """Every module that a module imports, wherever in it, but for names of types under `if TYPE_CHECKING`."""
    tree = ast.parse((SOURCE / f"{module}.py").read_text(encoding="utf-8"))
    types = [node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    tree.body = [node for node in tree.body if node not in types]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}:{node.lineno}: relative import"
            name = node.module or ""
            inside = name == "flake8_jax" or (SOURCE.parent / name.replace(".", "/")).is_dir()
            yield from (f"{name}.{alias.name}" if inside else name for alias in node.names)


def rank_of(module: str) -> int:
    """How far up a module stands; names that its package defines stand as low as any."""
    parts = module.split("/")
    return next((RANK[name] for name in ("/".join(parts[:2]), parts[0]) if name in RANK), 0)


@pytest.mark.parametrize("module", MODULES)
def test_imports_go_down(module: str) -> None:
    ours = [name.removeprefix("flake8_jax.").replace(".", "/") for name in imports(module) if "flake8_jax." in name]
    assert [name for name in ours if rank_of(name) > rank_of(module)] == []


MOST_IN_A_CIRCLE = 4


def imported(module: str) -> set[str]:
    """The modules of the package that one imports, for types only included."""
    tree = ast.parse((SOURCE / f"{module}.py").read_text(encoding="utf-8"))
    froms = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    names = {f"{node.module}.{alias.name}" for node in froms for alias in node.names} | {node.module for node in froms}
    return {(name or "").removeprefix("flake8_jax.").replace(".", "/") for name in names} & set(MODULES) - {module}


def test_import_circles_are_small() -> None:
    graph = {module: imported(module) for module in MODULES}
    reached = {module: reachable(graph, module) for module in MODULES}
    circles = {frozenset(one for one in found if module in reached[one]) for module, found in reached.items()}
    assert [sorted(circle) for circle in circles if len(circle) > MOST_IN_A_CIRCLE] == []


def reachable(graph: dict[str, set[str]], start: str) -> set[str]:
    """What can be reached from a node, itself only by a way back."""
    found: set[str] = set()
    waiting = [start]
    while waiting:
        for one in graph[waiting.pop()] - found:
            found.add(one)
            waiting.append(one)
    return found


@pytest.mark.parametrize("module", [module for module in MODULES if module.startswith("rules/jax")])
def test_rules_see_events_only(module: str) -> None:
    tree = ast.parse((SOURCE / f"{module}.py").read_text(encoding="utf-8"))
    froms = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
    ours = {node.module: node.names for node in froms if (node.module or "").startswith("flake8_jax.")}
    for name in ours.keys() - {f"flake8_jax.{name}" for name in RULE_MAY_IMPORT}:
        is_of_text = name in ("flake8_jax.syntax.directives", "flake8_jax.syntax.namesakes")
        assert is_of_text or (name or "").startswith("flake8_jax.analysis.checks.")
        found = [getattr(importlib.import_module(name or ""), alias.name) for alias in ours[name]]
        place = {"span"} if is_of_text else {"op", "context"}
        assert all(place <= {field.name for field in fields(one)} for one in found), "no event"


@pytest.mark.parametrize("module", MODULES)
def test_parsers_and_jax_keep_their_places(module: str) -> None:
    roots = {name.split(".")[0] for name in imports(module)}
    assert not roots & {"jax", "jaxlib", "numpy", "flax"} or module.startswith("runtime/")
    if "libcst" in roots:
        assert module.startswith("syntax/") or module == "fixes/trees"
    slow = ("libcst.matchers", "libcst.codemod") if module == "syntax/positions" else ("libcst.metadata",)
    assert not [name for name in imports(module) if name.startswith(("libcst.matchers", "libcst.codemod", *slow))]


@pytest.mark.parametrize("module", [module for module in MODULES if not module.startswith("runtime/")])
def test_nothing_imports_the_runtime_but_its_verb(module: str) -> None:
    names = {name for name in imports(module) if name.startswith("flake8_jax.runtime")}
    assert not names or module.startswith("driver/cli/")


WINDOWS = "analysis/windows/"


@pytest.mark.parametrize("module", [name for name in MODULES if not name.startswith((WINDOWS, "driver/"))])
def test_windows_are_looked_through_from_outside(module: str) -> None:
    assert not [name for name in imports(module) if name.startswith("flake8_jax.analysis.windows")]


# What of measuring the command line imports; the rest is for its worker processes.
LIGHT = {f"runtime/measuring/{name}" for name in ("command", "family", "files", "measure", "options")}


def test_the_runtime_imports_jax_only_when_it_runs() -> None:
    heavy = [module for module in MODULES if module.startswith("runtime/measuring/") and module not in LIGHT]
    modules = [module for module in MODULES if module.startswith("runtime/") and module not in heavy]
    names = [f"flake8_jax.{module.replace('/', '.')}" for module in modules]
    program = (
        f"import importlib, sys\nfor name in {names!r}: importlib.import_module(name)\nassert 'jax' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


FIRST = """
import sys
from importlib import import_module
for name in sys.argv[1:]:
    for known in [known for known in sys.modules if known.partition(".")[0] == "flake8_jax"]:
        del sys.modules[known]
    import_module(name)
"""


@pytest.mark.slow
def test_each_module_can_be_the_first() -> None:
    """A part of them; `FLAKE8_JAX_PART=1/1` imports all."""
    names = [f"flake8_jax.{module.replace('/', '.')}" for module in MODULES if not module.startswith("runtime/")]
    some = slices.of([name for name in names if "__" not in name], 4)
    subprocess.run([sys.executable, "-c", FIRST, *some], check=True)
