"""Makes a fix of what a rule proposes: its changes as edits of the file, with the imports that they need."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import chain

from flake8_jax.fixes.import_lines import edits_of_import
from flake8_jax.fixes.imports import spelled
from flake8_jax.fixes.texts import described
from flake8_jax.ir.rewrite import ChangedImport, LibraryName, Rewrite
from flake8_jax.model.diagnostic import Edit, Fix
from flake8_jax.syntax.positions import Locator
from flake8_jax.syntax.source import SourceFile


def fix_of(rewrite: Rewrite | None, source: SourceFile, locator: Locator) -> Fix | None:
    """The fix that makes a rewrite, its title what it does; None where it cannot be made."""
    edits = _edits(rewrite, source, locator) if rewrite is not None else None
    if rewrite is None or not edits:
        return None
    return Fix(described(source.text, edits), rewrite.applicability, tuple(edits))


def _edits(rewrite: Rewrite, source: SourceFile, locator: Locator) -> Sequence[Edit] | None:
    from flake8_jax.fixes.trees import edit_of

    if any(change.op.anchor.origin.source.text != source.text for change in rewrite.changes):
        return None  # it stands in another file
    pieces = [piece for change in rewrite.changes for piece in change.pieces]
    found = spelled([piece for piece in pieces if isinstance(piece, LibraryName)], source)
    if found is None:
        return None
    names, added = found
    edits: list[list[Edit] | None] = []
    with suppress(RecursionError):
        for change in rewrite.changes:
            if isinstance(change, ChangedImport):
                edits.append(edits_of_import(change, source))
            else:
                edit = edit_of(change, names, locator)
                edits.append([edit] if edit is not None else None)
    known = [edit for edit in edits if edit is not None]
    return [*added, *chain(*known)] if known and len(known) == len(rewrite.changes) else None
