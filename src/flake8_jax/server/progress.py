"""How far the first pass over the files of a workspace is, for an editor that shows it."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from time import monotonic

from lsprotocol import types
from pygls.lsp.server import LanguageServer

TITLE = "flake8-jax: first pass"
REFRESH = 0.25
"""How many seconds lie between two reports."""


class FirstPass:
    """The files that are still to be judged, and how many there were."""

    __slots__ = ("_left", "_server", "_shown", "_token", "_total")

    def __init__(self, server: LanguageServer, paths: Collection[str], token: str | None) -> None:
        self._server, self._token = server, token
        self._left, self._total = set(paths), len(paths)
        self._shown = monotonic()

    @classmethod
    async def begun(cls, server: LanguageServer, paths: Collection[str]) -> FirstPass:
        """Begin, and show it if the editor can."""
        window = server.client_capabilities.window
        if window is None or not window.work_done_progress:
            return cls(server, paths, None)
        token = str(uuid.uuid4())
        try:
            await server.work_done_progress.create_async(token)
        except Exception:  # an editor that refuses shows none
            return cls(server, paths, None)
        begin = types.WorkDoneProgressBegin(TITLE, cancellable=False, message=f"0 of {len(paths)} files", percentage=0)
        server.work_done_progress.begin(token, begin)
        return cls(server, paths, token)

    def done(self, path: str) -> None:
        """A file is judged."""
        self._left.discard(path)
        now = monotonic()
        if self._token is not None and self._left and now - self._shown > REFRESH:
            self._shown = now
            done = self._total - len(self._left)
            report = types.WorkDoneProgressReport(
                message=f"{done} of {self._total} files", percentage=100 * done // self._total
            )
            self._server.work_done_progress.report(self._token, report)

    def end(self) -> None:
        """All are judged, or nobody waits for the rest."""
        if self._token is not None:
            end = types.WorkDoneProgressEnd(message=f"{self._total - len(self._left)} files")
            self._server.work_done_progress.end(self._token, end)
            self._token = None
