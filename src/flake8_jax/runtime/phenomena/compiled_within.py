"""Phenomenon: after a clock is read, a call compiles and is then repeated by a loop, before the clock is read again: it
is the time of compiling, too.

    start = time.perf_counter()         seen
    for _ in range(3):
        y = step(x)                     compiles in the first turn
    time.perf_counter() - start

No time is compared.  In an instrumented copy of the fixture calls of clocks and of everything else tell that they
happen, and JAX's monitoring event tells which of them compile.  A call is the same if the same instructions lead there.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from types import CodeType
from typing import TypeAlias

from flake8_jax.runtime import frames
from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.phenomena.retraced import listening
from flake8_jax.runtime.phenomena.unwaited import AWAITED, CALLED, MADE, Tellers, is_clock
from flake8_jax.runtime.phenomenon import Phenomenon
from flake8_jax.runtime.sightings import Sightings
from flake8_jax.runtime.trial import Trial

Instructions: TypeAlias = "tuple[tuple[CodeType, int], ...]"


@dataclass(slots=True)
class _Stretches:
    """The line of the last reading of a clock, and the calls since that compiled, and that were then repeated."""

    path: str
    found: Sightings = field(default_factory=Sightings)
    line: int | None = None
    compiled: set[Instructions] = field(default_factory=set)
    repeated: set[Instructions] = field(default_factory=set)

    def called(self, function: Foreign) -> Foreign:
        """A function that tells that it is called."""
        if not callable(function) or isinstance(function, type):
            return function
        return self._telling(function, self._read if is_clock(function) else self._repeat)

    def _telling(self, function: Foreign, tell: Callable[[], None]) -> Foreign:
        def call(*arguments: Foreign, **keywords: Foreign) -> Foreign:
            tell()
            return function(*arguments, **keywords)

        return call

    def _read(self) -> None:
        if self.line is not None and self.repeated:
            self.found.see(self.line, compiled=len(self.compiled))
        self.line, self.compiled, self.repeated = frames.line(self.path), set(), set()

    def _repeat(self) -> None:
        if (here := self._here()) in self.compiled:
            self.repeated.add(here)

    def compiles(self, name: str) -> None:
        """JAX compiles a function."""
        if self.line is not None:
            self.compiled.add(self._here())

    def _here(self) -> Instructions:
        return tuple((frame.f_code, frame.f_lasti) for frame in frames.stack(self.path))


def observe(trial: Trial, parameter: str) -> Sightings:
    """Run the case; report readings of clocks after which a loop compiles what it repeats."""
    stretches = _Stretches(trial.path)
    given: dict[str, object] = {CALLED: stretches.called, MADE: _same, AWAITED: _same}
    with trial.run(listening(stretches.compiles), edit=_instrumented, given=given):
        return stretches.found


def _same(value: Foreign) -> Foreign:
    return value


def _instrumented(tree: ast.Module) -> ast.Module:
    edited = Tellers().visit(tree)
    assert isinstance(edited, ast.Module)
    return edited


PHENOMENON = Phenomenon(
    name="compiled_within",
    summary="a call compiles and is repeated between two readings of a clock",
    observe=observe,
    bad="""\
import time
import jax
import jax.numpy as jnp

def case():
    step, x = jax.jit(lambda x: x @ x), jnp.ones((3, 3))
    start = time.perf_counter()  # here
    for _ in range(3):
        y = step(x)
    return y, time.perf_counter() - start
""",
    good="""\
import time
import jax
import jax.numpy as jnp

def case():
    step, x = jax.jit(lambda x: x @ x), jnp.ones((3, 3))
    start = time.perf_counter()
    step(x).block_until_ready()
    middle = time.perf_counter() - start
    for _ in range(3):
        y = step(x)
    return y, time.perf_counter() - middle
""",
)
