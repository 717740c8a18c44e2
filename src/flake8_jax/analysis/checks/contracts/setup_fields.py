"""Fields that `setup` of a module of Flax makes: what they hold is frozen, and a module that is not bound has none.

self.layers = []                    kept as a tuple, a dict as a `FrozenDict`
self.layers.append(nn.Dense(3))     refused: a tuple has no `append`

net = Net()
variables = net.init(key, x)        `setup` runs within `init`, on a copy
net.encoder                         refused: `net` itself has no such field
"""

from __future__ import annotations

from collections.abc import Iterator

from flake8_jax.analysis.callables import ClassValue, InstanceOf
from flake8_jax.analysis.checks.contracts.broken import breaking, report
from flake8_jax.analysis.checks.contracts.frozen import method_around, methods_called
from flake8_jax.analysis.checks.contracts.submodules import bound_by
from flake8_jax.analysis.checks.contracts.unbound import is_initialised
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.classes import ancestry, lookup, stores_into
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.domain.kinds import DICT, INSTANCE, LIST, Kind
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Function, Op
from flake8_jax.ir.phrase import phrase

SETUP = "setup"
KEPT: dict[Kind, tuple[str, str]] = {LIST: ("a list", "a tuple"), DICT: ("a dict", "a `FrozenDict`")}
CHANGING = {
    LIST: frozenset(("append", "extend", "insert", "remove", "clear", "sort", "reverse", "pop")),
    DICT: frozenset(("update", "setdefault", "clear", "popitem")),
}
"""The methods that a frozen list or dict has not."""


def check_method(frame: Frame, op: Op, held: Value, name: str) -> None:
    """Report a method that changes a list or dict, where a module has frozen it."""
    func = op.func if type(op) is ops.Call else None
    if type(func) is ops.Attr and held.kind in CHANGING and name in CHANGING[held.kind]:
        check_changed(frame, op, func.base, held)


def check_changed(frame: Frame, op: Op, place: Op, held: Value) -> None:
    """Report that a list or dict is changed in place which `setup` has assigned to a field."""
    owner = _owner(peek(frame, place.base)) if type(place) is ops.Attr and held.kind in KEPT else None
    if owner is None or type(place) is not ops.Attr or bound_by(frame, owner) is None:
        return
    receiver = peek(frame, place.base)
    method = method_around(frame, receiver) if receiver is not None else None
    if method is not None and method.name == SETUP and place.name in _stored_by(method):
        noun, kept = KEPT[held.kind]
        said = f"`{phrase(place)}` is changed as {noun}, but Flax keeps {kept} of what `setup` assigns"
        words = f"fill {noun} with a name of its own, and assign that to `{phrase(place)}` last"
        report(frame, breaking(op, said, words))


def check_read(frame: Frame, op: ops.Attr, base: Value) -> None:
    """Report a field of `setup` that is read of a module which is made here, and runs nowhere around."""
    owner = _owner(base) if base.kind is INSTANCE and type(base.made_by) is ops.Call else None
    if owner is None or bound_by(frame, owner) is None or lookup(owner, "__getattr__") is not None:
        return
    is_made_here = op.base is base.made_by and not _is_in_class(frame)
    is_alone = type(op.base) is ops.Name and (frame.parent is None or is_initialised(frame, op.base.name))
    if (is_made_here or is_alone) and op.name in _of_setup(owner):
        said = f"`{phrase(op)}` is made by `setup`, which runs within `init` and `apply` alone, on a copy"
        bound = f"read it of what `{phrase(op.base)}.bind` makes of the variables"
        words = f"{bound}, or make it a field of `{owner.name}`"
        report(frame, breaking(op, said, words))


def _owner(value: Value | None) -> ClassValue | None:
    held = value.payload if value is not None else None
    return held.owner if type(held) is InstanceOf else None


def _is_in_class(frame: Frame) -> bool:
    return any(around.owner is not None for around in frame.outwards())


def _of_setup(owner: ClassValue) -> set[str]:
    """The fields that `setup` stores, and nothing else gives."""
    found = {name for method in methods_called(owner, SETUP) for name in _stored_by(method)}
    for ancestor in ancestry(owner):
        found -= {*ancestor.annotations, *ancestor.attributes}
        others = (one for one in ancestor.function.functions if one.name != SETUP)
        found -= {name for method in others for name in _stored_by(method)}
    return found


def _stored_by(method: Function) -> Iterator[str]:
    """The fields that a method stores into its receiver."""
    for name, _ in stores_into(method.body, method.parameters[0].name) if method.parameters else ():
        yield name
