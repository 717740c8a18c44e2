"""Objects that JAX makes anew of something else than arrays, by a constructor that converts what it gets.

@register_pytree_node_class
class Point:
    def __init__(self, x): self.x = jnp.asarray(x)
    def tree_unflatten(cls, aux, children): return cls(*children)
jax.jacfwd(length)(Point(1.0))          makes a `Point` of None: `jnp.asarray` refuses it
jax.tree.map(lambda x: None, point)     the same

What a transform puts there, its row says (`[placeholders]`).  A constructor that tests what it gets, first, is silent.
"""

from __future__ import annotations

from collections.abc import Iterator

from flake8_jax.analysis.callables import ClassValue, FunctionValue, InstanceOf, underlying
from flake8_jax.analysis.checks.contracts.foreign_values import ForeignValue
from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.analysis.objects.classes import ancestry, flattened_fields, is_child, lookup
from flake8_jax.domain.constants import NOTHING
from flake8_jax.domain.kinds import STATIC
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.walking import within
from flake8_jax.lazy_dataclasses import dataclass

UNFLATTEN, AFTER = "tree_unflatten", "__post_init__"
CONVERTING = frozenset(("jax.numpy.array", "jax.numpy.asarray"))
TESTING = frozenset((ops.Branch, ops.Try, ops.Choose, ops.Logic, ops.Loop, ops.With, ops.Leave))
"""What may keep a conversion from being made."""

INSTEAD = "make it by `object.__new__` in `tree_unflatten`, without its constructor"
TESTED = "convert there only what is an array or a number"


@dataclass(frozen=True, slots=True)
class Conversion:
    """What converts a child, as it is spelled, and whether it stands in `__post_init__`."""

    by: str
    is_after: bool


def refilled(value: Value, placeholder: str) -> ForeignValue | None:
    """An object that is made anew of placeholders, where its constructor refuses them."""
    instance = value.payload
    if not placeholder or not isinstance(instance, InstanceOf):
        return None
    found = _conversion(instance.owner)
    if found is None:
        return None
    where = f"`{AFTER}`" if found.is_after else "constructor"
    refused = f"{placeholder}: `{found.by}` in its {where} refuses that"
    noun, instead = f"an object of `{instance.owner.name}`", TESTED if found.is_after else INSTEAD
    return ForeignValue(noun, has_hash=False, instead=instead, made_of=refused)


def is_none(value: Value) -> bool:
    """Is it None?"""
    return value.kind is STATIC and value.payload == NOTHING


def _conversion(owner: ClassValue) -> Conversion | None:
    """What converts a child whenever an object of a class is made anew."""
    if not any(one.is_tree for one in ancestry(owner)):
        return None
    constructor, unflatten, after = (_method(owner, name) for name in ("__init__", UNFLATTEN, AFTER))
    if unflatten is not None:
        count = max((len([*flattened_fields(one)]) for one in ancestry(owner)), default=0)
        names = _given_children(unflatten, constructor, count) if constructor is not None else frozenset()
        return _first(constructor, names, None) if constructor is not None and names else None
    is_dataclass = owner.hashing is not None and constructor is None
    return _first(after, frozenset(), owner) if is_dataclass and after is not None else None


def _method(owner: ClassValue, name: str) -> FunctionValue | None:
    found = lookup(owner, name)
    return underlying(found) if found is not None else None


def _first(method: FunctionValue, names: frozenset[str], owner: ClassValue | None) -> Conversion | None:
    """The first conversion of one of these parameters, or of a field of a dataclass, that nothing guards."""
    own = method.function.parameters[0].name if method.function.parameters else ""
    for op in _unguarded(method.function.body):
        if type(op) is ops.Store and any(type(one) is ops.Name and one.name in names for one in op.targets):
            return None
        name = imported_name(op.func) if type(op) is ops.Call and op.args else ""
        if type(op) is not ops.Call or name not in CONVERTING:
            continue
        first = op.args[0]
        if type(first) is ops.Attr and owner is not None and is_child(owner, first.name):
            is_child_here = type(first.base) is ops.Name and first.base.name == own
        else:
            is_child_here = type(first) is ops.Name and first.name in names
        if is_child_here:
            return Conversion(phrase(op.func), owner is not None)
    return None


def _unguarded(body: tuple[Op, ...]) -> Iterator[Op]:
    """The ops that run whenever a body does, up to the first test."""
    for statement in body:
        inside = list(within(statement))
        if any(type(one) in TESTING for one in inside):
            return
        yield from reversed(inside)


def _given_children(unflatten: FunctionValue, constructor: FunctionValue, count: int) -> frozenset[str]:
    """The parameters of the constructor that get children as they are: `cls(*children)`, `cls(children[0])`."""
    parameters = [one.name for one in unflatten.function.parameters]
    body = unflatten.function.body
    made = body[-1].value if body and type(body[-1]) is ops.Leave else None
    if len(parameters) < 2 or type(made) is not ops.Call or type(made.func) is not ops.Name:
        return frozenset()
    if made.func.name != parameters[0]:
        return frozenset()
    children = parameters[-1]
    taken = {children: False, **{name: True for op in body for name in _unpacked(op, children)}}
    targets = [one.name for one in constructor.function.parameters[1:] if one.kind in ("positional", "normal")]
    found = {name for name, argument in made.keywords if name is not None and _is_child(argument, taken)}
    for place, argument in enumerate(made.args):
        if type(argument) is ops.Star:
            is_all = type(argument.value) is ops.Name and argument.value.name == children
            return frozenset(found.union(targets[place : place + count] if is_all else ()))
        if _is_child(argument, taken):
            found.update(targets[place : place + 1])
    return frozenset(found)


def _is_child(argument: Op, taken: dict[str, bool]) -> bool:
    """Is it a part of the children, or a name that one of them is bound to?"""
    if type(argument) is ops.Item:
        return type(argument.base) is ops.Name and taken.get(argument.base.name) is False
    return type(argument) is ops.Name and taken.get(argument.name) is True


def _unpacked(op: Op, children: str) -> Iterator[str]:
    """The names to which the children are bound: `x, y = children`."""
    if type(op) is ops.Store and type(op.value) is ops.Name and op.value.name == children:
        for target in op.targets:
            if type(target) is ops.Unpack:
                yield from (one.name for one in target.parts if type(one) is ops.Name)
