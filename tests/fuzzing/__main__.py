"""Compares the linter with the shadow on many programs: `python -m tests.fuzzing --programs 100000 --seed 7 -j 2`.

`--referee N` runs N of them with JAX, to check the shadow; `--shrink` shows each sort of disagreement, shrunk.
"""

from __future__ import annotations

import argparse
import time

from tests.fuzzing.campaign import CODES, Tally, campaign
from tests.fuzzing.coverage import LEFT_OUT, SHAPES, UNCOVERED
from tests.fuzzing.grammar import FEATURES, program
from tests.fuzzing.shrink import shrunk


def main() -> int:
    """Run the command; returns 1 if there is a false alarm or the referee disagrees."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzzing", description=__doc__)
    parser.add_argument("--programs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0, help="programs are numbered from here on")
    parser.add_argument("-j", type=int, default=1, dest="processes")
    parser.add_argument("--referee", type=int, default=0, metavar="N", help="run N programs with JAX, too")
    parser.add_argument("--shrink", action="store_true", help="show each sort of disagreement, shrunk")
    given = parser.parse_args()
    start = time.monotonic()
    tally = campaign(given.seed, given.programs, given.processes)
    _show(tally, time.monotonic() - start)
    if given.shrink:
        _show_shrunk(tally)
    wrong = 0
    if given.referee:
        from tests.fuzzing.referee import differences

        for line in differences(range(given.seed, given.seed + given.referee)):
            print(line)
            wrong += line.startswith("differs")
    return int(bool(tally.alarms or wrong))


def _show(tally: Tally, seconds: float) -> None:
    counts = ", ".join(f"{number} {name}" for name, number in tally.programs.items())
    print(f"programs: {counts}; {seconds:.0f} s")
    print(
        f"false alarms: {sum(tally.alarms.values())}", *(f"  {sort}: {count}" for sort, count in tally.alarms.items())
    )
    print("found, by kind:")
    for kind, code in CODES.items():
        under = ", ".join(f"{one} {count}" for (which, one), count in sorted(tally.under.items()) if which == kind)
        print(f"  {kind:10} {code}  {tally.found[kind]:6} of {tally.due[kind]:6}  {tally.share(kind):7.2%}  {under}")
    print("found, by fragment:")
    for feature in sorted(FEATURES):
        due, found = tally.due_in[feature], tally.found_in[feature]
        print(f"  {feature:18} {found:6} of {due:6}  {found / due if due else 1.0:7.2%}")
    print(f"left out of the grammar: {len(LEFT_OUT)} of {len(SHAPES)} shapes ({len(LEFT_OUT) / len(SHAPES):.0%})")
    for name, why in LEFT_OUT.items():
        print(f"  {name}: {why}")
    print("no fragment has:", "; ".join(UNCOVERED))


def _show_shrunk(tally: Tally) -> None:
    seen: set[str] = set()
    for seed, one in tally.kept:
        made = program(seed)
        features = " ".join(sorted({made.feature(*place) for place in one.lines}))
        shape = f"{one.outcome}, {one.sort}, {features}"
        if shape in seen:
            continue
        seen.add(shape)
        print(f"\n{shape} (seed {seed}) {one.message}")
        for name, text in shrunk({name: made.text(name) for name in made.files}, one).items():
            print(f"# {name}\n{text}")


if __name__ == "__main__":
    raise SystemExit(main())
