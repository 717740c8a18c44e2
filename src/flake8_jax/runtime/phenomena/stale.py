"""Phenomenon: compiled code uses an old value.  What a line read while it was traced has been rebound or changed since.

    SCALE = 2.0
    @jax.jit
    def f(x):
        return x * SCALE      seen here, if the case sets SCALE = 3.0 and f(1.0) still is 2.0

While a function is traced, what each line reads from outside is kept with its value (`reads`).  After every outermost
call of the case, and after one more call of those functions that the module still reaches when the case is over, if
something of that has changed, the call is made as plain Python in the same state.  If the results differ, every changed
thing is put back in turn: the lines that read one whose old value changes the plain result are the ones that are stale.
What plain Python changes is put back.

JAX's own caches may hold the old value too, so where plain Python explains nothing it is asked again with fresh ones.
If nothing that is known to have been read explains a result, but a trace of its own agrees with plain Python, nothing
is said: it may have been read in a way that cannot be followed, by `getattr` or from `os.environ`.

`stale:NAME` looks only at what is read as NAME, or below it: `SCALE`, `state`, `self.scale`.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from types import FrameType, ModuleType

from flake8_jax.runtime import compat, frames, loading, recorders
from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.phenomenon import Phenomenon
from flake8_jax.runtime.recorders import Mode, Recorded
from flake8_jax.runtime.sightings import Sightings, Unsupported
from flake8_jax.runtime.trial import SEED, Trial
from flake8_jax.runtime.watching.agreement import difference
from flake8_jax.runtime.watching.reads import Paths, Read, paths, reads
from flake8_jax.runtime.watching.state import Home, Watch, find, kept
from flake8_jax.runtime.watching.stepping import Stepper

VERSIONS = 4


class _Raised(Exception):
    """Plain Python cannot run a call."""


def observe(trial: Trial, parameter: str) -> Sightings:
    """Run the case; report the lines that read, under a trace, a value that changed later."""
    known = paths(loading.slice_of(trial.fixture, trial.case))
    comparing = CallComparison(trial.path, known, parameter)
    with trial.run(comparing) as run, run.turned(Mode.TRACED):
        comparing.compare_all()
    if not comparing.found and comparing.failed:
        raise Unsupported(comparing.failed[0])
    if not comparing.found and comparing.is_unexplained:
        raise Unsupported("the result is stale, and no read of a changed name explains it")
    return comparing.found


@dataclass(slots=True)
class CallComparison:
    """A watcher that compares outermost calls with plain Python, once something they read has changed."""

    path: str
    known: Paths
    name: str
    found: Sightings = field(default_factory=Sightings)
    failed: list[str] = field(default_factory=list)
    is_unexplained: bool = False
    _seen: dict[tuple[int, str], list[Read]] = field(default_factory=dict)
    _calls: dict[int, tuple[Recorded, Foreign]] = field(default_factory=dict)
    _module: ModuleType | None = None
    _watch: Watch | None = None
    _is_busy: bool = False
    _caches: Callable[[], AbstractContextManager[None]] = nullcontext

    def __enter__(self) -> CallComparison:
        """Watch the session that is open."""
        assert recorders.current is not None
        compat.is_tracing()
        recorders.current.around = self._around
        recorders.current.arrays = True
        return self

    def __exit__(self, *_: object) -> None:
        """Watch no longer; the session is closed with the run."""

    def compare_all(self) -> None:
        """Repeat the last call of each function still within reach, and compare."""
        ways = find(self._home, [(self._module, "")], lambda thing: isinstance(thing, Recorded))
        reached = {id(recorded) for recorded, _, _ in ways}
        for recorded, arguments in list(self._calls.values()):
            if id(recorded) in reached and any(map(self._is_meant, self._changed())):
                try:
                    recorded(*recorders.copied(arguments[0]), **recorders.copied(arguments[1]))
                except Exception:  # with what is left of the case, this call cannot be made
                    continue

    def _around(self, recorded: Recorded, arguments: tuple[Foreign, ...], keywords: dict[str, Foreign]) -> Foreign:
        if self._is_busy or recorders.has_tracer((arguments, keywords)):
            return recorded.proceed(arguments, keywords)
        self._is_busy = True
        try:
            given = recorders.copied((arguments, keywords))
            is_repeated = id(recorded.function) in self._calls
            self._calls[id(recorded.function)] = (recorded, given)
            with self._reading(recorded, arguments):
                value = recorded.proceed(arguments, keywords)
            changed = self._changed()
            if any(map(self._is_meant, changed)) or (is_repeated and not changed and not self.found):
                self._compare(recorded, given, value, changed)
            return value
        finally:
            self._is_busy = False

    @contextmanager
    def _reading(self, recorded: Recorded, arguments: tuple[Foreign, ...]) -> Iterator[None]:
        """Keep what the fixture's lines read under a trace."""
        if self._module is None:
            stack = frames.stack(self.path)
            self._module = sys.modules.get(stack[-1].f_globals["__name__"]) if stack else None
        self._watch = Watch(self._home)
        for thing in (self._module, recorded.function, *arguments):
            self._watch.add(thing, "")
        with Stepper(self.path, next=self._read).following():
            yield

    def _read(self, frame: FrameType) -> None:
        if self._module is None or self._watch is None or not compat.is_tracing():
            return
        for read in reads(frame, self._home, self._module, self.known, self._watch):
            versions = self._seen.setdefault((read.line, read.text + str(read.label is None)), [])
            if len(versions) < VERSIONS and not any(_is_alike(read, other) for other in versions):
                versions.append(read)

    def _changed(self) -> list[Read]:
        every = (read for versions in self._seen.values() for read in versions)
        return [read for read in every if read.is_changed]

    def _is_meant(self, read: Read) -> bool:
        return not self.name or read.is_called(self.name)

    def _compare(self, recorded: Recorded, given: Foreign, value: Foreign, changed: list[Read]) -> None:
        """See the lines of those reads whose old value makes plain Python give something else than it gives now."""
        meant = list(filter(self._is_meant, changed))
        if recorded.reference is None:
            self.failed += [f"{recorded.transform} has no plain form"] if meant else []
            return
        try:
            if not self._explains(recorded, given, value, changed) and meant:
                self._caches = compat.fresh_caches
                self._explains(recorded, given, value, changed)
        except _Raised as error:
            self.failed += [f"plain Python raises {error.__cause__!r}"[:200]] if meant else []
        finally:
            self._caches = nullcontext

    def _explains(self, recorded: Recorded, given: Foreign, value: Foreign, changed: list[Read]) -> bool:
        """Do those reads explain how a value differs from what plain Python gives?  The lines of those meant are seen.

        Unless JAX's caches are fresh, plain Python may get an old value out of them, and explain nothing.
        """
        meant = list(filter(self._is_meant, changed))
        now = self._outcome(recorded, given)
        gap = difference(value, now)
        if gap is None or difference(now, self._outcome(recorded, given)) is not None:
            self.found.refuting = {"changed": sorted({read.text for read in meant})} if meant else {}
            return False
        explaining = [read for read in meant if not read.can_go_back or self._matters(read, recorded, given, now)]
        for read in explaining:
            self.found.see(read.line, name=read.text, compiled_against_plain=gap)
        others = (read for read in changed if read not in meant)
        if explaining or any(self._matters(read, recorded, given, now) for read in others):
            return bool(explaining)
        with compat.fresh_caches():
            anew = self._outcome(recorded, given, Mode.TRACED)
        self.is_unexplained |= difference(anew, now) is None
        return False

    def _matters(self, read: Read, recorded: Recorded, given: Foreign, now: Foreign) -> bool:
        """Does the old value of what was read make plain Python give something else?"""
        if not read.can_go_back:
            return False
        with read.gone_back():
            return difference(self._outcome(recorded, given), now) is not None

    def _outcome(self, recorded: Recorded, given: Foreign, mode: Mode = Mode.EAGER) -> Foreign:
        """What plain Python, or a trace of its own, gives in the present state, which stays as it is."""
        import numpy as np

        session = recorders.current
        assert session is not None
        state = random.getstate(), np.random.get_state()
        random.seed(SEED)
        np.random.seed(SEED)
        held = kept(self._home, [(self._module, ""), (recorded.function, "")])
        with held, session.turned(mode), self._caches():
            arguments, keywords = recorders.copied(given)
            try:
                return recorded(*arguments, **keywords)
            except Exception as error:
                raise _Raised from error
            finally:
                random.setstate(state[0])
                np.random.set_state(state[1])

    @property
    def _home(self) -> Home:
        return Home(self._module.__name__ if self._module else "", self.path)


def _is_alike(read: Read, other: Read) -> bool:
    return read.holder is other.holder and read.content.is_same(other.content)


PHENOMENON = Phenomenon(
    name="stale",
    summary="compiled code goes on with an old value of what it read while it was traced",
    observe=observe,
    parameter="what was read: `SCALE`, `state`, `self.scale`",
    example="SCALE",
    bad="""\
import jax

SCALE = 2.0

@jax.jit
def f(x):
    return x * SCALE  # here

def case():
    global SCALE
    f(1.0)
    SCALE = 3.0
    return f(1.0)
""",
    good="""\
import jax

SCALE = 2.0

@jax.jit
def f(x, scale):
    return x * scale

def case():
    global SCALE
    f(1.0, SCALE)
    SCALE = 3.0
    return f(1.0, SCALE)
""",
)
