"""A file could not be analysed, so that nothing in it was judged, or not all of it.

## What it does

Stands once in a file that could not be analysed: it cannot be read, is not Python, is nested too deeply to be
parsed safely, or met a defect of this tool. Where such a defect costs only a part - a function, a finding, a fix - the
line begins with "judged in part", stands where the first of these is, and says what it is; everything else in the file
is judged as ever. A cell of a notebook that is not Python is such a part, too: it has a line of its own, and the other
cells are judged; what it binds is not known in them. Single functions that are given up at a bound do not count here;
`--analysis-statistics` does.

## Why it is bad

Loud: the reason stands in the message. Silence about such a file is no sign that it is free of hazards. What is found
in a file that was judged in part is found again in the next run: it is not remembered.

## Instead

Repair what the message names. A file that needs a newer Python is read where flake8-jax runs with that:
`uvx --python 3.13 flake8-jax`, `pipx run --python 3.13 flake8-jax`, or `language_version: python3.13` in the
configuration of pre-commit. If the message names nothing that can be repaired, report it as a bug, with the file.

## When it stays silent

In files that cannot concern JAX, and in notebooks of other languages than Python. Under flake8 where flake8 itself has
said why (E999, E902), or its selection leaves it out. The command shows it whatever `--select` says and whatever
comment stands on the line: only `--ignore` and its like leave it out. A file with a line `# flake8: noqa` is not
checked at all.

## Fix safety

There is no fix.

## References

- `flake8-jax show FILE` prints what the analysis sees of a file, `flake8-jax explain FILE:LINE` of a line.
- `flake8-jax check --debug FILE` shows where a defect of this tool is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from flake8_jax.model.codes import UNJUDGED as CODE
from flake8_jax.model.codes import UNJUDGED_NAME as NAME
from flake8_jax.model.diagnostic import Diagnostic, Span
from flake8_jax.model.faults import Fault
from flake8_jax.model.report import Report

__all__ = ["CELL", "CODE", "NAME", "NOTEBOOK", "cell_gave_up", "for_a_newer_python", "gave_up", "in_part"]

CELL = "a cell of a notebook"
"""How statistics call a cell that is not Python, so that it was left out."""

NOTEBOOK = "a notebook; `flake8-jax check` reads it as one if its name ends in `.ipynb`"


def gave_up(path: str, reason: str, line: int = 1) -> Diagnostic:
    """The single diagnostic of a file that could not be analysed, with a one-line reason."""
    words = " ".join(reason.split())
    return Diagnostic(CODE, NAME, path, Span(line, 0, line, 0), f"could not be analysed: {words}")


def cell_gave_up(path: str, line: int, reason: str) -> Diagnostic:
    """The single diagnostic of a cell of a notebook that could not be analysed."""
    words = " ".join(reason.split())
    return Diagnostic(CODE, NAME, path, Span(line, 0, line, 0), f"this cell could not be analysed: {words}")


def in_part(path: str, faults: Sequence[Fault]) -> Diagnostic:
    """The single diagnostic of a file of which parts were dropped, at the first of those that stand in it."""
    first = next((fault for fault in faults if fault.path == path and fault.line), faults[0])
    is_here = first.path == path
    where = "" if is_here else f" on line {first.line} of {first.path}"
    more = f" and {len(faults) - 1} more" if len(faults) > 1 else ""
    text = f"judged in part: a defect of flake8-jax dropped {first.what}{where}{more} ({first.error}); please report it"
    line = first.line if is_here and first.line else 1
    return Diagnostic(CODE, NAME, path, Span(line, 0, line, 0), text)


def for_a_newer_python(reports: Iterable[Report]) -> str | None:
    """How to read the files that the running Python is too old for; None if there are none."""
    unread = [report.given_up for report in reports if report.given_up is not None]
    if not unread:
        return None
    from flake8_jax.syntax.unread import version_named

    named = map(version_named, unread)
    versions = [version for version in named if version is not None]
    if not versions:
        return None
    count = "1 file is" if len(versions) == 1 else f"{len(versions)} files are"
    python = "{}.{}".format(*max(versions))
    run = f"`uvx --python {python} flake8-jax` or `pipx run --python {python} flake8-jax` reads"
    which = "it" if len(versions) == 1 else "them"
    return f"{count} for Python {python}: {run} {which}, and so does a hook with `language_version: python{python}`"
