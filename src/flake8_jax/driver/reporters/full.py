"""Findings with their source, the chain of places that explains each with its source, and the fix as a diff."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from flake8_jax.driver.reporters.changes import coloured, unified
from flake8_jax.driver.reporters.concise import row
from flake8_jax.driver.reporters.outcome import Outcome
from flake8_jax.fixes.texts import applied
from flake8_jax.model.diagnostic import Diagnostic, Fix, Span
from flake8_jax.syntax.source import SourceFile

MOST_LINES = 6
"""How many lines of one finding are shown."""

CONTEXT = 1
"""How many lines around a change are shown."""


def render(outcome: Outcome) -> str:
    """The lines of every finding, separated by blank lines."""
    return "\n".join("".join(f"{line}\n" for line in _lines(found, outcome)) for found in outcome.diagnostics)


def _lines(found: Diagnostic, outcome: Outcome) -> Iterator[str]:
    yield row(found, outcome)
    yield from _frame(found, outcome)
    for note in found.notes:
        yield f"    {outcome.style('note', f'{note.path}{outcome.at(note.path, note.line)}:')} {note.text}"
        source = outcome.sources.line(outcome.sources.path_of(note, found), note.line)
        if source and (note.path, note.line) != (found.path, found.span.line):
            _, number = outcome.sources.place(note.path, note.line)
            yield f"      {outcome.style('gutter', f'{number} |')} {source}"
    if found.fix is not None:
        yield from _fix(found, found.fix, outcome)


def _frame(found: Diagnostic, outcome: Outcome) -> Iterator[str]:
    """The lines of a finding, each with what is meant underlined."""
    _, span = outcome.sources.span(found.path, found.span)
    before_cell = found.span.line - span.line
    numbers = range(span.line, max(span.end_line, span.line) + 1)
    width = len(str(numbers[-1]))
    for number in numbers if len(numbers) <= MOST_LINES else (*numbers[: MOST_LINES - 2], 0, numbers[-1]):
        source = outcome.sources.line(found.path, before_cell + number)
        if not number:
            yield f"  {outcome.style('gutter', '.' * width + ' |')} ..."
        elif source:
            start, stop = _marked(source, number, span)
            before = "".join(sign if sign.isspace() else " " for sign in source[:start])
            mark = outcome.style("mark", "^" * max(stop - start, 1))
            yield f"  {outcome.style('gutter', f'{number:{width}} |')} {source}"
            yield f"  {outcome.style('gutter', ' ' * width + ' |')} {before}{mark}"


def _marked(source: str, number: int, span: Span) -> tuple[int, int]:
    """The columns of a line that a span covers."""
    start = span.column if number == span.line else len(source) - len(source.lstrip())
    return start, span.end_column if number == span.end_line else len(source)


def _fix(found: Diagnostic, fix: Fix, outcome: Outcome) -> Iterator[str]:
    title = outcome.style("title", "fix" if fix.applicability == "safe" else f"{fix.applicability} fix")
    yield f"    {title}: {fix.title}"
    source = outcome.sources.get(found.path)
    if source is None:
        return
    new = applied(source.text, fix.edits)
    own, _ = outcome.sources.place(found.path, found.span.line)
    for cell, before, after in _changed(source, new):
        if cell != own:
            yield f"      {outcome.style('gutter', f'cell {cell}')}"
        for line in list(coloured(unified(found.path, before, after, CONTEXT), outcome.style))[2:]:
            yield f"      {line.rstrip()}"


def _changed(source: SourceFile, new: str) -> Iterator[tuple[int | None, str, str]]:
    """The text before and after, of a notebook each cell that is changed, with its number."""
    if source.cells is None:
        yield None, source.text, new
        return
    from flake8_jax.syntax.notebooks import CellsLost, cells_in

    with suppress(CellsLost):
        before, after = cells_in(source.text), cells_in(new)
        for cell, text in before.items():
            if cell in after and after[cell] != text:
                yield cell, f"{text}\n", f"{after[cell]}\n"
