"""Compares the linter with JAX on many programs: `python -m tests.concreteness --programs 50000 --seed 7 -j 2`."""

from __future__ import annotations

import argparse
import time

from tests.concreteness.campaign import Tally, campaign
from tests.concreteness.grammar import LEFT_OUT
from tests.concreteness.writing import program


def main() -> int:
    """Run the command; returns 1 if there is a false alarm."""
    parser = argparse.ArgumentParser(prog="python -m tests.concreteness", description=__doc__)
    parser.add_argument("--programs", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=0, help="programs are numbered from here on")
    parser.add_argument("-j", type=int, default=1, dest="processes")
    parser.add_argument("--show", type=int, metavar="SEED", help="print the program of a seed, and end")
    given = parser.parse_args()
    if given.show is not None:
        print(program(given.show).text)
        return 0
    start = time.monotonic()
    tally = campaign(given.seed, given.programs, given.processes)
    print(f"programs: {tally.programs}, uses: {tally.sites}; {time.monotonic() - start:.0f} s")
    _show(tally)
    return int(bool(tally.alarms))


def _show(tally: Tally) -> None:
    for name in sorted(tally.due):
        print(f"  {name:30} {tally.found[name]:6} of {tally.due[name]:6}  {tally.share(name):7.2%}")
    print("found under another code:", dict(tally.other_code.most_common()))
    print(f"false alarms: {sum(tally.alarms.values())}")
    for sort, count in tally.alarms.most_common():
        print(f"  {sort}: {count}, as in {tally.alarmed[sort]}")
    print("missed:")
    for sort, seeds in sorted(tally.missed.items()):
        print(f"  {sort}: {seeds}")
    print("left out of the grammar:", "; ".join(f"{name} ({why})" for name, why in LEFT_OUT.items()))


if __name__ == "__main__":
    raise SystemExit(main())
