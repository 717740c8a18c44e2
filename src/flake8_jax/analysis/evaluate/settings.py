"""Whether `jax.disable_jit()` holds: below which `with`, and after which call, JAX stages (traces) nothing.

with jax.disable_jit():                     the manager itself
with eager():                               a generator of the project that yields below one
with Eager():                               an object of a class whose constructor or `__enter__` makes one
    stack.enter_context(jax.disable_jit())  one that a stack enters, until it is left
with eager(True):                           one that yields below it only if it is asked to, and is
plain = jax.disable_jit()
with plain:                                 one that was made before
with self.plain:                            one that the constructor made
with plain_if(DEBUG):                       one that a function of the project returns
with jax.disable_jit() if DEBUG else nullcontext():     one that a constant chooses
@jax.disable_jit()
def run(x): ...                             one that is entered by each call: measured
"""

from __future__ import annotations

from flake8_jax.analysis.callables import Arguments, ClassValue, FunctionValue, class_behind, underlying
from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.classes import constructed, lookup
from flake8_jax.analysis.objects.invalidation import UNSTAGING_DECORATOR, decorated
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.api.settings import SETTING, UNSTAGED
from flake8_jax.domain.constants import OPEN
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import searched_and_told, searched_once
from flake8_jax.ir.ops import Body, Function, Op
from flake8_jax.ir.walking import inside, within
from flake8_jax.lazy_dataclasses import replace

ENTER = "__enter__"
ENTERING = ("__init__", ENTER)


def opens_unstaged(frame: Frame, manager: Op, entered: Value) -> bool:
    """Is nothing staged below a manager, whose value is what is entered?"""
    if type(manager) is ops.Choose:
        test = peek(frame, manager.test)
        if test is None or test.constant is OPEN:
            return False
        return opens_unstaged(frame, manager.body if test.constant else manager.orelse, entered)
    if type(manager) is ops.Name and type(entered.made_by) is ops.Call:
        return opens_unstaged(frame, entered.made_by, entered)
    if type(manager) is ops.Call:
        callee = peek(frame, manager.func)
        if callee is not None and callee.name in UNSTAGED:
            return _is_on(manager)
        function = underlying(callee) if callee is not None else None
        if function is not None:
            return _is_generator_of_one(function.function) or (_is_on(manager) and _yields_if_asked(function.function))
    if type(manager) is ops.Attr and _is_kept(frame, manager):
        return True
    owner = class_behind(entered.payload)
    return owner is not None and any(_makes_one(method.function) for method in _methods(owner))


def _is_kept(frame: Frame, manager: ops.Attr) -> bool:
    """Is it a field of the receiver, into which constructors store nothing but such a manager?"""
    method = frame.method
    if method is None or method.owner is None or type(manager.base) is not ops.Name:
        return False
    receiver = next((parameter.name for parameter in method.function.parameters), None)
    made = [*constructed(method.owner, manager.name)] if manager.base.name == receiver else []
    return bool(made) and all(map(_is_unstaging, made))


def unstaged(frame: Frame, op: Op, function: Value) -> Value:
    """A function with a decorator that enters such a manager in each call, also where it is jitted below it."""
    held = underlying(function)
    if held is not None:
        held.is_unstaged = True
    return decorated(frame, op, function, UNSTAGING_DECORATOR)


def _is_on(manager: ops.Call) -> bool:
    given = [*manager.args, *(value for _, value in manager.keywords)]
    return all(type(argument) is ops.Const and argument.value is True for argument in given)


def _is_unstaging(op: Op | None) -> bool:
    return type(op) is ops.Call and imported_name(op.func) in UNSTAGED and _is_on(op)


@searched_and_told
def _is_generator_of_one(function: Function) -> bool:
    """Does a generator yield below such a manager, or a function return one, whatever its arguments are?"""
    return _yields_below(function.inner.ops, is_asked=False)


@searched_and_told
def _yields_if_asked(function: Function) -> bool:
    """Does a generator yield below such a manager, if its arguments say so: `if on: with jax.disable_jit(): yield`?"""
    return _yields_below(function.inner.ops, is_asked=True)


def _yields_below(body: Body, is_asked: bool) -> bool:
    """Does a generator yield below such a manager, or a function return one: whatever its arguments are, or where it
    `is_asked` to do so?
    """
    for op in body:
        if type(op) is ops.With:
            yields = any(type(part) is ops.Suspend for statement in op.body for part in within(statement))
            if _yields_below(op.body, is_asked) or (_is_unstaging(op.manager) and yields):
                return True
        elif type(op) is ops.Try and _yields_below(op.body, is_asked):
            return True
        elif type(op) is ops.Branch:
            if is_asked and _yields_below(op.body, is_asked):
                return True
        elif any(type(part) is ops.Call and any(map(_is_unstaging, part.args)) for part in within(op)):
            return True  # entered by a stack
        elif type(op) is ops.Leave and op.kind == "return" and _is_unstaging(op.value):
            return True  # entered by who calls
    return False


def _methods(owner: ClassValue) -> list[FunctionValue]:
    found = [lookup(owner, name) for name in ENTERING]
    return [one.payload for one in found if one is not None and isinstance(one.payload, FunctionValue)]


@searched_once
def _makes_one(method: Function) -> bool:
    return any(map(_is_unstaging, inside(method)))


def note_entered(frame: Frame, op: ops.Call) -> None:
    """Note that JAX stages nothing from here on: a stack enters such a manager, or it is entered by a call."""
    made = peek(frame, op.func.base) if type(op.func) is ops.Attr and op.func.name == ENTER else None
    if any(map(_is_unstaging, op.args)) or (made is not None and _is_unstaging(made.made_by)):
        frame.context = replace(frame.context, is_unstaged=True)


def note_setting(frame: Frame, name: str, arguments: Arguments) -> None:
    """Note that JAX stages nothing from here on, by `jax.config.update("jax_disable_jit", True)`."""
    if name == "jax.config.update" and [argument.constant for argument in arguments.positional] == [SETTING, True]:
        frame.context = replace(frame.context, is_unstaged=True)
