"""What becomes of a result in the function that asks for it: followed through names, conversions and methods.

scale = float(os.environ["S"])      x * scale: computed with
if os.environ.get("DEBUG"):         tested: it selects code, once per trace, as meant
print("traced in", time() - t0)     told: a text that speaks of the trace shows it
print("[" + ctime() + "]", x)       shown: any other text
return os.environ["S"]              returned: callers may compute with it
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Literal, TypeAlias, TypeGuard

from flake8_jax.analysis.checks.instead import TEXTS
from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.analysis.checks.output import tells_of_trace
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.narrowing import facts_of, peek
from flake8_jax.domain.conditions import Path
from flake8_jax.domain.kinds import MAY_BE_ANY_ARRAY
from flake8_jax.ir import ops
from flake8_jax.ir.chains import Chains, chains_of
from flake8_jax.ir.ops import Op
from flake8_jax.ir.walking import within
from flake8_jax.lazy_dataclasses import dataclass

Reading: TypeAlias = Literal["computed", "returned", "tested", "told", "shown", "passed"]

CONVERSIONS = frozenset(("int", "float", "complex", "str", "bool", "round", "abs", "max", "min"))
COMPUTING = ("jax.numpy.", "jax.lax.", "jax.nn.", "numpy.")
SHOWING = ("print", "log", "warn")
MAXIMUM_NAMES = 32
"""Through how many names one result is followed."""


@dataclass(frozen=True, slots=True)
class BoundTo:
    """The result is bound to a name, as a number where it `is_float`."""

    name: ops.Name
    is_float: bool


def ways_of_use(frame: Frame, op: Op) -> frozenset[Reading]:
    """All that becomes of the result of an op."""
    chains = chains_of(frame.function)
    found: set[Reading] = set()
    waiting, seen = list(_ways(frame, chains.way_to(op), is_float=False)), set[BoundTo]()
    while waiting:
        one = waiting.pop()
        if not isinstance(one, BoundTo):
            found.add(one)
        elif one not in seen and len(seen) < MAXIMUM_NAMES:
            seen.add(one)
            for read in chains.uses_of(one.name):
                waiting += _ways(frame, chains.way_to(read), one.is_float)
            if chains.is_captured(one.name):
                found.add("passed")
    return frozenset(found)


def path_of_uses(frame: Frame, op: Op) -> Path:
    """What holds wherever the result of an op is used, as far as that is not bound anew in the body.

    start = time.time()                     nothing becomes of it where nobody asks for the time
    if verbose: print(time.time() - start)
    """
    chains = chains_of(frame.function)
    waiting, seen, shared = [op], set[Op](), None
    while waiting:
        way = chains.way_to(waiting.pop())
        targets = _names_bound(way)
        if targets and len(seen) < MAXIMUM_NAMES and not any(map(chains.is_captured, targets)):
            waiting += [read for one in targets if one not in seen for read in chains.uses_of(one)]
            seen.update(targets)
            continue
        arms = {outer: inner in outer.body for outer, inner in pairwise(way) if _is_arm(outer, inner)}
        shared = arms if shared is None else {one: holds for one, holds in shared.items() if arms.get(one) is holds}
    own = chains.way_to(op)
    found = [(one, holds) for one, holds in (shared or {}).items() if one not in own and _is_settled(chains, one.test)]
    return tuple(fact for one, holds in found for fact in facts_of(frame, one.test, holds))


def _is_arm(outer: Op, inner: Op) -> TypeGuard[ops.Branch]:
    return type(outer) is ops.Branch and inner is not outer.test


def _names_bound(way: list[Op]) -> tuple[ops.Name, ...]:
    """The names that keep what an expression computes of its innermost part; none if something else becomes of it."""
    for inner, outer in pairwise(reversed(way)):
        if type(outer) is ops.Store:
            names = tuple(target for target in outer.targets if type(target) is ops.Name)
            return names if len(names) == len(outer.targets) and outer.kind == "assign" else ()
        is_converted = type(outer) is ops.Call and outer.func is not inner and imported_name(outer.func) in CONVERSIONS
        if type(outer) is not ops.Operate and not is_converted:
            return ()
    return ()


def _is_settled(chains: Chains, test: Op) -> bool:
    """Does a test ask the same wherever it stands, since the body binds none of its names?"""
    return not any(type(one) is ops.Name and chains.stored_to(one.name) for one in within(test))


def is_only_spelled(frame: Frame, op: Op) -> bool:
    """Does a result only become a part of texts, as the number in a name that nothing else has?"""
    chains = chains_of(frame.function)
    waiting, seen = [op], set[Op]()
    while waiting:
        way = chains.way_to(waiting.pop())
        around = way[-2] if len(way) > 1 else None
        if type(around) is ops.Store and around.value is way[-1]:
            for target in around.targets:
                if type(target) is not ops.Name or target in seen or chains.is_captured(target):
                    return False
                seen.add(target)
                waiting += chains.uses_of(target)
        elif around is None or not _spells(around):
            return False
    return len(seen) <= MAXIMUM_NAMES


def _spells(op: Op) -> bool:
    """Does an op make a text of what is in it: an f-string, `str(n)`, `"{}".format(n)`, `"%d" % n`?"""
    if type(op) is ops.Build:
        return op.kind in ("text", "format")
    if type(op) is ops.Operate:
        return op.operator == "%" and _is_text(op.operands[0])
    if type(op) is not ops.Call:
        return False
    func = op.func
    return imported_name(func) in TEXTS or (type(func) is ops.Attr and func.name == "format" and _is_text(func.base))


def _is_text(op: Op) -> bool:
    return type(op) is ops.Const and isinstance(op.value, str)


def _ways(frame: Frame, way: list[Op], is_float: bool) -> Iterator[Reading | BoundTo]:
    is_text = False
    for place in range(len(way) - 2, -1, -1):
        outer, inner = way[place], way[place + 1]
        match outer:
            case ops.Compare() | ops.Branch() | ops.Loop(kind="while") | ops.Operate(operator="not"):
                yield "tested"
                return
            case ops.Choose(test=test) if test is inner:
                yield "tested"
                return
            case ops.Operate(operands=operands):
                others = [operand for operand in operands if operand is not inner]
                is_text = is_text or any(type(one) is ops.Const and isinstance(one.value, str) for one in others)
                if not is_text and any(
                    _is_array(frame, other) or (is_float and type(other) is not ops.Const) for other in others
                ):
                    yield "computed"
                    return
            case ops.Call(func=func) if func is not inner:
                name = imported_name(func)
                if name in CONVERSIONS:
                    is_float = is_float or name == "float"
                    continue
                yield _given(frame, outer, inner, name)
                return
            case ops.Leave(kind="return"):
                yield "returned"
                return
            case ops.Store(targets=targets):
                for target in targets:
                    yield BoundTo(target, is_float) if type(target) is ops.Name else "passed"
                return
            case ops.Item(index=index) if index is inner:
                yield "passed"
                return
            case ops.Suspend() | ops.With() | ops.Loop() | ops.Gather() | ops.Other():
                yield "passed"
                return
    if way and type(way[0]) in (ops.Build, ops.Operate, ops.Item, ops.Attr) and frame.function.kind == "lambda":
        yield "returned"


def _given(frame: Frame, call: ops.Call, argument: Op, name: str) -> Reading:
    """What a call does with an argument: computes, shows it in a text about the trace, or something else."""
    table = frame.program.table
    known = table.known(table.canonical(name)) if name else None
    if known is not None and known.effect in SHOWING:
        texts = (inner.value for part in call.args for inner in within(part) if type(inner) is ops.Const)
        return "told" if any(isinstance(text, str) and tells_of_trace(text) for text in texts) else "shown"
    if known is None or known.function is None or not name.startswith(COMPUTING):
        return "passed"
    row = known.function
    keyword = next((key for key, value in call.keywords if value is argument), None)
    if keyword is not None:
        parameter = row.parameter_named(keyword)
    else:
        parameter = row.parameter_at(call.args.index(argument)) if argument in call.args else None
    return "computed" if parameter is not None and not parameter.must_be_concrete else "passed"


def _is_array(frame: Frame, op: Op) -> bool:
    found = peek(frame, op) if frame.state is not None else None
    return found is not None and found.kind in MAY_BE_ANY_ARRAY
