"""What modules do to start JAX where they are imported, and which files are scripts.

from .tables import SINES           tables.py computes at its top: the backend starts here
from .config import setup           config.py imports JAX: what JAX reads of the environment is read

The statements of a file are followed in order, imports of files of the project in their place.
"""

from __future__ import annotations

import ast
import os
from typing import TYPE_CHECKING

from flake8_jax.domain.provenance import Use
from flake8_jax.domain.startup import PhaseReached, StartPhase, StartSteps, added
from flake8_jax.ir import ops
from flake8_jax.ir.walking import within
from flake8_jax.syntax.project import Place
from flake8_jax.syntax.source import FRAMEWORKS
from flake8_jax.syntax.tests import is_test_file

if TYPE_CHECKING:
    from flake8_jax.analysis.modules.files import File, Unit
    from flake8_jax.analysis.modules.linking import Linked

MAXIMUM_FILES = 60
"""How many files are followed from one import."""

SCRIPTED = frozenset(("print", "show", "savefig", "main", "parse_args"))


def is_jax(dotted: str) -> bool:
    """Does the import of a library import JAX?"""
    root = dotted.partition(".")[0]
    return (root.startswith("jax") and root != "jaxlib") or (root in FRAMEWORKS and root != "pallas")


def steps_before(linked: Linked, file: File, number: int) -> StartSteps:
    """What the statements of a file do that stand before one of them, on every path."""
    steps: StartSteps = ()
    for unit in file.units[:number]:
        if unit.statement.kind == "import":
            steps = added(steps, imports_of(linked, file, unit))
        elif unit.statement.kind != "main":
            file.run(unit)
            steps = added(steps, (one for one in unit.record.started if not one.path))
    return steps


def imports_of(linked: Linked, file: File, unit: Unit) -> StartSteps:
    """The steps of an import statement: JAX is imported, or files of the project are."""
    lowered = file.lowered(unit)
    found: StartSteps = ()
    for op in (part for one in (lowered.top.body if lowered is not None else ()) for part in within(one)):
        if type(op) is ops.Imported:
            found = added(found, steps_of_import(linked, file.path, file.namespace.path, op))
    return found


def steps_of_import(linked: Linked, path: str, shown: str, op: ops.Imported) -> StartSteps:
    """The steps of the import of one name in the file at `path`."""
    dotted = op.qualified.removesuffix(".*")
    use = Use(shown, op.anchor.line, f"import {dotted.partition('.')[0]}")
    files = _files_of(linked, path, op.level, dotted)
    if not files:
        return (PhaseReached("imported", op, use, (), ()),) if not op.level and is_jax(dotted) else ()
    return tuple(PhaseReached("imported", op, use, (), (), file=one) for one in files)


def _files_of(linked: Linked, importer: str, level: int, dotted: str) -> list[str]:
    """The files of the project that an import runs, in order."""
    project = linked.project
    place = project.find(importer, level, dotted) if project is not None else None
    if project is None or not isinstance(place, Place):
        return []
    found = [place.path]
    below = project.submodule(place.path, place.rest[0]) if place.rest else None
    if isinstance(below, str) and below != "ambiguous":
        found.append(below)
    around, packages = os.path.dirname(place.path), list[str]()
    while not level and len(around) > len(project.root) and not importer.startswith(around + os.sep):
        packages.insert(0, os.path.join(around, "__init__.py"))
        around = os.path.dirname(around)
    return [one for one in dict.fromkeys((*packages, *found)) if one.endswith(".py") and one != importer]


def step_of_import(linked: Linked, path: str, phase: StartPhase) -> Use | None:
    """Where the import of a file takes JAX to a phase, itself or by what it imports; None if it does not."""
    return _step_of(linked, path, phase, {path})


def _step_of(linked: Linked, path: str, phase: StartPhase, seen: set[str]) -> Use | None:
    file = linked.file(path)
    for unit in file.units if file is not None else ():
        assert file is not None
        if unit.statement.kind == "import":
            found = _step_of_statement(linked, file, unit, phase, seen)
            if found is not None:
                return found
        elif phase != "imported" and unit.statement.kind != "main":
            file.run(unit)
            for step in unit.record.started:
                if not step.path and isinstance(step, PhaseReached) and step.phase == phase:
                    return step.use
    return None


def _step_of_statement(linked: Linked, file: File, unit: Unit, phase: StartPhase, seen: set[str]) -> Use | None:
    for level, module, name, _ in unit.statement.imports:
        dotted = ".".join(part for part in (module, name) if part and part != "*")
        files = _files_of(linked, file.path, level, dotted)
        if not files and not level and phase == "imported" and is_jax(dotted):
            return Use(file.namespace.path, unit.statement.line, f"import {dotted.partition('.')[0]}")
        for path in files:
            if path not in seen and len(seen) < MAXIMUM_FILES:
                seen.add(path)
                found = _step_of(linked, path, phase, seen)
                if found is not None:
                    return found
    return None


def is_script(file: File) -> bool:
    """Is a file run, not imported: has it a `__main__` guard, is it a test or a notebook, or does its top show what it
    has computed?"""
    if file.is_notebook or is_test_file(file.path) or file.source_text.startswith("#!"):
        return True
    if any(unit.statement.kind == "main" for unit in file.units) or "__main__" in file.source_text:
        return True
    if not any(unit.statement.kind in ("def", "class") for unit in file.units) and not _has_constants_only(file):
        return True
    others = [unit for unit in file.units if unit.statement.kind == "other"]
    return any(_runs(file, unit) or (not unit.statement.binds and _starts(file, unit)) for unit in others)


def _starts(file: File, unit: Unit) -> bool:
    """Does a statement that binds nothing start the backend?"""
    file.run(unit)
    return any(isinstance(step, PhaseReached) and step.phase == "started" for step in unit.record.started)


def _has_constants_only(file: File) -> bool:
    """Are all names that the top of a file binds written as those of constants?"""
    return all(
        name.upper() == name for unit in file.units if unit.statement.kind == "other" for name in unit.statement.binds
    )


def _runs(file: File, unit: Unit) -> bool:
    """Does a statement call a function of the file, or show a value of it, for nothing but that?"""
    try:
        tree = ast.parse(file.text(unit))
    except SyntaxError:
        return False
    bound, of_jax = set[str](), set[str]()
    for each in file.units:
        if each.statement.kind != "import":
            bound.update(each.statement.binds)
        elif any(not level and is_jax(module or name) for level, module, name, _ in each.statement.imports):
            of_jax.update(each.statement.binds)
    for node in (one for one in tree.body if not isinstance(one, (ast.Assign, ast.AnnAssign, ast.AugAssign))):
        for call in ast.walk(node):
            if not isinstance(call, ast.Call):
                continue
            func = call.func
            if isinstance(func, ast.Name) and func.id in bound and not func.id.lstrip("_").startswith("register"):
                return True
            name = func.id if isinstance(func, ast.Name) else getattr(func, "attr", "")
            if name in SCRIPTED and (name != "print" or any(_is_computed(part, bound, of_jax) for part in call.args)):
                return True
    return False


def _is_computed(node: ast.expr, bound: set[str], of_jax: set[str]) -> bool:
    """Does an expression read a name that the file binds, or call something of JAX?"""
    for one in ast.walk(node):
        if isinstance(one, ast.Name) and one.id in bound:
            return True
        if isinstance(one, ast.Call):
            root: ast.AST = one.func
            while isinstance(root, ast.Attribute):
                root = root.value
            if isinstance(root, ast.Name) and root.id in of_jax:
                return True
    return False
