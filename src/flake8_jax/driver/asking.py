"""Asking the background process of a project, and starting one where there is none.

Nobody waits for a process that only starts: the run that starts it finds out for itself, and so does one that is not
answered in time.
"""

from __future__ import annotations

import os
import pickle
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from flake8_jax.driver.messages import (
    IS_POSSIBLE,
    Reply,
    address_of,
    addresses,
    interpreter,
    receive,
    send,
    unpacked_reply,
)
from flake8_jax.lazy_dataclasses import dataclass, field

if TYPE_CHECKING:
    from flake8_jax.model.config import Config

PATIENCE = 8.0
"""How many seconds an answer is waited for: the process may be reading another file of the project just then."""

PATIENCE_TO_END = 60.0
"""How many seconds it may take to end, or to say what it is for: there is nothing else to be done meanwhile."""

_started: set[str] = set()
"""Where this run started a process."""


@dataclass(slots=True, eq=False)
class Daemon:
    """The background process of one project, as a run sees it.

    `config` is that of the run, `root` the folder of the project.  What fails once is not tried again in this run.
    """

    config: Config
    root: str
    _run: str = field(default_factory=lambda: f"{os.getpid()} {time.time_ns()}")
    _process: int = 0
    _connection: socket.socket | None = None
    _is_given_up: bool = not IS_POSSIBLE

    def report(self, path: str, text: str, shown: str) -> Reply:
        """The report on a file with a text, if there is a process that answers."""
        if self._process != os.getpid():  # a fork has a connection of its own
            self._process, self._connection = os.getpid(), None
        if self._is_given_up or not (self._connection or self._connect()):
            return None
        assert self._connection is not None
        try:
            send(self._connection, ("report", self._run, path, text))
            return unpacked_reply(receive(self._connection), shown)
        except (OSError, EOFError, ValueError, TypeError):
            self.close()
            self._is_given_up = True
            return None

    def close(self) -> None:
        """End the conversation; the next question begins another."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def __del__(self) -> None:
        self.close()

    def _connect(self) -> bool:
        self._is_given_up = True
        with suppress(OSError):
            address = address_of(self.config, self.root)
            self._connection = connected(address)
            self._is_given_up = self._connection is None
            if self._is_given_up and address not in _started:
                _started.add(address)
                start(address, self.config, self.root)
        return self._connection is not None


def connected(address: str) -> socket.socket | None:
    """A connection to the process that listens at an address; None if none does."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.settimeout(PATIENCE)
    try:
        connection.connect(address)
    except OSError:
        connection.close()
        return None
    return connection


def start(address: str, config: Config, root: str) -> None:
    """Start the process of a project, which goes on when this one ends."""
    process = subprocess.Popen(
        interpreter(), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        cwd=root, start_new_session=True,
    )  # fmt: skip
    assert process.stdin is not None
    with suppress(OSError), process.stdin:
        process.stdin.write(pickle.dumps((address, config, root)))
    process.returncode = 0  # nobody waits for it


def stop_all() -> int:
    """End the processes of this user; returns how many there were."""
    return len(list(_told("stop")))


def running() -> list[str]:
    """The folders of the projects that processes of this user keep."""
    return sorted(map(str, _told("root")))


def _told(word: str) -> Iterator[object]:
    """What each process of this user answers to a word; the addresses of those that are gone are removed."""
    for address in addresses():
        connection = connected(address)
        if connection is None:
            with suppress(OSError):
                os.unlink(address)
            continue
        connection.settimeout(PATIENCE_TO_END)
        with connection, suppress(OSError, EOFError):
            send(connection, (word,))
            yield receive(connection)
