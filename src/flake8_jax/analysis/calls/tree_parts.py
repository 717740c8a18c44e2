"""Parts of pytrees that a transform hands to its function: a leaf, an element along the leading axis, all arguments."""

from __future__ import annotations

from collections.abc import Callable

from flake8_jax.analysis.callables import Copied, InstanceOf
from flake8_jax.analysis.calls.forwards import handed_through
from flake8_jax.analysis.checks.keys.advancing import is_handed_back, pass_on
from flake8_jax.analysis.frame import Frame, note_unknown
from flake8_jax.analysis.objects.copies import record_of
from flake8_jax.analysis.objects.dtypes import dtype_of_operand
from flake8_jax.analysis.objects.instances import stored
from flake8_jax.analysis.objects.iteration import element
from flake8_jax.api.transforms import Argument, CallShape, Transform
from flake8_jax.domain.kinds import (
    ARRAY,
    ARRAYS_OR_COMPUTED,
    COMPUTED,
    DICT,
    INPUT,
    INSTANCE,
    KEY,
    MAPPED_LEAVES,
    MAY_BE_ANYTHING,
    NUMBER,
    REF,
    SEQUENCES,
    SHAPED,
    TUPLE,
)
from flake8_jax.domain.payload import Copies, Elements, Entries, reason
from flake8_jax.domain.staging import NONE, unite
from flake8_jax.domain.value import Value, join, shape_of_leaves, shape_of_operands, unknown
from flake8_jax.ir.ops import Op
from flake8_jax.lazy_dataclasses import replace

MAXIMUM_DEPTH = 4
OF_LEAVES = "tree of what becomes of its leaves"
"""Why a tree is unknown, whose leaves Python itself may have made."""


def spread(value: Value | None) -> list[Value]:
    """The arguments in a tuple that is passed on as `*tuple`."""
    return list(value.elements or ()) if value is not None else []


def leaf_of(frame: Frame, value: Value, op: Op) -> Value:
    """A leaf of a pytree: the join of all known leaves, an array if the tree is an input."""
    if value.kind is INPUT:
        return Value(COMPUTED, value.dependences, None, op)
    leaves = (
        [leaf_of(frame, part, op) for part in value.parts] if value.kind is not INSTANCE or is_record(value) else []
    )
    if not leaves:
        return value if value.kind in MAPPED_LEAVES else unknown("leaf of a tree")
    found = leaves[0]
    for leaf in leaves[1:]:
        found = join(found, leaf)
    return found


def of_leaves(op: Op, transform: Transform, shape: CallShape, given: dict[str, Value], result: Value) -> Value:
    """The result of running a function with leaves: a tree of such, if the transform makes one."""
    trees = [given.get(argument.parameter) for argument in shape.arguments if argument.word == "leaf"]
    if trees and type(transform.returns) is Argument and transform.returns.word == "mapped":
        return mapped_tree(trees[0] or unknown("tree of an open call"), result, op)
    is_leaf = all(tree is None or tree.kind in MAPPED_LEAVES for tree in trees)
    return result if is_leaf else unknown(OF_LEAVES)


def mapped_tree(tree: Value, leaf: Value, op: Op, depth: int = 0) -> Value:
    """A tree with an array, what became of a leaf, in the place of each leaf."""
    if tree.kind in MAPPED_LEAVES:
        return leaf if not depth else Value(leaf.kind, leaf.dependences, None, op, leaf.shape)
    if leaf.kind not in ARRAYS_OR_COMPUTED or depth >= MAXIMUM_DEPTH:
        return unknown(OF_LEAVES)
    if tree.elements is not None:
        parts = tuple(mapped_tree(part, leaf, op, depth + 1) for part in tree.elements)
        return Value(tree.kind, NONE, Elements(parts), op)
    if tree.entries is not None:
        held = {name: mapped_tree(part, leaf, op, depth + 1) for name, part in tree.entries.items()}
        return Value(tree.kind, NONE, Entries(held), op)
    if is_record(tree):
        return record_of_arrays(tree, lambda part: mapped_tree(part, leaf, op, depth + 1), op)
    if tree.kind not in MAY_BE_ANYTHING:
        return unknown(OF_LEAVES)
    return Value(INPUT, leaf.dependences, None, op, like=shape_of_operands(shape_of_leaves, (tree,), {}))


def is_record(value: Value) -> bool:
    """Is it a pytree of a class of the project, of which the fields are known?"""
    payload = value.payload
    return isinstance(payload, InstanceOf) and bool(payload.parts) and payload.owner.is_tree


def record_of_arrays(record: Value, make: Callable[[Value], Value], op: Op) -> Value:
    """A record with other arrays in its fields; what is no array now may be static, and is not known."""
    payload = record.payload
    assert isinstance(payload, InstanceOf)
    fields = {name: make(part) for name, part in (payload.parts or {}).items() if part.kind is ARRAY or is_record(part)}
    return Value(INSTANCE, NONE, InstanceOf(payload.owner, fields), op)


