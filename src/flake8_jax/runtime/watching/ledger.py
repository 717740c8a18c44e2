"""The ledger of drawn keys: the bytes and the place of each key passed to `jax.random`.

    key = jr.key(0)
    for _ in range(2):          line 2
        x = step(key)           line 3     Draw(key=00000000 00000000, "normal", places: line 3 of case, line 7 of step)
                                           Draw(the same key,          "normal", places: line 3 of case, line 7 of step)

All of `jax.random` passes its keys through one function, before anything is traced.  A concrete key is written down at
once.  A traced one leaves a *site* in the program that is being staged, a callback which brings the key's bytes each
time that the program runs: so keys are seen under every transform, a branch that is not taken draws nothing, and
`eval_shape` draws nothing at all.  The site knows where it was staged; from where the staged program is called, which
for a cached one is another line, the recorders know.

*Order.*  Callbacks come in any order.  Draws are put in the order of the program: by the outermost call that they
belong to (the recorders wait for all its callbacks), in it by when their site was staged, and last by arrival.

*Not counted*: what only looks at a key or derives another, samplers of `jax.random` that call each other, the second
run of a checkpointed function (checkpoints are the identity here), a draw that a custom backward function repeats, and
a key that is replicated over the devices of a `pmap` or a `shard_map`, which is one draw of the program.
"""

from __future__ import annotations

import functools
import inspect
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from types import FrameType, TracebackType
from typing import TypeAlias

from flake8_jax.runtime import compat, recorders
from flake8_jax.runtime.changing import changed
from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.sightings import Unsupported

KeyUseListener: TypeAlias = "Callable[[str, Foreign], None]"
CallAround: TypeAlias = "Callable[[Foreign, tuple[Foreign, ...], dict[str, Foreign]], Foreign]"
KeyMadeListener: TypeAlias = "Callable[[str, Foreign, Foreign], None]"

CLONE = "jax.random.clone"
FOLD = "jax.random.fold_in"
MAKES = {f"jax.random.{name}" for name in ("key", "PRNGKey", "fold_in", "wrap_key_data")}
LOOKS = {"key_data", "key_impl", "fold_in", "wrap_key_data", "clone"}
LOOPS = {"scan", "fori_loop", "while_loop", "map", "vmap_f", "associative_scan"}

FramePlace: TypeAlias = "tuple[FrameType, int, int]"
"""A frame of the fixture, and the line and the instruction that it was on."""


@dataclass(slots=True)
class Site:
    """A draw's place in the program: the operation, and the frames on the stack, the outermost first.

    `outside` of the frames stand outside the outermost call that it was staged for; `loops` are lines that call a
    transform which runs the rest of the frames many times; `tick` counts sites and outermost calls.  `number` is
    the second argument of a split.
    """

    operation: str
    places: tuple[FramePlace, ...]
    outside: int
    tick: int
    loops: tuple[int, ...] = ()
    is_backward: bool = False
    is_staged: bool = False
    number: object = None


@dataclass(frozen=True, slots=True)
class Draw:
    """A draw from a key: the key's bytes and kind, the site, and the position in program order.

    `call` tells outermost calls apart, -1 outside of all; `outside` of the places stand outside that call.  Where a key
    was made from a seed or another key, its `base`, it is what made it that is told.
    """

    key: bytes
    kind: str
    site: Site
    places: tuple[FramePlace, ...]
    outside: int
    call: int
    order: tuple[int, int, int]
    lane: tuple[int, ...] = ()
    base: bytes = b""

    @property
    def operation(self) -> str:
        """The function of `jax.random`."""
        return self.site.operation

    @property
    def lines(self) -> tuple[int, ...]:
        """The fixture's lines, the outermost first."""
        return tuple(line for _, line, _ in self.places)

    @property
    def line(self) -> int | None:
        """The fixture's innermost line."""
        return self.places[-1][1] if self.places else None


