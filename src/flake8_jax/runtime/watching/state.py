"""Watches the state around a function: the objects reachable from a module, a closure or an argument.

    LOG = []
    def f(x):
        LOG.append(x)          a watch that begins at LOG's module sees StateChange("LOG[0]", values=(x,))
        local = [x]            and this never: nothing outside reaches it

A watch holds every object that it has seen, with its content then; `changes` compares and takes over what is new.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.watching.contents import Content, ContentKind, kind_of

MOST = 20_000


@dataclass(frozen=True, slots=True)
class Home:
    """The fixture's module, whose objects are inspected: its name and its file."""

    name: str
    path: str

    def kind_of(self, thing: Foreign) -> ContentKind | None:
        """How to read an object; None for a leaf."""
        return kind_of(thing, self.name, self.path)


@dataclass(slots=True)
class WatchedObject:
    """A watched object: its access path, and its content when it was seen."""

    thing: Foreign
    text: str
    kind: ContentKind
    content: Content


@dataclass(frozen=True, slots=True)
class StateChange:
    """An object whose content has changed: the first differing part, and the new values."""

    kind: str
    text: str
    thing: Foreign
    values: tuple[Foreign, ...]
    is_foreign: bool


@dataclass(slots=True)
class Watch:
    """A set of watched objects; those of `others` are left to them."""

    home: Home
    others: Collection[Watch] = ()
    seen: dict[int, WatchedObject] = field(default_factory=dict)

    def add(self, thing: Foreign, text: str) -> None:
        """Watch an object and everything reachable from it."""
        waiting = deque([(thing, text)])
        while waiting and len(self.seen) < MOST:
            thing, text = waiting.popleft()
            if any(id(thing) in watch.seen for watch in (self, *self.others)):
                continue
            kind = self.home.kind_of(thing)
            content = kind.read(thing) if kind else None
            if kind and content:
                self.seen[id(thing)] = WatchedObject(thing, text, kind, content)
                waiting += parts(kind, content, text)

    def changes(self, *, of_iterators: bool = True) -> list[StateChange]:
        """The changes since the last call; iterators may be left for the next one."""
        found = []
        for each in list(self.seen.values()):
            now = each.kind.read(each.thing) if of_iterators or each.kind.name != "iterator" else None
            if now and not now.is_same(each.content):
                found.append(_change(each, now))
                each.content = now
                for thing, text in parts(each.kind, now, each.text):
                    self.add(thing, text)
        return found


def parts(kind: ContentKind, content: Content, text: str) -> list[tuple[Foreign, str]]:
    """The objects that an object contains, each with its access path."""
    labels = content.labels or ("",) * len(content.values)
    return [(value, text + kind.label.format(label)) for label, value in zip(labels, content.values)]


def _change(seen: WatchedObject, now: Content) -> StateChange:
    before = dict(zip(map(id, seen.content.labels), seen.content.values))
    came = [
        (value, text)
        for label, (value, text) in zip(now.labels or now.values, parts(seen.kind, now, seen.text))
        if id(label) not in before or before[id(label)] is not value
    ]
    return StateChange(
        seen.kind.name,
        came[0][1] if came else seen.text,
        seen.thing,
        tuple(value for value, _ in came),
        seen.kind.is_foreign,
    )


def find(
    home: Home, roots: Iterable[tuple[Foreign, str]], wanted: Callable[[Foreign], bool]
) -> Iterator[tuple[Foreign, str, Foreign]]:
    """Each wanted object reachable from the roots, its access path, and the object that contains it."""
    waiting = deque((thing, text, None) for thing, text in roots)
    passed: dict[int, Foreign] = {}
    while waiting and len(passed) < MOST:
        thing, text, holder = waiting.popleft()
        if wanted(thing):
            yield thing, text, holder
        elif id(thing) not in passed:
            passed[id(thing)] = thing
            kind = home.kind_of(thing)
            content = kind.read(thing) if kind else None
            if kind and content:
                waiting += [(part, way, thing) for part, way in parts(kind, content, text)]


@contextmanager
def kept(home: Home, roots: Iterable[tuple[Foreign, str]]) -> Iterator[None]:
    """Undo the block's changes of what is reachable from the roots, as far as possible.

    Meanwhile a copy stands for every NumPy array, as JAX may go on with what it knows of an array that has changed.
    """
    watch = Watch(home)
    for thing, text in roots:
        watch.add(thing, text)
    before = list(watch.seen.values())
    try:
        _put_copies(before)
        yield
    finally:
        for each in before:
            now = each.kind.read(each.thing) if each.kind.restore else None
            if each.kind.restore and now and not now.is_same(each.content):
                each.kind.restore(each.thing, each.content)


def _put_copies(holders: Iterable[WatchedObject]) -> None:
    """Put copies of NumPy arrays in their place, the same one everywhere."""
    import numpy as np

    copies: dict[int, Foreign] = {}
    for each in holders:
        content, restore = each.content, each.kind.restore
        if restore and any(type(value) is np.ndarray for value in content.values):
            values = tuple(
                copies.setdefault(id(value), value.copy()) if type(value) is np.ndarray else value
                for value in content.values
            )
            restore(each.thing, Content(content.labels, values, content.token))
