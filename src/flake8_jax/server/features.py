"""The messages of the protocol that the server answers.  `made` is the server, `serve` runs it on standard input."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from functools import cache, partial
from pathlib import Path
from typing import TypeAlias

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from flake8_jax import __version__
from flake8_jax.api.versions.requirements import LOCKS
from flake8_jax.driver.reporters.style import Style
from flake8_jax.model.config import PYPROJECT, SECTION
from flake8_jax.server import actions
from flake8_jax.server.documents import EditorBuffer, path_of, uri_of
from flake8_jax.server.judged import JudgedText
from flake8_jax.server.service import Service
from flake8_jax.server.settings import ServerSettings
from flake8_jax.server.sync import NOTEBOOKS, synchronized
from flake8_jax.server.telling import each, page_of, shown
from flake8_jax.server.worker import ANSWER

Actions: TypeAlias = "list[types.Command | types.CodeAction]"

FILES = "**/*.{py,pyi,ipynb}"
REQUIRING = tuple(f"**/{name}" for name in (PYPROJECT, "setup.cfg", "*requirements*.txt", "requirements/*.txt", *LOCKS))
"""What says by which options and for which releases files are judged."""


def serve() -> bool:
    """Serve until the editor says that it is enough, or standard input ends; returns whether it said so.

    What something prints meanwhile goes to standard error: standard output is the editor's.
    """
    server, output = made(), os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    with contextlib.redirect_stdout(sys.stderr):
        server.start_io(stdout=output)
    return server.protocol._shutdown


def made() -> LanguageServer:
    """The server, with all that it answers."""
    server = LanguageServer("flake8-jax", __version__, notebook_document_sync=NOTEBOOKS)
    service = Service(server)
    _Lifecycle(service)
    synchronized(service)
    _Answers(service)
    return server


_OPERATIONS = types.FileOperationRegistrationOptions(
    [types.FileOperationFilter(types.FileOperationPattern("**/*"), scheme="file")]
)


class _Lifecycle:
    """Folders, settings, files on the disk."""

    def __init__(self, service: Service) -> None:
        self.service, server = service, service.server
        server.feature(types.INITIALIZE)(partial(self.initialize))
        server.feature(types.INITIALIZED)(partial(self.initialized))
        server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)(partial(self.did_change_configuration))
        server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)(partial(self.did_change_folders))
        server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)(partial(self.did_change_watched_files))
        server.feature(types.WORKSPACE_DID_CREATE_FILES, _OPERATIONS)(partial(self.did_create_files))
        server.feature(types.WORKSPACE_DID_RENAME_FILES, _OPERATIONS)(partial(self.did_rename_files))
        server.feature(types.WORKSPACE_DID_DELETE_FILES, _OPERATIONS)(partial(self.did_delete_files))

    def initialize(self, params: types.InitializeParams) -> None:
        """The editor introduces itself."""
        service = self.service
        uris = [folder.uri for folder in params.workspace_folders or ()]
        service.folders = [path_of(uri) for uri in uris or filter(None, [params.root_uri])]
        service.settings = ServerSettings.of(params.initialization_options)
        service.documents.encoding = service.server.workspace.position_encoding or service.documents.encoding

    async def initialized(self, params: types.InitializedParams) -> None:
        """The editor listens: files are watched, settings are asked for, the first pass begins."""
        await self._watch()
        await self._ask_for_settings()
        await self.service.enter()

    async def did_change_configuration(self, params: types.DidChangeConfigurationParams) -> None:
        """The settings are others; editors say so at the start, too."""
        before = self.service.settings
        if not await self._ask_for_settings() and params.settings is not None:
            self.service.settings = ServerSettings.of(params.settings)
        if self.service.settings != before:
            await self.service.enter()

    async def did_change_folders(self, params: types.DidChangeWorkspaceFoldersParams) -> None:
        """The folders are others."""
        gone = {path_of(folder.uri) for folder in params.event.removed}
        kept = [folder for folder in self.service.folders if folder not in gone]
        self.service.folders = [*kept, *(path_of(folder.uri) for folder in params.event.added)]
        await self.service.enter()

    async def did_change_watched_files(self, params: types.DidChangeWatchedFilesParams) -> None:
        """Files on the disk are others, by whomever."""
        await self._on_disk([path_of(event.uri) for event in params.changes])

    async def did_create_files(self, params: types.CreateFilesParams) -> None:
        """The user made files in the editor."""
        await self._on_disk([path_of(file.uri) for file in params.files])

    async def did_rename_files(self, params: types.RenameFilesParams) -> None:
        """The user renamed files or folders in the editor."""
        await self._on_disk([path_of(uri) for file in params.files for uri in (file.old_uri, file.new_uri)])

    async def did_delete_files(self, params: types.DeleteFilesParams) -> None:
        """The user deleted files or folders in the editor."""
        await self._on_disk([path_of(file.uri) for file in params.files])

    async def _on_disk(self, paths: list[str]) -> None:
        if any(os.path.basename(path) == PYPROJECT or not path.endswith((".py", ".pyi", ".ipynb")) for path in paths):
            await self.service.enter()  # options, or a folder with whatever was in it
        else:
            await self.service.on_disk(dict.fromkeys(paths))

    async def _ask_for_settings(self) -> bool:
        """Ask the editor for its settings, if it answers such questions."""
        server = self.service.server
        workspace = server.client_capabilities.workspace
        if workspace is None or not workspace.configuration:
            return False
        asked = types.ConfigurationParams([types.ConfigurationItem(section=SECTION)])
        try:
            (found, *_) = await server.workspace_configuration_async(asked) or [None]
        except Exception as error:
            self.service.log(f"the editor did not tell its settings: {error}")
            return False
        if found:
            self.service.settings = ServerSettings.of(found)
        return bool(found)

    async def _watch(self) -> None:
        """Ask to be told of changes on the disk, and of settings."""
        server, workspace = self.service.server, self.service.server.client_capabilities.workspace
        watched = workspace.did_change_watched_files if workspace is not None else None
        settings = workspace.did_change_configuration if workspace is not None else None
        wanted = []
        if watched is not None and watched.dynamic_registration:
            watchers = [types.FileSystemWatcher(pattern) for pattern in (FILES, *REQUIRING)]
            options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
            method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
            wanted.append(types.Registration(f"{SECTION}.files", method, options))
        if settings is not None and settings.dynamic_registration:
            section = types.DidChangeConfigurationRegistrationOptions(section=SECTION)
            method = types.WORKSPACE_DID_CHANGE_CONFIGURATION
            wanted.append(types.Registration(f"{SECTION}.settings", method, section))
        if wanted:
            try:
                await server.client_register_capability_async(types.RegistrationParams(wanted))
            except Exception as error:
                self.service.log(f"the editor does not watch files: {error}")


class _Answers:
    """What the user asks for: actions, reasons, pages."""

    def __init__(self, service: Service) -> None:
        self.service, server = service, service.server
        kinds = types.CodeActionOptions([types.CodeActionKind.QuickFix, actions.FIX_ALL], resolve_provider=False)
        server.feature(types.TEXT_DOCUMENT_CODE_ACTION, kinds)(partial(self.code_action))
        server.feature(types.TEXT_DOCUMENT_HOVER)(partial(self.hover))
        server.command(actions.EXPLAIN)(partial(self.explain))
        server.command(actions.FIX_FILE)(partial(self.fix_all))

    async def code_action(self, params: types.CodeActionParams) -> Actions:
        """What can be done about the findings at a place, or all of a file."""
        buffer = self.service.documents.get(params.text_document.uri)
        judged = await self.service.show(buffer, ANSWER) if buffer is not None else None
        if buffer is None or judged is None:
            return []
        found: Actions = []
        only = params.context.only
        if actions.is_asked(types.CodeActionKind.QuickFix.value, only):
            found += self._quick_fixes(params, buffer, judged)
        is_fixable = any(one.fix is not None and one.fix.applicability == "safe" for one in judged.found)
        if is_fixable and only is None:
            found += [actions.of_file_later(params.text_document.uri)] if self._applies_edits() else []
        elif is_fixable and actions.is_asked(actions.FIX_ALL, only):
            made = await self._all_fixes(buffer, judged)
            found += [made] if made is not None else []
        return found

    async def fix_all(self, uri: str) -> None:
        """Make all safe fixes of a file."""
        buffer, server = self.service.documents.get(uri), self.service.server
        judged = await self.service.show(buffer, ANSWER) if buffer is not None else None
        made = await self._all_fixes(buffer, judged) if buffer is not None and judged is not None else None
        if made is not None and made.edit is not None:
            self.service.soon(server.workspace_apply_edit_async(types.ApplyWorkspaceEditParams(made.edit, made.title)))

    async def _all_fixes(self, buffer: EditorBuffer, judged: JudgedText) -> types.CodeAction | None:
        fixed = await self.service.ask(ANSWER, partial(self.service.judge.fixed, judged.path, judged.text))
        return actions.of_file(buffer, fixed.text if fixed is not None else None, self._has_versions())

    def _applies_edits(self) -> bool:
        workspace = self.service.server.client_capabilities.workspace
        return workspace is not None and bool(workspace.apply_edit)

    def _quick_fixes(self, params: types.CodeActionParams, buffer: EditorBuffer, judged: JudgedText) -> Actions:
        made: Actions = []
        codes: dict[str, list[types.Diagnostic]] = {}
        for found, uri, told in each(judged, buffer, self.service.documents):
            if uri == params.text_document.uri and _lines_meet(told.range, params.range):
                made += actions.of_finding(found, told, judged, buffer, self._has_versions())
                codes.setdefault(found.code, []).append(told)
        return [*made, *(actions.explaining(code, told) for code, told in codes.items())]

    async def hover(self, params: types.HoverParams) -> types.Hover | None:
        """The page of the rule on a finding; elsewhere what is known of the value, and why it is traced."""
        uri, position = params.text_document.uri, params.position
        buffer = self.service.documents.get(uri)
        judged = await self.service.show(buffer, ANSWER) if buffer is not None else None
        if buffer is None or judged is None:
            return None
        here = types.Range(position, position)
        for found, document, told in each(judged, buffer, self.service.documents):
            if document == uri and _meet(told.range, here):
                return _markdown(shown(found, judged.docs_url), told.range)
        place = buffer.place(uri, position)
        if place is None or not judged.is_python:
            return None
        known = await self.service.ask(ANSWER, partial(self.service.judge.known, judged.path, judged.text, *place))
        return _markdown("```text\n{}\n```".format("\n".join(known)), None) if known else None

    async def explain(self, code: str) -> str:
        """Show the page of a rule, and return it."""
        page = page_of(code)
        server, window = self.service.server, self.service.server.client_capabilities.window
        if not page:
            return page
        config = await self.service.ask(ANSWER, self.service.judge.any_config)
        address = Style(docs_url=config.docs_url).address(code)
        if window is not None and window.show_document is not None and window.show_document.support:
            shown_at = address or _written(code, page)
            wanted = types.ShowDocumentParams(shown_at, external=bool(address), take_focus=True)
            self.service.soon(server.window_show_document_async(wanted))
        else:
            server.window_show_message(types.ShowMessageParams(types.MessageType.Info, page))
        return page

    def _has_versions(self) -> bool:
        """Does the editor take edits of documents of a version?"""
        workspace = self.service.server.client_capabilities.workspace
        edit = workspace.workspace_edit if workspace is not None else None
        return edit is not None and bool(edit.document_changes)


def _meet(one: types.Range, other: types.Range) -> bool:
    begin, end = (one.start.line, one.start.character), (one.end.line, one.end.character)
    return begin <= (other.end.line, other.end.character) and (other.start.line, other.start.character) <= end


def _lines_meet(one: types.Range, other: types.Range) -> bool:
    return one.start.line <= other.end.line and other.start.line <= one.end.line


def _markdown(text: str, where: types.Range | None) -> types.Hover:
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text), where)


@cache
def _folder_of_pages() -> Path:
    """A folder for pages that an editor shows; it stays, as what is shown may stay open."""
    return Path(tempfile.mkdtemp(prefix="flake8-jax-"))


def _written(code: str, page: str) -> str:
    """The address of a file with a page, for an editor that shows documents."""
    file = _folder_of_pages() / f"{code}.md"
    file.write_text(page, encoding="utf-8")
    return uri_of(str(file))
