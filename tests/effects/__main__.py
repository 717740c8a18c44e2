"""Compares the linter with JAX on many programs: `python -m tests.effects --programs 20000 --seed 7 -j 2`."""

from __future__ import annotations

import argparse
import time

from tests.effects.campaign import counted
from tests.effects.grammar import LEFT_OUT
from tests.effects.writing import program
from tests.support.tallies import campaign


def main() -> int:
    """Run the command; returns 1 if there is a false alarm."""
    parser = argparse.ArgumentParser(prog="python -m tests.effects", description=__doc__)
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
    print(f"programs: {tally.programs}, uses: {tally.sites}; {time.monotonic() - start:.0f} s")
    print(*tally.lines(), sep="\n")
    print("left out of the grammar:", "; ".join(f"{name} ({why})" for name, why in LEFT_OUT.items()))
    return int(bool(tally.alarms))


if __name__ == "__main__":
    raise SystemExit(main())
