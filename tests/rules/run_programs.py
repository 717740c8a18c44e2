"""Runs the cases of programs under JAX and prints, as JSON, what each did: a script, run in a process of its own.

Usage: run_programs.py ROOT...  Each root is a project with one `run.py`; it is imported under a `sys.path` of its own.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import itertools
import json
import os
import re
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

TRACER = re.compile(r"Traced<|Tracer[(<]")


def outcomes(root: Path) -> Iterator[dict[str, Any]]:
    """What each case of a project did."""
    with imported(root) as module:
        for name, function in list(vars(module).items()):
            if name.startswith(("case_", "innocent_")):
                yield {"root": str(root), "case": name, **outcome(root, function)}


@contextlib.contextmanager
def imported(root: Path) -> Iterator[ModuleType]:
    """The module `run` of a project; its folders and modules are forgotten behind it."""
    (path,) = root.rglob("run.py")
    folder, names = path.parent, ["run"]
    while (folder / "__init__.py").exists():
        folder, names = folder.parent, [folder.name, *names]
    before = list(sys.path)
    sys.path[:0] = list(dict.fromkeys([str(folder), str(root), str(root / "src")]))
    importlib.invalidate_caches()
    try:
        yield importlib.import_module(".".join(names))
    finally:
        sys.path[:] = before
        for name in [name for name, module in sys.modules.items() if is_below(root, module)]:
            del sys.modules[name]


def is_below(root: Path, module: ModuleType) -> bool:
    """Does a module stand in the project, or has it its folder there?"""
    places = [getattr(module, "__file__", None), *getattr(module, "__path__", [])]
    return any(place is not None and Path(place).is_relative_to(root) for place in places)


def outcome(root: Path, function: Callable[[], object]) -> dict[str, Any]:
    """Run a case: its error and where it was raised, what it printed, whether samples are equal, the lines that ran."""
    import jax

    barrier: Callable[[], None] = jax.effects_barrier
    lines: set[tuple[str, int]] = set()
    output, error, result = io.StringIO(), None, None
    inside = str(root) + os.sep

    def watch(frame: FrameType, event: str, argument: object) -> Any:
        if not frame.f_code.co_filename.startswith(inside):
            return None
        lines.add((relative(inside, frame.f_code.co_filename), frame.f_lineno))
        return watch

    with contextlib.redirect_stdout(output):
        sys.settrace(watch)
        try:
            result = function()
        except Exception as raised:
            error = raised
        finally:
            sys.settrace(None)
        barrier()
    text = output.getvalue()
    return {
        "error": error and type(error).__name__,
        "message": error and str(error)[:200],
        "raised": error and innermost(inside, error),
        "shows_tracer": bool(TRACER.search(text)),
        "printed": len(text.splitlines()),
        "wanted": result if isinstance(result, int) else None,
        "alike": are_alike(result),
        "lines": sorted(lines),
    }


def innermost(inside: str, error: Exception) -> tuple[str, int] | None:
    """The file and line of the project that an exception was raised below."""
    frames = [each for each in traceback.extract_tb(error.__traceback__) if each.filename.startswith(inside)]
    return (relative(inside, frames[-1].filename), frames[-1].lineno or 0) if frames else None


def relative(inside: str, name: str) -> str:
    """The name of a file without that of the project, with forward slashes."""
    return name.removeprefix(inside).replace(os.sep, "/")


def are_alike(result: object) -> bool | None:
    """Are two of some samples the same numbers?  None if these are no samples."""
    import numpy as np

    if not isinstance(result, (tuple, list)) or len(result) < 2 or not all(hasattr(each, "shape") for each in result):
        return None
    return any(np.array_equal(*pair) for pair in itertools.combinations(result, 2))


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    print(json.dumps([found for root in sys.argv[1:] for found in outcomes(Path(root))]))
