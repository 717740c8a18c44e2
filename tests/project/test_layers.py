"""Imports go down only, libcst stays in one place, JAX in one, and there it waits until it is used."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from typing import NamedTuple

import pytest

from tests.support import slices
from tests.support.sources import MODULES, PACKAGE, parsed

# From the bottom up; a module may import its own layer and those before it.
LAYERS = (
    ("__init__", "call_room", "digests", "lazy_dataclasses", "lazy_patterns", "model"),
    ("syntax",),
    ("ir",),
    ("domain",),
    ("api",),
    ("analysis",),
    ("rules",),
    ("fixes",),
    ("driver/__init__", "driver/equivalents", "driver/gave_up"),
    ("driver/selection", "driver/sources", "driver/statistics"),
    ("driver/fingerprints", "driver/gitignore", "driver/interrupts", "driver/silencing"),
    ("driver/baseline", "driver/reporters"),
    ("cache",),
    ("driver/messages",),
    ("driver/asking",),
    ("driver/projects",),
    ("driver/remedies",),
    ("driver/linter",),
    ("driver/explaining",),
    ("driver/live",),
    ("driver/serving",),
    ("driver/checking", "driver/reducing", "driver/scheduling"),
    ("driver/fixing", "driver/processes"),
    ("driver/revisions", "driver/upgrading"),
    ("runtime", "server"),
    ("driver/plugin", "driver/cli"),
    ("__main__", "confirm"),
)
RANK = {name: rank for rank, layer in enumerate(LAYERS) for name in layer}
# Inside of the analysis: what all rooms share, then values and places, what is known of bodies, effects and summaries,
# evaluation, calls and transforms, the files of a project, and what is shown of all that.
ROOMS = (
    ("",),
    ("objects",),
    ("labels", "liveness"),
    ("checks", "summaries"),
    ("evaluate",),
    ("calls",),
    ("interpreter",),
    ("modules",),
    ("interpretation",),
    ("windows",),
)
ROOM_RANK = {name: rank for rank, layer in enumerate(ROOMS) for name in layer}
# A rule sees events, findings and what a rule is; how the events came about is not its business.
RULE_MAY_IMPORT = {"analysis.checks.context", "model.diagnostic", "rules.rule"}


@cache
def imports(module: str) -> list[str]:
    """Every module that a module imports, wherever in it, but for names of types under `if TYPE_CHECKING`."""
    found: list[str] = []
    for node in [
        inner for statement in parsed(module).body if not is_of_types(statement) for inner in ast.walk(statement)
    ]:
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}:{node.lineno}: relative import"
            name = node.module or ""
            inside = name == "flake8_jax" or (PACKAGE.parent / name.replace(".", "/")).is_dir()
            found += [f"{name}.{alias.name}" if inside else name for alias in node.names]
    return found


def is_of_types(statement: ast.stmt) -> bool:
    """Is a statement `if TYPE_CHECKING`?"""
    return isinstance(statement, ast.If) and ast.unparse(statement.test) == "TYPE_CHECKING"


def rank_of(module: str) -> int:
    """How far up a module stands; names that its package defines stand as low as any."""
    parts = module.split("/")
    return next((RANK[name] for name in ("/".join(parts[:2]), parts[0]) if name in RANK), 0)


def test_imports_go_down() -> None:
    offenders = [
        f"{module} imports {name}"
        for module in MODULES
        for name in imports(module)
        if "flake8_jax." in name and rank_of(name.removeprefix("flake8_jax.").replace(".", "/")) > rank_of(module)
    ]
    assert not offenders, "\n".join(offenders)


MOST_IN_A_CIRCLE = 4


def imported(module: str) -> set[str]:
    """The modules of the package that one imports, for types only included."""
    froms = [node for node in ast.walk(parsed(module)) if isinstance(node, ast.ImportFrom)]
    names = {f"{node.module}.{alias.name}" for node in froms for alias in node.names} | {node.module for node in froms}
    return {(name or "").removeprefix("flake8_jax.").replace(".", "/") for name in names} & set(MODULES) - {module}


def room_rank(module: str) -> int:
    """The layer of a module of the analysis."""
    room, _, rest = module.removeprefix("analysis/").partition("/")
    return ROOM_RANK[room] if rest or room in ROOM_RANK else ROOM_RANK[""]


def test_imports_inside_the_analysis_go_down() -> None:
    offenders = [
        f"{module} imports {name}"
        for module in MODULES
        if module.startswith("analysis/") and module != "analysis/__init__"
        for name in imports(module)
        if name.startswith("flake8_jax.analysis.")
        and room_rank(name.removeprefix("flake8_jax.").replace(".", "/")) > room_rank(module)
    ]
    assert not offenders, "\n".join(offenders)


def test_import_circles_are_small() -> None:
    graph = {module: imported(module) for module in MODULES}
    reached = {module: reachable(graph, module) for module in MODULES}
    circles = {frozenset(one for one in found if module in reached[one]) for module, found in reached.items()}
    offenders = [", ".join(sorted(circle)) for circle in circles if len(circle) > MOST_IN_A_CIRCLE]
    assert not offenders, "\n".join(offenders)


def reachable(graph: dict[str, set[str]], start: str) -> set[str]:
    """What can be reached from a node, itself only by a way back."""
    found: set[str] = set()
    waiting = [start]
    while waiting:
        for one in graph[waiting.pop()] - found:
            found.add(one)
            waiting.append(one)
    return found


def foreign_to_a_rule(module: str) -> Iterator[str]:
    """What the module of a rule imports that is neither allowed by name nor an event."""
    froms = [node for node in ast.walk(parsed(module)) if isinstance(node, ast.ImportFrom)]
    allowed = {f"flake8_jax.{name}" for name in RULE_MAY_IMPORT}
    for node in froms:
        name = node.module or ""
        if not name.startswith("flake8_jax.") or name in allowed:
            continue
        is_of_text = name in ("flake8_jax.syntax.directives", "flake8_jax.syntax.namesakes")
        if not is_of_text and not name.startswith("flake8_jax.analysis.checks."):
            yield name
            continue
        place = {"span"} if is_of_text else {"op", "context"}
        for alias in node.names:
            found = getattr(importlib.import_module(name), alias.name)
            if not is_dataclass(found) or not place <= {field.name for field in fields(found)}:
                yield f"{name}.{alias.name}, which is no event"


def test_rules_see_events_only() -> None:
    rules = [module for module in MODULES if module.startswith("rules/jax")]
    assert rules
    offenders = [f"{module} imports {name}" for module in rules for name in foreign_to_a_rule(module)]
    assert not offenders, "\n".join(offenders)


class Keeper(NamedTuple):
    """What may be imported at some places only: the beginnings of its names, and of the modules that may."""

    what: tuple[str, ...]
    places: tuple[str, ...]


KEPT = (
    Keeper(("jax.", "jaxlib.", "numpy.", "flax."), ("runtime/",)),
    Keeper(("libcst.",), ("syntax/", "fixes/trees.")),
    Keeper(("libcst.matchers.", "libcst.codemod."), ()),  # they are slow to import
    Keeper(("libcst.metadata.",), ("syntax/positions.",)),
    Keeper(("flake8_jax.runtime.",), ("runtime/", "driver/cli/", "confirm.")),
    Keeper(("flake8_jax.server.",), ("server/", "driver/cli/")),
    Keeper(("pygls.", "lsprotocol."), ("server/",)),
    Keeper(("flake8_jax.analysis.windows.",), ("analysis/windows/", "driver/")),  # they are looked through from outside
)


@pytest.mark.parametrize("kept", KEPT, ids=lambda kept: kept.what[0])
def test_what_keeps_its_place(kept: Keeper) -> None:
    offenders = [
        f"{module} imports {name}"
        for module in MODULES
        if not f"{module}.".startswith(kept.places)
        for name in imports(module)
        if f"{name}.".startswith(kept.what)
    ]
    assert not offenders, "\n".join(offenders)


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


def rooms(module: str) -> list[str]:
    """What being the first may depend on: the folder that a module is in, and those that it imports from itself."""
    return [f"in {module.rpartition('/')[0]}", *(f"from {one.rpartition('/')[0]}" for one in imported(module))]


@pytest.mark.slow
@slices.sliced
def test_each_module_can_be_the_first() -> None:
    modules = [module for module in MODULES if not module.startswith("runtime/") and "__" not in module]
    some = [f"flake8_jax.{module.replace('/', '.')}" for module in slices.taken(modules, rooms)]
    subprocess.run([sys.executable, "-c", FIRST, *some], check=True)
