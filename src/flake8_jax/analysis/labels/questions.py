"""Questions about results: are those of two draws both read as values?

params = model.init(key, normal(key, (1, 8)))       the second draw gives a shape only: harmless
a, b = normal(key), uniform(key)                    both are returned: the reuse matters
return jnp.where(c, a, b)                           one at a time: harmless

Each is a look at the labels of one body; of a draw in a callee at those of the callee's body, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from flake8_jax.analysis.labels.asking import detailed, labels_asked
from flake8_jax.analysis.labels.bodies import (
    PLAIN,
    BodyLabels,
    CallLabel,
    LabelRead,
    OwnResult,
    PassDetails,
    Reads,
    joined,
    reads_of,
)
from flake8_jax.analysis.labels.callees import Code, flag_of
from flake8_jax.analysis.labels.calls import SOMEWHERE, callee_of
from flake8_jax.analysis.labels.flows import SEED, SHOWN, TURNS, Arms, Child, are_apart, state_after, with_labels
from flake8_jax.analysis.labels.statements import runs_as_script
from flake8_jax.analysis.labels.tables import KEPT_INSIDE, SPLIT
from flake8_jax.domain.constants import NotConstant
from flake8_jax.domain.resources import DrawSite
from flake8_jax.ir import ops
from flake8_jax.ir.chains import bindings_of, chains_of
from flake8_jax.ir.scope import Binding
from flake8_jax.lazy_dataclasses import dataclass, replace
from flake8_jax.syntax.policies import PLACEHOLDER_NAME

ANY_CHILD: frozenset[Child] = frozenset(("each", None))
MAXIMUM_DEPTH = 6
NO_READS: Reads = {}
NO_ARMS: Arms = frozenset()


@dataclass(frozen=True, slots=True)
class Readings:
    """How the results of two draws are read: both as values, and the first by the second."""

    are_both: bool
    is_chained: bool = False


class ReadAs(NamedTuple):
    """The reads of the labels of a draw in a body; or are its results certainly read?

    Of a draw in a callee whose result is handed on in an unknown manner, `children` are those that it was made of.
    `arms` are the arms of choices in which the draw stands.  What reads them certainly may only start generators, which
    `seeds` says.
    """

    reads: Reads
    is_certain: bool
    children: frozenset[Child] = frozenset()
    arms: Arms = frozenset()
    seeds: bool = False

    def children_in(self, body: BodyLabels, labels: int, read: LabelRead) -> frozenset[Child]:
        """Of which children of splits some of its labels are that are read like this; empty where none is."""
        found = body.children(labels, read)
        return self.children if found and self.children else found

    def together(self, other: ReadAs) -> ReadAs:
        """The reads that a run can make in which another draw is made, too."""
        if not other.arms:
            return self
        mine = self.reads.items()
        return self._replace(reads={read: held for read, held in mine if not are_apart(read.arms, other.arms)})


def labels_at(draw: DrawSite) -> BodyLabels:
    """The labels of the body that a draw stands in."""
    assert isinstance(draw.code, Code)
    return labels_asked(draw.code)


def inner_of(draw: DrawSite) -> Iterator[DrawSite]:
    """The draws of the callee, in its code as this call runs it: with the flags that it is passed."""
    given, around = dict(_flags_passed(draw)) if draw.inner else {}, draw.code
    for inner in draw.inner:
        code = inner.code
        assert isinstance(code, Code)
        assert isinstance(around, Code)
        is_callee = given.keys() <= {parameter.name for parameter in code.function.parameters}
        flagged = code.flagged(given) if given and is_callee else code
        if around.flags and code.around.function is around.function:
            flagged = replace(flagged, flags=flagged.flags | around.flags)
        yield inner if flagged is code else replace(inner, code=flagged)


def _flags_passed(draw: DrawSite) -> Iterator[tuple[str, bool]]:
    """The arguments of a call that are flags, by themselves or as flags of the code that it stands in."""
    code = draw.code
    assert isinstance(code, Code)
    for name, value in draw.arguments:
        source = value.input
        flag = None if isinstance(value.constant, NotConstant) else flag_of(value.constant)
        if flag is not None:
            yield name, flag
        elif source is not None and source.parent is None:
            yield from ((name, flag) for binding, flag in code.flags if binding.name == source.name)


def readings(first: DrawSite, second: DrawSite) -> Readings:
    """Are results of both draws read, other than as two arms of one choice?"""
    if first.op is second.op and first.inner == second.inner:
        return Readings(is_read(first))
    if first.inner and second.inner and _have_other_children(first, second):
        return Readings(False)
    body, other = labels_at(first), labels_at(second)
    is_chained = body is other and bool(body.fed.get(second.op, 0) & _labels_of(body, first))
    return Readings(_are_both(body, _used(first), other, _used(second)), is_chained)


def readings_of_iterations(draw: DrawSite, loop: ops.Op) -> Readings:
    """How the results of a draw in two iterations of a loop are read, not only the last."""
    body = labels_at(draw)
    before, later = _in_iteration(body, draw, loop, False), _in_iteration(body, draw, loop, True)
    is_chained = bool(body.fed.get(draw.op, 0) & before)
    if body.is_beyond or draw.op not in body.calls or _is_read_inside(draw):
        return Readings(True, is_chained)
    first = _turned(_reads(body, draw, before), loop)
    if type(loop) is not ops.Loop:
        return Readings(_is_any(body, first))
    second = _turned(_reads(body, draw, later), loop)
    return Readings(_are_both(body, ReadAs(first, False), body, ReadAs(second, False)), is_chained)


def can_meet(first: DrawSite, second: DrawSite) -> bool:
    """Can results of two draws of one body reach the same value, call or return value?"""
    if labels_at(first) is not labels_at(second) or first.op is second.op or labels_at(first).is_beyond:
        return True
    body, details = _detailed(first)
    mine, theirs = _labels_of(body, first), _labels_of(body, second)
    for flow in chain((body.returned,), details.met_with(mine, theirs)):
        ones = [placement.arms for placement, labels in flow.items() if labels & mine]
        others = [placement.arms for placement, labels in flow.items() if labels & theirs] if ones else []
        if any(not are_apart(one, other) for one in ones for other in others):
            return True
    return False


def is_read(draw: DrawSite, is_finished: bool = False) -> bool:
    """Is the result of a draw read, as a value or as a key?  Code `is_finished` if it would read what it binds."""
    used = _used(draw, is_finished)
    return used.is_certain or _is_any(labels_at(draw), used.reads)


def is_only_shown(draw: DrawSite, is_closed: bool = False) -> bool:
    """Is what comes of a draw printed, drawn or logged, and read by nothing else?

    Of code that `is_closed` nobody else reads what it binds.
    """
    found = [*_are_shown(draw, is_closed or _is_of_script(draw))]
    return bool(found) and all(found)


def _is_of_script(draw: DrawSite) -> bool:
    """Does a draw stand in the code of a module that is run as a script only?"""
    way = chains_of(draw.code.function).way_to(draw.op)
    return draw.code.function.kind == "module" and bool(way) and runs_as_script(way[0])


def _are_shown(draw: DrawSite, is_closed: bool | None = None, depth: int = 0) -> Iterator[bool]:
    """Does what reads the results of a draw only show them: each of the reads in its body, which says whether it
    `is_closed`, and in those of its callees?

    What a callee returns is read by the body of its call.
    """
    body = labels_at(draw)
    is_known = draw.op in body.calls and not (body.is_beyond or body.function.is_generator)
    if not is_known or draw.has_effects or draw.by in KEPT_INSIDE or depth > MAXIMUM_DEPTH:
        yield False
        return
    labels = _labels_of(body, draw, depth)
    reads = with_labels(body.reads, labels) if is_closed is None else _reads(body, draw, labels, is_closed, True)
    for read, held in reads.items():
        if any(state_after(kind, read.trail) is not None for kind in body.kinds_of(held)):
            yield SHOWN in read.trail
    for inner in inner_of(draw):
        yield from _are_shown(inner, depth=depth + 1)


def stores_of_data(draw: DrawSite) -> Iterator[ops.Store]:
    """The statements that bind what is computed of a draw to something, other than as a key."""
    body, details = _detailed(draw)
    for statement, flow in details.stored_of(_labels_of(body, draw)):
        if _is_any(body, reads_of(flow, NO_ARMS), is_value=True):
            yield statement


def is_value_read(draw: DrawSite) -> bool:
    """Is a key compared or computed with here, itself or what is drawn from it?"""
    used = _used(draw, is_closed=True)
    return used.is_certain or _is_any(labels_at(draw), used.reads, is_value=True)


def is_unread(draw: DrawSite) -> bool:
    """Is the result of a draw bound to names that nothing looks up?"""
    loaded = chains_of(draw.code.function).loaded
    names = _bound_to(draw)
    if not names or any(name in loaded for name in names):
        return False
    return draw.op in labels_at(draw).bound and not is_read(draw, is_finished=True)


def is_read_after(draw: DrawSite, cut: ops.Op, loop: ops.Op | None) -> bool:
    """Is the result of a draw read after the statement of another op, `cut`?

    With a `loop`, that is the statement in its next iteration.
    """
    body, details = _detailed(draw)
    ended = details.ended.get(cut.anchor)
    if ended is None or body.is_beyond:
        return False
    labels = _labels_of(body, draw) if loop is None else _in_iteration(body, draw, loop, False)
    late = [one.labels for one in details.log[ended:] if loop is None or (TURNS, loop) not in dict(one.read.arms)]
    is_returned = any(held & labels for held in body.returned.values())
    return is_returned or any(held & labels for held in late)


def _detailed(draw: DrawSite) -> tuple[BodyLabels, PassDetails]:
    assert isinstance(draw.code, Code)
    body = detailed(draw.code)
    assert body.details is not None
    return body, body.details


def children_read(draw: DrawSite) -> frozenset[Child]:
    """Which keys of the splits of a draw are drawn from: by index, "each", or None for some."""
    body, used = labels_at(draw), _used(draw, is_closed=True)
    found = _children(body, used.reads)
    if draw.inner and is_read(draw):
        found = found.union(*(_children_within(inner, 1) for inner in inner_of(draw)))
    return found


def _children_within(draw: DrawSite, depth: int) -> frozenset[Child]:
    """Which keys of its splits a callee draws from."""
    if draw.inner:
        found = [_children_within(inner, depth + 1) for inner in inner_of(draw)] if depth < MAXIMUM_DEPTH else []
        return frozenset[Child]().union(*found)
    if draw.by != SPLIT:
        return frozenset()
    body = labels_at(draw)
    return _children(body, _reads(body, draw, _labels_of(body, draw), is_closed=True))


def _children(body: BodyLabels, reads: Reads) -> frozenset[Child]:
    found: set[Child] = set()
    for read, held in reads.items():
        for kind in body.kinds_of(held):
            one = state_after(kind, read.trail)
            if one is not None and not one.is_other:
                found.add("each" if one.child == "all" else one.child)
    return frozenset(found)


def _used(draw: DrawSite, is_finished: bool = False, is_closed: bool = False) -> ReadAs:
    """How the results of a draw are read in its body; for certain, if its callee or an object keeps them.

    Nobody else reads what is bound there, if it `is_closed`.
    """
    body = labels_at(draw)
    if body.is_beyond or draw.op not in body.calls:
        return ReadAs(NO_READS, True)
    if draw.inner and _is_example(draw):
        return ReadAs(NO_READS, False)
    reads = _reads(body, draw, _labels_of(body, draw), is_closed, is_finished)
    arms = body.arms.get(draw.op, NO_ARMS)
    is_certain = _is_read_inside(draw)
    return ReadAs(reads, is_certain, _children_of(draw), arms, is_certain and _only_seeds(draw))


def _reads(
    body: BodyLabels, draw: DrawSite, labels: int, is_closed: bool = False, is_finished: bool = False
) -> Reads:  # fmt: skip
    """How some labels of a draw are read."""
    reads = body.reads_with(labels, is_closed)
    if is_finished or draw.op not in body.unused:
        return reads
    return joined([reads, with_labels(body.unused[draw.op], labels)])


def _turned(reads: Reads, loop: ops.Op) -> Reads:
    """The reads without those of results that only the first iteration of a loop leaves behind."""
    return {read: labels for read, labels in reads.items() if ((TURNS, loop), 1) not in read.arms}


def _is_any(body: BodyLabels, reads: Reads, is_value: bool = False) -> bool:
    for read, held in reads.items():
        for kind in body.kinds_of(held):
            one = state_after(kind, read.trail)
            if one is not None and not (is_value and one.is_other):
                return True
    return False


def _are_both(body: BodyLabels, first: ReadAs, other: BodyLabels, second: ReadAs) -> bool:
    """Are results of both draws read on one path, and of the same child if both are splits?"""
    if are_apart(first.arms, second.arms):
        return False
    first, second = first.together(second), second.together(first)
    if first.is_certain or second.is_certain:
        return not _manners(body, first).isdisjoint(_manners(other, second))
    for read, held in first.reads.items():
        children = first.children_in(body, held, read)
        for late, others in second.reads.items() if children else ():
            if are_apart(read.arms, late.arms):
                continue
            if read.mask is not None and late.mask is not None and read.mask.excludes(late.mask):
                continue
            if (SEED in read.trail) is not (SEED in late.trail):
                continue
            found = second.children_in(other, others, late)
            if found and (children & found or not (children | found).isdisjoint(ANY_CHILD)):
                return True
    return False


def _manners(body: BodyLabels, used: ReadAs) -> set[bool]:
    """In which manners results are read: as numbers that generators start from (True), in any other manner (False)."""
    found = {SEED in read.trail for read, held in used.reads.items() if _is_any(body, {read: held})}
    return found | {used.seeds} if used.is_certain else found


def _have_other_children(first: DrawSite, second: DrawSite) -> bool:
    """Do two callees only split the key, and draw from keys of other indices?"""
    if not (_splits(first) and _splits(second)):
        return False
    one, other = (_children_within(draw, 0) for draw in (first, second))
    return bool(one and other) and not (one | other) & ANY_CHILD and one.isdisjoint(other)


def _splits(draw: DrawSite) -> bool:
    return all(_splits(inner) for inner in draw.inner) if draw.inner else draw.by == SPLIT


def _labels_of(body: BodyLabels, draw: DrawSite, depth: int = 0) -> int:
    """The labels of a draw in its body."""
    return _united(_calls_of(body, draw, depth))


def _in_iteration(body: BodyLabels, draw: DrawSite, loop: ops.Op, is_later: bool) -> int:
    """The labels of a draw in the first iteration of a loop, or in a later one."""
    return _united(call for call in _calls_of(body, draw, 0) if (loop in call.turned) is is_later)


def _united(calls: Iterable[CallLabel]) -> int:
    found = 0
    for call in calls:
        found |= call.label
    return found


def _calls_of(body: BodyLabels, draw: DrawSite, depth: int) -> list[CallLabel]:
    """The labels of a call that stand for a draw: of one in a callee those as what the callee returns it."""
    calls = body.calls.get(draw.op, [])
    if not draw.inner:
        own = calls[0].made if calls else PLAIN
        return [call for call in calls if call.made == own]
    made: set[OwnResult] = set()
    known = {call.made for call in calls}
    for inner in inner_of(draw) if depth < MAXIMUM_DEPTH else ():
        callee = labels_at(inner)
        returned = callee.made_of(_labels_of(callee, inner, depth + 1))
        is_direct = returned <= known or _is_direct(draw, inner)
        made |= returned if is_direct else {_somewhere(one) for one in returned}
    return [call for call in calls if call.made in made or (call.made == PLAIN and not made <= known)]


def _somewhere(own: OwnResult) -> OwnResult:
    """The labels of a result that was passed on in an unknown manner."""
    state = state_after(own.kind, own.placement.trail)
    is_key = state is not None and state.is_key
    return PLAIN if not is_key else SOMEWHERE[2 if own.kind == "split" else 1]


def _children_of(draw: DrawSite) -> frozenset[Child]:
    """Of which children of splits data is that callees return, where nothing more is known of how it lies there."""
    found: set[Child] = set()
    for inner in inner_of(draw):
        callee = labels_at(inner)
        for one in callee.made_of(_labels_of(callee, inner, 1)):
            state = state_after(one.kind, one.placement.trail)
            if state is None or state.is_key or type(state.child) is not int or _is_direct(draw, inner):
                return frozenset()
            found.add(state.child)
    return frozenset(found)


def _is_read_inside(draw: DrawSite, depth: int = 0) -> bool:
    """Do its callees read the results of a draw, or does an object keep them?"""
    if not draw.inner:
        return draw.has_effects or draw.by in KEPT_INSIDE
    return depth >= MAXIMUM_DEPTH or any(_is_read_by(inner, depth + 1) for inner in inner_of(draw))


def _is_read_by(draw: DrawSite, depth: int) -> bool:
    """Does a callee read the results of a draw in its body?"""
    if _is_read_inside(draw, depth):
        return True
    body = labels_at(draw)
    if body.is_beyond or draw.op not in body.calls or body.function.is_generator:
        return True
    labels = _labels_of(body, draw, depth)
    reads = with_labels(body.reads, labels)
    return _is_any(body, joined([reads, with_labels(body.unused.get(draw.op, NO_READS), labels)]))


def _only_seeds(draw: DrawSite, depth: int = 0) -> bool:
    """Do callees that read the results of a draw only start generators from them?"""
    if not draw.inner or depth >= MAXIMUM_DEPTH:
        return False
    found = [_seeds_in(inner, depth + 1) for inner in inner_of(draw) if _is_read_by(inner, depth + 1)]
    return all(found)


def _seeds_in(draw: DrawSite, depth: int) -> bool:
    body = labels_at(draw)
    if body.is_beyond or draw.op not in body.calls or body.function.is_generator:
        return False
    if _is_read_inside(draw, depth) and not _only_seeds(draw, depth):
        return False
    reads = with_labels(body.reads, _labels_of(body, draw, depth))
    return all(SEED in read.trail for read, held in reads.items() if _is_any(body, {read: held}))


def _is_example(draw: DrawSite) -> bool:
    """Is what a call gives bound to names that say that it is asked for its shape only?"""
    names = [name.name for name in _bound_to(draw) if name.name.strip("_")]
    return bool(names) and all(map(PLACEHOLDER_NAME.search, names))


def _bound_to(draw: DrawSite) -> list[Binding]:
    """The names that a statement binds to the result of a draw, and to nothing else."""
    way = chains_of(draw.code.function).way_to(draw.op)
    statement = next((one for one in reversed(way) if type(one) is ops.Store), None)
    if statement is None or statement.value is not draw.op:
        return []
    return [name for target in statement.targets for name in bindings_of(target)]


def _is_direct(draw: DrawSite, inner: DrawSite) -> bool:
    """Is the result of the call that of the callee's body?"""
    if type(draw.op) is not ops.Call or not isinstance(draw.code, Code):
        return False
    function = callee_of(draw.code, draw.op.func)
    return function is not None and function.code.function is inner.code.function
