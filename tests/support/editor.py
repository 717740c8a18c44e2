"""A small editor: talks with a language server over its standard input, as editors do, and keeps what it says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

SERVER = (sys.executable, "-m", "flake8_jax", "server")
CAPABILITIES: dict[str, Any] = {
    "general": {"positionEncodings": ["utf-16"]},
    "textDocument": {
        "synchronization": {"didSave": True},
        "publishDiagnostics": {"relatedInformation": True, "codeDescriptionSupport": True, "versionSupport": True},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix", "source.fixAll"]}}},
        "hover": {"contentFormat": ["markdown"]},
    },
    "notebookDocument": {"synchronization": {}},
    "window": {"workDoneProgress": True, "showDocument": {"support": True}},
    "workspace": {
        "applyEdit": True,
        "configuration": True,
        "workspaceFolders": True,
        "workspaceEdit": {"documentChanges": True},
        "didChangeWatchedFiles": {"dynamicRegistration": True},
        "fileOperations": {"didCreate": True, "didRename": True, "didDelete": True},
    },
}
PATIENCE = 600.0
"""After so many seconds it is sure that there will be no answer, whatever else the machine does."""


class Editor:
    """A server and the conversation with it.  `settings` is what it is answered when it asks for its section."""

    def __init__(
        self, folders: Sequence[Path], words: Sequence[str] = SERVER, settings: dict[str, Any] | None = None,
        capabilities: dict[str, Any] | None = None, options: object = None,
    ) -> None:  # fmt: skip
        self.settings = settings
        self.said: list[dict[str, Any]] = []
        self.published: dict[str, list[dict[str, Any]]] = {}
        self._answers: dict[int, dict[str, Any]] = {}
        self._heard = threading.Condition()
        self._count = 0
        self._is_deaf = False
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folders[0])
        threading.Thread(target=self._listen, daemon=True).start()
        named = [{"uri": uri(folder), "name": folder.name} for folder in folders]
        self.capabilities = self.ask(
            "initialize",
            processId=os.getpid(),
            rootUri=named[0]["uri"],
            workspaceFolders=named,
            initializationOptions=options,
            capabilities=CAPABILITIES if capabilities is None else capabilities,
        )["capabilities"]
        self.tell("initialized")

    def tell(self, method: str, **params: object) -> None:
        """Tell the server something."""
        self._write({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method: str, **params: object) -> Any:
        """Ask the server something, and return its answer."""
        self._count += 1
        number = self._count
        self._write({"jsonrpc": "2.0", "id": number, "method": method, "params": params or None})
        self.wait(lambda: number in self._answers)
        answer = self._answers.pop(number)
        assert "error" not in answer, answer
        return answer.get("result")

    def wait(self, is_so: Callable[[], object], patience: float = PATIENCE) -> None:
        """Listen until something is so."""
        end = time.monotonic() + patience
        with self._heard:
            while not is_so():
                left = end - time.monotonic()
                assert left > 0, ("it takes too long", self.said[-5:], self.published)
                assert not self._is_deaf, ("the server has ended", self.process.poll(), self.said[-5:])
                self._heard.wait(min(left, 1.0))

    def open(self, path: Path, text: str | None = None, language: str = "python") -> None:
        """Open a file, perhaps with another text than it has."""
        text = path.read_text(encoding="utf-8") if text is None else text
        item = {"uri": uri(path), "languageId": language, "version": 1, "text": text}
        self.tell("textDocument/didOpen", textDocument=item)

    def edit(self, path: Path, version: int, *changes: dict[str, Any]) -> None:
        """Edit an open file: each change has a `text`, and a `range` if it is none of the whole file."""
        document = {"uri": uri(path), "version": version}
        self.tell("textDocument/didChange", textDocument=document, contentChanges=list(changes))

    def save(self, path: Path, text: str) -> None:
        """Write a file, as an editor does, and say so."""
        path.write_text(text, encoding="utf-8")
        self.tell("textDocument/didSave", textDocument={"uri": uri(path)})

    def close(self, path: Path) -> None:
        """Close a file."""
        self.tell("textDocument/didClose", textDocument={"uri": uri(path)})

    def found(self, path: Path, version: int | None = None) -> list[dict[str, Any]]:
        """What was published last of a file; waits for what is of a version."""

        def is_there() -> bool:
            rows = self.published.get(uri(path), [])
            return bool(rows) and (version is None or rows[-1].get("version") == version)

        self.wait(is_there)
        found: list[dict[str, Any]] = self.published[uri(path)][-1]["diagnostics"]
        return found

    def codes(self, path: Path, version: int | None = None) -> list[str]:
        """The codes of what was published last."""
        return [one["code"] for one in self.found(path, version)]

    def shows(self, path: Path, *codes: str) -> None:
        """Wait until the last that is published of a file are findings of these codes."""
        self.wait(lambda: uri(path) in self.published and self.codes(path) == list(codes))

    def end(self) -> int:
        """Say that it is enough; returns the exit status of the server."""
        assert self.ask("shutdown") is None
        self._write({"jsonrpc": "2.0", "method": "exit"})
        status = self.process.wait(PATIENCE)
        self._hang_up()
        return status

    def __enter__(self) -> Editor:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self._hang_up()

    def _hang_up(self) -> None:
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None and not pipe.closed:
                pipe.close()

    def _write(self, message: dict[str, Any]) -> None:
        data = json.dumps(message).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        self.process.stdin.flush()

    def _listen(self) -> None:
        pipe = self.process.stdout
        assert pipe is not None
        try:
            while header := pipe.readline():
                size = 0
                while header.strip():
                    name, _, value = header.partition(b":")
                    size = int(value) if name.lower() == b"content-length" else size
                    header = pipe.readline()
                with self._heard:
                    self._hear(json.loads(pipe.read(size)))
                    self._heard.notify_all()
        except (OSError, ValueError):
            pass  # the pipe is closed
        with self._heard:
            self._is_deaf = True
            self._heard.notify_all()

    def _hear(self, message: dict[str, Any]) -> None:
        method = message.get("method")
        if method is None:
            self._answers[message["id"]] = message
            return
        self.said.append(message)
        if method == "textDocument/publishDiagnostics":
            self.published.setdefault(message["params"]["uri"], []).append(message["params"])
        if "id" in message:
            result: object = None
            if method == "workspace/configuration":
                result = [self.settings for _ in message["params"]["items"]]
            if method == "window/showDocument":
                result = {"success": True}
            if method == "workspace/applyEdit":
                result = {"applied": True}
            self._write({"jsonrpc": "2.0", "id": message["id"], "result": result})


def uri(path: Path) -> str:
    """The address of a file."""
    return path.as_uri()
