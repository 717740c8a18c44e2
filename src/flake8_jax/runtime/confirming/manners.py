"""Which phenomena a test session can show, and how; of the others, why it cannot.

A recipe of `verify` owns its program: it runs a case as often as it needs, edits it, takes its transforms away.  A test
belongs to its project and runs once.  So a phenomenon can be confirmed if watching alone shows it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

WatchedBy: TypeAlias = Literal["exceptions", "keys", "warnings"]


@dataclass(frozen=True, slots=True)
class WatchManner:
    """How a phenomenon is watched, or None and the reason why it is not; `blind` says what is not seen though it is
    watched."""

    how: WatchedBy | None
    reason: str = ""
    blind: str = ""


_AGAIN = "the tests would have to run again without JAX's transforms"
_EDITED = "the project's code would have to be rewritten"
_PROGRAM = "the calls would have to be traced again for their programs"
_STAGED = "keys that only compiled code knows: of these, two uses of one key in one trace are seen"

MANNERS: dict[str, WatchManner] = {
    "backend_started": WatchManner(None, "it needs a process in which nothing has run"),
    "buffer_shared": WatchManner(None, _EDITED),
    "compiled_within": WatchManner(None, _EDITED),
    "consts": WatchManner(None, _PROGRAM),
    "dead": WatchManner(None, _EDITED),
    "dispatched": WatchManner(None, _PROGRAM),
    "donated": WatchManner("exceptions"),
    "eager_differs": WatchManner(None, _AGAIN),
    "eager_turns": WatchManner(None, _EDITED),
    "equal_draws": WatchManner("keys", blind=f"{_STAGED}; keys that each lane of a `vmap` draws from"),
    "host_read": WatchManner(None, _EDITED),
    "key_goes_on": WatchManner("keys", blind=_STAGED),
    "key_reuse": WatchManner("keys", blind=_STAGED),
    "leak": WatchManner(None, "every object would have to be followed, line by line"),
    "nan_grad": WatchManner(None, _AGAIN),
    "out_of_bounds": WatchManner(None, _EDITED),
    "raises": WatchManner("exceptions"),
    "raises_eager": WatchManner("exceptions"),
    "retraced": WatchManner(None, "the project's jitted functions would have to be replaced"),
    "setting_ignored": WatchManner(None, "it needs a process in which nothing has run"),
    "stale": WatchManner(None, _AGAIN),
    "text_frozen": WatchManner(None, "pytest has what tests write"),
    "trace_once": WatchManner(None, _AGAIN),
    "truncated": WatchManner("warnings", blind="what JAX does not warn of, and what filters of the project silence"),
    "unrolled": WatchManner(None, _PROGRAM),
    "unwaited": WatchManner(None, _EDITED),
    "warns": WatchManner(
        "warnings", blind="what a warning says of another line, and what filters of the project silence"
    ),
}
"""Of each phenomenon of `runtime/phenomena` whether a test session can show it."""

INSPECTION = "by inspection"


def manner_of(phenomenon: str) -> WatchManner:
    """How a phenomenon of a rule's card is watched, as `raises:TypeError`, or why it is not."""
    name = phenomenon.partition(":")[0]
    if name == INSPECTION:
        return WatchManner(None, phenomenon.partition(":")[2].strip())
    return MANNERS.get(name, WatchManner(None, "no such phenomenon is known here"))


def watched(phenomena: Iterable[str]) -> tuple[str, ...]:
    """Those of some phenomena that a test session can show."""
    return tuple(each for each in phenomena if manner_of(each).how is not None)


def reasons(phenomena: Iterable[str]) -> dict[str, str]:
    """Why the others cannot be shown."""
    return {each: found.reason for each in phenomena if (found := manner_of(each)).how is None}
