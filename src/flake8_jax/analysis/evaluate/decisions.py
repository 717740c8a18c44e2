"""Tests whose outcome is known: of constants, of None, of Python's version, of containers of known parts."""

from __future__ import annotations

import operator
from collections.abc import Callable

from flake8_jax.analysis.evaluator import evaluate
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.entries import decide_membership
from flake8_jax.analysis.objects.literals import literals
from flake8_jax.analysis.objects.narrowing import facts_of, handed_to, peek
from flake8_jax.domain.conditions import decide
from flake8_jax.domain.constants import OPEN
from flake8_jax.domain.kinds import API
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op

OFF_IN_TRACES = frozenset(("jax.config.jax_disable_jit",))
"""Options of JAX that are off wherever code is traced."""

MODULES = frozenset((ops.Name, ops.Attr))
"""How a module is written."""

SAME = {"is": True, "is not": False, "==": True, "!=": False}
"""Operators that ask whether two modules are one, and the answer for one."""

OLDEST_PYTHON: tuple[int, ...] = (3, 10)
COMPARING: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip

NAMING: dict[str, Callable[[str, str], bool]] = {
    "==": operator.eq, "!=": operator.ne,
    "in": lambda part, whole: part in whole, "not in": lambda part, whole: part not in whole,
}  # fmt: skip


def decided(frame: Frame, test: Op, value: Value) -> bool | None:
    """The outcome of a test of a local with a known constant, or of `x is None` for a known x."""
    if type(test) is ops.Name and (known := value.constant) is not OPEN:
        local = test.scope.lookup(test.name).owner
        if local is not None and local.kind == "function":
            return bool(known)
    if value.kind is API and value.name in OFF_IN_TRACES:
        return False
    if type(test) is ops.Compare and _is_version(frame, test.operands[0]):
        return _is_met(frame, test)
    if type(test) is ops.Compare and test.operators in (("is",), ("is not",)) and type(test.operands[0]) is ops.Name:
        other = test.operands[1]
        held = frame.live().names.get(test.operands[0].name)
        if type(other) is ops.Const and other.value is None and held is not None:
            is_none = _is_none(held)
            return is_none if is_none is None or test.operators[0] == "is" else not is_none
    if (outcome := of_library(frame, test)) is not None:
        return outcome
    if type(test) is ops.Compare and test.operators in (("in",), ("not in",)):
        return _of_keys(frame, test)
    given = _is_given(frame, test) if type(test) is ops.Compare else None
    return given if given is not None else _of_container(frame, test)


def of_library(frame: Frame, test: Op) -> bool | None:
    """The outcome of the question which library a module is: `"jax" in xp.__name__`, `xp is jnp`."""
    if type(test) is not ops.Compare or len(test.operators) != 1:
        return None
    if test.operators[0] in SAME:
        held, asked = (peek(frame, operand) if type(operand) in MODULES else None for operand in test.operands)
        known = [one for one in (held, asked) if one is not None and one.kind is API]
        if len(known) == 2 and any(map(frame.program.is_module, known)):
            return (held is asked) is SAME[test.operators[0]]
    return _of_name(frame, test)


def _of_name(frame: Frame, test: ops.Compare) -> bool | None:
    """The outcome of a question about the name of a module of a library: `"jax" in xp.__name__`."""
    asked = [operand for operand in test.operands if type(operand) is ops.Attr and operand.name == "__name__"]
    if not asked or len(test.operators) != 1:
        return None
    one, other = (_text(frame, operand) for operand in test.operands)
    compare = NAMING.get(test.operators[0])
    return compare(one, other) if compare is not None and one is not None and other is not None else None


def _text(frame: Frame, op: Op) -> str | None:
    """A text, or the name of an imported module."""
    if type(op) is ops.Const:
        return op.value if isinstance(op.value, str) else None
    held = peek(frame, op.base) if type(op) is ops.Attr and type(op.base) in MODULES else None
    is_module = held is not None and held.kind is API and ("." not in held.name or frame.program.is_module(held))
    return held.name if held is not None and is_module else None


def _of_container(frame: Frame, test: Op) -> bool | None:
    """The outcome of tests of containers of known parts, and of names: `isinstance(x, tuple)`, `len(x) == 2`."""
    if type(test) is ops.Operate and test.operator == "not":
        found = _of_container(frame, test.operands[0])
        return None if found is None else not found
    if type(test) is ops.Logic:
        outcomes = {_of_container(frame, operand) for operand in test.operands}
        ending = test.operator == "or"
        return ending if ending in outcomes else outcomes.pop() if len(outcomes) == 1 else None
    if type(test) is ops.Call:
        facts = [fact for fact in facts_of(frame, test, True) if fact.test == "isinstance"]
        held = facts[0].subject if len(facts) == 1 else None
        return decide(facts[0], held) if held is not None and held.elements is not None else None
    if type(test) is not ops.Compare or len(test.operators) != 1:
        return None
    outcome = _of_name(frame, test)
    return _of_length(frame, test) if outcome is None else outcome


def _of_keys(frame: Frame, test: ops.Compare) -> bool | None:
    """The outcome of `"key" in x` for a dict of known entries."""
    for fact in facts_of(frame, test, True):
        value = frame.live().contents(fact.subject)
        if fact.test == "in" and value.entries is not None:
            return decide_membership(frame, fact, fact.subject)
    return None


def _of_length(frame: Frame, test: ops.Compare) -> bool | None:
    asked, wanted = test.operands
    container = handed_to(asked, "len")
    held = peek(frame, container) if container is not None else None
    value = frame.live().contents(held) if held is not None else None
    if value is None or value.elements is None or type(wanted) is not ops.Const or type(wanted.value) is not int:
        return None
    compare = COMPARING.get(test.operators[0])
    return compare(len(value.elements), wanted.value) if compare is not None else None


def _is_given(frame: Frame, test: ops.Compare) -> bool | None:
    """The outcome of a comparison of a parameter with a constant, where this specialized run presets the parameter."""
    name = test.operands[0]
    if type(name) is not ops.Name or len(test.operators) != 1:
        return None
    for around in frame.outwards():
        if not around.presets:
            break
        given = dict(around.presets).get(name.name)
        if given is not None and given.constant is not OPEN:
            facts = [fact for fact in facts_of(frame, test, True) if fact.subject is given]
            outcomes = {decide(fact, given) for fact in facts}
            return outcomes.pop() if len(outcomes) == 1 else None
    return None


def _is_version(frame: Frame, op: Op) -> bool:
    return type(op) is ops.Attr and op.name == "version_info" and evaluate(frame, op).name == "sys.version_info"


def _is_met(frame: Frame, test: ops.Compare) -> bool | None:
    """Does a test of Python's version have the same outcome for all versions that JAX supports?"""
    wanted = literals(evaluate(frame, test.operands[1]))
    version = tuple(part for part in wanted or () if type(part) is int)
    if wanted is None or len(test.operators) != 1 or len(version) != len(wanted):
        return None
    is_old = version <= OLDEST_PYTHON
    return {">=": True, ">": True, "<": False, "<=": False}.get(test.operators[0]) if is_old else None


def _is_none(value: Value) -> bool | None:
    if value.constant is None:
        return True
    return False if value.kind.value in ("array", "key", "keys", "tuple", "list", "dict", "function") else None
