"""JAX as the referee: what the outside sees of each site, run eagerly and traced.

The outside is standard output, log records, warnings, the results of two calls, and what the site keeps: containers,
globals, attributes, files.  What asks for a clock, for input or for random numbers gets the same in both runs.
"""

from __future__ import annotations

import builtins
import contextlib
import io
import itertools
import logging
import os
import random
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from tests.effects.interpreting import eager, interpreted
from tests.effects.writing import EffectProgram

NAME = "program.py"
TRACER = "a tracer"
CLOCKS = ("time", "perf_counter")
Seen: TypeAlias = "dict[str, Any]"


@dataclass(slots=True)
class Difference:
    """How the two runs of a site differ: in what, and the error of the traced run, if it has one.

    `shows_tracer`: the traced run prints the text of a tracer, `keeps_tracer`: the outside holds one at its end; under
    `vmap` and `grad` the other run may do so too.
    """

    where: tuple[str, ...] = ()
    error: str = ""
    shows_tracer: bool = False
    keeps_tracer: bool = False

    def __bool__(self) -> bool:
        return bool(self.where or self.error)


@dataclass(slots=True)
class Records(logging.Handler):
    """Keeps the messages of log records."""

    texts: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        logging.Handler.__init__(self)

    __hash__ = object.__hash__

    def emit(self, record: logging.LogRecord) -> None:
        if not record.name.startswith("jax"):
            self.texts.append(record.getMessage())


def differences(program: EffectProgram, is_compiled: bool = False) -> dict[int, Difference]:
    """How the runs of each site differ; with `is_compiled`, the traced program is compiled."""
    plain = observed(program, eager)
    traced = observed(program, nullcontext if is_compiled else interpreted)
    return {
        number: Difference(
            tuple(name for name, value in seen.items() if value != plain[number][name]),
            seen["error"],
            "Tracer" in seen["output"],
            TRACER in repr(seen["kept"]),
        )
        for number, seen in traced.items()
    }


def observed(program: EffectProgram, mode: Callable[[], AbstractContextManager[Any]]) -> dict[int, Seen]:
    """What the outside sees of each site."""
    with mode(), _apart() if '"site_' in program.text.lower() else nullcontext():
        names: dict[str, Any] = {"__name__": "program"}
        exec(compile(program.text, NAME, "exec"), names)
        return {site.number: _seen(names[f"run_{site.number}"]) for site in program.sites}


def _seen(run: Callable[[], Any]) -> Seen:
    import numpy as np

    random.seed(2)
    np.random.seed(2)
    out, records, root = io.StringIO(), Records(), logging.getLogger()
    level = root.level
    root.addHandler(records)
    root.setLevel(logging.DEBUG)
    value, error = None, ""
    with warnings.catch_warnings(record=True) as warned, contextlib.redirect_stdout(out), _same_answers():
        warnings.simplefilter("always")
        try:
            value = _plain(run())
        except Exception as raised:
            error = type(raised).__name__
    root.removeHandler(records)
    root.setLevel(level)
    texts = [str(one.message) for one in warned if one.category is UserWarning and one.filename == NAME]
    first, second, kept, peeked = value or (None,) * 4
    return {
        "output": out.getvalue(), "log": records.texts, "warnings": texts, "results": (first, second),
        "kept": (kept, peeked), "error": error,
    }  # fmt: skip


def _plain(value: Any) -> Any:
    """A value without its arrays and tracers, to be compared."""
    import jax
    import numpy as np

    if isinstance(value, jax.core.Tracer):
        return TRACER
    if isinstance(value, (jax.Array, np.ndarray, np.generic, float)):
        return np.round(np.asarray(value, np.float64), 3).tolist()
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, (list, tuple, set)) or type(value).__name__ == "deque":
        return [_plain(part) for part in value]
    return value


@contextmanager
def _apart() -> Iterator[None]:
    """A folder and an environment of its own."""
    folder = os.getcwd()
    with tempfile.TemporaryDirectory() as apart:
        os.chdir(apart)
        try:
            yield
        finally:
            os.chdir(folder)
            for name in [name for name in os.environ if name.startswith("SITE_")]:
                del os.environ[name]


@contextmanager
def _same_answers() -> Iterator[None]:
    """Clocks and input that tell the program, and it alone, 1, 2, 3 ..."""
    counter = itertools.count(1)
    real = {name: getattr(time, name) for name in CLOCKS}

    def clock(name: str) -> Callable[[], float]:
        return lambda: float(next(counter)) if sys._getframe(1).f_code.co_filename == NAME else real[name]()

    asked = builtins.input
    builtins.input = lambda *given: str(next(counter))
    for name in CLOCKS:
        setattr(time, name, clock(name))
    try:
        yield
    finally:
        builtins.input = asked
        for name, function in real.items():
            setattr(time, name, function)
