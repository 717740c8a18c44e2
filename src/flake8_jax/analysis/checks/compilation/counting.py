"""Numbers that are others on each turn of a loop: its counter, and what a turn computes of the one before.

    for i in range(n): 2 * i + 1
    while True: n += 1
    for _ in range(n): rate = rate * 0.9
"""

from __future__ import annotations

from collections.abc import Iterator

from flake8_jax.analysis.checks.keys.counters import affine_of, counts, is_counter_of
from flake8_jax.analysis.frame import Frame
from flake8_jax.ir import ops
from flake8_jax.ir.chains import Chains, chains_of
from flake8_jax.ir.ops import Op
from flake8_jax.ir.walking import within

PLAIN = frozenset((ops.Attr, ops.Build, ops.Const, ops.Name, ops.Operate))
LINEAR = frozenset(("+", "-", "*"))
STEPS = frozenset(("+", "-", "*", "/", "//", "**"))


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
    return is_certain and is_number and is_alone(chains, target.name, store, loop) and _is_step(target, store)


def _starts_as_number(frame: Frame, chains: Chains, name: str, store: ops.Store) -> bool:
    """Is a name bound to a number that is written out, and to nothing else but what a statement computes of it?"""
    others = [one for _, one in chains.stored_to(name) if one is not store]
    if not others:
        return any(one.name == name and _is_number(one.default) for one in frame.function.parameters)
    return all(type(one) is ops.Store and _is_number(given_to(name, one)) for one in others)


def _is_number(value: Op | None) -> bool:
    return type(value) is ops.Const and isinstance(value.value, (int, float))


def given_to(name: str, store: ops.Store) -> Op | None:
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
    match given_to(target.name, store):
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


def is_alone(chains: Chains, name: str, store: ops.Store, loop: Op) -> bool:
    """Is a statement the only one in a loop that binds a name?"""
    others = [one for _, one in chains.stored_to(name) if one is not store]
    return all(loop not in chains.way_to(one) for one in others)


def targets_of(loop: Op) -> Iterator[ops.Name]:
    """The names that a loop binds to what it runs through."""
    found = [loop.target] if type(loop) is ops.Loop else []
    found += [clause.target for clause in loop.clauses] if type(loop) is ops.Gather else []
    for target in found:
        if target is not None:
            yield from (one for one in within(target) if type(one) is ops.Name)
