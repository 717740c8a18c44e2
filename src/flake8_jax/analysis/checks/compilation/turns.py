"""How often a loop of Python turns, and what one turn hands to the next.

for i in range(1000)                1000 times
for i in range(n)                   as a number says that callers may know
for i in range(x.shape[0])          as long as an array is, which callers may know, too
for i in range(len(x) - 2, -1, -1)  one turn less, from the end
while k < 1000: ...; k += 1         as often as its name counts up to that
"""

from __future__ import annotations

from itertools import islice
from math import prod
from typing import Literal, TypeAlias

from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.analysis.evidence import CallSite
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.domain.kinds import ARRAY, COMPUTED, INPUT, MAY_BE_ARRAY, MAY_BE_NUMBER, NUMBER, NUMPY
from flake8_jax.domain.staging import staged
from flake8_jax.domain.state import State
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import Chains, chains_of
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.walking import statements_in, targets_in, within
from flake8_jax.lazy_dataclasses import dataclass, replace
from flake8_jax.syntax.positions import unpacked

COUNTING = frozenset(("range", "trange"))
"""The last names of what counts up to a number."""

ARANGE = "jax.numpy.arange"

ADDING = frozenset(("append", "appendleft", "insert"))
"""Methods of a list, or of a queue, that add to it."""

JOINING = frozenset(("append", "concat", "concatenate", "hstack", "vstack"))
"""Functions of arrays that add rows to one."""

PASSING = frozenset(("enumerate", "list", "reversed", "sorted", "tuple"))

MAXIMUM_DEPTH = 3

BEYOND = {("<", True): 0, ("<=", True): 1, (">", False): 0, (">=", False): -1}
"""How far beyond the bound of a test what counts up, or down, still gets."""

NEAR = range(-3, 4)
"""How far from the first or last element of an array a loop begins or ends that runs through it."""

MAXIMUM_USES = 24
"""How many reads of what a loop binds are looked at: the first are its own."""

Carried: TypeAlias = Literal["nothing", "array", "update", "stored", "collected"]
"""What a turn hands to the next: nothing, an array, one that is updated at an index, one into which each turn stores
what no turn reads, or an array beside a list to which each turn adds.
"""


@dataclass(frozen=True, slots=True)
class Turns:
    """How often a loop turns: a known number, as a `number` says, or as long as the axis of an array is, and some turns
    `more`.  `is_table`: if that is no array, it is a list of indices.
    """

    known: int | None = None
    number: Value | None = None
    array: Value | None = None
    axis: int = 0
    text: str = ""
    more: int = 0
    is_table: bool = False


@dataclass(frozen=True, slots=True)
class Iterated:
    """A loop that runs through something: where it is reported, the op and the value of what it runs through.

    There is no value where it turns as long as a test holds, which is its `source`.
    """

    op: Op
    source: Op
    value: Value | None


def carried_by(frame: Frame, loop: Op, before: State, after: State | None) -> Carried:
    """What a turn of a loop hands to the next one."""
    found: Carried = "nothing"
    for name in before.names.differing(after.names) if after is not None else ():
        value, now = before.names.get(name), after.names.get(name) if after is not None else None
        if value is None or now is None or value is now or now.kind not in MAY_BE_ARRAY:
            continue
        if found == "array" and not _is_update(now.made_by):
            continue
        if _is_handed_on(frame, loop, name):
            found = "update" if _is_update(now.made_by) else "array"
            if found == "update":
                break
    return found


def carried_for_certain(frame: Frame, loop: ops.Loop, carried: Carried) -> Carried:
    """The same as far as the text of a loop tells: of what is handed on not all is known to be an array, and fields of
    objects may be.
    """
    chains = chains_of(frame.function)
    targets = [one for op in statements_in(loop.body) if type(op) is ops.Store for one in op.targets]
    names = {part.name for one in targets for part in targets_in(one) if type(part) is ops.Name}
    grown = {name for op in statements_in(loop.body) if (name := _added_to(op))}
    handed_on = [name for name in sorted(names - grown) if _is_handed_on(frame, loop, name)]
    if carried in ("nothing", "array") and grown and (handed_on or _reads_item(loop, grown)):
        return "collected"
    handed_on += sorted(name for name in names & grown if _is_handed_on(frame, loop, name))
    if carried == "nothing":
        return "array" if handed_on or any(type(one) is ops.Attr for one in targets) else carried
    if carried == "update" and handed_on and all(_is_only_stored(chains, loop, name) for name in handed_on):
        return "stored"
    return carried


