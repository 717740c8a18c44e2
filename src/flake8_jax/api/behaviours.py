"""What releases of JAX do otherwise with code that runs on both sides: the rows of behaviours.toml."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from flake8_jax.api.stated import toml
from flake8_jax.lazy_dataclasses import dataclass
from flake8_jax.lazy_patterns import compiled

BEHAVIOURS = Path(__file__).with_name("behaviours.toml")
NUMBER = compiled(r"\d+")


@dataclass(frozen=True, slots=True)
class Behaviour:
    """A change of behaviour.

    `release` is the first with it; `says` is what the change log says in short, `do` what to do.  `names` are what code
    is concerned: qualified names, `module.` for all of a module, `name(keyword)` for calls with that; `words` that must
    stand in the file, too.  `shown` is an expression that gives `before` in releases before `since`, and `after` from
    then on; `unseen` is why there is none.
    """

    release: str
    title: str
    says: str
    names: tuple[str, ...]
    do: str
    words: tuple[str, ...] = ()
    since: str = ""
    shown: str = ""
    before: str = ""
    after: str = ""
    unseen: str = ""


@cache
def read(path: Path = BEHAVIOURS) -> tuple[Behaviour, ...]:
    """All rows, oldest release first."""
    return tuple(map(_row, toml(path.read_text(encoding="utf-8"))["behaviour"]))


def between(first: str, last: str) -> list[Behaviour]:
    """What changes where JAX is upgraded from one release to another; `0.10` stands for all of 0.10."""
    low, high = numbers(first), numbers(last)
    return [one for one in read() if low < numbers(one.release) and numbers(one.release)[: len(high)] <= high]


def numbers(version: str) -> tuple[int, ...]:
    """A version as numbers."""
    return tuple(map(int, NUMBER.findall(version)))


def _row(row: dict[str, str]) -> Behaviour:
    rest = {key: text for key, text in row.items() if key not in ("release", "title", "says", "names", "do", "words")}
    names, words = tuple(row["names"].split()), tuple(row.get("words", "").split())
    return Behaviour(row["release"], row["title"], row["says"], names, row["do"], words, **rest)
