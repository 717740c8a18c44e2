"""Layers of which all that a project does is seen: programs that run them as they are, and no transform anywhere.

    model.py                            demo.py
    class Net(nn.Module):               from model import Net
        def __call__(self, x):          print(Net().apply(params, x))     shows what is in `x`, each time
            print(x)

By convention a layer is called in traces, for who writes one leaves that to others: to its importers, in the project or
elsewhere.  Where a program of the project applies it, and neither the files that import it nor what these import name
a transform, nobody traces it.  A test, and a file of layers that tries them out, are no programs: the layers are there
for others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from flake8_jax.analysis.callables import ClassValue
from flake8_jax.analysis.certainty import is_by_convention
from flake8_jax.analysis.modules.registrations import importing_files
from flake8_jax.analysis.objects.classes import library_bases
from flake8_jax.analysis.record import Record
from flake8_jax.domain.effects import Event
from flake8_jax.lazy_patterns import compiled
from flake8_jax.syntax.tests import is_test_file

if TYPE_CHECKING:
    from flake8_jax.analysis.modules.callers import Search
    from flake8_jax.analysis.modules.files import File

DOTTED = compiled(r"\b[^\W\d]\w*(?:\s*\.\s*\w+)+")
APPLIES = compiled(r"\.\s*apply\s*\(")
"""A call of the method that runs a layer with its parameters."""

TRACING = frozenset(("staged", "mapped", "differentiated"))
"""What a transform does that hands tracers to a function."""


def without_eager_layers(
    file: File, events: list[Event], search: Search | None, foreign: Iterable[Record]
) -> list[Event]:
    """The events without those in layers that programs of the project run, and nobody there traces."""
    if search is None or not any(map(is_by_convention, events)) or not _is_run_eagerly(file, search, foreign):
        return events
    return [event for event in events if not is_by_convention(event)]


def _is_run_eagerly(file: File, search: Search, foreign: Iterable[Record]) -> bool:
    paths = [*importing_files(search, file.path)]
    importing = [file.linked.file(path) if path is not None else None for path in paths]
    known = [one for one in importing if one is not None]
    if len(known) < len(importing) or any(map(_names_transform, _with_imported(search, [file, *known]))):
        return False
    return any(_runs_layers(one, file, foreign) for one in known)


def _runs_layers(program: File, home: File, foreign: Iterable[Record]) -> bool:
    """Is a file a program, with no layers of its own, that applies one or calls what the file of layers defines?"""
    if is_test_file(program.path) or not program.is_script or _defines_layers(program):
        return False
    if APPLIES.search(program.source_text) is not None:
        return True
    calls = (pair for record in foreign for pair in record.callers)
    return any(
        caller is not None and caller.anchor.origin.path == program.path and called.anchor.origin.path == home.path
        for called, caller in calls
    )


def _defines_layers(file: File) -> bool:
    """Does a file define a class of which a method is traced by convention?"""
    bound = (one for unit in file.units if unit.statement.kind == "class" for one in file.run(unit).values())
    bases = (base for value in bound if isinstance(value.payload, ClassValue) for base in library_bases(value.payload))
    return any(file.linked.program.table.traced_method(base, "__call__") for base in bases)


def _with_imported(search: Search, files: list[File]) -> Iterator[File]:
    """Some files, and all of the project that they import, through however many others."""
    seen = {file.path for file in files}
    for file in files:  # grows while it is gone through
        yield file
        project = search.project
        reached = (path for one in project.imports(file.path) for path in project.reached(file.path, one))
        for path in reached:
            imported = file.linked.file(path) if path not in seen and path.endswith(".py") else None
            seen.add(path)
            if imported is not None:
                files.append(imported)


def _names_transform(file: File) -> bool:
    """May a file name a transform?  Which name stands for which import is not asked."""
    project, table = file.linked.project, file.linked.program.table
    imports = project.imports(file.path) if project is not None else ()
    named = {one.dotted for one in imports if not one.level}
    modules = {".".join(parts[:end]) for parts in (one.split(".") for one in named) for end in range(1, len(parts) + 1)}
    below = {name.partition(".")[2] for name in _dotted(file)}
    dotted = (f"{module}.{name}" for module in filter(table.is_namespace, modules) for name in below)
    transforms = (found for name in (*named, *dotted) if (found := table.transform(name)) is not None)
    return any(transform.stage in TRACING for transform in transforms)


def _dotted(file: File) -> set[str]:
    """The dotted names in the code of a file."""
    return {re.sub(r"\s", "", name) for name in DOTTED.findall(file.source_text)}
