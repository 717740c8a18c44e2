r"""Observes the side effects of a case while transformed functions run, in order, with the fixture's lines.

    LOG = []
    @jax.jit
    def f(x):
        print(x)         ObservedEffect("stdout", line=4, "JitTracer(float32[])\n")
        LOG.append(x)    ObservedEffect("state", line=5, "module.LOG[0]")

Effects on the host are noted where they happen (`host`).  Changes of outer objects are found by comparing what module,
closures and arguments reach, after each line of the fixture (`state`, `stepping`).  What is new inside a function is
not outer, and each transform has an inside: what the body of a scan does to a list of the function around it is an
effect.  What a library does on its own account is none.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from types import FrameType, ModuleType, TracebackType
from typing import TypeAlias

from flake8_jax.runtime import compat, frames, recorders
from flake8_jax.runtime.changing import changed
from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.recorders import Recorded
from flake8_jax.runtime.watching import host
from flake8_jax.runtime.watching.state import Home, Watch
from flake8_jax.runtime.watching.stepping import Stepper, following_callbacks

STREAMS = frozenset(("stdout", "stderr"))
"""What is written to piece by piece."""

TEXTS = STREAMS | {"log", "warning"}


Roots: TypeAlias = "list[tuple[Foreign, str]]"


@dataclass(slots=True)
class ObservedEffect:
    """A side effect: its kind, the fixture's line, and a detail.  The line is None if JAX or a library did it.

    `played` numbers the outermost call in which it happened, None outside; `traced` says whether a transform was
    tracing, `shows_tracer` whether a text that it wrote has the text of a tracer in it.  `values` came into an object.
    """

    kind: str
    line: int | None
    detail: str
    played: int | None = None
    traced: bool = False
    shows_tracer: bool = False
    values: tuple[Foreign, ...] = ()


@dataclass(slots=True)
class Play:
    """An outermost call of a transformed function, in either mode; `again` repeats it."""

    recorded: Recorded
    arguments: tuple[Foreign, ...]
    keywords: dict[str, Foreign]
    effects: list[ObservedEffect] = field(default_factory=list)
    value: Foreign = None
    error: BaseException | None = None

    def again(self) -> None:
        """Repeat the call with fresh copies of its arguments; exceptions are kept with the call."""
        with suppress(Exception):
            self.recorded(*recorders.copied(self.arguments), **recorders.copied(self.keywords))


@dataclass(slots=True)
class Effects:
    """A watcher that collects side effects, all of them and by outermost call, while it is entered.

    Without `state`, changes of objects are left alone; `inside` is entered around each call of a transformed function,
    with what the function can reach, and with whether it is an outermost one.
    """

    path: str
    state: bool = True
    inside: Callable[[Roots, bool], AbstractContextManager[None]] | None = None
    effects: list[ObservedEffect] = field(default_factory=list)
    plays: list[Play] = field(default_factory=list)
    module: ModuleType | None = None
    _playing: Play | None = None
    _texts: dict[str, int | None] = field(default_factory=dict)
    _watches: list[Watch] = field(default_factory=list)
    _strays: list[Watch] = field(default_factory=list)
    _stepper: Stepper | None = None
    _stack: ExitStack = field(default_factory=ExitStack)

    def __enter__(self) -> Effects:
        """Watch the session that is open."""
        session = recorders.current
        assert session is not None
        compat.is_tracing()  # raises `Unsupported` here, not in the middle of a case
        self._stepper = Stepper(self.path, ran=self._settle, next=self._stray)
        self._stack.enter_context(following_callbacks())
        self._stack.enter_context(compat.watching_texts(self._made))
        self._stack.enter_context(host.noting(self._note))
        self._stack.enter_context(changed(session, around=self._around, arrays=True))
        self._stack.enter_context(self._following())
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        """Watch no longer."""
        self._stack.close()

    def _note(self, kind: str, detail: str) -> None:
        """Something was asked of the host, by whoever is on the stack."""
        session = recorders.current
        if session is None or session.muted:
            return
        line = _line(self.path, kind, sys._getframe(1))
        if line is None and kind not in TEXTS:
            return
        last = self.effects[-1] if self.effects else None
        if last and (last.kind, last.line) == (kind, line) and kind in STREAMS and not last.detail.endswith("\n"):
            last.detail += detail
        else:
            last = self._add(ObservedEffect(kind, line, detail))
        last.shows_tracer = kind in TEXTS and bool(self.tracers_in(last.detail))

    def _made(self, text: str) -> None:
        """A tracer has made a text of itself."""
        self._texts.setdefault(text, frames.line(self.path, sys._getframe(1)))

    def tracers_in(self, text: str) -> list[int | None]:
        """For each tracer's text contained in a text, the line that made it."""
        return [line for made, line in self._texts.items() if made in text]

    def _add(self, effect: ObservedEffect) -> ObservedEffect:
        effect.traced = compat.is_tracing()
        self.effects.append(effect)
        if self._playing is not None:
            effect.played = len(self.plays) - 1
            self._playing.effects.append(effect)
        return effect

    def _settle(self, line: int | None) -> None:
        """A line has run: what has changed is its doing."""
        session, stepper = recorders.current, self._stepper
        for watch in self._watches or self._strays:
            for change in watch.changes(of_iterators=stepper is None or not stepper.is_in_generator):
                if line is not None and not change.is_foreign and session and not session.muted:
                    self._add(ObservedEffect(change.kind, line, change.text, values=change.values))

    def _stray(self, frame: FrameType) -> None:
        """A line is about to run; if something unrecorded traces it, what it reaches is watched."""
        session = recorders.current
        if self._playing is not None or (session and session.muted) or not compat.is_tracing():
            self._strays.clear()
            return
        if not self._strays:
            self._strays.append(Watch(Home(str(frame.f_globals["__name__"]), self.path)))
            self._strays[0].add(sys.modules.get(str(frame.f_globals["__name__"])), "module")
        for name in frame.f_code.co_freevars:
            self._strays[0].add(frame.f_locals.get(name), name)

    def _around(self, recorded: Recorded, arguments: tuple[Foreign, ...], keywords: dict[str, Foreign]) -> Foreign:
        """Make a call of a transformed function, and see what it does."""
        if self._playing is not None:
            with self._watching(
                [(given, _name(given)) for given in (recorded.function, *arguments) if _is_code(given)]
            ):
                return recorded.proceed(arguments, keywords)
        if recorders.has_tracer((arguments, keywords)):
            return recorded.proceed(arguments, keywords)
        arguments, keywords = recorded.given(arguments, keywords)
        play = Play(recorded, recorders.copied(arguments), recorders.copied(keywords))
        self.plays.append(play)
        self._playing = play
        try:
            with self._watching(self._roots(recorded, arguments, keywords)), self._following():
                play.value = _finished(recorded.proceed(arguments, keywords))
            return play.value
        except BaseException as error:
            play.error = error
            raise
        finally:
            self._playing = None

    @contextmanager
    def _following(self) -> Iterator[None]:
        if not self.state or self._stepper is None:
            yield
            return
        with self._stepper.following():
            yield

    @contextmanager
    def _watching(self, roots: Roots) -> Iterator[None]:
        """Watch what these objects reach, beside what is watched already."""
        if not self.state:
            yield
            return
        watch = Watch(self.home, tuple(self._watches))
        for thing, text in roots:
            watch.add(thing, text)
        self._watches.append(watch)
        try:
            with self.inside(roots, watch.others == ()) if self.inside else nullcontext():
                yield
        finally:
            self._watches.remove(watch)

    @property
    def home(self) -> Home:
        """The module whose objects are watched."""
        return Home(self.module.__name__ if self.module else "", self.path)

    def _roots(self, recorded: Recorded, arguments: tuple[Foreign, ...], keywords: dict[str, Foreign]) -> Roots:
        if self.module is None:
            stack = frames.stack(self.path)
            self.module = sys.modules.get(stack[-1].f_globals["__name__"]) if stack else None
        return [
            (self.module, "module"),
            (recorded.function, _name(recorded.function)),
            *((given, f"argument {at}") for at, given in enumerate(arguments)),
            *((given, f"argument {name}") for name, given in keywords.items()),
            *_generators(),
        ]


