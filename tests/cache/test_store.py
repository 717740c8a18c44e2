"""The store gives back what was put, to many processes at once, or nothing: no other bytes, and no error."""

from __future__ import annotations

import os
import random
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from flake8_jax.cache import store as module
from flake8_jax.cache.store import FILE, EntryStore, default_folder
from tests.cache.stores import fill, finish, found, key, read, start, value, values


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EntryStore]:
    with closing(EntryStore(tmp_path)) as opened:
        yield opened


def test_what_was_put_is_read_again(tmp_path: Path) -> None:
    wanted = {**values(0, 1200), b"": b"", b"\0\xff": b"\0" * 100_000}
    with closing(EntryStore(tmp_path)) as store:
        for name, data in wanted.items():
            store.put("kind", name, data)
        assert found(store, wanted) == wanted, "before it is written"
        store.flush()
        assert found(store, [*wanted, b"other"]) == wanted
        store.put("kind", key(7), b"new")
    with closing(EntryStore(tmp_path)) as store:
        assert found(store, wanted) == {**wanted, key(7): b"new"}
        assert (store.get("kind", key(8)), store.get("kind", b"other")) == (value(8), None)
    assert store.notices == []
    assert os.listdir(tmp_path) == [FILE]


def test_stamps_and_kinds_are_apart(tmp_path: Path) -> None:
    for stamp in (b"", b"a", b"b"):
        with closing(EntryStore(tmp_path, stamp)) as store:
            for kind in ("x", "y", "xk"):
                assert store.get(kind, b"k") is None
                store.put(kind, b"k", stamp + kind.encode())
    for stamp in (b"", b"a", b"b"):
        with closing(EntryStore(tmp_path, stamp)) as store:
            assert [store.get(kind, b"k") for kind in ("x", "y", "xk")] == [stamp + b"x", stamp + b"y", stamp + b"xk"]


def test_another_version_sees_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path, 1)
    monkeypatch.setattr(module, "__version__", "0.0")
    assert read(tmp_path, 1) == {}


@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE entries SET value = value || x'00'",
        "UPDATE entries SET value = 'text'",
        "UPDATE entries SET value = NULL",
        "UPDATE entries SET value = x''",
        "UPDATE entries SET value = (SELECT value FROM entries AS e WHERE e.id <> entries.id)",
        "UPDATE entries SET name = 'x' WHERE id = 1",
        "DELETE FROM entries",
    ],
)
def test_a_value_without_its_seal_is_absent_until_it_is_put_again(tmp_path: Path, harm: str) -> None:
    fill(tmp_path, 2)
    with closing(sqlite3.connect(tmp_path / FILE)) as connection, connection:
        connection.execute(harm)
    assert len(read(tmp_path, 2)) == ("WHERE" in harm)
    fill(tmp_path, 2)
    assert read(tmp_path, 2) == values(0, 2)


def test_after_close_it_is_opened_again(store: EntryStore) -> None:
    store.put("kind", b"k", b"v")
    store.close()
    assert (store.get("kind", b"k"), store.notices) == (b"v", [])


def test_no_store_remembers_nothing() -> None:
    store = EntryStore(None)
    store.put("kind", b"k", b"v")
    store.flush()
    assert (store.get("kind", b"k"), found(store, [b"k"]), store.notices) == (None, {}, [])
    store.close()


# Many processes


