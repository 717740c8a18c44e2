"""Runs the cases of fixed fixtures and of their good halves, and prints where their values differ; started by a test.

On each line of standard input stand the two files and the names of cases, as JSON.
A case is a function without parameters that both have; one that raises in both is passed over.
"""

from __future__ import annotations

import inspect
import json
import re
import runpy
import sys
from typing import Any

import jax
import numpy as np


def shown(leaf: Any) -> object:
    """The numbers of an array, or another object as text, without an address in it."""
    return np.asarray(leaf).tolist() if hasattr(leaf, "shape") else re.sub(r" at 0x[0-9a-f]+", "", repr(leaf))


def told(function: Any) -> str:
    """What a case gives, as text; how it ends, if it raises."""
    try:
        leaves, tree = jax.tree.flatten(function())
        return repr((tree, [shown(leaf) for leaf in leaves]))
    except Exception as error:
        return f"raises {type(error).__name__}"


def main(fixed: str, good: str, names: list[str]) -> None:
    """Compare the cases of two files."""
    ours, theirs = runpy.run_path(fixed), runpy.run_path(good)
    compared = 0
    for name in names:
        if inspect.signature(ours[name]).parameters:
            continue
        made, expected = told(ours[name]), told(theirs[name])
        compared += not expected.startswith("raises")
        if made != expected:
            print(f"{name}: {made}, not {expected}")
    print(f"compared {compared}", flush=True)


if __name__ == "__main__":
    for line in sys.stdin:
        main(*json.loads(line))
