"""Options that had another name, or an effect: they are accepted with a warning until the version that ends that.

To rename an option: its new name in `OPTIONS`, and a row here for the old one.  Both front ends and their files then
take the old name, and docs/stability.md says for how long.
"""

from __future__ import annotations

from collections.abc import Callable

from flake8_jax import __version__
from flake8_jax.lazy_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Former:
    """What became of an option: `now` is its name today, None if it has no effect any more.

    `since` is the version that warns first, `until` the one that refuses it; `is_flag` tells whether it takes no value.
    """

    now: str | None
    since: str
    until: str
    is_flag: bool = False

    @property
    def is_refused(self) -> bool:
        """Has the version come that refuses the option?"""
        return _numbers(__version__) >= _numbers(self.until)

    def text(self, key: str, spelt: Callable[[str], str]) -> str:
        """What is to be said to whoever uses the option; `spelt` is how an option is called there."""
        instead = f"use {spelt(self.now).split()[-1]}" if self.now is not None else "it has no effect"
        if self.is_refused:
            return f"{spelt(key)}: was removed in {self.until}; {instead}"
        return f"{spelt(key)}: is deprecated since {self.since} and will be removed in {self.until}; {instead}"


FORMER: dict[str, Former] = {"preview": Former("strict", "0.1.0", "0.4.0", is_flag=True)}
"""Former options by the names that they had, without `--`."""


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdecimal())
