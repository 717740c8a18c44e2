"""Objects of a library that are trees of arrays, such as the states of optimizers.

tx.init(params)[0].count    an array, traced where the call is
tx.init(params)[0].mu       a tree within it
"""

from __future__ import annotations

from flake8_jax.analysis.frame import Frame
from flake8_jax.domain.kinds import ARRAY, INPUT, OBJECT
from flake8_jax.domain.payload import Named
from flake8_jax.domain.staging import Input
from flake8_jax.domain.value import Value
from flake8_jax.ir.ops import Op


def is_record_class(frame: Frame, name: str) -> bool:
    """Is it a class of a library whose objects keep their fields, of which some are arrays in a trace?"""
    return frame.program.table.annotation(name) == "record"


def declare_record(frame: Frame, source: Input, name: str) -> None:
    """Make an input an object of such a class."""
    source.is_frozen = True
    for leaf in frame.program.table.leaves(name):
        source.part((".", leaf)).is_declared = True
    for tree in frame.program.table.trees(name):
        part = source.part((".", tree))
        part.is_child = part.is_tree = True


def tree_part(frame: Frame, base: Value, name: str, op: Op) -> Value | None:
    """A field of a tree of arrays; an item of it where `name` is empty.  None if it is no such tree."""
    if base.kind is not OBJECT or type(base.payload) is not Named:
        return None
    qualified = base.payload.name
    leaves = frame.program.table.leaves(qualified)
    if name in leaves:
        return Value(ARRAY, base.dependences, made_by=op)
    if name in frame.program.table.trees(qualified):
        return Value(INPUT, base.dependences, None, op)
    return base if leaves and not frame.program.table.states_methods(qualified) else None
