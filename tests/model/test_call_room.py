"""Calls that go up and down have memory in one piece, which the system does not give and take each time."""

from __future__ import annotations

import sys
import threading

import pytest

from flake8_jax.call_room import with_room
from flake8_jax.driver import linter

resource = pytest.importorskip("resource")


def down(depth: int, turns: int) -> int:
    """Go down some calls, and there a few more, up and down again."""
    if depth:
        return down(depth - 1, turns) + 1
    return sum(down(6, 0) for _ in range(turns)) if turns else 0


def faults(depths: range) -> int:
    """How often the system gave memory meanwhile."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for depth in depths:
        assert down(depth, 50) == depth + 6 * 50
    found: int = resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before
    return found


@pytest.mark.skipif(sys.version_info < (3, 11) or sys.implementation.name != "cpython", reason="has no such pieces")
@pytest.mark.skipif(sys.gettrace() is not None, reason="each call is watched")
def test_memory_is_given_once() -> None:
    depths = range(0, 400, 3)
    assert with_room(lambda: faults(depths))() < 100 < faults(depths)


def test_a_file_is_judged_with_room_and_so_is_what_has_a_stack_of_its_own() -> None:
    assert linter._judged.__code__.co_stacksize >= 1000 or sys.version_info < (3, 11)
    found: list[int] = []
    thread = threading.Thread(target=with_room(lambda: found.append(down(900, 0))))
    thread.start()
    thread.join()
    assert found == [900]
