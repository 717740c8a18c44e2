from __future__ import annotations

import atexit
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("jax")

from flake8_jax.runtime import children, compat
from flake8_jax.runtime.children import Died, Raised, TooLate, in_child
from flake8_jax.runtime.sightings import Sightings, Unsupported

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")]


@pytest.fixture(autouse=True)
def _no_backend(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other tests of this process may have started a backend; these children do not touch JAX."""
    monkeypatch.setattr(compat, "backend_is_started", lambda: False)


class Odd(Exception):
    def __init__(self, number: int, text: str) -> None:
        super().__init__(text)


def _raise(error: BaseException) -> Any:
    raise error


def _seen() -> Sightings:
    found = Sightings()
    found.see(3, times=2)
    return found


PARENT = os.getpid()

ANSWERS: list[tuple[str, Callable[[], Any], Any]] = [
    ("a value", lambda: {"lines": [1, None]}, {"lines": [1, None]}),
    ("nothing", lambda: None, None),
    ("sightings", _seen, _seen()),
    ("more than a pipe holds", lambda: "x" * 1_000_000, "x" * 1_000_000),
    ("a child of the child", lambda: in_child(lambda: in_child(lambda: 4, seconds=600), seconds=600), 4),
    ("in another process", lambda: os.getpid() != PARENT, True),
]

ERRORS: list[tuple[str, Callable[[], Any], type[BaseException], str]] = [
    ("an error", lambda: _raise(ValueError("no")), ValueError, "^no$"),
    ("an exit", lambda: sys.exit(3), SystemExit, "3"),
    ("unsupported", lambda: _raise(Unsupported("not here")), Unsupported, "^not here$"),
    ("an error that cannot travel", lambda: _raise(Odd(1, "odd")), Raised, "Odd: odd"),
    ("a value that cannot travel", lambda: lambda: 1, Exception, "local object"),
    ("a crash", lambda: os.kill(os.getpid(), signal.SIGSEGV), Died, "SIGSEGV"),
    ("an end", lambda: os._exit(7), Died, "status 7"),
    ("an error in a child's child", lambda: in_child(lambda: _raise(KeyError("k")), seconds=600), KeyError, "k"),
]


@pytest.mark.parametrize(("task", "expected"), [row[1:] for row in ANSWERS], ids=[row[0] for row in ANSWERS])
def test_what_a_child_returns(task: Callable[[], Any], expected: Any) -> None:
    assert in_child(task, seconds=600) == expected


@pytest.mark.parametrize(("task", "error", "text"), [row[1:] for row in ERRORS], ids=[row[0] for row in ERRORS])
def test_what_a_child_raises(task: Callable[[], Any], error: type[BaseException], text: str) -> None:
    with pytest.raises(error, match=text):
        in_child(task, seconds=600)


def test_a_child_that_does_not_end_is_killed_with_what_it_started(tmp_path: Path) -> None:
    note = tmp_path / "pid"

    def task() -> None:
        child = os.fork()
        if child:
            note.write_text(str(child))
        time.sleep(600)

    start = time.monotonic()
    with pytest.raises(TooLate, match="no answer in 3 s"):
        in_child(task, seconds=3)
    assert time.monotonic() - start < 300
    assert _is_gone(int(note.read_text()))


def _is_gone(pid: int) -> bool:
    for _ in range(1200):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().split()[2] if Path("/proc").is_dir() else "Z"
            os.kill(pid, 0)
        except (ProcessLookupError, FileNotFoundError):
            return True
        if state == "Z":
            return True
        time.sleep(0.05)
    return False


def test_a_child_prints_nothing_and_ends_nothing_of_its_parent(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    note = tmp_path / "note"

    def leave_a_note() -> None:
        note.write_text(f"{os.getpid()}")

    def task() -> str:
        print("text")
        os.write(1, b"bytes")
        os.write(2, b"bytes")
        return sys.stdin.read()

    sys.stdout.write("once ")
    atexit.register(leave_a_note)
    try:
        assert in_child(task, seconds=600) == ""
    finally:
        atexit.unregister(leave_a_note)
        assert os.getpid() == PARENT
    assert not note.exists()
    assert capfd.readouterr() == ("once ", "")


def test_no_child_once_a_backend_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compat, "backend_is_started", lambda: True)
    with pytest.raises(Unsupported, match="backend is started"):
        in_child(lambda: 1, seconds=1)


def test_no_child_where_nothing_forks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "fork")
    with pytest.raises(Unsupported, match="cannot fork"):
        in_child(lambda: 1, seconds=1)


def test_errors_travel_by_name_where_they_cannot_themselves() -> None:
    plain, odd = ValueError("no"), Odd(1, "odd")
    found = children.portable([(plain, (1, 2)), (odd, ())])
    assert found[0] == (plain, (1, 2))
    assert isinstance(found[1][0], Raised)
    assert str(found[1][0]) == "Odd: odd"
