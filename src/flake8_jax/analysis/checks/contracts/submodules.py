"""Submodules that are created where Flax accepts none: outside of `setup`, in a method without `nn.compact`.

class Net(nn.Module):
    def __call__(self, x):              without `nn.compact`
        return nn.Dense(3)(x)           the layer has no place in the module
    def widen(self, x): ...             a method that `__call__` calls, the same

A module with an `__init__` of its own cannot be copied, which `init` and `apply` do: the one that is made of its fields
takes `parent` and `name`.  One without parts, as of a loss, may well be called alone, and one without `__call__` holds
others.
"""

from __future__ import annotations

from flake8_jax.analysis.callables import ClassValue, FunctionValue, InstanceOf
from flake8_jax.analysis.checks.contracts.broken import breaking, report
from flake8_jax.analysis.checks.contracts.frozen import reached
from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.classes import ancestry, library_bases, lookup
from flake8_jax.api.contracts import Freezing
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Function, Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.walking import within
from flake8_jax.lazy_dataclasses import replace

PARENT, CALL = "parent", "__call__"


def check_part(frame: Frame, op: Op, name: str, keywords: dict[str, Value]) -> None:
    """Report a part of a module that is made by a class of a library, in a method that makes none."""
    if frame.program.table.is_part(name) and PARENT not in keywords:
        _check(frame, op, phrase(op.func) if type(op) is ops.Call else name)


def check_own_part(frame: Frame, op: Op, owner: ClassValue, keywords: dict[str, Value]) -> None:
    """Report a part of a module that is made by a class of the project."""
    if bound_by(frame, owner) is not None and PARENT not in keywords:
        _check(frame, op, owner.name)


def check_declaring(frame: Frame, op: Op, base: Value, name: str) -> None:
    """Report a parameter or variable that a method declares which declares none."""
    bases = library_bases(base.payload.owner) if isinstance(base.payload, InstanceOf) else ()
    if any(frame.program.table.is_part(f"{one}.{name}") for one in bases):
        _check(frame, op, phrase(op.func) if type(op) is ops.Call else name)


def check_constructor(frame: Frame, owner: ClassValue) -> None:
    """Report the constructor of a module that others cannot call as they call that of its fields."""
    if bound_by(frame, owner) is None or "__init__" not in owner.attributes:
        return
    constructor = owner.attributes["__init__"].payload
    if not isinstance(constructor, FunctionValue):
        return
    taken = [
        parameter
        for parameter in constructor.function.parameters
        if parameter.kind == "varkw" or parameter.name == PARENT
    ]
    made = owner.attributes["__init__"].made_by
    is_run = any(method is not constructor.function for method in owner.function.functions)
    # Nobody makes one without methods: classes below have fields.
    if not taken and made is not None and is_run and has_parts(frame, owner) and _is_for_copies(owner):
        said = f"`{owner.name}` has an `__init__` of its own, which takes no `{PARENT}` and `name`: it cannot be copied"
        report(frame, breaking(made, said, "declare its arguments as fields of the class, and its layers in `setup`"))


def _is_for_copies(owner: ClassValue) -> bool:
    """Does a class have what `init` and `apply` run on a copy, or is it but a holder, whose methods others call?"""
    run = (lookup(owner, name) for name in (CALL, "setup"))
    if any(one is not None and isinstance(one.payload, FunctionValue) for one in run):
        return True
    return any(not isinstance(bound.payload, FunctionValue) for bound in owner.attributes.values())


def has_parts(frame: Frame, owner: ClassValue) -> bool:
    """Does a class make parts or declare parameters, or have methods that a decorator changes, so that they may?"""
    if any(not isinstance(bound.payload, FunctionValue) for bound in owner.attributes.values()):
        return True
    bases, table = library_bases(owner), frame.program.table
    for method in owner.function.functions:
        for statement in method.body:
            for one in within(statement):
                func = one.func if type(one) is ops.Call else None
                if type(func) is ops.Attr and any(table.is_part(f"{base}.{func.name}") for base in bases):
                    return True
                if func is not None and (table.is_part(imported_name(func)) or _is_own_part(frame, func)):
                    return True
    return False


def _is_own_part(frame: Frame, func: Op) -> bool:
    """Is a module of the project made?"""
    value = frame.namespace.file.value(func.name) if type(func) is ops.Name else None
    return value is not None and isinstance(value.payload, ClassValue) and bound_by(frame, value.payload) is not None


def _check(frame: Frame, op: Op, maker: str) -> None:
    around = frame.method
    if around is None or around.owner is None or around.function.kind == "class":
        return
    owner, freezing = around.owner, bound_by(frame, around.owner)
    if freezing is None or not _is_refused(frame, owner, around.function, freezing):
        return
    said = f"`{maker}` makes a part of `{owner.name}` in `{around.function.name}`, which does not run under"
    short = freezing.copying.rpartition(".")[2]
    words = f"decorate `{around.function.name}` with `{short}`, or make it in `setup`"
    event = breaking(op, f"{said} `{freezing.copying}`", words)
    report(frame, replace(event, key=(event.key[0], around.function.body[0], "part")))  # one for each method


def bound_by(frame: Frame, owner: ClassValue) -> Freezing | None:
    """What runs the methods of a class within itself, as Flax does."""
    for base in library_bases(owner):
        found = frame.program.table.freezing(base)
        if found is not None and found.how == "bound":
            return found
    return None


def _is_refused(frame: Frame, owner: ClassValue, method: Function, freezing: Freezing) -> bool:
    """Does a method certainly run without the decorator, and never within what may make parts, or be under it?"""
    called = lookup(owner, CALL)
    if called is None or not isinstance(called.payload, FunctionValue):
        return False
    others = {
        name for ancestor in ancestry(owner) for name, bound in ancestor.attributes.items()
        if not isinstance(bound.payload, FunctionValue)
    }  # fmt: skip
    storing = others | {*freezing.storing}
    return method.name in reached(frame, owner, {CALL}) and method.name not in reached(frame, owner, storing)
