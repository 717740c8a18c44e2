"""What changes on each turn of a loop, as far as the source shows: counters, sizes, what grows, masks, types.

    x[:i]                                   one bound counts: another shape
    x[i : i + 4], i % 4                     bounds that move together, a number that comes round: silent
    xs = jnp.concatenate([xs, y])           grows
    seen.append(y)                          grows, if the list was there before the loop
    x[x > 0]                                as long as values say
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from flake8_jax.analysis.checks.keys.counters import affine_of, counts, is_counter_of
from flake8_jax.analysis.frame import Frame
from flake8_jax.ir import ops
from flake8_jax.ir.chains import Chains, chains_of
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.walking import within

RetraceForm: TypeAlias = Literal["number", "function", "shape", "growing", "length", "mask", "list", "types", "calls"]
"""What changes: a static number or function, a shape, a length, the types, how the arguments are passed."""

JOINING = frozenset(("append", "concatenate", "hstack", "stack", "vstack"))
MAKING = frozenset(("array", "asarray", "concatenate", "hstack", "stack", "vstack"))
SIZED = frozenset((
    "arange", "empty", "eye", "full", "identity", "linspace", "normal", "ones", "randint", "repeat", "reshape", "tile",
    "uniform", "zeros",
))  # fmt: skip
"""The functions that make arrays of a size that is among their arguments."""

VALUES = frozenset(("fill_value", "key", "maxval", "minval"))
PLAIN = frozenset((ops.Attr, ops.Build, ops.Const, ops.Name, ops.Operate))
LINEAR = frozenset(("+", "-", "*"))
STEPS = frozenset(("+", "-", "*", "/", "//", "**"))
GROWING = frozenset(("append", "extend"))
SHRINKING = frozenset(("clear", "pop", "popleft", "remove"))
DEEPEST = 3
"""Through how many names what is passed is followed."""

LEAST = 3
"""How many types on the turns of a loop, or ways of calling one function, are no matter of a single program more."""


@dataclass(frozen=True, slots=True)
class Changing:
    """What changes on each turn of a loop, and so is compiled again; `subject` is its text."""

    form: RetraceForm
    subject: str
    loop: Op


def change_of(frame: Frame, source: Op, loops: tuple[Op, ...], depth: int = 0) -> Changing | None:
    """A traced argument that has another shape or structure on each turn."""
    if depth > DEEPEST or not loops:
        return None
    chains = chains_of(frame.function)
    match source:
        case ops.Name():
            return _of_name(frame, chains, source, loops, depth)
        case ops.Item(index=index):
            return _of_item(frame, chains, source, index, loops)
        case ops.Call(func=ops.Name(name=name) | ops.Attr(name=name), args=args):
            if name in MAKING and args and (filled := _filled(chains, args[0], loops)) is not None:
                return filled
            for size, _ in sizes(source):
                if (loop := counted(frame, size, loops)) is not None:
                    return Changing("shape", phrase(source), loop)
    return None


def sizes(source: Op) -> Iterator[tuple[Op, Op]]:
    """The expressions on which the shape of an array depends, each with the other end of its slice, or itself."""
    match source:
        case ops.Call(func=ops.Name(name=name) | ops.Attr(name=name), args=args, keywords=keywords) if name in SIZED:
            given = [*args, *(one for word, one in keywords if word not in VALUES)]
            yield from ((one, one) for one in given if not _is_value(name, one, args))
        case ops.Item(index=index):
            for one in index.parts if type(index) is ops.Build and index.kind == "tuple" else (index,):
                if type(one) is ops.Build and one.kind == "slice":
                    yield one.parts[0], one.parts[1]
                    yield one.parts[1], one.parts[0]


def _is_value(name: str, size: Op, args: tuple[Op, ...]) -> bool:
    """Is an argument of a function that makes arrays what it fills them with, or a key?"""
    place = next((place for place, one in enumerate(args) if one is size), -1)
    if name in ("full", "normal", "uniform", "randint"):
        return place != (0 if name == "full" else 1)
    if name in ("linspace", "tile", "repeat"):
        return place != (2 if name == "linspace" else 1)
    return False


def _of_name(frame: Frame, chains: Chains, source: ops.Name, loops: tuple[Op, ...], depth: int) -> Changing | None:
    filled = _filled(chains, source, loops)
    if filled is not None:
        return replace(filled, form="list") if filled.form == "growing" else filled
    for target, store in chains.stored_to(source.name):
        around = next((one for one in reversed(loops) if one in chains.way_to(store)), None)
        if around is None or type(store) is not ops.Store or store.value is None or type(target) is not ops.Name:
            continue
        if store.kind != "assign":
            return None
        if not _is_alone(chains, source.name, store, around):
            return None
        if _joins(store.value, source.name):
            return Changing("growing", source.name, around)
        return change_of(frame, store.value, loops, depth + 1)
    return None


def _joins(value: Op, name: str) -> bool:
    """Does an expression join all of a name with others?  `concatenate([xs[1:], x])` keeps its length."""
    match value:
        case ops.Call(func=ops.Attr(name=joining) | ops.Name(name=joining), args=[first, *_]) if joining in JOINING:
            joined = first.parts if type(first) is ops.Build else (first,)
            return any(type(one) is ops.Name and one.name == name for one in joined)
    return False


def _is_alone(chains: Chains, name: str, store: ops.Store, loop: Op) -> bool:
    """Is a statement the only one in a loop that binds a name?"""
    others = [one for _, one in chains.stored_to(name) if one is not store]
    return all(loop not in chains.way_to(one) for one in others)


def _filled(chains: Chains, source: Op, loops: tuple[Op, ...]) -> Changing | None:
    """A list that is empty at first, and filled on each turn, or in a loop inside that ends at any time."""
    if type(source) is not ops.Name or not chains.holds(source):
        return None
    calls = [one for one in chains.called_on(source.name) if type(one.func) is ops.Attr]
    names = {one.func.name for one in calls if type(one.func) is ops.Attr}
    stores = [one for _, one in chains.stored_to(source.name)]
    if len(stores) == 1 and type(stores[0]) is ops.Store and _is_empty_dict(stores[0].value):
        return _extended(chains, source.name, stores[0], loops) if not names & SHRINKING else None
    if not names & GROWING or names & SHRINKING or not stores:
        return None
    if not all(type(one) is ops.Store and _is_empty(one.value) for one in stores):
        return None
    growing = [chains.way_to(one) for one in calls if type(one.func) is ops.Attr and one.func.name in GROWING]
    way = chains.way_to(source)
    for loop in reversed(loops):
        if any(loop in chains.way_to(one) for one in stores):
            inside = (one for other in growing if loop in other for one in other[other.index(loop) + 1 :])
            ending = next((one for one in inside if one not in way and _ends_at_any_time(one)), None)
            return Changing("length", source.name, loop) if ending is not None else None
        if any(loop in other for other in growing):
            return Changing("growing", source.name, loop)
    return None


def _extended(chains: Chains, name: str, empty: Op, loops: tuple[Op, ...]) -> Changing | None:
    """A dict that gets another entry on each turn."""
    for target, store in chains.stores:
        if type(target) is ops.Item and type(target.base) is ops.Name and target.base.name == name:
            varies = {one.name for one in within(target.index) if type(one) is ops.Name}
            for loop in reversed(loops):
                is_inside = loop in chains.way_to(store) and loop not in chains.way_to(empty)
                if is_inside and varies & {one.name for one in _targets(loop)}:
                    return Changing("growing", name, loop)
    return None


def _is_empty_dict(value: Op | None) -> bool:
    if type(value) is ops.BuildDict:
        return not value.items
    return type(value) is ops.Call and type(value.func) is ops.Name and value.func.name == "dict" and not value.keywords


def _ends_at_any_time(loop: Op) -> bool:
    """Does a loop turn while something holds that is no count, or does it leave early?"""
    if type(loop) is not ops.Loop:
        return False
    if loop.kind == "while" and type(loop.source) not in (ops.Compare, ops.Const):
        return True
    return any(type(one) is ops.Leave and one.kind == "break" for each in loop.body for one in within(each))


def _is_empty(value: Op | None) -> bool:
    if type(value) is ops.Build:
        return value.kind == "list"
    return type(value) is ops.Call and type(value.func) is ops.Name and value.func.name == "list"


def _of_item(frame: Frame, chains: Chains, source: ops.Item, index: Op, loops: tuple[Op, ...]) -> Changing | None:
    for bound, other in sizes(source):
        loop = counted(frame, bound, loops)
        if loop is not None and counted(frame, other, loops) is None:
            return Changing("shape", phrase(source), loop)
    for one in index.parts if type(index) is ops.Build and index.kind == "tuple" else (index,):
        loop = _mask_in(chains, one, loops)
        if loop is not None:
            return Changing("mask", phrase(source), loop)
    return None


def _mask_in(chains: Chains, index: Op, loops: tuple[Op, ...]) -> Op | None:
    """The innermost loop that changes a comparison of arrays, if an index is one."""
    if type(index) is ops.Operate and index.operator in ("&", "|", "~"):
        return next((found for one in index.operands if (found := _mask_in(chains, one, loops)) is not None), None)
    if type(index) is not ops.Compare:
        return None
    names = {one.name for one in within(index) if type(one) is ops.Name}
    for loop in reversed(loops):
        targets = {one.name for one in _targets(loop)}
        stored = (store for name in names for _, store in chains.stored_to(name))
        if names & targets or any(loop in chains.way_to(one) for one in stored):
            return loop
    return None


def _targets(loop: Op) -> Iterator[ops.Name]:
    found = [loop.target] if type(loop) is ops.Loop else []
    found += [clause.target for clause in loop.clauses] if type(loop) is ops.Gather else []
    for target in found:
        if target is not None:
            yield from (one for one in within(target) if type(one) is ops.Name)


def counted(frame: Frame, source: Op, loops: tuple[Op, ...]) -> Op | None:
    """The loop of which an expression is linear in the counter, or in a number that it counts up itself."""
    if not is_linear(source):
        return None
    chains = chains_of(frame.function)
    for one in within(source):
        if type(one) is not ops.Name:
            continue
        value = frame.live().names.get(one.name)
        number = affine_of(frame, value) if value is not None else None
        for loop in loops:
            if number is not None and is_counter_of(number, loop) and counts(number.number):
                return loop
            if any(_moves_on(frame, chains, each, loop) for each in chains.stored_to(one.name)):
                return loop
    return None


def _moves_on(frame: Frame, chains: Chains, stored: tuple[Op, Op], loop: Op) -> bool:
    """Does a statement in a loop compute a number anew, from the one before: `n += 1`, `rate = rate * 0.9`?"""
    target, store = stored
    if type(target) is not ops.Name or type(store) is not ops.Store or loop not in (way := chains.way_to(store)):
        return False
    if store.kind == "augment":
        return True
    is_certain = not any(type(one) is ops.Branch for one in way[way.index(loop) :])
    is_number = _starts_as_number(frame, chains, target.name, store)
    return is_certain and is_number and _is_alone(chains, target.name, store, loop) and _is_step(target, store)


def _starts_as_number(frame: Frame, chains: Chains, name: str, store: ops.Store) -> bool:
    """Is a name bound to a number that is written out, and to nothing else but what a statement computes of it?"""
    others = [one for _, one in chains.stored_to(name) if one is not store]
    if not others:
        return any(one.name == name and _is_number(one.default) for one in frame.function.parameters)
    return all(type(one) is ops.Store and _is_number(_given_to(name, one)) for one in others)


def _is_number(value: Op | None) -> bool:
    return type(value) is ops.Const and isinstance(value.value, (int, float))


def _given_to(name: str, store: ops.Store) -> Op | None:
    """What a statement binds to a name, also as one of several: `rate, n = 0.1, 0`."""
    for target in store.targets:
        if type(target) is ops.Name and target.name == name:
            return store.value
        if type(target) is ops.Unpack and type(store.value) is ops.Build:
            pairs = zip(target.parts, store.value.parts, strict=False)
            return next((value for part, value in pairs if type(part) is ops.Name and part.name == name), None)
    return None


def _is_step(target: ops.Name, store: ops.Store) -> bool:
    """Does a number go on by a constant?  `1 - x` and `-1 * x` come round."""
    match _given_to(target.name, store):
        case ops.Operate(operator=operator, operands=(ops.Name(name=name), ops.Const(value=int() | float() as by))):
            return name == target.name and operator in STEPS and by > 0 and (by != 1 or operator in ("+", "-"))
        case ops.Operate(operator=operator, operands=(ops.Const(value=int() | float() as by), ops.Name(name=name))):
            return name == target.name and operator in ("+", "*") and by > 0 and (by != 1 or operator == "+")
    return False


def is_linear(source: Op) -> bool:
    """Is an expression made of names and numbers by addition and multiplication alone?"""
    return all(
        type(one) in PLAIN and (type(one) is not ops.Operate or one.operator in LINEAR) for one in within(source)
    )


def change_in_display(source: Op, loops: tuple[Op, ...]) -> Changing | None:
    """A loop over things that are written out, of several types: each gets a program of its own."""
    for loop in loops:
        if type(loop) is not ops.Loop or type(loop.source) is not ops.Build or type(source) is not ops.Name:
            continue
        if type(loop.target) is ops.Name and loop.target.name == source.name:
            types = [_type_of(one) for one in loop.source.parts]
            if "" not in types and len({*types}) >= LEAST:
                return Changing("types", phrase(loop.source), loop)
    return None


def _type_of(op: Op) -> str:
    """The type of something that is written out, as JAX tells programs apart by it; "" where it is not seen."""
    match op:
        case ops.Const(value=value):
            return type(value).__name__ if isinstance(value, (bool, int, float, complex, type(None))) else ""
        case ops.Build(kind="list" | "tuple" as kind, parts=parts):
            inner = [_type_of(one) for one in parts]
            return f"{kind}({','.join(inner)})" if "" not in inner else ""
        case ops.BuildDict(items=items):
            keys = sorted(repr(key.value) if type(key) is ops.Const else "" for key, _ in items)
            return f"dict({','.join(keys)})" if "" not in keys else ""
        case ops.Call(func=ops.Attr(name=name) | ops.Name(name=name), args=(ops.Const(),)):
            return name if name.rstrip("0123456789") in ("float", "int", "uint", "complex", "bfloat", "bool_") else ""
    return ""
