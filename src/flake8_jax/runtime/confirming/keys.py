"""Watches the keys that tests draw from, as the ledger of `verify` does, but adds nothing to any program.

    key = jax.random.key(0)
    a = jax.random.normal(key)
    b = jax.random.uniform(key)        the same bytes: seen when the test is over

A concrete key is known by its bytes.  A traced one is known as the tracer that it is: two uses of one tracer in the
trace that it belongs to are two uses of one key whenever that code runs.  What reaches compiled code, or a branch or a
loop of JAX inside of it, as a new tracer is not followed, unless the session `stages`: then each use in a trace leaves
a callback in the program, which brings the key's bytes when that runs, as for `verify`.  A use is told from another by
where both were staged; so what one place draws again is left out, and so is what an earlier test staged.

Draws are compared within a test, for each file with its own frames.  Until the test is over, they hold on to frames,
and so to what stands in these; with `jax_check_tracer_leaks` nothing traced is held.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from types import FrameType

from flake8_jax.runtime import compat
from flake8_jax.runtime.confirming.observations import Observations, contained
from flake8_jax.runtime.confirming.targets import SoughtFinding
from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.phenomena.equal_draws import is_same_site
from flake8_jax.runtime.phenomena.key_goes_on import lines_of_first_use
from flake8_jax.runtime.watching.ledger import LOOKS, Draw, Site, asking, site_at
from flake8_jax.runtime.watching.reuse import MOST, Reuse, parting, reuses

WATCHER = "keys"
MOST_DRAWS = 20_000
"""So many draws of one test are kept; what comes later in it is not watched, and that is said."""


@dataclass(slots=True)
class TracedUse:
    """A use of a key that is a tracer, with the tracer: as long as it is held, no other has its identity."""

    tracer: Foreign
    draw: Draw


@dataclass(slots=True)
class KeyWatch:
    """Watches keys in the files of some targets, and tells the observations of what it saw."""

    targets: dict[str, list[SoughtFinding]]
    observations: Observations
    stages: bool = False
    _stack: ExitStack = field(default_factory=ExitStack)
    _is_installed: bool = False
    _is_open: bool = False
    _tick: int = 0
    _kept: int = 0
    _test: int = 0
    _draws: dict[str, list[Draw]] = field(default_factory=dict)
    _traced: dict[str, list[TracedUse]] = field(default_factory=dict)

    def install(self) -> None:
        """Begin to listen; JAX must be loaded."""
        if self._is_installed or not self.targets:
            return
        self._is_installed = True
        self._stack.enter_context(compat.watching_given_keys(contained(self.observations, WATCHER, self._met)))

    def close(self) -> None:
        """Listen no longer."""
        self._stack.close()

    def begin(self) -> None:
        """A test begins."""
        self._is_open = True
        self._test += 1

    def end(self) -> None:
        """A test is over: judge its draws, and forget them."""
        if self.stages and "jax" in sys.modules:
            import jax

            jax.effects_barrier()  # type: ignore[no-untyped-call]
        self._is_open = False
        try:
            for path, targets in self.targets.items():
                draws = sorted(self._draws.get(path, ()), key=lambda draw: draw.order)
                for reuse in (*reuses(draws), *_traced_reuses(self._traced.get(path, ()))):
                    if reuse.first.site is not reuse.second.site or not reuse.first.site.is_staged:
                        self._tell(reuse, targets)
        finally:
            self._draws.clear()
            self._traced.clear()
            self._tick = self._kept = 0

    def _met(self, operation: str, key: Foreign, given: Foreign) -> None:
        """A function of `jax.random` was given a key, which is `key` if it is typed."""
        import jax

        if operation in LOOKS or not self._is_open:
            return
        if self._kept >= MOST_DRAWS or self._tick >= MOST_DRAWS:
            self.observations.errors[f"{WATCHER}: more than {MOST_DRAWS} draws in one test, the rest is left out"] += 1
            return
        frame, number = asking()
        paths = _files(frame, self.targets)
        if not paths:
            return
        self._tick += 1
        sites = {path: site for path in paths if (site := site_at(operation, path, frame, 0, self._tick)) is not None}
        for site in sites.values():
            site.number = number
        kind = str(jax.random.key_impl(key))
        if not compat.is_tracing():
            self._keep(sites, kind, compat.rows_of_key(key))
            return
        if isinstance(given, jax.core.Tracer) and not getattr(jax.config, "jax_check_tracer_leaks", False):
            self._keep_traced(sites, given)
        if self.stages:
            for site in sites.values():
                site.is_staged = True
            told = contained(self.observations, WATCHER, partial(self._arrived, self._test, sites, kind))
            jax.debug.callback(told, jax.random.key_data(key))

    def _keep(self, sites: Mapping[str, Site], kind: str, rows: list[bytes]) -> None:
        """Keep a use of each of some keys."""
        for path, site in sites.items():
            draws = self._draws.setdefault(path, [])
            draws += [_draw(site, kind, row, self._kept + number) for number, row in enumerate(rows)]
        self._kept += len(rows)

    def _keep_traced(self, sites: Mapping[str, Site], tracer: Foreign) -> None:
        """Keep a use of a tracer, if nothing of JAX stands between it and its trace."""
        if compat.is_of_this_trace(tracer):
            for path, site in sites.items():
                self._traced.setdefault(path, []).append(TracedUse(tracer, _draw(site, "", b"", 0)))

    def _arrived(self, test: int, sites: Mapping[str, Site], kind: str, data: Foreign) -> None:
        """A program runs in which a use was staged."""
        import numpy as np

        if self._is_open and test == self._test and self._kept < MOST_DRAWS:
            values = np.asarray(data)
            self._keep(sites, kind, [row.tobytes() for row in values.reshape(-1, values.shape[-1])])

    def _tell(self, reuse: Reuse, targets: Iterable[SoughtFinding]) -> None:
        operations = sorted({reuse.first.operation, reuse.second.operation})
        for phenomenon, lines in _lines(reuse):
            for target in targets:
                if phenomenon in target.phenomena and not target.lines.isdisjoint(lines):
                    self.observations.see(target, phenomenon, {"operations": operations, "lines": list(reuse.pair)})


def _lines(reuse: Reuse) -> Iterator[tuple[str, frozenset[int]]]:
    """The phenomena that a reuse is, with the lines on which each is seen."""
    parted = frozenset(line for line in reuse.lines if line is not None)
    yield "key_reuse", parted
    yield "key_goes_on", frozenset(lines_of_first_use(reuse))
    if is_same_site(reuse.first, reuse.second):
        yield "equal_draws", parted


def _traced_reuses(uses: Iterable[TracedUse]) -> Iterator[Reuse]:
    """The second uses of one tracer; two equal splits may be of different elements, and are left out."""
    by_tracer: dict[int, list[Draw]] = {}
    for use in uses:
        by_tracer.setdefault(id(use.tracer), []).append(use.draw)
    for draws in by_tracer.values():
        for number, second in enumerate(draws[:MOST]):
            for first in draws[:number]:
                if (first.operation, first.site.number) != (second.operation, second.site.number) or (
                    second.operation not in ("split", "jax.random.clone")
                ):
                    yield Reuse(first, second, *parting(first, second))


def _draw(site: Site, kind: str, key: bytes, number: int) -> Draw:
    return Draw(key, kind, site, site.places, len(site.places), -1, (site.tick, site.tick, number))


def _files(frame: FrameType | None, wanted: Iterable[str]) -> set[str]:
    """The files, of some, that are on the stack."""
    found: set[str] = set()
    names = frozenset(wanted)
    while frame is not None:
        if frame.f_code.co_filename in names:
            found.add(frame.f_code.co_filename)
        frame = frame.f_back
    return found
