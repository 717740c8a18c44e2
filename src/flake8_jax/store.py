"""What flake8-jax remembers between runs: bytes under names, in one SQLite file that many processes share.

    with closing(Store.open(stamp=b"tables of 0.8")) as store:
        store.put("index", digest, data)
        store.get("index", digest)          data, in this run and in later ones with the same stamp

It is a cache, and no run fails for its sake: what cannot be read is absent, what cannot be written is dropped, a
damaged file is made anew, and whatever else goes wrong ends in a store that answers None.  `notices` holds what the
user should hear of it.  A value is given out only if its seal fits its name and its bytes, so that damage never
brings forth what was not put under that name.

The rollback journal is used, not the write-ahead log: that one needs shared memory, which home folders on a network
do not give, and leaves files beside the store.  SQLite does not wait for the disk: a killed process harms nothing,
a power failure may cost the store.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from flake8_jax import __version__

if TYPE_CHECKING:
    from sqlite3 import Connection

T = TypeVar("T")
Memory: TypeAlias = "Store | NoStore"

FILE = "store-1.sqlite"  # the number is that of the tables
LIMIT = 200_000_000
PATIENCE = 0.2
MOST_WAITS, MOST_MENDS = 5, 3
FLUSH_ENTRIES, FLUSH_BYTES = 2_000, 8_000_000
SECONDS_UNTIL_STALE = 86_400
CHUNK = 500  # SQLite before 3.32 takes at most 999 parameters

# Names apart from bodies: looking for the oldest reads only names, and bodies, appended, disturb no older page.
TABLES = (
    b"CREATE TABLE names (id INTEGER PRIMARY KEY, place INTEGER, used INTEGER)",
    b"CREATE TABLE bodies (place INTEGER PRIMARY KEY, seal BLOB, value BLOB)",
)
SETTINGS = """
    PRAGMA synchronous = OFF; PRAGMA journal_mode = DELETE; PRAGMA cache_size = -16000;
    PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;
