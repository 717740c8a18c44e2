"""What a call asks of the host, or does to it: the words of `[host]` in stated.toml.

"clock time" = "time time_ns"                               calls of `time.time` read a clock
"clock<1 time" = "localtime"                                only with fewer than one argument
"seed numpy.random" = "seed"                                 what is drawn there next is the same each time
"draw numpy.random.Generator" = "normal uniform"            methods of generators, which these move on
"turn queue.Queue" = "get"                                  methods that take the next item
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias, get_args

from flake8_jax.api.rows import RowError
from flake8_jax.lazy_dataclasses import dataclass

HostKind: TypeAlias = Literal[
    "clock", "sleep", "read", "write", "file", "environment", "input", "debugger", "process", "network", "metric",
    "progress", "random", "draw", "turn", "seed",
]  # fmt: skip
KINDS = frozenset(get_args(HostKind))
MOVING: frozenset[HostKind] = frozenset(("draw", "turn"))
"""What moves an object on, whose life decides whether that matters."""

MANY = 1000


@dataclass(frozen=True, slots=True)
class HostUse:
    """What a call asks of the host: its kind, and the number of arguments from which on it does not."""

    kind: HostKind
    below: int = MANY

    @property
    def reads_clock(self) -> bool:
        """Does it give the time of now?  What tells of a given time, too, has a bound."""
        return self.kind == "clock" and self.below == MANY


def parse_use(word: str) -> HostUse:
    """The use that a word stands for."""
    kind, _, below = word.partition("<")
    if kind not in KINDS or not (below.isdigit() or not below):
        raise RowError(f"unknown word {word!r} in [host]")
    return HostUse(kind, int(below) if below else MANY)  # type: ignore[arg-type]  # it is one of the words


def classes_by_method(blocks: Mapping[str, str]) -> dict[str, frozenset[str]]:
    """The classes whose objects a method of this name moves on."""
    found: dict[str, frozenset[str]] = {}
    for key, names in blocks.items():
        kind, _, owner = key.partition(" ")
        if kind in MOVING:
            for method in names.split():
                found[method] = found.get(method, frozenset()) | {owner}
    return found
