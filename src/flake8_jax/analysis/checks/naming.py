"""The user's own names: of what is imported, of values that come in hidden, of keys, and names that are still free.

import jax.random as jr         imported_as(scope, "jax.random.split")  ->  "jr.split"
model.noise()                   name_of(frame, the key that it draws from)  ->  "model.key"
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from flake8_jax.analysis.frame import Frame
from flake8_jax.domain.constants import OPEN
from flake8_jax.domain.key_parts import KeyPart, Stretch
from flake8_jax.domain.payload import Step, step_text
from flake8_jax.domain.state import VERSION, HeapStep, State
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.scope import Scope
from flake8_jax.lazy_patterns import compiled
from flake8_jax.syntax.policies import KEY_NAME, OTHER_KEY_NAME
from flake8_jax.syntax.positions import spelling

BOUND = compiled(r"(\w+) = ")
MAXIMUM_STEPS = 3
FREE = ("sub", "subkey", "new_key", "other_key")


def names_key(name: str) -> bool:
    """Is a name one that keys have?  That it is a key, only a certain use proves."""
    return KEY_NAME.search(name) is not None and OTHER_KEY_NAME.search(name) is None


def imported_as(scope: Scope | None, dotted: str) -> str:
    """A name of a library as the code around can write it, by the longest import that leads to it."""
    longest, text, around = "", dotted, scope
    while around is not None and scope is not None:
        known = dotted
        while len(known) > len(longest):
            for name in around.importing(known):
                if len(known) > len(longest) and scope.lookup(name) is around.names[name]:
                    longest, text = known, name + dotted[len(known) :]
            known = known.rpartition(".")[0]
        around = around.parent
    return text


def imported_name(op: Op) -> str:
    """The dotted name that an expression stands for, if only imports bind its first name; a builtin's own."""
    names: list[str] = []
    while isinstance(op, ops.Attr):
        names.append(op.name)
        op = op.base
    if not isinstance(op, ops.Name):
        return ""
    scope: Scope | None = op.scope
    while scope is not None:
        binding = scope.names.get(op.name)
        if binding is not None and scope.lookup(op.name) is binding:
            return ".".join((binding.imported, *names[::-1])) if binding.imported else ""
        scope = scope.parent
    return "" if names else op.name


def scope_of(op: Op | None) -> Scope | None:
    """The scope that an expression is written in, if it reads a name."""
    waiting = [op]
    while waiting:
        match waiting.pop():
            case ops.Name(scope=scope):
                return scope
            case ops.Attr(base=inner) | ops.Item(base=inner) | ops.Star(value=inner) | ops.Matches(subject=inner):
                waiting.append(inner)
            case ops.Call(func=func, args=args):
                waiting += [*args, func]
            case ops.Operate(operands=parts) | ops.Compare(operands=parts) | ops.Logic(operands=parts):
                waiting += parts
            case ops.Build(parts=parts):
                waiting += parts
            case ops.Gather(clauses=clauses):
                waiting.append(clauses[0].source)
            case ops.Choose(test=inner):
                waiting.append(inner)
    return None


def is_local(scope: Scope, name: str) -> bool:
    """May code in this scope bind a name without making another variable of it?"""
    own = scope.frame
    return name in own.names or name in own.globals or name in own.nonlocals


def unused(scope: Scope, names: tuple[str, ...], taken: str = "") -> str:
    """The first of some names that nothing in sight is called."""
    numbered = (f"{names[-1]}{number}" for number in range(2, 100))
    free = (name for name in chain(names, numbered) if name != taken and scope.frame.lookup(name).owner is None)
    return next(free, names[-1])


def name_of(frame: Frame, value: Value) -> str:
    """How a value can be read in this frame or around it; "" if that is not known."""
    for around in frame.outwards():
        found = _path_to(frame, around.state, value, 0) if around.state is not None else ""
        if found:
            return found
    known = frame.program.linked.globals.get(value)
    return "" if known is None else known[1]


def _path_to(frame: Frame, state: State, value: Value, depth: int) -> str:
    for name, held in state.names.items():
        if held is value:
            return name
    if depth == MAXIMUM_STEPS:
        return ""
    for owner, step in _owners(frame, state, value):
        base = _path_to(frame, state, owner, depth + 1)
        if base:
            return base if isinstance(step, str) else f"{base}{step_text(step)}"
    return ""


def _owners(frame: Frame, state: State, value: Value) -> Iterator[tuple[Value, HeapStep]]:
    """The objects that a value is a part of, each with the step to it; of a version, the object."""
    for (owner, step), part in state.heap.items():
        if part is value and (step == VERSION or not isinstance(step, str)):
            yield owner, step
    yield from frame.program.record.projections.holding(value)
    for held in state.names.values():
        steps: Iterator[tuple[Step, Value]] = iter(())
        if held.elements is not None:
            steps = ((("[]", place), part) for place, part in enumerate(held.elements))
        elif held.entries is not None:
            steps = ((("[]", name), part) for name, part in held.entries.items())
        yield from ((held, step) for step, part in steps if part is value)
    taken = value.payload
    if type(taken) is KeyPart:
        is_one = len(taken.positions) == 1 and type(taken.positions[0]) is not Stretch
        yield taken.whole, ("[]", OPEN if taken.index is None else taken.index) if is_one else VERSION


def mentions(op: Op, name: str) -> bool:
    """Does a name, or a part of an object, stand in the text of a call?"""
    text = spelling(op) or ""
    return name in (re.findall(r"\w+", text) if name.isidentifier() else text)


def is_argument(op: Op, place: Op) -> bool:
    """Is an op written as an argument of a call?"""
    if type(op) is not ops.Call:
        return False
    given = (*op.args, *(value for _, value in op.keywords))
    return any(argument is place or (place in written_in(argument)) for argument in given)


def written_in(display: Op) -> tuple[Op, ...]:
    """The parts of a display."""
    if type(display) is ops.Build:
        return display.parts
    return tuple(value for _, value in display.items) if type(display) is ops.BuildDict else ()


def is_idle(op: Op) -> bool:
    """Does the line of an op bind a global name that nothing else in the file mentions?"""
    source = op.anchor.origin.code
    bound = BOUND.match(source.lines[op.anchor.line - 1])
    return bound is not None and source.words[bound[1]] == 1
