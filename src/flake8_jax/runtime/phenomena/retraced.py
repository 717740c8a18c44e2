"""Phenomenon: one call compiles the same code again, for a new function object or for changed arguments.

What is counted are XLA compilations (JAX's monitoring event, which comes synchronously, so the stack says which call of
which jitted function compiles); traces do not count, since eager loops are traced again at every call and compiled
once, and neither do the small programs that eager operations compile.  A *path* is the instructions of the fixture's
frames on the stack, all the way up.  The case runs once, so a path that is taken twice is in a loop.  Compilations of
the same code (the `def` or lambda below partial, bound method and decorators) belong together as

    remade    if one call meets function objects that were made anew each time for it.  The paths of making and calling
              are compared below the frame where they part: `jit(lambda ...)(x)` in a loop or in a function that is
              called twice parts at the same two instructions each time; `a = Model()`, `b = Model()`, each of which
              jits its own step once, part at different ones, and a function jitted at import has no frame in common.
    changed   if they are of one function object along one path: shapes, dtypes, weak types, static values or pytree
              structures that change from turn to turn;
    passed    if they are of one function object for equal arguments, which are passed by position and by name in three
              ways at least; seen is the third.

Where nothing traces them, `lax.scan` and its like compile what they run, and are both at once: made and called.

    step(small)                  a function compiled for two shapes in two calls is clean: both are meant
    step(large)
    for x in (small, large):     by one call it is a sighting, as a last batch of another size is: whether two
        step(x)                  compilations are worth it, an observation cannot say

A case is run as a `main` is: what it jits for itself once is compiled once, and a second run of it, which would call
every local jitted function a hazard, is not made.  Seen is the line to change: where the function is made anew, or
where it is called with what changes.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import CodeType, FrameType, MethodType
from typing import TypeAlias
from weakref import WeakKeyDictionary

from flake8_jax.runtime import compat, frames, recorders
from flake8_jax.runtime.changing import changed
from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.phenomenon import Phenomenon
from flake8_jax.runtime.recorders import Recorded
from flake8_jax.runtime.sightings import Sightings, Unsupported
from flake8_jax.runtime.trial import Trial

EVENT = "/jax/core/compile/backend_compile_duration"
UNNAMED = "<unnamed function>"
COMPILING = {"jax.jit", "jax.pmap", "equinox.filter_jit", "flax.nnx.jit"}
RUNNING = {f"jax.lax.{name}" for name in ("scan", "while_loop", "fori_loop", "cond", "switch", "map")}
WAYS = 3
PROGRAMS = frozenset(("scan", "while", "cond"))
"""How JAX calls what these compile."""

CallPath: TypeAlias = "tuple[tuple[CodeType, int], ...]"


@dataclass(frozen=True, slots=True)
class Making:
    """The creation of a jitted function: its code and names, the path there, and the function object's identity.

    `lines` are where that can be changed: the line itself, of what is run at once also those of the calls that lead
    there, as each of them may be jitted.
    """

    code: CodeType
    names: frozenset[str]
    lines: tuple[int, ...]
    path: CallPath
    identity: object


@dataclass(frozen=True, slots=True)
class Compilation:
    """One compilation of a jitted function, and the path of the call that caused it."""

    making: Making
    line: int | None
    path: CallPath
    passed: tuple[str, ...]

    @property
    def parting(self) -> tuple[object, ...] | None:
        """The instructions at which creation and call diverge, None if they have no frame in common."""
        depth = -1
        for depth, (making, calling) in enumerate(zip(self.making.path, self.path)):  # noqa: B007
            if making != calling:
                break
        if depth < 0 or self.making.path[depth][0] is not self.path[depth][0]:
            return None
        return self.making.path[depth], self.path[depth]


@dataclass(slots=True)
class _CompilationWatch:
    """What one run makes and compiles; holds no method object, which would live longer than in the program."""

    path: str
    active: list[tuple[Recorded, tuple[str, ...]]] = field(default_factory=list)
    makings: WeakKeyDictionary[Recorded, Making] = field(default_factory=WeakKeyDictionary)
    compilations: list[Compilation] = field(default_factory=list)
    is_foreign: bool = False

    def made(self, recorded: Recorded) -> None:
        """A jitted function was made."""
        assert recorders.current is not None
        recorders.current.made.clear()
        if recorded.transform not in COMPILING:
            return
        function = plain(recorded.function)
        code = getattr(function, "__code__", None)
        self.is_foreign |= _is_foreign(function, code, self.path)
        if isinstance(code, CodeType):
            names = frozenset({code.co_name, getattr(recorded.function, "__name__", UNNAMED)})
            identity = object() if isinstance(recorded.function, MethodType) else recorded.function
            path = _path(self.path, sys._getframe(1))
            lines = () if recorded.made is None else (recorded.made,)
            self.makings[recorded] = Making(code, names, lines, path, identity)

    def called(self, recorded: Recorded, arguments: tuple[Foreign, ...], keywords: dict[str, Foreign]) -> Foreign:
        """A transformed function is called."""
        if recorded.transform in RUNNING:
            self._runs(recorded, arguments, keywords)
        elif recorded.transform not in COMPILING:
            return recorded.proceed(arguments, keywords)
        self.active.append((recorded, _types((arguments, keywords))))
        try:
            return recorded.proceed(arguments, keywords)
        finally:
            self.active.pop()

    def _runs(self, recorded: Recorded, arguments: tuple[Foreign, ...], keywords: dict[str, Foreign]) -> None:
        """Functions are run at once, and compiled if nothing is traced."""
        given = [one for each in (*arguments, *keywords.values()) for one in (each if type(each) is list else [each])]
        functions = [one for one in given if callable(one)]
        code = getattr(plain(functions[0]), "__code__", None) if functions else None
        if isinstance(code, CodeType):
            path, lines = _path(self.path, sys._getframe(1)), frames.chain(self.path, sys._getframe(1))
            self.makings[recorded] = Making(code, PROGRAMS, lines, path, functions[0])

    def compiled(self, program: str) -> None:
        """JAX has compiled a program: `jit(f)`, `jit(jvp(f))`; `jit(_fun)` is what it calls a pmap."""
        recorded, passed = self.active[-1] if self.active else (None, ())
        making = self.makings.get(recorded) if recorded is not None else None
        words = [word.strip() for word in program.replace("(", "|").replace(")", "|").split("|")]
        if making is None or (making.names | {"_fun"}).isdisjoint(words):
            return
        frame = sys._getframe(1)
        self.compilations.append(Compilation(making, frames.line(self.path, frame), _path(self.path, frame), passed))

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Watch the session's run."""
        now = recorders.current
        assert now is not None
        now.keeping, now.around = False, self.called
        now.after_making.append(self.made)
        with listening(self.compiled):
            yield