@dataclass(slots=True)
class KeyLedger:
    """Records draws while it is entered, in a session of the recorders. They can be read until it is left.

    If it `tells_makings`, it also writes down the keys that are made.
    """

    path: str
    tells_makings: bool = False
    _draws: list[Draw] = field(default_factory=list)
    _makings: list[Draw] = field(default_factory=list)
    _sites: list[Site] = field(default_factory=list)
    _tick: int = 0
    _call: int = -1
    _of_call: object = None
    _stack: ExitStack = field(default_factory=ExitStack)

    def __enter__(self) -> KeyLedger:
        """Begin to watch; raises `Unsupported` if keys cannot be watched."""
        global _open
        session = recorders.current
        assert session is not None, "a ledger is kept in a session"
        session.afresh = session.arrays = True
        self._stack.enter_context(_watching(self._met, self._made if self.tells_makings else None))
        self._stack.enter_context(compat.plain_remat())
        self._stack.callback(_reopen, _open)
        _open = self
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Forget everything: what was drawn holds on to frames."""
        self._stack.close()
        for site in self._sites:
            site.places = ()
        self._draws.clear()
        self._makings.clear()
        self._sites.clear()

    def draws(self) -> list[Draw]:
        """The draws so far, clones among them, in program order; each once."""
        import jax

        jax.effects_barrier()  # type: ignore[no-untyped-call]
        return _distinct(sorted(self._draws, key=lambda draw: draw.order))

    def makings(self) -> list[Draw]:
        """The keys made from seeds or other keys so far, in program order."""
        return _distinct(sorted(self._makings, key=lambda made: made.order))

    def _met(self, operation: str, key: Foreign) -> None:
        """A function of `jax.random` was given a key."""
        import jax

        if operation in LOOKS:
            return
        frame, number = asking()
        site = self._site(operation, frame)
        if site is not None:
            site.number = number
            _take(site, str(jax.random.key_impl(key)), jax.random.key_data(key))

    def _made(self, operation: str, key: Foreign, base: Foreign) -> None:
        """A function of `jax.random` made a key."""
        import jax

        site = self._site(operation, _caller())
        if site is not None:
            data = jax.random.key_data(key)
            data = data if base is None else jax.numpy.stack([data, jax.random.key_data(base)])
            _take(site, str(jax.random.key_impl(key)), data)

    def _site(self, operation: str, frame: FrameType) -> Site | None:
        session = recorders.current
        if session is None or session.muted or _open is not self:
            return None
        self._tick += 1
        site = site_at(operation, self.path, frame, len(session.stack), self._tick)
        self._sites += [] if site is None else [site]
        return site

    def arrived(self, site: Site, kind: str, data: Foreign, lane: tuple[Foreign, ...]) -> None:
        """Record a draw of a site with keys of these bytes."""
        import numpy as np

        session = recorders.current
        if session is None or session.muted:
            return
        call, start, places, outside = -1, site.tick, site.places, len(site.places)
        if session.outer is not None:
            if session.outer is not self._of_call:
                self._tick += 1
                self._of_call, self._call = session.outer, self._tick
            call = start = self._call
            outside = len(session.outer)
            inside = site.places[site.outside :] if site.outside else site.places[-1:]
            outer = (frame.f_lasti for frame in session.stack)
            places = (*zip(session.stack, session.outer, outer), *inside)
        values = np.asarray(data)
        rows = [row.tobytes() for row in values.reshape(-1, values.shape[-1])]
        lanes = tuple(int(index) for index in lane)
        order = start, site.tick, len(self._draws) + len(self._makings)
        if site.operation == FOLD:
            self._makings.append(Draw(rows[0], kind, site, places, outside, call, order, lanes, rows[1]))
            return
        found = self._makings if site.operation in MAKES else self._draws
        found += [Draw(row, kind, site, places, outside, call, order, lanes) for row in rows]


_WATCHERS = os.path.dirname(compat.__file__) + os.sep
_open: KeyLedger | None = None


def _reopen(before: KeyLedger | None) -> None:
    global _open
    _open = before


def asking() -> tuple[FrameType, object]:
    """The frame that calls a function of `jax.random`, from within that; and how many keys it asks a split for."""
    frame = _caller()
    if not frame.f_code.co_filename.startswith(_samplers()):
        return frame, None
    return frame.f_back or frame, frame.f_locals.get("num")


def site_at(operation: str, path: str, frame: FrameType | None, outside: int, tick: int) -> Site | None:
    """The site that the program stands at; None within a sampler that was met before."""
    places: list[FramePlace] = []
    loops: list[int] = []
    is_backward = is_loop = False
    home = _samplers()
    while frame is not None:
        code = frame.f_code
        if code.co_filename == path:
            places.append((frame, frame.f_lineno, frame.f_lasti))
            if is_loop:
                loops.append(frame.f_lineno)
            is_loop = False
        elif not places and code.co_filename.startswith(home):
            return None
        else:
            is_loop |= code.co_name in LOOPS
            is_backward |= compat.is_backward_rule(code)
        frame = frame.f_back
    return Site(operation, tuple(reversed(places)), outside, tick, tuple(loops), is_backward)


def _take(site: Site, kind: str, data: Foreign) -> None:
    """Write keys down, now or when what is being staged runs."""
    import jax

    if compat.is_tracing():
        site.is_staged = True
        jax.debug.callback(partial(_arrived, site, kind), data, *map(jax.lax.axis_index, compat.axes_in_scope()))
    else:
        _arrived(site, kind, data)


def _arrived(site: Site, kind: str, data: Foreign, *lane: Foreign) -> None:
    """Tell the ledger that is open now: what was staged may outlive its ledger in a cache."""
    if _open is not None:
        _open.arrived(site, kind, data, lane)


def _distinct(draws: list[Draw]) -> list[Draw]:
    """Without repetitions: of one draw by the devices of a mesh, or of a forward draw by a backward function."""
    found: list[Draw] = []
    counted: Counter[tuple[int, int, bytes, tuple[int, ...]]] = Counter()
    seen: set[tuple[int, int, bytes, int]] = set()
    forward = {(draw.operation, draw.key) for draw in draws if not draw.site.is_backward}
    for draw in draws:
        where = (id(draw.site), draw.call, draw.key)
        here = (*where, draw.lane)
        counted[here] += 1
        turn = (*where, counted[here])
        is_repeated = draw.site.is_backward and (draw.operation, draw.key) in forward
        if turn not in seen or not draw.lane:
            seen.add(turn)
            found += [] if is_repeated else [draw]
    return found


@contextmanager
def _watching(seen: KeyUseListener, made: KeyMadeListener | None) -> Iterator[None]:
    """Watch the one function that checks keys, or every sampler where it is gone; `clone`, and what makes keys."""
    import jax

    names = ["clone"]
    with ExitStack() as stack:
        try:
            stack.enter_context(compat.watching_keys(seen))
        except Unsupported:
            names += [name for name in dir(jax.random) if _takes_a_key(getattr(jax.random, name)) and name not in LOOKS]
        for name in names:
            stack.enter_context(_wrapped(name, partial(_before, CLONE if name == "clone" else name, seen)))
        if made is not None:
            for name in sorted(MAKES):
                stack.enter_context(_wrapped(name.rpartition(".")[2], partial(_after, name, made)))
        yield


@contextmanager
def _wrapped(name: str, around: CallAround) -> Iterator[None]:
    import jax

    real = getattr(jax.random, name)

    @functools.wraps(real)
    def function(*arguments: Foreign, **keywords: Foreign) -> Foreign:
        return around(real, arguments, keywords)

    with changed(jax.random, **{name: function}):
        yield


def _before(
    operation: str, seen: KeyUseListener, real: Foreign, arguments: tuple[Foreign, ...], keywords: dict[str, Foreign]
) -> Foreign:
    seen(operation, arguments[0] if arguments else keywords.get("key"))
    return real(*arguments, **keywords)


def _after(
    operation: str, made: KeyMadeListener, real: Foreign, arguments: tuple[Foreign, ...], keywords: dict[str, Foreign]
) -> Foreign:
    key = real(*arguments, **keywords)
    base = arguments[0] if arguments else keywords.get("key")
    made(operation, key, base if operation == FOLD else None)
    return key


def _caller() -> FrameType:
    """The frame that called into what watches."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_WATCHERS):
        frame = frame.f_back
    return frame


def _takes_a_key(function: Foreign) -> bool:
    try:
        return next(iter(inspect.signature(function).parameters), "") == "key"
    except (TypeError, ValueError):
        return False


@cache
def _samplers() -> str:
    """Where the code of `jax.random` is: a file, or a folder."""
    import jax

    file = sys.modules[jax.random.normal.__module__].__file__ or ""
    folder, name = os.path.split(file)
    return folder + os.sep if name == "core.py" else file
