"""What judging a program costs, in counts that are the same in every run.

`ops` is what the analysis counts itself, `calls` what the interpreter counts: each call of a Python function, each
continuation of a generator and each call of a built-in function, so that a search that counts nothing is seen, too.
"""

from __future__ import annotations

import gc
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType

from flake8_jax.analysis.budget import without_budgets
from flake8_jax.driver.checking import check_file
from flake8_jax.driver.projects import Projects
from flake8_jax.model.config import Config
from tests.growth.family import Files

EVERYTHING = Config(strict=True, enable=("JAX",), no_store=True)


@dataclass(slots=True)
class Measured:
    """The costs of one program.

    Where details were asked for, `by_function` has the calls of each function and of the built-in functions that it
    calls, `by_caller` those of each function from each other one.
    """

    ops: int = 0
    calls: int = 0
    seconds: float = 0.0
    findings: int = 0
    faults: int = 0
    by_function: dict[str, int] = field(default_factory=dict)
    by_caller: dict[str, dict[str, int]] = field(default_factory=dict)


def measured(files: Files, is_detailed: bool = True) -> Measured:
    """Judge all files of a program, in this process; counting which function calls which takes more time."""
    with tempfile.TemporaryDirectory(prefix="growth") as folder:
        (Path(folder) / "pyproject.toml").touch()
        paths = []
        for name, text in files.items():
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            paths.append(str(path))
        with without_budgets():
            return _judged(paths, is_detailed)


def _judged(paths: list[str], is_detailed: bool) -> Measured:
    found, calls = Measured(), Calls()
    count = calls.count_details if is_detailed else calls.count
    projects = Projects(EVERYTHING, paths)
    start = time.process_time()
    gc.disable()  # else it may collect what others left, and count what that calls
    threading.setprofile(count)  # of threads that are started meanwhile
    sys.setprofile(count)
    for path in paths:
        report = check_file(path, EVERYTHING, projects)
        found.ops += report.statistics.costs.ops
        found.findings += len(report.diagnostics)
        found.faults += report.given_up is not None
    sys.setprofile(None)
    threading.setprofile(None)
    gc.enable()
    found.seconds = time.process_time() - start
    calls.tell(found)
    return found


class Calls:
    """What the interpreter counts: calls by the function that is called and the one that calls it.

    A built-in function has no code of its own: its calls count for the function that calls it.
    """

    __slots__ = ("_codes", "_number", "_numbers")

    def __init__(self) -> None:
        self._number = 0
        self._numbers: dict[tuple[int, int], int] = {}
        self._codes: dict[int, CodeType] = {}

    def count(self, frame: FrameType, event: str, argument: object) -> None:
        """Count one event of the interpreter."""
        if event == "call" or event == "c_call":
            self._number += 1

    def count_details(self, frame: FrameType, event: str, argument: object) -> None:
        """Count one event of the interpreter, and note who calls whom."""
        if event == "call":
            callee, caller = frame.f_code, frame.f_back.f_code if frame.f_back is not None else frame.f_code
        elif event == "c_call":
            callee = caller = frame.f_code
        else:
            return
        key = (id(callee), id(caller))
        try:
            self._numbers[key] += 1
        except KeyError:
            self._numbers[key] = 1
            self._codes[key[0]], self._codes[key[1]] = callee, caller  # what is held keeps its identity

    def tell(self, found: Measured) -> None:
        """Add what was counted to the costs."""
        found.calls = self._number + sum(self._numbers.values())
        names = {identity: _place(code) for identity, code in self._codes.items()}
        for (callee, caller), number in self._numbers.items():
            place, other = names[callee], names[caller]
            found.by_function[place] = found.by_function.get(place, 0) + number
            if place != other:
                callers = found.by_caller.setdefault(place, {})
                callers[other] = callers.get(other, 0) + number


def _place(code: CodeType) -> str:
    """Where a function stands, below the folder of its package."""
    *_, folder, name = Path(code.co_filename).parts if "/" in code.co_filename else ("", code.co_filename)
    _, mark, inside = code.co_filename.rpartition("/flake8_jax/")
    return f"{inside if mark else f'{folder}/{name}'}:{code.co_firstlineno} {code.co_name}"
