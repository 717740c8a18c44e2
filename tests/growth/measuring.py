"""What judging a program costs, in counts that are the same in every run.

`ops` is what the analysis counts itself, `calls` what the interpreter counts: each call of a Python function, each
continuation of a generator and each call of a built-in function, so that a search that counts nothing is seen, too.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from flake8_jax.driver.checking import check_file
from flake8_jax.driver.projects import Projects
from flake8_jax.model.config import Config
from tests.growth.family import Files

EVERYTHING = Config(preview=True, enable=("JAX",), no_store=True)


@dataclass(slots=True)
class Measured:
    """The costs of one program; `by_function` has the calls of and from each function, if these were asked for."""

    ops: int = 0
    calls: int = 0
    seconds: float = 0.0
    findings: int = 0
    faults: int = 0
    by_function: dict[str, int] = field(default_factory=dict)



@contextmanager
def without_budgets() -> Iterator[None]:
    """Run without the bounds of what an analysis may cost: growth would end at them and not be seen."""
    yield


def measured(files: Files) -> Measured:
    """Judge all files of a program, in this process."""
    with tempfile.TemporaryDirectory(prefix="growth") as folder:
        (Path(folder) / "pyproject.toml").touch()
        paths = []
        for name, text in files.items():
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            paths.append(str(path))
        with without_budgets():
            return _judged(paths)


def _judged(paths: list[str]) -> Measured:
    found = Measured()
    calls: dict[int, int] = {}
    codes: dict[int, CodeType] = {}

    def counted(frame: FrameType, event: str, argument: object) -> None:
        if event in ("call", "c_call"):
            code = frame.f_code
            key = id(code)
            try:
                calls[key] += 1
            except KeyError:
                codes[key] = code
                calls[key] = 1

    projects = Projects(EVERYTHING, paths)
    start = time.process_time()
    sys.setprofile(counted)
    for path in paths:
        report = check_file(path, EVERYTHING, projects)
        found.ops += report.statistics.costs.ops
        found.findings += len(report.diagnostics)
        found.faults += report.given_up is not None
    sys.setprofile(None)
    found.seconds = time.process_time() - start
    for key, number in calls.items():
        code = codes[key]
        place = f"{_short(code.co_filename)}:{code.co_firstlineno} {code.co_name}"
        found.by_function[place] = found.by_function.get(place, 0) + number
        found.calls += number
    return found


def _short(path: str) -> str:
    return path.rpartition("/flake8_jax/")[2]
