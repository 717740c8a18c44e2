"""Narrowing: the facts that follow from the outcome of a test, and narrower values for its names.

    if mode == "train": ...         fact: mode == "train"
    if isinstance(x, int): ...      fact, and in the body x is a value of the host
    if cfg.debug and not fast: ...  two facts in the body, none after it

Only pure tests of stable values make facts: names, attributes, comparisons with constants, `is None`, isinstance. A
test with a call in it is evaluated anew every time, so that nothing follows from it.
"""

from __future__ import annotations

from typing import TypeAlias

from flake8_jax.analysis.evaluate.names import read_name
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects import access
from flake8_jax.domain.conditions import EQUALS, Fact, Tested
from flake8_jax.domain.payload import NOTHING, OPEN, Constant
from flake8_jax.domain.staging import NONE
from flake8_jax.domain.state import State
from flake8_jax.domain.value import API, COMPUTED, NUMBER, STATIC, Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op

POSITIVE = {
    "==": ("==", True), "!=": ("==", False), "is": ("is", True), "is not": ("is", False), "<": ("<", True),
    ">=": ("<", False), ">": (">", True), "<=": (">", False), "in": ("in", True), "not in": ("in", False),
}  # fmt: skip
ASKING = ("is", "has", "callable")
HOST_TYPES = frozenset(
    name for name in ("int", "float", "bool", "str", "complex", "bytes", "dict", "list", "tuple", "set")
) | {"numpy.ndarray", "numpy.generic", "numbers.Number", "numbers.Integral", "numbers.Real"}
TRACER_TYPES = frozenset(("jax.core.Tracer", "jax.extend.core.Tracer"))


def facts_of(frame: Frame, test: Op, holds: bool) -> tuple[Fact, ...]:
    """The facts that follow if `test` is true (or false)."""
    if type(test) is ops.Operate and test.operator == "not":
        return facts_of(frame, test.operands[0], not holds)
    if type(test) is ops.Logic:
        if (test.operator == "and") == holds:
            return tuple(fact for operand in test.operands for fact in facts_of(frame, operand, holds))
        return ()
    if type(test) is ops.Compare and len(test.operators) == 1:
        return _comparison(frame, test, holds)
    if type(test) is ops.Call:
        return facts_of(frame, test.args[0], holds) if _is_bool(test) else _type_test(frame, test, holds)
    if type(test) is ops.Matches:
        return _pattern(frame, test, holds)
    subject = peek(frame, test)
    return told(frame, Fact("truth", subject, None, holds)) if subject is not None else ()


def told(frame: Frame, fact: Fact) -> tuple[Fact, ...]:
    """A fact, and those that it implies if its subject is the outcome of a test.

    For example: `jit = not verbose; if jit: ...`.
    """
    truth = _truth(fact)
    if truth is None:
        return (fact,)
    meaning = frame.program.record.meanings.get(fact.subject)
    if meaning is not None:
        return (fact, *meaning[not truth])
    if fact.subject.stands_for is not None and type(fact.subject.made_by) is ops.Operate:
        return (Fact("truth", fact.subject.stands_for, None, not truth),)
    return (fact,)


def _truth(fact: Fact) -> bool | None:
    """The truth of its subject that a fact implies, if any."""
    if fact.test == "truth":
        return fact.holds
    return fact.other if fact.test in EQUALS and fact.holds and isinstance(fact.other, bool) else None


def remember(frame: Frame, op: Op, value: Value) -> None:
    """Record the facts that follow from a test whose outcome is bound to a name or passed on."""
    if value.made_by is op and value.kind in (STATIC, COMPUTED):
        found, missed = facts_of(frame, op, True), facts_of(frame, op, False)
        if found or missed:
            frame.program.record.meanings[value] = found, missed


def is_test(op: Op) -> bool:
    """Is an op a test whose outcome is a fact?"""
    is_negation = type(op) is ops.Operate and op.operator == "not"
    return is_negation or type(op) is ops.Compare or type(op) is ops.Logic or _is_bool(op)


def _is_bool(op: Op) -> bool:
    if type(op) is not ops.Call or type(op.func) is not ops.Name or op.func.name != "bool" or len(op.args) != 1:
        return False
    return op.func.scope.lookup("bool").owner is None and type(op.args[0]) is not ops.Star


def _is_isinstance(test: ops.Call) -> bool:
    return len(test.args) == 2 and type(test.func) is ops.Name and test.func.name == "isinstance"


def _pattern(frame: Frame, test: ops.Matches, holds: bool) -> tuple[Fact, ...]:
    pattern, subject = test.pattern, peek(frame, test.subject)
    if subject is None or pattern.kind not in ("value", "singleton") or type(pattern.value[0]) is not ops.Const:
        return ()
    return (Fact("==" if pattern.kind == "value" else "is", subject, pattern.value[0].value, holds),)


