"""What changes on each turn of a loop, as far as the source shows: counters, sizes, what grows, masks, types.

x[:i]                                   one bound counts: another shape
x[i : i + 4], i % 4                     bounds that move together, a number that comes round: silent
xs = jnp.concatenate([xs, y])           grows
seen.append(y)                          grows, if the list was there before the loop
x[x > 0]                                as long as values say
x[i : i + 64] for i in range(0, 1000, 64)   the last one is shorter
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from flake8_jax.analysis.checks.compilation.counting import counted, is_alone
from flake8_jax.analysis.checks.compilation.entries import extending_loop
from flake8_jax.analysis.checks.compilation.turns import number_of
from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.analysis.frame import Frame
from flake8_jax.domain.constants import spelled
from flake8_jax.ir import ops
from flake8_jax.ir.chains import Chains, chains_of, searched_for
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.walking import names_in, targets_of, within
from flake8_jax.lazy_dataclasses import dataclass, replace

RetraceForm: TypeAlias = Literal[
    "number", "host", "function", "shape", "growing", "length", "mask", "last", "tail", "kept", "uneven", "list",
    "keys", "types", "calls", "dtypes", "closure",
]  # fmt: skip
"""What changes: a static number, one of the host that is kept as it is, a function, a shape, a length, the last batch
(known to be shorter, the tail of data of any length, kept by a loader, or an uneven piece), the keys, the types, how
the arguments are passed, the dtypes in which they are, a function that reads what the loop binds."""

JOINING = frozenset(("append", "concatenate", "hstack", "stack", "vstack"))
MAKING = frozenset(("array", "asarray", "concatenate", "hstack", "stack", "vstack"))
SIZED = frozenset((
    "arange", "broadcast_to", "empty", "eye", "full", "identity", "linspace", "normal", "one_hot", "ones", "randint",
    "repeat", "reshape", "resize", "tile", "uniform", "zeros",
))  # fmt: skip
"""The functions that make arrays of a size that is among their arguments."""

VALUES = frozenset(("fill_value", "key", "maxval", "minval"))
GROWING = frozenset(("append", "extend"))
CLIPPING = frozenset(("max", "maximum", "min", "minimum"))
SHRINKING = frozenset(("clear", "pop", "popitem", "popleft", "remove"))
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
            return _of_item(frame, chains, source, index, loops, depth)
        case ops.Call(func=ops.Attr(base=ops.Call() as base, name=("astype" | "reshape"))):
            return change_of(frame, base, loops, depth + 1)
        case ops.Call(func=ops.Name() | ops.Attr() as func, args=args):
            if last_name(func) in MAKING and args and (filled := _filled(frame, chains, args[0], loops)) is not None:
                return filled
            for size, other in sizes(source):
                loop = counted(frame, size, loops)
                ends = clipped(chains, other) if other is not size else ()
                if loop is not None and not any(counted(frame, one, loops) for one in ends):
                    return Changing("shape", phrase(source), loop)
    return None


def sizes(source: Op) -> Iterator[tuple[Op, Op]]:
    """The expressions on which the shape of an array depends, each with the other end of its slice, or itself."""
    match source:
        case ops.Call(func=ops.Name() | ops.Attr() as func, args=args, keywords=keywords) if last_name(func) in SIZED:
            name = last_name(func)
            if name == "arange" and len(args) > 1:
                yield args[0], args[1]
                yield args[1], args[0]
                args = args[2:]
            given = [*args, *(one for word, one in keywords if word not in VALUES)]
            yield from ((argument, argument) for argument in given if not _is_value(name, argument, args))
        case ops.Item(index=index):
            for part in index.parts if type(index) is ops.Build and index.kind == "tuple" else (index,):
                if type(part) is ops.Build and part.kind == "slice":
                    yield part.parts[0], part.parts[1]
                    yield part.parts[1], part.parts[0]


def is_bound_with_own_shape(chains: Chains, name: str, loop: ops.Loop) -> bool:
    """Does a turn of a loop bind an array to a name that is as long as its element says?"""
    stores = (store for _, store in chains.stored_in(name, loop) if type(store) is ops.Store)
    return any(store.value is not None and has_own_shape(chains, store.value, loop) for store in stores)


def has_own_shape(chains: Chains, source: Op, loop: ops.Loop) -> bool:
    """Is an array as long as the element of a loop says, so that each turn has a program of its own: `x[:length]`?"""
    return _has_own_shape(chains, source, loop, _lists_of_own_shapes(chains))


def _has_own_shape(chains: Chains, source: Op, loop: ops.Loop, lists: frozenset[str], depth: int = 0) -> bool:
    if depth > DEEPEST:
        return False
    match source:
        case ops.Name(name=name) if loop.target is not None and name in names_in(loop.target):
            return loop.source is not None and not lists.isdisjoint(names_in(loop.source))
        case ops.Name():
            value = _bound_in(chains, source, loop)
            return value is not None and _has_own_shape(chains, value, loop, lists, depth + 1)
        case ops.Build(parts=parts) | ops.Operate(operands=parts):
            return any(_has_own_shape(chains, part, loop, lists, depth + 1) for part in parts)
        case ops.Call(func=ops.Name() | ops.Attr() as func, args=[first, *_]) if last_name(func) in MAKING:
            return _has_own_shape(chains, first, loop, lists, depth)
        case ops.Call(func=ops.Attr(base=base, name=("astype" | "copy"))):
            return _has_own_shape(chains, base, loop, lists, depth)
        case ops.Item(base=ops.Name(name=name), index=index) if name in lists:
            return comes_of_element(chains, index, loop)
    return any(
        comes_of_element(chains, size, loop) and (other is size or not comes_of_element(chains, other, loop))
        for size, other in sizes(source)
    )


@searched_for
def _lists_of_own_shapes(chains: Chains) -> frozenset[str]:
    """The lists that a loop fills with arrays, each as long as its element says: `xs.append(x[:length])`."""
    found = set[str]()
    for call in chains.methods:
        filled = call.func.base if type(call.func) is ops.Attr and call.func.name == "append" else None
        if type(filled) is ops.Name and call.args:
            around = [one for one in chains.way_to(call) if type(one) is ops.Loop]
            if around and _has_own_shape(chains, call.args[0], around[-1], frozenset()):
                found.add(filled.name)
    return frozenset(found)


def comes_of_element(chains: Chains, op: Op, loop: ops.Loop, depth: int = 0) -> bool:
    """Is something computed of the element of a loop, maybe through names?"""
    elements = frozenset(names_in(loop.target)) if loop.target is not None else frozenset()
    names = [part for part in within(op) if type(part) is ops.Name]
    if any(name.name in elements for name in names):
        return True
    values = (_bound_in(chains, name, loop) for name in names) if depth < DEEPEST else ()
    return any(value is not None and comes_of_element(chains, value, loop, depth + 1) for value in values)


def _bound_in(chains: Chains, name: ops.Name, loop: ops.Loop) -> Op | None:
    """What a statement in a loop binds to a name that is read, if it is one."""
    statement = chains.statement_binding(name)
    is_bound = type(statement) is ops.Store and statement.kind == "assign" and type(statement.targets[0]) is ops.Name
    return statement.value if type(statement) is ops.Store and is_bound and loop in chains.way_to(statement) else None


def last_name(func: ops.Name | ops.Attr) -> str:
    """How a library calls a function or method, whatever an import calls it."""
    return imported_name(func).rpartition(".")[2] or func.name


def _is_value(name: str, size: Op, args: tuple[Op, ...]) -> bool:
    """Is an argument of a function that makes arrays what it fills them with, or a key?"""
    place = next((place for place, one in enumerate(args) if one is size), -1)
    if name in ("full", "normal", "uniform", "randint"):
        return place != (0 if name == "full" else 1)
    if name in ("broadcast_to", "linspace", "one_hot", "repeat", "resize", "tile"):
        return place != (2 if name == "linspace" else 1)
    return False


def _of_name(frame: Frame, chains: Chains, source: ops.Name, loops: tuple[Op, ...], depth: int) -> Changing | None:
    filled = _filled(frame, chains, source, loops)
    if filled is not None:
        return replace(filled, form="list") if filled.form == "growing" else filled
    for target, store in chains.stored_in(source.name, loops[0]) if loops else ():
        around = next((loop for loop in reversed(loops) if loop in chains.way_to(store)), None)
        if around is None or type(store) is not ops.Store or store.value is None or type(target) is not ops.Name:
            continue
        if store.kind != "assign":
            return None
        if not is_alone(chains, source.name, store, around):
            return None
        if _joins(store.value, source.name):
            return Changing("growing", source.name, around)
        return change_of(frame, store.value, loops, depth + 1)
    return None


def _joins(value: Op, name: str) -> bool:
    """Does an expression join all of a name with others?  `concatenate([xs[1:], x])` keeps its length."""
    match value:
        case ops.Call(func=ops.Name() | ops.Attr() as func, args=[first, *_]) if last_name(func) in JOINING:
            joined = first.parts if type(first) is ops.Build else (first,)
            return any(type(part) is ops.Name and part.name == name for part in joined)
    return False


def _filled(frame: Frame, chains: Chains, source: Op, loops: tuple[Op, ...]) -> Changing | None:
    """A list that is filled on each turn, or in a loop inside that ends at any time; also in a list: `[tokens]`."""
    if type(source) is ops.Build and len(source.parts) == 1:
        source = source.parts[0]
    if type(source) is not ops.Name or not chains.holds(source):
        return None
    if (loop := _lengthened_in(chains, source.name, loops)) is not None:
        return Changing("growing", source.name, loop)
    names, is_empty = _methods_of(chains, source.name)
    if not names & SHRINKING and (loop := extending_loop(frame, chains, source, loops)) is not None:
        return Changing("keys", source.name, loop)
    if not names & GROWING or names & SHRINKING or not is_empty:
        return None
    way = chains.way_to(source)
    for loop in reversed(loops):
        calls = chains.called_in(source.name, loop)
        growing = [call for call in calls if type(call.func) is ops.Attr and call.func.name in GROWING]
        if chains.stored_in(source.name, loop):
            inside = (one for other in map(chains.way_to, growing) for one in other[other.index(loop) + 1 :])
            ending = next((one for one in inside if one not in way and _ends_at_any_time(one)), None)
            return Changing("length", source.name, loop) if ending is not None else None
        if growing:
            return Changing("growing", source.name, loop)
    return None


def _lengthened_in(chains: Chains, name: str, loops: tuple[Op, ...]) -> Op | None:
    """The loop of which each turn binds a longer list to a name, and nothing else: `xs = xs + [x]`, `xs += [x]`."""
    for loop in reversed(loops):
        stores = chains.stored_in(name, loop)
        if stores and all(type(store) is ops.Store and _lengthens(store, name) for _, store in stores):
            return loop
    return None


def _lengthens(store: ops.Store, name: str) -> bool:
    match store.value:
        case ops.Operate(operator="+", operands=(ops.Name(name=old), ops.Build(kind="list", parts=[_, *_]))):
            return old == name
    return False


@searched_for
def _methods_of(chains: Chains, name: str) -> tuple[frozenset[str], bool]:
    """The methods that are called of what a name holds, and whether it is bound to empty lists alone."""
    stores = [one for _, one in chains.stored_to(name)]
    methods = frozenset(call.func.name for call in chains.called_on(name) if type(call.func) is ops.Attr)
    return methods, bool(stores) and all(type(store) is ops.Store and _is_empty(store.value) for store in stores)


def _ends_at_any_time(loop: Op) -> bool:
    """Does a loop turn while something holds that is no count, or does it leave early?"""
    if type(loop) is not ops.Loop:
        return False
    if loop.kind == "while" and type(loop.source) not in (ops.Compare, ops.Const):
        return True
    return any(type(inner) is ops.Leave and inner.kind == "break" for each in loop.body for inner in within(each))


def _is_empty(value: Op | None) -> bool:
    if type(value) is ops.Build:
        return value.kind == "list"
    func = value.func if type(value) is ops.Call else None
    return (type(func) is ops.Name and func.name == "list") or (type(func) is ops.Attr and func.name == "tolist")


def _of_item(
    frame: Frame, chains: Chains, source: ops.Item, index: Op, loops: tuple[Op, ...], depth: int
) -> Changing | None:
    for bound, other in sizes(source):
        loop = counted(frame, bound, loops)
        if loop is not None and not any(counted(frame, one, loops) for one in clipped(chains, other)):
            return Changing("shape", phrase(source), loop)
    for part in index.parts if type(index) is ops.Build and index.kind == "tuple" else (index,):
        loop = _mask_in(chains, part, loops)
        if loop is not None:
            return Changing("mask", phrase(source), loop)
        if (batches := _last_batch(frame, part, loops)) is not None:
            return Changing("last", f"{phrase(source)}\n{batches[0]}", batches[1])
    if type(index) is ops.Const and index.value is None:  # one more axis: `jnp.array(xs)[None]`
        return change_of(frame, source.base, loops, depth + 1)
    return None


def clipped(chains: Chains, bound: Op) -> tuple[Op, ...]:
    """What a bound of a slice is the smaller or larger one of, `min(start + n, len(x))`, also by a name; else itself.

    Where it moves with the other bound, only a slice at the end of the array has another length.
    """
    statement = chains.statement_binding(bound)
    value = statement.value if type(statement) is ops.Store and statement.kind == "assign" else bound
    if type(value) is ops.Call and type(value.func) in (ops.Attr, ops.Name):
        is_one_of = imported_name(value.func).rpartition(".")[2] in CLIPPING or phrase(value.func) in CLIPPING
        return value.args if is_one_of else (bound,)
    return (bound,)


def _last_batch(frame: Frame, index: Op, loops: tuple[Op, ...]) -> tuple[str, Op] | None:
    """The numbers that tell that the last of some slices is shorter, and their loop.

    for i in range(0, 1000, 64): x[i : i + 64]
    """
    if type(index) is not ops.Build or index.kind != "slice":
        return None
    start, stop, _ = index.parts
    for loop in loops:
        source, target = (loop.source, loop.target) if type(loop) is ops.Loop else (None, None)
        if type(source) is not ops.Call or type(target) is not ops.Name or imported_name(source.func) != "range":
            continue
        if len(source.args) != 3 or type(start) is not ops.Name or start.name != target.name:
            continue
        if not _is_sum(stop, target.name, phrase(source.args[2])):
            continue
        first, end, step = (number_of(frame, argument) for argument in source.args)
        if first is not None and end is not None and step and end > step and (end - first) % step:
            return f"{end - first} is no multiple of {step}", loop
    return None


def _is_sum(op: Op, name: str, step: str) -> bool:
    """Is it `i + step`?"""
    if type(op) is not ops.Operate or op.operator != "+":
        return False
    return sorted(map(phrase, op.operands)) == sorted((name, step))


def _mask_in(chains: Chains, index: Op, loops: tuple[Op, ...]) -> Op | None:
    """The innermost loop that changes a comparison of arrays, if an index is one."""
    if type(index) is ops.Operate and index.operator in ("&", "|", "~"):
        masks = (_mask_in(chains, operand, loops) for operand in index.operands)
        return next((mask for mask in masks if mask is not None), None)
    if type(index) is not ops.Compare:
        return None
    names = names_in(index)
    for loop in reversed(loops):
        targets = {target.name for target in targets_of(loop)}
        if names & targets or any(chains.stored_in(name, loop) for name in names):
            return loop
    return None


def change_in_display(source: Op, loops: tuple[Op, ...]) -> Changing | None:
    """A loop over things that are written out, of several types: each gets a program of its own."""
    for loop in loops:
        if type(loop) is not ops.Loop or type(loop.source) is not ops.Build or type(source) is not ops.Name:
            continue
        if type(loop.target) is ops.Name and loop.target.name == source.name:
            types = [type_of(part) for part in loop.source.parts]
            if "" not in types and len({*types}) >= LEAST:
                return Changing("types", phrase(loop.source), loop)
    return None


def type_of(op: Op) -> str:
    """The type of something that is written out, as JAX tells programs apart by it; "" where it is not seen."""
    match op:
        case ops.Const(value=value):
            return type(value).__name__ if isinstance(value, (bool, int, float, complex, type(None))) else ""
        case ops.Build(kind="list" | "tuple" as kind, parts=parts):
            inner = [type_of(part) for part in parts]
            return f"{kind}({','.join(inner)})" if "" not in inner else ""
        case ops.BuildDict(items=items):
            keys = sorted(spelled(key.value) if type(key) is ops.Const else "" for key, _ in items)
            return f"dict({','.join(keys)})" if "" not in keys else ""
        case ops.Call(func=ops.Attr(name=name) | ops.Name(name=name), args=(ops.Const(),)):
            return name if name.rstrip("0123456789") in ("float", "int", "uint", "complex", "bfloat", "bool_") else ""
    return ""
