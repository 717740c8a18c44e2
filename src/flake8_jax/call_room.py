"""Room for calls: CPython keeps what Python calls need in pieces of 16 KiB, and gives one back when its last call ends.

An interpreter of programs goes up and down a hundred calls all the time.  Where that crosses the end of a piece, each
step asks the system for memory and gives it back.  A call that needs more than a piece gets a larger one, of which the
calls below it take what is left: one call that claims to need much is room for all of them.  Of what is not used the
system gives nothing.
"""

from __future__ import annotations

import sys
from types import FunctionType
from typing import TypeVar

ROOM = 1 << 18
"""How many values the call claims to need: 2 MiB, and as much is left in the piece, enough for 8,000 calls."""

Roomy = TypeVar("Roomy")


def with_room(function: Roomy) -> Roomy:
    """The same function: it and what it calls have memory in one piece."""
    if isinstance(function, FunctionType) and sys.implementation.name == "cpython" and sys.version_info >= (3, 11):
        function.__code__ = function.__code__.replace(co_stacksize=ROOM)
    return function