def each_of(frame: Frame, value: Value, op: Op) -> Value:
    """An element along the leading axis of a pytree of arrays.

    A leaf that is a number has no such axis.
    """
    if value.elements and any(part.kind is NUMBER for part in value.elements):
        return unknown("row of a number")
    if value.elements is not None:
        return Value(TUPLE, NONE, Elements(tuple(each_of(frame, part, op) for part in value.elements)), op)
    if value.entries is not None:
        parts = {name: each_of(frame, part, op) for name, part in value.entries.items()}
        return Value(value.kind, NONE, Entries(parts), op)
    if value.constant is None or value.kind is REF:  # a row of a reference is a reference
        return value
    if type(value.payload) is Copies:  # of a key, one is as good as all
        return replace(value, kind=KEY)
    if value.kind is INPUT and value.payload is None:
        return value
    return element(frame, value, op)


def of_shapes(frame: Frame, value: Value, op: Op) -> Value:
    """The arrays that a callback gives back, as their shapes and dtypes say."""
    if value.kind in SHAPED or value.name == "jax.ShapeDtypeStruct":
        return Value(ARRAY, frame.ambient, made_by=op)
    if value.kind in SEQUENCES and value.elements is not None:
        return Value(value.kind, NONE, Elements(tuple(of_shapes(frame, part, op) for part in value.elements)), op)
    return note_unknown(frame, "result of a callback", op)


def outside(frame: Frame, value: Value, op: Op, is_returned: bool = False) -> Value:
    """The result of a transformed function as the surrounding code sees it: an array, or the key that was passed
    through.
    """
    if is_returned and not is_handed_back(frame, value) and (passed := handed_through(value, op)) is not None:
        return passed
    if value.kind.value in ("number", "array", "computed", "numpy"):
        shape = () if value.kind is NUMBER else value.shape
        made = Value(ARRAY, frame.ambient, None, op, shape, dtype_of_operand(value), like=value.like)
        pass_on(frame, value, made)
        return made
    if value.elements is not None:
        return Value(
            value.kind, NONE, Elements(tuple(outside(frame, part, op, is_returned) for part in value.elements)), op
        )
    if value.entries is not None:
        held = {key: outside(frame, part, op, is_returned) for key, part in value.entries.items()}
        return Value(DICT, NONE, Entries(held), op)
    if value.constant is None:
        return value
    if value.kind is INPUT and (not is_returned or value.payload is None):
        tree = Value(INPUT, unite(value.dependences, frame.ambient), None, op)  # a loop may promote what is weak
        if is_returned:
            tree = Value(INPUT, frame.ambient, None, op, dtype=dtype_of_operand(value), like=value.like or value.input)
        pass_on(frame, value, tree)
        return tree
    if is_record(value):
        made = record_of_arrays(value, lambda part: outside(frame, part, op, is_returned), op)
        return _with_keys(frame, value, made, op)
    if is_returned and type(value.payload) is Copied and (kept := _keys_of(frame, value, op)):
        changed = {name: outside(frame, part, op, True) for name, part in value.payload.changed.items()}
        return record_of(frame, {**changed, **kept}, op)
    why = OF_LEAVES if value.payload is reason(OF_LEAVES) else "result of a transform"
    made = Value(KEY, made_by=op) if value.kind is KEY else unknown(why, op)
    pass_on(frame, value, made)
    return made


def _with_keys(frame: Frame, returned: Value, made: Value, op: Op) -> Value:
    """A record as it comes back from a transform, with the keys that it went in with: `state.replace(step=step)`."""
    record = made.payload
    assert isinstance(record, InstanceOf)
    if record.parts is not None:
        kept = _keys_of(frame, returned, op)
        record.parts.update(kept)
        for name, value in kept.items():
            frame.live().set_part(made, (".", name), value)
    return made


def _keys_of(frame: Frame, returned: Value, op: Op) -> dict[str, Value]:
    """The keys that an object has which comes back from a transform: of what went in, those that were used as keys."""
    state, kept, how = frame.live(), dict[str, Value](), returned.payload
    for name, value in stored(state, returned).items():
        before = value.caller_value
        if value.kind is KEY:
            kept[name] = outside(frame, value, op, True)
        elif before is not None and before.original in state.used:
            kept[name] = before
    source = how.original.caller_value if type(how) is Copied and how.original is not None else None
    if source is None or type(how) is not Copied:
        return kept
    for step, value in frame.program.record.projections.of(state.version(source)).items():
        if step[0] == "." and step[1] not in how.changed and value.original in state.used:
            kept.setdefault(step[1], value)
    return kept