def _added_to(op: Op) -> str:
    """The list, or array, to which a statement adds: `steps.append(x)`, `steps += [x]`, `steps = jnp.append(steps, x)`;
    "" for none.
    """
    if type(op) is ops.Call:
        func = op.func
        if type(func) is not ops.Attr or func.name not in ADDING or type(func.base) is not ops.Name:
            return ""
        return func.base.name
    target, value = (op.targets[0], op.value) if type(op) is ops.Store and len(op.targets) == 1 else (None, None)
    if type(target) is not ops.Name:
        return ""
    if type(value) is ops.Operate and value.operator == "+":
        old, new = value.operands[0], value.operands[-1]
        is_list = type(new) is ops.Build and new.kind == "list"
        return target.name if is_list and type(old) is ops.Name and old.name == target.name else ""
    if type(value) is not ops.Call or imported_name(value.func).rpartition(".")[2] not in JOINING or not value.args:
        return ""
    joined = value.args[0]
    parts = joined.parts if type(joined) is ops.Build else (joined,)
    return target.name if any(type(one) is ops.Name and one.name == target.name for one in parts) else ""


def _reads_item(loop: ops.Loop, names: set[str]) -> bool:
    """Does a loop read an item of what it adds to?"""
    parts = (part for statement in loop.body for part in within(statement))
    return any(type(one) is ops.Item and type(one.base) is ops.Name and one.base.name in names for one in parts)


def _is_only_stored(chains: Chains, loop: Op, name: str) -> bool:
    """Does a loop read an array only to store into it, at an index?"""
    inside = (one for one in chains.names.get(name, ()) if loop in chains.way_to(one))
    for one in inside:
        view = chains.parents.get(one)
        is_target = type(view) is ops.Store and one in view.targets
        if not is_target and not (type(view) is ops.Attr and view.name == "at"):
            return False
    return not any(True for _ in chains.called_in(name, loop))


def _is_handed_on(frame: Frame, loop: Op, name: str) -> bool:
    """Does a turn read what the one before bound to a name?"""
    chains = chains_of(frame.function)
    line, _, end, _ = unpacked(loop.place)
    start, stop = loop.anchor.line, loop.anchor.line + end - line
    for target, statement in chains.stored_in(name, loop):
        stored = statement.anchor.line
        if type(target) is not ops.Name or not start <= stored <= stop:
            continue
        for use in islice(chains.uses_of(target, loop), MAXIMUM_USES):
            if start <= use.anchor.line < stored or (use.anchor.line == stored and statement in chains.way_to(use)):
                return True
    return False


def _is_update(op: Op | None) -> bool:
    """Is it `x.at[i].set(v)`?"""
    view = op.func.base if type(op) is ops.Call and type(op.func) is ops.Attr else None
    return type(view) is ops.Item and type(view.base) is ops.Attr and view.base.name == "at"


def gives_indices(frame: Frame, loop: ops.Loop, array: Value) -> bool:
    """Is what a turn takes of an array an index of others: `a, b = pairs[i]`, and `x[a] * x[b]`?"""
    chains = chains_of(frame.function)
    if type(loop.source) is ops.Name:
        taken = [*targets_in(loop.target)] if loop.target is not None else []
    else:
        stores = [op for op in loop.body if type(op) is ops.Store and type(op.value) is ops.Item]
        turn = phrase(loop.target) if loop.target is not None else ""
        taken = [
            target
            for store in stores
            if type(store.value) is ops.Item and phrase(store.value.index) == turn
            if peek(frame, store.value.base) is array
            for one in store.targets
            for target in targets_in(one)
        ]
    uses = (use for target in taken if type(target) is ops.Name for use in chains.uses_of(target, loop))
    return any(type(view := chains.parents.get(use)) is ops.Item and view.index is use for use in uses)


