"""What modules do to start JAX where they are imported, and which files are scripts.

from .tables import SINES           tables.py computes at its top: the backend starts here
from .config import setup           config.py imports JAX: what JAX reads of the environment is read

The statements of a file are followed in order, imports of files of the project in their place.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Sequence
from typing import Protocol

from flake8_jax.analysis.record import Record
from flake8_jax.domain.provenance import Use
from flake8_jax.domain.startup import PhaseReached, StartPhase, StartSteps, added
from flake8_jax.ir import ops
from flake8_jax.ir.walking import within
from flake8_jax.syntax.index import Statement
from flake8_jax.syntax.project import Place, Project
from flake8_jax.syntax.source import FRAMEWORKS
from flake8_jax.syntax.tests import is_test_file

MAXIMUM_FILES = 60
"""How many files are followed from one import."""

SCRIPTED = frozenset(("print", "show", "savefig", "main", "parse_args"))


class StartingUnit(Protocol):
    """A statement at the top of a file, with the record of its run."""

    statement: Statement
    record: Record


class StartingFile(Protocol):
    """A file, as far as what it does at its top is concerned."""

    @property
    def path(self) -> str:
        """The path of the file."""

    @property
    def shown(self) -> str:
        """The path in messages."""

    @property
    def top_statements(self) -> Sequence[StartingUnit]:
        """Its statements, in order."""

    @property
    def is_notebook(self) -> bool:
        """Was it made of the cells of a notebook?"""

    @property
    def is_imported(self) -> bool:
        """Does a file of the project import it?"""

    @property
    def source_text(self) -> str:
        """The text of the file."""

    def run_number(self, number: int) -> None:
        """Run a statement, by its number."""

    def text_of(self, number: int) -> str:
        """The text of a statement."""

    def body_of(self, number: int) -> ops.Body:
        """The ops of a statement."""


class StartingFiles(Protocol):
    """The files of a project."""

    @property
    def project(self) -> Project | None:
        """The project."""

    def file(self, path: str) -> StartingFile | None:
        """The file at a path."""


def is_jax(dotted: str) -> bool:
    """Does the import of a library import JAX?"""
    root = dotted.partition(".")[0]
    return (root.startswith("jax") and root != "jaxlib") or (root in FRAMEWORKS and root != "pallas")


def steps_before(linked: StartingFiles, file: StartingFile, number: int) -> StartSteps:
    """What the statements of a file do that stand before one of them, on every path."""
    steps: StartSteps = ()
    for place, unit in enumerate(file.top_statements[:number]):
        if unit.statement.kind == "import":
            steps = added(steps, imports_of(linked, file, place))
        elif unit.statement.kind != "main":
            file.run_number(place)
            steps = added(steps, (one for one in unit.record.started if not one.path))
    return steps


def imports_of(linked: StartingFiles, file: StartingFile, number: int) -> StartSteps:
    """The steps of an import statement: JAX is imported, or files of the project are."""
    found: StartSteps = ()
    for op in (part for one in file.body_of(number) for part in within(one)):
        if type(op) is ops.Imported:
            found = added(found, steps_of_import(linked, file.path, file.shown, op))
    return found


def steps_of_import(linked: StartingFiles, path: str, shown: str, op: ops.Imported) -> StartSteps:
    """The steps of the import of one name in the file at `path`."""
    dotted = op.qualified.removesuffix(".*")
    use = Use(shown, op.anchor.line, f"import {dotted.partition('.')[0]}")
    files = _files_of(linked, path, op.level, dotted)
    if not files:
        return (PhaseReached("imported", op, use, (), ()),) if not op.level and is_jax(dotted) else ()
    return tuple(PhaseReached("imported", op, use, (), (), file=file) for file in files)


def _files_of(linked: StartingFiles, importer: str, level: int, dotted: str) -> list[str]:
    """The files of the project that an import runs, in order."""
    project = linked.project
    place = project.find(importer, level, dotted) if project is not None else None
    if project is not None and place is None and not level and (own := _own_part(linked, project, importer, dotted)):
        return [own] if own != importer else []
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
    return [
        package for package in dict.fromkeys((*packages, *found)) if package.endswith(".py") and package != importer
    ]


def _own_part(linked: StartingFiles, project: Project, importer: str, dotted: str) -> str:
    """The part that a package imports of itself by its own name, where its folder has another one.

    `from player.device import apply` in `__init__.py`, beside which `device.py` lies, in a clone called `player-main`.
    """
    root, _, rest = dotted.partition(".")
    around = os.path.dirname(importer)
    if root == "jax" or root in FRAMEWORKS or not rest or os.path.basename(around) == root:
        return ""
    init = os.path.join(around, "__init__.py")
    while linked.file(above := os.path.join(os.path.dirname(os.path.dirname(init)), "__init__.py")) is not None:
        init = above
    below = project.submodule(init, rest.partition(".")[0]) if linked.file(init) is not None else None
    return below if isinstance(below, str) and below != "ambiguous" else ""


def step_of_packages(linked: StartingFiles, path: str, phase: StartPhase) -> Use | None:
    """Where the packages around a file take JAX to a phase, before it is imported itself.

    A package is followed up to its import of the file: what stands behind that comes later.
    """
    project = linked.project
    root = os.path.join(os.path.abspath(project.root), "") if project is not None else ""
    around, packages = os.path.dirname(os.path.abspath(path)), list[str]()
    while root and around.startswith(root) and linked.file(init := os.path.join(around, "__init__.py")) is not None:
        packages.insert(0, init)
        around = os.path.dirname(around)
    for package in packages:
        seen = {package}
        found = _step_of(linked, package, phase, seen, path) if package != path else None
        if found is not None or path in seen or package == path:
            return found
    return None


def step_of_import(linked: StartingFiles, path: str, phase: StartPhase) -> Use | None:
    """Where the import of a file takes JAX to a phase, itself or by what it imports; None if it does not."""
    return _step_of(linked, path, phase, {path})


def _step_of(linked: StartingFiles, path: str, phase: StartPhase, seen: set[str], until: str = "") -> Use | None:
    """The step of a file; the search ends where it comes to another one, which it adds to those that were `seen`."""
    file = linked.file(path)
    for number, unit in enumerate(file.top_statements if file is not None else ()):
        assert file is not None
        if unit.statement.kind == "import":
            found = _step_of_statement(linked, file, unit.statement, phase, seen, until)
            if found is not None or until in seen:
                return found
        elif phase != "imported" and unit.statement.kind != "main":
            file.run_number(number)
            for step in unit.record.started:
                if not step.path and isinstance(step, PhaseReached) and step.phase == phase:
                    return step.use
    return None


def _step_of_statement(
    linked: StartingFiles, file: StartingFile, statement: Statement, phase: StartPhase, seen: set[str], until: str
) -> Use | None:
    for level, module, name, _ in statement.imports:
        dotted = ".".join(part for part in (module, name) if part and part != "*")
        files = _files_of(linked, file.path, level, dotted)
        if not files and not level and phase == "imported" and is_jax(dotted):
            return Use(file.shown, statement.line, f"import {dotted.partition('.')[0]}")
        for path in files:
            if path not in seen and len(seen) < MAXIMUM_FILES:
                seen.add(path)
                found = _step_of(linked, path, phase, seen, until) if path != until else None
                if found is not None or until in seen:
                    return found
    return None


def is_script(file: StartingFile) -> bool:
    """Is a file run, not imported: has it a `__main__` guard, is it a test or a notebook, or does its top show what it
    has computed?"""
    if file.is_notebook or is_test_file(file.path) or file.source_text.startswith("#!"):
        return True
    units = file.top_statements
    if any(unit.statement.kind == "main" for unit in units) or "__main__" in file.source_text:
        return True
    others = [number for number, unit in enumerate(units) if unit.statement.kind == "other"]
    if not file.is_imported and any(_binds_variables(file, number) and _starts(file, number) for number in others):
        return True
    bound, of_jax = _bound(file)
    return any(
        _runs(file, other, bound, of_jax) or (not units[other].statement.binds and _starts(file, other))
        for other in others
    )


def _bound(file: StartingFile) -> tuple[set[str], set[str]]:
    """The names that a file binds, and those that it imports from JAX."""
    bound, of_jax = set[str](), set[str]()
    for each in file.top_statements:
        if each.statement.kind != "import":
            bound.update(each.statement.binds)
        elif any(not level and is_jax(module or name) for level, module, name, _ in each.statement.imports):
            of_jax.update(each.statement.binds)
    return bound, of_jax


def _starts(file: StartingFile, number: int) -> bool:
    """Does a statement that binds nothing start the backend?"""
    file.run_number(number)
    steps = file.top_statements[number].record.started
    return any(isinstance(step, PhaseReached) and step.phase == "started" for step in steps)


def _binds_variables(file: StartingFile, number: int) -> bool:
    """Does a statement bind names that are written as those of variables: neither as constants nor as private?"""
    names = file.top_statements[number].statement.binds
    return any(name.upper() != name and not name.startswith("_") for name in names)


def _runs(file: StartingFile, number: int, bound: set[str], of_jax: set[str]) -> bool:
    """Does a statement call a function of the file, or show a value of it, for nothing but that?"""
    try:
        tree = ast.parse(file.text_of(number))
    except SyntaxError:
        return False
    for node in (
        statement for statement in tree.body if not isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign))
    ):
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
