"""What a tree of files binds and does, as text: what a name holds, what a function demands, what is found."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from flake8_jax.analysis.callables import FunctionValue, Partial, Wrapped, class_behind, underlying
from flake8_jax.analysis.checks.keys.sinks import Sink
from flake8_jax.analysis.checks.output import Output
from flake8_jax.analysis.evaluator import summary_of
from flake8_jax.analysis.evidence import Need
from flake8_jax.analysis.imports import ImportTarget
from flake8_jax.analysis.interpretation import deep_recursion
from flake8_jax.analysis.modules.linking import LinkedProject
from flake8_jax.api.table import Table, load
from flake8_jax.domain.kinds import API, FUNCTIONS, HOST_CONSTANTS
from flake8_jax.domain.payload import ModuleAt, Reason
from flake8_jax.domain.staging import Dependences, Input
from flake8_jax.domain.value import Value
from flake8_jax.driver.linter import lint
from flake8_jax.driver.projects import Projects
from flake8_jax.model.config import Config
from flake8_jax.model.diagnostic import Diagnostic
from flake8_jax.model.report import Report
from flake8_jax.syntax.project import Project
from flake8_jax.syntax.source import SourceFile
from tests.support.layouts import tree

ROOT = {"pyproject.toml": ""}
"""The file that makes a folder a project."""

APART = Config(no_store=True)
_table: list[Table] = []


def table() -> Table:
    """The table of the installed JAX, read once."""
    if not _table:
        _table.append(load())
    return _table[0]


def linked(folder: Path, files: Mapping[str, str | bytes]) -> LinkedProject:
    """The files of a new project."""
    return LinkedProject(Project(tree(folder, {**ROOT, **files})), table())


def held(files: LinkedProject, name: str, path: str = "use.py") -> str:
    """What a file binds to a name, once it has run."""
    assert files.project is not None
    with deep_recursion():
        file = files.file(os.path.join(files.project.root, path))
        return "nothing" if file is None else told(files, file.value(name))


def told(files: LinkedProject, value: Value | None) -> str:
    """A value, as tables write it."""
    if value is None:
        return "nothing"
    if isinstance(value.payload, ImportTarget):
        value = value.payload.value()
    payload = value.payload
    shown = files.project.shown if files.project is not None else str
    if isinstance(payload, Reason):
        return f"unknown: {payload.reason}"
    if isinstance(payload, ModuleAt):
        return f"module {shown(payload.path)}"
    if value.kind in FUNCTIONS:
        return _called(files, value)
    owner = class_behind(payload)
    if owner is not None:
        return f"{value.kind.value} {owner.name} of {shown(owner.function.anchor.origin.path)}"
    if value.kind in HOST_CONSTANTS:
        return repr(value.constant)
    if value.elements is not None or value.entries is not None:
        return f"{value.kind.value} of {', '.join(told(files, part) for part in value.parts)}"
    return value.name if value.kind is API else value.kind.value


def _called(files: LinkedProject, value: Value) -> str:
    payload = value.payload
    if isinstance(payload, Wrapped):
        return f"{payload.applied.transform.name}({told(files, payload.callee)})"
    if isinstance(payload, Partial):
        bound = [told(files, argument) for argument in payload.arguments.values()]
        return f"partial({', '.join([told(files, payload.callee), *bound])})"
    function = underlying(value)
    assert function is not None
    assert files.project is not None
    return f"{files.project.shown(function.function.anchor.origin.path)}: {function.function.qualname}"


def function(files: LinkedProject, path: str, name: str) -> FunctionValue:
    """A function at the top level of a file."""
    assert files.project is not None
    file = files.file(os.path.join(files.project.root, path))
    value = file.value(name) if file is not None else None
    found = underlying(value) if value is not None else None
    assert found is not None, f"{name} of {path} is no function"
    return found


def signature(files: LinkedProject, path: str, name: str) -> str:
    """What a call of a function demands, uses up, does and returns, a line for each."""
    with deep_recursion():
        found = summary_of(files.program, function(files, path, name))
    lines = [
        f"{type(needed).__name__} of {_inputs(needed.dependences)} at {_place(needed.op)} via {_chain(one.chain)}"
        for one in found.requires.effects
        if isinstance(needed := one.evidence, Need)
    ]
    sinks = found.requires.effects.of(Sink)
    lines += [f"key {getattr(sink.target, 'name', '-')} used by {sink.use.by}" for sink, _ in sinks]
    outputs = found.requires.effects.of(Output)
    lines += [f"{output.channel} at {_place(output.op)} via {_chain(effect.chain)}" for output, effect in outputs]
    return "\n".join([*lines, f"returns {told(files, found.returns)}"])


def _inputs(dependences: Dependences) -> str:
    return "+".join(sorted(one.name for one in dependences if isinstance(one, Input))) or "what is made there"


def _place(op: object) -> str:
    anchor = op.anchor  # type: ignore[attr-defined]
    return f"{anchor.origin.shown}:{anchor.line}"


def _chain(chain: Sequence[object]) -> str:
    return " > ".join(f"{hop.path}:{hop.line}" for hop in chain) or "-"  # type: ignore[attr-defined]


def judged(folder: Path, name: str, projects: Projects | None = None, config: Config = APART) -> Report:
    """The report on a file of a folder."""
    return lint(SourceFile.read(str(folder / name)), config, projects or Projects(config))


def found(folder: Path, *names: str, projects: Projects | None = None, config: Config = APART) -> list[str]:
    """What is found in files of a folder, each a row; without `projects`, each file alone."""
    reports = [judged(folder, name, projects, config) for name in names]
    return [row(folder, diagnostic) for report in reports for diagnostic in report.diagnostics]


def row(folder: Path, diagnostic: Diagnostic) -> str:
    """A finding, with its path relative to a folder."""
    path = os.path.relpath(diagnostic.path, folder).replace(os.sep, "/")
    return f"{path}:{diagnostic.span.line}:{diagnostic.span.column}: {diagnostic.code} {diagnostic.message}"


def agreed(folder: Path, *names: str) -> list[str]:
    """What is found in files, which must be the same for each alone, for all in order, and for all in reverse."""
    alone = sorted(found(folder, *names))
    for order in (names, names[::-1]):
        assert sorted(found(folder, *order, projects=Projects(APART))) == alone, f"in the order {order}"
    return alone
