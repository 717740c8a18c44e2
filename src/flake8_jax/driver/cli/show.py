"""`flake8-jax show`: the ops of a file, the summaries of its functions, its events."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from flake8_jax.driver.cli.output import CLEAN, failed, warn, write
from flake8_jax.lazy_dataclasses import replace

if TYPE_CHECKING:
    from flake8_jax.analysis.interpretation import Findings
    from flake8_jax.analysis.modules.files import File


def show(options: argparse.Namespace) -> int:
    """Print the ops that a file is lowered to, the summaries of its functions, or its events."""
    from flake8_jax.syntax.source import NotPython, TooDeep, Unreadable

    text = _summaries if options.summaries else _events if options.events else _ops
    try:
        write(text(options.file))
    except (NotPython, TooDeep, Unreadable) as error:
        return failed(f"{options.file}: {error}")
    return CLEAN


def add_options(verb: argparse.ArgumentParser) -> None:
    """Add the options of `flake8-jax show` to a parser."""
    verb.add_argument("file", metavar="FILE")
    what = verb.add_mutually_exclusive_group()
    what.add_argument("--summaries", action="store_true", help="what each function requires, uses up, does and returns")
    what.add_argument("--events", action="store_true", help="what the rules are told, with the calls that lead there")


def _ops(path: str) -> str:
    from flake8_jax.ir.lower.files import lower
    from flake8_jax.ir.show import show as shown
    from flake8_jax.syntax.source import SourceFile

    return shown(lower(SourceFile.read(path)))


def _summaries(path: str) -> str:
    from flake8_jax.analysis.windows.summaries import summaries_text

    file, _ = _interpreted(path)
    return summaries_text(file)


def _events(path: str) -> str:
    from flake8_jax.analysis.windows.fields import events_text

    _, findings = _interpreted(path)
    return events_text(findings.events)


def _interpreted(path: str) -> tuple[File, Findings]:
    """Interpret a file in its project, as it is checked, but whatever was remembered of it."""
    from flake8_jax.driver.linter import interpreted_whole
    from flake8_jax.driver.projects import Projects
    from flake8_jax.model.configurations import Configurations

    projects = Projects(replace(Configurations().of(path), no_store=True), [path])
    source = projects.read(path)
    file, findings = interpreted_whole(source, projects.linked(source))
    for fault in findings.faults:
        warn(f"a defect of flake8-jax dropped {fault.what} at {fault.path}:{fault.line} ({fault.error})")
    return file, findings
