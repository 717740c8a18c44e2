"""What the server does when the editor says that something was opened, edited, saved, closed, renamed or deleted.

Texts are kept here, in the thread that talks with the editor; the worker judges them.  An edit is judged after a pause,
and only if no other one came meanwhile.  What depends on a saved file, and all files at the start, are judged in the
background, one at a time, whenever nothing else is asked.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from concurrent.futures import Future
from typing import TypeVar

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from flake8_jax.server.documents import Documents, EditorBuffer, FileBuffer, path_of, uri_of
from flake8_jax.server.judged import JudgedText
from flake8_jax.server.judging import UNTITLED, LiveJudge
from flake8_jax.server.progress import FirstPass
from flake8_jax.server.settings import SCOPES, ServerSettings, Workspace
from flake8_jax.server.telling import diagnostics, moved
from flake8_jax.server.worker import ANSWER, BACKGROUND, EDIT, SAVE, JudgingThread
from flake8_jax.syntax.notebooks import SUFFIX

ServerAnswer = TypeVar("ServerAnswer")

REST = 3
"""After how many further pauses the callers of an edited file are asked again: that may take longer than an answer."""


class Service:
    """The state between messages: what is open, what was found, what is still to be judged."""

    def __init__(self, server: LanguageServer) -> None:
        self.server = server
        self.documents = Documents()
        self.settings = ServerSettings()
        self.folders: list[str] = []
        self.judge = LiveJudge()
        self.worker = JudgingThread(self.judge.renew)
        self.judged: dict[str, JudgedText] = {}
        self.backlog: dict[str, None] = {}
        self.first_pass: FirstPass | None = None
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._published: dict[str, tuple[int | None, list[types.Diagnostic]]] = {}
        self._is_entered = False
        self._is_busy = False
        self._tasks: set[asyncio.Task[None]] = set()

    def soon(self, task: Coroutine[object, object, object]) -> None:
        """Go on with something, while messages are read; what it raises is logged."""

        async def run() -> None:
            try:
                await task
            except asyncio.CancelledError:
                pass
            except Exception as error:
                self.log(f"a defect of flake8-jax: {type(error).__name__}: {error}")

        made = asyncio.ensure_future(run())
        self._tasks.add(made)
        made.add_done_callback(self._tasks.discard)

    def log(self, text: str) -> None:
        """Tell the log of the editor."""
        self.server.window_log_message(types.LogMessageParams(types.MessageType.Error, text))

    # What is open

    def opened(self, buffer: EditorBuffer) -> None:
        """Something is open now: it is judged at once."""
        self.documents.open(buffer)
        if self._is_entered:
            self.soon(self.show(buffer, EDIT))

    def edited(self, buffer: EditorBuffer) -> None:
        """A text was edited: it is judged when no other edit comes for a while."""
        self.documents.cover(buffer)
        self._after(self.settings.delay, buffer, EDIT)

    def _after(self, pause: float, buffer: EditorBuffer, urgency: int) -> None:
        """Judge what is open after some milliseconds in which nothing else is asked of it."""
        timer = self._timers.pop(buffer.uri, None)
        if timer is not None:
            timer.cancel()
        self._timers[buffer.uri] = asyncio.get_running_loop().call_later(
            pause / 1000, lambda: self.soon(self.show(buffer, urgency))
        )

    def closed(self, buffer: EditorBuffer) -> None:
        """Something is not open any more: what counts is what stands on the disk."""
        self.documents.close(buffer)
        self.judged.pop(buffer.uri, None)
        timer = self._timers.pop(buffer.uri, None)
        if timer is not None:
            timer.cancel()
        for uri, _ in buffer.documents():
            self.publish(uri, None, [])
        if buffer.path != UNTITLED:
            self.soon(self.on_disk([buffer.path]))

    async def saved(self, buffer: EditorBuffer) -> None:
        """A text was written to its file: what depends on it is judged anew, too."""
        if await self.ask(SAVE, self.judge.workspace.is_outdated):
            await self.enter()
            return
        await self.show(buffer, EDIT)
        text = buffer.text
        self.later(await self.ask(SAVE, lambda: self.judge.saved(buffer.path, text)))

    async def on_disk(self, paths: Iterable[str]) -> None:
        """Files on the disk are others, new or gone; of what is open the editor's text counts."""
        touched: dict[str, None] = {}
        for path in paths:
            if self.documents.at(path) is None:
                found = await self.ask(SAVE, lambda path=path: self.judge.read_again(path))  # type: ignore[misc]
                touched |= dict.fromkeys([path, *found])
        self.later(touched)

    # Judging

    async def show(self, buffer: EditorBuffer, urgency: int) -> JudgedText | None:
        """Judge what is open as it is now, and publish what is found; None if it was edited meanwhile, or closed.

        After an edit that is told first which needs no other files, and the rest when nobody types any more.
        """
        self._timers.pop(buffer.uri, None)
        tick, path, text = buffer.tick, buffer.path, buffer.text

        def is_wanted() -> bool:
            return buffer.tick == tick and self.documents.get(buffer.uri) is buffer

        known = self.judged.get(buffer.uri)
        if urgency == ANSWER and known is not None and known.text == text and known.is_complete:
            return known
        judge = self.judge.glanced if urgency == EDIT else self.judge.edited
        try:
            found = await self.ask(urgency, lambda: judge(path, text), is_wanted)
        except asyncio.CancelledError:
            return None
        if not is_wanted():
            return None
        if not found.is_python and known is not None:
            found = moved(known, found)
        self.judged[buffer.uri] = found
        self.publish_all(buffer, found)
        self.say()
        if not found.is_complete:
            self._after(self.settings.delay * REST, buffer, BACKGROUND)
        return found

    async def ask(
        self, urgency: int, run: Callable[[], ServerAnswer], is_wanted: Callable[[], bool] = lambda: True
    ) -> ServerAnswer:
        """Have the worker do something."""
        future: Future[ServerAnswer] = self.worker.ask(urgency, run, is_wanted)
        return await asyncio.wrap_future(future)

    # In the background

    def later(self, paths: Iterable[str]) -> None:
        """Judge files when there is nothing else to do; of those that are not open only if the settings say so."""
        is_all = self.settings.scope == SCOPES[0]
        self.backlog |= dict.fromkeys(path for path in paths if is_all or self.documents.at(path) is not None)
        if self.backlog and not self._is_busy:
            self.soon(self._work_off())

    async def _work_off(self) -> None:
        self._is_busy = True
        try:
            while self.backlog:
                path = next(iter(self.backlog))
                del self.backlog[path]
                try:
                    await self._in_background(path)
                except Exception as error:
                    self.log(f"a defect of flake8-jax in {path}: {type(error).__name__}: {error}")
                if self.first_pass is not None:
                    self.first_pass.done(path)
        finally:
            self._is_busy = False
            self._end_first_pass()

    def _end_first_pass(self) -> None:
        if self.first_pass is not None:
            self.first_pass.end()
            self.first_pass = None

    async def _in_background(self, path: str) -> None:
        buffer = self.documents.at(path)
        if buffer is not None:
            await self.show(buffer, BACKGROUND)
            return
        found = await self.ask(BACKGROUND, lambda: self.judge.judged_on_disk(path))
        if self.documents.at(path) is None:
            uri = uri_of(path)
            if found is None or not found.found or path.endswith(SUFFIX):
                self.publish(uri, None, [])
            else:
                self.publish_all(FileBuffer(uri, found.text, self.documents.encoding), found)
        self.say()

    # The workspace

    async def enter(self) -> None:
        """Begin anew, with the folders and settings of now: what is open first, then all other files."""
        workspace = Workspace(self.folders, self.settings)
        self._end_first_pass()
        await self.ask(SAVE, lambda: self.judge.enter(workspace))
        self._is_entered = True
        self.judged.clear()
        self.backlog.clear()
        for buffer in self.documents:
            self.soon(self.show(buffer, EDIT))
        self.say()
        if self.settings.scope != SCOPES[0] or not self.folders:
            for uri in [uri for uri in self._published if self.documents.get(uri) is None]:
                self.publish(uri, None, [])
            return
        found: dict[str, None] = {}
        for folder in self.folders:
            files = await self.ask(BACKGROUND, lambda folder=folder: workspace.files(folder))  # type: ignore[misc]
            found |= dict.fromkeys(files)
        if found and self.judge.workspace is workspace:
            for uri in [uri for uri in self._published if path_of(uri) not in found and not self.documents.get(uri)]:
                self.publish(uri, None, [])
            self.first_pass = await FirstPass.begun(self.server, found)
            self.later(path for path in found if self.documents.at(path) is None)

    def say(self) -> None:
        """Show what is wrong with the settings."""
        for text in self.judge.workspace.take_told():
            self.server.window_show_message(types.ShowMessageParams(types.MessageType.Warning, f"flake8-jax: {text}"))

    # What is found

    def publish_all(self, buffer: EditorBuffer, found: JudgedText) -> None:
        """Tell the editor what is found in all documents that a text consists of."""
        told, versions = diagnostics(found, buffer, self.documents), dict(buffer.documents())
        for uri, rows in told.items():
            self.publish(uri, versions.get(uri), rows)

    def publish(self, uri: str, version: int | None, rows: list[types.Diagnostic]) -> None:
        """Tell the editor what is found in a document; that nothing is, only if something was, or it is open."""
        before = self._published.pop(uri, None)
        if rows or version is not None:
            self._published[uri] = version, rows
        if before != (version, rows) and (before is not None or rows or version is not None):
            self.server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, rows, version))
