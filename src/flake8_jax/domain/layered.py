"""A mapping of names to values with cheap copies and joins.

A module may bind ten thousand names and branch as often.  Copies share a *base*; later bindings are in a small *layer*
of each.  When the layer has outgrown the square root of the base, the two become a new base, which keeps both small: a
layer is copied often, a base is made seldom.  An *age* says which names a base has of its own since the one that it was
made of, so that two of different bases are compared in what was bound since they were one.

    base {a .. z}   layer {x: 1}    copy -> same base, layer {x: 1}     join -> only x and y are compared
                                            y = 2: layer {x: 1, y: 2}
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from flake8_jax.domain.value import Value
from flake8_jax.lazy_dataclasses import dataclass

SMALL = 24


@dataclass(frozen=True, slots=True, eq=False)
class Age:
    """What a base was made of: the base of the age `before`, and the names that were bound anew in a layer of it."""

    before: Age | None = None
    names: tuple[str, ...] = ()
    number: int = 0


class Layered:
    """Names and their values; a name that was unbound is None in the layer."""

    __slots__ = ("age", "base", "layer")

    def __init__(
        self,
        base: dict[str, Value] | None = None,
        layer: dict[str, Value | None] | None = None,
        age: Age | None = None,
    ) -> None:
        self.base: dict[str, Value] = {} if base is None else base
        self.layer: dict[str, Value | None] = {} if layer is None else layer
        self.age = Age() if age is None else age

    def get(self, name: str) -> Value | None:
        """The value of a name, None if it is not bound."""
        layer = self.layer
        if name in layer:
            return layer[name]
        return self.base.get(name)

    def __contains__(self, name: str) -> bool:
        return self.get(name) is not None

    def __getitem__(self, name: str) -> Value:
        found = self.get(name)
        if found is None:
            raise KeyError(name)
        return found

    def __setitem__(self, name: str, value: Value) -> None:
        self.layer[name] = value

    def unbind(self, name: str) -> None:
        """Remove the binding of a name."""
        self.layer[name] = None

    def items(self) -> Iterator[tuple[str, Value]]:
        """Every bound name and its value."""
        for name, value in {**self.base, **self.layer}.items():
            if value is not None:
                yield name, value

    def latest(self, many: int) -> list[tuple[str, Value]]:
        """The names that were bound last, so many at most, and their values, in the order in which they were bound."""
        found: list[tuple[str, Value]] = []
        for held, hidden in ((self.layer, {}), (self.base, self.layer)):
            for name in reversed(held):
                value = held[name]
                if len(found) == many:
                    return found[::-1]
                if value is not None and name not in hidden:
                    found.append((name, value))
        return found[::-1]

    def values(self) -> Iterator[Value]:
        """The values of the bound names."""
        yield from dict(self.items()).values()

    def held(self) -> list[Value]:
        """The same, as a list."""
        return [value for value in {**self.base, **self.layer}.values() if value is not None]

    def copy(self) -> Layered:
        """An independent copy."""
        if len(self.layer) > SMALL and len(self.layer) ** 2 > len(self.base):
            self.age = Age(self.age, tuple(self.layer), self.age.number + 1)
            self.base, self.layer = dict(self.items()), {}
        return Layered(self.base, self.layer.copy(), self.age)

    def differing(self, other: Layered) -> Iterable[str]:
        """The names that may have different values in the two."""
        if self.base is not other.base:
            return self._bound_since(other)
        mine, theirs = self.layer, other.layer
        both = {**mine, **theirs}
        return [name for name in both if name not in theirs or name not in mine or mine[name] is not theirs[name]]

    def rebound(self, other: Layered) -> list[str]:
        """The names that may have different values in the two, and have one in the other."""
        layer, base = other.layer, other.base
        return [name for name in self.differing(other) if name in layer or name in base]

    def _bound_since(self, other: Layered) -> dict[str, object]:
        """The names that were bound in either of two since they had one base; all, if they never had."""
        found: dict[str, object] = {**self.layer, **other.layer}
        one, two = self.age, other.age
        while one is not two:
            if one.number < two.number:
                one, two = two, one
            if one.before is None:
                return {**self.base, **other.base, **found}
            found.update(dict.fromkeys(one.names))
            one = one.before
        return found