@dataclass(slots=True)
class _Ear:
    """Who is told of compilations, at most one at a time; JAX keeps its listener for ever."""

    told: Callable[[str], None] | None = None
    is_listening: bool = False


_ear = _Ear()


def observe(trial: Trial, parameter: str) -> Sightings:
    """Run the case; report what is compiled again at the same call."""
    watch = _watched(trial)
    found = _judged(watch.compilations, parameter)
    if not found and watch.is_foreign:
        with compat.fresh_caches():  # what a library defines may have been compiled by another case
            found = _judged(_watched(trial).compilations, parameter)
    return found


def plain(function: Foreign) -> Foreign:
    """The function below partials, methods, recorders and decorators."""
    for _ in range(20):
        if isinstance(function, functools.partial):
            function = function.func
        elif isinstance(function, Recorded):
            function = function.function
        elif hasattr(function, "__wrapped__"):
            function = function.__wrapped__
        elif hasattr(function, "__func__"):
            function = function.__func__
        else:
            break
    return function if hasattr(function, "__code__") else getattr(type(function), "__call__", None)  # noqa: B004


def _is_foreign(function: Foreign, code: CodeType | None, path: str) -> bool:
    """Does the function live longer than the case, in a library?"""
    return (code is None or code.co_filename != path) and "<locals>" not in getattr(function, "__qualname__", "")


def _watched(trial: Trial) -> _CompilationWatch:
    watch = _CompilationWatch(trial.path)
    with trial.run(watch.watching()):
        return watch


def _types(tree: Foreign) -> tuple[str, ...]:
    """The types of the leaves of some arguments, in any order."""
    import jax

    leaves = jax.tree_util.tree_leaves(tree)
    return tuple(sorted(f"{getattr(leaf, 'shape', type(leaf))} {getattr(leaf, 'dtype', '')}" for leaf in leaves))


def _path(path: str, frame: FrameType | None) -> CallPath:
    return tuple((found.f_code, found.f_lasti) for found in frames.stack(path, frame))


@contextmanager
def listening(told: Callable[[str], None]) -> Iterator[None]:
    """Call `told` with the name of each function that is compiled."""
    import jax

    if not _ear.is_listening:
        register = getattr(jax.monitoring, "register_event_duration_secs_listener", None)
        if register is None:
            raise Unsupported("this JAX has no jax.monitoring.register_event_duration_secs_listener")
        register(_listener)
        _ear.is_listening = True
    with changed(_ear, told=told):
        yield


def _listener(event: str, duration: float, **words: Foreign) -> None:
    if event == EVENT and _ear.told is not None:
        _ear.told(str(words.get("fun_name", "_fun")))


def _judged(compilations: list[Compilation], name: str) -> Sightings:
    found = Sightings()
    for reason, group in _groups(compilations):
        if len(group) > 1 and (not name or name in group[0].making.names):
            made = sorted({line for each in group for line in each.making.lines})
            called, function = group[0].line, group[0].making.code.co_name
            called = group[2].line if reason == "passed" else called
            for where in made if reason == "remade" else [called]:
                found.see(where, function=function, compiled=len(group), reason=reason, called=called, made=made)
    found.refuting = {"compiled": [[each.making.code.co_name, each.line] for each in compilations]}
    return found


def _groups(compilations: list[Compilation]) -> Iterator[tuple[str, list[Compilation]]]:
    """Compilations that belong together, and what they have in common."""
    remade: dict[object, dict[int, Compilation]] = {}
    changed: dict[object, list[Compilation]] = {}
    passed: dict[object, list[Compilation]] = {}
    for each in compilations:
        identity = id(each.making.identity)
        if each.parting is not None:
            remade.setdefault((each.making.code, each.parting, each.path[-1]), {}).setdefault(identity, each)
        changed.setdefault((identity, each.path), []).append(each)
        passed.setdefault((identity, each.passed), []).append(each)
    for objects in remade.values():
        yield "remade", list(objects.values())
    for group in changed.values():
        yield "changed", group
    for group in passed.values():
        if len({each.path for each in group}) >= WAYS:
            yield "passed", group


PHENOMENON = Phenomenon(
    name="retraced",
    summary="the same code is compiled again at the same call",
    observe=observe,
    parameter="the function",
    bad="""\
import jax

def case():
    for _ in range(2):
        jax.jit(lambda x: x + 1)(1.0)  # here
""",
    good="""\
import jax

def one_more(x):
    return x + 1

def case():
    for _ in range(2):
        jax.jit(one_more)(1.0)
""",
)
