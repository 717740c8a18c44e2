"""Replaces the transforms of JAX by recorders, which keep the fixture's calls of them.

    @jax.jit                      Recorded(transform="jax.jit", function=f, made=1)
    def f(x): ...
    def case():
        return f(1.0)             RecordedCall(f, arguments=(1.0,), line=4)

A recorder stands where fixtures find the transform (`jax.jit`, `jax.lax.scan`), is installed once for a process and
is transparent: without a session, or called by a library, it is the transform.  In a session it calls the transform
too, and keeps the outermost calls, with copies of their arguments.  A session can be turned to EAGER: then a transform
is what a reader takes it for, `jit(f)` is `f`, `scan` is a loop over its body (`references`).  JAX's own disable_jit is
never used.
"""

from __future__ import annotations

import functools
import sys
import types
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from enum import Enum

from flake8_jax.runtime import frames
from flake8_jax.runtime.changing import changed
from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.references import APPLIED, WRAPPING, Reference, as_arrays


class Mode(Enum):
    """The behaviour of transforms in a session."""

    TRACED = "traced"
    EAGER = "eager"


@dataclass(slots=True)
class RecordedCall:
    """An outermost call of a transformed function: its line, arguments, and result or exception.

    `again` calls it once more with fresh copies of its arguments; `value` is None if it raised.
    """

    recorded: Recorded
    arguments: tuple[Foreign, ...]
    keywords: dict[str, Foreign]
    chain: tuple[int, ...]
    value: Foreign = None
    error: BaseException | None = None

    @property
    def line(self) -> int | None:
        """The fixture's line of the call."""
        return self.chain[-1] if self.chain else None

    def again(self) -> Foreign:
        """Repeat the call in the session's present mode; exceptions pass through."""
        return self.recorded(*copied(self.arguments), **copied(self.keywords))


@dataclass(slots=True)
class Session:
    """One run of a case: its mode, and its outermost calls so far.

    `outer` is the chain of lines of the outermost call under way, `stack` are its frames; `muted` tells watchers to
    look away.  `afresh` keeps caches from hiding that code ran: under a trace, a jitted function runs as the function
    it is, and what a fixture gives to a transform is new to it.  `around` is asked to make every call, nested ones
    too, through `Recorded.proceed`.  With `arrays`, plain Python is given arrays in place of the numbers that the
    transform would trace.
    """

    path: str
    mode: Mode = Mode.TRACED
    calls: list[RecordedCall] = field(default_factory=list)
    made: list[Recorded] = field(default_factory=list)
    outer: tuple[int, ...] | None = None
    stack: tuple[types.FrameType, ...] = ()
    muted: bool = False
    afresh: bool = False
    arrays: bool = False
    keeping: bool = True
    around: Callable[[Recorded, tuple[Foreign, ...], dict[str, Foreign]], Foreign] | None = None
    after_call: list[Callable[[RecordedCall], None]] = field(default_factory=list)
    after_making: list[Callable[[Recorded], None]] = field(default_factory=list)

    @contextmanager
    def turned(self, mode: Mode, *, keeping: bool = False) -> Iterator[None]:
        """Switch to another mode for a while, keeping calls or not."""
        with changed(self, mode=mode, keeping=keeping):
            yield


current: Session | None = None


@contextmanager
def session(path: str, mode: Mode = Mode.TRACED) -> Iterator[Session]:
    """Record the calls of the fixture of this path for a while."""
    global current
    before, current = current, Session(path, mode)
    try:
        yield current
    finally:
        current = before


@contextmanager
def muted() -> Iterator[None]:
    """Suspend recording and watching for a while."""
    with changed(current, muted=True) if current else nullcontext():
        yield


class Recorded:
    """A stand-in for a transformed function, or for a transform applied at once."""

    def __init__(
        self,
        transform: str,
        real: Foreign,
        function: Foreign,
        reference: Foreign,
        made: int | None,
        options: Mapping[str, Foreign] | None = None,
    ) -> None:
        """Stand for `real`; `reference` is what a reader takes it for, None if nothing can be said."""
        if callable(function):
            functools.update_wrapper(self, function, updated=())
        self.transform = transform
        self.real = real
        self.function = function
        self.reference = reference
        self.made = made
        self.options = options or {}

    def __call__(self, *arguments: Foreign, **keywords: Foreign) -> Foreign:
        """Call it as the session's mode has it."""
        now = current
        if now is None or now.muted:
            return self.real(*arguments, **keywords)
        return now.around(self, arguments, keywords) if now.around else self.proceed(arguments, keywords)

    def proceed(self, arguments: tuple[Foreign, ...], keywords: dict[str, Foreign]) -> Foreign:
        """Make the call in a session that is not muted."""
        now = current
        assert now is not None
        if now.mode is Mode.EAGER and self.reference is not None:
            arguments, keywords = self.given(arguments, keywords)
            return self.reference(*arguments, **keywords)
        if now.outer is not None or has_tracer((arguments, keywords)):
            if now.afresh and self.reference is self.function:
                arguments, keywords = as_arrays(self.transform, self.function, self.options, arguments, keywords)
                return self.function(*arguments, **keywords)
            return self.real(*arguments, **keywords)
        return self._outermost(now, arguments, keywords)

    def given(
        self, arguments: tuple[Foreign, ...], keywords: dict[str, Foreign]
    ) -> tuple[tuple[Foreign, ...], dict[str, Foreign]]:
        """The arguments that plain Python receives for these."""
        now = current
        if now is None or not now.arrays or now.mode is not Mode.EAGER:
            return arguments, keywords
        return as_arrays(self.transform, self.function, self.options, arguments, keywords)

    def _outermost(self, now: Session, arguments: tuple[Foreign, ...], keywords: dict[str, Foreign]) -> Foreign:
        import jax

        now.stack = frames.stack(now.path)
        now.outer = tuple(frame.f_lineno for frame in now.stack)
        kept = (copied(arguments), copied(keywords)) if now.keeping else ((), {})
        call = RecordedCall(self, kept[0], kept[1], now.outer)
        if now.keeping:
            now.calls.append(call)
        try:
            call.value = self.real(*arguments, **keywords)
            return call.value
        except BaseException as error:
            call.error = error
            raise
        finally:
            jax.effects_barrier()  # type: ignore[no-untyped-call]
            now.outer, now.stack = None, ()
            if now.keeping:
                for follow in now.after_call:
                    follow(call)

    def __get__(self, instance: object, owner: type | None = None) -> Foreign:
        """A method, where it stands in a class."""
        return self if instance is None else types.MethodType(self, instance)

    def __getattr__(self, name: str) -> Foreign:
        """Whatever else the real one has."""
        return getattr(self.__dict__["real"], name)

    def __repr__(self) -> str:
        return f"<{self.transform} of {self.function!r}>"


