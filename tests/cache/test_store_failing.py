"""A damaged store is made anew, one that cannot be had is done without, and the user hears of it once."""

from __future__ import annotations

import os
import random
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from flake8_jax.cache.store import FILE, EntryStore
from tests.cache.stores import fill, finish, found, key, read, start, start_at_once, value, values


def scattered(data: bytes, seed: int) -> bytes:
    chance, damaged = random.Random(seed), bytearray(data)
    for _ in range(30):
        place = chance.randrange(len(damaged))
        damaged[place : place + 8] = chance.randbytes(8)
    return bytes(damaged)


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda data: b"",
    "text": lambda data: b"nothing of the kind\n" * 1000,
    "a few bytes": lambda data: data[:10],
    "header alone": lambda data: data[:100],
    "cut at a page": lambda data: data[: len(data) // 2 // 16384 * 16384],
    "cut in a page": lambda data: data[: len(data) // 2 - 5],
    "longer": lambda data: data + b"x" * 100_000,
    "zeros behind the first page": lambda data: data[:16384] + bytes(len(data) - 16384),
    "noise behind the header": lambda data: data[:100] + random.Random(0).randbytes(len(data) - 100),
    "another table": lambda data: data.replace(b"PRIMARY KEY, name", b"PRIMARY KEY, nome"),
    **{f"scattered {seed}": lambda data, seed=seed: scattered(data, seed) for seed in range(12)},  # type: ignore[misc]
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_file_gives_right_values_or_none(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    fill(tmp_path, 400)
    file = tmp_path / FILE
    file.write_bytes(damage(file.read_bytes()))
    for _ in range(3):  # where the damage is not met, later runs may meet it
        with closing(EntryStore(tmp_path)) as store:
            assert found(store, values(0, 400)).items() <= values(0, 400).items()
            for number in range(400, 800):
                store.put("kind", key(number), value(number))
        assert len(store.notices) <= 1
    left = read(tmp_path, 800)
    assert left.items() <= values(0, 800).items()
    assert len(left.items() & values(400, 800).items()) >= 380, "a damaged page may have lost some"


def test_a_damaged_file_is_made_anew_by_the_next_run(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("no database " * 100)
    store = EntryStore(tmp_path)
    assert store.get("kind", key(0)) is None
    assert [notice.split(FILE)[1] for notice in store.notices] == [" was damaged and is made anew by the next run"]
    store.put("kind", key(0), value(0))
    store.close()
    assert (os.listdir(tmp_path), len(store.notices)) == ([], 1)
    fill(tmp_path, 1)
    assert read(tmp_path, 1) == values(0, 1)


def test_many_find_the_damage_at_once(tmp_path: Path) -> None:
    program = """
store = EntryStore(folder)
first = int(sys.argv[2])
for number in range(first, first + 100):
    store.put("kind", key(number), value(number))
    if number % 10 == 0:
        store.flush()
store.close()
assert len(store.notices) <= 1, store.notices
"""
    for turn in range(3):
        (tmp_path / FILE).write_text("no database " * 1000)
        for finder in start_at_once(program, tmp_path, range(0, 400, 100)):
            finish(finder)
        assert read(tmp_path, 400).items() <= values(0, 400).items(), turn
    fill(tmp_path, 400)
    assert read(tmp_path, 400) == values(0, 400)


# Where nothing can be written


@pytest.mark.parametrize("place", ["below a file", "a folder in its place", "a name with NUL", "a name too long"])
def test_no_place_for_a_store(tmp_path: Path, place: str) -> None:
    folder = tmp_path / "folder"
    if place == "below a file":
        folder.write_text("")
        folder = folder / "below"
    elif place == "a folder in its place":
        (folder / FILE).mkdir(parents=True)
    else:
        folder = tmp_path / ("\0" if "NUL" in place else "x" * 5000)
    assert "cannot be used (" in said_of_two(EntryStore(folder))


def said_of_two(store: EntryStore) -> str:
    """The one notice of a store that keeps neither of two entries."""
    for number in range(2):
        store.put("kind", key(number), value(number))
        store.flush()
        assert store.get("kind", key(number)) is None
    store.close()
    (notice,) = store.notices
    return notice


def test_sqlite_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def connect(*arguments: object, **options: object) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(sqlite3, "connect", connect)
    assert "cannot be used (disk I/O error): nothing more is remembered" in said_of_two(EntryStore(tmp_path))


def test_no_sqlite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sqlite3", None)
    store = EntryStore(tmp_path)
    store.put("kind", b"k", b"v")
    store.close()
    assert (store.get("kind", b"k"), store.notices) == (None, [])


def test_a_store_that_cannot_be_written_is_done_without(tmp_path: Path) -> None:
    fill(tmp_path, 3)
    with closing(EntryStore(tmp_path)) as store:
        assert store.get("kind", key(0)) == value(0)
        assert store._connection
        store._connection.execute("PRAGMA query_only = ON")
        store.put("kind", key(3), value(3))
        store.flush()
        assert found(store, values(0, 4)) == {}
    assert [notice.split(FILE)[1] for notice in store.notices] == [
        " cannot be used (attempt to write a readonly database): nothing more is remembered"
    ]
    assert read(tmp_path, 4) == values(0, 3)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="permissions do not bind this user")
def test_a_folder_without_permission(tmp_path: Path) -> None:
    fill(tmp_path, 3)
    (tmp_path / FILE).chmod(0o400)
    tmp_path.chmod(0o500)
    try:
        with closing(EntryStore(tmp_path)) as store:
            store.put("kind", key(3), value(3))
            store.flush()
            assert found(store, values(0, 4)) == values(0, 3)
        assert len(store.notices) == 1
        assert "cannot be used (" in said_of_two(EntryStore(tmp_path / "below"))
    finally:
        tmp_path.chmod(0o700)


@pytest.mark.parametrize("room", [0, 4_000, 40_000, 400_000])
def test_a_full_disk(tmp_path: Path, room: int) -> None:
    pytest.importorskip("resource")
    program = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)
store = EntryStore(folder)
for number in range(1000):
    store.put("kind", key(number), value(number))
    if number % 20 == 0:
        store.flush()
store.close()
assert store.get("kind", key(0)) is None
assert len(store.notices) == 1 and "remembered" in store.notices[0], store.notices
"""
    finish(start(program, tmp_path, room))
    left = read(tmp_path, 1000)
    assert left.items() <= values(0, 1000).items()
    assert bool(left) == (room == 400_000)
    fill(tmp_path, 1000)
    assert read(tmp_path, 1000) == values(0, 1000)
    assert os.listdir(tmp_path) == [FILE]
