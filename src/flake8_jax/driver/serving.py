"""The background process of a project: it keeps the project in memory, and answers runs one after the other.

It reads what changed on the disk once for each run that asks.  While nobody asks, it judges the files of the project
one by one, so that the first questions find most of it known.  It ends by itself: when nobody asked for a while, when
it has grown too large, and when its address was taken away.
"""

from __future__ import annotations

import os
import pickle
import selectors
import socket
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from flake8_jax.api.versions.target import forget, state_of
from flake8_jax.driver.live import Live
from flake8_jax.driver.messages import LOCK, packed_reply, receive, send
from flake8_jax.lazy_dataclasses import dataclass, field
from flake8_jax.syntax.source import SourceFile, Unreadable
from flake8_jax.syntax.widths import settings_enable_x64

if TYPE_CHECKING:
    from flake8_jax.model.config import Config

IDLE = 1800.0
"""After how many seconds without a question it ends."""

LARGEST = 2_000_000
"""With how many kibibytes in memory it ends."""

FileState = tuple[int, int, int]


@dataclass(slots=True, eq=False)
class Serving:
    """The project at `root`, as it is on the disk, but for texts that a run gives.

    `run` is the last one that asked, `settings` is what else reports depend on, `versions` are those of the files on
    the disk when it began, `given` the files of which it gave another text; `waiting` are the files that nobody asked
    for yet; `stopping` waits for the end.
    """

    config: Config
    root: str
    live: Live = field(init=False)
    run: str = ""
    settings: object = None
    versions: dict[str, FileState] = field(default_factory=dict)
    given: set[str] = field(default_factory=set)
    waiting: list[str] = field(default_factory=list)
    stopping: socket.socket | None = None

    def __post_init__(self) -> None:
        self.live, self.settings = Live(self.config), self._settings()
        self.versions = self._on_disk()
        self.waiting = sorted(self.versions, reverse=True)

    def answer(self, message: Any) -> Any:
        """The answer to a question."""
        _, run, path, text = message
        if run != self.run:
            self._catch_up()
            self.run = run
        if path not in self.versions:
            return None  # a new file, a notebook, one that no project lists: the run finds out for itself
        if self.live.text(path) != text:
            self.given.add(path)
        report = self.live.tried(path, text)
        on = self.live.depends(path)
        return None if report.faults or report.given_up is not None or on is None else packed_reply(report, on)

    def judge_one(self) -> None:
        """Judge the next file that nobody asked for yet."""
        self.live.report(self.waiting.pop())

    def _catch_up(self) -> None:
        """Take in what changed on the disk, and that texts which a run gave are not the disk's."""
        now, settings = self._on_disk(), self._settings()
        if settings != self.settings:
            self.live, self.settings = Live(self.config), settings
        changed = {path for path in (*now, *self.versions) if now.get(path) != self.versions.get(path)} | self.given
        for path in sorted(changed):
            self.live.saved(path, _text(path))
        self.versions, self.given = now, set()

    def _settings(self) -> object:
        """What reports depend on beside the files of Python: what is required, installed, and how wide numbers are."""
        forget()
        return state_of(self.root), settings_enable_x64(self.root)

    def _on_disk(self) -> dict[str, FileState]:
        """The size and the times of each file of the project."""
        found: dict[str, FileState] = {}
        for path in self.live.files(self.root):
            with suppress(OSError):
                status = os.stat(path)
                found[path] = status.st_size, status.st_mtime_ns, status.st_ctime_ns
        return found


def _text(path: str) -> str | None:
    try:
        return SourceFile.read(path).text
    except Unreadable:
        return None


def serve(address: str, serving: Serving) -> None:
    """Answer until there is a reason to end; at once where another process serves the address."""
    import fcntl

    with open(f"{address}{LOCK}", "wb") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return
        _serve(address, serving)


def _serve(address: str, serving: Serving) -> None:
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    with suppress(FileNotFoundError):
        os.unlink(address)
    listening.bind(address)
    listening.listen(16)
    place, asked = os.stat(address).st_ino, time.monotonic()
    with selectors.DefaultSelector() as ready, listening:
        ready.register(listening, selectors.EVENT_READ)
        while not serving.stopping and time.monotonic() - asked < IDLE and _grown() < LARGEST:
            if _inode(address) != place:
                break
            events = ready.select(0 if serving.waiting else 30)
            if not events and serving.waiting:
                serving.judge_one()
            for key, _ in events:
                asked = time.monotonic()
                if key.fileobj is listening:
                    ready.register(listening.accept()[0], selectors.EVENT_READ)
                elif isinstance(key.fileobj, socket.socket) and not _served(key.fileobj, serving):
                    ready.unregister(key.fileobj)
                    if key.fileobj is not serving.stopping:
                        key.fileobj.close()
    if _inode(address) == place:
        os.unlink(address)
    if serving.stopping is not None:
        with serving.stopping, suppress(OSError):
            send(serving.stopping, None)


def _served(asker: socket.socket, serving: Serving) -> bool:
    """Answer one message; is there more to be expected of this run?"""
    try:
        message = receive(asker)
        if message[0] == "stop":
            serving.stopping = asker
            return False
        if message[0] == "root":
            send(asker, serving.root)
            return True
        send(asker, serving.answer(message))
    except (OSError, EOFError, ValueError, TypeError):
        return False
    return True


def _inode(address: str) -> int:
    try:
        return os.stat(address).st_ino
    except OSError:
        return -1


def _grown() -> int:
    """The most memory that this process had, in kibibytes."""
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most // 1024 if sys.platform == "darwin" else most


def main() -> None:
    """Serve the project that standard input tells: by the process of the same user that started this one."""
    address, config, root = pickle.loads(sys.stdin.buffer.read())
    serve(address, Serving(config, root))


if __name__ == "__main__":
    main()
