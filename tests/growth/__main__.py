"""Measures how the cost of judging generated programs grows: `python -m tests.growth --families timers,key_`."""

from __future__ import annotations

import argparse

from tests.growth.families import FAMILIES
from tests.growth.family import Family
from tests.growth.growth import MOST, TITLE
from tests.growth.worker import grown


def main() -> int:
    """Run the command; returns 1 if something grows too fast."""
    parser = argparse.ArgumentParser(prog="python -m tests.growth", description=__doc__)
    parser.add_argument("--families", default="", help="names of families, or their beginnings, separated by commas")
    parser.add_argument("--sizes", type=int, metavar="N", help="measure N, 2N and 4N of all")
    parser.add_argument("--small", action="store_true", help="measure n and 2n of the slice that always runs")
    parser.add_argument("--calls", action="store_true", help="show what grows most, of all families")
    parser.add_argument("--seconds", type=int, default=120, help="CPU time after which a measurement is given up")
    parser.add_argument("-j", type=int, default=1, dest="processes")
    given = parser.parse_args()
    chosen = named(given.families)
    if given.small:
        sizes = {one.name: one.small for one in chosen if one.small is not None}
    else:
        sizes = {one.name: given.sizes or one.large for one in chosen}
    many, fast = 2 if given.small else 3, 0
    print(TITLE, flush=True)
    for growth in grown(sizes, many, given.seconds, is_detailed=False, processes=given.processes):
        print(growth.row(), flush=True)
        fast += not growth.is_bounded
        if given.calls or not growth.is_bounded:  # who calls whom takes as long again to count
            for detailed in grown({growth.family: growth.size}, many, 2 * given.seconds):
                for line in detailed.culprits():
                    print(f"      {line}", flush=True)
    print(f"{fast} of {len(sizes)} families grow more than {MOST} x, or could not be measured")
    return int(bool(fast))


def named(names: str) -> list[Family]:
    """The families of some names or beginnings of names; all if there are none."""
    asked = tuple(filter(None, names.split(",")))
    begins = tuple(one for one in asked if one not in FAMILIES)
    return [one for one in FAMILIES.values() if not asked or one.name in asked or one.name.startswith(begins)]


if __name__ == "__main__":
    raise SystemExit(main())
