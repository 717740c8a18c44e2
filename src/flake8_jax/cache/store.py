"""A persistent key-value store in one SQLite file, shared by processes and versions.

    store = Store(folder, stamp=b"tables of 0.10.2")
    store.put("report", key, data)
    store.get("report", key)            data, in this run and in later ones with the same stamp

It is a cache, and no run fails for its sake: SQLite writes each batch whole or not at all, an entry whose seal does not
fit its name and bytes is a miss, a damaged file is removed, and whatever else fails switches the store off for this
run; `notices` holds the one line that the user hears.  The file has a size bound: once it is larger, the older half of
its entries goes.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from flake8_jax import __version__

if TYPE_CHECKING:
    from sqlite3 import Connection

FILE = "store-2.sqlite"
"""The number is that of the table."""

LIMIT = 200_000_000
PATIENCE = 2.0
"""How many seconds another process that writes is waited for."""

PENDING_BYTES = 8_000_000
SEAL = 8
SETTINGS = "PRAGMA synchronous = OFF; PRAGMA page_size = 16384; PRAGMA auto_vacuum = FULL"
TABLE = "CREATE TABLE IF NOT EXISTS entries (id INTEGER PRIMARY KEY, name BLOB UNIQUE, value BLOB)"

_of_parents: list[Connection] = []
"""Connections of the process that this one was forked from: even closing them is the parent's."""


def default_folder() -> Path:
    """The folder of the store: `$FLAKE8_JAX_STORE`, else a folder in the user's cache.  RuntimeError if there is no
    home.
    """
    if stated := os.environ.get("FLAKE8_JAX_STORE"):
        return Path(stated)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "flake8-jax"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "flake8-jax"
    cache = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(cache) if os.path.isabs(cache) else Path.home() / ".cache") / "flake8-jax"


@dataclass(slots=True, eq=False)
class Store:
    """The entries of one stamp in a folder's store; disabled if `folder` is None.  No method raises.

    `limit` bounds the file, in bytes; entries of another stamp, or of another flake8-jax, are not seen.
    """

    folder: Path | None
    stamp: bytes = b""
    limit: int = LIMIT
    notices: list[str] = field(default_factory=list)
    _seed: bytes = b""
    _process: int = 0
    _connection: Connection | None = None
    _pending: dict[bytes, bytes] = field(default_factory=dict)
    _pending_bytes: int = 0

    def get(self, kind: str, key: bytes) -> bytes | None:
        """The latest value put under a key; None on a miss."""
        self._own()
        name = self._name(kind, key)
        sealed: object = self._pending.get(name)
        connection = self._connected() if sealed is None else None
        if connection is not None:
            try:
                row = connection.execute("SELECT value FROM entries WHERE name = ?", (name,)).fetchone()
            except Exception as error:
                self._fail(error)
            else:
                sealed = None if row is None else row[0]
        return _opened(name, sealed)

    def put(self, kind: str, key: bytes, value: bytes) -> None:
        """Store a value at the next flush, which is automatic after many bytes."""
        if self.folder is None or len(value) > self.limit // 8:
            return
        self._own()
        name = self._name(kind, key)
        self._pending[name] = _sealed(name, value)
        self._pending_bytes += len(value)
        if self._pending_bytes >= PENDING_BYTES:
            self.flush()

    def flush(self) -> None:
        """Write pending values in one transaction; if it fails, they are dropped."""
        self._own()
        pending, self._pending, self._pending_bytes = self._pending, {}, 0
        connection = self._connected() if pending else None
        if connection is None:
            return
        try:
            with connection:
                connection.executemany("INSERT OR REPLACE INTO entries (name, value) VALUES (?, ?)", pending.items())
            if self._size(connection) > self.limit:
                with connection:
                    middle = "SELECT id FROM entries ORDER BY id LIMIT 1 OFFSET (SELECT count(*) / 2 FROM entries)"
                    connection.execute(f"DELETE FROM entries WHERE id < ({middle})")
        except Exception as error:
            self._fail(error)

    def close(self) -> None:
        """Write pending values and close the file; it is reopened on the next access."""
        self.flush()
        self._disconnect()

    def _name(self, kind: str, key: bytes) -> bytes:
        if not self._seed:
            self._seed = blake2b(__version__.encode() + b"\0" + self.stamp, digest_size=32).digest()
        return blake2b(kind.encode() + b"\0" + key, key=self._seed, digest_size=16).digest()

    def _own(self) -> None:
        """In a fork: leave the parent's connection alone, and what it has still to write."""
        if self._process != os.getpid():
            if self._connection is not None:
                _of_parents.append(self._connection)
            if self._process:
                self._pending, self._pending_bytes = {}, 0
                self.notices.clear()
            self._process, self._connection = os.getpid(), None

    def _connected(self) -> Connection | None:
        if self._connection is None and self.folder is not None:
            try:
                import sqlite3

                self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                self._connection = sqlite3.connect(self.folder / FILE, timeout=PATIENCE, check_same_thread=False)
                self._connection.executescript(SETTINGS)
                self._connection.execute(TABLE)
            except Exception as error:
                self._fail(error)
                self._disconnect()  # one that is held has no table yet
        return self._connection

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _size(self, connection: Connection) -> int:
        (pages,), (size,) = (connection.execute(f"PRAGMA {one}").fetchone() for one in ("page_count", "page_size"))
        return int(pages) * int(size)

    def _fail(self, error: Exception) -> None:
        """A store that is held by another process is passed over this once; any other is done without."""
        if "locked" in str(error) or self.folder is None:
            return
        path, self.folder = self.folder / FILE, None
        self._disconnect()
        is_damaged = type(error).__name__ == "DatabaseError"  # its subclasses say other things
        if is_damaged or "no such column" in str(error) or "no column named" in str(error):
            said = "was damaged and is made anew by the next run"
            with suppress(OSError):
                path.unlink(missing_ok=True)
                path.with_name(f"{FILE}-journal").unlink(missing_ok=True)
        else:
            said = f"cannot be used ({error}): nothing more is remembered"
        if not isinstance(error, ImportError):
            self.notices.append(f"the store {path} {said}")


def _sealed(name: bytes, value: bytes) -> bytes:
    return blake2b(value, key=name, digest_size=SEAL).digest() + value


def _opened(name: bytes, sealed: object) -> bytes | None:
    """The value in a sealed entry; None if it is not the one that was put under this name."""
    if not isinstance(sealed, bytes) or not isinstance(name, bytes) or _sealed(name, sealed[SEAL:]) != sealed:
        return None
    return sealed[SEAL:]