"""
SETTINGS_OF_NEW = "PRAGMA page_size = 16384; PRAGMA auto_vacuum = INCREMENTAL"

_of_parents: list[Connection] = []


@dataclass(slots=True, eq=False)
class NoStore:
    """Remembers nothing."""

    notices: list[str] = field(default_factory=list)

    def get(self, kind: str, key: bytes) -> bytes | None:
        """None."""
        return None

    def get_many(self, kind: str, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """Nothing."""
        return {}

    def put(self, kind: str, key: bytes, value: bytes) -> None:
        """Do nothing."""

    def flush(self) -> None:
        """Do nothing."""

    close = flush


def default_folder() -> Path:
    """Where the store is: `$FLAKE8_JAX_STORE`, else a folder in the user's cache; RuntimeError if there is no home."""
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
    """A folder's store, as one stamp sees it; no method raises, and a forked child has a connection of its own."""

    _folder: Path
    _stamp: bytes
    _limit: int
    _patience: float
    notices: list[str] = field(default_factory=list)
    _process: int = field(default_factory=os.getpid)
    _lock: AbstractContextManager[object] = field(default_factory=RLock)
    _connection: Connection | None = None
    _is_ready: bool = False
    _identity: tuple[int, int] | None = None
    _pending: dict[int, tuple[bytes, bytes]] = field(default_factory=dict)
    _pending_bytes: int = 0
    _stale: set[int] = field(default_factory=set)
    _is_open: bool = True
    _is_writable: bool = True
    _has_removed: bool = False
    _waits: int = 0
    _mends: int = 0

    @classmethod
    def open(
        cls, folder: Path | None = None, stamp: bytes = b"", *, limit: int = LIMIT, patience: float = PATIENCE
    ) -> Store:
        """The store in a folder; entries of another stamp, or another flake8-jax, are not seen.

        `limit` bounds the file, in bytes; `patience` is how many seconds another process is waited for.
        """
        seed = blake2b(__version__.encode() + b"\0" + stamp, digest_size=32).digest()
        try:
            store = cls(folder or default_folder(), seed, limit, patience)
        except RuntimeError as error:
            store = cls(Path(), seed, limit, patience)
            store._stop(f"there is no folder for a store ({error}): nothing is remembered")
        store._attempt(lambda connection: None)
        return store

    def get(self, kind: str, key: bytes) -> bytes | None:
        """What was put there last, if it is remembered."""
        return self.get_many(kind, (key,)).get(key)

    def get_many(self, kind: str, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """The values of those keys that are remembered."""
        with self._own():
            if not self._is_open:
                return {}
            found: dict[bytes, bytes] = {}
            asked: dict[int, tuple[bytes, bytes]] = {}
            for key in keys:
                number, name = self._name(kind, key)
                pending = self._pending.get(number)
                if pending and pending[0] == name:
                    found[key] = pending[1]
                else:
                    asked[number] = name, key
            return found | (self._attempt(partial(self._read, asked)) or {})

    def put(self, kind: str, key: bytes, value: bytes) -> None:
        """Remember a value; it is written at the next flush, which comes by itself after many."""
        with self._own():
            if not (self._is_open and self._is_writable) or len(value) > self._limit // 8:
                return
            number, name = self._name(kind, key)
            self._pending[number] = name, value
            self._pending_bytes += len(value)
            if len(self._pending) >= FLUSH_ENTRIES or self._pending_bytes >= FLUSH_BYTES:
                self.flush()

    def flush(self) -> None:
        """Write what was put, in one transaction; if another process holds the file for long, it is dropped."""
        with self._own():
            has_news = bool(self._pending or self._stale)
            if has_news and self._is_writable and self._attempt(self._write, writes=True):
                self._attempt(self._shrink, writes=True)
            self._forget_pending()

    def close(self) -> None:
        """Write what was put and let go of the file; after that nothing is remembered."""
        self.flush()
        with self._own():
            self._stop()

    def _own(self) -> AbstractContextManager[object]:
        """The lock, in the process that the connection belongs to."""
        if self._process != os.getpid():
            if self._connection:
                _of_parents.append(self._connection)  # even closing it is the parent's
            self._connection, self._is_ready = None, False
            self._process, self._lock = os.getpid(), RLock()
            self.notices.clear()
            self._forget_pending()
        return self._lock

    def _forget_pending(self) -> None:
        self._pending.clear()
        self._stale.clear()
        self._pending_bytes = 0

    def _name(self, kind: str, key: bytes) -> tuple[int, bytes]:
        """The number of a row, and the full name that its seal is made with."""
        name = blake2b(kind.encode("utf-8", "surrogatepass") + b"\0" + key, key=self._stamp, digest_size=32).digest()
        return int.from_bytes(name[:8], "big", signed=True), name

    def _read(self, asked: dict[int, tuple[bytes, bytes]], connection: Connection) -> dict[bytes, bytes]:
        found: dict[bytes, bytes] = {}
        query = "SELECT id, used < ?, seal, value FROM names JOIN bodies USING (place) WHERE id IN ({})"
        expiry = int(time.time()) - SECONDS_UNTIL_STALE
        for numbers in _chunks(asked):
            marks = ",".join("?" * len(numbers))
            for number, is_stale, seal, value in connection.execute(query.format(marks), (expiry, *numbers)).fetchall():
                name, key = asked[number]
                if isinstance(value, bytes) and seal == _seal(name, value):
                    found[key] = value
                    if is_stale:
                        self._stale.add(number)
        return found

    def _write(self, connection: Connection) -> bool:
        now = int(time.time())
        with _transaction(connection):
            for number, (name, value) in self._pending.items():
                connection.execute("DELETE FROM bodies WHERE place = (SELECT place FROM names WHERE id = ?)", (number,))
                body = connection.execute("INSERT INTO bodies (seal, value) VALUES (?, ?)", (_seal(name, value), value))
                connection.execute("INSERT OR REPLACE INTO names VALUES (?, ?, ?)", (number, body.lastrowid, now))
            for numbers in _chunks(self._stale):
                marks = ",".join("?" * len(numbers))
                connection.execute(f"UPDATE names SET used = ? WHERE id IN ({marks})", (now, *numbers))
        return True

    def _shrink(self, connection: Connection) -> None:
        """If the file has outgrown its limit, drop what was used longest ago until half of the limit is free."""
        size = _figure(connection, "page_size")
        if _figure(connection, "page_count") * size <= self._limit:
            return
        oldest = [number for (number,) in connection.execute("SELECT id FROM names ORDER BY used, place").fetchall()]
        for numbers in _chunks(oldest, min(CHUNK, len(oldest) // 20 + 1)):
            with _transaction(connection):
                if _pages_in_use(connection) * size <= self._limit // 2:
                    break
                marks = ",".join("?" * len(numbers))
                connection.execute(
                    f"DELETE FROM bodies WHERE place IN (SELECT place FROM names WHERE id IN ({marks}))", numbers
                )
                connection.execute(f"DELETE FROM names WHERE id IN ({marks})", numbers)
        if _pages_in_use(connection) * size > self._limit:
            connection.execute("DELETE FROM bodies")  # bodies without names: something was damaged
        left, before = _figure(connection, "freelist_count"), -1
        while left and left != before:
            connection.executescript(f"PRAGMA incremental_vacuum({CHUNK})")  # `execute` would stop after one page
            left, before = _figure(connection, "freelist_count"), left

    def _attempt(self, work: Callable[[Connection], T], *, writes: bool = False) -> T | None:
        """What comes of some work with the database, tried again where it was mended, None if it fails."""
        while self._is_open:
            try:
                return work(self._connection or self._connect())
            except Exception as error:
                if not self._is_mended(error):
                    self._give_in(error, writes=writes)
                    if not self._is_ready:
                        self._disconnect()
                    break
        return None

    def _connect(self) -> Connection:
        import sqlite3

        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        connection = sqlite3.connect(self._path, timeout=self._patience, isolation_level=None, check_same_thread=False)
        self._connection, self._identity = connection, _identity(self._path)
        connection.text_factory = bytes  # damaged text may be no text
        connection.executescript(SETTINGS)
        if not _tables(connection):
            connection.executescript(SETTINGS_OF_NEW)
            with _transaction(connection):
                for table in TABLES:
                    connection.execute(table.decode().replace("TABLE", "TABLE IF NOT EXISTS"))
        if _tables(connection) != TABLES:
            raise sqlite3.DatabaseError("its tables are not a store's")
        self._is_ready = True
        return connection

    def _is_mended(self, error: Exception) -> bool:
        """Was the file removed, by us for it was damaged or by another process, so that another try may do?"""
        if not self._connection or self._mends == MOST_MENDS:
            return False
        # SQLite knows a journal by its name: while a file is replaced, one process may take away that of another.
        is_moved = _identity(self._path) != self._identity or "disk I/O error" in str(error)
        if not is_moved and not self._is_removed(error):
            return False
        self._mends += 1
        self._disconnect()
        return True

    def _is_removed(self, error: Exception) -> bool:
        from sqlite3 import DatabaseError

        is_damaged = type(error) is DatabaseError  # its subclasses say other things
        if self._connection and "full" in str(error):  # of disk, or of numbers for rows
            is_damaged = _is_unsound(self._connection)
        if is_damaged and not self._has_removed:
            self._has_removed = True
            with suppress(OSError):
                self._remove()
                return True
        return False

    def _remove(self) -> None:
        """Remove the file that was opened, unless another process has just done so."""
        with self._path.open("rb") as damaged:  # while it is open, no new file can have its number
            self._disconnect()
            if sys.platform == "win32":
                damaged.close()
            else:
                import fcntl

                fcntl.flock(damaged, fcntl.LOCK_EX)
            if _identity(self._path) == self._identity:
                self._path.with_name(f"{FILE}-journal").unlink(missing_ok=True)  # first: it fits no other file
                self._path.unlink()
                self.notices.append(f"the store {self._path} was damaged and is made anew")

    def _give_in(self, error: Exception, *, writes: bool) -> None:
        """Go on without what failed: this once, without writing, or without the store."""
        if isinstance(error, ImportError):
            self._stop()
        elif "locked" in str(error):
            self._waits += 1
            if self._waits == MOST_WAITS:
                self._stop(f"the store {self._path} is held by another process: nothing is remembered")
        elif writes and self._is_ready:
            self._is_writable = False
            self.notices.append(f"the store {self._path} cannot be written ({error}): nothing more is remembered")
        else:
            self._stop(f"the store {self._path} cannot be used ({error}): nothing is remembered")

    def _stop(self, *notices: str) -> None:
        self.notices.extend(notices)
        self._is_open = False
        self._forget_pending()
        self._disconnect()

    def _disconnect(self) -> None:
        if self._connection:
            with suppress(Exception):
                self._connection.close()
        self._connection, self._is_ready = None, False

    @property
    def _path(self) -> Path:
        return self._folder / FILE


def _seal(name: bytes, value: bytes) -> bytes:
    return blake2b(value, key=name, digest_size=8).digest()


def _chunks(numbers: Iterable[int], size: int = CHUNK) -> Iterator[list[int]]:
    rest = iter(numbers)
    while chunk := list(islice(rest, size)):
        yield chunk


@contextmanager
def _transaction(connection: Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        with suppress(Exception):  # SQLite may have rolled back by itself
            connection.execute("ROLLBACK")
        raise


def _tables(connection: Connection) -> tuple[bytes, ...]:
    return tuple(sql for (sql,) in connection.execute("SELECT sql FROM sqlite_master ORDER BY name DESC").fetchall())


def _is_unsound(connection: Connection) -> bool:
    with suppress(Exception):
        return bool(connection.execute("PRAGMA quick_check(1)").fetchall() != [(b"ok",)])
    return True


def _figure(connection: Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])


def _pages_in_use(connection: Connection) -> int:
    return _figure(connection, "page_count") - _figure(connection, "freelist_count")


def _identity(path: Path) -> tuple[int, int] | None:
    """What tells a file from another one that takes its place."""
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino
