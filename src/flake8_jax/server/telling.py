"""Findings as an editor shows them: their chain as related places, a link to the page, a tag for what is unused."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from lsprotocol import types

from flake8_jax.driver.reporters.style import Style
from flake8_jax.lazy_dataclasses import replace
from flake8_jax.lazy_patterns import compiled
from flake8_jax.model.codes import UNJUDGED, UNUSED
from flake8_jax.model.diagnostic import Diagnostic
from flake8_jax.server.documents import Documents, EditorBuffer, uri_of
from flake8_jax.server.judged import JudgedText, NotePlace
from flake8_jax.server.texts import moved_to
from flake8_jax.syntax.source import NEWLINE

SOURCE = "flake8-jax"
_FENCE = compiled(r"^```python (?:bad|good)$", re.MULTILINE)


def diagnostics(judged: JudgedText, buffer: EditorBuffer, documents: Documents) -> dict[str, list[types.Diagnostic]]:
    """What is found in a text, for each document that it consists of."""
    told: dict[str, list[types.Diagnostic]] = {uri: [] for uri, _ in buffer.documents()}
    for _, uri, diagnostic in each(judged, buffer, documents):
        told.setdefault(uri, []).append(diagnostic)
    return told


def each(
    judged: JudgedText, buffer: EditorBuffer, documents: Documents
) -> Iterator[tuple[Diagnostic, str, types.Diagnostic]]:
    """Each finding, with its document, and as the editor shows it."""
    for found, notes in zip(judged.found, judged.notes):
        place = buffer.range(found.span)
        if place is not None:
            related = list(_related(notes, buffer, documents))
            yield found, place[0], _diagnostic(found, place[1], related, judged.docs_url)


def _diagnostic(
    found: Diagnostic, where: types.Range, related: list[types.DiagnosticRelatedInformation], docs_url: str | None
) -> types.Diagnostic:
    address = Style(docs_url=docs_url).address(found.code)
    is_unjudged = found.code == UNJUDGED
    return types.Diagnostic(
        range=where,
        message=found.message,
        severity=types.DiagnosticSeverity.Error if is_unjudged else types.DiagnosticSeverity.Warning,
        code=found.code,
        code_description=types.CodeDescription(address) if address else None,
        source=SOURCE,
        tags=[types.DiagnosticTag.Unnecessary] if found.code == UNUSED else None,
        related_information=related or None,
    )


def _related(
    notes: Iterable[NotePlace], buffer: EditorBuffer, documents: Documents
) -> Iterable[types.DiagnosticRelatedInformation]:
    for note in notes:
        other = buffer if note.path == buffer.path else documents.at(note.path)
        if other is not None:
            place = other.line(note.line)
        else:
            line = types.Position(note.line - 1, 0)
            place = uri_of(note.path), types.Range(line, line)
        if place is not None:
            yield types.DiagnosticRelatedInformation(types.Location(*place), note.text)


def page_of(code: str) -> str:
    """The page of a rule in Markdown; empty if there is no such rule."""
    from flake8_jax.driver import gave_up
    from flake8_jax.rules import discover

    pages = {each.rule.code: (each.rule.name, each.page) for each in discover()}
    pages[gave_up.CODE] = gave_up.NAME, gave_up.__doc__ or ""
    if code not in pages:
        return ""
    name, page = pages[code]
    return _FENCE.sub("```python", f"# {code} {name}\n\n{page.strip()}\n")


def shown(found: Diagnostic, docs_url: str | None) -> str:
    """A finding with the page of its rule, in Markdown."""
    address = Style(docs_url=docs_url).address(found.code)
    title = f"[{found.code}]({address})" if address else found.code
    return f"**{title}** {found.message}\n\n---\n\n{page_of(found.code)}"


def moved(before: JudgedText, now: JudgedText) -> JudgedText:
    """What is known of a text that Python cannot read: what was found before on lines that are still there, too."""
    lines, new = NEWLINE.split(before.text), NEWLINE.split(now.text)
    kept = [
        (place, found, notes)
        for found, notes in zip(before.found, before.notes)
        if found.code != UNJUDGED and (place := moved_to(found.span, lines, new)) is not None
    ]
    found = (*now.found, *(replace(one, span=place, fix=None, remedy=None) for place, one, _ in kept))
    notes = (*now.notes, *(notes for _, _, notes in kept))
    return JudgedText(now.path, now.text, found, notes, False, now.docs_url)
