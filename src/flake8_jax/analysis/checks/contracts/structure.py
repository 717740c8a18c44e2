"""Where two values certainly differ as pytrees: in structure, shape or dtype.

before                          after
(0.0, jnp.zeros(3))             [c[0], c[1]]                a tuple, a list
State(0.0, 1)                   (c.x, c.n)                  a named tuple, a plain one
jnp.zeros(3)                    jnp.concatenate([c, x])     float[3], float[4]
jnp.int32(0)                    c + 0.5                     int32, promoted with a weak float

Whatever is not known differs from nothing.  A dtype that the setting of 64 bits decides is compared under both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Literal, TypeAlias

from flake8_jax.analysis.callables import ClassValue, InstanceOf
from flake8_jax.analysis.objects.classes import declared_fields, is_child
from flake8_jax.analysis.objects.dtypes import ORDER, dtype_of_operand, least_sort
from flake8_jax.api.dtypes import NARROW, WEAK, WIDE
from flake8_jax.domain.constants import NOTHING, spelled
from flake8_jax.domain.dtypes import Dtype, Promotion, Promotions
from flake8_jax.domain.kinds import CERTAIN_LEAVES, COMPUTED, DICT, INSTANCE, KEY, LIST, NUMBER, SHAPED, STATIC, TUPLE
from flake8_jax.domain.payload import Key
from flake8_jax.domain.shape import Shape
from flake8_jax.domain.value import Value
from flake8_jax.lazy_dataclasses import dataclass

Aspect: TypeAlias = Literal["structure", "shape", "dtype"]
Contents: TypeAlias = Callable[[Value], Value]

WIDENED = {narrow: wide for wide, narrow in WIDE.items()}
MAXIMUM_DEPTH = 4

FLOATING = frozenset(("float", "complex"))
"""The sorts of numbers that nothing makes integers again."""

PLAIN_FORMS = frozenset(("", "varargs"))
LONGEST = 6
"""How many keys of a dict a message names."""


@dataclass(frozen=True, slots=True)
class TypeDifference:
    """A part in which two values differ: where it is (`[0]['a']`, "" for the whole), in which aspect, what each is."""

    part: str
    aspect: Aspect
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class TypeComparison:
    """How values are compared: by which rules of promotion, with which contents of containers."""

    rules: Promotions
    contents: Contents

    def difference(
        self, before: Value, after: Value, *, promotes: bool, part: str = "", depth: int = 0
    ) -> TypeDifference | None:
        """The first part in which two values certainly differ.

        `promotes`: a weak dtype before gives way to that after, as JAX does it with what a loop carries.
        """
        before = before if before.kind in CERTAIN_LEAVES else self.contents(before)
        after = after if after.kind in CERTAIN_LEAVES else self.contents(after)
        if before is after or depth > MAXIMUM_DEPTH:
            return None
        one, two = node_of(before), node_of(after)
        if one is None or two is None:
            return None
        if one != two or (one == "record" and not are_of_one_class(before, after)):
            return TypeDifference(part, "structure", described(before), described(after))
        if one == "leaf":
            return self._between_leaves(before, after, part, promotes)
        return next(self._between_parts(before, after, part, depth, promotes), None)

    def are_alike(self, one: Value, other: Value) -> bool:
        """Are two values certainly alike at the top: nodes of the same parts, or arrays of one shape?"""
        one, other = self.contents(one), self.contents(other)
        node = node_of(one)
        if node is None or node != node_of(other):
            return False
        if node == "leaf":
            return shape_of_leaf(one) is not None and shape_of_leaf(one) == shape_of_leaf(other)
        if node == "dict":
            return one.entries is not None and other.entries is not None and one.entries.keys() == other.entries.keys()
        return node == "none" or (
            one.elements is not None and other.elements is not None and len(one.elements) == len(other.elements)
        )

    def _between_parts(
        self, before: Value, after: Value, part: str, depth: int, promotes: bool
    ) -> Iterator[TypeDifference]:
        if before.kind is DICT or before.kind is INSTANCE:
            mine, other = entries_of(before), entries_of(after)
            if mine is None or other is None:
                return
            if before.kind is DICT and mine.keys() != other.keys():
                yield TypeDifference(part, "structure", described(before), described(after))
                return
            form = "[{}]" if before.kind is DICT else ".{}"
            names = {key: spelled(key) if before.kind is DICT else str(key) for key in mine}
            pairs = [(form.format(names[key]), one, other[key]) for key, one in mine.items() if key in other]
        else:
            parts, others = before.elements, after.elements
            if parts is None or others is None:
                return
            if len(parts) != len(others):
                yield TypeDifference(part, "structure", described(before), described(after))
                return
            pairs = [(f"[{place}]", *both) for place, both in enumerate(zip(parts, others, strict=True))]
        for name, one, two in pairs:
            found = self.difference(one, two, promotes=promotes, part=part + name, depth=depth + 1)
            if found is not None:
                yield found

    def _between_leaves(self, before: Value, after: Value, part: str, promotes: bool) -> TypeDifference | None:
        one, two = shape_of_leaf(before), shape_of_leaf(after)
        if are_other_shapes(one, two):
            return TypeDifference(part, "shape", array_text(before), array_text(after))
        mine, other = dtype_of_operand(before), dtype_of_operand(after)
        if promotes and isinstance(mine, str) and mine.startswith(WEAK):
            mine = self.rules.promoted((mine, other), (), False) if isinstance(other, str) else None
        if are_distinct(mine, other):
            return TypeDifference(part, "dtype", array_text(before), array_text(after))
        return None


def node_of(value: Value) -> Literal["leaf", "none", "list", "tuple", "dict", "record"] | None:
    """What a value is as a node of a pytree; None if that is not known."""
    kind = value.kind
    if kind in CERTAIN_LEAVES or (kind is STATIC and type(value.constant) is bool):
        return "leaf"
    if kind is COMPUTED:
        is_known = value.shape is not None and isinstance(value.dtype, str)
        return "leaf" if is_known or (type(value.dtype) is Promotion and least_sort(value.dtype) in FLOATING) else None
    if kind is STATIC:
        return "none" if value.payload == NOTHING else None
    if kind is LIST:
        return "list"
    if kind is TUPLE:
        return "tuple" if value.form in PLAIN_FORMS else None
    if kind is INSTANCE:
        return "record" if owner_of(value) is not None else None
    return "dict" if kind is DICT else None


def owner_of(value: Value) -> ClassValue | None:
    """The class of a named tuple, or of a frozen object that is a pytree by its fields."""
    instance = value.payload
    if not isinstance(instance, InstanceOf):
        return None
    owner = instance.owner
    is_tree = owner.is_frozen and owner.is_tree and owner.flattened is None
    return owner if owner.is_tuple or is_tree else None


def are_of_one_class(one: Value, other: Value) -> bool:
    """Are two records of the same class?  What a call of a factory makes is one, however often it is run."""
    first, second = owner_of(one), owner_of(other)
    if first is None or second is None:
        return False
    return first.function.anchor is second.function.anchor and first.name == second.name


def entries_of(value: Value) -> Mapping[Key, Value] | None:
    """The entries of a dict, or the fields of a record that are known: of one that is no tuple, its children."""
    instance = value.payload
    if not isinstance(instance, InstanceOf):
        return value.entries
    parts, owner = {**_kept_parts(instance), **(instance.parts or {})}, instance.owner
    return {name: parts[name] for name in declared_fields(owner) if name in parts and _is_part(owner, name)}


def _kept_parts(instance: InstanceOf) -> Mapping[str, Value]:
    """The fields of a copy that those have which it was made of, where a transform was called with it."""
    copied = instance.copied
    before = copied.original.caller_value if copied is not None and copied.original is not None else None
    held = before.payload if before is not None else None
    if copied is None or not isinstance(held, InstanceOf) or held.owner is not instance.owner:
        return {}
    return {name: part for name, part in (held.parts or {}).items() if name not in copied.changed}


def _is_part(owner: ClassValue, name: str) -> bool:
    return owner.is_tuple or is_child(owner, name)


def shape_of_leaf(value: Value) -> Shape:
    """The shape of an array or number."""
    return () if value.kind is NUMBER or value.kind is STATIC else value.shape if value.kind in SHAPED else None


def are_other_shapes(one: Shape, two: Shape) -> bool:
    """Are two shapes certainly different?"""
    if one is None or two is None:
        return False
    if len(one) != len(two):
        return True
    return any(a is not None and b is not None and a != b for a, b in zip(one, two, strict=True))


def are_distinct(one: Dtype | None, two: Dtype | None) -> bool:
    """Are two dtypes certainly different, with 64 bits and without?  Being weak makes no difference."""
    if not isinstance(one, str):
        return isinstance(two, str) and _is_beyond(one, two)
    if not isinstance(two, str):
        return _is_beyond(two, one)
    one, two = one.removeprefix(WEAK), two.removeprefix(WEAK)
    narrow, other = NARROW.get(one, one), NARROW.get(two, two)
    wide, wider = WIDENED.get(one, one), WIDENED.get(two, two)
    return narrow != other and wide != wider


def _is_beyond(promoted: Dtype | None, dtype: str) -> bool:
    """Is what is promoted, of inputs too, at least of a sort of numbers that a dtype does not reach?"""
    least, sort = least_sort(promoted), least_sort(dtype)
    return least in FLOATING and bool(sort) and ORDER.index(least) > ORDER.index(sort)


def described(value: Value) -> str:
    """A node of a pytree, for a message: `a tuple of 2`, `None`, `an array`."""
    node = node_of(value)
    if node == "none":
        return "None"
    if node == "dict":
        entries = value.entries
        if not entries:
            return "a dict" if entries is None else "an empty dict"
        shown = ", ".join(spelled(key) for key in [*entries][:LONGEST])
        return f"a dict with {shown}{', ...' if len(entries) > LONGEST else ''}"
    if node in ("list", "tuple"):
        parts = value.elements
        return f"a {node}" if parts is None else f"an empty {node}" if not parts else f"a {node} of {len(parts)}"
    if (owner := owner_of(value)) is not None:
        return f"a `{owner.name}`"
    if value.kind is NUMBER or value.kind is STATIC:
        return "a number"
    return "a key" if value.kind is KEY else "an array"


def array_text(value: Value) -> str:
    """The dtype and shape of an array, as JAX writes them: `float32[3]`."""
    dtype, shape = dtype_of_operand(value), shape_of_leaf(value)
    name = NARROW.get(dtype.removeprefix(WEAK), dtype.removeprefix(WEAK)) if isinstance(dtype, str) else ""
    sizes = "" if shape is None else f"[{','.join('?' if size is None else str(size) for size in shape)}]"
    if not name and sizes in ("", "[]") and (sort := least_sort(dtype)) in FLOATING:
        return f"{sort} numbers"
    if name:
        return name if sizes in ("", "[]") else f"{name}{sizes}"
    return f"shape {sizes}" if sizes else "an array"