def _comparison(frame: Frame, test: ops.Compare, holds: bool) -> tuple[Fact, ...]:
    positive = POSITIVE.get(test.operators[0])
    left, right = peek(frame, test.operands[0]), peek(frame, test.operands[1])
    if positive is None or left is None or right is None:
        return ()
    if type(test.operands[0]) is ops.Const and positive[0] in ("==", "is"):
        left, right = right, left
    known = right.payload
    other = known.value if type(known) is Constant else right
    return (Fact(positive[0], left, other, positive[1] == holds),)


def _type_test(frame: Frame, test: ops.Call, holds: bool) -> tuple[Fact, ...]:
    if _is_isinstance(test):
        subject = peek(frame, test.args[0])
        tested = _type_name(frame, test.args[1])
        if subject is not None and tested is not None:
            return (Fact("isinstance", subject, tested, holds),)
    if isinstance(test.func, (ops.Name, ops.Attr)) and test.func.name.lstrip("_").startswith(ASKING):
        asked = [peek(frame, argument) for argument in test.args]
        return tuple(Fact("asked", subject, test.func.name, holds) for subject in asked if subject is not None)
    return ()


def _type_name(frame: Frame, op: Op) -> Tested | None:
    if type(op) is ops.Build and op.kind == "tuple":
        names = tuple(_type_name(frame, part) for part in op.parts)
        known = tuple(name for name in names if name is not None)
        return known if len(known) == len(names) else None
    found = peek(frame, op)
    if found is None:
        return None
    return found.name if found.kind is API else found


def peek(frame: Frame, op: Op) -> Value | None:
    """The value of a name, attribute or constant, read without effects; None for any computation."""
    if type(op) is ops.Name:
        return read_name(frame, op)
    if type(op) is ops.Const:
        return Value(STATIC if not isinstance(op.value, (int, float)) else NUMBER, NONE, Constant(op.value))
    if type(op) is ops.Attr:
        base = peek(frame, op.base)
        return access.attribute(frame, base, op.name, op) if base is not None else None
    if type(op) is ops.Item and type(op.index) is ops.Const:
        base = peek(frame, op.base)
        if base is None or base.kind is API:
            return None
        return access.read(frame, base, ("[]", op.index.value), op)
    return None


Narrowed: TypeAlias = list[tuple[str, Value, Value]]


def narrow(frame: Frame, test: Op, holds: bool) -> Narrowed:
    """Narrow the names of a test that is true (or false); returns each with both values."""
    narrowed: Narrowed = []
    _narrow(frame, test, holds, narrowed)
    return narrowed


def widen(state: State | None, narrowed: Narrowed) -> None:
    """Restore the names that were narrowed, unless they were bound again."""
    if state is not None:
        for name, before, narrower in narrowed:
            if state.names.get(name) is narrower:
                state.names[name] = before


def _narrow(frame: Frame, test: Op, holds: bool, narrowed: Narrowed) -> None:
    if type(test) is ops.Operate and test.operator == "not":
        _narrow(frame, test.operands[0], not holds, narrowed)
    elif type(test) is ops.Logic and (test.operator == "and") == holds:
        for operand in test.operands:
            _narrow(frame, operand, holds, narrowed)
    elif type(test) is ops.Call and _is_isinstance(test):
        _narrow_type(frame, test, holds, narrowed)
    elif type(test) is ops.Compare and test.operators == ("is" if holds else "is not",) and _is_none(test.operands[1]):
        _replace(frame, test.operands[0], Value(STATIC, NONE, NOTHING), narrowed)


def _narrow_type(frame: Frame, test: ops.Call, holds: bool, narrowed: Narrowed) -> None:
    tested = _type_name(frame, test.args[1])
    names = tested if isinstance(tested, tuple) else (tested,)
    if holds and all(isinstance(name, str) and name in HOST_TYPES for name in names):
        _replace(frame, test.args[0], Value(STATIC, NONE, OPEN), narrowed)
    if not holds and all(isinstance(name, str) and name in TRACER_TYPES for name in names):
        _replace(frame, test.args[0], Value(STATIC, NONE, OPEN), narrowed)


def _is_none(op: Op) -> bool:
    return type(op) is ops.Const and op.value is None


def _replace(frame: Frame, op: Op, value: Value, narrowed: Narrowed) -> None:
    state = frame.live()
    if type(op) is ops.Name and op.name in state.names:
        narrowed.append((op.name, state.names[op.name], value))
        state.names[op.name] = value
