"""What objects held from the start, as it was read of them, and which objects hold a value.

state.rng           the field `.rng` of `state`: one value, whenever it is read
state.replace()     copies the fields of `state` that were read, without a look at those of other objects
"""

from __future__ import annotations

from flake8_jax.domain.payload import Step
from flake8_jax.domain.value import Value
from flake8_jax.lazy_dataclasses import dataclass, field


@dataclass(slots=True, eq=False)
class Projections:
    """The parts that were read of objects, or of versions of them, by the object; and the places of each part."""

    parts: dict[Value, dict[Step, Value]] = field(default_factory=dict)
    places: dict[Value, list[tuple[Value, Step]]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.parts)

    def add(self, owner: Value, step: Step, part: Value) -> None:
        """Note a part that is read for the first time."""
        self.parts.setdefault(owner, {})[step] = part
        self.places.setdefault(part, []).append((owner, step))

    def of(self, owner: Value) -> dict[Step, Value]:
        """The parts that were read of an object."""
        return self.parts.get(owner, {})

    def holding(self, part: Value) -> list[tuple[Value, Step]]:
        """The objects of which a value was read, each with the step to it."""
        return self.places.get(part, [])
