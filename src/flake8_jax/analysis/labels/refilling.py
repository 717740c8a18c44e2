"""Fields that are filled anew: what was drawn for them gave a shape only, as of a layer that another start replaces.

layer = super().reset(shape, key)
w = layer.weight
return layer.update(weight=normal(key, w.shape))                            nobody reads the first draw
self.weight = normal(key, self.weight.shape)                                as well
return layer.update(weight=w + normal(key, w.shape))                        it is read
return layer.update(extra=normal(key, shape))                               another field is filled
"""

from __future__ import annotations

from collections.abc import Iterator

from flake8_jax.analysis.labels.callees import Code, bound_to
from flake8_jax.analysis.labels.tables import SHAPE_ATTRIBUTES
from flake8_jax.ir import ops
from flake8_jax.ir.chains import Chains, chains_of
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.walking import within

MAXIMUM_FOLLOWED = 10
"""So many local names are followed to what is bound to them."""


def is_refilled(code: Code, owner: Op, field: str, value: Op) -> bool:
    """Is what replaces a field computed of the shape of what that held, and of nothing else that it held?"""
    found = [*_shapes_asked(code, chains_of(code.function), phrase(owner), field, value)]
    return bool(found) and all(found)


def _shapes_asked(code: Code, chains: Chains, owner: str, field: str, value: Op) -> Iterator[bool]:
    """Is a shape asked, for each read of a field in what a value is computed of?"""
    waiting, seen = [value], set[Op]()
    for one in waiting:  # grows while it is gone through
        for inner in within(one):
            if _is_field(inner, owner, field):
                yield _asks_shape(chains, inner)
            elif type(inner) is ops.Name and (bound := bound_to(code, inner)) is not None:
                if _is_field(bound, owner, field):
                    yield _asks_shape(chains, inner)
                elif bound not in seen and len(seen) < MAXIMUM_FOLLOWED:
                    seen.add(bound)
                    waiting.append(bound)


def _is_field(op: Op, owner: str, field: str) -> bool:
    return type(op) is ops.Attr and op.name == field and phrase(op.base) == owner


def _asks_shape(chains: Chains, op: Op) -> bool:
    around = chains.parents.get(op)
    return type(around) is ops.Attr and around.name in SHAPE_ATTRIBUTES
