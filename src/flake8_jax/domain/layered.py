"""A mapping of names to values with cheap copies and joins.

A module may bind ten thousand names and branch as often.  Copies share a *base*; later bindings are in a small *layer*
of each.  When the layer has outgrown the square root of the base, the two become a new base, which keeps both small: a
layer is copied often, a base is made seldom.

    base {a .. z}   layer {x: 1}    copy -> same base, layer {x: 1}     join -> only x and y are compared
                                            y = 2: layer {x: 1, y: 2}
"""

from __future__ import annotations

from collections.abc import Iterator

from flake8_jax.domain.value import Value

SMALL = 24


class Layered:
    """Names and their values; a name that was unbound is None in the layer."""

    __slots__ = ("base", "layer")

    def __init__(self, base: dict[str, Value] | None = None, layer: dict[str, Value | None] | None = None) -> None:
        self.base: dict[str, Value] = {} if base is None else base
        self.layer: dict[str, Value | None] = {} if layer is None else layer

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

    def values(self) -> Iterator[Value]:
        """The values of the bound names."""
        yield from dict(self.items()).values()

    def held(self) -> list[Value]:
        """The same, as a list."""
        return [value for value in {**self.base, **self.layer}.values() if value is not None]

    def copy(self) -> Layered:
        """An independent copy."""
        if len(self.layer) > SMALL and len(self.layer) ** 2 > len(self.base):
            self.base, self.layer = dict(self.items()), {}
        return Layered(self.base, self.layer.copy())

    def differing(self, other: Layered) -> Iterator[str]:
        """The names that may have different values in the two."""
        if self.base is other.base:
            mine, theirs = self.layer, other.layer
            for name, value in {**mine, **theirs}.items():
                if name not in theirs or name not in mine or mine[name] is not value:
                    yield name
        else:
            yield from {**self.base, **self.layer, **other.base, **other.layer}
