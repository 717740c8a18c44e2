"""Slices whose bounds a loop moves: in a loop of JAX these are traced, and only `dynamic_slice` and its like take them.

for i in range(n):
    start = 2 * i
    x = x.at[start : start + 2].add(1.0)        `dynamic_update_slice`
    y += x[start : start + 2]                   `dynamic_slice`
"""

from __future__ import annotations

from collections.abc import Iterator

from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.walking import names_in, within

READ, UPDATED = "jax.lax.dynamic_slice", "jax.lax.dynamic_update_slice"


def moving_slices(loop: ops.Loop) -> tuple[str, ...]:
    """The functions that read and update what the slices in a loop do whose bounds come of its counter or element."""
    moved = names_in(loop.target) if loop.target is not None else set()
    found: dict[str, None] = {}
    for op in loop.body:
        for inner in within(op):
            if type(inner) is ops.Store and inner.value is not None and not moved.isdisjoint(names_in(inner.value)):
                moved.update(
                    name for target in inner.targets for name in names_in(target) if type(target) is not ops.Item
                )
            if type(inner) is ops.Item and any(not moved.isdisjoint(names_in(part)) for part in _slices(inner.index)):
                is_view = type(inner.base) is ops.Attr and inner.base.name == "at"
                found[UPDATED if is_view else READ] = None
    return tuple(sorted(found))


def _slices(index: Op) -> Iterator[Op]:
    for part in index.parts if type(index) is ops.Build and index.kind == "tuple" else (index,):
        if type(part) is ops.Build and part.kind == "slice":
            yield part
