"""What a run and the background process of its project say to each other, over a socket of the user's own.

A question is about one file, with the text that it has for the asker; the answer is its report with what that depends
on, or nothing where the asker must find out for itself.  Each message is plain data behind its length.

    run                                     process
    ("report", run, path, text)      ->
                                     <-     (rows, dependencies), or None
    ("root",)                        ->
                                     <-     the folder of its project
    ("stop",)                        ->     ends
"""

from __future__ import annotations

import marshal
import os
import socket
import struct
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from flake8_jax.cache.reports import packed_report, unpacked_report
from flake8_jax.cache.stamp import stamp
from flake8_jax.digests import blake2b
from flake8_jax.model.report import Dependencies

if TYPE_CHECKING:
    from flake8_jax.model.config import Config
    from flake8_jax.model.report import Report

Reply: TypeAlias = "tuple[Report, Dependencies] | None"
"""A report and what it depends on, if the process could make it."""

IS_POSSIBLE = hasattr(socket, "AF_UNIX") and hasattr(os, "getuid")
LENGTH = struct.Struct("!I")
LOCK = ".lock"
"""How the file that a process holds, and no other, is called after its address."""

LARGEST = 1 << 28
LONGEST = 100
"""The bytes of an address that every system takes."""


def address_of(config: Config, root: str) -> str:
    """Where the process of a project listens, for this configuration and this flake8-jax; raises `OSError` where no
    folder is the user's alone, or its path is too long for a socket.
    """
    digest = blake2b(os.fsencode(root) + b"\0" + stamp(config), digest_size=12).hexdigest()
    address = str(_own_folder() / digest)
    if len(os.fsencode(address)) > LONGEST:
        raise OSError(f"{address} is too long for a socket")
    return address


def _own_folder() -> Path:
    """A folder that nobody else can write to."""
    stated = os.environ.get("XDG_RUNTIME_DIR")
    folder = Path(stated or tempfile.gettempdir()) / f"flake8-jax-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    status = folder.lstat()
    if status.st_uid != os.getuid() or status.st_mode & 0o077:
        raise PermissionError(f"{folder} belongs to others, too")
    return folder


def addresses() -> list[str]:
    """Where processes of this user listen, or listened."""
    with suppress(OSError):
        return sorted(str(path) for path in _own_folder().iterdir() if path.suffix != LOCK)
    return []


def send(to: socket.socket, message: Any) -> None:
    """Send one message; raises `OSError`."""
    data = marshal.dumps(message)
    to.sendall(LENGTH.pack(len(data)) + data)


def receive(by: socket.socket) -> Any:
    """Receive one message; raises `OSError`, or `EOFError` where the other side ended."""
    (length,) = LENGTH.unpack(_exactly(by, LENGTH.size))
    if length > LARGEST:
        raise EOFError("no message of ours")
    return marshal.loads(_exactly(by, length))


def _exactly(by: socket.socket, size: int) -> bytes:
    found = bytearray()
    while len(found) < size:
        more = by.recv(min(size - len(found), 1 << 16))
        if not more:
            raise EOFError("the other side ended")
        found += more
    return bytes(found)


def packed_reply(report: Report, on: Dependencies) -> Any:
    """An answer as plain data."""
    files, searched, submodules = dict(on.files), sorted(on.searched), sorted(on.submodules)
    words = {
        path: [([(one, sorted(several)) for one, several in asked], at) for asked, at in each]
        for path, each in on.words.items()
    }
    shown = {path: [*each] for path, each in on.shown.items()}
    return packed_report(report), (files, searched, submodules, on.truncates, words, shown)


def unpacked_reply(data: Any, shown: str) -> Reply:
    """The inverse of `packed_reply`; the file is displayed as `shown`."""
    if data is None:
        return None
    rows, (files, searched, submodules, truncates, kept, several) = data
    words = {
        path: tuple((tuple((one, frozenset(several)) for one, several in asked), at) for asked, at in each)
        for path, each in kept.items()
    }
    texts = {path: tuple((number, digest) for number, digest in each) for path, each in several.items()}
    on = Dependencies(files, frozenset(searched), frozenset(map(tuple, submodules)), truncates, words, texts)
    return unpacked_report(rows, shown), on


def interpreter() -> list[str]:
    """The command that starts a process of this flake8-jax."""
    return [sys.executable, "-m", "flake8_jax.driver.serving"]
