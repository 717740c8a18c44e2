"""Which earlier uses of keys concern a further one: those of the same keys, or of arrays that share some."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from flake8_jax.domain.constants import OPEN, NotConstant
from flake8_jax.domain.key_parts import (
    KeyHolding,
    KeyMix,
    KeyPart,
    Position,
    Positions,
    Turn,
    have_common_position,
    held_by,
)
from flake8_jax.domain.kinds import INPUT
from flake8_jax.domain.payload import EVERY, Copies, ItemIndex
from flake8_jax.domain.resources import Iterations, Used
from flake8_jax.domain.staging import Input
from flake8_jax.domain.state import State
from flake8_jax.domain.value import Value

MAXIMUM_RELATED = 24
"""With how many keys one is compared that may be the same or derived alike."""

UNCOMPARED = "keys beyond the bound of comparisons"
"""Why it is not known whether two keys are the same or derived alike."""

HOLDING = (KeyPart, KeyMix, Copies)
"""The payloads of what holds keys that were made elsewhere."""


def earlier_uses_of(
    state: State, value: Value, iterations: Iterations, given_up: dict[str, int] | None = None
) -> dict[Used, bool]:
    """The earlier uses of keys that a value holds, and whether they are certainly these.

    Where it is counted what is `given_up`, only the latest keys are looked at that may share some, up to a bound.
    """
    found = dict.fromkeys(state.used.get(value), True)
    if not state.used or (len(state.used) == 1 and found):
        return found
    mine = [holding for holding in held_by(value) if holding[2] != "path"]
    chosen = {source.made_by for source, _, how in mine if how != "all" and isinstance(source, Value)}
    sought = [mark for source, positions, _ in mine for mark in _sought(source, positions)]
    others = state.used.having(places_held, sought, None if given_up is None else -MAXIMUM_RELATED - 1)
    if given_up is not None and len(others) > MAXIMUM_RELATED:
        given_up[UNCOMPARED] += 1
        del others[0]
    for other, uses in others:
        if other is value:
            continue
        uses = tuple(use for use in uses if use.op not in chosen)  # a key, or what was split off it: either is used
        is_read = value.kind is INPUT and other.kind is INPUT  # the same place may hold something else since then
        for holding in held_by(other):
            for each in mine:
                if (
                    holding[0] is each[0]
                    and have_common_position(holding[1], each[1])
                    and not (is_read and holding[1] == each[1])
                ):
                    _note(found, uses, state, iterations, holding, each)
    return found


def places_held(value: Value) -> Iterator[Hashable]:
    """Where the keys of a value stand: what they were taken from alone, and with the first position, if that is one."""
    for source, positions, _ in held_by(value):
        yield source
        yield source, _known(positions)


def _sought(source: Value | Input, positions: Positions) -> Iterator[Hashable]:
    """The places to look under for uses of the same keys: for one position this one alone, and all ranges."""
    place = _known(positions)
    if place is OPEN:
        yield source
    else:
        yield source, place
        yield source, OPEN


def _known(positions: Positions) -> int | str | Value | NotConstant:
    """The first position, if it is one that is known to be itself."""
    return positions[0] if positions and isinstance(positions[0], (int, str, Value)) else OPEN


def _note(
    found: dict[Used, bool],
    uses: tuple[Used, ...],
    state: State,
    iterations: Iterations,
    earlier: KeyHolding,
    now: KeyHolding,
) -> None:
    """Add uses; they are not certain where it depends on the path which key it is, or whether each has its turn."""
    is_one = earlier[2] == now[2] == "all"
    turns = [[position for position in held[1] if isinstance(position, Turn)] for held in (earlier, now)]
    is_chosen = earlier[2] == "path"
    for use in uses:
        if is_chosen and not set(state.path) <= set(use.path):
            continue  # the test that chose the key may be the one that leads here
        if any(_is_another_turn(turn, use, iterations) for turn in (*turns[0], *turns[1])):
            continue
        is_reached = (not turns[0] or set(use.path) <= set(state.path)) and (
            not turns[1] or set(state.path) <= set(use.path)
        )
        found[use] = found.get(use, False) or (is_one and is_reached)


def _is_another_turn(turn: Turn, use: Used, iterations: Iterations) -> bool:
    """Was a key used in another iteration of the loop that takes each in turn?"""
    around = {loop for loop, _ in turn.around}
    now = dict(iterations)
    return any(now.get(loop, iteration) != iteration and loop not in around for loop, iteration in use.iterations)


def targets(value: Value) -> Iterator[Input | Value]:
    """What callers may know of the keys that a value holds."""
    if not isinstance(value.payload, HOLDING):
        yield value
        return
    for source, positions, _ in held_by(value):
        known = source if isinstance(source, Input) else source.input or _only_input(source)
        if known is not None:
            for position in positions:
                known = known.part(("[]", _index(position)))
            yield known
        elif not isinstance(source, Input):
            yield source if not positions else Value(value.kind, value.dependences, KeyPart(source, positions))


def _only_input(value: Value) -> Input | None:
    found = next(iter(value.dependences), None) if len(value.dependences) == 1 else None
    return found if isinstance(found, Input) else None


def _index(position: Position) -> ItemIndex:
    if isinstance(position, (int, str)):
        return position
    return EVERY if isinstance(position, Turn) else OPEN
