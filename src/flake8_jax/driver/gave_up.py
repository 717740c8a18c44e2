"""A file could not be analysed, so that nothing in it was judged.

## What it does

Stands once in a file that could not be analysed: it cannot be read, is no Python, is nested too deeply to be
parsed safely, or met a defect of this tool. Single functions that are given up do not count here;
`--analysis-statistics` does.

## Why it is bad

Loud: the reason stands in the message. Silence about such a file is no sign that it is free of hazards.

## Instead

Mend what the message names. If it names nothing that can be mended, report it as a bug, with the file.

## When it stays silent

In files that cannot concern JAX. Under flake8 where flake8 itself has said why (E999, E902), or its selection leaves it
out. The command shows it whatever `--select` says and whatever comment stands on the line: only `--ignore` and its like
leave it out. A file with a line `# flake8: noqa` is not checked at all.

## Fix safety

There is no fix.

## References

- `flake8-jax show FILE` prints what the analysis sees of a file, `flake8-jax explain FILE:LINE` of a line.
"""

from __future__ import annotations

from flake8_jax.model.codes import UNJUDGED as CODE
from flake8_jax.model.codes import UNJUDGED_NAME as NAME
from flake8_jax.model.diagnostic import Diagnostic, Span

__all__ = ["CODE", "NAME", "gave_up"]


def gave_up(path: str, reason: str, line: int = 1) -> Diagnostic:
    """The single diagnostic of a file that could not be analysed, with a one-line reason."""
    words = " ".join(reason.split())
    return Diagnostic(CODE, NAME, path, Span(line, 0, line, 0), f"could not be analysed: {words}")