def turns_of(frame: Frame, source: Op, value: Value | None, depth: int = 0) -> Turns:
    """How often a loop turns that runs through something."""
    counted = frame.program.record.counted
    if value is not None:
        numbers = counted.get(value.made_by) if value.made_by is not None else None
        if numbers is not None:
            return Turns(len(numbers))
        if value.elements is not None:
            return Turns(len(value.elements))
        if value.shape and value.shape[0] is not None:
            return Turns(value.shape[0], array=None if value.kind is NUMPY else value)
        if value.kind in MAY_BE_ARRAY and _is_as_large_as_data(value):
            return Turns(array=value, text=f"once for each element of `{phrase(source)}`")
        if value.kind is ARRAY and _name_of(value.made_by) == ARANGE:
            return Turns(array=value, text=f"once for each element of `{phrase(source)}`")
    if source in counted:
        return Turns(len(counted[source]))
    if type(source) is not ops.Call or depth > MAXIMUM_DEPTH:
        return Turns()
    name = imported_name(source.func)
    if name.rpartition(".")[2] in COUNTING and source.args:
        return _counted(frame, source)
    passed = source.args if name == "itertools.product" else turned_by(frame, source)
    several = [turns_of(frame, argument, peek(frame, argument), depth + 1) for argument in passed]
    known = [one for one in several if one.known is not None]
    if name == "itertools.product":
        return Turns(prod(map(_known, known))) if len(known) == len(several) and not source.keywords else Turns()
    if len(several) == 1:
        return several[0]
    return min(known, key=_known) if known else next((one for one in several if one.array is not None), Turns())


def _counted(frame: Frame, source: ops.Call) -> Turns:
    """How often a loop turns that counts, up or down, by one."""
    args = source.args
    start, stop = args[0] if len(args) > 1 else None, args[min(len(args) - 1, 1)]
    if len(args) < 3:
        first = 0 if start is None else _number(start)
        if first is None or first not in NEAR:
            return Turns()
        return _as_often(frame, stop, -first if first not in (0, 1) else 0)
    step, last = args[2], stop
    if len(args) > 3 or start is None or _number(step) != -1 or (end := _number(last)) is None or end not in NEAR:
        return Turns()
    return _as_often(frame, start, -end)


def _number(op: Op) -> int | None:
    """A number that is written out, as 1 or -1."""
    if type(op) is ops.Operate and op.operator == "-" and len(op.operands) == 1:
        number = _number(op.operands[0])
        return None if number is None else -number
    return op.value if type(op) is ops.Const and type(op.value) is int else None


def turns_while(frame: Frame, test: Op, before: State, after: State | None) -> Turns:
    """How often a loop turns that counts until a test fails, by the numbers before and after its first turn."""
    if type(test) is not ops.Compare or len(test.operators) != 1 or after is None:
        return Turns()
    counter, bound = test.operands
    first, then = (state.names.get(counter.name) if type(counter) is ops.Name else None for state in (before, after))
    if first is None or then is None or type(first.constant) is not int or type(then.constant) is not int:
        return Turns()
    if not _is_step(then.made_by, counter):
        return Turns()
    start, step, sign = first.constant, then.constant - first.constant, test.operators[0]
    stop, beyond = number_of(frame, bound), BEYOND.get((sign, step > 0))
    if stop is not None and step and beyond is not None:
        return Turns(len(range(start, stop + beyond, step)))
    is_whole = start in (0, 1) and (step, sign) == (1, "<")
    return _as_often(frame, bound) if is_whole else Turns()


def _is_step(op: Op | None, counter: Op) -> bool:
    """Does an expression add a number to a name, or take one away?"""
    if type(op) is not ops.Operate or op.operator not in ("+", "-") or type(op.operands[-1]) is not ops.Const:
        return False
    return len(op.operands) == 2 and phrase(op.operands[0]) == phrase(counter)


def turned_by(frame: Frame, source: ops.Call) -> tuple[Op, ...]:
    """The arguments whose length decides how often a loop over the result of this call turns; none if not known."""
    name = imported_name(source.func)
    use = frame.program.table.host(name)
    if name in PASSING or (use is not None and use.kind == "progress"):
        return source.args[:1]
    return source.args if name == "zip" else ()


def _name_of(op: Op | None) -> str:
    """The name of the function that an op calls."""
    return imported_name(op.func) if type(op) is ops.Call else ""


def _is_as_large_as_data(array: Value) -> bool:
    """Has an array the size of an argument?  What `jnp.arange` makes is as large as numbers say."""
    return array.kind is COMPUTED or array.alike is not None or array.made_by is None


def _known(turns: Turns) -> int:
    return turns.known or 0


