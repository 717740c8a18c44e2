"""What a name in the code of a function stands for, asked for without running that code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from flake8_jax.analysis.callables import ClassValue, FunctionValue, Partial, Wrapped
from flake8_jax.analysis.evaluator import evaluate
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.classes import lookup
from flake8_jax.api.transforms import Transform
from flake8_jax.domain.constants import NotConstant
from flake8_jax.domain.summary import Summary
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import bindings_in, chains_of, searched_once, value_bound
from flake8_jax.ir.ops import Function, Op
from flake8_jax.ir.parts import Host
from flake8_jax.ir.scope import Binding, Scope
from flake8_jax.lazy_dataclasses import dataclass, field, replace

Flags: TypeAlias = "frozenset[tuple[Binding, bool]]"
"""Parameters that are True or False in all calls that are meant; the number 0 counts as False."""

NO_FLAGS: Flags = frozenset()
SAME = {"is": True, "==": True, "is not": False, "!=": False}
"""The comparisons of two flags, and what they say if these are the same."""


@dataclass(frozen=True, slots=True)
class Code:
    """A body, the frame of the code around it, and the class of a method, run with these `flags`.

    `known` are the values that were asked for before.
    """

    function: Function
    around: Frame
    owner: ClassValue | None = None
    flags: Flags = NO_FLAGS
    known: dict[Op, Value | None] = field(default_factory=dict, compare=False, repr=False)

    def local(self, function: Function) -> Code:
        """The code of a function that is made in this one, or beside it."""
        return Code(function, self.around, flags=self.flags)

    def flagged(self, given: Mapping[str, bool]) -> Code:
        """The code of a function that is called with some flags, by the names of its parameters."""
        scope, found = self.function.scope, set(self.flags)
        for name, flag in given.items():
            binding = scope.names.get(name)
            if binding is not None and binding.is_parameter and not binding.is_rebound:
                found.add((binding, flag))
        return self if len(found) == len(self.flags) else replace(self, flags=frozenset(found))

    def flag(self, op: Op) -> bool | None:
        """The truth of an expression, by the flags and constants; None if these do not tell it."""
        if type(op) is ops.Const:
            return flag_of(op.value)
        if type(op) is ops.Name:
            binding = op.scope.lookup(op.name)
            return next((flag for one, flag in self.flags if one is binding), _constant_of(self, op))
        if type(op) is ops.Operate and op.operator == "not":
            negated = self.flag(op.operands[0])
            return None if negated is None else not negated
        if type(op) is ops.Logic:
            deciding = op.operator == "or"
            parts = [self.flag(operand) for operand in op.operands]
            return deciding if deciding in parts else None if None in parts else not deciding
        if type(op) is ops.Compare and op.operators[0] in SAME and len(op.operators) == 1:
            first, second = map(self.flag, op.operands)
            return None if first is None or second is None else (first is second) is SAME[op.operators[0]]
        return None


def flag_of(value: Host) -> bool | None:
    """A constant as a flag: itself, and False for the number 0; other numbers are none, since they differ."""
    if type(value) is bool:
        return value
    return False if type(value) in (int, float) and value == 0 else None


def is_zero(code: Code, op: Op) -> bool:
    """Is a factor certainly 0: by the flags, by the one constant that its name is bound to, or by a factor in it?"""
    if code.flag(op) is False:
        return True
    if type(op) is ops.Operate and op.operator in ("*", "/"):
        return any(is_zero(code, operand) for operand in op.operands[: len(op.operands) if op.operator == "*" else 1])
    if type(op) is not ops.Name:
        return False
    binding = op.scope.lookup(op.name)
    if binding.is_parameter or binding.stores != 1 or binding.owner in (None, code.function.scope):
        return False
    value = value_of(code, op)
    return value is not None and not isinstance(value.constant, NotConstant) and flag_of(value.constant) is False


def beside(code: Code, name: ops.Name) -> Code | None:
    """The code of a function that a body around this one binds to a name, by one statement.

    It reads no other name of such a body, so that what it asks of its own parameters is all that it tells.
    """
    binding, outermost = name.scope.lookup(name.name), code.function.outermost
    scope = binding.owner
    if scope is None or scope.kind != "function" or binding.stores != 1 or binding.is_parameter or outermost is None:
        return None
    around = _by_scope(outermost).get(scope) if scope is not code.function.scope else None
    stores = chains_of(around).stored_to(name.name) if around is not None else []
    statement = stores[0][1] if len(stores) == 1 else None
    bound = value_bound(statement, name.name) if type(statement) is ops.Store else None
    return code.local(bound.function) if type(bound) is ops.Closure and not _captures(bound.function) else None


@searched_once
def _captures(function: Function) -> bool:
    """Does a function read names of a body around it?"""
    owners = [name.owner for name in bindings_in(function)]
    return any(owner is not None and owner.kind == "function" and owner is not function.scope for owner in owners)


@searched_once
def _by_scope(outermost: Function) -> dict[Scope, Function]:
    """A function and all those inside of it, by their scopes."""
    found = {outermost.scope: outermost}
    waiting = list(outermost.functions)
    for one in waiting:  # grows while it is gone through
        found[one.scope] = one
        waiting += one.functions
    return found


def bound_to(code: Code, name: ops.Name) -> Op | None:
    """What a local name is bound to where it is read, as it is written."""
    chains = chains_of(code.function)
    statement = chains.statement_binding(name)
    return value_bound(statement, name.name) if type(statement) is ops.Store else None


def _made_here(code: Code, op: Op) -> ClassValue | None:
    """The class of the project of an object that a local name is bound to by a call of the class."""
    if type(op) is not ops.Name or op.scope.lookup(op.name).owner is not code.function.scope:
        return None
    call = bound_to(code, op)
    made = value_of(code, call.func) if type(call) is ops.Call else None
    return made.payload if made is not None and isinstance(made.payload, ClassValue) else None


def _constant_of(code: Code, name: ops.Name) -> bool | None:
    """The flag that the one statement says which binds a local name."""
    binding = name.scope.lookup(name.name)
    if binding.is_parameter or binding.stores != 1 or binding.owner is not code.function.scope:
        return None
    bound = bound_to(code, name)
    return flag_of(bound.value) if type(bound) is ops.Const else None


@dataclass(frozen=True, slots=True)
class Called:
    """A function of the project as it is called: `skips` of its parameters are bound already."""

    code: Code
    skips: int = 0

    def flagged(self, caller: Code, call: ops.Call) -> Called:
        """The function with the flags that a call in some code passes, and those that it leaves at their defaults."""
        keywords = dict(call.keywords)
        if None in keywords or any(type(argument) is ops.Star for argument in call.args):
            return self
        passed: dict[str, Op | None] = {}
        for place, parameter in enumerate(self.code.function.parameters):
            is_by_place = parameter.kind in ("positional", "normal") and self.skips <= place
            given = call.args[place - self.skips] if is_by_place and place - self.skips < len(call.args) else None
            if place >= self.skips:
                passed[parameter.name] = given if given is not None else keywords.get(parameter.name, parameter.default)
        flags = {name: caller.flag(given) for name, given in passed.items() if given is not None}
        code = self.code.flagged({name: flag for name, flag in flags.items() if flag is not None})
        return self if code is self.code else replace(self, code=code)


def code_of(frame: Frame) -> Code:
    """The code that a frame runs."""
    return Code(frame.function, frame.parent if frame.parent is not None else frame, frame.owner)


def value_of(code: Code, op: Op) -> Value | None:
    """The value of a name that is not a local one, or of an attribute of it."""
    if op not in code.known:
        code.known[op] = _found(code, op)
    return code.known[op]


def _found(code: Code, op: Op) -> Value | None:
    if type(op) is ops.Name:
        binding = op.scope.lookup(op.name)
        if binding.owner is not None and binding.owner.kind != "module" and binding.owner is code.function.scope:
            return None
        return evaluate(_apart(code), op)
    if type(op) is not ops.Attr:
        return None
    if code.owner is not None and type(op.base) is ops.Name and _is_receiver(code, op.base):
        return lookup(code.owner, op.name)
    if code.owner is not None and is_super(op.base):
        bases = [base.payload for base in code.owner.bases if isinstance(base.payload, ClassValue)]
        return next((found for base in bases if (found := lookup(base, op.name)) is not None), None)
    made = _made_here(code, op.base)
    if made is not None:
        return lookup(made, op.name)
    base = value_of(code, op.base)
    return evaluate(_apart(code), op) if base is not None else None


def _apart(code: Code) -> Frame:
    """A copy of the frame around some code in which names can be read without recording the reads.

    What a function of a module reads is bound when all statements of the module have run.
    """
    frame = code.around
    state = frame.state.copy() if frame.state is not None else None
    apart = Frame(frame.program, frame.function, frame.parent, state, Summary(), frame.owner, has_ended=frame.has_ended)
    apart.namespace, apart.unit = frame.namespace, frame.unit if code.function is frame.function else None
    return apart


def is_super(op: Op) -> bool:
    """Is it `super()`, which stands for the object itself?"""
    func = op.func if type(op) is ops.Call else None
    return type(func) is ops.Name and func.name == "super" and func.scope.lookup(func.name).owner is None


def _is_receiver(code: Code, op: ops.Name) -> bool:
    parameters = code.function.parameters
    return bool(parameters) and parameters[0].name == op.name and op.scope is code.function.scope


def called(value: Value | None, is_method: bool) -> Called | None:
    """The function of the project behind a callable, if calling it is calling that function."""
    skips, payload = 0, None if value is None else value.payload
    while isinstance(payload, (Wrapped, Partial)):
        if isinstance(payload, Partial):
            if payload.arguments.keywords:
                return None
            skips += len(payload.arguments.positional)
        elif not hands_on_results(payload.applied.transform):
            return None
        payload = payload.callee.payload
    if not isinstance(payload, FunctionValue):
        return None
    if is_method and payload.owner is not None and not skips and payload.receiver != "none":
        skips = 1
    return Called(Code(payload.function, payload.frame, payload.owner), skips)


def hands_on_results(transform: Transform) -> bool:
    """Are the results of the transformed function, at the same places, those of the function?"""
    return bool(transform.wraps) and transform.returns is None