def test_writers_at_once(tmp_path: Path) -> None:
    program = """
store = EntryStore(folder)
for number in range(int(sys.argv[2]), int(sys.argv[3])):
    store.put("kind", key(number), value(number))
    assert store.get("kind", key(number)) == value(number)
    if number % 50 == 0:
        store.flush()
store.close()
assert not store.notices, store.notices
"""
    writers = [start(program, tmp_path, first, first + 300) for first in range(0, 2400, 300)]
    for writer in writers:
        finish(writer)
    assert read(tmp_path, 2400) == values(0, 2400)
    assert os.listdir(tmp_path) == [FILE]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_killed_writers_leave_a_good_store(tmp_path: Path) -> None:
    program = """
number = int(sys.argv[2])
store = EntryStore(folder)
while True:
    for number in range(number, number + 100):
        store.put("kind", key(number), value(number))
    store.flush()
    print(number, flush=True)
"""
    chance = random.Random(0)
    written = set()
    for first in range(0, 1_000_000, 100_000):
        with start(program, tmp_path, first) as writer:
            assert writer.stdout
            written.add(int(writer.stdout.readline()))
            time.sleep(chance.random() / 20)
            writer.kill()
            written.update(map(int, writer.stdout))
    with closing(EntryStore(tmp_path)) as store:
        wanted = [number for last in written for number in range(last // 100_000 * 100_000, last + 1)]
        assert found(store, map(key, wanted)) == {key(number): value(number) for number in wanted}
        assert store.notices == []
    with closing(sqlite3.connect(tmp_path / FILE)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    fill(tmp_path, 1)  # if a journal had only been begun, it goes with the next write
    assert os.listdir(tmp_path) == [FILE]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_forked_child_has_a_connection_of_its_own(tmp_path: Path) -> None:
    program = """
store = EntryStore(folder)
store.put("kind", key(0), value(0))
store.flush()
store.put("kind", key(1), value(1))
store.notices.append("the parent's")
before = store._connection
child = os.fork()
if child == 0:
    right = [store.get("kind", key(n)) for n in range(2)] == [value(0), None] and store._connection is not before
    store.put("kind", key(2), value(2))
    store.flush()
    os._exit(0 if right and store.notices == [] else 1)
assert os.waitpid(child, 0)[1] == 0
assert store._connection is before
assert [store.get("kind", key(n)) for n in range(3)] == [value(n) for n in range(3)]
store.put("kind", key(3), value(3))
store.close()
assert store.notices == ["the parent's"]
"""
    finish(start(program, tmp_path))
    assert read(tmp_path, 4) == values(0, 4)
    assert os.listdir(tmp_path) == [FILE]


def test_a_held_store_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.01)
    fill(tmp_path, 1)
    with (
        closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as holder,
        closing(EntryStore(tmp_path)) as store,
    ):
        assert store.get("kind", key(0)) == value(0)
        holder.execute("BEGIN EXCLUSIVE")
        store.put("kind", key(1), value(1))
        store.flush()
        assert store.get("kind", key(0)) is None
        holder.execute("ROLLBACK")
        assert store.get("kind", key(0)) == value(0)
        assert (store.get("kind", key(1)), store.notices) == (None, [])


# Size, age, place


def test_the_file_is_bounded_and_the_older_half_goes(tmp_path: Path) -> None:
    limit = 2_000_000
    for first in range(0, 4000, 200):
        with closing(EntryStore(tmp_path, limit=limit)) as store:
            for number in range(first, first + 200):
                store.put("kind", key(number), value(number))
        assert (tmp_path / FILE).stat().st_size <= limit
    left = read(tmp_path, 4000)
    assert limit / 4 < sum(map(len, left.values()))
    oldest = min(map(int, left))
    assert oldest > 0
    assert left == values(oldest, 4000)
    assert os.listdir(tmp_path) == [FILE]


def test_what_fills_much_of_the_store_is_not_kept(tmp_path: Path) -> None:
    with closing(EntryStore(tmp_path, limit=1_000_000)) as store:
        store.put("kind", b"k", bytes(200_000))
        assert store.get("kind", b"k") is None


@pytest.mark.parametrize(
    ("platform", "variables", "folder"),
    [
        ("linux", {}, "home/.cache/flake8-jax"),
        ("linux", {"XDG_CACHE_HOME": "{root}/cache"}, "cache/flake8-jax"),
        ("linux", {"XDG_CACHE_HOME": "not/absolute"}, "home/.cache/flake8-jax"),
        ("linux", {"XDG_CACHE_HOME": "{root}/cache", "FLAKE8_JAX_STORE": "{root}/mine"}, "mine"),
        ("linux", {"FLAKE8_JAX_STORE": ""}, "home/.cache/flake8-jax"),
        ("darwin", {"XDG_CACHE_HOME": "{root}/cache"}, "home/Library/Caches/flake8-jax"),
        ("win32", {"LOCALAPPDATA": "{root}/local"}, "local/flake8-jax"),
        ("win32", {}, "home/AppData/Local/flake8-jax"),
    ],
)
def test_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, platform: str, variables: dict[str, str], folder: str
) -> None:
    for name in ("FLAKE8_JAX_STORE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, text in variables.items():
        monkeypatch.setenv(name, text.format(root=tmp_path))
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    monkeypatch.setattr(sys, "platform", platform)
    assert default_folder() == tmp_path / folder


def test_sqlite_is_imported_when_a_store_is_opened() -> None:
    program = f"import sys, {module.__name__}\nassert 'sqlite3' not in sys.modules"
    subprocess.run([sys.executable, "-c", program], check=True)


# Cost, in time of this process, which others on the machine do not make longer; alone it takes a fifth.


def test_it_is_quick(tmp_path: Path) -> None:
    wanted = {key(number): bytes(2000) for number in range(1500)}
    began = time.process_time()
    fill(tmp_path, 1)
    store = EntryStore(tmp_path)
    for name, data in wanted.items():
        store.put("kind", name, data)
    store.flush()
    assert found(store, wanted) == wanted
    store.close()
    assert time.process_time() - began < 1
