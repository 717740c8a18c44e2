"""`flake8-jax reduce`: a finding as the smallest program that has it, to be pasted into a report."""

from __future__ import annotations

import argparse

from flake8_jax.driver.cli.explain import PLACE
from flake8_jax.driver.cli.output import CLEAN, failed, write
from flake8_jax.lazy_dataclasses import replace
from flake8_jax.model.configurations import Configurations


def reduce(options: argparse.Namespace) -> int:
    """Print the smallest program that still has the finding of a line, names replaced, to be pasted into a report.

    The exit status is 0, or 2 where nothing is found at the line.
    """
    from flake8_jax.driver.explaining import NotExplained, SourcePlace
    from flake8_jax.driver.linter import lint
    from flake8_jax.driver.reducing import reduced
    from flake8_jax.syntax.source import SourceFile, Unreadable

    place = PLACE.fullmatch(options.where)
    if place is None:
        return failed(f"{options.where} is no line of a file: write FILE:LINE, of a notebook FILE:cell CELL:LINE")
    path = place["path"]
    config = replace(Configurations().of(path), no_store=True, strict=True, tests=True, disable_noqa=True)
    try:
        source = SourceFile.read(path)
        asked = SourcePlace(path, int(place["line"]), None, int(place["cell"]) if place["cell"] else None)
        line = asked.in_text(source).line
        found = [diagnostic for diagnostic in lint(source, config).diagnostics if diagnostic.span.line == line]
        chosen = [diagnostic for diagnostic in found if options.code in (None, diagnostic.code)]
        if not chosen:
            beside = f"; there are {', '.join(sorted({diagnostic.code for diagnostic in found}))}" if found else ""
            return failed(f"nothing {f'of {options.code} ' if options.code else ''}is found at {asked.text}{beside}")
        result = reduced(source, chosen[0], config)
    except NotExplained as error:
        return failed(str(error))
    except (Unreadable, SyntaxError) as error:
        return failed(f"{path}: {error}")
    said = result.finding
    write(result.text)
    write(f"# line {said.span.line}: {said.code} {said.message}\n")
    if result.needs_project:
        write("# only beside the other files of its project: what is imported from there belongs to the report\n")
    return CLEAN


def add_options(verb: argparse.ArgumentParser) -> None:
    """Add the options of `flake8-jax reduce` to a parser."""
    verb.add_argument("where", metavar="FILE:LINE", help="where the finding stands")
    verb.add_argument("--code", metavar="CODE", help="which finding, if the line has several")
