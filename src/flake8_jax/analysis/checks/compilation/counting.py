"""Numbers that are others on each turn of a loop: its counter, and what a turn computes of the one before.

for i in range(n): 2 * i + 1
while True: n += 1
for _ in range(n): rate = rate * 0.9
for _ in range(n): self.step += 1
"""

from __future__ import annotations

from flake8_jax.analysis.checks.keys.counters import affine_of, counts, is_counter_of
from flake8_jax.analysis.frame import Frame
from flake8_jax.ir import ops
from flake8_jax.ir.chains import LONG, Chains, chains_of
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.walking import within

PLAIN = frozenset((ops.Attr, ops.Build, ops.Const, ops.Name, ops.Operate))
LINEAR = frozenset(("+", "-", "*"))
GROWING = LINEAR | {"/", "**"}
STEPS = frozenset(("+", "-", "*", "/", "//", "**"))


def counted(frame: Frame, source: Op, loops: tuple[Op, ...], is_number: bool = False) -> Op | None:
    """The loop of which an expression is linear in the counter, or in a number that it counts up itself.

    If it `is_number`, whatever it is computed of is one, and it may be divided and raised to a power.
    """
    if not is_linear(source, GROWING if is_number else LINEAR):
        return None
    chains = chains_of(frame.function)
    for inner in within(source):
        if type(inner) not in (ops.Name, ops.Attr):
            continue
        value = frame.live().names.get(inner.name) if type(inner) is ops.Name else None
        number = affine_of(frame, value) if value is not None else None
        text = phrase(inner, LONG)
        for loop in loops:
            if number is not None and is_counter_of(number, loop) and counts(number.number):
                return loop
            if any(_moves_on(frame, chains, each, loop, is_number) for each in chains.stored_in(text, loop)):
                return loop
        if is_number and type(inner) is ops.Name and inner is source:
            return _computed_of_counter(frame, chains, inner, loops)
    return None


def _computed_of_counter(frame: Frame, chains: Chains, name: ops.Name, loops: tuple[Op, ...]) -> Op | None:
    """The loop on each turn of which a name is bound to what is computed of its counter: `rate = 0.1 * 0.9**i`."""
    for target, store in chains.stored_in(name.name, loops[0]) if loops else ():
        loop = next((one for one in reversed(loops) if one in chains.way_to(store)), None)
        if loop is None or type(store) is not ops.Store or store.kind != "assign" or type(target) is not ops.Name:
            continue
        value = given_to(name.name, store)
        if value is None or type(value) is ops.Name or not _is_certain(chains, store, loop):
            return None
        return counted(frame, value, (loop,), True) if is_alone(chains, name.name, store, loop) else None
    return None


def _is_certain(chains: Chains, store: Op, loop: Op) -> bool:
    """Does a statement run on each turn of a loop?"""
    way = chains.way_to(store)
    return not any(type(one) is ops.Branch for one in way[way.index(loop) :])


def _moves_on(frame: Frame, chains: Chains, stored: tuple[Op, Op], loop: Op, is_number: bool) -> bool:
    """Does a statement in a loop compute a number anew, from the one before: `n += 1`, `rate = rate * 0.9`?"""
    target, store = stored
    if type(target) not in (ops.Name, ops.Attr) or type(store) is not ops.Store:
        return False
    text = phrase(target, LONG)
    if store.kind == "augment":
        return _goes_on(chains, text, store, loop)
    starts = is_number or (type(target) is ops.Name and _starts_as_number(frame, chains, text, store))
    return starts and _is_certain(chains, store, loop) and goes_on(chains, target, store, loop)


def goes_on(chains: Chains, target: Op, store: Op, loop: Op | None = None) -> bool:
    """Is a statement the only one in a loop or body that updates a number from its previous value?"""
    if type(store) is not ops.Store:
        return False
    text = phrase(target, LONG)
    is_one = is_alone(chains, text, store, loop) if loop is not None else len(chains.stored_to(text)) == 1
    return is_one and _goes_on(chains, text, store, loop)


def _goes_on(chains: Chains, text: str, store: ops.Store, loop: Op | None) -> bool:
    """Is what a statement binds the number before it and another one, added or multiplied?

    `1 - x`, `-1 * x` and `(x + 1) % 4` come round.
    """
    value = store.value if store.kind == "augment" else given_to(text, store)
    if type(value) is not ops.Operate or len(value.operands) != 2:
        return False
    first, second = value.operands
    is_swapped = value.operator in ("+", "*") and phrase(second, LONG) == text
    if is_swapped:
        first, second = second, first
    if phrase(first, LONG) != text or value.operator not in STEPS:
        return False
    if store.kind == "augment" and type(second) not in (ops.Attr, ops.Const, ops.Name):
        return type(second) is not ops.Operate or len(second.operands) > 1
    return _is_step(chains, value.operator, second, loop if store.kind != "augment" else store)


def _is_step(chains: Chains, operator: str, by: Op, loop: Op | None) -> bool:
    """Does combining a number with this operand change it, while the operand stays the same in the loop?"""
    if type(by) is ops.Const:
        by_number = isinstance(by.value, (int, float)) and by.value > 0
        return by_number and (by.value != 1 or operator in ("+", "-"))
    if type(by) not in (ops.Attr, ops.Name):
        return False
    text = phrase(by, LONG)
    return not (chains.stored_to(text) if loop is None else chains.stored_in(text, loop))


def _starts_as_number(frame: Frame, chains: Chains, name: str, store: ops.Store) -> bool:
    """Is a name bound to a number that is written out, and to nothing else but what a statement computes of it?"""
    others = [one for _, one in chains.stored_to(name) if one is not store]
    if not others:
        return any(parameter.name == name and _is_number(parameter.default) for parameter in frame.function.parameters)
    return all(type(other) is ops.Store and _is_number(given_to(name, other)) for other in others)


def _is_number(value: Op | None) -> bool:
    return type(value) is ops.Const and isinstance(value.value, (int, float))


def given_to(name: str, store: ops.Store) -> Op | None:
    """What a statement binds to a name, also as one of several: `rate, n = 0.1, 0`."""
    for target in store.targets:
        if type(target) in (ops.Name, ops.Attr) and phrase(target, LONG) == name:
            return store.value
        if type(target) is ops.Unpack and type(store.value) is ops.Build:
            pairs = zip(target.parts, store.value.parts, strict=False)
            return next((value for part, value in pairs if type(part) is ops.Name and part.name == name), None)
    return None


def is_linear(source: Op, operators: frozenset[str] = LINEAR) -> bool:
    """Is an expression made of names and numbers by addition and multiplication alone?"""
    return all(
        type(inner) in PLAIN and (type(inner) is not ops.Operate or inner.operator in operators)
        for inner in within(source)
    )


def is_alone(chains: Chains, name: str, store: ops.Store, loop: Op) -> bool:
    """Is a statement the only one in a loop that binds a name?"""
    return all(one is store for _, one in chains.stored_in(name, loop))