def _as_often(frame: Frame, stop: Op, more: int = 0, seen: tuple[Value, ...] = ()) -> Turns:
    """The turns of a loop that counts up to a number which is not known here, and some turns more.

    A name may have been bound anew to what was computed of it, `n = n + 1`, so that it is `seen` again.
    """
    value = peek(frame, stop)
    if value is not None and value in seen:
        return Turns()
    made_by = stop if value is None or value.kind is NUMBER else None
    if value is not None and value.kind is NUMBER and value.made_by is not None:
        made_by = value.made_by
    sized, axis = _sized(made_by, stop)
    if sized is not None:
        array = peek(frame, sized)
        if array is not None and array.kind in MAY_BE_ARRAY and _is_as_large_as_data(array):
            often = f"{'about ' if more else ''}`{phrase(stop)}` times"
            return Turns(array=array, axis=axis, text=often, more=more)
    if type(made_by) is ops.Operate and made_by.operator in ("+", "-") and len(made_by.operands) == 2:
        number = _number(made_by.operands[1])
        if number is not None and number in NEAR:
            others = more + (number if made_by.operator == "+" else -number)
            whole = _as_often(frame, made_by.operands[0], others, seen if value is None else (*seen, value))
            if whole.array is not None:
                return whole
    if value is not None and type(value.constant) is int:
        return Turns(value.constant + more)
    if type(stop) is ops.Operate and (product := number_of(frame, stop)) is not None:
        return Turns(product + more)
    return Turns(number=value, more=more) if value is not None and value.kind in MAY_BE_NUMBER else Turns()


def number_of(frame: Frame, op: Op) -> int | None:
    """A number that is known: one that is written out, the size of an array, or a product: `EPOCHS * 100`."""
    if type(op) is ops.Operate:
        known = [number_of(frame, operand) for operand in op.operands] if op.operator == "*" else [None]
        return prod(map(int, filter(None, known))) if all(known) else None
    value = peek(frame, op)
    if value is not None and type(value.constant) is int:
        return value.constant
    made_by = value.made_by if value is not None and value.kind is NUMBER and value.made_by is not None else op
    sized, axis = _sized(made_by, op)
    array = peek(frame, sized) if sized is not None else None
    shape = array.shape if array is not None else None
    return shape[axis] if shape and -len(shape) <= axis < len(shape) else None


def sized_by(op: Op | None, name: Op) -> Op | None:
    """The array of which an expression gives the size to a name."""
    return _sized(op, name)[0]


def _sized(op: Op | None, name: Op) -> tuple[Op | None, int]:
    """The array, and the axis, of which `len(x)`, `x.shape[0]` or `n, d = x.shape` gives the size to a name."""
    if type(op) is ops.Call and type(op.func) is ops.Name and op.func.name == "len" and len(op.args) == 1:
        return op.args[0], 0
    if type(op) is ops.Item and type(op.index) is ops.Const and type(op.base) is ops.Attr and op.base.name == "shape":
        return op.base.base, op.index.value if type(op.index.value) is int else 0
    if type(op) is ops.Store and type(op.value) is ops.Attr and op.value.name == "shape" and type(name) is ops.Name:
        for target in op.targets:
            names = [one.name if type(one) is ops.Name else "" for one in getattr(target, "parts", ())]
            if name.name in names:
                return op.value.base, names.index(name.name)
    return None, 0


def turns_here(site: CallSite, turns: Turns) -> Turns:
    """How often a loop turns, as far as a call tells."""
    if turns.number is not None:
        actual = site.input_value(turns.number)
        if actual is not None and type(actual.constant) is int:
            return replace(turns, known=actual.constant + turns.more, number=None)
        return replace(turns, number=actual) if actual is not None and actual.kind in MAY_BE_NUMBER else Turns()
    if turns.array is None or turns.known is not None:
        return turns
    actual = site.input_value(turns.array)
    shape = actual.shape if actual is not None else None
    if shape and -len(shape) <= turns.axis < len(shape) and (size := shape[turns.axis]) is not None:
        return replace(turns, known=size + turns.more)
    if staged(site.ambient) is not None:
        return turns if _is_traced(site, turns.array, actual, turns.is_table) else Turns()
    if actual is None:
        return turns if turns.array.kind is not INPUT else Turns()
    return replace(turns, array=actual) if actual.kind in MAY_BE_ARRAY else Turns()


def _is_traced(site: CallSite, array: Value, actual: Value | None, is_table: bool) -> bool:
    """Is what a function runs through certainly a traced array, or a traced table?"""
    source = array.input
    is_array = is_table or array.kind is not INPUT or (source is not None and source in site.summary.uses.arrays)
    if actual is not None and not is_array:
        is_array = actual.kind is ARRAY
    return is_array and staged(site.dependences(array.dependences, False)[0]) is not None
