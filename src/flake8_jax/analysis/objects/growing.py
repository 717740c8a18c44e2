"""Lists and dicts that code fills bit by bit: what each of their elements is, wherever it stands.

layers = []
for width in widths:
    layers.append(Dense(width))     each element is a `Dense`
for layer in layers: x = layer(x)   so `layer` is one
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

from flake8_jax.analysis.frame import Frame
from flake8_jax.domain.conditions import ALWAYS
from flake8_jax.domain.constants import OPEN
from flake8_jax.domain.folding import with_parts
from flake8_jax.domain.kinds import (
    ARRAY,
    COMPUTED,
    DISPLAYED,
    FOLLOWED_FROM_COMPREHENSIONS,
    FOLLOWED_FROM_LISTS,
    INPUT,
    LIST,
    LISTS_AND_DICTS,
    NUMPY,
    STATIC,
    TUPLE,
)
from flake8_jax.domain.payload import EMPTY, Alternatives, Each, Elements, Entries
from flake8_jax.domain.state import GROWN, VERSION
from flake8_jax.domain.value import Value, join, one_of, unknown

MAXIMUM_DEPTH = 4
MAXIMUM_HELD = 3
FOLLOWED_IN_ELEMENTS = frozenset((ARRAY, COMPUTED, NUMPY, STATIC))


def grown_by(frame: Frame, base: Value, added: Iterable[Value]) -> Value | None:
    """What each element of a list or dict is once these are added; None if that is not known."""
    now = frame.live().contents(base).payload
    if type(now) is Each:
        earlier: tuple[Value, ...] = (now.like,)
    elif now == EMPTY or (isinstance(now, (Elements, Entries)) and now.held()):
        earlier = tuple(now.held())
    elif type(now) is Entries:
        earlier = ()
    else:
        return None
    parts = (*earlier, *added)
    like = reduce(join, parts) if parts else None
    if like is not None and like.kind is TUPLE:
        return followed(like)
    if like is not None and like.kind is INPUT:  # an array or what may be one, none as itself
        return Value(INPUT, like.dependences, None, like.made_by)
    return like if like is not None and _is_followed(like) else None


def grow(frame: Frame, base: Value, like: Value | None) -> None:
    """Note what each element is of a list or dict whose places are not known any more."""
    if like is not None:
        frame.live().set_part(base, GROWN, like)


def grown_element(frame: Frame, base: Value) -> Value | None:
    """What each element is of a list or dict that was filled bit by bit, wherever that was."""
    if type(base.payload) is Each:
        return in_turn(base.payload.like)
    for around in frame.outwards():
        held = around.state.heap.get((base, GROWN)) if around.state is not None and around.state.heap else None
        if held is not None:
            return in_turn(held)
    return None


def in_turn(like: Value) -> Value:
    """One of several callables of which a loop takes each in turn."""
    ways = like.payload
    if type(ways) is not Alternatives:
        return like
    return one_of(ways.values, [ALWAYS] * len(ways.values)) or like


def as_grown(frame: Frame, value: Value, depth: int = 0) -> Value:
    """A list or dict with the common value of its elements, for code that receives it, also as a part of a tuple.

    After an unknown value was added, nothing is known of its elements.
    """
    state = frame.state
    if state is None or not state.heap:
        return value
    if value.kind is TUPLE and value.elements and depth < MAXIMUM_DEPTH:
        parts = tuple(as_grown(frame, part, depth + 1) for part in value.elements)
        if all(now is then for now, then in zip(parts, value.elements, strict=True)):
            return value
        return Value(TUPLE, value.dependences, Elements(parts, value.form), value.made_by)
    if value.kind not in LISTS_AND_DICTS or (value.kind is LIST and (value, VERSION) not in state.heap):
        return value
    now = state.contents(value)
    if now.payload is not None and all(map(_is_followed, now.parts)):
        return now
    return Value(value.kind, value.dependences, None, value.made_by) if (value, VERSION) in state.heap else value


def followed(part: Value, depth: int = 0) -> Value | None:
    """What is followed of an element of a comprehension or a list, of which each is alike; None for what is not.

    Of a dict or tuple that is arrays and what the host has there: a key is another one in each, and most numbers are.
    Of a list or tuple of which nothing is known it is that alone.
    """
    held = part.payload
    if (part.kind is LIST or part.kind is TUPLE) and (held is None or type(held) is Each):
        is_followed = held is not None and held.like.kind in FOLLOWED_IN_ELEMENTS
        return Value(part.kind, part.dependences, held if is_followed else None, part.made_by)
    if part.kind not in DISPLAYED:
        is_followed = part.kind in FOLLOWED_IN_ELEMENTS if depth else part.kind in FOLLOWED_FROM_COMPREHENSIONS
        return part if is_followed or (depth and part.constant is not OPEN) else None
    if depth >= MAXIMUM_HELD or not isinstance(held, (Elements, Entries)) or not held.held():
        return None

    def inside(one: Value) -> Value:
        return followed(one, depth + 1) or unknown("another one in each element", one.made_by)

    return Value(part.kind, part.dependences, with_parts(held, inside), part.made_by)


def _is_followed(like: Value) -> bool:
    return like.kind in FOLLOWED_FROM_LISTS or type(like.payload) is Alternatives
