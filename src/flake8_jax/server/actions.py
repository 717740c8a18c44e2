"""What an editor offers for findings: their fixes, comments that suppress them, the page of the rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lsprotocol import types

from flake8_jax.fixes.texts import applied, is_python
from flake8_jax.model.codes import UNJUDGED, UNUSED
from flake8_jax.model.diagnostic import Diagnostic
from flake8_jax.server.documents import DocumentEdits, EditorBuffer
from flake8_jax.server.judged import JudgedText
from flake8_jax.server.telling import SOURCE
from flake8_jax.syntax.silencing import silenced, silenced_in_file
from flake8_jax.syntax.source import SourceFile

EXPLAIN = "flake8-jax.explain"
"""The command that shows the page of a rule; its argument is the code."""

FIX_FILE = "flake8-jax.fixAll"
"""The command that makes all safe fixes of a file; its argument is the address of a document of it."""

FIX_ALL = f"{types.CodeActionKind.SourceFixAll.value}.{SOURCE}"
ALL = "Fix all that flake8-jax can fix safely"
REASON = "TODO: why"
"""What stands where the reason of a comment is to be written."""


def is_asked(kind: str, only: Iterable[str] | None) -> bool:
    """Are actions of a kind asked for?"""
    return only is None or any(f"{kind}.".startswith(f"{each}.") for each in only)


def of_finding(
    found: Diagnostic, told: types.Diagnostic, judged: JudgedText, buffer: EditorBuffer, has_versions: bool
) -> Iterator[types.CodeAction]:
    """What can be done about one finding."""
    source = SourceFile(judged.path, judged.text)
    if found.fix is not None and found.fix.edits and found.fix.applicability != "display":
        is_safe = found.fix.applicability == "safe"
        title = f"{found.code}: {found.fix.title}" + ("" if is_safe else " (it changes what runs)")
        yield from _changing(title, source, applied(source.text, found.fix.edits), told, buffer, has_versions, is_safe)
    elif found.remedy is not None and found.remedy.edits and found.remedy.code and found.remedy.code in found.message:
        new = applied(source.text, found.remedy.edits)
        yield from _changing(f"{found.code}: as the message says", source, new, told, buffer, has_versions)
    if found.code in (UNJUDGED, UNUSED):
        return
    text, left = silenced(source, [found], REASON)
    if not left:
        title = f"Ignore {found.code} here"
        yield from _changing(title, source, text, told, buffer, has_versions)
    yield from _changing(
        f"Ignore {found.code} in this file", source, silenced_in_file(source, found.code, REASON), told, buffer,
        has_versions,
    )  # fmt: skip


def explaining(code: str, told: list[types.Diagnostic]) -> types.CodeAction:
    """What shows the page of a rule."""
    title = f"Explain {code}"
    return types.CodeAction(
        title, types.CodeActionKind.QuickFix, diagnostics=told, command=types.Command(title, EXPLAIN, arguments=[code])
    )


def of_file(buffer: EditorBuffer, new: str | None, has_versions: bool) -> types.CodeAction | None:
    """What makes all safe fixes of a file, given its text with them; None if there is nothing to do."""
    edits = buffer.edits(new) if new is not None and new != buffer.text else None
    return types.CodeAction(ALL, FIX_ALL, edit=workspace_edit(edits, has_versions)) if edits else None


def of_file_later(uri: str) -> types.CodeAction:
    """What makes them once it is chosen: which hold together is found out only then."""
    return types.CodeAction(ALL, FIX_ALL, command=types.Command(ALL, FIX_FILE, arguments=[uri]))


def workspace_edit(edits: list[DocumentEdits], has_versions: bool) -> types.WorkspaceEdit:
    """Changes of documents, in the form that the client knows."""
    if not has_versions:
        return types.WorkspaceEdit(changes={each.uri: each.edits for each in edits})
    return types.WorkspaceEdit(
        document_changes=[
            types.TextDocumentEdit(types.OptionalVersionedTextDocumentIdentifier(each.uri, each.version), each.edits)
            for each in edits
        ]
    )


def _changing(
    title: str, source: SourceFile, new: str, told: types.Diagnostic, buffer: EditorBuffer, has_versions: bool,
    is_preferred: bool = False,
) -> Iterator[types.CodeAction]:  # fmt: skip
    if new == source.text or not is_python(new):
        return
    edits = buffer.edits(new)
    if edits:
        yield types.CodeAction(
            title, types.CodeActionKind.QuickFix, diagnostics=[told], is_preferred=is_preferred or None,
            edit=workspace_edit(edits, has_versions),
        )  # fmt: skip
