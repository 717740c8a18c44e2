"""Stores with values that can be told right from wrong, for the tests of this process and for programs of their own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from contextlib import closing
from hashlib import sha256
from pathlib import Path

from flake8_jax.cache.store import EntryStore

# What the programs of other processes begin with: a value tells from its number whether it is right.  They wait for one
# another whatever else the machine does.
PRELUDE = """
import os, sys, time
from hashlib import sha256
from pathlib import Path
from flake8_jax.cache import store as module
from flake8_jax.cache.store import EntryStore
module.PATIENCE = 600.0
folder = Path(sys.argv[1])
key = lambda number: b"%d" % number
value = lambda number: sha256(key(number)).digest() * (number % 100 + 1)
"""


def key(number: int) -> bytes:
    return b"%d" % number


def value(number: int) -> bytes:
    return sha256(key(number)).digest() * (number % 100 + 1)


def values(start: int, stop: int) -> dict[bytes, bytes]:
    return {key(number): value(number) for number in range(start, stop)}


def fill(folder: Path, stop: int, start: int = 0) -> None:
    with closing(EntryStore(folder)) as store:
        for number in range(start, stop):
            store.put("kind", key(number), value(number))


def read(folder: Path, stop: int, start: int = 0) -> dict[bytes, bytes]:
    with closing(EntryStore(folder)) as store:
        return found(store, values(start, stop))


def found(store: EntryStore, keys: Iterable[bytes]) -> dict[bytes, bytes]:
    """What a store has of some keys."""
    held = ((name, store.get("kind", name)) for name in keys)
    return {name: data for name, data in held if data is not None}


def start(program: str, folder: Path, *arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", PRELUDE + program, str(folder), *map(str, arguments)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def start_at_once(program: str, folder: Path, firsts: Iterable[int]) -> list[subprocess.Popen[str]]:
    """Start a program several times; all go on when all are there."""
    waiting = "print(flush=True)\nsys.stdin.readline()\n"
    processes = [start(waiting + program, folder, first) for first in firsts]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline()
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    return processes


def finish(process: subprocess.Popen[str]) -> str:
    out, _ = process.communicate(timeout=600)
    assert process.returncode == 0
    return out
