"""What was counted when many programs were compared with a referee, and how they are dealt out to processes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context

CHUNK = 50
KEPT = 3


@dataclass(slots=True)
class Tally:
    """What was compared: uses that raise, those found, under which code, and false alarms, with some seeds of each."""

    programs: int = 0
    sites: int = 0
    due: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    other_code: Counter[str] = field(default_factory=Counter)
    alarms: Counter[str] = field(default_factory=Counter)
    missed: dict[str, list[int]] = field(default_factory=dict)
    alarmed: dict[str, list[int]] = field(default_factory=dict)

    def add(self, other: Tally) -> None:
        """Add the counts of another tally."""
        self.programs += other.programs
        self.sites += other.sites
        for mine, its in (
            (self.due, other.due), (self.found, other.found), (self.other_code, other.other_code),
            (self.alarms, other.alarms),
        ):  # fmt: skip
            mine.update(its)
        for kept, more in ((self.missed, other.missed), (self.alarmed, other.alarmed)):
            for sort, seeds in more.items():
                kept[sort] = [*kept.get(sort, []), *seeds][:KEPT]

    def share(self, of: str) -> float:
        """The share of what was due that was found."""
        return self.found[of] / self.due[of] if self.due[of] else 1.0

    def miss(self, sort: str, seed: int) -> None:
        """Note a use that was due and not found."""
        self.missed.setdefault(sort, []).append(seed)

    def alarm(self, sort: str, seed: int) -> None:
        """Note a false alarm."""
        self.alarms[sort] += 1
        self.alarmed.setdefault(sort, []).append(seed)

    def below(self, floors: dict[str, float], enough: int) -> dict[str, str]:
        """The shares below the floors of their kinds, of what is due often enough."""
        return {
            name: f"{self.share(name):.1%}"
            for name, due in self.due.items()
            if due >= enough and self.share(name) < floors.get(name, floors[name.partition(" ")[0]])
        }

    def lines(self) -> list[str]:
        """The counts, in a form to be read."""
        shares = [
            f"  {name:30} {self.found[name]:6} of {self.due[name]:6}  {self.share(name):7.2%}"
            for name in sorted(self.due)
        ]
        alarms = [f"  {sort}: {count}, as in {self.alarmed[sort]}" for sort, count in self.alarms.most_common()]
        return [
            *shares,
            f"found under another code: {dict(self.other_code.most_common())}",
            f"false alarms: {sum(self.alarms.values())}", *alarms,
            "missed:", *(f"  {sort}: {seeds}" for sort, seeds in sorted(self.missed.items())),
        ]  # fmt: skip


def campaign(counted: Callable[[Iterable[int]], Tally], first: int, count: int, processes: int = 1) -> Tally:
    """The tally of `count` programs from a seed on, as `counted` for the seeds of each piece."""
    chunks = [range(seed, min(seed + CHUNK, first + count)) for seed in range(first, first + count, CHUNK)]
    tally = Tally()
    if processes <= 1:
        tally.add(counted(range(first, first + count)))
        return tally
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        for part in pool.map(counted, chunks):
            tally.add(part)
    return tally
