"""Writes comments that suppress findings into their files."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

from flake8_jax.driver.interrupts import held
from flake8_jax.fixes.files import NotFixed, rewritten
from flake8_jax.model.codes import UNJUDGED, UNUSED
from flake8_jax.model.diagnostic import Diagnostic
from flake8_jax.syntax.silencing import silenced
from flake8_jax.syntax.source import SourceFile, Unreadable

NEVER = (UNJUDGED, UNUSED)
"""What comments do not suppress: that a file could not be judged, that a comment suppresses nothing."""


class NotSilenced(Exception):
    """A file that cannot be written; the message says which and why."""


def silence(diagnostics: Iterable[Diagnostic], reason: str | None) -> tuple[int, list[Diagnostic]]:
    """Add comments for sorted findings; returns how many files were changed, and the findings that are left."""
    changed = 0
    left: list[Diagnostic] = []
    for path, group in groupby(diagnostics, lambda found: found.path):
        found = list(group)
        left += [each for each in found if each.code in NEVER]
        asked = [each for each in found if each.code not in NEVER]
        if asked:
            is_changed, more = _silence_in(path, asked, reason)
            changed += is_changed
            left += more
    return changed, sorted(left, key=Diagnostic.sort_key)


def _silence_in(path: str, diagnostics: list[Diagnostic], reason: str | None) -> tuple[bool, list[Diagnostic]]:
    file = Path(path)
    try:
        data = file.read_bytes()
        source = SourceFile.of(path, data)
        text, left = silenced(source, diagnostics, reason)
        if text == source.text:
            return False, left
        changed = rewritten(source, text, data)
        with held():
            file.write_bytes(changed)
    except (OSError, Unreadable, NotFixed) as error:
        raise NotSilenced(f"{path} cannot be written: {getattr(error, 'strerror', None) or error}") from error
    return True, left
