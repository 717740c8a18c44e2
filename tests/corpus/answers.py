"""How long an editor waits for an answer: edits of a file, with its project in memory, in seconds of CPU.

    python -m tests.corpus.answers PROJECT FILE ...

A comment and a statement are put before the last statement of some functions, one at a time.  Printed are the median
and the longest of what is said at once, and of what is said then, when the callers in other files have been asked.
"""

from __future__ import annotations

import argparse
import ast
import gc
import os
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import process_time

from flake8_jax.server.judging import LiveJudge
from flake8_jax.server.settings import ServerSettings, Workspace

FUNCTIONS = 6


def edited(text: str) -> Iterator[str]:
    """A text after edits in some of its functions, each on its own."""
    lines = text.split("\n")
    found = [one for one in ast.walk(ast.parse(text)) if isinstance(one, ast.FunctionDef) and len(one.body) > 1]
    for function in found[:: max(1, len(found) // FUNCTIONS)]:
        last = function.body[-1]
        for new in ("# words", "unused = 1"):
            yield "\n".join([*lines[: last.lineno - 1], " " * last.col_offset + new, *lines[last.lineno - 1 :]])


def timed(judge: LiveJudge, path: str) -> tuple[list[float], list[float]]:
    """What each answer costs, at once and then."""
    text = Path(path).read_text(encoding="utf-8")
    judge.edited(path, text)
    gc.collect()
    gc.freeze()
    gc.disable()  # as the server does, which looks for garbage when nothing is asked
    at_once, then = [], []
    for new in edited(text):
        start = process_time()
        judge.glanced(path, new)
        at_once.append(process_time() - start)
        start = process_time()
        judge.edited(path, new)
        then.append(process_time() - start)
    return at_once, then


def main() -> None:
    """Print a line for each file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("project")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    root = os.path.abspath(options.project)
    for path in map(os.path.abspath, options.files):
        judge = LiveJudge()
        judge.enter(Workspace([root], ServerSettings()))
        at_once, then = timed(judge, path)
        shown = [f"{median(each):.2f} {max(each):.2f}" for each in (at_once, then)]
        print(f"{os.path.relpath(path, root)}: at once {shown[0]}, then {shown[1]}", flush=True)


if __name__ == "__main__":
    main()