class Recorder:
    """A stand-in for a transform, in the module where fixtures find it."""

    def __init__(self, name: str, transform: Foreign, reference: Reference | None, is_wrapping: bool) -> None:
        """Stand for a transform that makes functions, or one that is applied at once."""
        functools.update_wrapper(self, transform, updated=())
        self._name = name
        self._transform = transform
        self._reference = reference
        self._is_wrapping = is_wrapping

    def __call__(self, *arguments: Foreign, **options: Foreign) -> Foreign:
        """Transform, and keep what was transformed."""
        now = current
        made = frames.own_line(now.path, sys._getframe(1)) if now else None
        if now is None or made is None:
            return self._transform(*arguments, **options)
        if self._is_wrapping and not arguments and not options.keys() & {"fun", "f", "fn"}:
            return functools.partial(self, **options)  # a decorator that was given its options
        if now.afresh:
            arguments = tuple(map(self._new, arguments))
            options = {name: self._new(value) for name, value in options.items()}
        found = self._recorded(arguments, options, made)
        now.made.append(found)
        for follow in now.after_making:
            follow(found)
        return found if self._is_wrapping else found(*arguments, **options)

    def _new(self, given: Foreign) -> Foreign:
        """A function that no cache of JAX knows, in place of one that it may; other arguments as they are."""
        if isinstance(given, (list, tuple)) and given and all(map(_is_function, given)):
            return type(given)(map(self._new, given))
        if not _is_function(given):
            return given

        @functools.wraps(given)
        def new(*arguments: Foreign, **keywords: Foreign) -> Foreign:
            return given(*arguments, **keywords)

        return new

    def _recorded(self, arguments: tuple[Foreign, ...], options: dict[str, Foreign], made: int) -> Recorded:
        function = arguments[0] if arguments else next(iter(options.values()), None)
        if not self._is_wrapping:
            applied = functools.partial(self._reference, self._transform) if self._reference else None
            return Recorded(self._name, self._transform, function, applied, made)
        real = self._transform(*arguments, **options)
        reference = self._reference(real, *arguments, **options) if self._reference else None
        return Recorded(self._name, real, function, reference, made, options)

    def __getattr__(self, name: str) -> Foreign:
        """Whatever else the transform has."""
        return getattr(self.__dict__["_transform"], name)


def install() -> None:
    """Replace every transform of the loaded modules by its recorder, permanently."""
    for table, is_wrapping in ((WRAPPING, True), (APPLIED, False)):
        for name, reference in table.items():
            home, _, attribute = name.rpartition(".")
            place = sys.modules.get(home)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of old homes of a transform
                found = getattr(place, attribute, None)
            if found is not None and not isinstance(found, Recorder):
                setattr(place, attribute, Recorder(name, found, reference, is_wrapping))


def _is_function(given: Foreign) -> bool:
    """Is it a function and no tree of arrays that can be called?"""
    return isinstance(given, (types.FunctionType, types.MethodType, types.BuiltinFunctionType, Recorded))


def has_tracer(tree: Foreign) -> bool:
    """Is any leaf of these arguments a tracer?"""
    import jax

    return any(isinstance(leaf, jax.core.Tracer) for leaf in jax.tree_util.tree_leaves(tree))


def copied(tree: Foreign) -> Foreign:
    """A copy of containers and arrays: a donated or overwritten array leaves the original alone."""
    import jax

    return jax.tree_util.tree_map(_copied_leaf, tree)


def _copied_leaf(leaf: Foreign) -> Foreign:
    import jax
    import numpy as np

    if isinstance(leaf, jax.Array) and not isinstance(leaf, jax.core.Tracer) and not leaf.is_deleted():
        return leaf.copy()
    return leaf.copy() if isinstance(leaf, np.ndarray) else leaf
