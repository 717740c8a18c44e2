"""Measures how the cost of judging generated programs grows: `python -m tests.growth --families timers,swaps`."""

from __future__ import annotations

import argparse

from tests.growth.families import FAMILIES
from tests.growth.family import Family
from tests.growth.growth import MOST, Growth
from tests.growth.worker import Job, results


def main() -> int:
    """Run the command; returns 1 if something grows too fast."""
    parser = argparse.ArgumentParser(prog="python -m tests.growth", description=__doc__)
    parser.add_argument("--families", default="", help="names of families, or their beginnings, separated by commas")
    parser.add_argument("--sizes", type=int, help="n, in place of the size of each family")
    parser.add_argument("--small", action="store_true", help="n as in the slice that always runs")
    parser.add_argument("--calls", action="store_true", help="show whose calls grow, of every family")
    parser.add_argument("--seconds", type=int, default=60, help="CPU time after which a measurement is given up")
    given = parser.parse_args()
    chosen = named(given.families)
    sizes = {one.name: given.sizes or (one.small if given.small else one.large) for one in chosen}
    jobs = [Job(name, many, given.seconds) for name, n in sizes.items() for many in (0, n, 2 * n)]
    too_fast = 0
    stream = results(jobs)
    print(f"{'family':48} {'n':>5} {'ops':>6} {'calls':>6} {'calls at 2n':>12} {'s at 2n':>8} {'findings':>8}")
    for name, n in sizes.items():
        growth = Growth(name, n, *(next(stream)[1] for _ in range(3)))
        print(row(growth), flush=True)
        too_fast += not growth.is_bounded
        if given.calls or not growth.is_bounded:
            print(*(f"      {line}" for line in growth.culprits()), sep="\n", flush=True)
    print(f"{too_fast} of {len(sizes)} families grow more than {MOST} x")
    return int(bool(too_fast))


def named(names: str) -> list[Family]:
    """The families of some names or beginnings of names; all if there are none."""
    asked = tuple(filter(None, names.split(",")))
    begins = tuple(one for one in asked if one not in FAMILIES)
    return [one for one in FAMILIES.values() if not asked or one.name in asked or (begins and one.name.startswith(begins))]


def row(growth: Growth) -> str:
    """One line of the table."""
    two = growth.two
    if growth.ops is None or growth.calls is None or two is None:
        ended = [what for what, one in (("0", growth.base), ("n", growth.one), ("2n", two)) if one is None]
        return f"{growth.family:48} {growth.size:>5} unbounded at {', '.join(ended)}"
    fault = f" {two.faults} FILES NOT JUDGED" if two.faults else ""
    flag = "" if growth.is_bounded else "  <<<"
    return (
        f"{growth.family:48} {growth.size:>5} {growth.ops:>6.2f} {growth.calls:>6.2f} {two.calls:>12}"
        f" {two.seconds:>8.1f} {two.findings:>8}{fault}{flag}"
    )


if __name__ == "__main__":
    raise SystemExit(main())