def _line(path: str, kind: str, frame: FrameType) -> int | None:
    """The fixture's line that asks for something, if no library, no import and no log asks on its behalf."""
    found: FrameType | None = frame
    while found is not None and found.f_code.co_filename != path:
        if found.f_code.co_filename.startswith("<frozen importlib"):
            return None
        if kind != "log" and found.f_globals.get("__name__") == "logging":
            return None
        found = found.f_back
    return frames.own_line(path, frame)


def _finished(value: Foreign) -> Foreign:
    """A value, when everything that leads to it has run, callbacks too."""
    import jax

    with suppress(Exception):  # it is raised again where the value is used
        jax.block_until_ready(value)  # type: ignore[no-untyped-call]
    jax.effects_barrier()  # type: ignore[no-untyped-call]
    return value


def _is_code(given: Foreign) -> bool:
    return callable(given) or (isinstance(given, (list, tuple)) and any(map(callable, given)))


def _name(function: Foreign) -> str:
    return str(getattr(function, "__name__", "the function"))


def _generators() -> Roots:
    """The random generators behind the modules `random` and `numpy.random`."""
    import numpy as np

    found = getattr(getattr(np.random, "mtrand", None), "_rand", None)
    host_random: Foreign = random.getstate
    return [(host_random.__self__, "random"), *([(found, "numpy.random")] if found is not None else [])]
