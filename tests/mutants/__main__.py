"""Judges mutants of files, and derived programs: `python -m tests.mutants --count 100000 --seed 0 -j 2`.

A mutant has a number; `--seed N` begins with number N.  `--folder` takes the programs from other files than the
fixtures.  What fails is printed once for each sort, shrunk, to be pasted.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from tests.mutants.campaign import DIED, Failure, Tally, campaign, counted
from tests.mutants.judging import decoded
from tests.mutants.making import KINDS, mutant
from tests.mutants.material import FOLDERS, Material
from tests.mutants.shrinking import shrunk

PROGRESS = 2000
"""How often it is told how many are judged."""


def main() -> int:
    """Run the command; returns 1 if a mutant has a problem."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0, help="mutants are numbered from here on")
    parser.add_argument("-j", type=int, default=1, dest="processes")
    parser.add_argument("--folder", type=Path, action="append", help="a folder of Python files; the fixtures, if none")
    parser.add_argument("--as-made", action="store_true", help="show what fails as it was made, not shrunk")
    given = parser.parse_args()
    folders = tuple(given.folder or FOLDERS)
    start, total = time.monotonic(), Tally()
    for tally in campaign(given.seed, given.count, given.processes, partial(counted, folders=folders)):
        total.add(tally)
        if tally.failures or total.made % PROGRESS == 0:
            numbers = " ".join(str(failure.number) for failure in tally.failures)
            print(f"{total.made} judged, {len(total.failures)} problems {numbers}".rstrip(), flush=True)
    show(total, time.monotonic() - start)
    for sort, failures in total.sorts().items():
        _show_failure(sort, failures, folders, is_shrunk=not given.as_made)
    return int(bool(total.failures))


def show(tally: Tally, seconds: float) -> None:
    """Print what was counted."""
    found = f"{tally.findings} findings, {tally.with_fixes} with fixes, {tally.ops} ops"
    print(f"mutants: {tally.made}; {seconds:.0f} s; {found}")
    shares = {"parsed": tally.parsed, "interpreted": tally.reached, "without a text": tally.undecodable}
    print("  " + ", ".join(f"{name} {_share(part, tally.made)}" for name, part in shares.items()))
    print("by kind, all of them, the shares that are parsed and interpreted:")
    for kind in KINDS:
        made = tally.kinds[kind]
        print(
            f"  {kind:30} {made:7} {_share(tally.parsed_kinds[kind], made)} {_share(tally.reached_kinds[kind], made)}"
        )
    print(
        "most ops for each node:",
        ", ".join(f"{factor:.0f} (seed {number})" for factor, number in tally.dearest) or "few",
    )
    print(f"problems: {len(tally.failures)}")


def _share(part: int, whole: int) -> str:
    return f"{part / whole if whole else 1.0:6.1%}"


def _show_failure(sort: str, failures: Sequence[Failure], folders: tuple[Path, ...], is_shrunk: bool) -> None:
    first = failures[0]
    made = mutant(first.number, Material(folders))
    seeds = " ".join(str(failure.number) for failure in failures[:8])
    print(f"\n{sort}: {len(failures)} (seeds {seeds})\n  by {', '.join(made.kinds)}: {first.problem.details[:500]}")
    texts = decoded(made.files)
    if is_shrunk and sort != DIED:
        texts = shrunk(texts, sort)
    for name, text in texts.items():
        print(f"# {name}\n{text.encode('utf-8', 'backslashreplace').decode()}", flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
