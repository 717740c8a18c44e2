"""Invariants of the IR of every lowered file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

from flake8_jax.ir import ops
from flake8_jax.ir.ops import (
    OPS,
    Anchor,
    Build,
    Closure,
    Compare,
    Function,
    Gather,
    Logic,
    Loop,
    MakeClass,
    Module,
    Name,
    Op,
    Star,
    Store,
    Unpack,
)
from flake8_jax.ir.scope import Scope
from flake8_jax.ir.walking import EFFECTS, inside

TARGETS = frozenset(get_args(ops.Target))
BODIES = frozenset({"body", "orelse", "final"})
OPAQUE = frozenset({"anchor", "node", "scope", "function", "functions"})


def walk(module: Module) -> Iterator[Op]:
    """Every op of a file exactly once, including those of inner functions."""
    seen: set[int] = set()
    for function in (module.top, *module.functions):
        for op in inside(function):
            if id(op) not in seen:
                seen.add(id(op))
                yield op


def check(module: Module) -> list[str]:
    """The violated invariants of a lowered file; empty if it is valid."""
    wrong = [f"line {op.anchor.line}: {fault}" for op in walk(module) for fault in _faults(op)]
    wrong += _function_faults(module)
    for function in (module.top, *module.functions):
        wrong += [f"{function.qualname}: {fault}" for fault in _scope_faults(function)]
        wrong += [f"{function.qualname}: {type(op).__name__} in a body" for op in function.body if type(op) not in OPS]
    return wrong


def _faults(op: Op) -> Iterator[str]:
    name = type(op).__name__
    if type(op.anchor) is not Anchor or op.anchor.line < 1:
        yield f"{name} has no line"
    for field in type(op).__slots__:
        value = getattr(op, field)
        if field in BODIES and type(value) is tuple:
            yield from (f"{name}.{field} holds {type(part).__name__}" for part in value if type(part) not in OPS)
        elif field not in OPAQUE:
            inside = value if type(value) is tuple else (value,)
            yield from (f"{name}.{field} holds {type(part).__name__}" for part in inside if type(part) in EFFECTS)
    yield from _shape_faults(op)


def _shape_faults(op: Op) -> Iterator[str]:
    match op:
        case Store():
            yield from _target_faults(op.targets)
            if not op.targets:
                yield "Store without target"
            if op.value is None and op.kind != "annotate":
                yield f"Store {op.kind} without value"
            if (op.annotation is None) == (op.kind == "annotate"):
                yield f"Store {op.kind} and its annotation disagree"
            if op.kind == "augment" and op.value is not None and getattr(op.value, "operands", ())[:1] != op.targets:
                yield "augmented Store whose value does not start from its target"
        case ops.Delete() | Unpack():
            yield from _target_faults(op.targets if isinstance(op, ops.Delete) else op.parts)
            if isinstance(op, Unpack) and sum(type(part) is Star for part in op.parts) > 1:
                yield "Unpack with two stars"
        case Loop():
            yield from _target_faults(() if op.target is None else (op.target,))
            if (op.target is None) != (op.kind == "while"):
                yield f"Loop {op.kind} and its target disagree"
        case ops.With():
            yield from _target_faults(() if op.target is None else (op.target,))
        case Gather():
            yield from _target_faults(tuple(clause.target for clause in op.clauses))
            if not op.clauses or len(op.element) != (2 if op.kind == "dict" else 1):
                yield "Gather without clauses or with the wrong number of elements"
        case Compare() if len(op.operands) != len(op.operators) + 1:
            yield "Compare whose operands and operators do not match"
        case Logic() if len(op.operands) < 2:
            yield "Logic with fewer than two operands"
        case Build(kind="slice") if len(op.parts) != 3:
            yield "slice without three parts"


def _target_faults(targets: tuple[Any, ...]) -> Iterator[str]:
    yield from (f"{type(target).__name__} as a target" for target in targets if type(target) not in TARGETS)


def _scope_faults(function: Function) -> Iterator[str]:
    seen: list[Scope] = []
    scope: Scope | None = function.scope
    while scope is not None:
        if scope in seen:
            yield "scopes in a circle"
            return
        seen.append(scope)
        scope = scope.parent
    if seen[-1].kind != "module":
        yield "scopes that do not end at the module"
    for parameter in function.parameters:
        if parameter.name not in function.scope.names or not function.scope.names[parameter.name].is_parameter:
            yield f"parameter {parameter.name} is not bound"


def _function_faults(module: Module) -> Iterator[str]:
    made = {id(op.function) for op in walk(module) if type(op) is Closure}
    made |= {id(op.body) for op in walk(module) if type(op) is MakeClass}
    listed = [id(function) for function in module.functions]
    if len(set(listed)) != len(listed):
        yield "a function is listed twice"
    if made != set(listed):
        yield f"{len(made)} functions are made but {len(set(listed))} listed"
    names = [op for op in walk(module) if type(op) is Name and not op.name]
    if names:
        yield "a name without text"
