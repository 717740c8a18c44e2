"""Whether a result takes part in what a function returns, and where in it: followed through names and displays.

    loss = jnp.where(x > 0, jnp.log(x), 0.0).sum()
    norm = jnp.linalg.norm(x)
    return loss, {"norm": norm}         the first is at [0], the second at [1]: of that nobody takes a derivative

What is compared, shown, or kept by `stop_gradient` leads nowhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple, TypeAlias

from flake8_jax.analysis.checks.derivatives.terms import DISCRETE
from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.labels.tables import SHAPE_ATTRIBUTES, STORING
from flake8_jax.ir import ops
from flake8_jax.ir.chains import Chains, DefinitionOrPhi, chains_of
from flake8_jax.ir.ops import Op
from flake8_jax.ir.walking import path_root

LOGICAL = frozenset(("not", "~", "&", "|", "^"))


class _At(NamedTuple):
    """A read of a name, of which a part is of interest: that at an index, or all of it."""

    read: Op
    part: int | None


class _Held(NamedTuple):
    """What a name holds, of which a part is of interest: by a definition, or by a join of several."""

    definition: DefinitionOrPhi
    part: int | None
    is_held: Literal[True] = True


class _Named(NamedTuple):
    """An object that something is stored into, at each read of its name."""

    name: str


_Followed: TypeAlias = "_At | _Held | _Named"


def places_returned(frame: Frame, op: Op, part: int | None = None) -> frozenset[int | None]:
    """Where in what its function returns the result of an op lies: an index, or None for no known one."""
    chains = chains_of(frame.function)
    if not chains.holds(op):
        return frozenset((None,))
    start, known = _At(op, part), chains.places
    if start not in known:
        _settle(chains, start, frame.function.kind == "lambda")
    return known[start]


def _settle(chains: Chains, start: _At, is_lambda: bool) -> None:
    """Find the places of a result, and of all that is made of it: each once for a function."""
    known, before, found = chains.places, dict[_Followed, list[_Followed]](), dict[_Followed, set[int | None]]()
    waiting: list[_Followed] = [start]
    while waiting:
        one = waiting.pop()
        if one in found:
            continue
        found[one] = set()
        for following in _followed(chains, one, is_lambda):
            if isinstance(following, _Returned):
                found[one].add(following.place)
            elif following in known:
                found[one] |= known[following]
            else:
                before.setdefault(following, []).append(one)
                waiting.append(following)
    changed = [one for one, places in found.items() if places]
    while changed:
        one = changed.pop()
        for earlier in before.get(one, ()):
            if not found[one] <= found[earlier]:
                found[earlier] |= found[one]
                changed.append(earlier)
    known.update((one, frozenset(places)) for one, places in found.items())


class _Returned(NamedTuple):
    place: int | None


def _followed(chains: Chains, at: _Followed, is_lambda: bool) -> Iterator[_Followed | _Returned]:
    """What becomes of a result: it is returned, or bound to names, whose reads follow."""
    if isinstance(at, _Held):
        yield from (_At(read, at.part) for read in chains.reads_of(at.definition))
        yield from (_Held(join, at.part) for join in chains.joins_of(at.definition))
        return
    if isinstance(at, _Named):
        yield from (_At(read, None) for read in chains.names.get(at.name, ()) if chains.found_by(read) is not None)
        return
    way, part = chains.way_to(at.read), at.part
    for place in range(len(way) - 2, -1, -1):
        outer, inner = way[place], way[place + 1]
        match outer:
            case ops.Compare() | ops.Branch() | ops.Loop(kind="while"):
                return
            case ops.Operate(operator=sign) if sign in LOGICAL:
                return
            case ops.Choose(test=test) if test is inner:
                return
            case ops.Attr(name=name):
                if name in SHAPE_ATTRIBUTES:
                    return
            case ops.Item(base=base, index=index):
                if index is inner:
                    return
                if base is inner and part is not None:
                    if type(index) is ops.Const and type(index.value) is int and index.value not in (part, -1):
                        return
                    part = None
            case ops.Call(func=func) if func is not inner:
                name = imported_name(func).rpartition(".")[2] or (func.name if type(func) is ops.Attr else "")
                if name in DISCRETE:
                    return
                if type(func) is ops.Attr and func.name in STORING:
                    yield from _bound(chains, func, None)
                part = None
            case ops.Call():
                part = None
            case ops.Build(kind="tuple", parts=held):
                is_end = place == 0 if is_lambda else type(way[place - 1]) is ops.Leave if place else False
                part = held.index(inner) if is_end and inner in held else None
            case ops.Leave(kind="return"):
                yield _Returned(part)
                return
            case ops.Leave():
                return
            case ops.Store(targets=targets):
                for target in targets:
                    yield from _bound(chains, target, part)
                return
            case ops.Loop(target=target) if target is not None and inner is outer.source:
                yield from _bound(chains, target, None)
                return
            case ops.Suspend() | ops.With() | ops.Gather() | ops.Other():
                part = None
    if is_lambda and way:
        yield _Returned(part)


def _bound(chains: Chains, target: Op, part: int | None) -> Iterator[_Followed | _Returned]:
    """The reads of what a target binds; of a store into an object, those of the object."""
    if type(target) is ops.Unpack:
        is_plain = part is not None and not any(type(one) is ops.Star for one in target.parts)
        chosen = target.parts[part : part + 1] if is_plain and part is not None else target.parts
        for one in chosen:
            yield from _bound(chains, one, None)
    elif type(target) is ops.Star:
        yield from _bound(chains, target.value, None)
    elif type(target) is ops.Name:
        if chains.is_captured(target):
            yield _Returned(None)
        yield _Held(target, part)
    else:
        root = path_root(target)
        if root is not None:
            yield _Named(root.name)
