"""A persistent key-value store in one SQLite file, shared by processes and versions.

    store = EntryStore(folder, stamp=b"tables of 0.10.2")
    store.put("report", key, data)
    store.get("report", key)            data, in this run and in later ones with the same stamp

It is a cache, and no run fails for its sake: SQLite writes each batch whole or not at all, an entry with a wrong
checksum of its name and bytes is a miss, and a damaged file is removed.  Any other failure disables the store for this
run; `notices` holds the one line for the user.  The file has a size limit: once it is larger, the older half of its
entries is deleted.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from flake8_jax import __version__
from flake8_jax.digests import blake2b
from flake8_jax.lazy_dataclasses import dataclass, field

if TYPE_CHECKING:
    from sqlite3 import Connection

FILE = "store-2.sqlite"
"""The number is that of the table."""

LIMIT = 200_000_000
PATIENCE = 2.0
"""How many seconds another process that writes is waited for."""

PENDING_BYTES = 8_000_000
CHECKSUM_BYTES = 8
SETTINGS = "PRAGMA synchronous = OFF; PRAGMA page_size = 16384; PRAGMA auto_vacuum = FULL"
TABLE = "CREATE TABLE IF NOT EXISTS entries (id INTEGER PRIMARY KEY, name BLOB UNIQUE, value BLOB)"

_of_parents: list[Connection] = []
"""Connections of the process that this one was forked from: even closing them is the parent's."""


def folder_of(stated: str | None) -> Path:
    """The folder of the store: the one that an option states, else the default.  RuntimeError if there is no home."""
    return Path(stated) if stated is not None else default_folder()


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
class EntryStore:
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
        entry: object = self._pending.get(name)
        connection = self._connected() if entry is None else None
        if connection is not None:
            try:
                row = connection.execute("SELECT value FROM entries WHERE name = ?", (name,)).fetchone()
            except Exception as error:
                self._fail(error)
            else:
                entry = None if row is None else row[0]
        return _verified(name, entry)

    def put(self, kind: str, key: bytes, value: bytes) -> None:
        """Store a value at the next flush, which is automatic after many bytes."""
        if self.folder is None or len(value) > self.limit // 8:
            return
        self._own()
        name = self._name(kind, key)
        self._pending[name] = _with_checksum(name, value)
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

    def __del__(self) -> None:
        if self._process == os.getpid():
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

                _make(self.folder)
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


def _make(folder: Path) -> None:
    """Make a folder that git ignores, where none is."""
    if not folder.is_dir():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        (folder / ".gitignore").write_text("*\n", encoding="utf-8")


def _with_checksum(name: bytes, value: bytes) -> bytes:
    return blake2b(value, key=name, digest_size=CHECKSUM_BYTES).digest() + value


def _verified(name: bytes, entry: object) -> bytes | None:
    """The value of an entry; None if its checksum does not match its name and bytes."""
    if not isinstance(entry, bytes) or not isinstance(name, bytes):
        return None
    value = entry[CHECKSUM_BYTES:]
    return value if _with_checksum(name, value) == entry else None
