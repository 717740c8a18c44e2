"""Compares linter and JAX on many calls of transforms: `python -m tests.contracts --programs 5000 --seed 7 -j 2`."""

from __future__ import annotations

import argparse
import time

from tests.contracts.campaign import counted
from tests.contracts.writing import program
from tests.support.tallies import campaign


def main() -> int:
    """Run the command; returns 1 if there is a false alarm."""
    parser = argparse.ArgumentParser(prog="python -m tests.contracts", description=__doc__)
    parser.add_argument("--programs", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=0, help="programs are numbered from here on")
    parser.add_argument("-j", type=int, default=1, dest="processes")
    parser.add_argument("--show", type=int, metavar="SEED", help="print the program of a seed, and end")
    given = parser.parse_args()
    if given.show is not None:
        print(program(given.show).text)
        return 0
    start = time.monotonic()
    tally = campaign(counted, given.seed, given.programs, given.processes)
    print(f"programs: {tally.programs}, calls: {tally.sites}; {time.monotonic() - start:.0f} s")
    print(*tally.lines(), sep="\n")
    return int(bool(tally.alarms))


if __name__ == "__main__":
    raise SystemExit(main())
